"""A detached signature of the manifest, which OpenSSH's ``ssh-keygen`` checks."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.reporting.evidence.manifest import MANIFEST, SIGNATURE

_NAMESPACE = "pycompare"
"""Purpose of the signature: one made for another use is not valid here."""
_PROGRAM = "ssh-keygen"
_LIMIT = 30.0


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A signature of a manifest.

    Attributes
    ----------
    good : bool
        Whether the manifest is the one that was signed (by an allowed signer, if these
        were named).
    trusted : bool
        Whether the signer was checked against a file of allowed signers.
    text : str
        Output of ssh-keygen: the signer or the key, or what is wrong.
    """

    good: bool
    trusted: bool
    text: str

    def __str__(self) -> str:
        if self.good and not self.trusted:
            return f"{self.text} Whose key it is was not checked (set --signers)."
        return self.text


def check_signature(
    folder: Path, signers: str | Path | None, signer: str | None
) -> Signature | None:
    """Return the state of a report's signature; None if there is none to check.

    Raises
    ------
    InputError
        If only one of ``signers`` and ``signer`` is given, the file of signers is not
        there, or there is a signature and no ssh-keygen.
    """
    if (signers is None) != (signer is None):
        raise InputError(
            "signers and signer belong together: the file of allowed signers, and "
            "which of them must have signed (--signers, --signer)"
        )
    path = folder / SIGNATURE
    if signers is not None and not Path(signers).is_file():
        raise InputError(f"there is no file of allowed signers {signers}")
    if not path.is_file():
        text = f"there is no {SIGNATURE}"
        return Signature(good=False, trusted=True, text=text) if signers else None
    if signers is None:
        how = ["check-novalidate", "-n", _NAMESPACE, "-s", str(path)]
    else:
        how = ["verify", "-f", str(signers), "-I", str(signer)]
        how += ["-n", _NAMESPACE, "-s", str(path)]
    status, text = _ssh_keygen(how, (folder / MANIFEST).read_bytes())
    return Signature(good=status == 0, trusted=signers is not None, text=text)


def _ssh_keygen(how: list[str], signed: bytes) -> tuple[int, str]:
    """Return the status of ssh-keygen, and its first line."""
    try:
        process = subprocess.run(
            [_PROGRAM, "-Y", *how], input=signed, capture_output=True, timeout=_LIMIT
        )
    except FileNotFoundError:
        raise InputError(
            f"the report is signed, and there is no {_PROGRAM} to check it; install "
            f"OpenSSH (on Debian: apt-get install openssh-client)"
        ) from None
    said = (
        (process.stdout + process.stderr)
        .decode("utf-8", "replace")
        .strip()
        .splitlines()
    )
    return process.returncode, f"{said[0]}." if said else "ssh-keygen printed nothing."

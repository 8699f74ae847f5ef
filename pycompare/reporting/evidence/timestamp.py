"""A time stamp by RFC 3161 that an authority made elsewhere, which openssl checks.

It shows that a file had these bytes at a time, by the clock of the authority: the clock
of this machine may be set to anything.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pycompare.base.errors import InputError, setting

_PROGRAM = "openssl"
_LIMIT = 30.0
_HASHES = ("sha256", "sha384", "sha512")
_ALGORITHM = re.compile(r"^Hash Algorithm: (\w+)", re.MULTILINE)
_TIME = re.compile(r"^Time stamp: (.+)$", re.MULTILINE)
_BYTES = re.compile(r"^ +[0-9a-f]{4} - ((?:[0-9a-f]{2}[ -]){1,16})", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class TimeStamp:
    """What a time stamp is worth.

    Attributes
    ----------
    good : bool
        Whether it is of the bytes at hand, and of the authority if that was named.
    trusted : bool
        Whether the authority's certificate was checked.
    time : str
        As the authority has it; empty if the file holds none.
    covers : str
        Its subject; empty if nothing here.
    text : str
        What is wrong, or what it shows.
    """

    good: bool
    trusted: bool
    time: str
    covers: str
    text: str

    def __str__(self) -> str:
        if self.good and not self.trusted:
            return f"{self.text} Whose time it is was not checked (set --authority)."
        return self.text


def check_timestamp(
    candidates: Iterable[tuple[str, bytes]],
    file: str | Path | None,
    authority: str | Path | None,
) -> TimeStamp | None:
    """Return what a time stamp shows of one of several contents; None without a file.

    Parameters
    ----------
    candidates : iterable of (str, bytes)
        Possible subjects of the stamp, in words, and their bytes.
    file : path or None
        The authority's response (``.tsr``).
    authority : path or None
        Its certificate, or that of its issuer, in PEM.

    Raises
    ------
    InputError
        If a file is not there, there is no openssl, or an authority is named without a
        time stamp.
    """
    if file is None:
        if authority is not None:
            raise InputError(
                setting("authority", str(authority))
                + " checks a time stamp: name it as well, "
                + setting("timestamp", ...)
            )
        return None
    for path in (file, authority):
        if path is not None and not Path(path).is_file():
            raise InputError(f"there is no file {path}")
    text = _openssl(["-reply", "-in", str(file), "-text"])[1]
    algorithm, time = _ALGORITHM.search(text), _TIME.search(text)
    if algorithm is None or time is None or algorithm[1] not in _HASHES:
        wrong = f"{file} holds no time stamp of SHA-256, SHA-384 or SHA-512"
        return _bad(wrong, "", "")
    stamped = "".join(_BYTES.findall(_between(text)))
    stamped = re.sub("[ -]", "", stamped)
    covers = next(
        (
            what
            for what, content in candidates
            if hashlib.new(algorithm[1], content).hexdigest() == stamped
        ),
        "",
    )
    if not covers:
        return _bad("it is of other bytes than these", time[1], "")
    if authority is not None:
        how = ["-verify", "-digest", stamped, "-in", str(file)]
        status, told = _openssl([*how, "-CAfile", str(authority)])
        if status != 0:
            last = told.strip().splitlines()[-1:] or ["openssl printed nothing"]
            return _bad(f"not of this authority: {last[0]}", time[1], covers)
    return TimeStamp(
        good=True,
        trusted=authority is not None,
        time=time[1],
        covers=covers,
        text=f"Time stamp: {covers} existed at {time[1]}.",
    )


def of_trail(lines: Sequence[str]) -> Iterable[tuple[str, bytes]]:
    """Yield a trail as it was after each entry, the longest first.

    Entries are added only, so a stamp of earlier entries stays one of the same bytes.
    """
    for n in range(len(lines), 0, -1):
        what = "entry 1 of the trail" if n == 1 else f"entries 1 to {n} of the trail"
        yield what, "".join(f"{line}\n" for line in lines[:n]).encode("utf-8")


def _bad(text: str, time: str, covers: str) -> TimeStamp:
    return TimeStamp(good=False, trusted=False, time=time, covers=covers, text=text)


def _between(text: str) -> str:
    """Return the lines that show the stamped hash."""
    return text.partition("Message data:")[2].partition("Serial number:")[0]


def _openssl(how: Sequence[str]) -> tuple[int, str]:
    """Return the status of ``openssl ts``, and its output."""
    try:
        process = subprocess.run(
            [_PROGRAM, "ts", *how],
            capture_output=True,
            timeout=_LIMIT,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise InputError(
            f"a time stamp is to be checked, and there is no {_PROGRAM}; install it "
            f"(on Debian: apt-get install openssl)"
        ) from None
    said = process.stdout + process.stderr
    return process.returncode, said.decode("utf-8", "replace")

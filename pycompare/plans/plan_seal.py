"""The seal of a plan file: its hash and the date, in a file beside it.

A report of a sealed plan says when it was sealed. The seal shows that the plan is the
one that was sealed, not when: its hash in other hands shows that. A plan of a blinded
analysis may name the control, and who guesses it could check the guess by a hash. So
that hash is keyed by a secret, in another file beside the plan.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pycompare.errors import InputError
from pycompare.plans.keyed_hash import keyed_hash, new_secret

_MADE_BY = "pycompare seal"


def seal_path(plan: Path) -> Path:
    """Return where the seal of a plan file is."""
    return plan.with_name(f"{plan.name}.seal")


def secret_path(plan: Path) -> Path:
    """Return where the secret of the seal of a blinded plan is."""
    return plan.with_name(f"{plan.name}.seal.key.json")


def seal_texts(plan: Path, content: bytes, date: str, blind: bool) -> dict[Path, str]:
    """Return the seal of a plan file, after its secret if the analysis is blinded."""
    secret = new_secret() if blind else None
    held = {"made_by": _MADE_BY, "sha256": _hash(content, secret), "sealed": date}
    made = {seal_path(plan): held}
    if secret is not None:
        made = {secret_path(plan): {"made_by": _MADE_BY, "secret": secret}, **made}
    return {path: json.dumps(held, indent=1) + "\n" for path, held in made.items()}


def seal_date(plan: Path, content: bytes) -> str | None:
    """Return when a plan file was sealed; None if it was not.

    Raises
    ------
    InputError
        If the plan was changed after that, or the seal or its secret cannot be read.
    """
    path, secret = seal_path(plan), secret_path(plan)
    if not path.is_file():
        return None
    sha256, date = _read(path, "sha256", "sealed")
    key = None
    if " " in sha256:  # a keyed hash begins with its name
        if not secret.is_file():
            raise InputError(
                f"{path} is the seal of a blinded plan, and its secret {secret.name} "
                "is not beside it; put it back"
            )
        (key,) = _read(secret, "secret")
    try:
        found = _hash(content, key)
    except ValueError:
        raise InputError(f"{secret} is not a secret that pycompare wrote") from None
    if sha256 != found:
        raise InputError(
            f"{plan} was changed after it was sealed ({date}); restore it, or remove "
            f"{path.name} and explain the change in the report"
        )
    return date


def _read(path: Path, *names: str) -> tuple[str, ...]:
    """Return words of a file of the seal."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return tuple(str(held[name]) for name in names)
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path} is not a seal that pycompare wrote") from None


def _hash(content: bytes, secret: str | None) -> str:
    plain = hashlib.sha256(content).hexdigest()
    return plain if secret is None else keyed_hash(secret, plain)

"""The seal of a plan file: its hash and the date, in a file beside it.

A report of a sealed plan says when it was sealed. The seal shows that the plan is the
one that was sealed, not when: its hash in other hands shows that.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from pycompare.errors import InputError

_MADE_BY = "pycompare seal"


def seal_path(plan: Path) -> Path:
    """Return where the seal of a plan file is."""
    return plan.with_name(f"{plan.name}.seal")


def seal_text(content: bytes, date: str) -> str:
    """Return the seal of a plan file."""
    held = {"made_by": _MADE_BY, "sha256": _sha256(content), "sealed": date}
    return json.dumps(held, indent=1) + "\n"


def seal_date(plan: Path, content: bytes) -> str | None:
    """Return when a plan file was sealed; None if it was not.

    Raises
    ------
    InputError
        If the plan was changed after that, or the seal cannot be read.
    """
    path = seal_path(plan)
    if not path.is_file():
        return None
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        sha256, date = held["sha256"], str(held["sealed"])
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path} is not a seal that pycompare wrote") from None
    if sha256 != _sha256(content):
        raise InputError(
            f"{plan} was changed after it was sealed ({date}); restore it, or remove "
            f"{path.name} and explain the change in the report"
        )
    return date


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

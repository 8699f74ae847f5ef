"""The two treatments of ties that the rank tests offer."""

from __future__ import annotations

from typing import Literal

from pycompare.errors import InputError

Ties = Literal["corrected", "uncorrected"]


def check_ties(ties: str) -> None:
    """Refuse an unknown word for the treatment of ties."""
    if ties not in ("corrected", "uncorrected"):
        raise InputError(f"ties={ties!r}: choose 'corrected' or 'uncorrected'")

"""Counts in words: one cell is missing, two cells are."""

from __future__ import annotations

from collections.abc import Iterable


def counted(n: float, noun: str, plural: str | None = None) -> str:
    """Return ``1 block``, ``2 blocks``; ``plural`` if it does not end in s."""
    shown = f"{n:.3g}" if isinstance(n, float) else f"{n:,}"
    return f"{shown} {noun if n == 1 else plural or noun + 's'}"


def every_one_of(n: int, nouns: str) -> str:
    """Return ``Both blocks``, ``All 3 blocks``: the start of a sentence."""
    return f"Both {nouns}" if n == 2 else f"All {n:,} {nouns}"


def degrees_of_freedom(n: float) -> str:
    """Return ``1 degree of freedom``, ``2 degrees of freedom``."""
    return counted(n, "degree of freedom", "degrees of freedom")


def listed(names: Iterable[str]) -> str:
    """Return names with commas between them; one that holds a comma in quotes."""
    return ", ".join(repr(name) if "," in name else name for name in names)


def are(n: int) -> str:
    """Return the verb for n things: one is, two are."""
    return "is" if n == 1 else "are"


def have(n: int) -> str:
    """Return the verb for n things: one has, two have."""
    return "has" if n == 1 else "have"


def were(n: int) -> str:
    """Return the verb for n things: one was, two were."""
    return "was" if n == 1 else "were"

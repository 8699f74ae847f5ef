"""A call of an R function that gives the same numbers, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class RCall:
    """The call of an R function of ``r_reference/`` that gives the same numbers.

    Attributes
    ----------
    files : tuple of str
        Stems of files in ``r_reference/``; ``function`` is defined in the last one.
    function : str
        Name of the R function; it returns a named list of numbers.
    arguments : mapping
        Named arguments: numbers, text, lists of text, arrays, labelled frames.
    of_family : tuple of str
        Names of the arguments by which a family adjusts raw tests of pairs. A program
        makes the raw tests once, and ``adjusted_pairs`` gives each family's numbers.
    """

    files: tuple[str, ...]
    function: str
    arguments: Mapping[str, Any]
    of_family: tuple[str, ...] = ()


class Repeatable(Protocol):
    """What R can repeat, or states that it cannot."""

    def r_call(self) -> RCall | None:
        """Return the R call that repeats this, None if R has none."""

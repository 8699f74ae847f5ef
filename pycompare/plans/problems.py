"""What is wrong with a plan: one problem a sentence, and the keys it is about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pycompare.errors import PlanError

NOTHING = object()
"""Stands where a problem is about no single value."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    Attributes
    ----------
    keys : tuple of str
        The keys of the plan that it is about.
    message : str
        What is wrong and what to do.
    value : object
        What was given for the one key, where that is what is wrong.
    item : int, str or None
        Its position in a list, or its name in a table, where one entry is wrong.
    """

    keys: tuple[str, ...]
    message: str
    value: Any = NOTHING
    item: int | str | None = None

    def __str__(self) -> str:
        """Say it as Python spells it."""
        if self.value is NOTHING:
            return self.message
        return f"{self.keys[0]}={self.value!r}: {self.message}"


def refuse_any(problems: Iterable[Problem]) -> None:
    """Raise if there is any problem, with all of them."""
    found = tuple(problems)
    if found:
        raise PlanError(found)

"""What is wrong with a plan: one problem per sentence, and the keys it is about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pycompare.base.errors import NAMED, PlanError, setting


@dataclass(frozen=True)
class PlanProblem:
    """One thing that is wrong.

    Attributes
    ----------
    keys : tuple of str
        The keys of the plan that it is about.
    message : str
        What is wrong and what to do.
    value : object
        The input for the one key, if that is what is wrong.
    item : int, str or None
        Its position in a list, or its name in a table, if one entry is wrong.
    """

    keys: tuple[str, ...]
    message: str
    value: Any = NAMED
    item: int | str | None = None

    def __str__(self) -> str:
        """Return the message, after the value that it is about."""
        if self.value is NAMED:
            return self.message
        return setting(self.keys[0], self.value) + ": " + self.message


def refuse_any(problems: Iterable[PlanProblem]) -> None:
    """Raise if there is any problem, with all of them."""
    all_problems = tuple(problems)
    if all_problems:
        raise PlanError(all_problems)

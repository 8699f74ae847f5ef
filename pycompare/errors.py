"""What pycompare raises: one root to catch, and the builtin a caller expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class PyCompareError(Exception):
    """Anything pycompare refuses."""


class InputError(PyCompareError, ValueError):
    """Data or an argument that cannot be used; the message says what to do."""


class DesignError(PyCompareError, ValueError):
    """Sound data that do not hold the design a method needs."""


class PlanError(InputError, DesignError):
    """A plan that cannot be, by itself or with the scores: every problem at once.

    Attributes
    ----------
    problems : tuple
        Each with the keys that it is about.
    lines : tuple of str
        One sentence a problem; of a plan file with the file's name and the line.
    in_file : bool
        Whether the plan is a file.
    """

    def __init__(self, problems: Sequence[Any], lines: Sequence[str] = ()) -> None:
        self.problems: tuple[Any, ...] = tuple(problems)
        self.in_file = bool(lines)
        self.lines = tuple(lines) or tuple(map(str, problems))
        first, *others = self.lines
        numbered = [f"  ({i}) {line}" for i, line in enumerate(self.lines, start=1)]
        several = [f"{len(self.lines)} problems:", *numbered]
        super().__init__("\n".join(several) if others else first)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it come back from another process."""
        return type(self), (self.problems, self.lines), {"in_file": self.in_file}


class ReferenceUnavailable(PyCompareError, RuntimeError):
    """R, an R package or the R process behind a reference value failed."""

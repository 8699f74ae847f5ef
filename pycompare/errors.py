"""What pycompare raises: one root to catch, and the builtin a caller expects."""

from __future__ import annotations

from collections.abc import Sequence


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
    problems : tuple of pycompare.procedure.problems.Problem
    lines : tuple of str
        One sentence a problem; of a plan file with the file's name and the line.
    """

    def __init__(self, problems: Sequence[object], lines: Sequence[str] = ()) -> None:
        self.problems = tuple(problems)
        self.lines = tuple(lines) or tuple(map(str, problems))
        first, *others = self.lines
        numbered = [f"  ({i}) {line}" for i, line in enumerate(self.lines, start=1)]
        several = [f"{len(self.lines)} problems:", *numbered]
        super().__init__("\n".join(several) if others else first)


class ReferenceUnavailable(PyCompareError, RuntimeError):
    """R, an R package or the R process behind a reference value failed."""

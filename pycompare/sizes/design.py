"""What every design of a study has: its units, its test, and how to draw a study."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base import arguments
from pycompare.base.errors import InputError
from pycompare.base.typing import Floats

_MOST = 1_000_000
"""The largest n of a design whose units have no end."""


class StudyDesign(ABC):
    """A planned comparison with a true effect.

    ``n`` of a design is the number of its ``units``. P-values are those of the test
    that pycompare would make of such data.
    """

    name: ClassVar[str]
    """As the command line calls it."""
    test: ClassVar[str]
    """The test, in words."""
    article: ClassVar[str] = ""
    """What stands before ``test`` in a sentence; empty before a name."""
    units: ClassVar[str]
    """What n counts, in the plural."""
    fewest: ClassVar[int] = 2
    """The smallest n, if no field makes it larger."""
    has_formula: ClassVar[bool] = True
    reference: ClassVar[str]
    monotone: ClassVar[bool] = True
    """Whether the power never falls as n grows; exact tests of counts have teeth."""

    pilot: ClassVar[Literal["scores", "cases", "ratings", "labels"]] = "scores"
    """What a pilot study gives: the design is made by ``from_`` and this word."""

    @property
    def approximate(self) -> str:
        """Why simulated power is stated rather than the formula's; empty if not."""
        return ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes for readers of the assumed truth."""
        return ()

    @property
    def r_name(self) -> str:
        """The name of R's function of the formula."""
        return f"power_{self.name.replace('-', '_')}"

    @property
    def least(self) -> int:
        """The smallest n."""
        return self.fewest

    @property
    def most(self) -> int:
        """The largest n."""
        return _MOST

    @property
    def limit(self) -> str:
        """Why no larger n helps, and what would, if units have an end; else empty."""
        return ""

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by formula, NaN if there is none."""
        return math.nan

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return n

    def notes(self, n: int) -> tuple[str, ...]:
        """Return why the formula must not be used for n units, if it must not."""
        return ()

    def trusted(self, n: int) -> bool:
        """Return whether a search for a size may go by the formula."""
        return self.has_formula and not self.notes(n)

    def require_effect(self) -> None:  # noqa: B027
        """Reject a search for a size if there is no effect."""

    @abstractmethod
    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw studies of n units and return the p-value of each, (trials,)."""

    @property
    @abstractmethod
    def effect(self) -> str:
        """The true effect, in words and numbers."""

    @classmethod
    def of_pilot(cls, estimated: Mapping[str, Any], stated: Mapping[str, Any]) -> Self:
        """Return the design with estimates of a pilot study, or the stated ones."""
        values = {**estimated, **stated}
        fields = dataclasses.fields(cls)  # type: ignore[arg-type]
        asked = [f.name for f in fields if f.default is dataclasses.MISSING]
        untold = [name for name in asked if name not in values]
        if untold:
            raise InputError(
                f"{', '.join(untold)}: a pilot study does not determine it; state this "
                f"as well"
            )
        return cls(**values)

    def r_arguments(self, n: Sequence[int]) -> dict[str, Any]:
        """Return what R's function of the formula needs: the fields."""
        return {
            f.name: getattr(self, f.name)
            for f in dataclasses.fields(self)  # type: ignore[arg-type]
        }


def finite(owner: Any, *names: str) -> None:
    """Reject fields that are not finite numbers."""
    for name in names:
        value = getattr(owner, name)
        if not arguments.is_finite(value):
            raise InputError(f"{name}={value!r}: give a finite number")
        _in_a_usual_unit(name, value, [value])


def positive(owner: Any, *names: str) -> None:
    """Reject fields that are not finite numbers above 0."""
    finite(owner, *names)
    for name in names:
        if getattr(owner, name) <= 0:
            raise InputError(f"{name}={getattr(owner, name)}: give a number above 0")


def share(owner: Any, *names: str) -> None:
    """Reject fields that are not between 0 and 1, both excluded."""
    finite(owner, *names)
    for name in names:
        if not 0 < getattr(owner, name) < 1:
            raise InputError(
                f"{name}={getattr(owner, name)}: give a number between 0 and 1"
            )


def numbers(owner: Any, name: str, *, least: int) -> tuple[float, ...]:
    """Return a field as a tuple of at least so many finite numbers."""
    given: ArrayLike = getattr(owner, name)
    row = np.atleast_1d(arguments.numbers(given, name))
    if row.ndim > 1:
        raise InputError(f"{name} has the shape {row.shape}: give one row of numbers")
    values = tuple(row.tolist())
    if len(values) < least or not np.isfinite(values).all():
        raise InputError(f"{name}={given!r}: give {least} finite numbers or more")
    _in_a_usual_unit(name, given, values)
    object.__setattr__(owner, name, values)
    return values


def _in_a_usual_unit(name: str, given: Any, values: Sequence[float]) -> None:
    """Reject numbers whose ratios, squared, overflow or underflow a double."""
    low, high = 1e-50, 1e50
    if any(v and not low <= abs(v) <= high for v in values):
        raise InputError(
            f"{name}={given!r}: give 0 or numbers from {low:g} to {high:g} in size; "
            "state all of them in another unit"
        )


def words(values: Sequence[float]) -> str:
    """Return numbers as text."""
    return ", ".join(f"{v:g}" for v in values)

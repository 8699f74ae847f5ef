"""Values that keys about thresholds and costs may have, and their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.hypotheses import ONE_SIDED
from pycompare.data.measures.loss import as_loss
from pycompare.designs.plans.keys import Fault, Kind, Number, Whole

_MOST_THRESHOLDS = 1001
LIMITED = "predictions"
SEVERAL = "predictions at several thresholds"
"""Analyses of these keys."""

_FINITE = Number(-1e300, 1e300)
_POSITIVE = Number(0)
_COUNT = Whole(2, _MOST_THRESHOLDS)


def _is_number(value: Any) -> bool:
    """Return whether a value is a number, and not a truth value."""
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    """Return whether a value is a number from 0 to 1."""
    return _is_number(value) and bool(0 <= value <= 1)


@dataclass(frozen=True)
class Thresholds(Kind):
    """Several thresholds one by one, or how many equally spaced ones."""

    expected: str = (
        f"a list of numbers from 0 to 1, or a whole number from 2 to "
        f"{_MOST_THRESHOLDS}: so many, equally spaced from 0 to 1"
    )

    def allows(self, value: Any) -> bool:
        """Return whether it is a number of thresholds, or a list."""
        if _COUNT.allows(value):
            return True
        return isinstance(value, list | tuple) and 0 < len(value) <= _MOST_THRESHOLDS

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the list or of each entry."""
        yield from super().faults(value)
        if isinstance(value, list | tuple):
            yield from _entries(value, _is_share, "from 0 to 1")


@dataclass(frozen=True)
class Ratios(Kind):
    """Cost of a false positive if a false negative costs 1, several times."""

    expected: str = (
        "a list of the cost of a false positive if a false negative costs 1, such as "
        "[0.5, 1, 2]"
    )

    def allows(self, value: Any) -> bool:
        """Return whether it is a list with something in it."""
        return isinstance(value, list | tuple) and 0 < len(value) <= _MOST_THRESHOLDS

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the list or of each entry."""
        yield from super().faults(value)
        if self.allows(value):
            yield from _entries(value, _POSITIVE.allows, "above 0")


@dataclass(frozen=True)
class RateRange(Kind):
    """Two false positive rates, the lower one first."""

    expected: str = "two rates from 0 to 1, the lower one first, such as [0, 0.2]"

    def allows(self, value: Any) -> bool:
        """Return whether it is such a pair."""
        pair = isinstance(value, list | tuple) and len(value) == 2
        return pair and all(map(_is_share, value)) and value[0] < value[1]


def _entries(values: Any, allows: Any, limits: str) -> Iterator[Fault]:
    """Yield the entries that are no number within limits, and repeated ones."""
    right = [allows(value) for value in values]
    for place, value in enumerate(values):
        if not right[place]:
            yield place, f"entry {place + 1} is {value!r}, not a number {limits}"
    if all(right) and len({float(v) for v in values}) < len(values):
        yield None, "give each number once"


@dataclass(frozen=True)
class OneSided(Kind):
    """An adjustment for right-tailed tests of ordered pairs."""

    expected: str = "the name of an adjustment, such as 'holm', or 'none'"

    def allows(self, value: Any) -> bool:
        """Return whether it is text."""
        return isinstance(value, str) and bool(value)

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the name."""
        # Help is written from these keys, and needs no SciPy.
        from pycompare.results.adjust import adjustment, unfit

        yield from super().faults(value)
        if self.allows(value):
            try:
                chosen = adjustment(value)
            except InputError as error:
                yield None, error.message
            else:
                reason = unfit(chosen, ONE_SIDED)
                if reason is not None:
                    yield None, f"{chosen.name!r} {reason}"


@dataclass(frozen=True)
class LossMatrix(Kind):
    """Costs of the four decisions."""

    expected: str = (
        "[[tp, fp], [fn, tn]]: what each decision costs, rows the decision (positive, "
        "negative), columns the truth"
    )

    def allows(self, value: Any) -> bool:
        """Return whether it has two rows of two numbers."""
        rows = value if isinstance(value, list | tuple) else ()
        return len(rows) == 2 and all(
            isinstance(row, list | tuple)
            and len(row) == 2
            and all(map(_FINITE.allows, row))
            for row in rows
        )

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the matrix."""
        yield from super().faults(value)
        if self.allows(value):
            try:
                as_loss(loss=matrix(value))
            except InputError as error:
                yield None, error.message


def matrix(value: Any) -> tuple[tuple[float, ...], ...]:
    """Return rows of numbers as the plan keeps them."""
    return tuple(tuple(map(float, row)) for row in value)


def as_thresholds(value: Any) -> int | tuple[float, ...]:
    """Return thresholds, or how many, as the plan keeps them."""
    if _COUNT.allows(value):
        return int(value)
    return tuple(float(t) + 0.0 for t in value)  # -0.0 is 0.0


def spaced(count: int) -> tuple[float, ...]:
    """Return equally spaced thresholds from 0 to 1, each the double next to i/n."""
    return tuple(i / (count - 1) for i in range(count))


def threshold_of(ratio: float) -> float:
    """Return the threshold of least risk for a loss ratio.

    A false positive costs ``ratio`` and a false negative 1: positive is what has a
    posterior probability of at least ratio/(1 + ratio), Aslan (2009), eq. 2.9.
    """
    return as_loss(ratio).threshold

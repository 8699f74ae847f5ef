"""Intervals at the level of an adjustment's last step, which agree with decisions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from pycompare.base.formatting.numbers import percent
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels import student
from pycompare.methods.pairs.adjusted_pairs import AdjustedPairs
from pycompare.methods.pairs.common import MANY, ends_of
from pycompare.results.family import Family
from pycompare.results.result import OwnLimits, rejected

EACH = "each, at the level of the last step"
"""What follows the level of such intervals."""


class LastStepLimits(OwnLimits):
    """Tests of pairs whose intervals follow from the decisions of their family."""

    limit_null: ClassVar[float] = 0.0
    """If `limits` have no difference: 0 of differences and of logarithms."""

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the values not rejected by the test of each pair at level ``last``."""
        raise NotImplementedError

    def following(
        self: Any, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return intervals at the level that the adjustment's last step has."""
        last, fields = self.last_of(family)
        distance = self.as_columns()["estimate"].astype(float) - self.null
        excludes = rejected(columns["p_adjusted"], self.alpha)
        low, high = self.limits(last)
        low, high = agreeing_limits(low, high, distance, excludes, self.limit_null)
        return {"conf_low": low, "conf_high": high}, fields

    def limits_of_some(self, last: float, rows: Ints) -> tuple[Floats, Floats]:
        """Return `limits` of some rows, for tables of very many pairs."""
        raise NotImplementedError

    def following_when_read(
        self: Any, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return `following` of very many pairs, each interval made when it is read."""
        last, fields = self.last_of(family)
        excludes, table = rejected(columns["p_adjusted"], self.alpha), self.as_columns()

        def limits(rows: Ints) -> tuple[Floats, Floats]:
            distance = table.some("estimate", rows).astype(float) - self.null
            low, high = self.limits_of_some(last, rows)
            null = self.limit_null
            return agreeing_limits(low, high, distance, excludes[rows], null)

        low, high = ends_of(len(table), limits)
        return {"conf_low": low, "conf_high": high}, fields

    def last_of(self: Any, family: Family) -> tuple[float, dict[str, Any]]:
        """Return the level of the adjustment's last step, and what states it."""
        raw = np.concatenate([table.as_columns()["p_value"] for table in family.tables])
        last = last_step(raw, rejected(family.before_gate, self.alpha), self.alpha)
        return last, {"level": 1 - last, "interval": f"{percent(1 - last)} {EACH}"}


@dataclass(frozen=True, kw_only=True, eq=False)
class LastStepPairs(LastStepLimits, AdjustedPairs):
    """Pairs whose intervals exclude 0 exactly when the difference is significant.

    Attributes
    ----------
    alpha : float
        Level of the decisions with which no interval disagrees.
    level : float
        Confidence level of each interval separately, at least 1 - alpha: 1 - a, with a
        the raw p-value up to which pairs are rejected.
    """

    alpha: float

    interval_name: ClassVar[str] = "interval"


class TLimits(LastStepLimits):
    """t intervals that agree with decisions at ``alpha``; None: they hold together."""

    alpha: float | None

    interval_note: ClassVar[str] = (
        "Each interval excludes 0 exactly when the difference is significant. Each "
        "alone covers the difference with its level; together they need not."
    )

    @property
    def own_limits(self) -> bool:
        """Whether each interval follows from the decisions."""
        return self.alpha is not None

    def limits(self: Any, last: float) -> tuple[Floats, Floats]:
        """Return t intervals at level 1 - ``last``; NaN without a variance."""
        every = np.arange(len(self.as_columns()))
        limits: tuple[Floats, Floats] = self.limits_of_some(last, every)
        return limits

    def limits_of_some(self: Any, last: float, rows: Ints) -> tuple[Floats, Floats]:
        """Return `limits` of some rows."""
        names = ("estimate", "std_error", "df")
        estimate, error, df = (
            self.as_columns().some(name, rows).astype(float) for name in names
        )
        half = student.half_widths(error, df, last / 2)
        return estimate - half, estimate + half

    def following(
        self: Any, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return intervals at the level that the adjustment's last step has."""
        if not self.own_limits:
            return {}, {}
        if len(self.as_columns()) > MANY:
            later: tuple[dict[str, Any], dict[str, Any]]
            later = self.following_when_read(columns, family)
            return later
        return LastStepLimits.following(self, columns, family)

    @property
    def of_family(self) -> tuple[str, ...]:
        """The arguments of R functions by which a family adjusts raw tests."""
        return ("adjust", "alpha", "level") if self.own_limits else ("adjust",)

    def levels_in_r(self: Any) -> dict[str, Any]:
        """Return the arguments of R functions that make intervals of decisions."""
        if not self.own_limits:
            return {}
        level = math.nan if self.repeatable else self.level
        return {"alpha": self.alpha, "level": level}


@dataclass(frozen=True, kw_only=True, eq=False)
class TPairs(TLimits, AdjustedPairs):
    """t tests of pairs, with intervals that agree with decisions, or hold together.

    Attributes
    ----------
    alpha : float or None
        Level of the decisions with which no interval disagrees; None: intervals hold
        together with ``level`` (Bonferroni), and one may hold 0 although the adjusted
        test rejects.
    """

    alpha: float | None = field(default=None, metadata={"export": False})

    def r_adjusting(self) -> dict[str, Any]:
        """Return the arguments of R functions that adjust p-values of pairs."""
        return AdjustedPairs.r_adjusting(self) | self.levels_in_r()


def last_step(p: Floats, is_rejected: Bools, alpha: float) -> float:
    """Return the raw p-value up to which a family of pairs is rejected.

    Parameters
    ----------
    p : ndarray
        Raw p-values of the family; NaN if a pair could not be tested.
    is_rejected : ndarray of bool
        The decisions at ``alpha``, after adjustment.
    alpha : float

    Returns
    -------
    float
        alpha/(m - r) of m pairs with r rejected: the level that Holm's last step used.
        If another adjustment rejects more or fewer, the nearest level with its
        decisions.
    """
    n_left = max(1, int(len(p) - np.count_nonzero(is_rejected)))
    level = alpha / n_left
    level = max(level, float(np.max(p[is_rejected], initial=0.0)))
    retained = p[~is_rejected & ~np.isnan(p)]
    least = float(np.min(retained, initial=1.0))
    return level if level < least else math.nextafter(least, 0.0)


def agreeing_limits(
    low: Floats, high: Floats, distance: Floats, excludes: Bools, null: float = 0.0
) -> tuple[Floats, Floats]:
    """Return intervals that hold the null value exactly when its test does not reject.

    With ties an interval and the test may differ: it is cut at the null value on the
    side of the estimate, whose ``distance`` from there has that sign, or extended to
    it. A limit next to the null value stands for the value itself, left out: so does
    one that is the null value but for rounding, if a pair is rejected at the level
    of its own p-value.
    """
    rounding = 1e-12 * np.abs(distance)
    above, below = math.nextafter(null, math.inf), math.nextafter(null, -math.inf)
    cut_low = excludes & (distance > 0) & (low - null <= rounding)
    cut_high = excludes & (distance < 0) & (high - null >= -rounding)
    low = np.where(cut_low, above, np.where(~excludes & (low > null), null, low))
    high = np.where(cut_high, below, np.where(~excludes & (high < null), null, high))
    return low, high

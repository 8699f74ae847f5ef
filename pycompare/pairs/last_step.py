"""Intervals at the level of an adjustment's last step, which agree with decisions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pycompare.formatting.numbers import percent
from pycompare.multiplicity.adjusted_pairs import AdjustedPairs
from pycompare.multiplicity.family import Family
from pycompare.results import OwnLimits, rejected
from pycompare.typing import Bools, Floats

EACH = "each, at the level of the last step"
"""What is said after the level of such intervals."""
_ABOVE_0, _BELOW_0 = math.nextafter(0.0, 1.0), math.nextafter(0.0, -1.0)
"""Limits of an interval that ends at 0 and does not hold it."""


class LastStepLimits(OwnLimits):
    """Tests of pairs whose intervals follow from the decisions of their family."""

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return what the test of each pair does not reject at level ``last``."""
        raise NotImplementedError

    def following(
        self: Any, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return intervals at the level that the adjustment's last step has."""
        raw = np.concatenate([table.column("p_value") for table in family.tables])
        last = last_step(raw, rejected(family.before_gate, self.alpha), self.alpha)
        estimate = self.column("estimate").astype(float) - self.null
        excludes_0 = rejected(columns["p_adjusted"], self.alpha)
        low, high = self.limits(last)
        low, high = agreeing_limits(low, high, estimate, excludes_0)
        fields = {"level": 1 - last, "interval": f"{percent(1 - last)} {EACH}"}
        return {"conf_low": low, "conf_high": high}, fields


@dataclass(frozen=True, kw_only=True, eq=False)
class LastStepPairs(LastStepLimits, AdjustedPairs):
    """Pairs whose intervals exclude 0 exactly where the difference is significant.

    Attributes
    ----------
    alpha : float
        Level of the decisions with which no interval disagrees.
    level : float
        Confidence level of each interval by itself, at least 1 - alpha: 1 - a, with a
        the raw p-value up to which pairs are rejected.
    """

    alpha: float

    interval_name: ClassVar[str] = "interval"


def last_step(p: Floats, is_rejected: Bools, alpha: float) -> float:
    """Return the raw p-value up to which a family of pairs is rejected.

    Parameters
    ----------
    p : ndarray
        Raw p-values of the family; NaN where a pair could not be tested.
    is_rejected : ndarray of bool
        The decisions at ``alpha``, after adjustment.
    alpha : float

    Returns
    -------
    float
        alpha/(m - r) of m pairs with r rejected: the level that Holm's last step used.
        Where another adjustment rejects more or fewer, the nearest level with its
        decisions.
    """
    n_left = max(1, int(len(p) - np.count_nonzero(is_rejected)))
    level = alpha / n_left
    level = max(level, float(np.max(p[is_rejected], initial=0.0)))
    retained = p[~is_rejected & ~np.isnan(p)]
    least = float(np.min(retained, initial=1.0))
    return level if level < least else math.nextafter(least, 0.0)


def agreeing_limits(
    low: Floats, high: Floats, estimate: Floats, excludes_0: Bools
) -> tuple[Floats, Floats]:
    """Return intervals that hold 0 exactly where the test of 0 does not reject.

    With ties an interval and the test of 0 may differ: it is cut at 0 on the side of
    the estimate, or extended to 0. A limit next to 0 stands for 0 itself, left out.
    """
    holds_0 = (low <= 0) & (high >= 0)
    cut_low = excludes_0 & holds_0 & (estimate > 0)
    cut_high = excludes_0 & holds_0 & (estimate < 0)
    low = np.where(cut_low, _ABOVE_0, np.where(~excludes_0 & (low > 0), 0.0, low))
    high = np.where(cut_high, _BELOW_0, np.where(~excludes_0 & (high < 0), 0.0, high))
    return low, high

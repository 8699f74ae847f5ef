"""Two algorithms that are right or wrong on the same cases, and McNemar's tests.

The 2 x 2 table of a pair has four counts: ``both`` (1 and 1), ``only_1`` (1 and 0),
``only_2`` (0 and 1) and ``neither``. Given the discordant cases, ``only_1`` is binomial
with the share of them on which the first has 1; a share of 1/2 is no difference.
Everything broadcasts over pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.typing import Floats, Ints
from pycompare.kernels import binomial

McNemarPValue = Literal["exact", "mid-p", "chi2", "chi2-corrected"]
_EXACT_IN_SINGLE = 2**24
"""Sums of 0 and 1 up to here are exact in single precision, which is twice as fast."""


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Counts of pairs of columns of 0 and 1.

    Attributes
    ----------
    both, only_1, only_2, neither : ndarray of float, shape (m,)
        Whole numbers.
    """

    both: Floats
    only_1: Floats
    only_2: Floats
    neither: Floats

    @property
    def n(self) -> Floats:
        """Number of cases of each pair."""
        return self.both + self.only_1 + self.only_2 + self.neither


def pair_counts(x: Floats, first: Ints, second: Ints) -> PairCounts:
    """Count the cases of pairs of columns.

    Parameters
    ----------
    x : ndarray, shape (n, a)
        0 and 1.
    first, second : ndarray of int, shape (m,)
        Columns of each pair.
    """
    n = len(x)
    small = x.astype(np.float32 if n < _EXACT_IN_SINGLE else float)
    together = (small.T @ small).astype(float)
    ones = np.diag(together)
    both = together[first, second]
    only_1, only_2 = ones[first] - both, ones[second] - both
    return PairCounts(both, only_1, only_2, n - both - only_1 - only_2)


def p_values(
    only_1: ArrayLike,
    only_2: ArrayLike,
    form: McNemarPValue,
    alternative: str = "two-sided",
) -> Floats:
    """Return McNemar's p-values; 1 if no case is discordant.

    The two forms of chi-squared are two-sided.
    """
    b, c = np.asarray(only_1, float), np.asarray(only_2, float)
    if form == "exact":
        return binomial.p_values(b, c, alternative)
    if form == "mid-p":
        return binomial.mid_p(b, c, alternative)
    return np.asarray(special.chdtrc(1, chi_squared(b, c, form)))


def chi_squared(only_1: ArrayLike, only_2: ArrayLike, form: McNemarPValue) -> Floats:
    """Return McNemar's chi-squared statistics; 0 if no case is discordant."""
    b, c = np.asarray(only_1, float), np.asarray(only_2, float)
    distance = np.abs(b - c) - _step(b, c, form)
    return np.asarray(distance**2 / np.maximum(b + c, 1.0))


def _step(b: Floats, c: Floats, form: McNemarPValue) -> Floats:
    """Return the continuity correction; R corrects by 1 unless the counts are equal."""
    return np.where(b != c, 1.0, 0.0) * (form == "chi2-corrected")


def limits(
    only_1: ArrayLike,
    only_2: ArrayLike,
    form: McNemarPValue,
    level: float,
    alternative: str = "two-sided",
) -> tuple[Floats, Floats]:
    """Return the shares of discordant cases that the test of each form retains.

    ``exact``: Clopper and Pearson's limits; ``mid-p``: of its p-value; of chi-squared
    Wilson's, with continuity correction or without. 0 and 1 if no case is
    discordant.

    Notes
    -----
    R: ``binom.test``; ``prop.test(only_1, only_1 + only_2, correct =)``.
    """
    b, c = np.asarray(only_1, float), np.asarray(only_2, float)
    n = np.maximum(b + c, 1.0)
    if form == "exact":
        low, high = binomial.clopper_pearson(b, c, alternative, level)
    elif form == "mid-p":
        low, high = binomial.mid_p_limits(b, c, alternative, level)
    else:
        half = _step(b, c, form) / (2 * n)
        (low, _), (_, high) = (
            binomial.wilson(np.clip(b / n + to, 0, 1), n, level) for to in (-half, half)
        )
    some = b + c > 0
    return np.where(some, low, 0.0), np.where(some, high, 1.0)

"""Two proportions on the same cases: difference, odds ratio, and their limits.

The 2 x 2 table of a pair has four counts: ``both`` (1 and 1), ``only_1`` (1 and 0),
``only_2`` (0 and 1) and ``neither``. Everything broadcasts over pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pycompare.kernels import binomial
from pycompare.typing import Floats, Ints

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


def newcombe(counts: PairCounts, level: float) -> tuple[Floats, Floats]:
    """Return Newcombe's limits of the difference of two paired proportions.

    Wilson's limits of both proportions, joined by squaring and adding with their
    correlation, whose numerator is corrected for continuity (method 10).

    References
    ----------
    .. [1] Newcombe, R. G. (1998). Statist. Med. 17, 2635-2650, method 10.
    """
    n = counts.n
    ones_1, ones_2 = counts.both + counts.only_1, counts.both + counts.only_2
    p1, p2 = ones_1 / n, ones_2 / n
    low_1, high_1 = binomial.wilson(p1, n, level)
    low_2, high_2 = binomial.wilson(p2, n, level)
    phi = _correlation(counts)
    difference = (counts.only_1 - counts.only_2) / n
    below = _joined(p1 - low_1, high_2 - p2, phi)
    above = _joined(high_1 - p1, p2 - low_2, phi)
    return np.maximum(-1.0, difference - below), np.minimum(1.0, difference + above)


def _joined(one: Floats, other: Floats, phi: Floats) -> Floats:
    """Return the root of one^2 - 2 phi one other + other^2."""
    square = one * one - 2 * phi * one * other + other * other
    return np.sqrt(np.maximum(square, 0.0))


def _correlation(counts: PairCounts) -> Floats:
    """Return the correlation of the columns; 0 where one of them is constant.

    Newcombe (1998): n / 2 less in a numerator above 0, but not less than 0.
    """
    product = counts.both * counts.neither - counts.only_1 * counts.only_2
    corrected = np.where(product > 0, np.maximum(product - counts.n / 2, 0.0), product)
    ones_1, ones_2 = counts.both + counts.only_1, counts.both + counts.only_2
    # Root by root: the product of four counts leaves the whole numbers of a double.
    spread = np.sqrt(ones_1 * (counts.n - ones_1)) * np.sqrt(
        ones_2 * (counts.n - ones_2)
    )
    return np.divide(corrected, spread, out=np.zeros_like(spread), where=spread > 0)


def odds_ratio(
    only_1: Floats, only_2: Floats, level: float
) -> tuple[Floats, Floats, Floats]:
    """Return conditional odds ratios only_1 / only_2 with exact limits.

    Given the discordant cases, only_1 is binomial with share ratio / (1 + ratio):
    Clopper-Pearson's limits of the share are those of the ratio.

    Returns
    -------
    ratio, low, high : ndarray
        NaN where no case is discordant; infinite where only_2 is 0.
    """
    low, high = binomial.clopper_pearson(only_1, only_2, "two-sided", level)
    with np.errstate(divide="ignore", invalid="ignore"):
        return only_1 / only_2, low / (1 - low), high / (1 - high)

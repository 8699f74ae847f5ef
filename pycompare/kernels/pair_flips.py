"""The largest of many studentised sums of pairs of columns, for many pairs.

A flip of signs is linear: the flipped sum of a difference of two columns is the
difference of their flipped sums. So one product of matrices over the columns serves all
pairs: 19,900 pairs of 200 columns cost 200 columns. Whole numbers stay exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats, Ints
from pycompare.kernels.max_t import TIE, Counted, Signs

_EXACT_IN_SINGLE = 2**24
"""Whole sums below it are exact in single precision, which is twice as fast."""


@dataclass(frozen=True, eq=False)
class ColumnFlips:
    """Columns' sums under all flips.

    Attributes
    ----------
    sums : ndarray, shape (a, flips)
        Whole numbers as such, in the fewest bytes that hold a difference of two.
    totals : ndarray, shape (n_strata, flips)
        Sums of the signs themselves, each with the weight of its block.
    signs : Signs
    """

    sums: NDArray[Any]
    totals: NDArray[Any]
    signs: Signs


def column_flips(x: Floats, signs: Signs, weights: Floats) -> ColumnFlips:
    """Return the sums of columns, shape (n, a), under all flips.

    ``weights``, shape (n, n_strata), are those of the blocks of each stratum.
    """
    columns = np.hstack([x, weights])
    whole = exact_in_single(columns)
    flipped = signs.sums(columns.astype(np.float32 if whole else np.float64))
    kind: Any = np.float64
    if whole:
        largest = 2 * np.abs(columns).sum(axis=0).max()
        kind = np.int16 if largest <= np.iinfo(np.int16).max else np.int32
    # Each column's sums side by side in memory: pairs read two of them whole.
    sums = np.vstack([part.astype(kind) for part in flipped]).T.copy()
    a = x.shape[1]
    return ColumnFlips(sums[:a], sums[a:], signs)


def exact_in_single(x: Floats) -> bool:
    """Return whether all sums of columns, with any signs, are exact whole numbers."""
    whole = np.array_equal(x, np.rint(x))
    return bool(whole and np.abs(x).sum(axis=0).max() < _EXACT_IN_SINGLE)


@dataclass(frozen=True, eq=False)
class ColumnPairs:
    """Pairs of columns, and the length of each pair's difference.

    Attributes
    ----------
    first, second : ndarray of int, shape (m,)
    lengths : ndarray, shape (m,)
        Roots of the sums of squares; 0 if the two columns are equal.
    """

    first: Ints
    second: Ints
    lengths: Floats

    @cached_property
    def scales(self) -> Floats:
        """What a difference is studentised with: 0 for two equal columns."""
        with np.errstate(divide="ignore"):
            return np.where(self.lengths > 0, 1 / self.lengths, 0.0)

    def studentised(
        self, sums: NDArray[Any], order: Ints
    ) -> Iterator[tuple[int, Floats]]:
        """Yield pair and absolute studentised sums, one row of ``sums`` a column."""
        for e in order.tolist():
            d = sums[self.first[e]] - sums[self.second[e]]
            np.abs(d, out=d)
            d *= self.scales[e]
            yield e, d


def step_down(flips: ColumnFlips, pairs: ColumnPairs, observed: Floats) -> Counted:
    """Return raw and step-down adjusted p-values, as ``max_t.step_down`` does.

    Parameters
    ----------
    observed : ndarray, shape (m,)
        Absolute studentised sums without a flip.

    References
    ----------
    Westfall, P. H., Young, S. S. (1993). Resampling-Based Multiple Testing, alg. 4.1.
    """
    signs = flips.signs
    upwards = np.argsort(-observed, kind="stable")[::-1]
    # From the smallest observed statistic up: the largest of this one and all smaller.
    count = _counts_of_whole if flips.sums.dtype.kind == "i" else _counts
    alone, together = count(flips.sums, pairs, observed - TIE, upwards)
    seen = 0 if signs.listed else 1
    adjusted = np.empty(len(observed))
    downwards = upwards[::-1]
    # The same, last step: p-values may not fall along the order.
    steps = (seen + together[downwards]) / signs.size
    adjusted[downwards] = np.maximum.accumulate(steps)
    return Counted((seen + alone) / signs.size, adjusted)


def _counts(
    sums: Floats, pairs: ColumnPairs, limits: Floats, order: Ints
) -> tuple[Floats, Floats]:
    """Count the flips in which a pair, or the largest so far, reaches its limit."""
    alone, together = np.zeros(len(order)), np.zeros(len(order))
    largest = np.zeros(sums.shape[1])
    for e, statistic in pairs.studentised(sums, order):
        alone[e] = np.count_nonzero(statistic >= limits[e])
        np.maximum(largest, statistic, out=largest)
        together[e] = np.count_nonzero(largest >= limits[e])
    return alone, together


_PAIRS_AT_ONCE = 32


def _counts_of_whole(
    sums: Ints, pairs: ColumnPairs, limits: Floats, order: Ints
) -> tuple[Floats, Floats]:
    """Return the same of whole sums, of which most are never studentised.

    A studentised difference reaches a limit if the difference reaches a whole number;
    only those that may be the largest of a flip are looked at further.
    """
    m, n_flips = len(order), sums.shape[1]
    first, second = pairs.first[order].tolist(), pairs.second[order].tolist()
    lengths, scales, limits = (
        column[order] for column in (pairs.lengths, pairs.scales, limits)
    )
    least = _least_whole(limits, scales, sums.dtype)[:, None]
    alone, together = np.zeros(m), np.zeros(m)
    largest = np.zeros(n_flips)
    held = np.empty((_PAIRS_AT_ONCE, n_flips), sums.dtype)
    reached = np.empty(held.shape, bool)
    for start in range(0, m, _PAIRS_AT_ONCE):
        some = slice(start, min(m, start + _PAIRS_AT_ONCE))
        d = held[: some.stop - start]
        for row, i, j in zip(d, first[some], second[some], strict=True):
            np.subtract(sums[i], sums[j], out=row)
        np.abs(d, out=d)
        np.greater_equal(d, least[some], out=reached[: len(d)])
        alone[some] = [*map(np.count_nonzero, reached[: len(d)])]
        # A statistic below all largest ones changes none; 1 less for rounding.
        lowest = largest.min()
        near = np.minimum(lowest * lengths[some] - 1, np.iinfo(sums.dtype).max)
        np.greater_equal(d, near.astype(sums.dtype)[:, None], out=reached[: len(d)])
        at = reached[: len(d)].ravel().nonzero()[0]
        pair = at // n_flips
        flip = at - n_flips * pair
        statistics = d.ravel()[at] * scales[some][pair]
        highest = max(largest.max(), statistics.max(initial=0.0))
        all_reach = lowest >= limits[some][-1]
        if all_reach or highest < limits[some][0]:
            together[some] = n_flips * all_reach
            np.maximum.at(largest, flip, statistics)
            continue
        ends = np.searchsorted(pair, np.arange(len(d) + 1)).tolist()
        for e, limit in enumerate(limits[some].tolist()):
            own = slice(ends[e], ends[e + 1])
            largest[flip[own]] = np.maximum(largest[flip[own]], statistics[own])
            together[start + e] = np.count_nonzero(largest >= limit)
    counts = np.empty((2, m))
    counts[:, order] = alone, together
    return counts[0], counts[1]


def _least_whole(limits: Floats, scales: Floats, kind: Any) -> Ints:
    """Return the smallest whole numbers that times the scales reach the limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.nan_to_num(np.floor(limits / scales) - 1)
    for _ in range(3):
        least += least * scales < limits
    # No difference is as large as the largest whole number.
    return np.clip(least, 0, np.iinfo(kind).max).astype(kind)


def largest_centred(flips: ColumnFlips, pairs: ColumnPairs, means: Floats) -> Floats:
    """Return the largest studentised sum of centred columns under each flip.

    Parameters
    ----------
    pairs : ColumnPairs
        With the lengths of centred differences.
    means : ndarray, shape (a, n_strata)
        Means of the columns in each stratum.
    """
    centred = flips.sums - means @ flips.totals
    largest = np.zeros(centred.shape[1])
    for _, statistic in pairs.studentised(centred, np.arange(len(pairs.first))):
        np.maximum(largest, statistic, out=largest)
    return largest

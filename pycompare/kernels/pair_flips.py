"""The largest of many studentised sums of pairs of columns, for many pairs.

A flip of signs is linear: the flipped sum of a difference of two columns is the
difference of their flipped sums. So one product of matrices over the columns serves all
pairs: 19,900 pairs of 200 columns cost 200 columns. Whole numbers stay exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

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
    totals : ndarray, shape (n_strata, flips)
        Sums of the signs themselves, each with the weight of its block.
    signs : Signs
    """

    sums: Floats
    totals: Floats
    signs: Signs


def column_flips(x: Floats, signs: Signs, weights: Floats) -> ColumnFlips:
    """Return the sums of columns, shape (n, a), under all flips.

    ``weights``, shape (n, n_strata), are those of the blocks of each stratum.
    """
    columns = np.hstack([x, weights])
    kind: Any = np.float32 if exact_in_single(columns) else np.float64
    # Each column's sums side by side in memory: pairs read two of them whole.
    sums = np.vstack([*signs.sums(columns.astype(kind))]).T.astype(float, order="C")
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

    def studentised(self, sums: Floats, order: Ints) -> Iterator[tuple[int, Floats]]:
        """Yield pair and absolute studentised sums, one row of ``sums`` a column."""
        with np.errstate(divide="ignore"):
            scale = np.where(self.lengths > 0, 1 / self.lengths, 0.0)
        for e in order.tolist():
            d = sums[self.first[e]] - sums[self.second[e]]
            np.abs(d, out=d)
            d *= scale[e]
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
    alone, together = np.zeros(len(observed)), np.zeros(len(observed))
    largest = np.zeros(flips.sums.shape[1])
    # From the smallest observed statistic up: the largest of this one and all smaller.
    for e, statistic in pairs.studentised(flips.sums, upwards):
        limit = observed[e] - TIE
        alone[e] = np.count_nonzero(statistic >= limit)
        np.maximum(largest, statistic, out=largest)
        together[e] = np.count_nonzero(largest >= limit)
    seen = 0 if signs.listed else 1
    adjusted = np.empty(len(observed))
    downwards = upwards[::-1]
    # The same, last step: p-values may not fall along the order.
    steps = (seen + together[downwards]) / signs.size
    adjusted[downwards] = np.maximum.accumulate(steps)
    return Counted((seen + alone) / signs.size, adjusted)


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

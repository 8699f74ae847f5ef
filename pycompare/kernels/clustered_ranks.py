"""Signed ranks of clusters: whole clusters change their sign together.

The units are the sums of the signed ranks within each cluster. Under the null
hypothesis each sum has either sign with probability 1/2, independently of the others,
so its size is treated as a rank does in the test of independent differences.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy import special

from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels import signed_rank
from pycompare.kernels.ranks import midranks, tie_width

_AT_ONCE = 1 << 16
"""Ranks that are held at once."""
_LISTED = 12
"""Clusters at most whose flips are listed: for many values at once this is quickest."""


def cluster_sums(d: Floats, ranks: Floats, codes: Ints) -> Floats:
    """Return the sum of the signed ranks in each cluster, shape (rows, clusters).

    Parameters
    ----------
    d, ranks : ndarray, shape (rows, n)
        Differences, and the ranks of their sizes; 0 for zeros.
    codes : ndarray of int, shape (n,)
        The cluster of each column, 0 to the number of clusters - 1.
    """
    member = np.equal.outer(codes, np.arange(codes.max() + 1)).astype(float)
    return np.asarray((np.sign(d) * ranks) @ member)


def two_sided(sums: Floats) -> tuple[Floats, Bools]:
    """Return p-values of rows of cluster sums, and which of them are exact.

    See ``signed_rank.two_sided``: the sizes of the sums are its ranks.
    """
    if sums.shape[1] <= _LISTED:
        flipped = np.abs(sums @ _flips(sums.shape[1]).T)
        # Sums are multiples of 1/2.
        far = flipped >= np.abs(sums.sum(axis=1))[:, None] - 0.25
        return far.mean(axis=1), np.ones(len(sums), bool)
    sizes = np.abs(sums)
    return signed_rank.two_sided(sizes, np.sum(sizes, axis=1, where=sums > 0))


@lru_cache(maxsize=_LISTED)
def _flips(n: int) -> Floats:
    """Return all signs of n clusters but those that turn all, shape (2^(n-1), n)."""
    bits = np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1
    return np.asarray(1.0 - 2.0 * bits, float)


def limits(
    d: Floats, noise: Floats, codes: Ints, means: Floats, level: float
) -> tuple[float, float]:
    """Return the smallest and the largest value that the test does not reject.

    Parameters
    ----------
    d, noise : ndarray, shape (n,)
        Differences, and the magnitude of the scores behind each.
    codes : ndarray of int, shape (n,)
    means : ndarray
        The means of each two differences, ascending: between neighbours no rank and no
        sign changes.
    level : float
        A value is rejected if its p-value is below.

    Returns
    -------
    low, high : float
        Infinite if no outcome of so many clusters has a p-value below ``level``.
        Between them single values may be rejected: the p-value need not rise towards
        the middle.
    """
    if math.ldexp(2.0, -int(codes.max() + 1)) > level:
        return -math.inf, math.inf
    apart = means[1:] - means[:-1] > tie_width(np.max(noise, keepdims=True))
    ends = np.flatnonzero(apart)
    low = _first_kept(d, noise, codes, means, ends, level)
    high = _first_kept(d, noise, codes, means, ends[::-1], level)
    # Without a kept value between means the estimate itself is all that is left.
    middle = float(means[len(means) // 2])
    at_low = middle if low is None else float(means[low])
    return at_low, middle if high is None else float(means[high + 1])


def _first_kept(
    d: Floats, noise: Floats, codes: Ints, means: Floats, gaps: Ints, level: float
) -> int | None:
    """Return the first gap between neighbouring means whose values are not rejected."""
    step = max(1, _AT_ONCE // len(d))
    slack = 20 * np.finfo(float).eps
    start = _surely_rejected(codes, len(means), gaps, level)
    for first in range(start, len(gaps), step):
        some = gaps[first : first + step]
        value = means[some] / 2 + means[some + 1] / 2
        moved = d - value[:, None]
        ranks = midranks(np.abs(moved), np.broadcast_to(noise, moved.shape))
        sums = cluster_sums(moved, ranks, codes)
        # Bentkus & Dzindzalieta (2015): P(T >= t) <= 3.178 P(Z >= t / sqrt(sum S^2)),
        # T = sum of +-S, Z standard normal.
        far = np.abs(sums.sum(axis=1)) / np.sqrt(np.sum(sums**2, axis=1).clip(1))
        near = np.flatnonzero(2 * 3.179 * special.ndtr(-far) >= level)
        each = len(near) if sums.shape[1] <= _LISTED else 1
        for begin in range(0, len(near), max(each, 1)):
            at = near[begin : begin + each]
            kept = np.flatnonzero(two_sided(sums[at])[0] >= level - slack)
            if len(kept):
                return int(some[at[kept[0]]])
    return None


def _surely_rejected(codes: Ints, n_means: int, gaps: Ints, level: float) -> int:
    """Return how many gaps at the start are rejected whatever the clusters' sums."""
    sizes = np.bincount(codes)
    n = len(codes)
    # No sum is larger than that of the largest ranks, as many as the cluster has.
    largest = sizes * n - sizes * (sizes - 1) / 2
    far = math.sqrt(-2 * math.log(level / 2) * float(largest @ largest))
    # The signed sum at a gap: means above less means below.
    total = np.abs(n_means - 2.0 * (gaps + 1))
    near = np.flatnonzero(total <= far)
    return int(near[0]) if len(near) else len(gaps)

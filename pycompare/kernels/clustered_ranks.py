"""Signed ranks of clusters: whole clusters change their sign together.

The units are the sums of the signed ranks within each cluster. Under the null
hypothesis each sum has either sign with probability 1/2, independently of the others,
so its size counts as a rank does in the test of independent differences.
"""

from __future__ import annotations

import math

import numpy as np

from pycompare.kernels import signed_rank
from pycompare.kernels.ranks import midranks, tie_width
from pycompare.typing import Bools, Floats, Ints

_AT_ONCE = 1 << 16
"""Ranks that are held at once."""


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
    sizes = np.abs(sums)
    return signed_rank.two_sided(sizes, np.sum(sizes, axis=1, where=sums > 0))


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
        Infinite where no outcome of so many clusters has a p-value below ``level``.
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
        # Hoeffding (1963): P(|T| >= t) <= 2 exp(-t^2 / (2 sum S^2)), T = sum of +-S.
        bound = -0.5 * sums.sum(axis=1) ** 2 / np.sum(sums**2, axis=1).clip(1)
        for at in np.flatnonzero(bound >= math.log(level / 2)).tolist():
            if two_sided(sums[at : at + 1])[0][0] >= level - slack:
                return int(some[at])
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

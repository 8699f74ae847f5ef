"""Ranks within blocks, with ties that float noise cannot split.

Two numbers tie when they differ by no more than ``TIE_ULPS`` units in the last place
of the numbers they were computed from. Sorted neighbours that tie share a group, and
a group shares the mean of its ranks. 0.3 and 0.1 + 0.2 therefore tie, as they do on
paper; R's ``friedman.test`` and scmamp split them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.typing import Floats

TIE_ULPS = 64
"""Width of a tie in units in the last place: room for the rounding of a mean over
folds, and a thousand times below the twelfth digit."""


def tie_width(noise: Floats) -> Floats:
    """Return how far two numbers of that magnitude may lie apart and tie."""
    return TIE_ULPS * np.finfo(float).eps * noise


def _tie_groups(
    ordered: Floats, noise: Floats, ulps: float = TIE_ULPS
) -> NDArray[np.intp]:
    """Return the number of each place's group of ties along the last axis.

    Parameters
    ----------
    ordered : ndarray, shape (..., n)
        Ascending along the last axis.
    noise : ndarray, shape (..., n)
        Magnitude whose last place is the noise of each number.
    ulps : float
        Width of a tie in units in the last place.
    """
    width = ulps * np.finfo(float).eps * np.maximum(noise[..., 1:], noise[..., :-1])
    # A difference of two huge numbers of opposite sign may overflow: that is no tie.
    with np.errstate(over="ignore"):
        apart = ordered[..., 1:] - ordered[..., :-1] > width
    groups = np.zeros(ordered.shape, np.intp)
    np.cumsum(apart, axis=-1, out=groups[..., 1:])
    return groups


def midranks(values: ArrayLike, noise: ArrayLike | None = None) -> Floats:
    """Rank along the last axis, smallest first, ties sharing their mean rank.

    Parameters
    ----------
    values : array_like, shape (..., n)
        Finite numbers, lower is better (rank 1 goes to the smallest).
    noise : array_like, shape (..., n), optional
        Magnitude of the numbers that ``values`` were computed from; by default the
        values' own magnitude. A difference ``x - y`` carries the noise of ``x``.

    Returns
    -------
    ndarray, shape (..., n)

    Notes
    -----
    R: ``rank(x)`` if no float noise is present.
    """
    x = np.asarray(values, float)
    order = np.argsort(x, axis=-1)
    # Places in the flat table: small tables are ranked often, and this is quickest.
    begins = np.arange(0, x.size, max(x.shape[-1], 1)).reshape(*x.shape[:-1], 1)
    places = order + begins
    ordered = x.reshape(-1)[places]
    scale = np.abs(ordered)
    if noise is not None:
        scale = np.broadcast_to(noise, x.shape).reshape(-1)[places]
    ranks = np.empty(x.size)
    ranks[places] = _group_means(_tie_groups(ordered, scale))
    return ranks.reshape(x.shape)


def joined_ties(values: Floats, ulps: float) -> Floats:
    """Return the values with those that tie in a row made equal to the last bit."""
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, -1)
    groups = _tie_groups(ordered, np.abs(ordered), ulps)
    begins = np.diff(groups, axis=-1, prepend=-1) > 0
    first = np.maximum.accumulate(np.where(begins, np.arange(len(groups.T)), 0), -1)
    joined = np.empty(values.shape)
    np.put_along_axis(joined, order, np.take_along_axis(ordered, first, -1), -1)
    return joined


def rescaled(x: Floats) -> Floats:
    """Return x divided by a power of two if differences of its numbers may overflow.

    Ranks do not depend on the scale, and a power of two changes no digit.
    """
    largest = np.max(np.abs(x), initial=0.0)
    return np.ldexp(x, -64) if largest > 2.0**960 else x


def _group_means(groups: NDArray[np.intp]) -> Floats:
    """Return, for each sorted place, the mean of 1..n over its group of ties."""
    n = groups.shape[-1]
    if (groups[..., -1:] == n - 1).all():  # no ties
        return np.broadcast_to(np.arange(1.0, n + 1), groups.shape)
    flat = groups.reshape(-1, n)
    keys = (flat + n * np.arange(len(flat))[:, None]).ravel()
    counts = np.bincount(keys, minlength=flat.size)
    sums = np.bincount(keys, np.tile(np.arange(1.0, n + 1), len(flat)), flat.size)
    return (sums[keys] / counts[keys]).reshape(groups.shape)


def permutation_chi2(scores: Floats) -> tuple[Floats, Floats]:
    """Return the quadratic rank statistic and the variance of a pair difference.

    Under the null hypothesis the scores of a block are a random permutation of
    themselves. Then column sums have the covariance of sampling without replacement,
    and ``Q = (a - 1) sum_j (S_j - mean)^2 / sum_ij (s_ij - mean_i)^2`` tends to chi2
    on a - 1 degrees of freedom. Ranks give Friedman's test corrected for ties, aligned
    ranks Hodges and Lehmann's; ties are part of the permuted scores.

    Parameters
    ----------
    scores : ndarray, shape (..., n_blocks, n_algorithms)

    Returns
    -------
    statistic : ndarray, shape (...)
        NaN if all scores of each block are equal (0/0).
    variance : ndarray, shape (...)
        Variance of the difference of two column means.
    """
    n, a = scores.shape[-2:]
    centred = scores - scores.mean(axis=-1, keepdims=True)
    sums = centred.sum(axis=-2)
    total = np.sum(centred**2, axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        # Friedman (1937), corrected for ties; Aslan (2009), eq. 4.59 without ties.
        statistic = (a - 1) * np.sum(sums**2, axis=-1) / total
    return statistic, 2 * total / ((a - 1) * n**2)

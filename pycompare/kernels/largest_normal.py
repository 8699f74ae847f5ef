"""The largest studentised difference of correlated normals, for any number of pairs.

From K estimates and their covariance: step-down adjusted p-values of all differences,
or of those from a control, and critical values, by seeded draws. ``multivariate_t``
integrates one probability of up to some dozen differences; here are thousands, each
with a p-value of its own and of every step.

References
----------
.. [1] Westfall, P. H., Young, S. S. (1993). Resampling-Based Multiple Testing.
.. [2] Romano, J. P., Wolf, M. (2005). JASA 100, 94-108.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from pycompare.base.typing import Floats, Ints

_DRAWS = 10_000
_AT_ONCE = 250
_ROUNDING = 1e-10


@dataclass(frozen=True)
class LargestDifferences:
    """Step-down tests of differences.

    Attributes
    ----------
    p_adjusted : ndarray, shape (pairs,)
        (1 + draws with a larger statistic) / (1 + draws), rising with the statistic.
    joint : float
        Critical value of the largest statistic of all pairs.
    last : float
        That of the pairs that are not found at alpha; ``joint`` where all or none are.
    """

    p_adjusted: Floats
    joint: float
    last: float


def largest_differences(
    covariance: Floats,
    first: Ints,
    second: Ints,
    statistic: Floats,
    std_error: Floats,
    *,
    df: float,
    alpha: float,
    seed: int,
) -> LargestDifferences:
    """Test differences of normal estimates by their largest statistic, step by step.

    Parameters
    ----------
    covariance : ndarray, shape (K, K)
        Of the estimates; it may be singular.
    first, second : ndarray of int, shape (pairs,)
        Which estimates are compared.
    statistic, std_error : ndarray, shape (pairs,)
        Of each difference; the standard errors are those of ``covariance``.
    df : float
        Degrees of freedom that all share; infinite for known variances.
    alpha : float
        Family-wise level of ``joint`` and ``last``.
    seed : int
    """
    root = _root(covariance).astype(np.float32)
    order = np.argsort(np.abs(statistic), kind="stable")
    left_end, right_end = first[order], second[order]
    observed = np.abs(statistic[order]).astype(np.float32)
    scale = (1 / std_error[order]).astype(np.float32)[:, None]

    def sizes(used: int) -> Iterator[Floats]:
        """Yield drawn statistics of the pairs with the smallest observed ones.

        A row is a pair: estimates of one model are then next to each other.
        """
        generator = np.random.default_rng(seed)
        for _ in range(_DRAWS // _AT_ONCE):
            normals = generator.standard_normal((_AT_ONCE, len(root)), np.float32)
            drawn = root @ normals.T
            if np.isfinite(df):
                chi = generator.chisquare(df, _AT_ONCE) / df
                drawn /= np.sqrt(chi).astype(np.float32)
            size = drawn[left_end[:used]]
            size -= drawn[right_end[:used]]
            size *= scale[:used]
            yield np.abs(size, out=size)

    larger = np.zeros(len(order), np.int64)
    most = []
    for size in sizes(len(order)):
        # Over pairs from the smallest observed statistic up: the largest drawn one.
        np.maximum.accumulate(size, axis=0, out=size)
        larger += np.count_nonzero(size >= observed[:, None], axis=1)
        most.append(size[-1].copy())
    # No smaller statistic has a smaller p-value.
    p = np.maximum.accumulate(((1 + larger) / (1 + _DRAWS))[::-1])[::-1]
    adjusted = np.empty(len(p))
    adjusted[order] = p
    joint = last = _critical(np.concatenate(most), alpha)
    left = max(1, int((p > alpha).sum()))
    if left < len(p):
        # The same draws again: to keep all of them would take gigabytes.
        last = _critical(
            np.concatenate([size.max(axis=0) for size in sizes(left)]), alpha
        )
    return LargestDifferences(adjusted, joint, last)


def _critical(largest: Floats, alpha: float) -> float:
    """Return what statistics exceed exactly if their p-value is at most alpha."""
    larger = max(0, int(alpha * (1 + len(largest)) + _ROUNDING) - 1)
    return float(np.sort(largest)[::-1][larger])


def _root(covariance: Floats) -> Floats:
    """Return R with R R' = covariance, even if that is singular."""
    values, vectors = linalg.eigh(covariance)
    values = np.where(values > _ROUNDING * values.max(), values, 0.0)
    return np.asarray(vectors * np.sqrt(values))

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

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from pycompare.base.parallel.draws import Found, on_draws, portions
from pycompare.base.typing import Floats, Ints, Singles

_DRAWS = 10_000
_AT_ONCE = 250
"""Draws at once; counts of them fit into a byte."""
_AS_ONE = 4
"""Drawn differences that take the time of a random number and the work on it."""
_PAIRS_AT_ONCE, _GROUP = 512, 16
"""Pairs whose draws fit into a fast cache, and those of a group."""
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
    order = np.argsort(np.abs(statistic), kind="stable")
    pairs = _OrderedPairs(
        _root(covariance).astype(np.float32),
        *(first[order], second[order]),
        np.abs(statistic[order]).astype(np.float32)[:, None],
        (1 / std_error[order]).astype(np.float32)[:, None],
    )
    larger = np.zeros(len(order), np.int64)
    most = []
    for reached, so_far in _of_draws(_reached, pairs, df, seed):
        larger += reached
        most.append(so_far)
    # No smaller statistic has a smaller p-value.
    p = np.maximum.accumulate(((1 + larger) / (1 + _DRAWS))[::-1])[::-1]
    adjusted = np.empty(len(p))
    adjusted[order] = p
    joint = last = _critical(np.concatenate(most), alpha)
    left = max(1, int((p > alpha).sum()))
    if left < len(p):
        # The same draws again: to keep all of them would take gigabytes.
        most = list(_of_draws(_largest, pairs.smallest(left), df, seed))
        last = _critical(np.concatenate(most), alpha)
    return LargestDifferences(adjusted, joint, last)


class _OrderedPairs(NamedTuple):
    """Pairs in the order of their observed statistics, the smallest first."""

    root: Singles
    first: Ints
    second: Ints
    observed: Singles
    scale: Singles

    def smallest(self, count: int) -> _OrderedPairs:
        """Return the pairs with the smallest observed statistics."""
        return _OrderedPairs(
            self.root,
            self.first[:count],
            self.second[:count],
            self.observed[:count],
            self.scale[:count],
        )


_DrawnNormals = tuple[Singles, Singles | None]
"""Normals, a draw a row, and the divisor of each draw."""


def _of_draws(
    function: Callable[[_OrderedPairs, _DrawnNormals], Found],
    pairs: _OrderedPairs,
    df: float,
    seed: int,
) -> Iterator[Found]:
    """Yield a function of the pairs and of the draws of each block."""
    yield from on_draws(
        function,
        pairs,
        partial(_drawn, len(pairs.root), df),
        np.random.default_rng(seed),
        portions(_DRAWS, _AT_ONCE),
        _DRAWS * len(pairs.first) // _AS_ONE,
    )


def _drawn(
    k: int, df: float, generator: np.random.Generator, size: int
) -> _DrawnNormals:
    """Draw the normals of each estimate."""
    normals = generator.standard_normal((size, k), np.float32)
    if not np.isfinite(df):
        return normals, None
    chi = generator.chisquare(df, size) / df
    return normals, np.sqrt(chi).astype(np.float32)


def _sizes(
    pairs: _OrderedPairs, drawn: _DrawnNormals
) -> Iterator[tuple[slice, Singles]]:
    """Yield drawn statistics of some pairs after the other, a pair a row."""
    normals, divisor = drawn
    estimates: Singles = pairs.root @ normals.T  # a row's draws are together
    if divisor is not None:
        estimates /= divisor
    used = len(pairs.first)
    for start in range(0, used, _PAIRS_AT_ONCE):
        at = slice(start, min(start + _PAIRS_AT_ONCE, used))
        size = estimates[pairs.first[at]]
        size -= estimates[pairs.second[at]]
        size *= pairs.scale[at]
        np.abs(size, out=size)
        yield at, size


def _reached(
    pairs: _OrderedPairs, drawn: _DrawnNormals
) -> tuple[NDArray[np.uint8], Singles]:
    """Return how many draws reach each pair's statistic, and the largest of each draw.

    A draw reaches it if the largest statistic of this pair and of those before does.
    """
    reached = np.empty(len(pairs.first), np.uint8)
    so_far: Singles = np.zeros(len(drawn[0]), np.float32)
    for at, size in _sizes(pairs, drawn):
        so_far = _running_maximum(size, so_far)
        larger = (size >= pairs.observed[at]).view(np.uint8)
        reached[at] = np.add.reduce(larger, axis=1, dtype=np.uint8)
    return reached, so_far


def _largest(pairs: _OrderedPairs, drawn: _DrawnNormals) -> Singles:
    """Return the largest statistic of each draw."""
    each = [size.max(axis=0) for _, size in _sizes(pairs, drawn)]
    return np.asarray(np.max(each, axis=0))


def _running_maximum(rows: Singles, above: Singles) -> Singles:
    """Make each row the largest of it, those before, and ``above``; return the last.

    Several times as fast as ``np.maximum.accumulate``: first within groups of rows,
    all groups at once, then from group to group.
    """
    whole = len(rows) // _GROUP * _GROUP
    groups = rows[:whole].reshape(-1, _GROUP, rows.shape[1])
    for at in range(1, _GROUP):
        np.maximum(groups[:, at], groups[:, at - 1], out=groups[:, at])
    before = np.empty((len(groups), rows.shape[1]), rows.dtype)
    for at, ends in enumerate(groups[:, -1]):
        before[at] = above
        above = np.maximum(above, ends)
    np.maximum(groups, before[:, None], out=groups)
    for row in rows[whole:]:
        above = np.maximum(row, above, out=row)
    return np.array(above)


def _critical(largest: Floats, alpha: float) -> float:
    """Return what statistics exceed exactly if their p-value is at most alpha."""
    larger = max(0, int(alpha * (1 + len(largest)) + _ROUNDING) - 1)
    return float(np.sort(largest)[::-1][larger])


def _root(covariance: Floats) -> Floats:
    """Return the symmetric R with R R' = covariance, even if that is singular.

    Other roots depend on the signs of eigenvectors, which rounding may turn: another
    machine would then draw other numbers.
    """
    values, vectors = linalg.eigh(covariance)
    values = np.where(values > _ROUNDING * values.max(), values, 0.0)
    return np.asarray((vectors * np.sqrt(values)) @ vectors.T)

"""The closed permutation test of many tables at once."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

HELD = 1_000_000
"""Permuted scores held at once."""


def closed(x: Floats, alpha: float, permutations: int, seed: int) -> Bools:
    """Tell which pairs fall: all sets of algorithms that hold both are rejected.

    Parameters
    ----------
    x : ndarray, shape (runs, blocks, algorithms)
        Ranks or scores.

    Notes
    -----
    Sets are taken from the largest to the smallest; a set that is retained retains
    all its pairs, so sets without an open pair are not tested.
    """
    runs, n, a = x.shape
    kept = np.zeros((runs, a, a), bool)
    for size in range(a, 1, -1):
        level = alpha if size >= a - 1 else 1 - (1 - alpha) ** (size / a)
        retained = []
        for chosen in combinations(range(a), size):
            inside = np.ix_(chosen, chosen)
            upper = np.triu(np.ones((size, size), bool), 1)
            open_ = (~kept[(slice(None), *inside)] & upper).any(axis=(1, 2))
            at = np.flatnonzero(open_)
            if len(at):
                p = set_p(x[at][:, :, chosen], permutations, seed)
                retained.append((at[p > level], inside))
        for at, (rows, columns) in retained:
            kept[at[:, None, None], rows, columns] = True
    first, second = np.triu_indices(a, 1)
    return ~kept[:, first, second]


def closed_control(x: Floats, alpha: float, permutations: int, seed: int) -> Bools:
    """Tell which algorithms fall against the last one, the control.

    Algorithms that are each like the control are all alike, so a set of them and the
    control is permuted together; all sets that hold an algorithm must be rejected, each
    at alpha.
    """
    runs, n, a = x.shape
    kept = np.zeros((runs, a - 1), bool)
    for size in range(a - 1, 0, -1):
        for chosen in combinations(range(a - 1), size):
            at = np.flatnonzero((~kept[:, chosen]).any(axis=1))
            if len(at):
                p = set_p(x[at][:, :, (*chosen, a - 1)], permutations, seed, True)
                retained = at[p > alpha]
                kept[retained[:, None], chosen] = True
    return ~kept


def set_p(
    y: Floats, permutations: int, seed: int, control: bool = False
) -> Floats:
    """Return the p-value that all algorithms of tables (runs, n, s) are alike."""
    runs, n, s = y.shape
    order = orders(n, s, permutations, seed)
    p = np.empty(runs)
    size = max(1, HELD // order.size)
    for start in range(0, runs, size):
        found = largest(y[start : start + size], order, control)
        observed = found[:, :1] * (1 - 1e-12)
        p[start : start + size] = (found >= observed).mean(axis=1)
    return p


def largest(y: Floats, order: Ints, control: bool) -> Floats:
    """Return the largest squared sum of differences over their sum of squares.

    ``order`` has shape (s, n, permutations); the result (runs, permutations). t^2 of a
    pair rises with it. ``control``: of the last one with each other alone.
    """
    runs, n, s = y.shape
    moved = np.empty((s, n, runs, order.shape[2]))
    for b in range(n):
        for i in range(s):
            np.take(y[:, b], order[i, b], axis=1, out=moved[i, b])
    best = np.zeros((runs, order.shape[2]))
    for i in range(s):
        for j in range(s - 1 if control else i + 1, s):
            if i == j:
                continue
            d = moved[i] - moved[j]
            sums = d.sum(axis=0)
            np.square(d, out=d)
            squares = d.sum(axis=0)
            np.square(sums, out=sums)
            np.divide(sums, squares, out=sums, where=squares > 0)
            np.maximum(best, sums, out=best)
    return best


@lru_cache(maxsize=64)
def orders(n: int, s: int, permutations: int, seed: int) -> Ints:
    """Return permutations within blocks, shape (s, n, permutations + 1); none first."""
    rng = np.random.default_rng([seed, n, s])
    found = rng.random((n, permutations + 1, s)).argsort(axis=-1)
    found[:, 0] = np.arange(s)
    return np.ascontiguousarray(found.transpose(2, 0, 1))

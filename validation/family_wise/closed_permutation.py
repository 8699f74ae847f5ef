"""The closed permutation test of many tables at once."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from pycompare.base.typing import Bools, Floats, Ints

HELD = 1_000_000
"""Permuted scores held at once."""


def closed(
    x: Floats, pair_p: Floats, alpha: float, permutations: int, seed: int
) -> Bools:
    """Return which pairs fall: all partitions that keep the two together are rejected.

    Parameters
    ----------
    x : ndarray, shape (runs, blocks, algorithms)
        Ranks or scores.
    pair_p : ndarray, shape (runs, pairs)
        P-values of sets of two.

    Notes
    -----
    Groups of m_1, m_2, ... algorithms, n together, are rejected if one of them has a
    p-value of at most 1 - (1 - alpha)^(m_i / n). All algorithms together are one of the
    partitions: where they are retained, nothing falls.
    """
    a = x.shape[2]
    p: dict[tuple[int, ...], Floats] = {}
    everyone = tuple(range(a))
    p[everyone] = set_p(x, permutations, seed) if a > 2 else pair_p[:, 0]
    at = np.flatnonzero(p[everyone] <= alpha)
    found = np.zeros(pair_p.shape, bool)
    if not len(at):
        return found
    p[everyone] = p[everyone][at]
    for place, pair in enumerate(combinations(range(a), 2)):
        p[pair] = pair_p[at, place]
    for size in range(3, a):
        for chosen in combinations(range(a), size):
            p[chosen] = set_p(x[at][:, :, chosen], permutations, seed)
    kept = np.zeros((len(at), a, a), bool)
    for groups in partitions(a):
        together = sum(map(len, groups))
        retained = np.ones(len(at), bool)
        for group in groups:
            retained &= p[group] > 1 - (1 - alpha) ** (len(group) / together)
        for group in groups:
            for i, j in combinations(group, 2):
                kept[:, i, j] |= retained
    first, second = np.triu_indices(a, 1)
    found[at] = ~kept[:, first, second]
    return found


def closed_control(
    x: Floats, pair_p: Floats, alpha: float, permutations: int, seed: int
) -> Bools:
    """Return which algorithms differ from the last: all sets with both are rejected.

    The statistic of a set is the largest over its pairs with the control.
    """
    control = x.shape[2] - 1
    kept = pair_p > alpha
    for size in range(control, 1, -1):
        for chosen in combinations(range(control), size):
            # Where all of a set are retained already its p-value decides nothing.
            at = np.flatnonzero((~kept[:, chosen]).any(axis=1))
            if len(at):
                p = set_p(x[at][:, :, [*chosen, control]], permutations, seed, True)
                kept[np.ix_(at[p > alpha], np.array(chosen))] = True
    return ~kept


@lru_cache(maxsize=8)
def partitions(a: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return the partitions of algorithms with a group of two or more; those groups."""
    states: list[tuple[tuple[int, ...], ...]] = [()]
    for new in range(a):
        states = [
            grown
            for blocks in states
            for grown in (
                (*blocks, (new,)),
                *(
                    (*blocks[:k], (*block, new), *blocks[k + 1 :])
                    for k, block in enumerate(blocks)
                ),
            )
        ]
    large = (tuple(b for b in blocks if len(b) > 1) for blocks in states)
    return [groups for groups in large if groups]


def flipped_p(differences: Floats, flips: Floats) -> Floats:
    """Return p-values of pairs alone by changes of sign, (runs, pairs)."""
    runs, _, m = differences.shape
    p = np.empty((runs, m))
    size = max(1, HELD // (len(flips) * m))
    for start in range(0, runs, size):
        part = differences[start : start + size]
        limit = np.abs(part.sum(axis=1)) * (1 - 1e-11)
        sums = np.abs(np.matmul(flips, part))
        p[start : start + size] = (sums >= limit[:, None, :]).mean(axis=1)
    return p


def set_p(y: Floats, permutations: int, seed: int, control: bool = False) -> Floats:
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


def largest(y: Floats, order: Ints, control: bool = False) -> Floats:
    """Return the largest squared sum of differences over their sum of squares.

    Of all pairs, or of those with the last one, the control.
    ``order`` has shape (s, n, permutations); the result (runs, permutations). t^2 of a
    pair rises with it.
    """
    runs, n, s = y.shape
    moved = np.empty((s, n, runs, order.shape[2]))
    for b in range(n):
        for i in range(s):
            np.take(y[:, b], order[i, b], axis=1, out=moved[i, b])
    best = np.zeros((runs, order.shape[2]))
    for i in range(s - 1):
        for j in range(s - 1 if control else i + 1, s):
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

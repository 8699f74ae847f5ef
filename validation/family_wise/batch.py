"""Decisions at a level for many families of p-values at once, and exact tails.

``pycompare`` adjusts one family at a time and returns numbers; a study needs decisions
only, ten thousand times. `tests/test_family_wise.py` holds them against the public
methods, run by run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels import exhaustive

MASKED = 10
"""Algorithms whose exhaustive sets (115,974) are listed as bit masks."""


def holm(p: Floats, alpha: float) -> Bools:
    """Return which hypotheses Holm rejects; p-values (runs, m)."""
    left = np.arange(p.shape[-1], 0, -1)
    return step_down(p, lambda ordered: ordered * left > alpha)


def step_down(p: Floats, kept: Callable[[Floats], Bools]) -> Bools:
    """Return what is rejected before the first of the sorted p-values that is kept."""
    order = np.argsort(p, axis=-1, kind="stable")
    stays = kept(np.take_along_axis(p, order, -1))
    found = np.empty(p.shape, bool)
    np.put_along_axis(found, order, ~np.logical_or.accumulate(stays, axis=-1), -1)
    return found


def holland(p: Floats, alpha: float) -> Bools:
    """Return which hypotheses Holland and Copenhaver reject; p-values (runs, m)."""
    left = np.arange(p.shape[-1], 0, -1)
    return step_down(p, lambda x: -np.expm1(left * special.log1p(-x)) > alpha)


def hommel(p: Floats, alpha: float) -> Bools:
    """Return which hypotheses Hommel rejects; p-values (runs, m).

    j is the largest number of largest p-values of which none is at most k alpha / j,
    k its place among them; what is at most alpha / j is rejected, all if there is none.
    """
    m = p.shape[-1]
    large = np.sort(p, axis=-1)
    limit = np.full(p.shape[:-1], np.inf)
    for j in range(1, m + 1):
        steps = np.arange(1, j + 1) * alpha / j
        alone = (large[..., m - j :] > steps).all(axis=-1)
        limit[alone] = alpha / j
    return np.asarray(p <= limit[..., None])


def bergmann_hommel(p: Floats, a: int, alpha: float) -> Bools:
    """Return which pairs Bergmann and Hommel's closed test rejects; p (runs, m).

    A hypothesis falls unless an exhaustive set that holds it has no p-value at or below
    alpha over its size. The set of all m is one of them.
    """
    m = p.shape[-1]
    found = np.zeros(p.shape, bool)
    some = np.flatnonzero(m * p.min(axis=-1) <= alpha)
    # Holm's are rejected; a p-value above alpha cannot be. Often nothing is left.
    found[some] = holm(p[some], alpha)
    open_ = (p[some] <= alpha) & ~found[some]
    for run in some[open_.any(axis=-1)]:
        found[run] = (
            closed_masks(p[run], a, alpha) if a <= MASKED else closed(p[run], a, alpha)
        )
    return found


def closed_masks(p: Floats, a: int, alpha: float) -> Bools:
    """Decide one family by going through all exhaustive sets as bit masks."""
    masks, sizes = exhaustive_masks(a)
    m = len(p)
    bits = np.uint64(1) << np.arange(m, dtype=np.uint64)
    # For each size, the pairs whose p-value a set of that size could leave standing.
    standing = (
        np.where(np.arange(1, m + 1)[:, None] * p > alpha, bits, np.uint64(0))
    ).sum(axis=1, dtype=np.uint64)
    retained = (masks & ~standing[sizes - 1]) == 0
    union = np.bitwise_or.reduce(masks[retained], initial=np.uint64(0))
    return (union & bits) == 0


@lru_cache(maxsize=8)
def exhaustive_masks(a: int) -> tuple[NDArray[np.uint64], Ints]:
    """Return the exhaustive sets of all pairs as bits, and their sizes."""
    index = np.zeros((a, a), np.uint64)
    first, second = np.triu_indices(a, 1)
    index[first, second] = index[second, first] = np.arange(len(first), dtype=np.uint64)
    one = np.uint64(1)
    states: list[tuple[np.uint64, tuple[tuple[int, ...], ...]]] = [(np.uint64(0), ())]
    for new in range(a):
        grown = []
        for mask, blocks in states:
            grown.append((mask, (*blocks, (new,))))
            for k, block in enumerate(blocks):
                joined = mask
                for old in block:
                    joined |= one << index[old, new]
                grown.append((joined, (*blocks[:k], (*block, new), *blocks[k + 1 :])))
        states = grown
    masks = np.array([mask for mask, _ in states if mask], np.uint64)
    return masks, np.bitwise_count(masks).astype(np.int64)


def closed(p: Floats, a: int, alpha: float) -> Bools:
    """Decide one family of many algorithms by the public kernel."""
    square = np.ones((a, a))
    upper = np.triu_indices(a, 1)
    square[upper] = square.T[upper] = p
    return np.asarray(exhaustive.bergmann_hommel(square)[upper] <= alpha)


# ---- sums of fair signs -------------------------------------------------------------


def sign_tails(steps: Ints, observed: Ints) -> Floats:
    """Return P(|sum of +-steps| >= |observed|) for many rows of whole steps.

    Parameters
    ----------
    steps : ndarray of int, shape (rows, n)
        At least 0.
    observed : ndarray of int, shape (rows,)

    Notes
    -----
    The characteristic function of the sum is prod cos(step theta); it is inverted at
    M > sum equally spaced angles, exactly but for rounding (about 1e-15).
    """
    largest = int(steps.max(initial=0))
    rows = len(steps)
    counts = np.bincount(
        (steps + (largest + 1) * np.arange(rows)[:, None]).ravel(),
        minlength=rows * (largest + 1),
    ).reshape(rows, largest + 1)
    used = np.flatnonzero(counts.any(axis=0))
    counts = counts[:, used].astype(float)
    reach = int(np.max(counts @ used, initial=0))
    tails, logs, negative = sign_table(reach + 1 + reach % 2, tuple(used.tolist()))
    at = np.abs(observed)
    p = np.empty(rows)
    size = max(1, 400_000 // tails.shape[1])
    for start in range(0, rows, size):
        part = slice(start, start + size)
        phi = np.exp(counts[part] @ logs)
        odd = (counts[part] @ negative) % 2
        phi *= 1 - 2 * odd
        p[part] = np.einsum("rk,rk->r", phi, tails[at[part]])
    return np.where(at == 0, 1.0, np.clip(p, 0.0, 1.0))


@lru_cache(maxsize=64)
def sign_table(m: int, used: tuple[int, ...]) -> tuple[Floats, Floats, Floats]:
    """Return tail weights (m + 1, angles), log |cos| and where cos is negative.

    m is odd, so no angle makes a cosine 0. Angles above pi / 2 mirror those below.
    """
    theta = np.pi * np.arange((m + 1) // 2) / m
    weight = np.where(np.arange(len(theta)) == 0, 1.0, 2.0) / m
    tails = 2 * weight * np.cos(np.arange(m + 1)[:, None] * theta)
    for s in range(m - 2, -1, -1):
        tails[s] += tails[s + 2]
    cosines = np.cos(np.array(used)[:, None] * theta)
    return tails, np.log(np.abs(cosines)), (cosines < 0).astype(float)


@lru_cache(maxsize=16)
def signed_rank_p(n: int) -> Floats:
    """Return Wilcoxon's two-sided exact p-value for each sum of positive ranks 0.."""
    chance = np.ones(1)
    for rank in range(1, n + 1):
        grown = np.zeros(len(chance) + rank)
        grown[: len(chance)] += chance / 2
        grown[rank:] += chance / 2
        chance = grown
    lower = np.cumsum(chance)
    return np.minimum(1.0, 2 * np.minimum(lower, lower[::-1]))


@lru_cache(maxsize=256)
def sign_p(n: int) -> Floats:
    """Return the sign test's two-sided p-value for each number of wins of n."""
    wins = np.arange(n + 1)
    few = np.minimum(wins, n - wins)
    return np.minimum(1.0, 2 * special.bdtr(few, n, 0.5))

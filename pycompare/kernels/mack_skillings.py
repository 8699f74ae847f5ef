"""Mack and Skillings' statistic for runs within blocks, and its exact distribution.

If all algorithms are alike within a block, any way to deal the ranks of its runs to the
algorithms is equally likely. Ranks are doubled, so all sums are integers and ``>=`` is
exact.
"""

from __future__ import annotations

import numpy as np

from pycompare.base.errors import DesignError, setting
from pycompare.base.typing import Floats, Ints
from pycompare.kernels.friedman_exact import merge

_MAX_WORK = 30_000_000
"""Largest number of pairs of states of one computation, some seconds."""
_CHUNK = 2_000_000


def spreads(ranks: Floats) -> tuple[Floats, Floats]:
    """Return the squares of rank sums between algorithms, and of ranks within blocks.

    Parameters
    ----------
    ranks : ndarray, shape (..., n_blocks, n_algorithms, n_runs)
        Ranks of all runs within their block, ties shared.

    Returns
    -------
    tuple of ndarray, shape (...)
        Sums of squares about the expectations. The statistic, corrected for ties, is
        (a n - 1) / n times the first over the second: Mack and Skillings (1981), their
        variance replaced by that of the ranks as they are.
    """
    # Mack & Skillings (1981): the mean of ranks 1 .. a n is (a n + 1) / 2.
    centred = ranks - (ranks.shape[-2] * ranks.shape[-1] + 1) / 2
    sums = centred.sum(axis=(-3, -1))
    return np.sum(sums**2, axis=-1), np.sum(centred**2, axis=(-3, -2, -1))


def exact_p_value(ranks: Floats, max_work: int = _MAX_WORK) -> float:
    """Return the exact probability of a statistic at least as large as observed.

    Raises
    ------
    DesignError
        If the table (n_blocks, n_algorithms, n_runs) is too large.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    b, a, n = doubled.shape
    observed = int(np.sum(doubled.sum(axis=(0, 2)) ** 2))
    sorted_ranks = np.sort(doubled.reshape(b, a * n), axis=1)
    patterns, counts = np.unique(sorted_ranks, axis=0, return_counts=True)
    states, weights = np.zeros((1, a), np.int64), np.ones(1)
    work = 0
    for pattern, count in zip(patterns, counts, strict=True):
        steps, chances = _rank_sums(pattern, a, n, max_work)
        for _ in range(count):
            work += len(states) * len(steps)
            if work > max_work:
                raise _too_large((b, a, n))
            states, weights = _joined(states, weights, steps, chances)
    tail = np.sum(states**2, axis=1) >= observed
    return float(min(1.0, np.sum(weights[tail])))


def _rank_sums(pattern: Ints, a: int, n: int, max_work: int) -> tuple[Ints, Floats]:
    """Return all sums that dealing n of a block's ranks to each algorithm can give.

    A walk over the ranks; a state is how many each algorithm has, and their sums.
    """
    states, weights = np.zeros((1, 2 * a), np.int64), np.ones(1)
    steps = np.eye(a, dtype=np.int64)
    for place, rank in enumerate(pattern.tolist()):
        if a * len(states) * len(pattern) > max_work:
            raise _too_large((1, a, n))
        free = n - states[:, :a]
        row, to = np.nonzero(free)
        moved = states[row] + np.hstack([steps[to], rank * steps[to]])
        # Each free place is equally likely to get the next rank.
        chance = weights[row] * free[row, to] / (a * n - place)
        moved, chance = _merge_all(moved, chance)
        states, weights = moved, chance
    return states[:, a:], weights


def _merge_all(states: Ints, weights: Floats) -> tuple[Ints, Floats]:
    """Join equal states and add their probabilities."""
    unique, inverse = np.unique(states, axis=0, return_inverse=True)
    return unique, np.bincount(inverse.ravel(), weights).astype(float)


def _joined(
    states: Ints, weights: Floats, steps: Ints, chances: Floats
) -> tuple[Ints, Floats]:
    """Add one block to the sums so far.

    The statistic does not show the order of the sums: sorted ones are one state.
    """
    rows = max(1, _CHUNK // len(steps))
    parts = [
        merge(
            np.sort(states[i : i + rows, None] + steps, axis=-1).reshape(
                -1, states.shape[1]
            ),
            np.outer(weights[i : i + rows], chances).ravel(),
        )
        for i in range(0, len(states), rows)
    ]
    return merge(
        np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    )


def permutation_p_value(
    ranks: Floats, rng: np.random.Generator, resamples: int
) -> float:
    """Return ``(1 + number of resamples at least as large) / (1 + resamples)``.

    Phipson, B., Smyth, G. K. (2010): valid, and never 0.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    b, a, n = doubled.shape
    observed = int(np.sum(doubled.sum(axis=(0, 2)) ** 2))
    flat = doubled.reshape(b, a * n)
    block = max(1, _CHUNK // flat.size)
    exceed = 0
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        shuffled = rng.permuted(np.broadcast_to(flat, (size, *flat.shape)), axis=-1)
        sums = shuffled.reshape(size, b, a, n).sum(axis=(1, 3))
        exceed += int(np.sum(np.sum(sums**2, axis=-1) >= observed))
    # Phipson & Smyth (2010): (b + 1) / (m + 1).
    return (1 + exceed) / (1 + resamples)


def _too_large(shape: tuple[int, ...]) -> DesignError:
    """Return the message that the table is too large for the exact distribution."""
    return DesignError(
        f"{shape[0]} blocks x {shape[1]} algorithms x {shape[2]} runs are too many for "
        "the exact distribution; approximate it (" + setting("p_value", "chi2") + ")"
    )

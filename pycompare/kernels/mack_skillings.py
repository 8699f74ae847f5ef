"""Mack and Skillings' statistic for runs within blocks, and its exact distribution.

If all algorithms are alike within a block, any way to deal the ranks of its runs to the
algorithms is equally likely. Ranks are doubled, so all sums are integers and ``>=`` is
exact.
"""

from __future__ import annotations

import numpy as np

from pycompare.base.errors import DesignError, setting
from pycompare.base.typing import Floats, Ints
from pycompare.kernels.friedman_exact import with_block

_MAX_WORK = 30_000_000
"""Largest number of pairs of states of one computation, some seconds."""


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
            states, weights = with_block(states, weights, steps, chances)
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
        states, inverse = np.unique(moved, axis=0, return_inverse=True)
        weights = np.bincount(inverse.ravel(), chance).astype(float)
    return states[:, a:], weights


def _too_large(shape: tuple[int, ...]) -> DesignError:
    """Return the message that the table is too large for the exact distribution."""
    return DesignError(
        f"{shape[0]} blocks x {shape[1]} algorithms x {shape[2]} runs are too many for "
        "the exact distribution; approximate it (" + setting("p_value", "chi2") + ")"
    )

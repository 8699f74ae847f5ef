"""Exact and permutation distribution of Friedman's statistic, ties included.

Under the null hypothesis each block's ranks are a random permutation of themselves.
The statistic depends on the column sums through their sum of squares alone, so the
distribution is a walk over sorted column sums, one block a step: states that are
permutations of each other are one state. Ranks are doubled, so all sums are integers
and ``>=`` is exact.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from pycompare.base.errors import DesignError, setting
from pycompare.base.typing import Floats, Ints

_MAX_WORK = 30_000_000
"""Largest number of (state, permutation) pairs of one computation, some seconds."""
_CHUNK = 500_000


def _sum_of_squares(doubled: Ints) -> Ints:
    """Return the sum of squared rank sums, of shape (..., blocks, algorithms, runs)."""
    return np.sum(doubled.sum(axis=(-3, -1)) ** 2, axis=-1)


def exact_p_value(ranks: Floats, max_work: int = _MAX_WORK) -> float:
    """Return the exact probability of a statistic at least as large as observed.

    Parameters
    ----------
    ranks : ndarray, shape (n_blocks, n_algorithms)
        Ranks within blocks, ties shared.
    max_work : int
        Reject beyond this number of (state, permutation) pairs.

    Raises
    ------
    DesignError
        If the table is too large.
    """
    # Friedman's statistic rises with the sum of squared rank sums, ties or not.
    doubled = np.sort(np.rint(2 * ranks).astype(np.int64), axis=1)
    observed = np.sum(np.rint(2 * ranks).astype(np.int64).sum(axis=0) ** 2)
    _check_size(ranks.shape, max_work)
    states, weights = doubled[:1], np.ones(1)
    work = 0
    patterns, counts = np.unique(doubled[1:], axis=0, return_counts=True)
    for pattern, count in zip(patterns, counts, strict=True):
        steps = _distinct_permutations(pattern)
        chances = np.full(len(steps), 1 / len(steps))
        for _ in range(count):
            work += len(states) * len(steps)
            if work > max_work:
                raise _too_large(ranks.shape)
            states, weights = with_block(states, weights, steps, chances)
    tail = np.sum(states**2, axis=1) >= observed
    return float(min(1.0, np.sum(weights[tail])))


def _check_size(shape: tuple[int, ...], max_work: int) -> None:
    """Reject more algorithms than permutations can be listed for."""
    if shape[1] > 9 or np.prod(np.arange(1.0, shape[1] + 1)) > max_work:
        raise _too_large(shape)


def _too_large(shape: tuple[int, ...]) -> DesignError:
    """Return the message that the table is too large for the exact distribution."""
    return DesignError(
        f"{shape[0]} blocks x {shape[1]} algorithms are too many for the exact "
        "distribution; approximate it (" + setting("p_value", "chi2") + ")"
    )


def _distinct_permutations(pattern: Ints) -> Ints:
    """Return the distinct orders of a block's doubled ranks, one per row."""
    orders = np.array(list(permutations(pattern.tolist())), dtype=np.int64)
    tied = len(np.unique(pattern)) < len(pattern)
    return np.unique(orders, axis=0) if tied else orders


def with_block(
    states: Ints, weights: Floats, steps: Ints, chances: Floats
) -> tuple[Ints, Floats]:
    """Add what one block gives to the sums so far, each step with its chance.

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
    if len(parts) == 1:
        return parts[0]
    return merge(
        np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    )


def merge(states: Ints, weights: Floats) -> tuple[Ints, Floats]:
    """Join equal states and add their probabilities."""
    base = int(states.max()) + 1
    if base ** (states.shape[1] - 1) < 2**62:
        # The total is fixed, so all sums but the last identify a state.
        powers = base ** np.arange(states.shape[1] - 1, dtype=np.int64)
        keys = states[:, :-1] @ powers
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        unique = states[first]
    else:
        unique, inverse = np.unique(states, axis=0, return_inverse=True)
    return unique, np.bincount(inverse.ravel(), weights).astype(float)


def permutation_p_value(
    ranks: Floats, rng: np.random.Generator, resamples: int
) -> float:
    """Return ``(1 + number of resamples at least as large) / (1 + resamples)``.

    Phipson, B., Smyth, G. K. (2010): the observed table is treated as one, so the
    p-value is valid and never 0.

    Parameters
    ----------
    ranks : ndarray, shape (n_blocks, n_algorithms) or (n_blocks, n_algorithms, n_runs)
        Ranks within blocks, ties shared.
    rng : Generator
    resamples : int
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    shape = (*doubled.shape, 1)[:3]
    observed = _sum_of_squares(doubled.reshape(shape))
    flat = doubled.reshape(len(doubled), -1)
    at_once = max(1, 2_000_000 // flat.size)
    exceed = 0
    # Not shared out (`on_draws`): a shuffle rejects some words of the stream, so the
    # place of a block is known only when all before it are drawn, 98% of the work. A
    # stream for each block would change the p-value of a seed.
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        shuffled = rng.permuted(np.broadcast_to(flat, (size, *flat.shape)), axis=-1)
        squares = _sum_of_squares(shuffled.reshape(size, *shape))
        exceed += int(np.sum(squares >= observed))
    # Phipson & Smyth (2010): (b + 1) / (m + 1).
    return (1 + exceed) / (1 + resamples)


_MAX_PAIR_WORK = 200_000_000
"""Largest number of products of one convolution of all blocks, about a second."""


def pair_p_values(ranks: Floats) -> Floats:
    """Return exact two-sided p-values of all differences of rank sums.

    If all algorithms are alike, two of them get two places of a block's ranks at
    random; the sum over blocks is a convolution, the same for every pair.

    Parameters
    ----------
    ranks : ndarray, shape (n_blocks, n_algorithms)
        Ranks within blocks, ties shared.

    Returns
    -------
    ndarray, shape (n_algorithms, n_algorithms)
        P(absolute difference of two rank sums >= the observed one); 1 on the diagonal.

    Raises
    ------
    DesignError
        If the table is too large.

    References
    ----------
    Eisinga, R. et al. (2017). BMC Bioinformatics 18, 68.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    n, a = doubled.shape
    if n * n * a * a * 8 > _MAX_PAIR_WORK:
        raise DesignError(
            f"{n} blocks x {a} algorithms are too many for exact p-values of pairs; "
            "use " + setting("p_value", "normal")
        )
    patterns, counts = np.unique(np.sort(doubled, axis=1), axis=0, return_counts=True)
    # Eisinga et al. (2017): the law of the sum is a convolution over blocks.
    chance = np.ones(1)
    for pattern, count in zip(patterns, counts, strict=True):
        step = block_difference(pattern)
        for _ in range(count):
            chance = np.convolve(chance, step)
    # The distribution is symmetric: the upper half, added up from its far end.
    upper = chance[len(chance) // 2 :]
    beyond = 2 * np.cumsum(upper[::-1])[::-1]
    beyond[0] = 1.0
    sums = doubled.sum(axis=0)
    return np.minimum(1.0, beyond[np.abs(sums[:, None] - sums[None, :])])


def block_difference(pattern: Ints) -> Floats:
    """Return the chances of each difference of two places of one block's ranks."""
    a = len(pattern)
    widest = int(pattern.max() - pattern.min())
    differences = (pattern[:, None] - pattern[None, :])[~np.eye(a, dtype=bool)]
    return np.bincount(differences + widest, minlength=2 * widest + 1) / (a * (a - 1))

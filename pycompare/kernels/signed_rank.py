"""Null distribution of the signed-rank sum, given the ranks and so given the ties.

Under the null hypothesis each rank counts with probability 1/2, independently of the
others. Twice a midrank is whole, so adding one rank at a time gives the distribution
exactly (the shift algorithm of Streitberg and Roehmel 1986).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pycompare.typing import Floats

MOST = 1000
"""Ranks at most: 2^-n stays in the range of doubles, and the work is below seconds."""


def null_distribution(ranks: Floats) -> tuple[Floats, float]:
    """Return the distribution of the sum of a random half of the ranks.

    Parameters
    ----------
    ranks : ndarray, shape (n,)
        Multiples of 1/2, n at most ``MOST``.

    Returns
    -------
    p : ndarray
        p[i] is the probability of the sum ``i * unit``; symmetric.
    unit : float
        1/2 with ties, larger where the ranks allow it.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    divisor = max(1, int(np.gcd.reduce(doubled, initial=0)))
    steps = np.sort(doubled // divisor).tolist()
    total = sum(steps)
    # Only the lower half is made, in two buffers by turns: the other is its mirror.
    middle = total // 2
    p, made = np.zeros((2, middle + 1))
    p[0] = 1.0
    top = 0
    for step in steps:
        # Streitberg & Roehmel (1986): the shift algorithm, f(s) + f(s - rank).
        top = min(top + step, middle)
        made[:step] = p[:step]
        np.add(p[step : top + 1], p[: max(0, top + 1 - step)], out=made[step : top + 1])
        p, made = made, p
    # Counts of the 2^n subsets stay below 2^MOST, and scaling them is exact.
    half = np.ldexp(p, -len(steps))
    p = np.concatenate([half, half[: total - middle][::-1]])
    return p, divisor / 2


def tails(ranks: Floats, total: float) -> tuple[float, float]:
    """Return P(V <= total) and P(V >= total), V the sum of a random half of ranks."""
    p, unit = null_distribution(ranks)
    at = round(total / unit)
    # Symmetry: both are sums from the end, smallest terms first.
    return float(np.sum(p[: at + 1])), float(np.sum(p[: len(p) - at]))


@lru_cache(maxsize=64)
def quantile(n: int, tail: float) -> tuple[int, float]:
    """Return the smallest q >= 1 with P(V <= q) >= tail, and P(V <= q - 1).

    V is the sum of a random half of 1, ..., n.

    Notes
    -----
    R: ``max(1, qsignrank(tail, n))`` and ``psignrank(q - 1, n)``.
    """
    p, _ = null_distribution(np.arange(1.0, n + 1))
    below = np.cumsum(p[: (len(p) + 3) // 2])
    q = max(1, int(np.searchsorted(below, tail - 10 * np.finfo(float).eps)))
    return q, float(below[q - 1])

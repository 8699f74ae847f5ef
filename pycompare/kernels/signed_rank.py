"""Null distribution of the signed-rank sum, given the ranks and so given the ties.

Under the null hypothesis each rank counts with probability 1/2, independently of the
others. Twice a midrank is whole, so adding one rank at a time gives the distribution
exactly (the shift algorithm of Streitberg and Roehmel 1986). For many tied ranks the
saddlepoint approximation takes its place (Lugannani and Rice 1980, with Daniels' second
correction for a lattice).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy import special

from pycompare.base.typing import Bools, Floats

MOST = 1000
"""Ranks at most: 2^-n stays in the range of doubles, and the work is below seconds."""

MOST_TIED = 100
"""Tied ranks at most that `two_sided` adds one at a time."""
DISTINCT = 20
"""With fewer different ranks a saddlepoint is off: by 12 % with 3 of them."""


def null_distribution(ranks: Floats) -> tuple[Floats, float]:
    """Return the distribution of the sum of a random half of the ranks.

    Parameters
    ----------
    ranks : ndarray, shape (n,)
        Multiples of 1/2, n at most ``MOST``.

    Returns
    -------
    p : ndarray, read-only
        p[i] is the probability of the sum ``i * unit``; symmetric.
    unit : float
        1/2 with ties, larger if the ranks allow it.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    divisor = max(1, int(np.gcd.reduce(doubled, initial=0)))
    steps = tuple(np.sort(doubled // divisor).tolist())
    sums_of = _kept_sums if sum(steps) <= _KEPT else _sums
    return sums_of(steps), divisor / 2


_KEPT = MOST_TIED * (MOST_TIED + 1)
"""Largest sum of which the distribution is kept: pairs of one table have the same few
ties. Twice that of ``MOST_TIED`` ranks."""


def _sums(steps: tuple[int, ...]) -> Floats:
    """Return the distribution of the sum of a random half of whole, sorted steps."""
    total = sum(steps)
    # Only the lower half is made, in two buffers by turns: the other is its mirror.
    middle = total // 2
    p, shifted = np.zeros((2, middle + 1))
    p[0] = 1.0
    top = 0
    for step in steps:
        # Streitberg & Roehmel (1986): the shift algorithm, f(s) + f(s - rank).
        top = min(top + step, middle)
        shifted[:step] = p[:step]
        np.add(
            p[step : top + 1], p[: max(0, top + 1 - step)], out=shifted[step : top + 1]
        )
        p, shifted = shifted, p
    # Counts of the 2^n subsets stay below 2^MOST, and scaling them is exact.
    half = np.ldexp(p, -len(steps))
    p = np.concatenate([half, half[: total - middle][::-1]])
    p.flags.writeable = False
    return p


_kept_sums = lru_cache(maxsize=256)(_sums)


def tails(ranks: Floats, total: float) -> tuple[float, float]:
    """Return P(V <= total) and P(V >= total), V the sum of a random half of ranks."""
    p, unit = null_distribution(ranks)
    at = round(total / unit)
    # Symmetry: both are sums from the end, smallest terms first.
    return float(np.sum(p[: at + 1])), float(np.sum(p[: len(p) - at]))


def two_sided(ranks: Floats, above: Floats) -> tuple[Floats, Bools]:
    """Return two-sided p-values of many signed-rank sums.

    Parameters
    ----------
    ranks : ndarray, shape (rows, n)
        Midranks of each row; 0 for unranked values. At most ``MOST`` in a row.
    above : ndarray, shape (rows,)
        The sum of the ranks of positive differences.

    Returns
    -------
    p : ndarray, shape (rows,)
        Exact without ties, and with ties for at most ``MOST_TIED`` ranks or fewer than
        ``DISTINCT`` different ones; else by saddlepoint. 1 if nothing is ranked.
    exact : ndarray of bool, shape (rows,)
    """
    ordered = np.sort(ranks, axis=1)
    counts = np.count_nonzero(ordered, axis=1)
    n = ordered.shape[1]
    untied = np.arange(1.0, n + 1) - (n - counts)[:, None]
    plain = (ordered == np.maximum(untied, 0.0)).all(axis=1)
    total = ordered.sum(axis=1)
    larger = np.maximum(above, total - above)
    p, exact = np.ones(len(ranks)), np.ones(len(ranks), bool)
    for count in np.unique(counts[plain & (counts > 0)]).tolist():
        rows = plain & (counts == count)
        p[rows] = 2 * _upper_untied(count)[np.rint(larger[rows]).astype(np.int64)]
    known: dict[tuple[bytes, float], float] = {}
    for row in np.flatnonzero(~plain).tolist():
        used = ordered[row, n - counts[row] :]
        exact[row] = len(used) <= MOST_TIED or len(np.unique(used)) < DISTINCT
        key = (used.tobytes(), float(larger[row]))
        if key not in known:
            known[key] = (
                tails(used, key[1])[1]
                if exact[row]
                else upper_by_saddlepoint(used, key[1])
            )
        p[row] = 2 * known[key]
    return np.minimum(p, 1.0), exact


def upper(ranks: Floats, above: float) -> tuple[float, bool]:
    """Return P(V >= above) of midranks, V the sum of a random half, and if it is exact.

    As `two_sided` of one row; 1 if nothing is ranked.
    """
    used = np.sort(ranks[ranks > 0])
    n = len(used)
    if n == 0:
        return 1.0, True
    if np.array_equal(used, np.arange(1.0, n + 1)):
        return float(_upper_untied(n)[round(above)]), True
    if n <= MOST_TIED or len(np.unique(used)) < DISTINCT:
        return tails(used, above)[1], True
    total = float(used.sum())
    if 2 * above >= total:
        return min(1.0, upper_by_saddlepoint(used, above)), False
    # V < v is as likely as V > total - v: the next sum there can be, a step further on.
    step = float(np.gcd.reduce(np.rint(2 * used).astype(np.int64))) / 2
    return max(0.0, 1 - upper_by_saddlepoint(used, total - above + step)), False


@lru_cache(maxsize=64)
def _upper_untied(n: int) -> Floats:
    """Return P(V >= v) for v = 0, 1, ..., V the sum of a random half of 1, ..., n."""
    p, unit = null_distribution(np.arange(1.0, n + 1))
    assert unit == 1 or n < 1
    upper = np.cumsum(p)[::-1].copy()  # symmetric: smallest terms first
    upper.flags.writeable = False
    return upper


def upper_by_saddlepoint(ranks: Floats, v: float) -> float:
    """Return P(V >= v) for v at least the mean, approximately.

    Notes
    -----
    Lugannani and Rice (1980) with Daniels' second correction for continuity: with h the
    step of the lattice, K(t) = sum log((1 + exp(t r)) / 2), K'(s) = v - h/2,
    w = sqrt(2 (s (v - h/2) - K(s))), u = (2/h) sinh(h s / 2) sqrt(K''(s)) and
    P = 1 - Phi(w) + phi(w) (1/u - 1/w). At most 0.1 % off for more than ``MOST_TIED``
    ranks, ``DISTINCT`` different ones and P above 1e-10 (tests).
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    step = int(np.gcd.reduce(doubled)) / 2
    total = float(np.sum(ranks))
    if v >= total:
        return float(math.ldexp(1.0, -len(ranks)))
    at = v - step / 2
    if at <= total / 2:
        return 0.5
    largest = float(ranks.max())
    r = ranks / largest  # so that s has no unit
    s, share = _saddlepoint(r, at / largest)
    height = float(np.sum(np.logaddexp(0.0, s * r) - math.log(2)))
    w = math.sqrt(max(0.0, 2 * (s * at / largest - height)))
    h = step / largest
    spread = math.sqrt(float(np.sum(r**2 * share * (1 - share))))
    u = 2 / h * math.sinh(h * s / 2) * spread
    tail = float(special.ndtr(-w))
    if w < 1e-3:  # 1/u - 1/w tends to 0: the distribution is symmetric
        return tail
    return tail + math.exp(-w * w / 2) / math.sqrt(2 * math.pi) * (1 / u - 1 / w)


def _saddlepoint(r: Floats, at: float) -> tuple[float, Floats]:
    """Return s > 0 with sum r p = ``at``, and p = 1 / (1 + exp(-s r))."""
    s = 0.0
    while True:
        share = special.expit(s * r)
        step = (at - float(np.sum(r * share))) / float(
            np.sum(r**2 * share * (1 - share))
        )
        # The sum is concave in s: each step of Newton's is too short, until rounding.
        if step <= 1e-14 * s:
            return s, share
        s += step


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

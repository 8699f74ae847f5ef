"""Tails of a sum of numbers whose signs are fair coins: sum of +-d_b, d_b whole.

Exact for tables that are not too large: half of (sum + total) is the sum of a random
half of the |d_b|, so the distribution is a convolution of whole numbers, all terms
positive, and the smallest tails keep their digits. For larger tables a saddlepoint
approximation on the lattice of the sum (Lugannani and Rice 1980; Daniels 1987), whose
relative error stays small in the tails too. Which of the two depends on the size of
the table alone (`exact_for`), never on the data.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from pycompare.base.typing import Floats, Ints
from pycompare.kernels import signed_rank

_MOST_WORK = 4_000_000
"""Largest number of terms of one convolution, n^2 times the largest |d|: some ms."""
_STEPS = 200
"""Newton steps at most; the equation is concave, so they rise to the root."""


def exact_for(n: int, largest: int) -> bool:
    """Return whether tails of n whole numbers up to ``largest`` are exact."""
    return n <= signed_rank.MOST and n * n * largest <= _MOST_WORK


def two_sided(d: Ints, *, exact: bool) -> Floats:
    """Return P(|sum of +-d_b| >= |sum of d_b|), fair signs, for each row.

    Parameters
    ----------
    d : ndarray of int, shape (m, n)
        Observed differences; zeros may be among them.
    exact : bool
        False: saddlepoint approximation.

    Returns
    -------
    ndarray, shape (m,)
        1 if the sum is 0.
    """
    observed = np.abs(d.sum(axis=1))
    tail = _exact_tails if exact else _saddlepoint_tails
    return np.where(observed > 0, np.minimum(1.0, 2 * tail(np.abs(d), observed)), 1.0)


def _exact_tails(sizes: Ints, at: Ints) -> Floats:
    """Return P(sum of +-sizes >= at) for each row, by convolution.

    Up to 53 numbers each value is a whole multiple of 2^-n below 2^53: no rounding.
    """
    half = (sizes.sum(axis=1) + at) / 2
    return np.array(
        [
            signed_rank.tails(row[row > 0].astype(float), total)[1]
            if total > 0
            else 1.0
            for row, total in zip(sizes, half.tolist(), strict=True)
        ]
    )


def _saddlepoint_tails(sizes: Ints, at: Ints) -> Floats:
    """Approximate P(sum of +-sizes >= at) for each row, at > 0.

    Notes
    -----
    K(t) = sum log cosh(t d_b). The sum moves in steps of 2g, g the greatest common
    divisor of the sizes; Daniels' second continuity correction takes the saddlepoint
    at ``at - g`` and 2 sinh(g t) / 2g in the place of t. The largest possible sum has
    probability 2^-n, n the number of sizes that are not 0, exactly.

    References
    ----------
    .. [1] Lugannani, R., Rice, S. (1980). Adv. Appl. Probab. 12, 475-490.
    .. [2] Daniels, H. E. (1987). Int. Statist. Rev. 55, 37-48.
    """
    step = np.maximum(1, np.gcd.reduce(sizes, axis=1))
    d = sizes / step[:, None]
    x = at / step - 1.0
    total, count = d.sum(axis=1), (sizes > 0).sum(axis=1)
    tails = np.where(x <= 0, 0.5, np.exp2(-count.astype(float)))
    inside = (x > 0) & (x + 1 < total)
    if inside.any():
        tails[inside] = _lugannani_rice(d[inside], x[inside])
    return tails


def _lugannani_rice(d: Floats, x: Floats) -> Floats:
    """Return the tail beyond x of sums that move in steps of 2."""
    t = _saddlepoints(d, x)
    td = t[:, None] * d
    # K''(t) = sum of (d_b / cosh(t d_b))^2; w^2 / 2 = t x - K(t).
    variance = np.sum(np.square(d / np.cosh(np.minimum(td, 350.0))), axis=1)
    w = np.sqrt(2 * (t * x - np.sum(_log_cosh(td), axis=1)))
    # Daniels (1987): 2 sinh(g t) / 2g for t, in units of g.
    u = np.sinh(t) * np.sqrt(variance)
    # Daniels (1987); ndtr and the density share exp(-w^2 / 2).
    density = np.exp(-w * w / 2) / np.sqrt(2 * np.pi)
    return np.asarray(special.ndtr(-w) + density * (1 / u - 1 / w))


def _saddlepoints(d: Floats, x: Floats) -> Floats:
    """Solve sum d_b tanh(t d_b) = x for t, 0 < x < sum d_b, row by row."""
    t = np.zeros(len(d))
    for _ in range(_STEPS):
        td = t[:, None] * d
        slope = np.sum(np.square(d / np.cosh(np.minimum(td, 350.0))), axis=1)
        move = (x - np.sum(d * np.tanh(td), axis=1)) / slope
        t += move
        if np.all(np.abs(move) <= 1e-14 * t):
            break
    return t


def _log_cosh(x: Floats) -> Floats:
    """Return log cosh x for x >= 0, with all digits near 0 and no overflow."""
    small = np.log1p(2 * np.square(np.sinh(np.minimum(x, 1.0) / 2)))
    return np.where(x < 1, small, x + np.log1p(np.exp(-2 * x)) - np.log(2.0))

"""A change of basis with twice the digits of a double (Dekker 1971; Ogita et al. 2005).

Nearly dependent responses lose digits when their small differences are formed. Any
invertible change of basis leaves a multivariate test as it is, so the basis itself may
be rounded; only its application must be exact.
"""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Floats

_SPLIT = 2.0**27 + 1
_CELLS = 2**14
"""Numbers of the product that are made at once: they stay in the cache."""


def product(y: Floats, basis: Floats) -> Floats:
    """Return (y - first) @ basis, each number rounded once or twice.

    Parameters
    ----------
    y : ndarray, shape (..., n, p)
        At most 1e280 in size. NaN stays NaN.
    basis : ndarray, shape (..., p, q)

    Returns
    -------
    ndarray, shape (..., n, q)
        ``first`` is the first row without NaN in all tables.
    """
    present = ~np.isnan(y).any(axis=tuple(i for i in range(y.ndim) if i != y.ndim - 2))
    start = y[..., np.flatnonzero(present)[:1], :]
    shifted, lost = two_sum(y, -start)
    products = np.empty((*y.shape[:-1], basis.shape[-1]))
    rows = max(1, _CELLS * y.shape[-2] // max(1, products.size))
    for some in (np.s_[..., i : i + rows, :] for i in range(0, y.shape[-2], rows)):
        products[some] = _dot(shifted[some], lost[some], basis)
    return products


def _dot(a: Floats, lost: Floats, basis: Floats) -> Floats:
    """Return (a + lost) @ basis, each number rounded once or twice."""
    total = np.zeros((*a.shape[:-1], basis.shape[-1]))
    rest = np.zeros_like(total)
    # Ogita et al. (2005), algorithm 5.3 (Dot2), all elements at once.
    for k in range(a.shape[-1]):
        row = basis[..., k : k + 1, :]
        part, low = two_product(a[..., k : k + 1], row)
        total, error = two_sum(total, part)
        rest += error + low + lost[..., k : k + 1] * row
    return np.asarray(total + rest)


def two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the rounded sum and the rounding error, exactly."""
    # Ogita et al. (2005), algorithm 3.1 (Knuth).
    total = a + b
    own = total - a
    return total, (a - (total - own)) + (b - own)


def two_product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the rounded product and the rounding error, exactly."""
    rounded = a * b
    # Ogita et al. (2005), algorithm 3.3 (Veltkamp, Dekker).
    a_high, a_low = halves(a)
    b_high, b_low = halves(b)
    left = (
        (a_high * b_high - rounded) + a_high * b_low + a_low * b_high
    ) + a_low * b_low
    return rounded, left


def halves(a: Floats) -> tuple[Floats, Floats]:
    """Split numbers into two of half the digits."""
    # Ogita et al. (2005), algorithm 3.2 (Dekker).
    scaled = _SPLIT * a
    high = scaled - (scaled - a)
    return high, a - high

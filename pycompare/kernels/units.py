"""Numbers in range: powers of two as units, which change no digit, and exact sums."""

from __future__ import annotations

import math

import numpy as np

from pycompare.base.typing import Floats

_LARGEST = 1000
"""Of the exponents: 2^1024 is no double."""


def binary_unit(x: Floats, axis: int | tuple[int, ...] | None = None) -> Floats:
    """Return the power of two next above the largest magnitude; 1 for zeros.

    Quotients by it have the digits of ``x`` and squares that neither overflow nor
    vanish.

    Parameters
    ----------
    x : ndarray
    axis : int or tuple of int, optional
        Axes that share a unit; all of them by default.

    Returns
    -------
    ndarray
        Positive; it has the axes of ``x``, those that share a unit with length 1.
    """
    largest = np.max(np.abs(x), axis=axis, keepdims=True, initial=0.0)
    return np.ldexp(1.0, np.clip(np.frexp(largest)[1], -_LARGEST, _LARGEST))


def mean_in_range(x: Floats) -> Floats:
    """Return means over rows without NaN; sums beyond the largest double too.

    Examples
    --------
    >>> import numpy as np
    >>> mean_in_range(np.array([[1.5e308, 1.0], [1.7e308, np.nan]])).tolist()
    [1.6e+308, 1.0]
    """
    unit = binary_unit(np.nan_to_num(x), 0)
    return np.asarray(np.nanmean(x / unit, axis=0) * unit[0])


def exact_mean(x: Floats) -> float:
    """Return the mean by an exact sum: the order of values does not matter.

    Examples
    --------
    >>> import numpy as np
    >>> exact_mean(np.array([1.0, 1e16, 1.0, -1e16]))
    0.5
    """
    unit = binary_unit(x).item()
    return float(unit * (math.fsum(x / unit) / len(x)))


_FEWEST = 150
"""Rows from which on they are summed together."""


def exact_sums(rows: Floats, negligible: Floats | float = 0.0) -> Floats:
    """Return the exact sum of each row, rounded once.

    Parameters
    ----------
    rows : ndarray, shape (m, n)
    negligible : ndarray, shape (m,), or float
        A sum that is no larger than this may be inexact.

    Notes
    -----
    The rounding error of each addition is a double, too (Knuth 1997, sec. 4.2.2).
    The sum of these errors bounds the distance from the exact sum; if that leaves two
    numbers to round to, ``math.fsum`` decides.
    """
    if len(rows) < _FEWEST:
        return np.array([math.fsum(row) for row in rows.tolist()])
    n = rows.shape[1]
    columns = np.ascontiguousarray(rows.T)
    total = columns[0].copy()
    error = np.zeros(len(rows))
    for column in columns[1:]:
        added = total + column
        part = added - total
        error += (total - (added - part)) + (column - part)
        total = added
    rounded = total + error
    part = rounded - total
    rest = (total - (rounded - part)) + (error - part)
    # n^2 u^2 times the sum of sizes bounds what the sum of errors rounds off; twice it.
    bound = 2.0 * n * n * 2.0**-106 * np.abs(columns).sum(axis=0)
    known = rounded + (rest + bound) == rounded
    known &= rounded + (rest - bound) == rounded
    known |= np.abs(rounded) + bound <= negligible
    for row in np.flatnonzero(~known).tolist():
        rounded[row] = math.fsum(rows[row].tolist())
    return rounded

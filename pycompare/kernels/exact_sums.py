"""Exact sums of many rows, rounded once."""

from __future__ import annotations

import math

import numpy as np

from pycompare.base.typing import Floats

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

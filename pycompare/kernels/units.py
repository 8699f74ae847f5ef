"""Powers of two as units: squares stay in range, and no digit changes."""

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

"""Area under a part of a curve of straight lines, and its rescaling."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from pycompare.base.typing import Floats

Area = TypeVar("Area", float, Floats)


def partial_area(x: Floats, y: Floats, low: float, high: float) -> Floats:
    """Return the area between ``low`` and ``high``.

    Parameters
    ----------
    x : ndarray, shape (..., m)
        Ascending along the last axis; vertical pieces have equal numbers.
    y : ndarray, shape (..., m)
    low, high : float
        Within the range of x.

    Returns
    -------
    ndarray, shape (...)
    """
    left, right = x[..., :-1], x[..., 1:]
    width = right - left
    begin = np.clip(left, low, high)
    end = np.clip(right, low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(width > 0, (y[..., 1:] - y[..., :-1]) / width, 0.0)
    middle = y[..., :-1] + slope * ((begin + end) / 2 - left)
    return np.asarray(np.sum((end - begin) * middle, axis=-1))


def corrected(area: Area, low: float, high: float, axis: str) -> Area:
    """Rescale a partial area so that chance has 1/2 and the largest 1 (McClish 1989).

    Under the diagonal the mean height over ``fpr`` is the middle of the part; over
    ``tpr``, where the height is specificity, it is 1 minus the middle.
    """
    width, middle = high - low, (low + high) / 2
    # McClish (1989): (1 + (A - least) / (largest - least)) / 2.
    chance = width * (middle if axis == "fpr" else 1 - middle)
    return (1 + (area - chance) / (width - chance)) / 2

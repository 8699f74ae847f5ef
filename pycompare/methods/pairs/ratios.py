"""Ratios of scores, from differences of their logarithms."""

from __future__ import annotations

import math

import numpy as np

from pycompare.base.typing import Floats

_ABOVE_1, _BELOW_1 = math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0)
"""Ratios that are not 1, next to it."""


def ratios(logs: Floats) -> Floats:
    """Return exp of differences of logarithms: 1 exactly when they are 0.

    A limit next to 0, which stands for 0 left out, is a ratio next to 1.
    """
    with np.errstate(over="ignore"):
        exponentials = np.exp(logs)
    exponentials = np.where(logs > 0, np.maximum(exponentials, _ABOVE_1), exponentials)
    return np.where(logs < 0, np.minimum(exponentials, _BELOW_1), exponentials)

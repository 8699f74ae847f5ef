"""The bivariate normal distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.typing import Floats

_ZERO = 1e-300
"""In place of 0, so that a quotient by it is infinite and has a sign."""


def both_below(h: ArrayLike, k: ArrayLike, rho: ArrayLike) -> Floats:
    """Return P(X <= h, Y <= k) of standard normal X, Y with correlation rho > -1.

    Arguments broadcast.

    Notes
    -----
    R: ``mvtnorm::pmvnorm``. By Owen's T function (Owen 1956, Annals of Mathematical
    Statistics 27, 1075-1090).
    """
    h, k, rho = (np.asarray(v, float) for v in (h, k, rho))
    h, k = np.where(h == 0, _ZERO, h), np.where(k == 0, _ZERO, k)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        root = np.sqrt(1 - rho * rho)
        total = (special.ndtr(h) + special.ndtr(k)) / 2
        total = total - special.owens_t(h, (k / h - rho) / root)
        total = total - special.owens_t(k, (h / k - rho) / root)
    total = total - np.where((h < 0) != (k < 0), 0.5, 0.0)
    return np.where(rho >= 1, special.ndtr(np.minimum(h, k)), total)

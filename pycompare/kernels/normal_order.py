"""Ordered normals: what a normal Q-Q plot compares ordered residuals with."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from pycompare.base.typing import Floats


def medians(n: int) -> Floats:
    """Return the median of each of n ordered independent standard normals, (n,).

    Notes
    -----
    The i-th of n ordered uniforms is Beta(i, n + 1 - i), and normals are their
    quantiles. R: ``qnorm(qbeta(1/2, i, n + 1 - i))``, near to ``qnorm(ppoints(n))``.

    References
    ----------
    .. [1] Filliben, J. J. (1975). Technometrics 17, 111-117.
    """
    i = np.arange(1.0, n // 2 + 1)
    # Filliben (1975): the median of the i-th ordered uniform, as a normal quantile.
    low: Floats = special.ndtri(special.betaincinv(i, n + 1 - i, 0.5))
    return np.concatenate([low, np.zeros(n % 2), -low[::-1]])


def simultaneous_limits(curves: Floats, level: float) -> tuple[Floats, Floats]:
    """Return limits that hold a new random curve as a whole with probability ``level``.

    Parameters
    ----------
    curves : ndarray, shape (m, n)
        m draws of n ordered numbers.
    level : float
        At most k / (k + 1) with k the greater half of m.

    Returns
    -------
    low, high : ndarray, shape (n,)
        On either side of the mean the 2.5 % and 97.5 % quantile of each place, farther
        from it by one factor for all places. Half of the draws give the quantiles, the
        others the factor, so that the probability is ``level`` over all draws, however
        few they are.

    References
    ----------
    .. [1] Myllymaki, M. et al. (2017). J. R. Statist. Soc. B 79, 381-404 (directional
       quantile envelope).
    """
    shape, others = np.split(curves, [len(curves) // 2])
    middle = shape.mean(axis=0)
    quantiles = np.quantile(shape, [0.025, 0.975], axis=0)
    below, above = middle - quantiles[0], quantiles[1] - middle
    away = others - middle
    reach = np.where(away < 0, -below, above)
    # A place where all draws are equal, as with one degree of freedom, has no reach.
    away = np.divide(away, reach, out=np.zeros_like(away), where=reach != 0)
    last = math.ceil(level * (len(others) + 1) - 1e-9)
    factor = np.sort(away.max(axis=1))[last - 1]
    return middle - factor * below, middle + factor * above

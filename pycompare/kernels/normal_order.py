"""Ordered normals: what a normal Q-Q plot compares ordered residuals with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]


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
    low: Floats = special.ndtri(special.betaincinv(i, n + 1 - i, 0.5))
    return np.concatenate([low, np.zeros(n % 2), -low[::-1]])


def simultaneous_limits(curves: Floats, level: float) -> tuple[Floats, Floats]:
    """Return limits that hold at least ``level`` of random curves, each as a whole.

    Parameters
    ----------
    curves : ndarray, shape (m, n)
        m draws of n ordered numbers.
    level : float

    Returns
    -------
    low, high : ndarray, shape (n,)
        The k-th least and k-th greatest of the m draws at each place, k the largest
        for which the share of draws without any place outside is ``level`` or more:
        each place is left as often as any other.

    References
    ----------
    .. [1] Aldor-Noiman, S. et al. (2013). Amer. Statist. 67, 249-260.
    .. [2] Myllymaki, M. et al. (2017). J. R. Statist. Soc. B 79, 381-404.
    """
    m = len(curves)
    ranks = np.argsort(np.argsort(curves, axis=0), axis=0)
    depth = np.sort(np.minimum(ranks, m - 1 - ranks).min(axis=1))
    # A count that should be whole may come out a little smaller.
    k = int(depth[int((1 - level) * m + 1e-9)])
    ordered = np.sort(curves, axis=0)
    return ordered[k], ordered[m - 1 - k]

"""Rom's step-up procedure: Hochberg's with the sharpest critical values.

References
----------
.. [1] Rom, D. M. (1990). A sequentially rejective test procedure based on a modified
   Bonferroni inequality. Biometrika 77, 663-665.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.optimize import elementwise

from pycompare.multiplicity.stepwise import step_up
from pycompare.typing import Floats

_TERMS = 40
"""Terms kept of Rom's sum: the k-th is below alpha^k / k!, so 40 leave nothing out."""


def rom_critical_values(alpha: Floats, m: int) -> Floats:
    """Return Rom's critical values for the largest, second largest, ... p-value.

    Parameters
    ----------
    alpha : ndarray, shape (...)
        Family-wise error rates in [0, 1].
    m : int
        Number of hypotheses.

    Returns
    -------
    ndarray, shape (m, ...)
        ``c_i = [sum_{j<i} alpha^j - sum_{j<=i-2} C(i, j) c_{j+1}^(i-j)] / i``.
    """
    alpha = np.asarray(alpha, float)
    c = np.empty((m, *alpha.shape))
    c[0] = alpha
    for i in range(2, m + 1):
        j = np.arange(max(1, i - _TERMS), i - 1)
        j = j.reshape(-1, *[1] * alpha.ndim)
        terms = np.exp(_log_binomial(i, j) + special.xlogy(i - j, c[j.ravel()]))
        c[i - 1] = (_powers(alpha, i - 1) - terms.sum(axis=0)) / i
    return c


def _powers(alpha: Floats, n: int) -> Floats:
    """Return ``alpha + alpha^2 + ... + alpha^n``."""
    total = np.zeros_like(alpha)
    for _ in range(n if n < _TERMS else 0):
        total = alpha * (1 + total)
    if n < _TERMS:
        return total
    with np.errstate(divide="ignore", invalid="ignore"):
        closed = alpha * -np.expm1(special.xlogy(n, alpha)) / (1 - alpha)
    return np.where(alpha == 1, float(n), closed)


def _log_binomial(n: int, j: NDArray) -> Floats:
    """Return the logarithm of the binomial coefficient."""
    return -np.log1p(n) - special.betaln(n - j + 1, j + 1)


def rom(p: Floats) -> Floats:
    """Adjust by Rom's step-up procedure, inverted exactly.

    Parameters
    ----------
    p : ndarray, shape (m,)

    Returns
    -------
    ndarray, shape (m,)
        The smallest alpha at which the procedure rejects. Never above Hochberg's.

    Notes
    -----
    scmamp's ``adjustRom`` is not step-up and is negative for two hypotheses; there is
    no package reference, the R reference is a derivation of its own.
    """
    return step_up(p, _smallest_levels) if len(p) else p.copy()


def _smallest_levels(p: Floats, i: Floats) -> Floats:
    """Return for the i-th smallest p-value the alpha whose critical value it is.

    ``c_r(alpha)`` lies between ``alpha / r`` and Sidak's ``1 - (1 - alpha)^(1/r)`` in
    first order, so ``r p`` brackets the root from above; log alpha is searched, since
    p may be 1e-60.
    """
    m = len(p)
    place = np.arange(m)[::-1]
    largest = rom_critical_values(np.array(1.0), m)[place]
    # Below 1e-100 the first term, alpha / r, is the whole critical value.
    levels = np.where(p < 1e-100, (place + 1) * p, 1.0)
    inside = np.flatnonzero((p >= 1e-100) & (p < largest))
    if not len(inside):
        return levels

    def excess(log_alpha: Floats, which: NDArray[np.float64]) -> Floats:
        rank = place[which.astype(int)]
        critical = rom_critical_values(np.exp(log_alpha), m)
        chosen = np.take_along_axis(critical, rank[None], axis=0)[0]
        return np.log(chosen) - np.log(p[which.astype(int)])

    low = np.log(p[inside])
    high = np.minimum(0.0, low + np.log(place[inside] + 1.0) + 1e-9)
    root = elementwise.find_root(
        excess,
        (low - 1e-9, high),
        args=(inside.astype(float),),
        tolerances={"xatol": 1e-16, "xrtol": 1e-16, "fatol": 0, "frtol": 0},
    )
    # exp(log p) may fall below p by rounding, an adjusted p-value must not.
    levels[inside] = np.maximum(np.exp(root.x), p[inside])
    return levels

"""Intervals of linear combinations of independent mean squares.

Each mean square is its expectation times chi-squared over its degrees of freedom.
Combinations may have coefficients of both signs, as components of variance have.

References
----------
.. [1] Ting, N., Burdick, R. K., Graybill, F. A., Jeyaratnam, S., Lu, T.-F. C. (1990).
   Confidence intervals on linear combinations of variance components that are
   unrestricted in sign. J. Stat. Comput. Simul. 35, 135-143.
.. [2] Burdick, R. K., Graybill, F. A. (1992). Confidence Intervals on Variance
   Components, sec. 3.3. Dekker.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from pycompare.base.typing import Bools, Floats


def modified_large_sample(
    coefficients: Floats, squares: Floats, df: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return the limits of sum c_q E(S_q), shape (...).

    Parameters
    ----------
    coefficients : ndarray, shape (k,)
        Of either sign; terms with 0 are left out.
    squares : ndarray, shape (..., k)
        Mean squares.
    df : ndarray, shape (k,)
        Their degrees of freedom.
    level : float
        Two-sided confidence level. One mean square has its exact interval.

    Returns
    -------
    low, high : ndarray, shape (...)
        NaN if a term has no degrees of freedom.
    """
    used = coefficients != 0
    parts = coefficients[used] * squares[..., used]
    n, positive = df[used], coefficients[used] > 0
    tail = (1 - level) / 2
    middle = parts.sum(axis=-1)
    if (n <= 0).any():
        return np.full(middle.shape, np.nan), np.full(middle.shape, np.nan)
    down = _half_width(np.abs(parts), n, positive, tail)
    up = _half_width(np.abs(parts), n, ~positive, tail)
    return middle - down, middle + up


def _half_width(parts: Floats, n: Floats, pulls: Bools, tail: float) -> Floats:
    """Return the distance of the limit to which the terms of ``pulls`` fall.

    ``parts`` are the terms without their signs. Those of ``pulls`` are taken at the
    ends at which they are small, the others at those at which they are large.
    """
    few = 1 - n / special.chdtri(n, tail)  # G = 1 - 1 / F(1 - tail; n, inf)
    many = n / special.chdtri(n, 1 - tail) - 1  # H = 1 / F(tail; n, inf) - 1
    factor = np.where(pulls, few, many)
    variance = np.sum((factor * parts) ** 2, axis=-1)
    for q in np.flatnonzero(pulls):
        for r in np.flatnonzero(~pulls):
            f = special.fdtri(n[q], n[r], 1 - tail)
            cross = ((f - 1) ** 2 - (few[q] * f) ** 2 - many[r] ** 2) / f
            variance = variance + cross * parts[..., q] * parts[..., r]
    group = np.flatnonzero(pulls)
    for i, q in enumerate(group):
        for s in group[i + 1 :]:
            both = n[q] + n[s]
            joint = 1 - both / special.chdtri(both, tail)
            cross = joint**2 * both**2 / (n[q] * n[s])
            cross -= few[q] ** 2 * n[q] / n[s] + few[s] ** 2 * n[s] / n[q]
            variance = (
                variance + cross / (len(group) - 1) * parts[..., q] * parts[..., s]
            )
    return np.sqrt(np.maximum(variance, 0.0))

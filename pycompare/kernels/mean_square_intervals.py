"""Intervals of linear combinations of independent mean squares, and of their shares.

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

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
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


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: Floats
    high: Floats


def variance_interval(mean_square: ArrayLike, df: ArrayLike, level: float) -> Interval:
    """Return the exact interval of the expectation of a mean square.

    ``df * mean_square`` over its expectation is chi2 on ``df`` degrees of freedom.
    """
    s, tail = np.asarray(mean_square, float), (1 - level) / 2
    return Interval(
        s / _upper_chi2(tail, np.asarray(df, float)),
        s / _upper_chi2(1 - tail, np.asarray(df, float)),
    )


def difference_interval(
    first: ArrayLike, second: ArrayLike, df: tuple[float, float], level: float
) -> Interval:
    """Return the interval of the difference of expectations of two mean squares.

    The modified large sample interval of Ting et al. (1990): approximate, exact if
    either expectation is 0. Its lower end is positive exactly when the F test of the
    two mean squares rejects at (1 - level) / 2.

    Parameters
    ----------
    first, second : array_like
        Independent mean squares; the interval is for first minus second.
    df : tuple of float
        Their degrees of freedom.
    level : float

    References
    ----------
    Ting, N., Burdick, R. K., Graybill, F. A., Jeyaratnam, S., Lu, T.-F. C. (1990).
    J. Stat. Comput. Simul. 35, 135-143. Burdick, R. K., Graybill, F. A. (1992).
    Confidence Intervals on Variance Components, sec. 3.3.
    """
    s1, s2 = np.asarray(first, float), np.asarray(second, float)
    # In units of the larger one, a power of two: squares of mean squares overflow.
    exponent = np.frexp(np.maximum(s1, s2))[1]
    s1, s2 = np.ldexp(s1, -exponent), np.ldexp(s2, -exponent)
    tail, (n1, n2) = (1 - level) / 2, df
    # Quantiles of F on (n1, n2), (n1, infinity), (n2, infinity), as the paper has them.
    f_up, f_down = special.fdtri(n1, n2, [1 - tail, tail])
    # Ting et al. (1990); Burdick & Graybill (1992), sec. 3.3: G_1, G_2, H_1, H_2.
    g1, g2 = (1 - 1 / _upper_chi2(tail, np.array([n1, n2]))).tolist()
    h1, h2 = (1 / _upper_chi2(1 - tail, np.array([n1, n2])) - 1).tolist()
    g12 = ((f_up - 1) ** 2 - (g1 * f_up) ** 2 - h2**2) / f_up
    h12 = ((1 - f_down) ** 2 - (h1 * f_down) ** 2 - g2**2) / f_down
    # The same: squared distances of both ends from the estimate.
    down = (g1 * s1) ** 2 + (h2 * s2) ** 2 + g12 * s1 * s2
    up = (h1 * s1) ** 2 + (g2 * s2) ** 2 + h12 * s1 * s2
    low = s1 - s2 - np.sqrt(np.maximum(0.0, down))
    high = s1 - s2 + np.sqrt(np.maximum(0.0, up))
    return Interval(np.ldexp(low, exponent), np.ldexp(high, exponent))


def _upper_chi2(tail: float, df: Floats) -> Floats:
    """Return the value that chi2/df exceeds with probability ``tail``."""
    quantile: Floats = special.chdtri(df, tail) / df
    return quantile


def share_interval(f: ArrayLike, df: tuple[float, float], level: float) -> Interval:
    """Return the exact interval of the second expectation over the first.

    ``f`` is the first mean square over the second; f times the share is F on ``df``.
    """
    tail = (1 - level) / 2
    # (s1 / E s1) / (s2 / E s2) is F on df.
    low, high = special.fdtri(*df, [tail, 1 - tail])
    return Interval(low / np.asarray(f, float), high / np.asarray(f, float))

"""The largest of correlated t statistics that share one error: Dunnett's distribution.

T_j = (sqrt(1 - l_j^2) X_j + l_j Z) / S with independent standard normals X_j and Z and
S^2 chi-square over its df degrees of freedom: correlations are products l_i l_j, which
holds if all comparisons share a control. Then

    P(max |T_j| > t) = int g(s) int phi(z) (1 - prod_j (1 - q_j(z, s t))) dz ds,
    q_j(z, w) = P(|sqrt(1 - l_j^2) X + l_j z| > w).

Nothing is subtracted from 1 (the bracket is -expm1(sum log1p(-q_j))), so tails keep
their digits. Both integrals are trapezoid sums of analytic functions that vanish at the
ends, z as it is and s on the log scale; they converge geometrically, and the steps
below leave about 13 digits.
"""

from __future__ import annotations

import math

import numpy as np
import scipy
from scipy import special

from pycompare.base.typing import Floats


def sf(t: float, loadings: Floats, df: float) -> float:
    """Return P(max |T_j| > t).

    Parameters
    ----------
    t : float
        At least 0; infinite gives 0, NaN NaN.
    loadings : ndarray, shape (m,)
        l_j in [0, 1); the correlation of two statistics is l_i l_j.
    df : float
        Degrees of freedom of the common error, at least 1.

    Notes
    -----
    R: ``1 - mvtnorm::pmvt(-t, t, df, corr)``, to its Monte Carlo error.
    """
    if math.isnan(t) or t == 0:
        return math.nan if math.isnan(t) else 1.0
    if math.isinf(t):
        return 0.0
    u, step = log_scales(t, df)
    # df S^2 is chi2: the density of u = log S is c exp(df (u - (exp(2 u) - 1) / 2)).
    log_density = df * (u - np.expm1(2 * u) / 2)
    # Where the density has no weight the tail, at most 1, is not needed.
    peak = -df / 2 * math.log1p(t * t / df)
    kept = log_density > peak - 60
    tails = _normal_tail(t * np.exp(u[kept]), loadings)
    constant = log_density_at_0(df)
    return min(1.0, float(np.exp(log_density[kept] + constant) @ tails) * step)


def isf(p: float, loadings: Floats, df: float) -> float:
    """Return the t with P(max |T_j| > t) = p."""
    low = float(-special.stdtrit(df, p / 2))
    high = float(-special.stdtrit(df, p / (2 * len(loadings))))
    if len(loadings) == 1 or low <= 0:
        return low
    # One comparison alone is the lower bound, Bonferroni the upper.

    def excess(t: float) -> float:
        return math.log(sf(t, loadings, df) / p)

    return float(scipy.optimize.brentq(excess, low * 0.999, high * 1.001, xtol=1e-13))


def log_density_at_0(df: float) -> float:
    """Return the log density of log S at S = 1, less that of its exponent there."""
    h = df / 2
    if h < 50:
        return math.log(2) + h * math.log(h) - h - float(special.gammaln(h))
    # Stirling's series: the large terms cancel on paper instead of in floats.
    series = 1 / (12 * h) - 1 / (360 * h**3) + 1 / (1260 * h**5)
    return math.log(2) + 0.5 * math.log(h / (2 * math.pi)) - series


def log_scales(t: float, df: float, coarse: float = 1.0) -> tuple[Floats, float]:
    """Return equal steps of log S that cover the integrand, and the step.

    ``coarse`` is how many times wider they are than 13 digits ask for.

    Far out the integrand has its peak at log(df / (df + t^2)) / 2, near t = 0 at 0, and
    falls on both sides like exp(df (d - expm1(2 d) / 2)).
    """
    left = 0.5 * math.log(df / (df + t * t)) - math.sqrt(40 / df) - 40 / df
    right = math.sqrt(40 / df)
    step = coarse * min(0.1, 0.3 / math.sqrt(2 * df))
    count = math.ceil((right - left) / step)
    nodes: Floats = left + step * np.arange(count + 1.0)
    return nodes, step


def _normal_tail(w: Floats, loadings: Floats) -> Floats:
    """Return P(max |sqrt(1 - l_j^2) X_j + l_j Z| > w) for each w."""
    own = np.sqrt(1 - loadings**2)
    step = 0.12 * min(1.0, float(np.min(own / np.maximum(loadings, 1e-9))))
    reach = min(38.0, 9.0 + float(np.max(w)))
    z = np.arange(0.0, reach, step)
    # Dunnett (1955): given Z the statistics are independent.
    weights = np.exp(-z * z / 2) * (step * math.sqrt(2 / math.pi))
    weights[0] /= 2  # the integrand is even in z
    kept = np.zeros((len(w), len(z)))
    for loading, scale in zip(loadings, own, strict=True):
        shift = loading * z
        outside = special.ndtr((shift - w[:, None]) / scale)
        outside += special.ndtr((-shift - w[:, None]) / scale)
        with np.errstate(divide="ignore"):
            kept += np.log1p(-np.minimum(outside, 1.0))
    tail: Floats = -np.expm1(kept) @ weights
    return tail


def product_loadings(correlation: Floats) -> Floats | None:
    """Return l with correlation l_i l_j off the diagonal; None if there is none.

    Signs are left out: T_j and -T_j have the same size, and l_j enters squared.
    """
    m = len(correlation)
    if m == 1:
        return np.zeros(1)
    signs = np.where(correlation[0] < 0, -1.0, 1.0)
    r = correlation * np.outer(signs, signs)
    if m == 2:
        loadings = np.full(2, math.sqrt(r[0, 1]))
    else:
        others = [[j for j in range(m) if j != i][:2] for i in range(m)]
        with np.errstate(divide="ignore", invalid="ignore"):
            # r_ij r_ik / r_jk = l_i^2, as for one common factor.
            squares = [r[i, j] * r[i, k] / r[j, k] for i, (j, k) in enumerate(others)]
        loadings = np.sqrt(np.maximum(np.nan_to_num(squares, posinf=1.0), 0.0))
    error = np.abs(np.outer(loadings, loadings) - r)
    np.fill_diagonal(error, 0.0)
    return loadings if error.max() < 1e-12 and loadings.max() < 1 else None

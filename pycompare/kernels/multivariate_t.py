"""The largest of correlated t statistics that share one error, any correlations.

T_j = X_j / S with X normal, correlation matrix R, and S^2 chi-square over its df
degrees of freedom. If correlations are products `many_to_one` has the probability by
quadrature. Here the integral over S is the same trapezoid sum, and that over X is made
by conditioning one X_j after the other on those before (Genz and Bretz 2002):

    P(max |X_j| > w) = E(1 - prod_j (1 - q_j)),
    q_j = P(|X_j| > w | X_1, ..., X_{j-1}, each at most w),

over the unit cube of uniform numbers that make X_1, ..., X_{m-1}. The mean over
scrambled Sobol points is taken of the difference from the correlations l_i l_j next to
R, whose own probability is known to 13 digits (a control variate). Independent
scramblings give the standard error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels import many_to_one
from pycompare.kernels.many_to_one import log_density_at_0, log_scales

_SCRAMBLINGS = 8
_POINTS = 256
"""Of each scrambling, a power of two."""
_COARSE = 2.0
"""Steps over S are so much wider than for 13 digits."""


@dataclass(frozen=True)
class Probability:
    """An integral over random points, and its standard error."""

    value: float
    error: float


def sf(t: float, correlation: Floats, df: float, cube: Floats) -> Probability:
    """Return P(max |T_j| > t).

    Parameters
    ----------
    t : float
        At least 0; infinite gives 0, NaN NaN.
    correlation : ndarray, shape (m, m)
        Positive definite.
    df : float
        Degrees of freedom of the common error, at least 1.
    cube : ndarray, shape (scramblings, points, dimensions >= m - 1)
        Uniform numbers; see ``uniform_cube``.

    Notes
    -----
    R: ``1 - mvtnorm::pmvt(-t, t, df, corr)``.

    References
    ----------
    .. [1] Genz, A., Bretz, F. (2002). J. Comput. Graph. Statist. 11, 950-971.
    """
    if math.isnan(t) or t == 0:
        return Probability(math.nan if math.isnan(t) else 1.0, 0.0)
    if math.isinf(t):
        return Probability(0.0, 0.0)
    # The largest of all lies between one alone and Bonferroni's bound.
    alone = 2 * float(special.stdtr(df, -t))
    loadings = _one_factor(correlation)
    near = np.outer(loadings, loadings)
    np.fill_diagonal(near, 1.0)
    apart = over_scales(t, (correlation, near), df, cube)
    error = float(apart.std(ddof=1)) / math.sqrt(len(apart))
    value = many_to_one.sf(t, np.abs(loadings), df) + float(apart.mean())
    return Probability(min(max(value, alone), 1.0, len(correlation) * alone), error)


def isf(p: float, correlation: Floats, df: float, cube: Floats) -> float:
    """Return the t with P(max |T_j| > t) = p, over the same random points."""
    m = len(correlation)
    low, high = (float(-special.stdtrit(df, p / (2 * n))) for n in (1, m))
    if m == 1 or low <= 0:
        return low

    def excess(t: float) -> float:
        return math.log(sf(t, correlation, df, cube).value / p)

    if excess(low) <= 0:  # all are one comparison, nearly
        return low
    return float(scipy.optimize.brentq(excess, low, high * 1.001, xtol=1e-7))


def uniform_cube(dimensions: int, seed: int) -> Floats:
    """Return scrambled Sobol points, shape (SCRAMBLINGS, POINTS, dimensions)."""
    from scipy.stats import qmc  # takes long to import, and few need it

    rng = np.random.default_rng(seed)
    return np.stack(
        [
            qmc.Sobol(max(dimensions, 1), scramble=True, rng=rng).random(_POINTS)
            for _ in range(_SCRAMBLINGS)
        ]
    )


def _one_factor(correlation: Floats) -> Floats:
    """Return l whose products l_i l_j are near the correlations, by least squares."""
    r = correlation - np.eye(len(correlation))
    loadings = np.sqrt(np.abs(r).max(axis=1)) * np.where(correlation[0] < 0, -1, 1)
    for _ in range(100):
        for i in range(len(r)):
            others = np.sum(loadings**2) - loadings[i] ** 2
            if others > 0:
                loadings[i] = np.clip(r[i] @ loadings / others, -0.99, 0.99)
    return loadings


def over_scales(
    t: float, correlations: tuple[Floats, Floats], df: float, cube: Floats
) -> Floats:
    """Return the difference of P(max |T_j| > t) of two correlations, by scrambling."""
    u, step = log_scales(t, df, coarse=_COARSE)
    log_density = df * (u - np.expm1(2 * u) / 2)
    peak = -df / 2 * math.log1p(t * t / df)
    kept = log_density > peak - 40
    weights = np.exp(log_density[kept] + log_density_at_0(df)) * step
    w = t * np.exp(u[kept])
    roots: list[Floats] = [np.linalg.cholesky(r).astype(float) for r in correlations]
    apart = [_normal_tail(w, roots[0], x) - _normal_tail(w, roots[1], x) for x in cube]
    difference: Floats = np.array(apart) @ weights
    return difference


def _normal_tail(w: Floats, root: Floats, points: Floats) -> Floats:
    """Return P(max |X_j| > w) for each w, shape (len(w),), over one set of points."""
    m = len(root)
    x = np.empty((m, len(w), len(points)))
    inside = np.zeros(x.shape[1:])  # the logarithm of prod (1 - q_j)
    for j in range(m):
        shift = np.tensordot(root[j, :j], x[:j], axes=1)
        below = special.ndtr((-w[:, None] - shift) / root[j, j])
        # Genz & Bretz (2002): condition X_j on those before by the Cholesky factor.
        q = below + special.ndtr((shift - w[:, None]) / root[j, j])
        with np.errstate(divide="ignore"):
            inside += np.log1p(-np.minimum(q, 1.0))
        if j < m - 1:
            x[j] = special.ndtri(below + points[:, j] * np.maximum(1 - q, 1e-300))
            np.clip(x[j], -38.0, 38.0, out=x[j])
    tail: Floats = -np.expm1(inside).mean(axis=1)
    return tail

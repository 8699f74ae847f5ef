"""The largest of t statistics that share one error, with any correlations.

T_j = l_j' Z / S with Z standard normal in r dimensions, l_j of length 1 (their products
are the correlations), and df S^2 chi-square. Z has a direction U, uniform on the
sphere, and a length of its own: its square over r S^2 is F(r, df). So

    P(max |T_j| > t) = E P(F > t^2 / (r a^2)), a = max_j |l_j' U|.

In two dimensions that is a quadrature over one angle. In more it is a mean over
scrambled Sobol points, made again and again for its standard error; sum_j P(F > t^2 /
(r (l_j' U)^2)), whose mean is known, is a control variate. Directions do not depend on
t and df: they are drawn once for all comparisons of a family.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from scipy import special

from pycompare.base.typing import Floats

_RANK = 1e-10
"""The rest of a variance of 1 below this is 0."""
_TIE = 1e-8
"""Variances that differ by less are equal: the first of them is the pivot."""
_SCRAMBLINGS, _POINTS = 64, 512
_CELLS = 4096
"""Projections are counted on a grid of so many cells, each shared by its two ends."""
_NODES = 60


@dataclass(frozen=True, eq=False)
class LargestTDistribution:
    """The distribution of the largest of some |T_j|.

    Attributes
    ----------
    many, dimensions : int
        Statistics, and r.
    nodes : ndarray, shape (k,)
        Projections a.
    largest : ndarray, shape (repeats, k)
        How often the largest projection of a direction is one of the nodes, sum 1.
    every : ndarray, shape (repeats, k), or None
        How many of the statistics have it, on average; None by quadrature.
    """

    many: int
    dimensions: int
    nodes: Floats
    largest: Floats
    every: Floats | None

    def sf(self, t: float, df: float) -> tuple[float, float]:
        """Return P(max |T_j| > t) and its standard error, 0 by quadrature.

        Notes
        -----
        R: ``1 - mvtnorm::pmvt(-t, t, df, corr)``.
        """
        if math.isnan(t) or t <= 0:
            return (math.nan if math.isnan(t) else 1.0), 0.0
        alone = 2 * float(special.stdtr(df, -t))
        beyond = self._beyond(t, df)
        reached, error = self.largest @ beyond, 0.0
        if self.every is not None:
            known = self.every @ beyond
            apart = known - known.mean()
            size = float(apart @ apart)
            slope = float(apart @ reached) / size if size > 0 else 0.0
            reached = reached - slope * (known - self.many * alone)
            error = float(reached.std(ddof=2)) / math.sqrt(len(reached))
        value = float(reached.mean())
        # One comparison alone is the lower bound, Bonferroni the upper.
        return min(max(value, alone), 1.0, self.many * alone), error

    def _beyond(self, t: float, df: float) -> Floats:
        """Return P(F > t^2 / (r a^2)) at the nodes."""
        r = self.dimensions
        with np.errstate(divide="ignore", over="ignore"):
            x = np.square(t / self.nodes) / r
        if math.isinf(df):
            return np.asarray(special.chdtrc(r, r * x))
        return np.asarray(special.fdtrc(r, df, x))

    def isf(self, p: float, df: float) -> float:
        """Return the t with P(max |T_j| > t) = p, over the same directions."""
        low, high = (float(-special.stdtrit(df, p / (2 * n))) for n in (1, self.many))
        if self.many == 1 or low <= 0:
            return low

        def excess(t: float) -> float:
            return math.log(self.sf(t, df)[0] / p)

        if excess(low) <= 0:  # all are one comparison, nearly
            return low
        return float(scipy.optimize.brentq(excess, low, high * 1.001, xtol=1e-12))


def largest_t(correlation: Floats, seed: int) -> LargestTDistribution:
    """Return the distribution for a correlation matrix of any rank.

    Parameters
    ----------
    correlation : ndarray, shape (m, m)
        Positive semidefinite, perhaps singular; 1 on the diagonal.
    seed : int
        Used if the rank is 3 or more.

    References
    ----------
    .. [1] Genz, A., Bretz, F. (2009). Computation of Multivariate Normal and t
       Probabilities. Springer, ch. 4.
    """
    rows = _loadings(correlation)
    m, r = rows.shape
    if r == 1:
        return LargestTDistribution(m, r, np.ones(1), np.ones((1, 1)), None)
    if r == 2:
        return LargestTDistribution(m, r, *_on_circle(rows), None)
    return LargestTDistribution(m, r, *_on_sphere(rows, seed))


def _loadings(correlation: Floats) -> Floats:
    """Return rows of length 1 with these products, shape (m, r).

    By Cholesky's factor with pivots. Eigenvectors of equal eigenvalues turn with the
    last digits of the correlations, and with them the directions of a seed.
    """
    rest, columns = correlation.copy(), []
    while (top := np.diag(rest).max()) > _RANK:
        pivot = int(np.argmax(np.diag(rest) >= top - _TIE))
        column = rest[:, pivot] / math.sqrt(rest[pivot, pivot])
        columns.append(column)
        rest = rest - np.outer(column, column)
        rest[pivot] = rest[:, pivot] = 0.0
    rows = np.stack(columns, axis=1)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def _on_circle(rows: Floats) -> tuple[Floats, Floats]:
    """Return the nodes of a quadrature over the angle, and its weights."""
    # The nearest of the lines decides, and between two lines that is half of the gap.
    angles = np.sort(np.arctan2(rows[:, 1], rows[:, 0]) % np.pi)
    gaps = np.append(np.diff(angles), angles[0] + np.pi - angles[-1])
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    offset = np.outer(gaps / 4, 1 + nodes)
    part = np.outer(gaps / (2 * np.pi), weights)
    return np.cos(offset).ravel(), part.reshape(1, -1)


def _on_sphere(rows: Floats, seed: int) -> tuple[Floats, Floats, Floats]:
    """Return a grid of projections, and how often random directions have them."""
    from scipy.stats import qmc  # takes long to import, and few need it

    rng = np.random.default_rng(seed)
    largest, every = [], []
    for _ in range(_SCRAMBLINGS):
        cube = qmc.Sobol(rows.shape[1], scramble=True, rng=rng).random(_POINTS)
        z = special.ndtri(np.clip(cube, 1e-12, 1 - 1e-12))
        a = np.abs(z @ rows.T) / np.linalg.norm(z, axis=1, keepdims=True)
        largest.append(_counted(a.max(axis=1)) / _POINTS)
        every.append(_counted(a.ravel()) / _POINTS)
    return np.arange(_CELLS + 1) / _CELLS, np.array(largest), np.array(every)


def _counted(a: Floats) -> Floats:
    """Return how much of some projections each node of the grid gets."""
    place = np.minimum(a, 1.0) * _CELLS
    left = np.minimum(place.astype(np.intp), _CELLS - 1)
    over = place - left
    shares = (left, 1 - over), (left + 1, over)
    return np.sum([np.bincount(at, w, _CELLS + 1) for at, w in shares], axis=0)

"""Random effects of differences over studies that compare some of several methods.

Estimates of a study, differences with its first method, are y_i ~ N(X_i d, V_i + tau2
M), M with 1 on the diagonal and 1/2 off it: all true differences of a study vary by
tau2. A basis of each study in which V_i is the identity and M is diagonal makes all
rows independent, with variances 1 + tau2 l.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, optimize, special

from pycompare.base.typing import Floats
from pycompare.kernels.ranks import tie_width

_GRID, _STEPS, _TINY = 400, 60, 1e-12
"""Values of tau2 that are looked at, on a log scale from ``_TINY`` of the largest."""
_CELLS = 2**18
"""Numbers of all rows at some values of tau2 that are held at once."""


@dataclass(frozen=True)
class IndependentRows:
    """Independent rows y ~ N(X d, 1 + tau2 l).

    Attributes
    ----------
    y : ndarray, shape (n,)
    x : ndarray, shape (n, p)
        Of rank p.
    spread : ndarray, shape (n,)
        The l.
    """

    y: Floats
    x: Floats
    spread: Floats

    @property
    def df(self) -> int:
        """IndependentRows beyond the differences that are estimated."""
        return self.x.shape[0] - self.x.shape[1]


@dataclass(frozen=True)
class Network:
    """Differences with the first method, and the variance between studies.

    Attributes
    ----------
    d : ndarray, shape (p,)
    covariance : ndarray, shape (p, p)
        With known variances.
    scale : float
        Mean square of the weighted residuals, by which Hartung and Knapp multiply it.
    tau2, tau2_low, tau2_high : float
        Restricted maximum likelihood, with limits by the Q profile.
    q : float
        Weighted sum of squares with tau2 = 0.
    """

    d: Floats
    covariance: Floats
    scale: float
    tau2: float
    tau2_low: float
    tau2_high: float
    q: float


def independent_rows(y: Floats, x: Floats, variance: Floats) -> IndependentRows:
    """Return the rows of one study, made independent; ``variance`` is positive."""
    k = len(y)
    between = (np.eye(k) + 1) / 2
    spread, basis = linalg.eigh(between, variance)
    return IndependentRows(basis.T @ y, basis.T @ x, spread)


def fitted(rows: IndependentRows, level: float) -> Network:
    """Return the differences of a network; ``level`` is that of the limits of tau2."""
    tau2 = _reml(rows)
    d, covariance, q = _weighted(rows, tau2)
    low, high = _profile(rows, level)
    return Network(
        d, covariance, q / rows.df, tau2, low, high, q=_weighted(rows, 0.0)[2]
    )


def _reml(rows: IndependentRows) -> float:
    """Return the tau2 >= 0 of the highest restricted likelihood."""
    top = _largest_tau2(rows)
    if top == 0:
        return 0.0
    grid = np.concatenate([[0.0], np.geomspace(_TINY * top, top, _GRID)])
    some = max(1, _CELLS // rows.x.size)
    parts = [_scores(grid[i : i + some], rows) for i in range(0, len(grid), some)]
    slope = np.concatenate(parts)
    rising = np.flatnonzero((slope[:-1] > 0) & (slope[1:] <= 0))
    candidates = [
        float(
            optimize.brentq(
                _score, grid[i], grid[i + 1], args=(rows,), xtol=1e-300, rtol=1e-15
            )
        )
        for i in rising
    ]
    if slope[0] <= 0 or not candidates:
        candidates.append(0.0)
    return max(candidates, key=lambda t: _likelihood(t, rows))


def _weighted(rows: IndependentRows, tau2: float) -> tuple[Floats, Floats, float]:
    """Return differences, their covariance and the weighted sum of squares."""
    root = 1 / np.sqrt(1 + tau2 * rows.spread)
    q, r = np.linalg.qr(root[:, None] * rows.x)
    z = root * rows.y
    d = linalg.solve_triangular(r, q.T @ z)
    inverse = linalg.solve_triangular(r, np.eye(len(r)))
    rest = z - q @ (q.T @ z)
    # Estimates that agree have residuals of rounding only, which are none.
    rest[np.abs(rest) <= tie_width(np.abs(z).max())] = 0.0
    return d, inverse @ inverse.T, float(rest @ rest)


def _largest_tau2(rows: IndependentRows) -> float:
    """Return a tau2 from which on the restricted likelihood falls."""
    root = 1 / np.sqrt(rows.spread)
    q, _ = np.linalg.qr(root[:, None] * rows.x)
    z = root * rows.y
    rest = z - q @ (q.T @ z)
    return float(rest @ rest) * 4 * len(z)


def _score(tau2: float, rows: IndependentRows) -> float:
    """Return twice the derivative of the restricted likelihood."""
    return float(_scores(np.array([tau2]), rows)[0])


def _scores(tau2: Floats, rows: IndependentRows) -> Floats:
    """Return twice the derivative of the restricted likelihood at each tau2."""
    w = 1 / (1 + tau2[:, None] * rows.spread)
    root = np.sqrt(w)
    q, _ = np.linalg.qr(root[:, :, None] * rows.x)
    z = root * rows.y
    rest = z - (q @ (q.mT @ z[:, :, None]))[:, :, 0]
    share = w * rows.spread
    return np.asarray(
        np.sum(share * (rest**2 - 1), axis=1)
        + np.sum(share[:, :, None] * q**2, axis=(1, 2))
    )


def _likelihood(tau2: float, rows: IndependentRows) -> float:
    """Return twice the restricted likelihood, less a constant."""
    w = 1 / (1 + tau2 * rows.spread)
    _, covariance, q = _weighted(rows, tau2)
    return float(np.sum(np.log(w)) + np.linalg.slogdet(covariance)[1] - q)


def _profile(rows: IndependentRows, level: float) -> tuple[float, float]:
    """Return limits of tau2 at which Q is a quantile of chi2 (Viechtbauer 2007)."""
    tail = (1 - level) / 2
    limits = []
    for p in (tail, 1 - tail):
        quantile = float(special.chdtri(rows.df, p))
        at_zero = _weighted(rows, 0.0)[2] > quantile
        limits.append(_where_q_is(quantile, rows) if at_zero else 0.0)
    return limits[0], limits[1]


def _where_q_is(quantile: float, rows: IndependentRows) -> float:
    """Return the tau2 at which the weighted sum of squares has fallen to a value."""
    high = _largest_tau2(rows) / quantile
    for _ in range(_STEPS):
        if _weighted(rows, high)[2] < quantile:
            break
        high *= 4
    return float(
        optimize.brentq(
            lambda t: _weighted(rows, t)[2] - quantile,
            *(0.0, high),
            xtol=1e-300,
            rtol=1e-15,
        )
    )

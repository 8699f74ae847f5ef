"""Random-effects synthesis of estimates with known standard errors.

Estimates y_i ~ N(mu, v_i + tau2). The restricted likelihood of tau2 may have several
maxima: all roots of its derivative on a grid are refined, and the highest counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from pycompare.base.typing import Floats
from pycompare.kernels.ranks import tie_width

_GRID = 400
"""Points at which the derivative of the likelihood is looked at, on a log scale."""
_CELLS = 2**18
"""Numbers of all studies at some values of tau2 that are held at once."""
_STEPS = 60
_TINY = 1e-12
"""Smallest tau2 but 0 that is tried, as a share of the largest."""


@dataclass(frozen=True)
class RandomEffects:
    """A mean with the variance between studies.

    Attributes
    ----------
    mean, std_error, wald_error : float
        ``std_error`` by Hartung and Knapp, ``wald_error`` with known variances.
    tau2, tau2_low, tau2_high : float
        Restricted maximum likelihood, with limits by the Q profile.
    q : float
        Cochran's Q of equal true values.
    typical : float
        Variance within a typical study (Higgins and Thompson).
    weights : ndarray, shape (k,)
        Shares of the studies in the mean; they sum to 1.
    empty : bool
        Whether no tau2 fits the estimates: they are closer than their errors allow.
    """

    mean: float
    std_error: float
    wald_error: float
    tau2: float
    tau2_low: float
    tau2_high: float
    q: float
    typical: float
    weights: Floats
    empty: bool


def random_effects(y: Floats, variance: Floats, level: float) -> RandomEffects:
    """Return the synthesis of k estimates with their variances.

    Parameters
    ----------
    y, variance : ndarray, shape (k,), k >= 2
        In a unit in which squares neither overflow nor vanish.
    level : float
        Of the limits of tau2.
    """
    k = len(y)
    tau2 = reml(y, variance)
    w = 1 / (variance + tau2)
    mean = float(np.sum(w * y) / np.sum(w))
    away = y - mean
    # Equal estimates have a mean that is rounded, and no residuals.
    away[np.abs(away) <= tie_width(np.abs(y).max())] = 0.0
    # Hartung & Knapp (2001), eq. 3: the weighted mean square of residuals.
    spread = float(np.sum(w * away**2) / (k - 1))
    low, high, empty = _profile(y, variance, level)
    fixed = 1 / variance
    return RandomEffects(
        mean=mean,
        std_error=float(np.sqrt(spread / np.sum(w))),
        wald_error=float(1 / np.sqrt(np.sum(w))),
        tau2=tau2,
        tau2_low=low,
        tau2_high=high,
        q=generalised_q(0.0, y, variance),
        # Higgins & Thompson (2002), eq. 9.
        typical=float((k - 1) / (np.sum(fixed) - np.sum(fixed**2) / np.sum(fixed))),
        weights=w / np.sum(w),
        empty=empty,
    )


def reml(y: Floats, variance: Floats) -> float:
    """Return the tau2 >= 0 of the highest restricted likelihood."""
    top = _largest_tau2(y)
    if top == 0:
        return 0.0
    grid = np.concatenate([[0.0], np.geomspace(_TINY * top, top, _GRID)])
    some = max(1, _CELLS // len(y))
    parts = [
        _scores(grid[i : i + some], y, variance) for i in range(0, len(grid), some)
    ]
    slope = np.concatenate(parts)
    rising = np.flatnonzero((slope[:-1] > 0) & (slope[1:] <= 0))
    roots = [
        float(
            optimize.brentq(
                _score,
                grid[i],
                grid[i + 1],
                args=(y, variance),
                xtol=1e-300,
                rtol=1e-15,
            )
        )
        for i in rising
    ]
    candidates = roots + ([0.0] if slope[0] <= 0 else [])
    return max(candidates, key=lambda t: _likelihood(t, y, variance))


def _largest_tau2(y: Floats) -> float:
    """Return a tau2 from which on the restricted likelihood falls.

    Its derivative is negative if (k - 1) (v + tau2) exceeds the sum of squares.
    """
    return float(np.sum((y - y.mean()) ** 2)) * 4 * len(y)


def _score(tau2: float, y: Floats, variance: Floats) -> float:
    """Return twice the derivative of the restricted likelihood."""
    return float(_scores(np.array([tau2]), y, variance)[0])


def _scores(tau2: Floats, y: Floats, variance: Floats) -> Floats:
    """Return twice the derivative of the restricted likelihood at each tau2."""
    w = 1 / (variance + tau2[:, None])
    total = w.sum(axis=1)
    residual = y - ((w * y).sum(axis=1) / total)[:, None]
    return np.asarray(
        (w**2 * residual**2).sum(axis=1) - total + (w**2).sum(axis=1) / total
    )


def _likelihood(tau2: float, y: Floats, variance: Floats) -> float:
    """Return twice the restricted likelihood, less a constant."""
    w = 1 / (variance + tau2)
    total = np.sum(w)
    residual = y - np.sum(w * y) / total
    return float(np.sum(np.log(w)) - np.log(total) - np.sum(w * residual**2))


def generalised_q(tau2: float, y: Floats, variance: Floats) -> float:
    """Return the weighted sum of squares about the mean; it falls with tau2."""
    w = 1 / (variance + tau2)
    return float(np.sum(w * (y - np.sum(w * y) / np.sum(w)) ** 2))


def _profile(y: Floats, variance: Floats, level: float) -> tuple[float, float, bool]:
    """Return limits of tau2 at which Q is a quantile of chi2 (Viechtbauer 2007)."""
    df = len(y) - 1
    tail = (1 - level) / 2
    above, below = special.chdtri(df, tail), special.chdtri(df, 1 - tail)
    at_zero = generalised_q(0.0, y, variance)
    limits = [
        _where_q_is(quantile, y, variance) if at_zero > quantile else 0.0
        for quantile in (above, below)
    ]
    return limits[0], limits[1], bool(at_zero <= below)


def _where_q_is(quantile: float, y: Floats, variance: Floats) -> float:
    """Return the tau2 at which Q has fallen to a value."""
    high = _largest_tau2(y) / quantile
    for _ in range(_STEPS):
        if generalised_q(high, y, variance) < quantile:
            break
        high *= 4
    return float(
        optimize.brentq(
            lambda t: generalised_q(t, y, variance) - quantile,
            0.0,
            high,
            xtol=1e-300,
            rtol=1e-15,
        )
    )

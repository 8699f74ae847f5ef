"""Noncentral F distribution: cumulative probability and limits of its noncentrality.

With noncentrality L, P(F <= f) is the mean over Poisson(L / 2) numbers j of the
incomplete beta function I_x(d1/2 + j, d2/2) at x = d1 f / (d1 f + d2). All terms are
positive: the sum over the Poisson weights above 1e-18 of the largest has 13 digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import scipy
from numpy.polynomial.polynomial import polyval
from scipy import special

from pycompare.typing import Floats, Indices

_SERIES = tuple((-1) ** k / (k * (k - 1)) for k in range(2, 16))
_MANY = 1000.0
"""From this mean on Poisson counts need more careful arithmetic."""
LARGE = 1e12
"""From this noncentrality on the numerator of F has no spread that a share of variance
would show: its error is below 1e-16."""


def cdf(f: float, df1: float, df2: float, noncentrality: float) -> float:
    """Return P(F <= f) for noncentrality >= 0. R: ``pf(f, df1, df2, ncp)``."""
    half = noncentrality / 2
    # Poisson tails fall below 1e-18 within 9 standard deviations and 40 counts. Many
    # counts are a smooth curve, and every tenth of a standard deviation is enough.
    reach = 9 * math.sqrt(half) + 40
    step = max(1, int(math.sqrt(half) / 10))
    j = np.arange(max(0, math.floor(half - reach)), math.ceil(half + reach), step)
    shape = _poisson_log_shape(j.astype(float), half)
    # P(F <= f) = sum over j of Poisson(j; L / 2) I_x(d1 / 2 + j, d2 / 2).
    weights = np.exp(shape - shape.max())
    if half < _MANY:
        below = special.betainc(df1 / 2 + j, df2 / 2, df1 * f / (df1 * f + df2))
    else:  # slower, but powers of an x close to 1 keep their digits
        below = special.betaincc(df2 / 2, df1 / 2 + j, df2 / (df1 * f + df2))
    # Rounding of the sum may carry it past 1, which has no normal quantile.
    return min(1.0, float(weights @ below / weights.sum()))


def _poisson_log_shape(j: Floats, mean: float) -> Floats:
    """Return log probabilities of Poisson counts, less a constant."""
    if mean < _MANY:
        return special.xlogy(j, mean) - special.gammaln(j + 1)
    # Stirling's formula, with (1 + t) log(1 + t) - t as a series where it cancels.
    t = (j - mean) / mean
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = (1 + t) * np.log1p(t) - t
    series = t * t * polyval(t, _SERIES)
    deviance = np.where(np.abs(t) < 0.05, series, plain)
    found: Floats = -mean * deviance - np.log(j) / 2 - 1 / (12 * j)
    return found


@lru_cache(maxsize=256)
def noncentrality(f: float, df1: float, df2: float, p: float) -> float:
    """Return the noncentrality at which P(F <= f) is p; 0 if there is none.

    P falls as the noncentrality rises, from that of the central F distribution.
    """
    if df1 * f > LARGE:
        return float(df1 * f / df2 * special.chdtri(df2, p))
    if cdf(f, df1, df2, 0.0) <= p:
        return 0.0
    wanted = float(special.ndtri(p))

    def excess(root: float) -> float:
        # On these scales, normal quantile and square root, the curve is nearly a line.
        z = float(special.ndtri(cdf(f, df1, df2, root * root)))
        return min(max(z, -40.0), 40.0) - wanted

    low = high = math.sqrt(df1 * f)
    step = 1.0
    while excess(low) < 0:
        low, step = max(0.0, low - step), 2 * step
    step = 1.0
    while excess(high) > 0:
        high, step = high + step, 2 * step
    return float(scipy.optimize.brentq(excess, low, high, xtol=1e-13, rtol=1e-13)) ** 2


_FEW = 1e4
"""Up to this numerator of F scipy's ``ncfdtr`` takes microseconds."""


def noncentralities(f: Floats, df1: Floats, df2: Floats, p: float) -> Floats:
    """Return ``noncentrality`` of many F; NaN where F is not finite."""
    found = np.full(f.shape, np.nan)
    known = np.isfinite(f)
    found[known] = 0.0
    positive = np.zeros(f.shape, bool)
    positive[known] = special.fdtr(df1[known], df2[known], f[known]) > p
    few = positive & (df1 * f <= _FEW)
    if few.any():
        found[few] = np.square(_roots(f[few], df1[few], df2[few], p))
    for i in np.flatnonzero(positive & ~few):
        found[i] = noncentrality(float(f[i]), float(df1[i]), float(df2[i]), p)
    return found


def _roots(f: Floats, df1: Floats, df2: Floats, p: float) -> Floats:
    """Return the roots of noncentralities by false position (Illinois)."""
    wanted = float(special.ndtri(p))

    def excess(root: Floats, at: Indices) -> Floats:
        # As in `noncentrality`: on these scales the curve is nearly a line.
        below = special.ncfdtr(df1[at], df2[at], root * root, f[at])
        z = special.ndtri(np.minimum(below, 1.0))
        return np.asarray(np.clip(z, -40.0, 40.0) - wanted)

    middle = np.sqrt(df1 * f)
    low, above = _end(middle, excess, -1.0)
    high, below = _end(middle, excess, 1.0)
    found, active, last = low.copy(), np.arange(len(f)), np.zeros(len(f))
    for _ in range(100):
        a, b = above[active], below[active]
        flat = a == b  # both are 0
        x = low[active] + (high - low)[active] * a / np.where(flat, 1.0, a - b)
        value = excess(x, active)
        found[active] = x
        left = value > 0
        at, other = active[left], active[~left]
        # An end that stays for a second time counts half.
        below[at] *= np.where(last[at] > 0, 0.5, 1.0)
        above[other] *= np.where(last[other] < 0, 0.5, 1.0)
        low[at], above[at], last[at] = x[left], value[left], 1.0
        high[other], below[other], last[other] = x[~left], value[~left], -1.0
        wide = high[active] - low[active] > 1e-13 * high[active]
        active = active[wide & (np.abs(value) > 1e-13)]
        if not len(active):
            break
    return found


def _end(
    start: Floats, excess: Callable[[Floats, Indices], Floats], sign: float
) -> tuple[Floats, Floats]:
    """Return ends of intervals on one side of the roots, and the excess there."""
    end, active, step = start.copy(), np.arange(len(start)), 1.0
    value = excess(end, active)
    active = active[sign * value[active] > 0]
    while len(active):
        end[active] = np.maximum(end[active] + sign * step, 0.0)
        value[active] = excess(end[active], active)
        # At 0 the excess is positive: it is where the central F was compared.
        active = active[(sign * value[active] > 0) & (end[active] > 0)]
        step *= 2
    return end, value

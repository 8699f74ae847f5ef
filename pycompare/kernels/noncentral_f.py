"""Noncentral F distribution: cumulative probability and limits of its noncentrality.

With noncentrality L, P(F <= f) is the mean over Poisson(L / 2) numbers j of the
incomplete beta function I_x(d1/2 + j, d2/2) at x = d1 f / (d1 f + d2). All terms are
positive: the sum over the Poisson weights above 1e-18 of the largest has 13 digits.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, special


def cdf(f: float, df1: float, df2: float, noncentrality: float) -> float:
    """Return P(F <= f) for noncentrality >= 0. R: ``pf(f, df1, df2, ncp)``."""
    half = noncentrality / 2
    # Poisson tails fall below 1e-18 within 9 standard deviations and 40 counts.
    reach = 9 * math.sqrt(half) + 40
    j = np.arange(max(0, math.floor(half - reach)), math.ceil(half + reach))
    weights = np.exp(special.xlogy(j, half) - half - special.gammaln(j + 1))
    x = df1 * f / (df1 * f + df2)
    below = special.betainc(df1 / 2 + j, df2 / 2, x)
    return float(weights @ below / weights.sum())


def noncentrality(f: float, df1: float, df2: float, p: float) -> float:
    """Return the noncentrality at which P(F <= f) is p; 0 if there is none.

    P falls as the noncentrality rises, from that of the central F distribution.
    """
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
    return float(optimize.brentq(excess, low, high, xtol=1e-13, rtol=1e-13)) ** 2

"""Limits of the noncentrality of a noncentral F distribution, of many F at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from pycompare.base.typing import Floats, Indices

LARGE = 1e8
"""From this numerator of F on its own spread changes the limit by less than 1e-7 of it,
and a share of variance by less than 1e-15. SciPy's function ends at 2e10."""


def cdf(f: float, df1: float, df2: float, noncentrality: float) -> float:
    """Return P(F <= f) for noncentrality from 0 to 1e10.

    Notes
    -----
    R: ``pf(f, df1, df2, ncp)``.
    """
    # Rounding may carry it past 1, which has no normal quantile.
    return min(1.0, float(special.ncfdtr(df1, df2, noncentrality, f)))


def noncentrality(f: float, df1: float, df2: float, p: float) -> float:
    """Return the noncentrality at which P(F <= f) is p; 0 if there is none.

    P falls as the noncentrality rises, from that of the central F distribution.
    """
    columns = np.array([[f], [df1], [df2]], float)
    return float(noncentralities(columns[0], columns[1], columns[2], p)[0])


def noncentralities(f: Floats, df1: Floats, df2: Floats, p: float) -> Floats:
    """Return ``noncentrality`` of many F; NaN if F is not finite."""
    parameters = np.full(f.shape, np.nan)
    known = np.isfinite(f)
    parameters[known] = 0.0
    large = known & (df1 * f > LARGE)
    parameters[large] = (df1 * f / df2)[large] * special.chdtri(df2[large], p)
    at = np.flatnonzero(known & ~large)
    at = at[special.fdtr(df1[at], df2[at], f[at]) > p]
    if len(at):
        parameters[at] = np.square(_roots(f[at], df1[at], df2[at], p))
    return parameters


def _roots(f: Floats, df1: Floats, df2: Floats, p: float) -> Floats:
    """Return the roots of noncentralities by false position (Illinois)."""
    wanted = float(special.ndtri(p))

    def excess(root: Floats, at: Indices) -> Floats:
        # On these scales, normal quantile and square root, the curve is nearly a line.
        below = special.ncfdtr(df1[at], df2[at], root * root, f[at])
        z = special.ndtri(np.minimum(below, 1.0))
        return np.asarray(np.clip(z, -40.0, 40.0) - wanted)

    middle = np.sqrt(df1 * f)
    low, above = _end(middle, excess, -1.0)
    high, below = _end(middle, excess, 1.0)
    roots, active, last = low.copy(), np.arange(len(f)), np.zeros(len(f))
    for _ in range(100):
        a, b = above[active], below[active]
        flat = a == b  # both are 0
        x = low[active] + (high - low)[active] * a / np.where(flat, 1.0, a - b)
        value = excess(x, active)
        roots[active] = x
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
    return roots


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

"""Student's t: tails that keep their digits, and the noncentral distribution.

The noncentral t with df degrees of freedom and noncentrality d is (Z + d) / S, Z normal
and S^2 an independent chi2 / df. Both integrals below have smooth integrands.
"""

from __future__ import annotations

import math
import sys
from functools import cache

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.typing import Floats


def sf(t: ArrayLike, df: ArrayLike) -> Floats:
    """Return P(T > t), every digit of it in the far tail; normal for infinite df.

    Notes
    -----
    R: ``pt(t, df, lower.tail = FALSE)``.
    """
    t, df = np.asarray(t, float), np.asarray(df, float)
    if np.isinf(df).any():
        normal = np.isinf(df)
        return np.where(normal, special.ndtr(-t), sf(t, np.where(normal, 1.0, df)))
    with np.errstate(over="ignore"):
        square = t * t
    far = square > df
    # Each form where its argument is small and so keeps its digits.
    x = np.where(far, df, square) / (df + square)
    half = special.betainc(df / 2, 0.5, x, where=far, out=np.empty_like(x))
    special.betaincc(0.5, df / 2, x, where=~far, out=half)
    half /= 2
    return np.asarray(np.where(t > 0, half, 1 - half))


def two_sided(t: ArrayLike, df: ArrayLike) -> Floats:
    """Return P(|T| > |t|); normal for infinite df.

    Notes
    -----
    R: ``2 * pt(abs(t), df, lower.tail = FALSE)``.
    """
    return np.minimum(2 * sf(np.abs(t), df), 1.0)


def half_widths(error: Floats, df: Floats, tail: float) -> Floats:
    """Return half of the width of t intervals with ``tail`` on each side.

    NaN if a standard error is 0: there is no interval.
    """
    distinct, place = df[:1], np.zeros(len(df[:1]), np.intp)
    if not (df == distinct).all():  # NaN is one of them
        distinct, place = np.unique(df, return_inverse=True)
    known = [math.nan if math.isnan(each) else isf(tail, each) for each in distinct]
    with np.errstate(over="ignore", invalid="ignore"):  # near the largest double
        half = np.array(known)[place] * error
    return np.where(error > 0, half, math.nan)


_FAR = 1e-280
_LARGEST_LOG = math.log(sys.float_info.max)


def isf(p: float, df: float) -> float:
    """Return the t with P(T > t) = p, for p <= 1/2 from the tail itself.

    Normal for infinite df.

    Notes
    -----
    R: ``qt(p, df, lower.tail = FALSE)``.
    """
    if p == 0:
        return math.inf
    if math.isinf(df):
        return -float(special.ndtri(p))
    if p > 0.5:
        return -isf(1 - p, df)
    # x = df / (df + t^2) and 1 - x come from two inverses: neither cancels.
    x = float(special.betaincinv(df / 2, 0.5, 2 * p))
    rest = float(special.betainccinv(0.5, df / 2, 2 * p))
    if not x <= _FAR:
        return math.sqrt(df * rest / x)
    # x underflows. There P(T > t) is that of the first term of its series in df / t^2.
    log_t = (
        special.gammaln((df + 1) / 2)
        - special.gammaln(df / 2)
        - math.log(math.pi) / 2
        + (df / 2 - 1) * math.log(df)
        - math.log(p)
    ) / df
    return math.exp(log_t) if log_t < _LARGEST_LOG else math.inf


def noncentral_cdf(t: float, df: float, shift: float) -> float:
    """Return P(T <= t) of the noncentral t with noncentrality ``shift``.

    Parameters
    ----------
    t : float
        Not negative: P(T <= -t; shift) = 1 - P(T <= t; -shift).
    df : float
        Whole number of degrees of freedom.

    Notes
    -----
    R: ``pt(t, df, ncp)``, which has 12 decimals, and fewer beyond ncp = 37.6. Absolute
    error here about 1e-15.
    """
    return (
        _over_scale(t, df, shift) if t <= math.sqrt(2 * df) else _over_z(t, df, shift)
    )


def _over_scale(t: float, df: float, shift: float) -> float:
    """Integrate over log S; the trapezoidal rule converges geometrically."""
    # The integrand is analytic for |Im u| < pi / 4 only, hence the 0.1.
    step = min(0.1, 0.4 / math.sqrt(2 * df + t * t))
    right = math.log1p(8 / math.sqrt(df))
    u = np.arange(-45 / df - 0.6, right, step)
    # Density of log S, with its constant from the sum itself: they share the error.
    weight = np.exp(df * (u - np.expm1(2 * u) / 2))
    return float(np.sum(weight * special.ndtr(t * np.exp(u) - shift)) / np.sum(weight))


def _over_z(t: float, df: float, shift: float) -> float:
    """Integrate over Z by Gauss and Legendre; S >= (Z + shift) / t is a chi2 tail."""
    nodes, weights = _legendre(20)
    # Where Z + shift < 0, T is negative; the integrand begins there like a power.
    low = max(-shift, -9.0)
    if low >= 9.0:
        return 1.0
    edges = np.linspace(low, 9.0, max(2, math.ceil(9.0 - low) + 1))
    half = np.diff(edges)[:, None] / 2
    z = edges[:-1, None] + half * (1 + nodes)
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    # A square that overflows has a tail of 0, as it should.
    with np.errstate(over="ignore"):
        tail = special.gammaincc(df / 2, df * ((z + shift) / t) ** 2 / 2)
    below = special.ndtr(-shift) if low == -shift else 0.0
    return float(below + np.sum(half * weights * density * tail))


@cache
def _legendre(n: int) -> tuple[Floats, Floats]:
    """Return nodes and weights of Gauss and Legendre, which take longer to find."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return nodes, weights


def _noncentrality(t: float, df: float, p: float) -> float:
    """Return the noncentrality under which P(T <= t) = p, for t >= 0."""

    def excess(shift: float) -> float:
        return noncentral_cdf(t, df, shift) - p

    width = 2 * math.hypot(1.0, t / math.sqrt(2 * df))
    low = high = t
    while excess(low) < 0:
        low, width = low - width, 2 * width
    while excess(high) > 0:
        high, width = high + width, 2 * width
    if low == high:
        return low
    return float(scipy.optimize.brentq(excess, low, high, xtol=1e-300, rtol=1e-15))


def noncentrality_interval(t: float, df: float, level: float) -> tuple[float, float]:
    """Return the equal-tailed confidence interval of the noncentrality, given t."""
    tail = (1 - level) / 2
    size = abs(t)
    low = _noncentrality(size, df, 1 - tail)
    high = _noncentrality(size, df, tail)
    return (low, high) if t >= 0 else (-high, -low)

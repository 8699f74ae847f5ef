"""Upper tail of the studentised range, and its inverse.

Q = (max X - min X) / S for k standard normals X and an independent scale S,
df * S**2 being chi-square on df degrees of freedom. With phi and T the normal
density and upper tail, x the smallest X, W the range, and g the density of log S,

    P(W > w) = k * int phi(x) * (T(x)**(k-1) - (T(x) - T(x+w))**(k-1)) dx,
    P(Q > q) = int g(u) * P(W > q * exp(u)) du.

Method: nothing is subtracted from 1. The bracket is computed as
T(x)**(k-1) * -expm1((k-1) * log1p(-T(x+w) / T(x))), so a tail of 1e-100 has as
many digits as one of 0.5. Both integrands are analytic on the whole line, and
their trapezoid sums converge geometrically: the error with step h is of the
order of the integrand's Fourier transform at 2 pi / h.

- Inner: the extremes of k normals are nearly Gumbel variables of scale
  b = 1 / sqrt(2 log k), whose transform falls as exp(-pi b omega / 2); the step
  h = 0.3 b leaves exp(-pi**2 / 0.3) = 5e-15.
- P(W > w) / erfc(w/2) rises smoothly from 1 to k(k-1)/2 and has no singularity
  nearer to w >= 0 than 4.8 (a zero of erfc). Polynomials of degree 15 on panels
  of width 0.5 hold it to rounding; past w = 24 it is k(k-1)/2 to 1e-14. This
  table is kept for each k used, whatever q and df.
- Outer: with d = log s - log s_peak the integrand falls at least as fast as
  exp(-df * (expm1(2 d) / 2 - d)). The nodes d = (y + 1 - exp(-y)) / 2, y in
  equal steps, make the left tail exp(df * d) of few df fall double
  exponentially: k = 5 takes 29 nodes on 1e6 df, 75 on 1 df.

Accuracy, measured: 13.9 digits of P and 14.3 of q on 125 mpmath values down to
1e-20; on 67 other integrals (k to 10,000, df 1 to inf, P from 0.999999 to 1e-300)
14.2 digits of P above 1e-30 and 13.3 below, where log P itself is rounded.

On the same 125 values R 4.2's ptukey has at worst 3.5 digits at 0.05 (median 10),
at best 3.7 at 1e-10 and none at 1e-20; scipy 1.17's studentized_range has 12 at
0.05, a median of 4.5 at 1e-10 and none at 1e-20.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats

_MAX_K = 10_000  # as far as the accuracy was measured
_MIN_DF, _NORMAL_DF = 0.5, 1e20  # from 1e20 on, df is inf to all digits of P
_DEGREE, _PANELS, _WIDTH = 15, 48, 0.5  # the table of one k, w in [0, 24]
CUT = 40.0  # the outer integrand is cut at exp(-40) of its peak
_BLOCK, _POINTS = 65_536, 100_000  # values, and nodes, held at one time: < 30 MB


def sf(q: ArrayLike, k: ArrayLike, df: ArrayLike) -> Floats | float:
    """Return P(Q > q), the upper tail of the studentised range.

    Parameters
    ----------
    q : array_like of float
        Studentised range, unit-free; q <= 0 gives 1, inf 0, NaN NaN.
    k : array_like of int, 2 to 10,000
        Number of means.
    df : array_like of float, at least 0.5
        Degrees of freedom of the scale; inf for a known scale.

    Returns
    -------
    ndarray of float, shape of q, k and df broadcast; a float for scalars

    Raises
    ------
    InputError
        If k is not a whole number in 2 ... 10,000, or df is below 0.5.

    Notes
    -----
    R: ``ptukey(q, k, df, lower.tail = FALSE)``.
    """
    return _in_blocks(_sf, q, k, df)


def isf(p: ArrayLike, k: ArrayLike, df: ArrayLike) -> Floats | float:
    """Return the q whose upper tail is p: ``sf(q, k, df) == p``.

    Parameters
    ----------
    p : array_like of float in [0, 1]
        Upper tail; 0 gives inf, 1 gives 0, NaN gives NaN. Above 0.999999, q has
        only the digits that 1 - p has.
    k, df : array_like
        As in `sf`.

    Returns
    -------
    ndarray of float, shape of p, k and df broadcast; a float for scalars

    Raises
    ------
    InputError
        If p is outside [0, 1], or for k and df as in `sf`.

    Notes
    -----
    R: ``qtukey(p, k, df, lower.tail = FALSE)``.
    """
    p = np.asarray(p, dtype=float)
    _refuse(p, (p < 0) | (p > 1), "p", "use probabilities, 0 to 1")
    return _in_blocks(_isf, p, k, df)


def _refuse(values: Floats, bad: NDArray[np.bool_], name: str, hint: str) -> None:
    if bad.any():
        raise InputError(
            f"{name} has {values[bad][0]:g} ({bad.sum()} of {bad.size} values); {hint}"
        )


def _in_blocks(
    function: Callable[[Floats, Floats, Floats], Floats],
    x: ArrayLike,
    k: ArrayLike,
    df: ArrayLike,
) -> Floats | float:
    """Check k and df, and call function on flat blocks of the broadcast arrays."""
    x, k, df = (np.asarray(a, dtype=float) for a in (x, k, df))
    whole = (k >= 2) & (k <= _MAX_K) & (k == np.floor(k))
    _refuse(k, ~whole, "k", f"use whole numbers of means, 2 to {_MAX_K}")
    _refuse(df, ~(df >= _MIN_DF), "df", f"use degrees of freedom from {_MIN_DF} to inf")
    if k.ndim == df.ndim == 0 and x.size <= _BLOCK:
        flat = x.reshape(-1)
        same = np.full(flat.shape, k), np.full(flat.shape, df)
        return function(flat, *same).reshape(x.shape)[()]
    result = np.empty(np.broadcast_shapes(x.shape, k.shape, df.shape))
    with np.nditer(
        [x, k, df, result],
        flags=["external_loop", "buffered", "zerosize_ok"],
        op_flags=[["readonly"], ["readonly"], ["readonly"], ["writeonly"]],
        buffersize=_BLOCK,
    ) as blocks:
        for xx, kk, dd, out in blocks:
            out[...] = function(xx, kk, dd)
    return result[()]


def _sf(q: Floats, k: Floats, df: Floats) -> Floats:
    mantissa, exponent = _tail(q, k, df)
    return np.minimum(mantissa * np.exp(-exponent), 1)


def _isf(p: Floats, k: Floats, df: Floats) -> Floats:
    q = np.where(p == 0, np.inf, np.where(p == 1, 0.0, np.nan))
    inside = (p > 0) & (p < 1)
    q[inside] = _solve(p[inside], k[inside], df[inside])
    return q


def _tail(q: Floats, k: Floats, df: Floats) -> tuple[Floats, Floats]:
    """Return m and e with P(Q > q) = m * exp(-e), for arrays of one dimension."""
    mantissa = np.where(np.isnan(q), np.nan, np.where(q > 0, 0.0, 1.0))
    exponent = np.zeros(q.shape)
    inside = (q > 0) & np.isfinite(q)
    normal = df >= _NORMAL_DF
    for rows, tail in ((inside & normal, _normal_tail), (inside & ~normal, _t_tail)):
        if rows.any():
            mantissa[rows], exponent[rows] = tail(q[rows], k[rows], df[rows])
    return mantissa, exponent


def _normal_tail(q: Floats, k: Floats, df: Floats) -> tuple[Floats, Floats]:
    q = np.minimum(q, 1e9)  # long past underflow; keeps q * q finite
    return _range_tail(q[:, None], k)[:, 0], q * q / 4


def _t_tail(q: Floats, k: Floats, df: Floats) -> tuple[Floats, Floats]:
    """Integrate over the scale, the rows that need most nodes first."""
    mantissa, exponent = np.empty_like(q), np.empty_like(q)
    count = _node_count(k, df)
    order = np.argsort(-count)
    start = 0
    while start < order.size:
        nodes = int(count[order[start]])
        rows = order[start : start + max(1, _POINTS // nodes)]
        mantissa[rows], exponent[rows] = _integrate(q[rows], k[rows], df[rows], nodes)
        start += rows.size
    return mantissa, exponent


def _integrate(q: Floats, k: Floats, df: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Sum over nodes about the peak scale s; the exponent is the height there."""
    each, row = np.unique(df, return_inverse=True)
    d, weight = _nodes(each, nodes)
    s = _peak(q, k, df)
    w = q * s
    # log(g) - (q * scale)**2 / 4, less its value at s, is
    # -df * (expm1(2 d) / 2 - d), kept in the weight, - fall * expm1(2 d);
    # fall is 0 in the tail.
    fall = np.maximum(w * w / 4 + df * (s * s - 1) / 2, 0)
    terms = np.exp(-fall[:, None] * np.expm1(2 * d)[row]) * weight[row]
    terms *= _range_tail(w[:, None] * np.exp(d)[row], k)
    return terms.sum(axis=1), df * _excess(np.log(s)) + w * w / 4


def _peak(q: Floats, k: Floats, df: Floats) -> Floats:
    """Return the scale near which the outer integrand is largest.

    P(W > w) is treated as constant up to its median and as exp(-w**2 / 4) beyond.
    """
    median = -2 * special.ndtri(1 / (k + 1))
    tail = 1 / np.hypot(1, q / np.sqrt(2 * df))
    return np.maximum(tail, median / np.maximum(q, median))


def _window(df: Floats) -> tuple[Floats, Floats]:
    """Return how far y runs left and right of 0 for df * excess(d) >= CUT."""
    left = CUT / df + np.sqrt(CUT / df)
    right = np.log1p(2 * left) / 2
    return np.minimum(left, np.log1p(2 * left)), right * (1 + np.minimum(1, right))


def _node_count(k: Floats, df: Floats) -> NDArray[np.int64]:
    # The integrand has standard deviation 1 / sqrt(2 df) about its peak, or the
    # width of P(W > exp(u)) at its fall, about 1 / (4 log k), if that is less;
    # the nodes' own double exponential bears no step past 0.22.
    step = np.minimum(np.minimum(0.65 / np.sqrt(2 * df), 0.2 / np.log(k)), 0.22)
    left, right = _window(df)
    return np.ceil((left + right) / step).astype(np.int64) + 1


def _nodes(df: Floats, count: int) -> tuple[Floats, Floats]:
    """Return d and the weights, g's share included, shape (df.size, count)."""
    left, right = (side[:, None] for side in _window(df))
    step = (left + right) / (count - 1)
    y = np.arange(count) * step - left
    d = (y - np.expm1(-y)) / 2
    peak, df = _density_at_0(df)[:, None], df[:, None]
    return d, peak * step * (1 + np.exp(-y)) / 2 * np.exp(-df * _excess(d))


def _excess(u: Floats) -> Floats:
    """Return expm1(2 u) / 2 - u; by its series for |u| < 1/2, where that cancels."""
    x = 2 * u
    small = np.where(np.abs(x) < 1, x, 0.0)
    series = np.ones_like(x)
    for n in range(18, 2, -1):
        series = series * small / n + 1
    return np.where(np.abs(x) < 1, series * x * x / 4, (np.expm1(x) - x) / 2)


def _density_at_0(df: Floats) -> Floats:
    """Return g(0) = 2 a**a exp(-a) / Gamma(a), a = df / 2; by Stirling for large a."""
    few, a = np.minimum(df / 2, 15), np.maximum(df / 2, 15)
    series = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
    correction = np.sum([c / a ** (2 * i + 1) for i, c in enumerate(series)], axis=0)
    stirling = np.sqrt(2 * a / np.pi) * np.exp(-correction)
    return np.where(df < 30, 2 * few**few * np.exp(-few) / special.gamma(few), stirling)


def _range_tail(w: Floats, k: Floats) -> Floats:
    """Return P(W > w) * exp(w**2 / 4) for w of shape (n, m), k of shape (n,)."""
    same = k.size > 0 and bool((k == k[0]).all())
    each, row = (k[:1], None) if same else np.unique(k, return_inverse=True)
    tables = [_table(int(size)) for size in each]
    table = tables[0] if same else np.hstack(tables)
    place = w / _WIDTH
    panel = np.minimum(place, _PANELS).astype(np.intp)
    t = 2 * (place - panel) - 1
    if row is not None:
        panel += row[:, None] * (_PANELS + 1)
    ratio = table[_DEGREE][panel]
    for coefficients in table[_DEGREE - 1 :: -1]:
        ratio *= t
        ratio += coefficients[panel]
    return ratio * special.erfcx(w / 2)


@lru_cache(maxsize=4096)
def _table(k: int) -> Floats:
    """Return the coefficients of P(W > w) / erfc(w/2) in t, a column per panel.

    t runs from -1 to 1 along a panel; the last column holds for w > 24.
    """
    t = np.cos(np.pi * (np.arange(_DEGREE + 1) + 0.5) / (_DEGREE + 1))
    w = (np.arange(_PANELS) + 0.5 + t[:, None] / 2) * _WIDTH
    ratio = _range_sf(w.ravel(), k).reshape(w.shape) / special.erfc(w / 2)
    table = np.zeros((_DEGREE + 1, _PANELS + 1))
    table[:, :-1] = np.linalg.solve(np.vander(t, increasing=True), ratio)
    table[0, -1] = k * (k - 1) / 2
    table.flags.writeable = False
    return table


def _range_sf(w: Floats, k: int) -> Floats:
    """Return P(W > w) of k normals by the trapezoid rule, w of shape (n,)."""
    step = min(0.25, 0.3 / np.sqrt(2 * np.log(k)))
    half = int(9.5 / step)
    low = step * np.arange(-half, half + 1) - w[:, None] / 2
    # 1 - Phi(low) is rounded at low > 0 only, where the density has no weight
    # in the tail; the caps keep log1p finite there.
    below = np.minimum(special.ndtr(low), 1 - 1e-16)
    ratio = np.minimum(special.ndtr(-low - w[:, None]) / (1 - below), 1 - 1e-16)
    density = np.exp(-low * low / 2 + (k - 1) * np.log1p(-below))
    beyond = -np.expm1((k - 1) * np.log1p(-ratio))
    return k * step / np.sqrt(2 * np.pi) * (density * beyond).sum(axis=1)


def _solve(p: Floats, k: Floats, df: Floats) -> Floats:
    """Return q with tail p by Newton's method on log P over log q.

    log P is concave in log q: g(u) * P(W > exp(u + log q)) is log-concave in both
    (Prekopa). So a step from the right ends right of the root, and one from the
    left, held to a factor e, moves right.
    """
    q = _start(p, k, df)
    active = np.arange(p.size)
    for _ in range(100):
        gap, fall = _gap_and_fall(q[active], p[active], k[active], df[active])
        step = np.divide(gap, fall, out=np.zeros_like(gap), where=fall > 0)
        with np.errstate(over="ignore"):  # a q past the largest double is inf
            q[active] *= np.exp(np.minimum(step, 1))
        # The slope is good to 1e-4, and 1e-4 of the last step is left. A gap of
        # one rounding of P cannot be closed.
        open_ = (np.abs(step) > 1e-10) | (np.abs(gap) > 1e-10)
        active = active[open_ & (np.abs(gap) > 2.5e-16) & np.isfinite(q[active])]
        if not active.size:
            break
    return q


def _gap_and_fall(q: Floats, p: Floats, k: Floats, df: Floats) -> tuple[Floats, Floats]:
    """Return log P - log p and -d log P / d log q, a difference over 1e-4."""
    both = np.concatenate([q, q * (1 - 1e-4)])
    mantissa, exponent = _tail(both, np.tile(k, 2), np.tile(df, 2))
    here, near = np.split(np.log(mantissa) - exponent, 2)
    return here - np.log(p), (here - near) / np.log1p(-1e-4)


def _start(p: Floats, k: Floats, df: Floats) -> Floats:
    """Return a q right of the root, close to it in the tail and near p = 1.

    P(Q <= q) is at least P(|t| <= q / sqrt 2)**(k(k-1)/2) (Šidák), and at least
    P(|t| <= q / 2)**k, all means being within q / 2 of their expectation.
    """
    log_cdf = np.log1p(-p)
    pairs = _two_sided_t(-np.expm1(log_cdf / (k * (k - 1) / 2)), df)
    return np.minimum(np.sqrt(2) * pairs, 2 * _two_sided_t(-np.expm1(log_cdf / k), df))


def _two_sided_t(p: Floats, df: Floats) -> Floats:
    """Return t with P(|t'| > t) near p: Wallace's t = sqrt(df expm1(z**2 / df)).

    The limits keep t finite for p and df at the ends of their ranges.
    """
    z = -special.ndtri(np.maximum(p, 1e-300) / 2)
    y = np.minimum(z * z / df, 1300)
    return z * np.exp(y / 2) * np.sqrt(special.exprel(-y))

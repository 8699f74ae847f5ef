"""Rom's step-up procedure: Hochberg's with the sharpest critical values.

References
----------
.. [1] Rom, D. M. (1990). A sequentially rejective test procedure based on a modified
   Bonferroni inequality. Biometrika 77, 663-665.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels.stepwise import step_up

_TERMS = 60
"""Terms kept of Rom's sum: beyond it the rest is below 1e-16 of it, alpha = 1 too."""

_NODES = 28
"""Chebyshev nodes on each stretch of ``u = -log(1 - alpha)``: 13 digits and more."""

_EDGES = np.array([0.0, 1.0, 2.5, 5.0, 7.5, 10.0, 15.0, 20.0, 30.0, 40.0])
"""Ends of the stretches of u; alpha is 0 at the first and 1 at the last."""


def rom_critical_values(alpha: Floats, m: int) -> Floats:
    """Return Rom's critical values for the largest, second largest, ... p-value.

    Parameters
    ----------
    alpha : ndarray, shape (...)
        Family-wise error rates in [0, 1].
    m : int
        Number of hypotheses.

    Returns
    -------
    ndarray, shape (m, ...)
        ``c_i = [sum_{j<i} alpha^j - sum_{j<=i-2} C(i, j) c_{j+1}^(i-j)] / i``.
    """
    alpha = np.asarray(alpha, float)
    flat = alpha.ravel()
    c = np.empty((m, flat.size))
    c[0] = flat
    c[1:] = _powers(flat, np.arange(1, m)[:, None])
    c[1:2] /= 2
    # C(i, j) c_{j+1}^(i-j) from that of i - 1, in row j modulo the number of rows.
    terms, bases = np.zeros((2, _TERMS, flat.size))
    row = np.arange(_TERMS)
    power = (row[:, None] - row) % _TERMS + 2.0
    for i in range(3, m + 1):
        newest, held = (i - 2) % _TERMS, min(i - 1, _TERMS)
        bases[newest] = c[i - 2]
        np.multiply(c[i - 2], i - 1, out=terms[newest])
        used = terms[:held]  # the other rows are still 0
        used *= bases[:held]
        used *= (i / power[newest, :held])[:, None]
        c[i - 1] -= used.sum(axis=0)
        c[i - 1] /= i
    return c.reshape(m, *alpha.shape)


def _powers(alpha: Floats, n: int | NDArray[np.intp]) -> Floats:
    """Return ``alpha + alpha^2 + ... + alpha^n``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        closed = alpha * -np.expm1(special.xlogy(n, alpha)) / (1 - alpha)
    return np.where(alpha == 1, np.asarray(n, float), closed)


def rom(p: Floats) -> Floats:
    """Adjust by Rom's step-up procedure, inverted exactly.

    Parameters
    ----------
    p : ndarray, shape (m,)

    Returns
    -------
    ndarray, shape (m,)
        The smallest alpha at which the procedure rejects. Never above Hochberg's.

    Notes
    -----
    scmamp's ``adjustRom`` is not step-up and is negative for two hypotheses; there is
    no package reference, the R reference is a derivation of its own.
    """
    return step_up(p, _smallest_levels) if len(p) else p.copy()


def _smallest_levels(p: Floats, i: Floats) -> Floats:
    """Return for the i-th smallest p-value the alpha whose critical value it is.

    1 if it cannot matter, since a larger p-value has a smaller level. ``i c_i`` is
    close to ``u = -log(1 - alpha)`` and smooth in it, so that few alphas give all.
    """
    m = len(p)
    rank = np.arange(m, 0, -1)
    # The largest p-value is its own level, and the other levels that matter are below.
    with np.errstate(divide="ignore"):
        last = np.searchsorted(_EDGES[1:-1], -np.log1p(-p[-1]))
    u = np.append(_EDGES[: last + 2], _nodes(np.arange(last + 1)))
    critical = rom_critical_values(-np.expm1(-u), m)[::-1]
    edges, values = np.split(critical, [last + 2], axis=1)
    stretch = (p[:, None] >= edges[:, 1:]).sum(axis=1)
    lowest = np.minimum.accumulate(stretch[::-1])[::-1]
    # Below 1e-100 the first term, alpha / r, is the whole critical value.
    levels = np.where(p < 1e-100, rank * p, 1.0)
    searched = (p >= 1e-100) & (stretch <= lowest) & (stretch <= last)
    s, r = stretch[searched], rank[searched]
    c = values[searched].reshape(len(r), last + 1, _NODES)[np.arange(len(r)), s]
    u = _crossing(s, r[:, None] * c, r * p[searched])
    # The level may fall below p by rounding, an adjusted p-value must not.
    levels[searched] = np.maximum(-np.expm1(-u), p[searched])
    levels[-1] = p[-1]
    return levels


def _nodes(s: NDArray[np.intp]) -> Floats:
    """Return the Chebyshev nodes on the s-th stretch of u, one row per stretch."""
    x = chebyshev.chebpts1(_NODES)
    return np.asarray((_EDGES[s, None] * (1 - x) + _EDGES[s + 1, None] * (1 + x)) / 2)


def _crossing(s: NDArray[np.intp], values: Floats, wanted: Floats) -> Floats:
    """Return where each row of ``values`` at the nodes, rising in u, is as wanted."""
    x = chebyshev.chebpts1(_NODES)
    # values / u is nearly constant, and keeps its digits down to u = 0.
    fit = np.linalg.solve(chebyshev.chebvander(x, _NODES - 1), (values / _nodes(s)).T)
    slope = chebyshev.chebder(fit)
    start, low, high = _EDGES[s], _EDGES[s], _EDGES[s + 1]
    half = (high - low) / 2
    u = np.clip(wanted, low, high)
    for _ in range(60):
        at = (u - start) / half - 1
        basis = chebyshev.chebvander(at, _NODES - 1)
        ratio = np.einsum("ij,ji->i", basis, fit)
        excess = u * ratio - wanted
        high = np.where(excess >= 0, u, high)
        low = np.where(excess <= 0, u, low)
        rise = ratio + u * np.einsum("ij,ji->i", basis[:, :-1], slope) / half
        step = u - excess / np.where(rise > 0, rise, 1.0)
        moved = np.where((step >= low) & (step <= high), step, (low + high) / 2)
        still = np.abs(moved - u) <= 1e-14 * u
        u = moved
        if still.all():
            break
    return u

"""Variance components by restricted maximum likelihood (REML).

The model is y = X b + sum_k Z_k u_k + e with independent effects of units, Var(u_k) =
g_k s2 I and Var(e) = s2 I; Z_k holds the units of one kind as columns of 0 and 1. With
V = I + sum_k g_k Z_k Z_k' the likelihood is profiled over the ratios g_k >= 0
(Patterson and Thompson 1971), whose gradient and Hessian are exact (Searle, Casella and
McCulloch 1992, ch. 6.6). Nothing of size n x n is made.

Degrees of freedom: Satterthwaite's from the derivatives of the covariance of the fixed
effects (Giesbrecht and Burns 1985; Fai and Cornelius 1996 for several), or Kenward and
Roger's (1997) with their adjusted covariance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from pycompare.base.typing import Floats, Indices
from pycompare.kernels.unit_inverses import (
    DenseInverse,
    NestedInverse,
    UnitSums,
    each_unit,
    units_of,
)
from pycompare.kernels.units import binary_unit

_STARTS = (0.1, 3.0)
"""Ratios of variances to start from; the best optimum counts."""
_LARGEST = 1e10
"""A ratio above this: rows do not vary within units."""
_STEPS = 200
_ONE_MEAN_SQUARE = 1e-8
"""Relative difference of Kenward and Roger's A1 and q A2 that is rounding."""
_POLE_OF_SCALE = 1e-2
"""So near 2 degrees of freedom the scale of F is 1, as in pbkrtest."""


@dataclass(frozen=True, eq=False)
class _Products:
    """Cross products of the data, all that the likelihood needs.

    Attributes
    ----------
    units : DenseUnits or NestedUnits
        Those of the units with the basis of fixed effects, and with the residuals of
        least squares.
    zx, zy : ndarray, shapes (q, r), (q,)
        The same for all units, one kind after another.
    yy : float
        Sum of squares of these residuals.
    n, r : int
        Rows, and dimensions of the fixed effects.
    """

    units: UnitSums
    zx: Floats
    zy: Floats
    yy: float
    n: int
    r: int

    @property
    def df(self) -> int:
        """Rows less dimensions of fixed effects."""
        return self.n - self.r


@dataclass(frozen=True, eq=False)
class _Profile:
    """The likelihood at some ratios, with V as in the module's docstring.

    Attributes
    ----------
    deviance : float
        -2 log likelihood, profiled over s2, without its constant.
    xvx : ndarray, shape (r, r)
        X'V^-1 X.
    xvy : ndarray, shape (r,)
    zvx : ndarray, shape (q, r)
    inverse : DenseInverse or NestedInverse
    squares : float
        y'P y.
    traces, lengths : ndarray, shape (k,)
        tr(P G_i) and y'P G_i P y, G_i = Z_i Z_i'.
    cross_traces, cross_lengths : ndarray, shape (k, k)
        tr(P G_i P G_j) and y'P G_i P G_j P y.
    """

    ratios: Floats
    deviance: float
    xvx: Floats
    xvy: Floats
    zvx: Floats
    inverse: DenseInverse | NestedInverse
    squares: float
    traces: Floats
    lengths: Floats
    cross_traces: Floats
    cross_lengths: Floats

    def gradient(self, df: int) -> Floats:
        """Return the derivatives of the deviance."""
        return np.asarray(self.traces - df * self.lengths / self.squares)

    def curvature(self, df: int) -> Floats:
        """Return the second derivatives, or their expectation if not positive."""
        part = self.lengths / self.squares
        curvature = -self.cross_traces + df * (
            2 * self.cross_lengths / self.squares - np.outer(part, part)
        )
        if np.linalg.eigvalsh(curvature)[0] > 0:
            return curvature
        return self.cross_traces - np.outer(self.traces, self.traces) / df


@dataclass(frozen=True, eq=False)
class Reml:
    """Estimates by REML.

    Attributes
    ----------
    variances : ndarray, shape (k + 1,)
        Of the kinds of units, and of rows.
    deviance : float
        -2 restricted log likelihood, for the orthonormal basis of fixed effects.
    coefficients : ndarray, shape (r,)
        Of the orthonormal basis.
    covariance : ndarray, shape (r, r)
        Of the coefficients.
    derivatives : ndarray, shape (k + 1, r, r)
        Of ``covariance`` by each variance.
    spread : ndarray, shape (k + 1, k + 1)
        Covariance of the variances by the observed information; 0 for variances
        estimated as 0.
    adjusted : ndarray, shape (r, r)
        Kenward and Roger's covariance of the coefficients.
    expected : ndarray, shape (k + 1, k + 1)
        Covariance of the variances by the expected information.
    converged : bool
    """

    variances: Floats
    deviance: float
    coefficients: Floats
    covariance: Floats
    derivatives: Floats
    spread: Floats
    adjusted: Floats
    expected: Floats
    converged: bool


def reml(y: Floats, x: Floats, units: Sequence[Indices]) -> Reml:
    """Return the REML estimates of one response.

    Parameters
    ----------
    y : ndarray, shape (n,)
    x : ndarray, shape (n, r)
        An orthonormal basis of the fixed effects.
    units : sequence of ndarray of int, each of shape (n,)
        The cell of each row by each kind of unit, numbered from 0; no kind may lie
        within the fixed effects, have one row per cell, or repeat another.

    References
    ----------
    .. [1] Patterson, H. D., Thompson, R. (1971). Biometrika 58, 545-554.
    .. [2] Searle, S. R., Casella, G., McCulloch, C. E. (1992). Variance Components.
    .. [3] Kenward, M. G., Roger, J. H. (1997). Biometrics 53, 983-997.
    """
    fixed = x.T @ y
    residual = y - x @ fixed
    # The search ends at rounding of the deviance: that of residuals in their own unit.
    unit = binary_unit(residual).item()
    data = products(residual / unit, x, units)
    minima = [_minimised(data, start) for start in _STARTS]
    best, converged = min(minima, key=lambda minimum: minimum[0].deviance)
    own = _estimates(data, best, fixed / unit, converged)
    return replace(
        own,
        variances=own.variances * unit**2,
        deviance=own.deviance + 2 * data.df * float(np.log(unit)),
        coefficients=own.coefficients * unit,
        covariance=own.covariance * unit**2,
        spread=own.spread * unit**4,
        adjusted=own.adjusted * unit**2,
        expected=own.expected * unit**4,
    )


def products(residual: Floats, x: Floats, units: Sequence[Indices]) -> _Products:
    """Return the cross products of least squares residuals, fixed effects, units."""
    summed = units_of(residual, x, units)
    return _Products(
        units=summed,
        zx=summed.zx,
        zy=summed.zy,
        yy=float(residual @ residual),
        n=len(residual),
        r=x.shape[1],
    )


def profile(data: _Products, ratios: Floats) -> _Profile:
    """Return the likelihood at some ratios of variances."""
    kinds = data.units.kinds
    g = each_unit(ratios, kinds)
    inverse = data.units.at(ratios)
    zvx, zvy = inverse.zvx, inverse.zvy
    xvx = np.eye(data.r) - (data.zx.T * g) @ zvx
    xvy = -(data.zx.T * g) @ zvy
    root = np.linalg.cholesky(xvx)
    half_x = linalg.solve_triangular(root, zvx.T, lower=True)
    half_y = linalg.solve_triangular(root, xvy, lower=True)
    zpy = zvy - half_x.T @ half_y
    squares = data.yy - float((data.zy * g) @ zvy) - float(half_y @ half_y)
    logdet = inverse.logdet + 2 * float(np.log(np.diag(root)).sum())
    forms = inverse.forms(half_x, zpy)
    return _Profile(
        ratios=ratios,
        deviance=logdet + data.df * float(np.log(squares)),
        xvx=xvx,
        xvy=xvy,
        zvx=zvx,
        inverse=inverse,
        squares=squares,
        traces=forms.traces,
        lengths=np.array([zpy[i] @ zpy[i] for i in kinds]),
        cross_traces=forms.cross_traces,
        cross_lengths=forms.cross_lengths,
    )


def _minimised(data: _Products, start: float) -> tuple[_Profile, bool]:
    """Return the profile at the optimum, by Newton's steps within ratios >= 0."""
    now = profile(data, np.full(len(data.units.kinds), start))
    for _ in range(_STEPS):
        slope = now.gradient(data.df)
        free: NDArray[np.bool_] = (now.ratios > 0) | (slope < 0)
        if not free.any():
            return now, True
        step = np.zeros_like(slope)
        curvature = now.curvature(data.df)[np.ix_(free, free)]
        step[free] = -np.linalg.lstsq(curvature, slope[free], rcond=None)[0]
        following = _lower(data, now, step) or _lower(data, now, -slope * free)
        if following is None:
            return now, True
        moved = np.abs(following.ratios - now.ratios)
        now = following
        if (now.ratios > _LARGEST).any():
            return now, False
        if (moved <= 1e-14 * now.ratios).all():
            return now, True
    return now, False


def _lower(data: _Products, now: _Profile, step: Floats) -> _Profile | None:
    """Return a profile with a lower deviance along a step; None if there is none."""
    # What rounding does to the deviance must not stop the last steps.
    allowed = 1e-14 * (1 + abs(now.deviance))
    for halvings in range(40):
        ratios = np.maximum(now.ratios + step * 0.5**halvings, 0.0)
        if np.all(np.abs(ratios - now.ratios) <= 1e-14 * now.ratios):
            return None
        lower = profile(data, ratios)
        gain = now.deviance - lower.deviance
        if gain > allowed:
            return lower
        if gain > -allowed and (
            np.abs(lower.gradient(data.df)).max() < np.abs(now.gradient(data.df)).max()
        ):
            return lower
    return None


def _with_rows(pairs: Floats, single: Floats, total: Floats, ratios: Floats) -> Floats:
    """Return products of pairs of G_0 = I, G_1, ... from those of G_1, ...; I last.

    As I = V - sum_j g_j G_j and P V P = P, what I is part of follows from the rest.

    Parameters
    ----------
    pairs : ndarray, shape (k, k, ...)
        Such as tr(P G_i P G_j).
    single : ndarray, shape (k, ...)
        Such as tr(P G_i).
    total : ndarray, shape (...)
        Such as tr(P V).
    """
    k = len(ratios)
    extended = np.empty((k + 1, k + 1, *pairs.shape[2:]))
    extended[:k, :k] = pairs
    extended[:k, k] = single - np.einsum("j,ij...->i...", ratios, pairs)
    extended[k, :k] = single - np.einsum("i,ij...->j...", ratios, pairs)
    alone = total - np.einsum("j,j...->...", ratios, single)
    extended[k, k] = alone - np.einsum("j,j...->...", ratios, extended[k, :k])
    return extended


def _scaled_inverse(information: Floats) -> Floats:
    """Return the inverse of an information matrix whose scales may differ much."""
    size = 1 / np.sqrt(np.abs(np.diag(information)))
    return np.asarray(linalg.pinvh(information * np.outer(size, size))) * np.outer(
        size, size
    )


def _estimates(data: _Products, at: _Profile, fixed: Floats, converged: bool) -> Reml:
    """Return the estimates at the optimum."""
    g, k = at.ratios, len(at.ratios)
    s2 = at.squares / data.df
    b = linalg.inv(at.xvx)
    own = np.array([at.zvx[i].T @ at.zvx[i] for i in data.units.kinds])
    rows = at.xvx - np.einsum("j,jab->ab", g, own)
    s = np.concatenate([own, rows[None]])  # X'V^-1 G_i V^-1 X
    pairs = at.inverse.pairs()
    q = _with_rows(pairs, own, at.xvx, g)  # X'V^-1 G_i V^-1 G_j V^-1 X
    t = _with_rows(at.cross_traces, at.traces, np.asarray(data.df), g)
    u = _with_rows(at.cross_lengths, at.lengths, np.asarray(at.squares), g)
    active = np.append(g > 0, True)
    spread = np.zeros((k + 1, k + 1))
    observed = (2 * u / s2 - t)[np.ix_(active, active)] / s2**2
    spread[np.ix_(active, active)] = 2 * _scaled_inverse(observed)
    expected = 2 * _scaled_inverse(t)
    # Kenward and Roger (1997), of variances in units of s2.
    inner = np.einsum(
        "ij,ijab->ab", expected, q - np.einsum("iab,bc,jcd->ijad", s, b, s)
    )
    constant = data.df * (1 + np.log(2 * np.pi / data.df))
    return Reml(
        variances=np.append(g, 1.0) * s2,
        deviance=at.deviance + constant,
        coefficients=fixed + b @ at.xvy,
        covariance=s2 * b,
        derivatives=np.einsum("ab,ibc,cd->iad", b, s, b),
        spread=spread,
        adjusted=s2 * (b + 2 * b @ inner @ b),
        expected=expected * s2**2,
        converged=converged,
    )


# ---- tests of combinations of the coefficients ---------------------------------------


def satterthwaite(fit: Reml, rows: Floats) -> tuple[Floats, Floats]:
    """Return variances of combinations, and their degrees of freedom.

    Parameters
    ----------
    rows : ndarray, shape (m, r)
        Combinations of the coefficients.
    """
    variance = np.einsum("ma,ab,mb->m", rows, fit.covariance, rows)
    slopes = np.einsum("ma,iab,mb->mi", rows, fit.derivatives, rows)
    noise = np.einsum("mi,ij,mj->m", slopes, fit.spread, slopes)
    with np.errstate(divide="ignore", invalid="ignore"):
        return variance, 2 * variance**2 / noise


def satterthwaite_f(
    fit: Reml, rows: Floats, moved: Floats | float = 0.0
) -> tuple[float, float]:
    """Return F of some combinations, with Fai and Cornelius' degrees of freedom.

    They depend on the basis that the rows give of the hypothesis; one that is
    orthonormal in the space of the data makes them well defined.

    Parameters
    ----------
    rows : ndarray, shape (q, r)
        Combinations of the coefficients.
    moved : float or ndarray, shape (q,)
        Their additions.

    References
    ----------
    .. [1] Fai, A. H.-T., Cornelius, P. L. (1996). J. Statist. Comput. Simul. 54,
       363-378.
    """
    values, vectors = np.linalg.eigh(rows @ fit.covariance @ rows.T)
    own = vectors.T @ rows
    estimate = vectors.T @ (rows @ fit.coefficients + moved)
    f = float(np.mean(np.square(estimate) / values))
    _, df = satterthwaite(fit, own)
    if np.ptp(df) <= 1e-8 * df.max():
        return f, float(df.mean())
    if (df <= 2).any():
        return f, 2.0
    expectation = float(np.sum(df / (df - 2)))
    return f, 2 * expectation / (expectation - len(df))


def kenward_roger_f(
    fit: Reml, rows: Floats, moved: Floats | float = 0.0
) -> tuple[float, float]:
    """Return the scaled F of some combinations, and its degrees of freedom.

    Parameters
    ----------
    rows, moved : ndarray
        As in `satterthwaite_f`.

    References
    ----------
    .. [1] Kenward, M. G., Roger, J. H. (1997). Biometrics 53, 983-997.
    """
    q = len(rows)
    middle = np.linalg.inv(rows @ fit.covariance @ rows.T)
    # L dC/dv_i L' is L C P_i C L' of the paper, up to the sign.
    parts = middle @ np.einsum("xa,iab,yb->ixy", rows, fit.derivatives, rows)
    traces = np.trace(parts, axis1=1, axis2=2)
    a1 = float(traces @ fit.expected @ traces)
    a2 = float(np.einsum("ij,ixy,jyx->", fit.expected, parts, parts))
    estimate = rows @ fit.coefficients + moved
    f = float(estimate @ np.linalg.solve(rows @ fit.adjusted @ rows.T, estimate)) / q
    df, scale = _kenward_roger_scale(q, a1, a2)
    return scale * f, df


def kenward_roger(fit: Reml, rows: Floats) -> tuple[Floats, Floats]:
    """Return adjusted variances of single combinations, and degrees of freedom.

    For one combination the scale of F is 1 and the degrees of freedom are
    Satterthwaite's by the expected information.
    """
    variance = np.einsum("ma,ab,mb->m", rows, fit.covariance, rows)
    slopes = np.einsum("ma,iab,mb->mi", rows, fit.derivatives, rows)
    noise = np.einsum("mi,ij,mj->m", slopes, fit.expected, slopes)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = 2 * variance**2 / noise
    return np.einsum("ma,ab,mb->m", rows, fit.adjusted, rows), df


def _kenward_roger_scale(q: int, a1: float, a2: float) -> tuple[float, float]:
    """Return degrees of freedom and the scale of F from its moments.

    The mean and the variance of F have poles, at 2 and 4 degrees of freedom if one mean
    square is the error. Then a1 = q a2 (as it is for every single combination), and the
    limit is the F of that mean square: scale 1 and 2 q / a2 degrees of freedom.
    Elsewhere the equations give no distribution near some poles: a scale or degrees of
    freedom that are not positive. The same limit stands in for these.
    """
    if a2 <= 0:
        return np.inf, 1.0
    limit = 2 * q / a2, 1.0
    if q == 1 or q * a2 - a1 <= _ONE_MEAN_SQUARE * a1:
        return limit
    b = (a1 + 6 * a2) / (2 * q)
    g = ((q + 1) * a1 - (q + 4) * a2) / ((q + 2) * a2)
    below = 3 * q + 2 * (1 - g)
    c1, c2, c3 = g / below, (q - g) / below, (q + 2 - g) / below
    # Their 1 / mean, and the parts of their variance.
    left, squared, third = 1 - a2 / q, (1 - c2 * b) ** 2, 1 - c3 * b
    df_below = left**2 * (1 + c1 * b) - squared * third
    if df_below == 0:
        return limit
    df = 4 + (q + 2) * squared * third / df_below
    if abs(df - 2) < _POLE_OF_SCALE:
        return df, 1.0
    scale = df * left / (df - 2)
    return (df, scale) if df > 0 and scale > 0 else limit

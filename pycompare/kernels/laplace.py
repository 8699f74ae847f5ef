"""Generalised linear mixed models of 0/1 outcomes by Laplace's approximation.

eta = X beta + sum_f theta_f Z_f u_f with standard normal u: crossed random intercepts.
The deviance -2 log L is approximated at the mode of u (Pinheiro and Bates 1995; lme4
with ``nAGQ = 1``),

    F(theta, beta) = -2 sum_i l_i + u'u + log |H|,  H = I + L'Z' W Z L,

with L the diagonal of theta and W the expected information of eta. The factor with most
levels has a diagonal block in H, so that all of it costs n m^2 for n of its levels and
m of all others.

References
----------
.. [1] Pinheiro, J. C., Bates, D. M. (1995). J. Comput. Graph. Stat. 4, 12-35.
.. [2] Bates, D., Maechler, M., Bolker, B., Walker, S. (2015). J. Stat. Softw. 67(1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import linalg, special

from pycompare.base.typing import Floats, LinkFunction

_Target = Callable[[Floats], tuple[float, Floats]]
"""The deviance at some parameters, and its slope."""

_STEPS = 100
_SMALL = 1e-12
_EDGE = 1e-3
"""A standard deviation below it is one at its limit of 0."""


@dataclass(frozen=True)
class BinaryOutcomes:
    """0/1 outcomes with their fixed and random effects.

    Attributes
    ----------
    y : ndarray, shape (n,)
    x : ndarray, shape (n, p)
        Fixed effects.
    codes : tuple of ndarray of int, shape (n,)
        Level of each random factor; the one with most levels first.
    sizes : tuple of int
        Numbers of levels.
    link : {"logit", "probit"}
    """

    y: Floats
    x: Floats
    codes: tuple[NDArray[np.intp], ...]
    sizes: tuple[int, ...]
    link: LinkFunction


@dataclass(frozen=True)
class LaplaceFit:
    """A fitted model.

    Attributes
    ----------
    beta, theta : ndarray
        Fixed effects, and standard deviations of the random ones.
    covariance : ndarray, shape (p, p)
        Of beta, from the second derivatives of the deviance by beta and theta.
    deviance : float
        -2 log likelihood.
    slope : float
        Largest derivative left, in units of standard errors.
    """

    beta: Floats
    theta: Floats
    covariance: Floats
    deviance: float
    slope: float


@dataclass(frozen=True)
class _LogLikelihood:
    """Log-likelihood of outcomes at eta, with derivatives by eta."""

    value: float
    score: Floats
    observed: Floats
    weight: Floats
    weight_slope: Floats


def _terms(data: BinaryOutcomes, eta: Floats) -> _LogLikelihood:
    """Return the inverse link of eta."""
    sign = 2 * data.y - 1
    if data.link == "logit":
        p = special.expit(eta)
        w = p * special.expit(-eta)
        value = float(special.log_expit(sign * eta).sum())
        return _LogLikelihood(value, data.y - p, w, w, w * (1 - 2 * p))
    value = float(special.log_ndtr(sign * eta).sum())
    log_density = -(eta**2) / 2 - np.log(2 * np.pi) / 2
    up = np.exp(log_density - special.log_ndtr(eta))  # Mills' ratios
    down = np.exp(log_density - special.log_ndtr(-eta))
    mine = np.where(data.y > 0, up, -down)
    w = up * down
    return _LogLikelihood(
        value, mine, mine * (eta + mine), w, w * (-2 * eta - up + down)
    )


@dataclass(frozen=True)
class _Hessian:
    """H in blocks: ``d`` the diagonal of the first factor, the rest by Schur."""

    d: Floats
    b: Floats
    schur: Floats
    starts: NDArray[np.intp]

    @property
    def log_det(self) -> float:
        """Log determinant."""
        return float(np.log(self.d).sum() + 2 * np.log(np.diag(self.schur)).sum())

    def solve(self, v: Floats) -> Floats:
        """Return H^-1 v for columns v."""
        n = len(self.d)
        top, rest = v[:n] / self.d[:, None], v[n:]
        low = linalg.cho_solve((self.schur, True), rest - self.b.T @ top)
        return np.concatenate([top - self.b @ low / self.d[:, None], low])

    def rows(self) -> tuple[Floats, Floats, Floats]:
        """Return the diagonal of H^-1 of the first factor, its rows, and the rest."""
        inverse = linalg.cho_solve((self.schur, True), np.eye(len(self.schur)))
        scaled = self.b / self.d[:, None]
        cross = -scaled @ inverse
        return 1 / self.d - np.sum(cross * scaled, axis=1), cross, inverse


class _LaplaceModel:
    """Sums over levels of the factors of some outcomes."""

    def __init__(self, data: BinaryOutcomes) -> None:
        self.data = data
        self.starts = np.concatenate([[0], np.cumsum(data.sizes)])

    def summed(self, values: Floats) -> Floats:
        """Return Z' values, all factors one after another."""
        parts = zip(self.data.codes, self.data.sizes, strict=True)
        sums = [np.bincount(code, values, size) for code, size in parts]
        return np.asarray(np.concatenate(sums), float)

    def spread(self, u: Floats) -> list[Floats]:
        """Return the level effect of each outcome, factor by factor."""
        return [
            u[start + code]
            for start, code in zip(self.starts, self.data.codes, strict=False)
        ]

    def scales(self, theta: Floats) -> Floats:
        """Return theta of each level."""
        return np.repeat(theta, self.data.sizes)

    def eta(self, beta: Floats, theta: Floats, u: Floats) -> Floats:
        """Return the linear predictor."""
        predictor: Floats = np.einsum("ij,j->i", self.data.x, beta)
        for scale, part in zip(theta, self.spread(u), strict=True):
            predictor = predictor + scale * part
        return predictor

    def matrix(self, theta: Floats, w: Floats) -> _Hessian:
        """Return H for weights."""
        codes, sizes = self.data.codes, self.data.sizes
        n, m = sizes[0], sum(sizes[1:])
        d = 1 + theta[0] ** 2 * np.bincount(codes[0], w, n)
        b, c = np.zeros((n, m)), np.eye(m)
        for f in range(1, len(sizes)):
            at = slice(self.starts[f] - n, self.starts[f + 1] - n)
            b[:, at] = theta[0] * theta[f] * self.crossed(0, f, w)
            for k in range(1, len(sizes)):
                to = slice(self.starts[k] - n, self.starts[k + 1] - n)
                c[at, to] += theta[f] * theta[k] * self.crossed(f, k, w)
        schur = linalg.cholesky(c - b.T @ (b / d[:, None]), lower=True)
        return _Hessian(d, b, schur, self.starts)

    def crossed(self, f: int, k: int, w: Floats) -> Floats:
        """Return Z_f' W Z_k."""
        codes, sizes = self.data.codes, self.data.sizes
        cell = codes[f] * sizes[k] + codes[k]
        sums: Floats = np.bincount(cell, w, sizes[f] * sizes[k]).astype(float)
        return sums.reshape(sizes[f], sizes[k])

    def mode(self, beta: Floats, theta: Floats, u: Floats) -> Floats:
        """Return the mode of u by Newton's steps, halved if they go up."""
        scale = self.scales(theta)

        def cost(at: Floats) -> tuple[float, _LogLikelihood]:
            terms = _terms(self.data, self.eta(beta, theta, at))
            return -2 * terms.value + float(at @ at), terms

        value, terms = cost(u)
        for _ in range(_STEPS):
            slope = scale * self.summed(terms.score) - u
            step = self.matrix(theta, terms.observed).solve(slope[:, None])[:, 0]
            for _ in range(_STEPS):
                new, new_terms = cost(u + step)
                if new <= value + _SMALL * abs(value):
                    break
                step = step / 2
            u, value, terms = u + step, new, new_terms
            if np.max(np.abs(step)) < _SMALL * (1 + np.max(np.abs(u))):
                break
        return u

    def deviance(
        self, beta: Floats, theta: Floats, u: Floats
    ) -> tuple[float, Floats, Floats]:
        """Return F, its gradient by (theta, beta), and the mode."""
        data = self.data
        u = self.mode(beta, theta, u)
        terms = _terms(data, self.eta(beta, theta, u))
        h = self.matrix(theta, terms.weight)
        value = -2 * terms.value + float(u @ u) + h.log_det
        leverage, own = self.leverage(theta, h)
        bend = terms.weight_slope * leverage
        scale, parts = self.scales(theta), self.spread(u)
        pull = scale * self.summed(bend)
        observed = h if data.link == "logit" else self.matrix(theta, terms.observed)
        back = observed.solve(pull[:, None])[:, 0]
        behind = terms.observed * self.eta(np.zeros(data.x.shape[1]), theta, back)
        # Sums, not products: BLAS takes threads for vectors of this length.
        rest = bend - 2 * terms.score - behind
        by_beta = np.einsum("ij,i->j", data.x, rest)
        by_theta = np.empty(len(theta))
        g = self.summed(terms.score)
        for f, part in enumerate(parts):
            level = slice(self.starts[f], self.starts[f + 1])
            by_theta[f] = (
                np.sum(part * rest)
                + 2 * np.sum(terms.weight * own[f])
                + np.sum(back[level] * g[level])
            )
        return value, np.concatenate([by_theta, by_beta]), u

    def leverage(self, theta: Floats, h: _Hessian) -> tuple[Floats, list[Floats]]:
        """Return x' H^-1 x of each outcome, and x' H^-1 e of each factor's level."""
        codes, n = self.data.codes, self.data.sizes[0]
        diagonal, cross, inverse = h.rows()
        at = [code + start - n for start, code in zip(self.starts, codes, strict=False)]
        count = len(codes)
        own = []
        for f in range(count):
            total = np.zeros(len(codes[0]))
            for k in range(count):
                if f == k == 0:
                    block = diagonal[codes[0]]
                elif f == 0 or k == 0:
                    block = cross[codes[0], at[max(f, k)]]
                else:
                    block = inverse[at[f], at[k]]
                total += theta[k] * block
            own.append(total)
        every = sum(scale * part for scale, part in zip(theta, own, strict=True))
        return np.asarray(every), own


def fit(data: BinaryOutcomes) -> LaplaceFit:
    """Minimise the deviance over standard deviations and fixed effects."""
    model, k = _LaplaceModel(data), len(data.sizes)
    u = np.zeros(int(model.starts[-1]))

    def target(at: Floats) -> tuple[float, Floats]:
        nonlocal u
        value, slope, u = model.deviance(at[k:], at[:k], u)
        return value, slope

    # Without bounds: the deviance is even in theta, and 0 may be a saddle.
    start = np.concatenate([np.full(k, 0.5), _start(data)])
    minimum = scipy.optimize.minimize(
        target, start, jac=True, method="BFGS", options={"gtol": 1e-6, "maxiter": 500}
    )
    at = np.asarray(minimum.x, float)
    at[:k] = np.abs(at[:k])
    return _polished(target, at, k)


def _start(data: BinaryOutcomes) -> Floats:
    """Return the fixed effects without random ones, roughly."""
    shares = (data.x.T @ data.y + 0.5) / (data.x.sum(axis=0) + 1.0)
    return np.asarray(
        special.logit(shares) if data.link == "logit" else special.ndtri(shares)
    )


def _polished(target: _Target, at: Floats, k: int) -> LaplaceFit:
    """Return the fit after Newton's steps with differences of the gradient."""
    at[:k] = np.where(at[:k] < _EDGE, 0.0, at[:k])
    free = np.concatenate([at[:k] > 0, np.ones(len(at) - k, bool)])
    for _ in range(3):
        value, slope = target(at)
        second = _second(target, at, free)
        step = linalg.solve(second, slope[free], assume_a="sym")
        new = at.copy()
        new[free] -= step
        if (new[:k] < 0).any() or target(new)[0] > value + 1e-9 * abs(value):
            break
        at = new
    value, slope = target(at)
    second = _second(target, at, free)
    # The deviance is twice minus the log-likelihood.
    covariance = 2 * linalg.inv(second)
    left = slope[free] * np.sqrt(np.abs(np.diag(covariance)))
    fixed = free[:k].sum()
    return LaplaceFit(
        at[k:],
        at[:k],
        covariance[fixed:, fixed:],
        value,
        float(np.max(np.abs(left))),
    )


def _second(target: _Target, at: Floats, free: NDArray[np.bool_]) -> Floats:
    """Return the second derivatives by the free parameters."""
    places = np.flatnonzero(free)
    rows = []
    for place in places:
        step = np.zeros(len(at))
        step[place] = 1e-4 * max(abs(at[place]), 0.1)
        up, down = target(at + step)[1], target(at - step)[1]
        rows.append((up - down)[free] / (2 * step[place]))
    square = np.array(rows)
    return (square + square.T) / 2

"""Right answers with normal effects of items and of models on items: exact likelihood.

k of R answers of model m to item i are right with the chance expit(b_m + u_i + v_mi); u
and v are normal with mean 0. Given u the models are independent, so the likelihood of
an item is one integral of a product of integrals. Both integrands are analytic, so that
the trapezoid rule converges geometrically.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy
from scipy import special

from pycompare.base.typing import Floats, Ints

_REACH, _STEPS, _STEP = 6.5, 1.8, 0.55
"""Nodes lie within so many standard deviations at first, so many of them in one, or so
near on the logit scale."""
_FURTHER, _SAME = 1.5, 1e-6
"""The nodes reach so many times as far until the log-likelihood stays the same. Of N
items that are alike but one, this one lies root N standard deviations away."""
_NARROW = 1.6
"""As near for the likelihood of one answer, whose width is 2 on the logit scale; that
of n answers is narrower by their root."""
_ZERO = 0.02
"""A standard deviation below is held at 0."""
_LARGEST = math.log(12.0)
"""Of the logarithm of a standard deviation: all chances are near 0 or 1."""
_DIFFERENCE = 1e-4
"""Step of the differences of gradients."""
_HALVINGS = 50


class Nodes(NamedTuple):
    """Nodes of a normal distribution, and logarithms of weights that sum to 1."""

    x: Floats
    logs: Floats

    @property
    def weights(self) -> Floats:
        """The weights."""
        return np.asarray(np.exp(self.logs))


def _normal_nodes(sd: float, answers: float = 1, reach: float = _REACH) -> Nodes:
    """Return the nodes of the trapezoid rule; one, at 0, if there is no spread.

    ``answers`` is the largest number whose likelihood is integrated.
    """
    if sd == 0:
        return Nodes(np.zeros(1), np.zeros(1))
    step = min(1 / _STEPS, _STEP / sd, _NARROW / (sd * math.sqrt(answers)))
    half = math.ceil(reach / step)
    z = step * np.arange(-half, half + 1)
    logs = -(z**2) / 2
    return Nodes(
        np.asarray(sd * z, float), np.asarray(logs - np.log(np.exp(logs).sum()), float)
    )


@dataclass(frozen=True, eq=False)
class RightAnswers:
    """Counts of right answers, items x models, and of all answers.

    ``repeats`` has how often each distinct item comes, ``kinds`` the distinct counts of
    each model, and ``codes`` which of them each distinct item has.
    """

    right: Floats
    answers: Floats
    repeats: Floats = field(init=False)
    place: Ints = field(init=False)
    kinds: tuple[Floats, ...] = field(init=False)
    codes: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Find the distinct items and counts."""
        both = np.concatenate([self.right, self.answers], axis=1)
        rows, place, repeats = np.unique(
            both, axis=0, return_inverse=True, return_counts=True
        )
        m = self.right.shape[1]
        kinds, codes = [], []
        for j in range(m):
            distinct, code = np.unique(rows[:, [j, m + j]], axis=0, return_inverse=True)
            kinds.append(distinct)
            codes.append(code.ravel())
        object.__setattr__(self, "repeats", repeats.astype(float))
        object.__setattr__(self, "place", place.ravel())
        object.__setattr__(self, "kinds", tuple(kinds))
        object.__setattr__(self, "codes", np.array(codes).T)

    @property
    def n_models(self) -> int:
        """How many models there are."""
        return len(self.kinds)

    @cached_property
    def log_choose(self) -> float:
        """The part of the log-likelihood that no parameter changes."""
        k, n = self.right, self.answers
        terms = -special.betaln(k + 1, n - k + 1) - np.log(n + 1)
        return float(terms.sum())


def _of_model(kinds: Floats, x: Floats, own: Nodes) -> tuple[Floats, Floats, Floats]:
    """Return the log-likelihood of each kind of counts at each x, and its derivatives.

    By x, and by the logarithm of the own effects' standard deviation; without binomial
    coefficients. Shapes (kinds, x). Likelihoods of many answers would underflow, and
    so would weights of nodes that are far away.
    """
    at = x[:, None] + own.x
    up, down = special.log_expit(at), special.log_expit(-at)
    chance = special.expit(at)
    values = np.empty((3, len(kinds), len(x)))
    for row, (k, n) in enumerate(kinds):
        logs = k * up + (n - k) * down + own.logs
        top = logs.max(axis=1)
        given = np.exp(logs - top[:, None])
        slope = given * (k - n * chance)
        whole = given.sum(axis=1)
        values[0, row] = np.log(whole) + top
        values[1, row] = slope.sum(axis=1) / whole
        values[2, row] = slope @ own.x / whole
    return values[0], values[1], values[2]


def log_likelihood(
    data: RightAnswers,
    intercepts: Floats,
    sd_item: float,
    sd_own: float,
    reach: float = _REACH,
) -> tuple[float, Floats]:
    """Return the log-likelihood and its gradient.

    By the intercepts and by the logarithms of both standard deviations. What lies
    further than ``reach`` standard deviations away is not integrated.
    """
    items = _normal_nodes(sd_item, float(data.answers.sum(axis=1).max()), reach)
    own = _normal_nodes(sd_own, float(data.answers.max()), reach)
    logs = np.broadcast_to(items.logs, (len(data.codes), len(items.x)))
    slopes, by_own = [], np.zeros_like(logs)
    for j, (kinds, b) in enumerate(zip(data.kinds, intercepts, strict=True)):
        value, slope, of_own = _of_model(kinds, b + items.x, own)
        code = data.codes[:, j]
        logs = logs + value[code]
        slopes.append(slope[code])
        by_own += of_own[code]
    top = logs.max(axis=1)
    product = np.exp(logs - top[:, None])
    whole = product.sum(axis=1)
    posterior = product * (data.repeats / whole)[:, None]
    of_b = np.array([np.sum(posterior * slope) for slope in slopes])
    of_item = np.sum(posterior * sum(slopes) * items.x)
    total = float(data.repeats @ (np.log(whole) + top)) + data.log_choose
    return total, np.append(of_b, [of_item, np.sum(posterior * by_own)])


class ItemLogitFit(NamedTuple):
    """Estimates; ``covariance`` is of the intercepts and the free log SDs.

    The integrals reached ``reach`` standard deviations.
    """

    intercepts: Floats
    sd_item: float
    sd_own: float
    log_likelihood: float
    covariance: Floats
    free: tuple[bool, bool]
    reach: float


def fit(data: RightAnswers, *, with_own: bool) -> ItemLogitFit:
    """Return the most likely parameters.

    A standard deviation that falls below 0.02 is held at 0.
    """
    reach = _REACH
    while True:
        fitted = _fit(data, with_own, reach)
        reach *= _FURTHER
        at = fitted.intercepts, fitted.sd_item, fitted.sd_own
        change = abs(log_likelihood(data, *at, reach)[0] - fitted.log_likelihood)
        # Of very many answers the last digits are rounding.
        if not change > _SAME * max(1.0, _SAME * abs(fitted.log_likelihood)):
            return fitted


def _fit(data: RightAnswers, with_own: bool, reach: float) -> ItemLogitFit:
    """Return the most likely parameters by integrals that reach so far."""
    free = [True, with_own]
    share = (data.right.sum(axis=0) + 0.5) / (data.answers.sum(axis=0) + 1)
    start = np.concatenate([1.5 * special.logit(share), np.log([1.0, 0.7])])
    while True:
        best = _maximum(data, start, free, reach)
        sds = np.exp(best[-2:]) * free
        small = [is_free and sd < _ZERO for is_free, sd in zip(free, sds, strict=True)]
        if not any(small):
            break
        free = [f and not s for f, s in zip(free, small, strict=True)]
        start = best
    value, _ = log_likelihood(data, best[:-2], sds[0], sds[1], reach)
    places = [*range(data.n_models), *np.flatnonzero(free) + data.n_models]
    information = _information(data, best, free, reach)[np.ix_(places, places)]
    covariance = np.asarray(np.linalg.inv(information), float)
    return ItemLogitFit(
        intercepts=best[:-2],
        sd_item=float(sds[0]),
        sd_own=float(sds[1]),
        log_likelihood=value,
        covariance=covariance,
        free=(free[0], free[1]),
        reach=reach,
    )


def _maximum(
    data: RightAnswers, start: Floats, free: list[bool], reach: float
) -> Floats:
    """Return intercepts and log SDs of the largest likelihood; SDs not free are 0."""
    is_free = np.append(np.ones(data.n_models, bool), free)
    n = data.repeats.sum()

    def loss(parameters: Floats) -> tuple[float, Floats]:
        sds = np.exp(parameters[-2:]) * free
        value, gradient = log_likelihood(data, parameters[:-2], sds[0], sds[1], reach)
        return -value / n, -np.where(is_free, gradient, 0.0) / n

    bounds = [(-30.0, 30.0)] * data.n_models + [(math.log(_ZERO) - 1, _LARGEST)] * 2
    options = {"maxiter": 500, "ftol": 1e-15, "gtol": 1e-9}
    fitted = scipy.optimize.minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    return np.asarray(fitted.x)


def _information(
    data: RightAnswers, best: Floats, free: list[bool], reach: float
) -> Floats:
    """Return minus the second derivatives, by differences of gradients."""

    def gradient(parameters: Floats) -> Floats:
        sds = np.exp(parameters[-2:]) * free
        return log_likelihood(data, parameters[:-2], sds[0], sds[1], reach)[1]

    size = len(best)
    columns = np.empty((size, size))
    for at in range(size):
        step = np.zeros(size)
        step[at] = _DIFFERENCE
        columns[:, at] = gradient(best - step) - gradient(best + step)
    columns /= 2 * _DIFFERENCE
    return (columns + columns.T) / 2


def shares(fitted: ItemLogitFit) -> tuple[Floats, Floats]:
    """Return each model's share over all items, and its covariance matrix."""
    spread = math.hypot(fitted.sd_item, fitted.sd_own)
    nodes = _normal_nodes(spread)
    chance = special.expit(fitted.intercepts[:, None] + nodes.x)
    slope = chance * (1 - chance) * nodes.weights
    by_b = slope.sum(axis=1)
    columns = [np.diag(by_b)]
    for sd, is_free in zip((fitted.sd_item, fitted.sd_own), fitted.free, strict=True):
        if is_free:
            columns.append((slope @ nodes.x)[:, None] * (sd / spread) ** 2)
    jacobian = np.concatenate(columns, axis=1)
    return chance @ nodes.weights, jacobian @ fitted.covariance @ jacobian.T


def own_shares(
    fitted: ItemLogitFit, pairs: list[tuple[int, int]], answers: float
) -> Floats:
    """Return the share of own effects in the variance of an item's mean difference."""
    items, own = _normal_nodes(fitted.sd_item), _normal_nodes(fitted.sd_own)
    at = fitted.intercepts[:, None, None] + items.x[:, None] + own.x
    chance = special.expit(at)
    mean = chance @ own.weights
    spread = (chance**2) @ own.weights - mean**2
    of_answers = (chance * (1 - chance)) @ own.weights @ items.weights / answers
    shared = []
    for i, j in pairs:
        of_own = float((spread[i] + spread[j]) @ items.weights)
        d = mean[i] - mean[j]
        of_items = float(d**2 @ items.weights - (d @ items.weights) ** 2)
        total = of_own + of_items + of_answers[i] + of_answers[j]
        shared.append(of_own / total)
    return np.array(shared)


def easiness(data: RightAnswers, fitted: ItemLogitFit) -> Floats:
    """Return the most likely effect u of each item, given all answers to it.

    The logarithm of its density is concave: it is that of a normal one and of normal
    mixtures of logistic ones.
    """
    if fitted.sd_item == 0:
        return np.zeros(len(data.place))
    own = _normal_nodes(fitted.sd_own, float(data.answers.max()), fitted.reach)
    reach = fitted.reach * fitted.sd_item
    low, high = np.full(len(data.codes), -reach), np.full(len(data.codes), reach)
    counts = np.concatenate(
        [kinds[data.codes[:, j]][:, None] for j, kinds in enumerate(data.kinds)], axis=1
    )
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        slope = -middle / fitted.sd_item**2
        for j, b in enumerate(fitted.intercepts):
            at = b + middle[:, None] + own.x
            k, n = counts[:, j, :1], counts[:, j, 1:]
            log = k * special.log_expit(at) + (n - k) * special.log_expit(-at)
            log += own.logs
            given = np.exp(log - log.max(axis=1, keepdims=True))
            rise = (given * (k - n * special.expit(at))).sum(axis=1)
            slope = slope + rise / given.sum(axis=1)
        low, high = np.where(slope > 0, middle, low), np.where(slope > 0, high, middle)
    return np.asarray(((low + high) / 2)[data.place])

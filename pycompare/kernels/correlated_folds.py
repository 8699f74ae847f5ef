"""Differences over data sets with folds: a hierarchical t model, by Gibbs sampling.

Fold differences of data set i are normal with mean delta_i, standard deviation sigma_i
and correlation rho; delta_i is Student t about delta_0 with scale sigma_0 and nu
degrees of freedom (Corani et al. 2017, sec. 3). A t variable is normal given a gamma
weight, which makes most steps draws from known laws. Means and sums of squares of
folds are all that enters.

Priors: uniform for delta_0, all sigma_i and sigma_0 up to limits in units of the data;
nu - 1 ~ gamma(a, b) with a and b uniform on intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import special

from pycompare.base.typing import Floats

_LEAST_NU, _MOST_NU = 0.01, 1000.0
"""Of nu - 1; what lies beyond them changes no t law that data can distinguish."""
_NODES = 41
_SHAPES = 40
_REDRAWN = 20
_WIDEST = 1000.0
"""Upper limits of standard deviations, in their own estimates (baycomp)."""


@dataclass(frozen=True)
class FoldMeans:
    """What a hierarchical model needs of some data sets.

    Attributes
    ----------
    mean : ndarray, shape (q,)
        Mean difference of each data set.
    squares : ndarray, shape (q,)
        Sum of squares about it.
    n : ndarray, shape (q,)
        Folds.
    rho : ndarray, shape (q,)
        Correlation of two folds.
    largest : float
        Largest absolute difference of a fold: the limit of delta_0.
    """

    mean: Floats
    squares: Floats
    n: Floats
    rho: Floats
    largest: float


@dataclass(frozen=True)
class TailPrior:
    """Limits of the uniform priors of shape and rate of nu - 1."""

    shape: tuple[float, float] = (0.5, 5.0)
    rate: tuple[float, float] = (0.05, 0.15)


def hierarchical_draws(
    folds: FoldMeans,
    tails: TailPrior,
    *,
    chains: int,
    draws: int,
    warm_up: int,
    generator: np.random.Generator,
) -> dict[str, Floats]:
    """Draw from the posterior of the hierarchical model.

    Returns
    -------
    dict of ndarray
        ``delta_0``, ``sigma_0``, ``nu`` of shape (chains, draws), and ``delta`` of
        shape (chains, draws, q).
    """
    q = len(folds.mean)
    # Of each data set: the variance of its mean and of a fold about it, in sigma^2.
    of_mean = (1 + (folds.n - 1) * folds.rho) / folds.n
    of_squares = folds.squares / (1 - folds.rho)
    sd = np.sqrt(folds.squares / folds.n)
    spread = max(folds.mean.std(), np.sqrt((sd**2 * of_mean).mean()) / _WIDEST)
    log_nu, log_tail_prior = _tail_prior(tails)
    log_sigma_0 = np.log(spread) + np.linspace(
        -np.log(_WIDEST), np.log(_WIDEST), _NODES
    )
    delta = folds.mean + spread * generator.uniform(-1, 1, (chains, 1))
    delta_0 = delta.mean(axis=1, keepdims=True)
    sigma_0 = spread * np.exp(generator.uniform(-1, 1, (chains, 1)))
    nu = 1 + np.exp(generator.uniform(0, 3, (chains, 1)))
    kept: dict[str, Floats] = {
        name: np.empty((chains, draws)) for name in ("delta_0", "sigma_0", "nu")
    }
    kept["delta"] = np.empty((chains, draws, q))
    for step in range(-warm_up, draws):
        # sigma_i: its precision is gamma, cut off where sigma_i meets its limit.
        quadratic = of_squares + (folds.mean - delta) ** 2 / of_mean
        precision = _gamma_above(
            (folds.n - 1) / 2, quadratic / 2, (_WIDEST * sd.mean()) ** -2, generator
        )
        # sigma_0 and nu, with the weights integrated out; then the weights.
        square = (delta - delta_0) ** 2
        at_deviations = partial(_spread_density, square, nu)
        sigma_0 = np.exp(
            _grid_step(at_deviations, np.log(sigma_0), log_sigma_0, generator)
        )
        scaled = square / sigma_0**2
        at_tails = partial(_tail_density, scaled, log_nu, log_tail_prior)
        nu = 1 + np.exp(_grid_step(at_tails, np.log(nu - 1), log_nu, generator))
        weight = generator.gamma((nu + 1) / 2, 2 / (nu + scaled))
        # Once more sigma_0, with delta_0 and delta_i integrated out: either step alone
        # hardly moves where the other does. Then delta_0 and delta_i.
        known = of_mean / precision
        at_means = partial(_mean_density, folds.mean, known, weight)
        sigma_0 = np.exp(_grid_step(at_means, np.log(sigma_0), log_sigma_0, generator))
        marginal = 1 / (known + sigma_0**2 / weight)
        total = marginal.sum(axis=1, keepdims=True)
        centre = (marginal * folds.mean).sum(axis=1, keepdims=True) / total
        delta_0 = _normal_within(centre, total**-0.5, folds.largest, generator)
        own, common = 1 / known, weight / sigma_0**2
        delta = (own * folds.mean + common * delta_0) / (own + common)
        delta = delta + generator.standard_normal(delta.shape) / np.sqrt(own + common)
        if step >= 0:
            kept["delta_0"][:, step] = delta_0[:, 0]
            kept["sigma_0"][:, step] = sigma_0[:, 0]
            kept["nu"][:, step] = nu[:, 0]
            kept["delta"][:, step] = delta
    return kept


def _tail_prior(tails: TailPrior) -> tuple[Floats, Floats]:
    """Return nodes of log(nu - 1) and the logarithms of its prior density there.

    Shape and rate of the gamma law are integrated out.
    """
    nodes = np.linspace(np.log(_LEAST_NU), np.log(_MOST_NU), _NODES)
    at, weights = special.roots_legendre(_SHAPES)
    shape, rate = (
        low + (at + 1) / 2 * (high - low) for low, high in (tails.shape, tails.rate)
    )
    a, b, x = shape[:, None], rate, nodes[:, None, None]
    density = a * (np.log(b) + x) - b * np.exp(x) - special.gammaln(a)
    mix = np.log(weights[:, None] * weights)
    return nodes, special.logsumexp(density + mix, axis=(1, 2))


def _t_density(square: Floats, nu: Floats, scale: Floats) -> Floats:
    """Return log densities of t variables for each nu and scale, less a common part.

    ``square``, of shape (chains, q), are squared variables; ``scale``, their
    factor, and ``nu`` have shapes (chains or 1, m or 1).
    """
    each = np.log1p(square[:, :, None] * (scale / nu)[:, None, :]).sum(axis=1)
    constant = special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - np.log(nu) / 2
    return square.shape[1] * constant - (nu + 1) / 2 * each


def _spread_density(square: Floats, nu: Floats, log_sigma_0: Floats) -> Floats:
    """Return log densities of log(sigma_0), given squared distances and nu."""
    powers = (1 - square.shape[1]) * log_sigma_0
    return powers + _t_density(square, nu, np.exp(-2 * log_sigma_0))


def _tail_density(
    scaled: Floats, log_nu: Floats, log_prior: Floats, x: Floats
) -> Floats:
    """Return log densities of x = log(nu - 1), given distances in units of sigma_0."""
    prior = np.interp(x, log_nu, log_prior)
    return _t_density(scaled, 1 + np.exp(x), np.ones((1, 1))) + prior


def _mean_density(
    mean: Floats, known: Floats, weight: Floats, log_sigma_0: Floats
) -> Floats:
    """Return log densities of log(sigma_0), with delta_0 and delta_i integrated out.

    ``known`` and ``weight`` have shape (chains, q), ``log_sigma_0`` (chains or 1, m).
    """
    square = np.exp(2 * log_sigma_0)[:, None, :]
    precision = 1 / (known[:, :, None] + square / weight[:, :, None])
    total = precision.sum(axis=1)
    centre = (precision * mean[:, None]).sum(axis=1) / total
    quadratic = (precision * (mean[:, None] - centre[:, None, :]) ** 2).sum(axis=1)
    logs = np.log(precision).sum(axis=1) - np.log(total)
    return np.asarray(log_sigma_0 + (logs - quadratic) / 2)


def _grid_step(
    log_density: Callable[[Floats], Floats],
    now: Floats,
    nodes: Floats,
    generator: np.random.Generator,
) -> Floats:
    """Move each chain by a proposal that is constant around each node of a grid.

    The step is accepted by the rule of Metropolis and Hastings, so that the grid costs
    no exactness.
    """
    width = nodes[1] - nodes[0]
    at = log_density(nodes[None])
    weight = np.exp(at - at.max(axis=1, keepdims=True))
    below = np.cumsum(weight, axis=1)
    u = generator.random((len(now), 1)) * below[:, -1:]
    place = np.minimum((below < u).sum(axis=1), len(nodes) - 1)
    new = nodes[place, None] + width * (generator.random(now.shape) - 0.5)
    here = np.clip(np.rint((now[:, 0] - nodes[0]) / width), 0, len(nodes) - 1)
    rows = np.arange(len(now))
    ends = log_density(np.concatenate([new, now], axis=1))
    gain = ends[:, 0] - ends[:, 1] + at[rows, here.astype(int)] - at[rows, place]
    accepted = np.log(generator.random(len(now))) < gain
    return np.where(accepted[:, None], new, now)


def _gamma_above(
    shape: Floats, rate: Floats, least: float, generator: np.random.Generator
) -> Floats:
    """Draw gamma variables that lie above a limit.

    The limit lies far below all of them unless there is hardly a block, so that what
    falls below it is drawn again, and after some draws by inversion of the tail.
    """
    shape = np.broadcast_to(shape, rate.shape)
    drawn = generator.gamma(shape, 1 / rate)
    for _ in range(_REDRAWN):
        low = drawn < least
        if not low.any():
            return drawn
        drawn[low] = generator.gamma(shape[low], 1 / rate[low])
    low = drawn < least
    tail = special.gammaincc(shape[low], rate[low] * least)
    u = 1 - generator.random(len(tail))
    drawn[low] = np.maximum(
        special.gammainccinv(shape[low], u * tail) / rate[low], least
    )
    return drawn


def _normal_within(
    mean: Floats, sd: Floats, limit: float, generator: np.random.Generator
) -> Floats:
    """Draw normal variables between -limit and limit, by inversion."""
    low, high = special.ndtr((-limit - mean) / sd), special.ndtr((limit - mean) / sd)
    u = low + generator.random(mean.shape) * (high - low)
    return np.clip(mean + sd * special.ndtri(u), -limit, limit)

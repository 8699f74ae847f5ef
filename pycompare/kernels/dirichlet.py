"""Shares of a Dirichlet process: how much of the data lies on each side of a region.

Weights (w_0, ..., w_n) ~ Dirichlet(s, 1, ..., 1) belong to a prior observation at 0 and
to n differences. The posterior of the sign test is the Dirichlet distribution of the
three sums of weights; that of the signed rank test is the law of

    theta_1 = sum_i sum_j w_i w_j [z_i + z_j > 2 r],   theta_2 the same below -2 r,

with equality counted half (Benavoli et al. 2014, sec. 4; 2017, sec. 4.2).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from pycompare.base.typing import Floats, Ints
from pycompare.kernels.r_random import Uniforms

_LogDensity = Callable[[Floats], Floats]

_WEIGHTS_AT_ONCE = 1 << 20
"""Weights that are held at once."""
_NEGLIGIBLE = 45.0
"""Where the logarithm of a density lies so far below its mode, nothing is left."""
_NODES = 1025
_FARTHEST = 0.01
"""Distance of neighbouring nodes, in log(x)."""
_HALVINGS = 200


def signed_rank_shares(
    d: Floats, *, rope: float, prior: float, tie: float, draws: int, seed: int
) -> Floats:
    """Draw from the posterior of the signed rank test.

    Parameters
    ----------
    d : ndarray, shape (n,)
        Differences.
    rope : float
        Differences from -rope to rope are equivalent; 0: none is but 0.
    prior : float
        Weight s > 0 of the prior observation at 0.
    tie : float
        Sums of two differences that lie no farther from a border are on it.
    draws, seed : int
        Uniforms are R's: first those of the prior observation, one a draw, then those
        of each difference.

    Returns
    -------
    ndarray, shape (draws, 3)
        Shares above the region, in it, below it. With ``rope`` 0 the second is 0.
    """
    z = np.concatenate([[0.0], d])
    place = np.argsort(z, kind="stable")
    z = z[place]
    # Of ascending z: where the partners of each begin whose sum is at or over a border.
    above = [np.searchsorted(z, 2 * rope - z - tie), _after(z, 2 * rope - z + tie)]
    below = [np.searchsorted(z, -2 * rope - z - tie), _after(z, -2 * rope - z + tie)]
    uniforms = Uniforms(seed)
    shares = np.empty((draws, 3))
    step = max(1, _WEIGHTS_AT_ONCE // len(z))
    for start in range(0, draws, step):
        part = shares[start : start + step]
        # In R: matrix(runif(draws * (n + 1)), n + 1), one draw a column.
        u = uniforms.draw(len(part), len(z))
        w = -np.log(u)
        w[:, 0] = special.gammaincinv(prior, u[:, 0])
        w = w[:, place]
        w /= w.sum(axis=1, keepdims=True)
        up = np.concatenate([np.zeros((len(w), 1)), np.cumsum(w, axis=1)], axis=1)
        # A sum at the border counts half on either side. Weights above are what is left
        # of their sum, so that nothing above is 0, not a rounding error.
        over = 2 * up[:, -1:] - up[:, above[0]] - up[:, above[1]]
        part[:, 0] = np.einsum("ij,ij->i", w, over) / 2
        part[:, 2] = np.einsum("ij,ij->i", w, up[:, below[0]] + up[:, below[1]]) / 2
    within = 1 - shares[:, 0] - shares[:, 2]
    shares[:, 1] = 0.0 if rope == 0 else np.maximum(within, 0.0)
    return shares


def _after(z: Floats, ends: Floats) -> Ints:
    """Return how many of ascending z are at most each end."""
    return np.searchsorted(z, ends, side="right")


def largest_shares(counts: Floats) -> Floats:
    """Return the probability that each share of a Dirichlet distribution is largest.

    Parameters
    ----------
    counts : ndarray, shape (3,)
        Parameters of the distribution; a share with 0 is 0.

    Returns
    -------
    ndarray, shape (3,)
        Exact but for the integration: about 14 digits.

    Notes
    -----
    Shares are independent gamma variables G_k over their sum, so that P(share k is
    largest) = E[prod F_j(G_k)], an integral of one variable. In log(x) the integrand is
    log-concave and falls off fast on both sides, where the trapezoidal rule is exact to
    rounding.
    """
    counts = np.asarray(counts, float)
    chances = np.array([_log_largest(k, counts) for k in range(len(counts))])
    return np.exp(chances)


def _log_largest(k: int, counts: Floats) -> float:
    """Return the logarithm of the probability that one share is the largest."""
    a, others = counts[k], np.delete(counts, k)
    others = others[others > 0]
    if a == 0:
        return -np.inf
    if not len(others):
        return 0.0

    def log_density(t: Floats) -> Floats:
        x = np.exp(t)[..., None]
        with np.errstate(divide="ignore"):
            below = np.log(special.gammainc(others, x))
        # Far below its mean the distribution function underflows; its first term holds.
        first = others * t[..., None] - special.gammaln(others + 1) - x
        below = np.where(np.isfinite(below), below, first)
        return a * t - np.exp(t) - special.gammaln(a) + below.sum(axis=-1)

    mode = _mode(log_density, counts)
    top = log_density(np.array(mode)).item() - _NEGLIGIBLE
    low, high = (_fallen(log_density, mode, top, side) for side in (-1.0, 1.0))
    count = max(_NODES, int((high - low) / _FARTHEST))
    nodes = np.linspace(low, high, count)
    values = log_density(nodes)
    return float(special.logsumexp(values) + np.log(nodes[1] - nodes[0]))


def _mode(log_density: _LogDensity, counts: Floats) -> float:
    """Return where a log-concave density of log(x) is largest, by ternary search."""
    low = np.log(counts.max()) - 60 / counts.sum() - 10
    high = np.log(counts.max() + 10) + 10
    for _ in range(_HALVINGS):
        lower, upper = low + (high - low) / 3, high - (high - low) / 3
        at_lower, at_upper = log_density(np.array([lower, upper]))
        low, high = (lower, high) if at_lower < at_upper else (low, upper)
    return float((low + high) / 2)


def _fallen(log_density: _LogDensity, mode: float, level: float, side: float) -> float:
    """Return where a log-concave density of log(x) has fallen to a level."""
    step = 1e-6
    while log_density(np.array(mode + side * step)).item() > level:
        step *= 2
    return mode + side * step

"""Bradley-Terry abilities of algorithms from their wins, by Hamiltonian Monte Carlo.

P(i beats j) = 1 / (1 + exp(b_j - b_i)) with abilities b ~ N(0, sigma^2) and
log(sigma) ~ N(0, tau^2) (Wainer 2023, sec. 2). Trajectories run in coordinates in which
the posterior is nearly standard normal: those of Laplace's approximation at the mode of
log(sigma) with the abilities integrated out.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg, optimize, special

from pycompare.base.typing import Floats

_LEAPS = 12
_WANTED = 0.85
"""Share of accepted trajectories that the warm-up aims at."""
_LOG_SIGMAS = -6.0, 4.0
_NEWTON_STEPS = 100
_SMALL = 1e-12


def ability_draws(
    wins: Floats,
    *,
    spread: float,
    chains: int,
    draws: int,
    warm_up: int,
    generator: np.random.Generator,
) -> dict[str, Floats]:
    """Draw from the posterior of abilities.

    Parameters
    ----------
    wins : ndarray, shape (k, k)
        Wins of the row's algorithm over the column's; halves are allowed.
    spread : float
        tau, the prior standard deviation of log(sigma).

    Returns
    -------
    dict of ndarray
        ``ability`` of shape (chains, draws, k) and ``sigma`` of (chains, draws).
    """
    k = len(wins)
    log_sigma, deviation, abilities, root = _approximation(wins, spread)
    # A row times it has the covariance of the abilities.
    whole = linalg.solve_triangular(root, np.eye(k), lower=True)

    def point(x: Floats) -> tuple[Floats, Floats]:
        return abilities + x[:, :k] @ whole, log_sigma + deviation * x[:, k]

    def target(x: Floats) -> tuple[Floats, Floats]:
        """Return log densities of points and their slopes."""
        b, s = point(x)
        gap = b[:, :, None] - b[:, None, :]
        value = -(wins * np.logaddexp(0, -gap)).sum(axis=(1, 2))
        pull = wins * special.expit(-gap)
        slope_b = pull.sum(axis=2) - pull.sum(axis=1)
        precision = np.exp(-2 * s)
        square = (b**2).sum(axis=1) * precision
        value = value - k * s - square / 2 - (s / spread) ** 2 / 2
        slope_b = slope_b - b * precision[:, None]
        slope_s = square - k - s / spread**2
        return value, np.column_stack([slope_b @ whole.T, deviation * slope_s])

    x = 1.5 * generator.standard_normal((chains, k + 1))
    value, slope = target(x)
    kept = {"ability": np.empty((chains, draws, k)), "sigma": np.empty((chains, draws))}
    size = 0.5 / (k + 1) ** 0.25
    for step in range(-warm_up, draws):
        momentum = generator.standard_normal(x.shape)
        # Sizes of their own keep trajectories from coming back to where they began.
        leap = size * generator.uniform(0.8, 1.2, (chains, 1))
        new, pace = x, momentum + leap / 2 * slope
        # Early steps of the warm-up can be too long: a trajectory without end is
        # rejected.
        with np.errstate(over="ignore", invalid="ignore"):
            for at in range(_LEAPS):
                new = new + leap * pace
                new_value, new_slope = target(new)
                pace = pace + (leap if at < _LEAPS - 1 else leap / 2) * new_slope
            energy = ((momentum**2).sum(axis=1) - (pace**2).sum(axis=1)) / 2
            log_chance = np.minimum(0, new_value - value + energy)
        chance = np.exp(np.where(np.isnan(log_chance), -np.inf, log_chance))
        accepted = generator.random(chains) < chance
        x = np.where(accepted[:, None], new, x)
        value = np.where(accepted, new_value, value)
        slope = np.where(accepted[:, None], new_slope, slope)
        if step < 0:
            size *= np.exp((chance.mean() - _WANTED) / (10 + step + warm_up) ** 0.6)
        else:
            b, s = point(x)
            kept["ability"][:, step] = b
            kept["sigma"][:, step] = np.exp(s)
    return kept


def _approximation(wins: Floats, spread: float) -> tuple[float, float, Floats, Floats]:
    """Return Laplace's approximation: log(sigma), its deviation, abilities, their root.

    The root is the lower Cholesky factor of the precision of the abilities.
    """

    def less(s: float) -> float:
        b, root = _abilities(wins, s)
        gap = b[:, None] - b
        value = -(wins * np.logaddexp(0, -gap)).sum() - (b @ b) * np.exp(-2 * s) / 2
        log_root = np.log(np.diag(root)).sum()
        return float(-(value - len(b) * s - log_root - (s / spread) ** 2 / 2))

    best = optimize.minimize_scalar(less, bounds=_LOG_SIGMAS, method="bounded").x
    step = 0.1
    curvature = (less(best + step) - 2 * less(best) + less(best - step)) / step**2
    deviation = 1 / np.sqrt(max(curvature, spread**-2))
    return float(best), float(deviation), *_abilities(wins, best)


def _abilities(wins: Floats, log_sigma: float) -> tuple[Floats, Floats]:
    """Return the most likely abilities for one sigma, and the root of their precision.

    The log posterior is concave; Newton's steps are halved while they lead downward.
    """
    k, precision = len(wins), np.exp(-2 * log_sigma)
    games = wins + wins.T
    b = np.zeros(k)

    def height(b: Floats) -> float:
        gap = b[:, None] - b
        return float(-(wins * np.logaddexp(0, -gap)).sum() - b @ b * precision / 2)

    for _ in range(_NEWTON_STEPS):
        chance = special.expit(b[:, None] - b)
        slope = (wins - games * chance).sum(axis=1) - b * precision
        weight = games * chance * (1 - chance)
        hessian = np.diag(weight.sum(axis=1) + precision) - weight
        root = linalg.cholesky(hessian, lower=True)
        move = linalg.cho_solve((root, True), slope)
        if np.abs(move).max() <= _SMALL * (1 + np.abs(b).max()):
            break
        while height(b + move) < height(b) and np.abs(move).max() > _SMALL:
            move = move / 2
        b = b + move
    return b, root

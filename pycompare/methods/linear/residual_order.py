"""Ordered residuals of a fit, and where they may lie if its errors are normal."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.kernels.normal_order import medians, simultaneous_limits
from pycompare.methods.linear.fit import AnovaFit

_MOST_DRAWS, _LEAST_DRAWS = 9998, 398
_MOST_NUMBERS = 8_000_000
"""In all draws together; at least LEAST_DRAWS are made."""


@dataclass(frozen=True, eq=False)
class ResidualOrder:
    """Ordered residuals beside ordered normals.

    Attributes
    ----------
    normal : ndarray, shape (n,)
        Medians of n ordered standard normals.
    residual, low, high : ndarray, shape (n,)
        Ordered residuals and their simultaneous limits, in the metric's unit; all zero
        for a perfect fit.
    size : float
        Root mean square residual, in the metric's unit.
    level : float
    draws, seed : int
    """

    normal: Floats
    residual: Floats
    low: Floats
    high: Floats
    size: float
    level: float
    draws: int
    seed: int


def residual_order(fit: AnovaFit, *, level: float, seed: int) -> ResidualOrder:
    """Order residuals and simulate their simultaneous limits.

    Residuals over their root mean square have one distribution for normal errors,
    whatever the variance and the effects: that of the design, drawn from here with all
    correlations among residuals.

    Raises
    ------
    InputError
        For a level that takes more draws than are made.
    """
    n = fit.design.n
    draws = min(_MOST_DRAWS, max(_LEAST_DRAWS, _MOST_NUMBERS // n))
    most = 1 - 1 / (draws - draws // 2 + 1)
    if level > most:
        raise InputError(
            f"level={level}: the {draws} simulations that are made for {n} residuals "
            f"reach {most:.4g} at most"
        )
    size = fit.unit * math.sqrt(fit.e / n)
    limits = simultaneous_limits(_ordered_draws(fit, draws, seed), level)
    ordered = np.sort(fit.residuals()) if fit.e > 0 else np.zeros(n)
    return ResidualOrder(
        normal=medians(n),
        residual=fit.unit * ordered,
        low=size * limits[0],
        high=size * limits[1],
        size=size,
        level=level,
        draws=draws,
        seed=seed,
    )


def _ordered_draws(fit: AnovaFit, draws: int, seed: int) -> Floats:
    """Return ordered residuals of normal noise, over their root mean square."""
    rng = np.random.default_rng(seed)
    errors = rng.standard_normal((draws, *fit.design.present.shape, 1))
    rest = fit.design.factors(errors).error[..., 0]
    rest /= np.sqrt(np.mean(np.square(rest), axis=-1, keepdims=True))
    return np.sort(rest, axis=-1)

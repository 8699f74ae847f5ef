"""Estimates that are linear in the data, with variances and df over all strata."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels.manova import EPS, ROUNDING
from pycompare.kernels.sscp import RANK
from pycompare.kernels.units import binary_unit
from pycompare.methods.models.fit import Layer, ModelFit
from pycompare.methods.models.mixed import weight_sums


@dataclass(frozen=True, eq=False)
class Combined:
    """Estimates that are linear in the data, with their variances by stratum.

    Attributes
    ----------
    weights : ndarray, shape (m, n)
        Of the rows of the data; NaN if a combination is not estimable.
    estimate, std_error, df : ndarray, shape (m,)
    """

    weights: Floats
    estimate: Floats
    std_error: Floats
    df: Floats


def combined(model: ModelFit, weights: Floats, response: int) -> Combined:
    """Return estimates, standard errors and degrees of freedom of combinations.

    The variance of w'y is the sum over strata of MS_s |P_s w|^2, P_s the projection on
    the stratum; constants vary as the coarsest units do. Degrees of freedom
    by Satterthwaite (1946), exact if one stratum holds all of w. A mixed model has
    generalised least squares instead, weights being those of least squares.
    """
    layers = model.layers
    y, unit = model.responses[:, response], model.units[response]
    known: NDArray[np.bool_] = np.asarray(~np.isnan(weights).any(axis=1))
    # Slopes of huge and of tiny covariates have weights whose squares are not finite.
    w = np.where(known[:, None], weights, 0.0)
    own = binary_unit(w, axis=1)
    w, own = w / own, own[:, 0]
    zero = _rounding(w if model.roots is None else w * model.roots, y)
    if model.mixed is not None:
        estimate, error, df = model.mixed.combined(w, response)
        estimate = np.where(np.abs(estimate) <= zero, 0.0, estimate)
        return Combined(
            weights=weights,
            estimate=np.where(known, estimate * unit * own, np.nan),
            std_error=np.where(known, error * unit * own, np.nan),
            df=np.where(known, df, np.nan),
        )
    total, squares = np.zeros(len(w)), np.zeros(len(w))
    for place, layer in enumerate(layers):
        e = error_sum(model, layer, response)
        part = _part_of(layer, w, place == 0)
        if layer.df_error <= 0:
            known &= ~part.any(axis=1)
            continue
        variance = e / layer.df_error * np.square(part).sum(axis=1)
        total += variance
        squares += variance**2 / layer.df_error
    shift = y.mean()
    raw = w if model.roots is None else w * model.roots
    with np.errstate(invalid="ignore", divide="ignore"):
        df = np.where(squares > 0, total**2 / squares, np.nan)
        estimate = raw @ (y - shift) + shift * weight_sums(raw)
        estimate = np.where(np.abs(estimate) <= zero, 0.0, estimate)
        return Combined(
            weights=weights,
            estimate=np.where(known, estimate * unit * own, np.nan),
            std_error=np.where(known, np.sqrt(total) * unit * own, np.nan),
            df=np.where(known, df, np.nan),
        )


def error_sum(model: ModelFit, layer: Layer, response: int) -> float:
    """Return the sum of squares of a response's residuals in a stratum."""
    residual = model.residuals(layer, slice(response, response + 1))
    return float(np.sum(np.square(residual)))


def _rounding(weights: Floats, y: Floats) -> Floats:
    """Return how far from 0 rounding of the data alone may take an estimate.

    Half a unit in the last place of each number, and what adding them up may lose.
    """
    sums = EPS * ROUNDING * np.sqrt(len(y)) * np.abs(y - y.mean())
    each = np.spacing(np.abs(y)) / 2 + sums
    return np.asarray(np.abs(weights) @ each)


def _part_of(layer: Layer, w: Floats, coarsest: bool) -> Floats:
    """Return the part of weights that varies as a stratum does; 0 if it is rounding."""
    if layer.stratum is None:
        return w
    part: Floats = layer.stratum.project(w.T).T
    if coarsest:
        part = part + w.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(np.stack([part, w]), axis=2)
    return np.where((lengths[0] > RANK * lengths[1])[:, None], part, 0.0)


def covariance_of(model: ModelFit, weights: Floats, response: int) -> Floats:
    """Return the covariances of combinations of the data, as their variances are made.

    In the responses' scaled units; NaN never, combinations that cannot be estimated
    have variances of 0.
    """
    w = np.nan_to_num(weights)
    if model.mixed is not None:
        return model.mixed.covariance(w, response)
    covariance = np.zeros((len(w), len(w)))
    for place, layer in enumerate(model.layers):
        if layer.df_error > 0:
            part = _part_of(layer, w, place == 0)
            e = error_sum(model, layer, response)
            covariance += e / layer.df_error * (part @ part.T)
    return covariance


def t_quantile(level: float, df: Floats) -> Floats:
    """Return the half width of an interval of one estimate, in standard errors."""
    return np.asarray(-special.stdtrit(df, (1 - level) / 2))

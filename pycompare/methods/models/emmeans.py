"""Estimated marginal means of a linear model, their contrasts, and slopes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_alpha, check_level, check_word, is_finite
from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show, show_all
from pycompare.base.typing import Floats
from pycompare.kernels import student
from pycompare.methods.models.columns import Covariate
from pycompare.methods.models.combined import (
    Combined,
    combined,
    covariance_of,
    error_sum,
    t_quantile,
)
from pycompare.methods.models.contrast_family import ContrastFamily, adjusted_family
from pycompare.methods.models.contrast_weights import parts_of, weights_of
from pycompare.methods.models.fit import Layer, ModelFit
from pycompare.methods.models.in_r import means_call
from pycompare.methods.pairs.last_step import agreeing_limits
from pycompare.results.adjust import repeatable_in_r
from pycompare.results.result import MayDraw, Result, internal, rejected

MeanWeights = Literal["equal", "proportional"]
_NOT_ESTIMABLE = "NaN: not estimable, since cells of the design are empty"
_AT_MEANS: Mapping[str, float] = MappingProxyType({})
_CANCELLED = 1e-12
"""A coefficient of a contrast this small, relative to those of its means, is 0."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginalMeans(Result):
    """Estimated marginal means: model means, averaged over all other cells.

    Attributes
    ----------
    table : DataFrame
        One row per mean: the factors' levels, then ``estimate std_error df conf_low
        conf_high``, in the response's own unit. Intervals are of one mean each.
    factors : tuple of str
    response : str
    slope : str
        The covariate whose slopes these are; empty for means.
    level : float
    notes : tuple of str
    weighting : {"equal", "proportional"}
        Weights of the other cells: all equal, or as many as they have rows.
    at : dict of str to float
        Covariates that are not at their means, with their values.
    """

    table: pd.DataFrame
    factors: tuple[str, ...]
    response: str
    slope: str
    level: float
    notes: tuple[str, ...]
    weighting: MeanWeights
    at: Mapping[str, float]
    model: ModelFit = internal()
    rows: Floats = internal()
    """Combinations of the coefficients, one a mean."""

    def r_call(self) -> RCall:
        """Return the call of ``emmeans::emmeans``."""
        return means_call(
            self.model, self.response, self.factors, self.level, self.slope,
            weighting=self.weighting, at=self.at,
        )  # fmt: skip

    def r_values(self) -> dict[str, Any]:
        """Return the columns of numbers."""
        names = ("estimate", "std_error", "df", "conf_low", "conf_high")
        return self.columns_in_r(*names)

    def contrasts(
        self,
        method: str | Mapping[str, Sequence[float]] = "pairwise",
        *,
        adjust: str = "holm",
        control: Sequence[str] | str | None = None,
        by: Sequence[str] | str = (),
        alpha: float | None = None,
        seed: int = 0,
    ) -> Contrasts:
        """Compare the means; see ``LinearModel.contrasts``."""
        return _contrasts(
            self, method, adjust=adjust, control=control, by=by, alpha=alpha, seed=seed
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Contrasts(MayDraw, Result):
    """Combinations of marginal means as one family of hypotheses.

    Attributes
    ----------
    table : DataFrame
        One row per contrast: the levels of ``by``, ``contrast estimate std_error df
        statistic p_value p_adjusted conf_low conf_high std_effect std_low std_high``.
        ``p_value`` is raw, two-sided; ``interval`` states what intervals are;
        ``std_effect`` is the estimate over the residual standard deviation of the rows'
        stratum, of a row of weight 1. ``std_low`` and ``std_high``: limits of each
        alone, by the noncentral t distribution; NaN if the estimate varies as other
        strata do too.
    method, adjust, family, interval : str
    level : float
        Of the intervals.
    alpha : float or None
        Of decisions with which no interval disagrees; None: they hold together.
    notes : tuple of str
    seed : int or None
        Random seed of ``single-step``; None if nothing is random.
    p_errors : ndarray
        Standard errors of ``p_adjusted``; 0 if nothing is random.
    """

    table: pd.DataFrame
    method: str
    adjust: str
    family: str
    interval: str
    level: float
    notes: tuple[str, ...]
    seed: int | None
    p_errors: Floats
    means: MarginalMeans = internal()
    weights: Floats = internal()
    alpha: float | None = field(default=None, metadata={"export": False})

    def rejected(self, alpha: float) -> pd.Series:
        """Return per row whether ``p_adjusted <= alpha``."""
        table = self.as_columns()
        return pd.Series(rejected(table["p_adjusted"], alpha), table.index)

    def r_call(self) -> RCall:
        """Return the call of ``emmeans::contrast`` and ``p.adjust``."""
        of = self.means
        return means_call(
            of.model, of.response, of.factors, of.level, of.slope, self.weights,
            single_step=self.adjust == "single-step",
            adjust=self.adjust if self._adjusted_in_r else "", alpha=self.alpha,
            weighting=of.weighting, at=of.at,
        )  # fmt: skip

    @property
    def _adjusted_in_r(self) -> bool:
        """Whether R repeats the adjustment and its intervals."""
        if self.adjust in ("single-step", "tukey"):
            return self.adjust == "tukey"
        means = len(self.means.as_columns())
        bound = self.adjust == "bergmann-hommel" and bool(self.notes)
        return repeatable_in_r(self.adjust, means) and not bound

    def r_values(self) -> dict[str, Any]:
        """Return the columns of numbers; R's single-step p-values are random."""
        more: tuple[str, ...] = ()
        if self.means.model.mixed is None:
            more += ("std_effect", "std_low", "std_high")
        if self._adjusted_in_r:
            more += ("p_adjusted", "conf_low", "conf_high")
        names = ("estimate", "std_error", "df", "statistic", "p_value", *more)
        return self.columns_in_r(*names)


def emmeans(
    model: ModelFit,
    factors: str | Sequence[str],
    *,
    response: str | None = None,
    level: float = 0.95,
    weights: MeanWeights = "equal",
    at: Mapping[str, float] = _AT_MEANS,
) -> MarginalMeans:
    """Return estimated marginal means of factors of a linear model.

    Parameters
    ----------
    model : ModelFit
        ``LinearModel.fit``.
    factors : str or sequence of str
        One mean for each combination of their levels; covariates are at their means,
        or where ``at`` has them.
    response : str, optional
        Needed if there are several.
    level : float
        Of the intervals, unadjusted.
    weights : {"equal", "proportional"}, default "equal"
        Combinations of the other factors count equally, or in proportion to their rows
        in the data, for a population that is composed as these rows are; not if factors
        lie within others.
    at : mapping of str to float, optional
        Values of covariates: ``{"size": 100}``. A note names values outside the data.

    Returns
    -------
    MarginalMeans

    Raises
    ------
    InputError
        For a name that is no factor of the model, an unknown response or word, or a
        value of ``at`` that is none of a covariate.
    DesignError
        For proportional weights of factors that lie within others.

    Notes
    -----
    R: ``emmeans::emmeans(weights =, at =)``. Satterthwaite's degrees of freedom with
    error strata.

    References
    ----------
    .. [1] Searle, S. R., Speed, F. M., Milliken, G. A. (1980). Amer. Statist. 34,
       216-221.
    """
    check_level(level)
    names = (factors,) if isinstance(factors, str) else tuple(factors)
    if not names or len(set(names)) < len(names):
        raise InputError(f"factors={list(names)}: name one factor or more, each once")
    at = _checked_values(model, at)
    rows = model.grid_rows_at(at)[: len(model.grid.codes)]
    return _means_of(model, rows, names, response, level, weights, at)


def _means_of(
    model: ModelFit,
    rows: Floats,
    names: Sequence[str],
    response: str | None,
    level: float,
    weights: MeanWeights,
    at: Mapping[str, float],
    slope: str = "",
) -> MarginalMeans:
    """Return means of combinations of coefficients, one a row of the grid."""
    for name in names:
        _require_factor(model, name)
    factors = model.grid.with_groups(names)
    check_word("weights", weights, get_args(MeanWeights))
    average = model.grid.averaged if weights == "equal" else model.grid.in_proportion
    means, codes = average(rows, factors)
    j = _response_of(model, response)
    estimates = combined(model, _estimating(model, means), j)
    half = t_quantile(level, estimates.df) * estimates.std_error
    table = pd.DataFrame(
        {
            name: [model.grid.factors[name][k] for k in codes[:, place]]
            for place, name in enumerate(factors)
        }
    )
    table["estimate"], table["std_error"] = estimates.estimate, estimates.std_error
    table["df"] = estimates.df
    table["conf_low"], table["conf_high"] = (
        estimates.estimate - half,
        estimates.estimate + half,
    )
    return MarginalMeans(
        table=table,
        factors=factors,
        response=model.names[j],
        slope=slope,
        level=level,
        notes=(*_not_estimable(estimates), *_extrapolated(model, at)),
        weighting=weights,
        at=at,
        model=model,
        rows=means,
    )


def _not_estimable(estimates: Combined) -> tuple[str, ...]:
    """Return the note on what cannot be estimated, if there is any."""
    return (_NOT_ESTIMABLE,) if np.isnan(estimates.weights).any() else ()


def _checked_values(model: ModelFit, at: Mapping[str, float]) -> dict[str, float]:
    """Return values of covariates as given, or reject them."""
    if not isinstance(at, Mapping):
        raise InputError(f"at={at!r}: give a value for each covariate: {{'size': 100}}")
    known = _covariates(model)
    values = {}
    for name, value in at.items():
        if name not in known:
            raise InputError(
                f"at: {show(name)} is no covariate of the model; covariates: "
                f"{show_all(known) if known else 'none'}"
            )
        if not is_finite(value):
            raise InputError(f"at: {show(name)} has {value!r}; give a finite number")
        values[name] = float(value)
        for factor in model.columns:
            if factor.column == name and not known[name].takes(values[name]):
                raise InputError(
                    f"at: {factor.label} is not defined for {value!r}; give a value "
                    f"within the data, {_range_in_words(known[name].raw)}"
                )
    return values


def _covariates(model: ModelFit) -> dict[str, Covariate]:
    """Return the columns of numbers of a model by name."""
    return {f.column: c for f, c in model.columns.items() if isinstance(c, Covariate)}


def _range_in_words(x: Floats) -> str:
    """Return from where to where a column of numbers runs."""
    return f"{x.min():.6g} to {x.max():.6g}"


def _extrapolated(model: ModelFit, at: Mapping[str, float]) -> Iterator[str]:
    """Yield notes on values of covariates that lie outside the data."""
    known = _covariates(model)
    for name, value in at.items():
        x = known[name].raw
        if not x.min() <= value <= x.max():
            yield (
                f"extrapolation: {name} = {value:.6g} lies outside the data, "
                f"{_range_in_words(x)}"
            )


def _require_factor(model: ModelFit, name: str) -> None:
    """Reject anything but a factor of the model."""
    if name not in model.grid.factors:
        raise InputError(
            f"{show(name)} is no factor of the model; factors: "
            f"{show_all(model.grid.factors)}"
        )


def _estimating(model: ModelFit, rows: Floats) -> Floats:
    """Return weights of the data that estimate combinations; NaN if none do."""
    weights, estimable = model.weights(rows)
    return np.where(estimable[:, None], weights, np.nan)


def _cancelled(weights: Floats, rows: Floats) -> Floats:
    """Return combinations of rows; their common part cancels to 0."""
    combinations = weights @ rows
    size = np.abs(weights) @ np.abs(rows)
    return np.where(np.abs(combinations) <= _CANCELLED * size, 0.0, combinations)


def _response_of(model: ModelFit, response: str | None) -> int:
    """Return the place of a response, the only one if none is named."""
    if response is None and len(model.names) == 1:
        return 0
    check_word("response", response, model.names)
    return model.names.index(response)


def slopes(
    model: ModelFit,
    covariate: str,
    factors: str | Sequence[str] = (),
    *,
    response: str | None = None,
    level: float = 0.95,
    weights: MeanWeights = "equal",
    at: Mapping[str, float] = _AT_MEANS,
) -> MarginalMeans:
    """Return the slope of a covariate, at each combination of levels of some factors.

    Parameters
    ----------
    model : ModelFit
        ``LinearModel.fit``.
    covariate : str
        A column of numbers that enters the model as it is, centred or scaled; the slope
        is per unit of the column.
    factors : str or sequence of str
        None: the mean slope.
    response : str, optional
    level : float
    weights : {"equal", "proportional"}, default "equal"
        As in ``emmeans``.
    at : mapping of str to float, optional
        Values of covariates, on which the slope depends if they interact with this one.

    Returns
    -------
    MarginalMeans
        ``estimate`` is the slope.

    Notes
    -----
    R: ``emmeans::emtrends(at =)``.
    """
    check_level(level)
    if covariate not in model.grid.covariates:
        raise InputError(
            f"{show(covariate)} is no covariate with one slope; there are "
            f"{show_all(model.grid.covariates) or 'none'}"
        )
    names = (factors,) if isinstance(factors, str) else tuple(factors)
    m = len(model.grid.codes)
    place = 1 + list(model.grid.covariates).index(covariate)
    at = _checked_values(model, at)
    rows = model.grid_rows_at(at)
    moved = rows[place * m : (place + 1) * m] - rows[:m]
    per_unit = moved / model.grid.covariates[covariate]
    return _means_of(
        model, per_unit, names, response, level, weights, at, slope=covariate
    )


# ---- contrasts ----------------------------------------------------------------------


def _contrasts(
    means: MarginalMeans,
    method: str | Mapping[str, Sequence[float]] = "pairwise",
    *,
    adjust: str = "holm",
    control: Sequence[str] | str | None = None,
    by: Sequence[str] | str = (),
    alpha: float | None = None,
    seed: int = 0,
) -> Contrasts:
    """Compare marginal means as one family of hypotheses.

    Parameters
    ----------
    means : MarginalMeans
    method : {"pairwise", "control", "effects", "polynomial", "interaction"} or mapping
        ``pairwise``: all pairs. ``control``: each other mean less that of ``control``.
        ``effects``: each less the mean of all. ``polynomial``: trends over levels in
        their order, treated as equally spaced. ``interaction``: differences of
        differences, pairs of levels of each factor. A mapping gives each contrast's
        name and weights, one a mean.
    adjust : str, default "holm"
        Over all contrasts, those of all levels of ``by`` together: a name of
        ``pc.adjust`` for any family, or ``single-step``: P(max |T| > |t|), T
        multivariate t with the correlations of the contrasts. For ``pairwise`` without
        ``by`` also those for all pairs (equal means are transitive) and ``tukey``.
    control : str or sequence of str
        Levels of the control mean, one a factor.
    by : str or sequence of str
        Factors within whose levels means are compared (simple effects).
    alpha : float, optional
        Level of the decisions with which no interval shall disagree: intervals then
        have the level of the adjustment's last step, those of ``tukey`` and
        ``single-step`` 1 - alpha together. Without it all hold together with the level
        of the means (Bonferroni, if p-values are adjusted one by one).
    seed : int, default 0
        Of ``single-step`` if the correlations have no quadrature: then p-values and
        intervals are means over random directions, with ``p_errors``.

    Returns
    -------
    Contrasts

    Raises
    ------
    InputError
        For an unknown method, control, factor or adjustment, or weights that do not
        fit.

    Notes
    -----
    R: ``emmeans::contrast``; the family there is one level of ``by``, here it is all.
    ``single-step`` is ``adjust = "mvt"`` there and the default of
    ``summary(multcomp::glht())``, which draw random points without a seed of their own.
    It is exact if one stratum holds all contrasts. Means of one variance compared in
    pairs are Tukey's case, products of correlations Dunnett's; these, and families of
    rank 2, are quadratures of 12 digits.

    References
    ----------
    .. [1] Hothorn, T., Bretz, F., Westfall, P. (2008). Biom. J. 50, 346-363.
    .. [2] Hedges, L. V. (1981). J. Educ. Statist. 6, 107-128.
    """
    if alpha is not None:
        check_alpha(alpha)
    given = (by,) if isinstance(by, str) else tuple(by)
    for name in given:
        if name not in means.factors:
            raise InputError(f"by: {show(name)} is none of {show_all(means.factors)}")
    groups = means.model.grid.with_groups(given)
    compared = tuple(name for name in means.factors if name not in groups)
    if not compared and not isinstance(method, Mapping):
        raise InputError("by: leave a factor to compare")
    labels = means.as_columns().only(means.factors).pandas()
    contrasts: list[tuple[tuple[str, ...], str, Floats]] = []
    for levels in parts_of(labels, groups):
        here = np.ones(len(labels), bool)
        for name, level in zip(groups, levels, strict=True):
            here &= (labels[name] == level).to_numpy()
        own = labels.loc[here, list(compared)]
        for name, weights in weights_of(own, method, control):
            row = np.zeros(len(labels))
            row[here] = weights
            contrasts.append((levels, name, row))
    rows = np.stack([row for _, _, row in contrasts])
    model = means.model
    j = model.names.index(means.response)
    # A difference can be estimable where none of its means is.
    weights = _estimating(model, _cancelled(rows, means.rows))
    estimates = combined(model, weights, j)
    all_pairs = method == "pairwise" and not groups
    covariance = covariance_of(model, weights, j) if adjust == "single-step" else None
    together = means.level if alpha is None else 1 - alpha
    family = ContrastFamily(
        estimates, len(labels), all_pairs, covariance, together, alpha
    )
    return _as_family(means, family, contrasts, rows, adjust, groups, method, seed)


def _as_family(
    means: MarginalMeans,
    family: ContrastFamily,
    contrasts: Sequence[tuple[tuple[str, ...], str, Floats]],
    rows: Floats,
    adjust: str,
    groups: Sequence[str],
    method: Any,
    seed: int,
) -> Contrasts:
    """Return tests and simultaneous intervals of contrasts."""
    estimates, adjusted = family.estimates, adjusted_family(family, adjust, seed)
    table = pd.DataFrame([levels for levels, _, _ in contrasts], columns=list(groups))
    table["contrast"] = [name for _, name, _ in contrasts]
    width = adjusted.half * estimates.std_error
    low, high = estimates.estimate - width, estimates.estimate + width
    if adjusted.last is not None and family.alpha is not None:
        excludes = rejected(adjusted.p, family.alpha)
        low, high = agreeing_limits(low, high, estimates.estimate, excludes)
    for name, values in (
        ("estimate", estimates.estimate),
        ("std_error", estimates.std_error),
        ("df", estimates.df),
        ("statistic", family.t),
        ("p_value", family.p),
        ("p_adjusted", adjusted.p),
        ("conf_low", low),
        ("conf_high", high),
        *_standardised(means, family).items(),
    ):
        table[name] = values
    return Contrasts(
        table=table,
        method=method if isinstance(method, str) else "given",
        adjust=adjust,
        family=counted(len(table), "contrast"),
        interval=adjusted.interval,
        level=family.level if adjusted.last is None else 1 - adjusted.last,
        alpha=family.alpha,
        notes=(
            *_not_estimable(estimates),
            *_extrapolated(means.model, means.at),
            *adjusted.notes,
        ),
        seed=adjusted.seed,
        p_errors=adjusted.errors,
        means=means,
        weights=rows,
    )


def _standardised(means: MarginalMeans, family: ContrastFamily) -> dict[str, Floats]:
    """Return contrasts over the residual standard deviation, each with its limits.

    If estimate and deviation have one error, their ratio times a constant is
    noncentral t (Hedges 1981).
    """
    # Of a row of weight 1.
    estimates, sigma = family.estimates, _residual_deviation(means)
    effects = {"std_effect": estimates.estimate / sigma}
    low, high = np.full(len(family.t), np.nan), np.full(len(family.t), np.nan)
    if means.model.mixed is None:
        layer = _finest(means.model)
        alone = sigma / means.model.matrix.root_unit
        alone = alone * np.linalg.norm(estimates.weights, axis=1)
        with np.errstate(invalid="ignore"):
            same = np.abs(estimates.std_error - alone) <= 1e-9 * alone
            same &= np.abs(estimates.df - layer.df_error) <= 1e-6
        for i in np.flatnonzero(same & np.isfinite(family.t)):
            limits = student.noncentrality_interval(
                float(family.t[i]), float(layer.df_error), means.level
            )
            low[i], high[i] = np.array(limits) * estimates.std_error[i] / sigma
    return effects | {"std_low": low, "std_high": high}


def _finest(model: ModelFit) -> Layer:
    """Return the finest stratum with residuals."""
    return [layer for layer in model.layers if layer.df_error > 0][-1]


def _residual_deviation(means: MarginalMeans) -> float:
    """Return the residual standard deviation of the finest stratum with residuals."""
    model = means.model
    j = model.names.index(means.response)
    if model.mixed is not None:
        return model.mixed.deviation(j) * model.units[j]
    layer = _finest(model)
    mean_square = error_sum(model, layer, j) / layer.df_error
    unit = model.units[j] * model.matrix.root_unit
    return math.sqrt(mean_square) * unit or math.nan

"""Estimated marginal means of a linear model, their contrasts, and slopes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from pycompare.arguments import check_level, check_seed
from pycompare.errors import InputError
from pycompare.formatting.counts import counted
from pycompare.interop.r_call import RCall
from pycompare.kernels import many_to_one, student, studentized_range
from pycompare.kernels.largest_t import largest_t
from pycompare.kernels.manova import EPS, ROUNDING
from pycompare.kernels.units import binary_unit
from pycompare.labels import show, show_all
from pycompare.models.fit import Fit, Layer
from pycompare.models.in_r import means_call
from pycompare.multiplicity.adjust import adjust_family, adjustment
from pycompare.multiplicity.adjusted_pairs import bound_of
from pycompare.results import Result, internal, rejected
from pycompare.typing import Floats

_RANDOM = (
    "adjusted p-values and intervals are means over random directions (random seed "
    "{seed}); standard errors of the adjusted p-values are {error} at most"
)
OWN_ADJUSTMENTS = ("tukey", "single-step")
"""Adjustments that use more of the means than their p-values."""
_NOT_ESTIMABLE = "NaN: not estimable, since cells of the design are empty"


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginalMeans(Result):
    """Estimated marginal means: model means with equal weights for all other cells.

    Attributes
    ----------
    table : DataFrame
        One row a mean: the factors' levels, then ``estimate std_error df conf_low
        conf_high``, in the response's own unit. Intervals are of one mean each.
    factors : tuple of str
    response : str
    slope : str
        The covariate whose slopes these are; empty for means.
    level : float
    notes : tuple of str
    """

    table: pd.DataFrame
    factors: tuple[str, ...]
    response: str
    slope: str
    level: float
    notes: tuple[str, ...]
    model: Fit = internal()
    combined: Combined = internal()

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of ``table``."""
        return self.table.copy()

    def r_call(self) -> RCall:
        """Return the call of ``emmeans::emmeans``."""
        return means_call(
            self.model, self.response, self.factors, self.level, self.slope
        )

    def r_values(self) -> dict[str, Any]:
        """Return the columns of numbers."""
        return {
            name: self.table[name].to_numpy(float)
            for name in ("estimate", "std_error", "df", "conf_low", "conf_high")
        }

    def contrasts(
        self,
        method: str | Mapping[str, Sequence[float]] = "pairwise",
        *,
        adjust: str = "holm",
        control: Sequence[str] | str | None = None,
        by: Sequence[str] | str = (),
        seed: int = 0,
    ) -> Contrasts:
        """Compare the means; see ``LinearModel.contrasts``."""
        return _contrasts(
            self, method, adjust=adjust, control=control, by=by, seed=seed
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Contrasts(Result):
    """Combinations of marginal means as one family of hypotheses.

    Attributes
    ----------
    table : DataFrame
        One row a contrast: the levels of ``by``, ``contrast estimate std_error df
        statistic p_value p_adjusted conf_low conf_high std_effect std_low std_high``.
        ``p_value`` is raw, two-sided; intervals are simultaneous over the family;
        ``std_effect`` is the estimate over the residual standard deviation of the rows'
        stratum. ``std_low`` and ``std_high``: limits of each alone, by the noncentral
        t distribution; NaN where the estimate varies as other strata do too.
    method, adjust, family, interval : str
    level : float
    notes : tuple of str
    seed : int or None
        Random seed of ``single-step``; None where nothing is random.
    p_errors : ndarray
        Standard errors of ``p_adjusted``; 0 where nothing is random.
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

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of ``table``."""
        return self.table.copy()

    def rejected(self, alpha: float) -> pd.Series:
        """Tell per row whether ``p_adjusted <= alpha``."""
        return pd.Series(rejected(self.table["p_adjusted"], alpha), self.table.index)

    def r_call(self) -> RCall:
        """Return the call of ``emmeans::contrast`` and ``p.adjust``."""
        of = self.means
        return means_call(
            of.model, of.response, of.factors, of.level, of.slope, self.weights,
            single_step=self.adjust == "single-step",
        )  # fmt: skip

    def r_values(self) -> dict[str, Any]:
        """Return the columns of numbers; R's single-step p-values are random."""
        more: tuple[str, ...] = ()
        if not self.means.model.strata:
            more = ("std_effect", "std_low", "std_high")
        return {
            name: self.table[name].to_numpy(float)
            for name in ("estimate", "std_error", "df", "statistic", "p_value", *more)
        }


@dataclass(frozen=True, eq=False)
class Combined:
    """Estimates that are linear in the data, with their variances by stratum.

    Attributes
    ----------
    weights : ndarray, shape (m, n)
        Of the rows of the data; NaN where a combination is not estimable.
    estimate, std_error, df : ndarray, shape (m,)
    """

    weights: Floats
    estimate: Floats
    std_error: Floats
    df: Floats


def _combined(model: Fit, weights: Floats, response: int) -> Combined:
    """Return estimates, standard errors and degrees of freedom of combinations.

    The variance of w'y is the sum over strata of MS_s |P_s w|^2, P_s the projection on
    the stratum; what is constant varies as the coarsest units do. Degrees of freedom
    by Satterthwaite (1946), exact where one stratum holds all of w. A mixed model has
    generalised least squares instead, weights being those of least squares.
    """
    layers = model.layers
    y, unit = model.responses[:, response], model.units[response]
    residual = model.centred[:, [response]]
    known: NDArray[np.bool_] = np.asarray(~np.isnan(weights).any(axis=1))
    # Slopes of huge and of tiny covariates have weights whose squares are not finite.
    w = np.where(known[:, None], weights, 0.0)
    own = binary_unit(w, axis=1)
    w, own = w / own, own[:, 0]
    if model.mixed is not None:
        estimate, error, df = model.mixed.combined(w, response)
        return Combined(
            weights=weights,
            estimate=np.where(known, estimate * unit * own, np.nan),
            std_error=np.where(known, error * unit * own, np.nan),
            df=np.where(known, df, np.nan),
        )
    total, squares = np.zeros(len(w)), np.zeros(len(w))
    for place, layer in enumerate(layers):
        e = float(np.sum(np.square(layer.residuals(residual))))
        part = _part_of(layer, w, place == 0)
        if layer.df_error <= 0:
            known &= np.square(part).sum(axis=1) <= 1e-16 * np.square(w).sum(axis=1)
            continue
        variance = e / layer.df_error * np.square(part).sum(axis=1)
        total += variance
        squares += variance**2 / layer.df_error
    shift = y.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        df = np.where(squares > 0, total**2 / squares, np.nan)
        estimate = w @ (y - shift) + shift * _sums(w)
        return Combined(
            weights=weights,
            estimate=np.where(known, estimate * unit * own, np.nan),
            std_error=np.where(known, np.sqrt(total) * unit * own, np.nan),
            df=np.where(known, df, np.nan),
        )


def _sums(weights: Floats) -> Floats:
    """Return sums of weights; those of contrasts are 0 and not its rounding."""
    total: Floats = weights.sum(axis=1)
    rounding = EPS * ROUNDING * weights.shape[1] * np.abs(weights).sum(axis=1)
    return np.where(np.abs(total) <= rounding, 0.0, total)


def _part_of(layer: Layer, w: Floats, coarsest: bool) -> Floats:
    """Return the part of weights that varies as a stratum does."""
    if layer.stratum is None:
        return w
    part: Floats = layer.stratum.project(w.T).T
    return part + w.mean(axis=1, keepdims=True) if coarsest else part


def emmeans(
    model: Fit,
    factors: str | Sequence[str],
    *,
    response: str | None = None,
    level: float = 0.95,
) -> MarginalMeans:
    """Return estimated marginal means of factors of a linear model.

    Parameters
    ----------
    model : Fit
        ``LinearModel.fit``.
    factors : str or sequence of str
        One mean for each combination of their levels. Other factors have equal
        weights, covariates are at their means.
    response : str, optional
        Needed if there are several.
    level : float
        Of the intervals, each for its own mean.

    Returns
    -------
    MarginalMeans

    Raises
    ------
    InputError
        For a name that is no factor of the model, or an unknown response.

    Notes
    -----
    R: ``emmeans::emmeans``. Satterthwaite's degrees of freedom with error strata.

    References
    ----------
    .. [1] Searle, S. R., Speed, F. M., Milliken, G. A. (1980). Amer. Statist. 34,
       216-221.
    """
    check_level(level)
    names = (factors,) if isinstance(factors, str) else tuple(factors)
    if not names or len(set(names)) < len(names):
        raise InputError(f"factors={list(names)}: name one factor or more, each once")
    levels = {name: _levels_of(model, name) for name in names}
    return _means_of(
        model, model.grid_rows[: len(model.grid.codes)], levels, response, level
    )


def _means_of(
    model: Fit,
    rows: Floats,
    levels: Mapping[str, tuple[str, ...]],
    response: str | None,
    level: float,
    slope: str = "",
) -> MarginalMeans:
    """Return means of combinations of coefficients, one a row of the grid."""
    means, labels = _averaged(model, rows, levels)
    j = _response_of(model, response)
    found = _combined(model, _estimating(model, means), j)
    half = _t_quantile(level, found.df) * found.std_error
    table = pd.DataFrame(labels, columns=list(levels))
    table["estimate"], table["std_error"] = found.estimate, found.std_error
    table["df"] = found.df
    table["conf_low"], table["conf_high"] = found.estimate - half, found.estimate + half
    return MarginalMeans(
        table=table,
        factors=tuple(levels),
        response=model.names[j],
        slope=slope,
        level=level,
        notes=(_NOT_ESTIMABLE,) if np.isnan(found.estimate).any() else (),
        model=model,
        combined=found,
    )


def _t_quantile(level: float, df: Floats) -> Floats:
    """Return the half width of an interval of one estimate, in standard errors."""
    return np.asarray(-special.stdtrit(df, (1 - level) / 2))


def _levels_of(model: Fit, name: str) -> tuple[str, ...]:
    """Return the levels of a factor of the model, or refuse."""
    if name not in model.grid.factors:
        raise InputError(
            f"{show(name)} is no factor of the model; factors: "
            f"{show_all(model.grid.factors)}"
        )
    return model.grid.factors[name]


def _averaged(
    model: Fit, rows: Floats, levels: Mapping[str, tuple[str, ...]]
) -> tuple[Floats, list[tuple[str, ...]]]:
    """Return the mean of the grid's rows at each combination of levels, and these."""
    places = list(model.grid.factors)
    code = np.zeros(len(rows), np.intp)
    for name in levels:
        code = code * len(levels[name]) + model.grid.codes[:, places.index(name)]
    found = np.zeros((math.prod(map(len, levels.values())), rows.shape[1]))
    np.add.at(found, code, rows)
    return found * (len(found) / len(rows)), list(product(*levels.values()))


def _estimating(model: Fit, rows: Floats) -> Floats:
    """Return weights of the data that estimate combinations; NaN if none do."""
    weights, estimable = model.weights(rows)
    return np.where(estimable[:, None], weights, np.nan)


def _response_of(model: Fit, response: str | None) -> int:
    """Return the place of a response, the only one if none is named."""
    if response is None and len(model.names) == 1:
        return 0
    if response not in model.names:
        raise InputError(
            f"response={show(response)}: choose one of {show_all(model.names)}"
        )
    return model.names.index(response)


def slopes(
    model: Fit,
    covariate: str,
    factors: str | Sequence[str] = (),
    *,
    response: str | None = None,
    level: float = 0.95,
) -> MarginalMeans:
    """Return the slope of a covariate, at each combination of levels of some factors.

    Parameters
    ----------
    model : Fit
        ``LinearModel.fit``.
    covariate : str
        A column of numbers that enters the model as it is, centred or scaled; the slope
        is per unit of the column.
    factors : str or sequence of str
        None: the mean slope.
    response : str, optional
    level : float

    Returns
    -------
    MarginalMeans
        ``estimate`` is the slope.

    Notes
    -----
    R: ``emmeans::emtrends``.
    """
    check_level(level)
    if covariate not in model.grid.covariates:
        raise InputError(
            f"{show(covariate)} is no covariate with one slope; there are "
            f"{show_all(model.grid.covariates) or 'none'}"
        )
    names = (factors,) if isinstance(factors, str) else tuple(factors)
    levels = {name: _levels_of(model, name) for name in names}
    m = len(model.grid.codes)
    place = 1 + list(model.grid.covariates).index(covariate)
    moved = model.grid_rows[place * m : (place + 1) * m] - model.grid_rows[:m]
    per_unit = moved / model.grid.covariates[covariate]
    return _means_of(model, per_unit, levels, response, level, slope=covariate)


# ---- contrasts ----------------------------------------------------------------------


def _contrasts(
    means: MarginalMeans,
    method: str | Mapping[str, Sequence[float]] = "pairwise",
    *,
    adjust: str = "holm",
    control: Sequence[str] | str | None = None,
    by: Sequence[str] | str = (),
    seed: int = 0,
) -> Contrasts:
    """Compare marginal means as one family of hypotheses.

    Parameters
    ----------
    means : MarginalMeans
    method : {"pairwise", "control", "effects", "polynomial", "interaction"} or mapping
        ``pairwise``: all pairs. ``control``: each other mean less that of ``control``.
        ``effects``: each less the mean of all. ``polynomial``: trends over levels in
        their order, taken as equally spaced. ``interaction``: differences of
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
    seed : int, default 0
        Of ``single-step`` where the correlations have no quadrature: then p-values and
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
    It is exact where one stratum holds all contrasts. Means of one variance compared in
    pairs are Tukey's case, products of correlations Dunnett's; these, and families of
    rank 2, are quadratures of 12 digits.

    References
    ----------
    .. [1] Hothorn, T., Bretz, F., Westfall, P. (2008). Biom. J. 50, 346-363.
    .. [2] Hedges, L. V. (1981). J. Educ. Statist. 6, 107-128.
    """
    groups = (by,) if isinstance(by, str) else tuple(by)
    for name in groups:
        if name not in means.factors:
            raise InputError(f"by: {show(name)} is none of {show_all(means.factors)}")
    compared = tuple(name for name in means.factors if name not in groups)
    if not compared and not isinstance(method, Mapping):
        raise InputError("by: leave a factor to compare")
    labels = means.table[list(means.factors)]
    found: list[tuple[tuple[str, ...], str, Floats]] = []
    for levels in _parts(labels, groups):
        here = np.ones(len(labels), bool)
        for name, one in zip(groups, levels, strict=True):
            here &= (labels[name] == one).to_numpy()
        own = labels.loc[here, list(compared)]
        for name, weights in _weights_of(own, method, control):
            row = np.zeros(len(labels))
            row[here] = weights
            found.append((levels, name, row))
    rows = np.stack([row for _, _, row in found])
    model = means.model
    j = model.names.index(means.response)
    # 0 times a mean that cannot be estimated is 0.
    known = np.nan_to_num(means.combined.weights)
    weights = rows @ known
    lost = (rows != 0) @ np.isnan(means.combined.weights).any(axis=1) > 0
    made = _combined(model, np.where(lost[:, None], np.nan, weights), j)
    all_pairs = method == "pairwise" and not groups
    covariance = _covariance(model, weights, j) if adjust == "single-step" else None
    family = _Family(made, len(labels), all_pairs, covariance, means.level)
    return _as_family(means, family, found, rows, adjust, groups, method, seed)


def _parts(labels: pd.DataFrame, groups: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the combinations of levels of the grouping factors."""
    if not groups:
        return [()]
    return list(dict.fromkeys(labels[list(groups)].itertuples(index=False, name=None)))


def _weights_of(
    labels: pd.DataFrame,
    method: str | Mapping[str, Sequence[float]],
    control: Sequence[str] | str | None,
) -> list[tuple[str, Floats]]:
    """Return name and weights of each contrast of some means."""
    names = [" ".join(row) for row in labels.itertuples(index=False, name=None)]
    m = len(names)
    if isinstance(method, Mapping):
        return [(str(name), _given_weights(name, w, m)) for name, w in method.items()]
    if (control is not None) != (method == "control"):
        raise InputError("method='control' and control=... go together")
    unit = np.eye(m)
    if method == "pairwise":
        pairs = combinations(range(m), 2)
        return [(f"{names[i]} - {names[j]}", unit[i] - unit[j]) for i, j in pairs]
    if method == "control":
        assert control is not None
        wanted = " ".join((control,) if isinstance(control, str) else control)
        if wanted not in names:
            raise InputError(f"control={show(wanted)}: choose one of {show_all(names)}")
        k = names.index(wanted)
        return [
            (f"{names[i]} - {wanted}", unit[i] - unit[k]) for i in range(m) if i != k
        ]
    if method == "effects":
        return [(f"{names[i]} effect", unit[i] - 1 / m) for i in range(m)]
    if method == "polynomial":
        return _trends(m)
    if method == "interaction":
        return _interactions(labels)
    raise InputError(
        f"method={method!r}: choose pairwise, control, effects, polynomial or "
        f"interaction, or give the weights of each contrast"
    )


def _given_weights(name: object, weights: Sequence[float], m: int) -> Floats:
    """Check the weights of a user's contrast."""
    try:
        found = np.asarray(weights, float)
    except (TypeError, ValueError):
        raise InputError(f"contrast {show(name)}: give one number a mean") from None
    if found.shape != (m,) or not np.isfinite(found).all() or not found.any():
        raise InputError(
            f"contrast {show(name)} has weights of shape {found.shape}: give {m} "
            f"finite numbers, one per mean, not all 0"
        )
    return found


def _trends(m: int) -> list[tuple[str, Floats]]:
    """Return orthogonal polynomials over equally spaced levels, of length 1."""
    x = np.vander(np.arange(m) - (m - 1) / 2, min(m, 5), increasing=True)
    q, r = np.linalg.qr(x)
    q = q * np.sign(np.diag(r))
    words = ("linear", "quadratic", "cubic", "quartic")
    return [(word, q[:, 1 + i]) for i, word in enumerate(words[: m - 1])]


def _interactions(labels: pd.DataFrame) -> list[tuple[str, Floats]]:
    """Return differences of differences: a pair of levels of each factor."""
    if labels.shape[1] < 2:
        raise InputError("method='interaction' needs two factors or more")
    levels = [list(dict.fromkeys(labels[name])) for name in labels]
    found = []
    for pairs in product(*(combinations(one, 2) for one in levels)):
        weights = np.ones(len(labels))
        for name, (first, second) in zip(labels, pairs, strict=True):
            column = labels[name].to_numpy()
            weights *= (column == first).astype(float) - (column == second)
        found.append((" : ".join(f"{a} - {b}" for a, b in pairs), weights))
    return found


def _covariance(model: Fit, weights: Floats, response: int) -> Floats:
    """Return the covariances of combinations of the data, as their variances are made.

    In the responses' scaled units; NaN never, combinations that cannot be estimated
    have variances of 0.
    """
    w = np.nan_to_num(weights)
    if model.mixed is not None:
        return model.mixed.covariance(w, response)
    residual = model.centred[:, [response]]
    found = np.zeros((len(w), len(w)))
    for place, layer in enumerate(model.layers):
        if layer.df_error > 0:
            part = _part_of(layer, w, place == 0)
            e = float(np.sum(np.square(layer.residuals(residual))))
            found += e / layer.df_error * (part @ part.T)
    return found


@dataclass(frozen=True, eq=False)
class _Family:
    """Contrasts that are tested together.

    Attributes
    ----------
    made : Combined
    n_means : int
    all_pairs : bool
    covariance : ndarray, shape (m, m), or None
        Of the contrasts, up to a factor; for ``single-step`` alone.
    level : float
    """

    made: Combined
    n_means: int
    all_pairs: bool
    covariance: Floats | None
    level: float

    @cached_property
    def t(self) -> Floats:
        """The statistics."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.made.estimate / self.made.std_error)

    @cached_property
    def p(self) -> Floats:
        """Raw p-values."""
        return np.asarray(2 * special.stdtr(self.made.df, -np.abs(self.t)))


@dataclass(frozen=True, eq=False)
class _Adjusted:
    """Adjusted p-values, half widths in standard errors, and how they were made."""

    p: Floats
    half: Floats
    interval: str
    errors: Floats
    seed: int | None = None
    notes: tuple[str, ...] = ()


def _adjusted(family: _Family, adjust: str, seed: int) -> _Adjusted:
    """Return the adjusted p-values of a family."""
    if adjust == "tukey":
        if not family.all_pairs:
            raise InputError("adjust='tukey' is for method='pairwise' without by")
        return _by_tukey(family)
    if adjust == "single-step":
        return _single_step(family, seed)
    chosen = adjustment(adjust)
    if chosen.pairs_only and not family.all_pairs:
        raise InputError(
            f"adjust={adjust!r} is for method='pairwise' without by; choose holm "
            "or another name for any family"
        )
    p, level = family.p, family.level
    adjusted = adjust_family(np.where(np.isnan(p), 1.0, p), family.n_means, chosen)
    half = _t_quantile(1 - (1 - level) / len(p), family.made.df)
    interval = f"simultaneous {100 * level:g}% (Bonferroni)"
    adjusted = np.where(np.isnan(p), np.nan, adjusted)
    bound = _bound(p, family.n_means) if chosen.name == "bergmann-hommel" else ""
    notes = (bound,) if bound else ()
    return _Adjusted(adjusted, half, interval, np.zeros(len(p)), notes=notes)


def _bound(p: Floats, n_means: int) -> str:
    """Say that adjusted p-values of all pairs are bounds; empty if they are not."""
    square = np.full((n_means, n_means), np.nan)
    square[np.triu_indices(n_means, 1)] = p
    return bound_of(np.fmax(square, square.T))


def _by_tukey(family: _Family) -> _Adjusted:
    """Return p-values of the studentized range of all means."""
    t, m, level = family.t, family.n_means, family.level
    known = ~np.isnan(t)
    adjusted, half = np.full(len(t), np.nan), np.full(len(t), np.nan)
    q, df = np.abs(t[known]) * np.sqrt(2), family.made.df[known]
    adjusted[known] = studentized_range.sf(q, m, df)
    half[known] = studentized_range.isf(1 - level, m, df) / np.sqrt(2)
    interval = f"simultaneous {100 * level:g}% (Tukey)"
    return _Adjusted(adjusted, half, interval, np.zeros(len(t)))


def _single_step(family: _Family, seed: int) -> _Adjusted:
    """Return P(max |T| > |t|), T multivariate t with the contrasts' correlations."""
    check_seed(seed)
    assert family.covariance is not None
    known = np.isfinite(family.t) & (family.made.std_error > 0)
    adjusted, half = family.p.copy(), np.full(len(known), np.nan)
    errors = np.zeros(len(known))
    interval = f"simultaneous {100 * family.level:g}% (single-step)"
    if not known.any():
        return _Adjusted(adjusted, half, interval, errors)
    covariance = family.covariance[np.ix_(known, known)]
    size = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(size, size)
    t, df = np.abs(family.t[known]), family.made.df[known]
    equal_means = family.all_pairs and known.all()
    if equal_means and _of_equal_variances(correlation, size, family.n_means):
        found = _by_tukey(family)
        return replace(found, interval=interval)
    loadings = many_to_one.product_loadings(correlation)
    if loadings is not None:
        tails = [many_to_one.sf(x, loadings, d) for x, d in zip(t, df, strict=True)]
        adjusted[known] = tails
        widths = {d: many_to_one.isf(1 - family.level, loadings, d) for d in set(df)}
        half[known] = [widths[d] for d in df]
        return _Adjusted(adjusted, half, interval, errors)
    largest = largest_t(correlation, seed)
    made = [largest.sf(x, d) for x, d in zip(t, df, strict=True)]
    adjusted[known], errors[known] = np.transpose(made)
    widths = {d: largest.isf(1 - family.level, d) for d in set(df)}
    half[known] = [widths[d] for d in df]
    if largest.every is None:
        return _Adjusted(adjusted, half, interval, errors)
    note = _RANDOM.format(seed=seed, error=f"{errors.max():.1g}")
    return _Adjusted(adjusted, half, interval, errors, seed, (note,))


def _of_equal_variances(correlation: Floats, size: Floats, m: int) -> bool:
    """Return whether pairs are those of means of one variance: Tukey's case."""
    rows = np.zeros((len(size), m))
    for i, (first, second) in enumerate(combinations(range(m), 2)):
        rows[i, [first, second]] = 1.0, -1.0
    same = np.ptp(size) <= 1e-9 * size.max()
    return bool(same and np.abs(correlation - rows @ rows.T / 2).max() <= 1e-9)


def _as_family(
    means: MarginalMeans,
    family: _Family,
    found: Sequence[tuple[tuple[str, ...], str, Floats]],
    rows: Floats,
    adjust: str,
    groups: Sequence[str],
    method: Any,
    seed: int,
) -> Contrasts:
    """Return tests and simultaneous intervals of contrasts."""
    made, adjusted = family.made, _adjusted(family, adjust, seed)
    table = pd.DataFrame([levels for levels, _, _ in found], columns=list(groups))
    table["contrast"] = [name for _, name, _ in found]
    width = adjusted.half * made.std_error
    for name, values in (
        ("estimate", made.estimate),
        ("std_error", made.std_error),
        ("df", made.df),
        ("statistic", family.t),
        ("p_value", family.p),
        ("p_adjusted", adjusted.p),
        ("conf_low", made.estimate - width),
        ("conf_high", made.estimate + width),
        *_standardised(means, family).items(),
    ):
        table[name] = values
    return Contrasts(
        table=table,
        method=method if isinstance(method, str) else "given",
        adjust=adjust,
        family=counted(len(table), "contrast"),
        interval=adjusted.interval,
        level=means.level,
        notes=(*means.notes, *adjusted.notes),
        seed=adjusted.seed,
        p_errors=adjusted.errors,
        means=means,
        weights=rows,
    )


def _standardised(means: MarginalMeans, family: _Family) -> dict[str, Floats]:
    """Return contrasts over the residual standard deviation, each with its limits.

    Where estimate and deviation have one error, their ratio times a constant is
    noncentral t (Hedges 1981).
    """
    made, sigma = family.made, _residual_deviation(means)
    found = {"std_effect": made.estimate / sigma}
    low, high = np.full(len(family.t), np.nan), np.full(len(family.t), np.nan)
    if means.model.mixed is None:
        layer = _finest(means.model)
        alone = sigma * np.linalg.norm(made.weights, axis=1)
        with np.errstate(invalid="ignore"):
            same = np.abs(made.std_error - alone) <= 1e-9 * alone
            same &= np.abs(made.df - layer.df_error) <= 1e-6
        for i in np.flatnonzero(same & np.isfinite(family.t)):
            limits = student.noncentrality_interval(
                float(family.t[i]), float(layer.df_error), family.level
            )
            low[i], high[i] = np.array(limits) * made.std_error[i] / sigma
    return found | {"std_low": low, "std_high": high}


def _finest(model: Fit) -> Layer:
    """Return the finest stratum with residuals."""
    return [one for one in model.layers if one.df_error > 0][-1]


def _residual_deviation(means: MarginalMeans) -> float:
    """Return the residual standard deviation of the finest stratum with residuals."""
    model = means.model
    j = model.names.index(means.response)
    if model.mixed is not None:
        return model.mixed.deviation(j) * model.units[j]
    layer = _finest(model)
    residual = layer.residuals(model.centred[:, [j]])
    mean_square = float(np.sum(np.square(residual))) / layer.df_error
    return math.sqrt(mean_square) * model.units[j] or math.nan

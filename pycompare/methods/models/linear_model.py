"""``linear_model``: general linear models by formula, with error strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_level, check_word
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show, show_all
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Standardise
from pycompare.data.frames import as_table
from pycompare.data.table import truth_notes
from pycompare.kernels import manova as kernel
from pycompare.kernels.units import binary_unit
from pycompare.methods.models import in_r
from pycompare.methods.models.anova import RESIDUALS, anova_table
from pycompare.methods.models.columns import (
    Categories,
    Covariate,
    ModelColumn,
    is_truth,
    numbers,
    read_columns,
    require,
)
from pycompare.methods.models.dispersion import Centre, DispersionTest, dispersion_test
from pycompare.methods.models.emmeans import (
    Contrasts,
    MarginalMeans,
    MeanWeights,
    emmeans,
    slopes,
)
from pycompare.methods.models.engine import DesignMatrix, design_matrix
from pycompare.methods.models.fit import (
    Layer,
    ModelFit,
    Type,
    approximate,
    layered,
    mixed_of,
    options_with_strata,
    sequential_order,
    type_one,
    unit_cells,
)
from pycompare.methods.models.grammar import (
    Factor,
    Formula,
    Term,
    label_of,
    read_formula,
    read_terms,
)
from pycompare.methods.models.hypotheses import hypothesis_notes, tested_at
from pycompare.methods.models.mixed import Df, Mixed, UnitRows
from pycompare.methods.models.permutation import TermPermutation, permutation_test
from pycompare.methods.models.readings import (
    readings,
    refuse_numbers_of_units,
    whole_numbers,
)
from pycompare.methods.models.reference_grid import full_grid
from pycompare.methods.models.sphericity import repeated_measures
from pycompare.methods.models.variances import Variances, variances
from pycompare.results.result import NumberSource, Result, internal

Missing = Literal["error", "drop-row"]
FitMethod = Literal["auto", "strata", "reml"]
_DF_NAMES = {"kenward-roger": "Kenward-Roger", "satterthwaite": "Satterthwaite"}
_BY_REML = "terms are tested by a mixed model, REML with {} degrees of freedom"
_UNEQUAL = "units {} differ in size or overlap: tests between them are approximate"
_AT_MEANS: Mapping[str, float] = MappingProxyType({})
_WEIGHTED = (
    "rows have the weights {}, from {:.6g} to {:.6g}: the variance of a row is the "
    "residual variance over its weight"
)
_CONSTANT = (
    "the groups of the formula hold the constant, so it is fitted as with a constant: "
    "terms test whether means are equal, not whether they are 0"
)
_SEVERAL_STRATA = (
    "the term {} varies within and between units; error strata need balanced data, and "
    "an interaction needs its main effects in the formula (a * b); use method='reml', "
    "leave incomplete units out, or add the main effects"
)
_SPLIT = (
    "the term {} varies within and between units, so no single error stratum tests it; "
    "use method='reml', or adjust each term only for those before it: {}"
)
_NO_MANOVA = (
    "a multivariate analysis of units needs error strata, each term in one of them: {}"
)
_EACH_RESPONSE = "leave incomplete units out, or analyse each response separately"


_IN_R = (
    "df1", "df2", "statistic", "p_value", "partial_eta2", "conf_low", "conf_high",
    "omega2",
)  # fmt: skip
"""Columns of tested terms that R has of any model."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearModel(Result):
    """A fitted general linear model.

    Attributes
    ----------
    formula, within : str
        As given.
    type : {1, 2, 3}
        Of the sums of squares.
    responses : tuple of str
    anova : DataFrame
        One row per response and term: ``response term stratum df1 df2 sum_sq mean_sq
        statistic p_value partial_eta2 conf_low conf_high omega2 epsilon_gg p_gg
        epsilon_hf p_hf``, then the residuals of each stratum, whose statistic is NaN.
        A mixed model has no sums of squares, epsilons or rows of residuals.
        ``stratum`` names the error that the term is tested against; ``conf_low`` and
        ``conf_high`` are limits of partial eta squared. ``epsilon_*``: Greenhouse and
        Geisser's and Huynh and Feldt's corrections for terms within units; NaN if
        they do not apply.
    n : int
        Rows.
    notes : tuple of str
        Notes for readers: terms that cannot be tested in full, or are tested at
        one value of a covariate; missing rows; centred covariates.
    readings : tuple of str
        How each column was read: a response, groups, numbers or units, with counts.
    level : float
        Of the intervals.
    row_weights : str
        The column of the rows' weights; empty: rows have one variance.
    """

    formula: str
    within: str
    type: Type
    responses: tuple[str, ...]
    anova: pd.DataFrame
    n: int
    notes: tuple[str, ...]
    readings: tuple[str, ...]
    level: float
    fit: ModelFit = internal()
    data: pd.DataFrame = internal()
    """The columns of the formula and of the units, without rows that were left out."""
    method: FitMethod = internal()
    """How the terms were to be tested, as given."""
    row_weights: str = ""

    def as_columns(self) -> Columns:
        """Return ``anova``."""
        return Columns.of(self.held("anova"))

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms as they are called in all tables."""
        return tuple(label_of(term) for term in self.fit.read.terms)

    @property
    def tested_at(self) -> dict[str, str]:
        """Terms that type 3 tests if covariates are 0, and the hypothesis in words.

        Such as ``alg at x = 0; x runs from 86 to 107``, beside ``alg:x``.
        """
        return {label_of(term): at for term, at in tested_at(self.fit).items()}

    def term(self, name: str) -> Term:
        """Return a term by its name; the order of its columns is free."""
        for term in self.fit.read.terms:
            if {f.label for f in term} == set(name.split(":")) or label_of(
                term
            ) == name:
                return term
        raise InputError(
            f"there is no term {show(name)}; terms: {show_all(self.terms)}"
        )

    @cached_property
    def manova(self) -> dict[str, TermManova]:
        """The four multivariate tests of each term; several responses only."""
        return {name: self.manova_of(name) for name in self.terms}

    def manova_of(self, name: str) -> TermManova:
        """Return the four multivariate tests of one term."""
        if len(self.responses) < 2:
            raise DesignError(
                "a multivariate analysis needs several responses: cbind(a, b) ~ ..."
            )
        if self.fit.mixed is not None:
            remedy, _ = options_with_strata(self.fit)
            use = f"use {remedy}, or analyse each response separately"
            raise DesignError(_NO_MANOVA.format(use if remedy else _EACH_RESPONSE))
        return _term_manova(self, self.term(name))

    @cached_property
    def variances(self) -> Variances:
        """Variances of units and rows by REML; needs ``within``."""
        return variances(self.fit)

    def emmeans(
        self,
        factors: str | Sequence[str],
        *,
        response: str | None = None,
        level: float | None = None,
        weights: MeanWeights = "equal",
        at: Mapping[str, float] = _AT_MEANS,
    ) -> MarginalMeans:
        """Return estimated marginal means; see ``models.emmeans.emmeans``."""
        chosen = self.level if level is None else level
        return emmeans(
            self.fit, factors, response=response, level=chosen, weights=weights, at=at
        )

    def slopes(
        self,
        covariate: str,
        factors: str | Sequence[str] = (),
        *,
        response: str | None = None,
        level: float | None = None,
        weights: MeanWeights = "equal",
        at: Mapping[str, float] = _AT_MEANS,
    ) -> MarginalMeans:
        """Return slopes of a covariate; see ``models.emmeans.slopes``."""
        chosen = self.level if level is None else level
        return slopes(
            self.fit, covariate, factors, response=response, level=chosen,
            weights=weights, at=at,
        )  # fmt: skip

    def contrasts(
        self,
        factors: str | Sequence[str],
        method: str | Mapping[str, Sequence[float]] = "pairwise",
        *,
        adjust: str = "holm",
        control: str | Sequence[str] | None = None,
        by: str | Sequence[str] = (),
        response: str | None = None,
        level: float | None = None,
        alpha: float | None = None,
        seed: int = 0,
        weights: MeanWeights = "equal",
        at: Mapping[str, float] = _AT_MEANS,
    ) -> Contrasts:
        """Compare marginal means as one family; see ``models.emmeans.contrasts``."""
        means = self.emmeans(
            factors, response=response, level=level, weights=weights, at=at
        )
        return means.contrasts(
            method, adjust=adjust, control=control, by=by, alpha=alpha, seed=seed
        )

    def permutation_test(
        self,
        term: str,
        *,
        permutations: int | ArrayLike = 9999,
        seed: int | None = None,
    ) -> TermPermutation:
        """Test one term by permutations; see ``models.permutation.permutation_test``.

        Freedman and Lane's permutation of residuals, within the units of the term's
        stratum: a sensitivity analysis that assumes no normal distribution.
        """
        return permutation_test(
            self.fit, self.term(term), permutations=permutations, seed=seed
        )

    def dispersion_test(
        self,
        factors: str | Sequence[str],
        *,
        centre: Centre = "median",
        standardise: Standardise = "sd",
    ) -> DispersionTest:
        """Test groups for equal dispersion; see ``models.dispersion.dispersion_test``.

        Levene's test of one response, van Valen's or Anderson's of several.
        """
        return dispersion_test(
            self.fit, factors, centre=centre, standardise=standardise
        )

    def r_call(self) -> RCall:
        """Return the call of R's ``anova``, ``car::Anova``, ``aov`` or ``lmerTest``.

        For unbalanced strata with type II or III, and for terms that are aliased with
        others, it is ``lm.fit`` with and without each term, stratum by stratum.
        """
        return in_r.call(self.fit, self.level)

    r_digits: ClassVar[Mapping[str, int]] = {"conf_low": 7, "conf_high": 7}
    """R's noncentral F has 12 decimals, and its root fewer digits."""

    def r_values(self) -> dict[str, Any]:
        """Return the table of terms, response by response, and the residuals."""
        residual = self.anova["term"] == RESIDUALS
        tested = self.anova[~residual]
        squares = () if self.fit.mixed is not None else ("sum_sq", "mean_sq")
        numbers = {name: tested[name].to_numpy(float) for name in (*_IN_R, *squares)}
        if self.fit.mixed is None and not in_r.by_strata(self.fit):
            numbers |= {
                f"residual_{name.removesuffix('1')}": self.anova.loc[
                    residual, name
                ].to_numpy(float)
                for name in ("df1", *squares)
            }
        return numbers

    def sources(self, at: int) -> dict[str, NumberSource]:
        """Return whose numbers the table's row is made of, for results.json."""
        residual = (self.anova["term"] == RESIDUALS).to_numpy()
        place = int((residual[: at + 1] == residual[at]).sum())
        start = "residual_" if residual[at] else ""
        names: tuple[str, ...] = (*_IN_R, "sum_sq", "mean_sq")
        if residual[at]:
            names = ("df1", "sum_sq", "mean_sq")
        return {
            name: NumberSource(
                self, f"{start}{name.removesuffix('1') if start else name}", at=place
            )
            for name in names
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class TermManova(Result):
    """Multivariate tests of one term.

    Attributes
    ----------
    term, stratum : str
    table : DataFrame
        Rows ``wilks pillai hotelling-lawley roy``; columns ``test statistic f df1 df2
        p_value``.
    rank : int
        Dimensions of the responses' residuals.
    eigenvalues : ndarray
        Of E^-1 H, descending.
    dimension : DataFrame
        Bartlett's D2_r: ``r statistic df p_value``.
    coefficients : DataFrame
        Canonical variates, responses x variates, in the responses' own units; each has
        residual variance 1, and the largest coefficient over the residual deviations
        is positive. Infinite if no double is as large.
    notes : tuple of str
    """

    term: str
    stratum: str
    table: pd.DataFrame
    rank: int
    eigenvalues: Floats
    dimension: pd.DataFrame
    coefficients: pd.DataFrame
    notes: tuple[str, ...] = ()
    fit: ModelFit = internal()
    of: Term = internal()

    def r_call(self) -> RCall:
        """Return the call of ``summary.manova``, or of ``car::Anova``."""
        return in_r.manova_call(self.fit, self.of)

    def r_values(self) -> dict[str, Any]:
        """Return the columns of numbers."""
        return {
            name: self.as_columns()[name].astype(float)
            for name in ("statistic", "f", "df1", "df2", "p_value")
        }


@checked
def linear_model(
    frame: Any,
    formula: str,
    *,
    within: str | None = None,
    type: Type = 2,
    missing: Missing = "error",
    level: float = 0.95,
    method: FitMethod = "auto",
    df: Df = "kenward-roger",
    row_weights: str | None = None,
) -> LinearModel:
    """Fit a general linear model by formula and test each of its terms.

    Parameters
    ----------
    frame : DataFrame
        One row per measurement; anything that narwhals or pandas reads as a table.
    formula : str
        ``score ~ learner * preprocessing``; several responses as ``cbind(error, auc) ~
        ...``. Terms as in R: ``+ - : * / ^ %in% ( ) 0 1``; columns by name, in
        backticks if the name is no word; ``C() log() sqrt() poly(x, n) center()
        scale()``. Nothing in it is evaluated. Columns of text are factors, columns of
        numbers covariates unless in ``C()``.
    within : str, optional
        The units that rows are measured in, coarsest first: ``dataset/fold`` for folds
        within data sets, ``subject/(a * b)`` for repeated measures. Each kind of unit
        is an error stratum, and a term is tested against the residuals of the stratum
        it varies in, as by R's ``Error()``. Left out: rows are independent, which
        measurements on common data sets or folds are not.
    type : {1, 2, 3}, default 2
        Sums of squares. I: each term adjusted for those before it; II: for all that do
        not contain it; III: for all others, with effects that sum to zero. In balanced
        data they agree.
    missing : {"error", "drop-row"}
        What to do with rows that lack a value in a column of the formula.
    level : float
        Confidence level of the intervals of partial eta squared.
    method : {"auto", "strata", "reml"}
        How terms are tested with units. ``strata``: against mean squares, which needs
        balanced data. ``reml``: by a mixed model, units as random intercepts with
        variances by restricted maximum likelihood; any data. ``auto``: strata if
        they are exact, else REML.
    df : {"kenward-roger", "satterthwaite"}
        Denominator degrees of freedom of the mixed model. Kenward and Roger's also
        allow for the variances being estimates; in balanced data both are exact.
    row_weights : str, optional
        A column of positive numbers to which the precision of the rows is proportional,
        as with scores that are means of so many runs: the variance of a row is the
        residual variance over its weight. Not with ``within``.

    Returns
    -------
    LinearModel

    Raises
    ------
    InputError
        For a formula that cannot be read, with the place; unknown columns; values that
        are missing or not finite.
    DesignError
        If no degrees of freedom are left for error, ``method="strata"`` and a term
        varies in several strata, or there are weights and units.

    Notes
    -----
    Equations 5.8, 5.9, 5.10 of docs/equations.md (single-step comparisons,
    permutations, dispersion).

    statsmodels' formula engine builds the design matrix, over safe names; the
    projections and sums of squares are pycompare's own. R: ``anova(lm())`` for type I,
    ``car::Anova`` for II and III, ``summary(aov(y ~ x + Error(units)))`` for strata,
    ``lmerTest::contest`` for mixed models, whose hypotheses are those of least squares
    (as ``lmerTest::anova``). ``row_weights``: ``lm(weights =)``.

    Examples
    --------
    >>> import pandas as pd, pycompare as pc
    >>> table = pd.DataFrame({
    ...     "learner": ["svm", "svm", "tree", "tree"] * 3,
    ...     "scaled": ["yes", "no"] * 6,
    ...     "data": ["iris"] * 4 + ["glass"] * 4 + ["wine"] * 4,
    ...     "error": [.05, .09, .08, .09, .31, .38, .33, .34, .02, .07, .09, .08],
    ... })
    >>> model = pc.linear_model(table, "error ~ learner * scaled", within="data")
    >>> model.anova["term"].tolist()
    ['residuals', 'learner', 'scaled', 'learner:scaled', 'residuals']
    >>> model.anova["stratum"].tolist()
    ['data', 'rows', 'rows', 'rows', 'rows']
    >>> model.contrasts("learner").table["contrast"].tolist()
    ['svm - tree']

    References
    ----------
    .. [1] Wilkinson, G. N., Rogers, C. E. (1973). Appl. Statist. 22, 392-399.
    .. [2] Nelder, J. A. (1965). Proc. R. Soc. A 283, 147-178.
    .. [3] Fox, J. (2016). Applied Regression Analysis and Generalized Linear Models,
       3rd ed., ch. 8.
    """
    check_level(level)
    _check_type(type)
    read = read_formula(formula)
    strata = read_terms(within, "within") if within is not None else ()
    _refuse_weights_of_units(row_weights, strata)
    table, notes = _complete_rows(
        as_table(frame).to_pandas(), read, strata, missing, row_weights
    )
    table, truths = _truth_responses(table, read)
    y, scales = _read_responses(table, read.responses)
    columns = read_columns(table, [f for term in read.terms for f in term])
    _refuse_response_terms(read)
    _refuse_empty_model(read)
    refuse_numbers_of_units(columns, strata)
    if not read.constant and _hold_constant(read, columns):
        read = replace(read, constant=True)
        notes = (*notes, _CONSTANT)
    grid = full_grid(columns, read.terms)
    matrix = design_matrix(read.terms, read.constant, columns, grid.values)
    if row_weights is not None:
        weights = _read_weights(table, row_weights)
        matrix = matrix.weighted(weights)
        notes = (*notes, _WEIGHTED.format(row_weights, weights.min(), weights.max()))
    units = _read_units(table, strata)
    units_of_rows = _unit_terms(units, strata)
    model = _error_model(matrix, columns, y, units_of_rows, type, method, df)
    fit = ModelFit(
        matrix=matrix,
        columns=columns,
        layers=model.layers,
        responses=y,
        units=scales,
        names=tuple(f.label for f in read.responses),
        read=read,
        grid=grid,
        strata=strata,
        unit_codes={
            f.column: c.codes for f, c in units.items() if isinstance(c, Categories)
        },
        type=type,
        aliased=model.aliased,
        mixed=model.mixed,
        unit_rows=tuple(units_of_rows),
    )
    _check_error(fit)
    repeated = repeated_measures(strata, units_of_rows, columns)
    told = (
        *whole_numbers(columns), *hypothesis_notes(fit), *_covariate_notes(columns),
        *model.notes,
    )  # fmt: skip
    return LinearModel(
        formula=formula,
        within=within or "",
        type=type,
        responses=fit.names,
        anova=anova_table(fit, repeated, level),
        n=len(y),
        notes=(*notes, *truths, *told),
        readings=readings(columns, y * np.array(scales), fit.names, units_of_rows),
        level=level,
        fit=fit,
        data=table[list(_columns_of(read, strata, row_weights))].reset_index(drop=True),
        method=method,
        row_weights=row_weights or "",
    )


def _columns_of(
    read: Formula, strata: Sequence[Term], row_weights: str | None
) -> dict[str, None]:
    """Return the names of all columns that a model is made from."""
    factors = (*read.responses, *(f for t in (*read.terms, *strata) for f in t))
    names = [factor.column for factor in factors]
    return dict.fromkeys(names if row_weights is None else [*names, row_weights])


# ---- how terms are tested


@dataclass(frozen=True, eq=False)
class ErrorModel:
    """What terms are tested against: strata, or a mixed model."""

    layers: tuple[Layer, ...]
    mixed: Mixed | None
    aliased: dict[Term, int]
    notes: tuple[str, ...]


def _error_model(
    matrix: DesignMatrix,
    columns: Mapping[Factor, ModelColumn],
    y: Floats,
    units: Sequence[UnitRows],
    type: Type,
    method: str,
    df: Df,
) -> ErrorModel:
    """Return the strata if they test the terms, else a mixed model."""
    _check_choice("method", method, FitMethod)
    _check_choice("df", df, Df)
    if method == "reml" and not units:
        raise InputError("method='reml' needs units: within=...")
    if method != "reml":
        layers, aliased, split = layered(matrix, columns, units, len(y), type)
        inexact = approximate(layers, units)
        if not split and (not inexact or method == "strata"):
            known = (_UNEQUAL.format(inexact),) if inexact else ()
            return ErrorModel(layers, None, aliased, known)
        if method == "strata":
            sequential = sequential_order(matrix, columns, units, len(y))
            if sequential is None:
                raise DesignError(_SEVERAL_STRATA.format(split))
            raise DesignError(_SPLIT.format(split, type_one(matrix, sequential[0])))
    mixed, aliased, notes = mixed_of(matrix, columns, y, units, type, df)
    why = "" if method == "reml" else "error strata are not balanced: "
    return ErrorModel(
        (), mixed, aliased, (why + _BY_REML.format(_DF_NAMES[df]), *notes)
    )


# ---- reading


def _check_choice(name: str, value: Any, choices: Any) -> None:
    """Reject a value that is none of some names."""
    check_word(name, value, get_args(choices))


def _check_type(type: Any) -> None:
    """Reject a type of sums of squares that there is not."""
    if type not in get_args(Type) or isinstance(type, bool):
        raise InputError(f"type={type!r}: choose 1, 2 or 3")


def _complete_rows(
    frame: pd.DataFrame,
    read: Formula,
    strata: Sequence[Term],
    missing: str,
    row_weights: str | None,
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the rows that have all values, and a note on those left out."""
    _check_choice("missing", missing, Missing)
    if len(frame) == 0:
        raise InputError("the data have no rows")
    used = _columns_of(read, strata, row_weights)
    names = [n for n in used if n in frame.columns]
    if missing == "error" or not names:
        return frame, ()
    whole = frame[names].notna().all(axis=1).to_numpy()
    if whole.all():
        return frame, ()
    if not whole.any():
        raise InputError("every row has a missing value in a column of the formula")
    note = (
        f"{counted(int((~whole).sum()), 'row')} of {len(frame)} without a value in a "
        f"column of the formula left out"
    )
    return frame.loc[whole], (note,)


def _refuse_weights_of_units(row_weights: str | None, strata: Sequence[Term]) -> None:
    """Reject weights of rows that are measured in units."""
    if row_weights is not None and strata:
        raise DesignError(weights_of_units(row_weights))


def weights_of_units(row_weights: str) -> str:
    """Return why rows that are measured in units have no weights."""
    return (
        setting("row_weights", row_weights)
        + ": the tests of units assume that rows have one variance: leave the weights "
        "out, or the units (" + setting("within") + ")"
    )


def _read_weights(frame: pd.DataFrame, name: str) -> Floats:
    """Return the weights of the rows, positive numbers."""
    weights = numbers(require(frame, name), name)
    if weights.min() <= 0:
        at = int(np.argmax(weights <= 0))
        raise InputError(
            f"column {show(name)} has the weight {weights[at]:g} in row {at + 1}: a "
            "weight is a positive number; leave rows without weight out"
        )
    return weights


def _truth_responses(
    frame: pd.DataFrame, read: Formula
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return responses of true and false as 1 and 0, and a note that states this."""
    terms = {factor.column for term in read.terms for factor in term}
    names = dict.fromkeys(f.column for f in read.responses if f.column not in terms)
    truth_names = [n for n in names if n in frame.columns and is_truth(frame[n])]
    if not truth_names:
        return frame, ()
    converted = frame.copy()
    for name in truth_names:
        converted[name] = frame[name].astype(object).map({True: 1.0, False: 0.0})
    return converted, truth_notes(truth_names)


def _read_responses(
    frame: pd.DataFrame, factors: Sequence[Factor]
) -> tuple[Floats, tuple[float, ...]]:
    """Return the responses divided by powers of two near their spread, and these."""
    y = _plain_responses(frame, factors)
    if y is None:
        y = np.column_stack([_response(frame, factor) for factor in factors])
    units = binary_unit(y, axis=0)
    return y / units, tuple(units[0].tolist())


def _plain_responses(frame: pd.DataFrame, factors: Sequence[Factor]) -> Floats | None:
    """Return responses that need no transformation and no message, all at once."""
    names = [factor.column for factor in factors]
    if any(f.transform for f in factors) or not frame.columns.is_unique:
        return None
    if not set(names) <= set(frame.columns):
        return None
    part = frame[names]
    if not all(pd.api.types.is_float_dtype(dtype) for dtype in part.dtypes.unique()):
        return None
    values = part.to_numpy(float, na_value=np.nan)
    return values if np.isfinite(values).all() else None


def _response(frame: pd.DataFrame, factor: Factor) -> Floats:
    """Return one response, or state what is wrong with it."""
    y = numbers(require(frame, factor.column), factor.column)
    if not factor.transform:
        return y
    return Covariate(_transformable(y, factor), factor.transform, 0).columns()[:, 0]


def _transformable(y: Floats, factor: Factor) -> Floats:
    """Reject responses that have no logarithm or square root."""
    if factor.transform == "log" and y.min() <= 0:
        raise InputError(f"{factor.label}: the response has values of 0 or less")
    if factor.transform == "sqrt" and y.min() < 0:
        raise InputError(f"{factor.label}: the response has values below 0")
    return y


def _refuse_response_terms(read: Formula) -> None:
    """Reject a response among the terms."""
    responses = {f.column for f in read.responses}
    both = [f.column for t in read.terms for f in t if f.column in responses]
    if both:
        raise InputError(f"formula: {show(both[0])} is a response and a term")


def _hold_constant(read: Formula, columns: Mapping[Factor, ModelColumn]) -> bool:
    """Return whether the columns of some term add up to the constant."""
    return any(all(isinstance(columns[f], Categories) for f in t) for t in read.terms)


def _refuse_empty_model(read: Formula) -> None:
    """Reject a formula in which nothing is tested."""
    if not read.terms:
        raise InputError("formula: there is no term to test; name one after ~")


def _read_units(
    frame: pd.DataFrame, strata: Sequence[Term]
) -> dict[Factor, ModelColumn]:
    """Return the columns that name units, read as labels whatever they hold."""
    for factor in dict.fromkeys(f for term in strata for f in term):
        if factor.transform not in ("", "C"):
            raise InputError(f"within: units are columns of labels, not {factor.label}")
    names = dict.fromkeys(f.column for term in strata for f in term)
    return dict(read_columns(frame, [Factor(name, "C") for name in names]))


def _unit_terms(
    columns: Mapping[Factor, ModelColumn], strata: Sequence[Term]
) -> list[UnitRows]:
    """Return name and cells of each kind of unit, and the kinds that these lie in."""
    as_labels = [tuple(Factor(f.column, "C") for f in term) for term in strata]
    cells = unit_cells(as_labels, columns)
    return [
        (label_of(term), codes, up)
        for term, (_, codes, up) in zip(strata, cells, strict=True)
    ]


def _check_error(fit: ModelFit) -> None:
    """Reject a model that leaves nothing for error anywhere."""
    if fit.mixed is None and all(layer.df_error <= 0 for layer in fit.layers):
        raise DesignError(
            "the model has as many parameters as the data have rows: no degrees of "
            "freedom are left for error; leave terms out of the formula"
        )


def _covariate_notes(columns: Mapping[Factor, ModelColumn]) -> list[str]:
    """Return where covariates were centred."""
    return [
        f"{factor.label}: centred at {column.centre:.6g}"
        for factor, column in columns.items()
        if isinstance(column, Covariate) and factor.transform in ("center", "scale")
    ]


# ---- several responses


def _term_manova(model: LinearModel, term: Term) -> TermManova:
    """Return the multivariate tests of one term."""
    layer = model.fit.layer_of(term)
    space = model.fit.span(layer, term)
    factors, error, rank = space.factors, space.error, space.rank
    name, where = label_of(term), layer.name
    many = len(model.responses)
    if layer.df_error < many and rank == layer.df_error:
        raise DesignError(
            f"the term {name}: {many} responses are more than the "
            f"{counted(layer.df_error, 'degree of freedom', 'degrees of freedom')} of "
            f"error in stratum {where}: name fewer responses, or measure more units"
        )
    if layer.df_error < rank or rank == 0 or factors.df_hypothesis == 0:
        raise DesignError(
            f"the term {name}: {layer.df_error} degrees of freedom of error in stratum "
            f"{where} are too few for {rank} independent responses"
        )
    if kernel.without_error(factors, error, model.fit.noise):
        raise DesignError(
            f"the term {name}: a combination of the responses differs without any "
            f"residual variation in stratum {where}"
        )

    values, raw, _ = space.variates()
    s = len(values)
    tests = kernel.tests(
        values, np.asarray(rank), factors.df_hypothesis, layer.df_error
    )
    d2, df, p = kernel.dimensionality(
        values, rank, factors.df_hypothesis, layer.df_error
    )
    kept = np.flatnonzero(error.kept)
    with np.errstate(over="ignore"):  # in a unit near the smallest double
        coefficients = raw / np.array(model.fit.units)[kept, None]
    dropped = [model.responses[j] for j in np.flatnonzero(~error.kept)]
    return TermManova(
        term=name,
        stratum=where,
        table=pd.DataFrame(
            [
                {
                    "test": test.replace("_", "-"),
                    "statistic": float(approximation.statistic),
                    "f": float(approximation.f),
                    "df1": float(approximation.df1),
                    "df2": float(approximation.df2),
                    "p_value": float(approximation.p_value),
                }
                for test, approximation in tests.items()
            ]
        ),
        rank=rank,
        eigenvalues=values,
        dimension=pd.DataFrame(
            {"r": range(len(p)), "statistic": d2, "df": df, "p_value": p}
        ),
        coefficients=pd.DataFrame(
            coefficients,
            [model.responses[j] for j in kept],
            [f"CV{j + 1}" for j in range(s)],
        ),
        notes=(f"responses that depend on others: {show_all(dropped)}",)
        if dropped
        else (),
        fit=model.fit,
        of=term,
    )

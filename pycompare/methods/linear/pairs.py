"""Shared parts of comparisons of adjusted means: contrasts, errors, the result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.arguments import check_level
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.metric import Metric
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Ints, Sizes
from pycompare.data.scores import Scores
from pycompare.methods.linear.fit import AnovaFit, fit
from pycompare.methods.pairs.common import column_of, ends_of, pair_index, t_of
from pycompare.results.placement import means_of
from pycompare.results.result import (
    PairsResult,
    internal,
    made_when_read,
)
from pycompare.results.schema import ResultQuantity, Schema, changed

if TYPE_CHECKING:
    import pandas as pd

_NO_ERROR = (
    "the residual variance is zero: pairs that differ have an infinite t, which has no "
    "distribution, pairs that do not cannot be tested, and there are no intervals"
)
_SIGNS = (
    "the p-value of a pair is exact, that of all changes of sign of its differences"
)
_DEALT = (
    "the p-value of a pair is exact, that of all ways to deal the scores of the two"
)
_NO_P = "there are no p-values, for some cells are missing"
_BONFERRONI = (
    "the distribution of {method} does not exist without an error, so that p-values "
    "are adjusted by Bonferroni"
)
_NO_INTERVALS = "undefined (no residual variance)"
_OWN_DISTRIBUTION = ("tukey", "scheffe", "dunnett", "dunnett-step-down")
"""Methods that adjust by a distribution of their own, which needs an error."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanPairsResult(PairsResult):
    """Pairs of adjusted means; see ``PairsResult``.

    ``estimate`` is algorithm_1 minus algorithm_2 in the metric's own unit, as in R;
    ``positions`` are the means with the sign such that lower is better.

    Attributes
    ----------
    means : Series
        Means of the algorithms, adjusted for blocks, in the metric's own unit.
    mean_square : float
        Residual mean square of the model, in the metric's squared unit.
    variance_ratio : float
        How many times larger shared training data make the variance of a difference;
        1 without a correction.
    formula : str
        The model over safe names.
    r_method : str
        The R function's name for this method.
    fit : AnovaFit
    """

    r_named: ClassVar[bool] = True

    differences: ClassVar[str] = "mean"

    means: pd.Series = made_when_read()

    @property
    def means_in_unit(self) -> Floats:
        """Means of the algorithms in the metric's unit."""
        return np.asarray(self.held("means"), float)

    mean_square: float
    variance_ratio: float
    formula: str
    r_method: str = internal()
    fit: AnovaFit = internal()

    @property
    def n_blocks(self) -> int | None:
        """Independent blocks; None for folds of several data sets."""
        design = self.fit.design
        return design.n_blocks if design.datasets is None else None

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return self.metric.sign > 0

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        if self.fit.e == 0:
            return "means/sign-changes"
        return "means/pooled" if self.variance_ratio == 1 else "means/corrected"

    @property
    def metric(self) -> Metric:
        """The metric whose means are compared."""
        return self.fit.metric

    def r_call(self) -> RCall | None:
        """Return the call of the R function for pairs of adjusted means."""
        arguments = {
            **self.fit.r_arguments(),
            "method": self.r_method,
            "adjust": self.adjust,
            "control": self.control or "",
            "level": self.level,
        }
        files = ("linear", "studentized_range", "adjust", "chi_points", "mean_pairs")
        return RCall(files, "mean_pairs_reference", arguments)

    schema: ClassVar[Schema] = (
        *changed(PairsResult.schema, only=""),
        ResultQuantity("means", "mean", unit="metric"),
    )


@dataclass(frozen=True, eq=False)
class MeanContrasts:
    """Differences of pairs of adjusted means.

    Attributes
    ----------
    fit : AnovaFit
    first, second : ndarray of int, shape (pairs,)
        The pairs: algorithm_1 minus algorithm_2.
    control : str or None
    """

    fit: AnovaFit
    first: NDArray[np.int_]
    second: NDArray[np.int_]
    control: str | None

    @property
    def a(self) -> int:
        """Number of algorithms."""
        return len(self.fit.algorithms)

    @property
    def df(self) -> float:
        """Degrees of freedom of error."""
        return self.fit.df[1]

    @cached_property
    def estimate(self) -> Floats:
        """Differences in ``unit``; exactly 0 if the fit has no difference."""
        differences = self.fit.differences()[self.first, self.second]
        if self.fit.zero_residual:
            levels = np.array(self.fit.levels)
            return np.where(levels[self.first] == levels[self.second], 0.0, differences)
        return differences if self.fit.h > 0 else np.zeros_like(differences)

    @cached_property
    def std_error(self) -> Floats:
        """Standard errors in ``unit``, from the model's mean square.

        Corrected for shared training data if the fit is.
        """
        variances = self.fit.design.pair_variances[self.first, self.second]
        std_errors: Floats = np.sqrt(self.fit.variance_ratio * self.fit.mse * variances)
        return std_errors

    def t(self, rows: Any = slice(None)) -> Floats:
        """Return the t statistics of some rows."""
        return t_of(self.estimate, self.std_error, rows)

    @cached_property
    def p_value(self) -> Floats:
        """Raw two-sided p-values of t; exact ones if no error is left."""
        if self.fit.zero_residual:
            pairs = zip(self.first, self.second, strict=True)
            return np.array([self.fit.exact_pair_p(int(i), int(j)) for i, j in pairs])
        return _two_sided_t(self.t(), self.df)

    def notes(self, words: dict[str, Any]) -> tuple[str, ...]:
        """Return the notes for readers about pairs compared by this method."""
        if self.fit.e > 0:
            return self.fit.notes
        notes = [*self.fit.notes, _NO_ERROR]
        if self.fit.zero_residual:
            if np.isnan(self.p_value).all():
                return (*notes, _NO_P)
            notes.append(_SIGNS if self.fit.design.blocked else _DEALT)
            if words["adjust"] in _OWN_DISTRIBUTION:
                notes.append(_BONFERRONI.format(method=words["method"]))
        return tuple(notes)

    def without_error(
        self, p_adjusted: Floats, words: dict[str, Any]
    ) -> tuple[Floats, dict[str, Any]]:
        """Return adjusted p-values and words if no error is left."""
        words = words | {"interval": _NO_INTERVALS}
        if not self.fit.zero_residual or words["adjust"] not in _OWN_DISTRIBUTION:
            return p_adjusted, words
        p = self.p_value
        return np.minimum(1.0, len(p) * p), words | {
            "adjust": "bonferroni",
            "method": f"{words['method']}, replaced by exact tests (no error)",
        }

    def result(
        self,
        kind: type[MeanPairsResult],
        p_adjusted: Floats,
        half_width: Floats | float,
        more_notes: tuple[str, ...] = (),
        **words: Any,
    ) -> Any:
        """Make the result; ``half_width`` of the intervals is in standard errors."""
        unit, estimate, error = self.fit.unit, self.estimate, self.std_error
        notes = self.notes(words)
        notes += more_notes if self.fit.e > 0 else ()
        if self.fit.e == 0:
            p_adjusted, words = self.without_error(p_adjusted, words)
            half_width = np.nan

        def limits(rows: Ints) -> tuple[Floats, Floats]:
            middle, half = estimate[rows], half_widths[rows] * error[rows]
            with np.errstate(over="ignore"):
                return (middle - half) * unit, (middle + half) * unit

        half_widths = np.broadcast_to(half_width, len(error))
        low, high = ends_of(len(error), limits)
        columns = {
            **pair_index(self.fit.algorithms, self.control).labels,
            "estimate": estimate * unit,
            "std_error": error * unit,
            "statistic": column_of(len(error), self.t),
            "df": self.df,
            "p_value": self.p_value,
            "p_adjusted": p_adjusted,
            "conf_low": low,
            "conf_high": high,
        }
        metric, means = self.fit.metric, self.fit.means()
        return kind(
            table=Columns(columns),
            positions=self.fit.per_algorithm(metric.sign * means + 0.0),
            **means_of(metric.name).difference(),
            statistic_name="t",
            hypotheses=MEANS,
            family=_family(self),
            control=self.control,
            notes=notes,
            means=self.fit.per_algorithm(means),
            mean_square=self.fit.mse * unit * unit,
            variance_ratio=self.fit.variance_ratio,
            formula=self.fit.design.formula,
            fit=self.fit,
            **words,
        )


def contrasts(
    scores: Scores,
    metric: str | None,
    blocked: bool,
    level: float,
    control: str | None = None,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
) -> MeanContrasts:
    """Fit the model and list the pairs: all, or each algorithm minus the control."""
    check_level(level)
    return contrasts_of(fit(scores, metric, blocked, n_train, n_test), control)


def contrasts_of(model: AnovaFit, control: str | None = None) -> MeanContrasts:
    """Return the pairs of a fit: all, or each algorithm minus the control."""
    first, second = pair_indices(model.algorithms, control)
    return MeanContrasts(model, first, second, control)


def pair_indices(
    algorithms: tuple[str, ...], control: str | None
) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return all pairs, or each algorithm and the control, as two arrays of indices."""
    pairs = pair_index(algorithms, control)
    return pairs.first, pairs.second


def _two_sided_t(t: Floats, df: float) -> Floats:
    """Return two-sided p-values of Student's t."""
    p_values: Floats = np.minimum(1.0, 2 * special.stdtr(df, -np.abs(t)))
    return p_values


def _family(contrasts: MeanContrasts) -> str:
    """Return which hypotheses were adjusted together."""
    return family_of(contrasts.a, contrasts.control, contrasts.fit.metric.name)


def family_of(a: int, control: str | None, what: str) -> str:
    """Return which pairs of how many algorithms were adjusted together."""
    if a == 2:
        return f"the one pair of algorithms on {what}"
    if control is None:
        return f"all {a * (a - 1) // 2} pairs of {a} algorithms on {what}"
    return f"{a - 1} comparisons with the control {control} on {what}"

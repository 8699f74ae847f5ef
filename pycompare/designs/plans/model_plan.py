"""The plan of a linear model: the table ``[model]`` of a plan file, and its keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar, get_args

from pycompare.base.errors import setting
from pycompare.data.file_format import FileFormat
from pycompare.data.files import named
from pycompare.designs.plans.analysis_plan import (
    AnalysisPlanFile,
    TableFile,
    as_in_a_file,
    known_adjustment,
)
from pycompare.designs.plans.keys import (
    ERROR_RATE,
    NameList,
    Number,
    NumberOfEach,
    PlanRule,
    Text,
    Whole,
    Word,
    broken,
    declare,
    faults,
    rule,
)
from pycompare.designs.plans.problems import refuse_any
from pycompare.designs.plans.statements import as_in_plan
from pycompare.methods.models.grammar import read_formula, read_terms
from pycompare.methods.models.linear_model import (
    FitMethod,
    LinearModel,
    Missing,
    linear_model,
    weights_of_units,
)
from pycompare.methods.models.mixed import Df
from pycompare.methods.models.tables import read_frame


def _read_units(text: str) -> Any:
    """Read the units of a model."""
    return read_terms(text, "within")


@rule("row_weights", "within")
def _weights_of_units(plan: ModelPlan) -> str | None:
    """Reject weights of rows that are measured in units."""
    if plan.row_weights and plan.within:
        return weights_of_units(plan.row_weights)
    return None


@rule("row_weights", "permutations")
def _weights_of_permuted_rows(plan: ModelPlan) -> str | None:
    """Reject permutations of rows whose variances differ."""
    if plan.row_weights and plan.permutations:
        return (
            "residuals of rows with weights differ in variance, so they cannot be "
            "permuted: leave "
            + setting("permutations", plan.permutations)
            + " or the row weights out"
        )
    return None


_RULES: tuple[PlanRule, ...] = (_weights_of_units, _weights_of_permuted_rows)
"""Each takes a plan and returns the problem and its remedy, or None."""


@dataclass(frozen=True, kw_only=True)
class ModelPlan:
    """Decisions about a linear model before a p-value is seen.

    The table ``[model]`` of a plan file; each key is documented if it is declared.

    Raises
    ------
    PlanError
        With all problems.

    Examples
    --------
    >>> from pycompare.designs.plans.model_plan import ModelPlan
    >>> plan = ModelPlan(formula="error ~ learner * scaled", within="data/fold")
    >>> plan.type, plan.method, plan.adjust
    (2, 'auto', 'holm')
    """

    blind: ClassVar[bool] = False
    """Names of terms are the question itself: no codes stand for them."""

    formula: str = declare(
        "",
        Text("a formula such as 'error ~ learner * scaled'", read_formula),
        "score ~ learner * prep; several responses: cbind(error, auc) ~ learner.",
        option="--formula",
        group="Model",
    )
    within: str | None = declare(
        None,
        Text("units such as 'data/fold'", _read_units),
        "Units that rows are measured in, coarsest first: data/fold. Terms are tested "
        "against the units that they vary between.",
        option="--within",
        group="Model",
    )
    type: int = declare(
        2,
        Whole(1, 3, "1, 2 or 3"),
        "Type of sums of squares.",
        option="--type",
        group="Model",
    )
    method: str = declare(
        "auto",
        Word(get_args(FitMethod)),
        "How terms are tested with units: against error strata (balanced data), by a "
        "mixed model (REML), or whichever is exact.",
        option="--method",
        group="Model",
    )
    df: str = declare(
        "kenward-roger",
        Word(get_args(Df)),
        "Denominator degrees of freedom of a mixed model.",
        option="--df",
        group="Model",
    )
    row_weights: str | None = declare(
        None,
        Text("the name of a column of positive numbers"),
        "Column of weights: the variance of a row is the residual variance over its "
        "weight, such as the number of runs that a score is the mean of. Not with "
        "within or permutations.",
        option="--row-weights",
        group="Model",
    )
    missing: str = declare(
        "error",
        Word(get_args(Missing)),
        "What to do with rows that lack a value.",
        option="--missing",
        group="Model",
    )
    means: tuple[str, ...] = declare(
        (),
        NameList("a list of factors such as ['learner', 'learner:prep']"),
        "Estimated marginal means: learner, or learner:prep.",
        option="--means",
        group="Means",
    )
    contrasts: tuple[str, ...] = declare(
        (),
        NameList("a list of factors such as ['learner', 'learner:prep']"),
        "All pairwise comparisons of these means.",
        option="--contrasts",
        group="Means",
    )
    slopes: tuple[str, ...] = declare(
        (),
        NameList("a list of covariates such as ['size', 'size:learner']"),
        "Slopes of covariates: size, or size:learner for each level of learner.",
        option="--slopes",
        group="Means",
    )
    at: Mapping[str, float] | None = declare(
        None,
        NumberOfEach(Number(float("-inf"), expected="one finite number"), "covariate"),
        "Values of covariates for means, contrasts and slopes, such as "
        "{ size = 100 }. Default: their means.",
        option="--at",
        group="Means",
    )
    adjust: str = declare(
        "holm",
        Text("the name of an adjustment", known_adjustment),
        "Adjustment of the pairwise comparisons, each list a family of its own: a name "
        "of pc.adjust, tukey, or single-step (multivariate t).",
        option="--adjust",
        group="Means",
    )
    level: float = declare(
        0.95,
        Number(0, 1, "a number between 0 and 1"),
        "Confidence level of means and effect sizes.",
        option="--level",
        group="Means",
    )
    alpha: float = declare(
        0.05,
        ERROR_RATE,
        "Significance level, from which intervals of comparisons follow.",
        option="--alpha",
        group="Means",
    )
    permutations: int = declare(
        0,
        Whole(0),
        "Permutations of residuals for each term, as a sensitivity analysis; 0: none.",
        option="--permutations",
        group="Model",
    )
    seed: int = declare(
        0,
        Whole(0),
        "Random seed for permutations and multivariate t probabilities.",
        option="--seed",
        group="Means",
    )
    population: str | None = as_in_plan("population")
    treatment: str | None = as_in_plan("treatment")
    variable: str | None = as_in_plan("variable")
    intercurrent_events: str | None = as_in_plan("intercurrent_events")
    summary_measure: str | None = as_in_plan("summary_measure")

    def __post_init__(self) -> None:
        """Reject settings that no data could make valid."""
        refuse_any([*faults(self), *broken(_RULES, self)])
        for name in ("means", "contrasts", "slopes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def fitted(self, path: str | PathLike[str], form: FileFormat) -> LinearModel:
        """Fit the model to the table of a file, which errors name."""
        frame = read_frame(path, self.formula, self.within, form, self.row_weights)
        with named(path):
            return self.fitted_to(frame)

    def fitted_to(self, frame: Any) -> LinearModel:
        """Fit the model to a table."""
        return linear_model(
            frame,
            self.formula,
            within=self.within,
            type=self.type,  # type: ignore[arg-type]
            missing=self.missing,  # type: ignore[arg-type]
            level=self.level,
            method=self.method,  # type: ignore[arg-type]
            df=self.df,  # type: ignore[arg-type]
            row_weights=self.row_weights,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelPlanFile(AnalysisPlanFile):
    """A plan file with a table ``[model]``."""

    tables: ClassVar[Mapping[str, type]] = {"data": TableFile, "model": ModelPlan}
    holds: ClassVar[type] = ModelPlan
    row: ClassVar[str] = "a linear model needs one row per measurement"
    to_fill_in: ClassVar[tuple[str, ...]] = ("formula",)

    @classmethod
    def proposed(cls, names: Iterable[str]) -> dict[str, str]:
        """Return the units of a model: data sets, and blocks in them."""
        by_role = super().proposed(names)
        units = [by_role[role] for role in ("dataset", "block") if role in by_role]
        return {"within": "/".join(map(_in_formula, units))} if units else {}

    @property
    def model(self) -> ModelPlan:
        """The table ``[model]``."""
        plan: ModelPlan = self.plan
        return plan

    def fitted(self) -> LinearModel:
        """Read the data and fit the model."""
        with as_in_a_file():
            return self.model.fitted(self.path, self.form)


def _in_formula(name: str) -> str:
    """Return a column's name as formulas spell it."""
    if name.isidentifier():
        return name
    return f'"{name}"' if "`" in name else f"`{name}`"

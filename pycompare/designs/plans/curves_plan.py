"""The plan of a comparison of ROC curves: ``[curves]`` of a plan file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar, get_args

from pycompare.base.errors import setting
from pycompare.base.typing import BinsName, Hypothesis
from pycompare.data.file_format import FileFormat
from pycompare.data.prediction_files import read_predictions
from pycompare.data.predictions import Predictions
from pycompare.data.reading.called import CALLED, OF_CASES
from pycompare.designs.plans.analysis_plan import (
    AnalysisPlanFile,
    BlindablePlan,
    TableFile,
    as_for_scores,
    known_adjustment,
)
from pycompare.designs.plans.keys import (
    ERROR_RATE,
    Flag,
    Number,
    Text,
    Whole,
    Word,
    broken,
    declare,
    faults,
    keys_of,
    rule,
)
from pycompare.designs.plans.problems import refuse_any
from pycompare.designs.plans.statements import (
    ESTIMAND,
    MARGIN,
    as_in_plan,
    statements_of_no_margin,
)

_ONE_CLASS = ("error", "undefined")
_MISSING = ("error", "drop-block", "model")
OTHER_CURVES = (
    "precision-recall curves of a pair are compared by pc.curve_dominance with "
    "kind='pr'; for other curves there is no comparison of whole curves"
)
"""The curves that a report does not compare as a whole."""
BESIDE_AREAS = ("risk_threshold", "bins", "n_bins", "whole_curves")
"""Keys of results beside the areas."""


@dataclass(frozen=True, kw_only=True)
class CurvesColumns:
    """Roles of the columns of predictions, and how they are read."""

    algorithm: str | None = as_for_scores("algorithm")
    score: str | None = as_for_scores("score")
    algorithms: tuple[str, ...] = declare(
        (),
        as_for_scores("algorithms").metadata["kind"],
        "In the place of algorithm and score the columns of scores of each algorithm, "
        "if a row is a case.",
        group="Data",
    )
    label: str = declare(
        "",
        Text("the name of the column of true classes"),
        "Column of the true classes.",
        group="Data",
    )
    positive: str = declare(
        "",
        Text("the label of the positive class"),
        "Label of the positive class.",
        group="Data",
    )
    block: str | None = as_for_scores("block")
    dataset: str | None = as_for_scores("dataset")
    case: str | None = as_for_scores("case")
    cluster: str | None = as_for_scores("cluster")
    rest: bool = as_for_scores("rest")
    classes: tuple[str, ...] = as_for_scores("classes")
    one_class: str = declare(
        "error",
        Word(_ONE_CLASS),
        "Blocks whose cases are all of one class: reject them, or leave measures that "
        "need both classes undefined.",
        group="Data",
    )
    missing: str = declare(
        "error",
        Word(_MISSING),
        "Blocks without scores of an algorithm, or with an undefined AUC: reject "
        "them, drop them, or keep them as missing.",
        group="Data",
    )


@dataclass(frozen=True, kw_only=True)
class CurvesData(CurvesColumns, TableFile):
    """The table ``[data]`` of a plan of ROC curves: a row is one case."""


@dataclass(frozen=True, kw_only=True)
class CurvesTable:
    """The table ``[curves]`` of a plan file."""

    alpha: float = declare(
        0.05,
        ERROR_RATE,
        "Significance level.",
        option="--alpha",
    )
    level: float = declare(
        0.95,
        Number(0, 1, "a confidence level between 0 and 1"),
        "Confidence level of the intervals of each AUC, and of average precisions.",
        option="--level",
    )
    control: str | None = declare(
        None,
        Text("the name of an algorithm"),
        "Compare each other algorithm with this one. Default: all pairs.",
        option="--control",
    )
    margin: float | None = declare(
        None,
        Number(0, expected="a positive difference"),
        "Also test whether differences in AUC are smaller than this margin.",
        option="--margin",
    )
    hypothesis: str | None = declare(
        None,
        Word(get_args(Hypothesis)),
        "Required with a margin. superiority: AUCs differ; it has no margin. "
        "equivalence: differences lie within the margin both ways. non-inferiority: "
        "no algorithm is worse than the control by the margin or more. Default: "
        "superiority.",
        option="--hypothesis",
    )
    margin_alpha: float | None = declare(
        None,
        Number(0, 0.5, "a number between 0 and 0.5"),
        "One-sided significance level of each test against the margin. Default: alpha, "
        "or alpha/2 for non-inferiority.",
        option="--margin-alpha",
    )
    adjust: str | None = declare(
        None,
        Text("the name of an adjustment", known_adjustment),
        "Adjustment over the pairs of a data set. Default: bergmann-hommel; holm with "
        "a control, or over 40 algorithms.",
        option="--adjust",
    )
    threshold: float | None = declare(
        None,
        Number(float("-inf"), expected="a number"),
        "Threshold of the Cortes-Mohri interval.",
        option="--threshold",
    )
    risk_threshold: float | None = declare(
        None,
        Number(0, 1, "a risk between 0 and 1"),
        "Also compare net benefits over cases at this risk, from which on a case is "
        "treated. Scores are probabilities.",
        option="--risk-threshold",
    )
    bins: BinsName | None = declare(
        None,
        Word(get_args(BinsName)),
        "Also estimate calibration errors over cases within bins of the score: of "
        "equal width from 0 to 1, or with equally many cases. Scores are "
        "probabilities.",
        option="--bins",
    )
    n_bins: int | None = declare(
        None,
        Whole(1, expected="a whole number from 1 on"),
        "Number of bins of the calibration errors.",
        option="--n-bins",
    )
    whole_curves: bool = declare(
        False,
        Flag(f"true or false; {OTHER_CURVES}"),
        "Also compare the whole ROC curves of each pair over cases, by a simultaneous "
        "band of their difference.",
        option="--whole-curves",
    )
    n_train: float | None = declare(
        None,
        Number(0, expected="the positive size of a training set"),
        "Size of each training set.",
        option="--train",
    )
    n_test: float | None = declare(
        None,
        Number(0, expected="the positive size of a test set"),
        "Size of each test set.",
        option="--test",
    )
    seed: int = declare(
        0,
        Whole(0),
        "Random seed for bootstraps and bands.",
        option="--seed",
    )
    blind: bool = declare(
        False,
        Flag(),
        "Blinded analysis: codes stand for the names of the algorithms in every output "
        "until pycompare unblind. The key is written beside the report.",
        option="--blind",
    )
    population: str | None = as_in_plan("population")
    treatment: str | None = as_in_plan("treatment")
    variable: str | None = as_in_plan("variable")
    intercurrent_events: str | None = as_in_plan("intercurrent_events")
    summary_measure: str | None = as_in_plan("summary_measure")
    margin_reason: str | None = as_in_plan("margin_reason")
    margin_source: str | None = as_in_plan("margin_source")

    def __post_init__(self) -> None:
        """Reject what no data could make right."""
        refuse_any(faults(self))


def incomplete_bins(bins: str | None, n_bins: int | None) -> str | None:
    """Return that bins have no number, or a number has no bins; None if neither."""
    if (bins is None) == (n_bins is None):
        return None
    has, needs = ("bins", "n_bins") if n_bins is None else ("n_bins", "bins")
    return (
        setting(has, n_bins if bins is None else bins)
        + " is of calibration errors, which need both: give "
        + setting(needs)
    )


@rule("bins", "n_bins")
def _bins_and_number(plan: Any) -> str | None:
    """Reject bins without their number, and the other way round."""
    return incomplete_bins(plan.bins, plan.n_bins)


_RULES = (statements_of_no_margin, _bins_and_number)


@dataclass(frozen=True, kw_only=True)
class CurvesPlan(CurvesTable, CurvesColumns, BlindablePlan):
    """Decisions about ROC curves before a p-value is seen.

    The keys of ``[curves]``, and those of ``[data]`` for the roles of columns; each is
    documented where it is declared.

    Raises
    ------
    PlanError
        With all problems.

    Examples
    --------
    >>> from pycompare.designs.plans.curves_plan import CurvesPlan
    >>> CurvesPlan(label="class", positive="yes", algorithm="model", score="p").alpha
    0.05
    """

    def __post_init__(self) -> None:
        """Reject what no data could make right."""
        super().__post_init__()
        refuse_any(broken(_RULES, self))
        for name in ("algorithms", "classes"):
            object.__setattr__(self, name, tuple(getattr(self, name)))

    def renamed(self, names: Mapping[str, str]) -> CurvesPlan:
        """Return the plan with other names of algorithms."""
        chosen = tuple(names.get(name, name) for name in self.algorithms)
        control = self.control and names.get(self.control, self.control)
        return dataclasses.replace(self, algorithms=chosen, control=control)

    def read(self, path: str | PathLike[str], form: FileFormat) -> Predictions:
        """Read the predictions."""
        columns: Any = {
            name: value
            for name in keys_of(CurvesColumns)
            if (value := getattr(self, name)) not in (None, ())
        }
        return read_predictions(
            path,
            **columns,
            sep=form.sep,
            decimal=form.decimal,
            sheet=form.sheet,
            header=form.header,
        )

    @property
    def choices(self) -> dict[str, Any]:
        """The arguments of ``compare_curves``."""
        told = ("blind", *ESTIMAND, *MARGIN)
        return {n: getattr(self, n) for n in keys_of(CurvesTable) if n not in told}


@dataclass(frozen=True, kw_only=True, eq=False)
class CurvesPlanFile(AnalysisPlanFile):
    """A plan file with a table ``[curves]``."""

    tables: ClassVar[Mapping[str, type]] = {"data": CurvesData, "curves": CurvesTable}
    holds: ClassVar[type] = CurvesPlan
    row: ClassVar[str] = "ROC curves need one row per case and algorithm"
    to_fill_in: ClassVar[tuple[str, ...]] = ("algorithm", "score", "label", "positive")
    called: ClassVar[Mapping[str, tuple[str, ...]]] = CALLED | OF_CASES

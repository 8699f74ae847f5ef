"""``methods_text``: a paragraph for a paper, of any kind of report."""

from __future__ import annotations

from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show
from pycompare.designs.compare import Comparison
from pycompare.designs.curve_comparison import CurveComparison
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.methods.battles.strengths import BattlesResult, GroupedBattlesResult
from pycompare.methods.models.linear_model import LinearModel
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.single_modality import SingleModalityResult
from pycompare.methods.multireader.standalone_reader import StandaloneResult
from pycompare.reporting.battles_report import battles_words
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.curves_report import curves_words
from pycompare.reporting.model_report import fitted_report, model_words
from pycompare.reporting.mrmc_report import alpha_of, readers_words
from pycompare.reporting.submission_words import Words

WordedResult = (
    Comparison
    | CurveComparison
    | LinearModel
    | MRMCResult
    | SingleModalityResult
    | StandaloneResult
    | BattlesResult
    | GroupedBattlesResult
)


@checked
def methods_text(result: WordedResult, *, plan: ModelPlan | None = None) -> str:
    """Return a paragraph on methods and results in the past tense, to be pasted.

    Parameters
    ----------
    result : Comparison, CurveComparison, LinearModel, MRMCResult, \
SingleModalityResult, StandaloneResult, BattlesResult or GroupedBattlesResult
        From ``compare``, ``compare_curves``, ``linear_model``, ``mrmc``,
        ``single_modality``, ``standalone`` or ``battles``.
    plan : ModelPlan, optional
        Of a linear model, as in ``report``: which comparisons are made, and alpha.

    Returns
    -------
    str
        The comparison, on how many data sets, folds or cases; the tests with their
        adjustment and error rate; estimates with intervals and adjusted p-values;
        omissions; software.

    Raises
    ------
    InputError
        For another kind of result, or a plan of a result that is no linear model.

    Examples
    --------
    >>> import pycompare as pc
    >>> plan = pc.Plan(blocks="datasets", compares="ranks")
    >>> text = pc.methods_text(pc.compare(pc.example(), plan))
    >>> text.split(". ")[0]
    'We compared five algorithms in accuracy (higher is better) on 30 data sets'
    >>> "χ²(4) = 39.9, p < 0.001" in text
    True
    """
    return _words(result, plan).paragraph


def _words(result: WordedResult, plan: ModelPlan | None) -> Words:
    """Return the statements of a report for submission about a result."""
    if plan is not None and not isinstance(result, LinearModel):
        raise InputError(
            f"{setting('plan')} is for results of pc.linear_model: leave it out"
        )
    match result:
        case Comparison():
            return ComparisonReport(result).words()
        case CurveComparison():
            return curves_words(result)
        case LinearModel():
            return model_words(fitted_report(result, plan))
        case BattlesResult() | GroupedBattlesResult():
            return battles_words(result)
        case MRMCResult() | SingleModalityResult() | StandaloneResult():
            return readers_words(result, alpha_of(result))
        case _:
            raise InputError(f"expected the result of an analysis, got {show(result)}")

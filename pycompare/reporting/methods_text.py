"""``methods_text``: a paragraph for a paper, of any kind of report."""

from __future__ import annotations

from pycompare.analyses.compare import Comparison
from pycompare.analyses.curve_comparison import CurveComparison
from pycompare.checked import checked
from pycompare.errors import InputError
from pycompare.labels import show
from pycompare.models.linear_model import LinearModel
from pycompare.multireader.result import MRMCResult
from pycompare.multireader.single_modality import SingleModalityResult
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.curves_report import curves_words
from pycompare.reporting.model_report import fitted_report, model_words
from pycompare.reporting.mrmc_report import alpha_of, readers_words
from pycompare.reporting.submission_words import Words

Reported = (
    Comparison | CurveComparison | LinearModel | MRMCResult | SingleModalityResult
)


@checked
def methods_text(result: Reported) -> str:
    """Return a paragraph on methods and results, its numbers filled in, to be pasted.

    Parameters
    ----------
    result : Comparison, CurveComparison, LinearModel, MRMCResult, SingleModalityResult
        From ``compare``, ``compare_curves``, ``linear_model``, ``mrmc`` or
        ``single_modality``.

    Returns
    -------
    str
        What was compared, the tests with their adjustment and error rate, their
        results, what was left out, software.

    Raises
    ------
    InputError
        For another kind of result.

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
    return _words(result).paragraph


def _words(result: Reported) -> Words:
    """Return what a report for submission says of a result."""
    match result:
        case Comparison():
            return ComparisonReport(result).words()
        case CurveComparison():
            return curves_words(result)
        case LinearModel():
            return model_words(fitted_report(result))
        case MRMCResult() | SingleModalityResult():
            return readers_words(result, alpha_of(result))
        case _:
            raise InputError(f"expected the result of an analysis, got {show(result)}")

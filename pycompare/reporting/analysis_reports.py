"""Which report an analysis has, and the results of a whole comparison."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.blocked_anova import LinearAnalysis
from pycompare.analyses.cases import CaseAnalysis
from pycompare.analyses.compare import Comparison, part_title
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multiple_datasets import DatasetsAnalysis
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.analyses.shared_test_set import SharedTestSetAnalysis
from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.analyses.two_algorithms import TwoAnalysis
from pycompare.reporting import family_report, multivariate, vectors_on_datasets
from pycompare.reporting.blocked_anova import BlockedAnovaReport
from pycompare.reporting.cases import CasesReport
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.content import sources, wording
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.content.page import Report, Result
from pycompare.reporting.content.specification_report import with_specifications
from pycompare.reporting.content.tables import overview
from pycompare.reporting.multiple_datasets import MultipleDatasetsReport
from pycompare.reporting.rank_tests import RankTestsReport
from pycompare.reporting.shared_test_set import SharedTestSetReport
from pycompare.reporting.submission_words import Words
from pycompare.reporting.threshold_sweep import ThresholdSweepReport
from pycompare.reporting.two_algorithms import TwoAlgorithmsReport

_REPORTS: dict[type[Analysis], type[AnalysisReport[Any]]] = {
    CaseAnalysis: CasesReport,
    LinearAnalysis: BlockedAnovaReport,
    RankAnalysis: RankTestsReport,
    TwoAnalysis: TwoAlgorithmsReport,
    DatasetsAnalysis: MultipleDatasetsReport,
    ThresholdsAnalysis: ThresholdSweepReport,
    SharedTestSetAnalysis: SharedTestSetReport,
}


@dataclass(frozen=True)
class StatedResult:
    """A result, and the facts of its answer, if it has any."""

    result: Result
    outcome: Outcome | None = None


def report_of(comparison: GroupComparison) -> AnalysisReport[Any]:
    """Return the report of one part; all its metrics have the same type of analysis."""
    return _REPORTS[type(comparison.analyses[0])](comparison)


def summary_report(comparison: Comparison) -> ComparisonReport:
    """Return what a page says of a comparison as a whole."""
    return ComparisonReport(comparison, [report_of(part) for part in comparison.parts])


def results(comparison: Comparison) -> Iterator[StatedResult]:
    """Yield the result of the family, if it is one over all, then those of parts."""
    if comparison.families:
        yield StatedResult(family_report.result(comparison))
    for place, part in enumerate(comparison.parts, start=1):
        stem = "all_groups_" if part.group is None else f"group{place}_"
        for made in _part_results(part, stem if comparison.grouped else ""):
            if comparison.grouped:
                title = f"{part_title(part.group)}, {made.result.title}"
                made = replace(made, result=replace(made.result, title=title))
            yield made


def _part_results(part: GroupComparison, stem: str = "") -> Iterator[StatedResult]:
    """Yield one result a metric, then one for all of them together.

    ``stem`` begins the names of files: never a group's own name.
    """
    report, several = report_of(part), len(part.analyses) > 1
    for place, analysis in enumerate(part.analyses, start=1):
        prefix = f"{stem}metric{place}_" if several else stem
        made = with_specifications(report.result(analysis, prefix), analysis)
        yield StatedResult(made, report.outcome(analysis))
    if part.together is not None:
        yield StatedResult(multivariate.result(part, part.together, stem))
    if part.datasets_together is not None:
        joint = part.datasets_together
        yield StatedResult(vectors_on_datasets.result(part, joint, stem))


def comparison_words(comparison: Comparison) -> Words:
    """Return what a report for submission says of a comparison."""
    metrics = [wording.direction(m) for m in comparison.scores.metrics]
    control = comparison.plan.control
    beside = "" if control is None else f" with {control}"
    n = comparison.scores.n_algorithms - (control is not None)
    many = wording.in_words(n, "algorithm")
    return Words(
        opening=f"We compared {many}{beside} in {wording.listing(metrics)} "
        f"{summary_report(comparison).sample()}.",
        outcomes=[
            (one.result.title, one.outcome)
            for one in results(comparison)
            if one.outcome is not None
        ],
        dropped=sources.dropped(comparison.scores),
    )


def conclusions(comparison: Comparison) -> list[str]:
    """Return all conclusions in sentences, then their scope."""
    found = family_report.sentences(comparison) if comparison.families else []
    for part in comparison.parts:
        found += [f"{part_title(part.group)}:"] if comparison.grouped else []
        found += _part_conclusions(part)
    return [*found, *summary_report(comparison).scope()]


def _part_conclusions(part: GroupComparison) -> list[str]:
    """Return the conclusions of one part in sentences."""
    report = report_of(part)
    found = [s for a in part.analyses for s in report.sentences(a)]
    if part.together is not None:
        found += multivariate.sentences(part, part.together)
    if part.datasets_together is not None:
        found += vectors_on_datasets.sentences(part, part.datasets_together)
    return found


def comparison_report(
    comparison: Comparison, whole: ComparisonReport, origin: dict[str, Any]
) -> Report:
    """Return everything that the page of a comparison is made of."""
    made = list(results(comparison))
    facts = [(m.result.title, m.outcome) for m in made if m.outcome is not None]
    return Report(
        title=whole.title(),
        subtitle=sources.subtitle(comparison.plan.alpha, origin),
        results=[one.result for one in made],
        overview=overview(facts) if len(facts) > 1 else None,
        scope=whole.scope(),
        assumptions=whole.limits(),
        plan=whole.plan(),
        methods=whole.methods(),
        data=whole.data(origin) or sources.data_rows(comparison, origin),
        dropped=sources.dropped(comparison.scores),
        origin=origin,
    )

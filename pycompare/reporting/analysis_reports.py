"""Which analysis a comparison took, and the sections of its report."""

from __future__ import annotations

import dataclasses
from typing import Any

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.blocked_anova import LinearAnalysis
from pycompare.analyses.compare import Comparison, part_title
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multiple_datasets import DatasetsAnalysis
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.analyses.two_algorithms import TwoAnalysis
from pycompare.reporting import family_report
from pycompare.reporting.blocked_anova.linear_report import BlockedAnovaReport
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.facts import Statements
from pycompare.reporting.multiple_datasets import datasets_together_report
from pycompare.reporting.multiple_datasets.datasets_report import MultipleDatasetsReport
from pycompare.reporting.multivariate import together_report, together_words
from pycompare.reporting.page.section import Section
from pycompare.reporting.rank_tests.rank_report import RankTestsReport
from pycompare.reporting.threshold_sweep.thresholds_report import ThresholdSweepReport
from pycompare.reporting.two_algorithms.two_report import TwoAlgorithmsReport

REPORTS: dict[type[Analysis], type[AnalysisReport[Any]]] = {
    LinearAnalysis: BlockedAnovaReport,
    RankAnalysis: RankTestsReport,
    TwoAnalysis: TwoAlgorithmsReport,
    DatasetsAnalysis: MultipleDatasetsReport,
    ThresholdsAnalysis: ThresholdSweepReport,
}


def report_of(comparison: GroupComparison) -> AnalysisReport[Any]:
    """Return one part as its analysis tells it; all metrics take one analysis."""
    return REPORTS[type(comparison.analyses[0])](comparison)


def summary_report(comparison: Comparison) -> ComparisonReport:
    """Return what is told of a comparison as a whole."""
    return ComparisonReport(comparison, [report_of(part) for part in comparison.parts])


Told = tuple[Section, Statements | None]
"""A section, and all that is stated in it as facts."""


def sections(comparison: Comparison) -> list[Told]:
    """Return the section of the family, if it is one over all, then those of parts."""
    found: list[Told] = []
    if comparison.families:
        found.append((family_report.section(comparison), None))
    for place, part in enumerate(comparison.parts, start=1):
        made = part_sections(part)
        if comparison.grouped:
            stem = "all_groups" if part.group is None else f"group{place}"
            made = [(in_group(one, part.group, stem), stated) for one, stated in made]
        found += made
    return found


def in_group(section: Section, group: str | None, stem: str) -> Section:
    """Return a section under its group's title; no file is named by the group."""
    return dataclasses.replace(
        section,
        title=f"{part_title(group)}, {section.title}",
        prefix=f"{stem}_{section.prefix}",
    )


def part_sections(part: GroupComparison) -> list[Told]:
    """Return one section a metric, then one for all of them together."""
    told = report_of(part)
    several = len(part.analyses) > 1
    found: list[Told] = [
        (
            told.section(analysis, f"metric{place}_" if several else ""),
            told.stated(analysis),
        )
        for place, analysis in enumerate(part.analyses, start=1)
    ]
    if part.together is not None:
        found.append((together_report.section(part, part.together), None))
    if part.datasets_together is not None:
        joint = part.datasets_together
        found.append((datasets_together_report.section(part, joint), None))
    return found


def verdicts(comparison: Comparison) -> list[str]:
    """Return all verdicts in sentences, then what nobody should read them without."""
    found = family_report.verdict_sentences(comparison) if comparison.families else []
    for part in comparison.parts:
        found += [f"{part_title(part.group)}:"] if comparison.grouped else []
        found += part_verdicts(part)
    return [*found, *summary_report(comparison).caveats()]


def part_verdicts(part: GroupComparison) -> list[str]:
    """Return the verdicts of one part in sentences."""
    told = report_of(part)
    found = [s for a in part.analyses for s in told.sentences(a)]
    if part.together is not None:
        found += together_words.verdict_sentences(part.together, part.plan.alpha)
    if part.datasets_together is not None:
        found += datasets_together_report.verdict_sentences(
            part.datasets_together, part.plan.alpha
        )
    return found

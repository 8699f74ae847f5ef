"""Which road a comparison took, and the sections of its report."""

from __future__ import annotations

from typing import Any

from pycompare.procedure.analysis import Analysis
from pycompare.procedure.compare import Comparison
from pycompare.procedure.datasets_road import DatasetsAnalysis
from pycompare.procedure.linear_road import LinearAnalysis
from pycompare.procedure.rank_road import RankAnalysis
from pycompare.procedure.thresholds_road import ThresholdsAnalysis
from pycompare.procedure.two_road import TwoAnalysis
from pycompare.reporting import (
    datasets_together_report,
    together_report,
    together_words,
)
from pycompare.reporting.datasets_report import DatasetsRoad
from pycompare.reporting.linear_report import LinearRoad
from pycompare.reporting.rank_report import RankRoad
from pycompare.reporting.road import Road
from pycompare.reporting.section import Section
from pycompare.reporting.thresholds_report import ThresholdsRoad
from pycompare.reporting.two_report import TwoRoad

ROADS: dict[type[Analysis], type[Road[Any]]] = {
    LinearAnalysis: LinearRoad,
    RankAnalysis: RankRoad,
    TwoAnalysis: TwoRoad,
    DatasetsAnalysis: DatasetsRoad,
    ThresholdsAnalysis: ThresholdsRoad,
}


def road(comparison: Comparison) -> Road[Any]:
    """Return the comparison as its road tells it; all metrics take one road."""
    return ROADS[type(comparison.analyses[0])](comparison)


def sections(comparison: Comparison) -> list[Section]:
    """Return one section a metric, then one for all of them together."""
    told = road(comparison)
    several = len(comparison.analyses) > 1
    found = [
        told.section(analysis, f"metric{place}_" if several else "")
        for place, analysis in enumerate(comparison.analyses, start=1)
    ]
    if comparison.together is not None:
        found.append(together_report.section(comparison, comparison.together))
    if comparison.datasets_together is not None:
        joint = comparison.datasets_together
        found.append(datasets_together_report.section(comparison, joint))
    return found


def verdicts(comparison: Comparison) -> list[str]:
    """Return all verdicts in sentences, then what nobody should read them without."""
    told = road(comparison)
    found = [s for a in comparison.analyses for s in told.verdict(a)]
    if comparison.together is not None:
        alpha = comparison.plan.alpha
        found += together_words.verdict_sentences(comparison.together, alpha)
    if comparison.datasets_together is not None:
        found += datasets_together_report.verdict_sentences(
            comparison.datasets_together, comparison.plan.alpha
        )
    return [*found, *told.caveats()]

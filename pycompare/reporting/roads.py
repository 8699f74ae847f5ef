"""Which road a comparison took."""

from __future__ import annotations

from typing import Any

from pycompare.procedure.analysis import Analysis
from pycompare.procedure.compare import Comparison
from pycompare.procedure.linear_road import LinearAnalysis
from pycompare.procedure.rank_road import RankAnalysis
from pycompare.procedure.two_road import TwoAnalysis
from pycompare.reporting.linear_report import LinearRoad
from pycompare.reporting.rank_report import RankRoad
from pycompare.reporting.road import Road
from pycompare.reporting.two_report import TwoRoad

ROADS: dict[type[Analysis], type[Road[Any]]] = {
    LinearAnalysis: LinearRoad,
    RankAnalysis: RankRoad,
    TwoAnalysis: TwoRoad,
}


def road(comparison: Comparison) -> Road[Any]:
    """Return the comparison as its road tells it; all metrics take one road."""
    return ROADS[type(comparison.analyses[0])](comparison)

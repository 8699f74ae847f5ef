"""The report of an analysis that was planned: readers, curves, battles, a model."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from pycompare.designs.curve_comparison import CurveComparison
from pycompare.designs.planned_analysis import AnalysisPlan, PlannedAnalysis
from pycompare.designs.plans.battles_plan import BattlesPlan
from pycompare.designs.plans.curves_plan import CurvesPlan
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.methods.battles.strengths import BattlesResult, GroupedBattlesResult
from pycompare.methods.models.linear_model import LinearModel
from pycompare.reporting import (
    battles_report,
    curves_report,
    model_report,
    mrmc_report,
)
from pycompare.reporting.edition import Writing
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.provenance import Origin
from pycompare.reporting.write import Contents


def mark_of(plan: AnalysisPlan) -> FolderMark:
    """Return the mark of the folder that the report of a plan has."""
    if isinstance(plan, ModelPlan):
        return model_report.KIND
    if isinstance(plan, BattlesPlan):
        return battles_report.KIND
    return curves_report.KIND if isinstance(plan, CurvesPlan) else mrmc_report.KIND


def write(
    analysis: PlannedAnalysis, to: str | Path, **writing: Unpack[Writing]
) -> Path:
    """Write the folder of an analysis; beside that of a blinded one, its key."""
    result = analysis.result
    origin = _origin(analysis)
    if isinstance(result, LinearModel):
        plan = analysis.model
        return model_report.write(result, to, plan=plan, origin=origin, **writing)
    if isinstance(result, CurveComparison):
        return curves_report.write(result, to, origin=origin, **writing)
    if isinstance(result, BattlesResult | GroupedBattlesResult):
        return battles_report.write(result, to, origin=origin, **writing)
    mixed = analysis.mixed
    return mrmc_report.write(result, to, mixed=mixed, origin=origin, **writing)


def contents(analysis: PlannedAnalysis) -> Contents:
    """Return the contents of the folder of readers, curves or battles."""
    result, origin = analysis.result, _origin(analysis)
    if isinstance(result, CurveComparison):
        return curves_report.contents(result, origin, None)
    if isinstance(result, BattlesResult | GroupedBattlesResult):
        return battles_report.contents(result, origin, None)
    assert not isinstance(result, LinearModel)  # whose plans are never blinded
    alpha = mrmc_report.alpha_of(result)
    return mrmc_report.contents(result, analysis.mixed, alpha, origin, None)


def conclusion(analysis: PlannedAnalysis) -> str:
    """Return the conclusions as text."""
    result = analysis.result
    if isinstance(result, LinearModel):
        assert analysis.model is not None
        return model_report.conclusions(result, analysis.model.alpha)
    if isinstance(result, CurveComparison):
        return curves_report.conclusions(result)
    if isinstance(result, BattlesResult | GroupedBattlesResult):
        return battles_report.conclusion(result)
    return mrmc_report.conclusion(result)


def _origin(analysis: PlannedAnalysis) -> Origin:
    return Origin(
        plan_file=analysis.plan_file,
        source=analysis.source,
        blinding=analysis.blinding,
    )

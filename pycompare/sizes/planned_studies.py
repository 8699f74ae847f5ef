"""Which simulated study a plan file asks for."""

from __future__ import annotations

from os import PathLike

from pycompare.base.errors import InputError
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile
from pycompare.designs.plans.analysis_plans import read_analysis_plan
from pycompare.designs.plans.curves_plan import CurvesPlanFile
from pycompare.designs.plans.plan_file import PlanFile, read_plan
from pycompare.designs.plans.readers_plan import ReadersPlanFile
from pycompare.sizes.curve_study import curve_study
from pycompare.sizes.planned_scores import score_study
from pycompare.sizes.planned_study import PlannedStudy
from pycompare.sizes.prediction_study import prediction_study
from pycompare.sizes.reader_study import reader_study
from pycompare.sizes.stated_truth import StatedTruth

PlannedFile = PlanFile | AnalysisPlanFile


def planned_file(plan: PlannedFile | str | PathLike[str]) -> PlannedFile:
    """Return a plan file, of any analysis, that is given or has this path."""
    if isinstance(plan, PlanFile | AnalysisPlanFile):
        return plan
    return read_analysis_plan(plan) or read_plan(plan)


def planned_study(
    planned: PlannedFile,
    truth: StatedTruth,
    n_algorithms: int | None,
    seed: int,
    sizes: list[int],
) -> PlannedStudy:
    """Return the study of a plan, or reject missing and unused parts of the truth."""
    if isinstance(planned, CurvesPlanFile):
        return curve_study(planned, truth, n_algorithms, seed)
    if isinstance(planned, ReadersPlanFile):
        return reader_study(planned, truth, n_algorithms, seed)
    if isinstance(planned, AnalysisPlanFile):
        raise InputError(_not_planned(planned))
    if planned.release is not None:
        raise InputError(
            f"{planned.name} is the plan of a gate: its power is that of "
            "'pycompare power gate'"
        )
    if planned.roles.predictions:
        return prediction_study(planned, truth, n_algorithms, seed)
    return score_study(planned, truth, n_algorithms, seed, sizes)


def _not_planned(planned: AnalysisPlanFile) -> str:
    """Return why the power of a plan of one analysis is not computed."""
    if "model" in planned.tables:
        return (
            f"{planned.name} is the plan of a linear model: a number of rows states "
            "neither its factors nor an effect and a variance of each term; simulate "
            "tables of the design and count pc.linear_model"
        )
    return (
        f"{planned.name} is the plan of battles: a number of votes does not state who "
        "meets whom, how often and before which voters; simulate votes and count "
        "pc.battles"
    )

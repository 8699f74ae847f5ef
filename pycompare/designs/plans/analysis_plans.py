"""The plan files of one analysis that there are, and how one is read."""

from __future__ import annotations

import dataclasses
from os import PathLike
from pathlib import Path

from pycompare.base.errors import InputError, PlanError
from pycompare.base.labels import readable, show
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile
from pycompare.designs.plans.battles_plan import BattlesPlanFile
from pycompare.designs.plans.curves_plan import CurvesPlanFile
from pycompare.designs.plans.model_plan import ModelPlanFile
from pycompare.designs.plans.plan_text import PlanText
from pycompare.designs.plans.readers_plan import ReadersPlanFile
from pycompare.designs.plans.trail import sealed_by

PLAN_FILES: dict[str, type[AnalysisPlanFile]] = {
    "model": ModelPlanFile,
    "readers": ReadersPlanFile,
    "curves": CurvesPlanFile,
    "battles": BattlesPlanFile,
}
"""By the table that only such a plan has, or the format of its data."""


def read_analysis_plan(path: str | PathLike[str]) -> AnalysisPlanFile | None:
    """Read a plan file of one analysis (readers, curves, ...); None if it is another.

    Raises
    ------
    PlanError
        With all problems, each with the file, the line and what to do.
    InputError
        If the file cannot be read, or was changed after its seal.
    """
    plan = analysis_plan_as_written(Path(path))
    if plan is None:
        return None
    return dataclasses.replace(plan, trail=sealed_by(Path(path), plan.content))


def analysis_plan_as_written(path: Path) -> AnalysisPlanFile | None:
    """Return such a plan without its trail; None if it is no such plan."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot read {show(str(path))}: {error.strerror}") from error
    except UnicodeDecodeError:
        return None  # the reader of other plans says where
    return plan_from(text, readable(path.name), path.parent)


def plan_from(text: str, name: str, folder: Path = Path()) -> AnalysisPlanFile | None:
    """Return the plan of a text; None if nothing in it is of such a plan."""
    try:
        tables = PlanText(text, name).document
    except PlanError:
        return None  # the reader of other plans says where
    data = tables.get("data")
    given = data.get("format") if isinstance(data, dict) else None
    kinds = [
        kind
        for table, kind in PLAN_FILES.items()
        if table in tables or (given and given == kind.data_format)
    ]
    return kinds[0](name=name, text=text, folder=folder) if kinds else None

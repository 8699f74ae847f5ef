"""The plan and the data beside a trail: whether they are those of its entries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile
from pycompare.designs.plans.analysis_plans import analysis_plan_as_written
from pycompare.designs.plans.plan_file import PlanFile, plan_as_written
from pycompare.designs.plans.trail import Trail, changed_files, plan_of_trail


def any_plan_as_written(path: Path) -> PlanFile | AnalysisPlanFile:
    """Return a plan file of any kind without its trail."""
    return analysis_plan_as_written(path) or plan_as_written(path)


def changed_beside(path: Path, trail: Trail) -> Iterator[tuple[str, str]]:
    """Yield the plan or the files of data that are not those of a trail.

    Parameters
    ----------
    path : Path
        Of the trail. Files that the plan names and that are missing are left out.
    trail : Trail

    Yields
    ------
    (str, str)
        Name of the file, and after which entry it was changed.
    """
    plan = plan_of_trail(path)
    if plan is None or not plan.is_file():
        return
    try:
        data = any_plan_as_written(plan).data_files
    except InputError:  # a plan that was changed so that it is none
        data = {}
    yield from changed_files(plan, trail, data)

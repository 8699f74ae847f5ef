"""``run_plan``: the analysis of a plan file, and its entry in the trail."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from pycompare.apps.comparison import Comparison, compare
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.designs.gate_result import GateResult
from pycompare.designs.planned_analysis import PlannedAnalysis, analysed_file
from pycompare.designs.planned_gate import gate_of_plan
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile
from pycompare.designs.plans.analysis_plans import read_analysis_plan
from pycompare.designs.plans.beside_trail import any_plan_as_written
from pycompare.designs.plans.plan_file import PlanFile, read_plan
from pycompare.designs.plans.trail import Entry, Signed, add_event, seal
from pycompare.reporting.provenance import set_date, stamp


@checked
def run_plan(
    plan: str | PathLike[str], *, by: str | None = None
) -> Comparison | PlannedAnalysis | GateResult:
    """Run a plan file on the data that it names.

    Parameters
    ----------
    plan : path
        A plan of scores or predictions, of a gate (``[release]``), of readers
        (``[readers]``), of ROC curves (``[curves]``), of battles (``format =
        "battles"``) or of a linear model (``[model]``). If it was sealed, the run is
        added to its trail.
    by : str, optional
        Who runs a sealed plan, for its trail.

    Returns
    -------
    Comparison, PlannedAnalysis or GateResult
        ``pc.report(found, folder)`` writes its report. The ``result`` of a
        ``PlannedAnalysis`` is what ``pc.mrmc``, ``pc.single_modality``,
        ``pc.compare_curves``, ``pc.battles`` or ``pc.linear_model`` returns.

    Raises
    ------
    PlanError
        If the plan cannot be run, with all problems and their lines.
    InputError
        If a file cannot be read, the plan was changed after its seal, or ``by`` is
        given for a plan that was not sealed.

    Notes
    -----
    R: no equivalent; the report's ``reproduce.R`` repeats the numbers.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> study = pc.RoeMetz(
    ...     separation=(1.2, 1.6), reader=0.006, modality_reader=0.006, case=0.3,
    ...     modality_case=0.3, reader_case=0.2, error=0.2,
    ... ).draw(n_readers=3, n_positive=10, n_negative=10, seed=1)
    >>> text = '''
    ... [data]
    ... file = "ratings.csv"
    ... [readers]
    ... modality = "modality"
    ... reader = "reader"
    ... case = "case"
    ... truth = "is_positive"
    ... rating = "rating"
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     study.to_frame().to_csv(f"{folder}/ratings.csv", index=False)
    ...     _ = Path(f"{folder}/plan.toml").write_text(text)
    ...     found = pc.run_plan(f"{folder}/plan.toml")
    >>> found.result.population
    'new readers and new cases'
    """
    path = Path(plan)
    planned = read_analysis_plan(path)
    if planned is not None:
        return run_analysis(planned, by)
    given = read_plan(path)
    if given.release is not None:
        return run_gate(given, by)
    data = given.read_data()
    if given.trail:
        given.settled(data)  # a plan that does not fit its data is not run
    return compare(data, with_run(given, {"file": given.chosen(None)}, by))


def run_gate(planned: PlanFile, by: str | None) -> GateResult:
    """Decide by a plan file, and add to its trail."""
    result = gate_of_plan(planned)
    trailed = with_run(planned, {"file": planned.chosen(None)}, by)
    return dataclasses.replace(result, plan_file=trailed)


def run_analysis(planned: AnalysisPlanFile, by: str | None) -> PlannedAnalysis:
    """Run a plan of one analysis, and add to its trail."""
    analysis = analysed_file(planned)
    trail = with_run(planned, planned.data_files, by).trail
    return analysis.with_trail(trail) if trail else analysis


def with_run(planned: Any, data: Mapping[str, Path], by: str | None) -> Any:
    """Add a run to the trail of a sealed plan, and return the plan with it.

    ``data``: the files of data, by the keys of the plan that name them.
    """
    if not planned.trail:
        if by is not None:
            raise InputError(
                setting("by", by)
                + f": nobody sealed {planned.name}, so it has no trail; leave it out, "
                "or seal the plan first (pycompare plan --seal)"
            )
        return planned
    path = planned.folder / planned.name
    if not path.is_file():
        raise InputError(
            f"the name of the sealed plan {path} is no UTF-8: rename it and its trail"
        )
    trail = add_event(
        *(path, planned.content, "run", Signed(by=by)), date=_given_time(), data=data
    )
    return dataclasses.replace(planned, trail=trail)


def _given_time() -> str | None:
    """Return the date that was set in the place of the clock, if one was."""
    date = set_date()
    return None if date is None else stamp(date)


def seal_plan(path: Path, signed: Signed) -> Entry:
    """Check a plan file and seal it; with a reason, amend its seal.

    Raises
    ------
    InputError
        As ``trail.seal``, or if nobody is named.
    """
    if signed.by is None:
        raise InputError(setting("by") + " is missing: name who seals the plan")
    planned = any_plan_as_written(path)
    return seal(
        *(path, path.read_bytes(), signed),
        date=_given_time(),
        blind=planned.plan.blind,
        data=planned.data_files,
        amend=signed.reason is not None,
    )

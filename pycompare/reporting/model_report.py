"""``report_model``: a folder with a linear model, its pictures and R code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pycompare.interop.r_program import program_of_few
from pycompare.models.linear_model import LinearModel
from pycompare.plans.model_plan import ModelPlan, ModelPlanFile
from pycompare.reporting.content.models import ModelReport, answer, model_report
from pycompare.reporting.document import plain as as_text
from pycompare.reporting.edition import PAGE, Edition
from pycompare.reporting.evidence.data_files import table_file, table_parts
from pycompare.reporting.evidence.manifest import Evidence
from pycompare.reporting.evidence.model_log import model_steps
from pycompare.reporting.provenance import provenance, source_of
from pycompare.reporting.write import Contents, Kind, write_report
from pycompare.results import plain

KIND = Kind(made_by="pycompare model")


def report_model(
    model: LinearModel,
    to: str | Path,
    *,
    plan: ModelPlan | None = None,
    plan_file: ModelPlanFile | None = None,
    file: str | Path | None = None,
    overwrite: bool = False,
    formats: Sequence[str] = PAGE.formats,
    style: str = PAGE.style,
    rounding: str = PAGE.rounding,
    cross_check: bool = PAGE.cross_check,
    command: Sequence[str] | None = None,
    started: datetime | None = None,
) -> Path:
    """Write the report folder of a linear model by formula.

    Parameters
    ----------
    model : LinearModel
        From ``linear_model``.
    to : path
        The folder.
    plan : ModelPlan, optional
        Which means and comparisons are shown, and alpha; by default those of each
        factor.
    plan_file : ModelPlanFile, optional
        The plan file, whose text and hash the report keeps.
    file : path, optional
        The file that the data were read from, for its name and hash.
    overwrite : bool
        Replace an earlier report.
    formats, style, rounding, cross_check
        As in ``report``.
    command : sequence of str, optional
        The command line that made the report.
    started : datetime, optional
        When the analysis began.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InputError
        If the folder exists and may not be replaced.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> frame = pc.example("folds").to_frame()
    >>> model = pc.linear_model(frame, "error ~ algorithm", within="block")
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report_model(model, f"{folder}/report")
    ...     sorted(path.name for path in report.iterdir())
    ['data', 'figures', 'manifest.json', 'report.html', 'reproduce.R', \
'results.json', 'tables']
    """
    chosen = plan or (plan_file.model if plan_file is not None else _of_model(model))
    found = ModelReport(model=model, plan=chosen)
    origin = provenance(
        source=None if file is None else source_of(Path(file), model.n),
        command=command,
        plan_file=plan_file,
    )
    return write_report(
        KIND,
        to,
        overwrite,
        Edition(formats, rounding, style, cross_check),
        lambda: _contents(found, origin),
        started,
    )


def _of_model(model: LinearModel) -> ModelPlan:
    """Return the plan that a model was fitted by."""
    mixed = model.fit.mixed
    plan = ModelPlan(
        formula=model.formula,
        within=model.within or None,
        type=model.type,
        level=model.level,
    )
    return plan if mixed is None else replace(plan, method="reml", df=mixed.df)


def _contents(found: ModelReport, origin: dict[str, Any]) -> Contents:
    results = found.results()
    if found.drawn:
        origin = origin | {
            "seed": found.plan.seed,
            "randomness": f"{found.plan.seed}, for {', '.join(found.drawn)}",
        }
    held = {
        "provenance": origin,
        "notes": found.model.notes,
        "results": {title: one.to_frame() for title, one in results},
    }
    made = program_of_few(results, found.model.n, "rows")
    return Contents(
        report=model_report(found, origin, made.text),
        program=made,
        results=plain(held),
        evidence=_evidence(found),
    )


def _evidence(found: ModelReport) -> Evidence:
    """Return the data of the folder, and what was decided on the way."""
    plan = vars(found.plan)
    return Evidence(
        kind="table",
        data=table_file(found.model),
        parts=table_parts(found.model),
        data_sha256=None,
        asked=plan,
        settled=plan,
        steps=model_steps(found),
    )


def conclusions(model: LinearModel, alpha: float) -> str:
    """Return the conclusions as text, one response a line."""
    told = []
    for response in model.responses:
        own = model.anova[model.anova["response"] == response]
        told.append(f"{response}: {as_text(answer(own, alpha, model.level))}")
    return "\n".join([*told, *(f"note: {note}" for note in model.notes)])

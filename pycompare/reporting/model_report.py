"""``report_model``: a folder with a linear model, its pictures and R code."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pycompare.interop import rscript
from pycompare.models.linear_model import LinearModel
from pycompare.plans.model_plan import ModelPlan, ModelPlanFile
from pycompare.reporting import folder
from pycompare.reporting.content.models import ModelReport, answer, model_report
from pycompare.reporting.document import plain as as_text
from pycompare.reporting.edition import PAGE, Edition
from pycompare.reporting.provenance import versions
from pycompare.reporting.write import write
from pycompare.results import plain

_MARK = ("results.json", "pycompare model")
_MOST_R_ROWS = 20_000
"""Rows that are written into the R script."""
_TOO_MANY_FOR_R = (
    "# {} rows: too many to be written here. From Python, .r_code() of any result\n"
    "# writes them.\n"
)


def report_model(
    model: LinearModel,
    to: str | Path,
    *,
    plan: ModelPlan | None = None,
    plan_file: ModelPlanFile | None = None,
    file: str | Path | None = None,
    overwrite: bool = False,
    formats: Sequence[str] = PAGE.formats,
    command: Sequence[str] | None = None,
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
    formats : sequence of str
        As in ``report``.
    command : sequence of str, optional
        The command line that made the report.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InputError
        If the folder exists and may not be replaced, if there is no such format, or
        if what it needs is not installed.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> frame = pc.example("folds").to_frame()
    >>> model = pc.linear_model(frame, "error ~ algorithm", within="block")
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report_model(model, f"{folder}/report")
    ...     sorted(path.name for path in report.iterdir())
    ['figures', 'repeat_in_R.R', 'report.html', 'results.json', 'tables']
    """
    target, edition = Path(to), Edition(formats)
    check_target(target, overwrite)
    chosen = plan or (plan_file.model if plan_file is not None else _of_model(model))
    found = ModelReport(model=model, plan=chosen)
    origin = provenance(plan_file, file, command)
    folder.write_aside(target, lambda new: _write_all(found, new, edition, origin))
    return target


def _of_model(model: LinearModel) -> ModelPlan:
    """Return the plan that a model was fitted by."""
    return ModelPlan(
        formula=model.formula,
        within=model.within or None,
        type=model.type,
        level=model.level,
    )


def check_target(target: Path, overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is an earlier report to be replaced."""
    folder.check_target(target, _MARK, overwrite)


def _write_all(
    found: ModelReport, new: Path, edition: Edition, origin: dict[str, Any]
) -> None:
    """Write every file of the report into a new folder."""
    results = found.results()
    content = {
        "made_by": _MARK[1],
        "provenance": origin,
        "notes": found.model.notes,
        "results": {title: one.to_frame() for title, one in results},
    }
    many = found.model.n > _MOST_R_ROWS
    script = _TOO_MANY_FOR_R.format(found.model.n) if many else rscript.script(results)
    write(model_report(found, origin, script), plain(content), new, edition)


def provenance(
    plan_file: ModelPlanFile | None,
    file: str | Path | None,
    command: Sequence[str] | None,
) -> dict[str, Any]:
    """Return what is needed to make the report again."""
    path = None if file is None else Path(file)
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "file": None if path is None else path.name,
        "file_sha256": path and hashlib.sha256(path.read_bytes()).hexdigest(),
        "command": None if command is None else shlex.join(command),
        "plan_file": plan_file
        and {
            "name": plan_file.name,
            "sha256": plan_file.sha256,
            "text": plan_file.text,
        },
        "seed": None,
        "randomness": "none: nothing in this report is random",
        "versions": versions(),
    }


def conclusions(model: LinearModel, alpha: float) -> str:
    """Return the conclusions as text, one response a line."""
    told = []
    for response in model.responses:
        own = model.anova[model.anova["response"] == response]
        told.append(f"{response}: {as_text(answer(own, alpha, model.level))}")
    return "\n".join([*told, *(f"note: {note}" for note in model.notes)])

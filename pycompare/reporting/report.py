"""``report``: a folder with the page, the numbers, the pictures and the R code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pycompare.analyses.compare import Comparison, nothing
from pycompare.interop import rscript
from pycompare.reporting import folder
from pycompare.reporting.analysis_reports import comparison_report, summary_report
from pycompare.reporting.edition import PAGE, Edition
from pycompare.reporting.provenance import provenance
from pycompare.reporting.write import write
from pycompare.results import plain

MARK = ("results.json", "pycompare comparison")
"""The file, and what its ``made_by`` says; only such a folder is ever replaced."""


def report(
    comparison: Comparison,
    to: str | Path,
    *,
    overwrite: bool = False,
    formats: Sequence[str] = PAGE.formats,
    command: Sequence[str] | None = None,
    progress: Callable[[str], None] = nothing,
) -> Path:
    """Write the report folder of a comparison: page, JSON, tables, figures, R code.

    Parameters
    ----------
    comparison : Comparison
    to : str or Path
        Folder; must not exist. It is written aside and renamed: never half-written.
    overwrite : bool, default False
        Replace an earlier report; a folder that is not one is refused all the same.
    formats : sequence of str
        Of the document: ``html``, ``docx``, ``latex``, ``md``, ``text``.
    command : sequence of str, optional
        The command line, to be printed in the report.
    progress : callable, optional
        Is told each step before it begins.

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
    >>> comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report(comparison, f"{folder}/report")
    ...     sorted(path.name for path in report.iterdir())
    ['figures', 'repeat_in_R.R', 'report.html', 'results.json', 'tables']
    """
    target, edition = Path(to), Edition(formats)
    check_target(target, overwrite)
    folder.write_aside(
        target, lambda new: write_all(comparison, new, edition, command, progress)
    )
    return target


def check_target(target: Path, overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is an earlier report to be replaced."""
    folder.check_target(target, MARK, overwrite)


def write_all(
    comparison: Comparison,
    new: Path,
    edition: Edition,
    command: Sequence[str] | None,
    progress: Callable[[str], None],
) -> None:
    """Write every file of the report into a new folder."""
    told = summary_report(comparison)
    origin = provenance(told, command)
    progress("R code")
    script = rscript.script(comparison.results())
    progress("tables and pictures")
    content = {"made_by": MARK[1], "provenance": origin, "data": data(comparison)}
    write(
        comparison_report(comparison, told, origin, script),
        plain(content | comparison.to_dict()),
        new,
        edition,
    )


def data(comparison: Comparison) -> dict[str, Any]:
    """Return what the scores are, and what was dropped from them."""
    scores = comparison.scores
    return {
        "algorithms": list(scores.algorithms),
        "blocks": list(scores.blocks),
        "datasets": scores.datasets and list(scores.datasets),
        "replicates": scores.replicates and list(scores.replicates),
        "groups": scores.groups and list(scores.groups),
        "metrics": {m.name: m.better for m in scores.metrics},
        "missing_policy": scores.missing,
        "dropped": plain(scores.dropped),
        "source": plain(scores.source),
    }

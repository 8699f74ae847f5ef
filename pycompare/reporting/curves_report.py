"""``report_curves``: a folder with the comparison of AUCs, its pictures and R code."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pycompare.analyses.curve_comparison import CurveComparison
from pycompare.interop.r_program import program_of_few
from pycompare.reporting.content.curves import report as curves
from pycompare.reporting.content.curves import words
from pycompare.reporting.content.curves.facts import ways
from pycompare.reporting.document import plain
from pycompare.reporting.edition import PAGE, Edition
from pycompare.reporting.evidence.curves_log import curve_steps
from pycompare.reporting.evidence.data_files import (
    predictions_file,
    predictions_parts,
)
from pycompare.reporting.evidence.manifest import Evidence
from pycompare.reporting.provenance import provenance
from pycompare.reporting.write import Contents, Kind, write_report

KIND = Kind(made_by="pycompare curves")
_USES_OF_SEED = (
    "for bootstrap intervals, the comparison of areas under precision-recall curves (a "
    "sensitivity analysis) and the bands of the figures (does not affect the "
    "conclusions)"
)


def report_curves(
    comparison: CurveComparison,
    to: str | Path,
    *,
    overwrite: bool = False,
    formats: Sequence[str] = PAGE.formats,
    style: str = PAGE.style,
    rounding: str = PAGE.rounding,
    cross_check: bool = PAGE.cross_check,
    command: Sequence[str] | None = None,
    started: datetime | None = None,
) -> Path:
    """Write the report folder of a comparison of ROC curves.

    Parameters
    ----------
    comparison : CurveComparison
        From ``compare_curves``.
    to, overwrite, formats, style, rounding, cross_check, command, started
        As in ``report``.

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
    >>> import pandas as pd
    >>> table = pd.read_csv(pc.example_path("predictions")).query("data == 'g1'")
    >>> cases = pc.Predictions.from_frame(
    ...     table, algorithm="algorithm", block="fold", case="case", label="class",
    ...     score="probability", positive="yes",
    ... )
    >>> from tempfile import TemporaryDirectory
    >>> comparison = pc.compare_curves(cases)
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report_curves(comparison, f"{folder}/report")
    ...     sorted(path.name for path in report.iterdir())
    ['data', 'figures', 'manifest.json', 'report.html', 'reproduce.R', \
'results.json', 'tables']
    """
    return write_report(
        KIND,
        to,
        overwrite,
        Edition(formats, rounding, style, cross_check),
        lambda: _contents(comparison, command),
        started,
    )


def _contents(comparison: CurveComparison, command: Sequence[str] | None) -> Contents:
    own_hash = comparison.predictions.sha256
    origin = provenance(
        source=comparison.predictions.source,
        data=("predictions", own_hash),
        command=command,
        plan_file=None,
        seed=comparison.seed,
        randomness=f"{comparison.seed}, {_USES_OF_SEED}",
    )
    n = comparison.predictions.score.size
    made = program_of_few(comparison.results(), n, "scores")
    return Contents(
        report=curves.curves_report(comparison, origin, made.text),
        program=made,
        results={"provenance": origin, **comparison.to_dict()},
        evidence=_evidence(comparison, own_hash),
    )


def _evidence(comparison: CurveComparison, own_hash: str) -> Evidence:
    """Return the data of the folder, and what was decided on the way."""
    plan = comparison.to_dict()["plan"]
    return Evidence(
        kind="predictions",
        data=predictions_file(comparison.predictions),
        parts=predictions_parts(comparison.predictions),
        data_sha256=own_hash,
        asked=plan,
        settled=plan,
        steps=curve_steps(comparison),
    )


def conclusions(comparison: CurveComparison) -> str:
    """Return the conclusions as text."""
    made = [plain(words.answer([way])) for way in ways(comparison)]
    return "\n".join([*made, *map(plain, words.scope(comparison))])

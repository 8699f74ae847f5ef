"""``report_curves``: a folder with the comparison of AUCs, its pictures and R code."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pycompare.analyses.curve_comparison import CurveComparison
from pycompare.data.predictions import Predictions
from pycompare.interop import rscript
from pycompare.reporting import folder
from pycompare.reporting.content.curves import report as curves
from pycompare.reporting.content.curves import words
from pycompare.reporting.content.curves.facts import ways
from pycompare.reporting.document import plain
from pycompare.reporting.edition import PAGE, Edition
from pycompare.reporting.provenance import versions
from pycompare.reporting.write import write

MARK = ("results.json", "pycompare curves")
MOST_R_ROWS = 20_000
"""Scores that are written into the R script."""
TOO_MANY_FOR_R = (
    "# {} scores: too many to be written here. From Python, .r_code() of any result\n"
    "# writes them.\n"
)


def report_curves(
    comparison: CurveComparison,
    to: str | Path,
    *,
    overwrite: bool = False,
    formats: Sequence[str] = PAGE.formats,
    command: Sequence[str] | None = None,
) -> Path:
    """Write the report folder of a comparison of ROC curves.

    Parameters
    ----------
    comparison : CurveComparison
        From ``compare_curves``.
    to, overwrite, formats, command
        As in ``report``.

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
    ['figures', 'repeat_in_R.R', 'report.html', 'results.json', 'tables']
    """
    target, edition = Path(to), Edition(formats)
    check_target(target, overwrite)
    folder.write_aside(target, lambda new: write_all(comparison, new, edition, command))
    return target


def check_target(target: Path, overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is an earlier report to be replaced."""
    folder.check_target(target, MARK, overwrite)


def write_all(
    comparison: CurveComparison,
    new: Path,
    edition: Edition,
    command: Sequence[str] | None,
) -> None:
    """Write every file of the report into a new folder."""
    origin = provenance(comparison, command)
    content = {"made_by": MARK[1], "provenance": origin, **comparison.to_dict()}
    found = curves.curves_report(comparison, origin, r_script(comparison))
    write(found, content, new, edition)


def r_script(comparison: CurveComparison) -> str:
    """Return the R script, without data if there are too many."""
    n = comparison.predictions.score.size
    if n > MOST_R_ROWS:
        return TOO_MANY_FOR_R.format(n)
    return rscript.script(comparison.results())


def provenance(
    comparison: CurveComparison, command: Sequence[str] | None
) -> dict[str, Any]:
    """Return what is needed to make the report again."""
    source = comparison.predictions.source
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "file": None if source is None else source.name,
        "file_sha256": None if source is None else source.sha256,
        "predictions_sha256": sha256(comparison.predictions),
        "command": None if command is None else shlex.join(command),
        "plan_file": None,
        "seed": comparison.seed,
        "randomness": f"{comparison.seed}, for bootstrap intervals, for the comparison "
        "of areas under precision-recall curves, which makes no verdict, and for the "
        "bands of the pictures; no verdict is random",
        "versions": versions(),
    }


def sha256(predictions: Predictions) -> str:
    """Return a hash of labels, classes and scores, the same on any machine."""
    names = ("blocks", "algorithms", "datasets", "positive", "negative", "cases")
    content = {name: getattr(predictions, name) for name in names}
    found = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii"))
    found.update(predictions.score.astype("<f8").tobytes())
    found.update(predictions.is_positive.tobytes())
    found.update(predictions.offsets.astype("<i8").tobytes())
    if predictions.case is not None:
        found.update(predictions.case.astype("<i8").tobytes())
    return found.hexdigest()


def conclusions(comparison: CurveComparison) -> str:
    """Return the conclusions as text."""
    made = [plain(words.answer([way])) for way in ways(comparison)]
    return "\n".join([*made, *map(plain, words.scope(comparison))])

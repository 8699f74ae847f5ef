"""``report_mrmc``: a folder with an analysis of readers and cases, pictures, R code."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pycompare.arguments import check_alpha
from pycompare.data.ratings import Ratings
from pycompare.errors import InputError
from pycompare.multireader.result import MRMCResult
from pycompare.reporting import folder
from pycompare.reporting.content import wording
from pycompare.reporting.document import plain as as_text
from pycompare.reporting.edition import PAGE, Edition
from pycompare.reporting.multireader.report import mrmc_report, outcome
from pycompare.reporting.provenance import versions
from pycompare.reporting.write import write_documents, write_numbers

MARK = ("results.json", "pycompare mrmc")
MOST_R_ROWS = 20_000
"""Ratings that are written into the R script."""
TOO_MANY_FOR_R = (
    "# {} ratings: too many to be written here. From Python, .r_code() of the result\n"
    "# writes them.\n"
)
NOT_IN_R = (
    "# R has no such analysis here: covariances by bootstrap, or DeLong's or unbiased\n"
    "# ones of another design than the factorial.\n"
)


def report_mrmc(
    result: MRMCResult,
    to: str | Path,
    *,
    alpha: float | None = None,
    file: str | Path | None = None,
    overwrite: bool = False,
    formats: Sequence[str] = PAGE.formats,
    command: Sequence[str] | None = None,
) -> Path:
    """Write the report folder of an analysis of readers and cases.

    Parameters
    ----------
    result : MRMCResult
        From ``pc.mrmc``.
    to : path
        The folder.
    alpha : float, optional
        A pair differs significantly if its adjusted p-value <= alpha; by default 1
        minus the level of the intervals.
    file : path, optional
        The file that the ratings were read from, for its name and hash.
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
        For another kind of result, if the folder exists and may not be replaced, if
        there is no such format, or if what it needs is not installed.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> model = pc.RoeMetz(
    ...     separation=(1.5, 1.5), reader=0.01, modality_reader=0.01,
    ...     case=0.3, modality_case=0.3, reader_case=0.2, error=0.2,
    ... )
    >>> ratings = model.draw(n_readers=4, n_positive=20, n_negative=20, seed=1)
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report_mrmc(pc.mrmc(ratings), f"{folder}/report")
    ...     sorted(path.name for path in report.iterdir())
    ['figures', 'repeat_in_R.R', 'report.html', 'results.json', 'tables']
    """
    if not isinstance(result, MRMCResult):
        raise InputError(f"expected the result of pc.mrmc, got {type(result).__name__}")
    used = 1 - result.level if alpha is None else alpha
    check_alpha(used)
    target, edition = Path(to), Edition(formats)
    check_target(target, overwrite)
    origin = provenance(result, file, command)
    folder.write_aside(
        target, lambda new: _write_all(result, used, new, edition, origin)
    )
    return target


def check_target(target: Path, overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is an earlier report to be replaced."""
    folder.check_target(target, MARK, overwrite)


def _write_all(
    result: MRMCResult,
    alpha: float,
    new: Path,
    edition: Edition,
    origin: dict[str, Any],
) -> None:
    """Write every file of the report into a new folder."""
    content = {
        "made_by": MARK[1],
        "provenance": origin,
        "alpha": alpha,
        **result.to_dict(),
    }
    report = mrmc_report(result, alpha, origin, r_script(result))
    write_numbers(report, content, new)
    write_documents(report, new, edition)


def r_script(result: MRMCResult) -> str:
    """Return the R script, without data if there are too many."""
    n = int(result.ratings.read.sum())
    if result.r_call() is None:
        return NOT_IN_R
    return TOO_MANY_FOR_R.format(n) if n > MOST_R_ROWS else result.r_code()


def provenance(
    result: MRMCResult, file: str | Path | None, command: Sequence[str] | None
) -> dict[str, Any]:
    """Return what is needed to make the report again."""
    path = None if file is None else Path(file)
    drawn = "none: nothing in this report is random"
    if result.seed is not None:
        drawn = f"{result.seed}, for {result.resamples} resamples of the cases, from "
        drawn += "which the covariances are estimated: the conclusion depends on it"
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "file": None if path is None else path.name,
        "file_sha256": path and hashlib.sha256(path.read_bytes()).hexdigest(),
        "ratings_sha256": sha256(result.ratings),
        "command": None if command is None else shlex.join(command),
        "plan_file": None,
        "seed": result.seed,
        "randomness": drawn,
        "versions": versions(),
    }


def sha256(ratings: Ratings) -> str:
    """Return a hash of labels, classes and ratings, the same on any machine."""
    names = ("modalities", "readers", "cases", "clusters", "positive", "negative")
    content = {name: getattr(ratings, name) for name in names}
    found = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii"))
    found.update(ratings.values.astype("<f8").tobytes())
    for array in (ratings.truth, ratings.cluster):
        found.update(b"" if array is None else array.astype("<i8").tobytes())
    return found.hexdigest()


def conclusion(result: MRMCResult, alpha: float) -> str:
    """Return the conclusion and its scope as text."""
    made = as_text(wording.headed(outcome(result, alpha)))
    return f"{made}\nScope of conclusions: {result.population}."

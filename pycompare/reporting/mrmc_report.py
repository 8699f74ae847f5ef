"""``report_mrmc``: a folder with an analysis of readers and cases, pictures, R code."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pycompare.arguments import check_alpha
from pycompare.errors import InputError, setting
from pycompare.interop.r_program import Program, program_of_few
from pycompare.multireader.mixed_outcomes import GLMMResult, mixed_beside
from pycompare.multireader.result import MRMCResult
from pycompare.multireader.single_modality import SingleModalityResult
from pycompare.reporting.content import wording
from pycompare.reporting.document import plain as as_text
from pycompare.reporting.edition import PAGE, Edition
from pycompare.reporting.evidence.data_files import (
    ratings_file,
    ratings_parts,
    ratings_sha256,
)
from pycompare.reporting.evidence.manifest import Evidence, Step
from pycompare.reporting.evidence.mrmc_log import mrmc_steps, single_steps
from pycompare.reporting.multireader.report import Mixed, mrmc_report, outcome
from pycompare.reporting.multireader.single import answer, single_report
from pycompare.reporting.provenance import provenance, source_of
from pycompare.reporting.write import Contents, Kind, write_report
from pycompare.results import plain

KIND = Kind(made_by="pycompare mrmc")
_NOT_IN_R = (
    "# R has no such analysis here: covariances by bootstrap, or DeLong's or unbiased\n"
    "# ones of another design than the factorial.\n"
)


_Readers = MRMCResult | SingleModalityResult


def report_mrmc(
    result: MRMCResult | SingleModalityResult,
    to: str | Path,
    *,
    mixed: GLMMResult | None = None,
    alpha: float | None = None,
    file: str | Path | None = None,
    overwrite: bool = False,
    formats: Sequence[str] = PAGE.formats,
    style: str = PAGE.style,
    rounding: str = PAGE.rounding,
    cross_check: bool = PAGE.cross_check,
    command: Sequence[str] | None = None,
    started: datetime | None = None,
) -> Path:
    """Write the report folder of an analysis of readers and cases.

    Parameters
    ----------
    result : MRMCResult or SingleModalityResult
        From ``pc.mrmc``, or ``pc.single_modality``.
    to : path
        The folder.
    mixed : GLMMResult, optional
        From ``pc.glmm`` of the same ratings: a sensitivity analysis of a comparison. By
        default that of the outcomes behind a sensitivity, specificity or mean of 0/1
        ratings.
    alpha : float, optional
        A pair differs significantly if its adjusted p-value <= alpha; by default 1
        minus the level of the intervals.
    file : path, optional
        The file that the ratings were read from, for its name and hash.
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
        For another kind of result, or if the folder exists and may not be replaced.

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
    ['data', 'figures', 'manifest.json', 'report.html', 'reproduce.R', \
'results.json', 'tables']
    """
    if not isinstance(result, _Readers):
        raise InputError(
            "expected the result of pc.mrmc or pc.single_modality, got "
            f"{type(result).__name__}"
        )
    if mixed is not None and not isinstance(result, MRMCResult):
        raise InputError(
            setting("mixed") + " compares modalities, and the report is of one"
        )
    used = 1 - result.level if alpha is None else alpha
    check_alpha(used)
    rated = int(result.ratings.read.sum())
    origin = provenance(
        source=None if file is None else source_of(Path(file), rated),
        data=("ratings", ratings_sha256(result.ratings)),
        command=command,
        seed=getattr(result, "seed", None),
        randomness=_randomness(result),
    )
    return write_report(
        KIND,
        to,
        overwrite,
        Edition(formats, rounding, style, cross_check),
        lambda: _contents(result, mixed, used, origin),
        started,
    )


def _contents(
    result: _Readers, given: GLMMResult | None, alpha: float, origin: dict[str, Any]
) -> Contents:
    head = {"provenance": origin, "alpha": alpha, **result.to_dict()}
    if isinstance(result, SingleModalityResult):
        made = _r_program_of(result, None)
        return Contents(
            report=single_report(result, alpha, origin, made.text),
            program=made,
            results=head,
            evidence=_evidence(result, single_steps(result, alpha), alpha, {}),
        )
    mixed = mixed_beside(result) if given is None else given
    made = _r_program_of(result, mixed)
    asked = {"mixed": None if given is None else dict(given.asked)}
    return Contents(
        report=mrmc_report(result, mixed, alpha, origin, made.text),
        program=made,
        results={**head, "mixed": plain(mixed)},
        evidence=_evidence(result, mrmc_steps(result, alpha), alpha, asked),
    )


def _evidence(
    result: _Readers, steps: list[Step], alpha: float, asked: dict[str, Any]
) -> Evidence:
    """Return the data of the folder, and what was decided on the way."""
    plan = {"alpha": alpha, **result.asked, **asked}
    drawn = {} if isinstance(result, SingleModalityResult) else _drawn(result)
    return Evidence(
        kind="ratings",
        data=ratings_file(result.ratings),
        parts=ratings_parts(result.ratings),
        data_sha256=ratings_sha256(result.ratings),
        asked=plan,
        settled=plan | drawn,
        steps=steps,
    )


def _drawn(result: MRMCResult) -> dict[str, int | None]:
    """Return what the bootstrap draws with."""
    return {"seed": result.seed, "resamples": result.resamples}


def _randomness(result: _Readers) -> str:
    """Return what is random, and what it means for the conclusion."""
    if isinstance(result, SingleModalityResult) or result.seed is None:
        return "none: nothing in this report is random"
    return (
        f"{result.seed}, for {result.resamples} resamples of the cases, from which the "
        f"covariances are estimated: the conclusion depends on it"
    )


def _r_program_of(result: _Readers, mixed: Mixed) -> Program:
    """Return the R program; without calls if there are too many ratings."""
    n = int(result.ratings.read.sum())
    if result.r_call() is None:
        return Program(text=_NOT_IN_R)
    if isinstance(result, SingleModalityResult):
        title = f"One modality: {result.modality}"
        return program_of_few([(title, result)], n, "ratings")
    model = [(mixed.method, mixed)] if isinstance(mixed, GLMMResult) else []
    return program_of_few([(result.method, result), *model], n, "ratings")


def conclusion(result: _Readers, alpha: float) -> str:
    """Return the conclusion and its scope as text."""
    if isinstance(result, SingleModalityResult):
        made = as_text(answer(result, alpha))
    else:
        made = as_text(wording.headed(outcome(result, alpha)))
    return f"{made}\nScope of conclusions: {result.population}."

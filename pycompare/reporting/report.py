"""``report``: a folder with the page, the numbers, the pictures and the R code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from pycompare.analyses.blinding import Key, key_path
from pycompare.analyses.compare import Comparison
from pycompare.errors import InputError
from pycompare.interop import r_program
from pycompare.parallel.progress import discard, heard_by
from pycompare.parallel.whole_file import write_whole
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.comparison_log import evidence
from pycompare.reporting.folder import Mark
from pycompare.reporting.provenance import provenance
from pycompare.reporting.write import Contents, write_report

KIND = Mark("pycompare comparison")
"""Only such a folder is ever replaced."""


def report(
    comparison: Comparison,
    to: str | Path,
    *,
    progress: Callable[[str], None] = discard,
    **writing: Unpack[Writing],
) -> Path:
    """Write the report folder of a comparison: page, JSON, tables, figures, R code.

    Parameters
    ----------
    comparison : Comparison
    to : str or Path
        Folder; must not exist. It is written aside and renamed: never half-written.
    progress : callable, optional
        Called with the name of each step before it begins.
    overwrite : bool, default False
        Replace an earlier report; a folder that is not one is refused all the same.
    formats : sequence of str, default ("html",)
        Of the document: ``html``, ``docx``, ``latex``, ``md``, ``pdf``, ``rtf``,
        ``text``.
    style : {"page", "statistical-report"}
        The order of its parts: the most important first, or as submissions want it:
        synopsis, objectives and estimands, analysis sets, planned methods, results,
        sensitivity analyses, assumptions, deviations, software, references, programs.
    rounding : {"half-even", "half-away"}
        How numbers that are shown are rounded: to the nearest, ties to the even digit
        (as C, R and Python) or away from zero (as SAS).
    cross_check : bool, default False
        Run ``reproduce.R`` while the report is made, and show how many digits of each
        number R repeats. R and the packages that the program names must be installed.
    command : sequence of str, optional
        The command line, to be printed in the report.
    started : datetime, optional
        When the analysis began; by default the report's own beginning.

    Returns
    -------
    Path
        The folder. Beside that of a blinded comparison (``Plan(blind=True)``) is the
        key, FOLDER.key.json.

    Raises
    ------
    InputError
        If the folder exists and may not be replaced.
    ReferenceUnavailable
        If a cross-check is wanted and R or one of its packages is missing.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report(comparison, f"{folder}/report")
    ...     sorted(path.name for path in report.iterdir())
    ['data', 'figures', 'manifest.json', 'report.html', 'reproduce.R', \
'results.json', 'tables']
    """
    with ExitStack() as stack:
        if comparison.blinding is not None and not comparison.blinding.opened:
            overwrite = writing.get("overwrite", False)
            KIND.check_target(Path(to), overwrite)
            path = key_path(Path(to))
            stack.enter_context(_key_beside(comparison.blinding.key, path, overwrite))
        stack.enter_context(heard_by(progress))
        return write_report(KIND, to, partial(_contents, comparison), **writing)


@contextmanager
def _key_beside(key: Key, path: Path, overwrite: bool) -> Iterator[None]:
    """Write the key of a blinded report before the report, so that none is without.

    If the report cannot be written, the key that was there before is there again.
    """
    text = key.text()
    before = path.read_text(encoding="utf-8") if path.exists() else None
    if before not in (None, text) and not overwrite:
        raise InputError(
            f"{path} is the key of another report; choose another folder or say "
            f"overwrite (--overwrite)"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_text(path, text)
    try:
        yield
    except BaseException:
        if before is None:
            path.unlink()
        else:
            _write_text(path, before)
        raise


def _write_text(path: Path, text: str) -> None:
    """Write a file that is never half-written."""
    write_whole(path, lambda aside: aside.write_text(text, encoding="utf-8"))


def _contents(comparison: Comparison, command: Sequence[str] | None) -> Contents:
    told = ComparisonReport(comparison)
    origin = provenance(
        source=comparison.scores.source,
        data=("scores", comparison.scores.sha256),
        command=command,
        plan_file=comparison.plan_file,
        seed=comparison.plan.seed,
        randomness=told.randomness(),
        blinding=comparison.blinding,
    )
    n = comparison.scores.values.size
    program = r_program.program_of_few(
        comparison.results(), n, "scores", r_program.MOST_SCORES
    )
    return Contents(
        report=told.report(origin),
        program=program,
        results=lambda: {"data": _data(comparison), **comparison.to_dict()},
        evidence=evidence(comparison),
        words=told.words,
    )


def _data(comparison: Comparison) -> dict[str, Any]:
    """Return what the scores are, and what was dropped from them."""
    scores = comparison.scores
    labels = ("algorithms", "blocks", "datasets", "replicates", "groups", "clusters")
    return {
        **{name: getattr(scores, name) for name in labels},
        "metrics": {m.name: m.better for m in scores.metrics},
        "missing_policy": scores.missing,
        "dropped": scores.dropped,
        "source": scores.source,
    }

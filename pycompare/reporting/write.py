"""The one writer of reports: page, numbers, pictures, R code, data and manifest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from pycompare.base.formatting.packed import is_packed, pack, plain_name, unpack
from pycompare.base.formatting.rounding import rounded
from pycompare.base.interop.r_program import Program
from pycompare.base.parallel.progress import each
from pycompare.plotting import style
from pycompare.reporting import folder
from pycompare.reporting.content.page import Report
from pycompare.reporting.document import Attachment, Document, Figure
from pycompare.reporting.edition import Edition, Writing
from pycompare.reporting.evidence.column_file import columns_file, suffix
from pycompare.reporting.evidence.csv_text import to_csv
from pycompare.reporting.evidence.manifest import MANIFEST, Evidence, manifest
from pycompare.reporting.evidence.r_numbers import numbers_file
from pycompare.reporting.evidence.shortened import shortened
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.for_paper import FOLDER, WIDTHS, Paper, for_paper
from pycompare.reporting.provenance import now
from pycompare.reporting.submission_words import Words
from pycompare.results.result import Told, plain


@dataclass(frozen=True, kw_only=True)
class Contents:
    """Contents of a report folder, before it is bytes."""

    report: Report  # the page, without the R code
    # Makes what results.json holds besides "provenance".
    results: Callable[[], Mapping[str, Any]]
    program: Program  # what computes the numbers again in R
    evidence: Evidence  # the data of the folder, and what the manifest says besides
    words: Callable[[], Words] = Words  # returns what only a report for submission says
    files: Mapping[str, str] = field(default_factory=dict)  # others: name and text

    def for_paper(self, *, figures: bool = False) -> Paper:
        """Return what a paper can take over; ``figures`` are written, too."""
        return for_paper(self.report, self.words(), figures=figures)

    def document(self, style: str, paper: Paper | None = None) -> Document:
        """Return the report with its parts in the order of a style."""
        offered = self.for_paper() if paper is None else paper
        report = replace(self.report, paper=offered.blocks())
        if style == "page":
            return report.document()
        from pycompare.reporting.statistical_report import statistical_report

        deviations = self.evidence.deviations
        return statistical_report(report, deviations, self.words())


def write_report(
    mark: FolderMark,
    to: str | Path,
    contents: Callable[[Sequence[str] | None], Contents],
    **writing: Unpack[Writing],
) -> Path:
    """Write a report folder aside and rename it: it is never half-written.

    ``contents`` is called with the command line, once the folder may be written.

    Raises
    ------
    InputError
        If the folder exists and may not be replaced.
    """
    edition, target = Edition.of(writing), Path(to)
    mark.check_target(target, edition.overwrite)
    begun = now(edition.started)

    def fill(new: Path) -> None:
        parts = each(_PARTS, "part of the report", str)
        next(parts)
        gathered = contents(edition.command)
        listed = edition.with_program
        report = replace(gathered.report, script=gathered.program.text, listed=listed)
        next(parts)
        results = plain(shortened(gathered.results))
        head = {"made_by": mark.made_by, "provenance": plain(report.origin)}
        held = head | results
        if isinstance(results, Told):
            held = Told(held, results.result)
        kept = {"shortened": held["shortened"]} if "shortened" in held else {}
        report = replace(report, origin=report.origin | kept)
        next(parts)
        _write_tables(report, new)
        next(parts)
        written = write_program(gathered.program, held, new)
        _write_data(gathered.evidence.data.files, new)
        for name, text in gathered.files.items():
            (new / name).write_text(text, encoding="utf-8")
        if edition.cross_check:
            report = _cross_checked(report, new)
        gathered = replace(gathered, report=report)
        paper = gathered.for_paper(figures=edition.paper)
        _write_paper(paper, new)
        next(parts)
        _write_documents(gathered.document(edition.style, paper), new, edition)
        # The manifest is of all other files, and of results as they are read again.
        next(parts)
        told = manifest(gathered.evidence, written, new, begun, edition.told())
        _write_json(new / MANIFEST, told)
        next(parts, None)

    with rounded(edition.rounding):
        folder.write_aside(target, fill)
    return target


_PARTS = ("text", "results", "tables", "R code", "pictures and pages", "manifest")
"""Parts of the writing of a report, in order."""


def _cross_checked(report: Report, new: Path) -> Report:
    """Run the R program, keep its output, and show it in the report."""
    from pycompare.reporting.evidence.cross_check import (
        cross_check,
        shown,
        write_cross_check,
    )

    said = cross_check(new)
    write_cross_check(said, new)
    return replace(report, cross_check=shown(said))


def _write_tables(report: Report, new: Path) -> None:
    """Write the tables of all results into a new folder as CSV, full precision."""
    for part in ("tables", "figures"):
        (new / part).mkdir()
    for result in report.results:
        for name, table in result.tables.items():
            path = new / result.file(name)
            if is_packed(path.name) and "p_value" in table:
                # Strongest evidence first; like rows together make a smaller file.
                strongest = np.argsort(np.asarray(table["p_value"]), kind="stable")
                table = table.take(strongest)
            path.write_bytes(pack(path.name, to_csv(table)))
        for name, table in result.whole.items():
            path = new / "tables" / f"{result.prefix}{name}{suffix()}"
            path.write_bytes(columns_file(table))


def write_program(
    program: Program, results: Mapping[str, Any], to: Path
) -> dict[str, Any]:
    """Write everything that ``reproduce.R`` needs into a folder.

    ``results`` is the contents of results.json, in plain values; it is returned as it
    is read again.
    """
    _write_json(to / "results.json", results)
    (to / "reproduce.R").write_text(program.text, encoding="utf-8")
    _write_data(program.files, to)
    held: dict[str, Any] = json.loads((to / "results.json").read_text(encoding="utf-8"))
    _write_data(numbers_file(results, program.results), to)
    return held


def _write_data(files: Mapping[str, str], to: Path) -> None:
    """Write data files of a report folder."""
    (to / "data").mkdir(exist_ok=True)
    for name, text in files.items():
        (to / "data" / name).write_bytes(pack(name, text))


_MOST_INDENTED = 250_000
"""Characters of a JSON file whose lines are indented."""
_INDENTATION = re.compile(r"\n +")


def _write_json(path: Path, content: Any) -> None:
    """Write plain values as JSON, one value per line."""
    text = json.dumps(content, indent=1, allow_nan=False)
    if len(text) > _MOST_INDENTED:
        text = _INDENTATION.sub("\n", text)
    path.write_text(f"{text}\n", encoding="utf-8")


def _write_documents(document: Document, new: Path, edition: Edition) -> None:
    """Write figures, and the document in each format."""
    if any(file_format.attaches for file_format in edition.file_formats):
        document = replace(document, files=_attachments(new))
    _write_figures(document.figures(), new, edition)
    if edition.paper:
        _write_paper_figures(document.figures(), new)
    for file_format in edition.file_formats:
        (new / f"report.{file_format.ending}").write_bytes(file_format.render(document))


_ATTACHED = {
    ".csv": "Table at full precision",
    ".json": "Results at full precision",
    ".R": "R code that repeats the numbers",
}
"""Files that go into documents which can hold files, and their kinds."""
_MOST_ATTACHED = 20_000_000
"""Bytes of a file that goes into a document; larger ones are only beside it."""


def _attachments(new: Path) -> tuple[Attachment, ...]:
    """Return the data, results and programs of a folder; compressed tables stay."""
    attachments = []
    for path in sorted(new.rglob("*")):
        is_data = path.parent.name == "data"
        name = path.relative_to(new).as_posix()
        name = plain_name(name) if is_data else name
        what = _ATTACHED.get(Path(name).suffix)
        if what is None or path.stat().st_size > _MOST_ATTACHED:
            continue
        text = unpack(path.name, path.read_bytes()).decode("utf-8")
        if len(text) <= _MOST_ATTACHED:
            what = "Data as compared" if is_data else what
            attachments.append(Attachment(name, text, what))
    return tuple(attachments)


def _write_paper(paper: Paper, new: Path) -> None:
    """Write the paragraph, the tables and the references for a paper."""
    (new / FOLDER).mkdir()
    for name, text in paper.files.items():
        (new / name).write_text(text, encoding="utf-8")


def _write_paper_figures(figures: Sequence[Figure], new: Path) -> None:
    """Write figures for a paper, as PDF and SVG at the widths of its columns."""
    with style.context():
        for figure in each(figures, "figure for a paper", often=True):
            for columns, width in WIDTHS.items():
                path = new / FOLDER / f"{figure.name}_{columns}"
                drawing = figure.drawn(width)
                path.with_suffix(".pdf").write_bytes(style.to_pdf(drawing))
                path.with_suffix(".svg").write_text(
                    style.to_svg(drawing, letters="text"), encoding="utf-8"
                )


def _write_figures(figures: Sequence[Figure], new: Path, edition: Edition) -> None:
    """Write figures as SVG, and as PDF if a format refers to such files."""
    as_pdf = any(file_format.figures == "pdf" for file_format in edition.file_formats)
    with style.context():  # settled once, not for each picture
        for figure in each(figures, "picture", often=True):
            path = new / "figures" / f"{figure.name}.svg"
            path.write_text(figure.svg, encoding="utf-8")
            if as_pdf:
                path.with_suffix(".pdf").write_bytes(figure.pdf())

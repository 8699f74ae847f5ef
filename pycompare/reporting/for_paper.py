"""What of a report can be pasted into a paper: paragraph, table, references, figures.

The paragraph is made from facts in the past tense. The same words and numbers are on
the page and in the files of the folder ``paper``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from pycompare.reporting import document as doc
from pycompare.reporting.bibliography import bibtex
from pycompare.reporting.content.page import Report
from pycompare.reporting.content.paper_words import table_of
from pycompare.reporting.render.booktabs import portable, tabular
from pycompare.reporting.submission_words import Words

FOLDER = "paper"
WIDTHS = {"one_column": 3.46, "two_columns": 7.2}
"""Widths of figures in inches: 88 and 183 mm, as most journals have them."""
_PARAGRAPH, _TABLE = f"{FOLDER}/paragraph.tex", f"{FOLDER}/table.tex"
_REFERENCES = f"{FOLDER}/references.bib"
_LATEX = r"LaTeX table; its document needs \usepackage{booktabs}"
_NEEDS = r"% Needs \usepackage{booktabs}."


@dataclass(frozen=True, kw_only=True)
class Paper:
    """What a report offers to a paper."""

    paragraph: str
    tables: tuple[doc.Table, ...]
    references: str  # entries of BibTeX
    figures: bool  # whether figures are written, too

    @property
    def files(self) -> dict[str, str]:
        """The files, by their path in the folder of the report."""
        files = {_REFERENCES: self.references}
        if self.paragraph:
            files[_PARAGRAPH] = f"{portable(self.paragraph)}\n"
        if self.tables:
            text = "\n".join(map(tabular, self.tables))
            files[_TABLE] = f"{_NEEDS}\n\n{text}"
        return files

    def blocks(self) -> tuple[doc.Block, ...]:
        """Return the blocks of the page: the paragraph, the first table, the files."""
        note = doc.Note("Methods and results", (doc.Paragraph(self.paragraph),))
        code = None
        if self.tables:
            code = doc.Code(tabular(self.tables[0]), _LATEX, _TABLE)
        return doc.present(
            note if self.paragraph else None, code, doc.Paragraph(self._links())
        )

    def _links(self) -> doc.Inline:
        links: list[doc.Span] = ["Files: "]
        for place, path in enumerate(sorted(self.files)):
            links += [", "] * bool(place) + [doc.Link(path, path)]
        if self.figures:
            end = f"; figures as PDF and SVG at one and two columns in {FOLDER}/."
            return (*links, end)
        return (
            *links,
            ". Figures as PDF and SVG at one- and two-column width are written with ",
            doc.Literal("--paper"),
            " (in Python ",
            doc.Literal("paper=True"),
            ").",
        )


def for_paper(report: Report, words: Words, *, figures: bool) -> Paper:
    """Return what a report offers to a paper."""
    candidates = [table_of(outcome) for _, outcome in words.outcomes]
    if not words.outcomes:
        candidates = [result.table for result in report.results]
    tables = [table for table in candidates if table is not None]
    named = "\n".join([*words.references, *_texts(report.methods)])
    return Paper(
        paragraph=words.paragraph,
        tables=tuple(tables),
        references=bibtex(named),
        figures=figures,
    )


def _texts(table: doc.Table) -> Iterator[str]:
    cells: Sequence[doc.Cell] = list(chain.from_iterable(table.cells()))
    return (doc.plain(cell.text) for cell in cells)

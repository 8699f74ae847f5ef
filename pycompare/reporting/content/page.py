"""The parts of a report in the order of their importance, whatever was analysed.

First screen: the answer with the figure that shows it, a small table, the scope of the
conclusions. Then the results; then what supports them, folded: sensitivity analyses,
assumptions, data and provenance, methods and references, R.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from pycompare.reporting.document import (
    Block,
    Bullets,
    Code,
    Document,
    Facts,
    Figure,
    Fold,
    Inline,
    Lead,
    Link,
    Literal,
    Note,
    Paragraph,
    Section,
    Span,
    Strong,
    Table,
    present,
)
from pycompare.reporting.document.inline import spans

_MOST_OPEN = 3
"""Results that are open on the page; more are folded one by one."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a page says about one analysis."""

    title: str
    prefix: str  # begins the names of its files; never the user's text
    # The conclusion, and how it was found; empty where there is none.
    answer: Inline
    method: Inline = ""
    figure: Figure | None = None  # shows the conclusion
    table: Table | None = None  # the conclusion in numbers
    blocks: tuple[Block, ...] = ()  # details, the most important first
    sensitivity: tuple[Block, ...] = ()  # other analyses of the same question
    # Whether its answer is on the first screen, where there are several.
    leading: bool = True
    # For CSV files, full precision.
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    # Adjustments that R cannot repeat for so many algorithms.
    not_in_r: tuple[str, ...] = ()

    def lead(self) -> Lead:
        """Return answer and figure."""
        method = Paragraph(self.method, "method") if self.method else None
        text = present(Paragraph(self.answer, "answer"), method)
        return Lead(text, self.figure)


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that a page is made of."""

    title: str
    subtitle: Inline
    results: Sequence[Result]  # the most important first
    overview: Table | None  # all results in one table, where they are several
    scope: Sequence[Inline]
    assumptions: Sequence[Inline]
    plan: Sequence[Inline]
    methods: Table
    data: Sequence[tuple[str, Inline]]
    dropped: Sequence[Inline]
    origin: dict[str, Any]  # of "provenance"
    origin_blocks: Sequence[Block]
    script: str  # R code

    def document(self) -> Document:
        """Return the report as a document."""
        return Document(
            title=self.title,
            subtitle=self.subtitle,
            blocks=present(
                *self.first_screen(),
                *self.details(),
                self.sensitivity(),
                _folded("Assumptions and limits", "limits", bullets(self.assumptions)),
                _folded("Data and provenance", "data", *self.sources()),
                _folded("Methods and references", "plan", *self.how()),
                _folded("Reproduce in R", "r", *self.in_r()),
            ),
            generator=f"pycompare {self.origin['versions']['pycompare']}",
            date=self.origin["date"],
        )

    def first_screen(self) -> list[Block | None]:
        """Return the answers, the figure, the small table and the scope."""
        scope = bullets(self.scope)
        note = scope and Note("Scope of the conclusions", (scope,), "caveat")
        if len(self.results) == 1:
            [only] = self.results
            return [only.lead(), only.table, note]
        return [Lead(self.answers(), self.first_figure), self.overview, note]

    @property
    def first_figure(self) -> Figure | None:
        """The figure of the first screen."""
        figures = (one.figure for one in self.results if one.leading)
        return next((figure for figure in figures if figure is not None), None)

    def answers(self) -> tuple[Block, ...]:
        """Return the answer of each result under its name, if they are few."""
        leading = self.leading
        more = len(leading) - _MOST_OPEN
        return present(
            *(
                Paragraph((Strong(f"{one.title}: "), *spans(one.answer)), "answer")
                for one in leading[:_MOST_OPEN]
            ),
            Paragraph(f"{more} more results follow below.") if more > 0 else None,
        )

    def details(self) -> list[Block]:
        """Return the results one by one."""
        if len(self.results) == 1:
            blocks = _numbered(self.results[0], "result1")
            return [Section("Results", blocks, "result1")] if blocks else []
        made: list[Block] = []
        few = len(self.results) <= _MOST_OPEN
        for place, one in enumerate(self.results, start=1):
            key = f"result{place}"
            blocks = present(self.lead_of(one), one.table, *_numbered(one, key))
            is_open = few or (place <= _MOST_OPEN and one.answer)
            made.append((Section if is_open else Fold)(one.title, blocks, key))
        return made

    def lead_of(self, one: Result) -> Lead | None:
        """Return the lead of one of several results, without what was said first."""
        blocks, figure = one.lead().blocks, one.figure
        if any(one is shown for shown in self.leading[:_MOST_OPEN]):
            blocks = blocks[1:]
        if figure is self.first_figure:
            figure = None
        return Lead(blocks, figure) if blocks or figure else None

    @property
    def leading(self) -> list[Result]:
        """The results whose answers are on the first screen, if there is room."""
        return [one for one in self.results if one.answer and one.leading]

    def sensitivity(self) -> Block | None:
        """Return the sensitivity analyses of all results."""
        several = len(self.results) > 1
        blocks: list[Block] = []
        for place, one in enumerate(self.results, start=1):
            if one.sensitivity and several:
                key = f"sensitivity{place}"
                blocks.append(Section(one.title, one.sensitivity, key))
            else:
                blocks += one.sensitivity
        return _folded("Sensitivity analyses", "sensitivity", *blocks)

    def sources(self) -> list[Block]:
        """Return the data, what was dropped, where the report comes from."""
        files = [self.files(one) for one in self.results if one.tables]
        return [
            Facts(tuple(self.data)),
            *map(Paragraph, self.dropped),
            Section("How this report was made", tuple(self.origin_blocks), "origin"),
            *([Section("Tables as CSV files", tuple(files), "files")] if files else []),
        ]

    def files(self, one: Result) -> Paragraph:
        """Return links to the CSV files of one result."""
        links: list[Span] = []
        for name in one.tables:
            target = f"tables/{one.prefix}{name}.csv"
            links += [*([", "] if links else []), Link(name, target)]
        start = f"{one.title}: " if len(self.results) > 1 else ""
        return Paragraph((start, *links, "."))

    def how(self) -> list[Block | None]:
        """Return the plan and the methods with their sources."""
        return [bullets(self.plan), self.methods]

    def in_r(self) -> list[Block]:
        """Return the R script and what it leaves out."""
        left_out = [
            Paragraph(
                f"Not included, {one.title}: adjusted p-values by "
                f"{', '.join(one.not_in_r)}, because R would have to list every "
                f"partition of the algorithms."
            )
            for one in self.results
            if one.not_in_r
        ]
        return [Paragraph(_IN_R), *left_out, Code(self.script, "R code")]


_IN_R: Inline = (
    "This program, also in ",
    Literal("reproduce.R"),
    ", computes the numbers above in R, from the scores as compared (rounded or "
    "averaged as planned), and compares each with ",
    Literal("results.json"),
    ". To compare the same R functions with pycompare over many cases, run ",
    Literal("pycompare validate"),
    ".",
)


def bullets(items: Sequence[Inline]) -> Bullets | None:
    """Return points, if there are any."""
    return Bullets(tuple(items)) if items else None


def _folded(title: str, key: str, *blocks: Block | None) -> Fold | None:
    """Return a folded part, if there is anything in it."""
    found = present(*blocks)
    return Fold(title, found, key) if found else None


def _numbered(one: Result, stem: str) -> tuple[Block, ...]:
    """Return the parts of a result with their places, and tables with their files."""
    return tuple(placed(one.blocks, stem, one))


def placed(blocks: Sequence[Block], stem: str, one: Result) -> Iterator[Block]:
    """Yield blocks of a result, and those within them, with places and files."""
    for place, block in enumerate(blocks, start=1):
        if isinstance(block, Section | Fold):
            key = f"{stem}-{place}"
            inside = tuple(placed(block.blocks, key, one))
            yield type(block)(block.title, inside, key)
        elif isinstance(block, Table):
            known = block.file in one.tables
            file = f"tables/{one.prefix}{block.file}.csv" if known else None
            yield replace(block, file=file)
        else:
            yield block

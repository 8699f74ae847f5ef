"""The parts of a report in the order of their importance, whatever was analysed.

First screen: the answer with the figure that shows it, a small table, the scope of the
conclusions. Then the results; then what supports them, folded: sensitivity analyses,
assumptions, data and provenance, methods and references, R.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pycompare.base.formatting.packed import packed_name
from pycompare.base.interop.r_program import NOTHING
from pycompare.base.tables import AnyTable, Columns
from pycompare.reporting import document as doc
from pycompare.reporting.content import sources
from pycompare.reporting.document import spans

_MOST_OPEN = 3
"""Results that are open on the page; more are folded one by one."""
_MOST_FIGURES = 2
"""Results with two figures each; of more, the second of each is folded."""
UNABLE = "–"
UNABLE_MEANS = (
    f"{UNABLE}: cannot be significant with so few blocks, whatever the scores, or not "
    f"tested."
)
_COUNTS = "Counts: analyses with the same decision, each without one unit."
_MOST_PLAIN = 5_000
"""Rows of a CSV file that is not compressed."""


@dataclass(frozen=True, kw_only=True)
class PageResult:
    """Statements of a page about one analysis."""

    title: str
    prefix: str  # begins the names of its files; never the user's text
    # The conclusion, and how it was found; empty where there is none.
    answer: doc.Inline
    method: doc.Inline = ""
    figure: doc.Figure | None = None  # shows the conclusion
    table: doc.Table | None = None  # the conclusion in numbers
    forest: doc.Forest | None = None  # both at once, in their place
    # The conclusion for other populations, or each algorithm's own numbers.
    beside: doc.Table | None = None
    verdict: doc.Inline = ""  # how firm the decisions are, in a sentence
    firm_title: str = "How firm is this?"
    firm: tuple[doc.Block, ...] = ()  # the same as a matrix of pairs and analyses
    changing: doc.DecisionMatrix | None = None  # decisions that are not firm
    blocks: tuple[doc.Block, ...] = ()  # details, the most important first
    sensitivity: tuple[doc.Block, ...] = ()  # other analyses of the same question
    # Whether its answer is on the first screen, where there are several.
    leading: bool = True
    # For CSV files, full precision.
    tables: dict[str, AnyTable] = field(default_factory=dict)
    # Of very many rows, of which CSV files have some: written as files of columns.
    whole: dict[str, Columns] = field(default_factory=dict)
    # Adjustments that R cannot repeat for so many algorithms.
    not_in_r: tuple[str, ...] = ()

    @property
    def small_table(self) -> doc.Table | None:
        """The conclusion in numbers, with the path of its file."""
        return None if self.table is None else self.named(self.table)

    def named(self, table: doc.Table) -> doc.Table:
        """Return a table with the path of its file, if it names one."""
        return replace(table, file=table.file and self.file(table.file))

    def filed(self, text: doc.Paragraph) -> doc.Paragraph:
        """Return a text that ends with the files of tables."""
        paths = [self.file(name) for name in text.files]
        links: list[doc.Span] = []
        for left, path in zip(range(len(paths), 0, -1), paths, strict=True):
            between = " and " if left == 1 else ", "
            links += [*([between] if links else []), doc.Link(path, path)]
        return replace(text, text=doc.joined(text.text, (*links, ".")), files=())

    def file(self, name: str) -> str:
        """Return the file of a table; one of many rows is compressed."""
        if name not in self.tables:
            raise LookupError(f"{self.title}: no table {name!r} is written as a file")
        large = len(self.tables[name]) > _MOST_PLAIN
        return packed_name(f"tables/{self.prefix}{name}.csv", large=large)

    def lead(self) -> doc.Lead:
        """Return the answer, and the figure that shows it if there is no forest."""
        method = doc.Paragraph(self.method, "method") if self.method else None
        text = doc.present(doc.Paragraph(self.answer, "answer"), method)
        return doc.Lead(text, None if self.forest is not None else self.figure)

    def shown(self) -> tuple[doc.Block, ...]:
        """Return what shows the conclusion: a forest and a figure, or a table."""
        beside = None if self.beside is None else self.named(self.beside)
        if self.forest is None:
            return doc.present(self.small_table, beside)
        figure = self.figure
        if figure is not None and figure.narrow is not None:
            figure = replace(figure, full=True)
        return doc.present(self.forest, beside, figure)


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that a page is made of."""

    title: str
    subtitle: doc.Inline
    results: Sequence[PageResult]  # the most important first
    scope: Sequence[doc.Inline]
    assumptions: Sequence[doc.Inline]
    plan: Sequence[doc.Inline]
    methods: doc.Table
    data: Sequence[tuple[str, doc.Inline]]
    dropped: Sequence[doc.Inline]
    origin: dict[str, Any]  # of "provenance"
    overview: doc.Table | None = None  # all results in one table, if they are several
    omitted: str = ""  # which figures are not drawn, because results are too many
    script: str = ""  # R code
    cross_check: Sequence[doc.Block] = ()  # what R said while the report was made
    paper: Sequence[doc.Block] = ()  # what can be pasted into a paper
    listed: bool = False  # whether documents for paper have the R code, too

    def document(self) -> doc.Document:
        """Return the report as a document."""
        plan = bullets(self.plan)
        return doc.Document(
            title=self.title,
            subtitle=self.subtitle,
            blocks=doc.present(
                *self.first_screen(),
                self.for_paper(),
                *self.details(),
                self.sensitivity(),
                _folded("Assumptions and limits", "limits", bullets(self.assumptions)),
                _folded("Data and provenance", "data", *self.sources()),
                _folded("Methods and references", "plan", plan, self.methods),
                _folded("Reproduce in R", "r", *self.in_r()),
            ),
            generator=f"pycompare {self.origin['versions']['pycompare']}",
            date=self.origin["date"],
        )

    def first_screen(self) -> list[doc.Block | None]:
        """Return the answers, the figure, the small table and the scope."""
        scope = bullets(self.scope)
        note = scope and doc.Note("Scope of the conclusions", (scope,), "caveat")
        if len(self.results) == 1:
            [only] = self.results
            return [only.lead(), *only.shown(), *firm_part(only, "firm"), note]
        return [
            doc.Lead(self.answers(), self.first_figure),
            self.overview,
            self.verdicts(),
            note,
        ]

    def verdicts(self) -> doc.Section | None:
        """Return how firm each of a few results is, and all decisions that change."""
        firm = [result for result in self.leading[:_MOST_OPEN] if result.verdict]
        if not firm:
            return None
        told = [
            doc.Paragraph((doc.Strong(f"{result.title}: "), *self.told_first(result)))
            for result in firm
        ]
        matrix = doc.one_matrix([(r.title, r.changing) for r in firm if r.changing])
        marks = [m for _, row in (matrix.rows if matrix else ()) for m in row]
        notes = [_COUNTS] * any(m.changed and m.shown is None for m in marks)
        notes += [UNABLE_MEANS] * any(m.text == UNABLE for m in marks)
        note = doc.Paragraph(" ".join(notes), "note") if notes else None
        return doc.Section(
            self.results[0].firm_title, doc.present(*told, matrix, note), "firm"
        )

    @property
    def first_figure(self) -> doc.Figure | None:
        """The figure of the first screen, unless results have theirs in forests."""
        if any(result.forest is not None for result in self.results):
            return None
        figures = (result.figure for result in self.results if result.leading)
        return next((figure for figure in figures if figure is not None), None)

    def answers(self) -> tuple[doc.Block, ...]:
        """Return the answer of each result under its name, if they are few."""
        leading = self.leading
        told = [
            doc.Paragraph(
                (doc.Strong(f"{result.title}: "), *spans(result.answer)), "answer"
            )
            for result in leading[:_MOST_OPEN]
        ]
        if len(leading) > _MOST_OPEN:
            more = len(leading) - _MOST_OPEN
            what = (
                "1 more result follows" if more == 1 else f"{more} more results follow"
            )
            told.append(doc.Paragraph(f"{what} below."))
        return tuple(told)

    def for_paper(self) -> doc.Section | None:
        """Return what can be pasted into a paper, if there is anything."""
        blocks = tuple(self.paper)
        return doc.Section("For your paper", blocks, "paper") if blocks else None

    def details(self) -> list[doc.Block]:
        """Return the results one by one."""
        if len(self.results) == 1:
            blocks = tuple(map(_closed, _numbered(self.results[0], "result1")))
            return [doc.Section("Results", blocks, "result1")] if blocks else []
        parts: list[doc.Block] = [doc.Paragraph(self.omitted)] * bool(self.omitted)
        few = len(self.results) <= _MOST_OPEN
        decided = any(result.firm for result in self.results)
        for place, result in enumerate(self.results, start=1):
            key = f"result{place}"
            figures = result.shown()
            n_open = 1 if len(self.results) > _MOST_FIGURES else len(figures)
            # The verdict, if all of it is with the answer.
            said = self.comes_first(result) and (
                self.told_first(result) == tuple(spans(result.verdict))
            )
            own = replace(result, firm=result.firm[int(said) :])
            firm = firm_part(own, f"firm{place}")
            blocks = doc.present(
                self.lead_of(result),
                *figures[:n_open],
                *map(_closed, firm),
                *_further(
                    _numbered(result, key),
                    f"further{place}",
                    figures[n_open:],
                ),
            )
            is_open = few or (place <= _MOST_OPEN and result.answer)
            is_open = is_open and (bool(result.firm) or not decided)
            parts.append(
                (doc.Section if is_open else doc.FoldedSection)(
                    result.title, blocks, key
                )
            )
        return parts

    def lead_of(self, result: PageResult) -> doc.Lead | None:
        """Return the lead of one of several results, without repeated parts."""
        blocks, figure = result.lead().blocks, result.lead().figure
        if self.comes_first(result):
            blocks = blocks[1:]
        if figure is self.first_figure:
            figure = None
        return doc.Lead(blocks, figure) if blocks or figure else None

    def told_first(self, result: PageResult) -> tuple[doc.Span, ...]:
        """Return how firm a result is: of many, only its headline's own decisions."""
        told = tuple(spans(result.verdict))
        many = len(self.leading) >= _MOST_OPEN
        headed = bool(told) and isinstance(told[0], doc.Strong)
        return told[:1] if many and headed else told

    def comes_first(self, result: PageResult) -> bool:
        """Return whether a result is one of the few of the first screen."""
        return any(result is shown for shown in self.leading[:_MOST_OPEN])

    @property
    def leading(self) -> list[PageResult]:
        """The results whose answers are on the first screen, if there is room."""
        return [result for result in self.results if result.answer and result.leading]

    def sensitivity(self) -> doc.Block | None:
        """Return the sensitivity analyses of all results."""
        blocks: Sequence[doc.Block] = [
            doc.Section(result.title, sensitivity_part(result), f"sensitivity{place}")
            for place, result in enumerate(self.results, start=1)
            if result.sensitivity
        ]
        if len(self.results) == 1:
            blocks = sensitivity_part(self.results[0])
        return _folded("Sensitivity analyses", "sensitivity", *blocks)

    def sources(self) -> list[doc.Block]:
        """Return the data, the dropped data, where the report comes from."""
        files = [self.files(result) for result in self.results if result.tables]
        told = sources.trail_blocks(self.origin)
        origin = (*sources.origin_blocks(self.origin), *told)
        return [
            doc.Facts(tuple(self.data)),
            *map(doc.Paragraph, self.dropped),
            doc.Section("How this report was made", origin, "origin"),
            *[doc.Section("Tables as CSV files", tuple(files), "files")] * bool(files),
        ]

    def files(self, result: PageResult) -> doc.Paragraph:
        """Return links to the CSV files of one result."""
        links: list[doc.Span] = []
        for name in result.tables:
            links += [*([", "] if links else []), doc.Link(name, result.file(name))]
        start = f"{result.title}: " if len(self.results) > 1 else ""
        return doc.Paragraph((start, *links, "."))

    def in_r(self) -> list[doc.Block]:
        """Return the R script and its omissions."""
        left_out = [
            doc.Paragraph(
                f"Not included, {result.title}: adjusted p-values by "
                f"{', '.join(result.not_in_r)}, because R would have to search the "
                f"partitions of too many algorithms."
            )
            for result in self.results
            if result.not_in_r
        ]
        return [
            *self.cross_check,
            doc.Paragraph(_NOT_IN_R if NOTHING in self.script else _IN_R),
            *left_out,
            doc.Code(self.script, "R code", "" if self.listed else "reproduce.R"),
        ]


_IN_R: doc.Inline = (
    "This program, also in ",
    doc.Literal("reproduce.R"),
    ", computes the numbers above in R, from the scores as compared (rounded or "
    "averaged as specified), and compares each with ",
    doc.Literal("results.json"),
    ". To compare the same R functions with pycompare over many cases, run ",
    doc.Literal("pycompare validate"),
    ".",
)

_NOT_IN_R: doc.Inline = (
    "The numbers above are not computed again in R. This program, also in ",
    doc.Literal("reproduce.R"),
    ", states the reason. To compare the R functions of other analyses with pycompare, "
    "run ",
    doc.Literal("pycompare validate"),
    ".",
)


def bullets(items: Sequence[doc.Inline]) -> doc.Bullets | None:
    """Return points, if there are any."""
    return doc.Bullets(tuple(items)) if items else None


def firm_part(result: PageResult, key: str) -> list[doc.Section]:
    """Return how firm the decisions of a result are, if anything is known of it."""
    blocks = tuple(placed(result.firm, f"{result.prefix}firm", result))
    return [doc.Section(result.firm_title, blocks, key)] * bool(blocks)


def sensitivity_part(result: PageResult) -> tuple[doc.Block, ...]:
    """Return the sensitivity analyses of a result, with the files of their tables."""
    return tuple(placed(result.sensitivity, f"{result.prefix}sensitivity", result))


def _folded(
    title: str, key: str, *blocks: doc.Block | None
) -> doc.FoldedSection | None:
    """Return a folded part, if there is anything in it."""
    parts = doc.present(*blocks)
    return doc.FoldedSection(title, parts, key) if parts else None


def _numbered(result: PageResult, stem: str) -> tuple[doc.Block, ...]:
    """Return the parts of a result with their places, and tables with their files."""
    return tuple(placed(result.blocks, stem, result))


def _closed(block: doc.Block) -> doc.Block:
    """Return a section as a part that is folded."""
    if isinstance(block, doc.Section):
        return doc.FoldedSection(block.title, block.blocks, block.key)
    return block


def _further(
    blocks: Sequence[doc.Block], key: str, figures: Sequence[doc.Block] = ()
) -> Iterator[doc.Block]:
    """Yield the open parts of one of several results; figures and parts in one fold."""
    parts = [b for b in blocks if isinstance(b, doc.Section | doc.FoldedSection)]
    yield from (b for b in blocks if not isinstance(b, doc.Section | doc.FoldedSection))
    if parts or figures:
        inside = (*figures, *map(_closed, parts))
        yield doc.FoldedSection("Further results", inside, key)


def in_part(prefix: str, blocks: Iterable[doc.Block]) -> Iterator[doc.Block]:
    """Yield blocks of a part of a result; the files of a part begin with its prefix."""
    for block in blocks:
        if isinstance(block, doc.Section | doc.FoldedSection):
            yield replace(block, blocks=tuple(in_part(prefix, block.blocks)))
        elif isinstance(block, doc.Table) and block.file is not None:
            yield replace(block, file=f"{prefix}{block.file}")
        elif isinstance(block, doc.Paragraph):
            yield replace(block, files=tuple(f"{prefix}{name}" for name in block.files))
        else:
            yield block


def placed(
    blocks: Sequence[doc.Block], stem: str, result: PageResult
) -> Iterator[doc.Block]:
    """Yield blocks of a result, and those within them, with places and files."""
    for place, block in enumerate(blocks, start=1):
        if isinstance(block, doc.Section | doc.FoldedSection):
            key = f"{stem}-{place}"
            inside = tuple(placed(block.blocks, key, result))
            yield type(block)(block.title, inside, key)
        elif isinstance(block, doc.Table):
            yield result.named(block)
        elif isinstance(block, doc.Paragraph) and block.files:
            yield result.filed(block)
        else:
            yield block

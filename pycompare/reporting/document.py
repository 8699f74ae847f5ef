"""A report as data: blocks that any format can be made of.

Content turns results into a ``Document``; renderers turn a document into bytes. A
document holds values, not text made of them: a table has p-values and intervals at full
precision, a figure can draw itself at any width, and labels are plain strings that each
renderer escapes. Nothing here knows the analysis.

A text is a string, or a tuple of strings and marked parts: what a label holds is never
markup. In tables the kind of a column states how a cell is written, aligned and sorted:

``label``, ``text``
    Words, on the left; a label names the row and may be sorted.
``count``
    Whole numbers.
``estimate``, ``number``
    Numbers with as many decimals in every row, so that points stand below each other.
``interval``
    Two limits, ``(low, high)``.
``p``
    p-values, three decimals, never 0; those at most ``alpha`` are marked.
``digits``
    Text made of numbers: degrees of freedom, wins / ties / losses.

Examples
--------
>>> from pycompare.reporting.document import Column, Document, Paragraph, Strong, Table
>>> table = Table(
...     "Two algorithms against C.",
...     (Column("Algorithm", "label"), Column("p", "p", alpha=0.05)),
...     (("A", 0.0123), ("B", 3e-7)),
... )
>>> [[cell.text for cell in row] for row in table.cells()]
[['A', '0.012'], ['B', '< 0.001']]
>>> answer = Paragraph((Strong("A and B"), " differ significantly from C."), "answer")
>>> [type(b).__name__ for b in Document("A, B, C", "", (answer, table), "doc").walk()]
['Paragraph', 'Table']
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from typing import Literal as OneOf

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import number, on_its_side
from pycompare.base.formatting.rounding import fixed
from pycompare.plotting import style

# ---- texts ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Strong:
    """Words that carry the message."""

    text: str


@dataclass(frozen=True)
class Emphasis:
    """Words set apart, such as the name of a method."""

    text: str


@dataclass(frozen=True)
class Literal:
    """Text that a reader types or compares letter by letter: file names, options."""

    text: str


@dataclass(frozen=True)
class Link:
    """A reference to another place."""

    text: str
    target: str  # the key of a section ("#r"), or a file beside the document


Span = str | Strong | Emphasis | Literal | Link
Inline = str | tuple[Span, ...]


def spans(text: Inline) -> tuple[Span, ...]:
    """Return a text as its parts."""
    return (text,) if isinstance(text, str) else text


def plain(text: Inline) -> str:
    """Return a text without its marks.

    Examples
    --------
    >>> plain(("A is ", Strong("better"), "."))
    'A is better.'
    """
    return "".join(s if isinstance(s, str) else s.text for s in spans(text))


def joined(*texts: Inline, by: str = " ") -> Inline:
    """Join texts, without those that are empty.

    Examples
    --------
    >>> joined("One.", "", ("Two ", Strong("words"), "."))
    ('One.', ' ', 'Two ', Strong(text='words'), '.')
    """
    parts: list[Span] = []
    for text in texts:
        if text:
            parts += [*([by] if parts else []), *spans(text)]
    return tuple(parts)


# ---- columns -------------------------------------------------------------------------

ColumnKind = OneOf[
    "label", "text", "count", "number", "estimate", "interval", "p", "digits"
]
_WORDS = frozenset({"label", "text"})
_NONE = "–"
"""Written if there is no value."""
_MOST_DECIMALS = 6
_SMALLEST_P, _LARGEST_P = 0.001, 0.999


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    title: str
    kind: ColumnKind = "text"  # see the module
    # Of a column of p-values: those at most "alpha" are marked as significant.
    alpha: float | None = None
    digits: int = 3  # significant digits of the largest number
    places: int | None = None  # decimals, if they are not those of its own numbers

    @property
    def numeric(self) -> bool:
        """Whether cells stand on the right, in figures of equal width."""
        return self.kind not in _WORDS


@dataclass(frozen=True)
class Cell:
    """A cell as it is shown: text, and whether it is marked."""

    text: Inline
    marked: bool = False


def cells(column: Column, values: Sequence[Any]) -> list[Cell]:
    """Return the cells of one column."""
    return _FORMATS[column.kind](column, values)


def p_text(p: float, alpha: float | None = None) -> str:
    """Return a p-value with three decimals, more if rounding would cross alpha.

    Examples
    --------
    >>> p_text(0.01234), p_text(4e-9), p_text(0.99999), p_text(0.0500001, 0.05)
    ('0.012', '< 0.001', '> 0.999', '0.0500001')
    >>> p_text(2.8349e-8, 2.834e-8)
    '2.835e−8'
    """
    if math.isnan(p):
        return _NONE
    if p < _SMALLEST_P and (alpha is None or alpha >= _SMALLEST_P):
        return f"< {_SMALLEST_P}"
    if p == 1:
        return "1.000"
    if p > _LARGEST_P and (alpha is None or alpha < _LARGEST_P):
        return f"> {_LARGEST_P}"
    if not p:
        return "< 5e−324"
    write = number if p < _SMALLEST_P / 10 else fixed
    return on_its_side(p, alpha, lambda digits: write(p, digits), 3)


def p_equals(p: float, alpha: float | None = None) -> str:
    """Return ``p = 0.012`` or ``p < 0.001``.

    Examples
    --------
    >>> p_equals(0.01234), p_equals(4e-9)
    ('p = 0.012', 'p < 0.001')
    """
    text = p_text(p, alpha)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def decimals(values: Sequence[float], digits: int) -> int | None:
    """Return how many decimals show ``digits`` digits of the largest number.

    None if the largest is too small or too large for plain decimals.
    """
    finite = [abs(v) for v in values if math.isfinite(v) and v != 0]
    if not finite:
        return 0
    exponent = math.floor(math.log10(max(finite)))
    if not -_MOST_DECIMALS < exponent < _MOST_DECIMALS + 1:
        return None
    return min(max(0, digits - 1 - exponent), _MOST_DECIMALS + digits)


def aligned(value: float | None, places: int | None, digits: int) -> str:
    """Return a number with so many decimals; what would become 0 with more of them."""
    if value is None or math.isnan(value):
        return _NONE
    if places is None or not math.isfinite(value):
        return number(value, digits)
    text = fixed(value, places)
    if value and not float(text):
        return _small(value, places)
    return text.replace("-", "−")


def _small(value: float, places: int) -> str:
    """Return ``0.00012``; smaller numbers, such as rounding errors, as a bound."""
    needed = 1 - math.floor(math.log10(abs(value)))
    if needed <= _MOST_DECIMALS + 2:
        return f"{value:.{needed}f}".replace("-", "−")
    least = f"{10**-places:.{places}f}"
    return f"< {least}" if value > 0 else f"> −{least}"


def _words(column: Column, values: Sequence[Inline]) -> list[Cell]:
    return [Cell(value) for value in values]


def _counts(column: Column, values: Sequence[int | None]) -> list[Cell]:
    return [Cell(_NONE if v is None else str(v)) for v in values]


def _numbers(column: Column, values: Sequence[float | None]) -> list[Cell]:
    places = column.places
    if places is None:
        places = decimals([v for v in values if v is not None], column.digits)
    return [Cell(aligned(v, places, column.digits)) for v in values]


def _intervals(
    column: Column, values: Sequence[tuple[float, float] | None]
) -> list[Cell]:
    places = column.places
    if places is None:
        places = decimals([limit for v in values if v is not None for limit in v], 3)
    return [Cell(_NONE) if v is None else _interval(v, places) for v in values]


def _interval(limits: tuple[float, float], places: int | None) -> Cell:
    if all(map(math.isnan, limits)):
        return Cell(_NONE)
    return Cell(interval_text(limits, places))


def interval_text(limits: tuple[float, float], places: int | None) -> str:
    """Return ``[−0.024, 0.071]``; a limit that stands for an excluded 0 in words."""
    low, high = (_next_to(limit) or aligned(limit, places, 3) for limit in limits)
    return f"[{low}, {high}]"


def _next_to(limit: float) -> str | None:
    """Return the statements about a limit that stands for an excluded 0, 1/2 or 1."""
    for null in (0.0, 0.5, 1.0):
        room = math.ulp(null)
        if limit != null and abs(limit - null) <= room:
            return f"{'above' if limit > null else 'below'} {null:g}"
    return None


def _p_values(column: Column, values: Sequence[float | None]) -> list[Cell]:
    return [
        Cell(_NONE)
        if p is None
        # The one rule of decisions, pycompare.results.result.rejected, on one number.
        else Cell(
            p_text(p, column.alpha), column.alpha is not None and p <= column.alpha
        )
        for p in values
    ]


_FORMATS: dict[str, Callable[[Column, Sequence[Any]], list[Cell]]] = {
    "label": _words,
    "text": _words,
    "digits": _words,
    "count": _counts,
    "number": _numbers,
    "estimate": _numbers,
    "interval": _intervals,
    "p": _p_values,
}


# ---- figures -------------------------------------------------------------------------

_PAGE_WIDTH = 5.3
"""Inches at most: beside a text, and readable on a telephone."""
_FULL, _TELEPHONE = 1040 / 96, 368 / 96
"""Inches of a picture as wide as the page, or the screen of a telephone."""


@contextmanager
def _on_page() -> Iterator[None]:
    """Draw pictures for a document: no wider than its text, captions left to it."""
    with style.context(), style.for_document(), style.room_of(_PAGE_WIDTH, exact=False):
        yield


@dataclass(frozen=True, eq=False)
class Figure:
    """A picture with its caption, drawn when a renderer asks for it."""

    name: str  # stem of its files; never the user's text
    draw: Callable[[], Any]  # draws the picture and returns its Matplotlib axes
    caption: Inline  # stands below the picture, and nowhere in it
    alt: str  # what the picture shows, for readers who cannot see it
    full: bool = False  # whether a page draws it as wide as itself, and for telephones
    narrow: Callable[[], Any] | None = None  # draws it for telephones, if not ``draw``
    _pngs: dict[int, bytes] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def drawing(self) -> Any:
        """The Matplotlib figure, without a caption of its own."""
        with _on_page():
            return self.draw().figure

    def drawn(self, width: float) -> Any:
        """Return the Matplotlib figure laid out for ``width`` inches."""
        with style.for_document(), style.room_of(width):
            return self.draw().figure

    @property
    def width(self) -> float:
        """Natural width in inches, at which letters have their planned size."""
        return float(self.drawing.get_size_inches()[0])

    @property
    def height(self) -> float:
        """Natural height in inches."""
        return float(self.drawing.get_size_inches()[1])

    def fitted(self, widest: float, highest: float) -> float:
        """Return the width in inches at which the picture has room, natural at most."""
        return min(self.width, widest, highest * self.width / self.height)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG, as a page shows it if there is room.

        The same figure is always the same bytes. Letters are text in a common font: a
        page and a file share the picture.
        """
        wide = self.drawn(_FULL) if self.full else self.drawing
        return style.to_svg(wide, letters="text")

    @cached_property
    def outlined_svg(self) -> str:
        """The picture as SVG that needs no font: letters are paths."""
        return style.to_svg(self.drawing)

    def page_svgs(self) -> tuple[str, ...]:
        """Return the picture as a page shows it; one for telephones after it if full.

        Letters keep their size on both.
        """
        if not self.full:
            return (self.svg,)
        with style.context():
            telephone = replace(self, draw=self.narrow or self.draw).drawn(_TELEPHONE)
            return self.svg, style.to_svg(telephone, letters="text")

    def png(self, width: int) -> bytes:
        """Return the picture as PNG, ``width`` pixels wide."""
        if width not in self._pngs:  # formats share a width
            self._pngs[width] = style.to_png(self.drawing, dpi=width / self.width)
        return self._pngs[width]

    def pdf(self, width: float | None = None) -> bytes:
        """Return the picture as PDF, ``width`` inches wide (natural by default)."""
        drawing = self.drawing if width is None else self.drawn(width)
        return style.to_pdf(drawing)


# ---- blocks --------------------------------------------------------------------------

ParagraphRole = OneOf["body", "answer", "verdict", "method", "note"]
Membership = OneOf["member", "passed", ""]
NoteKind = OneOf["caveat", "condition", "information"]


@dataclass(frozen=True)
class Paragraph:
    """Running text.

    ``role``: ``answer`` is what a reader should take away, ``method`` how it was found;
    both are set apart from the body. ``verdict`` states how firm it is. ``note`` is the
    title of a note without a frame, or explains what stands above it.
    ``files`` are tables whose files end the text; a page gives them their paths.
    """

    text: Inline
    role: ParagraphRole = "body"
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bullets:
    """Points of equal standing."""

    items: tuple[Inline, ...]


@dataclass(frozen=True)
class Facts:
    """Names with their values, such as the facts about a file."""

    rows: tuple[tuple[str, Inline], ...]


MOST_ROWS = 1000
"""Rows of a table that a document shows."""


@dataclass(frozen=True)
class Table:
    """Values in columns; the kind of a column formats and aligns them."""

    caption: Inline
    # The first names the rows and stays in view when the table is scrolled.
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]  # one value a column, at full precision
    file: str | None = None  # the CSV file beside the document that has all rows
    most: int = MOST_ROWS  # rows that are shown; the others are only in "file"
    beyond: int = 0  # rows that are only in "file", and not among "rows"

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(
                    f"a row has {len(row)} values, the table {len(self.columns)} "
                    f"columns: {row!r}"
                )

    @property
    def omitted(self) -> int:
        """How many rows are not shown."""
        return max(0, self.total - self.most)

    @property
    def total(self) -> int:
        """How many rows there are."""
        return len(self.rows) + self.beyond

    @property
    def note(self) -> Inline:
        """Where the rows are that are not shown; empty if all are."""
        if not self.omitted:
            return ""
        said = f"The first {self.most} of {counted(self.total, 'row')}."
        if self.file is None:
            return said
        return (said, " All rows are in ", Link(self.file, self.file), ".")

    def cells(self) -> list[tuple[Cell, ...]]:
        """Return the shown rows as cells."""
        rows = self.rows[: self.most]
        columns = [
            cells(column, [row[place] for row in rows])
            for place, column in enumerate(self.columns)
        ]
        return list(zip(*columns, strict=True))


@dataclass(frozen=True)
class OrderingTable:
    """Names from best to worst, with a line under each group."""

    caption: Inline
    names: tuple[str, ...]
    values: tuple[float, ...]
    value_title: str
    # Title of each group, and for each name "member", "passed" (the line passes below
    # a name that does not belong to the group), or nothing.
    groups: tuple[tuple[str, tuple[Membership, ...]], ...]

    def shown(self) -> list[Cell]:
        """Return the values as cells."""
        return cells(Column(self.value_title, "estimate"), self.values)


@dataclass(frozen=True)
class ForestRow:
    """An estimate with its interval, filled if it is significant.

    ``shown`` is None if the estimate describes and nothing is tested.
    """

    estimate: float
    limits: tuple[float, float] | None
    shown: bool | None


@dataclass(frozen=True, eq=False)
class Forest:
    """A table of which one column is a picture: estimates with their intervals.

    Formats without such a column have the figure, then the table.
    """

    figure: Figure
    table: Table
    rows: tuple[ForestRow, ...]  # one a row of the table
    title: str  # what the picture shows
    sides: tuple[str, str]  # what lies left and right of the line of no difference
    null: float = 0.0  # 1/2 of shares; 1 of ratios, on a logarithmic axis
    band: tuple[float, float] | None = None  # the margin


@dataclass(frozen=True)
class DecisionMark:
    """What one analysis decides in one row of a matrix.

    ``shown`` is whether it rejects; None if ``text`` is all that there is.
    ``changed``: the primary analysis decides differently.
    """

    text: str
    shown: bool | None = None
    changed: bool = False


@dataclass(frozen=True)
class DecisionMatrix:
    """Decisions, one a row, by several analyses, one a column; the first is primary."""

    caption: Inline
    row_title: str
    columns: tuple[tuple[str, str], ...]  # group ("" of the primary analysis), title
    rows: tuple[tuple[str, tuple[DecisionMark, ...]], ...]
    decided: tuple[str, str] = ("significant", "not significant")

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The groups of columns in their order, each with how many columns it has."""
        names = dict.fromkeys(group for group, _ in self.columns)
        return [(name, sum(g == name for g, _ in self.columns)) for name in names]

    def table(self) -> Table:
        """Return the matrix in words; what differs is marked."""
        titles = [f"{title}{f' ({g})' if g else ''}" for g, title in self.columns]
        columns = (Column(self.row_title, "label"), *map(Column, titles))
        rows = tuple(
            (name, *((Strong(m.text),) if m.changed else m.text for m in marks))
            for name, marks in self.rows
        )
        return Table(joined(self.caption, _IN_BOLD), columns, rows)


_IN_BOLD = "Bold: differs from the primary analysis."


def one_matrix(named: Sequence[tuple[str, DecisionMatrix]]) -> DecisionMatrix | None:
    """Return matrices as one, each row with the name of its own; none of none."""
    if not named:
        return None
    first = named[0][1]
    every = dict.fromkeys(column for _, matrix in named for column in matrix.columns)
    groups = [*dict.fromkeys(group for group, _ in every)]
    columns = sorted(every, key=lambda column: groups.index(column[0]))
    rows = [
        (f"{name}: {title}", dict(zip(matrix.columns, marks, strict=True)))
        for name, matrix in named
        for title, marks in matrix.rows
    ]
    absent = DecisionMark("–")
    return DecisionMatrix(
        first.caption,
        first.row_title,
        tuple(columns),
        tuple((title, tuple(m.get(c, absent) for c in columns)) for title, m in rows),
        first.decided,
    )


@dataclass(frozen=True)
class Note:
    """Text that must not be overlooked.

    ``kind``: a ``caveat`` limits the conclusion, a ``condition`` is its assumption,
    ``information`` is neither.
    """

    title: str
    blocks: tuple[Block, ...]
    kind: NoteKind = "information"


@dataclass(frozen=True)
class Code:
    """Text of a program or file.

    ``file`` holds it beside the document: formats for paper name that file instead.
    """

    text: str
    title: str
    file: str = ""


@dataclass(frozen=True)
class Lead:
    """What a reader sees first: blocks, and the figure that shows the same."""

    blocks: tuple[Block, ...]
    figure: Figure | None = None


@dataclass(frozen=True)
class Section:
    """Blocks under a heading.

    ``key`` is the place that links lead to; never the user's text.
    """

    title: str
    blocks: tuple[Block, ...]
    key: str


@dataclass(frozen=True)
class FoldedSection:
    """A section that is closed until a reader opens it, or prints the document."""

    title: str
    blocks: tuple[Block, ...]
    key: str


Block = (
    Paragraph
    | Bullets
    | Facts
    | Table
    | OrderingTable
    | DecisionMatrix
    | Forest
    | Figure
    | Note
    | Code
    | Lead
    | Section
    | FoldedSection
)


@dataclass(frozen=True)
class Attachment:
    """A text file that goes with a document: data, results, a program.

    Formats that can hold files (PDF) hold it; elsewhere it is beside the document.
    """

    name: str
    text: str
    about: str


@dataclass(frozen=True)
class Document:
    """A report, whatever the format it is written in."""

    title: str
    subtitle: Inline
    blocks: tuple[Block, ...]  # the most important first
    generator: str  # what made it
    # When it was made, by ISO 8601; empty: files of any date are the same bytes.
    date: str = ""
    files: tuple[Attachment, ...] = ()

    def walk(self) -> Iterator[Block]:
        """Yield every block, those within others too, in reading order."""
        return walk(self.blocks)

    def figures(self) -> list[Figure]:
        """Return every figure."""
        return [block for block in self.walk() if isinstance(block, Figure)]


def walk(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks and the blocks within them, in reading order."""
    for block in blocks:
        yield block
        if isinstance(block, Note | Lead | Section | FoldedSection):
            yield from walk(block.blocks)
        if isinstance(block, Lead) and block.figure is not None:
            yield block.figure
        if isinstance(block, Forest):
            yield from (block.figure, block.table)


def present(*blocks: Block | None) -> tuple[Block, ...]:
    """Return the blocks that there are."""
    return tuple(block for block in blocks if block is not None)


def section(title: str, *blocks: Block | None) -> Section:
    """Return the blocks that there are under a heading; the page gives its key."""
    return Section(title, present(*blocks), "")


def fold(title: str, *blocks: Block | None) -> FoldedSection:
    """Return the blocks that there are, folded; the page gives the key."""
    return FoldedSection(title, present(*blocks), "")

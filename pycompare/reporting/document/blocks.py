"""What a document is made of; see the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pycompare.formatting.counts import counted
from pycompare.reporting.document.columns import Cell, Column, cells
from pycompare.reporting.document.figure import Figure
from pycompare.reporting.document.inline import Inline, Link

Role = Literal["body", "answer", "method"]
Mark = Literal["member", "passed", ""]
NoteKind = Literal["caveat", "condition", "information"]


@dataclass(frozen=True)
class Paragraph:
    """Running text.

    ``role``: ``answer`` is what a reader should take away, ``method`` how it was found;
    both are set apart from the body.
    """

    text: Inline
    role: Role = "body"


@dataclass(frozen=True)
class Bullets:
    """Points of equal standing."""

    items: tuple[Inline, ...]


@dataclass(frozen=True)
class Facts:
    """Names with their values, such as what is known of a file."""

    rows: tuple[tuple[str, Inline], ...]


@dataclass(frozen=True)
class Table:
    """Values in columns; the kind of a column formats and aligns them."""

    caption: Inline
    # The first names the rows and stays in view when the table is scrolled.
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]  # one value a column, at full precision
    file: str | None = None  # the CSV file beside the document that has all rows
    most: int = 1000  # rows that are shown; the others are only in "file"

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
        return max(0, len(self.rows) - self.most)

    @property
    def note(self) -> Inline:
        """Where the rows are that are not shown; empty if all are."""
        if not self.omitted:
            return ""
        said = f"The first {self.most} of {counted(len(self.rows), 'row')}."
        if self.file is None:
            return said
        return (said, " All rows are in ", Link(self.file, self.file), ".")

    def cells(self) -> list[tuple[Cell, ...]]:
        """Return the shown rows as cells."""
        rows = self.rows[: self.most]
        made = [
            cells(column, [row[place] for row in rows])
            for place, column in enumerate(self.columns)
        ]
        return list(zip(*made, strict=True))


@dataclass(frozen=True)
class Ordering:
    """Names from best to worst, with a line under each group."""

    caption: Inline
    names: tuple[str, ...]
    values: tuple[float, ...]
    value_title: str
    # Title of each group, and for each name "member", "passed" (the line passes below
    # a name that does not belong to the group), or nothing.
    groups: tuple[tuple[str, tuple[Mark, ...]], ...]

    def shown(self) -> list[Cell]:
        """Return the values as cells."""
        return cells(Column(self.value_title, "estimate"), self.values)


@dataclass(frozen=True)
class Note:
    """Text that must not be overlooked.

    ``kind``: a ``caveat`` limits the conclusion, a ``condition`` is what it rests on,
    ``information`` is neither.
    """

    title: str
    blocks: tuple[Block, ...]
    kind: NoteKind = "information"


@dataclass(frozen=True)
class Code:
    """Text of a program or file."""

    text: str
    title: str


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
class Fold:
    """A section that is closed until a reader opens it, or prints the document."""

    title: str
    blocks: tuple[Block, ...]
    key: str


Block = (
    Paragraph
    | Bullets
    | Facts
    | Table
    | Ordering
    | Figure
    | Note
    | Code
    | Lead
    | Section
    | Fold
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
        yield from walk(getattr(block, "blocks", ()))
        if isinstance(block, Lead) and block.figure is not None:
            yield block.figure


def present(*blocks: Block | None) -> tuple[Block, ...]:
    """Return the blocks that there are."""
    return tuple(block for block in blocks if block is not None)


def section(title: str, *blocks: Block | None) -> Section:
    """Return the blocks that there are under a heading; the page gives its key."""
    return Section(title, present(*blocks), "")


def fold(title: str, *blocks: Block | None) -> Fold:
    """Return the blocks that there are, folded; the page gives the key."""
    return Fold(title, present(*blocks), "")

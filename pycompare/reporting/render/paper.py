"""A document as a sequence of simple pieces, for formats that are read from a page.

Paper has one column, no folds and a fixed width. So parts that are folded on a screen
are open, tables and figures are numbered, orderings are tables with letters, and a
table that is too wide is divided into parts that repeat its first column. What a
renderer gets is one ``Piece`` after the other; all it adds is its own way of writing.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod
from itertools import count
from typing import ClassVar

from pycompare.reporting import document as doc
from pycompare.reporting.document import spans

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
SHARED = "Algorithms that share a letter belong to the same group."
_LEAST_WORDS, _LEAST_FIGURES = 16, 12
"""Characters below which a column of words, or of numbers, gets too narrow."""
_MOST_WORDS = 60
"""Characters of a column of words beyond which its lines are broken."""
_MOST_LETTERS = 28
"""Characters of a word for which its column makes room, so that it is not divided."""
_STEP = 4
"""Letters between two places where a long word may be divided."""
_LABELS = 0.4
"""The share of the width that the first column of a divided table may take."""
_INVISIBLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff")
_ISOLATES = frozenset("\u2066\u2067\u2068\u2069\ufffe\uffff\ufff9\ufffa\ufffb")
_SPACES = frozenset("\t\n\r\x0b\x0c\x85\u2028\u2029")


@dataclass(frozen=True)
class Heading:
    """A heading; ``level`` 1 is the highest below the title."""

    text: str
    level: int
    key: str


class _Numbered:
    """What has a number of its kind: ``Table 3``, or ``Table 3, part 2 of 4``."""

    kind: ClassVar[str]
    number: int
    part: int = 1
    parts: int = 1

    @property
    def named(self) -> str:
        """Kind and number, which all parts share."""
        return f"{self.kind} {self.number}"

    @property
    def part_named(self) -> str:
        """Which part it is; empty if there is one."""
        return f"part {self.part} of {self.parts}" if self.parts > 1 else ""

    @property
    def label(self) -> str:
        """The name with the part."""
        return ", ".join(filter(None, [self.named, self.part_named]))


@dataclass(frozen=True, kw_only=True)
class PagedTable(_Numbered):
    """A table, or a part of one, that fits the width."""

    kind: ClassVar[str] = "Table"
    number: int
    part: int = 1
    parts: int = 1
    caption: doc.Inline
    heads: tuple[str, ...]
    rows: tuple[tuple[doc.Cell, ...], ...]
    numeric: tuple[bool, ...]  # columns that stand on the right
    # Characters of each column; together at most those of the page.
    widths: tuple[int, ...]
    key: str  # A name for links, never the user's text
    notes: tuple[doc.Inline, ...] = ()  # below the table
    file: str | None = None  # the CSV file that has all rows


@dataclass(frozen=True)
class Picture(_Numbered):
    """A figure with its number."""

    kind: ClassVar[str] = "Figure"
    number: int
    figure: doc.Figure
    key: str


_WholeBlock = doc.Paragraph | doc.Bullets | doc.Facts | doc.Code
"""Blocks that are pieces as they are."""
Piece = Heading | _WholeBlock | PagedTable | Picture


def pieces(document: doc.Document, width: int) -> Iterator[Piece]:
    """Yield the parts of the pages, ``width`` characters wide, below the title."""
    return _Pages(width).of(document.blocks, 1)


def visible(text: str) -> str:
    """Return text on one line, in which no character is hidden or turns others round.

    Such a character is shown as its code point.

    Examples
    --------
    >>> visible("a" + chr(0x202E) + "b")
    'aU+202Eb'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def visible_code(text: str) -> list[str]:
    """Return the lines of a program or file, all characters visible."""
    return [
        visible(line.expandtabs(4)) for line in text.replace("\r\n", "\n").split("\n")
    ]


def parts_of(word: str, longest: int) -> list[str]:
    """Return a word as the parts after which a line may end.

    Hyphens end lines separately; letters between them are divided if they are more
    than ``longest``, unless their shape or place depends on those beside them.

    Examples
    --------
    >>> parts_of("abcdefghijk", 10), parts_of("Bergmann-Hommel", 10)
    (['abcd', 'efgh', 'ijk'], ['Bergmann-Hommel'])
    """
    parts = [""]
    for letters in re.findall("[^-]*-|[^-]+", word):
        if len(letters) <= longest or any(map(_joins, letters)):
            parts[-1] += letters
            continue
        parts += [letters[i : i + _STEP] for i in range(0, len(letters), _STEP)]
    return [part for part in parts if part] or [""]


def _joins(character: str) -> bool:
    if character.isascii():
        return False
    turned = unicodedata.bidirectional(character) in ("R", "AL")
    return turned or unicodedata.category(character)[0] in "MC"


def shown(text: doc.Inline) -> tuple[doc.Span, ...]:
    """Return the parts of a text with all their characters visible."""
    return tuple(_visible_span(part) for part in spans(text) if doc.plain((part,)))


def columns_of(text: str) -> int:
    """Return how many columns a text takes; wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def lines_of(text: str, width: int) -> list[str]:
    """Break a text into lines of at most ``width`` columns, words too if they must.

    Examples
    --------
    >>> lines_of("one two three", 7)
    ['one two', 'three']
    >>> lines_of("abcdefgh", 3)
    ['abc', 'def', 'gh']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if columns_of(longer) <= width:
            lines[-1] = longer
            continue
        first, *rest = _cut(word, width)
        lines += [first, *rest] if lines[-1] else []
        if not lines[0]:
            lines = [first, *rest]
    return lines


def _cut(word: str, width: int) -> list[str]:
    """Cut a word that is wider than a line."""
    pieces, used = [""], 0
    for character in word:
        more = columns_of(character)
        if used + more > width and pieces[-1]:
            pieces.append("")
            used = 0
        pieces[-1] += character
        used += more
    return pieces


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _shown(character: str) -> str:
    if character in _SPACES:
        return " "
    hidden = character in _REORDERING or character in _ISOLATES
    if hidden or unicodedata.category(character) in _INVISIBLE:
        return f"U+{ord(character):04X}"
    return character


def _visible_span(part: doc.Span) -> doc.Span:
    if isinstance(part, str):
        return visible(part)
    return replace(part, text=visible(part.text))


@dataclass
class _Pages:
    """Blocks as pieces, with the numbers of tables and figures so far."""

    width: int
    tables: Iterator[int] = field(default_factory=lambda: count(1))
    figures: Iterator[int] = field(default_factory=lambda: count(1))

    def of(self, blocks: Sequence[doc.Block], level: int) -> Iterator[Piece]:
        """Yield the pieces of several blocks."""
        for block in blocks:
            yield from self.block(block, level)

    @singledispatchmethod
    def block(self, block: doc.Block, level: int) -> Iterator[Piece]:
        """Yield the pieces of one block."""
        raise TypeError(f"no pages for {type(block).__name__}")

    @block.register
    def _kept(
        self, block: doc.Paragraph | doc.Bullets | doc.Facts, level: int
    ) -> Iterator[Piece]:
        yield block

    @block.register
    def _code(self, code: doc.Code, level: int) -> Iterator[Piece]:
        if code.file:
            yield doc.Paragraph((f"{code.title}: ", doc.Literal(code.file), "."))
        else:
            yield code

    @block.register
    def _note(self, note: doc.Note, level: int) -> Iterator[Piece]:
        yield doc.Paragraph((doc.Strong(note.title),), "note")
        yield from self.of(note.blocks, level)

    @block.register
    def _lead(self, lead: doc.Lead, level: int) -> Iterator[Piece]:
        yield from self.of(lead.blocks, level)
        if lead.figure is not None:
            yield from self.block(lead.figure, level)

    @block.register
    def _section(
        self, part: doc.Section | doc.FoldedSection, level: int
    ) -> Iterator[Piece]:
        yield Heading(part.title, level, part.key)
        yield from self.of(part.blocks, level + 1)

    @block.register
    def _figure(self, figure: doc.Figure, level: int) -> Iterator[Piece]:
        number = next(self.figures)
        yield Picture(number, figure, f"figure-{number}")

    @block.register
    def _table(self, table: doc.Table, level: int) -> Iterator[Piece]:
        notes = (table.note,) if table.note else ()
        for grid in self.grids(table.caption, table.columns, table.cells(), notes):
            yield replace(grid, file=table.file)

    @block.register
    def _forest(self, forest: doc.Forest, level: int) -> Iterator[Piece]:
        yield from self.of((forest.figure, forest.table), level)

    @block.register
    def _matrix(self, matrix: doc.DecisionMatrix, level: int) -> Iterator[Piece]:
        yield from self.block(matrix.table(), level)

    @block.register
    def _ordering(self, ordering: doc.OrderingTable, level: int) -> Iterator[Piece]:
        columns = (
            doc.Column("Algorithm", "label"),
            doc.Column(ordering.value_title, "estimate"),
            *(doc.Column(title) for title, _ in ordering.groups),
        )
        rows = [
            (doc.Cell(name), value, *_letters(ordering, place))
            for place, (name, value) in enumerate(
                zip(ordering.names, ordering.shown(), strict=True)
            )
        ]
        caption = (
            doc.joined(ordering.caption, SHARED)
            if ordering.groups
            else ordering.caption
        )
        yield from self.grids(caption, columns, rows, ())

    def grids(
        self,
        caption: doc.Inline,
        columns: Sequence[doc.Column],
        rows: Sequence[tuple[doc.Cell, ...]],
        notes: tuple[doc.Inline, ...],
    ) -> Iterator[PagedTable]:
        """Yield a table, in as many parts as the width asks for."""
        number = next(self.tables)
        wanted = [_wanted(c, [r[i] for r in rows]) for i, c in enumerate(columns)]
        parts = _parts(wanted, self.width)
        for place, part in enumerate(parts, start=1):
            widths = _fitted([wanted[i] for i in part], self.width)
            yield PagedTable(
                number=number,
                part=place,
                parts=len(parts),
                caption=caption if place == 1 else "",
                heads=tuple(visible(columns[i].title) for i in part),
                rows=tuple(tuple(row[i] for i in part) for row in rows),
                numeric=tuple(columns[i].numeric for i in part),
                widths=widths,
                key=f"table-{number}" + (f"-{place}" if place > 1 else ""),
                notes=notes if place == len(parts) else (),
            )


@dataclass(frozen=True)
class _ColumnWidth:
    """Characters of a column: those of its longest cell, and the fewest it takes."""

    natural: int
    least: int


def _letters(ordering: doc.OrderingTable, place: int) -> list[doc.Cell]:
    """Return the letter of each group that a name belongs to."""
    return [
        doc.Cell(_letter(i) if marks[place] == "member" else "")
        for i, (_, marks) in enumerate(ordering.groups)
    ]


def _letter(place: int) -> str:
    again, letter = divmod(place, len(_LETTERS))
    return _LETTERS[letter] + (str(again) if again else "")


def _wanted(column: doc.Column, cells: Sequence[doc.Cell]) -> _ColumnWidth:
    texts = [doc.plain(cell.text) + ("*" if cell.marked else "") for cell in cells]
    longest = max([columns_of(text) for text in texts], default=0)
    title = visible(column.title)
    if column.numeric:
        word = max([columns_of(word) for word in title.split()], default=0)
        least = max(longest, min(word, _LEAST_FIGURES))
        return _ColumnWidth(max(least, min(columns_of(title), 14)), least)
    natural = min(max(longest, columns_of(title)), _MOST_WORDS)
    # A word that is wider than its column is split, so names take all their room.
    word = max([columns_of(word) for text in texts for word in text.split()], default=0)
    return _ColumnWidth(
        natural, min(natural, max(_LEAST_WORDS, min(word, _MOST_LETTERS)))
    )


def _parts(wanted: Sequence[_ColumnWidth], width: int) -> list[list[int]]:
    """Return the columns of each part of a table; the first is in every part."""
    first, rest = wanted[0], range(1, len(wanted))
    if sum(w.least + GAP for w in wanted) <= width:
        return [list(range(len(wanted)))]
    start = min(first.natural, max(first.least, math.floor(_LABELS * width))) + GAP
    parts: list[list[int]] = [[0]]
    used = start
    for i in rest:
        if used + wanted[i].least + GAP > width and len(parts[-1]) > 1:
            parts.append([0])
            used = start
        parts[-1].append(i)
        used += wanted[i].least + GAP
    return parts


GAP = 2
"""Characters between two columns."""


def _fitted(wanted: Sequence[_ColumnWidth], width: int) -> tuple[int, ...]:
    """Return the width of each column: natural if there is room, else shared."""
    room = width - GAP * len(wanted) - sum(w.least for w in wanted)
    more = [w.natural - w.least for w in wanted]
    if sum(more) <= room:
        return tuple(w.natural for w in wanted)
    share = max(room, 0) / max(sum(more), 1)
    return tuple(
        max(1, w.least + math.floor(share * m))
        for w, m in zip(wanted, more, strict=True)
    )

"""A document as plain text, for a terminal, a mail or a log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from pycompare.reporting import document as doc
from pycompare.reporting.render import paper

WIDTH = 88
STARS = "* is bold in other formats."
_UNDERLINES = "=-~"


def render(document: doc.Document) -> bytes:
    """Return the document as the bytes of a file."""
    head = [_titled(document.title, "="), _wrapped(document.subtitle)]
    parts = filter(None, [*head, *map(_write, paper.pieces(document, WIDTH))])
    return ("\n\n".join(parts) + "\n").encode("utf-8")


def _wrapped(text: doc.Inline, indent: str = "", first: str | None = None) -> str:
    """Return a paragraph, its lines after ``indent``."""
    lines = paper.lines_of(doc.plain(paper.shown(text)), WIDTH - len(indent))
    start = indent if first is None else first
    return "\n".join([start + lines[0], *(indent + line for line in lines[1:])])


def _titled(text: str, mark: str) -> str:
    lines = paper.lines_of(paper.visible(text), WIDTH)
    return "\n".join([*lines, mark * max(map(paper.columns_of, lines))])


@singledispatch
def _write(piece: paper.Piece) -> str:
    raise TypeError(f"no plain text for {type(piece).__name__}")


@_write.register
def _heading(piece: paper.Heading) -> str:
    return _titled(piece.text, _UNDERLINES[min(piece.level, len(_UNDERLINES)) - 1])


@_write.register
def _text(piece: doc.Paragraph) -> str:
    return _wrapped(piece.text)


@_write.register
def _points(piece: doc.Bullets) -> str:
    return "\n".join(_wrapped(item, "  ", "- ") for item in piece.items)


@_write.register
def _pairs(piece: doc.Facts) -> str:
    return "\n".join(
        _wrapped((f"{n}: ", *paper.shown(v)), "    ", "") for n, v in piece.rows
    )


@_write.register
def _picture(piece: paper.Picture) -> str:
    said = f"{piece.label} (figures/{piece.figure.name}.svg). "
    return _wrapped((said, *paper.shown(piece.figure.caption)), "    ", "")


@_write.register
def _listing(piece: doc.Code) -> str:
    return "\n".join(["    " + line for line in paper.visible_code(piece.text)])


@_write.register
def _grid(piece: paper.PagedTable) -> str:
    rule = "-" * (sum(piece.widths) + paper.GAP * (len(piece.widths) - 1))
    lines = [
        _wrapped((f"{piece.label}. ", *paper.shown(piece.caption))),
        "",
        rule,
        *_row([doc.Cell(head) for head in piece.heads], piece),
        rule,
        *(line for row in piece.rows for line in _row(row, piece)),
        rule,
        *([STARS] if any(c.marked for row in piece.rows for c in row) else []),
        *map(_wrapped, piece.notes),
    ]
    return "\n".join(lines)


def _row(cells: Sequence[doc.Cell], piece: paper.PagedTable) -> list[str]:
    """Return one row, as many lines as its highest cell has."""
    columns = [
        paper.lines_of(_marked(cell), width)
        for cell, width in zip(cells, piece.widths, strict=True)
    ]
    height = max(map(len, columns))
    return [
        (" " * paper.GAP)
        .join(
            _aligned(lines[i] if i < len(lines) else "", width, numeric)
            for lines, width, numeric in zip(
                columns, piece.widths, piece.numeric, strict=True
            )
        )
        .rstrip()
        for i in range(height)
    ]


def _marked(cell: doc.Cell) -> str:
    """Return the text of a cell, with a star for bold."""
    return doc.plain(paper.shown(cell.text)) + ("*" if cell.marked else "")


def _aligned(text: str, width: int, numeric: bool) -> str:
    space = " " * max(0, width - paper.columns_of(text))
    return space + text if numeric else text + space

r"""A document as RTF, with tables and figures as submissions want them.

Each table and each figure begins a page of its own, across. Its title and the heads of
its columns are on each page; at the foot of each page are its notes, the file that has
its numbers, and page x of y. The file is ASCII: other characters are ``\u`` escapes, so
that no reader guesses an encoding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import singledispatch

from pycompare.reporting import document as doc
from pycompare.reporting.render import paper

WIDTH = 136
"""Characters of a line of a table."""
_PAPER, _ACROSS, _MARGIN = 16838, 11906, 1134
_TWIPS = _PAPER - 2 * _MARGIN
"""Width of the text in twentieths of a point."""
_LINES, _TITLE, _SHARE = 46, 110, 0.85
"""Lines of a table on a page; characters of a line of its title; the share of a
column's characters that fit a line for sure."""
_WIDEST, _HIGHEST, _DOTS = 8.0, 5.2, 200
_BODY, _SMALL, _CODE = 20, 16, 14
"""Sizes of letters in half points."""
_ABOVE, _ROOM = 18, 0.2
"""Space above and below a row in twentieths of a point; both as a share of a line."""
_SIZES = (28, 24, 22, 20)
_STYLES = {"answer": r"\fs24", "method": r"\fs18"}
_FONTS = r"{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fmodern\fcharset0 Courier New;}}"
_COLORS = r"{\colortbl;\red31\green78\blue121;\red191\green191\blue191;}"
_PAGE = (
    rf"\paperw{_PAPER}\paperh{_ACROSS}\landscape\margl{_MARGIN}\margr{_MARGIN}"
    rf"\margt{_MARGIN}\margb{_MARGIN}\headery600\footery600"
)
_SECTION = (
    rf"\sectd\sbkpage\lndscpsxn\pgwsxn{_PAPER}\pghsxn{_ACROSS}\marglsxn{_MARGIN}"
    rf"\margrsxn{_MARGIN}\margtsxn{_MARGIN}\margbsxn{_MARGIN}"
)


def render(document: doc.Document) -> bytes:
    """Return the document as the bytes of a file."""
    start = [r"{\rtf1\ansi\ansicpg1252\deff0\uc1", _FONTS, _COLORS, _styles()]
    body = [_info(document), _PAGE, *_sections(document), "}"]
    return ("\n".join([*start, *body]) + "\n").encode("ascii")


def escape(value: str) -> str:
    r"""Return text of which no character is a command.

    Examples
    --------
    >>> print(escape("a{b} \\par é"))
    a\{b\} \\par \u233?
    """
    return "".join(map(_character, paper.visible(value)))


def _character(character: str) -> str:
    if character in "\\{}":
        return f"\\{character}"
    if character.isascii():
        return character
    units = character.encode("utf-16-le")
    codes = (
        int.from_bytes(units[i : i + 2], "little", signed=True)
        for i in range(0, len(units), 2)
    )
    return "".join(rf"\u{code}?" for code in codes)


# ---- file and pages ------------------------------------------------------------------


def _styles() -> str:
    headings = (
        rf"{{\s{i}\outlinelevel{i - 1}\f0\b\fs{size} heading {i};}}"
        for i, size in enumerate(_SIZES, start=1)
    )
    return rf"{{\stylesheet{{\s0\f0\fs{_BODY} Normal;}}{''.join(headings)}}}"


def _info(document: doc.Document) -> str:
    parts = [rf"{{\title {escape(document.title)}}}"]
    parts.append(rf"{{\author {escape(document.generator)}}}")
    if document.date:
        date = datetime.fromisoformat(document.date)
        day = rf"\yr{date.year}\mo{date.month}\dy{date.day}"
        parts.append(rf"{{\creatim{day}\hr{date.hour}\min{date.minute}}}")
    return rf"{{\info{''.join(parts)}}}"


def _sections(document: doc.Document) -> Iterator[str]:
    """Yield the sections: text, then each table and figure on pages of its own."""
    title = _paragraph(rf"\b\fs36 {escape(document.title)}")
    waiting = [title, _paragraph(_inline(document.subtitle))]
    headings: list[str] = []
    begun = False
    for piece in paper.pieces(document, WIDTH):
        if isinstance(piece, paper.Heading):
            headings.append(_write(piece))
        elif isinstance(piece, paper.PagedTable | paper.Picture):
            if waiting:
                yield _section(document, waiting, (), begun)
            begun = True
            yield _section(document, [*headings, _write(piece)], _notes(piece), True)
            waiting, headings = [], []
        else:
            waiting += [*headings, _write(piece)]
            headings = []
    if waiting or headings:
        yield _section(document, [*waiting, *headings], (), begun)


def _section(
    document: doc.Document, body: Sequence[str], notes: Sequence[doc.Inline], new: bool
) -> str:
    """Return pages with the title of the report above and notes and number below."""
    head = rf"{{\header\pard\plain\f0\fs{_SMALL} {escape(document.title)}\par}}"
    lines = "".join(rf"{{{_inline(note)}\par}}" for note in notes)
    number = (
        rf"{escape(document.generator)}\tab Page {_field('PAGE')} of "
        rf"{_field('NUMPAGES')}\par"
    )
    foot = rf"{{\footer\pard\plain\f0\tqr\tx{_TWIPS}\fs{_SMALL} {lines}{number}}}"
    begin = (r"\sect" if new else "") + _SECTION
    return "\n".join([begin, head, foot, *body])


def _field(code: str) -> str:
    return rf"{{\field{{\*\fldinst {code}}}{{\fldrslt 1}}}}"


def _notes(piece: paper.PagedTable | paper.Picture) -> list[doc.Inline]:
    """Return the notes of a table or figure, and where its numbers are."""
    if isinstance(piece, paper.Picture):
        return [f"Source: figures/{piece.figure.name}.svg, results.json"]
    return [*piece.notes, f"Source: {piece.file or 'results.json'}"]


# ---- texts ---------------------------------------------------------------------------


def _inline(value: doc.Inline) -> str:
    """Return text with its emphasis."""
    return "".join(map(_span, paper.shown(value)))


def _span(part: doc.Span) -> str:
    if isinstance(part, str):
        return escape(part)
    inner = escape(part.text)
    if isinstance(part, doc.Link):
        target = part.target
        where = (
            rf'\\l "{_place(target[1:])}"' if target.startswith("#") else f'"{target}"'
        )
        inside = rf"{{\fldrslt {{\cf1 {inner}}}}}"
        return rf"{{\field{{\*\fldinst HYPERLINK {where}}}{inside}}}"
    marks = {doc.Strong: r"\b", doc.Emphasis: r"\i", doc.Literal: r"\f1"}
    return rf"{{{marks[type(part)]} {inner}}}"


def _place(key: str) -> str:
    return key.replace("-", "_")


def _bookmark(key: str, inside: str) -> str:
    name = _place(key)
    return rf"{{\*\bkmkstart {name}}}{inside}{{\*\bkmkend {name}}}"


def _paragraph(inside: str, marks: str = "") -> str:
    return rf"\pard\sa120{marks}{{{inside}}}\par"


# ---- pieces --------------------------------------------------------------------------


@singledispatch
def _write(piece: paper.Piece) -> str:
    raise TypeError(f"no RTF for {type(piece).__name__}")


@_write.register
def _heading(piece: paper.Heading) -> str:
    level = min(piece.level, len(_SIZES))
    inside = _bookmark(piece.key, escape(piece.text))
    marks = rf"\s{level}\outlinelevel{level - 1}\keepn\sb200\b\fs{_SIZES[level - 1]} "
    return rf"\pard\sa120{marks}{inside}\b0\par"


@_write.register
def _text(piece: doc.Paragraph) -> str:
    size = _STYLES.get(piece.role, rf"\fs{_BODY}")
    keep = r"\keepn" if piece.role == "note" else ""
    return _paragraph(rf"{size} {_inline(piece.text)}", keep)


@_write.register
def _points(piece: doc.Bullets) -> str:
    return "\n".join(
        _paragraph(rf"\fs{_BODY} \bullet\tab {_inline(item)}", r"\fi-300\li300\tx300")
        for item in piece.items
    )


@_write.register
def _pairs(piece: doc.Facts) -> str:
    widths = (40, WIDTH - 40 - 2 * paper.GAP)
    rows = (
        _row([doc.Cell((doc.Strong(name),)), doc.Cell(value)], widths, (False, False))
        for name, value in piece.rows
    )
    return "\n".join([*rows, r"\pard\par"])


@_write.register
def _listing(piece: doc.Code) -> str:
    lines = "\\line\n".join(map(escape, paper.visible_code(piece.text)))
    return _paragraph(rf"\f1\fs{_CODE} {lines}")


@_write.register
def _picture(piece: paper.Picture) -> str:
    title = rf"{{\b {piece.label}.}} {_inline(piece.figure.caption)}"
    lines = [
        _paragraph(rf"\fs{_BODY} {_bookmark(piece.key, title)}", r"\keepn"),
        _paragraph(_image(piece.figure)),
    ]
    return "\n".join(lines)


def _image(figure: doc.Figure) -> str:
    """Return a picture with the text for those who cannot see it."""
    width = figure.fitted(_WIDEST, _HIGHEST)
    png = figure.png(round(_DOTS * width))
    across, down = (int.from_bytes(png[i : i + 4], "big") for i in (16, 20))  # IHDR
    goal = round(1440 * width)
    alt = rf"{{\sp{{\sn wzDescription}}{{\sv {escape(figure.alt)}}}}}"
    size = rf"\picw{across}\pich{down}\picwgoal{goal}\pichgoal{goal * down // across}"
    digits = png.hex()
    lines = (digits[i : i + 128] for i in range(0, len(digits), 128))
    return rf"{{\pict{{\*\picprop{alt}}}\pngblip{size} " + "\n".join(lines) + "}"


@_write.register
def _grid(piece: paper.PagedTable) -> str:
    pages = list(_pages(piece))
    tables = (_table(piece, rows, place > 0) for place, rows in enumerate(pages))
    return "\n\\page\n".join(tables)


def _table(
    piece: paper.PagedTable, rows: Sequence[tuple[doc.Cell, ...]], again: bool
) -> str:
    """Return the part of a table that is on one page, with its title and heads.

    They are no row that a reader's program repeats: not all programs can.
    """
    label = f"{piece.label}, continued" if again else piece.label
    title = rf"{{\b {label}.}} {_inline(piece.caption)}"
    named = title if again else _bookmark(piece.key, title)
    lines = [
        _paragraph(rf"\fs18 {named}", r"\keepn"),
        _row(map(_head, piece.heads), piece.widths, piece.numeric, r"\trhdr"),
        *(_row(row, piece.widths, piece.numeric) for row in rows),
        r"\pard\fs2\par",
    ]
    return "\n".join(lines)


def _head(title: str) -> doc.Cell:
    return doc.Cell((doc.Strong(title),))


def _pages(piece: paper.PagedTable) -> Iterator[list[tuple[doc.Cell, ...]]]:
    """Yield the rows of each page, by the lines that they take."""
    title = len(
        paper.lines_of(
            f"{piece.label}. {doc.plain(paper.shown(piece.caption))}", _TITLE
        )
    )
    above = title + _height(map(_head, piece.heads), piece.widths)
    page: list[tuple[doc.Cell, ...]] = []
    used = above
    for row in piece.rows:
        height = _height(row, piece.widths)
        if page and used + height > _LINES:
            yield page
            page, used = [], above
        page.append(row)
        used += height
    yield page


def _height(cells: Iterable[doc.Cell], widths: Sequence[int]) -> float:
    """Return how many lines a row takes, also in a font that is wider than Arial."""
    return _ROOM + max(
        len(
            paper.lines_of(
                doc.plain(paper.shown(cell.text)), max(1, math.floor(_SHARE * width))
            )
        )
        for cell, width in zip(cells, widths, strict=True)
    )


def _edges(widths: Sequence[int]) -> list[int]:
    """Return the right edge of each column."""
    edges, used = [], 0
    for width in widths:
        used += width + paper.GAP
        edges.append(_TWIPS * used // WIDTH)
    return edges


def _row(
    cells: Iterable[doc.Cell],
    widths: Sequence[int],
    numeric: Sequence[bool],
    more: str = "",
) -> str:
    """Return one row, which is never divided."""
    line = r"\clbrdrb\brdrs\brdrw15" if more else r"\clbrdrb\brdrs\brdrw5\brdrcf2"
    edges = "".join(rf"{line}\cellx{edge}" for edge in _edges(widths))
    inner = "".join(map(_cell, cells, numeric))
    return rf"\trowd\trgaph60\trkeep{more}{edges}" + f"\n{inner}\\row"


def _cell(cell: doc.Cell, numeric: bool) -> str:
    side = "qr" if numeric else "ql"
    bold = r"\b " if cell.marked else ""
    room = rf"\sb{_ABOVE}\sa{_ABOVE}"
    return rf"\pard\intbl{room}\{side}\fs{_SMALL} {{{bold}{_inline(cell.text)}}}\cell "

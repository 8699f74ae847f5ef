"""A document as Markdown with tables (GitHub's flavour).

Each character that could be markup is escaped, so that a label is shown as it is.
Figures are the files beside the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import singledispatch

from pycompare.reporting import document as doc
from pycompare.reporting.render import paper

_NO_LIMIT = 1_000_000
"""Tables are never divided: the reader's program lays them out."""
_MARKUP = re.compile(r"[\\`*_{}\[\]|~$]|:(?=//)|(?<=www)\.")
_ENTITY, _TAG = re.compile("&(?! )"), re.compile(r"<(?![ \d=])")
"""What may begin an entity or a tag, and not ``p < 0.05``."""
_FIRST = re.compile(r"\A(\d*)((?<!\d)[#+\-=>]|(?<=\d)[.)](?!\d))")
"""What begins a heading, list or rule, if a line begins with it."""
_DEEPEST = 6


def render(document: doc.Document) -> bytes:
    """Return the document as the bytes of a file."""
    head = [f"# {_escape(document.title)}", text(document.subtitle)]
    body = (_write(piece) for piece in paper.pieces(document, _NO_LIMIT))
    return ("\n\n".join(filter(None, [*head, *body])) + "\n").encode("utf-8")


def _escape(value: str) -> str:
    r"""Return text of which no character is markup.

    Examples
    --------
    >>> print(_escape("<b>*a* | [x](y)"))
    &lt;b>\*a\* \| \[x\](y)
    """
    safe = _TAG.sub("&lt;", _ENTITY.sub("&amp;", paper.visible(value)))
    return _MARKUP.sub(r"\\\g<0>", safe)


def text(value: doc.Inline, in_table: bool = False) -> str:
    """Return text with its emphasis; nothing at its beginning opens a block."""
    escaped = "".join(_span(part, in_table) for part in paper.shown(value)).lstrip()
    return _FIRST.sub(r"\1\\\2", escaped)


def _span(part: doc.Span, in_table: bool) -> str:
    if isinstance(part, str):
        return _escape(part)
    if isinstance(part, doc.Literal):
        code = _code(part.text)
        return code.replace("|", "\\|") if in_table else code
    if isinstance(part, doc.Link):
        return f"[{_escape(part.text)}](<{part.target}>)"
    mark = {doc.Strong: "**", doc.Emphasis: "*"}[type(part)]
    return f"{mark}{_escape(part.text.strip())}{mark}"


def _code(value: str) -> str:
    """Return text between more backticks than it has in a row."""
    fence = "`" * (1 + _most_ticks(value))
    pad = " " if value.startswith("`") or value.endswith("`") else ""
    return f"{fence}{pad}{value}{pad}{fence}"


def _most_ticks(value: str) -> int:
    return max(map(len, re.findall("`+", value)), default=0)


@singledispatch
def _write(piece: paper.Piece) -> str:
    raise TypeError(f"no Markdown for {type(piece).__name__}")


@_write.register
def _heading(piece: paper.Heading) -> str:
    marks = "#" * min(piece.level + 1, _DEEPEST)
    return f'<a id="{piece.key}"></a>\n\n{marks} {_escape(piece.text)}'


@_write.register
def _text(piece: doc.Paragraph) -> str:
    return text(piece.text)


@_write.register
def _points(piece: doc.Bullets) -> str:
    return "\n".join(f"- {text(item)}" for item in piece.items)


@_write.register
def _pairs(piece: doc.Facts) -> str:
    return "\n".join(f"- {_escape(name)}: {text(value)}" for name, value in piece.rows)


@_write.register
def _picture(piece: paper.Picture) -> str:
    figure = piece.figure
    image = f"![{_escape(figure.alt)}](<figures/{figure.name}.svg>)"
    return f"{image}\n\n**{piece.label}.** {text(figure.caption)}"


@_write.register
def _listing(piece: doc.Code) -> str:
    lines = paper.visible_code(piece.text)
    fence = "`" * max(3, 1 + max(map(_most_ticks, lines), default=0))
    return "\n".join([fence, *lines, fence])


@_write.register
def _grid(piece: paper.PagedTable) -> str:
    marks = ("---:" if numeric else "---" for numeric in piece.numeric)
    lines = [
        _row(map(_escape, piece.heads)),
        _row(marks),
        *(_row(_cells(row)) for row in piece.rows),
    ]
    parts = [f"**{piece.label}.** {text(piece.caption)}", "\n".join(lines)]
    return "\n\n".join([*parts, *map(text, piece.notes)])


def _cells(row: Sequence[doc.Cell]) -> Iterable[str]:
    for cell in row:
        value = text(cell.text, in_table=True)
        yield f"**{value}**" if cell.marked else value


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"

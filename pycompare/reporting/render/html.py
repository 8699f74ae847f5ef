"""A document as one HTML page that needs nothing but itself.

All of a document is values, which are escaped; nothing of it is ever markup. The page
asks for nothing from anywhere, runs no code, and has no style but its own (content
security policy).
"""

from __future__ import annotations

import base64
import hashlib
import re
import string
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, singledispatch
from importlib import resources
from itertools import groupby
from urllib.parse import quote

from pycompare.base.formatting.counts import counted
from pycompare.plotting.svg import themed
from pycompare.reporting import document as doc
from pycompare.reporting.render import forest
from pycompare.reporting.render.markup import Markup, markup, tag, void

MOST_PICTURES = 220_000
"""Bytes of pictures on a page; it links those that do not fit, never the first."""
_LARGE = 300_000
"""Bytes above which a picture, of thousands of marks, has no second width."""
MOST_BYTES = 3_200_000
"""Bytes of a page that has pictures: with much text there is room for fewer."""
MOST_CODE = 4_000
"""Letters of a program with a file that a page shows; longer ones are only there."""
MOST_ROWS = 105
"""Rows of a table that has a file: all pairs of 15 algorithms."""
_DEEPEST = 6
_LINES = re.compile(r"\s*\n\s*")
_SAFE = frozenset(string.ascii_letters + string.digits + " ='/;,?!@$*+-._~")
"""What stands in an address as it is."""
_TOGETHER = re.compile(r"\b(p|n|alpha) ([=<>≤]) (?=[\d.])")
"""What no line ends in: ``p = 0.012``."""
_ROLES: dict[str, str | None] = {"body": None, "note": "note-text"}
"""Classes of paragraphs, if they are not called as their roles are."""
_MARKS = {doc.Strong: "strong", doc.Emphasis: "em", doc.Literal: "code"}


def render(document: doc.Document) -> bytes:
    """Return the whole page as the bytes of its file."""
    return page(document).encode("utf-8")


def page(document: doc.Document) -> str:
    """Return the whole page."""
    own = _Page(MOST_PICTURES, MOST_ROWS)
    text = _whole(document, own)
    over = len(text.encode("utf-8")) - MOST_BYTES
    if over <= 0 or own.room == MOST_PICTURES:
        return text
    return _whole(document, _Page(MOST_PICTURES - own.room - over, MOST_ROWS))


class _Page:
    """What one page has made, and its room.

    ``room``: bytes that are left for its pictures; ``rows``: of a table.
    """

    def __init__(self, room: int, rows: int) -> None:
        self.all_room = self.room = room
        self.rows = rows

    def content(self, blocks: Sequence[doc.Block], level: int) -> Markup:
        """Return blocks one below another; ``level`` is that of headings in them.

        Folded parts that follow one another are together: two beside each other if
        there is room, an open one as wide as the page.
        """
        parts: list[Markup] = []
        for folded, group in groupby(
            blocks, lambda b: isinstance(b, doc.FoldedSection)
        ):
            written = [_write(block, self, level) for block in group]
            parts += [_apart("div", *written, class_="folds")] if folded else written
        return _lines(parts)

    def table(self, table: doc.Table) -> Markup:
        """Return a table with as many rows as the page has room for."""
        most = table.most if table.file is None else min(table.most, self.rows)
        return _table(replace(table, most=most))

    def pictures(self, figure: doc.Figure) -> list[str]:
        """Return a picture as addresses, wide and narrow; none if a page is full."""
        if self.room <= 0:
            return []
        addresses = [data_uri(themed(svg)) for svg in figure.page_svgs()]
        if len(addresses[0]) > _LARGE:
            addresses = addresses[:1]
        size, first = sum(map(len, addresses)), self.room == self.all_room
        if size > self.room and not first:
            return []
        self.room -= size
        return addresses


def _on_paper(document: doc.Document) -> list[Markup]:
    """Return a line for print, which names the programs that are left out there."""
    codes = [b for b in doc.walk(document.blocks) if isinstance(b, doc.Code) and b.file]
    return [
        tag("p", f"{code.title}: ", tag("code", code.file), class_="printed")
        for code in codes
    ]


def _whole(document: doc.Document, own: _Page) -> str:
    """Return the page of a document."""
    style = _asset("page.css")
    policy = "; ".join(
        (
            "default-src 'none'",
            "img-src data:",
            f"style-src {_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    head = _apart(
        "head",
        void("meta", charset="utf-8"),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", http_equiv="Content-Security-Policy", content=Markup(policy)),
        void("meta", name="generator", content=document.generator),
        void("meta", name="color-scheme", content="light dark"),
        tag("title", document.title),
        void("link", rel="icon", href="data:,"),
        tag("style", Markup(style)),
    )
    title = tag("h1", document.title)
    subtitle = tag("p", _inline(document.subtitle), class_="subtitle")
    content = own.content(document.blocks, 2)
    main = tag("main", title, subtitle, "\n", content, *_on_paper(document))
    text = tag("div", main, class_="page")
    body = _apart("body", text)
    html = _apart("html", head, body, lang="en")
    return _lines([Markup("<!DOCTYPE html>"), html, ""])


def _apart(name: str, *parts: str, **attributes: str) -> Markup:
    """Return an element with each of its parts in a line of its own."""
    return tag(name, "\n", _lines(parts), "\n", **attributes)


def _lines(parts: Sequence[str]) -> Markup:
    """Return parts, each in a line of its own."""
    return markup(*[x for part in parts for x in ("\n", part)][1:])


def _inline(text: doc.Inline) -> Markup:
    return markup(*[_span(part) for part in doc.spans(text)])


def _span(part: doc.Span) -> str:
    if isinstance(part, str):
        return _TOGETHER.sub("\\1\u00a0\\2\u00a0", part)
    if isinstance(part, doc.Link):
        file = None if part.target.startswith("#") else ""
        return tag("a", part.text, href=part.target, download=file)
    return tag(_MARKS[type(part)], part.text)


def _heading(part: doc.Section | doc.FoldedSection, level: int) -> Markup:
    return tag(f"h{min(level, _DEEPEST)}", part.title)


# ---- blocks --------------------------------------------------------------------------


@singledispatch
def _write(block: doc.Block, own: _Page, level: int) -> Markup:
    raise TypeError(f"no HTML for {type(block).__name__}")


@_write.register
def _paragraph(paragraph: doc.Paragraph, own: _Page, level: int) -> Markup:
    return tag(
        "p", _inline(paragraph.text), class_=_ROLES.get(paragraph.role, paragraph.role)
    )


@_write.register
def _bullets(bullets: doc.Bullets, own: _Page, level: int) -> Markup:
    return tag("ul", *[tag("li", _inline(item)) for item in bullets.items])


@_write.register
def _facts(facts: doc.Facts, own: _Page, level: int) -> Markup:
    rows = [markup(tag("dt", n), tag("dd", _inline(value))) for n, value in facts.rows]
    return tag("dl", *rows)


@_write.register
def _note(note: doc.Note, own: _Page, level: int) -> Markup:
    title = tag("p", tag("strong", note.title), class_="title")
    inside = own.content(note.blocks, level)
    return tag("aside", title, inside, class_=f"note {note.kind}")


@_write.register
def _code(code: doc.Code, own: _Page, level: int) -> Markup:
    if code.file and len(code.text) > MOST_CODE:
        link = tag("a", code.file, href=code.file, download="")
        lines = f" ({counted(len(code.text.splitlines()), 'line')})"
        return tag("p", f"{code.title}: ", link, lines, class_="files")
    listing = tag("pre", code.text, tabindex="0", aria_label=code.title)
    if not code.file:
        return listing
    return tag("div", listing, class_="filed")


@_write.register
def _lead(lead: doc.Lead, own: _Page, level: int) -> Markup:
    text = tag("div", own.content(lead.blocks, level))
    if lead.figure is None:
        return tag("div", text, class_="lead alone")
    return tag("div", text, _write(lead.figure, own, level), class_="lead")


@_write.register
def _section(section: doc.Section, own: _Page, level: int) -> Markup:
    inside = own.content(section.blocks, level + 1)
    return tag("section", _lines([_heading(section, level), inside]), id=section.key)


@_write.register
def _fold(fold: doc.FoldedSection, own: _Page, level: int) -> Markup:
    title = tag("summary", _heading(fold, level))
    inside = own.content(fold.blocks, level + 1)
    return tag("details", _lines([title, inside]), class_="part", id=fold.key)


@_write.register
def _figure(figure: doc.Figure, own: _Page, level: int) -> Markup:
    if addresses := own.pictures(figure):
        kinds = ("wide", "narrow") if len(addresses) > 1 else (None,)
        shown = [
            void("img", src=address, alt=figure.alt, class_=kind)
            for address, kind in zip(addresses, kinds, strict=True)
        ]
        picture = markup(*shown)
    else:
        file = f"figures/{figure.name}.svg"
        why = "Not shown here, because the page has many pictures:\n    "
        picture = tag(
            "p", why, tag("a", file, href=file), f". {figure.alt}", class_="files"
        )
    return tag("figure", picture, tag("figcaption", _inline(figure.caption)))


@_write.register
def _kept_table(table: doc.Table, own: _Page, level: int) -> Markup:
    return own.table(table)


def _table(table: doc.Table) -> Markup:
    numeric = [column.numeric for column in table.columns]
    heads = [
        tag("th", column.title, scope="col", class_="n" if column.numeric else None)
        for column in table.columns
    ]
    rows = _lines([_row(row, numeric) for row in table.cells()])
    scrolled = _scrolled(
        table.caption, tag("thead", tag("tr", *heads)), tag("tbody", rows)
    )
    if not table.note:
        return scrolled
    return _lines([scrolled, tag("p", _inline(table.note), class_="files")])


def _row(row: Sequence[doc.Cell], numeric: Sequence[bool]) -> Markup:
    """Return one row of a table, the first cell of which names it."""
    cells = [
        tag(
            "td",
            tag("strong", _inline(cell.text)) if cell.marked else _inline(cell.text),
            class_="n" if right else "w",
        )
        for cell, right in zip(row[1:], numeric[1:], strict=True)
    ]
    return tag("tr", tag("th", _inline(row[0].text), scope="row"), *cells)


@_write.register
def _ordering(ordering: doc.OrderingTable, own: _Page, level: int) -> Markup:
    names = [tag("th", name, scope="col") for name in ordering.names]
    shown = [tag("td", _inline(cell.text), class_="n") for cell in ordering.shown()]
    rows = [tag("tr", tag("th", ordering.value_title, scope="row"), *shown)]
    for title, marks in ordering.groups:
        cells = [tag("td", _member(mark), class_=mark or None) for mark in marks]
        rows.append(tag("tr", tag("th", title, scope="row"), *cells, class_="group"))
    return _scrolled(
        ordering.caption,
        tag("thead", tag("tr", tag("td"), *names)),
        tag("tbody", _lines(rows)),
        class_="ordering",
    )


@_write.register
def _forest(block: doc.Forest, own: _Page, level: int) -> Markup:
    return forest.markup_of(block)


@_write.register
def _matrix(matrix: doc.DecisionMatrix, own: _Page, level: int) -> Markup:
    over = [
        tag("th", tag("span", name) if name else "", colspan=str(n), class_="over")
        if name
        else tag("td", colspan=str(n))
        for name, n in matrix.groups
    ]
    titles = [
        tag("th", tag("span", title), scope="col", class_=None if group else "main")
        for group, title in matrix.columns
    ]
    rows = [
        tag("tr", tag("th", name, scope="row"), *map(_mark, marks))
        for name, marks in matrix.rows
    ]
    head = [tag("tr", tag("td"), *over)] if len(matrix.groups) > 1 else []
    first = tag("th", matrix.row_title, scope="col")
    columns = tag("colgroup", void("col", class_="first"))
    table = tag(
        "table",
        columns,
        tag("thead", *head, tag("tr", first, *titles)),
        tag("tbody", _lines(rows)),
        class_="firm",
        aria_label=doc.plain(matrix.caption),
    )
    key = [
        markup(tag("span", class_=mark), text)
        for mark, text in zip(_DOTS, (*matrix.decided, _DIFFERS), strict=True)
    ]
    return _lines([table, tag("p", *[tag("span", k) for k in key], class_="key")])


_DOTS = ("m y", "m", "m c")
"""Classes of the dots: either decision, and one that differs."""
_DIFFERS = "decision differs from the primary analysis"


def _mark(mark: doc.DecisionMark) -> Markup:
    """Return a filled or hollow dot, ringed if it differs, and the same in words."""
    if mark.shown is None:
        changed = " c" if mark.changed else ""
        return tag("td", tag("span", mark.text, class_=f"cnt{changed}"))
    kind = f"m{' y' if mark.shown else ''}{' c' if mark.changed else ''}"
    text = f"{mark.text}{', differs' if mark.changed else ''}"
    return tag("td", tag("span", class_=kind), tag("span", text, class_="v"))


def _member(mark: doc.Membership) -> str:
    """Return in words whether a line of an ordering is about a name."""
    if not mark:
        return ""
    return tag("span", "in the group" if mark == "member" else "not in the group")


def _scrolled(caption: doc.Inline, *parts: Markup, class_: str | None = None) -> Markup:
    """Return a table with its caption, which may be wider than the screen."""
    name = doc.plain(caption)
    table = tag("table", *parts, class_=class_, aria_label=name)
    region = {"tabindex": "0", "class_": "scroll", "role": "region"}
    scroll = tag("div", table, **region, aria_label=name)
    return _lines([tag("p", _inline(caption), class_="caption"), scroll])


# ---- what a page holds beside text ---------------------------------------------------


def _hash(text: str) -> str:
    """Return how a policy allows the style of the page."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@cache
def _asset(name: str) -> str:
    """Return a file that is part of the page."""
    return (
        resources.files("pycompare.reporting.render")
        .joinpath(name)
        .read_text(encoding="utf-8")
    )


def data_uri(svg: str) -> str:
    """Return a picture as an address that needs no network.

    Line breaks are spaces, and only what an address may not hold is encoded: a fifth
    shorter than base64.
    """
    text = _LINES.sub(" ", svg)
    # "%" first: the others become codes that begin with one
    for mark in sorted(set(text) - _SAFE, key="%".__ne__):
        text = text.replace(mark, quote(mark))
    return f"data:image/svg+xml,{text}"

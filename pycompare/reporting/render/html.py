"""A document as one HTML page that needs nothing but itself.

Every character of the document is escaped here; nothing of it is ever markup. The page
asks for nothing from anywhere, and runs no code but its own (content security policy).
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache, singledispatch
from html import escape
from importlib import resources
from urllib.parse import quote

from pycompare.formatting.counts import counted
from pycompare.reporting import document as doc
from pycompare.reporting.document.inline import spans

_LINES = re.compile(r"\s*\n\s*")
_SAFE = " ='/;,?!@$*+-._~"
_LOWEST_HEADING = 6


class Html(str):
    """Text that is markup already."""


def render(document: doc.Document) -> bytes:
    """Return the whole page as the bytes of its file."""
    return page(document).encode("utf-8")


def page(document: doc.Document) -> str:
    """Return the whole page."""
    code = _asset("page.js")
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{_sha256(code)}'"
    )
    head = _tag(
        "head",
        _void("meta", charset="utf-8"),
        _void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        _void("meta", http_equiv="Content-Security-Policy", content=policy),
        _void("meta", name="generator", content=document.generator),
        _void("meta", name="color-scheme", content="light dark"),
        _tag("title", document.title),
        _void("link", rel="icon", href="data:,"),
        _tag("style", Html(_asset("page.css"))),
    )
    body = _tag(
        "body",
        _tag(
            "div",
            _tag(
                "main",
                _tag("h1", document.title),
                _tag("p", _inline(document.subtitle), class_="subtitle"),
                *content(document.blocks, 2),
            ),
            _contents(document),
            class_="page",
        ),
        _tag("script", Html(code)),
    )
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{body}\n</html>\n'


@cache
def _asset(name: str) -> str:
    """Return a file of the page: its style, or its code."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _sha256(code: str) -> str:
    """Return the hash by which the page allows this code and no other."""
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def _tag(name: str, /, *children: str, **attributes: str | None) -> Html:
    """Return an element; what is not ``Html`` is escaped."""
    inside = "".join(c if isinstance(c, Html) else escape(c) for c in children)
    return Html(f"<{name}{_written(attributes)}>{inside}</{name}>")


def _void(name: str, /, **attributes: str | None) -> Html:
    """Return an element without content."""
    return Html(f"<{name}{_written(attributes)}>")


def _written(attributes: dict[str, str | None]) -> str:
    """Return attributes; ``class_`` is class, and None is left out."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
        if value is not None
    )


def _lines(parts: Iterable[str]) -> Html:
    return Html("\n".join(parts))


def _inline(text: doc.Inline) -> Html:
    return Html("".join(map(_span, spans(text))))


def _span(part: doc.Span) -> Html:
    """Return one part of a text."""
    if isinstance(part, str):
        return Html(escape(part))
    if isinstance(part, doc.Link):
        download = None if part.target.startswith("#") else ""
        return _tag("a", part.text, href=part.target, download=download)
    names = {doc.Strong: "strong", doc.Emphasis: "em", doc.Literal: "code"}
    return _tag(names[type(part)], part.text)


def content(blocks: Sequence[doc.Block], level: int) -> list[Html]:
    """Return blocks; ``level`` is that of headings within them."""
    return [block(one, level) for one in blocks]


@singledispatch
def block(one: doc.Block, level: int) -> Html:
    """Return one block."""
    raise TypeError(f"no HTML for {type(one).__name__}")


@block.register
def _paragraph(one: doc.Paragraph, level: int) -> Html:
    return _tag("p", _inline(one.text), class_=None if one.role == "body" else one.role)


@block.register
def _bullets(one: doc.Bullets, level: int) -> Html:
    return _tag("ul", *(_tag("li", _inline(item)) for item in one.items))


@block.register
def _facts(one: doc.Facts, level: int) -> Html:
    rows = (
        Html(_tag("dt", name) + _tag("dd", _inline(value))) for name, value in one.rows
    )
    return _tag("dl", *rows)


@block.register
def _note(one: doc.Note, level: int) -> Html:
    title = _tag("p", _tag("strong", one.title), class_="title")
    return _tag("aside", title, *content(one.blocks, level), class_=f"note {one.kind}")


@block.register
def _code(one: doc.Code, level: int) -> Html:
    return _tag("pre", one.text, tabindex="0", aria_label=one.title)


@block.register
def _lead(one: doc.Lead, level: int) -> Html:
    text = _tag("div", _lines(content(one.blocks, level)))
    if one.figure is None:
        return _tag("div", text, class_="lead alone")
    return _tag("div", text, block(one.figure, level), class_="lead")


@block.register
def _section(one: doc.Section, level: int) -> Html:
    heading = _tag(f"h{min(level, _LOWEST_HEADING)}", one.title)
    inside = _lines(content(one.blocks, level + 1))
    return _tag("section", heading, Html("\n"), inside, id=one.key)


@block.register
def _fold(one: doc.Fold, level: int) -> Html:
    heading = _tag(f"h{min(level, _LOWEST_HEADING)}", one.title)
    inside = _lines(content(one.blocks, level + 1))
    return _tag(
        "details",
        _tag("summary", heading),
        Html("\n"),
        inside,
        class_="part",
        id=one.key,
    )


@block.register
def _figure(one: doc.Figure, level: int) -> Html:
    picture = _void("img", src=data_uri(one.svg), alt=one.alt)
    return _tag("figure", picture, _tag("figcaption", _inline(one.caption)))


def data_uri(svg: str) -> str:
    """Return a picture as an address that needs no network.

    Line breaks are spaces, and only what an address may not hold is encoded: a fifth
    shorter than base64.
    """
    return f"data:image/svg+xml,{quote(_LINES.sub(' ', svg), safe=_SAFE)}"


def _scrolled(caption: doc.Inline, table: Html, *more: Html) -> Html:
    """Return a table with its caption, which may be wider than the screen."""
    said = _tag("p", _inline(caption), class_="caption")
    region = {"role": "region", "aria_label": doc.plain(caption)}
    return _lines(
        [said, _tag("div", table, tabindex="0", class_="scroll", **region), *more]
    )


@block.register
def _table(one: doc.Table, level: int) -> Html:
    heads = (
        _tag("th", c.title, scope="col", class_="n" if c.numeric else None)
        for c in one.columns
    )
    numeric = [c.numeric for c in one.columns]
    rows = [_row_of(cells, numeric) for cells in one.cells()]
    table = _tag(
        "table",
        _tag("thead", _tag("tr", *heads)),
        _tag("tbody", _lines(rows)),
        aria_label=doc.plain(one.caption),
    )
    return _scrolled(one.caption, table, *_omitted(one))


def _omitted(one: doc.Table) -> list[Html]:
    """Say where the rows are that are not shown."""
    if not one.omitted:
        return []
    said = f"The first {one.most} of {counted(len(one.rows), 'row')}."
    if one.file is None:
        return [_tag("p", said, class_="files")]
    link = _tag("a", one.file, href=one.file, download="")
    return [_tag("p", said, " All rows are in ", link, ".", class_="files")]


def _row_of(cells: Sequence[doc.Cell], numeric: Sequence[bool]) -> Html:
    """Return one row; where p-values are marked, that of a significant result."""
    first, *others = cells
    made = [_tag("th", _inline(first.text), scope="row")]
    for cell, figures in zip(others, numeric[1:], strict=True):
        text = _inline(cell.text)
        made.append(
            _tag(
                "td",
                _tag("strong", text) if cell.marked else text,
                class_="n" if figures else "w",
                data_v=None if cell.order is None else repr(float(cell.order)),
            )
        )
    return _tag("tr", *made)


@block.register
def _ordering(one: doc.Ordering, level: int) -> Html:
    heads = (_tag("th", name, scope="col") for name in one.names)
    values = (_tag("td", _inline(cell.text), class_="n") for cell in one.shown())
    rows = [_tag("tr", _tag("th", one.value_title, scope="row"), *values)]
    for title, marks in one.groups:
        drawn = (
            _tag(
                "td",
                _tag(
                    "span", "in the group" if mark == "member" else "not in the group"
                ),
                class_=mark,
            )
            if mark
            else _tag("td")
            for mark in marks
        )
        rows.append(_tag("tr", _tag("th", title, scope="row"), *drawn, class_="group"))
    table = _tag(
        "table",
        _tag("thead", _tag("tr", _tag("td"), *heads)),
        _tag("tbody", _lines(rows)),
        class_="ordering",
        aria_label=doc.plain(one.caption),
    )
    return _scrolled(one.caption, table)


def _contents(document: doc.Document) -> Html:
    """Return the list of sections, and of the sections within them."""
    return _tag(
        "nav",
        _tag("strong", "Contents"),
        _entries(document.blocks, 1),
        aria_label="Contents",
    )


_DEEPEST = 2
"""Levels of headings in the list of contents."""


def _entries(blocks: Sequence[doc.Block], level: int) -> Html:
    """Return the headings of one level as a list, those below them within."""
    found = [
        _tag(
            "li",
            _tag("a", one.title, href=f"#{one.key}"),
            _entries(one.blocks, level + 1)
            if level < _DEEPEST and isinstance(one, doc.Section)
            else Html(""),
        )
        for one in blocks
        if isinstance(one, doc.Section) or (isinstance(one, doc.Fold) and level == 1)
    ]
    return _tag("ol", _lines(found)) if found else Html("")

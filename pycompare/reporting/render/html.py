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
from pycompare.reporting.document import (
    Block,
    Bullets,
    Cell,
    Code,
    Document,
    Emphasis,
    Facts,
    Figure,
    Fold,
    Inline,
    Lead,
    Link,
    Literal,
    Note,
    Ordering,
    Paragraph,
    Section,
    Span,
    Strong,
    Table,
    plain,
)
from pycompare.reporting.document.inline import spans

LINES = re.compile(r"\s*\n\s*")
SAFE = " ='/;,?!@$*+-._~"
LOWEST_HEADING = 6


class Html(str):
    """Text that is markup already."""


def render(document: Document) -> bytes:
    """Return the whole page as the bytes of its file."""
    return page(document).encode("utf-8")


def page(document: Document) -> str:
    """Return the whole page."""
    code = asset("page.js")
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{sha256(code)}'"
    )
    head = tag(
        "head",
        void("meta", charset="utf-8"),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", http_equiv="Content-Security-Policy", content=policy),
        void("meta", name="generator", content=document.generator),
        void("meta", name="color-scheme", content="light dark"),
        tag("title", document.title),
        void("link", rel="icon", href="data:,"),
        tag("style", Html(asset("page.css"))),
    )
    body = tag(
        "body",
        tag(
            "div",
            tag(
                "main",
                tag("h1", document.title),
                tag("p", inline(document.subtitle), class_="subtitle"),
                *content(document.blocks, 2),
            ),
            contents(document),
            class_="page",
        ),
        tag("script", Html(code)),
    )
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{body}\n</html>\n'


@cache
def asset(name: str) -> str:
    """Return a file of the page: its style, or its code."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def sha256(code: str) -> str:
    """Return the hash by which the page allows this code and no other."""
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def tag(name: str, /, *children: str, **attributes: str | None) -> Html:
    """Return an element; what is not ``Html`` is escaped."""
    inside = "".join(c if isinstance(c, Html) else escape(c) for c in children)
    return Html(f"<{name}{written(attributes)}>{inside}</{name}>")


def void(name: str, /, **attributes: str | None) -> Html:
    """Return an element without content."""
    return Html(f"<{name}{written(attributes)}>")


def written(attributes: dict[str, str | None]) -> str:
    """Return attributes; ``class_`` is class, and None is left out."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
        if value is not None
    )


def lines(parts: Iterable[str]) -> Html:
    """Join elements, each on its own line."""
    return Html("\n".join(parts))


def inline(text: Inline) -> Html:
    """Return text with its emphasis."""
    return Html("".join(map(span, spans(text))))


def span(part: Span) -> Html:
    """Return one part of a text."""
    if isinstance(part, str):
        return Html(escape(part))
    if isinstance(part, Link):
        download = None if part.target.startswith("#") else ""
        return tag("a", part.text, href=part.target, download=download)
    names = {Strong: "strong", Emphasis: "em", Literal: "code"}
    return tag(names[type(part)], part.text)


def content(blocks: Sequence[Block], level: int) -> list[Html]:
    """Return blocks; ``level`` is that of headings within them."""
    return [block(one, level) for one in blocks]


@singledispatch
def block(one: Block, level: int) -> Html:
    """Return one block."""
    raise TypeError(f"no HTML for {type(one).__name__}")


@block.register
def _paragraph(one: Paragraph, level: int) -> Html:
    return tag("p", inline(one.text), class_=None if one.role == "body" else one.role)


@block.register
def _bullets(one: Bullets, level: int) -> Html:
    return tag("ul", *(tag("li", inline(item)) for item in one.items))


@block.register
def _facts(one: Facts, level: int) -> Html:
    rows = (
        Html(tag("dt", name) + tag("dd", inline(value))) for name, value in one.rows
    )
    return tag("dl", *rows)


@block.register
def _note(one: Note, level: int) -> Html:
    title = tag("p", tag("strong", one.title), class_="title")
    return tag("aside", title, *content(one.blocks, level), class_=f"note {one.kind}")


@block.register
def _code(one: Code, level: int) -> Html:
    return tag("pre", one.text, tabindex="0", aria_label=one.title)


@block.register
def _lead(one: Lead, level: int) -> Html:
    text = tag("div", lines(content(one.blocks, level)))
    if one.figure is None:
        return tag("div", text, class_="lead alone")
    return tag("div", text, block(one.figure, level), class_="lead")


@block.register
def _section(one: Section, level: int) -> Html:
    heading = tag(f"h{min(level, LOWEST_HEADING)}", one.title)
    inside = lines(content(one.blocks, level + 1))
    return tag("section", heading, Html("\n"), inside, id=one.key)


@block.register
def _fold(one: Fold, level: int) -> Html:
    heading = tag(f"h{min(level, LOWEST_HEADING)}", one.title)
    inside = lines(content(one.blocks, level + 1))
    return tag(
        "details",
        tag("summary", heading),
        Html("\n"),
        inside,
        class_="part",
        id=one.key,
    )


@block.register
def _figure(one: Figure, level: int) -> Html:
    picture = void("img", src=data_uri(one.svg), alt=one.alt)
    return tag("figure", picture, tag("figcaption", inline(one.caption)))


def data_uri(svg: str) -> str:
    """Return a picture as an address that needs no network.

    Line breaks are spaces, and only what an address may not hold is encoded: a fifth
    shorter than base64.
    """
    return f"data:image/svg+xml,{quote(LINES.sub(' ', svg), safe=SAFE)}"


def scrolled(caption: Inline, table: Html, *more: Html) -> Html:
    """Return a table with its caption, which may be wider than the screen."""
    said = tag("p", inline(caption), class_="caption")
    region = {"role": "region", "aria_label": plain(caption)}
    return lines(
        [said, tag("div", table, tabindex="0", class_="scroll", **region), *more]
    )


@block.register
def _table(one: Table, level: int) -> Html:
    heads = (
        tag("th", c.title, scope="col", class_="n" if c.numeric else None)
        for c in one.columns
    )
    numeric = [c.numeric for c in one.columns]
    rows = [row_of(cells, numeric) for cells in one.cells()]
    table = tag(
        "table",
        tag("thead", tag("tr", *heads)),
        tag("tbody", lines(rows)),
        aria_label=plain(one.caption),
    )
    return scrolled(one.caption, table, *omitted(one))


def omitted(one: Table) -> list[Html]:
    """Say where the rows are that are not shown."""
    if not one.omitted:
        return []
    said = f"The first {one.most} of {counted(len(one.rows), 'row')}."
    if one.file is None:
        return [tag("p", said, class_="files")]
    link = tag("a", one.file, href=one.file, download="")
    return [tag("p", said, " All rows are in ", link, ".", class_="files")]


def row_of(cells: Sequence[Cell], numeric: Sequence[bool]) -> Html:
    """Return one row; where p-values are marked, that of a significant result."""
    first, *others = cells
    made = [tag("th", inline(first.text), scope="row")]
    for cell, figures in zip(others, numeric[1:], strict=True):
        text = inline(cell.text)
        made.append(
            tag(
                "td",
                tag("strong", text) if cell.marked else text,
                class_="n" if figures else "w",
                data_v=None if cell.order is None else repr(float(cell.order)),
            )
        )
    return tag("tr", *made)


@block.register
def _ordering(one: Ordering, level: int) -> Html:
    heads = (tag("th", name, scope="col") for name in one.names)
    values = (tag("td", inline(cell.text), class_="n") for cell in one.shown())
    rows = [tag("tr", tag("th", one.value_title, scope="row"), *values)]
    for title, marks in one.groups:
        drawn = (
            tag(
                "td",
                tag("span", "in the group" if mark == "member" else "not in the group"),
                class_=mark,
            )
            if mark
            else tag("td")
            for mark in marks
        )
        rows.append(tag("tr", tag("th", title, scope="row"), *drawn, class_="group"))
    table = tag(
        "table",
        tag("thead", tag("tr", tag("td"), *heads)),
        tag("tbody", lines(rows)),
        class_="ordering",
        aria_label=plain(one.caption),
    )
    return scrolled(one.caption, table)


def contents(document: Document) -> Html:
    """Return the list of sections, and of the sections within them."""
    return tag(
        "nav",
        tag("strong", "Contents"),
        entries(document.blocks, 1),
        aria_label="Contents",
    )


DEEPEST = 2
"""Levels of headings in the list of contents."""


def entries(blocks: Sequence[Block], level: int) -> Html:
    """Return the headings of one level as a list, those below them within."""
    found = [
        tag(
            "li",
            tag("a", one.title, href=f"#{one.key}"),
            entries(one.blocks, level + 1)
            if level < DEEPEST and isinstance(one, Section)
            else Html(""),
        )
        for one in blocks
        if isinstance(one, Section) or (isinstance(one, Fold) and level == 1)
    ]
    return tag("ol", lines(found)) if found else Html("")

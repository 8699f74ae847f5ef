"""A document as one HTML page that needs nothing but itself.

The template ``page.html`` escapes every character of the document; nothing of it is
ever markup. The page asks for nothing from anywhere, and has no code and no style but
its own (content security policy).
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, StrictUndefined, Template

from pycompare.reporting import document as doc

MOST_PICTURES = 2_000_000
"""Bytes of pictures on a page; it links those that come later."""
MOST_BYTES = 3_200_000
"""Bytes of a page that has pictures: with much text there is room for fewer."""
MOST_ROWS, _FEWEST_ROWS = 8_000, 100
"""Rows of all tables of a page, and of each that has a file where they are more."""
_LINES = re.compile(r"\s*\n\s*")
_SAFE = " ='/;,?!@$*+-._~"
_MARKS = {"Strong": "strong", "Emphasis": "em", "Literal": "code"}


def render(document: doc.Document) -> bytes:
    """Return the whole page as the bytes of its file."""
    return page(document).encode("utf-8")


def page(document: doc.Document) -> str:
    """Return the whole page."""
    style, code = _asset("page.css"), _asset("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            "img-src data:",
            f"style-src {_hash(style)}",
            f"script-src {_hash(code)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    rows = sum(len(one.rows) for one in document.walk() if isinstance(one, doc.Table))
    most = _FEWEST_ROWS if rows > MOST_ROWS else rows
    own = _Page(MOST_PICTURES, most)
    made = str(own.macros.page(document, style, code, policy))
    over = len(made.encode("utf-8")) - MOST_BYTES
    if over <= 0 or own.room == MOST_PICTURES:
        return made
    own.room = MOST_PICTURES - own.room - over
    return str(own.macros.page(document, style, code, policy))


class _Page:
    """The macros of the template for one page, and its room.

    ``room``: bytes that are left for its pictures; ``rows``: of a table. Tables are
    made once, also for a page that is made again with fewer pictures.
    """

    def __init__(self, room: int, rows: int) -> None:
        self.room, self.rows = room, rows
        self.tables: dict[tuple[int, int], tuple[doc.Table, str]] = {}
        own = {"block": self.block, "picture": self.picture}
        self.macros: Any = _template().make_module(own)

    def block(self, one: doc.Block, level: int) -> str:
        """Return one block."""
        if not isinstance(one, doc.Table):
            return self._made(one, level)
        at = id(one), level  # the table is kept, so that no other has its id
        if at not in self.tables:
            most = one.most if one.file is None else min(one.most, self.rows)
            made = self._made(replace(one, most=most), level)
            self.tables[at] = one, made
        return self.tables[at][1]

    def _made(self, one: doc.Block, level: int) -> str:
        """Return one block as its macro makes it."""
        macro = getattr(self.macros, _kind(one), None)
        if macro is None:
            raise TypeError(f"no HTML for {_kind(one)}")
        made: str = macro(one, level)
        return made

    def picture(self, one: doc.Figure) -> str:
        """Return a picture as an address; nothing where the page is full."""
        if self.room <= 0:
            return ""
        made = data_uri(one.svg)
        self.room -= len(made)
        return made


def _hash(text: str) -> str:
    """Return how a policy allows one style or script of the page."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _kind(one: object) -> str:
    return type(one).__name__


@cache
def _asset(name: str) -> str:
    """Return a file of the page: its template, its style, or its code."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    """Return the template of all pages."""
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.globals |= {"MARKS": _MARKS, "kind": _kind, "plain": doc.plain}
    return environment.from_string(_asset("page.html"))


def data_uri(svg: str) -> str:
    """Return a picture as an address that needs no network.

    Line breaks are spaces, and only what an address may not hold is encoded: a fifth
    shorter than base64.
    """
    return f"data:image/svg+xml,{quote(_LINES.sub(' ', svg), safe=_SAFE)}"

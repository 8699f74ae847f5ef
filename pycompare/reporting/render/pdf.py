"""A document as PDF, for archives (PDF/A-3a) and for all readers (PDF/UA-1).

typst (the extra ``pdf``) lays the pages out after ``pages.typ``; what the document
holds reaches it as data, never as markup. Fonts are Matplotlib's, which are on every
machine if there are figures, so the same document gives the same bytes. Characters
that they lack are written as their code points, and the document states this at its
end.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import singledispatchmethod
from importlib import resources
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from pycompare.base.formatting.counts import counted
from pycompare.plotting import fonts
from pycompare.reporting import document as doc
from pycompare.reporting.render import paper

_WIDTH = 88
"""Characters of a line of a table."""
_STANDARDS = ("a-3a", "ua-1")
_WIDEST, _HIGHEST = 6.4, 8.6
_SHARE = 0.85
"""Of the natural size of figures: their letters are then as large as captions."""
"""Inches of a picture."""
_LONGEST_HEADER = 90
_LONG, _LONG_IN_CELLS = 24, 12
"""Letters of words that are never broken."""
_KINDS = {doc.Strong: "strong", doc.Emphasis: "emphasis", doc.Literal: "literal"}
_TYPES = {".json": "application/json", ".csv": "text/csv", ".R": "text/x-r"}
TemplateData = dict[str, Any]


def render(document: doc.Document, standards: Sequence[str] = _STANDARDS) -> bytes:
    """Return the document as the bytes of a file that declares ``standards``."""
    import typst

    template = (
        resources.files("pycompare.reporting.render").joinpath("pages.typ").read_bytes()
    )
    date = datetime.fromisoformat(document.date or "1980-01-01T00:00:00+00:00")
    compiled: Any = typst.compile
    pdf: bytes = compiled(
        template,
        font_paths=[str(fonts.font_file().parent)],
        ignore_system_fonts=True,
        sys_inputs={"document": json.dumps(_data(document))},
        pdf_standards=list(standards),
        timestamp=date.astimezone(UTC),
    )
    return _unambiguous(pdf)


def _unambiguous(pdf: bytes) -> bytes:
    """Return a PDF in which the end of no stream can be read in two ways.

    Data that end with a carriage return look shorter by one byte to readers that take
    it for half of the line's end, as some checkers of PDF/A do. A second one is then
    put behind them, if it is no part of the data.
    """
    start = int(pdf[pdf.rindex(b"startxref") + 9 :].split()[0])
    offsets = [int(m[1]) for m in _ENTRY.finditer(pdf, start)]
    places = [
        m.start() for m in _END.finditer(pdf) if _is_data(pdf, m.start(), offsets)
    ]
    if not places:
        return pdf

    def moved(offset: int) -> int:
        return offset + bisect_left(places, offset)

    cuts = [0, *(place + 1 for place in places), start]
    body = b"\r".join(pdf[i:j] for i, j in pairwise(cuts))
    table = _ENTRY.sub(lambda m: b"%010d 00000 n" % moved(int(m[1])), pdf[start:])
    return body + _START.sub(b"startxref\n%d" % moved(start), table)


_ENTRY = re.compile(rb"(\d{10}) 00000 n")
_END = re.compile(rb"\r\nendstream")
_START = re.compile(rb"startxref\s+\d+")


def _is_data(pdf: bytes, place: int, offsets: Sequence[int]) -> bool:
    """Return whether the byte at ``place`` is the last of a stream."""
    begin = max(offset for offset in offsets if offset <= place)
    head = pdf[begin : pdf.index(b"stream\n", begin)]
    length = re.search(rb"/Length (\d+)", head)
    assert length is not None
    return begin + len(head) + len(b"stream\n") + int(length[1]) == place + 1


def _data(document: doc.Document) -> TemplateData:
    """Return the document as the template reads it."""
    pieces = list(paper.pieces(document, _WIDTH))
    writer = _PdfWriter(
        {
            p.key
            for p in pieces
            if isinstance(p, paper.Heading | paper.PagedTable | paper.Picture)
        }
    )
    title = writer.letters(paper.visible(document.title))
    more = "…" if len(title) > _LONGEST_HEADER else ""
    written = [writer.write(piece) for piece in pieces]
    return {
        "title": title,
        "running": title[:_LONGEST_HEADER] + more,
        "generator": writer.letters(paper.visible(document.generator)),
        "subtitle": writer.text(document.subtitle),
        # The note comes after all pieces, which tell what is missing.
        "pieces": [*written, *writer.missing_note()],
        "files": list(map(_file, document.files)),
    }


def _file(attachment: doc.Attachment) -> TemplateData:
    kind = _TYPES.get(Path(attachment.name).suffix, "text/plain")
    return {
        "name": attachment.name,
        "text": attachment.text,
        "about": attachment.about,
        "type": kind,
    }


@dataclass
class _PdfWriter:
    """Pieces as data; ``places`` are what links may lead to."""

    places: set[str]
    missing: set[str] = field(default_factory=set)

    def letters(self, text: str) -> str:
        """Return text in which characters that the font lacks are code points."""
        if text.isascii():
            return text
        groups = groupby(text, key=fonts.is_missing)
        return "".join(
            self.codes("".join(letters)) if gone else "".join(letters)
            for gone, letters in groups
        )

    def codes(self, text: str) -> str:
        """Return characters as their code points."""
        self.missing |= set(text)
        return f"[{' '.join(map(fonts.code_point, text))}]"

    def words(self, text: str, longest: int = _LONG) -> list[str]:
        """Return a text as parts after which a line may end."""
        parts = [""]
        for place, word in enumerate(self.letters(text).split(" ")):
            first, *rest = paper.parts_of(word, longest)
            parts[-1] += f" {first}" if place else first
            parts += rest
        return parts

    def text(self, text: doc.Inline, longest: int = _LONG) -> list[TemplateData]:
        """Return text with its emphasis."""
        return [self.span(part, longest) for part in paper.shown(text)]

    def span(self, part: doc.Span, longest: int) -> TemplateData:
        """Return one part of a text."""
        if isinstance(part, str):
            return {"kind": "text", "words": self.words(part, longest)}
        written: TemplateData = {
            "kind": "text",
            "words": self.words(part.text, longest),
        }
        if isinstance(part, doc.Link):
            place = part.target.removeprefix("#")
            if place == part.target:
                return written | {"kind": "file", "to": part.target}
            return written | (
                {"kind": "place", "to": place} if place in self.places else {}
            )
        return written | {"kind": _KINDS[type(part)]}

    def missing_note(self) -> list[TemplateData]:
        """Return which characters are written as code points, if any are."""
        if not self.missing:
            return []
        n = counted(len(self.missing), "character")
        said = (
            f"Note: the font of this file lacks {n}, written here as code points in "
            "brackets. Formats with the reader's fonts (html, docx, rtf) show them."
        )
        return [{"kind": "text", "style": "method", "text": self.text(said)}]

    @singledispatchmethod
    def write(self, piece: paper.Piece) -> TemplateData:
        """Return one piece."""
        raise TypeError(f"no PDF for {type(piece).__name__}")

    @write.register
    def _heading(self, piece: paper.Heading) -> TemplateData:
        text = self.words(paper.visible(piece.text))
        return {"kind": "heading", "level": piece.level, "key": piece.key, "text": text}

    @write.register
    def _text(self, piece: doc.Paragraph) -> TemplateData:
        return {"kind": "text", "style": piece.role, "text": self.text(piece.text)}

    @write.register
    def _points(self, piece: doc.Bullets) -> TemplateData:
        return {"kind": "points", "items": list(map(self.text, piece.items))}

    @write.register
    def _pairs(self, piece: doc.Facts) -> TemplateData:
        rows = [
            {"name": self.words(paper.visible(name)), "value": self.text(value)}
            for name, value in piece.rows
        ]
        return {"kind": "pairs", "rows": rows}

    @write.register
    def _listing(self, piece: doc.Code) -> TemplateData:
        lines = []
        for line in paper.visible_code(piece.text):
            inside = line.lstrip(" ")
            indent = len(line) - len(inside)
            lines.append({"indent": indent, "words": self.words(inside)})
        return {"kind": "listing", "lines": lines}

    @write.register
    def _picture(self, piece: paper.Picture) -> TemplateData:
        figure = piece.figure
        return {
            "kind": "picture",
            "label": piece.label,
            "key": piece.key,
            "svg": figure.outlined_svg,
            "width": _SHARE * figure.fitted(_WIDEST / _SHARE, _HIGHEST / _SHARE),
            "alt": paper.visible(figure.alt),
            "caption": self.text(figure.caption),
        }

    @write.register
    def _grid(self, piece: paper.PagedTable) -> TemplateData:
        return {
            "kind": "grid",
            "label": piece.label,
            "key": piece.key,
            "caption": self.text(piece.caption),
            "heads": [self.words(head, _LONG_IN_CELLS) for head in piece.heads],
            "numeric": list(piece.numeric),
            "widths": [(width + paper.GAP) / _WIDTH for width in piece.widths],
            "rows": [list(map(self.cell, row)) for row in piece.rows],
            "notes": list(map(self.text, piece.notes)),
        }

    def cell(self, cell: doc.Cell) -> TemplateData:
        """Return one cell."""
        return {
            "text": self.text(cell.text, _LONG_IN_CELLS),
            "marked": bool(cell.marked),
        }

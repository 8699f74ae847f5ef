"""A document as a Word file (.docx): tables, captions and references are Word's own.

The body is written as WordprocessingML with every text escaped; python-docx (the extra
``docx``) holds the package: styles, pictures, headers. The same document gives the same
bytes: no identifier is random and no time is the clock's.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import singledispatchmethod
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from pycompare.reporting import document as doc
from pycompare.reporting.render import paper

_WIDTH = 96
"""Characters of a line of a table."""
_FONT, _MONO = "Arial", "Courier New"
_TWIPS, _EMU = 9630, 914_400
"""Width of the text in twentieths of a point (17 cm); units of drawings in an inch."""
_WIDEST, _HIGHEST = 6.4, 8.6
"""Inches of a picture."""
_DOTS = 200
"""Dots an inch of pictures."""
_DEEPEST, _LISTED = 4, 2
"""Levels of headings, and those in the list of contents."""
_LONGEST_HEADER = 90
_STYLES = {"answer": "Answer", "method": "Method", "note": "Note"}
_EPOCH = (1980, 1, 1, 0, 0, 0)
_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
)
_RULES = (
    "<w:tblBorders>"
    '<w:top w:val="single" w:sz="8" w:space="0" w:color="auto"/>'
    '<w:bottom w:val="single" w:sz="8" w:space="0" w:color="auto"/>'
    '<w:insideH w:val="single" w:sz="2" w:space="0" w:color="BFBFBF"/>'
    "</w:tblBorders>"
)


def render(document: doc.Document) -> bytes:
    """Return the document as the bytes of a file."""
    import docx

    package = docx.Document()
    _set_styles(package)
    _set_page(package, document)
    writer = _DocxWriter(package.part)
    body = "".join(writer.document(document))
    _append(package, body)
    _set_properties(package, document)
    file = io.BytesIO()
    package.save(file)
    return _same_bytes(file.getvalue())


def _append(package: Any, body: str) -> None:
    """Put elements into the body, before the properties of its section."""
    from docx.oxml import parse_xml

    holder = parse_xml(f"<w:body {_NAMESPACES}>{body}</w:body>")
    end = package.element.body.sectPr
    for element in list(holder):
        end.addprevious(element)


def _same_bytes(content: bytes) -> bytes:
    """Pack a file again without the time at which it was made."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.external_attr = 0o600 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(name))
    return file.getvalue()


def _set_properties(package: Any, document: doc.Document) -> None:
    """Set the properties of the file; without a date it is that of the format."""
    created = datetime(*_EPOCH, tzinfo=UTC)
    if document.date:
        created = datetime.fromisoformat(document.date).astimezone(UTC)
    properties = package.core_properties
    properties.title = paper.visible(document.title)[:255]
    properties.author = properties.last_modified_by = paper.visible(document.generator)[
        :255
    ]
    properties.comments = properties.keywords = ""
    properties.created = properties.modified = created.replace(tzinfo=None)
    properties.revision = 1
    properties.language = "en"


# ---- styles and pages ----------------------------------------------------------------


def _set_styles(package: Any) -> None:
    """Set fonts and distances; black text, as print wants it."""
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt, RGBColor

    styles = package.styles
    sizes: dict[str, float] = {"Normal": 10, "Caption": 9, "Title": 18, "Subtitle": 10}
    sizes |= {f"Heading {i}": (14, 12, 11, 10)[i - 1] for i in range(1, _DEEPEST + 1)}
    for name, base in (
        ("Answer", "Normal"),
        ("Method", "Normal"),
        ("Note", "Normal"),
        ("Cell", "Normal"),
        ("Contents", "Normal"),
        ("Listing", "Normal"),
    ):
        new_style = styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
        new_style.base_style = styles[base]
    sizes |= {"Answer": 12, "Method": 9, "Cell": 8, "Contents": 9, "Listing": 7.5}
    for name, size in sizes.items():
        style = styles[name]
        style.font.size = Pt(size)
        style.font.color.rgb = RGBColor(0, 0, 0)
        _set_font(style, _MONO if name == "Listing" else _FONT)
    styles["Subtitle"].font.italic = False
    styles["Caption"].font.bold = False
    styles["Note"].paragraph_format.keep_with_next = True
    styles["Caption"].paragraph_format.keep_with_next = True
    styles["Normal"].paragraph_format.space_after = Pt(6)
    for name in ("Cell", "Contents", "Listing"):
        styles[name].paragraph_format.space_after = Pt(0)


def _set_font(style: Any, name: str) -> None:
    """Set the font of a style for all scripts; another font stands in if it must."""
    from docx.oxml.ns import qn

    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for key in list(fonts.attrib):
        del fonts.attrib[key]
    for key in ("w:ascii", "w:hAnsi", "w:cs"):
        fonts.set(qn(key), name)


def _set_page(package: Any, document: doc.Document) -> None:
    """Set the paper, the running title, and page x of y."""
    from docx.oxml import parse_xml
    from docx.shared import Cm

    section = package.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2)
    section.top_margin = section.bottom_margin = Cm(2.2)
    title = paper.visible(document.title)
    if len(title) > _LONGEST_HEADER:
        title = f"{title[:_LONGEST_HEADER]}…"
    footer = (
        f"{_run(paper.visible(document.generator)[:_LONGEST_HEADER])}<w:r><w:tab/></w:r>"
        f"{_run('Page ')}{_field('PAGE', '1')}{_run(' of ')}{_field('NUMPAGES', '1')}"
    )
    tab = f'<w:tabs><w:tab w:val="right" w:pos="{_TWIPS}"/></w:tabs>'
    for part, inside in ((section.header, _run(title)), (section.footer, footer)):
        start = f'<w:p {_NAMESPACES}><w:pPr><w:pStyle w:val="Cell"/>{tab}</w:pPr>'
        old = part.paragraphs[0]._p
        old.addprevious(parse_xml(f"{start}{inside}</w:p>"))
        old.getparent().remove(old)


# ---- texts ---------------------------------------------------------------------------


def _run(text: str, marks: str = "") -> str:
    """Return runs of text; letters that run from right to left are their own."""
    return "".join(
        f"<w:r>{_marks(marks, turned)}"
        f'<w:t xml:space="preserve">{escape("".join(letters))}</w:t></w:r>'
        for turned, letters in groupby(text, key=_from_right)
    )


def _marks(marks: str, turned: bool) -> str:
    properties = marks + "<w:rtl/>" * turned
    return f"<w:rPr>{properties}</w:rPr>" if properties else ""


def _from_right(character: str) -> bool:
    return not character.isascii() and unicodedata.bidirectional(character) in (
        "R",
        "AL",
    )


def _field(code: str, result: str, marks: str = "") -> str:
    """Return a field that Word computes, with its result so far."""
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {code} </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        f"{_run(result, marks)}"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def _paragraph(inside: str, style: str = "Normal", more: str = "") -> str:
    name = style.replace(" ", "")
    return f'<w:p><w:pPr><w:pStyle w:val="{name}"/>{more}</w:pPr>{inside}</w:p>'


def _place(key: str) -> str:
    """Return the name of a bookmark."""
    return re.sub(r"\W", "_", key)[:40]


# ---- pieces --------------------------------------------------------------------------


@dataclass
class _DocxWriter:
    """Pieces as elements of the body; pictures and files go to ``part``."""

    part: Any
    bookmarks: int = 0
    drawings: int = 0
    targets: dict[str, str] = field(default_factory=dict)

    def document(self, document: doc.Document) -> Iterator[str]:
        """Yield everything."""
        pieces = list(paper.pieces(document, _WIDTH))
        yield _paragraph(_run(paper.visible(document.title)), "Title")
        if document.subtitle:
            yield _paragraph(self.text(document.subtitle), "Subtitle")
        yield from _contents(pieces)
        for piece in pieces:
            yield from self.write(piece)

    def bookmark(self, key: str, inside: str) -> str:
        """Return elements to which links lead."""
        self.bookmarks += 1
        number = self.bookmarks
        return (
            f'<w:bookmarkStart w:id="{number}" w:name="{_place(key)}"/>{inside}'
            f'<w:bookmarkEnd w:id="{number}"/>'
        )

    def text(self, text: doc.Inline, marks: str = "") -> str:
        """Return text with its emphasis."""
        return "".join(self.span(part, marks) for part in paper.shown(text))

    def span(self, part: doc.Span, marks: str) -> str:
        """Return one part of a text."""
        if isinstance(part, str):
            return _run(part, marks)
        if isinstance(part, doc.Link):
            return self.link(part, marks)
        mono = f'<w:rFonts w:ascii="{_MONO}" w:hAnsi="{_MONO}" w:cs="{_MONO}"/>'
        more = {doc.Strong: "<w:b/>", doc.Emphasis: "<w:i/>", doc.Literal: mono}[
            type(part)
        ]
        return _run(part.text, more if more in marks else f"{more}{marks}")

    def link(self, part: doc.Link, marks: str) -> str:
        """Return a link to a place, or to a file beside the document."""
        if part.target.startswith("#"):
            where = f'w:anchor="{_place(part.target[1:])}"'
        else:
            where = f'r:id="{self.relation(part.target)}"'
        blue = f'<w:color w:val="1F4E79"/>{marks}'
        return f"<w:hyperlink {where}>{_run(part.text, blue)}</w:hyperlink>"

    def relation(self, target: str) -> str:
        """Return the number under which the package knows a file."""
        from docx.opc.constants import RELATIONSHIP_TYPE

        if target not in self.targets:
            self.targets[target] = self.part.relate_to(
                target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True
            )
        return self.targets[target]

    @singledispatchmethod
    def write(self, piece: paper.Piece) -> Iterator[str]:
        """Yield one piece."""
        raise TypeError(f"no Word for {type(piece).__name__}")

    @write.register
    def _heading(self, piece: paper.Heading) -> Iterator[str]:
        style = f"Heading {min(piece.level, _DEEPEST)}"
        inside = self.bookmark(piece.key, _run(paper.visible(piece.text)))
        yield _paragraph(inside, style)

    @write.register
    def _text(self, piece: doc.Paragraph) -> Iterator[str]:
        yield _paragraph(self.text(piece.text), _STYLES.get(piece.role, "Normal"))

    @write.register
    def _points(self, piece: doc.Bullets) -> Iterator[str]:
        for item in piece.items:
            yield _paragraph(self.text(item), "List Bullet")

    @write.register
    def _pairs(self, piece: doc.Facts) -> Iterator[str]:
        rows = (
            ((doc.Strong(name),) if name else "", value) for name, value in piece.rows
        )
        widths = (30, _WIDTH - 30 - 2 * paper.GAP)
        cells = ([doc.Cell(name), doc.Cell(value)] for name, value in rows)
        yield self.table(widths, (False, False), (), cells)

    @write.register
    def _listing(self, piece: doc.Code) -> Iterator[str]:
        lines = [_run(line) for line in paper.visible_code(piece.text)]
        yield _paragraph("<w:r><w:br/></w:r>".join(lines), "Listing")
        yield _paragraph("")

    @write.register
    def _picture(self, piece: paper.Picture) -> Iterator[str]:
        more = "<w:keepNext/>"
        yield _paragraph(self.drawing(piece.figure, piece.label), "Normal", more)
        yield self.caption(piece, piece.figure.caption)

    def caption(self, piece: paper.PagedTable | paper.Picture, text: doc.Inline) -> str:
        """Return a caption, whose number Word counts; parts share their number."""
        again = " \\c" * (piece.part > 1)
        code, number = f"SEQ {piece.kind} \\* ARABIC{again}", str(piece.number)
        start = _run(f"{piece.kind} ", _BOLD) + _field(code, number, _BOLD)
        more = _run(f", {piece.part_named}", _BOLD) if piece.part_named else ""
        rest = f"{more}{_run('. ', _BOLD)}{self.text(text)}"
        # A figure's caption is below it: the next piece may be on the next page.
        free = '<w:keepNext w:val="0"/>' * isinstance(piece, paper.Picture)
        return _paragraph(self.bookmark(piece.key, start) + rest, "Caption", free)

    @write.register
    def _grid(self, piece: paper.PagedTable) -> Iterator[str]:
        yield self.caption(piece, piece.caption)
        heads = [doc.Cell((doc.Strong(title),)) for title in piece.heads]
        yield self.table(piece.widths, piece.numeric, heads, piece.rows)
        for note in piece.notes:
            yield _paragraph(self.text(note), "Method")
        yield _paragraph("", "Cell")

    def table(
        self,
        widths: Sequence[int],
        numeric: Sequence[bool],
        heads: Sequence[doc.Cell],
        rows: Iterable[Sequence[doc.Cell]],
    ) -> str:
        """Return a table; its head is repeated on each page, and no row is divided."""
        twips = [_TWIPS * (w + paper.GAP) // _WIDTH for w in widths]
        columns = "".join(f'<w:gridCol w:w="{w}"/>' for w in twips)
        start = (
            f'<w:tblPr><w:tblW w:w="{sum(twips)}" w:type="dxa"/>{_RULES}'
            '<w:tblLayout w:type="fixed"/><w:tblCellMar>'
            '<w:left w:w="50" w:type="dxa"/><w:right w:w="50" w:type="dxa"/>'
            f"</w:tblCellMar></w:tblPr><w:tblGrid>{columns}</w:tblGrid>"
        )
        head = self.row(heads, twips, numeric, "<w:tblHeader/>") if heads else ""
        body = "".join(self.row(row, twips, numeric) for row in rows)
        return f"<w:tbl>{start}{head}{body}</w:tbl>"

    def row(
        self,
        cells: Sequence[doc.Cell],
        twips: Sequence[int],
        numeric: Sequence[bool],
        more: str = "",
    ) -> str:
        """Return one row."""
        columns = zip(cells, twips, numeric, strict=True)
        written = "".join(self.cell(*column, more) for column in columns)
        return f"<w:tr><w:trPr><w:cantSplit/>{more}</w:trPr>{written}</w:tr>"

    def cell(self, cell: doc.Cell, width: int, numeric: bool, head: str) -> str:
        """Return one cell; a head stays on the page of the row below it."""
        side = "<w:keepNext/>" * bool(head) + '<w:jc w:val="right"/>' * numeric
        inside = self.text(cell.text, _BOLD if cell.marked else "")
        return (
            f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
            f"{_paragraph(inside, 'Cell', side)}</w:tc>"
        )

    def drawing(self, figure: doc.Figure, name: str) -> str:
        """Return a picture with the text for those who cannot see it."""
        self.drawings += 1
        width = figure.fitted(_WIDEST, _HIGHEST)
        png = figure.png(round(_DOTS * width))
        key, image = self.part.get_or_add_image(io.BytesIO(png))
        across = round(_EMU * width)
        size = f'cx="{across}" cy="{round(across * image.px_height / image.px_width)}"'
        known = f'id="{self.drawings}" name={quoteattr(name)}'
        alt = quoteattr(paper.visible(figure.alt))
        return (
            '<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0">'
            f"<wp:extent {size}/><wp:docPr {known} descr={alt}/>"
            "<wp:cNvGraphicFramePr/><a:graphic>"
            '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">'
            f"<pic:pic><pic:nvPicPr><pic:cNvPr {known} descr={alt}/><pic:cNvPicPr/>"
            f'</pic:nvPicPr><pic:blipFill><a:blip r:embed="{key}"/><a:stretch>'
            "<a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm>"
            f'<a:off x="0" y="0"/><a:ext {size}/></a:xfrm>'
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>'
            "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
        )


_BOLD = "<w:b/>"


def _contents(pieces: Sequence[paper.Piece]) -> Iterator[str]:
    """Yield the list of sections, then references to all tables and figures."""
    for piece in pieces:
        if isinstance(piece, paper.Heading) and piece.level <= _LISTED:
            indent = f'<w:ind w:left="{360 * (piece.level - 1)}"/>'
            run = _run(paper.visible(piece.text))
            anchor = f'<w:hyperlink w:anchor="{_place(piece.key)}">{run}</w:hyperlink>'
            yield _paragraph(anchor, "Contents", indent)
    numbered = [p for p in pieces if isinstance(p, paper.PagedTable | paper.Picture)]
    references = (
        _field(f"REF {_place(p.key)} \\h", p.named) for p in numbered if p.part == 1
    )
    yield _paragraph(_run(", ").join(references), "Contents")
    yield _paragraph("", "Contents")

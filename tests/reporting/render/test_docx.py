"""Word files: valid, the same bytes again, all of a label as text."""

import io
import re
import zipfile
from collections import Counter
from functools import cache
from xml.etree import ElementTree

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import given, settings

from pycompare.reporting.document import Document, Paragraph
from pycompare.reporting.render import docx as renderer
from pycompare.reporting.render import paper
from tests.reporting.render.samples import LABELS, everything, wide


def opened(document):
    return docx.Document(io.BytesIO(renderer.render(document)))


MARKS = {qn(f"w:{n}") for n in "r t rPr rtl b i color rFonts".split()}
"""Of runs, of which a label has several where its letters change direction."""


def tags(made):
    return Counter(e.tag for e in made.element.body.iter() if e.tag not in MARKS)


@cache
def zebra():
    return tags(opened(everything("zebra")))


@settings(max_examples=25, deadline=None)
@given(LABELS)
def test_a_label_is_text_wherever_it_belongs(label):
    made = opened(everything(label))
    assert tags(made) == zebra()
    text = "".join(t.text or "" for t in made.element.body.iter(qn("w:t")))
    assert text.count(paper.visible(label)) >= 18
    [picture] = made.element.body.iter(qn("wp:docPr"))
    assert picture.get("descr") == paper.visible(label)


def test_the_same_document_is_the_same_bytes():
    first, second = (renderer.render(everything("x")) for _ in range(2))
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as file:
        assert {info.date_time for info in file.infolist()} == {renderer._EPOCH}
        assert file.testzip() is None


def test_properties_are_those_of_the_document():
    date = "2026-11-22T10:00:00+00:00"
    made = opened(Document("A title", "", (), "pycompare 1", date))
    assert made.core_properties.title == "A title"
    assert made.core_properties.author == "pycompare 1"
    assert made.core_properties.created.isoformat() == date


def test_heads_are_repeated_and_no_row_is_divided():
    for table in opened(wide(20)).tables:
        first, *rest = table._tbl.tr_lst
        assert first.find(f"{qn('w:trPr')}/{qn('w:tblHeader')}") is not None
        for row in rest:
            assert row.find(f"{qn('w:trPr')}/{qn('w:tblHeader')}") is None
            assert row.find(f"{qn('w:trPr')}/{qn('w:cantSplit')}") is not None


@pytest.mark.parametrize("n", [2, 20])
def test_no_table_is_wider_than_the_text(n):
    made = opened(wide(n))
    section = made.sections[0]
    room = section.page_width - section.left_margin - section.right_margin
    for table in made.tables:
        assert sum(column.width for column in table.columns) <= room


def test_every_reference_and_link_leads_to_a_place():
    body = opened(everything("x")).element.body
    places = {b.get(qn("w:name")) for b in body.iter(qn("w:bookmarkStart"))}
    codes = [t.text for t in body.iter(qn("w:instrText"))]
    wanted = set(re.findall(r"REF (\w+)", " ".join(codes)))
    wanted |= {a for a in (h.get(qn("w:anchor")) for h in body.iter(qn("w:hyperlink")))}
    assert wanted == {"figure_1", "table_1", "table_2", "k1", "k2"} <= places
    assert sum("SEQ Table" in code for code in codes) == 2


def test_parts_of_a_table_share_its_number():
    body = opened(wide(20)).element.body
    codes = [t.text.strip() for t in body.iter(qn("w:instrText")) if "SEQ" in t.text]
    assert codes.count("SEQ Table \\* ARABIC") == 2
    assert codes.count("SEQ Table \\* ARABIC \\c") == len(codes) - 2 > 0


def test_pages_are_numbered():
    [section] = opened(everything("x")).sections
    text = ElementTree.tostring(section.footer._element, encoding="unicode")
    assert " PAGE " in text and " NUMPAGES " in text


def test_letters_from_right_to_left_are_runs_of_their_own():
    document = Document("t", "", (Paragraph("ab שלום cd"),), "g")
    runs = opened(document).paragraphs[-1].runs
    turned = [(r.text, r._r.find(f".//{qn('w:rtl')}") is not None) for r in runs]
    assert turned == [("ab ", False), ("שלום", True), (" cd", False)]

"""PDF: conforms to PDF/A-3a and PDF/UA-1, holds its text and its files."""

import json
import re
import zlib
from dataclasses import replace
from functools import cache

import page
import pytest
from hypothesis import given, settings

import pycompare as pc
from pycompare.plotting.fonts import is_missing
from pycompare.reporting.document import Attachment, Document, Paragraph
from pycompare.reporting.render import pdf
from tests.reporting.render.samples import HOSTILE, LABELS, everything, wide

PROFILES = {
    "a-3a": page.ValidationProfile.PDF_A_3A,
    "ua-1": page.ValidationProfile.PDF_UA_1,
}
"""One file a standard: the checker refuses those that declare both."""
FILE = Attachment("tables/a.csv", "x,y\n1,2\n", "A table")


def failures(document):
    found = []
    for standard, profile in PROFILES.items():
        made = pdf.render(document, [standard])
        report = page.validate_pdf_bytes(made, profile=profile)
        found += [(standard, f.rule_id, f.message) for f in report.failures]
    return found


@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_files_with_hostile_labels_conform(label):
    assert failures(replace(everything(label), files=(FILE,))) == []


def test_wide_tables_conform():
    assert failures(wide(20)) == []


def streams(made):
    """Yield the data of all streams."""
    for begin in map(int, re.findall(rb"(\d{10}) 00000 n", made)):
        head = made[begin : made.index(b"endobj", begin)].partition(b"stream\n")[0]
        if length := re.search(rb"/Length (\d+)", head):
            start = begin + len(head) + len(b"stream\n")
            data = made[start : start + int(length[1])]
            yield zlib.decompress(data) if b"/Filter/FlateDecode" in head else data


def test_results_and_data_are_attached_as_they_are():
    made = pdf.render(replace(everything("x"), files=(FILE,)))
    assert FILE.text.encode() in list(streams(made))
    assert b"tables/a.csv" in made and b"/AFRelationship/Data" in made.replace(
        b" ", b""
    )


def test_both_standards_are_declared_and_fonts_embedded():
    made = pdf.render(everything("x"))
    assert b"pdfaid:part>3<" in made and b"pdfaid:conformance>A<" in made
    assert b"pdfuaid:part>1<" in made
    fonts = re.findall(rb"/FontName\s*/[A-Z]{6}\+(\w+)", made)
    assert set(fonts) <= {b"DejaVuSans", b"DejaVuSansMono"} and fonts
    assert made.count(b"/FontFile2") == len(fonts)


def test_the_same_document_is_the_same_bytes():
    document = replace(everything("x"), date="2026-11-22T10:00:00+00:00")
    assert pdf.render(document) == pdf.render(document)
    assert b"20261122100000" in pdf.render(document)


def texts(data):
    """Return all words that the template gets."""
    if isinstance(data, dict):
        return [t for k, v in data.items() if k not in ("svg", "alt") for t in texts(v)]
    if isinstance(data, list):
        if all(isinstance(one, str) for one in data):
            return ["".join(data)]
        return [t for one in data for t in texts(one)]
    return [data] if isinstance(data, str) else []


@given(LABELS)
def test_a_label_is_data_wherever_it_belongs(label):
    found = texts(json.loads(json.dumps(pdf._data(everything(label)))))
    writer = pdf._PdfWriter(set())
    shown = writer.letters(pdf.paper.visible(label))
    assert sum(text.startswith(shown) for text in found) >= 15
    assert not any(is_missing(c) for text in found for c in text)
    said = [t for t in found if t.startswith("Note: the font of this file lacks")]
    assert len(said) == bool(writer.missing)


@settings(max_examples=15, deadline=None)
@given(LABELS)
def test_any_label_makes_a_file(label):
    assert pdf.render(everything(label)).startswith(b"%PDF-1.7")


def test_characters_that_no_font_has_are_code_points():
    writer = pdf._PdfWriter(set())
    assert writer.letters("a中文b") == "a[U+4E2D U+6587]b"
    assert writer.letters("שלום é χ²") == "שלום é χ²"


@cache
def ending_with_return():
    """Return a document with a stream whose data end with a carriage return."""
    for n in range(400):
        document = Document("t", "", (Paragraph("x" * n),), "g")
        made = pdf.render(document)
        if b"\r\r\nendstream" in made:
            return document, made
    raise AssertionError("no such document")


def test_streams_that_end_with_a_return_have_one_length():
    document, made = ending_with_return()
    assert failures(document) == []
    start = int(made[made.rindex(b"startxref") :].split()[1])
    assert made[start : start + 4] == b"xref"
    for place in re.findall(rb"(\d{10}) 00000 n", made):
        assert re.match(rb"\d+ 0 obj", made[int(place) :])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["datasets", "folds"])
def test_reports_conform(kind, tmp_path, monkeypatch):
    documents = []

    def kept(document):
        documents.append(document)
        return b""

    sizes = {"n_train": 216, "n_test": 24} if kind == "folds" else {}
    scores = pc.example("folds") if kind == "folds" else pc.example()
    found = pc.compare(scores, pc.Plan(blocks=kind, **sizes))
    with monkeypatch.context() as patch:
        patch.setattr(pdf, "render", kept)
        pc.report(found, tmp_path / "out", formats=["pdf"])
    [document] = documents
    assert {"results.json", "reproduce.R"} < {file.name for file in document.files}
    assert failures(document) == []

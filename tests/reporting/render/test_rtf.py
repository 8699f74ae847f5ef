"""RTF: read back by a small reader of its own, all of a label as text."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings

from pycompare.reporting.document import Document
from pycompare.reporting.render import paper, rtf
from tests.reporting.render.samples import LABELS, everything, wide

TOKEN = re.compile(
    r"\\u(-?\d+) ?\?|\\([a-z]+)(-?\d+)? ?|\\([\\{}*])|([{}])|([^\\{}\r\n])"
)


def read(made):
    """Return the text of a file, its commands, and how deep its groups are."""
    text, commands, depth, units = [], Counter(), 0, bytearray()
    deepest = 0
    end = 0
    made = re.sub(r"\r?\n", "", made)
    for token in TOKEN.finditer(made):
        assert token.start() == end, made[end : end + 40]
        end = token.end()
        code, word, _, mark, brace, letter = token.groups()
        if code is not None:
            units += int(code).to_bytes(2, "little", signed=True)
            continue
        if units:
            text.append(units.decode("utf-16-le"))
            units.clear()
        if word:
            commands[word] += 1
            text.append("\n" if word in ("par", "cell", "line") else "")
        elif brace:
            depth += 1 if brace == "{" else -1
            deepest = max(deepest, depth)
            assert depth > 0 or end >= len(made)
        elif mark != "*":
            text.append(mark or letter)
    assert end == len(made) and depth == 0
    return "".join(text), commands


def rendered(document):
    return rtf.render(document).decode("ascii")


@settings(max_examples=30, deadline=None)
@given(LABELS)
def test_a_label_is_text_and_no_command(label):
    text, commands = read(rendered(everything(label)))
    _, plain = read(rendered(everything("zebra")))
    # A long label makes rows so high that a table takes more pages.
    assert set(commands) - {"page"} == set(plain)
    if not commands["page"]:
        assert commands == plain
    assert text.count(paper.visible(label)) >= 20


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("a{b}\\par", r"a\{b\}\\par"),
        ("é", r"\u233?"),
        ("中", r"\u20013?"),
        ("😀", r"\u-10179?\u-8704?"),
        ("−", r"\u8722?"),
    ],
)
def test_characters_as_rtf_reads_them(value, wanted):
    assert rtf.escape(value) == wanted


def test_the_same_document_is_the_same_bytes():
    assert rtf.render(everything("x")) == rtf.render(everything("x"))


def pages(made):
    """Return the pages on which tables are."""
    found = re.split(r"\\sect(?=\\sectd)|\\page\n", made)
    return [page for page in found if r"\trhdr" in page]


def test_each_page_of_a_table_has_its_title_and_heads():
    made = rendered(wide(20))
    assert len(pages(made)) > len(re.findall(r"\\sectd", made)) - 2
    for page in pages(made):
        assert page.count(r"\trhdr") == 1
        assert re.search(r"\{\\b Table \d", page)
        assert "Algorithm" in page


def test_rows_of_a_page_fit_it():
    for grid in paper.pieces(wide(20, 300), rtf.WIDTH):
        made = list(rtf._pages(grid))
        assert [row for rows in made for row in rows] == list(grid.rows)
        for rows in made:
            heights = [rtf._height(row, grid.widths) for row in rows]
            assert sum(heights) <= rtf._LINES or len(rows) == 1


def test_columns_are_no_wider_than_the_page():
    edges = re.findall(r"\\cellx(\d+)", rendered(wide(20)))
    assert max(map(int, edges)) <= rtf._TWIPS


def test_each_section_has_title_notes_source_and_number_of_page():
    made = rendered(everything("x"))
    n = made.count(r"\sectd")
    assert n == made.count(r"{\header") == made.count(r"{\footer")
    assert n == made.count("fldinst PAGE}") == made.count("fldinst NUMPAGES}")
    assert "Source: figures/f.svg, results.json" in made
    assert "Source: results.json" in made


def test_links_lead_to_places():
    made = rendered(everything("x"))
    targets = set(re.findall(r'HYPERLINK \\+l "(\w+)"', made))
    assert targets == {"k1"}
    assert targets <= set(re.findall(r"\\bkmkstart (\w+)", made))


def test_the_date_is_that_of_the_document():
    made = rendered(Document("t", "", (), "g", "2026-11-22T10:30:00+00:00"))
    assert r"{\creatim\yr2026\mo11\dy22\hr10\min30}" in made

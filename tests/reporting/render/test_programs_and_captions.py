"""Documents for paper: no program unless wanted, each caption once; themed pictures."""

from __future__ import annotations

import re

import pytest

import pycompare as pc
from pycompare.plotting import style
from pycompare.plotting.svg import themed
from pycompare.reporting.document import Code, Column, Document, Table
from pycompare.reporting.render import RENDERERS, paper

LINE = "compare_results(folder"


@pytest.mark.usefixtures("blank_pictures")
@pytest.mark.parametrize("wanted", [False, True])
def test_the_program_is_in_documents_only_if_wanted(tmp_path, wanted):
    found = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    folder = pc.report(found, tmp_path / "out", formats=["text", "md", "html"],
                       with_program=wanted)  # fmt: skip
    assert LINE in (folder / "reproduce.R").read_text()
    for name in ("report.txt", "report.md"):
        text = (folder / name).read_text()
        assert (LINE in text) == wanted
        assert "reproduce.R" in text
    page = (folder / "report.html").read_text()
    assert ('href="reproduce.R"' in page) != wanted
    assert (LINE in page) == wanted
    if not wanted:
        assert (folder / "report.txt").stat().st_size < 60_000


@pytest.mark.parametrize("name", RENDERERS)
def test_a_code_with_a_file_names_it_on_paper(name):
    made = Document("T", "", (Code("x <- secret(1)", "R code", "reproduce.R"),), "g")
    if name in ("pdf", "docx"):
        pieces = list(paper.pieces(made, 80))
        assert [type(one).__name__ for one in pieces] == ["Paragraph"]
        return
    text = RENDERERS[name].render(made).decode("utf-8")
    assert ("secret" in text) == (name == "html")
    assert "reproduce.R" in text


def test_the_caption_of_a_divided_table_is_printed_once():
    columns = [Column(f"column number {i}", "estimate") for i in range(20)]
    table = Table("What it is.", (Column("Pair", "label"), *columns),
                  (("A – B", *[0.5] * 20),))  # fmt: skip
    made = Document("T", "", (table,), "g")
    grids = [one for one in paper.pieces(made, 80) if isinstance(one, paper.PagedTable)]
    assert len(grids) > 1
    assert [bool(grid.caption) for grid in grids] == [True] + [False] * (len(grids) - 1)
    assert grids[1].label == f"Table 1, part 2 of {len(grids)}"
    text = RENDERERS["text"].render(made).decode()
    assert text.count("What it is.") == 1


def test_pictures_follow_the_scheme_of_the_reader():
    axes = pc.plotting.mean_differences(pc.signed_rank_pairs(pc.example()))
    plain = style.to_svg(axes.figure)
    made = themed(plain)
    assert "prefers-color-scheme" not in plain
    assert "@media (prefers-color-scheme: dark){:root{--ink:" in made
    body = made.partition("</style>")[2]
    assert not re.search(r"#(000000|ffffff|0b5fa5|77818b|808080)", body)
    assert "var(--yes)" in body
    ground = re.search(r'<g id="patch_1">.*?</g>', made, re.DOTALL)[0]
    assert "fill: none" in ground


def test_pictures_with_shaded_cells_are_turned_as_a_whole():
    pairs = pc.nemenyi(pc.example())
    axes = pc.plotting.p_matrix(pairs)
    made = themed(style.to_svg(axes.figure))
    assert "filter: invert(" in made and "var(--ink)" not in made
    assert themed("no picture") == "no picture"

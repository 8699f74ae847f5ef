"""Documents as pieces: numbered, divided where they are too wide, all visible."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given

from pycompare.reporting.document import Column, Document, Table, plain
from pycompare.reporting.render import paper
from tests.reporting.render.samples import LABELS, everything, wide


def found(document, kind, width=88):
    return [p for p in paper.pieces(document, width) if isinstance(p, kind)]


@given(LABELS)
def test_what_is_visible_has_one_line_and_no_hidden_character(label):
    text = paper.visible(label)
    assert len(text.splitlines()) <= 1
    assert not set(text) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\ufeff")
    assert not {unicodedata.category(c) for c in text} & {"Cc", "Cs", "Zl", "Zp"}
    assert paper.visible(text) == text


@pytest.mark.parametrize("n", [2, 5, 20])
@pytest.mark.parametrize("width", [60, 88, 130])
def test_every_part_of_a_table_fits_and_no_column_is_lost(n, width):
    grids = found(wide(n), paper.PagedTable, width)
    for grid in grids:
        assert sum(w + paper.GAP for w in grid.widths) <= width
        assert grid.heads[0] == "Algorithm"
        assert len(grid.heads) == len(grid.widths) == len(grid.rows[0]) >= 2
    heads = [h for g in grids if g.label.startswith("Table 1") for h in g.heads[1:]]
    assert len(heads) == len(set(heads)) == n
    keys = [grid.key for grid in grids]
    assert len(keys) == len(set(keys))


def test_a_table_that_fits_is_not_divided():
    few = found(everything("x"), paper.PagedTable)
    assert [g.label for g in few] == ["Table 1", "Table 2"]
    labels = [g.label for g in found(wide(20), paper.PagedTable)]
    assert labels[0].startswith("Table 1, part 1 of ")


def test_an_ordering_is_a_table_with_letters():
    ordering = found(everything("x"), paper.PagedTable)[1]
    cells = [[plain(cell.text) for cell in row] for row in ordering.rows]
    assert cells == [["x", "1.00", "a"], ["b", "2.00", ""]]
    assert paper.SHARED in plain(ordering.caption)


def test_figures_and_headings_are_numbered_and_placed():
    document = everything("x")
    assert [p.label for p in found(document, paper.Picture)] == ["Figure 1"]
    assert [(h.key, h.level) for h in found(document, paper.Heading)] == [
        ("k1", 1),
        ("k2", 1),
    ]


def test_an_unknown_block_is_refused():
    with pytest.raises(TypeError, match="no pages for str"):
        list(paper.pieces(Document("t", "", ("x",), "g"), 80))


@pytest.mark.parametrize("width", [88, 100])
def test_a_column_has_room_for_the_longest_word_of_its_names(width):
    name = "GradientBoostingClassifier"
    sentence = "some words that are broken over several lines " * 3
    columns = (Column("Algorithm", "label"), *[Column("notes", "text")] * 3)
    table = Table("A caption", columns, ((name, sentence, sentence, sentence),))
    grids = found(replace(everything("x"), blocks=(table,)), paper.PagedTable, width)
    assert grids and all(grid.widths[0] >= len(name) for grid in grids)

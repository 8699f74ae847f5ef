"""The document model: values in, the same values out, formats that follow types."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pycompare as pc
from pycompare import plotting
from pycompare.reporting.document import (
    Column,
    Document,
    Figure,
    FoldedSection,
    Lead,
    Paragraph,
    Section,
    Strong,
    Table,
    cells,
    joined,
    p_equals,
    p_text,
    plain,
)

PROBABILITY = st.floats(0, 1)


def texts(kind, values, **options):
    return [plain(c.text) for c in cells(Column("x", kind, **options), values)]


@given(PROBABILITY, st.sampled_from([0.0001, 0.01, 0.05, 0.2]))
def test_a_rounded_p_value_is_on_its_side_of_alpha(p, alpha):
    text = p_text(p, alpha)
    sign, shown = re.fullmatch(r"([<>]?) ?(.*)", text).groups()
    x = float(shown.replace("−", "-").replace("< ", ""))
    if sign == "<":
        assert p < x <= alpha or p == 0
    elif sign == ">":
        assert p > x > alpha
    else:
        assert (x <= alpha) == (p <= alpha)
        assert abs(x - p) <= 0.0005 * (1 + 1e-9)  # 0.0625 is half way


@given(st.lists(PROBABILITY, min_size=1), st.sampled_from([0.001, 0.05, 0.3]))
def test_what_is_marked_is_significant(values, alpha):
    made = cells(Column("p", "p", alpha=alpha), values)
    assert [c.marked for c in made] == [p <= alpha for p in values]


def test_p_values_as_a_journal_prints_them():
    assert texts("p", [4e-9, 0.01234, 0.9999, 1.0, math.nan, None]) == [
        "< 0.001",
        "0.012",
        "> 0.999",
        "1.000",
        "–",
        "–",
    ]
    assert p_equals(4e-9) == "p < 0.001" and p_equals(0.04) == "p = 0.040"


@given(st.lists(st.floats(0.01, 1e4), min_size=1))
def test_numbers_of_a_column_have_as_many_decimals(values):
    shown = texts("estimate", [max(values), *(max(values) / 2 + v / 2 for v in values)])
    assert len({len(text.partition(".")[2]) for text in shown}) == 1
    assert float(shown[0]) == pytest.approx(max(values), rel=0.006)


def test_points_stand_below_each_other():
    assert texts("estimate", [4.3333, 2.1, -0.1]) == ["4.33", "2.10", "−0.10"]
    assert texts("estimate", [0.5, 0.0002]) == ["0.500", "0.00020"]
    assert texts("number", [1e9, 2.0]) == ["1.00e9", "2.00"]
    assert texts("interval", [(-0.1, 0.25), (math.nan, math.nan), None]) == [
        "[−0.100, 0.250]",
        "–",
        "–",
    ]
    assert texts("count", [3, None]) == ["3", "–"]


def test_a_limit_that_stands_for_an_excluded_0_or_ratio_of_1_says_so():
    above_0, below_1 = math.nextafter(0.0, 1.0), math.nextafter(1.0, 0.0)
    assert texts("interval", [(above_0, 0.25), (-0.5, -above_0)]) == [
        "[above 0, 0.250]",
        "[−0.500, below 0]",
    ]
    turned = (1 / below_1, 1 / 0.5)
    assert texts("interval", [(0.5, below_1), turned, (0.0, 1.0)]) == [
        "[0.50, below 1]",
        "[above 1, 2.00]",
        "[0.00, 1.00]",
    ]


def test_a_row_must_fit_its_table():
    with pytest.raises(ValueError, match="a row has 1 values, the table 2 columns"):
        Table("", (Column("a", "label"), Column("b")), (("x",),))


def test_a_table_knows_what_it_does_not_show():
    table = Table("", (Column("a", "label"),), tuple((str(i),) for i in range(9)))
    assert table.omitted == 0 and len(table.cells()) == 9
    short = Table(table.caption, table.columns, table.rows, most=4)
    assert short.omitted == 5 and len(short.cells()) == 4


def test_every_block_is_found_in_reading_order():
    figure = Figure("f", lambda: None, "", "")
    inner = Paragraph("inner")
    blocks = (
        Lead((Paragraph("first"),), figure),
        Section("s", (FoldedSection("f", (inner,), "k2"),), "k1"),
    )
    found = Document("t", "", blocks, "g")
    kinds = [type(b).__name__ for b in found.walk()]
    assert kinds == [
        "Lead",
        "Paragraph",
        "Figure",
        "Section",
        "FoldedSection",
        "Paragraph",
    ]
    assert found.figures() == [figure]


def test_texts_are_joined_with_their_marks():
    assert plain(joined("a", "", (Strong("b"), "c"))) == "a bc"


@pytest.fixture(scope="module")
def figure():
    pairs = pc.rank_pairs(pc.example())
    return Figure("cd", lambda: plotting.critical_difference(pairs), "caption", "alt")


def test_a_figure_draws_itself_in_three_formats(figure):
    assert figure.svg.startswith("<?xml") and figure.svg is figure.svg
    png = figure.png(640)
    assert png[:4] == b"\x89PNG"
    assert abs(int.from_bytes(png[16:20], "big") - 640) <= 1
    assert figure.pdf()[:5] == b"%PDF-" and figure.pdf() == figure.pdf()


def test_a_figure_in_a_document_has_no_caption_of_its_own(figure):
    assert "caption" not in figure.svg
    alone = plotting.critical_difference(pc.rank_pairs(pc.example()))
    assert "caption" in plotting.style.to_svg(alone.figure)


@pytest.mark.parametrize("width", [3.4, 7.0, 12.0])
def test_a_pdf_is_as_wide_as_it_should_be(figure, width):
    box = re.search(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", figure.pdf(width))
    assert float(box[1]) == pytest.approx(72 * width, abs=1e-5)

"""Rounding by a rule that is named: against exact decimals, and in a whole report."""

import re
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.formatting.numbers import number
from pycompare.base.formatting.rounding import (
    RULES,
    fixed,
    rounded,
    scientific,
    significant,
)
from pycompare.plotting.threshold_grid import columns_of
from pycompare.reporting.document import Column, cells, p_text, plain

pytestmark = pytest.mark.usefixtures("blank_pictures")

NUMBERS = st.floats(-1e9, 1e9).filter(lambda x: abs(x) > 1e-9) | st.integers(
    -(10**6), 10**6
).map(lambda n: n / 2000)


@given(NUMBERS, st.integers(0, 8))
def test_half_even_rounds_the_number_as_it_is_held(value, places):
    unit = Decimal(1).scaleb(-places)
    wanted = Decimal(value).quantize(unit, ROUND_HALF_EVEN)
    assert Decimal(fixed(value, places)) == wanted


@given(NUMBERS, st.integers(0, 8))
def test_half_away_rounds_the_shortest_decimal(value, places):
    unit = Decimal(1).scaleb(-places)
    wanted = Decimal(repr(float(value))).quantize(unit, ROUND_HALF_UP)
    with rounded("half-away"):
        made = fixed(value, places)
    assert Decimal(made) == wanted and len(made.partition(".")[2]) == places


@pytest.mark.parametrize(
    ("value", "even", "away"),
    [(0.5, "0", "1"), (2.5, "2", "3"), (-2.5, "-2", "-3")],
)
def test_the_rules_differ_at_ties_only(value, even, away):
    found = []
    for rule in RULES:
        with rounded(rule):
            found.append(fixed(value, 0))
    assert found == [even, away]


def test_digits_of_small_numbers():
    with rounded("half-away"):
        assert scientific(1.25e-8, 2) == "1.3e-08"
        assert scientific(9.95e-8, 2) == "1.0e-07"
        assert number(1.25e-8, 2) == "1.3e−8"
        assert number(0.00125, 2) == "0.0013"
    assert number(1.25e-8, 2) == "1.2e−8"


@given(st.floats(0, 1), st.sampled_from([0.01, 0.05, 0.1]), st.sampled_from([*RULES]))
def test_no_rule_moves_a_p_value_across_alpha_or_to_zero(p, alpha, rule):
    with rounded(rule):
        text = p_text(p, alpha)
    shown = float(re.sub("[<> ]", "", text).replace("−", "-"))
    assert shown > 0 or not p
    if text[0] not in "<>":
        assert (shown <= alpha) == (p <= alpha)


def test_tables_follow_the_rule():
    column = Column("x", "estimate")
    with rounded("half-away"):
        assert [plain(c.text) for c in cells(column, [2.125, 1.0])] == ["2.13", "1.00"]
    assert [plain(c.text) for c in cells(column, [2.125, 1.0])] == ["2.12", "1.00"]


def test_the_report_names_its_rule(tmp_path):
    comparison = pc.compare(pc.example())
    for rule, said in RULES.items():
        folder = pc.report(comparison, tmp_path / rule, formats=["text"], rounding=rule)
        text = " ".join((folder / "report.txt").read_text().split())
        assert f"Rounding of printed numbers: {said}" in text


@given(NUMBERS, st.integers(1, 8))
def test_significant_digits_follow_the_rule(value, digits):
    assert float(significant(value, digits)) == float(f"{value:.{digits}g}")
    place = Decimal(repr(float(value))).adjusted() - digits + 1
    unit = Decimal(1).scaleb(place)
    wanted = Decimal(repr(float(value))).quantize(unit, ROUND_HALF_UP)
    with rounded("half-away"):
        assert float(significant(value, digits)) == float(wanted)


def test_labels_in_pictures_follow_the_rule():
    assert columns_of((0.125,), 0.0).labels == ["0.12"]
    with rounded("half-away"):
        assert columns_of((0.125,), 0.0).labels == ["0.13"]


def test_another_rule_is_refused():
    with pytest.raises(
        pc.InputError, match="rounding='up': choose 'half-even' or 'half"
    ):
        pc.report(pc.compare(pc.example()), "nowhere", rounding="up")

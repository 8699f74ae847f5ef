"""Tables of facts: signs, order, limits and counts of their rows."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import pytest

from pycompare.reporting.content import build, tables
from pycompare.reporting.content.facts import SensitivityAnalysis
from tests.methods.orders.by_hand import pairs_result
from tests.reporting.outcomes import BETTER, EQUAL, NOT, THREE, fact, outcome

PAIRS = (
    fact("A", BETTER, "C", 0.01, estimate=-0.375, interval=(-0.5, -0.25)),
    fact("B", BETTER, "C", 0.02, estimate=-0.25, interval=(-0.5, -0.125)),
    fact("A", EQUAL, "B", 0.3, estimate=-0.125, interval=(-0.25, 0.0625)),
)


def test_the_best_is_compared_with_each_other_one():
    table = tables.against_best(outcome(*PAIRS, values=THREE))
    assert [column.title for column in table.columns] == [
        *("A compared with", "difference", "95% interval", "adj. p", "mean error")
    ]
    assert table.rows == (
        ("B", -0.125, (-0.25, 0.0625), 0.3, 0.25),  # the nearest first
        ("C", -0.375, (-0.5, -0.25), 0.01, 0.5),
    )
    assert "A (mean error 0.125)" in table.caption and "0.05" in table.caption
    assert "Differences are A minus the other." in table.caption


def test_differences_from_a_control_are_the_others_minus_it_whoever_is_better():
    pairs = (PAIRS[0], PAIRS[1])
    table = tables.against_best(outcome(*pairs, values=THREE, control="C"))
    assert table.rows == (
        ("A", -0.375, (-0.5, -0.25), 0.01, 0.125),
        ("B", -0.25, (-0.5, -0.125), 0.02, 0.25),
    )
    assert "Differences are the other minus C." in table.caption


def test_without_numbers_of_their_own_pairs_are_listed():
    bare = [
        fact(
            f.subject, f.relation, f.object, f.p_adjusted, estimate=None, interval=None
        )
        for f in PAIRS
    ]
    table = tables.against_best(outcome(*bare))
    assert [column.title for column in table.columns] == ["Pair", "adj. p"]
    assert table.rows == (("A – C", 0.01), ("B – C", 0.02), ("A – B", 0.3))
    alone = [replace(f, interval=None) for f in PAIRS]
    listed = tables.against_best(outcome(*alone))
    assert listed.rows[2] == ("A – B", -0.125, 0.3)
    assert "Differences are first minus second." in listed.caption
    assert "Differences" not in table.caption


@pytest.mark.parametrize("without", [0, 1, 2])
def test_a_pair_without_a_difference_has_empty_cells(without):
    pairs = list(PAIRS)
    pairs[without] = replace(pairs[without], estimate=None, interval=None)
    table = tables.against_best(outcome(*pairs))
    titles = [column.title for column in table.columns]
    assert titles == ["Pair", "difference", "95% interval", "adj. p"]
    differences = [(f.estimate, f.interval) for f in pairs]
    assert [row[1:3] for row in table.rows] == differences
    assert [cell.text for cell in table.cells()[without][1:3]] == ["–", "–"]
    pairs[without] = replace(PAIRS[without], interval=None)
    table = tables.against_best(outcome(*pairs, values=THREE, control="C"))
    assert {len(row) for row in table.rows} == {5}


@pytest.mark.parametrize(("n", "rows"), [(1, None), (2, 2), (14, 14), (15, 10)])
def test_one_pair_has_no_table_and_many_have_ten_rows(n, rows):
    pairs = [fact("A", BETTER, f"B{i}") for i in range(n)]
    table = tables.against_best(outcome(*pairs, control="A"))
    assert (table and len(table.rows)) == rows
    if table is not None:
        assert "A (error) against" in table.caption


def test_two_algorithms_have_their_own_numbers():
    table = tables.of_two(outcome(PAIRS[0], values={"A": 0.125, "C": 0.5}))
    assert table.rows == (("A", 0.125), ("C", 0.5))
    assert tables.of_two(outcome(*PAIRS, values=THREE)) is None
    assert tables.of_two(outcome(PAIRS[0])) is None


def test_the_overview_has_the_nearest_rival_and_counts_significant_pairs():
    first = outcome(*PAIRS, fact("B", NOT, "D", math.nan), values=THREE)
    second = outcome(fact("A", NOT, "B", math.nan), fact("A", NOT, "C", math.nan))
    table = tables.overview([("one", first), ("two", second)])
    assert table.rows == (
        ("one", "A", "A – B", "−0.12 [−0.25, 0.06]", 0.3, "2 of 4"),
        ("two", "–", "–", "–", None, "0 of 2"),
    )


def test_a_sensitivity_table_has_no_column_of_omnibus_tests_that_there_are_not():
    primary = outcome(*(fact("A", BETTER, f"B{i}") for i in range(4)))
    other = SensitivityAnalysis(name="F", assumes="normality", significant={})
    assert tables.sensitivity(primary, [other]).rows == (
        ("F", "another", "0 of 4", "normality"),
    )


@pytest.mark.parametrize(
    ("relation", "interval", "note"),
    [
        (BETTER, (-0.5, 0.1), "may include 0 although"),
        (EQUAL, (-0.5, -0.1), "may exclude 0 although"),
        (BETTER, (-0.5, -0.1), None),
        (EQUAL, (-0.5, 0.1), None),
        (NOT, (-0.5, -0.1), None),
        (BETTER, None, None),
    ],
)
def test_a_table_says_why_an_interval_and_its_test_disagree(relation, interval, note):
    pairs = [
        fact("A", r, b, interval=interval) for r, b in ((relation, "B"), (NOT, "C"))
    ]
    caption = tables.against_best(outcome(*pairs, values=THREE)).caption
    assert ("An interval" in caption) is (note is not None)
    assert note is None or note in caption


def test_an_analysis_that_agrees_differs_on_no_pair():
    primary = outcome(*PAIRS, values=THREE)
    significant = {f.pair: f.subject for f in primary.significant}
    alike = SensitivityAnalysis(
        name="F", assumes="", omnibus=(0.01, True), significant=significant
    )
    hopeless = SensitivityAnalysis(
        name="G",
        assumes="",
        omnibus=(0.2, False),
        significant={},
        hopeless=frozenset(significant),
    )
    unpaired = SensitivityAnalysis(name="H", assumes="", omnibus=(0.2, False))
    first, second, third = tables.sensitivity(primary, [alike, hopeless, unpaired]).rows
    assert first[1:4] == ("another", 0.01, "2 of 3")
    assert second[1:4] == ("another", 0.2, "0 of 3")
    assert third[1:4] == ("–", 0.2, "–")
    assert tables.sensitivity(primary, []) is None


@pytest.mark.parametrize(
    ("pairs", "difference", "first", "second"),
    [
        ([("A", "B")], "A minus B", "A", "B"),
        ([("B", "A"), ("C", "A")], "the other minus A", "the other", "A"),
        ([("A", "B"), ("A", "C")], "A minus the other", "A", "the other"),
        (
            [("A", "B"), ("A", "C"), ("B", "C")],
            *("first minus second", "the first", "the second"),
        ),
    ],
)
def test_captions_name_what_is_subtracted(
    pairs, difference, first, second, monkeypatch
):
    table = pd.DataFrame(pairs, columns=["algorithm_1", "algorithm_2"])
    assert build.minus(table) == difference
    values = {"A": 1.0, "B": 2.0, "C": 3.0}
    found = replace(
        pairs_result(values, []),
        table=table.assign(p_adjusted=1.0, conf_low=-1.0, conf_high=1.0),
    )
    lower = build._pairs_caption([found], 0.05, "")
    monkeypatch.setattr(type(found), "lower_is_better", False)
    higher = build._pairs_caption([found], 0.05, "")
    assert f"; negative values favour {second}." in higher
    assert f"; negative values favour {first}." in lower


@pytest.mark.parametrize(("n", "whom"), [(14, "each other"), (16, "the 10 nearest of")])
def test_a_first_table_of_many_says_that_it_has_some(n, whom):
    values = {"A": 0.0} | {f"B{k}": 1.0 + k for k in range(n)}
    pairs = [
        fact("A", BETTER, f"B{k}", 0.01 + 0.0001 * k, estimate=-1.0 - k)
        for k in range(n)
    ]
    shown = tables.against_best(outcome(*pairs, values=values))
    assert f"A (mean error 0) against {whom}" in shown.caption
    assert len(shown.rows) == (n if n <= 14 else 10)
    alone = tables.against_best(outcome(*pairs))
    assert ("Shown: the first 10 of 16 pairs." in alone.caption) == (n == 16)

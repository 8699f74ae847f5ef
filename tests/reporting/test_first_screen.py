"""The first screen: headline, forest and matrix of firmness say the same thing."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.firmness import Firmness, LeftOut, OtherDecision
from pycompare.reporting import document as doc
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.content import firm_report, paper_words, rivals, tiers
from pycompare.reporting.content.facts import SensitivityAnalysis
from pycompare.reporting.content.forest import forest
from pycompare.reporting.content.wording import answer
from pycompare.reporting.document import plain
from pycompare.reporting.render.forest import markup_of
from tests.reporting.outcomes import BETTER, EQUAL, THREE, fact, outcome
from tests.reporting.whole_pages import COMPARISONS, PAGES

KINDS = [
    *("cases", "cases_graded", "cases_clustered", "cases_two", "cases_weighted"),
    *("typical", "typical_ratios", "typical_control", "typical_exchangeable"),
    *("means_over_data_sets", "ranks", "ranks_quade", "two_few", "two_folds"),
    *("folds_corrected", "folds_runs_averaged", "folds_perfect", "folds_control"),
    *("many_means", "many_model", "sweep"),
]
NONE_LEFT_OUT = LeftOut(unit="data set", n_units=0, changes={}, why_not="of a reason")


@pytest.fixture(scope="module", params=KINDS)
def results(request):
    comparison = pc.compare(*COMPARISONS[request.param]())
    return [one for one in ComparisonReport(comparison).results() if one.outcome]


def of_margin(forest):
    """Return whether a forest holds differences against the margin of a plan."""
    return forest.figure.name.endswith("margin")


def test_no_interval_contradicts_its_decision(results):
    for one in results:
        assert not any(made.contradicted for made in one.outcome.pairs)
        found = one.result.forest
        if found is None:
            continue
        for row in found.rows:
            low, high = row.limits or (row.estimate, row.estimate)
            assert low <= row.estimate <= high
            if of_margin(found):
                within = found.band[0] <= low and high <= found.band[1]
                assert row.limits is None or row.shown == within
            elif row.limits is not None and np.isfinite(row.limits).all():
                assert row.shown != (low <= found.null <= high)


def test_the_forest_is_in_order_and_has_the_numbers_of_the_headline(results):
    for one in results:
        found, made = one.result.forest, one.outcome
        if found is None or of_margin(found):
            continue
        sign = -1 if made.metric.better == "lower" else 1
        if made.control is not None:  # rivals minus the control
            sign = -sign
        if rivals.reference(made) is not None:
            estimates = [sign * row.estimate for row in found.rows]
            assert estimates == sorted(estimates)
        told = " ".join(plain(cell.text) for row in found.table.cells() for cell in row)
        shown = plain(one.result.answer)
        if rivals.reference(made) is None or not shown.count("differences"):
            continue
        for number in re.findall(r"differences.*? (−?[\d.]+) to ([^,)]+)", shown)[0]:
            assert number in told
        digits = {len(x) for x in re.findall(r"\d\.(\d+)(?= [\[])", told)}
        assert len(digits) <= 1


def test_the_matrix_begins_with_the_decisions_and_rings_what_changes(results):
    for one in results:
        matrices = [b for b in one.result.firm if isinstance(b, doc.DecisionMatrix)]
        if matrices and matrices[0].decided[0] == "shown":
            continue  # claims about a margin: tests/designs/test_margin_firmness.py
        made = one.outcome
        planned = {f.title: f.significant for f in made.pairs}
        ref = rivals.reference(made)
        planned |= {f.other(ref): f.significant for f in made.pairs if ref in f.pair}
        for matrix in matrices:
            for name, (first, *others) in matrix.rows:
                if first.shown is None:
                    continue
                assert first.shown == planned[name]
                for mark in others:
                    if mark.shown is not None and mark.shown != first.shown:
                        assert mark.changed
        told = one.result.tables["firmness"]
        if not matrices or len(matrices[0].rows) < len(made.pairs):
            continue
        changes = {
            f"{a} – {b}"
            for a, b, same, other in zip(
                *(
                    np.asarray(told[name])
                    for name in ("algorithm_1", "algorithm_2", "same_quantity")
                ),
                np.asarray(told["another_quantity"]),
                strict=True,
            )
            if "changes" in (same, other)
        }
        columns = [group for group, _ in matrices[0].columns]
        if len(columns) < 8:  # all analyses have a column
            title = matrices[0].row_title
            ringed = {
                name if title == "Comparison" else f"{ref} – {name}"
                for name, marks in matrices[0].rows
                if any(mark.changed for mark in marks)
            }
            pair = lambda text: frozenset(text.split(" – "))  # noqa: E731
            assert {*map(pair, ringed)} >= {*map(pair, changes)}


PAIRS = (
    fact("A", BETTER, "C", 0.01, estimate=-0.375, interval=(-0.5, -0.25)),
    fact("A", EQUAL, "B", 0.3, estimate=-0.125, interval=(-0.25, 0.0625)),
    fact("B", BETTER, "C", 0.02, estimate=-0.25, interval=(-0.5, -0.125)),
)
MADE = outcome(*PAIRS, values=THREE)


def firmness(*others, **without):
    decided = tuple(
        OtherDecision(
            analysis=name,
            quantity=quantity,
            algorithm_1=f.subject,
            algorithm_2=f.object,
            better="" if f.pair == frozenset(apart) else MADE.better_of.get(f.pair, ""),
            able=True,
            agrees=f.pair != frozenset(apart),
        )
        for name, quantity, apart in others
        for f in PAIRS
    )
    return Firmness(
        title="error",
        pairs=tuple((f.subject, f.object) for f in PAIRS),
        decisions=decided,
        omnibus=(),
        left_out=without.get("left_out", NONE_LEFT_OUT),
    )


def test_the_sentence_begins_with_the_headlines_own_decisions():
    told = plain(firm_report.verdict(MADE, firmness(("t", "another", "AC"))))
    assert told == (
        "1 of the 2 decisions on A changes in at least one analysis: against C. "
        "2 of 3 pairwise decisions hold in every analysis of another quantity; A – C "
        "changes."
    )
    told = plain(firm_report.verdict(MADE, firmness(("t", "same", "BC"))))
    assert told.startswith("Both decisions on A are the same in every analysis. 2 of")
    assert "same quantity; B – C changes." in told
    assert not re.search(r"\d+ of \d+ (analyses )?agree", told)


def test_without_other_analyses_nothing_is_called_firm():
    told = plain(firm_report.verdict(MADE, firmness()))
    assert told == "No other analysis tests these pairs."


def test_what_is_left_out_is_counted_and_one_pair_names_it():
    changes = {frozenset("AC"): ("d1", "d2")}
    left_out = LeftOut(unit="data set", n_units=9, changes=changes)
    found = firmness(("t", "same", ""), left_out=left_out)
    other = SensitivityAnalysis(name="t", assumes="", same_quantity=True, short="t")
    made = firm_report.shown(
        pc_result(MADE), replace(statements(MADE), alternatives=(other,)), found
    )
    [matrix] = [b for b in made.firm if isinstance(b, doc.DecisionMatrix)]
    assert matrix.columns[-1] == ("same quantity", "drop one data set")
    marks = {name: row[-1] for name, row in matrix.rows}
    assert (marks["A – C"].text, marks["A – C"].changed) == ("7/9", True)
    assert (marks["A – B"].text, marks["A – B"].changed) == ("9/9", False)
    assert "**" not in plain(matrix.table().caption)
    alone = outcome(replace(PAIRS[0], alone=True))
    one = replace(found, pairs=(("A", "C"),), decisions=())
    assert plain(firm_report.verdict(alone, one)) == (
        "The decision changes: 2 of 9 analyses without one data set (d1 and d2)."
    )


def pc_result(made):
    from pycompare.reporting.content.page import PageResult

    return PageResult(title="error", prefix="", answer="")


def statements(made):
    from pycompare.reporting.content.facts import Statements

    return Statements(outcome=made)


def test_a_fact_is_written_in_one_way(results):
    """In the table, in the words for the figure, in the answer and in the paper."""
    for one in results:
        found = one.result.forest
        if found is None:
            continue
        texts = [plain(row[1].text) for row in found.table.cells()]
        assert all(text in found.figure.alt for text in texts)
        if of_margin(found):
            continue  # in tests/reporting/test_margins_and_few_blocks.py
        paragraph = " ".join(paper_words.of_outcome(one.outcome))
        listed = paper_words.table_of(one.outcome)
        rows = [[plain(c.text) for c in row] for row in listed.cells()]
        if rivals.reference(one.outcome) is not None:
            assert all(text in paragraph for text in texts[: paper_words.MOST_LISTED])
            shown = [" ".join(row[1:3]) for row in rows]
            assert all(a.startswith(b) for a, b in zip(shown, texts, strict=False))
        told = plain(one.result.answer)
        for estimate in re.findall(r"difference (−?\d+\.?\d*)[,)]", told):
            assert any(text.split(" ")[0] == estimate for text in texts)
        for interval in re.findall(r"(?:interval|CI) (\[[^]]+\])", told):
            assert any(interval in text for text in texts)


# ---- many ---------------------------------------------------------------------------


def many(k):
    """Return facts of k algorithms, each better than those over 3 places below it."""
    names = [f"a{i:03d}" for i in range(k)]
    pairs = [
        fact(
            one,
            BETTER if j - i > 3 else EQUAL,
            other,
            0.01 if j - i > 3 else 0.5,
            estimate=float(i - j),
            interval=(i - j - 3.5, i - j + 3.5),
        )
        for i, one in enumerate(names)
        for j, other in enumerate(names[i + 1 :], start=i + 1)
    ]
    return outcome(*pairs, values={n: float(i) for i, n in enumerate(names)})


def test_many_algorithms_have_the_ten_nearest_rivals():
    made = forest(many(16))
    assert made.table.cells()[0][0].text == "a001"
    assert len(made.rows) == 10 and "The 10 smallest differences of 15." in (
        made.table.caption
    )
    assert len(forest(many(15)).rows) == 14


def test_a_tier_is_the_best_left_and_all_that_do_not_differ_from_it():
    assert [len(t) for t in tiers.tiers(many(10))] == [4, 4, 2]
    assert tiers.tiers(many(9))[1] == ["a004", "a005", "a006", "a007"]


@pytest.mark.parametrize(("k", "drawn"), [(104, 26), (160, 8)])
def test_tiers_of_all_or_the_first_and_last(k, drawn):
    figure = tiers.figure(many(k))
    rows = figure.draw.args[0]
    assert len(rows) == drawn
    hidden = sum(tier.count for tier in rows if not tier.ranks)
    assert (hidden > 0) == (k > tiers.MOST_DRAWN)
    assert ("tiers are not drawn" in figure.caption) == (hidden > 0)
    assert sum(tier.count for tier in rows) == k
    low, high, own = rows[1].ranks[0]
    assert (low, own, high) == (2, 5, 8)


def test_a_forest_has_one_axis_for_all_rows():
    text = markup_of(forest(MADE))
    zeros = set(re.findall(r'<line x1="([^"]+)" x2="\1" y1="0" y2="100%"', text))
    tick = re.findall(r'<text x="([^"]+)" y="20" text-anchor="middle">0\.0+<', text)
    assert zeros == {*tick}
    assert text.count('class="is-yes"') == text.count('class="ci yes"') == 1
    assert text.count("<strong>") == 1 and "error better" not in text


OF_NULL = {
    0.0: ("difference", "differences", "minus", "0.100 to 0.300"),
    0.5: ("share of cases won", "shares of cases won", "against", "0.600 to 0.800"),
    1.0: ("typical ratio", "typical ratios", "divided by", "1.100 to 1.300"),
}


@pytest.mark.parametrize("null", OF_NULL)
def test_what_estimates_are_is_said_of_differences_shares_and_ratios(null):
    name, names, between, ends = OF_NULL[null]
    pairs = [
        replace(
            fact("A", BETTER, other, p=0.001),
            estimate=null + more,
            interval=(null + more / 2, null + 2 * more),
            estimate_name=name,
            estimate_names=names,
            null=null,
        )
        for other, more in (("B", 0.1), ("C", 0.3))
    ]
    found = outcome(*pairs, values=THREE)
    made = forest(found)
    assert made.title.startswith(f"A {between} rival, {name}")
    kind = {0.0: "difference", 0.5: "share", 1.0: "ratio"}[null]
    assert made.table.columns[1].title == f"{kind} [interval]"
    assert made.figure.caption.startswith(f"{kind.capitalize()}s: ")
    assert f"{names} {ends}" in plain(answer(found))
    assert (made.figure.draw().get_xscale() == "log") == (null == 1)


def test_a_hostile_name_is_data_in_a_forest_and_a_matrix():
    bad = '<img src=x onerror="1">&'
    made = outcome(
        fact(bad, BETTER, "B", 0.01, estimate=-1.0, interval=(-2.0, -0.5)),
        fact(bad, EQUAL, "C", 0.4, estimate=-0.5, interval=(-1.0, 0.5)),
        values={bad: 1.0, "B": 2.0, "C": 1.5},
    )
    assert "<img" not in markup_of(forest(made))


def test_limits_without_end_stay_on_the_axis():
    made = outcome(
        fact("A", EQUAL, "B", 0.3, estimate=0.1, interval=(-np.inf, np.inf)),
        fact("A", EQUAL, "C", 0.3, estimate=0.2, interval=(-1e9, 1e9)),
        values={"A": 1.0, "B": 2.0, "C": 3.0},
    )
    places = re.findall(r'x[12]="([-\d.]+)%', markup_of(forest(made)))
    assert all(0 <= float(place) <= 100 for place in places)


# ---- words --------------------------------------------------------------------------


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.txt")), ids=lambda p: p.stem)
def test_nothing_is_called_planned_without_a_plan(page):
    """None of the pages has a plan file, which alone shows what came first."""
    lines = page.read_text(encoding="utf-8").splitlines()
    told = [line for line in lines if not line.startswith("    ")]  # of results.json
    assert not [line for line in told if re.search(r"\b[Pp]lanned\b", line)]

"""What a page says of margins, and of intervals that few blocks cannot give."""

import html
import math
import re

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content import family_report, margin_report, paper_words
from pycompare.reporting.content.margin_forest import margin_forest
from pycompare.reporting.document import plain
from tests.conftest import wide


def line(comparison, start):
    return next(t for t in comparison.summary().split("\n") if t.startswith(start))


def test_equal_scores_of_two_on_data_sets_are_within_a_margin_of_typical_differences():
    scores = wide(np.repeat(np.arange(10.0)[:, None], 2, axis=1))
    comparison = pc.compare(
        scores, pc.Plan(blocks="datasets", margin=0.5, hypothesis="equivalence")
    )
    [p] = comparison.analyses[0].within_margin.table["p_value"]
    assert p == 2.0**-10  # ten differences on one side of the margin
    assert "No difference can be tested" in comparison.summary()


def test_equal_means_of_two_show_neither_a_difference_nor_equivalence():
    scores = wide(np.repeat(np.arange(10.0)[:, None], 2, axis=1))
    plan = pc.Plan(
        blocks="folds", margin=0.5, hypothesis="equivalence", protocol="held-out"
    )
    comparison = pc.compare(scores, plan)
    assert "No difference can be tested" in comparison.summary()
    told = line(comparison, "score (higher is better): Equivalence")
    assert np.isnan(comparison.analyses[0].equivalence.p_value)
    assert "cannot be tested: all differences are equal" in told


def test_models_that_are_right_on_all_cases_are_not_called_equivalent():
    plan = pc.Plan(blocks="cases", margin=0.05, hypothesis="equivalence")
    for n, enough in ((79, False), (80, False), (90, True)):  # .95^80 = .0165
        told = pc.compare(wide(np.ones((n, 3))), plan).summary()
        assert ("Equivalent" in told) is enough
    assert "no valid test" not in told
    few = pc.compare(wide(np.ones((79, 3))), plan).summary()
    assert "79 independent units alike, no valid test" in few
    plan = {"blocks": "datasets", "margin": 0.05, "hypothesis": "equivalence"}
    told = pc.compare(wide(np.ones((200, 3))), pc.Plan(**plan)).summary()
    assert "No pair can be tested against the margin" in told
    control = pc.Plan(**plan | {"hypothesis": "non-inferiority"}, control="A1")
    assert (
        "are non-inferior" not in pc.compare(wide(np.ones((200, 3))), control).summary()
    )
    with pytest.raises(pc.PlanError, match=r"50 right/wrong units .* 3 pairs"):
        pc.compare(wide(np.ones((50, 3))), pc.Plan(**plan))


def test_a_claim_of_right_and_wrong_answers_carries_the_largest_error_found():
    values = np.ones((200, 3))
    values[0, 0] = values[1, 1] = 0
    told = pc.compare(
        wide(values), pc.Plan(blocks="cases", margin=0.05, hypothesis="equivalence")
    ).summary()
    assert "Equivalent" in told and "claimed falsely up to" not in told  # exact
    told = pc.compare(
        wide(values), pc.Plan(blocks="datasets", margin=0.05, hypothesis="equivalence")
    ).summary()
    assert "Equivalent" in told and "claimed falsely up to" in told
    two = pc.compare(
        wide(values[:, :2]),
        pc.Plan(blocks="datasets", margin=0.05, hypothesis="equivalence"),
    )
    assert "claimed falsely up to" in two.summary()
    pairs = pc.equivalence_pairs(wide(values), margin=0.05)
    assert pairs.table["shown"].any()
    assert "claimed falsely up to" in pairs.summary()


def test_folds_with_one_difference_are_an_estimate_without_a_claim():
    scores = wide(np.tile([0.5, 0.51], (10, 1)))
    plan = pc.Plan(blocks="folds", protocol="cross-validation", n_train=90, n_test=10)
    comparison = pc.compare(scores, plan)
    assert not any(one.rejected for one in comparison.analyses[0].decisions)
    told = comparison.summary()
    assert "estimate without a test" in told and "significantly" not in told
    three = wide(np.tile([0.5, 0.51, 0.6], (10, 1)))
    comparison = pc.compare(three, plan)
    told = comparison.summary()
    omnibus = comparison.analyses[0].omnibus
    assert omnibus.r_call() is None  # R would count the orders within blocks
    assert math.isnan(omnibus.p_value) and omnibus.table["p_value"].isna().all()
    assert "No difference can be tested" in told and "estimate without" in told
    assert "p <" not in told


@pytest.mark.parametrize(
    ("n", "reached"), [(2, "50%"), (3, "75%"), (4, "87.5%"), (5, "93.75%"), (6, None)]
)
def test_wilcoxons_interval_has_the_level_that_so_few_blocks_can_give(n, reached):
    values = np.array([[0.0, 1 + 0.1 * i] for i in range(n)])
    comparison = pc.compare(wide(values), pc.Plan(blocks="datasets"))
    told = comparison.summary()
    level = re.search(r"difference \S+ ([\d.]+%) CI", told)[1]
    short = f"({n} blocks are too few for 95%)"
    assert level == (reached or "95%")
    assert (short in told) == (reached is not None)
    limit = f"has no two-sided p-value below {2.0 ** (1 - n):g} before adjustment"
    assert limit in " ".join(report_of(comparison.only).limits())
    # The interval leaves 0 out exactly where the test rejects at the level told.
    p = comparison.analyses[0].test.p_value
    assert p == pytest.approx(2.0 ** (1 - n))
    assert 1 - float(level[:-1]) / 100 >= p - 1e-12
    [_, estimates, *_] = report_of(comparison.only).blocks(comparison.analyses[0])
    page = str(estimates)
    assert ("this interval has" in page) == (reached is not None)


def test_the_smaller_of_two_p_values_is_told_of_equivalence_alone():
    values = np.random.default_rng(1).normal(size=(9, 3))
    plans = {
        "equivalence": pc.Plan(
            blocks="folds", protocol="held-out", margin=1.0, hypothesis="equivalence"
        ),
        "non-inferiority": pc.Plan(
            blocks="folds",
            protocol="held-out",
            margin=1.0,
            hypothesis="non-inferiority",
            control="A1",
        ),
    }
    for kind, plan in plans.items():
        [found] = pc.compare(wide(values), plan).analyses
        [fold] = margin_report.blocks(found)
        [table] = fold.blocks
        assert ("larger of the two" in table.caption) == (kind == "equivalence")
        assert len(table.rows) == len(found.within_margin.table)


def test_pairs_without_a_variance_are_told_as_untested():
    values = np.ones((6, 3)) * [1, 1.5, 2]
    values[:, 2] += np.arange(6) % 2 / 4
    comparison = pc.compare(
        wide(values),
        pc.Plan(
            blocks="datasets", compares="means", margin=0.5, hypothesis="equivalence"
        ),
    )
    found = comparison.analyses[0].within_margin
    assert margin_report.supported(found) == []
    assert found.table["p_adjusted"].isna().sum() == 1
    [told] = margin_report.sentences(comparison.analyses[0])
    assert told.endswith("1 pair cannot be tested.")
    comparison = pc.compare(
        wide(np.ones((6, 3)) * [1, 1.5, 0.5]),
        pc.Plan(
            blocks="datasets",
            compares="means",
            margin=0.5,
            hypothesis="equivalence",
            control="A1",
        ),
    )
    [told] = margin_report.sentences(comparison.analyses[0])
    assert told.startswith("No pair can be tested")


@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
@pytest.mark.parametrize("blocks", ["datasets", "cases", "folds"])
def test_figure_table_and_paragraph_agree_about_a_margin(kind, blocks):
    rng = np.random.default_rng(7)
    values = rng.normal(size=(30, 3)) * 0.03 + [0, 0.02, 0.3]
    control = "A1" if kind == "non-inferiority" else None
    plan = pc.Plan(
        blocks=blocks,
        margin=0.1,
        hypothesis=kind,
        control=control,
        protocol="held-out" if blocks == "folds" else None,
    )
    comparison = pc.compare(wide(values, "lower"), plan)
    [analysis] = comparison.analyses
    found = margin_forest(analysis.margin_test)
    texts = [plain(row[1].text) for row in found.table.cells()]
    assert all(text in found.figure.alt for text in texts)
    inside = [found.band[0] <= r.limits[0] and r.limits[1] <= found.band[1]
              for r in found.rows]  # fmt: skip
    assert inside == [row.shown for row in found.rows] and any(inside)
    told = " ".join(paper_words.of_margin(analysis))
    assert all(text in told for text, row in zip(texts, inside, strict=True) if row)
    head, *_ = comparison.summary().split("\n")
    named = "Equivalent: A1 – A2" if control is None else "A2 is non-inferior to A1"
    assert named in head


def test_a_page_says_over_which_family_margins_are_adjusted():
    rng = np.random.default_rng(2)
    scores = pc.Scores(
        values=rng.normal(size=(9, 3, 2)),
        blocks=tuple(f"b{i}" for i in range(9)),
        algorithms=("A", "B", "C"),
        metrics=(pc.Metric("error", "lower"), pc.Metric("auc", "higher")),
    )
    margin = {"error": 1.0, "auc": 1.0}
    of_all = "adjustment over the family of 6 hypotheses, 3 pairs x 2 metrics. Both"
    for family, told in (("all", of_all), ("metric", "Each metric has")):
        plan = pc.Plan(
            blocks="datasets", family=family, margin=margin, hypothesis="equivalence"
        )
        said, _ = margin_report.plan_sentences(pc.compare(scores, plan).only)
        assert told in said


def test_a_corrected_f_is_said_to_correct_no_pairs():
    scores = wide(np.random.default_rng(1).normal(size=(9, 3)))
    for omnibus, there in (("greenhouse-geisser", True), ("anova", False)):
        plan = pc.Plan(blocks="folds", protocol="held-out", omnibus=omnibus)
        told = " ".join(report_of(pc.compare(scores, plan).only).plan())
        assert ("Geisser corrects the omnibus test only" in told) == there


@pytest.mark.parametrize("control", [None, "A"])
def test_what_stands_beside_a_family_is_told_as_it_is(control):
    rng = np.random.default_rng(2)
    scores = pc.Scores(
        values=rng.normal(size=(8, 3, 1)),
        blocks=tuple(f"b{i}" for i in range(8)),
        algorithms=("A", "B", "C"),
        metrics=(pc.Metric("error", "lower"),),
        groups=("x",) * 4 + ("y",) * 4,
    )
    found = pc.compare(scores, pc.Plan(compares="ranks", family="all", control=control))
    table = family_report.sensitivity(found, found.families[1:])
    count = 6 if control is None else 4
    assert [len(family.table) for family in found.families] == [count, count]
    assert len(table.rows) == 1


def test_a_pair_without_a_p_value_is_not_told_to_have_one_above_alpha():
    values = np.random.default_rng(21).normal(size=(8, 3))
    values[:, 1] = values[:, 0]
    plan = pc.Plan(blocks="folds", n_train=90, n_test=10)
    comparison = pc.compare(wide(values), plan)
    [first, *_] = comparison.analyses[0].decisive.table["p_adjusted"]
    assert np.isnan(first)
    assert "One pair could not be tested." in comparison.summary()
    outcome = report_of(comparison).statements(comparison.analyses[0]).outcome
    assert [fact.pair for fact in outcome.untested] == [{"A1", "A2"}]
    values[:, 1] += 0.1 * np.arange(8)
    assert "could not be tested" not in pc.compare(wide(values), plan).summary()


def test_what_depends_on_a_p_value_is_said():
    values = np.random.default_rng(3).normal(size=(12, 3))
    of_three = wide(values)
    of_sets = pc.Scores(
        values=values[:, :, None],
        blocks=of_three.blocks,
        algorithms=of_three.algorithms,
        metrics=of_three.metrics,
        datasets=tuple(f"d{i // 4}" for i in range(12)),
    )
    told = {
        (where, gate): report_of(pc.compare(scores, plan).only).plan()
        for where, scores in (
            ("folds", of_three),
            ("datasets", of_three),
            ("", of_sets),
        )
        for gate in ("none", "omnibus")
        for held in [{} if where == "datasets" else {"protocol": "held-out"}]
        for plan in [
            pc.Plan(
                compares=None if where == "folds" else "ranks",
                gate=gate,
                blocks=where or "by-columns",
                **held,
            )
        ]
    }
    for (where, gate), sentences in told.items():
        last = sentences[-1]
        assert ("gatekeeping" in last) == (gate == "omnibus")
        assert ("counting wins" in last) == (where == "")
        assert last.endswith("on a p-value.") == (gate == "none" and where != "")


@pytest.mark.parametrize("second", ["x", "y"])
def test_one_group_alone_is_told_nothing_about_differences_of_groups(second):
    scores = pc.Scores(
        values=np.random.default_rng(2).normal(size=(8, 3, 1)),
        blocks=tuple(f"b{i}" for i in range(8)),
        algorithms=("A", "B", "C"),
        metrics=(pc.Metric("error", "lower"),),
        groups=("x",) * 4 + (second,) * 4,
    )
    told = pc.compare(scores, pc.Plan(family="metric")).summary()
    assert ("No test here compares groups" in told) == (second == "y")


@pytest.mark.usefixtures("blank_pictures")
def test_how_firm_a_result_is_stands_on_the_page_of_many_results(tmp_path):
    """Only the first three verdicts fit on the first screen; the fourth was nowhere."""
    rng = np.random.default_rng(5)
    names = ("error", "cost", "time", "loss")
    scores = pc.Scores(
        values=rng.normal(size=(12, 3, 4)) * [1, 2, 3, 4] + np.arange(3)[:, None],
        blocks=tuple(f"b{i}" for i in range(12)),
        algorithms=("A", "B", "C"),
        metrics=tuple(pc.Metric(name, "lower") for name in names),
    )
    found = pc.compare(scores, pc.Plan(blocks="datasets", family="metric"))
    page = (pc.report(found, tmp_path / "r") / "report.html").read_text()
    text = html.unescape(re.sub(r"<[^>]*>", "", page)).replace("\xa0", " ")
    told = [line for line in found.summary().split("\n") if "decisions on" in line]
    assert len(told) == 4 and all(line in text for line in told)

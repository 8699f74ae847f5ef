"""What is decided about pairs at the boundaries: ties at alpha, at 0, of p-values."""

from __future__ import annotations

import dataclasses
import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.designs.decisions import Decision, decisions, disagreements, unable
from pycompare.designs.margins import margin_pairs_of
from pycompare.designs.one_pair import how_much_worse, one_pair, one_pairs
from pycompare.designs.planned_pairs import after_gate as gated
from pycompare.results.pair_rows import PairRows
from pycompare.results.result import BEFORE_GATE
from tests.conftest import wide


def table(rows, better="lower"):
    columns = ["algorithm_1", "algorithm_2", "estimate", "p_value", "p_adjusted"]
    frame = pd.DataFrame(rows, columns=columns)
    sign = 1 if better == "lower" else -1
    worse_by = sign * frame["estimate"].to_numpy(float)
    pairs = PairRows.of(row[:2] for row in rows)
    return SimpleNamespace(as_columns=lambda: frame, worse_by=worse_by, pair_rows=pairs)


def test_alpha_itself_rejects_and_the_next_number_does_not():
    above = math.nextafter(0.05, 1)
    pairs = table([("a", "b", 1.0, 0.05, 0.05), ("a", "c", 1.0, above, above)])
    first, second = decisions(pairs, 0.05)
    assert (first.rejected, second.rejected) == (True, False)
    assert isinstance(first.rejected, bool)


@pytest.mark.parametrize(("better", "winner"), [("lower", "b"), ("higher", "a")])
def test_the_direction_says_who_is_better(better, winner):
    [made] = decisions(table([("a", "b", 0.3, 0.01, 0.02)], better), 0.05)
    assert made.better == winner and {made.better, made.worse} == {"a", "b"}
    assert (made.p_value, made.p_adjusted, made.pair) == (0.01, 0.02, {"a", "b"})


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_where_two_tie_the_order_of_the_data_stays(better):
    [made] = decisions(table([("b", "a", 0.0, 1.0, 1.0)], better), 0.05)
    assert (made.better, made.worse) == ("b", "a")


def test_strongest_evidence_comes_first_then_the_raw_p_then_the_data():
    rows = [
        ("a", "b", -1.0, 0.04, 0.2),
        ("a", "c", -1.0, 0.03, 0.2),
        ("b", "c", -1.0, 0.01, 0.1),
        ("b", "d", -1.0, 0.03, 0.2),
    ]
    order = [(one.better, one.worse) for one in decisions(table(rows), 0.05)]
    assert order == [("b", "c"), ("a", "c"), ("b", "d"), ("a", "b")]


def test_a_pair_without_a_p_value_is_not_rejected():
    [made] = decisions(table([("a", "b", 1.0, math.nan, math.nan)]), 1.0)
    assert made.rejected is False


def decision(better, worse, rejected):
    p = 0.01 if rejected else 0.6
    return Decision(better, worse, p, p, rejected)


@pytest.mark.parametrize(
    ("other", "number"),
    [
        (decision("a", "b", True), 0),
        (decision("a", "b", False), 1),
        (decision("b", "a", False), 1),
        (decision("b", "a", True), 1),
    ],
)
def test_analyses_disagree_if_one_rejects_alone_or_in_favour_of_another(other, number):
    mine = decision("a", "b", True)
    found = disagreements([mine], [other])
    assert len(found) == number
    assert [(one.planned, one.other) for one in found] == [(mine, other)] * number


def test_analyses_that_both_retain_agree_whoever_leads():
    mine, other = decision("a", "b", False), decision("b", "a", False)
    assert disagreements([mine], [other, decision("a", "c", True)]) == ()


def test_a_pair_can_be_rejected_if_its_smallest_p_value_is_alpha():
    pairs = table([("a", "b", 0, 1, 1), ("a", "c", 0, 1, 1)])
    assert unable(pairs, 0.05) == set()
    pairs.as_columns()["p_smallest"] = [0.05, math.nextafter(0.05, 1)]
    assert unable(pairs, 0.05) == {frozenset("ac")}


@pytest.fixture
def pairs():
    values = [[0.1, 0.5, 0.9], [0.2, 0.4, 0.8], [0.1, 0.3, 0.7], [0.4, 0.5, 0.6]]
    return pc.rank_pairs(wide(values))


def test_a_gate_makes_the_larger_p_value_count(pairs):
    first, *_ = own = pairs.table["p_adjusted"].tolist()
    plan = pc.Plan(gate="omnibus")
    p = (min(own) + max(own)) / 2
    found = gated(pairs, SimpleNamespace(p_value=p), plan)
    assert found.table["p_adjusted"].tolist() == [max(p, one) for one in own]
    assert found.table[BEFORE_GATE].tolist() == own
    assert found.family == f"{pairs.family}, if the test of all algorithms rejects"
    assert gated(pairs, SimpleNamespace(p_value=p), pc.Plan(gate="none")) is pairs
    nothing = gated(pairs, SimpleNamespace(p_value=math.nan), plan)
    assert nothing.table["p_adjusted"].isna().all() and first == own[0]


BETTER = [0.9, 0.8, 0.85, 0.7, 0.95]
WORSE = [0.5, 0.6, 0.55, 0.65, 0.5]


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("test", [pc.paired_t, pc.wilcoxon])
def test_a_test_of_two_is_a_table_of_one_pair(test, better):
    scores = wide(list(zip(BETTER, WORSE, strict=True)), better=better)
    found = test(scores)
    pair = one_pair(found, control=None)
    [row] = pair.table.to_dict("records")
    assert (row["algorithm_1"], row["algorithm_2"]) == ("A1", "A2")
    assert row["p_value"] == row["p_adjusted"] == found.p_value
    assert row["estimate"] == found.estimate and row["statistic"] == found.statistic
    assert (row["conf_low"], row["conf_high"]) == (found.conf_low, found.conf_high)
    worse = "A2" if better == "higher" else "A1"
    assert pair.positions.idxmax() == worse
    assert (pair.worse_by > 0).tolist() == [worse == "A1"]
    assert pair.worse_by == pytest.approx(how_much_worse(found), rel=1e-12)
    [made] = decisions(pair, 0.05)
    assert made.worse == worse
    assert pair.adjust == "none" and pair.basis == found.basis
    assert pair.interval.startswith(f"{100 * found.reached:g}%")


def test_one_pair_is_made_for_each_adjustment_of_a_larger_family():
    found = pc.paired_t(wide(list(zip(BETTER, WORSE, strict=True))))
    plan = dataclasses.replace(pc.Plan(), adjust=("holm", "hommel"))
    assert [one.adjust for one in one_pairs(found, plan)] == ["none"]
    plan = dataclasses.replace(plan, family="all")
    assert [one.adjust for one in one_pairs(found, plan)] == ["holm", "hommel"]


@pytest.mark.parametrize(
    ("k", "blocks", "tested"),
    [
        (2, "folds", False),
        (2, "datasets", True),
        (2, "folds-of-datasets", True),
        (3, "datasets", True),
        (3, "folds", True),
    ],
)
def test_a_margin_of_two_means_is_tested_on_their_own_analysis(k, blocks, tested):
    scores = wide([[0.1 * i + 0.03 * i * j for j in range(k)] for i in range(6)])
    plan = pc.Plan(margin=0.2, hypothesis="equivalence", blocks=blocks)
    planned = margin_pairs_of(scores, plan, "score", 1)
    assert (planned is not None) is tested
    assert margin_pairs_of(scores, pc.Plan(blocks=blocks), "score", 1) is None
    if planned is not None:
        found = planned.decided_alone()
        assert (found.margin_low, found.margin_high) == (-0.2, 0.2)
        assert found.kind == "equivalence"
        assert found.basis == (
            "margins/t" if blocks == "folds" else "margins/signed-ranks"
        )


def test_margins_of_folds_are_corrected_for_shared_training_data():
    scores = wide([[0.1 * i + 0.03 * i * j for j in range(3)] for i in range(6)])
    sizes = {"n_train": 90.0, "n_test": 10.0}
    plan = pc.Plan(
        margin=0.2, hypothesis="equivalence", blocks="folds", margin_alpha=0.01, **sizes
    )
    planned = margin_pairs_of(scores, plan, "score", 1)
    found = planned.decided_alone()
    assert {"n_train": found.n_train, "n_test": found.n_test} == sizes
    assert found.alpha == 0.01 and found.control is None


def test_the_logic_of_hypotheses_follows_from_their_reason():
    from pycompare.base import hypotheses

    every = {
        name: one.transitive
        for name, one in vars(hypotheses).items()
        if isinstance(one, hypotheses.Hypotheses)
    }
    of_logarithms = {"SYMMETRY_OF_LOGARITHMS", "MARGIN_OF_RATIOS"}
    intransitive = {"WINNING", "SYMMETRY", "MARGIN", "ONE_SIDED", *of_logarithms}
    assert {name for name, transitive in every.items() if not transitive} == (
        intransitive
    )


def folds_of_data_sets():
    """Accuracy and error of three algorithms, A clearly best and C worst."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        [
            {"data": f"d{d}", "fold": f"d{d}f{f}", "name": name, "acc": acc}
            for d in range(5)
            for f in range(2)
            for name, acc in zip(
                "ABC", np.array([0.9, 0.8, 0.6]) + rng.normal(0, 0.01, 3), strict=True
            )
        ]
    )
    return pc.Scores.from_frame(
        frame.assign(error=1 - frame["acc"]),
        algorithm="name",
        block="fold",
        dataset="data",
        metrics={"acc": "higher", "error": "lower"},
    )


@pytest.mark.parametrize(
    "verdict", ["typical-difference", "ranks", "wins", "means", "model"]
)
def test_a_larger_family_changes_p_values_and_not_who_is_better(verdict):
    scores = folds_of_data_sets()
    plan = pc.Plan(
        compares=verdict, family="all", adjust=("holm",), protocol="held-out"
    )
    for analysis in pc.compare(scores, plan).analyses:
        found = {(made.better, made.worse) for made in analysis.decisions}
        assert found == {("A", "B"), ("A", "C"), ("B", "C")}


def test_differences_change_sign_below_the_diagonal_and_p_values_do_not(pairs):
    for column in ("estimate", "statistic"):
        square = pairs.matrix(column).to_numpy()
        off = ~np.eye(len(square), dtype=bool)
        assert np.array_equal(square[off], -square.T[off]) and np.isnan(square[0, 0])
        assert square[0, 1] == pairs.table[column].iloc[0] != 0
    for column in ("p_value", "p_adjusted"):
        square = pairs.matrix(column)
        assert square.equals(square.T)
    table = pc.pairwise_t(wide([[0.1, 0.5], [0.2, 0.4], [0.3, 0.1]]))
    [row] = table.table.to_dict("records")
    for low, high in (("conf_low", "conf_high"), ("conf_high", "conf_low")):
        assert table.matrix(low).loc["A1", "A2"] == row[low]
        assert table.matrix(low).loc["A2", "A1"] == -row[high]


def test_orders_are_named_by_what_makes_their_groups():
    from pycompare.designs.metric_orders import MetricOrders

    alone, together = object(), object()
    assert MetricOrders(alone=alone, together=None).by_groups() == {"alone": alone}
    both = MetricOrders(alone=alone, together=together).by_groups()
    assert both == {"alone": alone, "together": together}


def test_planned_decimals_are_for_ranks_alone():
    from pycompare.designs.flips import by_flips

    scores = wide(np.random.default_rng(6).normal(0.5, 0.01, size=(6, 3)))
    plan = pc.Plan(decimals=1)
    ranks = by_flips(scores, plan, "score", "max-t", "ranks")
    assert (ranks.table["estimate"].abs() < 2).all()
    every = by_flips(scores, pc.Plan(), "score", "max-t", "ranks")
    assert not np.array_equal(ranks.table["estimate"], every.table["estimate"])
    means = by_flips(scores, plan, "score", "max-t", "scores")
    assert_digits(
        means.table["estimate"].iloc[0],
        scores.values[:, 0, 0].mean() - scores.values[:, 1, 0].mean(),
        at_least=10,
    )


def test_plain_values_keep_full_precision_and_say_what_is_no_number():
    from pycompare.results.result import plain

    @dataclasses.dataclass
    class Pair:
        low: float
        high: np.float64

    assert plain(Pair(0.1, np.float64(math.inf))) == {"low": 0.1, "high": "Infinity"}
    assert plain([math.nan, -math.inf, np.int64(3), True, None, "x"]) == [
        *("NaN", "-Infinity", 3, True, None, "x")
    ]
    assert plain({1: (0.1 + 0.2,)}) == {"1": [0.1 + 0.2]}
    assert plain(Pair) == str(Pair) and plain(pd.Series({"a": 1.5})) == {"a": 1.5}


def test_the_data_behind_a_result_are_not_exported(pairs):
    found = pairs.to_dict()
    assert "table" in found and "blocks" not in found
    assert isinstance(pairs.blocks.values, np.ndarray)


def test_the_rank_analysis_has_kendalls_w_of_a_complete_table():
    scores = wide(np.random.default_rng(7).normal(size=(12, 3)))
    [analysis] = pc.compare(
        scores, pc.Plan(blocks="datasets", compares="ranks")
    ).analyses
    assert analysis.agreement.estimate == pc.friedman(scores).kendall_w.estimate


def test_the_first_form_of_f_is_uncorrected_and_the_others_have_their_epsilon():
    scores = wide(np.random.default_rng(8).normal(size=(10, 4)))
    [analysis] = pc.compare(
        scores, pc.Plan(blocks="folds", protocol="held-out")
    ).analyses
    found = analysis.omnibus.sphericity
    forms = analysis.forms()
    assert list(forms) == ["anova", "greenhouse-geisser", "huynh-feldt"]
    epsilon, p = forms["anova"]
    assert epsilon == 1.0 and p == analysis.omnibus.table["p_value"].dropna().iloc[-1]
    assert forms["greenhouse-geisser"] == (
        found.greenhouse_geisser,
        found.p_greenhouse_geisser,
    )
    assert forms["huynh-feldt"] == (found.huynh_feldt, found.p_huynh_feldt)


def test_families_and_shortfalls_are_told():
    scores = wide([[0.1, 0.5, 0.9], [0.2, 0.4, 0.8], [0.1, 0.3, 0.75]])
    every = pc.equivalence_pairs(scores, margin=0.2)
    assert every.family == "all 3 pairs of 3 algorithms on score"
    one = pc.equivalence_pairs(scores, margin=0.2, control="A2")
    assert one.family == "2 comparisons with the control A2 on score"
    few = pc.wilcoxon(wide(scores.values[:, :2, 0]))
    assert (
        few.reached < few.level and few.shortfall == " (3 blocks are too few for 95%)"
    )
    many = pc.wilcoxon(wide(np.random.default_rng(9).normal(size=(9, 2))))
    assert many.reached == many.level and many.shortfall == ""
    assert pc.sign_test(wide(scores.values[:, :2, 0])).statistic_name == "positive"


@pytest.mark.parametrize(
    ("adjust", "decides"), [("tukey", "tukey"), ("holm", "corrected")]
)
def test_of_folds_the_first_planned_adjustment_decides(adjust, decides):
    scores = wide(np.random.default_rng(10).normal([0, 0.5, 1], size=(10, 3)))
    plan = pc.Plan(blocks="folds", n_train=90, n_test=10, adjust=(adjust,))
    [analysis] = pc.compare(scores, plan).analyses
    assert analysis.corrected is not None
    expected = analysis.corrected if decides == "corrected" else analysis.pairs[0]
    assert analysis.decisive is expected
    found = sorted(made.p_adjusted for made in analysis.decisions)
    assert found == sorted(expected.table["p_adjusted"])


@pytest.mark.parametrize(("k", "there"), [(2, False), (3, True), (4, True)])
def test_orders_need_three_algorithms(k, there):
    from pycompare.designs.metric_orders import metric_orders

    scores = wide(np.random.default_rng(11).normal(size=(9, k)))
    pairs = {"score": pc.rank_pairs(scores)}
    found = metric_orders(scores, pairs, None, 0.05)
    assert (found is not None) is there
    assert metric_orders(scores, {}, None, 0.05) is None
    against = {"score": pc.rank_pairs(scores, control="A1", adjust="holm")}
    assert metric_orders(scores, against, None, 0.05) is None


@pytest.mark.parametrize(("dataset", "of"), [(None, ""), ("iris", " of iris")])
def test_analyses_of_runs_have_their_titles(dataset, of):
    from pycompare.designs.replicates import RunsWithin

    ranks, strata = SimpleNamespace(name="a test"), object()
    found = RunsWithin(
        dataset=dataset, unit="fold", strata=strata, ranks=ranks
    ).results()
    assert found == (
        (f"Runs within folds{of}: strata", strata),
        (f"Runs within blocks{of}: a test", ranks),
    )
    alone = RunsWithin(dataset=dataset, unit="fold", strata=None, ranks=ranks).results()
    assert alone == found[1:]

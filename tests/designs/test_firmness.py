"""How firm decisions are, counted from the decisions of each analysis by hand."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs import group_comparison
from pycompare.designs.decisions import rejected_pairs
from pycompare.designs.firmness import Firmness, LeftOut, OtherDecision
from pycompare.designs.leave_one_out import left_out_of
from pycompare.reporting.evidence import shortened
from tests.conftest import wide
from tests.reporting.whole_pages import COMPARISONS

DATA_SETS = pc.Plan(blocks="datasets", adjust=("holm",))


def firmness_of(name: str) -> Firmness:
    scores, plan = COMPARISONS[name]()
    [found] = pc.compare(scores, plan).firmness
    return found


def test_decisions_are_those_of_the_other_comparisons():
    scores, plan = COMPARISONS["ranks"]()
    made = pc.compare(scores, plan)
    [analysis], [found] = made.analyses, made.firmness
    planned = rejected_pairs(analysis.pairs[0], made.plan.alpha)
    changed = set()
    for other in analysis.pairs[1:]:
        own = rejected_pairs(other, made.plan.alpha)
        pairs = planned.keys() | own.keys()
        changed |= {pair for pair in pairs if planned.get(pair) != own.get(pair)}
    assert {frozenset(pair) for pair in found.fragile("same")} == changed
    assert changed
    assert len(found.analyses("same")) == len(analysis.pairs) - 1
    assert [one.analysis for one in found.omnibus]
    assert len(found.to_frame()) == len(found.decisions) > 0


def test_other_adjustments_are_of_the_same_quantity_and_other_tests_are_not():
    found = firmness_of("ranks")
    assert any("Holm" in name for name in found.analyses("same"))
    assert any("sign tests" in name for name in found.analyses("another"))
    means = firmness_of("folds_control")
    assert any("mean ranks" in name for name in means.analyses("another"))
    assert not any("mean ranks" in name for name in means.analyses("same"))


def test_each_metric_and_group_has_its_own():
    scores, plan = COMPARISONS["ranks_groups"]()
    titles = [one.title for one in pc.compare(scores, plan).firmness]
    assert titles == [
        "Group text, score",
        "Group image, score",
        "All groups together, score",
    ]


def test_analyses_that_can_reject_nothing_count_neither_way():
    found = firmness_of("ranks_few")
    assert found.analyses("another") and not found.tested("another")
    assert found.sentence("another") == ""


@pytest.mark.parametrize(
    ("agrees", "sentence"),
    [
        ((True, True), "2 of 2 pairwise decisions are"),
        ((True, False), "1 of 2 pairwise decisions is"),
        ((False, False), "0 of 2 pairwise decisions are"),
    ],
)
def test_a_decision_is_firm_if_every_analysis_shares_it(agrees, sentence):
    made = [
        OtherDecision("t", "same", "a", other, "", True, one)
        for other, one in zip("bc", agrees, strict=True)
    ]
    made += [OtherDecision("u", "same", "a", other, "", True, True) for other in "bc"]
    made += [OtherDecision("v", "same", "a", other, "", False, False) for other in "bc"]
    found = Firmness(
        title="m",
        pairs=(("a", "b"), ("a", "c")),
        decisions=tuple(made),
        omnibus=(),
        left_out=LeftOut(unit="case", n_units=0, changes={}, why_not="a test"),
    )
    assert found.sentence("same").startswith(sentence)
    assert len(found.fragile("same")) == agrees.count(False)
    assert found.sentence("another") == ""


def by_hand(scores, plan, name):
    """Compare without one block (a cluster) as planned; return the rejected pairs."""
    labels = scores.clusters or scores.blocks
    pairs = zip(scores.blocks, labels, strict=True)
    less = scores.select(blocks=[block for block, label in pairs if label != name])
    made = pc.compare(less, plan)
    return rejected_pairs(made.analyses[0].decisive, plan.alpha)


RNG = np.random.default_rng(8)
ANSWERS = (
    (RNG.random((60, 1)) < 0.6) ^ (RNG.random((60, 3)) < (0.02, 0.15, 0.3))
) * 1.0
GRADES = np.round(RNG.normal(size=(30, 3)) + np.array([0, 0.35, 0.7]), 1)
CLUSTERED = {"clusters": tuple(f"t{i // 2}" for i in range(60))}


@pytest.mark.parametrize(
    ("scores", "plan"),
    [
        (wide(GRADES[:14]), pc.Plan(blocks="datasets", adjust=("holm",))),
        (wide(GRADES[:14]), pc.Plan(blocks="datasets", control="A1")),
        (wide(GRADES[:14, :2]), pc.Plan(blocks="datasets")),
        (wide(GRADES), pc.Plan(blocks="cases")),
        (wide(GRADES[:, :2]), pc.Plan(blocks="cases")),
        (wide(ANSWERS), pc.Plan(blocks="cases")),
        (dataclasses.replace(wide(ANSWERS), **CLUSTERED), pc.Plan(blocks="cases")),
        (
            wide(GRADES[:12]),
            pc.Plan(blocks="folds", n_train=90, n_test=30, protocol="resampling"),
        ),
    ],
)
def test_leaving_out_is_what_compare_makes_without_the_unit(scores, plan):
    [analysis] = (made := pc.compare(scores, plan)).analyses
    [found] = made.firmness
    planned = rejected_pairs(analysis.decisive, plan.alpha)
    units = dict.fromkeys(scores.clusters or scores.blocks)
    changes = {}
    for name in units:
        own = by_hand(scores, plan, name)
        for pair in planned.keys() | own.keys():
            if planned.get(pair) != own.get(pair):
                changes.setdefault(pair, []).append(name)
    assert not found.left_out.why_not
    assert found.left_out.n_units == len(units)
    assert found.left_out.changes == {k: tuple(v) for k, v in changes.items()}
    assert {*map(frozenset, found.fragile("same"))} >= changes.keys()
    assert len(found.tested("same")) == len(analysis.decisions)


def test_a_pair_that_one_data_set_less_could_not_show_counts_neither_way():
    scores = wide(np.arange(12.0).reshape(6, 2) ** 1.3 * (1, 2))
    [found] = pc.compare(scores, pc.Plan(blocks="datasets")).firmness
    assert found.left_out.n_units == 6 and len(found.left_out.hopeless) == 1
    assert not found.left_out.changes


@pytest.mark.parametrize(
    ("n", "keys", "words"),
    [
        (30, {"compares": "ranks", "blocks": "datasets"}, "draws at random|not done"),
        (30, {"adjust": ("max-t",), "blocks": "cases"}, "draws at random"),
        (700, {"blocks": "cases"}, "700 times 3 tests"),
    ],
)
def test_where_nothing_is_left_out_the_reason_is_said(n, keys, words):
    scores = wide(np.random.default_rng(1).normal(size=(n, 3)))
    [found] = pc.compare(scores, pc.Plan(**keys)).firmness
    assert re.search(words, found.left_out.why_not)
    assert found.left_out.n_units == 0 and not found.left_out.changes


@pytest.mark.usefixtures("blank_pictures_here")
def test_results_json_and_diff_have_it(tmp_path):
    folders = []
    for at, decimals in enumerate((1, 0)):
        comparison = pc.compare(wide(np.round(GRADES[:14], decimals)), DATA_SETS)
        folders.append(pc.report(comparison, tmp_path / str(at)))
        written = json.loads((tmp_path / str(at) / "results.json").read_text())
        [found] = comparison.firmness
        [told] = written["firmness"]
        assert told == json.loads(json.dumps(found.to_dict()))
        without = {
            frozenset((row["algorithm_1"], row["algorithm_2"])): tuple(
                row["changes_without"]
            )
            for row in told["pairs"]
        }
        assert {k: v for k, v in without.items() if v} == found.left_out.changes
        for row in told["pairs"]:
            pair = (row["algorithm_1"], row["algorithm_2"])
            assert row["same_quantity"] is (pair not in found.fragile("same"))
    changed = pc.diff(*folders).of("conclusions")
    assert changed["place"].str.startswith("firmness/0/pairs").any()
    assert pc.verify(folders[0], recompute=True).passed


@pytest.mark.usefixtures("blank_pictures_here")
def test_a_report_leaves_each_unit_out_once(tmp_path, monkeypatch):
    done = []

    def counted(plan, scores, analysis):
        done.append(analysis.metric.name)
        return left_out_of(plan, scores, analysis)

    monkeypatch.setattr(group_comparison, "left_out_of", counted)
    monkeypatch.setattr(shortened, "_MOST_VALUES", 1000)  # results are shortened
    many = wide(np.random.default_rng(4).normal(size=(15, 6)))
    pc.report(pc.compare(many, pc.Plan(blocks="datasets")), tmp_path / "r")
    held = json.loads((tmp_path / "r" / "results.json").read_text())
    assert "shortened" in held and len(held["firmness"]) == 1
    assert done == ["score"]

"""How firm decisions are, counted from the decisions of each analysis by hand."""

from __future__ import annotations

import pytest

import pycompare as pc
from pycompare.analyses.decisions import rejected_pairs
from pycompare.analyses.firmness import Firmness, OtherDecision
from tests.reporting.whole_pages import COMPARISONS


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
        title="m", pairs=(("a", "b"), ("a", "c")), decisions=tuple(made), omnibus=()
    )
    assert found.sentence("same").startswith(sentence)
    assert len(found.fragile("same")) == agrees.count(False)
    assert found.sentence("another") == ""

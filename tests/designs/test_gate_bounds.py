"""Missing answers of a gate, which count against a pass and against a fail."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError, PlanError
from pycompare.designs.gate_bounds import filled
from pycompare.designs.gate_result import sentence

NAMES = {"baseline": "old", "candidate": "new"}
GATES = {
    "exact": ({}, {}),
    "bounded": ({"graded": True}, {"range": (0, 1)}),
    "effective-size": ({"runs": 3}, {"runs": "samples"}),
    "these-items": ({"runs": 3}, {"runs": "samples", "items_scope": "fixed"}),
}
"""How answers come, and the gate whose test they have."""


def answers(gone, *, runs=1, graded=False, better="higher", n=150, seed=3):
    """Answers of two models, of which a share is missing, and those that were."""
    rng = np.random.default_rng(seed)
    shape = (n, 2, runs)
    x = (rng.random(shape) < rng.uniform(0.5, 1, (n, 1, 1))).astype(float)
    if graded:
        x = rng.choice([0.0, 0.5, 1.0], shape)
    whole = x if better == "higher" else 1 - x
    held = np.where(rng.random(shape) < gone, np.nan, whole)
    names = {"replicate": "run"} if runs > 1 else {}

    def scores(values, missing="bounds", **more):
        rows = [
            {"model": m, "item": f"q{i}", "run": r, "s": values[i, j, r]}
            for i in range(n)
            for j, m in enumerate(("old", "new"))
            for r in range(runs)
        ]
        return pc.Scores.from_frame(
            rows, algorithm="model", block="item", metrics={"s": better},
            missing=missing, **names, **more,
        )  # fmt: skip

    return scores, held, whole


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("test", GATES)
def test_each_claim_has_the_scores_that_make_it_hardest(test, better):
    how, options = GATES[test]
    scores, held, _ = answers(0.03, better=better, **how)
    found = pc.gate(scores(held), **NAMES, margin=0.1, **options)
    assert found.tests == (test,)
    best, worst = (1.0, 0.0) if better == "higher" else (0.0, 1.0)
    ends = {"p_not_worse": [best, worst], "p_worse": [worst, best]}
    [one] = found.members
    middle = 0.0
    for name, instead in ends.items():
        full = np.where(np.isnan(held), np.array(instead)[None, :, None], held)
        whole = pc.gate(scores(full, "error"), **NAMES, margin=0.1, **options)
        [alone] = whole.members
        assert getattr(one.tested, name) == getattr(alone.tested, name)
        limit = "conf_low" if name == "p_not_worse" else "conf_high"
        assert getattr(one, limit) == getattr(alone, limit)
        middle += alone.tested.difference / 2
    assert one.tested.difference == pytest.approx(middle)
    assert one.conf_low < one.tested.difference < one.conf_high


@pytest.mark.parametrize("test", GATES)
def test_no_answers_in_place_of_the_missing_ones_make_a_claim_easier(test):
    how, options = GATES[test]
    scores, held, _ = answers(0.03, **how)
    [bounds] = pc.gate(scores(held), **NAMES, margin=0.1, **options).members
    rng = np.random.default_rng(1)
    for _ in range(20):
        guess = np.where(np.isnan(held), rng.integers(0, 2, held.shape), held)
        [one] = pc.gate(scores(guess), **NAMES, margin=0.1, **options).members
        assert one.tested.p_not_worse <= bounds.tested.p_not_worse
        assert one.tested.p_worse <= bounds.tested.p_worse


def test_complete_answers_have_the_same_gate():
    scores, _, whole = answers(0.0)
    found, plain = (
        pc.gate(scores(whole, policy), **NAMES, margin=0.1)
        for policy in ("bounds", "error")
    )
    assert sentence(found) == sentence(plain) and found.notes == plain.notes
    own = scores(whole)
    assert filled(own, (0, 1), "worse") is own and found.gaps == {}


def test_counts_of_missing_answers_are_told():
    scores, held, _ = answers(0.03)
    gone = np.isnan(held).sum(axis=(0, 2))
    [note] = pc.gate(scores(held), **NAMES, margin=0.1).notes
    assert f"{gone[0]} of 'old' and {gone[1]} of 'new'" in note and "midway" in note


def test_bounds_need_a_range_a_gate_and_a_test_with_bounds():
    scores, held, _ = answers(0.03, graded=True)
    with pytest.raises(InputError, match="needs the lowest and the highest"):
        pc.gate(scores(held), **NAMES, margin=0.1)
    with pytest.raises(InputError, match="missing answers have no bounds"):
        pc.gate(scores(held), **NAMES, margin=0.1, range=(0, 1), decided_by="t")
    with pytest.raises(PlanError, match="is for a gate"):
        pc.compare(scores(held), pc.Plan(blocks="cases"))


def test_an_item_that_neither_model_answered_counts_as_well():
    scores, _, whole = answers(0.0)
    held = whole.copy()
    held[3] = np.nan
    own = scores(held, confirmed=("empty-row:q3",))
    found = pc.gate(own, **NAMES, margin=0.15)
    assert found.members[0].tested.n_items == len(held)
    assert np.isnan(own.values[3]).all()
    with pytest.raises(InputError, match="no score at all"):
        dataclasses.replace(own, missing="model")


@pytest.mark.slow
@pytest.mark.parametrize("test", GATES)
def test_r_fills_the_gaps_itself(test, tmp_path):
    how, options = GATES[test]
    scores, held, _ = answers(0.03, **how)
    found = pc.gate(scores(held), **NAMES, margin=0.1, **options)
    pc.report(found, tmp_path / "gate")
    script = (tmp_path / "gate" / "reproduce.R").read_text()
    assert "NaN" not in script.partition("gate_reference(")[2]
    assert pc.verify(tmp_path / "gate", recompute=True).passed

"""AUCs against a margin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.r_session import run


def cases(n=40, k=3, seed=1, noise=0.4):
    rng = np.random.default_rng(seed)
    ill = np.repeat([True, False], n)
    common = rng.normal(1.3 * ill)
    return ill, {f"A{j + 1}": common + noise * rng.normal(size=2 * n) for j in range(k)}


def test_both_sides_are_z_of_delongs_error_moved_by_the_margin():
    ill, scores = cases()
    found = pc.auc_margins(ill, scores, positive=True, margin=0.06)
    pairs = pc.delong(ill, scores, positive=True).table
    z_low, z_high = (
        (pairs["estimate"] - end) / pairs["std_error"] for end in (-0.06, 0.06)
    )
    lower, upper = stats.norm.sf(z_low), stats.norm.cdf(z_high)
    assert_digits(found.table["p_lower"], lower, at_least=12)
    assert_digits(found.table["p_upper"], upper, at_least=12)
    assert_digits(found.table["p_value"], np.maximum(lower, upper), at_least=12)
    adjusted = pc.adjust(np.maximum(lower, upper), "holm")
    assert_digits(found.table["p_adjusted"], adjusted, at_least=12)


@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
def test_an_interval_lies_within_the_margins_just_if_its_pair_is_shown(kind):
    seen = set()
    control = "A1" if kind == "non-inferiority" else None
    for seed in range(60):
        ill, scores = cases(25, 4, seed)
        table = pc.auc_margins(
            ill, scores, positive=True, margin=0.08, kind=kind, control=control
        ).table
        within = table["conf_low"] > -0.08
        if kind == "equivalence":
            within &= table["conf_high"] < 0.08
        assert (within == table["shown"]).all()
        seen |= set(within)
    assert seen == {True, False}


def test_without_a_variance_nothing_is_shown_and_the_reason_is_there():
    ill, scores = cases(k=2)
    same = {**scores, "copy": scores["A1"] * 2}
    table = pc.auc_margins(ill, same, positive=True, margin=0.1).table
    copied = (table["algorithm_1"] == "A1") & (table["algorithm_2"] == "copy")
    row = table[copied].iloc[0]
    assert np.isnan(row["p_adjusted"]) and not row["shown"]
    assert "variance of 0" in row["notes"]


def test_turning_the_scores_turns_the_sides():
    ill, scores = cases(k=2)
    one = pc.auc_margins(ill, scores, positive=True, margin=0.1).table
    other = pc.auc_margins(
        ill, {name: -x for name, x in scores.items()}, positive=True, margin=0.1
    ).table
    assert_digits(one["p_lower"], other["p_upper"], at_least=10)


@pytest.mark.parametrize("clusters", [False, True])
def test_r_has_the_same_numbers(clusters):
    ill, scores = cases(20, 3, 4)
    cluster = np.tile(np.arange(20), 2) if clusters else None
    results = [
        pc.auc_margins(ill, scores, positive=True, margin=0.1, cluster=cluster),
        pc.auc_margins(
            ill, scores, positive=True, margin=0.2, kind="non-inferiority",
            control="A2", cluster=cluster,
        ),
        pc.delong(ill, scores, positive=True, control="A2", cluster=cluster),
    ]  # fmt: skip
    for result, found in zip(
        results, run([each.r_call() for each in results]), strict=True
    ):
        for name, value in result.r_values().items():
            assert_digits(np.ravel(value), np.ravel(found[name]), at_least=9, what=name)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 1.0}, "AUCs differ by 1 at most"),
        ({"margin": -0.1}, "positive"),
        ({"kind": "non-inferiority"}, "name a control"),
        ({"control": "A9"}, "not an algorithm"),
        ({"adjust": "shaffer"}, "not transitive"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    ill, scores = cases()
    with pytest.raises(pc.InputError, match=message):
        pc.auc_margins(ill, scores, positive=True, **{"margin": 0.1, **options})


def test_comparisons_with_a_control_are_those_of_all_pairs_turned():
    ill, scores = cases(k=4)
    every = pc.delong(ill, scores, positive=True, adjust="none").table
    found = pc.delong(ill, scores, positive=True, control="A2", adjust="none").table
    assert found["algorithm_2"].tolist() == ["A2"] * 3
    first = every[(every["algorithm_1"] == "A1") & (every["algorithm_2"] == "A2")]
    assert found["estimate"][0] == first["estimate"].iloc[0]
    assert found["p_value"][0] == first["p_value"].iloc[0]

"""What is compared over data sets: the key ``compares``, and what goes with it."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.pair_methods import (
    ALL_PAIRS,
    CONTROL,
    MOST_EXHAUSTIVE,
    TYPICAL,
    sized_defaults,
    typical_defaults,
)
from pycompare.designs.quantity import RANKS
from pycompare.results.guarantees import guarantee
from tests.conftest import wide


def settled(n: int, a: int, **options) -> tuple[str, ...]:
    scores = wide(np.random.default_rng(n * a).normal(size=(n, a)))
    return pc.Plan(blocks="datasets", **options).settled(scores).adjust


@pytest.mark.parametrize(
    ("n", "a", "options", "first"),
    [
        (5, 3, {}, "holm"),  # nothing can be found
        (6, 3, {}, "closed-permutation"),
        (10, 10, {}, "closed-permutation"),
        (8, 10, {}, "closed-permutation"),
        (7, 10, {}, "step-down-flips"),
        (6, 6, {}, "step-down-flips"),  # 1 - (1 - 1/32)^3 is above 0.05
        (10, 11, {}, "step-down-flips"),  # 55 pairs
        (11, 5, {}, "holm"),
        (11, 10, {}, "holm"),
        (11, 20, {}, "step-down-flips"),
        (13, 20, {}, "holm"),
        (6, 4, {"control": "A1"}, "step-down-flips"),
        (8, 4, {"control": "A1"}, "holm"),
        (8, 4, {"assumes": "symmetry"}, "holm"),
        (7, 4, {"assumes": "symmetry"}, "step-down-flips"),
        (8, 4, {"alpha": 0.001}, "holm"),
    ],
)
def test_the_size_of_the_table_chooses_the_method(n, a, options, first):
    assert settled(n, a, **options)[0] == first


def test_what_is_chosen_can_reject_and_nothing_cheaper_could():
    for k in range(2, 21):
        for n in range(2, 20):
            for control in (False, True):
                [first, *_] = typical_defaults(
                    ("holm",), n, k, 0.05, control=control, complete=True
                )
                m = k - 1 if control else k * (k - 1) // 2
                if first == "step-down-flips":
                    assert m * 2.0 ** (1 - n) > 0.05 >= 2.0 ** (1 - n)
                if first == "closed-permutation":
                    assert n <= 10 and 3 <= k <= 10 and not control


@pytest.mark.parametrize("k", [5, 41, 104, 500])
@pytest.mark.parametrize("n", [6, 12, 30, 100])
@pytest.mark.parametrize("control", [False, True])
def test_every_default_controls_the_family_wise_error_strongly(k, n, control):
    [typical, *_] = typical_defaults(
        TYPICAL, n, k, 0.05, control=control, complete=True
    )
    [ranks, *_] = sized_defaults(CONTROL if control else ALL_PAIRS, n, k, RANKS)
    adjusted = {"sign-flips": "/holm" if k > MOST_EXHAUSTIVE else "/bergmann-hommel"}
    own = ("closed-permutation", "step-down-flips")
    keys = (
        f"signed-ranks/{typical}" if typical in own else f"two/wilcoxon/{typical}",
        f"ranks/{ranks}{adjusted.get(ranks, '')}",
    )
    for key in keys:
        found = guarantee(key)
        assert found.claimed and found.error == "family-wise", key
        assert "complete-null" not in found.conditions


def test_a_table_with_gaps_is_as_large_as_what_two_algorithms_share():
    x = np.random.default_rng(1).normal(size=(12, 3))
    x[:7, 0] = np.nan
    plan = pc.Plan(blocks="datasets").settled(wide(x, missing="model"))
    assert plan.adjust[0] == "holm"  # the other two share twelve
    x[7:, 1] = np.nan
    x[:7, 2] = np.nan
    plan = pc.Plan(blocks="datasets").settled(wide(x, missing="model"))
    assert plan.adjust[0] == "holm"  # five: nothing can be found


@pytest.mark.parametrize("n", [3, 5])
def test_what_no_outcome_can_reach_is_said_first(n):
    scores = wide(np.arange(n)[:, None] / 9 + np.arange(3.0))
    told = pc.compare(scores, pc.Plan(blocks="datasets")).summary().splitlines()[0]
    words = {3: "three", 5: "five"}[n]
    start = f"score (higher is better): No outcome of {words} data sets could be "
    assert told.startswith(start + "significant; 6 data sets are the fewest")
    plan = pc.Plan(blocks="datasets", adjust=("bonferroni",))
    told = pc.compare(scores, plan).summary().splitlines()[0]
    assert "7 data sets are the fewest" in told


@pytest.mark.parametrize("key", ["typical-difference", "means", "ranks"])
def test_the_quantity_of_the_plan_decides(key):
    scores = wide(np.random.default_rng(3).normal(size=(12, 4)) + np.arange(4) / 2)
    [found] = pc.compare(scores, pc.Plan(blocks="datasets", compares=key)).analyses
    by = {
        "typical-difference": pc.signed_rank_pairs(scores),
        "means": pc.paired_t_pairs(scores, adjust="bergmann-hommel"),
        "ranks": pc.closed_permutation(scores, seed=0),
    }[key]
    p = found.decisive.table["p_adjusted"]
    assert p.tolist() == by.table["p_adjusted"].tolist()


def test_a_key_of_another_quantity_is_refused_with_the_line_to_add():
    for key, value in (
        ("omnibus", "friedman"),
        ("std_error", "textbook"),
        ("monotone", True),
        ("p_values", "exact"),
        ("adjust", ("nemenyi",)),
        ("gate", "omnibus"),
    ):
        with pytest.raises(pc.PlanError, match="compares='ranks'"):
            pc.Plan(blocks="datasets", **{key: value})
        options = {key: value} | (
            {"adjust": ("bergmann-hommel",)} if key == "monotone" else {}
        )
        assert pc.Plan(blocks="datasets", compares="ranks", **options)


def test_the_old_key_is_named_with_the_new_one():
    with pytest.raises(pc.PlanError, match=r"'verdict'.*compares"):
        pc.Plan.from_toml('[plan]\nverdict = "sign"\n')


def test_more_data_sets_than_a_typical_difference_has_are_named_with_what_to_say():
    scores = wide(np.random.default_rng(4).normal(size=(1001, 3)))
    with pytest.raises(pc.PlanError, match=r"1001 data sets.*compares='means'"):
        pc.compare(scores, pc.Plan(blocks="datasets"))
    for key in ("means", "ranks"):
        found = pc.compare(scores, pc.Plan(blocks="datasets", compares=key))
        assert "typical" not in found.summary()

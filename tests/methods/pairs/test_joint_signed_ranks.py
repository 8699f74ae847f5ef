"""Typical differences whose pairs one test of all of them adjusts."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import wide

JOINT = ("step-down-flips", "closed-permutation")


def table(seed: int, n: int, a: int, *, rounded: bool, gaps: bool) -> pc.Scores:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, a)) + rng.integers(0, 2, a)
    x = np.round(x) if rounded else x
    if gaps:
        x[rng.random(x.shape) < 0.1] = np.nan
        x[0] = 0.5
        x[np.isnan(x).sum(axis=1) > a - 2] = 0.25
    return wide(x, missing="model" if gaps else "error")


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 12),
    a=st.integers(2, 4),
    adjust=st.sampled_from([*JOINT, "holm", "bonferroni", "hommel"]),
    rounded=st.booleans(),
    gaps=st.booleans(),
    alpha=st.sampled_from([0.05, 0.3]),
)
def test_no_interval_contradicts_its_decision(seed, n, a, adjust, rounded, gaps, alpha):
    gaps = gaps and adjust != "closed-permutation"
    scores = table(seed, n, a, rounded=rounded, gaps=gaps)
    found = pc.signed_rank_pairs(scores, adjust=adjust, alpha=alpha, permutations=99)
    for row in found.table.itertuples():
        if np.isnan(row.p_value):
            continue
        rejected = row.p_adjusted <= alpha
        assert rejected == (not row.conf_low <= 0 <= row.conf_high)
        assert row.p_adjusted >= row.p_value or adjust in JOINT
        assert row.conf_level >= 1 - alpha - 1e-12
        assert row.conf_low <= row.estimate <= row.conf_high
        assert not rejected or row.estimate != 0


def test_a_pair_does_not_depend_on_the_others():
    scores = table(5, 14, 5, rounded=False, gaps=False)
    every = pc.signed_rank_pairs(scores).table.set_index(["algorithm_1", "algorithm_2"])
    for pair in every.index:
        alone = pc.signed_rank_pairs(scores.select(algorithms=list(pair))).table
        for column in ("estimate", "statistic", "p_value", "wins", "losses"):
            assert alone[column][0] == every.loc[pair, column]


def test_flips_of_one_pair_are_its_exact_signed_rank_test():
    scores = table(6, 11, 2, rounded=True, gaps=False)
    exact = pc.signed_rank_pairs(scores, adjust="none")
    flips = pc.signed_rank_pairs(scores, adjust="step-down-flips")
    assert flips.seed is None and flips.notes[-1].startswith("all sign flips")
    assert_digits(
        flips.table["p_adjusted"][0],
        exact.table["p_value"][0],
        at_least=12,
        what="p",
    )


def test_flips_and_permutations_are_repeated_by_their_seed():
    scores = table(7, 16, 4, rounded=False, gaps=False)
    made = [
        pc.signed_rank_pairs(scores, adjust="step-down-flips", permutations=199, seed=s)
        for s in (1, 1, 2)
    ]
    assert made[0].table.equals(made[1].table)
    assert not made[0].table.equals(made[2].table)
    assert made[0].seed == 1 and json.loads(json.dumps(made[0].to_dict()))


def test_bergmann_hommel_needs_exchangeability():
    scores = table(8, 12, 4, rounded=False, gaps=False)
    with pytest.raises(pc.InputError, match="not transitive"):
        pc.signed_rank_pairs(scores, adjust="bergmann-hommel")
    found = pc.signed_rank_pairs(
        scores, adjust="bergmann-hommel", assumes="exchangeability"
    )
    square = pc.signed_rank_pairs(scores, adjust="none").square("p_value").copy()
    np.fill_diagonal(square, 1.0)
    wanted = pc.adjust(square, "bergmann-hommel")[np.triu_indices(4, 1)]
    assert found.table["p_adjusted"].to_numpy() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"adjust": "closed-permutation", "control": "A1"}, "all pairs"),
        ({"adjust": "closed-permutation", "assumes": "symmetry"}, "exchangeable"),
        ({"assumes": "nothing"}, "symmetry, exchangeability"),
        ({"adjust": "step-down-flips", "permutations": 0}, "permutations"),
        ({"adjust": "step-down-flips", "seed": -1}, "seed"),
        ({"decimals": 1.5}, "decimals"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    scores = table(9, 8, 3, rounded=False, gaps=False)
    with pytest.raises(pc.InputError, match=message):
        pc.signed_rank_pairs(scores, **options)


def test_the_closed_test_needs_few_algorithms_and_every_cell():
    with pytest.raises(pc.DesignError, match="at most 10 algorithms, and there are 11"):
        pc.signed_rank_pairs(
            wide(np.random.default_rng(1).normal(size=(6, 11))),
            adjust="closed-permutation",
        )
    with pytest.raises(pc.DesignError, match="cells are missing"):
        pc.signed_rank_pairs(
            table(3, 12, 3, rounded=False, gaps=True), adjust="closed-permutation"
        )


def test_a_circle_has_shared_ranks_and_nothing_follows_from_a_path():
    # A beats B, B beats C and C beats A on most blocks, and by as much.
    rows = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    x = np.array(rows * 8, float) + np.random.default_rng(2).normal(size=(24, 3)) / 50
    x[:, 2] += np.where(np.arange(24) % 3 == 0, -3.9, 0.0)
    found = pc.signed_rank_pairs(wide(x, "lower"))
    sets = pc.rank_sets(found, alpha=0.05).table.set_index("algorithm")
    better = found.better() & (found.square("p_adjusted") <= 0.05)
    for k, name in enumerate(found.algorithms):
        assert sets.loc[name, "rank_low"] == 1 + better[:, k].sum()
        assert sets.loc[name, "rank_high"] == 3 - better[k].sum()
        assert sets.loc[name, "rank"] == found.positions[name]


def test_nothing_is_implied_by_typical_differences():
    from pycompare.methods.orders.dominance import dominance_order

    for seed in range(20):
        scores = table(seed, 9, 5, rounded=True, gaps=False)
        found = pc.signed_rank_pairs(scores, alpha=0.4)
        order = dominance_order(found, alpha=0.4)
        assert order.implied == ()

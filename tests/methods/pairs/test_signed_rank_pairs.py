"""Typical differences of pairs, with the checks of issue 40 that concern them."""

import math

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.methods.pairs import common, signed_rank_pairs, wilcoxon
from pycompare.methods.pairs.last_step import last_step
from tests.conftest import golden, golden_names, wide
from tests.methods.linear.witness import scores_of

RNG = np.random.default_rng(401)


def random_table(rng):
    """Return scores of any kind: shifted, tied, rounded, heavy tails, gaps."""
    n, a = int(rng.integers(3, 26)), int(rng.integers(2, 7))
    x = rng.normal(size=(n, a)) + rng.normal(0, 1, a) * rng.choice([0, 1, 2])
    kind = rng.integers(5)
    if kind == 1:
        x = np.round(x)
    elif kind == 2:
        x = np.round(x, 1)
    elif kind == 3:
        x = (x > 0).astype(float)
    elif kind == 4:
        x = np.exp(2 * x)
    return wide(x)


def test_no_interval_contradicts_its_decision():
    """1,000 random tables, and every adjustment that there is for them."""
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        scores = random_table(rng)
        adjust = ("holm", "bonferroni", "none", "hommel", "hochberg")[seed % 5]
        control = scores.algorithms[0] if seed % 3 == 0 else None
        found = pc.signed_rank_pairs(scores, adjust=adjust, control=control)
        table = found.table
        low, high, estimate = (
            table[name].to_numpy() for name in ("conf_low", "conf_high", "estimate")
        )
        excludes_0 = (low > 0) | (high < 0)
        assert (excludes_0 == found.rejected(0.05)).all(), seed
        assert ((low <= estimate) & (estimate <= high)).all(), seed
        assert ((low > 0) == (excludes_0 & (estimate > 0))).all(), seed
        assert found.level >= 0.95 - 1e-12


def test_the_raw_p_value_of_a_pair_does_not_feel_other_algorithms():
    scores = wide(RNG.normal(size=(14, 5)) + np.arange(5))
    whole = pc.signed_rank_pairs(scores).table.set_index(["algorithm_1", "algorithm_2"])
    for pair, row in whole.iterrows():
        alone = pc.signed_rank_pairs(scores.select(algorithms=pair)).table.iloc[0]
        for column in ("estimate", "statistic", "p_value", "wins"):
            assert alone[column] == row[column]


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_each_pair_is_the_test_and_estimate_of_the_two_algorithms(name):
    scores = scores_of(golden(name))
    found = pc.signed_rank_pairs(scores)
    for row in found.table.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        alone = pc.wilcoxon(scores, algorithms=pair)
        assert_digits(row.estimate, alone.estimate, at_least=14)
        if row.estimate != 0 and not math.isnan(alone.p_value):
            assert_digits(row.p_value, alone.p_value, at_least=12)


def test_an_interval_without_ties_is_that_of_wilcoxon_at_its_level():
    scores = wide(RNG.normal(size=(20, 4)) + np.arange(4))
    found = pc.signed_rank_pairs(scores)
    m, r = len(found.table), int(found.rejected(0.05).sum())
    assert_digits(found.level, 1 - 0.05 / max(1, m - r), at_least=14)
    for row in found.table.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        alone = pc.wilcoxon(scores, algorithms=pair, level=found.level)
        assert (row.conf_low, row.conf_high) == (alone.conf_low, alone.conf_high)


def test_an_estimate_against_the_rank_sum_is_no_finding():
    """75 % zeros: the rank sum rejects alone, the estimate is 0."""
    d = np.zeros(30)
    d[:8] = np.linspace(0.1, 0.4, 8)
    found = pc.signed_rank_pairs(wide(np.column_stack([d, np.zeros(30)])))
    row = found.table.iloc[0]
    assert pc.wilcoxon(wide(np.column_stack([d, np.zeros(30)]))).p_value < 0.01
    assert row["estimate"] == 0 and row["p_value"] == 1 and row["p_adjusted"] == 1
    assert (row["wins"], row["ties"], row["losses"]) in ((0, 22, 8), (8, 22, 0))
    assert "1 of 1 pair: the estimate is 0" in found.notes[0]


def test_with_too_few_blocks_an_interval_has_no_end():
    found = pc.signed_rank_pairs(wide(RNG.normal(size=(4, 3)) + np.arange(3)))
    assert (found.table["conf_low"] == -math.inf).all()
    assert not found.rejected(0.05).any()


def test_gaps_leave_each_pair_the_blocks_that_both_have():
    x = RNG.normal(size=(12, 3))
    x[:3, 0] = x[5:, 2] = np.nan
    rows = [
        {"block": f"b{i}", "algorithm": f"A{j + 1}", "m": x[i, j]}
        for i in range(12)
        for j in range(3)
        if not np.isnan(x[i, j])
    ]
    scores = pc.Scores.from_frame(
        pd.DataFrame(rows),
        algorithm="algorithm",
        block="block",
        metrics={"m": "lower"},
        missing="model",
    )
    found = pc.signed_rank_pairs(scores)
    shared = {
        frozenset((row.algorithm_1, row.algorithm_2)): row
        for row in found.table.itertuples()
    }
    first = shared[frozenset(("A1", "A2"))]
    assert first.n_blocks == 9
    assert shared[frozenset(("A1", "A3"))].n_blocks == 2
    assert shared[frozenset(("A2", "A3"))].n_blocks == 5
    part = scores.select(
        algorithms=("A1", "A2"), blocks=[f"b{i}" for i in range(3, 12)]
    )
    assert first.p_value == pc.wilcoxon(part).p_value
    assert any("blocks that both have" in note for note in found.notes)


@pytest.mark.parametrize(
    ("decimals", "source"), [(None, "exact"), (2, "saddlepoint"), (0, "exact")]
)
def test_p_values_of_the_saddlepoint_are_named_and_are_no_numbers_of_r(
    decimals, source
):
    x = np.random.default_rng(11).normal(size=(150, 3)) + np.array([0, 0.2, 0.4])
    x = x if decimals is None else np.round(x, decimals)
    found = pc.signed_rank_pairs(wide(x))
    assert found.p_source == source
    named = [note for note in found.notes if "saddlepoint" in note]
    assert len(named) == (source == "saddlepoint")
    assert ("p_value" in found.r_values()) == (source == "exact")
    assert ("p_adjusted" in found.r_values()) == (source == "exact")
    for row in found.table.itertuples():
        if row.estimate == 0:  # p = 1, whatever the rank sum
            continue
        pair = (row.algorithm_1, row.algorithm_2)
        alone = pc.wilcoxon(wide(x), algorithms=pair).p_value
        assert abs(row.p_value / alone - 1) < (1e-12 if source == "exact" else 1e-3)


def test_with_a_control_ranks_are_among_all_algorithms():
    scores = wide(RNG.normal(size=(12, 4)) + np.arange(4))
    alone = pc.signed_rank_pairs(scores, control="A2").positions
    assert (alone == pc.signed_rank_pairs(scores).positions).all()


@pytest.mark.parametrize("adjust", ["bergmann-hommel", "shaffer", "nemenyi"])
def test_adjustments_that_need_transitive_hypotheses_are_refused(adjust):
    with pytest.raises(pc.InputError, match=r"symmetric|normal|pair"):
        pc.signed_rank_pairs(wide(RNG.normal(size=(9, 3))), adjust=adjust)


def test_more_blocks_than_have_an_estimate_are_refused():
    with pytest.raises(pc.DesignError, match="1001 blocks"):
        pc.signed_rank_pairs(wide(RNG.normal(size=(1001, 2))))


def test_holm_keeps_the_error_where_one_hub_differs_from_all():
    """The star law of DEFAULT.md, q = 1: Bergmann-Hommel finds .12 to .21 of it."""
    rng, runs, wrong = np.random.default_rng(8), 200, 0
    for _ in range(runs):
        u = rng.choice([-1, 1], (30, 1)) * rng.uniform(1, 2, (30, 1)) * 1e-3
        ring = u * np.arange(7)
        x = np.column_stack([np.full(30, 5.0), ring + rng.normal(0, 1e-9, (30, 7))])
        found = pc.signed_rank_pairs(wide(x))
        others = (found.table["algorithm_1"] != "A1").to_numpy()
        wrong += bool(found.rejected(0.05)[others].any())
    assert wrong / runs < 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def test_the_last_step_follows_the_decisions_of_any_adjustment():
    p = np.array([0.001, 0.02, 0.03, 0.5])
    assert last_step(p, np.array([True, False, False, False]), 0.05) == 0.05 / 3
    assert last_step(p[2:], p[2:] < 0, 0.05) == 0.05 / 2
    assert last_step(p, p < 1, 0.05) == 0.5  # a false discovery rate may go up to p
    assert 0.001 <= last_step(p, p < 0.01, 0.9) < 0.02
    assert last_step(np.array([0.001, np.nan]), np.array([True, False]), 0.05) == 0.05


@pytest.mark.parametrize("n", [1, 2, 3, 8, 30])
@pytest.mark.parametrize("steps", [1, 10, 1000, None])
def test_signs_of_estimates_are_those_of_computed_ones(monkeypatch, n, steps):
    """Of scores with ties, with near ties and with zeros; few estimates are needed."""
    computed = []

    def estimates(d, noise):
        computed.append(len(d))
        return wilcoxon.hodges_lehmann_estimates(d, noise)

    monkeypatch.setattr(signed_rank_pairs, "hodges_lehmann_estimates", estimates)
    rng = np.random.default_rng(8)
    x, y = (0.3 * rng.normal(size=(400, n)) + 0.5 for _ in range(2))
    if steps is not None:
        x, y = np.round(x * steps) / steps, np.round(y * steps) / steps
        x *= 1 + 2.0**-52 * rng.integers(-70, 70, x.shape)  # some above 64 ulps
    noise = np.maximum(np.abs(x), np.abs(y))
    d = common.tied(x - y, noise)
    ranks, above = wilcoxon.signed_rank_rows(d, noise)
    sides = signed_rank_pairs._sides(d, noise, 2 * above - ranks.sum(axis=1))
    wanted = np.sign(wilcoxon.hodges_lehmann_estimates(d, noise))
    assert np.array_equal(sides, wanted)
    if n == 30 and steps in (1000, None):
        assert sum(computed) < 40

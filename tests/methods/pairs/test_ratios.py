"""Typical ratios: the tests of logarithms, in any unit of each block."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pytest

import pycompare as pc
from tests.conftest import wide

RNG = np.random.default_rng(11)
JOINT = ({}, {"adjust": "step-down-flips"}, {"adjust": "closed-permutation"})


def positive(n: int, a: int, seed: int, better: str = "lower") -> pc.Scores:
    rng = np.random.default_rng(seed)
    x = np.exp(rng.normal(size=(n, a)) / 2 + 0.4 * np.arange(a))
    return wide(x, better=better)


def logs_of(scores: pc.Scores) -> pc.Scores:
    return dataclasses.replace(scores, values=np.log(scores.values))


def in_units(scores: pc.Scores, seed: int) -> pc.Scores:
    """Return the scores with each block in another unit."""
    units = 10.0 ** np.random.default_rng(seed).integers(-6, 7, scores.n_blocks)
    return dataclasses.replace(scores, values=scores.values * units[:, None, None])


@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.parametrize("options", JOINT, ids=str)
def test_ratios_are_exp_of_differences_of_logarithms(options, better):
    scores = positive(8, 3, 1, better)
    ratio = pc.signed_rank_pairs(scores, scale="ratio", **options)
    log = pc.signed_rank_pairs(logs_of(scores), **options)
    for name in ("estimate", "conf_low", "conf_high"):
        assert np.allclose(ratio.table[name], np.exp(log.table[name]), rtol=1e-12)
    for name in ("statistic", "p_value", "p_adjusted", "conf_level", "wins", "losses"):
        assert np.allclose(ratio.table[name], log.table[name], rtol=1e-12)
    assert np.array_equal(ratio.better(), log.better())
    assert ratio.positions.to_dict() == log.positions.to_dict()


@pytest.mark.parametrize("options", JOINT, ids=str)
def test_the_unit_of_a_block_changes_nothing(options):
    scores = positive(9, 4, 2)
    one = pc.signed_rank_pairs(scores, scale="ratio", **options).table
    other = pc.signed_rank_pairs(in_units(scores, 3), scale="ratio", **options).table
    numbers = one.columns.drop(["algorithm_1", "algorithm_2"])
    assert np.allclose(one[numbers], other[numbers], rtol=1e-9, equal_nan=True)
    assert one["p_value"].tolist() == other["p_value"].tolist()
    plain = pc.signed_rank_pairs(in_units(scores, 3)).table
    assert plain["p_value"].tolist() != one["p_value"].tolist()


def test_lower_and_higher_give_the_same_ratio_and_the_other_winner():
    lower, higher = (
        pc.signed_rank_pairs(positive(12, 2, 4, better), scale="ratio")
        for better in ("lower", "higher")
    )
    [a], [b] = (found.table.to_dict("records") for found in (lower, higher))
    assert a["estimate"] == b["estimate"] < 1
    assert (lower.worse_by < 0).all()
    assert (higher.worse_by > 0).all()
    assert lower.better()[0, 1]
    assert higher.better()[1, 0]


def test_a_turned_pair_has_the_inverse_ratio():
    found = pc.signed_rank_pairs(positive(15, 3, 5), scale="ratio")
    low, high = found.square("conf_low"), found.square("conf_high")
    estimate = found.square("estimate")
    assert estimate[1, 0] == pytest.approx(1 / estimate[0, 1])
    assert low[1, 0] == pytest.approx(1 / high[0, 1])
    assert high[1, 0] == pytest.approx(1 / low[0, 1])


def test_no_interval_contradicts_its_decision_at_1():
    found_any = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n, a = int(rng.integers(4, 30)), int(rng.integers(2, 5))
        x = np.exp(rng.normal(size=(n, a)) + rng.uniform(0, 1) * np.arange(a))
        if seed % 2:
            x = np.ceil(x * 2) * 10.0 ** rng.integers(-3, 3, (n, 1))  # ties
        scores = wide(x)
        for options in ({}, {"adjust": "step-down-flips", "permutations": 99}):
            found = pc.signed_rank_pairs(scores, scale="ratio", **options)
            table = found.table
            outside = (table["conf_low"] > 1) | (table["conf_high"] < 1)
            significant = table["p_adjusted"] <= 0.05
            assert (outside == significant).all()
            found_any += int(significant.sum())
    assert found_any > 100


def test_two_algorithms_have_the_ratio_and_p_of_the_pairs():
    scores = positive(14, 2, 6)
    test = pc.wilcoxon(scores, scale="ratio")
    [row] = pc.signed_rank_pairs(scores, scale="ratio").table.to_dict("records")
    assert test.estimate == row["estimate"]
    assert test.p_value == row["p_value"]
    assert test.basis == "two/wilcoxon-of-logarithms"
    assert "divided by" in test.name


def test_margins_are_shares():
    scores = positive(14, 3, 7)
    ratio = pc.signed_rank_margins(scores, scale="ratio", margin=1.5)
    log = pc.signed_rank_margins(logs_of(scores), margin=float(np.log(2.5)))
    assert (ratio.margin_low, ratio.margin_high) == (1 / 2.5, 2.5)
    for name in ("p_lower", "p_upper", "p_adjusted"):
        assert np.allclose(ratio.table[name], log.table[name], rtol=1e-12)
    for name in ("estimate", "conf_low", "conf_high"):
        assert np.allclose(ratio.table[name], np.exp(log.table[name]), rtol=1e-12)
    assert ratio.table["shown"].tolist() == log.table["shown"].tolist()


@pytest.mark.parametrize(
    ("better", "limits"), [("lower", (-np.inf, 1.25)), ("higher", (0.8, np.inf))]
)
def test_non_inferiority_follows_the_better_direction(better, limits):
    scores = positive(40, 3, 8, better)
    found = pc.signed_rank_margins(
        scores, scale="ratio", margin=0.25, kind="non-inferiority", control="A2"
    )
    assert (found.margin_low, found.margin_high) == limits
    assert (found.table["conf_low"] >= 0).all()
    best = found.table.set_index("algorithm_1")["shown"]
    assert best["A1" if better == "lower" else "A3"]
    assert not best["A3" if better == "lower" else "A1"]


@pytest.mark.parametrize("margin", [-0.1, 0, (1.1, 1.2), (-0.5, 2.0), np.inf])
def test_margins_that_are_no_ratios_are_refused(margin):
    with pytest.raises(pc.InputError, match=r"scale='ratio' give one positive"):
        pc.signed_rank_margins(positive(9, 2, 9), scale="ratio", margin=margin)


@pytest.mark.parametrize("bad", [0.0, -2.5])
@pytest.mark.parametrize(
    "compare",
    [
        partial(pc.signed_rank_pairs, scale="ratio"),
        partial(pc.wilcoxon, scale="ratio"),
        partial(pc.signed_rank_margins, scale="ratio", margin=0.1),
    ],
)
def test_a_score_of_0_or_below_is_refused_with_its_place(compare, bad):
    x = np.exp(RNG.normal(size=(9, 2)))
    x[4, 1] = bad
    with pytest.raises(
        pc.InputError, match=rf"1 of 18 scores is 0 or below.*A2.*{bad:g}"
    ):
        compare(wide(x))


def test_rounding_to_0_is_refused_and_another_word_too():
    x = np.exp(RNG.normal(size=(9, 2)))
    x[0, 0] = 0.004
    with pytest.raises(pc.InputError, match="0 or below"):
        pc.signed_rank_pairs(wide(x), scale="ratio", decimals=2)
    with pytest.raises(pc.InputError, match=r"scale='log'.*'difference' or 'ratio'"):
        pc.signed_rank_pairs(wide(x), scale="log")


def test_scores_that_differ_by_rounding_tie_near_1_too():
    x = np.full((8, 2), 0.3)
    x[:, 1] = 0.1 + 0.2
    [row] = pc.signed_rank_pairs(wide(x), scale="ratio").table.to_dict("records")
    assert (row["estimate"], row["p_value"], row["ties"]) == (1.0, 1.0, 8)


def test_gaps_are_left_out_pair_by_pair():
    scores = positive(12, 3, 10)
    values = scores.values.copy()
    values[3, 0, 0] = np.nan
    gappy = dataclasses.replace(scores, values=values, missing="model")
    table = pc.signed_rank_pairs(gappy, scale="ratio").table
    assert table["n_blocks"].tolist() == [11, 11, 12]
    log = pc.signed_rank_pairs(logs_of(gappy)).table
    assert np.allclose(table["estimate"], np.exp(log["estimate"]), rtol=1e-12)

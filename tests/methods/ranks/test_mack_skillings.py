"""Mack and Skillings' test of runs within blocks."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import friedman_exact, mack_skillings
from pycompare.kernels.ranks import midranks
from tests.conftest import golden, golden_names, wide
from tests.methods.linear.witness import scores_of
from tests.runs import LONG, frame_of, runs_of, simulated


@pytest.mark.parametrize(
    "name", [n for n in golden_names("ranks_") if "published" not in n]
)
def test_with_one_run_a_cell_it_is_friedmans_test(name):
    """R's friedman.test is the witness of pc.friedman on these data."""
    scores = scores_of(golden(name))
    ranks = midranks(scores.oriented())[:, :, None]
    between, within = mack_skillings.spreads(ranks)
    statistic = (scores.n_algorithms - 1) * between / within
    assert_digits(statistic, pc.friedman(scores).statistic, at_least=12, what="chi2")


@pytest.mark.parametrize("shape", [(4, 3), (6, 2), (3, 4)])
def test_exact_p_with_one_run_is_friedmans(shape):
    ranks = midranks(np.random.default_rng(3).integers(0, 3, size=shape))
    assert_digits(
        mack_skillings.exact_p_value(ranks[:, :, None]),
        friedman_exact.exact_p_value(ranks),
        at_least=12,
        what="exact p",
    )


def test_without_ties_it_is_the_printed_formula():
    values = simulated(b=7, a=4, n=3)
    found = pc.mack_skillings(runs_of(values))
    b, a, n = values.shape
    ranks = (-values).reshape(b, a * n).argsort(axis=1).argsort(axis=1) + 1
    s = ranks.reshape(b, a, n).mean(axis=2).sum(axis=0)
    total = b * a * n + b
    printed = 12 / (a * total) * (s**2).sum() - 3 * total
    assert_digits(found.statistic, printed, at_least=11, what="MS")
    assert_digits(found.mean_ranks, s / b, at_least=12, what="mean ranks")
    assert found.df == 3.0


@pytest.mark.parametrize("tied", [False, True])
def test_the_exact_p_counts_all_ways_to_deal(tied):
    values = simulated(b=2, a=2, n=3, seed=4)
    if tied:
        values = np.round(values)
    found = pc.mack_skillings(runs_of(values), p_value="exact")
    ranks = midranks(-values.reshape(2, 6))
    sums = [
        [sum(row[list(chosen)]) for chosen in combinations(range(6), 3)]
        for row in ranks
    ]
    centre = 2 * 3 * 7 / 2
    ways = np.array([abs(x + y - centre) for x, y in product(*sums)])
    observed = abs(ranks.reshape(2, 2, 3)[:, 0].sum() - centre)
    assert_digits(
        found.p_value, (ways >= observed - 1e-9).mean(), at_least=12, what="p"
    )


def test_over_all_ways_to_deal_its_mean_is_its_degrees_of_freedom():
    """Ties or none: the variance is that of the ranks at hand."""
    for row in ([1.0, 2, 3, 4, 5, 6], [1.5, 1.5, 3, 5, 5, 5]):
        ways = np.array(list(permutations(row))).reshape(720, 1, 3, 2)
        between, within = mack_skillings.spreads(ways)
        mean = ((6 - 1) / 2 * between / within).mean()
        assert_digits(mean, 2.0, at_least=12, what="mean statistic")


def test_the_permutation_p_is_near_the_exact_one_and_says_its_seed():
    scores = runs_of(simulated(b=3, a=3, n=2, effect=0.3))
    exact = pc.mack_skillings(scores, p_value="exact").p_value
    found = pc.mack_skillings(scores, p_value="permutation", seed=2)
    assert abs(found.p_value - exact) < 4 * math.sqrt(exact * (1 - exact) / 99_999)
    assert any("seed 2" in note for note in found.notes)
    again = pc.mack_skillings(scores, p_value="permutation", seed=2)
    assert again.p_value == found.p_value


def test_the_permutation_p_counts_the_observed_table_as_one():
    ranks = midranks(np.round(simulated(b=3, a=2, n=3, seed=5)).reshape(3, 6))
    ranks = ranks.reshape(3, 2, 3)
    found = friedman_exact.permutation_p_value(ranks, np.random.default_rng(1), 19)
    rng = np.random.default_rng(1)
    dealt = rng.permuted(np.broadcast_to(ranks.reshape(3, 6), (19, 3, 6)), axis=-1)
    others = mack_skillings.spreads(dealt.reshape(19, 3, 2, 3))[0]
    observed = mack_skillings.spreads(ranks)[0]
    assert found == (1 + np.sum(others >= observed - 1e-9)) / 20


@pytest.mark.parametrize("order", [[0, 4, 5, 1, 2, 3], [0, 2, 4, 1, 3, 5]])
def test_exact_p_of_ties_counts_all_ways_to_deal(order):
    """Ranks between whole numbers, whose doubles are whole."""
    ranks = np.array([[1.5, 1.5, 3.5, 3.5, 5.0, 6.0], [1.0, 3.0, 3.0, 3.0, 5.5, 5.5]])
    sums = [
        [sum(row[list(chosen)]) for chosen in combinations(range(6), 3)]
        for row in ranks
    ]
    ways = np.array([abs(x + y - 21) for x, y in product(*sums)])
    table = ranks[:, order].reshape(2, 2, 3)
    observed = abs(table[:, 0].sum() - 21)
    found = mack_skillings.exact_p_value(table)
    assert_digits(found, (ways >= observed).mean(), at_least=12, what="p")


def test_monotone_changes_within_a_block_change_nothing():
    values = simulated()
    moved = np.exp(values) + 10 * np.arange(len(values))[:, None, None]
    first, second = (pc.mack_skillings(runs_of(v)) for v in (values, moved))
    assert first.statistic == second.statistic


def test_a_difference_that_changes_sign_is_one_within_these_blocks():
    """Why the verdict is made by cell means: half of the blocks say the opposite."""
    values = simulated(b=8, a=2, n=6, effect=0.0, interaction=0.0)
    values[:4, 0] += 5
    values[4:7, 1] += 5
    found = pc.mack_skillings(runs_of(values))
    assert any("within these blocks" in note for note in found.notes)
    assert pc.friedman(runs_of(values)).p_value > 0.2


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_the_unit_changes_nothing(scale):
    values = simulated()
    plain = pc.mack_skillings(runs_of(values)).statistic
    assert pc.mack_skillings(runs_of(values * scale)).statistic == plain


def test_constant_scores_can_test_nothing():
    found = pc.mack_skillings(runs_of(np.full((3, 2, 2), 0.3)))
    assert math.isnan(found.statistic) and math.isnan(found.p_value)
    assert found.p_source == "none" and found.r_call() is None
    assert any("tie" in note for note in found.notes)


def test_decimals_decide_what_ties():
    values = np.round(simulated(), 1)
    noisy = values + np.random.default_rng(0).uniform(-1, 1, values.shape) * 1e-3
    rounded = pc.mack_skillings(runs_of(noisy), decimals=1)
    assert rounded.statistic == pc.mack_skillings(runs_of(values)).statistic


def test_scores_without_runs_are_refused():
    with pytest.raises(pc.DesignError, match=r"pc\.friedman"):
        pc.mack_skillings(wide([[1.0, 2.0], [2.0, 1.0]]))


def test_missing_cells_are_refused():
    values = simulated()
    values[0, 0] = np.nan
    with pytest.raises(pc.DesignError, match="drop-block"):
        pc.mack_skillings(runs_of(values, missing="model"))


def test_tables_too_large_for_the_exact_p_are_refused():
    with pytest.raises(pc.DesignError, match="p_value='chi2'"):
        pc.mack_skillings(runs_of(simulated(b=10, a=5, n=6)), p_value="exact")


def test_unknown_words_are_refused():
    scores = runs_of(simulated())
    with pytest.raises(pc.InputError, match="p_value='t'"):
        pc.mack_skillings(scores, p_value="t")
    with pytest.raises(pc.InputError, match="resamples=0"):
        pc.mack_skillings(scores, p_value="permutation", resamples=0)
    with pytest.raises(pc.InputError, match="auc"):
        pc.mack_skillings(replace(scores), metric="auc")


def test_lower_scores_rank_first_where_lower_is_better():
    values = simulated(b=4, a=3, n=2)
    higher = pc.mack_skillings(runs_of(values))
    frame = frame_of(-values)
    roles = LONG | {"metrics": {"score": "lower"}}
    lower = pc.mack_skillings(pc.Scores.from_frame(frame, **roles))
    assert lower.statistic == higher.statistic
    assert list(lower.mean_ranks) == list(higher.mean_ranks)
    assert lower.p_source == higher.p_source == "chi2"

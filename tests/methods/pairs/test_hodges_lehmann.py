"""Differences of pairs in the metric's own unit, with intervals that hold together."""

import itertools

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import wide

BLOCKS = np.random.default_rng(5).normal(size=(12, 4)) + np.array([0, 0.2, 0.5, 2.0])


@pytest.mark.parametrize("control", [None, "A2"])
def test_each_pair_is_wilcoxons_at_bonferronis_level(control):
    found = pc.hodges_lehmann(wide(BLOCKS), control=control, level=0.9)
    m = 6 if control is None else 3
    assert len(found.table) == m
    for row in found.table.itertuples():
        pair = [row.algorithm_1, row.algorithm_2]
        one = pc.wilcoxon(wide(BLOCKS), algorithms=pair, level=1 - 0.1 / m)
        for name in ("estimate", "conf_low", "conf_high", "rank_biserial"):
            assert getattr(row, name) == getattr(one, name)
    if control is not None:
        assert set(found.table["algorithm_2"]) == {control}


def test_the_estimate_is_the_median_of_the_means_of_each_two():
    d = BLOCKS[:, 0] - BLOCKS[:, 1]
    means = [(x + y) / 2 for x, y in itertools.combinations_with_replacement(d, 2)]
    row = pc.hodges_lehmann(wide(BLOCKS[:, :2])).table.iloc[0]
    assert_digits([row["estimate"]], [np.median(means)], at_least=14)
    # Scipy has the same p-value that the interval inverts.
    low, high = row["conf_low"], row["conf_high"]
    for limit, inside in ((low, 1), (high, -1)):
        for shift, kept in (
            (limit - inside * 1e-9, False),
            (limit + inside * 1e-9, True),
        ):
            p = stats.wilcoxon(d - shift, method="exact").pvalue
            assert (p > 0.05) == kept


def test_r_biserial_is_one_where_the_first_is_above_in_every_block():
    values = np.arange(10.0)[:, None] * 0.1 + np.array([2.0, 1.0, 1.0])
    table = pc.hodges_lehmann(wide(values, "lower")).table
    assert table["rank_biserial"].tolist()[:2] == [1.0, 1.0]
    assert np.isnan(table["rank_biserial"].iloc[2])
    assert table["estimate"].tolist() == pytest.approx([1.0, 1.0, 0.0])


def test_pairs_are_found_in_either_order():
    found = pc.hodges_lehmann(wide(BLOCKS))
    estimate, low, high = found.of("A4", "A1")
    assert found.of("A1", "A4") == (-estimate, -high, -low)
    assert low < estimate < high and estimate > 1
    assert np.isnan(found.of("A1", "nobody")).all()


@pytest.mark.parametrize("n", [4, 7, 9, 12])
def test_few_blocks_tell_the_level_that_they_reach(n):
    found = pc.hodges_lehmann(wide(BLOCKS[:n]))
    # Six pairs; the widest interval of one misses in 2^(1 - n).
    widest = 1 - 6 * 2.0 ** (1 - n)
    assert found.reached == pytest.approx(min(0.95, max(0.0, widest)))
    assert any("too few" in note for note in found.notes) == (widest < 0.95)


def test_pairs_with_gaps_are_compared_over_the_blocks_that_both_have():
    values = BLOCKS.copy()
    values[0, 1] = values[1:3, 2] = np.nan
    found = pc.hodges_lehmann(wide(values, missing="model"))
    assert found.table["n_blocks"].tolist() == [11, 10, 12, 9, 11, 10]
    alone = pc.hodges_lehmann(wide(values[3:, 1:3]), level=1 - 0.05 / 6).table.iloc[0]
    row = found.table.iloc[3]
    assert row["estimate"] == alone["estimate"]
    assert row["conf_low"] == alone["conf_low"]
    assert "cells are missing" in found.notes[0]


def test_intervals_hold_together_in_at_least_the_level():
    rng = np.random.default_rng(8)
    shifts = np.array([0.0, 0.3, 1.0])
    held = 0
    for _ in range(300):
        table = pc.hodges_lehmann(wide(rng.normal(size=(14, 3)) + shifts)).table
        truth = [-0.3, -1.0, -0.7]
        held += bool(
            ((table["conf_low"] <= truth) & (truth <= table["conf_high"])).all()
        )
    assert held >= 300 * (0.95 - 3 * np.sqrt(0.05 * 0.95 / 300))


def test_over_a_thousand_blocks_there_is_none():
    found = pc.hodges_lehmann(wide(np.random.default_rng(1).normal(size=(1001, 2))))
    assert np.isnan(found.reached) and np.isnan(found.table["estimate"]).all()
    assert "up to 1000 blocks" in found.notes[0]
    assert -1 < found.table["rank_biserial"].item() < 1


def test_scores_of_any_size_have_differences():
    for unit in (1e-300, 1e300):
        table = pc.hodges_lehmann(wide(BLOCKS * unit)).table
        expected = pc.hodges_lehmann(wide(BLOCKS)).table["estimate"] * unit
        assert_digits(table["estimate"], expected, at_least=12)

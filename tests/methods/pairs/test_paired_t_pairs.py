import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names, wide
from tests.methods.linear.witness import scores_of


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_each_pair_agrees_with_t_test_of_r(name):
    case = golden(name)
    got = pc.paired_t_pairs(scores_of(case), adjust="none").table
    entry = case["outputs"]["pair_t"]
    for row, theirs in zip(got.itertuples(), entry["value"], strict=True):
        if "p.value" not in theirs or not math.isfinite(row.statistic):
            continue
        assert_digits(row.statistic, theirs["statistic"]["t"], at_least=10)
        assert_digits(row.p_value, theirs["p.value"], at_least=9)
        assert row.df == theirs["parameter"]["df"]


def test_one_noisy_algorithm_widens_its_own_comparisons_only():
    x = np.random.default_rng(0).normal(size=(15, 5))
    calm = pc.paired_t_pairs(wide(x)).table
    x[:, 0] *= 100
    noisy = pc.paired_t_pairs(wide(x)).table
    others = calm["algorithm_1"] != "A1"
    for column in ("std_error", "p_value", "conf_low", "conf_high"):
        assert (noisy[column][others] == calm[column][others]).all()
    assert (noisy["std_error"][~others] > 5 * calm["std_error"][~others]).all()
    pooled = pc.tukey(wide(x)).table
    assert pooled["std_error"].nunique() == 1


def test_intervals_have_the_variance_of_the_test():
    scores = wide(np.random.default_rng(1).normal(size=(12, 4)) + np.arange(4))
    got = pc.paired_t_pairs(scores, adjust="bonferroni", level=0.95)
    excludes_0 = (got.table["conf_low"] > 0) | (got.table["conf_high"] < 0)
    assert (excludes_0 == got.rejected(0.05)).all()


def test_without_a_correction_it_is_the_limit_of_the_corrected_tests():
    scores = wide(np.random.default_rng(2).normal(size=(12, 4)))
    plain = pc.paired_t_pairs(scores, control="A2", adjust="hommel")
    near = pc.corrected_pairs(
        scores, n_train=1e18, n_test=1, control="A2", adjust="hommel"
    )
    for column in ("estimate", "std_error", "p_value", "p_adjusted", "conf_low"):
        assert_digits(plain.table[column], near.table[column], at_least=14)
    assert "corrected" not in plain.method and plain.test_train_ratio == 0


def test_equal_differences_have_the_p_value_of_changes_of_sign():
    x = np.random.default_rng(3).normal(size=(8, 3))
    x[:, 1] = x[:, 0] + 0.5
    got = pc.paired_t_pairs(wide(x))
    assert got.table["p_value"][0] == 2.0**-7
    assert "all changes of sign" in got.notes[0]
    sizes = {"n_train": 90, "n_test": 10}
    folds = pc.corrected_pairs(wide(x), **sizes)
    assert np.isnan(folds.table["p_value"][0]) and folds.table["estimate"][0] == -0.5
    assert "estimate without a test" in folds.notes[0] and "t tests" in folds.method
    assert not folds.rejected(0.05)[0]
    assert math.isnan(pc.paired_t(wide(x[:, :2]), **sizes).p_value)


@pytest.mark.parametrize(("a", "tukey_at_least"), [(5, 0.07), (10, 0.12)])
def test_the_family_wise_error_with_one_noisy_algorithm(a, tukey_at_least):
    """No algorithm differs; one is five times as noisy."""
    rng, runs = np.random.default_rng(a), 300
    found = np.zeros((runs, 3), bool)
    for i in range(runs):
        x = rng.normal(size=(15, a))
        x[:, 0] *= 5
        scores = wide(x)
        every = pc.paired_t_pairs(scores, adjust="bergmann-hommel")
        control = pc.paired_t_pairs(scores, adjust="holm", control="A2")
        for j, result in enumerate((every, control, pc.tukey(scores))):
            found[i, j] = result.rejected(0.05).any()
    every, control, pooled = found.mean(axis=0)
    noise = 3 * math.sqrt(0.05 * 0.95 / runs)
    assert every < 0.05 + noise and control < 0.05 + noise
    assert pooled > tukey_at_least


def test_where_t_is_infinite_the_method_says_that_signs_are_changed():
    noise = np.random.default_rng(1).normal(size=8)
    for third, method in (
        (np.full(8, 2.0), "exact tests of sign changes, t being infinite"),
        (noise, "paired t tests, exact tests of sign changes if t is infinite"),
    ):
        values = np.column_stack([np.zeros(8), np.ones(8), third])
        assert pc.paired_t_pairs(wide(values)).method == method
    assert pc.paired_t_pairs(wide(noise.reshape(4, 2))).method == "paired t tests"

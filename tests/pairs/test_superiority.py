import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.testing import assert_digits
from tests.conftest import golden, golden_matrix, golden_names, wide


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_counts_and_sign_tests_agree_with_r(name):
    case = golden(name)
    scores = pc.Scores.from_wide(
        golden_matrix(case["input"]["X"]), metric="score", better="higher"
    )
    table = pc.superiority(scores).table
    expected = case["outputs"]["pair_sign"]["value"]
    # R counts differences of doubles; on Garcia and Herrera's data they tie alike.
    assert table["wins"].tolist() == [pair["plus"] for pair in expected]
    assert table["losses"].tolist() == [pair["minus"] for pair in expected]
    p = [pair["p"] for pair in expected]
    assert_digits(table["p_value"], p, at_least=11)


def test_lower_is_better_turns_wins_around():
    x = np.random.default_rng(1).normal(size=(11, 3))
    up = pc.superiority(wide(x, better="higher")).table
    down = pc.superiority(wide(x, better="lower")).table
    assert up["wins"].tolist() == down["losses"].tolist()
    assert_digits(up["estimate"], 1 - down["estimate"], at_least=14)
    assert_digits(up["median_difference"], down["median_difference"], at_least=15)


def test_interval_is_wilsons():
    x = np.zeros((10, 2))
    x[:8, 0] = 1
    x[8:, 1] = 1
    row = pc.superiority(wide(x)).table.iloc[0]
    expected = stats.binomtest(8, 10).proportion_ci(method="wilson")
    assert_digits(row["conf_low"], expected.low, at_least=12)
    assert_digits(row["conf_high"], expected.high, at_least=12)


def test_an_algorithm_against_itself_is_even():
    x = np.tile(np.arange(6.0)[:, None], 2)
    row = pc.superiority(wide(x)).table.iloc[0]
    assert (row["estimate"], row["p_value"], row["ties"]) == (0.5, 1.0, 6)


def test_sign_tests_are_adjusted_over_all_pairs(garcia_herrera):
    table = pc.superiority(garcia_herrera, adjust="holm").table
    assert_digits(table["p_adjusted"], pc.adjust(table["p_value"], "holm"), at_least=15)
    logical = pc.superiority(garcia_herrera, adjust="bergmann-hommel").table
    assert (logical["p_adjusted"] <= table["p_adjusted"] * (1 + 1e-12)).all()
    with pytest.raises(pc.InputError, match="nemenyi"):
        pc.superiority(garcia_herrera, adjust="nemenyi")

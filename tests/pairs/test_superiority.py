import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.testing import assert_digits
from tests.conftest import golden, golden_matrix, golden_names, wide

LOGICAL = ("shaffer", "shaffer-dynamic", "bergmann-hommel", "nemenyi")


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


@pytest.mark.parametrize("adjust", LOGICAL)
def test_sign_tests_have_no_logic_of_all_pairs(garcia_herrera, adjust):
    with pytest.raises(pc.InputError, match=f"{adjust}.*choose 'holm'"):
        pc.superiority(garcia_herrera, adjust=adjust)


def test_a_control_is_compared_with_the_others_only(garcia_herrera):
    every = pc.superiority(garcia_herrera)
    control = garcia_herrera.algorithms[1]
    found = pc.superiority(garcia_herrera, control=control, adjust="holm")
    names = [n for n in garcia_herrera.algorithms if n != control]
    assert found.table["algorithm_1"].tolist() == names
    assert set(found.table["algorithm_2"]) == {control}
    assert found.family == f"4 comparisons with the control {control}"
    pairs = every.table[["algorithm_1", "algorithm_2"]]
    raw = every.table[(pairs == control).any(axis=1)]
    assert found.table["p_value"].tolist() == raw["p_value"].tolist()
    adjusted = pc.adjust(found.table["p_value"], "holm")
    assert found.table["p_adjusted"].tolist() == adjusted.tolist()
    over_all = pc.adjust(every.table["p_value"], "holm").loc[raw.index]
    assert (adjusted.to_numpy() < over_all.to_numpy()).any()

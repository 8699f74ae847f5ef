import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import binomial
from tests.conftest import golden, golden_names, wide
from tests.methods.pairs.test_ttest import of_differences

FORMS = {"sign": "two-sided", "sign_less": "less", "sign_greater": "greater"}


@pytest.mark.parametrize("name", golden_names("paired_"))
@pytest.mark.parametrize("entry", FORMS)
def test_agrees_with_r(name, entry):
    case = golden(name)
    expected = case["outputs"][entry]["value"]
    found = pc.sign_test(of_differences(case["input"]["d"]), alternative=FORMS[entry])
    assert found.statistic == expected["statistic"]["number of successes"]
    assert found.n_used == expected["parameter"]["number of trials"]
    assert_digits(found.p_value, expected["p.value"], at_least=13)
    interval = [found.conf_low, found.conf_high]
    assert_digits(interval, expected["conf.int"], at_least=12)


def test_is_the_sign_test_of_superiority(garcia_herrera):
    pair = garcia_herrera.algorithms[:2]
    row = pc.superiority(garcia_herrera).table.iloc[0]
    found = pc.sign_test(garcia_herrera, algorithms=pair)
    assert found.p_value == row["p_value"]
    # Accuracies: algorithm_1 wins where its score is above.
    assert (found.positive, found.n_ties) == (row["wins"], row["ties"])


@pytest.mark.parametrize(
    "wins, losses, p",
    # Two-sided binomial probabilities at 15 trials, as in any table of the sign test.
    [(12, 3, 0.03515625), (13, 2, 0.00738525390625), (14, 1, 0.0009765625)],
)
def test_printed_table_of_fifteen_trials(wins, losses, p):
    found = pc.sign_test(of_differences([1.0] * wins + [-1.0] * losses))
    assert_digits(found.p_value, p, at_least=14)


def test_ties_are_dropped_or_split_with_an_odd_one_left_out():
    scores = of_differences([1.0] * 9 + [-1.0] * 3 + [0.0] * 3)
    dropped, split = pc.sign_test(scores), pc.sign_test(scores, ties="split")
    assert (dropped.statistic, dropped.n_used) == (9, 12)
    assert (split.statistic, split.n_used, split.n_ties) == (10, 14, 3)
    assert dropped.estimate == 0.75 and split.estimate == 10 / 14
    with pytest.raises(pc.InputError, match="'drop' or 'split'"):
        pc.sign_test(scores, ties="half")


def test_rounding_is_no_difference():
    found = pc.sign_test(wide([[0.1 + 0.2, 0.3], [0.5, 0.4], [0.7, 0.1 * 7]]))
    assert (found.positive, found.n_ties, found.negative) == (1, 2, 0)


def test_equal_algorithms_cannot_be_tested():
    scores = wide([[0.3, 0.3], [0.5, 0.5]])
    found = pc.sign_test(scores)
    assert math.isnan(found.p_value) and "can be tested" in found.notes[0]
    assert math.isnan(found.conf_low)
    split = pc.sign_test(scores, ties="split")
    assert split.p_value == 1 and "can be tested" in split.notes[0]


def test_exchanging_the_algorithms_mirrors_everything():
    scores = of_differences([1.0, 2.0, -1.0, 3.0, 0.0, 5.0])
    one = pc.sign_test(scores, alternative="less")
    other = pc.sign_test(scores, algorithms=("A2", "A1"), alternative="greater")
    assert one.p_value == other.p_value
    assert_digits(one.conf_high, 1 - other.conf_low, at_least=14)


def test_clopper_pearson_inverts_the_binomial_tails():
    for k in range(1, 12):
        low, high = binomial.clopper_pearson(k, 12 - k, "two-sided", 0.9)
        upper = sum(
            math.comb(12, i) * low**i * (1 - low) ** (12 - i) for i in range(k, 13)
        )
        lower = sum(
            math.comb(12, i) * high**i * (1 - high) ** (12 - i) for i in range(k + 1)
        )
        assert_digits(np.array([upper, lower]), np.array([0.05, 0.05]), at_least=12)

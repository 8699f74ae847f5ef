import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_matrix, golden_names, wide


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_agrees_with_r_quade_test(name):
    case = golden(name)
    scores = pc.Scores.from_wide(
        golden_matrix(case["input"]["X"]), metric="score", better="higher"
    )
    r = case["outputs"]["quade_stats"]["value"]
    got = pc.quade(scores)
    assert_digits(got.statistic, r["statistic"]["Quade F"], at_least=12, what="F")
    assert got.df == tuple(r["parameter"].values())
    assert_digits(got.p_value, r["p.value"], at_least=11, what="p")


def test_published_example_of_conover():
    # Conover (1999), sec. 5.8, example 2: seven stores, five brands of hand lotion.
    sales = [
        [5, 4, 7, 10, 12],
        [1, 3, 1, 0, 2],
        [16, 12, 22, 22, 35],
        [5, 4, 3, 5, 4],
        [10, 9, 7, 13, 10],
        [19, 18, 28, 37, 58],
        [10, 7, 6, 8, 7],
    ]
    got = pc.quade(wide(sales))
    assert round(got.statistic, 4) == 3.8293
    assert got.df == (4, 24)
    assert round(got.p_value, 5) == 0.01519


def test_two_algorithms_reduce_to_a_paired_t_on_signed_ranks():
    x = np.random.default_rng(5).normal(size=(15, 2))
    d = x[:, 0] - x[:, 1]
    signed = np.sign(d) * stats.rankdata(np.abs(d))
    t = stats.ttest_1samp(signed, 0)
    got = pc.quade(wide(x))
    assert_digits(got.statistic, t.statistic**2, at_least=12)
    assert_digits(got.p_value, t.pvalue, at_least=12)


def test_ranges_that_are_equal_on_paper_stay_equal():
    x = np.array([[0.8, 0.7, 0.75], [0.3, 0.4, 0.35], [0.62, 0.5, 0.4]])
    assert x[0, 0] - x[0, 1] != x[1, 1] - x[1, 0]
    got = pc.quade(wide(x))
    assert got.block_ranks.tolist() == [1.5, 1.5, 3]
    assert got.statistic == pc.quade(wide(np.round(x * 100))).statistic


def test_perfect_agreement_has_infinite_f_and_the_exact_p():
    got = pc.quade(wide(np.tile([3.0, 2, 1], (4, 1))))
    assert math.isinf(got.statistic)
    assert_digits(got.p_value, 6.0**-3, at_least=14)

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels.shapiro_wilk import shapiro_wilk, weights

# Weights of 11 men, Shapiro and Wilk (1965), example 1: W = 0.79.
MEN = [148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236]


def test_the_papers_example():
    w, p = shapiro_wilk(np.array(MEN, float))
    assert abs(w - 0.79) < 0.005
    assert p < 0.01


@pytest.mark.parametrize("n", [3, 4, 5, 6, 11, 12, 50, 1000])
def test_agrees_with_scipy_to_its_seven_digits(n):
    x = np.random.default_rng(n).exponential(size=n)
    w, p = shapiro_wilk(x)
    theirs = stats.shapiro(x)
    assert_digits(w, theirs.statistic, at_least=6.5)
    assert_digits(p, theirs.pvalue, at_least=4)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 30])
def test_weights_are_antisymmetric_and_the_perfect_sample_has_w_1(n):
    a = weights(n)
    assert np.abs(a + a[::-1]).max() < 1e-15
    w, p = shapiro_wilk(5 + 2 * a)
    assert w > 1 - 1e-12
    assert p > 0.99


def test_order_and_scale_do_not_matter():
    x = np.random.default_rng(1).normal(size=40)
    w, p = shapiro_wilk(x)
    again = shapiro_wilk(1e6 * x[::-1] + 3)
    assert_digits(w, again[0], at_least=12)
    assert_digits(p, again[1], at_least=9)

"""Tails and intervals of a share against sums of binomial coefficients."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pycompare.base.testing import assert_digits
from pycompare.kernels import binomial


def at_most(x, n, share=0.5):
    return math.fsum(
        math.comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(x + 1)
    )


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_tails_are_sums_of_coefficients(n):
    for x in range(n + 1):
        lower, upper = binomial.tails(x, n - x)
        assert_digits(lower, at_most(x, n), at_least=14)
        assert_digits(upper, at_most(n - x, n), at_least=14)


def test_a_p_value_is_of_the_side_that_is_asked_for():
    one, other = 9 / 2**9 + 2.0**-9, 1 - 2.0**-9
    assert_digits(binomial.p_values(1, 8, "less"), one, at_least=14)
    assert_digits(binomial.p_values(1, 8, "greater"), other, at_least=14)
    assert_digits(binomial.p_values(1, 8), 2 * one, at_least=14)
    assert binomial.p_values(3, 3) == 1.0 and binomial.p_values(0, 0) == 1.0


def test_the_smallest_p_value_is_that_of_all_trials_on_one_side():
    n = np.array([0, 1, 2, 5, 60])
    assert np.array_equal(binomial.smallest_p(n), np.minimum(1.0, 2 * 0.5**n))
    for side in ("less", "greater"):
        assert np.array_equal(binomial.smallest_p(n, side), 0.5**n)
    assert_digits(
        binomial.smallest_p(n), binomial.p_values(n, np.zeros(5)), at_least=14
    )


def test_at_a_confidence_limit_the_tail_is_what_the_level_leaves():
    low, high = binomial.clopper_pearson(3, 7, "two-sided", 0.9)
    assert_digits(1 - at_most(2, 10, low), 0.05, at_least=12)
    assert_digits(at_most(3, 10, high), 0.05, at_least=12)
    low, high = binomial.clopper_pearson(3, 7, "greater", 0.9)
    assert_digits(1 - at_most(2, 10, low), 0.1, at_least=12)
    assert high == 1.0
    low, high = binomial.clopper_pearson(3, 7, "less", 0.9)
    assert low == 0.0
    assert_digits(at_most(3, 10, high), 0.1, at_least=12)


def test_limits_at_the_ends_and_without_trials():
    low, high = binomial.clopper_pearson(0, 5, "two-sided", 0.95)
    assert low == 0.0
    assert_digits((1 - high) ** 5, 0.025, at_least=12)
    low, high = binomial.clopper_pearson(5, 0, "two-sided", 0.95)
    assert high == 1.0
    assert_digits(low**5, 0.025, at_least=12)
    assert all(map(math.isnan, binomial.clopper_pearson(0, 0, "two-sided", 0.95)))

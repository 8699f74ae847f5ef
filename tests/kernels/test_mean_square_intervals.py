from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels.mean_square_intervals import modified_large_sample


def limits(coefficients, squares, df, level=0.95):
    arrays = (np.array(x, float) for x in (coefficients, squares, df))
    return modified_large_sample(*arrays, level)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_one_mean_square_has_its_exact_interval(level):
    got = limits([2, 0], [3, 1], [5, 9], level)
    tails = [(1 + level) / 2, (1 - level) / 2]
    assert_digits(got, 2 * 3 * 5 / stats.chi2.ppf(tails, 5), at_least=12)
    negative = limits([-2, 0], [3, 1], [5, 9], level)
    assert_digits(negative, [-got[1], -got[0]], at_least=12)


def test_the_unit_and_the_order_of_terms_change_nothing():
    low, high = limits([1, -1, -1, 1], [5, 2, 3, 1], [4, 8, 12, 96])
    again = limits([-10, 10, 10, -10], [3, 5, 1, 2], [12, 4, 96, 8])
    assert_digits(again, [10 * low, 10 * high], at_least=12)
    turned = limits([-1, 1, 1, -1], [5, 2, 3, 1], [4, 8, 12, 96])
    assert_digits(turned, [-high, -low], at_least=12)


@pytest.mark.parametrize(
    ("expected", "df"), [((3, 1), (4, 20)), ((1.2, 1), (4, 99)), ((1, 1), (9, 400))]
)
def test_differences_of_mean_squares_are_covered_as_often_as_said(expected, df):
    rng = np.random.default_rng(0)
    expected, df = np.array(expected, float), np.array(df, float)
    squares = expected * rng.chisquare(df, (20_000, 2)) / df
    low, high = modified_large_sample(np.array([0.5, -0.5]), squares, df, 0.95)
    wanted = (expected[0] - expected[1]) / 2
    # Ting et al. (1990): from 0.94 to 0.97 in their tables.
    assert 0.94 < np.mean((low <= wanted) & (wanted <= high)) < 0.97


def test_a_term_without_degrees_of_freedom_has_no_interval():
    assert np.isnan(limits([1, -1], [2, 1], [4, 0])).all()

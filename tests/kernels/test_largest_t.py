"""The largest of correlated t statistics: against quadratures of special cases."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import special

from pycompare.base.testing import assert_digits
from pycompare.kernels import many_to_one, studentized_range
from pycompare.kernels.largest_t import largest_t


def pairs(k):
    rows = np.zeros((k * (k - 1) // 2, k))
    for i, (first, second) in enumerate(combinations(range(k), 2)):
        rows[i, [first, second]] = 1, -1
    return rows @ rows.T / 2


@pytest.mark.parametrize("df", [3.0, 20.0, 7.4, math.inf])
@pytest.mark.parametrize("t", [0.4, 2.0, 6.0, 30.0])
def test_three_means_in_pairs_are_tukeys_case_to_the_last_digits(t, df):
    q = np.array([t * math.sqrt(2)])
    wanted = studentized_range.sf(q, 3, np.array([df]))[0]
    if wanted > 1e-300:
        found, error = largest_t(pairs(3), 0).sf(t, df)
        assert_digits(found, wanted, at_least=11)
        assert error == 0


@pytest.mark.parametrize("k", [4, 7])
@pytest.mark.parametrize("t", [1.0, 2.5, 4.0, 12.0])
def test_more_means_are_tukeys_case_within_the_stated_error(k, t):
    wanted = studentized_range.sf(np.array([t * math.sqrt(2)]), k, np.array([20.0]))[0]
    found, error = largest_t(pairs(k), 3).sf(t, 20.0)
    assert abs(found - wanted) <= 5 * error + 1e-5 * wanted
    assert 0 < error < 3e-3 * wanted


def test_a_common_control_is_dunnetts_case_within_the_stated_error():
    loadings = np.array([0.5, 0.7, 0.3, 0.9])
    correlation = np.outer(loadings, loadings)
    np.fill_diagonal(correlation, 1)
    made = largest_t(correlation, 1)
    for t in (1.0, 2.5, 4.0):
        found, error = made.sf(t, 11.0)
        wanted = many_to_one.sf(t, loadings, 11.0)
        assert abs(found - wanted) <= 5 * error + 1e-5 * wanted


def test_one_statistic_repeated_or_mirrored_is_one_statistic():
    for sign in (1.0, -1.0):
        made = largest_t(np.array([[1.0, sign], [sign, 1.0]]), 0)
        alone = 2 * special.stdtr(9.0, -2.0)
        assert_digits(made.sf(2.0, 9.0)[0], alone, at_least=13)
        assert_digits(made.isf(0.05, 9.0), -special.stdtrit(9.0, 0.025), at_least=12)


@pytest.mark.parametrize("correlation", [np.eye(2), pairs(3), pairs(5), np.eye(6)])
def test_quantiles_and_tails_are_inverse(correlation):
    made = largest_t(correlation, 2)
    for p in (0.5, 0.05, 1e-6):
        assert_digits(made.sf(made.isf(p, 8.0), 8.0)[0], p, at_least=9)


def test_ends_of_the_scale():
    made = largest_t(np.eye(3), 0)
    assert made.sf(0.0, 5.0)[0] == 1 and made.sf(math.inf, 5.0)[0] == 0
    assert math.isnan(made.sf(math.nan, 5.0)[0])


@pytest.mark.parametrize("seed", range(8))
def test_the_last_digits_of_correlations_turn_no_directions(seed):
    rng = np.random.default_rng(seed)
    k = 4 + seed % 4
    # Eigenvalues are equal in groups: all pairs, or all of one correlation.
    correlation = pairs(k) if seed % 2 else 0.5 * (np.eye(k) + np.ones((k, k)))
    noise = rng.normal(size=correlation.shape) * 1e-15
    moved = correlation + noise + noise.T
    np.fill_diagonal(moved, 1.0)
    for t in (1.5, 3.0):
        before, after = (largest_t(c, seed).sf(t, 9.0) for c in (correlation, moved))
        assert_digits(after, before, at_least=9)

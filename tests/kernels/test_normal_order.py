from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels.normal_order import medians, simultaneous_limits


@pytest.mark.parametrize("n", [1, 2, 17, 1000])
def test_medians_are_normal_quantiles_of_beta_medians(n):
    i = np.arange(1, n + 1)
    want = stats.norm.ppf(stats.beta.ppf(0.5, i, n + 1 - i))
    assert np.max(np.abs(medians(n) - want)) < 1e-11


def test_the_median_of_the_least_has_a_closed_form():
    # P(min > z) = (1 - Phi(z))^n.
    for n in (2, 50, 10_000):
        want = stats.norm.isf(0.5 ** (1 / n))
        assert_digits(medians(n)[0], want, at_least=11, what="median of the least")


def test_half_of_all_draws_lie_below_each_median():
    z = np.sort(np.random.default_rng(0).normal(size=(40_000, 12)), axis=1)
    below = np.mean(z < medians(12), axis=0)
    assert below == pytest.approx(0.5, abs=4.5 * np.sqrt(0.25 / 40_000))


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(("m", "repeats"), [(98, 400), (9998, 4)])
def test_limits_hold_a_new_curve_as_often_as_stated(level, m, repeats):
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(repeats):
        low, high = simultaneous_limits(np.sort(rng.normal(size=(m, 20))), level)
        fresh = np.sort(rng.normal(size=(1000, 20)))
        shares.append(np.all((low <= fresh) & (fresh <= high), axis=1).mean())
    half = m // 2
    exact = np.ceil(level * (half + 1)) / (half + 1)
    # By the draws behind the factor, and by those that test it.
    error = np.sqrt(level * (1 - level) / repeats * (1 / half + 1 / 1000))
    assert np.mean(shares) == pytest.approx(exact, abs=4 * error)


def test_no_place_is_left_much_more_often_than_another():
    rng = np.random.default_rng(2)
    low, high = simultaneous_limits(np.sort(rng.normal(size=(9998, 10))), 0.8)
    fresh = np.sort(rng.normal(size=(20_000, 10)))
    outside = np.mean((fresh < low) | (fresh > high), axis=0)
    assert outside.max() < 2 * outside.min()


def test_half_of_the_draws_calibrate_the_other_half():
    rng = np.random.default_rng(3)
    draws = rng.permutation(np.arange(-1000.0, 1001.0))[:, None]
    low, high = simultaneous_limits(draws, 0.95)
    others = draws[1000:]
    # ceil(0.95 * 1002) = 952 of the 1001 others lie inside.
    slack = 1e-9
    assert np.sum((others >= low - slack) & (others <= high + slack)) == 952

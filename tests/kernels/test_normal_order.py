from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pycompare.kernels.normal_order import medians, simultaneous_limits
from pycompare.testing import assert_digits


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
def test_limits_hold_their_share_of_whole_curves(level):
    rng = np.random.default_rng(1)
    low, high = simultaneous_limits(np.sort(rng.normal(size=(9999, 20))), level)
    fresh = np.sort(rng.normal(size=(20_000, 20)))
    inside = np.all((low <= fresh) & (fresh <= high), axis=1).mean()
    assert inside == pytest.approx(level, abs=0.015)


def test_limits_leave_each_place_equally_often():
    rng = np.random.default_rng(2)
    low, high = simultaneous_limits(np.sort(rng.normal(size=(9999, 10))), 0.8)
    fresh = np.sort(rng.normal(size=(20_000, 10)))
    outside = np.mean((fresh < low) | (fresh > high), axis=0)
    assert outside.max() < 1.5 * outside.min()


def test_one_place_has_the_plain_quantiles():
    curves = np.random.default_rng(3).permutation(np.arange(100.0))[:, None]
    low, high = simultaneous_limits(curves, 0.9)
    assert (low[0], high[0]) == (5.0, 94.0)

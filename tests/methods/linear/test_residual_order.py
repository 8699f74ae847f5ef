from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.methods.linear.residual_order import residual_order


def anova(values, **options):
    frame = pd.DataFrame(values, columns=[f"m{j}" for j in range(np.shape(values)[1])])
    scores = pc.Scores.from_wide(frame, metric="y", better="lower", missing="model")
    return pc.anova(scores, **options)


@pytest.mark.parametrize(("n", "a"), [(8, 2), (6, 4)])
def test_limits_hold_all_residuals_of_normal_errors_as_often_as_stated(n, a):
    rng = np.random.default_rng(0)
    order = residual_order(anova(rng.normal(size=(n, a))).fit, level=0.9, seed=1)
    inside = []
    for _ in range(400):
        # Blocks, algorithms and another unit change nothing.
        y = 7.0 * rng.normal(size=(n, a)) + 50 * rng.normal(size=(n, 1)) + np.arange(a)
        fit = anova(y).fit
        rest = np.sort(fit.residuals())
        rest /= np.sqrt(np.mean(rest**2))
        low, high = order.low / order.size, order.high / order.size
        inside.append(np.all((low <= rest) & (rest <= high)))
    assert np.mean(inside) == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 400))


def test_residuals_are_those_of_the_fit_in_the_metrics_unit():
    y = np.random.default_rng(2).normal(size=(9, 3))
    y[4, 1] = np.nan
    fit = anova(1e-7 * y + 3).fit
    order = residual_order(fit, level=0.95, seed=0)
    want = fit.values[fit.design.present] - fit.fitted()
    assert order.residual == pytest.approx(np.sort(want), abs=1e-15)
    assert order.size == pytest.approx(np.sqrt(np.mean(want**2)), rel=1e-6)
    assert order.residual.sum() == pytest.approx(0, abs=1e-15)


def test_the_seed_is_all_that_is_random():
    fit = anova(np.random.default_rng(3).normal(size=(9, 3))).fit
    one, same, other = (residual_order(fit, level=0.95, seed=s) for s in (5, 5, 6))
    assert np.array_equal(one.low, same.low)
    assert not np.array_equal(one.low, other.low)
    assert one.low == pytest.approx(other.low, rel=0.3, abs=0.1 * one.size)


def test_a_perfect_fit_has_no_residuals():
    fit = anova(np.add.outer(np.arange(5.0), [0.1, 0.3, 0.7])).fit
    order = residual_order(fit, level=0.95, seed=0)
    assert order.size == 0.0
    assert not order.residual.any()


def test_one_degree_of_freedom_leaves_nothing_to_see():
    fit = anova([[1.0, 2.0], [4.0, 3.0]]).fit
    order = residual_order(fit, level=0.95, seed=0)
    want = [-0.5, -0.5, 0.5, 0.5]
    for found in (order.residual, order.low, order.high):
        assert found == pytest.approx(want)

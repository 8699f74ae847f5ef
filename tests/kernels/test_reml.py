"""REML: derivatives, mean squares of balanced data, published and dense witnesses."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pycompare.base.testing import assert_digits
from pycompare.kernels import reml, unit_inverses


def sample(seed=0, n=60, gaps=9):
    """Return y, an orthonormal basis, and units of two kinds, one in the other."""
    rng = np.random.default_rng(seed)
    outer = np.repeat(np.arange(6), n // 6)
    inner = np.repeat(np.arange(n // 5), 5)
    kept = np.sort(rng.choice(n, n - gaps, replace=False))
    x = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, 3))])[kept])[0]
    y = rng.normal(size=6)[outer] + rng.normal(size=n // 5)[inner]
    y = (y + rng.normal(size=n))[kept]
    units = [np.unique(u[kept], return_inverse=True)[1] for u in (outer, inner)]
    return y, x, units


def dense(y, x, units, variances):
    """Return the REML deviance and projection with n x n matrices."""
    parts = [np.equal.outer(u, u).astype(float) for u in units] + [np.eye(len(y))]
    sigma = np.einsum("i,iab->ab", variances, np.array(parts))
    inverse = np.linalg.inv(sigma)
    information = x.T @ inverse @ x
    p = inverse - inverse @ x @ np.linalg.inv(information) @ x.T @ inverse
    deviance = (
        np.linalg.slogdet(sigma)[1]
        + np.linalg.slogdet(information)[1]
        + y @ p @ y
        + (len(y) - x.shape[1]) * np.log(2 * np.pi)
    )
    return deviance, p, np.array(parts), np.linalg.inv(information)


def test_estimates_and_information_are_those_of_dense_matrices():
    y, x, units = sample()
    found = reml.reml(y, x, units)
    deviance, p, g, covariance = dense(y, x, units, found.variances)
    assert found.converged
    assert_digits(found.deviance, deviance, at_least=11)
    assert_digits(found.covariance, covariance, at_least=8)
    py = p @ y
    # The score is 0: tr(P G) = y'P G P y.
    assert_digits(
        [np.trace(p @ gi) for gi in g], [py @ gi @ py for gi in g], at_least=9
    )
    traces = np.array([[np.trace(p @ a @ p @ b) for b in g] for a in g])
    lengths = np.array([[py @ a @ p @ b @ py for b in g] for a in g])
    assert_digits(found.expected, 2 * np.linalg.inv(traces), at_least=8)
    assert_digits(found.spread, 2 * np.linalg.inv(2 * lengths - traces), at_least=8)


def test_derivatives_of_the_covariance_are_differences():
    y, x, units = sample(1)
    found = reml.reml(y, x, units)
    for i, derivative in enumerate(found.derivatives):
        step = np.eye(len(found.variances))[i] * 1e-5
        above = dense(y, x, units, found.variances + step)[3]
        below = dense(y, x, units, found.variances - step)[3]
        assert_allclose(derivative, (above - below) / 2e-5, rtol=1e-6, atol=1e-8)


def test_gradient_and_curvature_are_differences_of_the_deviance():
    y, x, units = sample(2)
    data = reml.products(y - x @ (x.T @ y), x, units)
    at = np.array([0.7, 0.4])
    made = reml.profile(data, at)
    for i, step in enumerate(np.eye(2) * 1e-5):
        above, below = reml.profile(data, at + step), reml.profile(data, at - step)
        slope = (above.deviance - below.deviance) / 2e-5
        assert_allclose(made.gradient(data.df)[i], slope, rtol=1e-6)
        second = (above.gradient(data.df) - below.gradient(data.df)) / 2e-5
        if np.linalg.eigvalsh(made.curvature(data.df))[0] > 0:
            assert_allclose(made.curvature(data.df)[i], second, rtol=1e-5)


def test_no_other_point_has_a_lower_deviance():
    for seed in range(8):
        y, x, units = sample(seed)
        found = reml.reml(y, x, units)
        data = reml.products(y - x @ (x.T @ y), x, units)
        own = reml.profile(data, found.variances[:-1] / found.variances[-1]).deviance
        for a in np.geomspace(1e-3, 30, 7):
            for b in np.geomspace(1e-3, 30, 7):
                assert own <= reml.profile(data, np.array([a, b])).deviance + 1e-9


def test_a_variance_of_0_is_the_model_without_these_units():
    rng = np.random.default_rng(3)
    units = np.repeat(np.arange(10), 4)
    # Means of units that vary less than chance has them vary.
    y = rng.normal(size=40)
    y -= np.bincount(units, y)[units] / 4
    x = np.ones((40, 1)) / np.sqrt(40)
    found = reml.reml(y, x, [units])
    assert found.variances[0] == 0
    assert_digits(found.variances[1], y.var(ddof=1), at_least=12)
    rows = np.ones((1, 1))
    _, df = reml.satterthwaite(found, rows)
    assert_digits(df, [39], at_least=10)


@pytest.mark.parametrize("seed", range(3))
def test_balanced_data_have_the_mean_squares_f_and_degrees_of_freedom(seed):
    rng = np.random.default_rng(seed)
    b, a = 9, 4
    table = 2 * rng.normal(size=(b, 1)) + rng.normal(size=(b, a)) + np.arange(a) / 2
    y, units = table.ravel(), np.repeat(np.arange(b), a)
    columns = np.tile(np.eye(a), (b, 1))
    x = np.linalg.qr(np.column_stack([np.ones(a * b), columns[:, 1:]]))[0]
    found = reml.reml(y, x, [units])
    residual = table - table.mean(0) - table.mean(1)[:, None] + table.mean()
    error = np.square(residual).sum() / ((a - 1) * (b - 1))
    between = a * np.square(table.mean(1) - table.mean()).sum() / (b - 1)
    assert_digits(found.variances, [(between - error) / a, error], at_least=10)
    f = b * np.square(table.mean(0) - table.mean()).sum() / (a - 1) / error
    rows = np.eye(a)[1:]
    for test in (reml.satterthwaite_f, reml.kenward_roger_f):
        assert_digits(test(found, rows), (f, (a - 1) * (b - 1)), at_least=10)
    variance, df = reml.kenward_roger(found, np.eye(a)[:1])
    assert_digits(df, [b - 1], at_least=9)
    assert_digits(variance, [between], at_least=9)


def test_rows_that_do_not_vary_are_reported():
    units = np.repeat(np.arange(5), 3)
    y = np.array([1.0, 4, 2, 8, 5])[units]
    x = np.ones((15, 1)) / np.sqrt(15)
    assert not reml.reml(y, x, [units]).converged


@pytest.mark.parametrize("chosen", [slice(None), slice(None, None, -1), slice(1, 2)])
@pytest.mark.parametrize("ratios", [(0.3, 2.0), (1e4, 0.0), (0.0, 50.0)])
def test_units_within_units_need_no_dense_matrix(chosen, ratios, monkeypatch):
    """Two kinds in either order, or one: the likelihood is that of dense matrices."""
    y, x, units = sample(3)
    units, at = units[chosen], np.array(ratios[: len(units[chosen])])
    residual = y - x @ (x.T @ y)
    whole = reml.profile(reml.products(residual, x, units), at)
    fit = reml.reml(y, x, units)
    monkeypatch.setattr(unit_inverses, "_MOST_DENSE", 0)
    data = reml.products(residual, x, units)
    assert isinstance(data.units, unit_inverses.NestedUnits)
    parts = reml.profile(data, at)
    for name in ("deviance", "xvx", "zvx", "squares", "traces", "lengths"):
        assert_allclose(getattr(parts, name), getattr(whole, name), 1e-11, 1e-13)
    for name in ("cross_traces", "cross_lengths"):
        assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-11)
    pairs = whole.inverse.pairs()
    assert_allclose(parts.inverse.pairs(), pairs, 1e-9, 1e-11 * np.abs(pairs).max())
    found = reml.reml(y, x, units)
    for name in ("variances", "covariance", "spread", "adjusted", "expected"):
        own = getattr(fit, name)
        scale = 1e-9 * np.abs(own).max()
        assert_allclose(getattr(found, name), own, rtol=1e-8, atol=scale)


def test_crossed_units_and_three_kinds_keep_the_dense_matrix(monkeypatch):
    monkeypatch.setattr(unit_inverses, "_MOST_DENSE", 0)
    y, x, [outer, inner] = sample(2)
    crossed = np.arange(len(y)) % 4
    for units in ([outer, crossed], [outer, inner, crossed]):
        data = reml.products(y, x, units)
        assert isinstance(data.units, unit_inverses.DenseUnits)


def test_many_nested_units_take_memory_of_their_number():
    """Of 3,300 units a dense matrix alone would take 87 MB."""
    rng = np.random.default_rng(8)
    outer = np.repeat(np.arange(300), 40)
    inner = np.repeat(np.arange(3000), 4)
    y = rng.normal(size=300)[outer] + rng.normal(size=3000)[inner]
    y += rng.normal(size=len(y))
    x = np.linalg.qr(np.column_stack([np.ones(len(y)), np.arange(len(y)) % 4]))[0]
    tracemalloc.start()
    found = reml.reml(y, x, [outer, inner])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.converged and most < 10e6
    # Balanced: the variances are those of the mean squares.
    residual = (y - x @ (x.T @ y)).reshape(300, 10, 4)
    of_inner = 4 * residual.mean(axis=2).var(axis=1, ddof=1).mean()
    of_outer = 40 * residual.mean(axis=(1, 2)).var(ddof=1)
    rows = np.square(residual - residual.mean(axis=2, keepdims=True)).sum() / 8999
    wanted = [(of_outer - of_inner) / 40, (of_inner - rows) / 4, rows]
    assert_digits(found.variances, wanted, at_least=8)

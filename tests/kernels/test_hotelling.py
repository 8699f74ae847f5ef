import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import hotelling as kernel

METHODS = ["paired", "two-sample", "two-sample-unequal"]
FIELDS = ["t2", "f", "df1", "df2", "p_value", "direction"]


def tables(n=6, b=12, a=4, p=3, seed=1):
    return np.random.default_rng(seed).normal(size=(n, b, a, p))


@pytest.mark.parametrize("method", METHODS)
def test_a_batch_is_as_many_single_tables(method):
    y = tables()
    y[1, ..., 2] = 3 - y[1, ..., 1]
    y[2] = 0.25
    y[3, ..., 2] = y[3, ..., 0] + 1e-5 * y[3, ..., 2]
    y[4, 2:5, 1] = np.nan
    y[5, :, 1] = y[5, :, 0]
    found = kernel.hotelling(y.reshape(2, 3, *y.shape[1:]), method=method)
    assert found.t2.shape == (2, 3, 6)
    for i, table in enumerate(y):
        one = kernel.hotelling(table, method=method)
        at = np.unravel_index(i, (2, 3))
        assert np.array_equal(found.rank[at], one.rank)
        for name in FIELDS:
            ours, alone = getattr(found, name)[at], getattr(one, name)
            assert_digits(ours, alone, at_least=9 if i == 3 else 12, what=name)
    assert np.isnan(found.p_value[0, 2]).all()
    assert (found.rank[0, 1] == 2).all()


def test_pairs_are_in_the_order_of_the_upper_triangle():
    first, second = kernel.all_pairs(4)
    assert list(zip(first, second, strict=True)) == [
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 2),
        (1, 3),
        (2, 3),
    ]


@pytest.mark.parametrize("method", METHODS)
def test_fifteen_data_sets_and_21_thresholds_are_one_call(method):
    rng = np.random.default_rng(2)
    shape = (15, 21, 30, 5)
    tp, fp = rng.integers(10, 40, shape), rng.integers(5, 50, shape)
    y = np.stack([tp, fp, 50 - fp, 40 - tp], axis=-1).astype(float)
    y[:, 0] = y[:, -1] = [40.0, 50.0, 0.0, 0.0]  # thresholds 0 and 1: all alike
    found = kernel.hotelling(y, method=method)
    assert found.p_value.shape == (15, 21, 10)
    assert np.isnan(found.p_value[:, [0, -1]]).all()
    assert (found.rank[:, 1:-1] == 2).all()
    assert (found.p_value[:, 1:-1] <= 1).all()


def test_p_values_are_uniform_under_no_difference():
    y = tables(4000, 10, 2, 3, seed=3)
    for method in METHODS[:2]:
        p = kernel.hotelling(y, method=method).p_value[:, 0]
        for alpha in (0.01, 0.05, 0.5):
            error = 4 * np.sqrt(alpha * (1 - alpha) / len(p))
            assert abs((p <= alpha).mean() - alpha) < error


def test_two_covariance_matrices_hold_the_level_where_one_does_not():
    y = tables(4000, 20, 2, 2, seed=4)
    y[:, :, 0] *= 5
    y[:, 6:, 0] = np.nan  # the smaller sample has the larger variance
    error = 4 * np.sqrt(0.05 * 0.95 / 4000)
    pooled = kernel.hotelling(y, method="two-sample").p_value
    unequal = kernel.hotelling(y, method="two-sample-unequal").p_value
    assert (pooled <= 0.05).mean() > 0.15
    assert abs((unequal <= 0.05).mean() - 0.05) < error + 0.01


def test_critical_values_are_exceeded_with_their_probability():
    df1, df2 = np.array([2.0, 3.0]), np.array([9.0, 20.0])
    limit = kernel.critical(df1, df2, 0.05)
    f = limit * df2 / (df1 * (df2 + df1 - 1))
    assert_digits(stats.f.sf(f, df1, df2), [0.05, 0.05], at_least=12)
    tiny = kernel.critical(df1, df2, 1e-17)
    assert np.isfinite(tiny).all()

"""The largest difference of correlated normals, against the plain algorithm."""

import numpy as np
import pytest
from scipy import stats

from pycompare.kernels import largest_normal as kernel
from pycompare.kernels.largest_normal import largest_differences

DRAWS, AT_ONCE = kernel._DRAWS, kernel._AT_ONCE


def drawn(covariance, df, seed):
    """Draw all estimates, as the kernel draws them."""
    root = kernel._root(covariance).astype(np.float32)
    rng = np.random.default_rng(seed)
    parts = []
    for _ in range(DRAWS // AT_ONCE):
        part = root @ rng.standard_normal((AT_ONCE, len(root)), np.float32).T
        if np.isfinite(df):
            part /= np.sqrt(rng.chisquare(df, AT_ONCE) / df).astype(np.float32)
        parts.append(part)
    return np.concatenate(parts, axis=1)


def truth(k, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(k, 2 * k))
    covariance = x @ x.T / k
    first, second = np.triu_indices(k, 1)
    error = np.sqrt(
        covariance[first, first]
        + covariance[second, second]
        - 2 * covariance[first, second]
    )
    theta = rng.normal(size=k) * 4
    return covariance, first, second, (theta[first] - theta[second]) / error, error


@pytest.mark.parametrize(("k", "df"), [(2, 5.0), (3, np.inf), (7, 11.5), (34, np.inf)])
def test_step_down_p_values_are_those_of_the_plain_algorithm(k, df):
    covariance, i, j, t, error = truth(k, k)
    found = largest_differences(covariance, i, j, t, error, df=df, alpha=0.05, seed=4)
    z = drawn(covariance, df, 4)
    size = np.abs((z[i] - z[j]) * (1 / error).astype(np.float32)[:, None])
    below, p = 0.0, np.empty(len(t))
    for rank, at in enumerate(order := np.argsort(-np.abs(t), kind="stable")):
        most = size[order[rank:]].max(axis=0)
        count = np.count_nonzero(most >= np.float32(abs(t[at])))
        below = p[at] = max(below, (1 + count) / (1 + DRAWS))
    assert np.array_equal(found.p_adjusted, p)
    left = p > 0.05
    every = np.sort(size.max(axis=0))[::-1]
    assert found.joint == every[499]
    if 0 < left.sum() < len(p):
        assert found.last == np.sort(size[left].max(axis=0))[::-1][499]


def test_of_one_pair_it_is_the_t_distribution():
    covariance = np.diag([1.0, 3.0])
    found = largest_differences(
        covariance, np.array([0]), np.array([1]), np.array([2.1]), np.array([2.0]),
        df=9, alpha=0.05, seed=1,
    )  # fmt: skip
    assert abs(found.p_adjusted[0] - 2 * stats.t.sf(2.1, 9)) < 0.008
    assert abs(found.joint - stats.t.isf(0.025, 9)) < 0.09


@pytest.mark.parametrize("rows", [1, 15, 16, 17, 100])
def test_the_running_maximum_is_that_of_numpy(rows):
    rng = np.random.default_rng(rows)
    x = rng.normal(size=(rows, 5)).astype(np.float32)
    above = np.full(5, -0.5, np.float32)
    wanted = np.maximum.accumulate(np.vstack([above[None], x]), axis=0)[1:]
    last = kernel._running_maximum(x, above)
    assert np.array_equal(x, wanted) and np.array_equal(last, wanted[-1])


def test_rounding_of_the_covariance_leaves_the_same_draws():
    covariance, i, j, t, error = truth(8, 3)
    rng = np.random.default_rng(1)
    noise = 1e-14 * rng.normal(size=covariance.shape) * np.abs(covariance).max()
    nearly = covariance + noise + noise.T
    first, second = (
        largest_differences(v, i, j, t, error, df=20, alpha=0.05, seed=4)
        for v in (covariance, nearly)
    )
    assert abs(first.joint - second.joint) < 1e-5
    assert np.abs(first.p_adjusted - second.p_adjusted).max() <= 3e-4

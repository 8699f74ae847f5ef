"""Counts of pairs of cases in order: against a look at each pair."""

import numpy as np
import pytest

from pycompare.kernels import pseudovalues
from pycompare.kernels.pseudovalues import products_of_wins


def each_pair(truth, x):
    up, down = x[:, truth, None], x[:, None, ~truth]
    won = (up > down) * 1 + (up >= down)
    return np.einsum("ipq,jpq->ij", won, won)


@pytest.mark.parametrize("levels", [1, 2, 4, 1000])
@pytest.mark.parametrize("n", [2, 3, 9, 64, 131])
def test_sorting_counts_what_a_look_at_each_pair_counts(n, levels):
    rng = np.random.default_rng(n * levels)
    for _ in range(4):
        truth = np.r_[True, False, rng.random(n - 2) < rng.uniform(0.1, 0.9)]
        x = np.floor(rng.random((3, n)) * levels)
        # One score without ties beside scores with ties.
        x[0] = rng.permutation(n)
        x[1, :2] = -np.inf, np.inf
        assert np.array_equal(products_of_wins(truth, x), each_pair(truth, x))


def test_covariances_are_the_same_by_sorting(monkeypatch):
    rng = np.random.default_rng(7)
    truth, x = rng.random(90) < 0.4, rng.normal(size=(2, 4, 90)).round(1)
    direct = pseudovalues.unbiased_covariance(truth, x)
    monkeypatch.setattr(pseudovalues, "_MOST_PAIRS", 0)
    assert np.array_equal(pseudovalues.unbiased_covariance(truth, x), direct)

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from pycompare.kernels import permutation as kernel
from pycompare.kernels import sscp

RAGGED = np.array([0, 1, 0, 2, 1, 0, 3, 2])


def random_permutations(*asked):
    return kernel.on_random_permutations(lambda _, orders: orders, None, *asked)


def joined(batches):
    return np.concatenate(list(batches))


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_size_of_batches_changes_no_permutation(size):
    strata = kernel.strata_of(RAGGED)
    rng = np.random.default_rng(1)
    found = joined(random_permutations(strata, 50, rng, size))
    again = np.random.default_rng(1)
    assert np.array_equal(found, joined(random_permutations(strata, 50, again, 50)))
    assert (RAGGED[found] == RAGGED).all()
    assert (np.sort(found, axis=1) == np.arange(len(RAGGED))).all()


def test_random_permutations_are_uniform():
    strata = kernel.strata_of(np.array([0, 0, 0, 1, 1]))
    rng = np.random.default_rng(2)
    found = joined(random_permutations(strata, 12_000, rng, 5000))
    rows, counts = np.unique(found, axis=0, return_counts=True)
    assert len(rows) == 12
    chi2 = np.sum((counts - 1000) ** 2 / 1000)
    assert chi2 < 31.3  # 0.999 quantile on 11 degrees of freedom


def test_lists_hold_every_permutation_within_strata_once():
    strata = kernel.strata_of(RAGGED)
    found = joined(kernel.all_within(strata, 5))
    every = [p for p in permutations(range(8)) if (RAGGED[list(p)] == RAGGED).all()]
    assert sorted(map(tuple, found)) == sorted(every)
    assert len(found) == kernel.n_within(strata, 24) == 2 * 2 * 6
    assert len(joined(kernel.all_within(strata, 5, fixed=2))) == 12


def test_lists_hold_every_deal_once():
    labels = np.array([1, 0, 2, 1, 0, 1])
    found = joined(kernel.all_deals(labels, 11))
    groups = {
        tuple(frozenset(row[labels == j].tolist()) for j in range(3)) for row in found
    }
    assert len(groups) == len(found) == kernel.n_deals(labels, 60) == 60


def test_far_more_permutations_than_can_be_listed_are_not_counted():
    strata = kernel.strata_of(np.repeat(np.arange(10**6), 4))
    assert kernel.n_within(strata, 100) == 101
    assert kernel.n_deals(np.arange(10**6) % 3, 100) == 101
    few = kernel.strata_of(np.repeat(np.arange(5), 3))
    assert kernel.n_within(few, 7775) == 6**5


def test_shares_are_those_of_sums_of_squares_and_products():
    rng = np.random.default_rng(3)
    q = np.linalg.qr(rng.normal(size=(12, 3)))[0]
    for p in (2, 5):
        y = np.linalg.qr(rng.normal(size=(12, p)))[0]
        orders = np.array([rng.permutation(12) for _ in range(9)])
        wilks = kernel.shares(q, y, orders, "wilks")
        trace = kernel.shares(q, y / math.sqrt(p), orders, "trace")
        for order, w, t in zip(orders, wilks, trace, strict=True):
            h = y[order].T @ q @ q.T @ y[order]
            assert math.isclose(w, 1 - np.linalg.det(np.eye(p) - h), rel_tol=1e-12)
            assert math.isclose(t, np.trace(h) / p, rel_tol=1e-12)


@pytest.mark.parametrize("blocked", [True, False])
@pytest.mark.parametrize("p", [2, 5])
def test_cells_of_groups_have_the_shares_of_their_basis(blocked, p):
    rng = np.random.default_rng(8)
    before, groups = sscp.two_way(6, 4, blocked)
    y = np.linalg.qr(sscp.without(rng.normal(size=(24, p)), (before,)))[0]
    strata = kernel.strata_of(np.repeat(np.arange(6), 4) * blocked)
    [orders] = random_permutations(strata, 9, rng, 9)
    for statistic in ("wilks", "trace"):
        found = kernel.shares(groups.space, y, orders, statistic)
        wanted = kernel.shares(groups.basis, y, orders, statistic)
        assert np.abs(found - wanted).max() < 1e-13


@pytest.mark.parametrize("statistic", ["wilks", "trace"])
def test_one_number_for_each_block_deals_all_orders_alike(statistic):
    # Two blocks of three rows: all 36 arrangements, each as often as another.
    rng = np.random.default_rng(4)
    y = rng.normal(size=(6, 2))
    y -= np.repeat(y.reshape(2, 3, 2).mean(axis=1), 3, axis=0)
    y = np.linalg.qr(y)[0] / (1 if statistic == "wilks" else math.sqrt(2))
    q = np.tile(np.linalg.qr(np.eye(3)[:, :2] - 1 / 3)[0], (2, 1)) / math.sqrt(2)
    strata = kernel.strata_of(np.array([0, 0, 0, 1, 1, 1]))
    listed = joined(kernel.all_within(strata, 36))
    assert len(joined(kernel.all_within(strata, 36, fixed=1))) == 6
    assert kernel.n_within(strata, 100, fixed=1) == 6
    every = kernel.shares(q, y, listed, statistic)
    values, times = np.unique(every.round(9), return_counts=True)
    drawn = kernel.shares_by_block(y, 3, 36_000, rng, statistic)
    at = np.searchsorted(values, drawn - 1e-9)
    assert np.abs(values[at] - drawn).max() < 1e-9
    expected = 1000 * times
    chi2 = np.sum((np.bincount(at) - expected) ** 2 / expected)
    assert chi2 < stats.chi2.isf(1e-4, len(values) - 1)

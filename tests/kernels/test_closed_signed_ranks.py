"""Sums of squared signed rank sums under permutations, against definitions."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy import stats

from pycompare.kernels import closed_signed_ranks as kernel


def codes_of(x: np.ndarray) -> np.ndarray:
    """Return signed places of the sizes of all differences."""
    d = x[:, :, None] - x[:, None, :]
    sizes = np.unique(np.abs(d))
    return (np.sign(d) * np.searchsorted(sizes, np.abs(d))).astype(int)


def statistic(x: np.ndarray) -> float:
    """Return the sum of W^2 / sum r^2 over all pairs, by scipy's ranks."""
    total = 0.0
    for i, j in combinations(range(x.shape[1]), 2):
        d = x[:, i] - x[:, j]
        d = d[d != 0]
        if len(d):
            ranks = stats.rankdata(np.abs(d))
            total += np.sum(np.sign(d) * ranks) ** 2 / np.sum(ranks**2)
    return total


@pytest.mark.parametrize("seed", range(5))
def test_three_algorithms_are_permuted_in_every_way(seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 5, (4, 3)).astype(float)
    pair_p = np.array([0.2, 0.3, 0.4])
    found = kernel.closed_test(codes_of(x), pair_p, 9999, 1)
    observed = statistic(x)
    orders = list(permutations(range(3)))
    reached = [
        statistic(np.array([row[list(o)] for row, o in zip(x, chosen, strict=True)]))
        for chosen in product(orders, repeat=4)
    ]
    whole = np.mean(np.array(reached) >= observed - 1e-9)
    assert not found.drawn
    assert found.p_adjusted == pytest.approx(np.maximum(pair_p, whole), rel=1e-12)


def test_random_permutations_come_near_all_of_them():
    x = np.random.default_rng(3).normal(size=(5, 3)) + np.arange(3) * 0.5
    listed = kernel.closed_test(codes_of(x), np.full(3, 1e-9), 9999, 1)
    drawn = kernel.closed_test(codes_of(x), np.full(3, 1e-9), 1000, 1)
    assert drawn.drawn and not listed.drawn
    assert drawn.p_adjusted == pytest.approx(listed.p_adjusted, abs=0.03)


@pytest.mark.parametrize("a", [4, 5, 6])
def test_no_adjusted_p_is_below_that_of_the_pair_or_of_all(a):
    x = np.random.default_rng(a).normal(size=(7, a)) + np.arange(a)
    pair_p = np.linspace(0.01, 0.9, a * (a - 1) // 2)
    found = kernel.closed_test(codes_of(x), pair_p, 199, 2)
    assert (found.p_adjusted >= pair_p - 1e-15).all() and found.drawn
    assert (found.p_adjusted <= 1).all()


def test_the_smallest_p_value_is_reached():
    assert kernel.smallest_p(6) == 1 / 32 and kernel.smallest_p(1) == 1
    assert kernel.closed_least(6, 5) == 1 / 32
    one = 1 / 128
    assert kernel.closed_least(8, 8) == pytest.approx(1 - (1 - one) ** 4, rel=1e-12)
    x = np.arange(6.0)[:, None] / 100 + np.array([0.0, 1.0, 2.0])
    found = kernel.closed_test(codes_of(x), np.full(3, 1 / 32), 9999, 1)
    assert found.p_adjusted == pytest.approx(np.full(3, 1 / 32))


@pytest.mark.parametrize("decimals", [0, 1, 2, 9])
@pytest.mark.parametrize("n", [1, 2, 9, 300])
def test_ties_of_any_number_of_columns_have_the_sum_of_the_definition(n, decimals):
    rng = np.random.default_rng(n)
    x, subset = rng.normal(size=(n, 5)).round(decimals), np.array([0, 2, 3, 4])
    dealt = rng.permuted(np.tile(np.arange(4), (30, n, 1)), axis=-1)
    found = kernel._statistic(codes_of(x), subset, np.moveaxis(dealt, -1, 0))
    moved = [np.take_along_axis(x[:, subset], order, axis=1) for order in dealt]
    assert found == pytest.approx([statistic(each) for each in moved], rel=1e-12)

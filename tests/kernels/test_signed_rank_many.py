"""Two-sided p-values of many signed-rank sums at once."""

import itertools

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import signed_rank

RNG = np.random.default_rng(40)


def by_listing(ranks, above):
    """All changes of sign; two-sided p of the sum of positive ranks."""
    signs = np.array(list(itertools.product((0, 1), repeat=len(ranks))))
    sums = signs @ ranks
    larger = max(above, ranks.sum() - above)
    return min(1.0, 2 * np.mean(sums >= larger - 1e-9))


def rows(n, ties):
    values = RNG.integers(1, 6, (40, n)) if ties else RNG.normal(size=(40, n)) ** 2
    ranks = stats.rankdata(values, axis=1)
    return ranks, np.sum(ranks, axis=1, where=RNG.random((40, n)) < 0.7)


@pytest.mark.parametrize("n", [1, 2, 5, 11])
@pytest.mark.parametrize("ties", [False, True])
def test_it_is_the_share_of_all_changes_of_sign(n, ties):
    ranks, above = rows(n, ties)
    wanted = [by_listing(*row) for row in zip(ranks, above, strict=True)]
    p, exact = signed_rank.two_sided(ranks, above)
    assert exact.all()
    assert_digits(p, wanted, at_least=14)


def test_what_is_not_ranked_does_not_count():
    ranks, above = rows(9, ties=False)
    padded = np.concatenate([np.zeros((40, 3)), ranks], axis=1)
    assert (
        signed_rank.two_sided(padded, above)[0]
        == signed_rank.two_sided(ranks, above)[0]
    ).all()
    assert (signed_rank.two_sided(np.zeros((2, 4)), np.zeros(2))[0] == 1).all()


@pytest.mark.parametrize("n", [signed_rank.MOST_TIED + 1, 300])
def test_the_saddlepoint_is_near_the_exact_tail(n):
    """At most 0.1 % off where P is above 1e-10."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        ranks = stats.rankdata(rng.integers(1, 25 + seed, n))
        assert len(np.unique(ranks)) >= signed_rank.DISTINCT
        z = rng.uniform(0.01, 6)
        v = ranks.sum() / 2 + z * np.sqrt(np.sum(ranks**2)) / 2
        v = np.floor(2 * min(v, ranks.sum())) / 2
        steps = np.rint(2 * ranks).astype(int)
        step = np.gcd.reduce(steps) / 2
        v = step * np.floor(v / step)
        exact = signed_rank.tails(ranks, v)[1]
        if exact > 1e-10:
            got = signed_rank.upper_by_saddlepoint(ranks, v)
            assert abs(got / exact - 1) < 1e-3, (seed, z)


def test_few_different_ranks_are_added_one_at_a_time():
    ranks = stats.rankdata(RNG.integers(1, 4, 150))
    v = np.floor(ranks.sum() * 0.62)
    got, exact = signed_rank.two_sided(ranks[None], np.array([v]))
    assert exact.all()
    assert_digits(got, [2 * signed_rank.tails(ranks, v)[1]], at_least=14)


def test_the_saddlepoint_holds_at_both_ends():
    ranks = stats.rankdata(np.repeat(np.arange(1, 61), 2))
    total = ranks.sum()
    assert signed_rank.upper_by_saddlepoint(ranks, total) == 2.0 ** -len(ranks)
    near_mean = signed_rank.upper_by_saddlepoint(ranks, total / 2 + 1)
    assert abs(near_mean / signed_rank.tails(ranks, total / 2 + 1)[1] - 1) < 1e-3


def test_a_distribution_is_made_once_for_all_sums_of_the_same_ties():
    ranks = np.arange(1.0, signed_rank.MOST_TIED + 1)
    ranks[40:42] = 41.5
    signed_rank._kept_sums.cache_clear()
    above = np.arange(3000.0, 3200.0)
    signed_rank.two_sided(np.tile(ranks, (200, 1)), above)
    assert signed_rank._kept_sums.cache_info().misses == 1

"""Closed permutation test: subsets, partitions and all intersections, by hand."""

from itertools import combinations, permutations, product

import numpy as np
import pytest

from pycompare.base.testing import assert_digits
from pycompare.kernels import closed_permutation as kernel
from pycompare.kernels.r_random import Uniforms
from validation.brute_force import partitions

PAIRS = {a: list(combinations(range(a), 2)) for a in range(2, 6)}


def largest(x):
    """Largest studentised difference of the columns."""
    found = [0.0]
    for i, j in combinations(range(x.shape[1]), 2):
        d = x[:, i] - x[:, j]
        if d.any():
            found.append(abs(d.sum()) / np.sqrt(np.sum(d**2)))
    return max(found)


def share_of_all(x):
    """Every permutation of every row, none fixed."""
    orders = list(permutations(range(x.shape[1])))
    reached = [
        largest(np.array([row[list(o)] for row, o in zip(x, chosen, strict=True)]))
        >= largest(x) - 1e-11
        for chosen in product(orders, repeat=len(x))
    ]
    return np.mean(reached)


def groups_of(pairs, a):
    """Algorithms that a set of equalities makes equal."""
    groups = [{u} for u in range(a)]
    for i, j in pairs:
        one = next(g for g in groups if i in g)
        other = next(g for g in groups if j in g)
        if one is not other:
            groups.remove(other)
            one |= other
    return [sorted(g) for g in groups if len(g) > 1]


def combined(p, groups):
    """The p-value of a partition, from those of its groups."""
    n = sum(map(len, groups))
    return min(1 - (1 - p[kernel.mask_of(np.array(g))]) ** (n / len(g)) for g in groups)


@pytest.mark.parametrize(("n", "a"), [(2, 4), (4, 3), (3, 3), (6, 2)])
@pytest.mark.parametrize("ties", [False, True])
def test_listed_subsets_are_the_share_of_all_permutations(n, a, ties):
    rng = np.random.default_rng(n * a)
    x = rng.integers(1, 4, (n, a)).astype(float) if ties else rng.normal(size=(n, a))
    found = kernel.subset_tests(x, 20_000, 1)
    assert found.n_drawn == 0
    assert found.n_listed == 2**a - a - 1
    for size in range(2, a + 1):
        for subset in combinations(range(a), size):
            p = found.p[kernel.mask_of(np.array(subset))]
            assert_digits(p, share_of_all(x[:, subset]), at_least=14)


def test_drawn_permutations_are_the_ranks_of_runif():
    x = np.random.default_rng(3).normal(size=(6, 4)) + 0.4 * np.arange(4)
    found = kernel.subset_tests(x, 50, 77)
    u = Uniforms(77).draw(50, 6, 4)
    for subset in ([0, 1], [0, 2, 3], [0, 1, 2, 3]):
        inside = x[:, subset]
        reached = 0
        for drawn in u[:, :, subset]:
            rank = np.argsort(np.argsort(drawn, axis=1), axis=1)
            moved = np.take_along_axis(inside, rank, axis=1)
            reached += largest(moved) >= largest(inside) - 1e-11
        p = found.p[kernel.mask_of(np.array(subset))]
        # Two algorithms in 6 blocks have 32 permutations: listed.
        expected = share_of_all(inside) if len(subset) == 2 else (1 + reached) / 51
        assert_digits(p, expected, at_least=14)


def test_the_size_of_a_chunk_changes_nothing(monkeypatch):
    x = np.random.default_rng(4).normal(size=(9, 4))
    whole = kernel.subset_tests(x, 300, 5)
    monkeypatch.setattr(kernel, "CELLS", 100)
    assert kernel.subset_tests(x, 300, 5).p.tolist() == whole.p.tolist()


def test_disjoint_subsets_are_permuted_independently():
    x = np.random.default_rng(5).normal(size=(9, 4))
    both = kernel.subset_tests(x, 200, 6).p[0b1100]
    x[:, :2] = np.random.default_rng(6).normal(size=(9, 2))
    assert kernel.subset_tests(x, 200, 6).p[0b1100] == both


@pytest.mark.parametrize("a", [2, 3, 4, 5])
def test_adjusted_p_is_that_of_all_intersections_of_pairs(a):
    # The closure of all sets of pair hypotheses, each one as the partition it implies.
    p = np.random.default_rng(a).random(2**a) ** 3
    expected = dict.fromkeys(PAIRS[a], 0.0)
    for size in range(1, len(PAIRS[a]) + 1):
        for hypotheses in combinations(PAIRS[a], size):
            groups = groups_of(hypotheses, a)
            value = combined(p, groups)
            for i, j in PAIRS[a]:
                if any(i in g and j in g for g in groups):
                    expected[i, j] = max(expected[i, j], value)
    got = kernel.adjusted_pairs(p, a)
    assert_digits(got, list(expected.values()), at_least=12)


@pytest.mark.parametrize("a", range(1, 9))
def test_partitions_are_all_there_once(a):
    labels = kernel.partition_labels(a)
    listed = {
        tuple(tuple(np.flatnonzero(row == g)) for g in range(row.max() + 1))
        for row in labels
    }
    expected = {tuple(sorted(tuple(b) for b in p)) for p in partitions(a)}
    assert len(labels) == len(listed)
    assert {tuple(sorted(p)) for p in listed} == expected


def test_tiny_p_values_of_groups_keep_their_digits():
    p = np.ones(16)
    p[0b0011], p[0b1100] = 1e-20, 1e-18
    labels = np.array([[0, 0, 1, 1]])
    assert_digits(kernel.partition_p(p, labels), [2e-20], at_least=13)


def test_no_closed_test_is_sharper_than_its_pair():
    rng = np.random.default_rng(7)
    for _ in range(20):
        x = rng.normal(size=(6, 4)) + rng.normal(size=4)
        p = kernel.subset_tests(x, 99, 1).p
        pairs = [p[(1 << i) | (1 << j)] for i, j in PAIRS[4]]
        assert (kernel.adjusted_pairs(p, 4) >= np.array(pairs)).all()


def tukey_welsch(p, groups, a):
    """A partition whose groups of m have the levels 1 - (1 - alpha)^(m / a)."""
    powers = [1 if len(g) >= a - 1 else a / len(g) for g in groups]
    masks = [kernel.mask_of(np.array(g)) for g in groups]
    return min(1 - (1 - p[m]) ** power for m, power in zip(masks, powers, strict=True))


def test_levels_of_tukey_and_welsch_are_never_sharper():
    rng = np.random.default_rng(8)
    a, sharper = 5, 0
    listed = [[g for g in groups if len(g) > 1] for groups in partitions(a)]
    for _ in range(50):
        p = rng.random(2**a) ** 4
        peritz = np.array(
            [
                max(
                    tukey_welsch(p, groups, a)
                    for groups in listed
                    if any(i in g and j in g for g in groups)
                )
                for i, j in PAIRS[a]
            ]
        )
        ours = kernel.adjusted_pairs(p, a)
        assert (ours <= peritz + 1e-14).all()
        sharper += np.sum(ours < peritz - 1e-9)
    assert sharper > 20

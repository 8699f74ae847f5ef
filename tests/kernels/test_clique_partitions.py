"""The parts of the exhaustive search over clique partitions against plain listing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pycompare.kernels import exhaustive_any
from pycompare.kernels.exhaustive_any import _Bounds, _Search


def graph(seed, n=7, share=0.6):
    """Neighbours as masks."""
    near = np.triu(np.random.default_rng(seed).random((n, n)) < share, 1)
    return [mask(np.flatnonzero(row).tolist()) for row in near | near.T]


def mask(members):
    return sum(1 << i for i in members)


def is_clique(neighbours, members):
    return all(neighbours[i] >> j & 1 for i, j in combinations(members, 2))


def cliques_of(neighbours):
    """Every maximal clique of at least two vertices, by listing all sets."""
    n = len(neighbours)
    every = [
        set(c)
        for size in range(2, n + 1)
        for c in combinations(range(n), size)
        if is_clique(neighbours, c)
    ]
    return {mask(c) for c in every if not any(c < other for other in every)}


def best_of(neighbours, left, pair=()):
    """Most pairs within blocks of a partition into cliques, by recursion."""
    if not left:
        return 0
    first, *rest = left
    found = -1
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            block = (first, *others)
            torn = pair and 0 < len(set(pair) & set(block)) < 2
            if not torn and is_clique(neighbours, block):
                remaining = [i for i in rest if i not in others]
                more = best_of(neighbours, remaining, pair)
                if more >= 0:
                    found = max(found, size * (size + 1) // 2 + more)
    return found


def joined(neighbours, order=None):
    """Join neighbours one by one: the graph and its cliques after each edge."""
    edges = [e for e in combinations(range(len(neighbours)), 2) if joins(neighbours, e)]
    made, cliques = [0] * len(neighbours), []
    for at in range(len(edges)) if order is None else order:
        cliques = exhaustive_any._join(made, cliques, mask(edges[at]))
        yield made, cliques


def joins(neighbours, edge):
    return neighbours[edge[0]] >> edge[1] & 1


def search_of(neighbours):
    *_, (_, cliques) = joined(neighbours)
    return _Search(neighbours, sorted(cliques, key=int.bit_count, reverse=True))


@pytest.mark.parametrize("seed", range(3))
def test_maximal_cliques_are_those_of_a_list_of_all_sets_after_each_edge(seed):
    neighbours = graph(seed, n=6)
    edges = sum(map(int.bit_count, neighbours)) // 2
    order = np.random.default_rng(seed).permutation(edges).tolist()
    for made, cliques in joined(neighbours, order):
        assert len(cliques) == len(set(cliques)) and set(cliques) == cliques_of(made)
    assert made == neighbours


@pytest.mark.parametrize("seed", range(4))
def test_no_partition_has_more_pairs_than_the_ceiling(seed):
    search = search_of(graph(seed))
    wanted = best_of(search.neighbours, list(range(7)))
    assert exhaustive_any._ceiling(search.cliques) >= wanted
    largest = search.cliques[0].bit_count()
    assert exhaustive_any._packed(7, largest) >= wanted


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("share", [0.35, 0.6])
def test_a_partition_is_found_where_it_has_more_pairs_than_asked_for(seed, share):
    neighbours = graph(seed, share=share)
    wanted = best_of(neighbours, list(range(7)))
    search = search_of(neighbours)
    # One search is asked again and again: what it remembers must stay true.
    asked = [*range(wanted + 2), *range(wanted + 1, -1, -1)]
    for above in np.random.default_rng(seed).permutation(asked).tolist():
        pairs, blocks = search.best(search.cliques, above)
        if above < wanted:
            assert pairs == wanted and covers(neighbours, blocks) == wanted
        else:
            assert wanted <= pairs <= max(above, wanted)


def covers(neighbours, blocks):
    """Pairs within blocks, which are cliques that share no vertex."""
    members = [list(exhaustive_any._members(block)) for block in blocks]
    assert all(is_clique(neighbours, one) for one in members)
    assert len({i for one in members for i in one}) == sum(map(len, members))
    return sum(len(one) * (len(one) - 1) // 2 for one in members)


@pytest.mark.parametrize("seed", range(8))
def test_a_pair_that_is_kept_together_stays_together(seed):
    neighbours = graph(seed)
    for i, j in combinations(range(7), 2):
        if neighbours[i] >> j & 1:
            wanted = best_of(neighbours, list(range(7)), pair=(i, j))
            kept = search_of(neighbours).keeping(mask((i, j)))
            pairs, blocks = kept.solve(0, at_most=1 << 20)
            assert pairs == wanted and covers(neighbours, blocks) == wanted
            assert any(block & mask((i, j)) == mask((i, j)) for block in blocks)
            greedy = search_of(neighbours).greedy(mask((i, j)))
            assert covers(neighbours, greedy) <= wanted
            assert greedy[0] & mask((i, j)) == mask((i, j))


def test_what_is_found_is_remembered_and_what_is_not_is_a_bound():
    search = search_of(graph(0))
    assert search._remember(0b11, (3, (0b11,)), 2) == (3, (0b11,))
    assert search.exact == {0b11: (3, (0b11,))} and search.upper == {}
    assert search._remember(0b101, (2, None), 2) == (2, None)
    assert search.upper == {0b101: 2} and 0b101 not in search.exact


@pytest.mark.parametrize(
    ("cliques", "largest", "bound"),
    [
        ([0b111], 9, 3),
        ([0b111], 2, 1),  # a block of two, and one alone
        ([0b111, 0b11100], 9, 4),  # five vertices of cliques of three: 3 + 2
        ([0b1111, 0b110001, 0b1000010], 9, 7),  # 4; 2 and 1 that cannot be three
        ([0b111, 0b11000], 9, 4),
        ([0b1111, 0b110000, 0b10001], 9, 7),  # a vertex counts in its largest
        ([], 9, 0),
    ],
)
def test_the_ceiling_fills_blocks_by_each_vertexs_largest_clique(
    cliques, largest, bound
):
    assert exhaustive_any._ceiling(cliques, largest) == bound


def test_the_ceiling_of_what_a_block_leaves_is_that_of_the_smaller_cliques():
    cliques = [0b11111, 0b111000, 0b1100001, 0b10000010]
    for block in cliques:
        for largest in (2, 3, 9):
            left = exhaustive_any._without(cliques, block)
            bound = exhaustive_any._ceiling(left, largest)
            assert exhaustive_any._ceiling(cliques, largest, block) == bound


def test_connected_parts_join_where_a_clique_touches_both():
    parts = exhaustive_any._components
    assert parts([0b11, 0b1100]) == [[0b11], [0b1100]]
    assert parts([0b11, 0b1100, 0b110]) == [[0b11, 0b1100, 0b110]]
    assert parts([0b110000, 0b11, 0b1100, 0b110]) == [
        [0b110000],
        [0b11, 0b1100, 0b110],
    ]


@pytest.mark.parametrize(
    ("v", "value", "k"),
    [
        (0.01, 0.035, 3),
        (0.25, 0.75, 3),
        (0.3, 0.29, 0),
        (0.1, 0.3, 2),
        (1e-9, 1.0, 10**9),
    ],
)
def test_the_largest_factor_is_the_last_that_does_not_exceed(v, value, k):
    found = exhaustive_any._largest_factor(v, value)
    assert found * v <= value < (found + 1) * v or found * v == value
    assert found == k


def test_a_partition_raises_the_pairs_inside_by_their_number_times_the_smallest():
    p = np.array([[1, 0.1, 0.2], [0.1, 1, 0.25], [0.2, 0.25, 1]])
    bounds = _Bounds(p)  # pairs 0-1, 0-2, 1-2
    bounds.learn([0b110])
    assert bounds.adjusted.tolist() == [0, 0, 0.25]
    bounds.learn([0b111])
    assert bounds.adjusted.tolist() == pytest.approx([0.3, 0.3, 0.3])
    bounds.learn([0b101])
    assert bounds.adjusted.tolist() == pytest.approx([0.3, 0.3, 0.3])
    assert bounds.pair(1) == 0b101
    assert bounds.thresholds.tolist() == [0.1, 0.2, 0.25]
    # At 0.25 one pair is left: it is its own ceiling. One of 3 could raise it to 0.75.
    assert bounds.ceiling[:, 0].tolist() == [3, 2, 1]
    assert bounds.known.tolist() == [3, 1, 1]
    assert bounds.open_at(2) == []
    assert bounds.open() == [1]  # two pairs of at least 0.2 could be 0.4
    bounds.ceiling[2] = 3
    assert bounds.open_at(2) == [2]
    assert bounds.open() == [1, 2]
    assert [bounds.is_open(2, e) for e in range(3)] == [False, False, True]

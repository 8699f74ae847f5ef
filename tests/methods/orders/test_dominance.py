import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.methods.orders.dominance import dominance_order, dominates
from tests.methods.orders.by_hand import pairs_result
from tests.plotting.looking import random_scores, two_metrics

FOUR = {"b": 2.0, "a": 1.0, "d": 4.0, "c": 3.0}
CIRCLE = np.zeros((5, 5), int)
CIRCLE[0, 1] = CIRCLE[1, 2] = CIRCLE[2, 0] = 20
CIRCLE[[0, 1, 2], 3] = 20


def edges(order) -> set[tuple[str, str]]:
    names = ["".join(group) for group in order.groups]
    return {(names[i], names[j]) for i, j in order.edges}


def paths(order) -> set[tuple[str, str]]:
    """Pairs of algorithms that a path joins, by walking the edges."""
    below = {i: {j for k, j in order.edges if k == i} for i in range(len(order.groups))}
    found = set()
    for start in below:
        front = set(below[start])
        while front:
            at = front.pop()
            found |= {
                (a, b) for a in order.groups[start] for b in order.groups[at]
            }  # fmt: skip
            front |= below[at]
    return found


def test_what_follows_along_a_path_is_left_out():
    order = dominance_order(pairs_result(FOUR, ["ab", "bc", "ac"]))
    assert edges(order) == {("a", "b"), ("b", "c")}
    assert order.implied == ()
    # Ties of depth keep the order of the positions.
    assert order.groups == (("a",), ("d",), ("b",), ("c",))
    assert order.layers == ((0, 1), (2,), (3,))


def test_a_path_that_no_verdict_stands_behind_is_named():
    order = dominance_order(pairs_result(FOUR, ["ab", "bc"]))
    assert edges(order) == {("a", "b"), ("b", "c")}
    assert order.implied == (("a", "c"),)


def test_algorithms_that_beat_each_other_in_a_circle_are_one_group():
    order = dominance_order(pc.sign_grid(CIRCLE, 20))
    assert order.groups[:2] == (("1", "2", "3"), ("5",))
    assert edges(order) == {("123", "4")}
    assert order.implied == ()


def test_ordered_and_two_sided_sign_tests_have_the_same_order():
    two = dominance_order(pc.sign_grid(CIRCLE, 20))
    one = dominance_order(pc.sign_grid(CIRCLE, 20, alternative="greater"))
    assert edges(one) == edges(two)


def test_wins_decide_and_not_the_positions():
    # 1 wins more often in all, and still loses to 2.
    wins = [[0, 0, 18, 18], [18, 0, 0, 0], [0, 5, 0, 0], [0, 5, 0, 0]]
    grid = pc.sign_grid(wins, 20)
    assert grid.positions["1"] < grid.positions["2"]
    assert dominates(grid, 0.05)[1, 0]
    assert not dominates(grid, 0.05)[0, 1]


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 8))
def test_paths_are_the_closure_of_the_verdicts_and_no_edge_can_go(seed, a):
    rng = np.random.default_rng(seed)
    won = np.triu(rng.integers(0, 13, (a, a)), 1)
    lost = np.triu(rng.integers(0, 13 - won), 1)
    grid = pc.sign_grid(won + lost.T, 12, adjust="none")
    direct = dominates(grid, 0.2)
    order = dominance_order(grid, alpha=0.2)
    names = grid.algorithms
    reach = np.linalg.matrix_power(np.eye(a) + direct, a) > 0
    group = {n: k for k, g in enumerate(order.groups) for n in g}
    expected = {
        (names[i], names[j])
        for i in range(a)
        for j in range(a)
        if reach[i, j] and not reach[j, i]
    }
    assert paths(order) == expected
    assert all(
        (group[names[i]] == group[names[j]]) == bool(reach[i, j] and reach[j, i])
        for i in range(a)
        for j in range(i)
    )
    for k in range(len(order.edges)):
        fewer = order.edges[:k] + order.edges[k + 1 :]
        shorter = type(order)(order.groups, fewer, order.layers, order.implied)
        assert paths(shorter) < expected
    depth = {g: d for d, layer in enumerate(order.layers) for g in layer}
    assert all(depth[i] < depth[j] for i, j in order.edges)
    assert set(order.implied) == {
        (i, j) for i, j in expected if not direct[names.index(i), names.index(j)]
    }


def test_one_metric_never_has_a_circle():
    order = dominance_order(pc.nemenyi(random_scores(40, 8)))
    assert all(len(group) == 1 for group in order.groups)


def test_mean_vectors_do_not_tell_who_is_better():
    with pytest.raises(InputError, match="not which is better"):
        dominance_order(pc.hotelling_pairs(two_metrics(12, 3)))

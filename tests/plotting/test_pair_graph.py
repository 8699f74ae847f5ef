from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.methods.orders.dominance import dominance_order
from pycompare.plotting.pair_graph import places
from pycompare.plotting.style import to_svg
from tests.conftest import golden
from tests.methods.orders.by_hand import pairs_result
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    random_scores,
    texts,
    two_metrics,
)

FOUR = {"b": 2.0, "a": 1.0, "d": 4.0, "c": 3.0}


def joined(ax) -> set[tuple[str, str]]:
    """Names of the pairs that a line joins."""
    names = texts(ax, "name-")
    return {
        tuple(sorted(names[int(k) - 1] for k in key.split("-")))
        for key in lines(ax, "joined-")
    }


@pytest.mark.parametrize("a", [2, 3, 5, 12, 30])
def test_no_label_collides_or_leaves_the_figure(a):
    pairs = pc.nemenyi(random_scores(40, a, names=long_names(a)))
    ax = plotting.pair_graph(pairs)
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_exactly_the_pairs_that_are_not_rejected_are_joined():
    ax = plotting.pair_graph(pairs_result(FOUR, ["ad", "ac"]))
    every = {tuple(sorted(p)) for p in combinations("abcd", 2)}
    assert joined(ax) == every - {("a", "d"), ("a", "c")}
    assert "2 of 6 pairs differ" in caption(ax)


def test_lines_end_in_the_dots_of_their_algorithms():
    ax = plotting.pair_graph(pairs_result(FOUR, ["ad"]))
    (dots,) = [line for line in ax.lines if line.get_gid() == "algorithms"]
    at = np.column_stack(dots.get_data())
    for key, line in lines(ax, "joined-").items():
        ends = at[[int(k) - 1 for k in key.split("-")]]
        np.testing.assert_allclose(np.column_stack(line.get_data()), ends)


def test_the_best_is_first_and_mean_ranks_stand_below_the_names():
    ax = plotting.pair_graph(pairs_result(FOUR))
    assert texts(ax, "name-") == ["a", "b", "c", "d"]
    assert texts(ax, "value-") == ["1", "2", "3", "4"]
    assert "mean ranks, lower is better" in caption(ax)


def test_pairs_that_could_not_be_tested_are_joined_by_dashes():
    ax = plotting.pair_graph(pairs_result(FOUR, undefined=["ab"]))
    found = lines(ax, "joined-")
    dashed = [key for key, line in found.items() if line.is_dashed()]
    assert dashed == ["1-2"]
    assert "Dashed lines join them" in caption(ax)


def test_a_table_of_wins_shows_its_totals():
    published = golden("aslan_2009_wins")
    table = published["tables"][0]
    names = published["algorithms"]
    totals = dict(zip(names, table["totals"], strict=True))
    wins = pc.win_table(table["wins"], 15, algorithms=names, totals=totals)
    ax = plotting.pair_graph(pc.sign_grid(wins))
    shown = dict(zip(texts(ax, "name-"), texts(ax, "value-"), strict=True))
    assert shown == {name: f"wins on {n}" for name, n in totals.items()}
    assert joined(ax) == {
        tuple(sorted(pair)) for pair in combinations(set(names) - {"NB"}, 2)
    }
    without = pc.sign_grid(pc.win_table(table["wins"], 15, algorithms=names))
    assert "34 wins" in texts(plotting.pair_graph(without), "value-")


def test_mean_vectors_have_no_numbers_and_no_best():
    ax = plotting.pair_graph(pc.hotelling_pairs(two_metrics(20, 5)))
    assert texts(ax, "value-") == []
    assert texts(ax, "name-") == ["A1", "A2", "A3", "A4", "A5"]
    assert "order of the data" in caption(ax)
    assert "<fpr>" in caption(ax)


@pytest.mark.parametrize("a", range(3, 31))
def test_no_line_runs_through_a_third_dot(a):
    x, y = places(a)
    for i, j, k in combinations(range(a), 3):
        area = (x[j] - x[i]) * (y[k] - y[i]) - (x[k] - x[i]) * (y[j] - y[i])
        longest = max(np.hypot(x[u] - x[v], y[u] - y[v]) for u, v in ((i, j), (i, k)))
        assert abs(area) / longest > 0.1


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 5)).subplots()
    assert plotting.pair_graph(pairs_result(FOUR), ax=ax) is ax
    assert collisions(ax, 300) == []


def test_the_same_result_gives_the_same_bytes():
    one, two = (plotting.pair_graph(pairs_result(FOUR, ["ab"])) for _ in range(2))
    assert to_svg(one.figure) == to_svg(two.figure)


def test_pairs_with_a_control_or_ordered_pairs_are_refused():
    with pytest.raises(InputError, match="'a' as control"):
        plotting.pair_graph(pairs_result(FOUR, control="a"))
    grid = pc.sign_grid([[0, 3], [2, 0]], 9, alternative="greater")
    with pytest.raises(InputError, match="one two-sided test of each of 1 pairs"):
        plotting.pair_graph(grid)


@pytest.mark.parametrize("seed", range(12))
def test_graph_cliques_dominance_and_matrix_tell_the_same(seed):
    rng = np.random.default_rng(seed)
    won = np.triu(rng.binomial(12, rng.random((6, 6))), 1)
    lost = np.triu(rng.binomial(12 - won, rng.random((6, 6))), 1)
    grid = pc.sign_grid(won + lost.T, 12, adjust="holm")
    differ = grid.matrix().to_numpy() <= 0.05
    names = grid.algorithms
    found = joined(plotting.pair_graph(grid))
    assert found == {
        (i, j) for i, j in combinations(names, 2) if not grid.matrix().loc[i, j] <= 0.05
    }
    assert len(found) == 15 - differ.sum() // 2 == 15 - grid.rejected(0.05).sum()
    groups = pc.cliques(grid, singletons=True)
    inside = {tuple(sorted(p)) for g in groups for p in combinations(g, 2)}
    assert inside == found
    order = dominance_order(grid)
    for i, j in order.edges:
        above, below = order.groups[i], order.groups[j]
        assert any(tuple(sorted((a, b))) not in found for a in above for b in below)

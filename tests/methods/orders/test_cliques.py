from __future__ import annotations

import dataclasses
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.methods.orders.cliques import (
    bits,
    cliques,
    maximal_cliques,
    significance_graph,
)
from pycompare.results.result import PairsResult
from tests.methods.orders.by_hand import pairs_result

FIVE = {"e": 5.0, "a": 1.0, "c": 3.0, "b": 2.0, "d": 4.0}


def test_the_textbook_case_gives_overlapping_intervals():
    got = cliques(pairs_result(FIVE, ["ad", "ae", "be"]))
    assert got == (("a", "b", "c"), ("b", "c", "d"), ("c", "d", "e"))


def test_a_clique_may_leave_out_an_algorithm_between_its_members():
    got = cliques(pairs_result({"a": 1, "b": 2, "c": 3}, [("a", "b"), ("b", "c")]))
    assert got == (("a", "c"),)


def test_bars_that_share_both_ends_stay_apart():
    differ = [("b", "c")]
    got = cliques(pairs_result({"a": 1, "b": 2, "c": 3, "d": 4}, differ))
    assert got == (("a", "b", "d"), ("a", "c", "d"))


def test_no_difference_is_one_clique_of_all():
    assert cliques(pairs_result(FIVE)) == (("a", "b", "c", "d", "e"),)


def test_all_different_is_no_clique_but_singletons_on_demand():
    everything = pairs_result(FIVE, combinations(FIVE, 2))
    assert cliques(everything) == ()
    alone = cliques(everything, singletons=True)
    assert alone == (("a",), ("b",), ("c",), ("d",), ("e",))


def test_singletons_are_only_those_in_no_larger_clique():
    differ = [("a", other) for other in "bcde"]
    got = cliques(pairs_result(FIVE, differ), singletons=True)
    assert got == (("a",), ("b", "c", "d", "e"))


def test_two_algorithms():
    assert cliques(pairs_result({"x": 1.2, "y": 1.8})) == (("x", "y"),)
    assert cliques(pairs_result({"x": 1.2, "y": 1.8}, [("x", "y")])) == ()


def test_a_pair_that_could_not_be_tested_is_not_rejected():
    got = cliques(pairs_result({"a": 1, "b": 2}, undefined=[("a", "b")]))
    assert got == (("a", "b"),)


def test_p_equal_to_alpha_is_rejected():
    exactly = pairs_result({"a": 1, "b": 2}, [("a", "b")], p=0.05)
    assert cliques(exactly, alpha=0.05) == ()
    assert cliques(exactly, alpha=0.049) == (("a", "b"),)


def test_tied_positions_keep_the_order_of_the_data():
    got = cliques(pairs_result({"z": 2.0, "y": 1.0, "x": 2.0, "w": 2.0}))
    assert got == (("y", "z", "x", "w"),)


def test_the_order_of_rows_does_not_matter():
    pairs = pairs_result(FIVE, [("a", "d"), ("a", "e"), ("b", "d"), ("c", "e")])
    before = cliques(pairs)
    rng = np.random.default_rng(0)
    for _ in range(5):
        order = rng.permutation(len(pairs.table))
        swap = rng.random(len(order)) < 0.5
        table = pairs.table.iloc[order].reset_index(drop=True)
        first = table["algorithm_1"].where(~swap, table["algorithm_2"])
        table["algorithm_2"] = table["algorithm_2"].where(~swap, table["algorithm_1"])
        table["algorithm_1"] = first
        assert cliques(dataclasses.replace(pairs, table=table)) == before


def test_a_control_is_refused():
    with pytest.raises(InputError, match=r"cliques need all pairs.*control 'a'"):
        cliques(pairs_result(FIVE, control="a"))


def test_a_table_with_missing_pairs_is_refused():
    pairs = pairs_result(FIVE)
    object.__setattr__(pairs, "table", pairs.table.iloc[1:])
    with pytest.raises(InputError, match=r"all 10 pairs of 5 algorithms.*9 rows"):
        cliques(pairs)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, float("nan")])
def test_alpha_must_be_between_0_and_1(alpha):
    with pytest.raises(InputError, match="alpha="):
        cliques(pairs_result(FIVE), alpha=alpha)


def test_the_graph_is_symmetric_in_the_order_of_the_data():
    graph = significance_graph(pairs_result(FIVE, [("a", "e")]), 0.05)
    wanted = np.zeros((5, 5), bool)
    wanted[0, 1] = wanted[1, 0] = True
    assert np.array_equal(graph, wanted)


def neighbours(joined: np.ndarray) -> list[int]:
    return [sum(1 << int(j) for j in np.flatnonzero(row)) for row in joined]


def brute_force(joined: np.ndarray) -> set[frozenset[int]]:
    """All node sets without a missing edge that lie in no other such set."""
    n = len(joined)
    complete = [
        frozenset(nodes)
        for size in range(1, n + 1)
        for nodes in combinations(range(n), size)
        if all(joined[i, j] for i, j in combinations(nodes, 2))
    ]
    return {c for c in complete if not any(c < other for other in complete)}


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_brute_force_on_random_graphs(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    joined = np.triu(rng.random((n, n)) < rng.random(), 1)
    joined |= joined.T
    found = [frozenset(bits(mask)) for mask in maximal_cliques(neighbours(joined))]
    assert len(found) == len(set(found))
    assert set(found) == brute_force(joined)


def moon_moser(groups: int) -> np.ndarray:
    """Groups of three, joined to all but their own."""
    group = np.arange(3 * groups) // 3
    return group[:, None] != group[None, :]


@pytest.mark.parametrize("groups", range(1, 8))
def test_moon_moser_graphs_have_three_to_the_groups_cliques(groups):
    # Moon and Moser (1965), Israel J. Math. 3, 23-28: the most a graph can have.
    found = list(maximal_cliques(neighbours(moon_moser(groups))))
    assert len(found) == len(set(found)) == 3**groups


def moon_moser_pairs(groups: int) -> PairsResult:
    names = [f"a{i:02d}" for i in range(3 * groups)]
    differ = [
        (names[i], names[j])
        for i, j in combinations(range(len(names)), 2)
        if i // 3 == j // 3
    ]
    return pairs_result({name: float(i) for i, name in enumerate(names)}, differ)


def test_the_worst_30_algorithms_have_59049_cliques():
    pairs = moon_moser_pairs(10)
    assert len(cliques(pairs)) == 3**10


def test_more_cliques_than_anyone_can_read_are_refused():
    with pytest.raises(InputError, match="more than 100000 cliques"):
        cliques(moon_moser_pairs(12))


def test_a_comparison_with_too_many_cliques_has_no_letters(monkeypatch, tmp_path):
    """``pc.letters`` states it as an error; no comparison ends by it."""
    module = import_module("pycompare.methods.orders.cliques")
    monkeypatch.setattr(module, "_MOST_CLIQUES", 1)
    drawing = import_module("pycompare.plotting.critical_difference")
    monkeypatch.setattr(drawing, "_MOST_BARS", 1)
    scores = pc.example("folds")
    with pytest.raises(InputError, match="more than 1 cliques"):
        pc.letters(pc.tukey(scores, metric="error"))
    plan = pc.Plan(protocol="disjoint", together="no")
    comparison = pc.compare(scores, plan)
    assert all(analysis.letters is None for analysis in comparison.analyses)
    page = pc.report(comparison, tmp_path / "report") / "report.html"
    assert "share a letter" not in page.read_text(encoding="utf-8")


def test_many_algorithms_in_one_clique_need_no_deep_recursion():
    n = 1500
    full = (1 << n) - 1
    (found,) = maximal_cliques([full ^ (1 << i) for i in range(n)])
    assert found == full

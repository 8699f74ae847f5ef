import itertools

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import cluster_means
from tests.conftest import wide


def clustered(x, owner, better="higher") -> pc.Scores:
    frame = pd.DataFrame(x, columns=[f"A{j + 1}" for j in range(x.shape[1])])
    names = list(frame)
    frame["text"] = [f"t{g}" for g in owner]
    return pc.Scores.from_wide(
        frame, metric="score", better=better, cluster="text", algorithms=names
    )


def drawn(sizes, a, seed):
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    x = rng.normal(size=(len(sizes), a))[owner] + rng.normal(size=(len(owner), a))
    return x, owner


def by_matrices(d, owner):
    """CR2 and Satterthwaite's df by the matrices of the whole model."""
    n, groups = len(d), np.unique(owner)
    h = np.full((n, n), 1 / n)
    residual_maker = np.eye(n) - h
    e = residual_maker @ d
    parts, columns = [], []
    for g in groups:
        own = np.flatnonzero(owner == g)
        values, vectors = np.linalg.eigh(np.eye(len(own)) - h[np.ix_(own, own)])
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        weights = np.zeros(n)
        weights[own] = root @ np.ones(len(own)) / n
        parts.append(weights @ e)
        columns.append(residual_maker @ weights)
    p = np.array(columns) @ np.array(columns).T
    return np.sqrt(np.sum(np.square(parts))), np.trace(p) ** 2 / np.sum(p**2)


@pytest.mark.parametrize("sizes", [[4] * 6, [1, 2, 3, 9], [2, 2, 15, 3, 3]])
def test_variance_and_degrees_of_freedom_are_those_of_the_matrices(sizes):
    x, owner = drawn(sizes, 3, 1)
    found = pc.cluster_pairs(clustered(x, owner)).table
    for row in found.itertuples():
        i, j = int(row.algorithm_1[1]) - 1, int(row.algorithm_2[1]) - 1
        d = x[:, i] - x[:, j]
        error, df = by_matrices(d, owner)
        assert_digits(row.estimate, d.mean(), at_least=13)
        assert_digits(row.std_error, error, at_least=12)
        assert_digits(row.df, df, at_least=12)


def test_without_clusters_it_is_the_paired_t_test():
    scores = wide(np.random.default_rng(2).normal(size=(15, 4)))
    found = pc.cluster_pairs(scores, adjust="holm").table
    plain = pc.paired_t_pairs(scores, adjust="holm").table
    for column in ("estimate", "std_error", "df", "p_adjusted", "conf_low"):
        assert_digits(found[column], plain[column], at_least=11)


def test_clusters_of_one_size_are_a_paired_t_test_of_their_means():
    x, owner = drawn([5] * 9, 3, 3)
    means = x.reshape(9, 5, 3).mean(axis=1)
    found = pc.cluster_pairs(clustered(x, owner), adjust="none").table
    plain = pc.paired_t_pairs(wide(means), adjust="none").table
    for column in ("estimate", "std_error", "df", "p_value"):
        assert_digits(found[column], plain[column], at_least=11)


def test_the_order_of_the_cases_is_of_no_account():
    x, owner = drawn([3, 5, 2, 8], 3, 4)
    mixed = np.random.default_rng(0).permutation(len(x))
    one = pc.cluster_pairs(clustered(x, owner)).table
    other = pc.cluster_pairs(clustered(x[mixed], owner[mixed])).table
    assert_digits(one["p_value"], other["p_value"], at_least=11)


def test_the_direction_changes_positions_alone():
    x, owner = drawn([3, 5, 2, 8], 3, 5)
    one = pc.cluster_pairs(clustered(x, owner))
    other = pc.cluster_pairs(clustered(x, owner, "lower"))
    assert one.table.equals(other.table)
    assert_digits(one.positions, -other.positions, at_least=14)


def test_algorithms_that_tie_or_differ_by_a_constant():
    x, owner = drawn([3, 5, 2, 8], 2, 6)
    x = np.column_stack([x, x[:, 1], x[:, 1] + 0.5])
    found = pc.cluster_pairs(clustered(x, owner)).table.set_index(
        ["algorithm_1", "algorithm_2"]
    )
    tied, apart = found.loc["A2", "A3"], found.loc["A2", "A4"]
    assert tied.p_value == 1 and tied.estimate == 0
    assert np.isinf(apart.statistic)
    bound = 2 * np.exp(-(18**2) / (2 * (9 + 25 + 4 + 64)))  # sums of equal sign
    assert_digits(apart.p_value, bound, at_least=13)
    every = itertools.product([1, -1], repeat=4)
    flips = np.mean([abs(np.dot(signs, [3, 5, 2, 8])) >= 18 for signs in every])
    assert apart.p_value >= flips
    notes = pc.cluster_pairs(clustered(x, owner)).notes
    assert "18 cases in 4 clusters" in notes and "p = 1" in notes[2]


def test_flips_turn_whole_clusters():
    """All flips of six clusters, by hand."""
    x, owner = drawn([1, 4, 2, 6, 3, 3], 3, 7)
    found = pc.max_t(clustered(x, owner)).table
    totals = np.array([x[owner == g].sum(axis=0) for g in range(6)])
    for row in found.itertuples():
        i, j = int(row.algorithm_1[1]) - 1, int(row.algorithm_2[1]) - 1
        d = totals[:, i] - totals[:, j]
        flipped = [abs(np.dot(s, d)) for s in itertools.product([1, -1], repeat=6)]
        share = np.mean(np.array(flipped) >= abs(d.sum()) - 1e-12)
        assert_digits(row.p_value, share, at_least=14)
        assert_digits(row.estimate, (x[:, i] - x[:, j]).mean(), at_least=13)


def test_a_value_is_in_the_interval_unless_the_largest_statistic_rejects_it():
    x, owner = drawn([1, 4, 2, 6, 3, 3, 5, 2, 7, 4], 2, 8)
    found = pc.max_t(clustered(x, owner), level=0.9).table.iloc[0]
    sizes = np.bincount(owner)
    d = np.array([(x[owner == g, 0] - x[owner == g, 1]).sum() for g in range(10)])
    centred = d - sizes * d.sum() / sizes.sum()
    signs = np.array(list(itertools.product([1], *[[1, -1]] * 9)))
    null = np.sort(np.abs(signs[1:] @ centred) / np.linalg.norm(centred))[::-1]
    critical = null[int(0.1 * 512) - 1]
    for limit in (found.conf_low, found.conf_high):
        residual = d - sizes * limit
        t = abs(residual.sum()) / np.linalg.norm(residual)
        assert_digits(t, critical, at_least=9)


def test_many_pairs_of_clusters_have_the_numbers_of_each_pair(monkeypatch):
    x, owner = drawn(list(range(1, 13)), 5, 9)
    alike = x * 300
    alike[:, 1] = alike[:, 0] + x[:, 1]
    for values in (x, alike, (x > 0).astype(float)):
        one = pc.max_t(clustered(values, owner), flips=500)
        monkeypatch.setattr("pycompare.methods.pairs.max_t.LARGE", 0)
        many = pc.max_t(clustered(values, owner), flips=500)
        monkeypatch.undo()
        for column in one.table.columns[2:]:
            if column != "df":
                expected = one.table[column].to_numpy()
                np.testing.assert_allclose(
                    many.table[column], expected, rtol=1e-10, atol=1e-15
                )


@pytest.mark.parametrize("alone", [True, False])
def test_many_pairs_have_the_same_t_tests(monkeypatch, alone):
    x, owner = drawn(list(range(1, 13)), 5, 9)
    alike = x * 300
    alike[:, 1] = alike[:, 0] + 1e-9 * x[:, 1]
    apart = np.column_stack([x, x[:, 0] + 0.1])  # t is infinite
    shares = 0.5 + 0.4 / (1 + np.exp(-x))  # of unit 1, and not whole
    for values in (x, alike, apart, shares, (x > 0).astype(float), np.rint(1e7 * x)):
        scores = wide(values) if alone else clustered(values, owner)
        one = pc.cluster_pairs(scores)
        monkeypatch.setattr("pycompare.methods.cases.cluster_pairs.LARGE", 0)
        many = pc.cluster_pairs(scores)
        monkeypatch.undo()
        for column in one.table.columns[2:]:
            expected = one.table[column].to_numpy()
            np.testing.assert_allclose(
                many.table[column], expected, rtol=1e-10, atol=1e-15
            )
        assert one.notes == many.notes


def test_sizes_that_differ_much_leave_few_degrees_of_freedom():
    assert_digits(cluster_means.degrees_of_freedom(np.full(7, 3.0)), 6.0, at_least=13)
    assert_digits(cluster_means.degrees_of_freedom(np.ones(9)), 8.0, at_least=13)
    assert cluster_means.degrees_of_freedom(np.array([50.0, 1, 1, 1, 1])) < 2
    x, owner = drawn([50, 1, 1, 1, 1], 2, 1)
    assert "poor approximation" in pc.cluster_pairs(clustered(x, owner)).notes[1]


def test_methods_for_independent_cases_refuse_clusters():
    x, owner = drawn([3, 5, 2, 8], 3, 5)
    scores = clustered((x > 0).astype(float), owner)
    for method in (pc.cochran_q, pc.mcnemar_pairs, pc.accuracy_intervals):
        with pytest.raises(pc.DesignError, match="these are in clusters"):
            method(scores)


# ---- the column of clusters ----------------------------------------------------------

ROWS = [
    {"item": i, "text": t, "model": m, "right": (i + k) % 2}
    for i, t in enumerate("aabbc")
    for k, m in enumerate("XY")
]
LONG = {"algorithm": "model", "block": "item", "metrics": {"right": "higher"}}


def test_a_long_table_names_the_cluster_of_each_block(tmp_path):
    scores = pc.Scores.from_frame(ROWS, cluster="text", **LONG)
    assert scores.clusters == tuple("aabbc")
    assert list(scores.to_frame()["cluster"][::2]) == list("aabbc")
    assert "blocks in 3 clusters" in scores.summary()
    path = tmp_path / "items.csv"
    pd.DataFrame(ROWS).to_csv(path, index=False)
    read = pc.read_scores(path, cluster="text", **LONG)
    assert read.clusters == scores.clusters and read.sha256 == scores.sha256
    assert read.sha256 != pc.read_scores(path, **LONG).sha256
    assert scores.select(blocks=["0", "2", "4"]).clusters == ("a", "b", "c")


def test_blocks_that_are_dropped_take_their_clusters_along():
    rows = [row for row in ROWS if (row["item"], row["model"]) != (1, "Y")]
    found = pc.Scores.from_frame(rows, cluster="text", missing="drop-block", **LONG)
    assert found.clusters == tuple("abbc")


def test_a_block_lies_in_one_cluster():
    rows = [dict(ROWS[0], text="c"), *ROWS[1:]]
    with pytest.raises(pc.InputError, match="a block lies in one cluster"):
        pc.Scores.from_frame(rows, cluster="text", **LONG)
    rows = [dict(row, text="a") for row in ROWS]
    with pytest.raises(pc.InputError, match="clusters"):
        pc.Scores.from_frame(rows, cluster="text", **LONG)

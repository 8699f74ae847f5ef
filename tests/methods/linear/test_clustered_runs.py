"""Runs on cases in clusters: strata, components by moments, planning."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.runs import runs_of, simulated

SIZES = (2, 5, 7, 1, 3)


def in_clusters(values, sizes) -> pc.Scores:
    """Scores of an array (cases, algorithms, runs), the first cases in one cluster."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return replace(runs_of(values), clusters=tuple(f"t{g}" for g in owner))


def drawn(sizes, a=3, r=2, seed=1, parts=(1.0, 0.8, 0.6, 0.5, 0.4)) -> np.ndarray:
    """Runs whose components have these variances."""
    rng, n, g = np.random.default_rng(seed), sum(sizes), len(sizes)
    owner = np.repeat(np.arange(g), sizes)
    shapes = ((g, 1, 1), (n, 1, 1), (g, a, 1), (n, a, 1), (n, a, r))
    made = [
        math.sqrt(v) * rng.normal(size=s) for v, s in zip(parts, shapes, strict=True)
    ]
    return made[0][owner] + made[1] + made[2][owner] + made[3] + made[4]


def test_strata_add_up_to_the_total_for_clusters_of_any_sizes():
    values = drawn(SIZES)
    found = pc.clustered_runs(in_clusters(values, SIZES))
    total = ((values - values.mean()) ** 2).sum()
    assert_digits(found.table["sum_sq"].sum(), total, at_least=12, what="total")
    assert found.table["df"].sum() == values.size - 1


def test_clusters_of_one_size_have_the_standard_error_of_their_means():
    """Equal clusters: the error of a difference is that of the paired cluster means."""
    values = drawn([4] * 9, a=2, r=3, parts=(1.0, 0.8, 0.6, 0.1, 0.1))
    found = pc.clustered_runs(in_clusters(values, [4] * 9))
    assert found.components["unfloored"][2:].min() > 0
    means = values.reshape(9, 4, 2, 3).mean(axis=(1, 3))
    difference = means[:, 0] - means[:, 1]
    error = difference.std(ddof=1) / 3
    assert_digits(found.std_error, error, at_least=11, what="standard error")
    pairs = pc.cluster_pairs(in_clusters(values, [4] * 9), adjust="none").table
    assert_digits(pairs["std_error"][0], error, at_least=11, what="CR2")


def test_cases_alone_agree_with_the_analysis_of_runs_within_cases():
    """Without the clusters the two interactions pool to that of cases."""
    values = drawn(SIZES)
    found = pc.clustered_runs(in_clusters(values, SIZES)).table.set_index("term")
    plain = pc.replicated_anova(runs_of(values)).table.set_index("term")
    both = found.loc[["cluster:algorithm", "case:algorithm"], "sum_sq"].sum()
    assert_digits(both, plain.loc["block:algorithm", "sum_sq"], at_least=12, what="AB")
    for term in ("algorithm", "run"):
        ours, theirs = found.loc[term, "sum_sq"], plain.loc[term, "sum_sq"]
        assert_digits(ours, theirs, at_least=12, what=term)


def test_moments_are_unbiased_with_clusters_of_different_sizes():
    parts = np.array([1.0, 0.8, 0.6, 0.5, 0.4])
    made = np.array(
        [
            pc.clustered_runs(_array(drawn(SIZES * 3, seed=seed))).components[
                "unfloored"
            ]
            for seed in range(300)
        ]
    )
    error = made.std(axis=0) / math.sqrt(len(made))
    assert np.all(np.abs(made.mean(axis=0) - parts) < 3.5 * error)


def _array(values) -> pc.Scores:
    """Scores without the detour of a table, for many of them."""
    sizes = SIZES * 3
    owner = np.repeat(np.arange(len(sizes)), sizes)
    n, a, r = values.shape
    return pc.Scores(
        values.mean(axis=-1)[:, :, None],
        tuple(f"i{k}" for k in range(n)),
        tuple("ABC"[:a]),
        (pc.Metric("y", "higher"),),
        clusters=tuple(map(str, owner)),
        runs=values[:, :, None, :],
        replicates=tuple(f"s{k}" for k in range(r)),
    )


def test_the_plan_for_the_same_numbers_is_the_standard_error():
    found = pc.clustered_runs(in_clusters(drawn(SIZES), SIZES))
    again = found.standard_error(n_clusters=5, n_cases=18 / 5, n_runs=2)
    assert_digits(again, found.std_error, at_least=14, what="standard error")
    more = found.standard_error(n_clusters=20, n_cases=18 / 5, n_runs=2)
    assert_digits(more, again / 2, at_least=12, what="four times the clusters")
    table = found.planning
    assert table["std_error"][0] == again and table["n_runs"][2] == math.inf
    # What more runs cannot take away is the share that is no run noise.
    left = (table["std_error"][2] / again) ** 2
    assert_digits(1 - left, found.shares()["run"], at_least=11, what="share of runs")
    left = (table["std_error"][4] / again) ** 2
    assert_digits(left, found.shares()["cluster:algorithm"], at_least=11, what="share")
    assert sum(found.shares().values()) == pytest.approx(1.0, rel=1e-12)
    with pytest.raises(pc.InputError, match="n_cases=0"):
        found.standard_error(n_clusters=5, n_cases=0, n_runs=2)


def test_a_negative_estimate_is_reported_as_zero_with_a_note():
    rng = np.random.default_rng(4)
    # Within each cluster the algorithms differ; over clusters they are forced alike.
    cells = rng.normal(size=(6, 3, 2))
    cells -= cells.mean(axis=1, keepdims=True)
    values = cells.reshape(18, 2, 1) + 0.1 * rng.normal(size=(18, 2, 2))
    found = pc.clustered_runs(in_clusters(values, [3] * 6))
    row = found.components.set_index("component").loc["cluster:algorithm"]
    assert row["unfloored"] < 0 and row["estimate"] == 0 and row["share"] == 0
    assert any("cluster:algorithm" in note for note in found.notes)


@pytest.mark.parametrize("scale", [1e-300, 1e150])
def test_the_unit_changes_no_test_and_no_share(scale):
    values = drawn(SIZES)
    plain, other = (
        pc.clustered_runs(in_clusters(values * s, SIZES)) for s in (1.0, scale)
    )
    assert_digits(other.statistic, plain.statistic, at_least=10, what="F")
    assert_digits(
        list(other.shares().values()),
        list(plain.shares().values()),
        at_least=10,
        what="s",
    )
    assert_digits(other.std_error / scale, plain.std_error, at_least=10, what="error")


def test_constant_scores_and_equal_runs_can_test_nothing():
    flat = pc.clustered_runs(in_clusters(np.full((18, 3, 2), 0.1), SIZES))
    assert math.isnan(flat.p_value) and math.isnan(flat.of_cases.p_value)
    assert flat.r_call() is None and math.isnan(flat.shares()["run"])
    same = np.repeat(drawn(SIZES, r=1), 2, axis=2)
    found = pc.clustered_runs(in_clusters(same, SIZES))
    assert math.isnan(found.of_cases.p_value) and found.shares()["run"] == 0
    assert any("runs of each cell are all alike" in note for note in found.notes)


def test_designs_without_the_strata_are_refused():
    values = drawn([3, 3])
    with pytest.raises(pc.DesignError, match="no clusters"):
        pc.clustered_runs(runs_of(values))
    with pytest.raises(pc.DesignError, match="every cluster has one case"):
        pc.clustered_runs(in_clusters(values, [1] * 6))
    with pytest.raises(pc.DesignError, match="replicate"):
        pc.clustered_runs(pc.example())
    with pytest.raises(pc.DesignError, match="use clustered_runs"):
        pc.replicated_anova(in_clusters(simulated(b=6), [3, 3]))

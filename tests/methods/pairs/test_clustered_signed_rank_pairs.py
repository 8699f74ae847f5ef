"""Signed rank tests of data sets in clusters, by listing flips and by identities."""

from __future__ import annotations

import dataclasses
from itertools import product

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.kernels import clustered_ranks
from pycompare.kernels.walsh_averages import means_of_two
from pycompare.methods.pairs.wilcoxon import hodges_lehmann_rows
from tests.conftest import wide

RNG = np.random.default_rng(5)


def clustered(x, clusters):
    names = tuple(f"c{one}" for one in clusters)
    return dataclasses.replace(wide(np.asarray(x, float)), clusters=names)


def listed_p(d, clusters):
    """Return the share of flips of whole clusters with a sum as far from 0."""
    kept = d != 0
    ranks = np.zeros(len(d))
    ranks[kept] = stats.rankdata(np.abs(d[kept])) * np.sign(d[kept])
    sums = [ranks[clusters == one].sum() for one in np.unique(clusters)]
    flips = np.array(list(product((1, -1), repeat=len(sums)))) @ sums
    return float(np.mean(np.abs(flips) >= abs(sum(sums)) - 0.25))


@pytest.mark.parametrize("rounded", [False, True])
def test_p_is_the_share_of_all_flips_of_clusters(rounded):
    clusters = np.repeat(np.arange(7), [1, 2, 3, 4, 3, 2, 1])
    for _ in range(20):
        x = RNG.normal(size=(16, 2)) + RNG.normal(size=(7, 2))[clusters] + [0, 0.5]
        x = np.round(2 * x) if rounded else x
        [row] = pc.clustered_signed_rank_pairs(
            clustered(x, clusters)
        ).table.itertuples()
        d = x[:, 0] - x[:, 1]
        assert row.n_clusters == 7
        if np.sign(row.estimate) == np.sign(row.statistic) != 0:
            assert row.p_value == pytest.approx(listed_p(d, clusters), rel=1e-12)
        else:
            assert row.p_value == 1


@pytest.mark.parametrize("control", [None, "A2"])
def test_clusters_of_one_block_are_the_blocks(control):
    for rounded in (False, True):
        x = RNG.normal(size=(18, 4)) + 0.5 * np.arange(4)
        x = np.round(2 * x) if rounded else x
        x[3, 1] = x[5, 0] = np.nan
        scores = wide(x, missing="model") if np.isnan(x).any() else wide(x)
        in_clusters = dataclasses.replace(scores, clusters=scores.blocks)
        alone = pc.signed_rank_pairs(scores, control=control).table
        found = pc.clustered_signed_rank_pairs(in_clusters, control=control).table
        assert (found["n_clusters"] == found["n_blocks"]).all()
        for name in alone:
            assert found[name].equals(alone[name]), name


def test_inversion_without_clusters_gives_the_means_of_wilcox():
    for n, level in ((8, 0.05), (15, 0.01), (30, 0.2)):
        d = RNG.normal(size=n)
        means = np.sort(means_of_two(d[None])[0])
        found = clustered_ranks.limits(d, np.abs(d), np.arange(n), means, level)
        wanted = hodges_lehmann_rows(d[None], np.abs(d[None]), "two-sided", 1 - level)
        assert found == (wanted[1][0], wanted[2][0])


def test_the_interval_holds_what_the_test_does_not_reject():
    clusters = np.repeat(np.arange(8), 3)
    d = RNG.normal(size=24) + RNG.normal(size=8)[clusters]
    means = np.sort(means_of_two(d[None])[0])
    low, high = clustered_ranks.limits(d, np.abs(d), clusters, means, 0.05)
    kept = [
        value
        for value in (means[1:] + means[:-1]) / 2
        if listed_p(d - value, clusters) >= 0.05
    ]
    assert low < min(kept) and max(kept) < high
    assert low == means[means < min(kept)].max()
    assert high == means[means > max(kept)].min()


def test_no_interval_contradicts_its_decision():
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n, groups = int(rng.integers(6, 30)), int(rng.integers(2, 12))
        clusters = np.concatenate([np.arange(2), rng.integers(0, groups, n - 2)])
        x = rng.normal(size=(n, 3)) + rng.normal(size=(groups, 3))[clusters]
        x += rng.uniform(0, 2) * np.arange(3)
        if seed % 3 == 0:
            x = np.round(2 * x)
        found = pc.clustered_signed_rank_pairs(clustered(x, clusters), alpha=0.2).table
        holds_0 = (found["conf_low"] <= 0) & (found["conf_high"] >= 0)
        assert (holds_0 == (found["p_adjusted"] > 0.2)).all(), seed


def test_few_clusters_cannot_reject_whatever_their_size():
    x = np.arange(80.0)[:, None] * [1, 2] + [0, 5]
    found = pc.clustered_signed_rank_pairs(clustered(x, np.repeat(np.arange(4), 20)))
    [row] = found.table.itertuples()
    assert row.p_value == found.least[0] == 2 ** (1 - 4)
    assert (row.conf_low, row.conf_high) == (-np.inf, np.inf)


def test_a_shared_effect_of_families_is_not_taken_for_evidence():
    """Five families of 12 alike data sets: blocks alone reject, clusters cannot."""
    clusters = np.repeat(np.arange(5), 12)
    x = RNG.normal(size=(60, 2)) + np.array([[3.0], [4], [-3], [5], [2]])[clusters] * [
        1,
        0,
    ]
    scores = wide(x)
    alone = pc.signed_rank_pairs(scores).table["p_value"][0]
    found = pc.clustered_signed_rank_pairs(clustered(x, clusters)).table["p_value"][0]
    assert alone < 0.001 < 0.05 < found


@pytest.mark.parametrize("adjust", ["closed-permutation", "step-down-flips", "shaffer"])
def test_methods_that_do_not_hold_are_refused(adjust):
    scores = clustered(RNG.normal(size=(9, 3)), np.arange(9) // 2)
    with pytest.raises(pc.InputError, match=adjust):
        pc.clustered_signed_rank_pairs(scores, adjust=adjust)


def test_scores_without_clusters_and_tests_without_them_are_refused():
    scores = wide(RNG.normal(size=(9, 3)))
    with pytest.raises(pc.InputError, match="signed_rank_pairs for independent"):
        pc.clustered_signed_rank_pairs(scores)
    in_clusters = clustered(scores.values[:, :, 0], np.arange(9) // 2)
    for call in (
        pc.signed_rank_pairs,
        pc.rank_pairs,
        pc.nemenyi,
        pc.paired_t_pairs,
        pc.hodges_lehmann,
        pc.closed_permutation,
        pc.friedman,
        pc.quade,
        pc.aligned_ranks,
        pc.skillings_mack,
    ):
        with pytest.raises(pc.InputError, match="use clustered_signed_rank_pairs"):
            call(in_clusters)
    for test in (pc.wilcoxon, pc.sign_test, pc.paired_t):
        with pytest.raises(pc.InputError, match=f"{test.__name__} assumes independent"):
            test(in_clusters, algorithms=("A1", "A2"))
    for call in (pc.signed_rank_margins, pc.equivalence_pairs):
        with pytest.raises(pc.InputError, match="matched_shares or bounded_means"):
            call(in_clusters, margin=0.5)
    with pytest.raises(pc.InputError, match="equivalence assumes independent"):
        pc.equivalence(in_clusters, algorithms=("A1", "A2"), margin=0.5)


def test_one_cluster_is_refused():
    with pytest.raises(pc.PyCompareError, match="cluster"):
        clustered(RNG.normal(size=(9, 3)), np.zeros(9, int))

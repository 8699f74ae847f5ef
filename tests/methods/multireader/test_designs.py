"""Designs that are not factorial, and clusters of cases."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import one_shot, placements
from pycompare.methods.multireader import uncrossed
from pycompare.methods.multireader.covariances import cells
from pycompare.methods.multireader.designs import Crossed
from pycompare.methods.multireader.error_terms import Model
from pycompare.methods.multireader.figures import FigureOfMerit
from tests.methods.multireader.readers import made, simulated

SCOPES = [("random", "random"), ("fixed", "random"), ("random", "fixed")]


def without(ratings, hidden, design, **options):
    """Hide ratings where a flag of (modality, reader, case) is set."""
    values = np.where(np.broadcast_to(hidden, ratings.shape), np.nan, ratings.values)
    return made(values, ratings.truth, design=design, **options)


def axes(ratings):
    t, r, n = ratings.shape
    return np.ogrid[:t, :r, :n]


def own_readers(ratings):
    """Give each modality readers of its own."""
    i, j, _ = axes(ratings)
    return without(ratings, j % ratings.shape[0] != i, "readers-in-modalities")


def own_cases(ratings, groups=None):
    """Give each reader, or group of readers, cases of its own; both classes in each."""
    groups = groups or ratings.shape[1]
    _, j, k = axes(ratings)
    return without(ratings, k // 2 % groups != j % groups, "cases-in-readers")


def other_cases(ratings):
    """Give each modality cases of its own."""
    i, _, k = axes(ratings)
    return without(ratings, k // 2 % ratings.shape[0] != i, "cases-in-modalities")


def areas(ratings):
    t, r, _ = ratings.shape
    found = np.full((t, r), np.nan)
    for i, j in product(range(t), range(r)):
        read = ratings.read[i, j]
        if read.any():
            x = ratings.values[i, j, read]
            found[i, j] = placements.auc(ratings.truth[read], x)
    return found


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("covariance", ["jackknife", "unbiased"])
def test_the_general_analysis_of_a_factorial_design_is_the_usual_one(scope, covariance):
    ratings = simulated(t=4, r=5, n=40)
    found = cells(ratings, FigureOfMerit(), covariance, np.random.default_rng(0), 0)
    model = Model("or", *scope, "hillis", 5, 40, 5)
    usual = Crossed(found, None).findings(model, pooled=False)
    general = uncrossed.uncrossed(uncrossed.parts_of(found), model)
    for one, two in ((usual.pairs, general.pairs), (usual.each, general.each)):
        assert_digits(one.estimate, two.estimate, at_least=12)
        assert_digits(one.std_error, two.std_error, at_least=11)
        assert_digits(one.df, two.df, at_least=10)


def test_readers_in_modalities_with_fixed_cases_are_welchs_t_and_one_way_anova():
    ratings = own_readers(simulated(t=3, r=12, n=40))
    found = pc.mrmc(ratings, cases="fixed")
    theta = areas(ratings)
    groups = [row[~np.isnan(row)] for row in theta]
    welch = stats.ttest_ind(groups[0], groups[1], equal_var=False)
    row = found.table.iloc[0]
    assert_digits(row["statistic"], welch.statistic, at_least=11)
    assert_digits(row["df"], welch.df, at_least=11)
    assert_digits(row["p_value"], welch.pvalue, at_least=10)
    anova = stats.f_oneway(*groups)
    assert_digits(found.statistic, anova.statistic, at_least=11)
    assert_digits(found.p_value, anova.pvalue, at_least=10)
    assert found.omnibus.df == (2, 9)


def test_readers_in_modalities_by_hand():
    ratings = own_readers(simulated(t=2, r=8, n=40))
    found = pc.mrmc(ratings, covariance="delong")
    rows = ratings.values[ratings.read.any(axis=2)]
    delong = placements.delong(ratings.truth, rows)
    square = delong.covariance
    one, two = np.arange(4), np.arange(4, 8)
    apart = ~np.eye(4, dtype=bool)
    cov2 = [square[np.ix_(g, g)][apart].mean() for g in (one, two)]
    cov3 = square[np.ix_(one, two)].mean()
    ms = [delong.area[g].var(ddof=1) for g in (one, two)]
    between = sum(ms) / 4
    wanted = between + max(sum(cov2) - 2 * cov3, 0.0)
    row = found.table.iloc[0]
    assert_digits(row["std_error"] ** 2, wanted, at_least=11)
    df = wanted**2 / sum((m / 4) ** 2 / 3 for m in ms)
    assert_digits(row["df"], df, at_least=11)
    parts = found.components.set_index("component")["estimate"]
    assert_digits(parts["Cov2"], np.mean(cov2), at_least=11)
    assert_digits(parts["Cov3"], cov3, at_least=11)
    assert np.isnan(parts["Cov1"])
    total = np.mean(ms) - np.diag(square).mean() + np.mean(cov2)
    assert_digits(parts["reader in modality"], total, at_least=10)


def test_readers_with_cases_of_their_own_are_the_paired_t_test_of_figures():
    ratings = own_cases(simulated(t=2, r=5, n=80))
    theta = areas(ratings)
    wanted = stats.ttest_rel(*theta)
    for covariance in ("jackknife", "delong", "unbiased"):
        row = pc.mrmc(ratings, covariance=covariance).table.iloc[0]
        assert_digits(row["statistic"], wanted.statistic, at_least=10)
        assert_digits(row["df"], 4, at_least=10)
        assert_digits(row["p_value"], wanted.pvalue, at_least=9)


def test_modalities_with_cases_of_their_own_and_one_reader_are_delongs_unpaired_test():
    ratings = other_cases(simulated(t=2, r=1, n=60))
    found = pc.mrmc(ratings, readers="fixed", covariance="delong").table.iloc[0]
    sides = []
    for i in (0, 1):
        read = ratings.read[i, 0]
        sides += [ratings.truth[read], ratings.values[i, 0, read]]
    wanted = pc.delong_unpaired(*sides, positive=True)
    assert_digits(found["estimate"], wanted.estimate, at_least=11)
    assert_digits(found["estimate"] / found["std_error"], wanted.statistic, at_least=10)


def test_cells_without_common_cases_are_independent():
    ratings = own_cases(simulated(t=2, r=4, n=80), groups=2)
    for covariance in ("jackknife", "delong", "unbiased"):
        found = pc.mrmc(ratings, covariance=covariance).covariance
        square = found.to_numpy().reshape(2, 4, 2, 4)
        assert (square[:, ::2, :, 1::2] == 0).all()
        assert (square[:, ::2, :, ::2] != 0).all()


def test_the_unbiased_covariance_of_any_cells_is_that_of_all_quadruples():
    rng = np.random.default_rng(3)
    truth = np.arange(10) % 2 == 0
    rows = np.round(rng.normal(size=(3, 10)) + truth)
    rows[0, [0, 3]] = rows[1, [5, 6]] = np.nan
    rows[2, :5] = np.nan
    area, found = one_shot.cell_covariance(truth, rows)
    positive, negative = np.flatnonzero(truth), np.flatnonzero(~truth)

    def scores(row):
        return {
            (p, q): (row[p] > row[q]) + (row[p] == row[q]) / 2
            for p in positive
            for q in negative
            if not np.isnan(row[p]) and not np.isnan(row[q])
        }

    tables = [scores(row) for row in rows]
    for a, b in product(range(3), range(3)):
        apart = [
            (one - 0.5) * (two - 0.5)
            for ((p, q), one), ((u, v), two) in product(
                tables[a].items(), tables[b].items()
            )
            if p != u and q != v
        ]
        means = [np.mean(list(t.values())) - 0.5 for t in (tables[a], tables[b])]
        wanted = means[0] * means[1] - np.mean(apart)
        np.testing.assert_allclose(found[a, b], wanted, atol=1e-14)
    assert_digits(area[0], np.mean(list(tables[0].values())), at_least=13)


def hidden_cells(design, t, r, n):
    i, j, k = np.ogrid[:t, :r, :n]
    return {
        "readers-in-modalities": j % t != i,
        "cases-in-readers": k // 2 % 2 != j % 2,
        "cases-in-modalities": k // 2 % t != i,
        # One reader reads with the first modality only, one with the second only, and
        # everybody misses some cases.
        "incomplete": ((j == 0) & (i == 1)) | ((j == 1) & (i == 0)) | (k % 7 == j),
    }[design]


@pytest.mark.parametrize(
    "design",
    ["readers-in-modalities", "cases-in-readers", "cases-in-modalities", "incomplete"],
)
def test_estimated_errors_are_those_of_many_studies(design):
    """The mean squared standard error is the variance of the difference."""
    model = pc.RoeMetz(
        separation=(1.2, 1.2),
        reader=0.15,
        modality_reader=0.15,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )
    t, r, n = 2, 6, 28
    rng = np.random.default_rng(7)
    truth, x = model.sample(
        rng, n_readers=r, n_positive=n // 2, n_negative=n // 2, trials=400
    )
    # Both classes in every pair of neighbours.
    order = np.arange(n).reshape(2, -1).T.ravel()
    hidden = np.broadcast_to(hidden_cells(design, t, r, n), (t, r, n))
    rows = []
    for values in x[..., order]:
        part = made(np.where(hidden, np.nan, values), truth[order], design=design)
        found = pc.mrmc(part, covariance="unbiased").table.iloc[0]
        rows.append((found["estimate"], found["std_error"] ** 2, found["p_value"]))
    estimate, square, p = np.array(rows).T
    # 400 studies: a variance has a relative error of 7%; the floor adds a little.
    ratio = np.nanmean(square) / estimate.var(ddof=1)
    assert 0.8 < ratio < 1.3, ratio
    assert np.mean(p <= 0.05) < 0.085


def test_an_incomplete_design_with_three_modalities_has_tests_of_pairs():
    ratings = simulated(t=3, r=5, n=40)
    i, j, _ = axes(ratings)
    ratings = without(ratings, (i == 0) & (j == 4), "incomplete")
    found = pc.mrmc(ratings)
    assert np.isnan(found.p_value)
    assert "no test of all modalities" in found.omnibus.notes[0]
    assert np.isfinite(found.table["p_value"]).all()
    assert len(found.by_reader) == 14 and len(found.reader_pairs) == 13
    assert np.isfinite(found.components["estimate"]).all()
    alone = pc.mrmc(ratings.select(["M2", "M3"]), error="own").table.iloc[0]
    assert_digits(found.table["p_value"][2], alone["p_value"], at_least=9)
    fixed = pc.mrmc(ratings, readers="fixed")
    assert fixed.omnibus.df == 2.0 and np.isfinite(fixed.p_value)
    two = pc.mrmc(ratings.select(["M1", "M2"]))
    assert_digits(two.p_value, two.table["p_value"][0], at_least=10)


def test_modalities_are_selected_with_their_readers_and_cases():
    nested = own_readers(simulated(t=3, r=9, n=40))
    part = nested.select(["M3", "M1"])
    assert part.readers == ("R1", "R3", "R4", "R6", "R7", "R9")
    every = pc.mrmc(nested).table.query("algorithm_2 == 'M3' and algorithm_1 == 'M1'")
    alone = pc.mrmc(part).table
    assert_digits(alone["estimate"][0], -every["estimate"].iloc[0], at_least=12)
    assert_digits(alone["p_value"][0], every["p_value"].iloc[0], at_least=10)
    separate = other_cases(clustered(size=4))
    labels = [f"p{c}" for c in range(10)]
    part = made(
        separate.values,
        separate.truth,
        design="cases-in-modalities",
        cluster=np.arange(40) // 2 % 2 * 5 + np.arange(40) // 8,
        clusters=tuple(labels),
    ).select(["M2"])
    assert part.shape[2] == 20 and part.clusters == tuple(labels[5:])
    assert part.cluster.max() == 4


def test_designs_without_an_analysis_are_refused():
    ratings = own_readers(simulated(t=2, r=4, n=24))
    with pytest.raises(pc.DesignError, match="choose method='or'"):
        pc.mrmc(ratings, method="dbm")
    with pytest.raises(pc.DesignError, match="error='own'"):
        pc.mrmc(ratings, error="pooled")
    i, j, _ = axes(ratings)
    single = without(simulated(t=2, r=3, n=24), (i == 0) & (j[:, :3] > 0), "incomplete")
    with pytest.raises(pc.DesignError, match="'M1' has one reader"):
        pc.mrmc(single)
    assert np.isfinite(pc.mrmc(single, readers="fixed").p_value)


def clustered(size=2, **options):
    ratings = simulated(t=2, r=3, n=40, **options)
    n = ratings.shape[2]
    labels = tuple(f"p{c}" for c in range(n // size))
    return made(
        ratings.values, ratings.truth, cluster=np.arange(n) // size, clusters=labels
    )


@pytest.mark.parametrize("covariance", ["jackknife", "delong"])
def test_clusters_of_one_case_are_no_clusters(covariance):
    ratings = clustered(size=1)
    found = pc.mrmc(ratings, covariance=covariance)
    wanted = pc.mrmc(made(ratings.values, ratings.truth), covariance=covariance)
    assert_digits(found.covariance, wanted.covariance, at_least=10)
    assert_digits(found.p_value, wanted.p_value, at_least=9)


def test_clustered_covariances_by_obuchowskis_formula():
    ratings = clustered(size=4)
    found = pc.mrmc(ratings, covariance="delong").covariance.to_numpy()
    truth, cluster = ratings.truth, ratings.cluster
    x = ratings.values.reshape(6, -1)
    place, area = placements.placements(truth, x), placements.auc(truth, x)
    m, n, count = truth.sum(), (~truth).sum(), len(ratings.clusters)

    def sums(side):
        d = (place - area[:, None]) * side
        return np.stack([d[:, cluster == c].sum(axis=1) for c in range(count)], axis=1)

    up, down = sums(truth), sums(~truth)
    factor = count / (count - 1)  # every cluster has cases of both classes
    wanted = factor * (
        up @ up.T / m**2 + down @ down.T / n**2 + (up @ down.T + down @ up.T) / (m * n)
    )
    assert_digits(found, wanted, at_least=11)


def test_the_jackknife_leaves_out_whole_clusters():
    ratings = clustered(size=5)
    found = pc.mrmc(ratings)
    assert found.n_units == 8
    less = np.stack(
        [
            placements.auc(
                ratings.truth[ratings.cluster != c],
                ratings.values[..., ratings.cluster != c],
            ).ravel()
            for c in range(8)
        ]
    )
    wanted = 7**2 / 8 * np.cov(less, rowvar=False)
    assert_digits(found.covariance, wanted, at_least=10)
    dbm = pc.mrmc(ratings, method="dbm")
    assert_digits(dbm.p_value, found.p_value, at_least=9)
    assert_digits(dbm.areas["estimate"], found.areas["estimate"], at_least=12)


def test_clusters_make_errors_larger_where_cases_of_one_are_alike():
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 2 == 0
    patient = np.repeat(rng.normal(size=(2, 1, 15)), 4, axis=-1)
    x = truth + rng.normal(size=(2, 3, 60)) / 2 + np.where(truth, 1.5, -1.5) * patient
    plain = pc.mrmc(made(x, truth), readers="fixed").table["std_error"][0]
    labels = tuple(map(str, range(15)))
    for covariance in ("jackknife", "delong", "bootstrap"):
        ratings = made(x, truth, cluster=np.arange(60) // 4, clusters=labels)
        found = pc.mrmc(ratings, readers="fixed", covariance=covariance)
        assert found.table["std_error"][0] > 1.3 * plain


def test_clusters_are_not_independent_cases():
    with pytest.raises(pc.InputError, match="clusters"):
        pc.mrmc(clustered(), covariance="unbiased")


def test_a_cluster_with_all_positive_cases_cannot_be_left_out():
    ratings = simulated(t=2, r=3, n=20)
    cluster = np.where(ratings.truth, 0, 1 + np.arange(20) % 3)
    labels = ("all", "a", "b", "c")
    together = made(ratings.values, ratings.truth, cluster=cluster, clusters=labels)
    with pytest.raises(pc.DesignError, match="without 'all' a reader has cases of one"):
        pc.mrmc(together)


def test_every_resample_of_clusters_has_both_classes():
    ratings = simulated(t=2, r=2, n=24)
    # One cluster has positive cases.
    cluster = np.where(ratings.truth & (np.arange(24) < 12), 0, 1 + np.arange(24) // 4)
    truth = cluster == 0
    labels = tuple(f"p{c}" for c in range(7))
    few = made(ratings.values, truth, cluster=cluster, clusters=labels)
    with pytest.raises(pc.DesignError, match="one of 7 clusters"):
        pc.mrmc(few, covariance="delong")
    with pytest.raises(pc.DesignError, match="has 1 positive case, or clusters"):
        pc.mrmc(few, covariance="bootstrap", resamples=200)
    # Five clusters have positive cases, and five negative ones.
    ratings = simulated(t=2, r=2, n=40)
    cluster, labels = np.arange(40) // 4, tuple(f"p{c}" for c in range(10))
    enough = made(ratings.values, cluster < 5, cluster=cluster, clusters=labels)
    found = pc.mrmc(enough, covariance="bootstrap", resamples=200)
    assert np.isfinite(found.covariance).all(axis=None)


@pytest.mark.parametrize("n", [8, 10])
def test_fewer_than_five_cases_of_a_class_are_not_resampled(n):
    few = simulated(t=2, r=2, n=n)  # half of them positive
    ask = {"covariance": "bootstrap", "resamples": 50}
    if n == 10:
        assert np.isfinite(pc.mrmc(few, **ask).covariance).all(axis=None)
        return
    with pytest.raises(pc.DesignError, match="a reader has 4 negative cases, or cl"):
        pc.mrmc(few, **ask)
    assert np.isfinite(pc.mrmc(few).covariance).all(axis=None)


def test_large_incomplete_tables_are_summed_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    truth = np.arange(30) % 2 == 0
    rows = np.where(rng.random((4, 30)) < 0.2, np.nan, rng.normal(size=(4, 30)))
    whole = one_shot.cell_covariance(truth, rows)
    monkeypatch.setattr(one_shot, "AT_ONCE", 64)
    parts = one_shot.cell_covariance(truth, rows)
    np.testing.assert_allclose(parts[1], whole[1], atol=1e-15)

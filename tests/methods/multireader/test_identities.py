import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import placements
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as rm
from tests.methods.multireader.readers import made, simulated

COLUMNS = ["estimate", "std_error", "statistic", "df", "p_value"]
FIGURES = [
    {},
    {"figure": "partial_auc", "fpr_range": (0.0, 0.3)},
    {"figure": "sensitivity", "threshold": 0.5},
    {"figure": "specificity", "threshold": 0.5},
    {"figure": "mean", "better": "higher"},
]


def brute_force(truth, x):
    """Pseudovalues by leaving out one case after another."""
    n = len(truth)
    area = placements.auc(truth, x)
    less = [placements.auc(np.delete(truth, k), np.delete(x, k)) for k in range(n)]
    return n * area - (n - 1) * np.array(less)


@pytest.mark.parametrize("grid", [0.0, 0.5, 2.0])
def test_pseudovalues_are_those_of_leaving_out_one_case(grid):
    ratings = simulated(t=2, r=3, n=41, grid=grid)
    area, y = pseudo.auc(ratings.truth, ratings.values)
    for i in range(2):
        for j in range(3):
            wanted = brute_force(ratings.truth, ratings.values[i, j])
            np.testing.assert_allclose(y[i, j], wanted, rtol=0, atol=1e-12)
    assert_digits(y.mean(axis=-1), area, at_least=13)


def test_jackknife_covariance_is_that_of_the_pseudovalues():
    ratings = simulated(t=2, r=3, n=37, grid=0.5)
    rows = ratings.values.reshape(6, -1)
    _, y = pseudo.auc(ratings.truth, rows)
    found = pseudo.jackknife_covariance(placements.delong(ratings.truth, rows))
    assert_digits(found, np.cov(y) / 37, at_least=12)


def test_unbiased_covariance_is_that_of_all_quadruples():
    ratings = simulated(t=1, r=2, n=9, grid=1.0)
    truth, x = ratings.truth, ratings.values[0]
    psi = np.sign(x[:, truth, None] - x[:, None, ~truth]) / 2 + 0.5
    n1, n0 = psi.shape[1:]
    apart = [
        psi[0, p, q] * psi[1, u, v]
        for p in range(n1)
        for q in range(n0)
        for u in range(n1)
        for v in range(n0)
        if p != u and q != v
    ]
    wanted = psi[0].mean() * psi[1].mean() - np.mean(apart)
    found = pseudo.unbiased_covariance(truth, x)
    assert_digits(found[0, 1], wanted, at_least=12)


@pytest.mark.parametrize("figure", FIGURES, ids=str)
@pytest.mark.parametrize("scope", [("random", "random"), ("random", "fixed")])
@pytest.mark.parametrize("error", ["own", "pooled"])
def test_dbm_with_hillis_is_or_with_the_jackknife(figure, scope, error):
    ratings = simulated(t=3, r=4, n=40, grid=0.5)
    options = {"readers": scope[0], "cases": scope[1], "error": error, **figure}
    # DBM's test of new cases with these readers has finite degrees of freedom.
    options["pair_tests"] = "published"
    one = pc.mrmc(ratings, method="or", **options)
    two = pc.mrmc(ratings, method="dbm", **options)
    assert_digits(one.statistic, two.statistic, at_least=10)
    assert_digits(one.omnibus.df, two.omnibus.df, at_least=10)
    for name in COLUMNS:
        assert_digits(one.table[name], two.table[name], at_least=10, what=name)
    assert_digits(one.areas["std_error"], two.areas["std_error"], at_least=10)
    assert_digits(one.areas["df"], two.areas["df"], at_least=9)


def test_dbm_and_or_have_the_same_error_with_fixed_readers():
    ratings = simulated()
    one = pc.mrmc(ratings, readers="fixed")
    two = pc.mrmc(ratings, readers="fixed", method="dbm")
    assert_digits(one.table["std_error"], two.table["std_error"], at_least=12)
    assert_digits(one.statistic, 2 * two.statistic, at_least=12)
    assert one.omnibus.df == 2.0 and two.omnibus.df == (2, 2 * 39)
    assert (two.table["df"] == 39).all() and np.isinf(one.table["df"]).all()


@pytest.mark.parametrize("grid", [0.0, 1.0])
def test_one_reader_is_delongs_test(grid):
    ratings = simulated(t=3, r=1, n=50, grid=grid)
    found = pc.mrmc(ratings, readers="fixed", covariance="delong")
    wanted = pc.delong(ratings.truth, ratings.values[:, 0].T, positive=True)
    for name in ["estimate", "std_error", "statistic", "p_value", "p_adjusted"]:
        assert_digits(found.table[name], wanted.table[name], at_least=11, what=name)
    assert_digits(found.covariance, wanted.covariance, at_least=14)
    two = pc.mrmc(ratings.select(["M1", "M2"]), readers="fixed", covariance="delong")
    assert_digits(two.statistic, two.table["statistic"][0] ** 2, at_least=12)


def test_one_reader_is_the_jackknife():
    ratings = simulated(t=2, r=1, n=31)
    found = pc.mrmc(ratings, readers="fixed").table.iloc[0]
    one, two = (brute_force(ratings.truth, x) for x in ratings.values[:, 0])
    d = one - two
    assert_digits(found["estimate"], d.mean(), at_least=12)
    assert_digits(found["std_error"], d.std(ddof=1) / np.sqrt(31), at_least=12)


def test_fixed_cases_are_the_two_way_analysis_of_variance_of_figures():
    ratings = simulated(t=3, r=5)
    areas = placements.auc(ratings.truth, ratings.values).T
    scores = pc.Scores.from_wide(
        {f"M{i}": areas[:, i] for i in range(3)}, metric="auc", better="higher"
    )
    wanted = pc.anova(scores)
    for method in ("or", "dbm"):
        found = pc.mrmc(ratings, method=method, cases="fixed")
        assert_digits(found.statistic, wanted.statistic, at_least=11)
        assert_digits(found.p_value, wanted.p_value, at_least=11)
        row = found.analyses.set_index("analysis").loc[
            "two-way analysis of variance of figures"
        ]
        assert_digits(row["statistic"], wanted.statistic, at_least=11)
        assert row["population"] == found.population == "new readers and these cases"
    one_way = pc.anova(scores, blocked=False)
    row = found.analyses.iloc[-1]
    assert_digits(row["statistic"], one_way.statistic, at_least=11)
    assert_digits(row["p_value"], one_way.p_value, at_least=11)
    # A pair with its own error is the paired t test over readers.
    t = pc.paired_t(scores, algorithms=("M0", "M1"))
    assert_digits(found.table["statistic"][0], t.statistic, at_least=11)
    assert_digits(found.table["p_value"][0], t.p_value, at_least=11)


def test_a_pairs_own_error_is_that_of_its_two_modalities_alone():
    ratings = simulated(t=4, r=5)
    for options in ({}, {"readers": "fixed"}, {"cases": "fixed"}, {"method": "dbm"}):
        published = {"adjust": "none", "pair_tests": "published"}
        every = pc.mrmc(ratings, **published, **options).table
        alone = pc.mrmc(ratings.select(["M2", "M4"]), error="pooled", **options)
        row = every.query("algorithm_1 == 'M2' and algorithm_2 == 'M4'").iloc[0]
        for name in (*COLUMNS, "conf_low", "conf_high"):
            assert_digits(row[name], alone.table[name][0], at_least=11, what=name)
        square = alone.table["statistic"][0] ** 2
        assert_digits(square, alone.statistic, at_least=11)


def test_the_1992_rule_by_the_original_formulas():
    for seed in range(12):
        ratings = simulated(t=3, r=4, n=30, seed=seed, shift=0.0)
        _, y = pseudo.auc(ratings.truth, ratings.values)
        table = rm.three_way(y)
        ms = {k: squares / df for k, (df, squares) in table.items()}
        df = {k: value[0] for k, value in table.items()}
        tr, tc = ms["TR"] > ms["TRC"], ms["TC"] > ms["TRC"]
        if tr and tc:
            error = ms["TR"] + ms["TC"] - ms["TRC"]
            parts = sum(ms[k] ** 2 / df[k] for k in ("TR", "TC", "TRC"))
            wanted = error, error**2 / parts
        else:
            term = "TR" if tr else "TC" if tc else "TRC"
            wanted = ms[term], df[term]
        found = pc.mrmc(ratings, method="dbm", df="1992", error="pooled")
        assert_digits(found.statistic, ms["T"] / wanted[0], at_least=11)
        assert_digits(found.omnibus.df, (2, wanted[1]), at_least=10)


def test_the_mean_of_ratings_is_an_analysis_of_variance_of_them():
    rng = np.random.default_rng(3)
    loss = rng.random((3, 1, 25))
    ratings = made(loss, None)
    found = pc.mrmc(
        ratings,
        figure="mean",
        better="lower",
        readers="fixed",
        method="dbm",
        error="pooled",
    )
    frame = {f"M{i + 1}": loss[i, 0] for i in range(3)}
    scores = pc.Scores.from_wide(frame, metric="loss", better="lower")
    wanted = pc.anova(scores)
    assert_digits(found.statistic, wanted.statistic, at_least=11)
    assert_digits(found.p_value, wanted.p_value, at_least=11)
    best = found.positions.idxmin()
    assert best == scores.algorithms[int(loss.mean(axis=(1, 2)).argmin())]


def test_sensitivity_of_one_reader_is_the_paired_difference_of_proportions():
    ratings = simulated(t=2, r=1, n=60)
    found = pc.mrmc(
        ratings,
        figure="sensitivity",
        threshold=0.7,
        readers="fixed",
        covariance="delong",
    ).table.iloc[0]
    hit = ratings.values[:, 0, ratings.truth] >= 0.7
    d = hit[0] * 1.0 - hit[1]
    assert_digits(found["estimate"], d.mean(), at_least=12)
    assert_digits(found["std_error"] ** 2, d.var(ddof=1) / 30, at_least=11)


def test_bootstrap_covariances_come_near_delongs_and_repeat():
    ratings = simulated(t=2, r=3, n=60)
    options = {"covariance": "bootstrap", "seed": 5, "resamples": 3000}
    one, two = (pc.mrmc(ratings, **options) for _ in range(2))
    assert np.array_equal(one.covariance, two.covariance)
    assert (one.seed, one.resamples) == (5, 3000)
    other = pc.mrmc(ratings, **options | {"seed": 6})
    assert not np.array_equal(one.covariance, other.covariance)
    delong = pc.mrmc(ratings, covariance="delong")
    # 3000 resamples: a variance has a relative error of 2.6%.
    scale = np.diag(delong.covariance).max()
    np.testing.assert_allclose(one.covariance, delong.covariance, atol=0.12 * scale)


def test_order_of_cases_readers_and_modalities_changes_nothing():
    ratings = simulated(t=3, r=4)
    rng = np.random.default_rng(0)
    frame = ratings.to_frame()
    names = {"modality": "modality", "reader": "reader", "case": "case"}
    options = {**names, "truth": "is_positive", "rating": "rating"}
    found = pc.mrmc(pc.Ratings.from_frame(frame, **options))
    shuffled = frame.iloc[rng.permutation(len(frame))]
    other = pc.mrmc(pc.Ratings.from_frame(shuffled, **options))
    assert_digits(other.statistic, found.statistic, at_least=12)
    assert_digits(other.omnibus.df, found.omnibus.df, at_least=11)
    one = found.matrix("std_error")
    two = other.matrix("std_error").loc[one.index, one.columns]
    assert_digits(two, one, at_least=11)


def test_bergmann_hommel_adjusts_the_raw_p_values():
    ratings = simulated(t=4, r=5)
    found = pc.mrmc(ratings, adjust="bergmann-hommel")
    wanted = pc.adjust(found.matrix("p_value").fillna(1.0), "bergmann-hommel")
    upper = np.triu_indices(4, 1)
    ours = found.matrix("p_adjusted").to_numpy()[upper]
    assert np.array_equal(ours, wanted.to_numpy()[upper])

import dataclasses
import math

import mpmath
import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits, lre
from pycompare.kernels import manova as kernel
from tests.conftest import golden, golden_names
from tests.methods.linear.witness import exact_roots, gappy, manova_scores, several

R_NAMES = {
    "wilks": "Wilks",
    "pillai": "Pillai",
    "hotelling_lawley": "Hotelling-Lawley",
    "roy": "Roy",
}
FULL_RANK = [
    name
    for name in golden_names("manova_")
    if "near_singular" not in name and not name.endswith("rank2_full")
]
NEARLY_SINGULAR = ["manova_near_singular_0.001", "manova_near_singular_1e-06"]


def normal(b=12, a=4, p=3, seed=1, spread=0.5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(b, a, p)) + spread * np.arange(a)[:, None]


def exact_wilks(scores, blocked=True):
    roots = exact_roots(scores.values, blocked)
    with mpmath.workdps(60):
        return float(mpmath.fprod(1 / (1 + root) for root in roots))


@pytest.mark.parametrize("name", FULL_RANK)
def test_four_tests_agree_with_r(name):
    case = golden(name)
    scores, blocked = manova_scores(case)
    got = pc.manova(scores, blocked=blocked)
    expected = case["outputs"]["summary_manova_default_tol"]["value"]
    # R finds the roots of a matrix with entries from 1e-4 to 1e3 here: its digits end.
    strong = name == "manova_strong_5x60x4"
    for test, r_name in R_NAMES.items():
        ours, theirs = getattr(got, test), expected[r_name]
        pairs = {
            "stat": ours.statistic,
            "approxF": ours.f,
            "numDf": ours.df1,
            "denDf": ours.df2,
        }
        for column, value in pairs.items():
            assert_digits(value, theirs[column][-2], at_least=12, what=column)
        p_digits = 10 if strong else 11
        assert_digits(ours.p_value, theirs["p"][-2], at_least=p_digits, what=r_name)
    d2 = case["outputs"]["bartlett_D2_r_by_hand"]["value"]
    table = got.dimensionality.table
    digits = 9 if strong else 12
    assert_digits(table["statistic"], np.atleast_1d(d2["chi2"]), at_least=digits)
    assert_digits(table["df"], np.atleast_1d(d2["df"]), at_least=15)
    p = np.atleast_1d(d2["p"]).astype(float)
    assert_digits(table["p_value"], p, at_least=9 if strong else 11)
    for row, theirs in zip(
        got.univariate.itertuples(),
        case["outputs"]["univariate_aov"]["value"],
        strict=True,
    ):
        assert_digits(row.statistic, theirs["F"], at_least=12)
        assert_digits(row.p_value, theirs["p"], at_least=11)


def test_d2_of_the_irises_agrees_with_yacca_and_rrcov():
    case = golden("manova_iris")
    scores, blocked = manova_scores(case)
    got = pc.manova(scores, blocked=blocked).dimensionality.table
    yacca = case["outputs"]["yacca_cca_bartlett_chi2_per_dimension"]["value"]
    # yacca has canonical correlations of two sets of columns: another way to D2.
    assert_digits(got["statistic"], yacca["chisq"], at_least=11)
    assert_digits(got["df"], yacca["df"], at_least=15)
    assert_digits(got["p_value"], yacca["p"], at_least=11)
    rrcov = case["outputs"]["rrcov_Wilks_test_bartlett_chi2"]["value"]
    assert_digits(got["statistic"][0], rrcov["chi2"], at_least=12)


@pytest.mark.parametrize("name", FULL_RANK + NEARLY_SINGULAR)
def test_eigenvalues_have_13_digits_of_exact_arithmetic(name):
    scores, blocked = manova_scores(golden(name))
    got = pc.manova(scores, blocked=blocked)
    exact = [float(root) for root in exact_roots(scores.values, blocked)]
    assert_digits(got.eigenvalues, exact, at_least=12.5)
    assert_digits(got.wilks.statistic, exact_wilks(scores, blocked), at_least=13)


@pytest.mark.parametrize("name", NEARLY_SINGULAR)
def test_nearly_singular_responses_agree_with_their_well_conditioned_form(name):
    case = golden(name)
    scores, _ = manova_scores(case)
    expected = case["outputs"]["well_conditioned_equivalent"]["value"]
    got = pc.manova(scores)
    # The fourth response has lost so many digits when it was rounded.
    digits = 11.5 if name.endswith("0.001") else 8.5
    assert got.rank == 4
    assert_digits(got.eigenvalues, expected["eigenvalues"], at_least=digits)


@pytest.mark.parametrize("condition", [1e9, 1e11, 1e13])
def test_ill_conditioned_residuals_keep_their_digits(condition):
    y = normal(30, 5, 4, seed=3)
    noise = y[..., 3] / math.sqrt(condition)
    y[..., 3] = y[..., 0] - 2 * y[..., 1] + y[..., 2] + noise
    scores = several(y)
    got = pc.manova(scores)
    assert np.linalg.cond(got.responses.factors.e) > condition
    exact = [float(root) for root in exact_roots(scores.values, True)]
    assert_digits(got.eigenvalues, exact, at_least=13)
    assert_digits(got.wilks.statistic, exact_wilks(scores), at_least=13)
    many, *_ = kernel.complete_roots(scores.values[None], blocked=True)
    assert_digits(many.eigenvalues[0], exact, at_least=13)


def test_determinants_would_keep_half_of_the_digits():
    y = normal(30, 5, 4, seed=3)
    y[..., 3] = y[..., 0] - 2 * y[..., 1] + y[..., 2] + y[..., 3] / math.sqrt(1e9)
    scores = several(y)
    f = pc.manova(scores).responses.factors
    by_determinants = np.linalg.det(f.e) / np.linalg.det(f.e + f.h)
    assert lre(by_determinants, exact_wilks(scores)) < 9


def test_dependent_counts_are_reduced_and_named():
    case = golden("manova_confusion_rank2_full")
    scores, _ = manova_scores(case)
    got = pc.manova(scores)
    reduced, _ = manova_scores(golden("manova_confusion_rank2_reduced_TP_FP"))
    expected = pc.manova(reduced)
    assert got.rank == 2
    assert got.kept == ("TP", "FP")
    assert [d.text for d in got.dropped] == ["TN = 60 - FP", "FN = 40 - TP"]
    assert "TN = 60 - FP; FN = 40 - TP" in got.notes[0]
    assert_digits(got.eigenvalues, expected.eigenvalues, at_least=13)
    for ours, theirs in zip(got.tests, expected.tests, strict=True):
        assert_digits(ours.p_value, theirs.p_value, at_least=12)
        assert ours.df == theirs.df


def test_totals_of_each_block_are_a_dependency_too():
    rng = np.random.default_rng(5)
    y = rng.integers(5, 30, (10, 3, 2)).astype(float)
    totals = rng.integers(40, 60, (10, 1))
    y[..., 1] = totals - y[..., 0]
    got = pc.manova(several(y))
    assert [d.text for d in got.dropped] == ["m1 = (a constant of each block) - m0"]
    assert got.rank == 1


def test_totals_are_no_dependency_without_blocks():
    rng = np.random.default_rng(5)
    y = rng.integers(5, 30, (10, 3, 2)).astype(float)
    y[..., 1] = rng.integers(40, 60, (10, 1)) - y[..., 0]
    assert pc.manova(several(y), blocked=False).rank == 2


def test_wilks_is_the_product_over_the_eigenvalues():
    got = pc.manova(several(normal()))
    assert_digits(got.wilks.statistic, np.prod(1 / (1 + got.eigenvalues)), at_least=14)
    assert_digits(got.hotelling_lawley.statistic, got.eigenvalues.sum(), at_least=14)
    assert_digits(got.roy.statistic, got.eigenvalues.max(), at_least=15)


def test_any_basis_of_the_responses_gives_the_same():
    y = normal()
    basis = np.array([[1, 1, 1e6], [0, -1e-9, 3], [2, 0, 1.0]])
    expected, got = pc.manova(several(y)), pc.manova(several(y @ basis))
    assert_digits(got.eigenvalues, expected.eigenvalues, at_least=9)
    assert got.rank == 3


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1e9, 1e300])
def test_units_do_not_matter(unit):
    y = normal()
    expected = pc.manova(several(y))
    got = pc.manova(several(y * np.array([1.0, unit, 1.0])))
    assert_digits(got.eigenvalues, expected.eigenvalues, at_least=13)
    standard = expected.canonical.standardised
    assert_digits(got.canonical.standardised, standard, at_least=11)


def test_d2_of_no_dimension_is_bartletts_chi2():
    got = pc.manova(several(normal()))
    q, v, p = 3, 33, 3
    chi2 = -(v - (p - q + 1) / 2) * math.log(got.wilks.statistic)
    assert_digits(got.dimensionality.table["statistic"][0], chi2, at_least=13)
    assert_digits(got.bartlett.statistic, chi2, at_least=13)
    assert got.bartlett.df == p * q


def test_one_way_factor_is_aslans():
    # Aslan (2009), eq. 4.81: n - 1 - (p + a) / 2 with n = all scores.
    y = normal()
    b, a, p = y.shape
    got = pc.manova(several(y), blocked=False)
    factor = a * b - 1 - (p + a) / 2
    expected = [
        factor * np.log1p(got.eigenvalues[r:]).sum() for r in range(min(p, a - 1))
    ]
    assert_digits(got.dimensionality.table["statistic"], expected, at_least=13)


def test_dimension_counts_the_rejected_hypotheses():
    line = normal(40, 5, 3, spread=0.0)
    line[..., 0] += np.arange(5)
    got = pc.manova(several(line))
    table = got.dimensionality.table
    assert list(table["p_value"] <= 0.05) == [True, False, False]
    assert got.dimension == 1
    assert got.canonical.collinear
    assert pc.manova(several(normal(spread=0.0, seed=4))).dimension == 0


@pytest.mark.parametrize("blocked", [True, False])
def test_one_metric_is_the_analysis_of_variance(blocked):
    scores = several(normal(p=1))
    got = pc.manova(scores, blocked=blocked)
    expected = pc.anova(scores, blocked=blocked)
    for test in got.tests:
        assert test.exact
        assert_digits(test.f, expected.statistic, at_least=13)
        assert_digits(test.p_value, expected.p_value, at_least=12)
        assert test.df == expected.df


def test_two_algorithms_are_hotellings_paired_t2():
    y = normal(12, 2, 3)
    d = y[:, 0] - y[:, 1]
    k, p = d.shape
    mean = d.mean(axis=0)
    t2 = k * mean @ np.linalg.solve(np.cov(d.T), mean)
    got = pc.manova(several(y))
    for test in got.tests:
        assert_digits(test.f, (k - p) / (p * (k - 1)) * t2, at_least=12)
        assert test.df == (p, k - p)


def test_follow_ups_are_the_analyses_of_variance():
    scores = several(normal())
    got = pc.manova(scores).univariate.set_index("metric")
    for name in ("m0", "m1", "m2"):
        expected = pc.anova(scores, metric=name)
        assert_digits(got.at[name, "statistic"], expected.statistic, at_least=13)
        assert_digits(got.at[name, "p_value"], expected.p_value, at_least=12)
        eta2 = expected.partial_eta2.estimate
        assert_digits(got.at[name, "partial_eta2"], eta2, at_least=13)
    adjusted = pc.adjust(got["p_value"].to_numpy(), "holm")
    assert_digits(got["p_adjusted"], adjusted, at_least=15)


@pytest.mark.parametrize("blocked", [True, False])
def test_statsmodels_finds_the_same_but_for_its_hotelling_lawley_f(blocked):
    from statsmodels.multivariate.manova import MANOVA

    scores = several(normal())
    frame = scores.to_frame()
    terms = "C(block) + C(algorithm)" if blocked else "C(algorithm)"
    fitted = MANOVA.from_formula(f"m0 + m1 + m2 ~ {terms}", frame)
    table = fitted.mv_test().results["C(algorithm)"]["stat"]
    got = pc.manova(scores, blocked=blocked)
    names = ["Wilks' lambda", "Pillai's trace", "Hotelling-Lawley trace"]
    for test, name in zip(got.tests, [*names, "Roy's greatest root"], strict=True):
        assert_digits(test.statistic, float(table.at[name, "Value"]), at_least=11)
        same = name != "Hotelling-Lawley trace"
        assert (lre(test.f, float(table.at[name, "F Value"])) > 10) == same
        assert (lre(test.df2, float(table.at[name, "Den DF"])) > 10) == same


def test_missing_cells_keep_the_model_exact():
    y = normal(9, 4, 2, seed=7)
    holes = np.isnan(gappy().values[..., 0])
    y[holes] = np.nan
    got = pc.manova(several(y, missing="model"))
    # Full against reduced model by least squares.
    rows, at = np.nonzero(~holes)
    block = (rows[:, None] == np.arange(9)).astype(float)
    algorithm = (at[:, None] == np.arange(3)).astype(float)
    z = y[~holes]
    full = (
        z
        - np.hstack([block, algorithm])
        @ np.linalg.pinv(np.hstack([block, algorithm]))
        @ z
    )
    less = z - block @ np.linalg.pinv(block) @ z
    ratio = np.linalg.det(full.T @ full) / np.linalg.det(less.T @ less)
    assert_digits(got.wilks.statistic, ratio, at_least=12)
    assert "cells are missing" in got.notes[0]


def test_canonical_variates_have_residual_variance_one_and_no_correlation():
    scores = several(normal())
    got = pc.manova(scores)
    canonical = got.canonical
    e = got.responses.factors.e / got.responses.units.prod()
    df = canonical.df_error
    raw = canonical.raw.to_numpy()
    assert_digits(raw.T @ e @ raw / df + 1, np.eye(3) + 1, at_least=13)
    h = got.responses.factors.h
    expected = np.diag(got.eigenvalues) * df
    assert_digits(raw.T @ h @ raw + 1, expected + 1, at_least=11)
    sd = np.sqrt(np.diag(e) / df)
    assert_digits(canonical.standardised, raw * sd[:, None], at_least=13)
    correlations = e @ raw / df / sd[:, None]
    assert_digits(canonical.structure, correlations, at_least=12)


def test_canonical_scores_scatter_around_the_means():
    got = pc.manova(several(normal())).canonical
    means = got.scores.groupby("algorithm")[list(got.means)].mean()
    assert_digits(means + 1, got.means + 1, at_least=13)
    assert_digits(got.means.sum() + 1, [1.0, 1.0, 1.0], at_least=13)
    assert_digits(got.std_errors, np.full(4, 12**-0.5), at_least=15)
    assert list(got.share.round(12).cumsum())[-1] == pytest.approx(1)
    assert (got.standardised.abs().max() == got.standardised.max()).all()


def test_canonical_structure_knows_the_dropped_metrics():
    scores, _ = manova_scores(golden("manova_confusion_rank2_full"))
    structure = pc.manova(scores).canonical.structure
    assert_digits(structure.loc["FN"], -structure.loc["TP"], at_least=12)
    assert_digits(structure.loc["TN"], -structure.loc["FP"], at_least=12)


def test_a_batch_is_as_many_single_analyses():
    tables = np.stack([normal(seed=seed) for seed in range(5)])
    tables[2, ..., 2] = 3 - tables[2, ..., 1]
    tables[3] = 0.25
    tables[4] *= 1e-200
    roots, df1, df2 = kernel.complete_roots(tables, blocked=True)
    tests = kernel.tests(roots.eigenvalues, roots.rank, df1, df2)
    assert list(roots.rank) == [3, 3, 2, 0, 3]
    for i, table in enumerate(tables):
        single = pc.manova(several(table))
        for name in R_NAMES:
            assert_digits(
                tests[name].p_value[i], getattr(single, name).p_value, at_least=12
            )


def test_chunks_do_not_change_a_batch(monkeypatch):
    tables = np.stack([normal(seed=seed) for seed in range(7)])
    whole, *_ = kernel.complete_roots(tables, blocked=False)
    monkeypatch.setattr(kernel, "CHUNK", 2 * tables[0].size)
    parts, *_ = kernel.complete_roots(tables, blocked=False)
    assert_digits(parts.eigenvalues, whole.eigenvalues, at_least=14)


def test_identical_algorithms_cannot_be_tested():
    y = np.repeat(normal(8, 1, 2), 3, axis=1)
    got = pc.manova(several(y))
    assert got.rank == 0
    assert math.isnan(got.p_value)
    assert math.isnan(got.bartlett.p_value)
    assert got.dimension == 0
    assert "no difference can be tested" in got.notes[-1]
    assert got.r_call() is None
    assert not got.rejected(0.05)


def test_a_constant_metric_is_left_out_by_name():
    y = normal()
    expected = pc.manova(several(y[..., :2]))
    y[..., 2] = 0.7
    got = pc.manova(several(y))
    assert [d.text for d in got.dropped] == ["m2 = 0.7"]
    assert_digits(got.p_value, expected.p_value, at_least=13)


def test_a_duplicated_metric_is_left_out_by_name():
    y = normal()
    y[..., 2] = y[..., 0]
    assert [d.text for d in pc.manova(several(y)).dropped] == ["m2 = m0"]
    y[..., 2] = 100 * (1 - y[..., 0])
    assert [d.text for d in pc.manova(several(y)).dropped] == ["m2 = 100 - 100 m0"]


def test_a_rate_rounded_to_doubles_is_still_dependent():
    y = normal() * 1e-6 + 0.9
    y[..., 2] = 1 - y[..., 1]
    assert pc.manova(several(y)).rank == 2


def test_one_case_in_ten_million_is_no_dependency():
    rng = np.random.default_rng(8)
    y = rng.integers(4_000_000, 6_000_000, (30, 5, 2)).astype(float)
    y[..., 1] = 10_000_000 - y[..., 0]
    assert pc.manova(several(y)).rank == 1
    y[3, 2, 1] += 40
    assert pc.manova(several(y)).rank == 2


def test_a_difference_without_error_is_refused_by_name():
    y = normal()
    y[..., 2] = np.arange(4) + normal()[:, :1, 0]
    with pytest.raises(pc.DesignError, match=r"'m2', which has no residual variation"):
        pc.manova(several(y))
    y[..., 2] = y[..., 0] + np.arange(4)
    with pytest.raises(pc.DesignError, match=r"m2 - m0.*no residual variation"):
        pc.manova(several(y))


def test_too_few_blocks_for_the_metrics_are_refused():
    with pytest.raises(pc.DesignError, match=r"2 degrees of freedom .* 3 independent"):
        pc.manova(several(normal(3, 2, 3)))


def test_as_many_error_df_as_metrics_are_enough():
    got = pc.manova(several(normal(4, 2, 3)))
    assert got.wilks.df == (3, 1)


def test_a_trace_without_denominator_says_so():
    got = pc.manova(several(normal(2, 5, 4)))
    assert got.rank == 4
    assert math.isnan(got.hotelling_lawley.p_value)
    assert "no F" in got.hotelling_lawley.notes[-1]
    assert got.wilks.p_value > 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"metrics": ["m0", "nonsense"]}, "nonsense"),
        ({"metrics": ["m0", "m0"]}, "named twice"),
        ({"metrics": []}, "empty"),
        ({"metrics": "m0"}, "one text"),
        ({"statistic": "lambda"}, "one of 'wilks', 'pillai'"),
        ({"alpha": 1.5}, "alpha=1.5"),
    ],
)
def test_bad_arguments_are_refused(options, told):
    with pytest.raises(pc.InputError, match=told):
        pc.manova(several(normal()), **options)


def test_names_are_data():
    y = normal(p=2)
    frame = (
        several(y).to_frame().rename(columns={"m0": "__import__('os')", "m1": "a,b"})
    )
    frame["algorithm"] = frame["algorithm"].map(
        {"A0": "nan", "A1": "__x", "A2": '<b>"', "A3": "a,b"}
    )
    scores = pc.Scores.from_frame(
        frame,
        algorithm="algorithm",
        block="block",
        metrics={"__import__('os')": "lower", "a,b": "lower"},
    )
    got = pc.manova(scores)
    assert_digits(got.p_value, pc.manova(several(y)).p_value, at_least=15)
    assert got.formula == "cbind(y0, y1) ~ block + algorithm"
    assert list(got.means.index) == ["nan", "__x", '<b>"', "a,b"]


def test_the_chosen_statistic_makes_the_p_value():
    scores = several(normal())
    for name, test in {
        "pillai": "pillai",
        "hotelling-lawley": "hotelling_lawley",
    }.items():
        got = pc.manova(scores, statistic=name)
        assert got.p_value == getattr(got, test).p_value


def test_level_under_the_null_is_alpha():
    tables = np.random.default_rng(9).normal(size=(4000, 6, 3, 2))
    roots, df1, df2 = kernel.complete_roots(tables, blocked=True)
    p = kernel.tests(roots.eigenvalues, roots.rank, df1, df2)["wilks"].p_value
    # Wilks' F is exact here, so p is uniform.
    assert stats.kstest(p, "uniform").pvalue > 0.001


def test_to_dict_is_plain_and_complete():
    got = pc.manova(several(normal())).to_dict()
    assert {"wilks", "eigenvalues", "dimensionality", "kept", "dropped"} <= set(got)
    assert "responses" not in got
    frame = pc.manova(several(normal())).to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame["statistic_name"]) == ["Lambda", "V", "U", "lambda", "chi2"]


def test_a_metric_that_does_not_vary_is_left_untested_and_not_counted():
    rng = np.random.default_rng(3)
    rows = [
        {"f": i, "a": f"A{j}", "x": rng.random() + j, "y": 1.0}
        for i in range(6)
        for j in range(3)
    ]
    scores = pc.Scores.from_frame(
        pd.DataFrame(rows),
        algorithm="a",
        block="f",
        metrics={"x": "lower", "y": "lower"},
    )
    got = pc.manova(scores).univariate
    assert np.isnan(got["p_adjusted"][1])
    assert got["p_adjusted"][0] == got["p_value"][0]


def test_metrics_that_depend_on_others_are_no_part_of_the_family():
    y = np.random.default_rng(4).normal(size=(8, 3, 2)) + np.arange(3)[:, None] * 0.4
    both = np.concatenate([y, 40 - y[:, :, :1]], axis=2)
    got, plain = (pc.manova(several(v)).univariate for v in (both, y))
    assert_digits(got["p_adjusted"][:2], plain["p_adjusted"], at_least=12)
    assert np.isnan(got["p_adjusted"][2])
    assert_digits(got["p_value"][2], got["p_value"][0], at_least=12)
    # Holm over three would have asked more.
    three = pc.adjust(got["p_value"].to_numpy(), "holm")
    assert (three[:2] > got["p_adjusted"][:2]).all()


@pytest.mark.parametrize("large", [1e300, 1e-300])
def test_metrics_of_any_size_depend_on_each_other_without_a_warning(large):
    x = np.random.default_rng(2).normal(size=(8, 3))
    scores = pc.Scores(
        np.stack([x / large, x * large, np.full_like(x, large)], axis=2),
        tuple(f"b{i}" for i in range(8)),
        ("A1", "A2", "A3"),
        tuple(pc.Metric(name, "lower") for name in ("one", "other", "flat")),
    )
    found = pc.manova(scores)
    assert found.kept == ("one",)
    assert [d.metric for d in found.dropped] == ["other", "flat"]
    assert found.univariate["p_value"].isna().tolist() == [False, False, True]


def test_each_table_of_a_stack_is_judged_by_its_own_residuals():
    """Dependent metrics in some tables, a metric without error in others."""
    tables = np.random.default_rng(8).normal(size=(4, 6, 3, 3))
    tables[1, ..., 2] = tables[1, ..., 0] + tables[1, ..., 1]
    tables[2, ..., 2] = np.arange(3.0)
    tables[3, ..., 1] = tables[3, ..., 0]
    whole, *_ = kernel.complete_roots(tables, blocked=True)
    assert whole.rank.tolist() == [3, 2, 2, 2]
    assert whole.deficient.tolist() == [False, False, True, False]
    for i, table in enumerate(tables):
        alone, *_ = kernel.complete_roots(table[None], blocked=True)
        assert_digits(whole.eigenvalues[i], alone.eigenvalues[0], at_least=12)


def test_variates_with_equal_eigenvalues_are_not_compared_with_those_of_r():
    found = pc.manova(pc.example("folds")).canonical
    assert not np.isnan(found.r_values()["canonical_raw"]).any()
    equal = found.eigenvalues * 0 + 0.125
    tied = dataclasses.replace(found, eigenvalues=equal).r_values()
    assert np.isnan(tied["canonical_structure"]).all()


# ---- likelihood ratios of the dimension ----------------------------------------------


def test_one_way_likelihood_ratio_is_aslans_eq_4_79():
    y = normal()
    b, a, p = y.shape
    got = pc.manova(several(y), blocked=False)
    found = got.likelihood_dimensionality()
    expected = [(a * b - a) * got.eigenvalues[r:].sum() for r in range(min(p, a - 1))]
    assert_digits(found.table["statistic"], expected, at_least=13)
    assert list(found.table["df"]) == [(p - r) * (a - 1 - r) for r in range(3)]
    assert found.method == "likelihood-ratio"


def test_the_known_covariance_takes_the_place_of_the_estimate():
    y = normal(10, 5, 3, seed=3)
    b = len(y)
    known = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 1.5]])
    manova = pc.manova(several(y))
    means = y.mean(axis=0) - y.mean(axis=(0, 1))
    between = b * means.T @ means
    roots = np.sort(np.linalg.eigvals(np.linalg.solve(known, between)).real)[::-1]
    expected = [roots[r:].sum() for r in range(3)]
    found = manova.likelihood_dimensionality(known)
    assert_digits(found.table["statistic"], expected, at_least=11)
    df = [12.0, 6.0, 2.0]
    assert_digits(found.table["p_value"], stats.chi2.sf(expected, df), at_least=9)
    names = list(manova.metrics)
    frame = pd.DataFrame(known, names, names).loc[names[::-1], names[::-1]]
    assert manova.likelihood_dimensionality(frame).table.equals(found.table)


def test_the_estimate_as_known_covariance_gives_the_same_statistic():
    manova = pc.manova(several(normal(9, 4, 2, seed=8)))
    model = manova.responses
    error = model.factors.error * model.units
    estimate = error.T @ error / model.factors.df_error
    known = manova.likelihood_dimensionality((estimate + estimate.T) / 2)
    same = manova.likelihood_dimensionality()
    assert_digits(known.table["statistic"], same.table["statistic"], at_least=11)


def test_the_known_covariance_gives_level_alpha_under_its_hypothesis():
    rng = np.random.default_rng(12)
    scores = rng.normal(size=(400, 4, 3, 2))
    below = [
        pc.manova(several(y)).likelihood_dimensionality(np.eye(2)).table["p_value"][0]
        for y in np.moveaxis(scores, 2, 1)
    ]
    assert stats.kstest(below, "uniform").pvalue > 0.001


def test_dropped_metrics_need_their_covariance_and_do_not_use_it():
    y = normal(8, 3, 2)
    with_sum = np.concatenate([y, y.sum(axis=-1, keepdims=True)], axis=-1)
    known = np.array([[1.0, 0.2, 1.2], [0.2, 1.0, 1.2], [1.2, 1.2, 2.4]])
    found = pc.manova(several(with_sum)).likelihood_dimensionality(known)
    expected = pc.manova(several(y)).likelihood_dimensionality(known[:2, :2])
    assert_digits(found.table["statistic"], expected.table["statistic"], at_least=12)


@pytest.mark.parametrize(
    ("covariance", "said"),
    [
        (np.eye(2), r"shape \(2, 2\); 3 metrics need 3 x 3"),
        ([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]], "symmetric"),
        (np.full((3, 3), np.nan), "finite"),
        (np.ones((3, 3)), "not positive definite"),
        (-np.eye(3), "not positive definite"),
        (pd.DataFrame(np.eye(3)), "rows and columns must be"),
    ],
)
def test_a_covariance_that_is_none_is_refused(covariance, said):
    with pytest.raises(pc.InputError, match=said):
        pc.manova(several(normal())).likelihood_dimensionality(covariance)

"""Checks of multivariate residuals: against stored numbers of R, and by simulation."""

import math

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names
from tests.methods.linear.test_permutation_manova import many, normal
from tests.methods.linear.witness import several


def of_golden(case) -> tuple[pc.Scores, bool]:
    """Scores of a golden, and whether its design has blocks."""
    y = case["input"]["Y"]
    frame = pd.DataFrame(np.array(y["matrix"], float))
    frame.columns = [f"m{k}" for k in range(frame.shape[1])]
    metrics = dict.fromkeys(frame.columns, "higher")
    frame["algorithm"] = [f"A{j}" for j in case["input"]["alg"]]
    blocked = "blk" in case["input"]
    frame["block"] = (
        case["input"]["blk"] if blocked else frame.groupby("algorithm").cumcount()
    )
    scores = pc.Scores.from_frame(
        frame, algorithm="algorithm", block="block", metrics=metrics, missing="model"
    )
    return scores, blocked


def mardia_names() -> list[str]:
    """Goldens with psych's numbers; two algorithms have mirrored residuals."""
    return [
        name
        for name in golden_names("manova_")
        if "value" in golden(name)["outputs"].get("mardia_psych_residuals", {})
        and max(golden(name)["input"]["alg"]) > 2
    ]


@pytest.mark.parametrize("name", mardia_names())
def test_mardia_is_that_of_psych_with_the_population_covariance(name):
    case = golden(name)
    scores, blocked = of_golden(case)
    theirs = case["outputs"]["mardia_psych_residuals"]["value"]
    n = theirs["n.obs"]
    got = pc.multivariate_checks(scores, blocked=blocked)
    assert_digits(got.skewness, theirs["b1p"] * (n / (n - 1)) ** 3, at_least=11)
    assert_digits(got.kurtosis, theirs["b2p"] * (n / (n - 1)) ** 2, at_least=11)


def test_box_is_that_of_heplots_and_biotools():
    case = golden("manova_iris")
    scores, _ = of_golden(case)
    got = pc.multivariate_checks(scores, blocked=False).box_m
    for package in ("heplots", "biotools"):
        theirs = case["outputs"][f"boxM_{package}"]["value"]
        assert_digits(got.statistic, theirs["statistic"], at_least=12)
        assert_digits(got.p_value, theirs["p"], at_least=11)
        assert got.df == theirs["parameter"]


def test_mardia_of_raw_data_is_that_of_mvn():
    from pycompare.kernels.multivariate_normality import mardia

    case = golden("manova_iris")
    y = np.array(case["input"]["Y"]["matrix"])
    theirs = case["outputs"]["mardia_MVN_population_cov_raw"]["value"]
    got = mardia(y - y.mean(axis=0))
    assert_digits([got.chi2, got.z], theirs["Statistic"], at_least=11)
    p_values = [got.p_values[0], got.p_values[2]]
    assert_digits(p_values, theirs["p.value"], at_least=11)


HZ_IRIS = (2.3363942003154192, 4.1413116299305016e-19)


def test_henze_zirkler_is_that_of_pingouin():
    # pingouin.multivariate_normality 0.7.0 of the centred iris data (HZ, p).
    from pycompare.kernels.multivariate_normality import henze_zirkler

    y = np.array(golden("manova_iris")["input"]["Y"]["matrix"])
    statistic, p = henze_zirkler(y - y.mean(axis=0))
    assert_digits(statistic, HZ_IRIS[0], at_least=11)
    assert_digits(p, HZ_IRIS[1], at_least=8)


@pytest.mark.parametrize("blocked", [True, False])
def test_any_basis_and_unit_of_the_metrics_gives_the_same(blocked):
    values = normal(15, 4, 3, 1)
    mixed = values @ np.array([[1, 2, 0], [0, 1, 3], [1, 0, 1]]) * [1, 1e-9, 1e9]
    near, far = (
        pc.multivariate_checks(many(v), blocked=blocked).r_values()
        for v in (values, mixed)
    )
    assert near.keys() == far.keys()
    for name, value in near.items():
        assert_digits(far[name], value, at_least=10, what=name)


def test_metrics_that_follow_from_others_are_left_out_by_name():
    full = of_golden(golden("manova_confusion_rank2_full"))[0]
    reduced = of_golden(golden("manova_confusion_rank2_reduced_TP_FP"))[0]
    got, wanted = (pc.multivariate_checks(s) for s in (full, reduced))
    assert len(got.metrics) == 2
    assert any("rank 2, not 4" in note for note in got.notes)
    for name, value in wanted.r_values().items():
        assert_digits(got.r_values()[name], value, at_least=10, what=name)


def test_box_within_blocks_holds_its_level_and_would_not_uncorrected():
    rng = np.random.default_rng(2)
    p_values, uncorrected = [], []
    for _ in range(300):
        got = pc.multivariate_checks(many(rng.normal(size=(25, 3, 2))))
        p_values.append(got.box_m.p_value)
        uncorrected.append(got.box_m.statistic * 3 / 4)
    share = np.mean(np.array(p_values) <= 0.05)
    assert abs(share - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 300)
    from scipy import stats

    limit = stats.chi2.isf(0.05, got.box_m.df)
    assert np.mean(np.array(uncorrected) > limit) < 0.02


@pytest.mark.parametrize("blocked", [True, False])
def test_what_is_wrong_is_found(blocked):
    rng = np.random.default_rng(3)
    spread = rng.normal(size=(40, 4, 2)) * np.array([1, 1, 1, 6])[:, None]
    skewed = rng.exponential(size=(40, 4, 2))
    first = pc.multivariate_checks(many(spread), blocked=blocked)
    assert first.box_m.p_value < 1e-6 and first.box_m_f.p_value < 1e-6
    second = pc.multivariate_checks(many(skewed), blocked=blocked)
    assert second.mardia_skewness.p_value < 1e-4
    assert second.henze_zirkler.p_value < 1e-3


def test_two_algorithms_in_blocks_are_checked_by_their_differences():
    values = normal(20, 2, 2, 4)
    got = pc.multivariate_checks(many(values))
    assert math.isnan(got.box_m.p_value) and "mirrored" in got.box_m.notes[0]
    differences = values[:, 0] - values[:, 1]
    doubled = np.stack([differences, np.zeros_like(differences)], axis=1)
    other = pc.multivariate_checks(many(doubled))
    assert_digits(got.kurtosis, other.kurtosis, at_least=11)
    from pycompare.kernels.multivariate_normality import mardia

    alone = mardia(differences - differences.mean(axis=0))
    assert_digits(got.skewness, alone.skewness, at_least=11)
    assert_digits(got.mardia_skewness.p_value, alone.p_values[0], at_least=11)


def test_what_cannot_be_checked_says_why():
    few = pc.multivariate_checks(many(normal(3, 4, 3, 5)), blocked=False)
    assert "'A0' has 3 scores, and 3 metrics need 4" in few.box_m.notes[0]
    assert not math.isnan(few.mardia_kurtosis.p_value)
    still = normal(10, 3, 2, 6)
    still[:, 1, 0] = 0.5
    one = pc.multivariate_checks(many(still), blocked=False)
    assert "matrix of 'A1' is singular" in one.box_m.notes[0]
    holes = normal(10, 3, 2, 7)
    holes[4, 1] = np.nan
    gap = pc.multivariate_checks(many(holes, missing="model"))
    assert "missing cells" in gap.box_m.notes[0]
    assert not math.isnan(gap.henze_zirkler.p_value)
    nothing = pc.multivariate_checks(many(np.ones((5, 3, 2)) * [0.3, 0.7]))
    assert all(math.isnan(test.p_value) for test in nothing.tests.values())
    assert nothing.r_call() is None and math.isnan(nothing.skewness)


def test_approximations_are_told():
    blocked = pc.multivariate_checks(many(normal(10, 3, 2, 8)))
    assert any("1 - 1/(a - 1)^2" in note for note in blocked.box_m.notes)
    assert "30 of them on 18 degrees" in blocked.mardia_skewness.notes[0]
    assert "too large" in blocked.mardia_skewness.notes[0]
    few = pc.multivariate_checks(many(normal(5, 3, 2, 8)), blocked=False)
    assert any("4 degrees of freedom for 2 metrics" in n for n in few.box_m.notes)
    one_way = pc.multivariate_checks(many(normal(10, 3, 2, 8)), blocked=False)
    assert not any("degrees of freedom" in note for note in one_way.box_m.notes)
    assert not any("(a - 1)" in note for note in one_way.box_m.notes)
    assert len(one_way.to_frame()) == 6
    assert "Henze-Zirkler" in one_way.summary()


def test_residuals_without_freedom_have_no_shape_to_test():
    values = np.random.default_rng(3).normal(size=(2, 2, 1))
    got = pc.multivariate_checks(several(values))
    assert math.isnan(got.mardia_skewness.p_value)
    assert "one shape" in got.mardia_skewness.notes[0]
    assert math.isnan(got.henze_zirkler.p_value)

"""Our analyses beside stored ones of MRMCaov and RJafroc."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden_names
from tests.methods.multireader.readers import of_golden

NAMES = golden_names("mrmc_sim")
COVARIANCES = {"jackknife": "jackknife", "delong": "DeLong", "unbiased": "unbiased"}
SCOPES = {
    ("random", "random"): ("random_readers_random_cases", "RRRC"),
    ("fixed", "random"): ("fixed_readers_random_cases", "FRRC"),
    ("random", "fixed"): ("random_readers_fixed_cases", "RRFC"),
}
DIGITS = 11


def column(table, *names):
    return np.atleast_1d(next(table[name] for name in names if name in table))


def limits(table):
    return np.array(table["CI"]["matrix"]).T


def mrmcaov_cases():
    for name in NAMES:
        for scope in SCOPES:
            for covariance in COVARIANCES:
                if scope != ("random", "fixed") or covariance == "jackknife":
                    yield name, scope, covariance


@pytest.mark.parametrize(("name", "scope", "covariance"), list(mrmcaov_cases()))
def test_obuchowski_rockette_agrees_with_mrmcaov(name, scope, covariance):
    ratings, outputs = of_golden(name)
    out = outputs[f"MRMCaov_{COVARIANCES[covariance]}_{SCOPES[scope][0]}"]
    readers, cases = scope
    found = pc.mrmc(
        ratings, readers=readers, cases=cases, covariance=covariance, error="pooled"
    )
    test = out["test_equality"]
    omnibus = found.omnibus
    assert_digits(found.statistic, test.get("F", test.get("X2")), at_least=DIGITS)
    df = np.atleast_1d(omnibus.df)
    wanted = [test["df"]] if "df" in test else [test["df1"], test["df2"]]
    assert_digits(df, wanted, at_least=DIGITS, what="df")
    assert_digits(omnibus.p_value, test["p-value"], at_least=DIGITS, what="p")
    pairs, table = out["test_diffs"], found.table
    for ours, theirs in (("estimate", "Estimate"), ("std_error", "StdErr")):
        assert_digits(table[ours], column(pairs, theirs), at_least=DIGITS, what=ours)
    assert_digits(table["statistic"], column(pairs, "t", "z"), at_least=DIGITS)
    assert_digits(table["p_value"], column(pairs, "p-value"), at_least=DIGITS)
    low, high = limits(pairs)
    assert_digits(table["conf_low"], low, at_least=DIGITS)
    assert_digits(table["conf_high"], high, at_least=DIGITS)
    means, areas = out["test_means"], found.areas
    assert_digits(areas["estimate"], column(means, "Estimate"), at_least=DIGITS)
    assert_digits(areas["std_error"], column(means, "StdErr"), at_least=DIGITS)
    if "df" in means:
        assert_digits(areas["df"], column(means, "df"), at_least=DIGITS)
    low, high = limits(means)
    assert_digits(areas["conf_low"], low, at_least=DIGITS)
    assert_digits(areas["conf_high"], high, at_least=DIGITS)
    mean_squares = column(out["anova_T_R_TR"], "Mean Sq")
    assert_digits(found.anova["mean_sq"], mean_squares, at_least=DIGITS)
    if cases == "random":
        parts = out["vcov_comps"]
        ours = found.components["estimate"]
        assert_digits(ours, column(parts, "Estimate"), at_least=DIGITS, what="parts")
        assert_digits(
            found.components["correlation"],
            np.array(parts["Correlation"], float),
            at_least=DIGITS,
        )
        matrix = np.array(out["cov"]["matrix"])
        assert_digits(found.covariance, matrix, at_least=DIGITS, what="covariance")


@pytest.mark.parametrize("name", NAMES)
def test_single_readers_agree_with_mrmcaov(name):
    ratings, outputs = of_golden(name)
    out = outputs["MRMCaov_jackknife_fixed_readers_random_cases"]
    found = pc.mrmc(ratings, readers="fixed", error="pooled")
    ours = found.by_reader.sort_values(["algorithm", "reader"])
    theirs = out["reader_means"]
    assert_digits(ours["estimate"], theirs["empirical_auc"], at_least=DIGITS)
    assert_digits(ours["std_error"], theirs["StdErr"], at_least=DIGITS)
    low, high = limits(theirs)
    assert_digits(ours["conf_low"], low, at_least=DIGITS)
    assert_digits(ours["conf_high"], high, at_least=DIGITS)
    pairs = out["reader_test_diffs"]
    assert_digits(found.reader_pairs["estimate"], pairs["Estimate"], at_least=10)
    if len(ratings.modalities) == 2:
        # With three, MRMCaov puts the readers' errors to the wrong rows.
        z = found.reader_pairs["statistic"]
        assert_digits(z, pairs["z"], at_least=DIGITS)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scope", SCOPES)
def test_dorfman_berbaum_metz_agrees_with_rjafroc(name, scope):
    ratings, outputs = of_golden(name)
    key = SCOPES[scope][1]
    out = outputs[f"RJafroc_DBM_{key}"]
    readers, cases = scope
    found = pc.mrmc(ratings, method="dbm", readers=readers, cases=cases, error="pooled")
    tests = out[key]["FTests"]
    assert_digits(found.statistic, tests["FStat"][0], at_least=DIGITS)
    assert_digits(found.omnibus.df, tests["DF"], at_least=DIGITS)
    assert_digits(found.p_value, tests["p"][0], at_least=DIGITS)
    agree_on_pairs(found, out[key]["ciDiffTrt"])
    agree_on_means(found, out[key]["ciAvgRdrEachTrt"])
    anova = out["ANOVA"]["TRCanova"]
    for ours, theirs in (("df", "DF"), ("sum_sq", "SS"), ("mean_sq", "MS")):
        assert_digits(found.anova[ours], anova[theirs][:7], at_least=DIGITS, what=ours)
    parts = found.components["estimate"]
    wanted = out["ANOVA"]["VarCom"]["Estimates"]
    assert_digits(parts, wanted, at_least=DIGITS, what="components")
    if key == "FRRC":
        by_reader = out[key]["ciDiffTrtEachRdr"]
        pairs = found.reader_pairs
        assert_digits(pairs["std_error"], by_reader["StdErr"], at_least=DIGITS)
        if len(ratings.modalities) == 2:
            # With three, RJafroc has n - 1 degrees of freedom for a pooled error.
            assert_digits(pairs["df"], by_reader["DF"], at_least=DIGITS)
            assert_digits(pairs["p_value"], by_reader["PrGTt"], at_least=DIGITS)


def agree_on_pairs(found, table):
    for ours, theirs in (
        ("estimate", ("Estimate",)),
        ("std_error", ("StdErr",)),
        ("statistic", ("t", "z")),
        ("p_value", ("PrGTt", "PrGTz")),
        ("conf_low", ("CILower",)),
        ("conf_high", ("CIUpper",)),
    ):
        wanted = column(table, *theirs)
        assert_digits(found.table[ours], wanted, at_least=DIGITS, what=ours)


def agree_on_means(found, table):
    areas = found.areas
    assert_digits(areas["estimate"], column(table, "Estimate"), at_least=DIGITS)
    assert_digits(areas["std_error"], column(table, "StdErr"), at_least=DIGITS)
    # RJafroc lets limits pass 1.
    inside = column(table, "CIUpper") <= 1
    assert_digits(areas["conf_low"], column(table, "CILower"), at_least=DIGITS)
    high = column(table, "CIUpper")[inside]
    assert_digits(areas["conf_high"][inside], high, at_least=DIGITS)


@pytest.mark.parametrize("name", NAMES)
def test_obuchowski_rockette_agrees_with_rjafroc_where_it_floors_nothing(name):
    ratings, outputs = of_golden(name)
    found = pc.mrmc(ratings, error="pooled")
    out = outputs["RJafroc_OR_jackknife_RRRC"]
    f = column(out["RRRC"]["FTests"], "F", "FStat")[0]
    assert_digits(found.statistic, f, at_least=DIGITS)
    assert_digits(found.omnibus.df, out["RRRC"]["FTests"]["DF"], at_least=DIGITS)
    agree_on_pairs(found, out["RRRC"]["ciDiffTrt"])
    agree_on_means(found, out["RRRC"]["ciAvgRdrEachTrt"])
    fixed = pc.mrmc(ratings, readers="fixed", error="pooled")
    theirs = outputs["RJafroc_OR_jackknife_FRRC"]["FRRC"]
    cov2, cov3 = fixed.components["estimate"].iloc[4:]
    same = np.isclose(fixed.statistic, theirs["FTests"]["Chisq"][0], rtol=1e-9)
    assert same == (cov2 >= cov3)
    assert_digits(
        fixed.reader_pairs["std_error"],
        theirs["ciDiffTrtEachRdr"]["StdErr"],
        at_least=DIGITS,
    )
    assert_digits(
        fixed.reader_pairs["p_value"],
        theirs["ciDiffTrtEachRdr"]["PrGTz"],
        at_least=DIGITS,
    )


def test_one_golden_has_a_negative_difference_of_covariances():
    """It shows that fixed readers are tested without a floor, as in MRMCaov."""
    ratings, outputs = of_golden("mrmc_sim_3x4x45")
    fixed = pc.mrmc(ratings, readers="fixed", error="pooled")
    cov2, cov3 = fixed.components["estimate"].iloc[4:]
    assert cov2 < cov3
    floored = outputs["RJafroc_OR_jackknife_FRRC"]["FRRC"]["FTests"]["Chisq"][0]
    assert fixed.statistic > 1.08 * floored
    # The variance of a mean over fixed readers is that of its average covariances.
    t, r = 3, 4
    covariance = fixed.covariance.to_numpy().reshape(t, r, t, r).mean(axis=(1, 3))
    contrast = np.array([1, -1, 0])
    own = pc.mrmc(ratings, readers="fixed").table["std_error"][0]
    assert_digits(own**2, contrast @ covariance @ contrast, at_least=12)

import dataclasses
import json

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.results.guarantees import guarantee_of
from tests.methods.multireader.readers import made, simulated
from validation.simulations.parts import RESULTS


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"method": "anova"}, pc.InputError, "method='anova': choose 'or' or 'dbm'"),
        ({"readers": "some"}, pc.InputError, "readers='some'"),
        ({"readers": "fixed", "cases": "fixed"}, pc.InputError, "nothing is left"),
        ({"df": "1992"}, pc.InputError, "method='dbm'"),
        ({"df": "2007"}, pc.InputError, "df='2007'"),
        (
            {"df": "1992", "method": "dbm", "cases": "fixed"},
            pc.InputError,
            "random readers and random cases",
        ),
        ({"method": "dbm", "covariance": "delong"}, pc.InputError, "pseudovalues"),
        ({"covariance": "hanley"}, pc.InputError, "choose one of 'jackknife'"),
        ({"error": "mine"}, pc.InputError, "'own' or 'pooled'"),
        ({"adjust": "nemenyi"}, pc.InputError, "mean ranks"),
        ({"adjust": "hom"}, pc.InputError, "did you mean"),
        ({"control": "M3"}, pc.InputError, "control 'M3' is not a modality"),
        (
            {"control": "M1", "adjust": "bergmann-hommel"},
            pc.InputError,
            "with a control have no logical relations",
        ),
        ({"level": 95}, pc.InputError, "level=95"),
        ({"margin": -0.05}, pc.InputError, "margin=-0.05: give a positive number"),
        ({"margin": 0.0}, pc.InputError, "margin=0.0"),
        ({"margin": float("nan")}, pc.InputError, "margin=nan"),
        ({"margin": float("inf")}, pc.InputError, "margin=inf"),
        ({"margin": "0.1"}, pc.InputError, "margin='0.1': give a positive number"),
        ({"margin": True}, pc.InputError, "margin=True"),
        ({"level": "95%"}, pc.InputError, "level='95%': give a confidence level"),
        ({"adjust": 3}, pc.InputError, "no adjustment is called 3"),
        (
            {"figure": "sensitivity", "threshold": "high"},
            pc.InputError,
            "threshold='high': give a finite number",
        ),
        (
            {"figure": "partial_auc", "fpr_range": 0.2},
            pc.InputError,
            "fpr_range=0.2: give 0 <= low < high <= 1",
        ),
        (
            {"figure": "partial_auc", "fpr_range": (0, 0.1, 0.2)},
            pc.InputError,
            "0 <= low < high",
        ),
        (
            {"margin": 0.1, "adjust": "bergmann-hommel", "hypothesis": "equivalence"},
            pc.InputError,
            "adjust='bergmann-hommel' needs hypotheses .* margin.* are not transitive",
        ),
        (
            {"margin": 0.1, "adjust": "shaffer", "hypothesis": "equivalence"},
            pc.InputError,
            "choose 'holm'",
        ),
        ({"seed": 1}, pc.InputError, "bootstrap"),
        (
            {"covariance": "bootstrap", "resamples": 1},
            pc.InputError,
            "resamples=1: give a",
        ),
        ({"figure": "kappa"}, pc.InputError, "choose one of 'auc'"),
        ({"figure": "sensitivity"}, pc.InputError, "needs threshold"),
        ({"threshold": 0.5}, pc.InputError, "'auc' has no threshold"),
        ({"figure": "partial_auc"}, pc.InputError, "needs fpr_range"),
        (
            {"figure": "partial_auc", "fpr_range": (0.4, 0.1)},
            pc.InputError,
            "0 <= low < high <= 1",
        ),
        (
            {"figure": "partial_auc", "fpr_range": (0, 0.1), "covariance": "delong"},
            pc.InputError,
            "'jackknife' or 'bootstrap'",
        ),
        ({"better": "low"}, pc.InputError, "choose 'higher' or 'lower'"),
        ({"figure": "mean"}, pc.InputError, "better='higher' or better='lower'"),
    ],
)
def test_bad_options_are_refused(options, error, says):
    with pytest.raises(error, match=says):
        pc.mrmc(simulated(t=2, r=3, n=12), **options)


@pytest.mark.parametrize("unit", [1e300, 1e-300])
def test_mean_ratings_whose_variances_overflow_or_vanish_are_refused(unit):
    ratings = simulated(t=2, r=3, n=12)
    scaled = made(unit * ratings.values, ratings.truth)
    with pytest.raises(pc.InputError, match=r"largest rating is .* another unit"):
        pc.mrmc(scaled, figure="mean", better="higher")
    assert pc.mrmc(scaled).p_value == pc.mrmc(ratings).p_value


def test_mean_ratings_of_any_other_unit_have_the_same_test():
    ratings = simulated(t=2, r=3, n=12)
    scaled = made(2.0**-200 * ratings.values, ratings.truth)
    expected = pc.mrmc(ratings, figure="mean", better="higher")
    got = pc.mrmc(scaled, figure="mean", better="higher")
    assert_digits(got.p_value, expected.p_value, at_least=12)


def test_bad_designs_are_refused():
    with pytest.raises(pc.InputError, match="expected Ratings, got list"):
        pc.mrmc([[1.0, 2.0]])
    with pytest.raises(pc.DesignError, match="two modalities"):
        pc.mrmc(simulated(t=1))
    with pytest.raises(pc.DesignError, match="readers='fixed'"):
        pc.mrmc(simulated(r=1))
    truth = np.arange(9) == 0
    ratings = made(np.random.default_rng(0).normal(size=(2, 2, 9)), truth)
    with pytest.raises(pc.DesignError, match="1 positive and 8 negative"):
        pc.mrmc(ratings)


def test_perfect_readers_cannot_be_tested():
    truth = np.arange(20) < 8
    ratings = made(np.broadcast_to(truth * 1.0, (3, 4, 20)), truth)
    for options in ({}, {"readers": "fixed"}, {"cases": "fixed"}, {"method": "dbm"}):
        found = pc.mrmc(ratings, **options)
        assert np.isnan([found.statistic, found.p_value]).all()
        assert (found.areas["estimate"] == 1).all()
        assert found.table["estimate"].eq(0).all()
        assert found.table[["p_value", "p_adjusted"]].isna().all(axis=None)
        assert any("every figure is at its limit" in note for note in found.notes)
        assert "no modality differs" in found.omnibus.notes[0]


def test_identical_modalities_cannot_be_tested_and_others_can():
    ratings = simulated(t=2, r=5)
    values = ratings.values[[0, 0, 1]]
    found = pc.mrmc(made(values, ratings.truth))
    row = found.table.iloc[0]
    assert row["estimate"] == row["std_error"] == 0
    assert np.isnan(row[["statistic", "p_value", "p_adjusted"]].astype(float)).all()
    assert any("not tested" in n and "M1 and M2" in n for n in found.notes)
    assert np.isfinite(found.table["p_value"][1:]).all()
    alone = pc.mrmc(ratings).table.iloc[0]
    assert_digits(found.table["p_value"][1], alone["p_value"], at_least=11)
    two = pc.mrmc(made(values[:2], ratings.truth))
    assert np.isnan(two.p_value) and "no modality differs" in two.omnibus.notes[0]


def test_readers_who_agree_have_infinite_degrees_of_freedom():
    ratings = simulated(t=2, r=1, n=30)
    values = np.repeat(ratings.values, 3, axis=1)
    found = pc.mrmc(made(values, ratings.truth))
    fixed = pc.mrmc(made(values, ratings.truth), readers="fixed")
    assert found.omnibus.statistic_name == "chi2"
    assert "infinite degrees of freedom" in found.omnibus.notes[0]
    assert_digits(found.p_value, fixed.p_value, at_least=10)


def test_two_readers_are_flagged():
    found = pc.mrmc(simulated(t=2, r=2))
    assert any("two readers" in note for note in found.notes)


def test_negative_components_are_reported_and_floored_beside():
    for seed in range(30):
        found = pc.mrmc(simulated(t=2, r=3, n=24, seed=seed))
        table = found.components
        below = table["estimate"] < 0
        floored = table["floored"].to_numpy()
        assert (floored == np.maximum(table["estimate"], 0)).all()
        told = [n for n in found.notes if "negative variance estimates" in n]
        assert bool(told) == below.any()
        if below.any():
            assert all(name in told[0] for name in table["component"][below])
            return
    raise AssertionError("no case has a negative component")


def test_claims_are_one_sided_tests_against_the_margin():
    ratings = simulated(t=3, r=5, n=60, shift=0.1)
    found = pc.mrmc(
        ratings, margin=0.1, hypothesis="equivalence", pair_tests="published"
    )
    row = found.table.iloc[1]
    claims = found.claims.set_index(["claim", "algorithm_1", "algorithm_2"])
    ahead = claims.loc["superior", "M1", "M3"]
    assert_digits(ahead["statistic"], row["statistic"], at_least=12)
    one_sided = row["p_value"] / 2 if row["estimate"] > 0 else 1 - row["p_value"] / 2
    assert_digits(ahead["p_value"], one_sided, at_least=11)
    both = [
        claims.loc["non-inferior", *p]["p_value"] for p in (("M1", "M3"), ("M3", "M1"))
    ]
    assert claims.loc["equivalent", "M1", "M3"]["p_value"] == max(both)
    t = (row["estimate"] + 0.1) / row["std_error"]
    assert_digits(claims.loc["non-inferior", "M1", "M3"]["statistic"], t, at_least=12)
    equivalent = found.claims.query("claim == 'equivalent'")
    wanted = pc.adjust(equivalent["p_value"].to_numpy(), "holm")
    assert np.array_equal(equivalent["p_adjusted"], wanted)
    assert pc.mrmc(ratings).claims is None


@pytest.mark.parametrize("error", ["own", "pooled"])
def test_with_a_control_the_others_are_compared_with_it(error):
    ratings = simulated(t=4, r=5)
    options = {
        "error": error,
        "margin": 0.1,
        "hypothesis": "equivalence",
        "pair_tests": "published",
    }
    every = pc.mrmc(ratings, **options)
    found = pc.mrmc(ratings, control="M2", **options)
    assert list(found.table["algorithm_1"]) == ["M1", "M3", "M4"]
    assert set(found.table["algorithm_2"]) == {"M2"}
    whole = every.table.set_index(["algorithm_1", "algorithm_2"])
    for row in found.table.itertuples():
        turned = row.algorithm_1 > "M2"
        pair = ("M2", row.algorithm_1) if turned else (row.algorithm_1, "M2")
        want = whole.loc[pair]
        assert_digits(row.p_value, want["p_value"], at_least=14)
        assert row.estimate == (-1 if turned else 1) * want["estimate"]
        assert row.conf_high == (-want["conf_low"] if turned else want["conf_high"])
    raw = found.table["p_value"].to_numpy()
    assert_digits(found.table["p_adjusted"], pc.adjust(raw, "holm"), at_least=14)
    assert found.omnibus.p_value == every.omnibus.p_value
    assert "with the control M2" in found.family


def test_claims_with_a_control_are_about_the_others():
    ratings = simulated(t=3, r=5, n=60, shift=0.1)
    found = pc.mrmc(
        ratings, margin=0.1, hypothesis="non-inferiority", control="M1"
    ).claims
    keys = ["claim", "algorithm_1", "algorithm_2"]
    want = pc.mrmc(ratings, margin=0.1, hypothesis="equivalence").claims.set_index(keys)
    assert found["claim"].value_counts().to_dict() == {
        "superior": 2,
        "non-inferior": 2,
        "equivalent": 2,
    }
    for row in found.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        same = pair[::-1] if row.claim == "equivalent" else pair
        assert_digits(row.p_value, want.loc[(row.claim, *same), "p_value"], at_least=13)
    three = found.query("claim == 'non-inferior'")
    adjusted = pc.adjust(three["p_value"].to_numpy(), "holm")
    assert np.array_equal(three["p_adjusted"], adjusted)


def test_lower_is_better_turns_the_claims():
    rng = np.random.default_rng(0)
    loss = rng.random((2, 4, 30)) + np.array([0.0, 0.3])[:, None, None]
    found = pc.mrmc(
        made(loss, None),
        figure="mean",
        better="lower",
        margin=0.05,
        hypothesis="equivalence",
    )
    claims = found.claims.set_index(["claim", "algorithm_1", "algorithm_2"])
    assert claims.loc["superior", "M1", "M2"]["p_value"] < 0.05
    assert claims.loc["non-inferior", "M2", "M1"]["p_value"] > 0.5
    assert found.better()[0, 1]


def test_results_say_whom_they_concern():
    ratings = simulated()
    assert pc.mrmc(ratings).population == "new readers and new cases"
    assert pc.mrmc(ratings, readers="fixed").population == "these readers and new cases"
    analyses = pc.mrmc(ratings, cases="fixed").analyses.set_index("analysis")
    for readers, cases in (("random", "random"), ("fixed", "random")):
        found = pc.mrmc(ratings, readers=readers, cases=cases)
        row = analyses.loc[f"readers {readers}, cases {cases}"]
        assert row["p_value"] == found.p_value
        assert row["population"] == found.population
    text = pc.mrmc(ratings).summary()
    assert "Scope of conclusions: new readers and new cases." in text
    assert "F(2, " in text


def test_results_are_plain_values():
    found = pc.mrmc(simulated(), margin=0.05, hypothesis="equivalence")
    plain = json.loads(json.dumps(found.to_dict()))
    assert len(plain["by_reader"]) == 12 and len(plain["claims"]) == 15
    assert plain["covariance_method"] == "jackknife"


def test_limits_of_areas_stay_between_0_and_1():
    truth = np.arange(24) < 12
    values = truth + 0.4 * np.random.default_rng(2).normal(size=(2, 3, 24))
    found = pc.mrmc(made(values, truth), level=0.999)
    assert found.areas["conf_high"].max() == 1.0
    assert found.by_reader["conf_high"].max() <= 1.0


def test_unbiased_variances_can_be_negative_and_then_nothing_is_tested():
    for seed in range(200):
        ratings = simulated(t=2, r=1, n=5, seed=seed, grid=2.0)
        found = pc.mrmc(ratings, covariance="unbiased", readers="fixed")
        error = found.table["std_error"][0]
        if np.isnan(error):
            assert np.isnan(found.p_value) and np.isnan(found.table["p_value"][0])
            assert any("not tested" in note for note in found.notes)
            return
    raise AssertionError("no case has a negative variance")


def test_a_pooled_error_of_three_modalities_says_what_it_requires():
    path = RESULTS / "reader-families.json"
    rows = json.loads(path.read_text("utf-8"))["table"]
    rate = {row["condition"]: row["estimate"] for row in rows}
    name = "no difference of any pair, two of four better and steadier"
    pooled, own = rate[f"pooled error: {name}"], rate[name]
    for t in (2, 3):
        found = pc.mrmc(simulated(t), error="pooled")
        told = " ".join(found.notes)
        assert ("differences of all pairs have one variance" in told) is (t > 2)
        assert (f"rejected in {pooled:.1%} of studies" in told) is (t > 2)
        assert (f"own error in {own:.1%}" in told) is (t > 2)
        conditions = guarantee_of(found).conditions
        assert ("equal-variances" in conditions) is (t > 2)
        assert "one variance" not in " ".join(pc.mrmc(simulated(t)).notes)


def test_few_cases_of_a_class_are_named_with_how_far_off_results_then_are():
    for n, said in ((19, True), (20, False)):
        told = " ".join(pc.mrmc(simulated(2, 5, 2 * n)).notes)
        assert (f"class has {n} cases, fewer than 20" in told) is said
        assert ("of true hypotheses are rejected at 0.05" in told) is said
    fixed = pc.mrmc(simulated(2, 5, 38), cases="fixed")
    assert "fewer than" not in " ".join(fixed.notes)


def test_components_of_rounding_are_zero():
    values = np.zeros((2, 4, 40))
    values[:, :, :20] = 1.0
    values[0, 0, 0] = 0.0
    ratings = dataclasses.replace(
        simulated(t=2, r=4, n=40), values=values, truth=np.arange(40) < 20
    )
    found = pc.mrmc(ratings, figure="sensitivity", threshold=0.5)
    reader = found.components.set_index("component")["estimate"]["reader"]
    assert reader == 0  # of four readers, one lower in one of two modalities
    assert not any("reader (-" in note and "e-1" in note for note in found.notes)

"""Mixed models by formula: published fits, balanced identities, refusals."""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.testing import assert_digits
from validation.checks.models import designed, experiment

SPLIT = "yield ~ Variety * C(nitro)"


def by_term(model):
    return model.anova[model.anova["term"] != "residuals"].set_index("term")


@pytest.mark.parametrize("df", ["kenward-roger", "satterthwaite"])
@pytest.mark.parametrize(
    ("name", "formula", "within"),
    [
        ("oats", SPLIT, "Block/Variety"),
        ("machines", "score ~ Machine", "Worker/Machine"),
    ],
)
def test_balanced_strata_and_reml_agree(name, formula, within, df):
    frame = experiment(name)
    strata = by_term(pc.linear_model(frame, formula, within=within))
    mixed = pc.linear_model(frame, formula, within=within, method="reml", df=df)
    found = by_term(mixed)
    for column in ("statistic", "df1", "df2", "p_value", "partial_eta2", "conf_high"):
        assert_digits(found[column], strata[column], at_least=8)
    assert set(found["stratum"]) == {"mixed model"}


def test_emmeans_of_balanced_data_agree_with_those_of_strata():
    frame = experiment("oats")
    tables = [
        pc.linear_model(frame, SPLIT, within="Block/Variety", method=method)
        .contrasts("Variety")
        .table
        for method in ("strata", "reml")
    ]
    for column in ("estimate", "std_error", "df", "p_adjusted", "std_effect"):
        assert_digits(tables[1][column], tables[0][column], at_least=8)


def test_variances_of_published_fits():
    # Pinheiro and Bates (2000), p. 24 and 47: standard deviations by REML.
    machines = pc.linear_model(
        experiment("machines"), "score ~ Machine", within="Worker/Machine"
    ).variances
    assert machines.table["unit"].tolist() == ["Worker", "Worker:Machine", "rows"]
    assert_digits(machines.table["std_dev"], [4.78105, 3.72953, 0.96158], at_least=5)
    # logLik is -107.8438 with treatment contrasts, whose det(X'X) is a ninth.
    wanted = -107.8438 - 0.5 * np.log(9)
    assert machines.log_likelihood[0] == pytest.approx(wanted, abs=1e-4)
    oats = pc.linear_model(
        experiment("oats"), "yield ~ C(nitro)", within="Block/Variety"
    ).variances
    # With nitrogen as a number (p. 47): 14.50598, 11.00468, 12.86696.
    number = pc.linear_model(
        experiment("oats"), "yield ~ nitro", within="Block/Variety", method="reml"
    ).variances
    assert_digits(number.table["std_dev"], [14.50598, 11.00468, 12.86696], at_least=5)
    assert oats.table["share"].sum() == pytest.approx(1)


def test_sleepstudy_with_random_intercepts():
    # Help page of lme4: lmer(Reaction ~ Days + (1 | Subject), sleepstudy).
    model = pc.linear_model(
        experiment("sleepstudy"), "Reaction ~ Days", within="C(Subject)", method="reml"
    )
    assert_digits(model.variances.table["variance"], [1378.18, 960.46], at_least=4.8)
    assert by_term(model).loc["Days", "statistic"] == pytest.approx(169.4014, abs=1e-3)
    assert by_term(model).loc["Days", "df2"] == pytest.approx(161)
    slope = model.slopes("Days").table
    assert slope["estimate"][0] == pytest.approx(10.46729, abs=1e-5)
    assert slope["std_error"][0] == pytest.approx(0.80422, abs=1e-5)


def test_oats_without_plots_as_lmertest_and_pbkrtest_have_them():
    frame = experiment("oats").drop(index=[0, 7, 30, 44])
    formula = "yield ~ Variety + C(nitro)"
    # contest(lmer(yield ~ Variety + nitro + (1 | Block) + (1 | Block:Variety)), L).
    wanted = {
        "satterthwaite": [(1.56637245, 9.97236868), (36.22942033, 47.14900449)],
        "kenward-roger": [(1.56568468, 9.97825895), (36.10313526, 47.45036336)],
    }
    for df, rows in wanted.items():
        model = pc.linear_model(frame, formula, within="Block/Variety", df=df)
        found = by_term(model)[["statistic", "df2"]].to_numpy()
        # Fai and Cornelius' df depend on the basis of the hypothesis in the 6th digit.
        assert_digits(found, np.array(rows), at_least=5)
        assert "mixed model, REML" in model.notes[-1]


def test_auto_takes_strata_where_they_are_exact():
    frame = designed(8, 4)
    formula, units = "error ~ learner * prep", {"within": "data/fold"}
    assert "REML" in pc.linear_model(frame, formula, **units).notes[-1]
    with pytest.raises(pc.DesignError, match="need balanced data"):
        pc.linear_model(frame, formula, **units, method="strata")
    balanced = pc.linear_model(designed(8), formula, **units)
    assert not balanced.notes and "rows" in set(balanced.anova["stratum"])


def test_units_of_unequal_size_are_not_tested_as_if_equal():
    rng = np.random.default_rng(1)
    data = np.repeat([f"d{i}" for i in range(6)], [2, 3, 9, 4, 5, 7])
    kind = np.where(np.isin(data, ["d0", "d1", "d2"]), "text", "image")
    frame = pd.DataFrame({"data": data, "kind": kind, "y": rng.normal(size=30)})
    auto = pc.linear_model(frame, "y ~ kind", within="data")
    assert by_term(auto).loc["kind", "stratum"] == "mixed model"
    strata = pc.linear_model(frame, "y ~ kind", within="data", method="strata")
    assert "approximate" in strata.notes[0]


def test_units_change_no_test_of_a_mixed_model():
    frame = designed(5, 9)
    tables = [
        by_term(
            pc.linear_model(
                frame.assign(error=frame["error"] * scale),
                "error ~ learner * prep",
                within="data/fold",
            )
        )
        for scale in (1, 1e-200, 1e200)
    ]
    for other in tables[1:]:
        assert_digits(other["statistic"], tables[0]["statistic"], at_least=9)


def test_each_response_has_its_own_variances_and_manova_is_refused():
    frame = designed(6, 7)
    both = pc.linear_model(frame, "cbind(error, auc) ~ learner", within="data")
    one = pc.linear_model(frame, "auc ~ learner", within="data")
    row = both.anova[both.anova["response"] == "auc"].iloc[0]
    assert_digits(
        row["statistic"], by_term(one).loc["learner", "statistic"], at_least=9
    )
    with pytest.raises(pc.DesignError, match="needs balanced strata"):
        _ = both.manova


def test_units_without_a_variance_are_named_or_refused():
    frame = designed(7, 5)
    model = pc.linear_model(
        frame, "error ~ data + learner", within="data/fold", method="reml"
    )
    assert any("units data have no variance of their own" in n for n in model.notes)
    frame["row"] = [f"r{i}" for i in range(len(frame))]
    with pytest.raises(pc.DesignError, match="each is one row"):
        pc.linear_model(frame, "error ~ learner", within="row", method="reml")
    with pytest.raises(pc.DesignError, match="rows do not vary within units"):
        pc.linear_model(
            frame.assign(error=frame["data"].str[1:].astype(float)),
            "error ~ learner", within="data", method="reml",
        )  # fmt: skip
    with pytest.raises(pc.DesignError, match="rows are independent"):
        _ = pc.linear_model(frame, "error ~ learner").variances
    with pytest.raises(pc.InputError, match="needs units"):
        pc.linear_model(frame, "error ~ learner", method="reml")
    for wrong in ({"method": "lmer"}, {"df": "exact"}):
        with pytest.raises(pc.InputError, match="choose one of"):
            pc.linear_model(frame, "error ~ learner", within="data", **wrong)


def test_empty_cells_are_not_estimable_in_a_mixed_model():
    frame = designed(10, 4)
    frame = frame[~((frame["learner"] == "L2") & (frame["prep"] == "p1"))]
    model = pc.linear_model(frame, "error ~ learner * prep", within="data")
    assert any("learner:prep lacks 1" in note for note in model.notes)
    means = model.emmeans(("learner", "prep")).table
    empty = (means["learner"] == "L2") & (means["prep"] == "p1")
    assert means["estimate"].isna().equals(empty)


def test_r_code_of_a_mixed_model_names_lmertest():
    model = pc.linear_model(designed(9, 6), "error ~ learner", within="data")
    assert "lmerTest" in model.r_code() and "lme4::VarCorr" in model.variances.r_code()


def sleepstudy_of_two_groups():
    frame = experiment("sleepstudy")
    odd = frame["Subject"].rank(method="dense").astype(int) % 2 == 1
    return frame.assign(late=np.where(odd, "a", "b")).drop(index=[2, 39, 40, 96])


def test_type_two_adjusts_a_factor_for_no_slopes_of_its_own():
    made = [
        by_term(
            pc.linear_model(
                sleepstudy_of_two_groups(),
                "Reaction ~ late * Days",
                within="C(Subject)",
                type=type_,
            )
        ).loc["late"]
        for type_ in (2, 3)
    ]
    # car::Anova(type = 2, test = "F"); lmerTest::anova(type = 2) has that of type 3.
    assert_digits(made[0][["statistic", "df2"]], [0.6638, 16.001], at_least=3.5)
    assert made[1]["statistic"] == pytest.approx(0.0001, abs=5e-5)
    assert_digits(made[1]["df2"], 21.289, at_least=4)


def test_the_units_of_polynomials_shift_the_likelihood_alone():
    frame, options = sleepstudy_of_two_groups(), {"within": "C(Subject)"}
    curve, line = (
        pc.linear_model(frame, f"Reaction ~ {terms}", method="reml", **options)
        for terms in ("poly(Days, 2)", "poly(Days, 1)")
    )
    # logLik(lmer(Reaction ~ poly(Days, 2) + (1 | Subject))).
    likelihood = curve.variances.log_likelihood[0]
    assert likelihood == pytest.approx(-869.3949, abs=1e-4)
    column = curve.fit.columns[curve.fit.read.terms[0][0]].columns()
    lengths = np.linalg.norm(column, axis=0)
    assert likelihood + np.log(lengths).sum() == pytest.approx(-864.3553, abs=1e-4)
    own = pc.linear_model(frame, "Reaction ~ Days", method="reml", **options)
    assert_digits(by_term(line)["statistic"], by_term(own)["statistic"], at_least=8)

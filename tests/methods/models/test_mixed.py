"""Mixed models by formula: published fits, balanced identities, refusals."""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden
from validation import model_designs
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
    with pytest.raises(pc.DesignError, match="needs error strata"):
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
        with pytest.raises(pc.InputError, match="choose "):
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


# ---- terms split over strata ---------------------------------------------------------

SEQUENCES = {
    "g1": "9.6 10.5 11.0 9.2 8.9 10.3 9.3 9.3 11.0",
    "g2": "18.5 18.5 20.3 17.6 17.8 17.6 17.4 18.9 18.6",
    "g3": "9.8 10.7 11.3 9.3 10.2 11.5 9.8 9.4 10.8",
}


def sequences(*groups):
    """Units of each group that run algorithms in a sequence of their group."""
    frames = [
        pd.DataFrame(
            {
                "unit": np.repeat([f"{group}u{i}" for i in range(3)], 3),
                "group": group,
                "alg": list(("ABB" if group == "g2" else "AAB") * 3),
                "y": np.array(SEQUENCES[group].split(), float),
            }
        )
        for group in groups
    ]
    frame = pd.concat(frames, ignore_index=True)
    return frame.assign(z=np.square(frame["y"]) + np.arange(len(frame)))


@pytest.mark.parametrize(
    ("groups", "wanted"),
    # lmerTest's anova(ddf = "Kenward-Roger"); aov() for type I.
    [
        (("g1", "g2", "g3"), (2, 6.2047, 222.26, 252.67)),
        (("g1", "g2"), (1, 4.2661, 265.48, 298.21)),
    ],
)
def test_a_term_that_loses_df_to_another_is_tested_by_reml(groups, wanted):
    frame = sequences(*groups)
    for type_ in (2, 3):
        model = pc.linear_model(frame, "y ~ group + alg", within="unit", type=type_)
        row = by_term(model).loc["group"]
        assert_digits(row[["df1", "df2", "statistic"]], wanted[:3], at_least=4)
        assert not any("lacks" in note for note in model.notes)
        assert model.r_call().function == "mixed_model_reference"
    sequential = pc.linear_model(frame, "y ~ group + alg", within="unit", type=1)
    assert_digits(by_term(sequential).loc["group", "statistic"], wanted[3], at_least=4)


@pytest.mark.parametrize("terms", ["group + alg", "alg + group"])
def test_the_remedy_for_a_split_term_works(terms):
    frame = sequences(*SEQUENCES)
    both = pc.linear_model(frame, f"cbind(y, z) ~ {terms}", within="unit")
    order = "" if terms == "group + alg" else " with the terms in the order group, alg"
    with pytest.raises(pc.DesignError, match=f"the term alg varies.*: type=1{order}$"):
        pc.linear_model(frame, f"y ~ {terms}", within="unit", method="strata")
    remedy = f"use method='strata' and type=1{order}"
    with pytest.raises(pc.DesignError, match=remedy):
        both.permutation_test("group", seed=1)
    with pytest.raises(pc.DesignError, match=remedy):
        both.manova_of("group")
    followed = pc.linear_model(
        frame, "cbind(y, z) ~ group + alg", within="unit", type=1, method="strata"
    )
    made = followed.permutation_test("group", permutations=99, seed=1).table
    assert_digits(made["statistic"][0], 252.668344, at_least=8)
    assert_digits(followed.manova_of("group").table["df1"], [4, 4, 4, 2], at_least=15)


def test_a_split_term_without_a_remedy_by_permutation_is_told_none():
    rows = [
        (domain, f"{domain}{k}", f"f{fold}", alg)
        for domain in "pq"
        for k in range(3)
        for fold in range(3)
        for alg in ("AAB" if domain == "p" else "AB")
    ]
    frame = pd.DataFrame(rows, columns=["domain", "data", "fold", "alg"])
    frame["y"] = np.random.default_rng(3).normal(size=len(frame))
    model = pc.linear_model(frame, "y ~ domain + alg", within="data/fold")
    assert by_term(model)["df1"].tolist() == [1, 1]
    # Data sets differ in size: those of the two domains cannot be exchanged.
    with pytest.raises(pc.DesignError, match=r"balanced strata$"):
        model.permutation_test("domain", seed=1)
    with pytest.raises(pc.DesignError, match=r"use method='strata' and type=1$"):
        model.permutation_test("alg", seed=1)
    strata = pc.linear_model(
        frame, "y ~ domain + alg", within="data/fold", type=1, method="strata"
    )
    assert strata.permutation_test("alg", permutations=99, seed=1).units == len(frame)


def test_a_model_without_a_constant_lacks_nothing_for_it():
    frame = designed(2).groupby(["data", "learner"], as_index=False)["error"].mean()
    frame["kind"] = np.where(frame["data"] < "d3", "text", "image")
    model = pc.linear_model(frame, "error ~ 0 + kind + learner", within="data")
    assert model.fit.mixed is None
    assert not any("lacks" in note for note in model.notes)
    assert by_term(model).loc["kind", "df1"] == 1


@pytest.mark.parametrize("name", ["mixed_split", "mixed_unequal"])
def test_random_designs_without_one_stratum_have_lmertests_f(name):
    for design in golden(name)["designs"]:
        columns = {
            key: [f"{key}{one:.0f}" for one in design[key]]
            for key in ("group", "unit", "treatment", "fold")
            if key in design
        }
        frame = pd.DataFrame({**columns, "y": design["y"]})
        terms = [key for key in ("group", "treatment") if key in columns]
        formula = f"y ~ {' + '.join(terms)}"
        auto = pc.linear_model(frame, formula, within=design["within"])
        plain = pc.linear_model(frame, formula)
        df = by_term(plain)["df1"]
        assert by_term(auto)["df1"].reindex(df.index).equals(df)
        model = pc.linear_model(frame, formula, within=design["within"], method="reml")
        ours, wanted = by_term(model), design["tests"]
        if design["log_likelihood"] < model.variances.log_likelihood[0] - 1e-4:
            continue  # R's search ended too early
        for key in ("df1", "df2", "statistic"):
            assert_digits(
                ours[key],
                np.atleast_1d(wanted[key]),
                at_least=3,
                what=str(design["seed"]),
            )


# ---- poles of Kenward and Roger's moments --------------------------------------------


@pytest.mark.parametrize(
    ("formula", "within", "y", "term", "f"),
    [
        ("y ~ a", "b", "8 6 5 3 3 1 1 1", "a", 6.4),
        ("y ~ a + b", "a:b", "2 7 6 6 3 1 9 7 3 3 8 5", "b", 7.934426),
        # Where the component is 0 it is not the F of the stratum, .342: pbkrtest's.
        ("y ~ a + b", "a:b", "8 1 2 3 2 8 8 6 1 1 3 4", "b", 0.289017),
    ],
)
def test_f_at_the_poles_of_its_moments(formula, within, y, term, f):
    values = np.array(y.split(), float)
    cells = np.repeat(np.arange(len(values) // 2), 2)
    a = cells // 2
    frame = pd.DataFrame({"a": a, "b": cells % 2 if "+" in formula else cells})
    frame = frame.map("l{}".format).assign(y=values)
    model = pc.linear_model(frame, formula, within=within, method="reml")
    row = by_term(model).loc[term]
    assert_digits(row[["statistic", "df2"]], (f, 2), at_least=5)


@pytest.mark.parametrize("seed", range(30))
def test_f_of_few_degrees_of_freedom_is_that_of_the_stratum(seed):
    design = model_designs.pole_design(seed)
    mixed = model_designs.fitted(design, method="reml")
    own = by_term(mixed)
    if mixed.variances.table["variance"][0] > 0:
        strata = by_term(model_designs.fitted(design, method="strata"))
        for column in ("statistic", "df1", "df2", "p_value"):
            assert_digits(own[column], strata[column], at_least=8)
    assert np.isfinite(own["p_value"]).all()


# ---- responses far from 0 ------------------------------------------------------------

FEW = pd.DataFrame(
    {
        "unit": np.repeat(["u1", "u2", "u3", "u4"], 3),
        "alg": list("abc") * 4,
        "y": [3.0, 4, 6, 2, 5, 7, 1, 4, 4, 5, 5, 9],
    }
)


@pytest.mark.parametrize("shift", [0, 1e6, 1e9, 1e12])
def test_digits_of_a_mixed_model_do_not_fall_with_a_shift(shift):
    frame = FEW.assign(y=FEW["y"] + shift)
    model = pc.linear_model(frame, "y ~ alg", within="unit", method="reml")
    assert_digits(by_term(model)["statistic"], [14.485714285714286], at_least=14)
    variances = model.variances.table["variance"]
    assert_digits(variances, [1.5555555555555556, 0.9722222222222222], at_least=14)
    assert_digits(
        model.contrasts("alg").table["estimate"], [-1.75, -3.75, -2], at_least=14
    )
    means = model.emmeans("alg").table["estimate"]
    assert_digits(means, shift + np.array([2.75, 4.5, 6.5]), at_least=14)


def test_a_line_through_the_origin_is_not_shifted():
    frame = FEW.assign(x=np.arange(12.0) % 3 + 1)
    model = pc.linear_model(frame, "y ~ 0 + x", within="unit", method="reml")
    assert set(model.fit.mixed.shifts) == {0.0}
    # Without a variance of units, the line of least squares.
    plain = pc.linear_model(frame, "y ~ 0 + x").slopes("x").table["estimate"]
    assert model.slopes("x").table["estimate"][0] == pytest.approx(plain[0], rel=0.1)


def test_random_designs_keep_their_digits_far_from_0():
    for seed in range(12):
        design = model_designs.split_design(seed)
        whole = design.frame.assign(y=(design.frame["y"] * 100).round())
        near, far = (
            by_term(
                pc.linear_model(
                    whole.assign(y=whole["y"] + shift),
                    design.formula,
                    within=design.within,
                    method="reml",
                    df=("kenward-roger", "satterthwaite")[seed % 2],
                )
            )
            for shift in (0, 1e12)
        )
        for column in ("statistic", "df2", "p_value"):
            assert_digits(far[column], near[column], at_least=11)

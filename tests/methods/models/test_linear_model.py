"""Linear models by formula: published tables, identities, witnesses, refusals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.methods.models import anova, fit
from pycompare.reporting.analyses.models import answer
from validation.checks.models import designed, experiment

PUBLISHED = [
    # Venables and Ripley (2002), p. 165-167: npk in blocks.
    ("npk", "yield ~ C(N) * C(P) * C(K)", {"within": "block"},
     {"C(N):C(P):C(K)": (0.483, 0.525), "C(N)": (12.259, 0.00437),
      "C(K)": (6.166, 0.0288), "C(N):C(K)": (2.146, 0.16865)}),
    # Venables and Ripley (2002), p. 282: oats, a split plot.
    ("oats", "yield ~ Variety * C(nitro)", {"within": "Block/Variety"},
     {"Variety": (1.485, 0.2724), "C(nitro)": (37.686, 2.458e-12),
      "Variety:C(nitro)": (0.303, 0.9322)}),
    # O'Brien and Kaiser (1985), as in the help page of car::Anova, type II.
    ("obrienkaiser", "value ~ treatment * gender * phase * C(hour)",
     {"within": "C(subject)/(phase * C(hour))"},
     {"treatment": (4.6323, 0.037687), "gender": (2.5558, 0.140974),
      "treatment:gender": (2.8555, 0.104469), "phase": (20.8651, 1.274e-5),
      "treatment:phase": (4.8997, 0.006426), "C(hour)": (17.0067, 3.191e-8)}),
    # Pinheiro and Bates (2000), p. 12: machines within workers.
    ("machines", "score ~ Machine", {"within": "Worker/Machine"},
     {"Machine": (20.576, 0.000286)}),
    # Tippett (1950), as in R's help page of warpbreaks.
    ("warpbreaks", "breaks ~ wool * tension", {},
     {"wool": (3.7653, 0.0582130), "tension": (8.4980, 0.0006926),
      "wool:tension": (4.1891, 0.0210442)}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "formula", "options", "wanted"), PUBLISHED)
def test_published_tables(name, formula, options, wanted):
    table = pc.linear_model(experiment(name), formula, **options).anova
    rows = table.set_index("term")
    for term, (f, p) in wanted.items():
        assert rows.loc[term, "statistic"] == pytest.approx(f, rel=2e-3), term
        assert rows.loc[term, "p_value"] == pytest.approx(p, rel=3e-3), term


def test_epsilons_of_obrien_and_kaiser_are_those_of_car():
    model = pc.linear_model(
        experiment("obrienkaiser"),
        "value ~ treatment * gender * phase * C(hour)",
        within="C(subject)/(phase * C(hour))",
    )
    rows = model.anova.set_index("term")
    # summary(car::Anova(mod.ok, idata = idata, idesign = ~phase * hour)).
    assert rows.loc["phase", "epsilon_gg"] == pytest.approx(0.79953, abs=6e-6)
    assert rows.loc["C(hour)", "epsilon_gg"] == pytest.approx(0.46028, abs=6e-6)
    assert rows.loc["phase", "epsilon_hf"] == pytest.approx(0.92786, abs=6e-6)
    assert np.isnan(rows.loc["treatment", "epsilon_gg"])


def long(scores):
    frame = scores.to_frame()
    return frame


@pytest.mark.parametrize("metrics", [("error",), ("error", "auc")])
def test_blocked_analyses_are_the_special_case(metrics):
    scores = pc.example("folds")
    frame = long(scores)
    response = metrics[0] if len(metrics) == 1 else f"cbind({', '.join(metrics)})"
    by_strata = pc.linear_model(frame, f"{response} ~ algorithm", within="block")
    as_effects = pc.linear_model(frame, f"{response} ~ block + algorithm")
    for j, metric in enumerate(metrics):
        wanted = pc.anova(scores, metric=metric)
        for model in (by_strata, as_effects):
            row = model.anova[model.anova["term"] == "algorithm"].iloc[j]
            assert_digits(row["statistic"], wanted.statistic, at_least=11)
            assert_digits(row["p_value"], wanted.p_value, at_least=10)
            assert_digits(
                row["partial_eta2"], wanted.partial_eta2.estimate, at_least=11
            )
            assert_digits(row["conf_low"], wanted.partial_eta2.conf_low, at_least=8)
        strata = by_strata.anova[by_strata.anova["term"] == "algorithm"].iloc[j]
        sphere = wanted.sphericity
        assert_digits(strata["epsilon_gg"], sphere.greenhouse_geisser, at_least=9)
        assert_digits(strata["p_hf"], sphere.p_huynh_feldt, at_least=9)
    if len(metrics) == 2:
        wanted = pc.manova(scores, metrics=metrics)
        got = by_strata.manova["algorithm"]
        assert_digits(got.table["statistic"][0], wanted.wilks.statistic, at_least=11)
        assert_digits(got.eigenvalues, wanted.eigenvalues, at_least=10)


def test_types_agree_in_balanced_data_and_statsmodels_agrees_in_others():
    import statsmodels.api as sm
    from statsmodels.formula.api import ols

    balanced = designed(1)
    tables = [
        pc.linear_model(balanced, "error ~ learner * prep", type=t).anova
        for t in (1, 2, 3)
    ]
    for other in tables[1:]:
        assert_digits(other["sum_sq"], tables[0]["sum_sq"], at_least=11)
    gaps = designed(1, 9)
    for t in (1, 2, 3):
        ours = pc.linear_model(gaps, "error ~ learner * prep + time", type=t).anova
        fit = ols("error ~ C(learner, Sum) * C(prep, Sum) + time", gaps).fit()
        theirs = sm.stats.anova_lm(fit, typ=t)
        names = {
            "learner": "C(learner, Sum)",
            "prep": "C(prep, Sum)",
            "time": "time",
            "learner:prep": "C(learner, Sum):C(prep, Sum)",
        }
        rows = ours.set_index("term")
        for mine, name in names.items():
            if t == 1 and mine == "time":
                continue  # statsmodels orders covariates after interactions
            if t == 1 and mine == "learner:prep":
                continue
            assert_digits(
                rows.loc[mine, "statistic"], theirs.loc[name, "F"], at_least=9
            )


def test_terms_between_units_are_tested_against_units():
    frame = designed(2)
    frame["kind"] = np.where(frame["data"].isin(["d0", "d1", "d2"]), "text", "image")
    model = pc.linear_model(frame, "error ~ kind * learner", within="data/fold")
    where = model.anova.set_index("term")["stratum"]
    assert where["kind"] == "data" and where["learner"] == "rows"
    assert where["kind:learner"] == "rows"
    assert model.anova.set_index("term").loc["kind", "df2"] == 4


def test_a_covariate_of_data_sets_has_its_main_effect_between_them():
    frame = designed(2)
    table = pc.linear_model(frame, "error ~ learner * size", within="data").anova
    where = table.set_index("term")["stratum"]
    assert where["size"] == "data" and where["learner:size"] == "rows"
    aliased = pc.linear_model(frame, "error ~ data + learner * size")
    assert any("size lacks 1 degree of freedom" in note for note in aliased.notes)
    assert np.isnan(aliased.anova.set_index("term").loc["size", "p_value"])


def test_level_of_each_stratum():
    rng = np.random.default_rng(3)
    base = designed(2)
    base["kind"] = np.where(base["data"].isin(["d0", "d1", "d2"]), "text", "image")
    data = base["data"].astype("category").cat.codes.to_numpy()
    cell = base.groupby(["data", "learner"], observed=True).ngroup().to_numpy()
    runs, names = 400, [f"y{k}" for k in range(40)]
    p = []
    for _ in range(runs // len(names)):
        y = rng.normal(size=(6, 40))[data] + rng.normal(size=(18, 40))[cell]
        drawn = pd.DataFrame(y + rng.normal(size=y.shape), columns=names)
        frame = pd.concat([base.reset_index(drop=True), drawn], axis=1)
        formula = f"cbind({', '.join(names)}) ~ kind * learner"
        made = pc.linear_model(frame, formula, within="data/learner").anova
        made = made[made["term"] != "residuals"]
        p.append(made.pivot(index="response", columns="term", values="p_value"))
    hits = (pd.concat(p) <= 0.05)[["kind", "learner", "kind:learner"]].sum()
    assert len(pd.concat(p)) == runs
    bound = 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)
    assert (hits / runs <= bound).all() and hits.all(), hits


HOSTILE = [
    "__import__('os').system('touch hacked')",
    "nan",
    "__x",
    "a:b",
    "a b",
    'a"b',
    "名前 é",
    "x" * 300,
    "<script>",
    "L0",
    "v0",
    "C(v0)",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_columns_and_levels_are_data(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = designed(4, 5)
    wanted = pc.linear_model(plain, "error ~ learner * prep")
    hostile = plain.rename(columns={"learner": name})
    hostile[name] = hostile[name].replace({"L0": name, "L1": "__y", "L2": "NaN"})
    got = pc.linear_model(hostile, f"error ~ `{name}` * prep")
    assert_digits(got.anova["sum_sq"], wanted.anova["sum_sq"], at_least=13)
    levels = got.emmeans(name).table[name].tolist()
    assert levels == [
        {"L0": name, "L1": "__y", "L2": "NaN"}[x] for x in ("L0", "L1", "L2")
    ]
    assert not list(tmp_path.iterdir())


ANY_TEXT = st.text(min_size=1, max_size=30).filter(lambda s: "`" not in s)


@settings(max_examples=25)
@given(name=ANY_TEXT, labels=st.lists(ANY_TEXT, min_size=3, max_size=3, unique=True))
def test_any_names_and_levels_give_the_same_tests_or_are_refused(name, labels):
    plain = designed(4).iloc[:36]
    renamed = dict(zip(("L0", "L1", "L2"), labels, strict=True))
    hostile = plain[["error", "prep"]].assign(**{name: plain["learner"].map(renamed)})
    if name in ("error", "prep"):
        return
    try:
        got = pc.linear_model(hostile, f"error ~ `{name}` + prep")
    except pc.InputError as error:
        assert "look the same" in str(error) or "name" in str(error)
        return
    wanted = pc.linear_model(plain, "error ~ learner + prep").anova["sum_sq"]
    assert_digits(got.anova["sum_sq"], wanted, at_least=12)
    assert set(got.emmeans(name).table[name]) == {str(one) for one in labels}


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e300])
def test_units_change_no_test(scale):
    frame = designed(5, 3)
    one = pc.linear_model(frame, "error ~ learner * prep").anova
    other = pc.linear_model(
        frame.assign(error=frame["error"] * scale), "error ~ learner * prep"
    )
    assert_digits(other.anova["statistic"], one["statistic"], at_least=11)
    means = other.emmeans("learner").table["estimate"] / scale
    wanted = pc.linear_model(frame, "error ~ learner * prep").emmeans("learner")
    assert_digits(means, wanted.table["estimate"], at_least=11)


@pytest.mark.parametrize("within", [None, "unit"])
@pytest.mark.parametrize("scale", [2.0**-990, 2.0**60, 2.0**990])
def test_units_of_a_covariate_change_only_its_slope(scale, within):
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(
        {
            "error": rng.normal(size=24),
            "size": rng.normal(size=24),
            "learner": [*"abc"] * 8,
            "unit": np.repeat([*"stuvwxyz"], 3),
        }
    )
    made = [
        pc.linear_model(one, "error ~ learner + size", within=within)
        for one in (frame, frame.assign(size=frame["size"] * scale))
    ]
    here, there = (one.anova["statistic"] for one in made)
    digits = 9 if within else 12
    assert_digits(there, here, at_least=digits)
    here, there = (one.emmeans("learner").table["estimate"] for one in made)
    assert_digits(there, here, at_least=digits)
    here, there = (one.slopes("size").table["estimate"] for one in made)
    assert_digits(there * scale, here, at_least=digits)


def test_many_responses_in_one_call():
    frame = designed(6)
    for j in range(20):
        frame[f"r{j}"] = np.random.default_rng(j).normal(size=len(frame))
    names = ", ".join(f"r{j}" for j in range(20))
    many = pc.linear_model(frame, f"cbind({names}) ~ learner + prep").anova
    one = pc.linear_model(frame, "r7 ~ learner + prep").anova
    got = many[many["response"] == "r7"].reset_index(drop=True)
    assert_digits(got["statistic"], one["statistic"], at_least=13)


def missing_rows():
    frame = designed(7)
    frame.loc[4, "error"] = np.nan
    return frame


@pytest.mark.parametrize("type_", [1, 2, 3])
@pytest.mark.parametrize(
    ("formula", "factorial"),
    [
        ("cbind(error, auc) ~ learner * prep", True),
        ("error ~ (data + fold + learner + prep)^2", True),
        ("error ~ learner + learner:prep", False),
        ("error ~ 0 + learner + prep", True),
        ("error ~ learner * prep + time", False),
    ],
)
def test_balanced_factorials_have_the_tests_of_any_design(
    formula, factorial, type_, monkeypatch
):
    frame = designed(8).sample(frac=1, random_state=1)
    short = pc.linear_model(frame, formula, type=type_)
    made = fit._balanced(list(short.fit.matrix.columns), short.fit.columns, short.n)
    assert (made is not None) == factorial
    monkeypatch.setattr(fit, "_balanced", lambda *_: None)
    plain = pc.linear_model(frame, formula, type=type_)
    for column in ("df1", "df2", "sum_sq", "statistic", "p_value", "conf_high"):
        assert_digits(short.anova[column], plain.anova[column], at_least=10)


def test_a_factorial_with_a_missing_or_a_repeated_row_is_not_balanced():
    frame = designed(8)
    whole = pc.linear_model(frame, "error ~ learner * prep")
    for rows in (frame.iloc[1:], pd.concat([frame, frame.iloc[:1]])):
        found = pc.linear_model(rows, "error ~ learner * prep")
        terms = list(found.fit.matrix.columns)
        assert fit._balanced(terms, found.fit.columns, found.n) is None
        first, third = (
            pc.linear_model(rows, "error ~ learner * prep", type=t).anova["sum_sq"][0]
            for t in (1, 3)
        )
        assert first != pytest.approx(third, rel=1e-9)
    assert whole.n == len(frame)


def test_responses_in_parts_are_the_same_numbers(monkeypatch):
    frame = designed(6)
    names = [f"r{j}" for j in range(7)]
    frame[names] = np.random.default_rng(1).normal(size=(len(frame), 7))
    formula = f"cbind({', '.join(names)}) ~ learner * prep"
    for within in (None, "data", "data/fold/learner"):
        whole = pc.linear_model(frame, formula, within=within).anova
        with monkeypatch.context() as patched:
            patched.setattr(anova, "_CELLS", 3 * len(frame))
            parts = pc.linear_model(frame, formula, within=within).anova
        pd.testing.assert_frame_equal(parts, whole, rtol=1e-12)


REFUSED = [
    ("error ~ nothing", {}, "no column 'nothing'"),
    ("error ~ learner", {"type": 4}, "choose 1, 2 or 3"),
    ("error ~ learner", {"missing": "guess"}, "choose .error. or .drop-row."),
    ("error ~ error", {}, "a response and a term"),
    ("error ~ 1", {}, "no term to test"),
    ("learner ~ prep", {}, "column 'learner' is not numeric, first in row 1: '"),
    ("log(auc) ~ prep", {}, "values of 0 or less"),
    ("error ~ log(size)", {}, "is not a number"),
    ("error ~ scale(learner)", {}, "contains no numbers"),
    ("error ~ poly(size, 9)", {}, "too few"),
    ("error ~ learner", {"within": "log(data)"}, "units are columns of labels"),
    ("error ~ learner", {"within": "nowhere"}, "no column 'nowhere'"),
]


@pytest.mark.parametrize(("formula", "options", "said"), REFUSED)
def test_what_cannot_be_is_refused(formula, options, said):
    with pytest.raises((pc.InputError, pc.DesignError), match=said):
        pc.linear_model(designed(7), formula, **options)


def test_missing_values_are_refused_or_left_out_and_told():
    with pytest.raises(pc.InputError, match="row 5; leave such rows out, or set"):
        pc.linear_model(missing_rows(), "error ~ learner")
    model = pc.linear_model(missing_rows(), "error ~ learner", missing="drop-row")
    assert model.n == 107 and "1 row of 108" in model.notes[0]


def test_a_saturated_model_and_one_level_are_refused():
    frame = designed(9).head(6)
    with pytest.raises(pc.DesignError, match="no degrees of freedom"):
        pc.linear_model(frame, "error ~ learner * prep")
    with pytest.raises(pc.InputError, match="one level"):
        pc.linear_model(frame, "error ~ data")
    with pytest.raises(pc.InputError, match="no rows"):
        pc.linear_model(frame.head(0), "error ~ learner")


def test_a_perfect_fit_has_no_p_value_and_constant_scores_no_f():
    frame = pd.DataFrame({"a": list("xyxy"), "b": list("ppqq"), "y": [1.0, 2, 1, 2]})
    perfect = pc.linear_model(frame, "y ~ a").anova.set_index("term")
    assert np.isinf(perfect.loc["a", "statistic"]) and np.isnan(
        perfect.loc["a", "p_value"]
    )
    constant = pc.linear_model(frame.assign(y=3.0), "y ~ a").anova.set_index("term")
    assert np.isnan(constant.loc["a", "statistic"])


def test_empty_cells_are_named_and_their_means_are_not_estimable():
    frame = designed(10)
    frame = frame[~((frame["learner"] == "L2") & (frame["prep"] == "p1"))]
    model = pc.linear_model(frame, "error ~ learner * prep")
    assert any("learner:prep lacks 1" in note for note in model.notes)
    means = model.emmeans(("learner", "prep")).table
    empty = (means["learner"] == "L2") & (means["prep"] == "p1")
    assert means["estimate"].isna().equals(empty)
    assert_digits(
        means["estimate"][~empty],
        frame.groupby(["learner", "prep"])["error"].mean(),
        at_least=12,
    )


def test_contrasts_are_families_with_the_adjustments_that_hold_for_them():
    model = pc.linear_model(designed(11, 4), "error ~ learner * prep")
    for adjust in ("bergmann-hommel", "shaffer", "holm", "tukey"):
        made = model.contrasts("learner", adjust=adjust).table
        assert len(made) == 3
        assert (made["p_adjusted"] >= made["p_value"] * (1 - 1e-12)).all()
        assert (made["conf_low"] < made["estimate"]).all()
    by = model.contrasts(("learner", "prep"), by="prep").table
    assert by["prep"].tolist() == ["p0"] * 3 + ["p1"] * 3
    with pytest.raises(pc.InputError, match="for method='pairwise' without by"):
        model.contrasts(("learner", "prep"), by="prep", adjust="bergmann-hommel")
    with pytest.raises(pc.InputError, match="for method='pairwise' without by"):
        model.contrasts("learner", "effects", adjust="tukey")
    against = model.contrasts("learner", "control", control="L1").table
    assert against["contrast"].tolist() == ["L0 - L1", "L2 - L1"]
    with pytest.raises(pc.InputError, match="choose one of"):
        model.contrasts("learner", "control", control="L9")
    own = model.contrasts("learner", {"first": [1, -0.5, -0.5]}).table
    wanted = model.emmeans("learner").table["estimate"]
    assert_digits(
        own["estimate"][0], wanted[0] - (wanted[1] + wanted[2]) / 2, at_least=11
    )
    for wrong in ([1, 2], [0, 0, 0], ["a", "b", "c"]):
        with pytest.raises(pc.InputError, match="contrast 'x'"):
            model.contrasts("learner", {"x": wrong})


def test_standardised_pairs_of_two_groups_are_cohens_d_with_its_limits():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": ["x"] * 9 + ["z"] * 12, "y": rng.normal(size=21)})
    frame.loc[:8, "y"] += 1
    model = pc.linear_model(frame, "y ~ a")
    row = model.contrasts("a").table.iloc[0]
    x, z = (part["y"] for _, part in frame.groupby("a"))
    pooled = np.sqrt((8 * x.var() + 11 * z.var()) / 19)
    assert_digits(row["std_effect"], (x.mean() - z.mean()) / pooled, at_least=11)
    root = np.sqrt(1 / 9 + 1 / 12)
    for limit, p in (("std_low", 0.975), ("std_high", 0.025)):
        tail = stats.nct.cdf(row["statistic"], 19, row[limit] / root)
        assert_digits(tail, p, at_least=9)
    means = model.contrasts("a", level=0.5).table.iloc[0]
    assert row["std_low"] < means["std_low"] < means["std_high"] < row["std_high"]


def test_standardised_limits_are_of_contrasts_within_one_stratum():
    model = pc.linear_model(
        experiment("oats"), "yield ~ Variety * C(nitro)", within="Block/Variety"
    )
    assert model.contrasts("nitro").table["std_low"].notna().all()
    assert model.contrasts("Variety").table["std_low"].isna().all()
    both = model.contrasts(("Variety", "nitro")).table
    inside = both["contrast"].str.count("Victory") == 2
    assert both["std_low"].notna()[inside].all()
    assert both["std_low"].isna().any()


def single_step(model, factors, **options):
    return model.contrasts(factors, adjust="single-step", **options)


def test_single_step_of_balanced_pairs_is_tukey():
    model = pc.linear_model(designed(3), "error ~ learner * prep", within="data")
    for factors in ("learner", ("learner", "prep")):
        ours = single_step(model, factors)
        wanted = model.contrasts(factors, adjust="tukey").table
        for column in ("p_adjusted", "conf_low", "conf_high"):
            assert_digits(ours.table[column], wanted[column], at_least=12)
        assert ours.seed is None and not ours.p_errors.any()
        assert ours.interval == "simultaneous 95% (single-step)"


def test_single_step_of_a_control_is_dunnett():
    scores = pc.example("folds")
    control = scores.algorithms[1]
    model = pc.linear_model(long(scores), "error ~ algorithm", within="block")
    ours = single_step(model, "algorithm", method="control", control=control).table
    wanted = pc.dunnett(scores, metric="error", control=control).table
    assert_digits(ours["p_adjusted"], wanted["p_adjusted"], at_least=9)
    assert_digits(np.abs(ours["estimate"]), np.abs(wanted["estimate"]), at_least=10)


def test_single_step_lies_between_raw_p_values_and_bonferroni():
    model = pc.linear_model(designed(11, 7), "error ~ learner * prep + time")
    for options in ({}, {"by": "prep"}, {"method": "interaction"}):
        made = single_step(model, ("learner", "prep"), **options)
        table, n = made.table, len(made.table)
        assert (table["p_adjusted"] >= table["p_value"]).all()
        assert (table["p_adjusted"] <= np.minimum(1, n * table["p_value"])).all()
        order = np.argsort(-np.abs(table["statistic"]))
        assert (np.diff(table["p_adjusted"].to_numpy()[order]) >= -1e-12).all()
        wider = model.contrasts(("learner", "prep"), adjust="bonferroni", **options)
        assert (table["conf_low"] >= wider.table["conf_low"]).all()
        # An interval excludes 0 exactly where the p-value is below 1 - level.
        apart = (table["conf_low"] > 0) | (table["conf_high"] < 0)
        assert (apart == (table["p_adjusted"] < 0.05)).all()


def test_single_step_is_repeated_by_its_seed_and_says_its_error():
    model = pc.linear_model(designed(11, 7), "error ~ learner * prep")
    one, again, other = (
        single_step(model, ("learner", "prep"), seed=seed) for seed in (1, 1, 2)
    )
    assert one.table.equals(again.table) and not one.table.equals(other.table)
    assert one.seed == 1 and "random seed 1" in one.notes[-1]
    apart = np.abs(one.table["p_adjusted"] - other.table["p_adjusted"])
    assert (apart <= 6 * np.hypot(one.p_errors, other.p_errors) + 1e-12).all()
    for wrong in (-1, 1.5, True, "a"):
        with pytest.raises(pc.InputError, match="give a whole number, 0 or more"):
            single_step(model, "learner", seed=wrong)


def test_random_p_values_of_r_are_not_expected_to_be_ours():
    model = pc.linear_model(designed(11, 7), "error ~ learner * prep")
    made = single_step(model, ("learner", "prep"))
    assert "p_adjusted" not in made.r_values() and "single_step" in made.r_code()


def test_single_step_leaves_out_what_cannot_be_estimated():
    frame = designed(10)
    frame = frame[~((frame["learner"] == "L2") & (frame["prep"] == "p1"))]
    model = pc.linear_model(frame, "error ~ learner * prep")
    table = single_step(model, ("learner", "prep")).table
    assert table["p_adjusted"].isna().sum() == 5
    assert table["p_adjusted"].isna().equals(table["estimate"].isna())


def test_tukey_of_means_is_pc_tukey():
    scores = pc.example("folds")
    model = pc.linear_model(long(scores), "error ~ algorithm", within="block")
    ours = model.contrasts("algorithm", adjust="tukey").table
    wanted = pc.tukey(scores, metric="error").table
    assert_digits(np.abs(ours["estimate"]), np.abs(wanted["estimate"]), at_least=10)
    assert_digits(ours["p_adjusted"], wanted["p_adjusted"], at_least=9)


def test_dependent_responses_are_left_out_and_named():
    frame = designed(12)
    frame["third"] = frame["error"] - 2 * frame["auc"]
    model = pc.linear_model(frame, "cbind(error, auc, third) ~ learner")
    made = model.manova["learner"]
    two = pc.linear_model(frame, "cbind(error, auc) ~ learner").manova["learner"]
    assert made.rank == 2 and "third" in made.notes[0]
    assert_digits(made.table["p_value"], two.table["p_value"], at_least=11)
    with pytest.raises(pc.DesignError, match="several responses"):
        _ = pc.linear_model(frame, "error ~ learner").manova


def test_unbalanced_strata_have_a_call_by_terms_where_the_type_of_aov_is_another():
    rng = np.random.default_rng(1)
    rows = [
        (f"u{u}", f"l{j}", f"p{k}", rng.normal())
        for u in range(5)
        for j in range(8)
        for k in range(2)
    ]
    frame = pd.DataFrame(rows, columns=["unit", "learner", "prep", "error"])
    options = {"formula": "error ~ learner * prep", "within": "unit"}
    assert "by_strata" not in pc.linear_model(frame, **options).r_call().arguments
    for type_ in (2, 3):
        found = pc.linear_model(frame.iloc[:-3], **options, type=type_)
        assert found.fit.mixed is None and found.r_call().arguments["by_strata"]


def test_means_at_a_covariate_near_the_largest_double():
    """A power of two above it is no double: the command ended in an IndexError."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"a": list("ABC") * 8, "x": np.repeat(rng.random(8), 3), "y": rng.random(24)}
    )
    small = pc.linear_model(frame, "y ~ a + x").emmeans("a").table
    frame["x"] *= 1.7e308
    huge = pc.linear_model(frame, "y ~ a + x").emmeans("a").table
    assert_digits(huge["estimate"], small["estimate"], at_least=12)


def test_contrasts_of_scores_far_from_zero():
    """Weights of a contrast sum to 0 but for rounding; that was times the mean."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {"a": list("ABC") * 7, "y": rng.integers(0, 100, 21), "x": rng.random(21)}
    )
    near = pc.linear_model(frame, "y ~ a * x").emmeans("a").contrasts().table
    frame["y"] += 10**15
    far = pc.linear_model(frame, "y ~ a * x").emmeans("a").contrasts().table
    assert_digits(far["estimate"], near["estimate"], at_least=10)
    assert_digits(far["p_value"], near["p_value"], at_least=10)


@pytest.mark.filterwarnings("error")
def test_canonical_variates_in_a_unit_near_the_smallest_double():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame(
        {"a": list("AB") * 8, "y": rng.random(16), "x": rng.random(16)}
    )
    before = pc.linear_model(frame, "cbind(y, x) ~ a").manova["a"]
    frame["x"] *= 1e-320
    found = pc.linear_model(frame, "cbind(y, x) ~ a").manova["a"]
    assert np.isinf(found.coefficients.loc["x"]).all()
    assert np.isfinite(found.coefficients.loc["y"]).all()
    assert_digits(found.table["p_value"], before.table["p_value"], at_least=2)


@pytest.mark.filterwarnings("error")
def test_variances_beyond_the_largest_double():
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(
        {"a": list("ABC") * 5, "b": np.repeat(list("uvwxy"), 3), "y": rng.random(15)}
    )
    before = pc.linear_model(frame, "y ~ a", within="b").variances.table
    frame["y"] *= 2.0**1000
    found = pc.linear_model(frame, "y ~ a", within="b").variances.table
    assert np.isinf(found["variance"][before["variance"] > 0]).all()
    assert_digits(found["share"], before["share"], at_least=12)
    assert_digits(found["std_dev"] / 2.0**1000, before["std_dev"], at_least=12)


def test_what_the_terms_explain_exactly_has_no_p_values_of_rounding():
    x = np.random.default_rng(5).integers(0, 10, 19) / 10
    frame = pd.DataFrame({"score": np.arange(19.0) % 3, "x": x})
    frame["A"] = [f"a{at % 3}" for at in range(19)]
    model = pc.linear_model(frame, "score ~ A + x")
    assert model.anova["sum_sq"].tolist()[1:] == [0, 0]
    means = model.emmeans("A")
    assert (means.table["std_error"] == 0).all()
    assert means.contrasts().table["p_value"].isna().all()
    told = answer(model.anova, 0.05, 0.95)
    assert told == (
        "No term can be tested: they explain the response without a residual."
    )


def test_a_covariate_that_is_nearly_constant_is_aliased_for_means_too():
    """Its values differ in the last two of 16 digits: an estimate would be rounding."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"A": list("abc") * 12, "B": list("uuuvvvwwwxxx") * 3})
    frame["x"] = 1e15 + random.integers(0, 99, len(frame))
    frame["y"] = random.uniform(size=len(frame))
    means = [
        pc.linear_model(rows, "y ~ A * B * x").emmeans("A").to_frame()["estimate"]
        for rows in (frame, frame.iloc[::-1], frame.sample(frac=1, random_state=1))
    ]
    without = pc.linear_model(frame, "y ~ A * B").emmeans("A").to_frame()["estimate"]
    for found in means:
        np.testing.assert_allclose(np.sort(found), np.sort(without), rtol=1e-12)


def test_a_covariate_near_the_largest_double_is_centred():
    random = np.random.default_rng(4)
    frame = pd.DataFrame({"A": list("abc") * 4, "y": random.uniform(size=12)})
    frame["x"] = np.linspace(1.0, 1.7, 12)
    near = pc.linear_model(frame, "y ~ A + center(x)").to_frame()["p_value"]
    frame["x"] *= 1e308
    far = pc.linear_model(frame, "y ~ A + center(x)").to_frame()["p_value"]
    assert_digits(far, near, at_least=12)


@pytest.mark.parametrize("options", [{}, {"type": 3}, {"method": "strata"}])
def test_a_perfect_fit_within_units_has_no_p_values_of_rounding(options):
    """Algorithms differ by the same in every fold: t was 1e15, p 1e-46."""
    folds = np.array([0.1, 0.2, 0.3, 0.7])
    frame = pd.DataFrame(
        [
            (f"f{i}", alg, fold + effect)
            for i, fold in enumerate(folds)
            for alg, effect in (("a", 0.0), ("b", 0.1), ("c", 0.3))
        ],
        columns=["fold", "alg", "y"],
    )
    model = pc.linear_model(frame, "y ~ alg", within="fold", **options)
    means = model.emmeans("alg")
    assert (means.table["std_error"] > 0).all()
    for adjust in ("holm", "tukey", "single-step"):
        found = model.contrasts("alg", adjust=adjust).table
        assert_digits(found["estimate"], [-0.1, -0.3, -0.2], at_least=14)
        assert (found["std_error"] == 0).all()
        assert found[["p_value", "p_adjusted"]].isna().all(axis=None)
    plain = pc.linear_model(frame, "y ~ fold + alg").contrasts("alg", adjust="tukey")
    assert plain.table["p_adjusted"].isna().all()

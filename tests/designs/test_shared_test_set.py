from __future__ import annotations

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import PlanError
from pycompare.base.testing import assert_digits
from pycompare.designs.shared_test_set import SCOPES
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content.words import gate as told_of_gate
from pycompare.results.guarantees import guarantee_of


def trained(t=3, r=5, n=40, *, seed=0, case=True, **options) -> pc.Predictions:
    """Probabilities of the same cases by algorithms trained on r training sets."""
    rng = np.random.default_rng(seed)
    ill = np.arange(n) % 2 == 0
    latent = (
        rng.normal(size=(t, r, n))
        + rng.normal(size=n)
        + ill * np.linspace(1.0, 2.0, t)[:, None, None]
    )
    i, j, k = np.indices(latent.shape).reshape(3, -1)
    frame = pd.DataFrame(
        {
            "algorithm": [f"A{x + 1}" for x in i],
            "set": [f"s{x + 1}" for x in j],
            "case": [f"c{x + 1}" for x in k],
            "ill": ill[k],
            "p": 1 / (1 + np.exp(-latent.ravel())),
        }
    )
    columns = {"case": "case"} if case else {}
    return pc.Predictions.from_frame(
        frame,
        algorithm="algorithm",
        block="set",
        label="ill",
        score="p",
        positive=True,
        **columns,
        **options,
    )


def plan(generalise="both", metrics=("auc",), **options) -> pc.Plan:
    """Return a plan of training sets that share no case, unless options say more."""
    keys = {"protocol": "disjoint", **options}
    return pc.Plan(metrics=metrics, generalise=generalise, **keys)


def test_one_test_set_is_seen_by_the_names_of_its_cases():
    assert trained().one_test_set
    assert not trained(case=False).one_test_set
    assert not trained(r=1).one_test_set
    assert trained(r=1).same_cases


def test_a_plan_that_names_no_scope_is_asked():
    with pytest.raises(PlanError) as error:
        pc.compare(trained(), pc.Plan(metrics=("auc",)))
    text = str(error.value)
    for scope in SCOPES:
        assert f"generalise={scope!r}" in text


@pytest.mark.parametrize("scope", SCOPES)
def test_the_planned_scope_decides_and_all_three_are_there(scope):
    found = pc.compare(trained(), plan(scope))
    [analysis] = found.analyses
    ratings = pc.Ratings.from_predictions(trained())
    for name, (readers, cases) in SCOPES.items():
        want = pc.mrmc(ratings, readers=readers, cases=cases, adjust="bergmann-hommel")
        got = analysis.scopes()[name]
        assert_digits(got.table["p_adjusted"], want.table["p_adjusted"], at_least=14)
        assert got.omnibus.p_value == want.omnibus.p_value
    assert next(iter(analysis.scopes())) == scope
    decided = {d.pair: d.p_adjusted for d in analysis.decisions}
    table = analysis.scopes()[scope].table
    for row in table.itertuples():
        pair = frozenset((row.algorithm_1, row.algorithm_2))
        assert decided[pair] == row.p_adjusted


def test_new_training_sets_with_these_cases_are_paired_t_tests():
    cases = trained()
    found = pc.compare(cases, plan("training-sets")).analyses[0].primary
    t = pc.paired_t_pairs(cases.measure("auc"))
    assert_digits(found.table["p_value"], t.table["p_value"], at_least=12)


def test_error_and_accuracy_are_means_over_cases_and_mirror_each_other():
    error, accuracy = pc.compare(
        trained(), plan(metrics=("error", "accuracy"))
    ).analyses
    assert_digits(
        error.primary.table["p_value"], accuracy.primary.table["p_value"], at_least=10
    )
    assert_digits(
        error.primary.areas["estimate"],
        1 - accuracy.primary.areas["estimate"],
        at_least=13,
    )
    means = trained().measure("error").values.mean(axis=0)[:, 0]
    assert_digits(error.primary.areas["estimate"], means, at_least=14)
    assert [d.better for d in error.decisions] == [d.better for d in accuracy.decisions]


@pytest.mark.parametrize(
    ("metric", "figure", "options"),
    [
        ("sensitivity", "sensitivity", {"threshold": 0.5}),
        ("tnr", "specificity", {"threshold": 0.5}),
        ("brier", "mean", {}),
        ("log_loss", "mean", {}),
    ],
)
def test_other_metrics_have_the_means_that_they_are_measured_with(
    metric, figure, options
):
    cases = trained()
    found = pc.compare(cases, plan(metrics=(metric,))).analyses[0].primary
    means = cases.measure(metric).values.mean(axis=0)[:, 0]
    assert_digits(found.areas["estimate"], means, at_least=13)
    if figure != "mean":
        want = pc.mrmc(pc.Ratings.from_predictions(cases), figure=figure, **options)
        assert_digits(found.table["p_value"], want.table["p_value"], at_least=14)


def test_a_partial_auc_is_measured_and_compared_over_the_planned_rates():
    cases = trained()
    options = {"metrics": ("partial_auc", "auc"), "fpr_range": (0, 0.3)}
    found = pc.compare(cases, plan(**options)).analyses[0].primary
    means = cases.measure("partial_auc", fpr_range=(0, 0.3)).values.mean(axis=0)
    assert_digits(found.areas["estimate"], means[:, 0], at_least=13)
    ratings = pc.Ratings.from_predictions(cases)
    want = pc.mrmc(ratings, figure="partial_auc", fpr_range=(0, 0.3))
    assert_digits(found.table["p_value"], want.table["p_value"], at_least=14)


def test_a_threshold_of_the_plan_is_used():
    cases = trained()
    found = pc.compare(cases, plan(metrics=("error",), thresholds=(0.7,)))
    means = cases.measure("error", threshold=0.7).values.mean(axis=0)[:, 0]
    assert_digits(found.analyses[0].primary.areas["estimate"], means, at_least=14)


def test_one_family_over_metrics_and_the_gate_change_what_is_decided():
    data, names = trained(), ("auc", "error")
    joint = pc.compare(data, plan(metrics=names, family="all", gate="omnibus"))
    raw = np.concatenate([a.primary.table["p_value"] for a in joint.analyses])
    adjusted = pc.adjust(raw, "holm")
    first = joint.analyses[0]
    want = np.maximum(adjusted[:3], first.omnibus.p_value)
    assert_digits(first.primary.table["p_adjusted"], want, at_least=14)
    assert joint.families[0].decides


@pytest.mark.parametrize("gate", ["none", "omnibus"])
def test_the_page_tells_whether_pairs_wait_for_the_omnibus_test(gate):
    told = report_of(pc.compare(trained(), plan(gate=gate)).only).plan()
    assert told_of_gate(gate) in told


def test_the_settled_plan_says_what_the_cases_show():
    found = pc.compare(trained(), plan())
    assert (found.plan.blocks, found.plan.protocol) == ("folds", "disjoint")
    assert found.plan.seed is None
    again = pc.Plan.from_toml(found.asked.to_toml())
    assert again.generalise == "both"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"control": "A9"}, "control 'A9' is not an algorithm"),
        (
            {"control": "A1", "adjust": ("bergmann-hommel",)},
            "made for all pairs, not for comparisons with the control 'A1': "
            "bergmann-hommel; choose holm",
        ),
        (
            {"margin": {"error": 0.1}, "hypothesis": "equivalence"},
            "margin: 'error' is not compared",
        ),
        (
            {"margin": 0.1, "metrics": ("auc", "error"), "hypothesis": "equivalence"},
            "name those with a margin",
        ),
        (
            {"margin": 0.1, "hypothesis": "non-inferiority"},
            "hypothesis='non-inferiority': name the control",
        ),
        ({"adjust": ("tukey",)}, "adjust: tukey: each pair has its own error"),
        ({"protocol": "cross-validation"}, "each has its own"),
        ({"n_train": 9, "n_test": 1}, "one test set has no such correction"),
        ({"blocks": "datasets"}, "is for training sets of one data set"),
        ({"blocks": "folds-of-datasets"}, "is for training sets of one data set"),
        ({"omnibus": "friedman"}, "omnibus: with generalise='both'"),
        ({"metrics": ("partial_auc",)}, "partial_auc needs the false positive rates"),
        ({"fpr_range": (0, 0.2)}, "is for the metric partial_auc"),
        (
            {"fpr_range": (0.2, 0), "metrics": ("partial_auc",)},
            "fpr_range=(0.2, 0): give two rates from 0 to 1, the lower one first",
        ),
        ({"seed": 3}, "nothing is random"),
        ({"decimals": 3}, "no scores are ranked"),
        ({"together": "required"}, "each metric is compared separately"),
        ({"family": "all"}, "is for several metrics"),
        ({"thresholds": 5}, "at several thresholds tests concern these test cases"),
    ],
)
def test_keys_without_use_are_refused_by_name(options, words):
    with pytest.raises(PlanError) as error:
        pc.compare(trained(), plan(**options))
    assert words in str(error.value)


@pytest.mark.parametrize("scope", SCOPES)
def test_a_control_is_compared_with_each_other_algorithm_in_every_scope(scope):
    found = pc.compare(trained(t=4), plan(scope, control="A2"))
    [analysis] = found.analyses
    ratings = pc.Ratings.from_predictions(trained(t=4))
    for name, (readers, cases) in SCOPES.items():
        want = pc.mrmc(ratings, readers=readers, cases=cases, control="A2")
        got = analysis.scopes()[name].table
        assert set(got["algorithm_2"]) == {"A2"}
        assert_digits(got["p_adjusted"], want.table["p_adjusted"], at_least=14)
    assert analysis.cliques == ()
    assert found.plan.adjust == ("holm", "bonferroni")
    claim = guarantee_of(analysis.primary)
    basis = "largest" if scope == "both" else "t"
    assert claim.key == f"multireader/{basis}/holm/control" and claim.rows
    assert "A2" in found.summary()


@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
@pytest.mark.parametrize("metric", ["auc", "error"])
def test_a_margin_is_tested_in_every_scope_as_mrmc_claims_it(kind, metric):
    options = {"margin": 0.15, "hypothesis": kind, "control": "A1"}
    found = pc.compare(trained(), plan("cases", metrics=(metric,), **options))
    [analysis] = found.analyses
    alpha = 0.05 if kind == "equivalence" else 0.025
    assert found.plan.margin_alpha == alpha
    claim = "equivalent" if kind == "equivalence" else "non-inferior"
    figure = {} if metric == "auc" else {"figure": "mean", "better": "lower"}
    for name, (readers, cases) in SCOPES.items():
        ratings = analysis.primary.ratings
        want = pc.mrmc(
            ratings,
            readers=readers,
            cases=cases,
            margin=0.15,
            hypothesis="non-inferiority",
            control="A1",
            **figure,
        )
        claims = want.claims[want.claims["claim"] == claim]
        got = analysis.margin_of(name)
        assert_digits(got.table["p_value"], claims["p_value"], at_least=12)
        assert_digits(got.table["p_adjusted"], claims["p_adjusted"], at_least=12)
        level = pc.mrmc(
            ratings,
            readers=readers,
            cases=cases,
            control="A1",
            # The level of Holm's last step: of the pairs that are not shown.
            level=1 - 2 * alpha / max(1, (got.table["p_adjusted"] > alpha).sum()),
            pair_tests="published",
            **figure,
        )
        sides = {"conf_low": got.margin_low, "conf_high": got.margin_high}
        for side, end in sides.items():
            if np.isfinite(end):
                if name == "both":
                    hull = level.scopes.groupby(["algorithm_1", "algorithm_2"])[side]
                    want = hull.min() if side == "conf_low" else hull.max()
                else:
                    want = level.table[side]
                assert_digits(got.table[side], want, at_least=12)
            else:
                assert np.isinf(got.table[side]).all()
        assert (got.table["shown"] == (got.table["p_adjusted"] <= alpha)).all()
    assert guarantee_of(analysis.within_margin).rows


def test_equivalence_of_all_pairs_is_adjusted_by_holm_beside_any_method():
    found = pc.compare(
        trained(),
        plan(margin={"auc": 0.3}, hypothesis="equivalence", metrics=("auc", "error")),
    )
    auc, error = found.analyses
    raw = auc.within_margin.table["p_value"].to_numpy()
    assert len(raw) == 3 and auc.primary.adjust == "bergmann-hommel"
    adjusted = auc.within_margin.table["p_adjusted"]
    assert_digits(adjusted, pc.adjust(raw, "holm"), at_least=14)
    assert error.within_margin is None and not error.margins


def test_equal_algorithms_are_not_tested_against_a_margin():
    data = trained()
    score = data.score.reshape(5, 3, -1).copy()
    score[:, 1] = score[:, 0]
    same = dataclasses.replace(data, score=score.ravel())
    found = (
        pc.compare(same, plan(margin=0.2, hypothesis="equivalence"))
        .analyses[0]
        .within_margin.table
    )
    assert np.isnan(found["p_value"][0]) and not found["shown"][0]
    assert found["notes"][0] == "no positive standard error"
    assert np.isfinite(found["p_value"][1:]).all()


def test_the_report_has_control_and_margin_for_each_scope(tmp_path):
    options = {"margin": 0.2, "hypothesis": "non-inferiority", "control": "A1"}
    found = pc.compare(trained(), plan("both", **options))
    folder = pc.report(found, tmp_path / "report")
    page = (folder / "report.html").read_text()
    for words in (
        "non-inferior to A1",
        "within the margin",
        "Each other algorithm is compared with the control A1.",
        "one-sided largest-of-three Obuchowski-Rockette t tests against the margin",
        "family-wise error of a difference of at least the margin, approximate",
    ):
        assert words in page
    assert "not claimed" not in page
    assert "mrmc_margin_reference" in (folder / "reproduce.R").read_text()
    for name in ("within_margin", "within_margin_cases"):
        assert len(pd.read_csv(folder / "tables" / f"{name}.csv")) == 2


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ({"case": False}, {}, "the predictions do not name their cases"),
        ({"r": 1}, {}, "have different cases, or there is one block"),
        ({}, {"metrics": ("precision",)}, "a metric is an AUC or a mean over cases"),
        ({"t": 2}, {"adjust": ("holm", "shaffer")}, "two algorithms are one"),
    ],
)
def test_predictions_without_such_an_analysis_are_refused(data, options, words):
    with pytest.raises(PlanError) as error:
        pc.compare(trained(**data), plan(**options))
    assert words in str(error.value)


def test_a_correction_for_changing_test_sets_is_refused():
    with pytest.raises(PlanError, match="tested on the same cases"):
        pc.compare(trained(), pc.Plan(metrics=("auc",), protocol="cross-validation"))


def test_scores_have_no_cases_to_generalise_to():
    scores = trained().measure("auc")
    with pytest.raises(PlanError, match="a table of scores has no cases any more"):
        pc.compare(scores, pc.Plan(blocks="folds", generalise="both"))


def test_equal_algorithms_are_not_tested_and_said_to_be_so():
    data = trained()
    score = data.score.reshape(5, 3, -1).copy()
    score[:, 1:] = score[:, :1]
    same = dataclasses.replace(data, score=score.ravel())
    found = pc.compare(same, plan())
    assert np.isnan(found.analyses[0].omnibus.p_value)
    assert "No difference" in found.summary()


@pytest.mark.usefixtures("blank_pictures_here")
@pytest.mark.parametrize("scope", SCOPES)
def test_the_report_has_all_three_answers_and_says_which_decides(tmp_path, scope):
    found = pc.compare(trained(), plan(scope, metrics=("auc", "error")))
    folder = pc.report(found, tmp_path / "report")
    page = (folder / "report.html").read_text()
    for words in (
        "new training sets and new cases",
        "new training sets, these test cases",
        "these trained classifiers, new cases",
        f"generalise = {scope}",
        "(primary)",
        "with five training sets, tested on 40 cases",
    ):
        assert words in page
    held = json.loads((folder / "results.json").read_text())
    assert held["plan"]["generalise"] == scope
    assert set(held["analyses"][0]["scopes"]) == set(SCOPES)
    pictures = {path.name for path in (folder / "figures").iterdir()}
    assert {"metric1_scopes.svg", "metric1_reader_curves.svg"} <= pictures
    assert "metric2_reader_curves.svg" not in pictures
    assert "mrmc_reference" in (folder / "reproduce.R").read_text()
    table = pd.read_csv(folder / "tables" / "metric1_scopes.csv")
    assert len(table) == 9


def test_two_algorithms_are_one_pair_without_adjustment():
    text = pc.compare(trained(t=2), plan()).summary()
    assert "Bergmann" not in text
    assert "A2" in text


def test_a_mixed_model_of_right_and_wrong_decisions_is_a_sensitivity_analysis():
    auc, error = pc.compare(trained(), plan(metrics=("auc", "error"))).analyses
    assert auc.mixed is None
    wrong = dataclasses.replace(error.primary.ratings)
    want = pc.glmm(wrong, adjust="bergmann-hommel")
    assert_digits(error.mixed.table["estimate"], want.table["estimate"], at_least=12)
    worst_first = error.mixed.effects.sort_values("estimate", ascending=False)
    assert list(error.mixed.placed())[::-1] == list(worst_first["algorithm"])
    assert error.mixed.lower_is_better and not want.lower_is_better
    comparison = pc.compare(trained(), plan(metrics=("error",)))
    assert comparison.analyses[0].mixed is not None
    assert any("Mixed" in title for title, _ in comparison.results())


def test_why_there_is_no_mixed_model_is_told():
    data = trained()
    score = np.where(data.is_positive, 0.9, 0.1)
    score[:40] = 0.5  # one classifier calls all positive, the others are right
    perfect = dataclasses.replace(data, score=score)
    found = pc.compare(perfect, plan(metrics=("error",)))
    assert "No mixed model of the outcomes" in found.summary()


def test_the_r_program_asks_fewer_digits_of_a_search_by_r(tmp_path):
    found = pc.compare(trained(n=24), plan(metrics=("error",)))
    folder = pc.report(found, tmp_path / "report")
    table = pd.read_csv(folder / "data" / "numbers.csv").dropna(subset="result")
    mixed = table["place"].str.contains("/mixed/")
    assert (table.loc[~mixed, "digits"] == 10).all()
    assert (table.loc[mixed, "digits"] < 10).any()


def of_data_sets(names=("d1", "d2"), shared=("d1", "d2"), t=2, r=3, n=16):
    """Probabilities over folds of data sets; some have one test set for all folds."""
    rng = np.random.default_rng(3)
    rows = [
        {
            "algorithm": f"A{i}",
            "data": name,
            "fold": f"{name}.{j}",
            "case": f"{name}.c{k if name in shared else 1000 * j + k}",
            "ill": k % 2,
            "p": rng.random(),
        }
        for name in names
        for j in range(r)
        for i in range(t)
        for k in range(n)
    ]
    roles = {"algorithm": "algorithm", "block": "fold", "dataset": "data"}
    return pc.Predictions.from_frame(
        rows, **roles, label="ill", score="p", positive=1, case="case"
    )


def test_folds_of_data_sets_that_share_a_test_set_are_seen():
    assert of_data_sets().shared_test_sets == ("d1", "d2")
    assert of_data_sets(shared=("d2",)).shared_test_sets == ("d2",)
    assert of_data_sets(shared=()).shared_test_sets == ()
    assert trained().shared_test_sets == ()
    assert of_data_sets(names=("d1",)).one_test_set


@pytest.mark.parametrize(
    ("shared", "options", "words"),
    [
        (("d1", "d2"), {}, "in data set 'd1' (and 1 more) all folds are tested on"),
        (("d2",), {}, "protocol='held-out' (new training sets, these cases)"),
        (("d2",), {}, "compare each data set separately with generalise='both'"),
        (("d2",), {"protocol": "cross-validation"}, "do not hold: leave out the sizes"),
        (("d1", "d2"), {"generalise": "both"}, "is for one data set, and there are 2"),
    ],
)
def test_folds_of_data_sets_with_one_test_set_are_asked(shared, options, words):
    with pytest.raises(PlanError) as error:
        pc.compare(of_data_sets(shared=shared), pc.Plan(metrics=("auc",), **options))
    assert words in str(error.value)


@pytest.mark.parametrize("options", [{"protocol": "held-out"}, {"average_folds": True}])
def test_folds_of_data_sets_are_compared_once_the_plan_says_what_they_are(options):
    found = pc.compare(of_data_sets(), pc.Plan(metrics=("auc",), **options))
    assert found.analyses
    plain = pc.compare(of_data_sets(shared=()), pc.Plan(metrics=("auc",)))
    assert plain.plan.blocks == "folds-of-datasets"

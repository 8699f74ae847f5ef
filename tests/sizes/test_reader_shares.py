"""Sizes for sensitivity and specificity over readers, and for AUCs against a margin."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import pycompare as pc
from pycompare import sizes
from pycompare.base.testing import assert_digits
from tests.command_line import command

RATED = {
    "reader": 0.02,
    "modality_reader": 0.03,
    "case": 0.3,
    "modality_case": 0.2,
    "reader_case": 0.2,
    "error": 0.25,
}


def design_of(figure="sensitivity", areas=(0.8, 0.7), n_cases=100, **options):
    return sizes.Mrmc(areas=areas, figure=figure, n_cases=n_cases, **RATED, **options)


def test_components_are_those_of_two_normal_calls():
    found = design_of().figures.values
    total = sum(RATED.values())
    edge = special.ndtri([0.8, 0.7])

    def both(i, k, common):
        rho = common / total
        normal = stats.multivariate_normal(cov=[[1, rho], [rho, 1]])
        return normal.cdf([edge[i], edge[k]])

    own = [0.8, 0.7]
    cov1 = both(0, 1, 0.02 + 0.3 + 0.2) - both(0, 1, 0.02)
    cov3 = both(0, 1, 0.3) - 0.8 * 0.7
    cov2 = np.mean([both(i, i, 0.5) - own[i] ** 2 for i in (0, 1)])
    error = np.mean([own[i] - both(i, i, 0.05) for i in (0, 1)])
    wanted = {"COV1": cov1, "COV2": cov2, "COV3": cov3, "ERROR": error}
    for name, value in wanted.items():
        assert found[name] == pytest.approx(value, rel=1e-5), name


@pytest.mark.parametrize("figure", ["sensitivity", "specificity"])
def test_studies_are_analysed_as_mrmc_does(figure):
    design = design_of(figure, areas=(0.85, 0.7), n_cases=60, prevalence=0.4)
    rng = np.random.default_rng(4)
    drawn = design.p_values(rng, 4, 3)
    rng = np.random.default_rng(4)
    counted = 24 if figure == "sensitivity" else 36
    _, x = design.model.sample(
        rng, n_readers=4, n_positive=counted, n_negative=1, trials=3
    )
    positive = figure == "sensitivity"
    for p, one in zip(drawn, x[..., :-1], strict=True):
        others = np.full((2, 4, 60 - counted), -9.0 if positive else 9.0)
        values = np.concatenate([one if positive else -one, others], axis=2)
        ratings = pc.Ratings(
            values=values,
            truth=(np.arange(60) < counted) == positive,
            modalities=("a", "b"),
            readers=tuple("wxyz"),
            cases=tuple(map(str, range(60))),
        )
        threshold = 0.0 if positive else 1e-12
        found = pc.mrmc(ratings, figure=figure, threshold=threshold, error="pooled")
        assert_digits(p, found.p_value, at_least=9)


@pytest.mark.parametrize(("n", "near"), [(4, 0.03), (10, 0.02)])
def test_the_formula_is_near_the_simulated_power(n, near):
    found = pc.power(design_of(), n=n, trials=3000, seed=1).table.iloc[0]
    assert abs(found["power_formula"] - found["power_simulated"]) < near


def test_without_a_difference_the_level_is_kept():
    found = pc.power(design_of(areas=(0.8, 0.8)), n=6, trials=4000, seed=2).table
    assert 0.04 < found["power_simulated"][0] < 0.06


def test_only_the_cases_of_the_class_count():
    one = design_of("sensitivity", n_cases=200, prevalence=0.2)
    two = design_of("specificity", n_cases=200, prevalence=0.8)
    assert_digits(one.formula(6, 0.05), two.formula(6, 0.05), at_least=12)
    half = design_of("sensitivity", n_cases=80, prevalence=0.5)
    assert_digits(one.formula(6, 0.05), half.formula(6, 0.05), at_least=12)


def test_a_pilot_gives_components_of_the_figure():
    model = design_of().model
    pilot = model.draw(n_readers=5, n_positive=40, n_negative=40, seed=3)
    found = sizes.Mrmc.from_ratings(pilot, figure="sensitivity", threshold=0.1)
    study = pc.mrmc(pilot, figure="sensitivity", threshold=0.1)
    assert_digits(found.areas, study.areas["estimate"], at_least=12)
    parts = study.components.set_index("component")["estimate"]
    assert_digits(found.components["COV1"], parts["Cov1"], at_least=10)
    assert "sensitivities" in found.effect
    specific = sizes.Mrmc.from_ratings(pilot, figure="specificity", threshold=0.1)
    assert_digits(
        specific.areas,
        pc.mrmc(pilot, figure="specificity", threshold=0.1).areas["estimate"],
        at_least=12,
    )


def test_the_command_line_has_them(tmp_path):
    pilot = design_of().model.draw(n_readers=4, n_positive=30, n_negative=30, seed=3)
    frame = pilot.to_frame()
    frame.to_csv(tmp_path / "pilot.csv", index=False)
    columns = {"modality": "modality", "reader": "reader", "case": "case"}
    columns |= {"rating": "rating", "truth": "is_positive", "threshold": "0.1"}
    named = [w for name, c in columns.items() for w in (f"--pilot-{name}", c)]
    words = ["power", "mrmc", "--pilot", str(tmp_path / "pilot.csv"), *named]
    words += ["--figure", "sensitivity", "--n", "6", "--trials", "0", "--json"]
    status, out, err = command(*words)
    assert status == 0, err
    ratings = pc.Ratings.from_frame(
        frame,
        modality="modality",
        reader="reader",
        case="case",
        rating="rating",
        truth="is_positive",
    )
    design = sizes.Mrmc.from_ratings(ratings, figure="sensitivity", threshold=0.1)
    wanted = pc.power(design, n=6, trials=0).sentence()
    assert json.loads(out)["sentence"] == wanted
    words = ["power", "delong-margin", "--auc-1", "0.85", "--auc-2", "0.85"]
    words += ["--correlation", "0.6", "--margin", "0.05", "--trials", "0"]
    assert "With 325 cases" in command(*words)[1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: design_of("accuracy"), "figure='accuracy'"),
        (
            lambda: sizes.Mrmc(areas=(0.8, 0.7), figure="sensitivity", n_cases=50),
            "reader, modality_reader, case",
        ),
        (
            lambda: sizes.Mrmc.from_ratings(
                design_of().model.draw(n_readers=3, n_positive=9, n_negative=9, seed=1),
                figure="sensitivity",
            ),
            "needs threshold",
        ),
        (
            lambda: sizes.DelongMargin(auc_1=0.8, auc_2=0.8, correlation=0.5, margin=0),
            "margin=0",
        ),
    ],
)
def test_what_cannot_be_planned_is_named(make, message):
    with pytest.raises(pc.InputError, match=message):
        make()


def test_few_cases_of_the_class_have_a_note():
    [note] = design_of(n_cases=20, prevalence=0.3).notes(5)
    assert "fewer than 10 cases" in note
    assert design_of(n_cases=20, prevalence=0.6).notes(5) == ()


MARGIN = {"correlation": 0.6, "margin": 0.05}


def test_studies_are_analysed_as_auc_margins_does():
    design = sizes.DelongMargin(auc_1=0.84, auc_2=0.85, **MARGIN)
    p = design.p_values(np.random.default_rng(6), 80, 5)
    truth, x = design.model.sample(
        np.random.default_rng(6), n_readers=1, n_positive=40, n_negative=40, trials=5
    )
    for ours, scores in zip(p, x[:, :, 0], strict=True):
        found = pc.auc_margins(
            truth,
            {"new": scores[0], "old": scores[1]},
            positive=True,
            margin=0.05,
            kind="non-inferiority",
            control="old",
        )
        assert_digits(ours, found.table["p_value"].item(), at_least=10)


@pytest.mark.parametrize(("auc_1", "n"), [(0.85, 300), (0.83, 150), (0.8, 300)])
def test_the_margin_formula_is_within_the_errors_of_the_simulation(auc_1, n):
    design = sizes.DelongMargin(auc_1=auc_1, auc_2=0.85, **MARGIN)
    row = pc.power(design, n=n, alpha=0.025, trials=4000, seed=3).table.iloc[0]
    p = row["power_formula"]
    assert abs(row["power_simulated"] - p) < 3 * math.sqrt(p * (1 - p) / 4000)


def test_a_margin_of_nothing_is_half_of_delongs_test():
    two = sizes.Delong(auc_1=0.88, auc_2=0.8, correlation=0.5).formula(200, 0.05)
    tiny = sizes.DelongMargin(auc_1=0.88, auc_2=0.8, correlation=0.5, margin=1e-9)
    assert tiny.formula(200, 0.025) == pytest.approx(two, abs=1e-5)


def test_a_loss_of_the_margin_needs_a_size():
    design = sizes.DelongMargin(auc_1=0.7, auc_2=0.8, **MARGIN)
    with pytest.raises(pc.DesignError, match=r"by the margin 0\.05 or more"):
        pc.power(design, target=0.8, trials=0)


def test_a_pilot_gives_areas_and_correlation():
    rng = np.random.default_rng(1)
    label = np.arange(120) < 60
    shared = rng.normal(label)
    scores = pd.DataFrame({k: shared + 0.5 * rng.normal(size=120) for k in "ab"})
    found = sizes.DelongMargin.from_cases(label, scores, positive=True, margin=0.1)
    plain = sizes.Delong.from_cases(label, scores, positive=True)
    assert (found.auc_1, found.correlation) == (plain.auc_1, plain.correlation)
    assert found.margin == 0.1

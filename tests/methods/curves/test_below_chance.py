"""Wherever most areas are below 0.5, the result asks whether scores are reversed."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare import sizes
from pycompare.data.measures.chance import below_chance
from pycompare.reporting.curves_report import conclusions
from pycompare.reporting.mrmc_report import conclusion
from tests.command_line import command
from tests.methods.multireader.readers import simulated

pytestmark = pytest.mark.usefixtures("blank_pictures")

QUESTION = " below 0.5: is the {} reversed, or is the other class positive?"
SCORE, RATING = QUESTION.format("score"), QUESTION.format("rating")


def negated(ratings: pc.Ratings) -> pc.Ratings:
    return dataclasses.replace(ratings, values=-ratings.values)


@pytest.mark.parametrize(
    ("areas", "note"),
    [
        ([0.4], "the AUC is"),
        ([0.4, 0.1], "both AUCs are"),
        ([[0.4, 0.1], [0.2, 0.3]], "all 4 AUCs are"),
        ([0.4, 0.1, 0.6], "2 of 3 AUCs are"),
        ([0.4, 0.6], None),
        ([0.5, 0.5], None),
        ([0.4, np.nan, 0.6, 0.7], None),
        ([], None),
    ],
)
def test_the_question_is_asked_where_most_are_below(areas, note):
    assert below_chance(areas) == (() if note is None else (note + SCORE,))


LABEL = np.repeat([0, 1], 40)
RNG = np.random.default_rng(3)
GOOD = {name: LABEL + RNG.normal(size=80) for name in "ab"}
BAD = {name: -score for name, score in GOOD.items()}
FOLD = np.tile(np.arange(4), 20)


@pytest.mark.parametrize(
    "of",
    [
        lambda s: pc.delong(LABEL, s, positive=1),
        lambda s: pc.auc_interval(LABEL, s["a"], positive=1),
        lambda s: pc.auc_interval(LABEL, s["a"], positive=1, method="agarwal"),
        lambda s: pc.auc_intervals(LABEL, s["a"], positive=1).intervals[0],
        lambda s: pc.cv_auc(LABEL, s["a"], fold=FOLD, positive=1),
        lambda s: pc.hanley_mcneil(LABEL, s, positive=1),
        lambda s: pc.delong_unpaired(LABEL, s["a"], LABEL, s["b"], positive=1),
        lambda s: pc.auc_exchange(LABEL, s, positive=1, seed=1, resamples=99),
    ],
)
def test_every_result_of_areas_asks(of):
    assert any(note.endswith(SCORE) for note in of(BAD).notes)
    assert not any(SCORE in note for note in of(GOOD).notes)


def test_intervals_side_by_side_ask_once():
    found = pc.auc_intervals(LABEL, BAD["a"], positive=1).intervals
    assert sum(SCORE in note for one in found for note in one.notes) == 1


@pytest.mark.parametrize("figure", ["auc", "partial_auc"])
def test_readers_are_counted(figure):
    ratings = simulated(t=4, r=4, n=60, shift=0.3)
    options = {} if figure == "auc" else {"figure": figure, "fpr_range": (0, 0.5)}
    found = pc.mrmc(negated(ratings), **options)
    asked = [note for note in found.notes if RATING in note]
    assert asked == ["all 16 AUCs are" + RATING] * (figure == "auc")
    assert not any(RATING in note for note in pc.mrmc(ratings, **options).notes)
    assert (RATING in conclusion(found)) == (figure == "auc")


def test_most_readers_are_enough():
    ratings = simulated(t=4, r=4, n=60)
    values = ratings.values.copy()
    values[:3] *= -1
    found = pc.mrmc(dataclasses.replace(ratings, values=values))
    assert "12 of 16 AUCs are" + RATING in found.notes
    one = pc.single_modality(negated(ratings), modality="M1")
    assert "all 4 AUCs are" + RATING in one.notes


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"figure": "partial_auc", "fpr_range": (0, 0.4)},
        {"figure": "sensitivity", "threshold": 0.5},
        {"figure": "specificity", "threshold": 0.5},
        {"method": "dbm"},
    ],
)
def test_lower_ratings_are_higher_ones_turned(options):
    ratings = simulated(n=40)
    turned = dict(options)
    if "threshold" in options:
        turned["threshold"] = -0.5
    want = pc.mrmc(ratings, **options)
    found = pc.mrmc(negated(ratings), better="lower", **turned)
    assert found.table.equals(want.table)
    assert found.r_call().arguments["rating"].tolist() == (
        want.r_call().arguments["rating"].tolist()
    )
    if "threshold" in options:
        assert "at ratings <= -0.5" in found.figure
        both = [
            pc.glmm(ratings, outcome=options["figure"], threshold=0.5),
            pc.glmm(
                negated(ratings),
                outcome=options["figure"],
                threshold=-0.5,
                better="lower",
            ),
        ]
        assert both[0].table.equals(both[1].table)
    single = {k: v for k, v in turned.items() if k != "method"}
    one = pc.single_modality(negated(ratings), modality="M1", better="lower", **single)
    assert one.estimate == want.areas["estimate"][0]


def test_a_report_of_lower_ratings_is_made_again(tmp_path):
    ratings = negated(simulated(t=2, n=30))
    folder = pc.report(pc.mrmc(ratings, better="lower"), tmp_path / "out")
    assert command("verify", folder, "--recompute")[0] == 0


def test_a_direction_without_effect_is_refused():
    ratings = simulated(t=2, n=20)
    with pytest.raises(pc.InputError, match="has no direction"):
        pc.single_modality(ratings, modality="M1", figure="mean", better="lower")
    binary = dataclasses.replace(ratings, values=(ratings.values > 0) * 1.0)
    with pytest.raises(pc.InputError, match="the ratings are the outcomes"):
        pc.glmm(binary, better="lower")
    with pytest.raises(pc.InputError, match="choose 'higher' or 'lower'"):
        pc.glmm(ratings, outcome="accuracy", threshold=0.5, better="low")


def predictions(scores) -> pd.DataFrame:
    return pd.concat(
        pd.DataFrame(
            {"alg": a, "fold": FOLD, "case": np.arange(80), "y": LABEL, "p": s}
        )
        for a, s in scores.items()
    )


COLUMNS = {"algorithm": "alg", "block": "fold", "label": "y", "score": "p"}


def test_a_page_of_curves_and_its_conclusions_ask(tmp_path):
    good, bad = (
        pc.compare_curves(
            pc.Predictions.from_frame(
                predictions(scores), case="case", positive=1, **COLUMNS
            )
        )
        for scores in (GOOD, BAD)
    )
    assert SCORE not in conclusions(good)
    assert "Both AUCs are" + SCORE in conclusions(bad)
    page = pc.report(bad, tmp_path / "out") / "report.html"
    assert "Both AUCs are" + SCORE in page.read_text()


@pytest.mark.parametrize(
    "design",
    [
        sizes.Auc(auc=0.3, null=0.5),
        sizes.Delong(auc_1=0.3, auc_2=0.4, correlation=0.5),
    ],
)
def test_a_planned_area_asks(design):
    found = pc.power(design, n=60, trials=0)
    assert any(note.endswith(SCORE) for note in found.notes)


def test_a_pilot_of_reversed_ratings_asks():
    design = sizes.Mrmc.from_ratings(negated(simulated(t=2, n=40)))
    assert "both AUCs are" + RATING in pc.power(design, n=5, trials=0).notes


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_measured_areas_ask(tmp_path, ending):
    frame = predictions(BAD)
    path = tmp_path / f"p.{ending}"
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    words = [w for name, column in COLUMNS.items() for w in (f"--{name}", column)]
    words += ["--positive", "1", "--metric", "auc", "--metric", "auc_pr"]
    status, told, _ = command("measure", path, *words, "--out", tmp_path / "s.parquet")
    assert status == 0
    assert "all 8 AUCs are" + SCORE in told


def test_the_command_asks_for_the_direction_of_a_mean(tmp_path):
    ratings = simulated(t=2, n=20)
    path = tmp_path / "r.csv"
    ratings.to_frame().to_csv(path, index=False)
    words = ["mrmc", path, "--modality", "modality", "--reader", "reader"]
    words += ["--case", "case", "--rating", "rating", "--figure", "mean"]
    status, _, told = command(*words)
    assert status == 2 and "--better higher or --better lower" in told
    assert command(*words, "--better", "lower")[0] == 0


def test_the_summary_of_mrmc_asks():
    ratings = negated(simulated(t=2, n=30))
    for found in (pc.mrmc(ratings), pc.single_modality(ratings, modality="M1")):
        assert RATING in found.summary()

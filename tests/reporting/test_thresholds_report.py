"""The page about wins over thresholds and data sets."""

import dataclasses
import json
import re

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.analyses import threshold_sweep
from pycompare.reporting.analysis_reports import report_of
from pycompare.reporting.page.figures import drawn
from pycompare.reporting.threshold_sweep import thresholds_figures
from tests.many_predictions import COUNTS, cases, predictions

SWEEP = pc.Plan(metrics=COUNTS, thresholds=5)


@pytest.fixture(scope="module")
def compared():
    return pc.compare(predictions(n_datasets=8, folds=10, shift=1.0), SWEEP)


@pytest.fixture(scope="module")
def folder(compared, tmp_path_factory):
    return pc.report(compared, tmp_path_factory.mktemp("page") / "out")


def flat(path):
    text = re.sub(r"<[^>]+>", " ", (path / "report.html").read_text())
    return " ".join(text.replace("&#x27;", "'").split())


def test_it_goes_from_the_question_to_the_verdict(compared, folder):
    text = flat(folder)
    assert "Which of the 3 algorithms differ from each other in tp, fp, tn" in text
    assert "over 5 thresholds from 0 to 1 and the folds of 8 data sets?" in text
    assert "theta is the best threshold where a false positive costs theta/(1" in text
    assert "The thresholds of a data set share all their cases" in text
    assert "of 40 pairs of threshold and data set (p ≤" in text
    for made in compared.analyses[0].decisions:
        wins = f"{made.better} wins over {made.worse} on "
        assert (wins in text) == (made.p_adjusted <= compared.plan.alpha)
    assert compared.summary().split("\n")[1] in text
    assert "family of its own" not in text


def test_the_tables_hold_the_numbers(compared, folder):
    won = compared.analyses[0].won
    wins = pd.read_csv(folder / "tables/wins.csv", index_col="algorithm")
    assert wins.drop(columns="total").equals(won.wins.rename_axis("algorithm"))
    assert wins["total"].tolist() == won.totals.tolist()
    rows = pd.read_csv(folder / "tables/at_thresholds.csv")
    assert rows["verdict"].tolist() == won.at_thresholds["verdict"].tolist()
    assert np.allclose(rows["p_value"], won.at_thresholds["p_value"], equal_nan=True)
    assert len(pd.read_csv(folder / "tables/manova.csv")) == 40
    assert len(pd.read_csv(folder / "tables/risks.csv")) == 120
    held = json.loads((folder / "results.json").read_text())
    [analysis] = held["analyses"]
    assert analysis["won"]["wins"] == won.wins.to_numpy().tolist()
    assert held["plan"]["thresholds"] == 5 and held["plan"]["seed"] is None


def test_the_wins_by_threshold_add_up(compared):
    parts = report_of(compared.only).parts(compared.analyses[0])
    [part] = [p for p in parts if p.heading == "Threshold by threshold"]
    _, table = part.content
    totals = [int(cell.text) for row in table.rows for cell in row[4:]]
    grid = compared.analyses[0].won.grid
    assert sum(totals) == grid.sum()
    assert [row[1].text for row in table.rows] == ["0", "0.333", "1.00", "3.00", "∞"]


def test_each_data_set_is_folded_with_its_picture_and_risks(compared):
    strips = drawn(thresholds_figures.of_datasets(compared.analyses[0]))
    details = report_of(compared.only).details(compared.analyses[0], strips)
    folded = [p for p in details if p.folded]
    assert [p.heading for p in folded] == [f"Data set d{i}" for i in range(8)]
    text, picture, pairs, thresholds = folded[3].content
    assert text.startswith("10 folds; MANOVA rejects at ")
    assert picture.name == "data_set_4" and "d3" in picture.caption
    won = compared.analyses[0].won
    rows = won.decisions[won.decisions["dataset"] == "d3"]
    winners = [row[-1].text for row in pairs.rows]
    for row, winner in zip(rows.itertuples(), winners, strict=True):
        at = {"win": row.algorithm_1, "loss": row.algorithm_2}
        assert winner == at.get(row.verdict, row.reason or "nobody")
    assert len(thresholds.rows) == 5
    assert thresholds.header[3:6] == ("risk of a", "risk of b", "risk of c")


def test_pictures_say_method_number_adjustment_and_direction(folder, compared):
    figures = list(report_of(compared.only).figures(compared.analyses[0]))
    names = [figure.name for figure in figures]
    assert names[:4] == ["threshold_pairs", "sign_grid", "threshold_grid", "pair_graph"]
    pairs, signs, grid, _ = (figure.caption for figure in figures[:4])
    assert "MANOVA" in grid and "8 data sets" in grid and "not adjusted" in grid
    assert "holm" in pairs and "the risk is lower" in pairs
    assert "lower risk is better" in signs and "all 3 pairs" in signs
    for name in names:
        assert (folder / "figures" / f"{name}.svg").is_file()


def test_the_script_repeats_thresholds_and_sign_tests(folder):
    text = (folder / "repeat_in_R.R").read_text()
    assert text.count("<- threshold_wins_reference(") == 1
    assert "result_2 <- sign_grid_reference(" in text
    assert "result_3 <- sign_grid_reference(" in text
    assert "left out of it" not in flat(folder)


def test_a_script_that_would_be_too_long_says_what_is_left_out(monkeypatch, tmp_path):
    monkeypatch.setattr(threshold_sweep, "MOST_IN_R", 10)
    found = pc.compare(predictions(n_datasets=6), SWEEP)
    out = pc.report(found, tmp_path / "out")
    assert "sign_grid_reference(" in (out / "repeat_in_R.R").read_text()
    assert "<- threshold_wins_reference(" not in (out / "repeat_in_R.R").read_text()
    assert "The tests at thresholds are left out of it" in flat(out)


def test_one_data_set_has_a_page_without_a_verdict(tmp_path):
    plan = dataclasses.replace(SWEEP, blocks="folds")
    found = pc.compare(predictions(cases(1), dataset=None), plan)
    out = pc.report(found, tmp_path / "out")
    text = flat(out)
    assert "One data set has no primary conclusion: its thresholds share all" in text
    assert "1 data sets" not in text
    assert "is better than" not in text
    assert not (out / "tables/sign.csv").exists()


def test_two_algorithms_have_one_pair(tmp_path):
    found = pc.compare(predictions(n_datasets=6, names=("a", "b")), SWEEP)
    text = flat(pc.report(found, tmp_path / "out"))
    assert "There is one pair, so nothing is adjusted" in text
    assert "do not differ significantly in risk" in text or "better than" in text


def test_plans_are_told_as_they_are():
    found = pc.compare(
        predictions(n_datasets=6),
        pc.Plan(
            metrics=("precision", "recall"),
            loss_ratios=(0.5, 1, 3),
            threshold_rule="any",
            gate="omnibus",
            undefined=0,
        ),
    )
    told = " ".join(report_of(found.only).plan())
    assert "for loss ratios (false positive to false negative) 0.5, 1 and 3" in told
    assert "wins over another if it wins at any threshold and the other at none" in told
    assert "gate = omnibus" in told and "A measure is 0 where it is 0/0" in told
    caveats = " ".join(report_of(found.only).scope())
    assert "sign test over thresholds is a rule" not in caveats
    holm = dataclasses.replace(SWEEP, threshold_adjust="holm")
    again = report_of(pc.compare(predictions(n_datasets=6), holm).only)
    assert "adjusted over the ordered pairs by Holm" in " ".join(again.plan())


def test_measured_scores_say_what_they_were_measured_of(tmp_path):
    plan = pc.Plan(metrics=("error", "auc"), thresholds=(0.4,))
    out = pc.report(pc.compare(predictions(), plan), tmp_path / "out")
    text = flat(out)
    assert "2880 scores of cases; positive class yes, negative no" in text
    assert "called positive: score &gt;= 0.4" in text
    assert json.loads((out / "results.json").read_text())["plan"]["thresholds"] == [0.4]

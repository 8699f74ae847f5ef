"""The page about wins over thresholds and data sets."""

import dataclasses
import json
import re

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs import threshold_sweep
from pycompare.reporting.analyses import threshold_sweep as threshold_report
from pycompare.reporting.analyses.threshold_sweep import RULE
from pycompare.reporting.comparison_report import ComparisonReport, report_of
from pycompare.reporting.document import FoldedSection, Paragraph, walk
from tests.many_predictions import COUNTS, cases, predictions

pytestmark = pytest.mark.usefixtures("blank_pictures")

SWEEP = pc.Plan(metrics=COUNTS, thresholds=5)


@pytest.fixture(scope="module")
def compared():
    return pc.compare(predictions(n_datasets=8, folds=10, shift=1.0), SWEEP)


@pytest.fixture(scope="module")
def folder(compared, tmp_path_factory):
    return pc.report(compared, tmp_path_factory.mktemp("page") / "out")


def folds_of(compared):
    """Folded parts of the result, by title."""
    [told] = ComparisonReport(compared).results()
    return {
        b.title: b for b in walk(told.result.blocks) if isinstance(b, FoldedSection)
    }


def column(table, title):
    place = [c.title for c in table.columns].index(title)
    return [row[place] for row in table.rows]


def flat(path):
    text = re.sub(r"<[^>]+>", " ", (path / "report.html").read_text())
    return " ".join(text.replace("&#39;", "'").split())


def test_significant_wins_and_no_others_are_stated(compared, folder):
    text = flat(folder)
    for made in compared.analyses[0].decisions:
        wins = f"{made.better} wins over {made.worse} on "
        assert (wins in text) == (made.p_adjusted <= compared.plan.alpha)


def test_the_tables_hold_the_numbers(compared, folder):
    won = compared.analyses[0].won
    wins = pd.read_csv(folder / "tables/wins.csv", index_col="algorithm")
    assert list(wins) == [*(f"wins over {name}" for name in won.algorithms), "total"]
    assert (
        wins.drop(columns="total").to_numpy().tolist() == won.wins.to_numpy().tolist()
    )
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
    _, table = folds_of(compared)["Threshold by threshold"].blocks
    won = compared.analyses[0].won
    totals = [sum(column(table, f"wins of {name}")) for name in won.algorithms]
    assert sum(totals) == won.grid.sum()
    assert column(table, "loss ratio") == ["0", "0.333", "1.00", "3.00", "∞"]


def test_each_data_set_is_folded_with_its_picture_and_risks(compared):
    folded = folds_of(compared)
    assert {f"Data set d{i}" for i in range(8)} <= set(folded)
    text, picture, pairs, thresholds = folded["Data set d3"].blocks
    assert isinstance(text, Paragraph) and text.text.startswith("10 folds")
    assert picture.name == "data_set_4" and "d3" in picture.caption
    won = compared.analyses[0].won
    rows = won.decisions[won.decisions["dataset"] == "d3"]
    for row, winner in zip(rows.itertuples(), column(pairs, "winner"), strict=True):
        at = {"win": row.algorithm_1, "loss": row.algorithm_2}
        assert winner == at.get(row.verdict, row.reason or "none")
    assert len(thresholds.rows) == 5
    risks = won.risks[(won.risks["dataset"] == "d3")]["risk"].to_numpy().reshape(5, 3)
    assert column(thresholds, "risk of b") == risks[:, 1].tolist()


def test_the_first_figure_shows_the_wins(folder, compared):
    [told] = ComparisonReport(compared).results()
    figure = told.result.figure
    assert figure.name == "threshold_pairs" and "Holm" in figure.caption
    for name in ("threshold_pairs", "threshold_grid", "data_set_8"):
        assert (folder / "figures" / f"{name}.svg").is_file()


def test_the_script_repeats_thresholds_and_sign_tests(folder):
    text = (folder / "reproduce.R").read_text()
    assert text.count(", threshold_wins_reference(") == 1
    assert 'result_2 <- attempt("result_2", sign_grid_reference(' in text
    assert 'result_3 <- attempt("result_3", sign_grid_reference(' in text


def test_a_script_that_would_be_too_long_says_what_is_left_out(monkeypatch, tmp_path):
    monkeypatch.setattr(threshold_sweep, "MOST_IN_R", 10)
    monkeypatch.setattr(threshold_report, "MOST_IN_R", 10)
    found = pc.compare(predictions(n_datasets=6), SWEEP)
    out = pc.report(found, tmp_path / "out")
    assert "sign_grid_reference(" in (out / "reproduce.R").read_text()
    assert "threshold_wins_reference(" not in (out / "reproduce.R").read_text()
    assert any("10 that it may hold" in s for s in report_of(found).limits())


def test_one_data_set_has_a_page_without_a_verdict(tmp_path):
    plan = dataclasses.replace(SWEEP, blocks="folds")
    found = pc.compare(predictions(cases(1), dataset=None), plan)
    out = pc.report(found, tmp_path / "out")
    text = flat(out)
    assert "1 data sets" not in text
    assert "is better than" not in text
    assert not (out / "tables/sign.csv").exists()


def test_two_algorithms_have_one_pair(tmp_path):
    found = pc.compare(predictions(n_datasets=6, names=("a", "b")), SWEEP)
    [told] = ComparisonReport(found).results()
    assert len(told.outcome.pairs) == 1
    assert (pc.report(found, tmp_path / "out") / "report.html").is_file()


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
    told = " ".join(report_of(found).plan())
    assert "0.5, 1 and 3" in told and "gate = omnibus" in told and "0/0" in told
    assert RULE not in report_of(found).scope()
    holm = dataclasses.replace(SWEEP, threshold_adjust="holm")
    again = report_of(pc.compare(predictions(n_datasets=6), holm))
    assert "Holm adjustment over the ordered pairs" in " ".join(again.plan())
    assert RULE in again.scope()


def test_measured_scores_say_what_they_were_measured_of(tmp_path):
    plan = pc.Plan(metrics=("error", "auc"), thresholds=(0.4,))
    out = pc.report(pc.compare(predictions(), plan), tmp_path / "out")
    text = flat(out)
    assert "2880 scores of cases; positive class yes, negative no" in text
    assert "called positive: score &gt;= 0.4" in text
    assert json.loads((out / "results.json").read_text())["plan"]["thresholds"] == [0.4]

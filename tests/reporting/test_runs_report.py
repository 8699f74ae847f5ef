"""Runs within blocks on a page: what is kept stands there, and verdicts do not move."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.data.runs import over_runs
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.content import runs_report
from pycompare.reporting.content.page import placed
from pycompare.reporting.document import Paragraph, plain, walk
from pycompare.results.guarantees import MEASURED
from pycompare.results.result import rejected
from tests.runs import LONG, frame_of, runs_of, simulated

pytestmark = pytest.mark.usefixtures("blank_pictures")

OVER = [f"d{i // 4}" for i in range(12)]
HELD_OUT = {"blocks": "folds", "protocol": "held-out"}
REPORTS = {
    "means": (runs_of(simulated()), HELD_OUT),
    "two": (runs_of(simulated(a=2)), HELD_OUT),
    "ranks": (runs_of(simulated()), {"blocks": "datasets"}),
    "two over data sets": (runs_of(simulated(a=2)), {"blocks": "datasets"}),
    "data sets": (runs_of(simulated(b=12), datasets=OVER), {}),
    "cases": (runs_of(simulated(b=30)), {"blocks": "cases", "runs": "samples"}),
}


@pytest.fixture(params=REPORTS)
def case(request):
    scores, keys = REPORTS[request.param]
    return scores, pc.Plan(replicates="keep", **keys)


def told(comparison, tmp_path):
    """Return the page, the results and the R code of a comparison."""
    out = pc.report(comparison, tmp_path / "out")
    page = (out / "report.html").read_text()
    held = json.loads((out / "results.json").read_text())
    return out, page, held, (out / "reproduce.R").read_text()


def test_verdicts_are_those_of_cell_means_on_every_analysis(case):
    scores, plan = case
    means = replace(scores, runs=None, replicates=None)
    kept = pc.compare(scores, plan)
    averaged = pc.compare(scores, replace(plan, replicates="average"))
    plainly = pc.compare(means, replace(plan, replicates=None, runs=None))
    assert kept.analyses[0].decisions == plainly.analyses[0].decisions
    assert averaged.analyses[0].decisions == plainly.analyses[0].decisions
    assert kept.summary() == averaged.summary()
    # Cell means alone say nothing of new answers to the same cases.
    told = averaged.summary().splitlines()[0]
    assert told == plainly.summary().splitlines()[0]
    if "these cases" not in averaged.summary():
        assert averaged.summary() == plainly.summary()


def test_what_is_kept_stands_on_the_page_in_the_files_and_in_r(case, tmp_path):
    scores, plan = case
    comparison = pc.compare(scores, plan)
    out, page, held, script = told(comparison, tmp_path)
    assert "Runs within" in page and "replicates = keep" in page
    assert "Mack &amp; Skillings (1980)" in page
    assert held["plan"]["replicates"] == "keep"
    assert held["data"]["replicates"] == list(scores.replicates)
    [analysis] = held["analyses"]
    assert len(analysis["runs"]) == (3 if scores.datasets else 1)
    assert "mack_skillings_reference" in script
    over_folds = plan.blocks != "datasets"
    for name in ("strata", "components", "share", "planning"):
        assert (out / "tables" / f"runs_{name}.csv").exists() == over_folds
    assert (out / "tables" / "runs_mack_skillings.csv").exists()
    assert ("replicated_anova_reference" in script) == over_folds
    assert (analysis["runs"][0]["strata"] is not None) == over_folds


def test_averaged_runs_are_said_and_not_analysed(case, tmp_path):
    scores, plan = case
    comparison = pc.compare(scores, replace(plan, replicates="average"))
    out, page, held, script = told(comparison, tmp_path)
    assert "replicates = average" in page and "Mack" not in page
    assert "Runs within" not in page and "mack_skillings" not in script
    assert held["analyses"][0]["runs"] == []
    assert not list((out / "tables").glob("runs_*"))


def test_without_runs_a_page_says_nothing_of_them(tmp_path):
    _, page, held, _ = told(pc.compare(pc.example()), tmp_path)
    assert "replicates" not in page
    assert held["data"]["replicates"] is None and held["plan"]["replicates"] is None


def test_each_data_set_has_its_own_strata(tmp_path):
    scores, keys = REPORTS["data sets"]
    comparison = pc.compare(scores, pc.Plan(replicates="keep", **keys))
    out, page, _, _ = told(comparison, tmp_path)
    runs = comparison.analyses[0].runs
    assert [found.dataset for found in runs] == ["d0", "d1", "d2"]
    own = runs_of(simulated(b=12)[4:8])
    assert runs[1].strata.statistic == pc.replicated_anova(own).statistic
    frame = pd.read_csv(out / "tables" / "runs_components.csv")
    assert frame["dataset"].tolist() == ["d0"] * 3 + ["d1"] * 3 + ["d2"] * 3
    assert "Runs within folds of d2" in page


def test_full_precision_is_in_the_files(tmp_path):
    scores, keys = REPORTS["means"]
    out, _, held, _ = told(
        pc.compare(scores, pc.Plan(replicates="keep", **keys)), tmp_path
    )
    found = pc.replicated_anova(scores)
    with (out / "tables" / "runs_strata.csv").open(newline="") as file:
        sums = [float(row["sum_sq"]) for row in csv.DictReader(file)]
    assert sums == found.table["sum_sq"].tolist()
    strata = held["analyses"][0]["runs"][0]["strata"]
    assert strata["interaction"]["p_value"] == found.interaction.p_value
    assert strata["planning"][4]["n_runs"] == "Infinity"


@pytest.mark.parametrize("seed", range(12))
def test_the_sentence_about_the_interaction_is_its_p_value(seed):
    scores = runs_of(simulated(seed=seed, interaction=0.25, b=5))
    found = pc.replicated_anova(scores)
    said = " ".join(runs_report.findings(found, 0.05, "fold"))
    shown = bool(rejected(found.interaction.p_value, 0.05))
    assert ("No significant change" in said) != shown


def test_both_sentences_were_among_them():
    shown = {
        bool(
            rejected(
                pc.replicated_anova(
                    runs_of(simulated(seed=seed, interaction=0.25, b=5))
                ).interaction.p_value,
                0.05,
            )
        )
        for seed in range(12)
    }
    assert shown == {True, False}


def test_runs_that_are_all_alike_are_said(tmp_path):
    cells = simulated(n=1)
    scores = runs_of(np.repeat(cells, 3, axis=2))
    plan = pc.Plan(blocks="folds", protocol="held-out", replicates="keep")
    _, page, held, _ = told(pc.compare(scores, plan), tmp_path)
    assert "The runs of each cell are all alike" in page
    strata = held["analyses"][0]["runs"][0]["strata"]
    assert strata["interaction"]["p_value"] == "NaN"


def test_constant_scores_make_a_page(tmp_path):
    scores = runs_of(np.full((5, 3, 2), 0.25))
    plan = pc.Plan(blocks="folds", protocol="held-out", replicates="keep")
    found = pc.compare(scores, plan)
    assert all(math.isnan(made.p_adjusted) for made in found.analyses[0].decisions)
    _, page, _, _ = told(found, tmp_path)
    assert "Runs within folds" in page


def test_corrected_tests_say_that_run_noise_is_not_shared(tmp_path):
    scores, _ = REPORTS["two"]
    plan = pc.Plan(blocks="folds", replicates="keep", n_train=90, n_test=10)
    _, page, _, _ = told(pc.compare(scores, plan), tmp_path)
    assert "Run noise is not shared" in page


def test_several_metrics_have_their_runs_each(tmp_path):
    frame = frame_of(simulated())
    frame["other"] = np.random.default_rng(2).normal(size=len(frame))
    roles = LONG | {"metrics": {"score": "higher", "other": "lower"}}
    scores = pc.Scores.from_frame(frame, **roles)
    plan = pc.Plan(blocks="folds", protocol="held-out", replicates="keep")
    comparison = pc.compare(scores, plan)
    out, page, _, script = told(comparison, tmp_path)
    assert page.count("Runs within folds</h4>") == 2
    assert (out / "tables" / "metric2_runs_strata.csv").exists()
    other = comparison.analyses[1].runs[0].strata
    assert other.statistic == pc.replicated_anova(scores, metric="other").statistic
    assert script.count("other: Runs within") >= 2


def test_hostile_labels_are_text_everywhere(tmp_path):
    odd = "<script>alert(1)</script>\"'"
    frame = frame_of(simulated(b=12), OVER).replace(
        {"r": {"s0": odd}, "d": {"d0": odd}, "a": {"A0": "=1+1"}}
    )
    scores = pc.Scores.from_frame(frame, dataset="d", **LONG)
    comparison = pc.compare(scores, pc.Plan(replicates="keep"))
    out, page, held, script = told(comparison, tmp_path)
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    assert held["data"]["replicates"][0] == odd and script.isascii()
    frame = pd.read_csv(out / "tables" / "runs_strata.csv")
    assert frame["dataset"][0] == odd


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_any_unit_makes_a_page(scale, tmp_path):
    scores = runs_of(simulated() * scale)
    plan = pc.Plan(blocks="folds", protocol="held-out", replicates="keep")
    _, page, _, _ = told(pc.compare(scores, plan), tmp_path)
    assert "Runs within folds" in page


def test_the_details_of_very_many_data_sets_are_in_the_files_alone(monkeypatch):
    monkeypatch.setattr(runs_report, "MOST_DETAILS", 2)
    scores, keys = REPORTS["data sets"]
    comparison = pc.compare(scores, pc.Plan(replicates="keep", **keys))
    [only] = runs_report.blocks(comparison, comparison.analyses[0])
    table, text = only.blocks
    assert text.files == ("runs_strata", "runs_components", "runs_planning")
    assert len(table.rows) == 3


def test_the_files_of_each_metric_are_named_as_they_are_called(monkeypatch):
    monkeypatch.setattr(runs_report, "MOST_DETAILS", 2)
    frame = frame_of(simulated(b=12), datasets=OVER)
    frame["other"] = np.random.default_rng(2).normal(size=len(frame))
    roles = LONG | {"metrics": {"score": "higher", "other": "lower"}}
    scores = pc.Scores.from_frame(frame, dataset="d", **roles)
    comparison = pc.compare(scores, pc.Plan(replicates="keep"))
    _, second, *_ = (one.result for one in ComparisonReport(comparison).results())
    shown = placed(second.blocks, "", second)
    words = [plain(one.text) for one in walk(shown) if isinstance(one, Paragraph)]
    start = "tables/metric2_runs_strata.csv, tables/metric2"
    assert any(start in w for w in words)


def test_runs_of_cases_have_components_of_variance(tmp_path):
    """The page said that they had none, as if cases were data sets."""
    plan = pc.Plan(blocks="cases", replicates="keep", runs="samples")
    _, page, *_ = told(pc.compare(runs_of(simulated(b=30)), plan), tmp_path)
    assert "Runs within cases" in page and "algorithm × case" in page
    assert "no common unit" not in page and "folds random" not in page
    assert "right and wrong answers do not have" not in page


def test_tests_of_right_and_wrong_runs_are_told_to_be_approximate(tmp_path):
    graded = runs_of(simulated(b=30))
    right = (graded.runs > np.median(graded.runs)).astype(float)
    scores = replace(graded, runs=right, values=over_runs(right))
    plan = pc.Plan(blocks="cases", replicates="keep", runs="samples")
    _, page, *_ = told(pc.compare(scores, plan), tmp_path)
    assert "right and wrong answers do not have" in page
    assert "components need no such assumption" in page
    assert MEASURED["replicated_anova, right or wrong"].text in page


def test_runs_of_clustered_cases_have_components_of_clusters_cases_and_runs(tmp_path):
    scores = runs_of(simulated(b=30))
    clustered = replace(scores, clusters=tuple(f"t{i // 5}" for i in range(30)))
    plan = pc.Plan(blocks="cases", replicates="keep", runs="samples")
    kept = pc.compare(clustered, plan)
    averaged = pc.compare(clustered, replace(plan, replicates="average"))
    assert averaged.analyses[0].runs == ()
    assert kept.summary() == averaged.summary()
    out, page, held, script = told(kept, tmp_path)
    strata = pc.clustered_runs(clustered)
    shares = [f"{100 * share:.0f}%" for share in strata.shares().values()]
    assert f"{shares[0]} comes from clusters, {shares[1]} from cases" in page
    assert "algorithm × case within cluster" in page and "Mack" not in page
    assert "clustered_runs_reference" in script
    assert '"size_ratio": 1.0' in json.dumps(held)
    rows = pd.read_csv(out / "tables" / "runs_components.csv")
    assert rows["share"].tolist()[2:] == list(strata.shares().values())

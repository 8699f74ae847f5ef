"""Several metrics at once over folds."""

import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.reporting import together_words

FOLDS = pc.Plan(blocks="folds")


def scores(n=10, a=4, seed=1, missing="error", **columns):
    """Scores in tp, fn = 20 - tp, and what else is asked for."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        for j in range(a):
            tp = float(np.round(12 + j + 2 * rng.normal()))
            row = {"f": i, "a": f"A{j + 1}", "tp": tp, "fn": 20 - tp}
            rows.append(row | {"auc": rng.random() + 0.1 * j})
    frame = pd.DataFrame(rows)
    for name, value in columns.items():
        frame[name] = value
    better = {"tp": "higher", "fn": "lower", "auc": "higher"}
    return pc.Scores.from_frame(
        frame,
        algorithm="a",
        block="f",
        metrics=better | dict.fromkeys(columns, "lower"),
        missing=missing,
    )


def test_it_is_the_multivariate_analysis_of_the_planned_metrics():
    given = scores()
    plan = pc.Plan(blocks="folds", metrics=("auc", "tp"), alpha=0.01)
    found = pc.compare(given, plan).together
    alone = pc.manova(given, metrics=("auc", "tp"), alpha=0.01)
    assert found.metrics == ("auc", "tp")
    assert found.manova.p_value == alone.p_value
    assert found.manova.dimension == alone.dimension


def test_there_is_none_for_one_metric_or_for_data_sets():
    assert pc.compare(scores(), pc.Plan(metrics=("auc",), blocks="folds")).together is (
        None
    )
    assert pc.compare(scores()).together is None


def test_dependent_metrics_are_named():
    comparison = pc.compare(scores(), FOLDS)
    test = comparison.together.manova
    assert test.rank == 2
    text = comparison.summary()
    assert "fn = 20 - tp" in text
    assert "made of tp and auc, rank 2 of 3" in text


def test_too_few_folds_for_the_metrics_is_said_and_each_metric_still_analysed():
    rng = np.random.default_rng(5)
    more = {f"m{i}": rng.random(8) for i in range(5)}
    comparison = pc.compare(scores(2, 4, **more), FOLDS)
    assert comparison.together.manova is None
    assert len(comparison.analyses) == 8
    assert "Not computed. Multivariate analysis of variance:" in comparison.summary()
    assert comparison.to_dict()["together"]["manova"] is None


def test_two_algorithms_have_their_metrics_together_too():
    given = scores(12, 2)
    found = pc.compare(given, pc.Plan(blocks="folds", metrics=("tp", "auc"))).together
    assert found.manova.dimensionality.table.shape[0] == 1


def test_its_results_are_in_the_report_and_in_the_r_script(tmp_path):
    comparison = pc.compare(scores(), FOLDS)
    titles = [title for title, _ in comparison.results()]
    assert titles[-2:] == [
        "Metrics together: multivariate analysis of variance",
        "Metrics together: dimensionality",
    ]
    out = pc.report(comparison, tmp_path / "out")
    assert "<- manova_reference(" in (out / "repeat_in_R.R").read_text()
    page = (out / "report.html").read_text()
    for text in (
        "Verdict: metrics together",
        "Wilks&#39; Lambda",
        "Pillai",
        "Roy",
        "fn = 20 - tp",
        "Canonical variates",
        "dimensions",
    ):
        assert text in page, text
    names = {path.name for path in (out / "tables").iterdir()}
    assert {"together_manova.csv", "together_dimensionality.csv"} <= names
    drawn = {path.name for path in (out / "figures").iterdir()}
    assert {"together_ellipses.svg", "together_canonical_variates.svg"} <= drawn
    held = json.loads((out / "results.json").read_text())["together"]
    assert held["manova"]["p_value"] == comparison.together.manova.p_value


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_sentences_say_what_the_numbers_say(alpha, seed):
    comparison = pc.compare(scores(8, 3, seed), pc.Plan(blocks="folds", alpha=alpha))
    found = comparison.together
    first, *others = together_words.verdict_sentences(found, alpha)
    rejected = found.manova.p_value <= alpha
    assert ("not all algorithms have the same mean vector" in first) == rejected
    assert (f"≤ {alpha}" in first) == rejected
    told = " ".join(others)
    assert f"differ in {found.manova.dimension} of 2 dimensions" in told
    for row in found.manova.univariate.itertuples():
        sign = "≤" if row.p_adjusted <= alpha else ">"
        part = told.split(f"{row.metric} adjusted p = ")[1]
        assert part.split()[1] == sign

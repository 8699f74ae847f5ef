"""Several metrics at once over folds."""

import dataclasses
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.reporting.analyses import multivariate as words

pytestmark = pytest.mark.usefixtures("blank_pictures")

FOLDS = pc.Plan(blocks="folds", protocol="held-out")


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
        confirmed=["impossible"],
    )


def test_it_is_the_multivariate_analysis_of_the_planned_metrics():
    given = scores()
    plan = pc.Plan(
        blocks="folds", protocol="held-out", metrics=("auc", "tp"), alpha=0.01
    )
    found = pc.compare(given, plan).together
    alone = pc.manova(given, metrics=("auc", "tp"), alpha=0.01)
    assert found.metrics == ("auc", "tp") and found.blocks == "folds"
    assert found.manova.p_value == alone.p_value
    assert found.manova.dimension == alone.dimension


def test_there_is_none_for_one_metric_or_for_data_sets():
    assert pc.compare(
        scores(), pc.Plan(metrics=("auc",), blocks="folds", protocol="held-out")
    ).together is (None)
    assert pc.compare(scores()).together is None


def test_dependent_metrics_are_named():
    comparison = pc.compare(scores(), FOLDS)
    test = comparison.together.manova
    assert test.rank == 2
    text = comparison.summary()
    assert "fn = 20 - tp" in text
    assert test.kept == ("tp", "auc") and "rank 2 of 3" in text


def test_too_few_folds_for_the_metrics_is_said_and_each_metric_still_analysed():
    rng = np.random.default_rng(5)
    more = {f"m{i}": rng.random(8) for i in range(5)}
    comparison = pc.compare(scores(2, 4, **more), FOLDS)
    assert comparison.together.manova is None
    assert len(comparison.analyses) == 8
    text = comparison.summary()
    assert "Not computed: Multivariate analysis of variance, Checks" in text
    assert "Not computed: T2 of pairs" in text
    assert comparison.to_dict()["together"]["manova"] is None


def test_pairs_are_the_t2_tests_adjusted_as_planned():
    given = scores()
    for adjust, expected in (
        (("tukey", "bonferroni"), "bonferroni"),
        (("tukey",), "holm"),
        ((), "bergmann-hommel"),
    ):
        plan = pc.Plan(
            blocks="folds", protocol="held-out", metrics=("tp", "auc"), adjust=adjust
        )
        got = pc.compare(given, plan).together.pairs
        alone = pc.hotelling_pairs(given, metrics=("tp", "auc"), adjust=expected)
        assert got.table.equals(alone.table)
    control = pc.compare(
        given, pc.Plan(blocks="folds", protocol="held-out", control="A2")
    ).together
    assert len(control.pairs.table) == 3 and control.cliques == ()


def test_a_metric_that_does_not_vary_is_said_to_be_untested():
    text = pc.compare(scores(8, 3, same=1.0), FOLDS).summary()
    assert "undefined" not in text


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_pairs_that_are_said_to_differ_are_the_rejected_ones(alpha, seed):
    comparison = pc.compare(
        scores(8, 4, seed), pc.Plan(blocks="folds", protocol="held-out", alpha=alpha)
    )
    found = comparison.together
    rejected = {
        f"{r.algorithm_1} – {r.algorithm_2}"
        for r in found.pairs.table.itertuples()
        if r.p_adjusted <= alpha
    }
    facts = words.facts(found, alpha)
    assert {
        " – ".join(pair) for pair in facts.significant
    } == rejected and facts.n_pairs == 6
    assert facts.differ == (found.manova.p_value <= alpha)
    joined = {f"{i} – {j}" for c in found.cliques for i in c for j in c if i < j}
    assert len(joined) + len(rejected) == 6 and not joined & rejected


def test_a_manova_without_a_p_value_decides_nothing():
    found = pc.compare(scores(8, 3), FOLDS).together
    undefined = SimpleNamespace(p_value=np.nan, rejected=lambda _: False)
    facts = words.facts(dataclasses.replace(found, manova=undefined), 0.05)
    assert facts.differ is None


def test_an_identical_pair_is_named_as_not_tested():
    given = scores(10, 3)
    values = given.values.copy()
    values[:, 1] = values[:, 0]
    twins = dataclasses.replace(given, values=values)
    comparison = pc.compare(twins, FOLDS)
    assert words.facts(comparison.together, 0.05).untested == (("A1", "A2"),)
    assert "Not tested: A1 – A2" in comparison.summary()


def test_the_permutation_test_and_the_checks_stand_beside_it():
    given = scores()
    comparison = pc.compare(given, pc.Plan(blocks="folds", protocol="held-out", seed=7))
    found = comparison.together
    alone = pc.permutation_manova(given, seed=7)
    assert found.permutation.p_value == alone.p_value
    assert found.permutation.seed == 7
    assert found.checks.to_frame().equals(pc.multivariate_checks(given).to_frame())
    assert pc.compare(given, FOLDS).together.permutation.seed == 0


def test_two_algorithms_have_their_metrics_together_too():
    given = scores(12, 2)
    found = pc.compare(
        given, pc.Plan(blocks="folds", protocol="held-out", metrics=("tp", "auc"))
    ).together
    assert found.manova.dimensionality.table.shape[0] == 1


def test_its_results_are_in_the_report_and_in_the_r_script(tmp_path):
    comparison = pc.compare(scores(), FOLDS)
    titles = [title for title, _ in comparison.results()]
    assert titles[-5:-3] == [
        "Metrics together: multivariate analysis of variance",
        "Metrics together: dimensionality",
    ]
    assert "T2" in titles[-3]
    out = pc.report(comparison, tmp_path / "out")
    script = (out / "reproduce.R").read_text()
    assert ", manova_reference(" in script
    assert ", hotelling_pairs_reference(" in script
    page = (out / "report.html").read_text()
    for text in (
        "All metrics together",
        "Wilks&#39; Lambda",
        "Pillai",
        "Roy",
        "fn = 20 - tp",
        "Canonical variates",
        "dimensions",
        "Pairs of mean vectors",
        "Mahalanobis distance",
        "left out: fn = 20 - tp",
        "permutation",
        "Box&#39;s M",
        "Henze-Zirkler",
        "does not affect the conclusions",
    ):
        assert text in page, text
    names = {path.name for path in (out / "tables").iterdir()}
    assert {"together_manova.csv", "together_dimensionality.csv"} <= names
    assert {"together_pairs.csv", "together_directions.csv"} <= names
    drawn = {path.name for path in (out / "figures").iterdir()}
    assert {"together_ellipses.svg", "together_canonical_variates.svg"} <= drawn
    held = json.loads((out / "results.json").read_text())["together"]
    assert held["manova"]["p_value"] == comparison.together.manova.p_value


def test_a_gate_holds_for_pairs_of_mean_vectors():
    rng = np.random.default_rng(5)
    for effect in (0.0, 3.0):
        values = rng.normal(size=(12, 3, 2)) + effect * np.arange(3)[:, None]
        names = tuple("abc"), (pc.Metric("m", "lower"), pc.Metric("n", "lower"))
        table = pc.Scores(values, tuple(map(str, range(12))), *names)
        free, gate = (
            pc.compare(
                table, pc.Plan(blocks="folds", protocol="held-out", gate=word)
            ).together
            for word in ("none", "omnibus")
        )
        larger = np.maximum(free.pairs.table["p_adjusted"], free.manova.p_value)
        assert gate.pairs.table["p_adjusted"].tolist() == larger.tolist()


def test_pairs_that_wait_for_a_test_that_there_is_not_are_refused():
    # c differs from the others without any error.
    first = np.random.default_rng(1).normal(size=(8, 3))
    values = np.stack([first, first + np.array([0, 0, 1.0])], axis=2)
    metrics = (pc.Metric("m", "lower"), pc.Metric("n", "lower"))
    table = pc.Scores(values, tuple("stuvwxyz"), tuple("abc"), metrics)
    free, gate = (
        pc.compare(
            table, pc.Plan(blocks="folds", protocol="held-out", gate=word)
        ).together
        for word in ("none", "omnibus")
    )
    assert free.manova is None and free.pairs is not None
    assert gate.pairs is None and not gate.cliques
    assert (
        "T2 of pairs: the plan requires a significant omnibus test first"
        in " ".join(gate.refusals)
    )

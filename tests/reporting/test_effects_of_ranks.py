"""Rank tests come with how far algorithms differ, in the metric's own unit."""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.reporting.analyses import rank_tests as rank_tables
from pycompare.reporting.analyses import two_algorithms as two_report
from pycompare.reporting.comparison_report import report_of
from tests.conftest import wide
from tests.methods.over_datasets.many_folds import folds_of


def skewed(n=20):
    """Two algorithms: Wilcoxon's test is significant, d_z's interval holds 0."""
    d = np.full(n, 0.01) + np.arange(n) / 1e4
    d[:2] = (-2.0, 2.5)
    base = np.linspace(0.5, 0.9, n)
    return wide(np.column_stack([base + d, base]))


def several(n=15, **options):
    values = np.random.default_rng(4).normal(size=(n, 3)) + np.array([0, 0.2, 2.0])
    return wide(values, **options)


def test_a_rank_analysis_has_differences_in_the_metrics_unit(tmp_path):
    scores = several()
    comparison = pc.compare(
        scores, pc.Plan(blocks="datasets", compares="ranks", level=0.9)
    )
    [analysis] = comparison.analyses
    alone = pc.hodges_lehmann(scores)  # of pairs: 1 - alpha, whatever the level
    assert analysis.differences.to_dict() == alone.to_dict()
    assert analysis.differences in [result for _, result in comparison.results()]
    table = rank_tables.differences(analysis)
    titles = [c.title for c in table.columns]
    assert titles[1:3] == ["Hodges-Lehmann difference", "95% CI"]
    assert "simultaneous over all 3 pairs of 3 algorithms" in table.caption
    ranks = analysis.decisive.placed()
    for fact in report_of(comparison.only).outcome(analysis).pairs:
        assert fact.estimate_name == "difference in mean ranks"
        apart = ranks[fact.subject] - ranks[fact.object]
        assert fact.estimate == pytest.approx(apart) and fact.interval is None
    out = pc.report(comparison, tmp_path / "out")
    written = pd.read_csv(out / "tables" / "hodges_lehmann.csv")
    assert written["estimate"].tolist() == alone.table["estimate"].tolist()
    assert "hodges_lehmann_reference(" in (out / "reproduce.R").read_text("utf-8")
    assert "Hodges-Lehmann difference" in (out / "report.html").read_text("utf-8")


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_the_sentence_on_mean_ranks_quotes_no_estimate_of_another_quantity(better):
    """A wins little on most data sets and loses much on few: means favour B."""
    values = np.zeros((12, 3))
    values[:8, 0], values[8:, 0] = 0.1, -9.0
    values[:, 2] = -20 - np.arange(12)
    sign = 1 if better == "higher" else -1
    scores = wide(sign * values, better=better)
    plan = pc.Plan(blocks="datasets", compares="ranks", alpha=0.9)
    comparison = pc.compare(scores, plan)
    [analysis] = comparison.analyses
    [fact] = [
        f
        for f in report_of(comparison.only).outcome(analysis).pairs
        if f.pair == {"A1", "A2"}
    ]
    assert fact.significant and fact.subject == "A1"
    assert fact.estimate == pytest.approx(-1 / 3) and fact.ahead > 0
    assert sign * analysis.differences.of("A1", "A2")[0] < 0
    first = comparison.summary().splitlines()[0]
    assert "Hodges-Lehmann" not in first and "differences in mean ranks −0.33" in first


def test_with_gaps_and_a_control_there_are_differences_too():
    scores = several(missing="model")
    values = scores.values.copy()
    values[0, 0] = np.nan
    scores = wide(values[:, :, 0], missing="model")
    plan = pc.Plan(blocks="datasets", compares="ranks", control="A3")
    [analysis] = pc.compare(scores, plan).analyses
    assert analysis.superiority is None
    assert set(analysis.differences.table["algorithm_2"]) == {"A3"}
    assert analysis.differences.table["n_blocks"].tolist() == [14, 15]
    assert "cells are missing" in rank_tables.differences(analysis).caption.lower()


def test_too_few_blocks_give_no_level():
    comparison = pc.compare(several(3), pc.Plan(blocks="datasets", compares="ranks"))
    [analysis] = comparison.analyses
    assert analysis.differences.reached == 0.25
    assert "too few" in rank_tables.differences(analysis).caption


def test_data_sets_with_folds_have_differences_of_their_means():
    scores = folds_of([6] * 9, 3, effect=1.0)
    comparison = pc.compare(scores)
    [analysis] = comparison.analyses
    alone = pc.hodges_lehmann(pc.dataset_means(scores))
    assert analysis.ranks.differences.to_dict() == alone.to_dict()


def test_wilcoxons_test_has_its_own_effect_size_and_the_t_test_has_d_z():
    scores = skewed()
    assert pc.wilcoxon(scores).p_value < 0.05
    effect = pc.paired_t(scores).effect
    assert effect.conf_low < 0 < effect.conf_high
    by_ranks = pc.compare(scores, pc.Plan(blocks="datasets"))
    first = by_ranks.summary()
    r = by_ranks.analyses[0].wilcoxon.rank_biserial
    assert f"Matched-pairs rank-biserial correlation: {r:.3f}" in first
    assert "Hodges-Lehmann difference 0.01" in first.split("\n")[0]
    assert "d_z" not in by_ranks.summary()
    by_t = pc.compare(scores, pc.Plan(blocks="folds", protocol="held-out")).summary()
    assert "d_z" in by_t and "biserial" not in by_t


@pytest.mark.parametrize("blocks", ["folds", "datasets"])
def test_each_effect_size_stands_below_its_test(blocks):
    protocol = "held-out" if blocks == "folds" else None
    plan = pc.Plan(blocks=blocks, protocol=protocol)
    [analysis] = pc.compare(skewed(), plan).analyses
    labels = [row[0] for row in two_report.estimates(analysis).rows]
    assert labels[labels.index("mean difference of score") + 1] == "Cohen's d_z"
    at = labels.index("Hodges-Lehmann difference of score")
    assert labels[at + 1] == "matched-pairs rank-biserial correlation"


def test_the_first_screen_names_the_estimate_of_two():
    comparison = pc.compare(skewed(), pc.Plan(blocks="datasets"))
    [fact] = report_of(comparison.only).outcome(comparison.analyses[0]).pairs
    assert fact.estimate_name == "Hodges-Lehmann difference"
    few = pc.compare(skewed(4), pc.Plan(blocks="datasets"))
    [fact] = report_of(few.only).outcome(few.analyses[0]).pairs
    assert fact.level == 0.875
    by_t = pc.compare(skewed(), pc.Plan(blocks="folds", protocol="held-out"))
    [fact] = report_of(by_t.only).outcome(by_t.analyses[0]).pairs
    assert fact.estimate_name == "difference" and fact.level == 0.95

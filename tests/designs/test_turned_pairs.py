"""One pair is turned once: headline, method, statistic, estimates and tables agree."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.reporting.comparison_report import report_of


def table(x, better):
    blocks = tuple(f"b{i}" for i in range(len(x)))
    metrics = (pc.Metric("score", better),)
    return pc.Scores(np.asarray(x, float)[:, :, None], blocks, ("X", "Y"), metrics)


def drawn(seed):
    """Return few scores of two algorithms in a small grid, so that some tie."""
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(size=(7, 2)) + rng.normal(size=2), 1)


def stated(scores, **plan):
    comparison = pc.compare(scores, pc.Plan(**plan))
    [analysis] = comparison.analyses
    return analysis, report_of(comparison.parts[0]).outcome(analysis)


def test_wilcoxon_of_four_blocks_is_the_better_minus_the_other():
    analysis, found = stated(
        table([[5, 4], [6, 4], [7, 6], [3, 4]], "lower"), blocks="datasets"
    )
    [fact] = found.pairs
    assert (fact.subject, fact.object, fact.estimate) == ("Y", "X", -1)
    assert "of Y minus X (V = 2.00" in found.method
    assert analysis.wilcoxon.statistic == 2
    assert analysis.wilcoxon.rank_biserial == pytest.approx(-0.6)


@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.parametrize("blocks", ["datasets", "folds"])
@pytest.mark.parametrize("control", [None, "X", "Y"])
def test_all_tests_of_two_algorithms_have_the_direction_of_the_headline(
    better, blocks, control
):
    for seed in range(4):
        x = drawn(seed)
        sizes = {"n_train": 6, "n_test": 1} if blocks == "folds" else {}
        options = {"blocks": blocks, "control": control, **sizes}
        analysis, found = stated(table(x, better), **options)
        [fact] = found.pairs
        first, second = ("XY".index(name) for name in (fact.subject, fact.object))
        d = np.round(x[:, first] - x[:, second], 1)
        assert f"of {fact.subject} minus {fact.object} (" in found.method
        ranks = stats.rankdata(np.abs(d[d != 0]))
        assert analysis.wilcoxon.statistic == ranks[d[d != 0] > 0].sum()
        assert analysis.sign.statistic == (d > 0).sum()
        plain = analysis.uncorrected or analysis.t
        assert plain.statistic == pytest.approx(stats.ttest_1samp(d, 0).statistic)
        assert fact.estimate == analysis.test.estimate
        for test in (analysis.t, analysis.wilcoxon, analysis.sign):
            assert (test.algorithm_1, test.algorithm_2) == (fact.subject, fact.object)


@pytest.mark.parametrize("control", [None, "X", "Y"])
@pytest.mark.parametrize("clusters", [None, ("a", "b", "c") * 7])
@pytest.mark.parametrize("binary", [True, False])
def test_one_pair_of_cases_has_the_direction_of_the_headline(control, clusters, binary):
    for seed in range(3):
        x = np.concatenate([drawn(seed + i) for i in range(3)])
        scores = table(x > 0 if binary else x, "higher")
        scores = pc.Scores(
            scores.values,
            scores.blocks,
            scores.algorithms,
            scores.metrics,
            clusters=clusters,
        )
        analysis, found = stated(scores, blocks="cases", control=control)
        [fact] = found.pairs
        row = analysis.decisive.table.iloc[0]
        assert (row["algorithm_1"], row["algorithm_2"]) == (fact.subject, fact.object)
        assert row["estimate"] == fact.estimate >= 0
        assert np.isnan(row["statistic"]) or row["statistic"] >= 0


def test_scores_that_tie_keep_the_order_of_the_data():
    for x in ([[1, 2], [2, 1], [0, 0]], [[1, 1], [2, 2], [0, 0]]):
        analysis, _ = stated(table(x, "lower"), blocks="datasets")
        assert (analysis.test.algorithm_1, analysis.test.algorithm_2) == ("X", "Y")


@pytest.mark.parametrize("better", ["X", "Y"])
def test_one_pair_of_aucs_is_the_better_minus_the_other(better):
    rng = np.random.default_rng(1)
    rows = []
    for fold in range(4):
        for case in range(10):
            label = case % 2
            for name in ("X", "Y"):
                score = rng.normal() + label * (2 if name == better else 0.3)
                rows.append((name, fold, f"{fold}-{case}", label, score))
    frame = pd.DataFrame(rows, columns=["a", "fold", "case", "label", "score"])
    cases = pc.Predictions.from_frame(
        frame,
        algorithm="a",
        block="fold",
        case="case",
        label="label",
        score="score",
        positive=1,
    )
    [found] = pc.compare_curves(cases, n_train=3, n_test=1).analyses
    for pairs in (found.over_cases, found.precision_recall, found.over_folds):
        [row] = pairs.table.itertuples()
        assert row.algorithm_1 == better and row.estimate > 0

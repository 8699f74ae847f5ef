"""Measures of predictions: choices, policies, and what is refused."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics as sk

import pycompare as pc
from pycompare.base.interop.rscript import reference_folder
from pycompare.base.testing import assert_digits
from pycompare.data.measures.registry import MEASURES
from pycompare.kernels import cumulative_counts, rates
from tests.data.tables import refused

ROLES = {
    "algorithm": "algorithm",
    "block": "fold",
    "label": "label",
    "score": "score",
    "positive": 1,
}
R_CODE = (reference_folder() / "measures.R").read_text()
RANKS = ["auc", "auc_pr", "auc_pr_davis_goadrich", "average_precision"]


def frame(logits: bool = False, sizes=(40, 25, 31)) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    parts = []
    for fold, n in enumerate(sizes):
        label = rng.random(n) < 0.4
        label[:2] = True, False
        for j, name in enumerate(("svm", "knn", "nb")):
            score = np.round(rng.normal(size=n) + (1 + 0.3 * j) * label, 1)
            if not logits:
                score = 1 / (1 + np.exp(-score))
            parts.append(
                pd.DataFrame(
                    {
                        "fold": f"f{fold}",
                        "algorithm": name,
                        "label": label.astype(int),
                        "score": score,
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def predictions(table=None, **options) -> pc.Predictions:
    table = frame() if table is None else table
    return pc.Predictions.from_frame(table, **ROLES | options)


def by_hand(table: pd.DataFrame, function) -> np.ndarray:
    """Apply a function of (label, score) to every group: blocks x algorithms."""
    found = table.groupby(["fold", "algorithm"], sort=False)[["label", "score"]].apply(
        lambda g: function(g["label"], g["score"])
    )
    return found.to_numpy().reshape(3, 3)


def test_every_measure_is_what_scikit_learn_says():
    table = frame()
    calls = {
        "error": lambda y, s: 1 - sk.accuracy_score(y, s >= 0.5),
        "accuracy": lambda y, s: sk.accuracy_score(y, s >= 0.5),
        "tpr": lambda y, s: sk.recall_score(y, s >= 0.5),
        "recall": lambda y, s: sk.recall_score(y, s >= 0.5),
        "sensitivity": lambda y, s: sk.recall_score(y, s >= 0.5),
        "fpr": lambda y, s: 1 - sk.recall_score(1 - y, s < 0.5),
        "tnr": lambda y, s: sk.recall_score(1 - y, s < 0.5),
        "specificity": lambda y, s: sk.recall_score(1 - y, s < 0.5),
        "fnr": lambda y, s: 1 - sk.recall_score(y, s >= 0.5),
        "precision": lambda y, s: sk.precision_score(y, s >= 0.5),
        "npv": lambda y, s: sk.precision_score(1 - y, s < 0.5),
        "f1": lambda y, s: sk.f1_score(y, s >= 0.5),
        "mcc": lambda y, s: sk.matthews_corrcoef(y, s >= 0.5),
        "kappa": lambda y, s: sk.cohen_kappa_score(y, s >= 0.5),
        "balanced_accuracy": lambda y, s: sk.balanced_accuracy_score(y, s >= 0.5),
        "tp": lambda y, s: float(((s >= 0.5) & (y == 1)).sum()),
        "fp": lambda y, s: float(((s >= 0.5) & (y == 0)).sum()),
        "fn": lambda y, s: float(((s < 0.5) & (y == 1)).sum()),
        "tn": lambda y, s: float(((s < 0.5) & (y == 0)).sum()),
        "auc": sk.roc_auc_score,
        "average_precision": sk.average_precision_score,
        "brier": sk.brier_score_loss,
        "log_loss": sk.log_loss,
        "risk": lambda y, s: np.mean(
            3.0 * ((s >= 0.5) & (y == 0)) + ((s < 0.5) & (y == 1))
        ),
    }
    found = predictions(table).measure(list(calls), threshold=0.5, cost_ratio=3.0)
    for name, function in calls.items():
        assert_digits(
            found.column(name), by_hand(table, function), at_least=13, what=name
        )


def test_every_registered_measure_keeps_its_range_and_direction():
    found = predictions().measure(
        list(MEASURES),
        threshold=0.5,
        cost_ratio=2.0,
        fpr_range=(0.0, 0.5),
        top_share=0.2,
    )
    for name, measure in MEASURES.items():
        values = found.column(name)
        assert np.all((values >= measure.low) & (values <= measure.high)), name
        assert found.metric(name).better == measure.better
        assert measure.title and measure.formula and measure.reference
        function, _, value = measure.r.partition("(...)$")
        assert f"{function} <- function" in R_CODE
        assert f"{value} = " in R_CODE
        assert any(note.startswith(f"{name}: ") for note in found.notes)


def test_a_perfect_prediction_is_best_in_the_direction_of_each_measure():
    table = frame()
    table.loc[table["algorithm"] == "knn", "score"] = table["label"].clip(0.01, 0.99)
    names = [name for name in MEASURES if name != "partial_auc"]
    found = predictions(table).measure(
        names, threshold=0.5, cost_ratio=2.0, top_share=0.2
    )
    for name in names:
        assert np.all(found.oriented(name)[:, [1]] <= found.oriented(name)), name


def test_several_thresholds_make_several_columns():
    thresholds = np.arange(21) / 20
    found = predictions().measure(["tpr", "auc", "fpr"], threshold=thresholds)
    names = [metric.name for metric in found.metrics]
    assert names[:2] == ["tpr@0", "tpr@0.05"]
    assert names[21:23] == ["auc", "fpr@0"]
    assert len(names) == 43
    rates = np.stack([found.column(name) for name in names[:21]])
    assert np.all(np.diff(rates, axis=0) <= 0)
    one = predictions().measure("tpr", threshold=0.05)
    assert np.array_equal(one.column("tpr"), found.column("tpr@0.05"))


def test_a_case_at_the_threshold_is_called_positive():
    table = frame()
    table["score"] = 0.5
    found = predictions(table).measure(["tpr", "fpr"])
    assert np.all(found.values == 1.0)
    assert "called positive: score >= 0.5" in found.notes


def test_groups_are_measured_alike_alone_and_together(monkeypatch):
    names = [*RANKS, "ks", "break_even", "brier", "ece", "sar", "error"]
    whole = predictions().measure(names).values
    monkeypatch.setattr("pycompare.data.measures.measure.CACHED", 1)
    again = predictions().measure(names).values
    assert_digits(again, whole, at_least=15)


# ---- rankings and calibration --------------------------------------------------------


def all_orders(y: np.ndarray, s: np.ndarray, called: float) -> float:
    """Return the mean positives among the highest scores over all orders of ties.

    A part of the last case counts as that part.
    """
    counted = []
    for order in permutations(range(len(y))):
        if np.all(np.diff(s[list(order)]) <= 0):
            positive = y[list(order)]
            whole = int(called)
            rest = (called - whole) * positive[whole] if whole < len(y) else 0.0
            counted.append(positive[:whole].sum() + rest)
    return float(np.mean(counted))


def test_lift_and_break_even_are_means_over_all_orders_of_ties():
    y = np.array([1, 0, 0, 1, 0, 1, 0])
    s = np.array([0.9, 0.9, 0.5, 0.5, 0.5, 0.2, 0.1])
    offsets = [0, len(y)]
    steps = cumulative_counts.steps(s, y == 1, offsets)
    expected = all_orders(y, s, 3.0) / 3
    assert_digits(cumulative_counts.break_even(steps)[0], expected, at_least=14)
    for share in (0.1, 0.25, 0.5, 0.6, 1.0):
        expected = all_orders(y, s, share * 7) / (share * 3)
        assert_digits(cumulative_counts.lift(steps, share)[0], expected, at_least=14)


def test_the_ks_statistic_is_that_of_one_side():
    found = predictions().measure("ks").column("ks")
    table = frame()

    def one_sided(y, s):
        return stats.ks_2samp(s[y == 1], s[y == 0], alternative="less").statistic

    assert_digits(found, by_hand(table, one_sided), at_least=13)
    reversed_ = table.assign(score=1 - 2 * table["label"] + 0.0)
    assert np.all(predictions(reversed_).measure("ks").values == 0)


def test_break_even_is_where_precision_equals_recall():
    rng = np.random.default_rng(11)
    y, s = rng.random(300) < 0.3, rng.normal(size=300)
    s[y] += 1
    curve = pc.pr_curve(y, s, positive=True).table
    at = curve.index[curve["tp"] + curve["fp"] == y.sum()][0]
    assert curve["precision"][at] == curve["recall"][at]
    steps = cumulative_counts.steps(s, y, [0, 300])
    assert cumulative_counts.break_even(steps)[0] == curve["recall"][at]


def test_calibration_error_is_the_distance_within_bins():
    y = np.r_[np.repeat([1, 0], [3, 7]), np.repeat([1, 0], [9, 1])]
    s = np.r_[np.full(10, 0.3), np.full(10, 0.75)]
    offsets = np.array([0, 20, 20])
    error = rates.calibration_error(s, y == 1, offsets)
    assert_digits(error[0], (0 * 10 + 0.15 * 10) / 20, at_least=14)
    assert np.isnan(error[1])
    # 0.3 begins a bin, and 1 is in the last.
    both = rates.calibration_error(
        np.array([0.2999, 0.3, 0.9, 1.0]),
        np.array([True, False, True, False]),
        np.array([0, 4]),
    )
    assert_digits(both[0], (0.7001 + 0.3 + abs(0.9 + 1.0 - 1)) / 4, at_least=13)


def test_sar_is_the_mean_of_its_three_parts():
    found = predictions().measure(["sar", "accuracy", "auc", "brier"], threshold=0.4)
    parts = found.column("accuracy") + found.column("auc") + 1
    expected = (parts - np.sqrt(found.column("brier"))) / 3
    assert_digits(found.column("sar"), expected, at_least=15)
    several = predictions().measure(["sar"], threshold=[0.4, 0.5])
    assert np.array_equal(several.column("sar@0.4"), found.column("sar"))


def test_rankings_without_a_class_are_undefined():
    s, y = np.array([0.2, 0.4, 0.6, 0.8]), np.array([True, True, False, False])
    steps = cumulative_counts.steps(s, y, [0, 2, 4, 4])
    assert np.isnan(cumulative_counts.kolmogorov_smirnov(steps)).all()
    for values in (
        cumulative_counts.break_even(steps),
        cumulative_counts.lift(steps, 0.5),
    ):
        assert values[0] == 1 and np.isnan(values[1:]).all()


# ---- risk ----------------------------------------------------------------------------


def test_risk_at_cost_ratio_one_is_the_error():
    found = predictions().measure(["risk", "error"], threshold=0.4, cost_ratio=1.0)
    assert np.array_equal(found.column("risk"), found.column("error"))


def test_the_threshold_of_least_risk_is_lambda_over_one_plus_lambda():
    p = predictions()
    found = p.measure(["risk", "tpr"], threshold="risk", cost_ratio=2.0)
    same = p.measure(["risk", "tpr"], threshold=2 / 3, cost_ratio=2.0)
    assert np.array_equal(found.values, same.values)
    matrix = p.measure(["risk", "tpr"], threshold="risk", loss=[[0, 2], [1, 0]])
    assert np.array_equal(found.values, matrix.values)
    assert any(note.startswith("costs: ") for note in found.notes)


# ---- policies ------------------------------------------------------------------------


def cautious() -> pd.DataFrame:
    """Frame in which knn calls nothing positive in the first fold."""
    table = frame()
    here = (table["fold"] == "f0") & (table["algorithm"] == "knn")
    table.loc[here, "score"] /= 100
    return table


def test_undefined_precision_is_refused_unless_declared():
    p = predictions(cautious())
    with refused(
        "1 of 9 numbers are undefined",
        r"precision = tp / \(tp \+ fp\) in block='f0', algorithm='knn'",
        "undefined=.'precision': 0.",
        "missing='drop-block'",
    ):
        p.measure("precision")
    for value in (0.0, 1.0):
        found = p.measure("precision", undefined={"precision": value})
        assert found.values[0, 1, 0] == value
        assert f"precision is {value:g} if it is 0/0" in found.notes
        assert f"precision is {value:g}" in found.summary()


def test_undefined_precision_is_missing_if_that_is_the_policy():
    kept = predictions(cautious(), missing="model").measure(["precision", "tpr"])
    assert np.isnan(kept.column("precision")[0, 1])
    assert kept.dropped.cells == (("f0", "knn", "precision"),)
    dropped = predictions(cautious(), missing="drop-block").measure("precision")
    assert dropped.blocks == ("f1", "f2")
    assert dropped.dropped.blocks == ("f0",)


def test_a_declared_value_does_not_fill_a_group_without_cases():
    table = frame()
    table = table[(table["fold"] != "f0") | (table["algorithm"] != "knn")]
    p = predictions(table, missing="model")
    found = p.measure("precision", undefined={"precision": 1.0})
    assert np.isnan(found.values[0, 2, 0])


# ---- scales --------------------------------------------------------------------------


def test_logits_need_a_threshold_of_their_own():
    p = predictions(frame(logits=True))
    with refused("scores are outside", "block='f0'", "0.5", "logits", "give a thresh"):
        p.measure("error")
    logits = p.measure("error", threshold=0.0)
    table = frame(logits=True)
    expected = by_hand(table, lambda y, s: np.mean(y != (s >= 0.0)))
    assert_digits(logits.values[:, :, 0], expected, at_least=14)
    assert np.array_equal(
        p.measure(RANKS[0]).values, predictions().measure(RANKS[0]).values
    )


@pytest.mark.parametrize("name", ["brier", "log_loss", "ece", "sar"])
def test_scores_of_probabilities_refuse_logits(name):
    held = predictions(frame(logits=True))
    with refused(f"{name} needs probabilities", "logits") as why:
        held.measure(name)
    assert "give a threshold" not in str(why.value)  # it would change nothing
    with refused(f"{name} needs probabilities"):
        held.measure([name, "error"], threshold=0)


def test_least_risk_refuses_logits():
    with refused("least risk needs probabilities"):
        predictions(frame(logits=True)).measure("tpr", threshold="risk", cost_ratio=1)


def test_an_infinite_log_loss_is_refused():
    table = frame()
    table.loc[table.index[table["label"] == 1][0], "score"] = 0.0
    with refused("log_loss is infinite in 1 groups", "block='f0'", "brier"):
        predictions(table).measure("log_loss")


def test_thresholds_may_be_infinite():
    found = predictions().measure(["tpr", "fpr"], threshold=[-np.inf, np.inf])
    assert np.all(found.column("tpr@-inf") == 1)
    assert np.all(found.column("fpr@inf") == 0)


# ---- requests ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metrics", "options", "said"),
    [
        ("acuracy", {}, "no measure 'acuracy'; did you mean 'accuracy'"),
        ([], {}, "at least one measure"),
        (["auc", "auc"], {}, "must differ"),
        ("tpr", {"threshold": [0.1, 0.1]}, "thresholds must differ"),
        ("tpr", {"threshold": np.nan}, "thresholds must differ"),
        ("tpr", {"threshold": "low"}, "must be numbers or 'risk', got 'low'"),
        ("tpr", {"threshold": [None]}, "must differ and not be NaN"),
        ("auc", {"threshold": 0.5}, "no measure uses one"),
        ("auc", {"cost_ratio": 2.0}, "nothing uses them"),
        ("risk", {}, "state the costs of errors"),
        ("risk", {"cost_ratio": 0.0}, "a number above 0"),
        ("risk", {"loss": [[0, 1], [0, 1]]}, "must cost more than the right one"),
        ("risk", {"loss": [0, 1]}, "2 x 2 numbers"),
        ("risk", {"loss": [[0, np.inf], [1, 0]]}, "infinite costs"),
        ("partial_auc", {}, "needs fpr_range"),
        ("partial_auc", {"fpr_range": (0.5, 0.1)}, "needs fpr_range"),
        ("auc", {"fpr_range": (0, 0.1)}, "only 'partial_auc' uses it"),
        ("lift", {}, "lift needs top_share, .* got None"),
        ("lift", {"top_share": 0}, "above 0 and at most 1, such as 0.1; got 0"),
        ("lift", {"top_share": 1.1}, "at most 1"),
        ("lift", {"top_share": "10%"}, "got '10%'"),
        ("auc", {"top_share": 0.1}, "only 'lift' uses it"),
        ("tpr", {"undefined": {"precision": 0}}, "not among the metrics"),
        ("precision", {"undefined": {"precision": 0.5}}, "declared 0 or 1"),
        ("mcc", {"undefined": {"mcc": 1}}, "declared 0 if"),
        ("tpr", {"undefined": {"tpr": 1}}, "declared nothing but missing"),
    ],
)
def test_requests_that_make_no_sense_are_refused(metrics, options, said):
    with refused(said):
        predictions().measure(metrics, **options)


def test_other_cases_of_another_algorithm_are_told_where_cases_have_no_names():
    table = frame()
    assert not any("same cases" in n for n in predictions(table).measure("auc").notes)
    less = table.drop(
        table.index[(table.fold == "f1") & (table.algorithm == "nb")][3:5]
    )
    [note] = [n for n in predictions(less).measure("auc").notes if "same cases" in n]
    assert note.startswith("in 1 of 3 blocks") and "f1: svm 25 cases" in note
    assert "nb 23 cases" in note
    swapped = table.copy()
    here = (table.fold == "f2") & (table.algorithm == "knn")
    swapped.loc[here, "label"] = 1 - table.loc[here, "label"]
    assert "first in f2" in predictions(swapped).measure("auc").notes[0]
    gap = predictions(table[~here], missing="model").measure("auc")
    assert not any("same cases" in n for n in gap.notes)


def test_thresholds_beside_short_decimals_are_told():
    exact = [i / 20 for i in range(21)]
    for thresholds in (exact, [1 / 3, 2 / 3, 1e-300, np.inf], -np.array(exact[1:])):
        made = predictions().measure("tpr", threshold=thresholds)
        assert not any("short decimal" in note for note in made.notes)
    made = predictions().measure("tpr", threshold=np.linspace(0, 1, 21))
    [note] = [n for n in made.notes if "short decimal" in n]
    assert note.startswith("7 of 21") and "0.15000000000000002 beside 0.15" in note

"""pr_curve, auc_pr, risk and most_confused for one test set."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import cumulative_counts, curve_lines
from tests.conftest import golden, golden_names
from tests.data.tables import refused

LABEL = ["bad", "good", "good", "bad", "good"]
SCORE = [0.1, 0.4, 0.35, 0.8, 0.8]
METHODS = {
    "trapezoid": "pr_trapezoid_by_hand_in_R_anchor_first_precision",
    "average-precision": "average_precision_by_hand_in_R",
}


@pytest.mark.parametrize("name", golden_names("roc_"))
def test_area_agrees_with_r(name):
    data = golden(name)
    scores = np.array(data["input"]["scores"], float).T
    for method, key in METHODS.items():
        expected = data["outputs"][key]["value"]
        found = [
            pc.auc_pr(data["input"]["y"], s, positive=1, method=method).estimate
            for s in scores
        ]
        assert_digits(found, expected, at_least=14, what=method)


def test_three_methods_give_three_numbers():
    found = [
        pc.auc_pr(LABEL, SCORE, positive="good", method=method)
        for method in ("trapezoid", "davis-goadrich", "average-precision")
    ]
    assert len({round(area.estimate, 6) for area in found}) == 3
    assert [area.method for area in found][1] == "davis-goadrich"
    assert found[0].to_frame()["n_positive"].item() == 3


def test_the_curve_is_that_of_scikit_learn():
    curve = pc.pr_curve(LABEL, SCORE, positive="good")
    truth = np.array(LABEL) == "good"
    p, r, t = metrics.precision_recall_curve(truth, SCORE)
    assert_digits(curve.table["precision"], p[::-1], at_least=15)
    assert_digits(curve.table["recall"], r[::-1], at_least=15)
    assert_digits(curve.table["threshold"][1:], t[::-1], at_least=15)
    assert np.isinf(curve.table["threshold"][0])
    assert (curve.n_positive, curve.n_negative) == (3, 2)


def test_recall_rises_and_the_last_precision_is_the_share_of_positives():
    rng = np.random.default_rng(4)
    curve = pc.pr_curve(rng.random(300) < 0.3, rng.integers(0, 20, 300), positive=True)
    assert np.all(np.diff(curve.table["recall"]) >= 0)
    assert curve.table["recall"].iloc[-1] == 1
    assert curve.table["precision"].iloc[-1] == curve.n_positive / 300


def test_risk_at_cost_ratio_one_is_the_number_of_errors():
    found = pc.risk(LABEL, SCORE, positive="good", cost_ratio=1)
    truth = np.array(LABEL) == "good"
    assert found.threshold == 0.5
    assert found.total == np.sum(truth != (np.array(SCORE) >= 0.5))
    assert (found.tp, found.fp, found.fn, found.tn) == (1, 1, 2, 1)
    assert found.mean == found.total / 5


@pytest.mark.parametrize(("ratio", "theta"), [(0.5, 1 / 3), (1, 1 / 2), (2, 2 / 3)])
def test_thresholds_are_those_of_the_thesis(ratio, theta):
    # Aslan (2009), eq. 2.10-2.12
    found = pc.risk(LABEL, SCORE, positive="good", cost_ratio=ratio)
    assert_digits(found.threshold, theta, at_least=15)
    assert found.total == ratio * found.fp + found.fn


def test_the_threshold_has_least_risk_for_true_posteriors():
    rng = np.random.default_rng(7)
    p = rng.random(200_000)
    label = rng.random(p.size) < p
    costs = [[-0.5, 4.0], [1.5, 0.2]]
    best = pc.risk(label, p, positive=True, loss=costs)
    assert_digits(best.threshold, 3.8 / (3.8 + 2.0), at_least=14)
    for shift in (-0.1, 0.1):
        other = pc.risk(
            label, p, positive=True, loss=costs, threshold=best.threshold + shift
        )
        assert other.total > best.total


def test_logits_need_a_threshold():
    with refused("outside", "logits", "give threshold="):
        pc.risk(LABEL, [-1, 2, 3, 1, 2], positive="good", cost_ratio=1)
    found = pc.risk(LABEL, [-1, 2, 3, 1, 2], positive="good", cost_ratio=1, threshold=0)
    assert found.total == 1
    with refused("threshold must be a number"):
        pc.risk(LABEL, SCORE, positive="good", cost_ratio=1, threshold="0.5")


def test_costs_are_given_in_one_way():
    for options in ({}, {"cost_ratio": 1, "loss": [[0, 1], [1, 0]]}):
        with refused("in one way"):
            pc.risk(LABEL, SCORE, positive="good", **options)


@pytest.mark.parametrize(
    ("label", "score", "positive", "said"),
    [
        (LABEL, SCORE, "ok", "positive='ok': no case has this label"),
        (LABEL, SCORE[:4], "good", "5 labels and 4 scores"),
        (["good"] * 5, SCORE, "good", "all 5 cases have the label"),
        (["a", "b", "c", "a", "b"], SCORE, "a", "there are 3 classes"),
        (LABEL, [0.1, np.nan, 1, 2, 3], "good", "1 of 5 are NaN"),
        (LABEL, [0.1, np.inf, 1, 2, 3], "good", "1 of 5 are infinite"),
        ([], [], "good", "there are no cases"),
    ],
)
def test_cases_that_cannot_be_used_are_refused(label, score, positive, said):
    for function in (pc.pr_curve, pc.auc_pr):
        with refused(said):
            function(label, score, positive=positive)


def test_an_unknown_method_is_refused():
    with refused("method must be one of", "did you mean 'trapezoid'"):
        pc.auc_pr(LABEL, SCORE, positive="good", method="trapezoids")


# ---- most_confused -------------------------------------------------------------------


def test_the_most_confused_classes_are_found():
    label = list("aaabbbccc")
    called = list("abcbbccbb")
    assert pc.most_confused(label, called) == ("b", "c")
    assert pc.most_confused([1, 2, 3, 3], [1, 3, 2, 3]) == ("2", "3")


def test_no_confusion_and_a_tie_are_refused():
    with refused("no case was classified as another class"):
        pc.most_confused(list("abc"), list("abc"))
    with refused("2 pairs of classes are confused equally often", "choose one"):
        pc.most_confused(list("abcc"), list("bbca"))
    with refused("one length"):
        pc.most_confused(list("abc"), list("ab"))


# ---- the achievable curve ------------------------------------------------------------


def random_case(seed, n=80):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    y[:2] = True, False
    return y, np.round(rng.normal(size=n) + y, 1)


@pytest.mark.parametrize("seed", range(8))
def test_no_mixture_of_two_thresholds_has_a_higher_precision(seed):
    y, s = random_case(seed)
    hull = pc.pr_curve(y, s, positive=True, hull=True).table
    own = pc.pr_curve(y, s, positive=True).table
    tp, fp = own["tp"].to_numpy(float), own["fp"].to_numpy(float)
    least = np.full(int(tp[-1]) + 1, np.inf)
    for i in range(len(tp)):
        for j in range(i, len(tp)):
            for caught in range(int(tp[i]), int(tp[j]) + 1):
                rise = tp[j] - tp[i]
                share = (caught - tp[i]) / rise if rise else 0.0
                mixed = fp[i] + share * (fp[j] - fp[i])
                least[caught] = min(least[caught], mixed)
    assert_digits(hull["fp"][: len(least)], least, at_least=12)
    assert hull["recall"].iloc[-1] == 1
    if len(hull) > len(least):
        assert hull["fp"].iloc[-1] == fp[-1]


def test_the_achievable_curve_is_made_of_corners_of_the_hull():
    curve = pc.pr_curve(LABEL, SCORE, positive="good", hull=True)
    assert curve.hull
    # Corners: (0, 0), one of two at 0.8, all three and one wrong at 0.35, all.
    assert curve.table["tp"].tolist() == [0, 1, 2, 3, 3]
    assert_digits(curve.table["fp"], [0, 1 / 3, 2 / 3, 1, 2], at_least=15)
    assert_digits(curve.table["precision"], [0.75] * 4 + [0.6], at_least=15)
    threshold = curve.table["threshold"].to_numpy()
    assert threshold[[0, 3, 4]].tolist() == [np.inf, 0.35, 0.1]
    assert np.isnan(threshold[1:3]).all()


def test_the_line_that_is_drawn_is_the_achievable_curve():
    y, s = random_case(20)
    steps = cumulative_counts.steps(s, y, [0, len(y)])
    recall, precision = curve_lines.pr_achievable(steps.tp, steps.fp)
    table = pc.pr_curve(y, s, positive=True, hull=True).table
    table = table.drop_duplicates("recall")
    assert_digits(np.unique(recall), table["recall"], at_least=14)
    for at, height in zip(table["recall"], table["precision"], strict=True):
        assert_digits(np.unique(precision[recall == at])[0], height, at_least=13)


def test_an_unclear_hull_is_refused():
    with refused("hull"):
        pc.pr_curve(LABEL, SCORE, positive="good", hull="yes")

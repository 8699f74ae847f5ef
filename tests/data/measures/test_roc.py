import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names


def cases(n=80, seed=0, grid=4):
    rng = np.random.default_rng(seed)
    label = np.where(np.arange(n) % 3 == 0, "ill", "well")
    score = rng.normal(size=n) + (label == "ill")
    return label, np.round(score * grid) / grid


@pytest.mark.parametrize("name", golden_names("roc_"))
def test_area_is_that_of_proc(name):
    case = golden(name)
    score = np.array(case["input"]["scores"])
    for column, area in zip(score.T, case["outputs"]["auc"]["value"], strict=True):
        found = pc.auc(case["input"]["y"], column, positive=1)
        assert_digits(found, area, at_least=14, what="AUC")
        curve = pc.roc_curve(case["input"]["y"], column, positive=1)
        assert curve.auc == found


def test_figure_2_2_has_one_point_per_distinct_score():
    # Ten cases in the manner of Aslan (2009), Fig. 2.2; two tie at 0.6 across the
    # classes.
    label = [1, 1, 0, 1, 0, 1, 0, 0]
    score = [0.9, 0.8, 0.7, 0.6, 0.6, 0.4, 0.3, 0.1]
    table = pc.roc_curve(label, score, positive=1).to_frame()
    assert list(table["threshold"]) == [np.inf, 0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.1]
    assert list(table["fpr"]) == [0, 0, 0, 0.25, 0.5, 0.5, 0.75, 1]
    assert list(table["tpr"]) == [0, 0.25, 0.5, 0.5, 0.75, 1, 1, 1]


def test_each_point_counts_scores_at_or_above_its_threshold():
    label, score = cases()
    curve = pc.roc_curve(label, score, positive="ill")
    for row in curve.to_frame().itertuples():
        above = score >= row.threshold
        assert row.true_positive == np.sum(above & (label == "ill"))
        assert row.false_positive == np.sum(above & (label == "well"))
    assert (curve.fpr[-1], curve.tpr[-1]) == (1, 1)


def test_two_scores_make_the_area_balanced_accuracy():
    label, score = cases()
    predicted = score > 0.5
    tpr = predicted[label == "ill"].mean()
    tnr = 1 - predicted[label == "well"].mean()
    area = pc.auc(label, predicted, positive="ill")
    assert_digits(area, (tpr + tnr) / 2, at_least=14)


def test_the_other_class_as_positive_gives_the_complement():
    label, score = cases()
    area = pc.auc(label, score, positive="ill")
    assert_digits(pc.auc(label, score, positive="well"), 1 - area, at_least=14)
    assert pc.auc(label, -score, positive="well") == area


def test_labels_of_any_kind_give_the_same_area():
    label, score = cases()
    ill = label == "ill"
    area = pc.auc(label, score, positive="ill")
    for labels, positive in (
        (ill, True),
        (ill.astype(int), 1),
        (ill * 2.5, 2.5),
        (ill.astype(int), True),
        (pd.Series(label, dtype="category"), "ill"),
        (pd.Series(label, dtype="string"), "ill"),
        (label.astype(object), "ill"),
    ):
        assert pc.auc(labels, score, positive=positive) == area


def test_a_batch_of_folds_is_one_call():
    rng = np.random.default_rng(0)
    label, score = rng.random((5, 4, 30)) < 0.5, rng.normal(size=(5, 4, 30))
    area = pc.auc(label, score, positive=True)
    assert area.shape == (5, 4)
    assert area[2, 1] == pc.auc(label[2, 1], score[2, 1], positive=True)


def test_equal_scores_and_infinite_scores_are_scores():
    assert pc.auc([0, 1, 1], [3, 3, 3], positive=1) == 0.5
    assert pc.auc([0, 1, 1], [-np.inf, 0, np.inf], positive=1) == 1
    curve = pc.roc_curve([0, 1, 1], [7, 7, 7], positive=1)
    assert list(curve.fpr) == [0, 1] and curve.auc == 0.5


def test_partial_areas_add_up():
    label, score = cases(grid=1e6)
    curve = pc.roc_curve(label, score, positive="ill")
    parts = curve.partial_auc(0, 0.23) + curve.partial_auc(0.23, 1)
    assert_digits(parts, curve.auc, at_least=14)
    over_tpr = curve.partial_auc(0, 0.5, axis="tpr") + curve.partial_auc(
        0.5, 1, axis="tpr"
    )
    assert_digits(over_tpr, curve.auc, at_least=14)


def test_mcclish_correction_is_one_half_by_chance_and_one_at_best():
    perfect = pc.roc_curve([0, 0, 1, 1], [1, 2, 3, 4], positive=1)
    chance = pc.roc_curve([0, 0, 1, 1], [1, 1, 1, 1], positive=1)
    for axis in ("fpr", "tpr"):
        assert_digits(
            perfect.partial_auc(0.1, 0.3, axis=axis, mcclish=True), 1, at_least=15
        )
        assert_digits(
            chance.partial_auc(0.1, 0.3, axis=axis, mcclish=True), 0.5, at_least=15
        )


@pytest.mark.parametrize(
    ("label", "score", "positive", "says"),
    [
        ([0, 1, 1], [1, np.nan, 2], 1, "score: 1 of 3 are NaN, first: position 2"),
        ([0, 1, 2], [1, 2, 3], 1, "3 classes: 0, 1, 2"),
        ([0, 1, 1], [1, 2, 3], "1", "positive='1': no case has this label"),
        ([0, 1, 1], [1, 2, 3], 3, "the labels are 0, 1"),
        ([1, 1, 1], [1, 2, 3], 1, "one class"),
        (
            ["a", None, "b"],
            [1, 2, 3],
            "a",
            "labels: 1 of 3 values are missing, first at position 2",
        ),
        ([0, 1, np.nan], [1, 2, 3], 1, "1 of 3 values are missing"),
        ([0, 1], [1, 2, 3], 1, "do not match; cases are on the last axis"),
        ([0, 1], ["x", "y"], 1, "expected numbers, got 'x' of type str at position 1"),
        (
            [0, 1],
            [2**53 + 1, 1],
            1,
            "float64 cannot hold 9007199254740993 at position 1",
        ),
        ([], [], 1, "no cases"),
        ([[0, 1], [1, 1]], [[1, 2], [3, 4]], 1, r"in row \(1,\)"),
    ],
)
def test_bad_input_is_refused_in_words(label, score, positive, says):
    with pytest.raises(pc.InputError, match=says):
        pc.auc(label, score, positive=positive)


def test_a_part_that_is_none_is_refused():
    curve = pc.roc_curve([0, 1], [1, 2], positive=1)
    with pytest.raises(pc.InputError, match="low < high"):
        curve.partial_auc(0.5, 0.5)
    with pytest.raises(pc.InputError, match="'fpr' or 'tpr'"):
        curve.partial_auc(0, 1, axis="recall")
    with pytest.raises(pc.InputError, match="all 2 cases"):
        pc.roc_curve([1, 1], [1, 2], positive=1)

import numpy as np
import pytest

import pycompare as pc
from pycompare.testing import assert_digits
from tests.curves.curves import cases


def compared(k=3, **options):
    label, scores = cases(k=k)
    chosen = {"low": 0.0, "high": 0.3} | options
    return pc.partial_auc_pairs(label, scores, positive="ill", **chosen)


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
@pytest.mark.parametrize("mcclish", [False, True])
def test_estimates_are_the_partial_areas_of_the_curves(axis, mcclish):
    label, scores = cases()
    found = compared(axis=axis, mcclish=mcclish, resamples=20)
    areas = [
        pc.roc_curve(label, scores[c], positive="ill").partial_auc(
            0.0, 0.3, axis=axis, mcclish=mcclish
        )
        for c in scores
    ]
    assert_digits(found.area["estimate"], areas, at_least=14)
    assert_digits(found.table["estimate"][1], areas[0] - areas[2], at_least=12)


def test_the_whole_axis_is_near_delong():
    label, scores = cases(n=300)
    whole = pc.partial_auc_pairs(label, scores, positive="ill", low=0.0, high=1.0)
    delong = pc.delong(label, scores, positive="ill")
    assert_digits(whole.area["estimate"], delong.area, at_least=13)
    # 2000 resamples: a standard error is known to 1.6 %.
    ratio = whole.table["std_error"] / delong.table["std_error"]
    assert np.all(np.abs(ratio - 1) < 0.07)


def test_seed_is_reported_and_repeats():
    assert compared(seed=3, resamples=50).table.equals(
        compared(seed=3, resamples=50).table
    )
    assert compared(seed=3, resamples=50).seed == 3


def test_a_copy_cannot_be_tested():
    label, scores = cases(k=2)
    found = pc.partial_auc_pairs(
        label,
        scores.assign(again=scores.C1),
        positive="ill",
        low=0,
        high=0.2,
        resamples=50,
    )
    row = found.table.iloc[1]
    assert row["estimate"] == row["std_error"] == 0
    assert np.isnan([row["p_value"], row["p_adjusted"], row["conf_low"]]).all()
    assert "C1 and again" in found.notes[0]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"low": 0.3}, "low < high"),
        ({"high": 1.2}, "low < high"),
        ({"axis": "recall"}, "'fpr' or 'tpr'"),
        ({"resamples": 1}, "2 or more"),
        ({"adjust": "nemenyi"}, "mean ranks"),
    ],
)
def test_bad_options_are_refused(options, says):
    with pytest.raises(pc.InputError, match=says):
        compared(**options)

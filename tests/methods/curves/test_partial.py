import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden
from tests.methods.curves.curves import cases


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


def test_interval_of_one_is_that_of_the_table_with_the_same_draws():
    label, scores = cases()
    found = pc.partial_auc_interval(
        label, scores.C2, positive="ill", low=0.0, high=0.3, seed=5, resamples=99
    )
    row = compared(seed=5, resamples=99).area.loc["C2"]
    # Sums over one and over three columns round differently.
    assert_digits(found.estimate, row["estimate"], at_least=14)
    assert_digits(found.std_error, row["std_error"], at_least=13)
    limits = row[["conf_low", "conf_high"]].to_numpy(float)
    assert_digits([found.conf_low, found.conf_high], limits, at_least=14)
    assert found.notes[0] == "99 resamples, seed 5"


def test_a_perfect_score_has_no_interval():
    found = pc.partial_auc_interval(
        np.arange(10) > 4, range(10), positive=1, low=0.1, high=0.5, mcclish=True
    )
    assert_digits(found.estimate, 1.0, at_least=14)
    assert np.isnan(found.conf_low) and "same area" in found.notes[1]


# pROC 1.18.0 on aSAH, partial.auc = c(1, .8), 20,000 stratified resamples: area and
# percentile interval of s100b, z of s100b minus ndka.
PROC = {"area": 0.080589430894308908, "low": 0.0504329, "high": 0.115447, "z": 1.8543}


def test_bootstrap_of_proc_is_met_within_monte_carlo_error():
    case = golden("roc_aSAH")["input"]
    score = np.array(case["scores"])
    options = {"positive": 1, "low": 0.0, "high": 0.2, "resamples": 20_000}
    found = pc.partial_auc_interval(case["y"], score[:, 0], **options)
    assert_digits(found.estimate, PROC["area"], at_least=14)
    assert abs(found.conf_low - PROC["low"]) < 0.0015
    assert abs(found.conf_high - PROC["high"]) < 0.0015
    both = pc.partial_auc_pairs(case["y"], score[:, :2], **options)
    assert abs(both.table["statistic"][0] - PROC["z"]) < 0.05

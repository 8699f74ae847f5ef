import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import resampled_curves
from tests.methods.curves.curves import cases

METHODS = ["trapezoid", "davis-goadrich", "average-precision"]


def compared(k=3, **options):
    label, scores = cases(k=k)
    return pc.auc_pr_pairs(label, scores, positive="ill", **options)


@pytest.mark.parametrize("grid", [1e9, 4])
@pytest.mark.parametrize("method", METHODS)
def test_estimates_are_the_areas_of_auc_pr(method, grid):
    label, scores = cases(grid=grid)
    found = pc.auc_pr_pairs(label, scores, positive="ill", method=method, resamples=20)
    areas = [
        pc.auc_pr(label, scores[c], positive="ill", method=method).estimate
        for c in scores
    ]
    assert_digits(found.area["estimate"], areas, at_least=14)
    assert_digits(found.table["estimate"][1], areas[0] - areas[2], at_least=12)


@pytest.mark.parametrize("method", METHODS)
def test_resamples_are_measured_as_cases_by_hand(method):
    label, scores = cases(n=40, k=2, grid=8)
    truth = label == "ill"
    found = pc.auc_pr_pairs(
        label, scores, positive="ill", method=method, seed=7, resamples=6
    )

    def area(rows, name):
        score = scores[name].to_numpy()[rows]
        return pc.auc_pr(label[rows], score, positive="ill", method=method).estimate

    draws = resampled_curves.draw(truth, np.random.default_rng(7), 6)
    by_hand = [[area(rows, c) for c in scores] for rows in np.hstack(draws)]
    if method != "average-precision":  # which has an interval of its own
        errors = np.std(by_hand, axis=0, ddof=1)
        assert_digits(found.area["std_error"], errors, at_least=12)
    away = np.subtract(*np.transpose(by_hand))
    assert_digits(found.table["std_error"][0], away.std(ddof=1), at_least=12)


def test_seed_is_reported_and_repeats():
    found = compared(seed=3, resamples=50)
    assert found.table.equals(compared(seed=3, resamples=50).table)
    assert (found.seed, found.resamples) == (3, 50)


def test_a_clear_difference_is_found_and_a_copy_cannot_be_tested():
    label, scores = cases(n=300, k=1, strength=2.0)
    noise = np.random.default_rng(1).normal(size=300)
    scores = scores.assign(noise=noise, again=scores.C1)
    found = pc.auc_pr_pairs(label, scores, positive="ill", resamples=400)
    rows = found.table.set_index(["algorithm_1", "algorithm_2"])
    assert rows.loc[("C1", "noise"), "p_adjusted"] < 1e-6
    assert rows.loc[("C1", "noise"), "conf_low"] > 0
    assert np.isnan(rows.loc[("C1", "again"), "p_adjusted"])
    assert "C1 and again" in found.notes[0]


def test_level_is_held_when_both_scores_are_alike():
    rejected = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        truth = np.arange(120) % 3 == 0
        common = rng.normal(size=120) + truth
        pair = {"a": common + rng.normal(size=120), "b": common + rng.normal(size=120)}
        found = pc.auc_pr_pairs(truth, pair, positive=True, resamples=200, seed=seed)
        rejected += bool(found.rejected(0.05).iloc[0])
    # 0.05 of 150 is 7.5; three standard errors above are 15.5.
    assert rejected <= 15


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"method": "trapez"}, "did you mean 'trapezoid'"),
        ({"resamples": 1}, "2 or more"),
        ({"adjust": "nemenyi"}, "mean ranks"),
        ({"level": 2}, "level=2"),
    ],
)
def test_bad_options_are_refused(options, says):
    with pytest.raises(pc.InputError, match=says):
        compared(**options)

"""Scores with two reference scores of each block as 0 and 1."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from validation.checks.agents import scores_of_runs

SCORES = scores_of_runs(3, 2, 4, 1, ragged=True)
LOW = {"task 1": -1.0, "task 2": 0.0, "task 3": 2.0}
HIGH = {"task 1": 1.0, "task 2": 0.5, "task 3": 12.0}


def test_runs_and_means_are_normalised_task_by_task():
    new = pc.normalised_scores(SCORES, low=LOW, high=HIGH)
    for k, block in enumerate(SCORES.blocks):
        wanted = (SCORES.runs[k] - LOW[block]) / (HIGH[block] - LOW[block])
        np.testing.assert_allclose(new.runs[k], wanted, rtol=1e-14)
        np.testing.assert_allclose(new.values[k], np.nanmean(wanted, -1), rtol=1e-12)
    assert (new.metrics[0].name, new.metrics[0].better) == (
        "normalised return",
        "higher",
    )
    assert "task 3: 12" in new.notes[-1]


def test_scores_without_runs_keep_one_score_per_cell():
    new = pc.normalised_scores(pc.example(), low=0.5, high=1.0, name="above chance")
    np.testing.assert_allclose(new.values, 2 * pc.example().values - 1, atol=1e-14)
    assert new.runs is None
    assert new.metrics[0].name == "above chance"


def test_of_losses_the_lower_reference_is_1_and_higher_is_better():
    losses = scores_of_runs(3, 2, 4, 1, better="lower")
    new = pc.normalised_scores(losses, low=HIGH, high=LOW)
    assert new.metrics[0].better == "higher"
    np.testing.assert_allclose(new.runs[0], (1.0 - losses.runs[0]) / 2, rtol=1e-13)


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        ({**LOW, "task 4": 0.0}, HIGH, "low has a reference score for 'task 4'"),
        ({"task 1": 0.0}, HIGH, "low has no reference score for 2 blocks, first"),
        (LOW, {**HIGH, "task 2": float("inf")}, "reference score of 'task 2' is inf"),
        (LOW, {**HIGH, "task 2": "1"}, "reference score of 'task 2' is '1'"),
        (HIGH, LOW, "'task 1' has low=1 and high=-1"),
        (1.0, 1.0, "'task 1' has low=1 and high=1"),
    ],
)
def test_references_that_do_not_fit_are_named(low, high, told):
    with pytest.raises(InputError, match=told):
        pc.normalised_scores(SCORES, low=low, high=high)

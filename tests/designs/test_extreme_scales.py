"""Scores at the ends of what a double holds: right, or refused by name."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.data.reading.answers import DOUBTS


def table(values: np.ndarray) -> pc.Scores:
    frame = pd.DataFrame(values, columns=list("ABCD")[: values.shape[1]])
    return pc.Scores.from_wide(frame, metric="error", better="lower", confirmed=DOUBTS)


@pytest.mark.parametrize("sign", [1, -1])
def test_scores_whose_sums_and_differences_may_overflow_are_refused(sign):
    values = np.random.default_rng(1).random((10, 3))
    values[4, 1] = sign * 1.79e308
    with pytest.raises(pc.InputError, match=r"'error' go up to 1\.79e\+308, too large"):
        table(values)
    values[4, 1] = sign * 1e301
    assert table(values).n_blocks == 10


@pytest.mark.parametrize(
    "plan",
    [
        {"blocks": "datasets", "compares": "ranks", "seed": 1},
        {"blocks": "datasets", "scale": "difference"},
        {"blocks": "folds", "n_train": 90, "n_test": 10},
        {"blocks": "folds", "protocol": "held-out"},
    ],
)
def test_scores_over_160_decades_are_compared_without_a_warning(plan):
    values = 10.0 ** np.random.default_rng(1).uniform(-80, 80, (10, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = pc.compare(table(values), plan=pc.Plan(**plan))
    p = found.analyses[0].decisive.table["p_adjusted"]
    assert ((p > 0) & (p <= 1)).all()


def test_additivity_does_not_depend_on_the_unit():
    values = 10.0 ** np.random.default_rng(2).uniform(-3, 3, (9, 4))
    tests = [
        pc.residual_checks(table(values * unit)).nonadditivity
        for unit in (1.0, 1e-150, 1e150)
    ]
    assert tests[0].statistic > 0
    for other in tests[1:]:
        assert other.statistic == pytest.approx(tests[0].statistic, rel=1e-10)


@pytest.mark.parametrize("start", [2.0**50, 2.0**53])
def test_whole_numbers_that_would_tie_as_noise_are_refused(start):
    steps = 2.0 * np.random.default_rng(3).integers(0, 9, (9, 3))
    with pytest.raises(
        pc.InputError, match=r"whole numbers up to .*subtract one number"
    ):
        pc.compare(table(start + steps))
    assert pc.compare(table(steps)).analyses[0].ranks.omnibus.p_value > 0


@pytest.mark.parametrize(
    "test", [pc.friedman, pc.rank_pairs, pc.quade, pc.skillings_mack, pc.superiority]
)
def test_no_test_of_ranks_says_that_whole_numbers_tie_that_differ(test):
    steps = 2.0 * np.random.default_rng(3).integers(0, 9, (9, 3))
    with pytest.raises(pc.InputError, match="subtract one number"):
        test(table(2.0**53 + steps))
    assert len(test(table(steps)).to_frame())


@pytest.mark.parametrize("start", [2.0**40, 1e15 + 0.125, 1e200])
def test_other_large_numbers_are_compared(start):
    steps = np.random.default_rng(4).integers(0, 9, (9, 3))
    assert pc.compare(table(start + steps)).analyses

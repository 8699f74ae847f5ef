"""Intervals of the error of one learner from one cross-validation."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits

RNG = np.random.default_rng(1)
LOSS, FOLD = RNG.gamma(2.0, size=60), np.arange(60) % 6


def test_per_case_limits_are_those_of_independent_losses():
    row = pc.cv_error_intervals(LOSS, FOLD).table.iloc[0]
    error = LOSS.std() / 60**0.5
    assert row["covers"] == "mean error of these trained models on new cases"
    for end, quantile in (("conf_low", 0.025), ("conf_high", 0.975)):
        wanted = stats.norm.ppf(quantile, LOSS.mean(), error)
        assert_digits(row[end], wanted, at_least=13, what=end)


def test_corrected_t_is_that_of_the_pair_with_a_learner_without_errors():
    """A learner of loss 0 leaves the difference to be the loss itself."""
    means = np.array([LOSS[FOLD == k].mean() for k in range(6)])
    scores = pc.Scores(
        values=np.stack([means, np.zeros(6)], axis=1)[:, :, None],
        blocks=tuple("abcdef"), algorithms=("A", "B"),
        metrics=(pc.Metric("loss", "lower"),),
    )  # fmt: skip
    own = pc.cv_error_intervals(LOSS, FOLD)
    pair = pc.corrected_pairs(scores, n_train=50, n_test=10, overlap=own.overlap)
    row, wanted = own.table.iloc[1], pair.table.iloc[0]
    width = abs(wanted["conf_high"] - wanted["conf_low"])
    assert_digits(row["conf_high"] - row["conf_low"], width, at_least=12, what="width")


def test_repeats_have_the_corrected_interval_only():
    loss = RNG.random(120)
    result = pc.cv_error_intervals(loss, np.tile(FOLD, 2), repeat=np.repeat([1, 2], 60))
    assert result.table["method"].tolist() == ["corrected t"]
    assert (result.n_cases, result.n_folds, result.n_repeats) == (60, 6, 2)
    assert "without repeats" in result.notes[0]


def test_many_folds_have_the_per_case_interval_only():
    result = pc.cv_error_intervals(LOSS, np.arange(60))
    assert result.table["method"].tolist() == ["per-case"]
    assert "up to 10 folds" in result.notes[0]


def test_losses_that_do_not_vary_have_no_interval():
    still = pc.cv_error_intervals(np.zeros(60), FOLD)
    assert still.table["conf_low"].isna().all()
    assert [note.split()[1] for note in still.notes] == ["per-case", "corrected"]


def test_folds_of_equal_means_have_no_corrected_interval():
    loss = np.tile([0.0, 1.0], 30)
    equal = pc.cv_error_intervals(loss, np.arange(60) // 10)
    assert equal.table["conf_low"].isna().tolist() == [False, True]
    assert equal.notes == (
        "the corrected t interval has no limits: its standard error is 0",
    )


def test_huge_losses_keep_their_digits():
    small, large = (
        pc.cv_error_intervals(LOSS * unit, FOLD).table for unit in (1.0, 2.0**1000)
    )
    columns = ["estimate", "conf_low", "conf_high"]
    assert (large[columns] == small[columns] * 2.0**1000).all(axis=None)


@pytest.mark.parametrize(
    ("loss", "fold", "repeat", "told"),
    [
        ([0.1, np.nan, 0.2, 0.3], [1, 1, 2, 2], None, "loss of row 2 is nan"),
        ([0.1], [1], None, "one loss per test case, two or more"),
        ([0.1] * 4, [1, 1, 2], None, r"fold of shape \(3,\)"),
        ([0.1] * 4, [1] * 4, None, "1 to 1 folds"),
        ([0.1] * 5, [1, 2, 1, 2, 1], [1, 1, 2, 2, 2], "2 to 3 rows"),
    ],
)
def test_bad_input_is_named(loss, fold, repeat, told):
    with pytest.raises((InputError, DesignError), match=told):
        pc.cv_error_intervals(loss, fold, repeat=repeat)

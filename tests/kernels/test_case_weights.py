"""Weights of cases, and what is counted under them, against loops over cases."""

import numpy as np
import pytest

from pycompare.kernels import case_weights

TRUTH = np.array([True, False, True, False, False])
ROW = np.array([0.5, 0.5, 2.0, 1.0, -3.0])
"""In falling order: 2 (+), 1 (-), 0.5 (+ and -), -3 (-)."""
UNITS = np.array([0, 0, 1, 2, 2])


def test_counts_add_up_weights_from_the_highest_rating_down():
    weights = np.array([[1.0, 1, 1, 1, 1], [2, 0, 3, 5, 7]])
    fp, tp = case_weights.counts(TRUTH, ROW, weights)
    assert fp.tolist() == [[0, 0, 1, 2, 3], [0, 0, 5, 5, 12]]
    assert tp.tolist() == [[0, 1, 1, 2, 2], [0, 3, 3, 5, 5]]


@pytest.mark.parametrize("at_once", [1, 10, 10**6])
def test_each_unit_is_left_out_once(at_once, monkeypatch):
    monkeypatch.setattr(case_weights, "_AT_ONCE", at_once)
    portions = list(case_weights.left_out(UNITS, 3))
    assert len(portions) == {1: 3, 10: 2, 10**6: 1}[at_once]
    assert np.concatenate(portions).tolist() == [
        [0, 0, 1, 1, 1],
        [1, 1, 0, 1, 1],
        [1, 1, 1, 0, 0],
    ]


@pytest.mark.parametrize("at_once", [10, 10**6])
def test_strata_keep_their_number_of_units_and_units_their_cases(at_once, monkeypatch):
    monkeypatch.setattr(case_weights, "_AT_ONCE", at_once)
    unit = np.array([0, 0, 1, 2, 3, 4])
    strata = np.array([0, 0, 1, 1, 1])
    rng = np.random.default_rng(1)
    portions = []

    def measure(truth, row, weights):
        portions.append(len(weights))
        return weights

    case = (unit == 0, np.arange(6.0)[None, :], unit, strata)
    weights = case_weights.resampled(measure, *case, rng, 300)[..., 0]
    assert weights.shape == (300, 6)
    assert len(portions) == (300 if at_once == 10 else 1)
    assert (weights[:, 0] == weights[:, 1]).all()
    assert (weights[:, 1] + weights[:, 2] == 2).all()
    assert (weights[:, 3:].sum(axis=1) == 3).all()
    # Each unit is drawn once on average, and all of a stratum's units may be one.
    assert np.abs(weights.mean(axis=0) - 1).max() < 0.2
    assert weights[:, 0].max() == 2 and weights[:, 3:].max() == 3
    assert weights.min() == 0


def test_unread_cases_are_left_out_of_a_row():
    rows = np.array([ROW, np.where(ROW > 1, np.nan, ROW)])
    seen = []

    def measure(truth, row, weights):
        seen.append((truth.tolist(), row.tolist(), weights.shape))
        return weights.sum(axis=1)

    found = case_weights.measured(
        measure, TRUTH, rows, iter([np.ones((2, 5)), 2 * np.ones((1, 5))])
    )
    assert found.tolist() == [[5, 4], [5, 4], [10, 8]]
    assert seen[1] == ([True, False, False, False], [0.5, 0.5, 1.0, -3.0], (2, 4))

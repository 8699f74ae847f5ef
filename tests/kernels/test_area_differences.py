"""The test of several areas at once where their covariances are singular."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from pycompare.base.testing import assert_digits
from pycompare.kernels import area_differences
from pycompare.kernels.area_differences import differences, quadratic_form


@dataclass
class Contrasts:
    """Contrasts of areas with a covariance that is given."""

    area: np.ndarray
    covariance: np.ndarray


@pytest.mark.parametrize(("second", "unexplained"), [(0.2, False), (0.2002, True)])
def test_equal_contrasts_count_once_and_unequal_ones_have_no_variance(
    second, unexplained
):
    sides = Contrasts(np.array([0.2, second]), np.full((2, 2), 0.01))
    statistic, rank, left = quadratic_form(sides)
    assert (rank, left) == (1, unexplained)
    assert_digits(statistic, ((0.2 + second) / 2) ** 2 / 0.01, at_least=12)


@pytest.mark.parametrize(("second", "unexplained"), [(0.0, False), (1e-9, True)])
def test_a_contrast_that_does_not_vary_must_be_zero(second, unexplained):
    sides = Contrasts(np.array([0.2, second]), np.diag([0.01, 0.0]))
    statistic, rank, left = quadratic_form(sides)
    assert (rank, left) == (1, unexplained)
    assert_digits(statistic, 4.0, at_least=12)


@pytest.mark.parametrize("digits", [1, 2, 16])
def test_variances_from_sums_are_those_of_differences_of_counts(monkeypatch, digits):
    rng = np.random.default_rng(digits)
    truth, score = rng.random(301) < 0.4, rng.random((5, 301)).round(digits)
    score[4] = score[1]
    found = differences(truth, score)
    monkeypatch.setattr(area_differences, "_EXACT", 0.0)
    counted = differences(truth, score)
    assert found.variance.tolist() == counted.variance.tolist()
    assert (found.statistic, found.rank) == (counted.statistic, counted.rank)
    assert found.variance[1, 4] == 0 < found.variance[0, 1]

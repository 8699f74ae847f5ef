"""The test of several areas at once where their covariances are singular."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from pycompare.kernels.area_differences import quadratic_form
from pycompare.testing import assert_digits


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

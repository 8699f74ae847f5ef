"""Moments of permuted scores, and the inverse of a connected design."""

from __future__ import annotations

import importlib

import numpy as np

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.ranks import midranks, permutation_chi2
from tests.conftest import wide


def test_of_ranks_it_is_friedmans_statistic():
    values = np.random.default_rng(2).integers(0, 4, size=(9, 4))
    statistic, variance = permutation_chi2(midranks(values))
    assert_digits(statistic, pc.friedman(wide(values)).statistic, at_least=12)
    ranks = midranks(values)
    total = np.sum((ranks - 2.5) ** 2)
    assert_digits(variance, 2 * total / (3 * 81), at_least=12)


def test_scores_that_tie_everywhere_have_no_statistic():
    statistic, variance = permutation_chi2(np.ones((3, 2)))
    assert np.isnan(statistic) and variance == 0


def test_the_inverse_of_a_connected_design_is_moore_and_penroses():
    module = importlib.import_module("pycompare.methods.ranks.skillings_mack")
    shared = np.array([[0, 3, 1], [3, 0, 2], [1, 2, 0]], float)
    information = np.diag(shared.sum(axis=1)) - shared
    expected = np.linalg.pinv(information)
    assert_digits(module._generalised_inverse(information), expected, at_least=11)

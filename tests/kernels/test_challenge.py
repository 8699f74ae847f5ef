"""Ranks of cases, resampled means and quantiles, signed rank tests of resamples."""

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import challenge as kernel
from pycompare.kernels.r_random import Uniforms


def test_failures_rank_behind_all_scores_and_share_their_ranks():
    row = [[0.3, np.nan, 0.1, np.nan, 0.1]]
    assert kernel.case_ranks(np.array(row)).tolist() == [[3.0, 4.5, 1.5, 4.5, 1.5]]
    first = kernel.case_ranks(np.array(row), "min")
    assert first.tolist() == [[3.0, 4.0, 1.0, 4.0, 1.0]]


@pytest.mark.parametrize("scale", [1.0, -1.0, 1e300, -1e300, 1e-300, 0.0])
def test_failures_are_last_whatever_the_scores(scale):
    row = scale * np.array([[1.0, 2.0, 3.0, 0.0]])
    row[0, 3] = np.nan
    assert kernel.case_ranks(row)[0, 3] == 4.0


def test_a_case_on_which_all_failed_is_a_tie():
    assert kernel.case_ranks(np.full((1, 4), np.nan)).tolist() == [[2.5] * 4]


def test_resamples_count_whole_units():
    counts = kernel.unit_counts(Uniforms(1), 7, 40)
    assert counts.shape == (40, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert len(np.unique(counts, axis=0)) > 30


@pytest.mark.parametrize("q", [0.5, 0.1, 0.37])
def test_quantiles_of_counts_are_those_of_repeated_rows(q):
    rng = np.random.default_rng(1)
    x = rng.integers(0, 6, (12, 3)) / 4
    counts = kernel.unit_counts(Uniforms(2), 12, 30)
    wanted = [
        np.quantile(np.repeat(x, c.astype(int), axis=0), q, axis=0) for c in counts
    ]
    assert_digits(kernel.quantiles(counts, x, q), np.array(wanted), at_least=13)


def test_means_of_counts_are_those_of_repeated_rows():
    rng = np.random.default_rng(3)
    x, sizes = rng.normal(size=(9, 2)), rng.integers(1, 4, 9).astype(float)
    counts = kernel.unit_counts(Uniforms(4), 9, 20)
    wanted = [
        np.repeat(x, c.astype(int), axis=0).sum(axis=0) / (c @ sizes) for c in counts
    ]
    assert_digits(kernel.means(counts, x, sizes), np.array(wanted), at_least=12)


def test_signed_rank_tests_of_counts_are_those_of_repeated_rows():
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 9, (2, 25)) / 8
    counts = kernel.unit_counts(Uniforms(6), 25, 25)
    got = kernel.signed_rank_p(counts, x - y, np.maximum(x, y))
    wanted = [
        [
            stats.wilcoxon(
                np.repeat(x - y, c),
                alternative=side,
                method="asymptotic",
                correction=True,
            ).pvalue
            for side in ("greater", "less")
        ]
        for c in counts.astype(int)
    ]
    assert_digits(got, np.array(wanted), at_least=10)


def test_no_difference_beats_nobody():
    ones = np.ones((1, 8))
    assert kernel.signed_rank_p(ones, np.zeros(8), np.ones(8)).tolist() == [[1.0, 1.0]]
    assert not kernel.shares_beaten(ones, np.ones((8, 3)), 0.05, holm=False).any()


def test_holm_rejects_in_steps():
    p = np.array([[0.01, 0.04, 0.03], [0.001, 0.02, 0.03]])
    wanted = [[True, False, False], [True, True, True]]
    assert kernel._holm(p, 0.05).tolist() == wanted


def test_kendall_is_tau_b():
    rng = np.random.default_rng(7)
    ranks, whole = (
        rng.integers(1, 5, (20, 6)).astype(float),
        np.array([1, 2, 2, 4, 5, 6.0]),
    )
    wanted = [stats.kendalltau(row, whole).statistic for row in ranks]
    assert_digits(kernel.kendall(ranks, whole), np.array(wanted), at_least=12)
    assert np.isnan(kernel.kendall(np.ones((1, 6)), whole)).all()

"""The interaction of algorithm and data set, and the sums of squares by data set."""

import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.sscp import centred, cross, term_parts
from pycompare.methods.linear.design import block_design
from tests.methods.linear.witness import columns_of
from tests.methods.over_datasets.many_folds import folds_of


def test_residual_splits_into_interaction_and_the_data_sets_own_residuals():
    scores = folds_of([4, 6, 3], a=4)
    found = pc.dataset_interaction(scores)
    residual = pc.anova(scores).table["sum_sq"].iloc[-1]
    assert_digits(
        found.sum_sq + found.error_sum_sq, residual, at_least=12, what="residual"
    )
    own = [
        pc.anova(scores.select(blocks=[b for b in scores.blocks if b.startswith(name)]))
        .table["sum_sq"]
        .iloc[-1]
        for name in ("d1/", "d2/", "d3/")
    ]
    assert_digits(found.error_sum_sq, sum(own), at_least=12, what="own residuals")
    assert found.df == (6.0, 30.0)


def test_equal_folds_give_the_mixed_models_mean_squares():
    """The analysis of data-set means has the interaction as its error."""
    scores = folds_of([5, 5, 5, 5], a=3)
    x = scores.column().reshape(4, 5, 3).mean(axis=1)
    residual = x - x.mean(axis=0) - x.mean(axis=1, keepdims=True) + x.mean()
    found = pc.dataset_interaction(scores)
    assert_digits(found.sum_sq, 5 * (residual**2).sum(), at_least=11, what="SS")


def test_two_algorithms_reduce_to_one_way_analysis_of_differences():
    scores = folds_of([4, 6, 5], a=2)
    x = scores.column()
    d = x[:, 0] - x[:, 1]
    expected = stats.f_oneway(d[:4], d[4:10], d[10:])
    found = pc.dataset_interaction(scores)
    assert_digits(found.statistic, expected.statistic, at_least=11, what="F")
    assert_digits(found.p_value, expected.pvalue, at_least=10, what="p")


def test_no_error_within_data_sets_is_said():
    x = np.repeat(np.array([[1.0, 2.0], [4.0, 3.0]]), 3, axis=0)
    scores = folds_of([3, 3], a=2)
    flat = pc.Scores(
        x[..., None], scores.blocks, ("A", "B"), scores.metrics, scores.datasets
    )
    found = pc.dataset_interaction(flat)
    assert math.isinf(found.statistic) and math.isnan(found.p_value) and found.notes


@pytest.mark.parametrize("sizes", [[6], [1, 4], [1, 1, 1]])
def test_data_sets_without_folds_are_refused(sizes):
    with pytest.raises(pc.DesignError, match="two blocks or more"):
        pc.dataset_interaction(folds_of(sizes, a=3))


@pytest.mark.parametrize("sizes", [[3, 5, 2, 7], [4, 4], [1, 3, 2]])
def test_sums_of_complete_blocks_are_those_of_the_general_model(sizes):
    scores = folds_of(sizes, a=4)
    design = block_design(scores)
    df, sums = design.sums_before(scores.values)
    y = centred(design.responses(scores.values))
    before = term_parts(columns_of(design))[1:-1]
    assert df == [part.df for part in before]
    for part, found in zip(before, sums, strict=True):
        assert_digits(found, cross(part.factor(y)), at_least=12, what="SSCP")

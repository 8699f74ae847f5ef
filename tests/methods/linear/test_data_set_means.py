"""Several metrics over data sets: T2 on mean vectors (open in Yildiz et al. 2011)."""

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from tests.conftest import wide
from tests.methods.over_datasets.many import normal


def test_t2_of_data_set_means_is_the_formula_on_them():
    scores = normal(12, b=5, a=3, p=2, seed=1)
    means = pc.dataset_means(scores)
    assert means.n_blocks == 12
    test = pc.hotelling(means, algorithms=("A1", "A3"))
    d = means.values[:, 0] - means.values[:, 2]
    t2 = 12 * d.mean(axis=0) @ np.linalg.solve(np.cov(d.T), d.mean(axis=0))
    assert_digits(test.t2, t2, at_least=11)
    assert test.df == (2, 10)
    pairs = pc.hotelling_pairs(means, adjust="holm")
    assert_digits(pairs.matrix("p_value").loc["A1", "A3"], test.p_value, at_least=12)


def test_folds_taken_for_data_sets_would_count_too_many_blocks():
    scores = normal(6, b=10, a=2, p=2, seed=2)
    assert pc.hotelling(pc.dataset_means(scores)).df == (2, 4)
    assert pc.hotelling(scores).df == (2, 58)


@pytest.mark.parametrize("seed", range(3))
def test_one_metric_is_the_paired_t_of_data_set_means(seed):
    means = pc.dataset_means(normal(9, b=4, a=2, seed=seed))
    test = pc.hotelling(means)
    assert_digits(test.p_value, pc.paired_t(means).p_value, at_least=12)


def test_gaps_and_scores_without_data_sets_are_refused():
    scores = normal(3, b=4, a=3, seed=1)
    values = scores.values.copy()
    values[2, 1] = np.nan
    gappy = dataclasses.replace(scores, values=values, missing="model")
    with pytest.raises(DesignError, match="need every fold"):
        pc.dataset_means(gappy)
    with pytest.raises(DesignError, match="all blocks belong to 'd1'"):
        pc.dataset_means(normal(1, seed=2))
    with pytest.raises(InputError, match="read them with dataset="):
        pc.dataset_means(wide(np.eye(3)))

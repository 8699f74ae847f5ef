"""Nested cross-validation of one learner."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.testing import assert_digits
from pycompare.kernels.r_random import Uniforms

Y = np.random.default_rng(2).normal(size=24)


def losses(train, test):
    """Return squared errors of the mean of the training cases."""
    return (Y[test] - Y[train].mean()) ** 2


def test_estimates_are_those_of_the_published_algorithm():
    """Algorithm 1 of Bates et al. (2023) written as it stands, a fit for each pair."""
    k, repeats = 4, 3
    stream, a, b, es, outer = Uniforms(7), [], [], [], []
    for _ in range(repeats):
        folds = np.empty(24, int)
        folds[np.argsort(stream.draw(24), kind="stable")] = np.arange(24) % k
        for fold in range(k):
            own = losses(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold))
            inner = np.concatenate([
                losses(np.flatnonzero((folds != fold) & (folds != j)),
                       np.flatnonzero(folds == j))
                for j in range(k) if j != fold
            ])  # fmt: skip
            a.append((inner.mean() - own.mean()) ** 2)
            b.append(own.var(ddof=1) / len(own))
            es.append(inner)
            outer.append(own)
    result = pc.nested_cv(losses, 24, n_folds=k, repeats=repeats, seed=7)
    nested, cv = np.concatenate(es).mean(), np.concatenate(outer).mean()
    assert_digits(result.nested_estimate, nested, at_least=12, what="nested")
    assert_digits(result.cv_estimate, cv, at_least=12, what="outer")
    bias = (1 + (k - 2) / k) * (nested - cv)
    assert_digits(result.estimate, nested - bias, at_least=12, what="estimate")
    error = ((k - 1) / k * max(np.mean(a) - np.mean(b), 0)) ** 0.5
    wanted = min(max(error, result.naive_error), k**0.5 * result.naive_error)
    assert_digits(result.std_error, wanted, at_least=12, what="error")
    assert result.n_fits == repeats * (k * (k - 1) / 2 + k)


def test_a_learner_that_ignores_its_training_set_has_independent_losses():
    """Nothing is trained: no bias, and the error is that of a mean."""
    result = pc.nested_cv(lambda _, test: Y[test] ** 2, 24, n_folds=4, repeats=200)
    assert_digits(result.estimate, np.mean(Y**2), at_least=12, what="estimate")
    naive = (Y**2).std(ddof=1) / 24**0.5
    assert_digits(result.naive_error, naive, at_least=12, what="naive")


def test_training_and_test_cases_are_apart_and_complete():
    seen = []

    def kept(train, test):
        seen.append((set(train.tolist()), set(test.tolist())))
        return np.zeros(len(test))

    result = pc.nested_cv(kept, 12, n_folds=3, repeats=2)
    assert len(seen) == result.n_fits
    assert all(train | test == set(range(12)) and not train & test
               for train, test in seen)  # fmt: skip
    assert np.isnan(result.conf_low)
    assert "few repeats" in result.notes[0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"n_folds": 2}, "n_folds=2"),
        ({"n_folds": 13}, "n_cases=24"),
        ({"repeats": 1}, "repeats=1"),
        ({"seed": -1}, "seed=-1"),
        ({"level": 1.5}, "level=1.5"),
    ],
)
def test_bad_sizes_are_named(options, told):
    with pytest.raises(InputError, match=told):
        pc.nested_cv(losses, 24, **options)


@pytest.mark.parametrize("given", [[1.0], np.nan])
def test_losses_that_are_none_of_each_case_are_rejected(given):
    with pytest.raises(InputError, match="return one finite loss for each"):
        pc.nested_cv(lambda _, test: np.resize(given, 1), 24, n_folds=4, repeats=2)

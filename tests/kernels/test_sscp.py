import numpy as np
import pytest

from pycompare.kernels.sscp import complete_factors, cross, factors, term_bases
from pycompare.testing import assert_digits


def columns(rows, levels):
    return (np.asarray(rows)[:, None] == np.arange(levels)).astype(float)


def complete_terms(b, a, blocked):
    rows, at = np.divmod(np.arange(b * a), a)
    middle = [columns(rows, b)] if blocked else []
    return [np.ones((b * a, 1)), *middle, columns(at, a)]


@pytest.mark.parametrize("blocked", [True, False])
def test_closed_form_equals_the_projections(blocked):
    y = np.random.default_rng(1).normal(size=(3, 2, 7, 4, 3)) + 5
    closed = complete_factors(y, blocked=blocked)
    bases = term_bases(complete_terms(7, 4, blocked))
    general = factors(bases, y.reshape(3, 2, 28, 3))
    assert closed.df_hypothesis == general.df_hypothesis == 3
    assert closed.df_error == general.df_error == (18 if blocked else 24)
    assert np.allclose(closed.h, general.h, rtol=1e-12, atol=1e-13)
    assert np.allclose(closed.e, general.e, rtol=1e-12, atol=1e-13)


def test_dependent_columns_add_no_dimension():
    terms = complete_terms(5, 3, True)
    doubled = [np.hstack([t, 2 * t, t]) for t in terms]
    ranks = [q.shape[1] for q in term_bases(doubled)]
    assert ranks == [1, 4, 2]
    y = np.random.default_rng(2).normal(size=(15, 2))
    once, twice = factors(term_bases(terms), y), factors(term_bases(doubled), y)
    assert_digits(once.h, twice.h, at_least=12)
    assert_digits(once.e, twice.e, at_least=12)


def test_bases_are_orthonormal_and_split_the_sum_of_squares():
    rng = np.random.default_rng(3)
    terms = [np.ones((20, 1)), rng.normal(size=(20, 4)), rng.normal(size=(20, 3))]
    bases = term_bases(terms)
    q = np.hstack(bases)
    assert np.abs(q.T @ q - np.eye(8)).max() < 1e-14
    y = rng.normal(size=(20, 2))
    parts = [cross(b.T @ y) for b in bases]
    assert_digits(sum(parts) + factors(bases, y).e, y.T @ y, at_least=13)


def test_shifting_all_scores_changes_nothing():
    y = np.random.default_rng(4).integers(0, 9, size=(6, 3, 2)).astype(float)
    near, far = (complete_factors(y + c, blocked=True) for c in (0.0, 2.0**40))
    assert np.array_equal(near.e, far.e)
    assert np.array_equal(near.h, far.h)

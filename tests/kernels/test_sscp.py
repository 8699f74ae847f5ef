import numpy as np
import pytest

from pycompare.base.testing import assert_digits
from pycompare.kernels.sscp import (
    OrthogonalPart,
    RowCells,
    cross,
    factors,
    split,
    term_parts,
    two_way,
)


def columns(rows, levels):
    return (np.asarray(rows)[:, None] == np.arange(levels)).astype(float)


def complete_terms(b, a, blocked):
    rows, at = np.divmod(np.arange(b * a), a)
    middle = [columns(rows, b)] if blocked else []
    return [np.ones((b * a, 1)), *middle, columns(at, a)]


@pytest.mark.parametrize("blocked", [True, False])
def test_closed_form_equals_the_projections(blocked):
    y = np.random.default_rng(1).normal(size=(3, 2, 7, 4, 3)) + 5
    y = y.reshape(3, 2, 28, 3)
    closed = factors(two_way(7, 4, blocked), y)
    general = factors(term_parts(complete_terms(7, 4, blocked)), y)
    assert closed.df_hypothesis == general.df_hypothesis == 3
    assert closed.df_error == general.df_error == (18 if blocked else 24)
    assert np.allclose(closed.h, general.h, rtol=1e-12, atol=1e-13)
    assert np.allclose(closed.e, general.e, rtol=1e-12, atol=1e-13)


def test_dependent_columns_add_no_dimension():
    terms = complete_terms(5, 3, True)
    doubled = [np.hstack([t, 2 * t, t]) for t in terms]
    ranks = [part.df for part in term_parts(doubled)]
    assert ranks == [1, 4, 2]
    y = np.random.default_rng(2).normal(size=(15, 2))
    once, twice = factors(term_parts(terms), y), factors(term_parts(doubled), y)
    assert_digits(once.h, twice.h, at_least=12)
    assert_digits(once.e, twice.e, at_least=12)


def test_bases_are_orthonormal_and_split_the_sum_of_squares():
    rng = np.random.default_rng(3)
    terms = [np.ones((20, 1)), rng.normal(size=(20, 4)), rng.normal(size=(20, 3))]
    parts = term_parts(terms)
    q = np.hstack([part.basis for part in parts])
    assert np.abs(q.T @ q - np.eye(8)).max() < 1e-14
    y = rng.normal(size=(20, 2))
    made, rest = split(parts, y)
    y = y - y[:1]
    assert_digits(sum(map(cross, made)) + cross(rest), y.T @ y, at_least=13)


def test_shifting_all_scores_changes_nothing():
    y = np.random.default_rng(4).integers(0, 9, size=(6, 3, 2)).astype(float)
    near, far = (
        factors(two_way(6, 3, True), (y + c).reshape(18, 2)) for c in (0.0, 2.0**40)
    )
    assert np.array_equal(near.e, far.e)
    assert np.array_equal(near.h, far.h)


@pytest.mark.parametrize("seed", range(12))
def test_cells_in_any_order_have_their_means(seed):
    rng = np.random.default_rng(seed)
    outer, cells, inner = rng.integers(1, 12, size=3)
    groups = np.tile(np.repeat(np.arange(cells), inner), outer)
    y = rng.normal(size=(2, len(groups), 3))
    for order in (np.arange(len(groups)), rng.permutation(len(groups))):
        part = OrthogonalPart(RowCells(5 * groups[order]), int(cells))
        means = np.stack(
            [y[:, order][:, groups[order] == g].mean(axis=1) for g in range(cells)]
        )
        expected = np.moveaxis(means, 0, 1)[:, groups[order]]
        assert np.allclose(part.project(y[:, order]), expected, rtol=0, atol=1e-13)
        sums = cross(part.factor(y[:, order]))
        assert_digits(sums, cross(expected), at_least=11)
        assert_digits(cross(part.basis.T @ y[:, order]), sums, at_least=11)

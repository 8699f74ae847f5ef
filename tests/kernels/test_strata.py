"""Error strata: orthogonal parts of the data, and design columns within them."""

from __future__ import annotations

import numpy as np
import pytest

from pycompare.kernels import strata as module
from pycompare.kernels.sscp import without

DATASET, FOLD = np.repeat([0, 1, 2], 8), np.repeat(np.arange(6), 4)
Y = np.random.default_rng(1).normal(size=(24, 2))


def nested() -> list[module.Part]:
    return module.strata([DATASET, FOLD], [(), (0,)], 24)


def unbalanced() -> list[module.Part]:
    return module.strata([DATASET, np.arange(24) * 7 % 5], [(), ()], 24)


@pytest.mark.parametrize("made", [nested(), unbalanced()])
def test_parts_are_orthogonal_and_add_up(made):
    parts = [one.project(Y) for one in made]
    assert np.allclose(sum(parts), Y, rtol=0, atol=1e-12)
    assert sum(one.df for one in made) == 24
    for i, part in enumerate(parts):
        for j, one in enumerate(made):
            expected = part if i == j else np.zeros_like(part)
            assert np.allclose(one.project(part), expected, rtol=0, atol=1e-12)


def test_nested_units_have_means_about_the_means_of_coarser_ones():
    constant, datasets, folds, rows = nested()
    assert [one.df for one in (constant, datasets, folds, rows)] == [1, 2, 3, 18]
    assert np.allclose(constant.project(Y), Y.mean(axis=0))
    means = np.array([Y[DATASET == d].mean(axis=0) for d in DATASET])
    assert np.allclose(datasets.project(Y), means - Y.mean(axis=0))
    inner = np.array([Y[FOLD == f].mean(axis=0) for f in FOLD])
    assert np.allclose(folds.project(Y), inner - means)
    assert np.allclose(rows.project(Y), Y - inner)


def test_units_of_one_row_leave_no_stratum_of_rows():
    made = module.strata([np.arange(6)], [()], 6)
    assert [one.df for one in made] == [1, 5]


def test_columns_keep_their_widths_within_a_stratum():
    between = np.eye(3)[DATASET]
    within = np.tile([[1.0, 2.0], [-1.0, 0.0]], (12, 1))
    first, second = module.projected(nested()[1], [between, within])
    assert np.allclose(first, between - 1 / 3)
    assert second.shape == (24, 2)
    assert not second.any()  # means of data sets are alike, up to rounding


def test_without_a_stratum_columns_stay_as_they_are():
    columns = [Y, Y[:, :1]]
    kept = module.projected(None, columns)
    assert kept[0] is columns[0] and kept[1] is columns[1] and len(kept) == 2
    assert module.projected(nested()[1], []) == []


def test_a_term_has_what_it_adds_to_the_others():
    ones, between = np.ones((24, 1)), np.eye(3)[DATASET]
    part = module.tested_part([ones, between], 1, [0])
    assert part.basis.shape == (24, 2)
    assert np.allclose(part.project(Y), nested()[1].project(Y))
    nothing = module.tested_part([between, ones], 1, [0])
    assert nothing.df == 0
    empty = module.tested_part([ones, np.zeros((24, 2))], 1, [0])
    assert empty.basis.shape == (24, 0)
    rest = without(Y, [part, empty])
    assert np.allclose(rest, Y - nested()[1].project(Y))

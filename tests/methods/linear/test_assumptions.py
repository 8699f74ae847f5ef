import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import wide
from tests.methods.linear.witness import gappy


def test_one_way_levene_is_that_of_scipy():
    scores = gappy()
    columns = [c[~np.isnan(c)] for c in scores.column().T]
    got = pc.residual_checks(scores, blocked=False)
    for test, centre in ((got.levene, "mean"), (got.brown_forsythe, "median")):
        theirs = stats.levene(*columns, center=centre)
        assert_digits(test.statistic, theirs.statistic, at_least=12)
        assert_digits(test.p_value, theirs.pvalue, at_least=12)
    assert got.nonadditivity is None


def test_shapiro_wilk_is_made_on_residuals(garcia_herrera):
    x = garcia_herrera.column()
    centred = x - x.mean(axis=1, keepdims=True)
    residuals = centred - centred.mean(axis=0)
    theirs = stats.shapiro(residuals.ravel())
    got = pc.residual_checks(garcia_herrera).shapiro_wilk
    # SciPy's port has normal quantiles of seven digits.
    assert_digits(got.statistic, theirs.statistic, at_least=7)
    assert_digits(got.p_value, theirs.pvalue, at_least=5)


def test_nonadditivity_is_tukeys_formula_for_complete_blocks():
    x = np.random.default_rng(1).normal(size=(9, 4)) + 2 * np.arange(4)
    rows = x.mean(axis=1) - x.mean()
    columns = x.mean(axis=0) - x.mean()
    one = (rows @ x @ columns) ** 2 / (rows @ rows * (columns @ columns))
    error = np.sum((x - x.mean() - rows[:, None] - columns) ** 2) - one
    got = pc.residual_checks(wide(x)).nonadditivity
    assert got.df == (1, 8 * 3 - 1)
    assert_digits(got.statistic, one / (error / got.df[1]), at_least=11)


def test_products_of_effects_are_found():
    rng = np.random.default_rng(2)
    effects = np.arange(1.0, 11)[:, None] * np.arange(1.0, 5)
    noise = rng.normal(size=(10, 4))
    assert pc.residual_checks(wide(effects + noise)).nonadditivity.p_value < 1e-9
    assert pc.residual_checks(wide(noise)).nonadditivity.p_value > 0.01


@pytest.mark.parametrize("scale", [1e-300, 1e9])
def test_units_do_not_matter(scale):
    x = np.random.default_rng(3).normal(size=(8, 3))
    near = pc.residual_checks(wide(x)).r_values()
    far = pc.residual_checks(wide(x * scale)).r_values()
    for name, value in near.items():
        assert_digits(far[name], value, at_least=10, what=name)


def test_what_cannot_be_checked_says_why():
    perfect = pc.residual_checks(wide(np.arange(5.0)[:, None] + [0.0, 1.0, 4.0]))
    assert all(math.isnan(test.p_value) for test in perfect.tests.values())
    assert all("nothing to check" in t.notes[0] for t in perfect.tests.values())
    assert perfect.r_call() is None
    pair = pc.residual_checks(wide(np.random.default_rng(4).normal(size=(7, 2))))
    assert math.isnan(pair.levene.statistic) and "mirrored" in pair.levene.notes[0]
    flat = np.random.default_rng(5).normal(size=(4, 3))
    flat -= flat.mean(axis=1, keepdims=True)
    found = pc.residual_checks(wide(flat)).nonadditivity
    assert math.isnan(found.statistic) and "do not differ" in found.notes[0]


def test_the_table_has_one_row_a_test(garcia_herrera):
    got = pc.residual_checks(garcia_herrera)
    assert len(got.to_frame()) == 4
    assert "Shapiro-Wilk" in got.summary()


def test_residuals_that_are_a_product_have_no_error_and_no_p_of_zero():
    x = np.outer([1.0, 2.0, 4.0, 7.0], [1.0, 3.0, 4.0])
    got = pc.residual_checks(wide(x)).nonadditivity
    assert math.isnan(got.statistic) and math.isnan(got.p_value)
    assert "nothing else" in got.notes[0]


@pytest.mark.parametrize("seed", range(8))
def test_mirrored_residuals_of_two_blocks_have_equal_distances(seed):
    two = np.random.default_rng(seed).normal(size=(2, 4)) * 1e9
    found = pc.residual_checks(wide(two))
    for test in (found.levene, found.brown_forsythe):
        assert math.isnan(test.p_value)
        assert "all distances of an algorithm are equal" in test.notes[0]

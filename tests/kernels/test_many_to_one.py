import math

import mpmath
import numpy as np
import pytest
from scipy import special

from pycompare.base.testing import assert_digits
from pycompare.kernels import many_to_one

# Dunnett (1955, 1964), two-sided, equal groups: P(max |T| > t) = 0.05.
TABLE = [(2, 10, 2.57), (3, 20, 2.54), (4, 20, 2.65), (5, 10, 2.99), (3, 60, 2.41)]


@pytest.mark.parametrize(("m", "df", "critical"), TABLE)
def test_critical_values_are_those_of_dunnetts_table(m, df, critical):
    t = many_to_one.isf(0.05, np.full(m, math.sqrt(0.5)), df)
    assert abs(t - critical) < 0.0051


@pytest.mark.parametrize("df", [1, 3, 30, 116, 1e4, 1e6])
@pytest.mark.parametrize("t", [0.01, 1, 3, 10, 1e3])
def test_one_comparison_is_students_t(t, df):
    p = 2 * special.stdtr(df, -t)
    if p > 1e-280:
        ours = many_to_one.sf(t, np.zeros(1), df)
        # The density is exp(df ...): df in units in the last place is lost.
        assert_digits(ours, p, at_least=12 if df < 1e4 else 10.5)


@pytest.mark.parametrize(("t", "df"), [(2.3, 12), (9.0, 12)])
def test_agrees_with_mpmath(t, df):
    loadings = [0.3, 0.6, 0.8]
    mpmath.mp.dps = 20

    def given(w):
        def inside(z):
            product = mpmath.mpf(1)
            for loading in loadings:
                own = mpmath.sqrt(1 - mpmath.mpf(loading) ** 2)
                product *= 1 - (
                    mpmath.ncdf((loading * z - w) / own)
                    + mpmath.ncdf((-loading * z - w) / own)
                )
            return (1 - product) * mpmath.npdf(z)

        return 2 * sum_of(inside, 0, 14, mpmath.mpf("0.2"))

    def sum_of(f, low, high, step):
        n = int((high - low) / step)
        ends = (f(low) + f(high)) / 2
        return step * (ends + sum(f(low + i * step) for i in range(1, n)))

    half = mpmath.mpf(df) / 2
    constant = 2 * half**half / mpmath.gamma(half)

    def outer(u):
        density = constant * mpmath.exp(df * u - half * mpmath.exp(2 * u))
        return density * given(t * mpmath.exp(u))

    low = -mpmath.mpf(40) / df - 2
    expected = sum_of(outer, low, mpmath.mpf(1), mpmath.mpf("0.08"))
    ours = many_to_one.sf(t, np.array(loadings), df)
    assert_digits(ours, float(expected), at_least=12)


def test_more_comparisons_are_rarer_than_bonferroni_says():
    alone = many_to_one.sf(2.5, np.zeros(1), 20)
    together = many_to_one.sf(2.5, np.full(5, 0.7), 20)
    assert alone < together < 5 * alone


def test_limits():
    loadings = np.full(3, 0.7)
    assert many_to_one.sf(0.0, loadings, 9) == 1
    assert many_to_one.sf(math.inf, loadings, 9) == 0
    assert math.isnan(many_to_one.sf(math.nan, loadings, 9))


@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_loadings_are_found_from_correlations(m):
    loadings = np.linspace(0.3, 0.9, m)
    correlation = np.outer(loadings, loadings)
    np.fill_diagonal(correlation, 1)
    found = many_to_one.product_loadings(correlation)
    product = np.outer(found, found)
    off = ~np.eye(m, dtype=bool)
    assert np.allclose(product[off], correlation[off], rtol=1e-12)


def test_correlations_that_are_no_product_are_told():
    correlation = np.full((4, 4), 0.5)
    correlation[0, 1] = correlation[1, 0] = 0.6
    np.fill_diagonal(correlation, 1)
    assert many_to_one.product_loadings(correlation) is None

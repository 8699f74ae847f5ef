import mpmath
import numpy as np
import pytest
from scipy import special, stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import student


def by_mpmath(t, df, shift):
    """The noncentral t's distribution by adaptive integration with 30 digits."""
    with mpmath.workdps(30):
        half = mpmath.mpf(df) / 2
        constant = 2 * half**half / mpmath.gamma(half)

        def density(s):
            power = s ** (df - 1) * mpmath.exp(-half * s * s)
            return mpmath.ncdf(t * s - shift) * constant * power

        edges = [0, 0.1, 0.3, 0.6, 0.8, 1, 1.2, 1.5, 2, 3, 6, 20]
        return float(mpmath.quad(density, sorted({*edges, max(0.0, shift / t)})))


@pytest.mark.parametrize(
    "t, df, shift",
    [
        (0.5, 1, 2),
        (2, 1, 1),
        (1.2, 3, -1),
        (3, 9, 1),
        (4, 9, 7),
        (20, 9, 12),
        (100, 1, 2),
        (8, 29, 9),
        (1, 2, 5),
        (50, 4, 20),
        (3, 200, 1),
    ],
)
def test_noncentral_t_is_that_of_mpmath(t, df, shift):
    expected = by_mpmath(t, df, shift)
    assert student.noncentral_cdf(t, df, shift) == pytest.approx(expected, abs=4e-15)


@pytest.mark.parametrize("df", [1, 2, 9, 30, 1000])
def test_without_a_shift_it_is_students_t(df):
    t = np.array([0.1, 1.0, 3.0, 30.0])
    found = [student.noncentral_cdf(x, df, 0.0) for x in t]
    assert_digits(found, 1 - student.sf(t, df), at_least=13)


def test_tails_and_quantiles_keep_their_digits():
    # 1.8e-16: pt(9, 200, lower.tail = FALSE) * 2, where 2 - 2 * cdf gives 2.2e-16.
    t = np.array([0.0, 0.5, 9.0, -9.0, 40.0, 1e200])
    assert_digits(student.sf(t, 200.0), stats.t.sf(t, 200.0), at_least=11)
    for p in (1e-300, 1e-20, 0.025, 0.4, 0.9):
        assert_digits(student.sf(student.isf(p, 7.0), 7.0), p, at_least=12)


@pytest.mark.parametrize("p", [1e-300, 1e-200, 1e-139])
def test_quantiles_far_out_are_those_of_the_cauchy_law(p):
    assert_digits(student.isf(p, 1.0), 1 / np.pi / p, at_least=12)
    assert student.isf(p, 0.98) > student.isf(p, 0.99) > student.isf(p, 1.0)
    assert student.isf(0.0, 1.0) == student.isf(0.0, np.inf) == np.inf


@pytest.mark.parametrize("t", [0.0, 0.3, -2.3, 40.0, -2e6, 1e200])
@pytest.mark.parametrize("df", [1.0, 9.0, 300.0])
def test_limits_of_the_noncentrality_invert_the_distribution(t, df):
    low, high = student.noncentrality_interval(t, df, 0.95)
    assert low < t < high
    lower, upper = (low, high) if t >= 0 else (-high, -low)
    for shift, p in ((lower, 0.975), (upper, 0.025)):
        assert student.noncentral_cdf(abs(t), df, shift) == pytest.approx(p, abs=1e-12)


@pytest.mark.parametrize("t", [-3.0, -0.5, 0.0, 1.5, 12.0, np.inf])
def test_infinite_degrees_of_freedom_are_the_normal_distribution(t):
    normal = special.ndtr(-t)
    assert student.sf(t, np.inf) == normal
    assert student.two_sided(t, np.inf) == min(1.0, 2 * special.ndtr(-abs(t)))
    both = student.sf([t, t], [np.inf, 7.0])
    np.testing.assert_array_equal(both, [normal, student.sf(t, 7.0)])
    with np.errstate(invalid="ignore"):
        assert np.isnan(student.sf([t, t], [np.inf, np.nan])[1])


@pytest.mark.parametrize("p", [1e-12, 0.025, 0.5, 0.9])
def test_quantiles_at_infinite_degrees_of_freedom_are_normal(p):
    assert student.isf(p, np.inf) == pytest.approx(-special.ndtri(p), rel=1e-15)
    assert student.isf(p, 1e9) == pytest.approx(student.isf(p, np.inf), rel=1e-6)
    assert np.isnan(student.isf(p, np.nan))

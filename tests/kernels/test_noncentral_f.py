import numpy as np
import pytest
from scipy import integrate, special, stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import many_to_one, noncentral_f

CASES = [(3.85, 4, 116, 15.0), (0.3, 1, 7, 0.5), (100.0, 4, 116, 400.0), (2.0, 9, 3, 7)]


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_scipy(case):
    ours = noncentral_f.cdf(*case)
    assert_digits(ours, stats.ncf.cdf(*case), at_least=10)


def test_one_degree_of_freedom_is_a_shifted_t():
    # P(T^2 <= f) of a noncentral t, by integration over the scale of the error.
    f, df, shift = 5.0, 12, 1.7

    def inside(s):
        width = (f * s / df) ** 0.5
        normal = special.ndtr(width - shift) - special.ndtr(-width - shift)
        return normal * stats.chi2.pdf(s, df)

    expected = integrate.quad(inside, 0, 200, epsabs=1e-13, epsrel=1e-13, limit=200)[0]
    assert_digits(noncentral_f.cdf(f, 1, df, shift**2), expected, at_least=11)


@pytest.mark.parametrize("p", [0.975, 0.5, 0.025])
@pytest.mark.parametrize("f", [0.9, 3.85, 1e4])
def test_limits_are_where_the_tail_is_p(f, p):
    limit = noncentral_f.noncentrality(f, 4, 116, p)
    if limit > 0:
        assert_digits(noncentral_f.cdf(f, 4, 116, limit), p, at_least=10)
    else:
        assert noncentral_f.cdf(f, 4, 116, 0.0) <= p


@pytest.mark.parametrize("noncentrality", [1e4, 1e6, 1e9])
def test_large_noncentralities_keep_their_digits(noncentrality):
    # One numerator degree of freedom: a shifted normal over the scale of the error.
    f, df = 1.1 * noncentrality, 30
    u = np.linspace(-2, 1.2, 200_001)
    log_density = df * (u - np.expm1(2 * u) / 2) + many_to_one.log_density_at_0(df)
    normal = special.ndtr(np.exp(u) * f**0.5 - noncentrality**0.5)
    expected = np.exp(log_density) @ normal * (u[1] - u[0])
    assert_digits(noncentral_f.cdf(f, 1, df, noncentrality), expected, at_least=10)


def test_limits_go_on_where_f_is_huge():
    below, above = (
        noncentral_f.noncentrality(f, 4, 116, 0.025) / f
        for f in (0.99 * noncentral_f.LARGE / 4, 1.01 * noncentral_f.LARGE / 4)
    )
    assert_digits(below, above, at_least=6)
    assert noncentral_f.noncentrality(1e30, 4, 116, 0.975) > 1e30


def test_a_probability_close_to_1_is_never_above_it():
    f, df1, df2, p = 567.1831015650918, 7.0, 49.0, 0.9999999995
    assert noncentral_f.cdf(f, df1, df2, 1e-4) <= 1
    found = noncentral_f.noncentrality(f, df1, df2, p)
    assert 0 < found < df1 * f
    assert abs(noncentral_f.cdf(f, df1, df2, found) - p) < 1e-13


def test_many_limits_are_those_of_each():
    rng = np.random.default_rng(1)
    f = np.append(rng.gamma(1.0, 3.0, size=300), [0.0, 1e-8, 80.0, 3e3, 1e9, np.nan])
    df1 = np.resize([1.0, 4.0, 29.0], len(f))
    df2 = np.resize([2.0, 11.5, 116.0, 1790.0], len(f))
    for p in (0.9999995, 0.975, 0.5, 0.025):
        found = noncentral_f.noncentralities(f, df1, df2, p)
        cases = zip(f[:-1], df1, df2, strict=False)
        wanted = [noncentral_f.noncentrality(*row, p) for row in cases]
        # Near 0 rounding of the probability decides about the limit.
        digits = 7 if p > 0.99 else 10
        assert_digits(found[:-1] + 1e-3, np.array(wanted) + 1e-3, at_least=digits)
        assert np.isnan(found[-1])

import pytest
from scipy import integrate, special, stats

from pycompare.kernels import noncentral_f
from pycompare.testing import assert_digits

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

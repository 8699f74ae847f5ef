"""Moments of AUCs: identities, enumeration, other formulas."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import special, stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import area_moments, power
from pycompare.kernels.reader_area_moments import Joint
from pycompare.methods.multireader.roe_metz import RoeMetz

SEPARATIONS = (math.sqrt(2) * special.ndtri(0.9), math.sqrt(2) * special.ndtri(0.8))


def test_variances_are_those_of_roe_and_metz():
    model = RoeMetz(
        separation=SEPARATIONS,
        reader=0,
        modality_reader=0,
        case=0.6,
        modality_case=0.4,
        reader_case=0,
        error=0,
    )
    wanted = model.components(12, 30)
    parts = area_moments.binormal(SEPARATIONS, 0.6)
    difference = 2 * (wanted["error"] - wanted["Cov1"])
    assert_digits(parts.variance(12, 30), difference, at_least=12)
    assert_digits(parts.weight @ parts.own**2, parts.single, at_least=8)


def test_the_operator_of_pairs_is_symmetric():
    p = area_moments.binormal(SEPARATIONS, 0.6)
    square = p.own**2 - p.single
    for left, right in (
        (p.own * p.square_cross, square * p.cross),
        (p.own * p.cross_cross, p.cross**2),
        (square * p.cross_cross, p.cross * p.square_cross),
        (p.square_cross, 0 * p.own),
    ):
        assert abs(p.weight @ left - p.weight @ right) < 1e-6


def exact_moments(rates: tuple[float, float], m: int, n: int) -> tuple[float, float]:
    """Standard deviation and skewness over all orders of exponential ratings."""
    law: dict[int, float] = {}
    for places in combinations(range(m + n), m):
        chance, left, wins = 1.0, [m, n], 0
        for place in range(m + n):
            of = 0 if place in places else 1
            total = left[0] * rates[0] + left[1] * rates[1]
            chance *= left[of] * rates[of] / total
            left[of] -= 1
            wins += left[0] if of else 0
        law[wins] = law.get(wins, 0.0) + chance
    x, p = np.array(list(law)) / (m * n), np.array(list(law.values()))
    mean = p @ x
    sd = math.sqrt(p @ (x - mean) ** 2)
    return sd, float(p @ (x - mean) ** 3) / sd**3


def test_exponential_ratings_by_enumeration():
    area = 0.7
    found = area_moments.exponential(area, 6, 7)
    sd, skewness = exact_moments((1.0, area / (1 - area)), 6, 7)
    assert_digits(found.sd, sd, at_least=12)
    # Terms of smaller order are left out.
    assert abs(found.skewness - skewness) < 0.05


def test_at_one_half_nothing_is_skewed():
    assert abs(area_moments.exponential(0.5, 9, 9).skewness) < 1e-12
    assert abs(area_moments.binormal((0.0,)).moments(9, 9).skewness) < 1e-12


def test_equal_areas_have_the_same_chance_on_both_sides():
    parts = area_moments.binormal((SEPARATIONS[0],) * 2, 0.3)
    one, two = (parts.less_error(20, 30, 1.96, sign) for sign in (1, -1))
    # As many digits as the cells of the quadrature give.
    assert_digits(one, two, at_least=4)


@pytest.mark.parametrize("skewness", [-0.8, -0.01, 0.0, 0.3])
def test_the_shifted_gamma_distribution(skewness):
    for x in (-2.0, 0.3, 2.5):
        wanted = stats.pearson3.sf(x, skewness)
        got = power.skewed_above(5 + 2 * x, 5, 2, skewness)
        assert_digits(got, wanted, at_least=9)


def _known(df: int, own: float) -> Joint:
    """Return moments without skewness or error of covariances of cases."""
    return Joint(0.0, 0.0, 0.0, 2 * own**2 / df, 0.0, 0.0, 0.0, 0.0, 0.0)


def test_known_degrees_of_freedom_give_the_noncentral_f_distribution():
    # Without covariance of cases Hillis' df are (t - 1)(r - 1), whatever MS(TR) is.
    wanted = power.f_test(2, 8, 6.0, 0.05)
    effect = np.sqrt(6.0 * 0.5 / 5)
    got = power.reader_test(3, 5, 0.5, 0.0, effect, _known(8, 0.5), 0.05)
    assert_digits(got, wanted, at_least=4)
    wanted = power.f_test(1, 4, 6.0, 0.05)
    got = power.reader_test(2, 5, 0.5, 0.0, effect, _known(4, 0.5), 0.05)
    assert_digits(got, wanted, at_least=8)


def test_known_covariances_alone_give_the_chi_squared_distribution():
    wanted = stats.ncx2.sf(stats.chi2.isf(0.05, 1), 1, 4.0)
    got = power.reader_test(2, 40, 1e-9, 1.0, np.sqrt(4.0 / 40), _known(39, 1e-9), 0.05)
    assert abs(got - wanted) < 1e-7

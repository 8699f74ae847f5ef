"""Joint moments of areas of readers beside simulated studies, and in limits."""

import numpy as np
import pytest

import pycompare as pc
from pycompare import sizes
from pycompare.kernels import placements, reader_moments
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels.reader_area_moments import (
    RatingVariances,
    joint_moments,
    unit_contrast,
)

APART = RatingVariances(0.03, 0.06, 0.1, 0.1, 0.2, 0.6)
SEPARATION = (1.0, 2.0)
SIZES = (4, 60, 60)
TRIALS = 4000


def model(separation=SEPARATION, variances=APART):
    return pc.RoeMetz(separation=separation, **variances._asdict())


def expected_ms(of, sizes):
    c = of.components(*sizes[1:])
    return c["modality x reader"] + c["error"] - c["Cov1"] - c["Cov2"] + c["Cov3"]


def moments(separation=SEPARATION, variances=APART, sizes=SIZES):
    own = expected_ms(model(separation, variances), sizes)
    return joint_moments(separation, variances, sizes, own)


@pytest.fixture(scope="module")
def simulated():
    """Difference, MS(TR) and the estimate of r (Cov2 - Cov3), each less its mean."""
    r, m, n = SIZES
    truth, x = model().sample(
        np.random.default_rng(8),
        n_readers=r,
        n_positive=m,
        n_negative=n,
        trials=TRIALS,
    )
    found = placements.delong(truth, x.reshape(TRIALS, 2 * r, -1))
    area = found.area.reshape(TRIALS, 2, r)
    covariance = pseudo.jackknife_covariance(found).reshape(TRIALS, 2, r, 2, r)
    every = reader_moments.all_modalities(reader_moments.moments(area, covariance))
    d = area.mean(-1) @ unit_contrast(area.mean((0, 2)))
    return [v - v.mean() for v in (d, every.readers, every.excess)]


def products(d, m, x):
    """Mean products, whose means the moments are."""
    return {
        "third": d**3,
        "d_m": d * m,
        "d_d_m": (d * d - np.mean(d * d)) * m,
        "var_m": m * m,
        "d_x": d * x,
        "d_d_x": (d * d - np.mean(d * d)) * x,
        "var_x": x * x,
        "m_x": m * x,
    }


def test_the_moments_are_those_of_simulated_studies(simulated):
    found = moments()._asdict()
    for name, values in products(*simulated).items():
        error = values.std() / np.sqrt(TRIALS)
        # Terms of smaller order are left out.
        slack = 0.15 * abs(values.mean())
        assert abs(found[name] - values.mean()) < 3.5 * error + slack, name


def test_the_difference_rises_with_its_estimated_error(simulated):
    d, m, x = simulated
    assert np.corrcoef(d, m)[0, 1] > 0.1
    assert np.corrcoef(d, x)[0, 1] > 0.1
    found = moments()
    assert found.d_m > 0.1 * np.std(d) * np.sqrt(found.var_m)
    assert found.d_x > 0.1 * np.std(d) * np.sqrt(found.var_x)


def test_without_an_effect_nothing_is_skewed():
    found, other = moments((1.5, 1.5)), moments()
    for name in ("third", "d_m", "d_x"):
        assert abs(getattr(found, name)) < 0.02 * abs(getattr(other, name))


def test_modalities_in_another_order_have_the_same_power():
    def power_of(areas):
        design = sizes.Mrmc(areas=areas, n_cases=120, **APART._asdict())
        return design.formula(6, 0.05)

    # What the integrals over normal effects are accurate to.
    assert abs(power_of((0.7, 0.8, 0.84)) - power_of((0.84, 0.8, 0.7))) < 1e-3


def test_many_cases_leave_the_moments_of_readers():
    found = moments(sizes=(4, 10**8, 10**8))
    # Four times as many readers: a third cumulant a sixteenth, a covariance a quarter.
    more = moments(sizes=(16, 10**8, 10**8))
    np.testing.assert_allclose(found.third / more.third, 16, rtol=1e-5)
    np.testing.assert_allclose(found.d_m / more.d_m, 4, rtol=1e-5)
    assert found.var_x < 1e-8 * found.var_m


def test_areas_without_effects_of_readers_have_a_variance_of_zero_over_them():
    only_cases = RatingVariances(0.0, 0.0, 0.3, 0.3, 0.0, 0.0)
    own = 1e-9
    found = joint_moments(SEPARATION, only_cases, SIZES, own)
    assert abs(found.var_m - 2 * own**2 / 3) < 1e-25
    assert found.var_x > 0

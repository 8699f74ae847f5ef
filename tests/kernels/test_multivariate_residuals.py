"""Box's M, Mardia, Henze-Zirkler as functions of arrays."""

import numpy as np
import pytest
from scipy import integrate, stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import multivariate_normality as normality
from pycompare.kernels.box_m import box_m, f_of


def data(n, p, seed):
    rng = np.random.default_rng(seed)
    e = rng.normal(size=(n, p)) @ rng.normal(size=(p, p))
    return e - e.mean(axis=0)


@pytest.mark.parametrize("p", [1, 2, 5])
def test_mardia_is_the_double_sum_over_observations(p):
    e = data(40, p, p)
    g = e @ np.linalg.solve(e.T @ e / len(e), e.T)
    got = normality.mardia(e)
    assert_digits(got.skewness, np.mean(g**3), at_least=12)
    assert_digits(got.kurtosis, np.mean(np.diag(g) ** 2), at_least=12)


def test_mardia_of_many_metrics_is_the_double_sum_in_parts(monkeypatch):
    e = np.random.default_rng(9).gamma(1.0, size=(30, 7))
    e -= e.mean(axis=0)
    whole = normality.mardia(e)
    monkeypatch.setattr(normality, "CELLS", 100)
    parts = []
    sums = normality._cubes
    monkeypatch.setattr(normality, "_cubes", lambda z: parts.append(sums(z)) or sums(z))
    assert_digits(normality.mardia(e).skewness, whole.skewness, at_least=13)
    assert len(parts) == 1


def test_one_response_has_the_moments_of_scipy():
    e = data(50, 1, 3)
    got = normality.mardia(e)
    assert_digits(got.skewness, stats.skew(e[:, 0]) ** 2, at_least=12)
    assert_digits(got.kurtosis, stats.kurtosis(e[:, 0], fisher=False), at_least=12)
    assert got.df == 1


@pytest.mark.parametrize("p", [1, 3])
def test_henze_zirkler_is_its_double_sum(p):
    e, n = data(30, p, 4), 30
    difference = e[:, None] - e
    inverse = np.linalg.inv(e.T @ e / n)
    d = np.einsum("ijk,kl,ijl->ij", difference, inverse, difference)
    own = np.einsum("ik,kl,il->i", e, inverse, e)
    b2 = (((2 * p + 1) * n / 4) ** (1 / (p + 4)) / np.sqrt(2)) ** 2
    expected = n * (
        np.mean(np.exp(-b2 / 2 * d))
        - 2 * (1 + b2) ** (-p / 2) * np.mean(np.exp(-b2 / (2 * (1 + b2)) * own))
        + (1 + 2 * b2) ** (-p / 2)
    )
    assert_digits(normality.henze_zirkler(e)[0], expected, at_least=12)


def test_henze_zirkler_of_one_response_is_a_distance_of_characteristic_functions():
    e, n = data(12, 1, 5), 12
    z = e[:, 0] / np.sqrt(np.mean(e**2))
    b = np.sqrt((3 * n / 4) ** (2 / 5) / 2)

    def distance(t):
        square = np.abs(np.mean(np.exp(1j * t * z)) - np.exp(-t * t / 2)) ** 2
        return square * stats.norm.pdf(t, scale=b)

    expected = n * integrate.quad(distance, -np.inf, np.inf, epsabs=1e-13)[0]
    assert_digits(normality.henze_zirkler(e)[0], expected, at_least=9)


def test_henze_zirkler_has_the_moments_of_normal_data():
    rng = np.random.default_rng(6)
    found = []
    for _ in range(1500):
        e = rng.normal(size=(60, 2))
        found.append(normality.henze_zirkler(e - e.mean(axis=0)))
    statistic, p = np.array(found).T
    b2 = (5 * 60 / 4) ** (2 / 6) / 2
    mean, variance = normality.henze_zirkler_moments(2, b2)
    assert abs(statistic.mean() / mean - 1) < 0.03
    assert abs(statistic.var() / variance - 1) < 0.25
    assert abs(np.mean(p <= 0.05) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1500)


def test_blocks_of_rows_change_nothing(monkeypatch):
    e = data(70, 3, 7)
    mardia, hz = normality.mardia(e), normality.henze_zirkler(e)
    monkeypatch.setattr(normality, "CELLS", 100)
    assert_digits(normality.mardia(e).skewness, mardia.skewness, at_least=13)
    assert_digits(normality.henze_zirkler(e), hz, at_least=12)


def test_box_of_one_response_is_bartlett():
    rng = np.random.default_rng(8)
    groups = [rng.normal(size=(n, 1)) * s for n, s in ((8, 1), (11, 2), (20, 1.5))]
    theirs = stats.bartlett(*(g[:, 0] for g in groups))
    got = box_m([g - g.mean(axis=0) for g in groups])
    # Bartlett divides by 1 + c1 where Box multiplies by 1 - c1.
    c1 = 1 - got.chi2 / got.m
    assert_digits(got.m / (1 + c1), theirs.statistic, at_least=11)
    v = np.array([7, 10, 19])
    assert_digits(c1, (np.sum(1 / v) - 1 / 36) / 6, at_least=11)


def test_box_is_made_of_determinants_and_the_same_in_any_basis():
    rng = np.random.default_rng(9)
    groups = [rng.normal(size=(n, 3)) for n in (9, 14, 30)]
    groups = [g - g.mean(axis=0) for g in groups]
    v = np.array([len(g) - 1 for g in groups])
    covariances = [g.T @ g / k for g, k in zip(groups, v, strict=True)]
    pooled = sum(k * s for k, s in zip(v, covariances, strict=True)) / v.sum()
    m = v.sum() * np.linalg.slogdet(pooled)[1]
    m -= sum(k * np.linalg.slogdet(s)[1] for k, s in zip(v, covariances, strict=True))
    got = box_m(groups)
    assert_digits(got.m, m, at_least=12)
    basis = np.array([[1, 1, 0], [0, 1, 0], [2, 0, 1]]) * [1, 1e-9, 1e9]
    assert_digits(box_m([g @ basis for g in groups]).m, m, at_least=11)


def test_both_forms_of_f_tend_to_chi2():
    # Many small groups have c2 > c1 squared, two groups have not.
    for sizes in ((400, 500), (300,) * 12):
        rng = np.random.default_rng(10)
        groups = [rng.normal(size=(n, 2)) for n in sizes]
        got = box_m([g - g.mean(axis=0) for g in groups])
        assert abs(got.p_values[0] - got.p_values[1]) < 1e-3


def test_box_has_two_forms_of_f():
    """Box (1949), sec. 4: the degrees of freedom match, the scale does not."""
    f, df = f_of(10.0, 6.0, 0.1, 0.05)
    assert_digits([f, *df], [10 * (1 - 0.1 - 0.03) / 6, 6, 200], at_least=12)
    f, df = f_of(10.0, 6.0, 0.3, 0.05)
    b = 200 / (1 - 0.3 + 0.01)
    assert_digits([f, *df], [200 * 10 / (6 * (b - 10)), 6, 200], at_least=12)
    assert f_of(b + 1, 6.0, 0.3, 0.05)[0] == np.inf


def test_box_of_one_response_is_bartletts_but_for_the_correction():
    groups = [data(n, 1, n) for n in (5, 8, 12)]
    v = np.array([4.0, 7.0, 11.0])
    c1 = (np.sum(1 / v) - 1 / v.sum()) / (3 * (3 - 1))
    got = box_m(groups, scale=0.75)
    bartlett = stats.bartlett(*(group[:, 0] for group in groups)).statistic
    assert_digits(got.m, bartlett * (1 + c1), at_least=12)
    assert_digits(got.chi2, 0.75 * got.m * (1 - c1), at_least=12)
    assert got.df == 2

"""Laplace's approximation: gradients, integrals, symmetry."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import integrate, special, stats

from pycompare.kernels import laplace
from pycompare.kernels.laplace import BinaryOutcomes


def outcomes(t=2, r=4, n=25, *, link="logit", more=False, seed=0) -> BinaryOutcomes:
    rng = np.random.default_rng(seed)
    i, j, k = np.indices((t, r, n)).reshape(3, -1)
    eta = 0.4 + 0.5 * i + 0.6 * rng.normal(size=r)[j] + rng.normal(size=n)[k]
    y = (rng.random(len(eta)) < special.expit(eta)).astype(float)
    codes, sizes = (k, j), (n, r)
    if more:
        codes, sizes = (*codes, i * r + j), (*sizes, t * r)
    return BinaryOutcomes(y, np.eye(t)[i], codes, sizes, link)


@pytest.mark.parametrize("link", ["logit", "probit"])
@pytest.mark.parametrize("more", [False, True])
def test_the_gradient_is_that_of_differences(link, more):
    data = outcomes(link=link, more=more)
    model, k = laplace._LaplaceModel(data), len(data.sizes)
    at = np.array([*(0.8, 0.4, 0.6)[:k], 0.3, 0.9])
    start = np.zeros(sum(data.sizes))

    def value(place):
        return model.deviance(place[k:], place[:k], start)[0]

    slope = model.deviance(at[k:], at[:k], start)[1]
    for q in range(len(at)):
        step = 1e-5 * np.eye(len(at))[q]
        wanted = (value(at + step) - value(at - step)) / 2e-5
        assert slope[q] == pytest.approx(wanted, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("link", ["logit", "probit"])
def test_the_determinant_is_that_of_the_whole_matrix(link):
    data = outcomes(link=link, more=True)
    model, theta = laplace._LaplaceModel(data), np.array([0.9, 0.5, 0.4])
    w = np.random.default_rng(1).random(len(data.y))
    z = np.hstack(
        [
            scale * np.eye(size)[code]
            for scale, size, code in zip(theta, data.sizes, data.codes, strict=True)
        ]
    )
    whole = np.eye(z.shape[1]) + z.T @ (w[:, None] * z)
    h = model.matrix(theta, w)
    assert h.log_det == pytest.approx(np.linalg.slogdet(whole)[1], rel=1e-12)
    v = np.random.default_rng(2).normal(size=(len(whole), 1))
    assert np.allclose(h.solve(v), np.linalg.solve(whole, v), rtol=1e-10)
    leverage, _ = model.leverage(theta, h)
    wanted = np.einsum("ij,jk,ik->i", z, np.linalg.inv(whole), z)
    assert np.allclose(leverage, wanted, rtol=1e-10)


def test_the_deviance_is_near_that_of_the_integral():
    """With one random effect a case and many outcomes each, Laplace is close."""
    data = outcomes(t=2, r=30, n=4)
    alone = dataclasses.replace(
        data, codes=(data.codes[0], np.zeros(len(data.y), int)), sizes=(4, 1)
    )
    beta, theta = np.array([0.3, 0.8]), np.array([1.0, 0.0])
    found = laplace._LaplaceModel(alone).deviance(beta, theta, np.zeros(5))[0]
    total = 0.0
    for case in range(4):
        mine = data.codes[0] == case
        eta, sign = data.x[mine] @ beta, 2 * data.y[mine] - 1

        def density(u, eta=eta, sign=sign):
            return np.exp(special.log_expit(sign * (eta + u)).sum()) * stats.norm.pdf(u)

        total += np.log(integrate.quad(density, -8, 8, epsabs=0, epsrel=1e-9)[0])
    assert found == pytest.approx(-2 * total, rel=1e-3)


def test_fits_end_at_a_stationary_point_and_repeat_under_relabelling():
    data = outcomes(seed=3)
    fit = laplace.fit(data)
    assert fit.slope < 1e-6
    order = np.random.default_rng(0).permutation(len(data.y))
    turned_codes = tuple(
        (size - 1 - code)[order]
        for code, size in zip(data.codes, data.sizes, strict=True)
    )
    turned = laplace.fit(
        BinaryOutcomes(
            data.y[order],
            data.x[order],
            turned_codes,
            data.sizes,
            data.link,
        )
    )
    assert np.allclose(fit.beta, turned.beta, rtol=1e-6)
    assert np.allclose(fit.theta, turned.theta, rtol=1e-6)
    mirrored = laplace.fit(dataclasses.replace(data, y=1 - data.y))
    assert np.allclose(mirrored.beta, -fit.beta, rtol=1e-6)


def test_a_variance_of_0_is_found_as_0():
    rng = np.random.default_rng(4)
    data = outcomes(seed=4, r=3)
    flat = dataclasses.replace(data, y=rng.permutation(data.y))
    fit = laplace.fit(flat)
    assert (fit.theta >= 0).all()
    assert (fit.theta == 0).any()

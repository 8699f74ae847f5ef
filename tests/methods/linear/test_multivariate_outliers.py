"""Outliers by the minimum covariance determinant: all halves, scikit-learn."""

from itertools import combinations

import numpy as np
import pytest
from scipy import special, stats
from sklearn.covariance import MinCovDet

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.min_cov_det import closest_half, consistency
from validation.calibration.data import scores_of


def normal(seed, n=30, a=3, p=2):
    return scores_of(np.random.default_rng(seed).normal(size=(n, a, p)))


def log_det(z):
    return np.linalg.slogdet(np.cov(z.T))[1]


def test_the_half_is_the_best_of_all_halves():
    rng = np.random.default_rng(2)
    for _ in range(5):
        z = rng.normal(size=(13, 2))
        inside = closest_half(z, 8, np.random.default_rng(1))
        least = min(log_det(z[list(h)]) for h in combinations(range(13), 8))
        assert log_det(z[inside]) == pytest.approx(least, rel=1e-9)


def test_no_determinant_is_larger_than_that_of_scikit_learn():
    rng = np.random.default_rng(3)
    for n, p in ((60, 2), (150, 3), (40, 4)):
        z = rng.standard_t(2, size=(n, p))
        half = (n + p + 1) // 2
        other = MinCovDet(support_fraction=(half + 0.5) / n, random_state=0).fit(z)
        inside = closest_half(z, half, np.random.default_rng(0))
        assert inside.sum() == half == other.raw_support_.sum()
        assert log_det(z[inside]) <= log_det(z[other.raw_support_]) + 1e-9


def test_consistency_is_the_variance_that_the_nearest_share_lacks():
    # The mean square of one coordinate among the nearest share.
    for p, share in ((1, 0.5), (2, 0.6), (4, 0.975)):
        limit = stats.chi2.ppf(share, p)
        inside = stats.chi2.cdf(limit, p + 2) / share
        assert_digits(consistency(p, share), 1 / inside, at_least=10)
    assert consistency(3, 1.0) == 1


def test_an_outlier_that_masks_itself_is_found():
    scores = normal(4)
    x = scores.values.copy()
    x[:5, 0] += [40, -40]
    found = pc.multivariate_outliers(scores_of(x), seed=1)
    first = found.table[found.table["outlying"] & (found.table["algorithm"] == "A")]
    assert {"0", "1", "2", "3", "4"} <= set(first["block"])
    assert found.table["distance"].max() < found.table["robust_distance"].max()
    assert_digits(found.limit, np.sqrt(special.chdtri(2, 0.025)), at_least=12)


def test_classical_distances_are_those_of_mahalanobis():
    scores = normal(5)
    x = scores.values
    e = x - x.mean(axis=0) - x.mean(axis=1, keepdims=True) + x.mean(axis=(0, 1))
    e = e.reshape(-1, 2)
    wanted = np.sqrt(np.einsum("ij,jk,ik->i", e, np.linalg.inv(np.cov(e.T)), e))
    found = pc.multivariate_outliers(scores).table
    assert_digits(found["distance"], wanted, at_least=10)


@pytest.mark.parametrize("unit", [1e-150, 1e150])
def test_units_and_the_sign_of_metrics_do_not_matter(unit):
    scores = normal(6)
    one = pc.multivariate_outliers(scores, seed=2)
    other = pc.multivariate_outliers(scores_of(-unit * scores.values), seed=2)
    assert_digits(
        other.table["robust_distance"], one.table["robust_distance"], at_least=8
    )
    assert one.seed == 2 and one.half == (90 + 3) // 2


def test_two_algorithms_have_one_residual_a_block():
    found = pc.multivariate_outliers(normal(7, a=2), seed=1)
    assert len(found.table) == 30 and set(found.table["algorithm"]) == {"A"}
    assert "mirrored" in found.notes[-1]


def test_residuals_on_a_plane_or_too_few_are_rejected():
    x = normal(8, n=20, a=2).values.copy()
    x[:15, 0] = x[:15, 1] + [0.0, 1.0]
    x[:15, 0, 0] += np.arange(15)
    with pytest.raises(pc.DesignError, match="lie on a plane of the metrics"):
        pc.multivariate_outliers(scores_of(x), seed=1)
    with pytest.raises(pc.DesignError, match="residuals are too few for the outliers"):
        pc.multivariate_outliers(normal(9, n=5, a=2, p=3), seed=1)
    with pytest.raises(pc.InputError, match="seed"):
        pc.multivariate_outliers(normal(9), seed=-1)

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels.ellipses import mean_radius, normal_radius, outline, spread

S = np.array([[4.0, 1.5], [1.5, 1.0]])


def normal_points(n: int, seed: int = 0, batch: tuple[int, ...] = ()) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.multivariate_normal([3.0, -1.0], S, size=(*batch, n))


def distance(found, point) -> np.ndarray:
    """Radius of the ellipse through a point."""
    return np.linalg.norm(
        np.linalg.solve(found.root, (point - found.centre)[..., None])[..., 0], axis=-1
    )


def hotelling_p(points) -> float:
    """p-value of the mean 0, straight from the formula."""
    n = len(points)
    d = points.mean(axis=0)
    t2 = n * d @ np.linalg.solve(np.cov(points.T), d)
    return float(stats.f.sf((n - 2) / (2 * (n - 1)) * t2, 2, n - 2))


def test_the_root_is_that_of_the_sample_covariance():
    points = normal_points(12, batch=(3, 4))
    found = spread(points)
    assert found.rank.shape == (3, 4)
    assert np.all(found.rank == 2)
    for at in np.ndindex(3, 4):
        root = found.root[at]
        assert_digits(root @ root.T, np.cov(points[at].T), at_least=12, what="S")
        assert_digits(
            found.centre[at], points[at].mean(axis=0), at_least=12, what="mean"
        )


@pytest.mark.parametrize("units", [(1e-9, 1e9), (1e-300, 1e300), (1e160, 1e-160)])
def test_units_do_not_cost_digits(units):
    points = normal_points(12)
    want, got = spread(points), spread(points * units)
    for part in ("centre", "root"):
        scaled = np.array(units) if part == "centre" else np.array(units)[:, None]
        got_part = np.abs(getattr(got, part) / scaled)
        assert_digits(got_part, np.abs(getattr(want, part)), at_least=12, what=part)


def test_semi_axes_are_roots_of_eigenvalues():
    points = normal_points(30)
    found = spread(points)
    around = outline(found.centre, found.root, 2.0, 20_001) - found.centre
    lengths = np.hypot(*around.T)
    small, large = np.sqrt(np.linalg.eigvalsh(np.cov(points.T)))
    assert lengths.max() == pytest.approx(2 * large, rel=1e-7)
    assert lengths.min() == pytest.approx(2 * small, rel=1e-6)


def test_every_point_of_an_outline_has_the_radius():
    found = spread(normal_points(9, batch=(5,)))
    around = outline(found.centre, found.root, np.full(5, 1.7))
    for i in range(around.shape[1]):
        assert distance(found, around[:, i]) == pytest.approx(np.full(5, 1.7))


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_contour_holds_its_share_of_normal_points(level):
    n = 200_000
    points = normal_points(n, seed=1)
    found = spread(points)
    z = np.linalg.solve(found.root, (points - found.centre).T)
    inside = np.mean(np.hypot(*z) <= normal_radius(level, 2))
    assert inside == pytest.approx(level, abs=4 * math.sqrt(level * (1 - level) / n))


@pytest.mark.parametrize("n", [3, 10])
def test_the_region_of_the_mean_covers_the_true_mean_as_often_as_stated(n):
    found = spread(normal_points(n, seed=2, batch=(20_000,)))
    covered = np.mean(distance(found, np.array([3.0, -1.0])) <= mean_radius(0.1, n, 2))
    assert covered == pytest.approx(0.9, abs=4 * math.sqrt(0.09 / 20_000))


@pytest.mark.parametrize("seed", range(40))
def test_a_point_is_outside_exactly_where_hotelling_rejects_it(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 15))
    points = rng.multivariate_normal(rng.normal(size=2), S, size=n)
    p = hotelling_p(points)
    at = distance(spread(points), np.zeros(2))
    assert at == pytest.approx(mean_radius(p, n, 2), rel=1e-9)
    for alpha in (p * (1 - 1e-6), p * (1 + 1e-6)):
        assert (at > mean_radius(alpha, n, 2)) == (p <= alpha)


def test_radii_are_quantiles():
    # Through the tail of F: its inverse in SciPy has 7 digits at 1e-10.
    for alpha in (0.5, 0.05, 1e-10):
        for n in (3, 10, 500):
            for rank in (1, 2):
                scale = rank * (n - 1) / (n * (n - rank))
                f = mean_radius(alpha, n, rank) ** 2 / scale
                tail = stats.f.sf(f, rank, n - rank)
                assert_digits(tail, alpha, at_least=11, what="tail of F")
    for rank in (1, 2):
        chi2 = stats.chi2.ppf(0.95, rank)
        assert_digits(normal_radius(0.95, rank) ** 2, chi2, at_least=12, what="chi2")
    assert_digits(
        normal_radius(0.95, 2) ** 2,
        -2 * math.log(0.05),
        at_least=12,
        what="closed form",
    )


@pytest.mark.parametrize("unit", [1.0, 1e-9])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_points_on_a_line_make_a_segment(unit, offset):
    x = np.random.default_rng(3).normal(size=10)
    points = np.stack([x * unit, offset + 1 - x], axis=-1)
    found = spread(points)
    assert found.rank == 1
    around = outline(found.centre, found.root, 2.0)
    ends = around[[0, 90]]
    assert np.ptp(around, axis=0) == pytest.approx(np.ptp(ends, axis=0))
    assert np.abs(ends[0] - ends[1]) / 4 == pytest.approx(
        [unit * x.std(ddof=1), x.std(ddof=1)], rel=1e-6
    )


def test_noise_is_that_of_the_numbers_behind_the_points():
    scores = 1e9 + np.random.default_rng(4).normal(size=(10, 1)) * [1.0, -1.0]
    differences = scores - scores.mean(axis=0)
    assert spread(differences, np.abs(scores).max(axis=0)).rank == 1
    tiny = np.random.default_rng(5).normal(size=(10, 2)) * 1e-9
    assert spread(tiny).rank == 2
    assert spread(tiny, np.array([1e9, 1.0])).rank == 1


@pytest.mark.parametrize("points", [np.full((7, 2), 0.1), np.zeros((4, 2)), [[1.0, 2]]])
def test_equal_points_make_a_point(points):
    found = spread(points)
    assert found.rank == 0
    assert np.array_equal(found.root, np.zeros((2, 2)))
    assert normal_radius(0.95, 0) == mean_radius(0.05, 7, 0) == 0.0
    assert np.ptp(outline(found.centre, found.root, 0.0), axis=0).max() == 0

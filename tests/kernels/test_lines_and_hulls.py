"""Curves of straight lines, their hulls, cost lines and bands, against definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import polylines, pseudovalues

STEPS = (np.array([0, 0.25, 0.25, 1.0]), np.array([0.0, 0.5, 0.75, 1.0]))
"""A line, a jump at 1/4, a line."""


# ---- lines --------------------------------------------------------------------------


def test_the_area_under_lines_is_that_of_their_trapezoids():
    assert polylines.area(STEPS) == 0.25 * 0.25 + 0.75 * 0.875
    assert polylines.area((np.array([2.0, 5.0]), np.array([1.0, 1.0]))) == 3


def test_heights_are_limits_from_both_sides():
    at = np.array([0, 0.125, 0.25, 0.625, 1])
    assert polylines.heights(STEPS, at).tolist() == [
        *(0, 0, 0.25, 0.25),
        *(0.5, 0.75),  # the jump
        *(0.875, 0.875, 1, 1),
    ]


def test_a_jump_at_either_end_has_its_own_two_heights():
    jumps = (np.array([0, 0, 1, 1.0]), np.array([0, 0.5, 0.75, 1]))
    assert polylines.heights(jumps, np.array([0, 0.5, 1])).tolist() == [
        *(0, 0.5, 0.625, 0.625, 0.75, 1)
    ]


@pytest.mark.parametrize(
    ("most", "kept"), [(5, [0, 1, 2, 3, 4]), (4, [0, 1, 3, 4]), (2, [0, 4]), (9, None)]
)
def test_an_axis_keeps_both_ends_and_is_thinned_evenly(most, kept):
    x = np.array([0.0, 0.1, 0.3, 0.4, 1.0])
    lines = [(x[[0, 2, 4]], x[:3]), (x[[0, 1, 3, 4]], x[:4])]
    at, distinct = polylines.common_axis(lines, most)
    assert distinct == 5
    assert at.tolist() == x[range(5) if kept is None else kept].tolist()


def test_half_widths_are_those_of_t_intervals():
    values = np.random.default_rng(1).normal(size=(6, 3))
    for column, half in zip(
        values.T, polylines.t_half_widths(values, 0.9), strict=True
    ):
        interval = stats.t.interval(0.9, 5, column.mean(), stats.sem(column))
        assert_digits(half, (interval[1] - interval[0]) / 2, at_least=12)


def test_a_band_of_one_column_is_its_t_interval():
    values = np.random.default_rng(2).normal(size=(5, 1))
    rng = np.random.default_rng(3)
    band = polylines.fixed_half_width(values, 0.9, rng, 40_000)
    [half] = polylines.t_half_widths(values, 0.9)
    assert abs(band / half - 1) < 0.03
    both = np.hstack([values, -values])
    again = polylines.fixed_half_width(both, 0.9, np.random.default_rng(3), 40_000)
    assert_digits(again, band, at_least=12)


def test_pieces_of_a_band_are_the_same_draws(monkeypatch):
    values = np.random.default_rng(4).normal(size=(4, 7))
    whole = polylines.fixed_half_width(values, 0.8, np.random.default_rng(5), 501)
    monkeypatch.setattr(polylines, "AT_ONCE", 7 * 100)
    pieces = polylines.fixed_half_width(values, 0.8, np.random.default_rng(5), 501)
    assert_digits(pieces, whole, at_least=12)


# ---- parts of areas -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "area"),
    [
        (0.0, 1.0, polylines.area(STEPS)),
        (0.0, 0.25, 0.0625),
        (0.125, 0.25, 0.125 * 0.375),
        (0.25, 0.625, 0.375 * 0.8125),
        (0.125, 0.625, 0.125 * 0.375 + 0.375 * 0.8125),
        (0.5, 0.5, 0.0),
    ],
)
def test_a_part_of_an_area_is_that_of_its_trapezoids(low, high, area):
    x, y = STEPS
    assert_digits(polylines.partial_area(x, y, low, high) + 1, area + 1, at_least=15)


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.25), (0.5, 0.75), (0.0, 1.0)])
def test_chance_is_half_and_the_largest_area_is_one(low, high):
    width = high - low
    for axis, mean in (("fpr", (low + high) / 2), ("tpr", 1 - (low + high) / 2)):
        assert polylines.rescaled(width * mean, low, high, axis) == 0.5
        assert polylines.rescaled(width, low, high, axis) == 1


# ---- hulls and costs ----------------------------------------------------------------


def curve(seed, n=12):
    """A rising curve from (0, 0) to (1, 1), on a grid so that points are in line."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.integers(1, 8, n)) / 8
    y = np.sort(rng.integers(0, 9, n)) / 8
    last = np.append(np.diff(x) > 0, True)
    return np.r_[0, x[last], 1], np.r_[0, y[last], 1]


@pytest.mark.parametrize("seed", range(12))
def test_a_hull_is_the_least_concave_curve_above_all_points(seed):
    x, y = curve(seed)
    found = polylines.upper_hull(x, y)
    assert found[0] == 0 and found[-1] == len(x) - 1
    assert (np.interp(x, x[found], y[found]) >= y - 1e-12).all()
    slopes = np.diff(y[found]) / np.diff(x[found])
    assert (np.diff(slopes) < 0).all()  # points in line are no vertices


@pytest.mark.parametrize("seed", range(6))
def test_the_envelope_is_the_least_cost_over_all_points(seed):
    fpr, tpr = curve(seed)
    at, cost = polylines.lower_envelope(fpr, tpr)
    assert at[0] == 0 and at[-1] == 1 and cost[0] == 0 and cost[-1] == 0
    for c in np.linspace(0, 1, 21):
        least = min((1 - t) * c + f * (1 - c) for f, t in zip(fpr, tpr, strict=True))
        assert math.isclose(np.interp(c, at, cost), least, abs_tol=1e-12)


def test_the_cost_of_a_point_weighs_both_errors():
    assert polylines.cost(0.25, 0.5, 0.75) == 0.5 * 0.75 + 0.25 * 0.25
    assert polylines.cost(0.25, 0.5, [0, 1]).tolist() == [0.25, 0.5]


# ---- pieces of pairs of cases -------------------------------------------------------


def test_products_of_half_pairs_are_sums_over_pairs_in_any_pieces(monkeypatch):
    rng = np.random.default_rng(6)
    truth = rng.random(11) < 0.5
    x = rng.integers(0, 4, (2, 11)).astype(float)
    up, down = x[:, truth], x[:, ~truth]
    doubled = (up[:, :, None] > down[:, None]) * 2.0 + (up[:, :, None] == down[:, None])
    wanted = np.einsum("iab,jab->ij", doubled, doubled)
    for at_once in (1, 30, 10**6):
        monkeypatch.setattr(pseudovalues, "AT_ONCE", at_once)
        assert (pseudovalues._products_of_pairs(truth, x) == wanted).all()

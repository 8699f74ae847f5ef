from __future__ import annotations

import numpy as np
import pytest

from pycompare.kernels import cumulative_counts, curve_lines, polylines

SEEDS = range(8)


def groups(
    seed: int, k: int = 6, n: int = 40, levels: int = 9
) -> cumulative_counts.Steps:
    """Tied scores, folds of different sizes."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(n // 2, n, k)
    truth = np.concatenate([np.r_[True, False, rng.random(s - 2) < 0.3] for s in sizes])
    score = rng.integers(0, levels, truth.size) + 2.0 * truth
    return cumulative_counts.steps(score, truth, np.r_[0, np.cumsum(sizes)])


def lines(found: cumulative_counts.Steps, make) -> list[polylines.Line]:
    return [make(*curve_lines.counts(found, g)) for g in range(found.n_groups)]


AREAS = {
    "roc": (curve_lines.roc, cumulative_counts.auc),
    "trapezoid": (curve_lines.pr_trapezoid, cumulative_counts.pr_trapezoid),
    "davis-goadrich": (
        curve_lines.pr_davis_goadrich,
        cumulative_counts.pr_davis_goadrich,
    ),
    "average-precision": (
        curve_lines.pr_average_precision,
        cumulative_counts.average_precision,
    ),
}


@pytest.mark.parametrize("name", AREAS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_area_under_the_vertices_is_the_measure(name, seed):
    make, measure = AREAS[name]
    found = groups(seed)
    areas = [polylines.area(line) for line in lines(found, make)]
    assert areas == pytest.approx(measure(found), rel=1e-13)


@pytest.mark.parametrize(
    "make", [*(make for make, _ in AREAS.values()), curve_lines.least_cost]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_area_of_the_mean_is_the_mean_of_the_areas(make, seed):
    made = lines(groups(seed), make)
    at, distinct = polylines.common_axis(made, 10_000)
    assert at.size == distinct
    mean = np.mean([polylines.heights(line, at) for line in made], axis=0)
    areas = [polylines.area(line) for line in made]
    assert polylines.area((np.repeat(at, 2), mean)) == pytest.approx(np.mean(areas))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mean_of_identical_curves_is_the_curve(seed):
    [x, y], *_ = lines(groups(seed), curve_lines.roc)
    at, _ = polylines.common_axis([(x, y)] * 3, 10_000)
    mean = np.mean([polylines.heights((x, y), at)] * 3, axis=0)
    for k, place in enumerate(at):
        assert mean[2 * k] == pytest.approx(y[x == place].min(), abs=1e-15)
        assert mean[2 * k + 1] == pytest.approx(y[x == place].max(), abs=1e-15)


def test_heights_between_vertices_and_at_jumps():
    line = (np.array([0, 0, 0.5, 0.5, 1.0]), np.array([0, 0.2, 0.4, 0.8, 1.0]))
    found = polylines.heights(line, np.array([0.0, 0.25, 0.5, 0.75, 1.0]))
    assert found.reshape(-1, 2) == pytest.approx(
        np.array([[0, 0.2], [0.3, 0.3], [0.4, 0.8], [0.9, 0.9], [1, 1]])
    )


def test_a_thinned_axis_keeps_its_ends():
    line = (np.linspace(0, 1, 1001), np.linspace(0, 1, 1001))
    at, distinct = polylines.common_axis([line], 11)
    assert distinct == 1001
    assert at == pytest.approx(np.linspace(0, 1, 11))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_hull_contains_all_points_and_is_convex(seed):
    for x, y in lines(groups(seed), curve_lines.roc):
        hull = polylines.upper_hull(x, y)
        assert np.all(y <= np.interp(x, x[hull], y[hull]) + 1e-12)
        run, rise = np.diff(x[hull]), np.diff(y[hull])
        turns = rise[:-1] * run[1:] - rise[1:] * run[:-1]
        assert np.all(turns > 0)
        assert polylines.area((x[hull], y[hull])) >= polylines.area((x, y))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_envelope_is_the_least_cost_of_all_points(seed):
    at = np.linspace(0, 1, 201)
    for x, y in lines(groups(seed), curve_lines.roc):
        envelope = polylines.lower_envelope(x, y)
        least = polylines.cost(x[:, None], y[:, None], at).min(axis=0)
        assert np.interp(at, *envelope) == pytest.approx(least, abs=1e-12)
        assert np.all(np.interp(at, *envelope) <= np.minimum(at, 1 - at) + 1e-12)


def test_cost_at_one_half_is_half_the_sum_of_the_error_rates():
    assert polylines.cost(0.2, 0.7, 0.5) == pytest.approx((0.2 + 0.3) / 2)
    assert polylines.cost(0.2, 0.7, 0.0) == 0.2
    assert polylines.cost(0.2, 0.7, 1.0) == pytest.approx(0.3)


def test_the_worst_and_the_best_classifier():
    worst = polylines.lower_envelope(np.array([0.0, 1, 1]), np.array([0.0, 0, 1]))
    assert np.array_equal(np.column_stack(worst), [[0, 0], [0.5, 0.5], [1, 0]])
    best = polylines.lower_envelope(np.array([0.0, 0, 1]), np.array([0.0, 1, 1]))
    assert not best[1].any()


def roc_heights(rng, k: int, shift: float, at: np.ndarray) -> np.ndarray:
    truth = np.arange(60) < 20
    score = rng.normal(size=(k, 60)) + shift * truth
    found = cumulative_counts.steps(
        score.ravel(), np.tile(truth, k), np.arange(k + 1) * 60
    )
    return np.stack([polylines.heights(x, at) for x in lines(found, curve_lines.roc)])


@pytest.mark.parametrize("shift", [0.5, 1.2, 2.5])
@pytest.mark.parametrize("k", [5, 10, 30])
def test_the_band_holds_the_whole_mean_curve_as_often_as_it_says(k, shift):
    rng = np.random.default_rng(1)
    at = np.arange(41) / 40
    truth = roc_heights(rng, 3000, shift, at).mean(axis=0)
    held, trials = 0, 300
    for _ in range(trials):
        values = roc_heights(rng, k, shift, at)
        half = polylines.fixed_half_width(values, 0.95, rng, 500)
        held += np.max(np.abs(values.mean(axis=0) - truth)) <= half
    # Four standard errors below the level; few folds make the band wider than needed.
    assert held / trials >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / trials)


def test_the_band_of_one_place_is_the_t_interval():
    values = np.random.default_rng(0).normal(size=(7, 1))
    half = polylines.fixed_half_width(values, 0.9, np.random.default_rng(1), 400_000)
    assert half == pytest.approx(polylines.t_half_widths(values, 0.9)[0], rel=0.01)


def test_memory_bounds_do_not_change_the_band(monkeypatch):
    values = np.random.default_rng(0).normal(size=(7, 30))
    whole = polylines.fixed_half_width(values, 0.9, np.random.default_rng(1), 900)
    monkeypatch.setattr(polylines, "AT_ONCE", 300)
    parts = polylines.fixed_half_width(values, 0.9, np.random.default_rng(1), 900)
    assert parts == pytest.approx(whole)


def test_interpolations_have_their_names():
    assert {name: one.__name__ for name, one in curve_lines.PR.items()} == {
        "trapezoid": "pr_trapezoid",
        "davis-goadrich": "pr_davis_goadrich",
        "average-precision": "pr_average_precision",
    }

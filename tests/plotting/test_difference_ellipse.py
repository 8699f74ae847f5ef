from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.path import Path
from scipy import stats

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import DesignError, InputError
from pycompare.results.result import rejected
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    two_metrics,
)


def shifted(d) -> pc.Scores:
    """Scores of two algorithms with the given differences, shape (n, 2)."""
    base = np.random.default_rng(99).integers(0, 8, size=np.shape(d)).astype(float)
    like = two_metrics(len(d), 2)
    values = np.stack([base + d, base], axis=1)
    return pc.Scores(values, like.blocks, like.algorithms, like.metrics)


def hotelling_p(d) -> float:
    n = len(d)
    mean = d.mean(axis=0)
    t2 = n * mean @ np.linalg.solve(np.cov(d.T), mean)
    return float(stats.f.sf((n - 2) / (2 * (n - 1)) * t2, 2, n - 2))


def origin_inside(ax) -> bool:
    """Read off the picture."""
    (ellipse,) = lines(ax, "ellipse").values()
    (origin,) = lines(ax, "origin").values()
    return bool(Path(ellipse.get_xydata()).contains_point(origin.get_xydata()[0]))


@pytest.mark.parametrize("seed", range(30))
def test_the_origin_lies_outside_exactly_where_hotelling_rejects(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 20))
    d = rng.multivariate_normal(rng.normal(size=2) / 2, [[1, 0.6], [0.6, 1]], size=n)
    scores = shifted(d)
    p = hotelling_p(scores.values[:, 0] - scores.values[:, 1])
    # On both sides of the p-value, near to it, and at the usual levels.
    for alpha in (0.01, 0.05, 0.1, 0.99 * p, min(1.01 * p, 0.999)):
        ax = plotting.difference_ellipse(scores, alpha=alpha)
        assert origin_inside(ax) != rejected(p, alpha)


def test_the_dashed_contour_is_that_of_the_differences():
    scores = shifted(np.random.default_rng(3).normal(size=(11, 2)))
    d = scores.values[:, 0] - scores.values[:, 1]
    ax = plotting.difference_ellipse(scores, alpha=0.1)
    (contour,) = lines(ax, "contour").values()
    away = contour.get_xydata() - d.mean(axis=0)
    distance = np.einsum("ij,ij->i", away, np.linalg.solve(np.cov(d.T), away.T).T)
    assert distance == pytest.approx(np.full(len(away), stats.chi2.ppf(0.9, 2)))
    assert contour.get_linestyle() == "--"
    assert "Dashed: contour that holds 90% of the normal" in caption(ax)


def test_units_do_not_move_the_origin():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        scores = shifted(rng.normal([0.8, -0.8], size=(9, 2)))
        values = scores.values * [1e-9, 1e9]
        like = pc.Scores(values, scores.blocks, scores.algorithms, scores.metrics)
        one, other = (plotting.difference_ellipse(s) for s in (scores, like))
        assert origin_inside(one) == origin_inside(other)


def test_differences_on_a_line_are_tested_on_the_line():
    rng = np.random.default_rng(1)
    for shift in (0.3, 2.0):
        t = rng.normal(size=10) + shift
        d = np.round(t * 64) / 64
        scores = shifted(np.stack([d, -d], axis=1))
        ax = plotting.difference_ellipse(scores)
        (segment,) = lines(ax, "ellipse").values()
        covers = segment.get_xdata().min() <= 0 <= segment.get_xdata().max()
        assert covers == (stats.ttest_1samp(d, 0).pvalue > 0.05)
        low, high = stats.t.interval(0.95, 9, d.mean(), stats.sem(d))
        assert segment.get_xdata().min() == pytest.approx(low)
        assert segment.get_xdata().max() == pytest.approx(high)
        assert "Segment (the differences lie on a line)" in caption(ax)


@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_equal_differences_are_a_point(shift):
    ax = plotting.difference_ellipse(shifted(np.full((6, 2), shift)))
    (point,) = lines(ax, "ellipse").values()
    assert np.array_equal(np.unique(point.get_xydata()), [shift])
    assert "Point (the differences are equal in all blocks)" in caption(ax)


def test_rounding_is_no_difference():
    scores = two_metrics(6, 2)
    values = scores.values.copy()
    values[:, 1] = values[:, 0] * (1 + 3e-16)
    same = pc.Scores(values, scores.blocks, scores.algorithms, scores.metrics)
    (mean,) = lines(plotting.difference_ellipse(same), "mean").values()
    assert not mean.get_xydata().any()


def test_the_first_minus_the_second_is_drawn():
    scores = two_metrics(8, 3)
    ax = plotting.difference_ellipse(scores, algorithms=("A3", "A1"))
    (points,) = lines(ax, "differences").values()
    want = scores.values[:, 2] - scores.values[:, 0]
    assert np.array_equal(points.get_xydata(), want)
    assert caption(ax).startswith("A3 (first) minus A1 (second); 8 blocks")
    assert ax.get_xlabel() == "difference of tpr $x$, > 0: first better"
    assert ax.get_ylabel() == "difference of <fpr>, < 0: first better"


def test_no_label_collides_or_leaves_the_figure():
    names = long_names(6)
    for i in range(5):
        ax = plotting.difference_ellipse(
            two_metrics(10, 6, names=names), algorithms=names[i : i + 2]
        )
        assert collisions(ax) == []
        assert cut_off(ax) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 5)).subplots()
    assert plotting.difference_ellipse(two_metrics(9, 2), ax=ax) is ax


def test_what_cannot_be_drawn_is_refused():
    scores = two_metrics(9, 3)
    with pytest.raises(InputError, match="give two names"):
        plotting.difference_ellipse(scores)
    with pytest.raises(InputError, match="give two names"):
        plotting.difference_ellipse(scores, algorithms=("A1", "A1"))
    with pytest.raises(DesignError, match="2 blocks"):
        plotting.difference_ellipse(two_metrics(2, 2))
    values = scores.values.copy()
    values[0, 0, 0] = np.nan
    lost = pc.Scores(
        values, scores.blocks, scores.algorithms, scores.metrics, missing="model"
    )
    with pytest.raises(DesignError, match="1 of 36 cells"):
        plotting.difference_ellipse(lost, algorithms=("A1", "A2"))
    assert plotting.difference_ellipse(lost, algorithms=("A2", "A3"))

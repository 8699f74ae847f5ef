from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import DesignError, InputError
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    texts,
    two_metrics,
)


def with_values(scores: pc.Scores, values, missing="error") -> pc.Scores:
    return pc.Scores(
        values, scores.blocks, scores.algorithms, scores.metrics, missing=missing
    )


@pytest.mark.parametrize("a", [2, 5, 20, 30])
@pytest.mark.parametrize("of", ["data", "mean"])
def test_no_label_collides_or_leaves_the_figure(a, of):
    scores = two_metrics(10, a, names=long_names(a))
    ax = plotting.ellipses(scores, of=of)
    for dpi in (100, 200):
        assert collisions(ax, dpi) == []
        assert cut_off(ax, dpi) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 5)).subplots()
    assert plotting.ellipses(two_metrics(9, 3), ax=ax) is ax


def test_means_and_points_are_those_of_the_scores():
    scores = two_metrics(12, 3)
    ax = plotting.ellipses(scores)
    for j in range(3):
        mean = lines(ax, "mean-")[str(j + 1)].get_xydata()[0]
        assert mean == pytest.approx(scores.values[:, j].mean(axis=0))
        points = lines(ax, "points-")[str(j + 1)].get_xydata()
        assert np.array_equal(points, scores.values[:, j])


@pytest.mark.parametrize("of", ["data", "mean"])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_every_point_of_the_ellipse_has_the_quantile_as_its_distance(of, level):
    n = 12
    scores = two_metrics(n, 3)
    ax = plotting.ellipses(scores, of=of, level=level)
    want = stats.chi2.ppf(level, 2)
    if of == "mean":
        want = 2 * (n - 1) / (n * (n - 2)) * stats.f.ppf(level, 2, n - 2)
    for j in range(3):
        points = scores.values[:, j]
        away = lines(ax, "ellipse-")[str(j + 1)].get_xydata() - points.mean(axis=0)
        distance = np.einsum(
            "ij,ij->i", away, np.linalg.solve(np.cov(points.T), away.T).T
        )
        assert distance == pytest.approx(np.full(len(away), want))


def test_points_on_a_line_are_a_segment_and_equal_ones_a_point():
    scores = two_metrics(10, 3)
    values = scores.values.copy()
    values[:, 0] = 0.1 + 0.2
    values[:, 1, 1] = 1 - values[:, 1, 0]
    ax = plotting.ellipses(with_values(scores, values))
    assert "On a line, drawn as a segment: A2." in caption(ax)
    assert "Equal in all blocks, drawn as a point: A1." in caption(ax)
    assert np.ptp(lines(ax, "ellipse-")["1"].get_xydata(), axis=0).max() == 0
    x, y = lines(ax, "ellipse-")["2"].get_xydata().T
    assert x + y == pytest.approx(np.ones(len(x)))


def test_a_block_without_both_scores_is_left_out_and_counted():
    scores = two_metrics(10, 3)
    values = scores.values.copy()
    values[4, 1, 0] = np.nan
    ax = plotting.ellipses(with_values(scores, values, "model"))
    assert "1 of 30 points lack a score." in caption(ax)
    assert len(lines(ax, "points-")["2"].get_xydata()) == 9


@pytest.mark.parametrize("units", [(1e-9, 1e9), (1e-300, 1e300)])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_scores_of_any_size_have_the_same_picture(units, offset):
    scores = two_metrics(9, 2, units=units, offsets=np.multiply(units, offset))
    ax = plotting.ellipses(scores)
    assert collisions(ax) == []
    assert cut_off(ax) == []
    x, y = lines(ax, "ellipse-")["1"].get_xydata().T
    plain = lines(plotting.ellipses(two_metrics(9, 2)), "ellipse-")["1"].get_xydata()
    for got, want in ((x, plain[:, 0]), (y, plain[:, 1])):
        scaled = (got - got.mean()) / np.ptp(got)
        # A power of ten is no power of two, and the offset takes 6 digits.
        assert np.abs(scaled) == pytest.approx(
            np.abs((want - want.mean()) / np.ptp(want)), abs=1e-3
        )


def test_no_two_algorithms_look_alike():
    ax = plotting.ellipses(two_metrics(5, 56))
    marks = lines(ax, "key-mark-").values()
    looks = {(mark.get_color(), mark.get_marker()) for mark in marks}
    assert len(looks) == 56
    with pytest.raises(InputError, match="57 algorithms and 56 combinations"):
        plotting.ellipses(two_metrics(5, 57))


def test_names_and_metrics_are_shown_as_they_are():
    ax = plotting.ellipses(two_metrics(5, 2, names=["_a$x_1$", "<b>"]))
    assert texts(ax, "key-") == ["_a$x_1$", "<b>"]
    assert ax.get_xlabel() == "tpr $x$, higher is better"
    assert ax.get_ylabel() == "<fpr>, lower is better"


def test_the_caption_says_what_the_ellipse_is():
    scores = two_metrics(5, 2)
    assert "holds 95% of it" in caption(plotting.ellipses(scores))
    of_mean = caption(plotting.ellipses(scores, of="mean", level=0.9))
    assert "90% confidence region of the mean (Hotelling's T2)" in of_mean


def test_what_cannot_be_drawn_is_refused():
    scores = two_metrics(2, 2)
    with pytest.raises(InputError, match="of='median'"):
        plotting.ellipses(scores, of="median")
    with pytest.raises(InputError, match="two different metrics"):
        plotting.ellipses(scores, metrics=["<fpr>", "<fpr>"])
    with pytest.raises(InputError, match="two different metrics"):
        plotting.ellipses(scores, metrics="<fpr>")
    with pytest.raises(DesignError, match="'A1' has both scores in 2 blocks"):
        plotting.ellipses(scores, of="mean")


@pytest.mark.parametrize("of", ["data", "mean"])
def test_pooled_ellipses_have_the_covariance_within_all_algorithms(of):
    n, a = 12, 3
    scores = two_metrics(n, a)
    ax = plotting.ellipses(scores, of=of, covariance="pooled")
    rest = (scores.values - scores.values.mean(axis=0)).reshape(-1, 2)
    df = (n - 1) * a
    within = rest.T @ rest / df
    want = stats.chi2.ppf(0.95, 2)
    if of == "mean":
        want = 2 * df / (n * (df - 1)) * stats.f.ppf(0.95, 2, df - 1)
    for j in range(a):
        drawn = lines(ax, "ellipse-")[str(j + 1)].get_xydata()
        away = drawn - scores.values[:, j].mean(axis=0)
        distance = np.einsum("ij,ij->i", away, np.linalg.solve(within, away.T).T)
        assert distance == pytest.approx(np.full(len(away), want))
    assert "the covariance is pooled over the algorithms" in caption(ax)
    assert "pooled" not in caption(plotting.ellipses(scores))


def test_one_algorithm_alone_is_its_own_pool():
    values = two_metrics(9, 2).values.copy()
    values[:, 1] = values[:, 0] + 2.0
    scores = with_values(two_metrics(9, 2), values)
    own = lines(plotting.ellipses(scores), "ellipse-")["1"].get_xydata()
    pooled = lines(plotting.ellipses(scores, covariance="pooled"), "ellipse-")["1"]
    assert pooled.get_xydata() == pytest.approx(own)


def test_too_few_points_to_pool_are_refused():
    with pytest.raises(DesignError, match="3 points of 2 algorithms; at least 4"):
        values = two_metrics(2, 2).values.copy()
        values[0, 1] = np.nan
        scores = with_values(two_metrics(2, 2), values, missing="model")
        plotting.ellipses(scores, covariance="pooled")
    with pytest.raises(InputError, match="covariance"):
        plotting.ellipses(two_metrics(9, 2), covariance="common")

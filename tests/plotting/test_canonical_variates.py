from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    texts,
)


def many(n, a, p, *, names=None, seed=0) -> pc.Scores:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, a, p)) + 2 * rng.normal(size=(1, a, p))
    return pc.Scores(
        values,
        tuple(f"f{i}" for i in range(n)),
        tuple(names or [f"A{j + 1}" for j in range(a)]),
        tuple(pc.Metric(f"m{j}", "higher") for j in range(p)),
    )


@pytest.mark.parametrize("a", [2, 5, 20])
@pytest.mark.parametrize("p", [1, 3])
def test_no_label_collides_or_leaves_the_figure(a, p):
    result = pc.manova(many(10, a, p, names=long_names(a)))
    ax = plotting.canonical_variates(result)
    assert collisions(ax) == []
    assert cut_off(ax) == []


@pytest.mark.parametrize("a", [2, 5])
def test_axes_that_were_given_are_used(a):
    ax = Figure(figsize=(5, 4)).subplots()
    assert plotting.canonical_variates(pc.manova(many(9, a, 2)), ax=ax) is ax


def test_means_and_points_are_those_of_the_result():
    result = pc.manova(many(9, 4, 3))
    ax = plotting.canonical_variates(result)
    scores = result.canonical.scores
    for j, name in enumerate(result.canonical.means.index):
        mean = lines(ax, "mean-")[str(j + 1)].get_xydata()[0]
        assert mean == pytest.approx(result.canonical.means.loc[name].to_numpy()[:2])
        points = lines(ax, "points-")[str(j + 1)].get_xydata()
        mine = scores.loc[scores["algorithm"] == name, ["CV1", "CV2"]]
        assert points == pytest.approx(mine.to_numpy())


@pytest.mark.parametrize("level", [0.95, 0.5])
def test_circles_have_the_radius_of_chi2_over_the_blocks(level):
    result = pc.manova(many(9, 4, 3))
    ax = plotting.canonical_variates(result, level=level)
    for j in range(4):
        mean = lines(ax, "mean-")[str(j + 1)].get_xydata()[0]
        away = lines(ax, "circle-")[str(j + 1)].get_xydata() - mean
        radius = np.sqrt(stats.chi2.ppf(level, 2) / 9)
        assert np.hypot(*away.T) == pytest.approx(np.full(len(away), radius))


def test_both_axes_have_one_scale():
    ax = plotting.canonical_variates(pc.manova(many(9, 4, 3)))
    assert ax.get_aspect() == 1.0


def test_a_mean_of_fewer_blocks_has_a_wider_circle():
    plain = many(9, 4, 3)
    values = plain.values.copy()
    values[:4, 1] = np.nan
    scores = pc.Scores(
        values, plain.blocks, plain.algorithms, plain.metrics, missing="model"
    )
    result = pc.manova(scores, blocked=False)
    ax = plotting.canonical_variates(result)
    widths = [np.ptp(c.get_xdata()) for c in lines(ax, "circle-").values()]
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(9 / 5))
    assert len(lines(ax, "points-")["2"].get_xdata()) == 5


def test_one_variate_is_a_line_of_intervals():
    result = pc.manova(many(9, 2, 3))
    ax = plotting.canonical_variates(result)
    means = result.canonical.means["CV1"].sort_values()
    assert [t.get_text() for t in ax.get_yticklabels()] == list(means.index)
    for row, mean in enumerate(means):
        ends = lines(ax, "interval-")[str(row + 1)].get_xdata()
        reach = stats.norm.ppf(0.975) / 3
        assert ends == pytest.approx([mean - reach, mean + reach])


def test_axes_carry_the_share_of_the_eigenvalues():
    result = pc.manova(many(9, 5, 4))
    values = result.canonical.eigenvalues.to_numpy()
    ax = plotting.canonical_variates(result)
    for label, value in ((ax.get_xlabel(), values[0]), (ax.get_ylabel(), values[1])):
        assert f"{100 * value / values.sum():.3g}% of the eigenvalues" in label
    assert "CV1 and CV2 are 2 of 4 variates." in caption(ax)
    assert texts(ax, "key-") == ["A1", "A2", "A3", "A4", "A5"]


def test_without_a_variate_the_picture_is_refused():
    plain = many(9, 3, 2)
    equal = pc.Scores(
        np.ones_like(plain.values), plain.blocks, plain.algorithms, plain.metrics
    )
    with pytest.raises(InputError, match="no canonical variate"):
        plotting.canonical_variates(pc.manova(equal))

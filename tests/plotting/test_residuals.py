from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    random_scores,
    texts,
)


def changed(scores: pc.Scores, values, missing="error") -> pc.Scores:
    return pc.Scores(
        values, scores.blocks, scores.algorithms, scores.metrics, missing=missing
    )


@pytest.mark.parametrize("a", [2, 5, 20])
def test_no_label_collides_or_leaves_the_figure(a):
    ax = plotting.residuals(pc.anova(random_scores(9, a, names=long_names(a))))
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 4)).subplots()
    assert plotting.residuals(pc.anova(random_scores(9, 3)), ax=ax) is ax


def test_points_are_fitted_and_residual_of_additive_means():
    scores = random_scores(9, 3)
    ax = plotting.residuals(pc.anova(scores))
    y = scores.column()
    fitted = y.mean(axis=1, keepdims=True) + y.mean(axis=0) - y.mean()
    for j in range(3):
        x, rest = lines(ax, "residuals-")[str(j + 1)].get_xydata().T
        assert x == pytest.approx(fitted[:, j])
        assert rest == pytest.approx((y - fitted)[:, j])
    assert texts(ax, "key-") == list(scores.algorithms)


def test_a_missing_cell_has_no_point_and_one_way_has_the_means():
    plain = random_scores(9, 3)
    values = plain.values.copy()
    values[2, 1] = np.nan
    result = pc.anova(changed(plain, values, "model"), blocked=False)
    ax = plotting.residuals(result)
    x, rest = lines(ax, "residuals-")["2"].get_xydata().T
    assert len(x) == 8
    assert x == pytest.approx(np.full(8, np.nanmean(values[:, 1])))
    assert rest.sum() == pytest.approx(0, abs=1e-12)
    assert "26 residuals of score ~ algorithm, 23 degrees of freedom" in caption(ax)


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1e9, 1e300])
def test_scores_of_any_size_are_drawn(unit):
    plain = random_scores(9, 3)
    scores = changed(plain, (plain.values + 1e6) * unit)
    ax = plotting.residuals(pc.anova(scores))
    assert collisions(ax) == []
    assert cut_off(ax) == []
    rest = lines(ax, "residuals-")["1"].get_ydata()
    assert np.abs(rest).max() > 1e-2


def test_a_perfect_fit_has_residuals_of_zero_and_says_so():
    plain = random_scores(9, 3)
    values = np.add.outer(0.1 * np.arange(9), [0.1, 0.3, 0.7])[:, :, None]
    ax = plotting.residuals(pc.anova(changed(plain, values)))
    assert not lines(ax, "residuals-")["1"].get_ydata().any()
    assert "The fit is perfect" in caption(ax)


def test_other_results_with_a_fit_are_drawn():
    scores = random_scores(9, 3)
    ax = plotting.residuals(pc.residual_checks(scores))
    assert len(lines(ax, "residuals-")) == 3

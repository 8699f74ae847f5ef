from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.methods.linear.residual_order import residual_order
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    random_scores,
)


def band(ax) -> np.ndarray:
    (found,) = [c for c in ax.collections if c.get_gid() == "band"]
    return found.get_paths()[0].vertices


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1.0, 1e9, 1e300])
def test_no_label_collides_or_leaves_the_figure(unit):
    plain = random_scores(9, 3)
    scores = pc.Scores(
        plain.values * unit, plain.blocks, plain.algorithms, plain.metrics
    )
    ax = plotting.normal_quantiles(pc.anova(scores))
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 4)).subplots()
    assert plotting.normal_quantiles(pc.anova(random_scores(9, 3)), ax=ax) is ax


def test_points_line_and_band_are_those_computed():
    result = pc.anova(random_scores(9, 3))
    ax = plotting.normal_quantiles(result, level=0.9, seed=7)
    order = residual_order(result.fit, level=0.9, seed=7)
    (points,) = lines(ax, "points").values()
    assert points.get_xdata() == pytest.approx(order.normal)
    assert points.get_ydata() == pytest.approx(order.residual)
    (line,) = lines(ax, "line").values()
    assert line.get_ydata() == pytest.approx(order.size * order.normal)
    corners = {tuple(corner) for corner in np.round(band(ax), 9)}
    for limit in (order.low, order.high):
        pairs = np.round(np.stack([order.normal, limit], axis=1), 9)
        assert {tuple(pair) for pair in pairs} <= corners


def test_an_outlier_leaves_the_band():
    plain = random_scores(12, 4)
    values = plain.values.copy()
    values[5, 2] += 30
    result = pc.anova(pc.Scores(values, plain.blocks, plain.algorithms, plain.metrics))
    order = residual_order(result.fit, level=0.95, seed=0)
    assert order.residual[-1] > order.high[-1]
    top = lines(plotting.normal_quantiles(result), "points")[""].get_ydata()[-1]
    assert top == pytest.approx(order.residual[-1])


def test_the_caption_says_which_band_and_how_it_was_made():
    text = caption(plotting.normal_quantiles(pc.anova(random_scores(9, 3)), seed=3))
    assert "Band: simultaneous 95% limits for normal errors in this design" in text
    assert "(9998 simulations, seed 3)" in text


def test_a_perfect_fit_is_drawn_and_said():
    plain = random_scores(9, 3)
    equal = np.full_like(plain.values, 0.9)
    result = pc.anova(pc.Scores(equal, plain.blocks, plain.algorithms, plain.metrics))
    ax = plotting.normal_quantiles(result)
    assert not band(ax)[:, 1].any()
    assert "The fit is perfect" in caption(ax)


def test_a_level_outside_0_and_1_is_refused():
    with pytest.raises(InputError, match="level=95"):
        plotting.normal_quantiles(pc.anova(random_scores(9, 3)), level=95)
    with pytest.raises(InputError, match=r"level=0.9999: the 9998 .* reach 0.9998"):
        plotting.normal_quantiles(pc.anova(random_scores(9, 3)), level=0.9999)

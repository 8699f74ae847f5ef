from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    random_scores,
)


def scores_of(values, *, metric="cost", better="lower") -> pc.Scores:
    frame = pd.DataFrame(values, columns=[f"m{j}" for j in range(np.shape(values)[1])])
    return pc.Scores.from_wide(frame, metric=metric, better=better, missing="model")


@pytest.mark.parametrize("a", [2, 5, 12, 30])
def test_no_label_collides_or_leaves_the_figure(a):
    ax = plotting.distributions(random_scores(50, a, names=long_names(a)))
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 3)).subplots()
    assert plotting.distributions(random_scores(9, 3), ax=ax) is ax


def test_algorithms_stand_in_the_order_of_the_data():
    scores = random_scores(9, 4)
    ax = plotting.distributions(scores)
    assert tuple(t.get_text() for t in ax.get_yticklabels()) == scores.algorithms


def test_boxes_are_quartiles_and_lines_are_medians():
    scores = random_scores(11, 2)
    ax = plotting.distributions(scores)
    for column, box, median in zip(
        scores.column().T, ax.patches, lines(ax, "median-").values(), strict=True
    ):
        # Eleven values: the quartiles of type 7 are means of neighbours.
        low, middle, high = np.sort(column)[[2, 5, 8]]
        upper = (np.sort(column)[7] + high) / 2
        lower = (low + np.sort(column)[3]) / 2
        assert box.get_x() == pytest.approx(lower)
        assert box.get_x() + box.get_width() == pytest.approx(upper)
        assert median.get_xdata()[0] == pytest.approx(middle)


def test_every_block_is_one_line_across_the_algorithms():
    scores = random_scores(300, 4)
    (joined,) = plotting.distributions(scores).collections
    paths = np.stack([path.vertices for path in joined.get_paths()])
    assert np.array_equal(paths[:, :, 0], scores.column())
    assert np.array_equal(paths[0, :, 1], np.arange(4))


def test_lines_that_nobody_can_follow_are_left_out_and_not_told():
    few, many = random_scores(100, 50), random_scores(101, 50)
    assert len(plotting.distributions(few).collections) == 1
    ax = plotting.distributions(many)
    assert len(ax.collections) == 0 and "grey line" not in caption(ax)
    [points] = [line for line in ax.lines if line.get_gid() == "points"]
    assert points.get_rasterized()


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_the_axis_names_metric_and_direction(better):
    ax = plotting.distributions(scores_of(np.eye(4), metric="a_$b$", better=better))
    assert ax.get_xlabel() == f"a_$b$, {better} is better"
    assert not ax.xaxis.label.get_parse_math()


def test_missing_cells_are_left_out_and_counted():
    values = np.random.default_rng(0).normal(size=(20, 3))
    values[3, 1] = values[4, 2] = np.nan
    ax = plotting.distributions(scores_of(values))
    assert "2 of 60 cells are missing." in caption(ax)
    assert len(ax.patches) == 3


@pytest.mark.parametrize("unit", [5e-324, 1e-300, 1e-5, 1e9, 1e300])
def test_scores_of_any_size_are_drawn(unit):
    values = np.sign(np.random.default_rng(0).normal(size=(20, 3))) * unit
    ax = plotting.distributions(scores_of(values))
    assert collisions(ax) == []
    assert cut_off(ax) == []
    assert "\N{MULTIPLICATION SIGN} 1e" in ax.get_xlabel()


@pytest.mark.parametrize("spread", [0.0, 1e-12, 1e-7])
def test_nearly_equal_scores_are_told_apart_without_a_collision(spread):
    values = 0.9 + spread * np.random.default_rng(0).normal(size=(20, 3))
    ax = plotting.distributions(scores_of(values))
    assert collisions(ax) == []
    assert cut_off(ax) == []
    assert (" \N{MINUS SIGN} 0.9" in ax.get_xlabel()) == (spread > 0)


def test_a_metric_must_be_named_if_there_are_several():
    frame = pd.DataFrame(
        {"b": list("xxyy"), "m": list("pqpq"), "e": range(4), "f": 1.0}
    )
    scores = pc.Scores.from_frame(
        frame, algorithm="m", block="b", metrics={"e": "lower", "f": "higher"}
    )
    with pytest.raises(InputError):
        plotting.distributions(scores)
    assert plotting.distributions(scores, metric="f").get_xlabel().startswith("f")

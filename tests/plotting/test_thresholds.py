"""Pictures of wins over thresholds: the grid of MANOVA, the strips of pairs."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting.threshold_pairs import BETWEEN, STRIP
from tests.methods.over_datasets.many import counts
from tests.plotting.looking import caption, collisions, cut_off, long_names, texts

THETA = tuple(round(i / 10, 1) for i in range(11))


@pytest.fixture(scope="module")
def won():
    return pc.threshold_wins(counts(5, b=5, a=4, thresholds=THETA, seed=2))


def squares(ax, gid):
    """Ends (left, low, right, high) of each square of a collection."""
    (found,) = [c for c in ax.collections if c.get_gid() == gid]
    vertices = [path.vertices[:4] for path in found.get_paths()]
    return np.array([[*v.min(axis=0), *v.max(axis=0)] for v in vertices])


def cells(ax, gid):
    ends = squares(ax, gid)
    middles = np.round((ends[:, :2] + ends[:, 2:]) / 2).astype(int)
    return {(row, column) for column, row in middles.tolist()}


def test_the_grid_shows_every_test_and_frames_those_that_reject(won):
    ax = plotting.threshold_grid(won)
    p = won.tests["p_value"].to_numpy().reshape(5, 11)
    assert cells(ax, "cells") == set(map(tuple, np.argwhere(~np.isnan(p)).tolist()))
    assert cells(ax, "frames") == set(map(tuple, np.argwhere(p <= 0.05).tolist()))
    assert 0 < len(cells(ax, "frames")) < len(cells(ax, "cells")) < 55
    assert "not adjusted" in caption(ax)


def test_bars_are_the_shares_of_data_sets_that_each_of_two_wins(won):
    ax = plotting.threshold_pairs(won)
    rows = won.at_thresholds
    half = STRIP / (STRIP + BETWEEN) / 2
    pairs = ["A1-A2", "A1-A3", "A1-A4", "A2-A3", "A2-A4", "A3-A4"]
    for gid, side in (("bars-upper", "win"), ("bars-lower", "loss")):
        wanted = {}
        for row in rows[rows["verdict"] == side].itertuples():
            i = pairs.index(f"{row.algorithm_1}-{row.algorithm_2}")
            j = THETA.index(row.threshold)
            wanted[i, j] = wanted.get((i, j), 0) + 1
        ends = squares(ax, gid)
        found = {}
        for left, low, right, high in ends.tolist():
            i = round(high if gid == "bars-upper" else low)
            found[i, round((left + right) / 2)] = (high - low) / half * 5
        assert found == pytest.approx(wanted)
        assert wanted


def test_a_single_data_set_has_bars_as_high_as_they_go(won):
    ax = plotting.threshold_pairs(won, dataset="d3")
    half = STRIP / (STRIP + BETWEEN) / 2
    rows = won.at_thresholds[won.at_thresholds["dataset"] == "d3"]
    ends = np.concatenate([squares(ax, "bars-upper"), squares(ax, "bars-lower")])
    assert len(ends) == (rows["verdict"] != "tie").sum() > 0
    assert ends[:, 3] - ends[:, 1] == pytest.approx(half)
    row = won.decisions[won.decisions["dataset"] == "d3"].iloc[0]
    assert f"{row.wins} : {row.losses}" in texts(ax, "total")
    (dots,) = [line for line in ax.lines if line.get_gid() == "untested"]
    assert len(dots.get_xdata()) == rows["p_value"].isna().sum() > 0


@pytest.mark.parametrize("a", [2, 5])
def test_no_label_collides_or_leaves_the_figure(a):
    scores = counts(4, b=8, a=a, thresholds=THETA)
    names = dict(zip(["d1", "d2", "d3", "d4"], long_names(4), strict=True))
    scores = dataclasses.replace(
        scores,
        algorithms=tuple(long_names(a)),
        datasets=tuple(names[d] for d in scores.datasets),
    )
    found = pc.threshold_wins(scores)
    for ax in (plotting.threshold_grid(found), plotting.threshold_pairs(found)):
        assert collisions(ax) == []
        assert cut_off(ax) == []


def test_many_thresholds_are_labelled_here_and_there():
    theta = tuple(i / 100 for i in range(101))
    found = pc.threshold_wins(counts(3, b=6, a=2, thresholds=theta))
    ax = plotting.threshold_grid(found)
    assert collisions(ax) == [] and cut_off(ax) == []
    shown = [t for t in ax.texts if (t.get_gid() or "").startswith("threshold-")]
    assert 10 < len(shown) < 40


def test_axes_that_were_given_are_used(won):
    for draw in (plotting.threshold_grid, plotting.threshold_pairs):
        ax = Figure(figsize=(7, 5)).subplots()
        assert draw(won, ax=ax) is ax
        assert collisions(ax, 300) == []


def test_what_cannot_be_drawn_is_refused(won):
    with pytest.raises(InputError, match="there is no data set 'd9'"):
        plotting.threshold_pairs(won, dataset="d9")
    many = pc.threshold_wins(counts(2, b=4, a=11, thresholds=(0.4, 0.5)))
    with pytest.raises(InputError, match="55 pairs are too many"):
        plotting.threshold_pairs(many)

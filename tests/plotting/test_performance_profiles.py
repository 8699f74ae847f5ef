from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from pycompare import plotting
from tests.conftest import wide
from tests.plotting.looking import collisions, cut_off, long_names, random_scores


def profiles(ax) -> list[tuple[np.ndarray, np.ndarray]]:
    """Steps of each profile."""
    lines = [x for x in ax.lines if str(x.get_gid()).startswith("profile-")]
    return [(np.array(x.get_xdata()), np.array(x.get_ydata())) for x in lines]


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("seed", range(4))
def test_drawn_shares_are_those_of_the_table(seed, better):
    values = np.random.default_rng(seed).integers(0, 6, (12, 3)) / 10
    sign = 1 if better == "lower" else -1
    behind = sign * values - (sign * values).min(axis=1, keepdims=True)
    for i, (x, y) in enumerate(profiles(
        plotting.performance_profiles(wide(values, better))
    )):  # fmt: skip
        for at in (0.0, 0.1, 0.25, 0.5):
            drawn = y[np.flatnonzero(x <= at + 1e-9)[-1]]
            share = np.mean(behind[:, i] <= at + 1e-9)
            assert drawn == pytest.approx(share)


def test_steps_of_many_blocks_are_joined_and_stay_where_they_are():
    values = np.random.default_rng(1).normal(size=(300, 20))
    ax = plotting.performance_profiles(wide(values))
    behind = np.sort(values.max(axis=1, keepdims=True) - values, axis=0)
    for i, (x, y) in enumerate(profiles(ax)):
        assert x[1:-1] == pytest.approx(behind[:, i])
        assert y[1:-1] == pytest.approx(np.arange(1, 301) / 300)
    # As steps the picture has 306 kB.
    assert len(plotting.style.to_svg(ax.figure)) < 200_000


@pytest.mark.parametrize("a", [2, 12])
def test_no_label_collides_or_leaves_the_figure(a):
    ax = plotting.performance_profiles(random_scores(30, a, names=long_names(a)))
    assert collisions(ax) == [] and cut_off(ax) == []


def test_gaps_are_refused():
    values = np.array([[1.0, 2.0], [np.nan, 1.0], [2.0, 1.0]])
    with pytest.raises(pc.DesignError, match="performance_profiles needs a complete"):
        plotting.performance_profiles(wide(values, missing="model"))

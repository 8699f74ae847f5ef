from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from tests.plotting.looking import collisions, cut_off, lines, long_names


def intervals(names) -> dict:
    rng = np.random.default_rng(0)
    label = np.arange(80) % 2
    return {
        name: pc.auc_intervals(
            label,
            rng.normal(size=80) + label * j,
            positive=1,
            threshold=0.0,
            fold=np.arange(80) // 20,
        ).intervals
        for j, name in enumerate(names)
    }


@pytest.mark.parametrize("a", [1, 2, 6])
def test_no_label_collides_or_leaves_the_figure(a):
    ax = plotting.auc_intervals(intervals(long_names(a)))
    for dpi in (100, 200):
        assert collisions(ax, dpi) == []
        assert cut_off(ax, dpi) == []


def test_lines_are_the_limits_and_dots_the_estimates():
    found = intervals(["a", "b"])
    ax = plotting.auc_intervals(found)
    rows = [i for own in found.values() for i in own]
    drawn, dots = lines(ax, "interval-"), lines(ax, "estimate-")
    for k, row in enumerate(rows, start=1):
        limits = drawn[str(k)].get_xydata()
        wanted = [[row.conf_low, k - 1], [row.conf_high, k - 1]]
        assert np.array_equal(limits, wanted)
        assert dots[str(k)].get_xydata()[0].tolist() == [row.estimate, k - 1]


def test_an_undefined_interval_is_a_dot():
    perfect = pc.auc_intervals([0, 0, 1, 1], [1, 2, 3, 4], positive=1)
    ax = plotting.auc_intervals({"perfect": perfect.intervals})
    assert len(lines(ax, "estimate-")) == len(perfect.intervals)
    assert len(lines(ax, "interval-")) < len(perfect.intervals)


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(6, 6)).subplots()
    assert plotting.auc_intervals(intervals(["a"]), ax=ax) is ax


def test_nothing_is_refused():
    with pytest.raises(InputError, match="no intervals to draw"):
        plotting.auc_intervals({})

from __future__ import annotations

import dataclasses
from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.results.placement import Placement
from tests.methods.orders.by_hand import pairs_result
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    random_scores,
)

THREE = {"b": 2.0, "a": 1.0, "c": 3.0}


def intervals(ax) -> dict[str, tuple[float, float]]:
    """Ends of each interval by algorithm."""
    (bars,) = (c for c in ax.collections if c.get_gid() == "intervals")
    labels = [t.get_text() for t in ax.get_yticklabels()]
    return {
        label: (segment[0, 0], segment[1, 0])
        for label, segment in zip(labels, bars.get_segments(), strict=True)
    }


@pytest.mark.parametrize("a", [2, 5, 12, 30])
def test_no_label_collides_or_leaves_the_figure(a):
    scores = random_scores(50, a, names=long_names(a))
    ax = plotting.mean_ranks(pc.nemenyi(scores))
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 3)).subplots()
    assert plotting.mean_ranks(pairs_result(THREE), ax=ax) is ax


def test_the_best_is_on_top():
    ax = plotting.mean_ranks(pairs_result(THREE))
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b", "c"]
    (dots,) = lines(ax, "positions").values()
    assert list(dots.get_xdata()) == [1.0, 2.0, 3.0]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_intervals_are_half_as_wide_as_those_of_the_differences():
    got = intervals(plotting.mean_ranks(pairs_result(THREE, reach=0.8)))
    assert got["b"] == pytest.approx((1.6, 2.4))


@pytest.mark.parametrize("seed", range(6))
def test_intervals_overlap_exactly_where_the_difference_may_be_zero(seed):
    scores = random_scores(25, 7, seed=seed)
    result = pc.rank_pairs(scores, adjust="holm", level=0.9)
    ends = intervals(plotting.mean_ranks(result))
    for row in result.table.itertuples():
        one, other = ends[row.algorithm_1], ends[row.algorithm_2]
        overlap = max(one[0], other[0]) <= min(one[1], other[1])
        assert overlap == (row.conf_low <= 0 <= row.conf_high)


def test_for_nemenyi_no_overlap_is_significance():
    result = pc.nemenyi(random_scores(25, 7))
    ends = intervals(plotting.mean_ranks(result, alpha=0.05))
    apart = {
        frozenset((one, other))
        for one, other in combinations(ends, 2)
        if ends[one][1] < ends[other][0] or ends[other][1] < ends[one][0]
    }
    table = result.table[result.rejected(0.05)]
    rejected = zip(table["algorithm_1"], table["algorithm_2"], strict=True)
    assert apart == set(map(frozenset, rejected))
    assert apart


def test_the_caption_says_what_overlap_means():
    text = caption(plotting.mean_ranks(pairs_result(THREE)))
    assert "Intervals that do not overlap: the two algorithms differ" in text
    assert "alpha = 0.05 (simultaneous by hand)" in text


def test_another_alpha_than_that_of_the_intervals_is_refused():
    with pytest.raises(InputError, match=r"alpha=0\.1.*level=0\.95.*level=0\.9"):
        plotting.mean_ranks(pairs_result(THREE), alpha=0.1)


def test_unequal_standard_errors_are_refused():
    result = pairs_result(THREE)
    table = result.table
    table.loc[0, "std_error"] = 0.6
    result = dataclasses.replace(result, table=table)
    with pytest.raises(InputError, match=r"from 0\.5 to 0\.6"):
        plotting.mean_ranks(result)


def test_a_control_is_refused():
    with pytest.raises(InputError, match="control 'a'"):
        plotting.mean_ranks(pairs_result(THREE, control="a"))


def test_without_standard_errors_there_are_dots_only():
    result = pairs_result(THREE, undefined=["ab", "ac", "bc"])
    ax = plotting.mean_ranks(result)
    assert "No intervals" in caption(ax)
    assert len(lines(ax, "positions")) == 1


@pytest.mark.parametrize("unit", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_positions_of_any_size_are_drawn(unit, shift):
    positions = {name: (value + shift) * unit for name, value in THREE.items()}
    cost = Placement("mean cost")
    ax = plotting.mean_ranks(pairs_result(positions, reach=unit, placement=cost))
    (dots,) = lines(ax, "positions").values()
    assert np.ptp(dots.get_xdata()) > 0
    assert collisions(ax) == []
    assert cut_off(ax) == []

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting.critical_difference import spread, stack
from pycompare.results.placement import Placement
from tests.methods.orders.by_hand import pairs_result
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    random_scores,
    texts,
)

FOUR = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}


def drawn_cliques(ax) -> list[tuple[str, ...]]:
    """Members read off the picture: dots are matched with the ends of leaders."""
    labels = texts(ax, "label-")
    slots = {
        round(float(line.get_xdata()[1]), 9): label
        for line, label in zip(lines(ax, "leader-").values(), labels, strict=True)
    }
    return [
        tuple(slots[round(float(x), 9)] for x in dots.get_xdata())
        for dots in lines(ax, "clique-").values()
    ]


@pytest.mark.parametrize("a", [2, 5, 12, 30])
@pytest.mark.parametrize("shift", [0.0, 3.0])
def test_no_label_collides_or_leaves_the_figure(a, shift):
    scores = random_scores(50, a, names=long_names(a), shift=shift)
    ax = plotting.critical_difference(pc.nemenyi(scores))
    for dpi in (72, 100, 200):
        assert collisions(ax, dpi) == []
        assert cut_off(ax, dpi) == []


@pytest.mark.parametrize("a", [2, 5, 12, 30])
def test_no_label_collides_with_a_control(a):
    scores = random_scores(50, a, names=long_names(a))
    result = pc.rank_pairs(scores, adjust="holm", control=scores.algorithms[a // 2])
    ax = plotting.critical_difference(result)
    assert collisions(ax) == []
    assert cut_off(ax) == []


@pytest.mark.parametrize("size", [(6, 3), (12, 12), (3, 8)])
def test_no_label_collides_in_axes_that_were_given(size):
    ax = Figure(figsize=size).subplots()
    result = pc.nemenyi(random_scores(30, 12, names=long_names(12)))
    assert plotting.critical_difference(result, ax=ax) is ax
    assert collisions(ax, 300) == []
    assert cut_off(ax, 300) == []


@pytest.mark.parametrize("seed", range(8))
def test_bars_are_the_cliques(seed):
    rng = np.random.default_rng(seed)
    a = int(rng.integers(2, 9))
    names = [f"m{i}" for i in range(a)]
    # Halves, so that positions tie.
    positions = dict(zip(names, rng.integers(2, 2 * a, a) / 2, strict=True))
    differ = [pair for pair in combinations(names, 2) if rng.random() < 0.5]
    result = pairs_result(positions, differ)
    ax = plotting.critical_difference(result)
    assert sorted(drawn_cliques(ax)) == sorted(pc.cliques(result))


def test_a_bar_has_dots_on_its_members_only():
    ax = plotting.critical_difference(
        pairs_result(FOUR, ["ab", "bc", "bd", "cd", "ad"])
    )
    assert drawn_cliques(ax) == [("a", "c")]
    (dots,) = lines(ax, "clique-").values()
    assert dots.get_marker() == "o"
    assert list(dots.get_xdata()) == pytest.approx([1.0, 3.0])


def test_bars_that_share_ends_are_not_merged():
    ax = plotting.critical_difference(pairs_result(FOUR, ["bc"]))
    assert drawn_cliques(ax) == [("a", "b", "d"), ("a", "c", "d")]
    heights = {line.get_ydata()[0] for line in lines(ax, "bar-").values()}
    assert len(heights) == 2


def test_bars_in_one_row_do_not_touch():
    bars = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5)]
    rows = stack(bars)
    assert sorted(bar for row in rows for bar in row) == sorted(bars)
    for row in rows:
        assert all(one[-1] < other[0] for one, other in pairwise(row))


def test_tied_algorithms_get_lines_of_their_own():
    ax = plotting.critical_difference(pairs_result({"a": 2.0, "b": 2.0, "c": 2.0}))
    leaders = list(lines(ax, "leader-").values())
    assert {line.get_xdata()[0] for line in leaders} == {2.0}
    assert len({round(line.get_xdata()[1], 6) for line in leaders}) == 3


def test_positions_move_as_little_as_order_and_gap_allow():
    # By hand: 0, 1, 1 at gap 2 is one block with mean 2/3 about -2, 0, 2.
    assert spread(np.array([0.0, 1.0, 1.0]), 2.0) == pytest.approx(
        [2 / 3 - 2, 2 / 3, 2 / 3 + 2]
    )
    assert spread(np.array([0.0, 5.0, 5.5, 20.0]), 2.0) == pytest.approx(
        [0.0, 4.25, 6.25, 20.0]
    )


def test_no_significant_difference_is_one_bar():
    ax = plotting.critical_difference(pairs_result(FOUR))
    assert drawn_cliques(ax) == [("a", "b", "c", "d")]


def test_without_bars_the_caption_says_so():
    ax = plotting.critical_difference(pairs_result(FOUR, combinations("abcd", 2)))
    assert drawn_cliques(ax) == []
    assert "No bars: every pair differs significantly." in caption(ax)


def test_the_caption_tells_method_adjustment_alpha_and_blocks():
    result = pc.rank_pairs(random_scores(17, 4), adjust="holm")
    text = caption(plotting.critical_difference(result, alpha=0.1))
    assert result.method in text
    assert "adjustment: holm" in text
    assert "alpha = 0.1" in text
    assert "17 blocks" in text
    assert "Bars join algorithms whose difference is not significant" in text


def test_untested_pairs_are_joined_and_counted():
    ax = plotting.critical_difference(pairs_result(FOUR, undefined=["ab", "cd"]))
    assert drawn_cliques(ax) == [("a", "b", "c", "d")]
    assert "2 of 6 comparisons could not be tested." in caption(ax)


def test_all_scores_equal_is_drawn():
    scores = random_scores(10, 4)
    equal = pc.Scores(
        np.ones_like(scores.values), scores.blocks, scores.algorithms, scores.metrics
    )
    ax = plotting.critical_difference(pc.nemenyi(equal))
    assert drawn_cliques(ax) == [scores.algorithms]
    assert collisions(ax) == []


def test_the_ruler_is_as_long_as_the_critical_difference():
    result = pc.nemenyi(random_scores(30, 6))
    (ruler,) = lines(plotting.critical_difference(result), "ruler").values()
    length = np.ptp(ruler.get_xdata())
    assert length == pytest.approx(result.critical_difference, rel=1e-9)


def test_a_ruler_longer_than_the_axis_stays_in_the_figure():
    result = pc.nemenyi(random_scores(2, 2))
    assert result.critical_difference > 1
    ax = plotting.critical_difference(result)
    (ruler,) = lines(ax, "ruler").values()
    assert ruler.get_xdata().max() < ax.get_xlim()[1]
    assert cut_off(ax) == []


def test_the_ruler_is_optional_and_needs_a_critical_difference():
    result = pc.nemenyi(random_scores(30, 6))
    bare = plotting.critical_difference(result, critical_difference_bar=False)
    assert not lines(bare, "ruler")
    assert not lines(plotting.critical_difference(pairs_result(FOUR)), "ruler")


def test_a_ruler_for_another_alpha_is_refused():
    result = pc.nemenyi(random_scores(30, 6), alpha=0.1)
    with pytest.raises(
        InputError, match=r"alpha=0\.1 and the picture is for alpha=0\.05"
    ):
        plotting.critical_difference(result)
    plotting.critical_difference(result, critical_difference_bar=False)


def test_a_control_has_filled_and_open_markers_and_no_bars():
    ax = plotting.critical_difference(pairs_result(FOUR, ["bd"], control="b"))
    assert drawn_cliques(ax) == []
    marks = list(lines(ax, "mark-").values())
    assert [m.get_marker() for m in marks] == ["o", "D", "o", "o"]
    assert [m.get_markerfacecolor() == "white" for m in marks] == [
        True,
        False,
        True,
        False,
    ]
    assert texts(ax, "key-")[0] == "control: b"


def test_the_best_is_on_the_left_and_the_axis_says_so():
    ax = plotting.critical_difference(
        pairs_result({"bad": 3.0, "good": 1.0, "so": 2.0})
    )
    assert texts(ax, "label-") == ["good", "so", "bad"]
    assert ax.get_xlim()[0] < ax.get_xlim()[1]
    assert texts(ax, "better") == ["\N{LEFTWARDS ARROW} better"]


def test_leaders_do_not_cross():
    ax = plotting.critical_difference(pc.nemenyi(random_scores(50, 12, shift=0.5)))
    leaders = [line.get_xydata() for line in lines(ax, "leader-").values()]
    for one, other in combinations(leaders, 2):
        # The vertical part of one against the horizontal part of the other.
        for vertical, level in ((one, other), (other, one)):
            x, top, bottom = vertical[1, 0], vertical[1, 1], vertical[2, 1]
            left, right = sorted(level[2:, 0])
            assert not (left < x < right and top < level[2, 1] < bottom)


def test_too_many_cliques_for_bars_are_announced_not_drawn():
    names = [f"m{i:02d}" for i in range(15)]
    differ = [
        (names[i], names[j]) for i, j in combinations(range(15), 2) if i // 3 == j // 3
    ]
    positions = {name: float(i + 1) for i, name in enumerate(names)}
    ax = plotting.critical_difference(pairs_result(positions, differ))
    assert drawn_cliques(ax) == []
    assert "more than 60 groups" in caption(ax)


@pytest.mark.parametrize("unit", [1e-300, 1e-5, 1e12, 1e300])
def test_positions_of_any_size_are_drawn(unit):
    positions = {name: value * unit for name, value in FOUR.items()}
    result = pairs_result(positions, ["ad"], placement=Placement("mean cost"))
    ax = plotting.critical_difference(result)
    assert drawn_cliques(ax) == [("a", "b", "c"), ("b", "c", "d")]
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_a_position_that_is_no_number_is_refused():
    with pytest.raises(InputError, match="1 of 4 positions is not finite, first: 'b'"):
        plotting.critical_difference(pairs_result({**FOUR, "b": np.nan}))

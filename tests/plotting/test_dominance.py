from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting.style import to_svg
from tests.methods.orders.by_hand import pairs_result
from tests.methods.orders.test_dominance import CIRCLE, FOUR
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    random_scores,
    texts,
    two_metrics,
)


def middle(line) -> tuple[float, float]:
    x, y = line.get_data()
    return (min(x) + max(x)) / 2, (min(y) + max(y)) / 2


@pytest.mark.parametrize("shift", [0.0, 2.0])
@pytest.mark.parametrize("a", [2, 3, 5, 12, 20])
def test_no_label_collides_or_leaves_the_figure(a, shift):
    scores = random_scores(40, a, names=long_names(a), shift=shift)
    ax = plotting.dominance(pc.nemenyi(scores))
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_the_better_stands_above_and_lines_go_from_foot_to_head():
    ax = plotting.dominance(pairs_result(FOUR, ["ab", "bc", "ac"]))
    names = {t.get_text(): t.get_gid().split("-")[1] for t in ax.texts
             if (t.get_gid() or "").startswith("name-")}  # fmt: skip
    nodes = lines(ax, "node-")
    found = lines(ax, "edge-")
    assert set(found) == {
        f"{names['a']}-{names['b']}", f"{names['b']}-{names['c']}"
    }  # fmt: skip
    for key, line in found.items():
        above, below = (nodes[k] for k in key.split("-"))
        x, y = (np.asarray(v) for v in line.get_data())
        assert (np.diff(y) >= 0).all()  # y grows downwards
        np.testing.assert_allclose(x[[0, -1]], [middle(above)[0], middle(below)[0]])
        np.testing.assert_allclose(y[0], max(above.get_ydata()))
        np.testing.assert_allclose(y[-1], min(below.get_ydata()))


@pytest.mark.parametrize("seed", range(6))
def test_no_line_runs_through_a_box(seed):
    scores = random_scores(40, 12, names=long_names(12), seed=seed, shift=3.0)
    ax = plotting.dominance(pc.tukey(scores))
    boxes = [
        (min(n.get_xdata()), max(n.get_xdata()), min(n.get_ydata()), max(n.get_ydata()))
        for n in lines(ax, "node-").values()
    ]
    drawn = [*lines(ax, "edge-").values(), *lines(ax, "passing").values()]
    drawn += [line for line in ax.lines if line.get_gid() == "passing"]
    assert drawn
    for line in drawn:
        x, y = (np.asarray(v, float) for v in line.get_data())
        s = np.linspace(0, 1, 60)[:, None]
        px = (x[:-1] + s * np.diff(x)).ravel()
        py = (y[:-1] + s * np.diff(y)).ravel()
        for left, right, top, foot in boxes:
            inside = (
                (px > left + 1) & (px < right - 1) & (py > top + 1) & (py < foot - 1)
            )
            assert not inside.any()


def test_a_circle_is_one_dashed_box_and_the_caption_says_so():
    ax = plotting.dominance(pc.sign_grid(CIRCLE, 20))
    dashed = [key for key, line in lines(ax, "node-").items() if line.is_dashed()]
    assert dashed == ["1"]
    assert texts(ax, "name-1-") == ["1", "2", "3"]
    assert "beat each other in a circle" in caption(ax)


def test_paths_without_a_verdict_are_named():
    ax = plotting.dominance(pairs_result(FOUR, ["ab", "bc"]))
    assert "a above c" in caption(ax)
    assert "above" not in caption(plotting.dominance(pairs_result(FOUR, ["ab"])))


def test_without_verdicts_there_are_no_lines():
    ax = plotting.dominance(pairs_result(FOUR))
    assert lines(ax, "edge-") == {}
    assert "No algorithm is significantly better" in caption(ax)


def test_a_comparison_with_a_control_has_its_verdicts():
    ax = plotting.dominance(pairs_result(FOUR, ["ad", "ac"], control="a"))
    assert len(lines(ax, "edge-")) == 2


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 5)).subplots()
    assert plotting.dominance(pairs_result(FOUR, ["ab"]), ax=ax) is ax
    assert collisions(ax, 300) == []


def test_the_same_result_gives_the_same_bytes():
    one, two = (plotting.dominance(pairs_result(FOUR, ["ab"])) for _ in range(2))
    assert to_svg(one.figure) == to_svg(two.figure)


def test_mean_vectors_are_refused():
    with pytest.raises(InputError, match="not which is better"):
        plotting.dominance(pc.hotelling_pairs(two_metrics(12, 3)))

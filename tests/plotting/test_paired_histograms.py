from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import DesignError, InputError
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


def bars(ax) -> tuple[np.ndarray, np.ndarray]:
    """Edges and counts."""
    left = [bar.get_x() for bar in ax.patches]
    right = ax.patches[-1].get_x() + ax.patches[-1].get_width()
    return np.array([*left, right]), np.array([bar.get_height() for bar in ax.patches])


def with_values(values, missing="error") -> pc.Scores:
    n, a = np.shape(values)
    like = random_scores(n, a)
    return pc.Scores(
        np.asarray(values)[:, :, None],
        like.blocks,
        like.algorithms,
        like.metrics,
        missing=missing,
    )


def test_differences_are_drawn_without_the_scores():
    scores = random_scores(9, 2)
    [part] = plotting.paired_histograms(scores, only_differences=True).child_axes
    [whole] = plotting.paired_histograms(scores).child_axes[2:]
    heights = [[bar.get_height() for bar in ax.patches] for ax in (part, whole)]
    assert heights[0] == heights[1] and sum(heights[0]) == 9


def test_no_label_collides_or_leaves_the_figure():
    names = long_names(6)
    for i in range(5):
        scores = random_scores(30, 6, names=names)
        ax = plotting.paired_histograms(scores, algorithms=names[i : i + 2])
        for dpi in (100, 200):
            assert collisions(ax, dpi) == []
            assert cut_off(ax, dpi) == []


@pytest.mark.parametrize("size", [(5, 6), (8, 8)])
def test_axes_that_were_given_are_used(size):
    ax = Figure(figsize=size).subplots()
    assert plotting.paired_histograms(random_scores(9, 2), ax=ax) is ax
    assert collisions(ax) == []


@pytest.mark.parametrize("seed", range(5))
def test_bars_count_all_scores_on_common_bins(seed):
    scores = random_scores(37, 2, seed=seed)
    y = scores.column()
    ax = plotting.paired_histograms(scores)
    found = [bars(part) for part in ax.child_axes]
    assert np.array_equal(found[0][0], found[1][0])
    for (edges, counts), sample in zip(found, [*y.T, y[:, 0] - y[:, 1]], strict=True):
        inside = [
            np.sum((sample >= low) & (sample < high)) for low, high in pairwise(edges)
        ]
        inside[-1] += np.sum(sample >= edges[-1])
        assert counts.sum() == 37
        assert np.array_equal(counts, inside)
    first, second, _ = ax.child_axes
    assert first.get_xlim() == second.get_xlim()
    assert first.get_ylim() == second.get_ylim()


def test_means_and_no_difference_are_marked():
    scores = random_scores(20, 2)
    y = scores.column()
    ax = plotting.paired_histograms(scores)
    wanted = [*y.mean(axis=0), y[:, 0].mean() - y[:, 1].mean()]
    for part, mean in zip(ax.child_axes, wanted, strict=True):
        (line,) = lines(part, "mean").values()
        assert line.get_xdata()[0] == pytest.approx(mean)
    (zero,) = lines(ax.child_axes[2], "zero").values()
    assert zero.get_xdata()[0] == 0.0


def test_one_sample_has_sturges_bins():
    y = np.random.default_rng(0).normal(size=(32, 2))
    ax = plotting.paired_histograms(with_values(y))
    assert len(bars(ax.child_axes[2])[1]) == 6


def test_samples_far_apart_do_not_make_endless_bins():
    y = np.random.default_rng(0).normal([0, 1e6], size=(32, 2))
    ax = plotting.paired_histograms(with_values(y))
    assert len(bars(ax.child_axes[0])[1]) == 40


@pytest.mark.parametrize("second", [0.9, 0.4])
def test_equal_scores_are_one_narrow_bar(second):
    ax = plotting.paired_histograms(with_values(np.full((9, 2), [0.9, second])))
    for part in ax.child_axes:
        edges, counts = bars(part)
        assert counts.sum() == 9
        assert np.count_nonzero(counts) == 1
        low, high = part.get_xlim()
        assert edges[1] - edges[0] < 0.2 * (high - low)
    assert collisions(ax) == []


@pytest.mark.parametrize("unit", [1e-300, 1e-9, 1e9, 1e290])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_scores_of_any_size_are_drawn(unit, offset):
    y = (np.random.default_rng(0).normal(size=(20, 2)) + offset) * unit
    ax = plotting.paired_histograms(with_values(y))
    assert collisions(ax) == []
    assert cut_off(ax) == []
    assert all(bars(part)[1].sum() == 20 for part in ax.child_axes)


def test_rounding_is_no_difference():
    y = np.random.default_rng(0).random((9, 1))
    ax = plotting.paired_histograms(with_values(np.hstack([y, y * (1 + 3e-16)])))
    assert ax.child_axes[2].get_xlabel() == "difference of error"
    assert len(bars(ax.child_axes[2])[1]) == 1


def test_panels_are_named_and_the_metric_too():
    scores = two_metrics(9, 3, names=["_a", "$b$", "<c>"])
    ax = plotting.paired_histograms(scores, algorithms=["<c>", "_a"], metric="tpr $x$")
    titles = [texts(part, "title")[0] for part in ax.child_axes]
    assert titles == ["<c>", "_a", "<c> \N{MINUS SIGN} _a"]
    assert ax.child_axes[1].get_xlabel() == "tpr $x$"
    assert caption(ax).startswith("9 blocks; higher is better.")


def test_blocks_without_both_scores_are_left_out_and_counted():
    y = np.random.default_rng(0).random((9, 3))
    y[2, 0] = y[4, 2] = np.nan
    ax = plotting.paired_histograms(with_values(y, "model"), algorithms=["A1", "A2"])
    assert "1 block without a score is left out." in caption(ax)
    assert bars(ax.child_axes[1])[1].sum() == 8


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(InputError, match="give two names"):
        plotting.paired_histograms(random_scores(9, 3))
    with pytest.raises(InputError, match="metric"):
        plotting.paired_histograms(two_metrics(9, 2))
    y = np.array([[np.nan, 1.0, 2.0], [1.0, np.nan, 2.0]])
    with pytest.raises(DesignError, match="no block has scores of both 'A1' and 'A2'"):
        plotting.paired_histograms(with_values(y, "model"), algorithms=["A1", "A2"])

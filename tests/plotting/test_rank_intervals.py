from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from tests.methods.orders.by_hand import pairs_result
from tests.plotting.looking import collisions, cut_off, long_names, random_scores


def drawn(ax) -> dict[str, tuple[float, float, str]]:
    """Ends of each bar, and which kind it is, by algorithm."""
    labels = [t.get_text() for t in ax.get_yticklabels()]
    return {
        labels[int(segment[0, 1])]: (segment[0, 0], segment[1, 0], bars.get_gid())
        for bars in ax.collections
        if bars.get_gid() in ("may be best", "others")
        for segment in bars.get_segments()
    }


@pytest.mark.parametrize("seed", range(8))
def test_bars_are_the_sets_of_the_table(seed):
    rng = np.random.default_rng(seed)
    values = dict(zip("abcdef", rng.random(6).tolist(), strict=True))
    differ = [u + v for u in "abcdef" for v in "abcdef" if u < v and rng.random() < 0.5]
    found = pc.rank_sets(pairs_result(values, differ))
    ax = plotting.rank_intervals(found)
    expected = {
        row.algorithm: (
            row.rank_low,
            row.rank_high,
            "may be best" if row.algorithm in found.may_be_best else "others",
        )
        for row in found.table.itertuples()
    }
    assert drawn(ax) == expected
    [dots] = [line for line in ax.lines if line.get_gid() == "ranks"]
    assert list(dots.get_xdata()) == list(found.table["rank"])
    labels = [t.get_text() for t in ax.get_yticklabels()]
    assert labels == list(found.table["algorithm"])


@pytest.mark.parametrize("a", [2, 12, 30])
def test_no_label_collides_or_leaves_the_figure(a):
    scores = random_scores(50, a, names=long_names(a))
    ax = plotting.rank_intervals(pc.rank_sets(pc.max_t(scores, flips=99)))
    assert collisions(ax) == [] and cut_off(ax) == []


def test_axes_that_were_given_are_used():
    ax = Figure(figsize=(5, 3)).subplots()
    found = pc.rank_sets(pairs_result({"a": 1, "b": 2}))
    assert plotting.rank_intervals(found, ax=ax) is ax

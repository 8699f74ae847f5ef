"""Figures of challenges: what they show is what the result has."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from tests.challenges import drawn, scores_of, table, tasks
from tests.plotting.looking import collisions, cut_off


def ranked(scores, **options):
    options = {"ranking": "rank-then-aggregate", "resamples": 60} | options
    return pc.challenge(scores, **options)


ONE = ranked(scores_of(table(drawn(30, 4, shift=1.2))))
SEVERAL = ranked(tasks(), weights={"t1": 3, "t2": 1})


def names_of(ax):
    return [tick.get_text() for tick in ax.get_yticklabels()]


@pytest.mark.parametrize("result", [ONE, SEVERAL], ids=["one task", "two tasks"])
def test_bars_of_ranks_are_shares_of_cases(result):
    ax = plotting.podium(result)
    order = [result.scores.algorithms[at] for at in result.order]
    assert names_of(ax) == order
    widths = {name: 0.0 for name in order}
    means = {name: 0.0 for name in order}
    for bars in ax.containers:
        rank = float(bars.patches[0].get_gid().split("-")[1])
        for name, bar in zip(order, bars.patches, strict=True):
            widths[name] += bar.get_width()
            means[name] += rank * bar.get_width()
    assert np.allclose(list(widths.values()), 1.0)
    wanted = result.table.set_index("algorithm")["value"]
    assert np.allclose([means[name] for name in order], wanted[order])


def test_blobs_are_shares_of_resamples_and_brackets_are_sets():
    ax = plotting.blob_plot(ONE)
    [blobs] = [c for c in ax.collections if c.get_gid() == "resamples"]
    shares = blobs.get_sizes() / blobs.get_sizes().sum()
    wanted = ONE.resampled["share"] / ONE.resampled["share"].sum()
    assert np.allclose(shares, wanted)
    sets = ONE.table.iloc[ONE.order]
    for side, name in ((-0.3, "rank_low"), (0.3, "rank_high")):
        ends = [
            line.get_xdata()[1]
            for line in ax.lines
            if str(line.get_gid()).startswith(name)
        ]
        assert np.allclose(ends, sets[name] + side)


def test_an_order_without_a_test_has_no_brackets():
    ax = plotting.blob_plot(ranked(ONE.scores, aggregate="median"))
    assert [line.get_gid() for line in ax.lines] == ["ranks"]


def test_lines_of_rankings_have_the_ranks_of_the_table():
    ax = plotting.bump_chart(ONE)
    lines = [line for line in ax.lines if str(line.get_gid()).startswith("ranks")]
    wanted = ONE.schemes["rank"].to_numpy().reshape(5, 4)
    heights = np.array([line.get_ydata() for line in lines]).T
    assert np.allclose(heights / heights.max() * wanted.max(), wanted)
    texts = {text.get_text() for text in ax.texts}
    assert {"mean rank", "median score", "tests, Holm"} <= texts


@pytest.mark.parametrize("draw", [plotting.podium, plotting.blob_plot])
def test_names_of_users_fit_and_the_axes_are_returned(draw):
    names = {"A1": "a$b_{c}^2 & <b>", "A2": "x" * 60, "A3": "Ünïcode Ω", "A4": "A4"}
    rows = [row | {"team": names[row["team"]]} for row in table(drawn(12, 4))]
    result = ranked(scores_of(rows))
    ax = draw(result)
    assert not collisions(ax) and not cut_off(ax)
    own = Figure().add_subplot()
    assert draw(result, ax=own) is own

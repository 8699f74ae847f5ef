"""The picture of a simulation study."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from tests.data.tables import refused
from tests.plotting.looking import caption, collisions, cut_off, lines
from tests.sizes.simulation.toy import Toy


@pytest.fixture(scope="module")
def result():
    return pc.simulate(Toy(), seed=5)


def test_estimates_and_published_numbers_are_drawn_where_the_table_has_them(result):
    ax = plotting.simulated(result, x="p", statistics=["won"])
    (own,) = lines(ax, "estimates").values()
    rows = result.table[result.table["statistic"] == "won"]
    assert list(own.get_xdata()) == [0.3, 0.7]
    assert list(own.get_ydata()) == rows["estimate"].tolist()
    (bars,) = (c for c in ax.collections if c.get_gid() == "intervals-1")
    ends = [[s[0, 1], s[1, 1]] for s in bars.get_segments()]
    np.testing.assert_allclose(ends, rows[["conf_low", "conf_high"]])
    (published,) = lines(ax, "published").values()
    assert published.get_ydata()[0] == 0.25
    assert "40 simulated experiments" in caption(ax) and "Open marks" in caption(ax)


def test_no_label_collides_or_leaves_the_figure(result):
    for options in ({}, {"width": 3.4, "footnote": False}):
        ax = plotting.simulated(result, x="p", **options)
        assert collisions(ax) == []
        assert cut_off(ax) == []
    given = Figure(figsize=(5, 5)).subplots()
    drawn = plotting.simulated(result, x="p", where={"condition": "tails"}, ax=given)
    assert drawn is given
    assert [len(line.get_xdata()) for line in lines(given, "estimates").values()] == [
        1,
        1,
    ]
    assert "Open marks" not in caption(given)
    named = plotting.simulated(result, x="p", x_label="Chance", label="Mean")
    assert (named.get_xlabel(), named.get_ylabel()) == ("Chance", "Mean")
    assert ax.get_xlabel() == "p"


def test_what_is_not_in_the_table_is_refused(result):
    with refused("the table's columns are"):
        plotting.simulated(result, x="q")
    with refused("choose a column of numbers"):
        plotting.simulated(result, x="condition")
    with refused("'lost' is none of"):
        plotting.simulated(result, x="p", statistics=["lost"])
    with refused("no row has these values"):
        plotting.simulated(result, x="p", where={"condition": "edge"})

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import DesignError, InputError
from tests.methods.multireader.readers import made, simulated
from tests.plotting.looking import caption, collisions, cut_off, lines, long_names

PICTURES = (
    plotting.scopes_of_conclusions,
    plotting.variance_components,
)


def long_ratings(t=3) -> pc.Ratings:
    plain = simulated(t=t, r=4, n=30)
    return pc.Ratings(
        values=plain.values,
        truth=plain.truth,
        modalities=tuple(long_names(t)),
        readers=plain.readers,
        cases=plain.cases,
    )


@pytest.mark.parametrize("t", [2, 3])
@pytest.mark.parametrize("draw", PICTURES)
def test_no_label_collides_or_leaves_the_figure(draw, t):
    ax = draw(pc.mrmc(long_ratings(t)))
    assert collisions(ax) == []
    assert cut_off(ax) == []


@pytest.mark.parametrize("in_facets", [True, False])
def test_curves_of_readers_have_no_label_on_another(in_facets):
    ax = plotting.reader_curves(long_ratings(), in_facets=in_facets)
    assert collisions(ax) == []
    assert cut_off(ax) == []


def test_lines_of_scopes_are_the_intervals():
    found = pc.mrmc(simulated())
    ax = plotting.scopes_of_conclusions(found)
    pairs = len(found.table)
    for k, part in enumerate(ax.child_axes):
        drawn = lines(part, f"interval-{k + 1}-")
        rows = found.scopes.iloc[k::pairs]
        for y, row in enumerate(rows.itertuples()):
            want = [[row.conf_low, y], [row.conf_high, y]]
            assert np.array_equal(drawn[str(y + 1)].get_xydata(), want)
    assert "Blue: the primary analysis" in caption(ax)


def test_mean_curves_have_the_mean_of_the_readers_areas():
    ratings = simulated(t=2)
    ax = plotting.reader_curves(ratings)
    areas = pc.mrmc(ratings).areas["estimate"]
    for i, (part, area) in enumerate(zip(ax.child_axes, areas, strict=True), start=1):
        x, y = lines(part, f"mean-{i}")[""].get_data()
        assert np.trapezoid(y, x) == pytest.approx(area, abs=1e-12)
        assert f"{area:.3f}" in " ".join(t.get_text() for t in part.texts)


def test_bars_are_the_estimates_in_the_unit_of_the_axis():
    found = pc.mrmc(simulated())
    ax = plotting.variance_components(found)
    widths = np.array([bar.get_width() for bar in ax.patches])
    want = found.components["estimate"].to_numpy()
    assert np.allclose(widths / widths[2], want / want[2])


def test_one_shot_components_are_drawn_one_thing_at_a_time():
    found = pc.variance_components(simulated(t=2), method="one-shot")
    ax = plotting.variance_components(found, of="M1 - M2")
    assert len(ax.patches) == 7
    with pytest.raises(InputError, match="there is no such"):
        plotting.variance_components(found, of="M9")
    with pytest.raises(InputError, match="one-shot components"):
        plotting.variance_components(pc.mrmc(simulated()), of="M1")


def test_axes_that_were_given_are_used():
    for draw in PICTURES:
        ax = Figure(figsize=(6, 6)).subplots()
        assert draw(pc.mrmc(simulated()), ax=ax) is ax


def test_what_cannot_be_drawn_is_refused():
    ratings = simulated()
    with pytest.raises(InputError, match=r"result of pc\.mrmc"):
        plotting.scopes_of_conclusions(ratings)
    with pytest.raises(InputError, match=r"result of pc\.mrmc"):
        plotting.variance_components(ratings)
    with pytest.raises(InputError, match="expected Ratings"):
        plotting.reader_curves(ratings.values)
    with pytest.raises(InputError, match="true classes"):
        plotting.reader_curves(made(ratings.values, None))
    with pytest.raises(InputError, match="sequence of names"):
        plotting.reader_curves(ratings, modalities="M1")
    with pytest.raises(InputError, match="draw at most 9"):
        plotting.reader_curves(simulated(t=10))
    with pytest.raises(InputError, match="more than the 12"):
        plotting.scopes_of_conclusions(pc.mrmc(simulated(t=6)))
    values = ratings.values.copy()
    values[0, 0] = np.nan
    with pytest.raises(DesignError, match="factorial"):
        plotting.reader_curves(made(values, ratings.truth, design="incomplete"))

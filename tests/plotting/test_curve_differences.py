"""Differences of curves: lines, bands, what is significant, and what is rejected."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting import style

N = 160


def results(**options):
    rng = np.random.default_rng(1)
    ill = np.repeat([True, False], N // 2)
    scores = {
        name: rng.normal(shift * ill)
        for name, shift in (("good", 3.0), ("poor", 0.0), ("middle", 1.2))
    }
    return [
        pc.curve_dominance(
            ill,
            {name: scores[name] for name in pair},
            positive=True,
            **{"resamples": 199, "n_pairs": 3, **options},
        )
        for pair in combinations(scores, 2)
    ]


def by_name(ax):
    artists = [*ax.get_lines(), *ax.collections]
    return {artist.get_gid(): artist for artist in artists if artist.get_gid()}


def test_one_result_is_drawn_with_its_band_and_its_significant_part():
    found = results()[0]
    parts = by_name(plotting.curve_differences(found))
    line = parts["difference-1"]
    assert np.array_equal(line.get_xdata(), found.table["fpr"])
    assert np.array_equal(line.get_ydata(), found.table["estimate"])
    corners = parts["band-1"].get_paths()[0].vertices
    for name in ("conf_low", "conf_high"):
        points = found.table[["fpr", name]].to_numpy()
        assert all(np.isclose(corners, p, atol=1e-12).all(axis=1).any() for p in points)
    significant = parts["significant-1-1"]
    assert to_hex(significant.get_color()) == style.BLUE
    low, high = found.ranges.loc[0, ["low", "high"]]
    drawn = significant.get_xdata()
    assert (drawn.min(), drawn.max()) == (low, high)


def test_several_results_are_facets_with_one_range():
    found = results()
    ax = plotting.curve_differences(found)
    assert len({part.get_ylim() for part in ax.child_axes}) == 1
    assert len(ax.child_axes) == 3
    for number, (part, one) in enumerate(
        zip(ax.child_axes, found, strict=True), start=1
    ):
        names = by_name(part)
        runs = [name for name in names if name.startswith(f"significant-{number}-")]
        assert len(runs) == len(one.ranges)
        low, high = part.get_ylim()
        assert low < one.table["conf_low"].min() and high > one.table["conf_high"].max()
    # Beside each other, not one below another.
    assert len({part.get_position().y0 for part in ax.child_axes}) == 1


def test_equal_curves_have_a_line_and_no_band():
    rng = np.random.default_rng(1)
    score, ill = rng.normal(size=40), np.arange(40) % 2 == 0
    same = pc.curve_dominance(
        ill, {"a": score, "b": score}, positive=True, resamples=19
    )
    names = by_name(plotting.curve_differences(same))
    assert "difference-1" in names
    assert not any(name.startswith("significant") for name in names)


def test_what_cannot_be_drawn_together_is_rejected():
    found = results()
    with pytest.raises(InputError, match="0 comparisons of curves: this picture has"):
        plotting.curve_differences([])
    with pytest.raises(InputError, match="13 comparisons of curves"):
        plotting.curve_differences(found[:1] * 13)
    with pytest.raises(InputError, match="several kinds, levels or numbers of pairs"):
        plotting.curve_differences([found[0], results(level=0.9)[0]])

"""Our axes and labels give the pictures that Matplotlib's give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from matplotlib import axes
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from pycompare.plotting import style
from pycompare.plotting.artists import Axes, Label

WRITERS = {"svg": style.to_svg, "png": style.to_png, "pdf": style.to_pdf}


def both(
    change: Callable[[Any], None], kinds: tuple[type[axes.Axes], ...]
) -> list[axes.Axes]:
    """Make axes of both kinds and change them alike."""
    made = []
    for kind in kinds:
        with style.context():
            ax = style.new_figure(250, 200).add_axes(
                (0.2, 0.2, 0.7, 0.7), axes_class=kind
            )
            change(ax)
        made.append(ax)
    return made


def with_grid(ax: axes.Axes) -> None:
    ax.grid(color="red")
    ax.set_ylim(0.2, 3.0)
    ax.tick_params(axis="x", labelsize=5, top=True)


def with_minor_ticks(ax: axes.Axes) -> None:
    ax.set_xscale("log")
    ax.minorticks_on()
    ax.grid(which="minor")
    ax.set_xlim(0.5, 2000)


def with_labels(ax: axes.Axes) -> None:
    ax.set_yticks([0.1, 0.5], ["low", "high"], rotation=45)
    ax.set_xlabel("score")
    ax.set_title("a title")


def cleared(ax: axes.Axes) -> None:
    ax.plot([1, 2], [3, 4])
    ax.clear()
    ax.bar([1, 2], [3, 4])


def twin(ax: axes.Axes) -> None:
    ax.plot([1, 2], [3, 4])
    ax.twinx().set_ylim(5, 6)


@pytest.mark.parametrize(
    "change", [with_grid, with_minor_ticks, with_labels, cleared, twin]
)
@pytest.mark.parametrize("ending", ["svg", "png"])
def test_axes_are_drawn_as_those_of_matplotlib(
    change: Callable[[Any], None], ending: str
) -> None:
    ours, theirs = both(change, (Axes, axes.Axes))
    assert WRITERS[ending](ours.figure) == WRITERS[ending](theirs.figure)
    assert [tick.get_text() for tick in ours.get_xticklabels()] == [
        tick.get_text() for tick in theirs.get_xticklabels()
    ]


def test_axes_without_ticks_make_none() -> None:
    (ax,) = both(lambda ax: ax.set_axis_off(), (Axes,))
    style.to_svg(ax.figure)
    assert not {"majorTicks", "minorTicks"} & vars(ax.xaxis).keys()
    assert len(ax.xaxis.get_major_ticks()) == len(ax.get_xticks())


CHANGES = {
    "plain": {},
    "grey": {"color": "#777777", "alpha": 0.3},
    "bold": {"fontproperties": FontProperties(family="DejaVu Serif", weight="bold")},
    "upright": {"rotation": 90, "rotation_mode": "anchor"},
    "slanted": {"rotation": 30, "rotation_mode": "anchor"},
    "turned": {"rotation": 30},
    "lines": {"text": "two\nlines"},
    "boxed": {"bbox": {"facecolor": "yellow"}},
    "higher": {"verticalalignment": "top"},
    "cut": {"clip_on": True, "x": 0.99},
    "mathematics": {"text": "$x_1$", "parse_math": True},
    "hidden": {"visible": False},
    "empty": {"text": ""},
    "nowhere": {"x": float("nan")},
    "rasterized": {"rasterized": True},
    "link": {"url": "https://example.org"},
}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("name", CHANGES)
def test_labels_are_drawn_as_texts_of_matplotlib(name: str, ending: str) -> None:
    written = []
    for kind in (Label, Text):
        with style.context():
            ax = style.new_figure(200, 150).add_axes((0, 0, 1, 1))
            for i, ha in enumerate(("left", "center", "right")):
                text = kind(0.3 + 0.2 * i, 0.2 + 0.3 * i, "C4.5, 0.123", ha=ha)
                text.set_parse_math(False)
                ax.add_artist(text)
                text.set_clip_on(False)
                text.update(CHANGES[name])
            with style.quiet_glyphs():
                written.append(WRITERS[ending](ax.figure))
    assert written[0] == written[1]

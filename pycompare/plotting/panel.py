"""Two axes with a caption below and a key on the right: what scatter plots share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.kernels.ranks import tie_width
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.base.metric import Metric
    from pycompare.data.scores import Scores

_LEFT = 66.0  # room for tick labels and the axis label
_SIDE = 300.0
_TICK_ROOM = 48.0
_LEAST, LEAST_BESIDE = 110.0, 170.0  # of the panel, and with its key on the right
_KEY_ROW = 13.5
KEY_GAP = 10.0
KEY_MARK = 14.0
_MOST_KEY_ROWS = 22
HINTED = 0.95  # letters are hinted when drawn, and long lines come out wider


@dataclass(frozen=True)
class Mark:
    """How the points of one algorithm look."""

    label: str
    color: str
    marker: str


def marks(algorithms: Sequence[str]) -> list[Mark]:
    """Give each algorithm a colour and a marker, no two the same."""
    if len(algorithms) > style.MOST_MARKS:
        raise InputError(
            f"{len(algorithms)} algorithms and {style.MOST_MARKS} combinations of "
            "colour and marker: draw some of them, scores.select(algorithms=[...])"
        )
    return [
        Mark(
            label,
            style.COLORS[i % len(style.COLORS)],
            style.MARKERS[i % len(style.MARKERS)],
        )
        for i, label in enumerate(style.short_labels(algorithms))
    ]


def marks_along(ax: Axes, x: Floats, y: Floats, mark: Mark, gid: str) -> None:
    """Draw six marks on a line, evenly among its points, or as many as it has."""
    shown = np.linspace(0, len(x) - 1, min(6, len(x))).astype(int)
    ax.plot(
        x[shown],
        y[shown],
        mark.marker,
        color=mark.color,
        markersize=4.0,
        gid=gid,
    )


def pair_of_algorithms(scores: Scores, algorithms: Sequence[str] | None) -> Scores:
    """Return the scores of two algorithms."""
    names = scores.algorithms if algorithms is None else algorithms
    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise InputError(
            f"algorithms={names!r}: give two names, the first minus the second"
        )
    return scores.select(algorithms=names)


def differences(values: Floats) -> Floats:
    """Return first minus second of (n, 2, ...) scores; 0 if rounding differs."""
    d = values[:, 0] - values[:, 1]
    noise = np.abs(values).max(axis=1)
    rounded: Floats = np.where(np.abs(d) <= tie_width(noise), 0.0, d)
    return rounded


def metric_title(metric: Metric, units: style.AxisUnits) -> str:
    """Name a metric on an axis, with its units and direction."""
    name = style.shorten(style.printable(metric.name), style.LABEL_WIDTH)
    return f"{name}{units.text}, {metric.better} is better"


def open_panel(
    ax: Axes | None,
    x_label: str,
    y_label: str,
    caption: Sequence[str],
    key: Sequence[Mark] = (),
) -> Axes:
    """Prepare axes with a key on the right of them and a caption below.

    Axes that were given keep their place; key and caption stand outside them.
    """
    x_label, y_label = style.printable(x_label), style.printable(y_label)
    columns = -(-len(key) // _MOST_KEY_ROWS)
    key_column = KEY_MARK + (style.widest([m.label for m in key]) * 1.02 if key else 0)
    key_width = columns * (KEY_GAP + key_column)
    width, below = _SIDE, 0.0
    if ax is None:
        width = panel_width(x_label, key_width)
        if width < LEAST_BESIDE and key:  # the key goes below
            width, key_width, below = (
                panel_width(x_label, 0.0),
                0.0,
                _KEY_ROW * len(key),
            )
            key = _shortened(key, _LEFT + width + style.SIDE - KEY_MARK)
        title = style.broken(x_label, max(width, style.least_title(x_label)))
        lines = style.wrap_all(caption, HINTED * (_LEFT + width + key_width))
        more = below + style.below_axis(len(title)) - style.BELOW_AXIS
        height = max(min(width, _SIDE), style.text_width(y_label) * 1.02)
        ax = _panel_figure(width, height, key_width, lines, more)
    else:
        width = ax.get_window_extent().width / ax.figure.dpi * 72
        title = [x_label]
        lines = style.wrap_all(caption, HINTED * (_LEFT + width + key_width))
    ax.set_xlabel("\n".join(title), parse_math=False)
    ax.set_ylabel(y_label, parse_math=False)
    few_ticks(ax, width)
    ax.spines[["right", "top"]].set_visible(False)
    style.annotate_below(ax, lines, _LEFT, len(title), below)
    for i, mark in enumerate(key):
        column, row = divmod(i, _MOST_KEY_ROWS)
        x = column * (KEY_GAP + key_column) + KEY_GAP
        if below:
            y = -style.below_axis(len(title)) - i * _KEY_ROW
            _draw_key(ax, mark, i, -_LEFT, y, 0)
        else:
            _draw_key(ax, mark, i, x, -row * _KEY_ROW)
    return ax


def _shortened(key: Sequence[Mark], width: float) -> list[Mark]:
    """Return a key whose labels are no wider than ``width`` points."""
    labels = style.within([mark.label for mark in key], width)
    return [replace(mark, label=n) for mark, n in zip(key, labels, strict=True)]


def panel_width(x_label: str, key_width: float) -> float:
    """Return the width of a panel with so much room for its key."""
    natural = max(_SIDE, style.text_width(x_label) * 1.02)
    fixed = 2 * style.MARGIN + _LEFT + max(key_width, style.SIDE)
    return style.inner(natural, fixed, _LEAST)


def few_ticks(ax: Axes, width: float) -> None:
    """Leave room between the numbers on an x axis of ``width`` points."""
    ax.locator_params(axis="x", nbins=max(2, min(6, int(width / _TICK_ROOM))))


def _panel_figure(
    width: float,
    height: float,
    key_width: float,
    lines: Sequence[str],
    more: float = 0.0,
) -> Axes:
    """Make a figure with room for the key on the right and the caption below.

    ``more``: points of what else is below.
    """
    total = style.MARGIN + _LEFT + width + max(key_width, style.SIDE) + style.MARGIN
    below = style.BELOW_AXIS + more + style.caption_height(lines) + style.MARGIN
    tall = style.MARGIN + height + below
    box = (style.MARGIN + _LEFT) / total, below / tall, width / total, height / tall
    return style.new_axes(total, tall, box)


def _draw_key(
    ax: Axes, mark: Mark, number: int, x: float, top: float, corner: int = 1
) -> None:
    """Draw one line of the key, ``x`` and ``top`` points from a corner of the axes.

    ``corner``: 1 is the upper right one, 0 the lower left one.
    """
    from matplotlib.transforms import ScaledTranslation

    y = top - 0.5 * _KEY_ROW
    inches = ax.figure.dpi_scale_trans
    shift = ScaledTranslation((x + KEY_MARK / 3) / 72, y / 72, inches)
    ax.plot(
        [corner],
        [corner],
        marker=mark.marker,
        color=mark.color,
        markersize=5.0,
        linestyle="none",
        transform=ax.transAxes + shift,
        clip_on=False,
        scalex=False,
        scaley=False,
        gid=f"key-mark-{number + 1}",
    )
    ax.annotate(
        mark.label,
        (corner, corner),
        (x + KEY_MARK, y - style.MIDDLE * style.SIZE),
        xycoords="axes fraction",
        textcoords="offset points",
        va="baseline",
        parse_math=False,
        annotation_clip=False,
        gid=f"key-{number + 1}",
    )


def draw_points(
    ax: Axes,
    points: Floats,
    mark: Mark,
    gid: str,
    size: float = 3.2,
    of: int = 1,
) -> None:
    """Draw the points of one ``of`` so many algorithms, small and behind."""
    ax.plot(
        points[:, 0],
        points[:, 1],
        marker=mark.marker,
        color=mark.color,
        markersize=size,
        markeredgewidth=0.0,
        alpha=min(0.7, max(0.2, 90 / max(len(points), 1))),
        rasterized=len(points) * of > style.MOST_VECTOR_POINTS,
        linestyle="none",
        zorder=1,
        gid=gid,
    )


def draw_curve(
    ax: Axes, path: Floats, color: str, gid: str, *, dashed: bool = False
) -> None:
    """Draw a closed curve."""
    ax.plot(
        path[:, 0],
        path[:, 1],
        color=color,
        linewidth=0.9 if dashed else 1.1,
        linestyle=(0, (4, 3)) if dashed else "-",
        zorder=2,
        gid=gid,
    )


def draw_mean(ax: Axes, point: Floats, mark: Mark, gid: str) -> None:
    """Draw a mean, large and in front."""
    options: dict[str, Any] = {"markeredgecolor": "white", "markeredgewidth": 0.7}
    ax.plot(
        [point[0]],
        [point[1]],
        marker=mark.marker,
        color=mark.color,
        markersize=7.0,
        linestyle="none",
        zorder=4,
        gid=gid,
        **options,
    )

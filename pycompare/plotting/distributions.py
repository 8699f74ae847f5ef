"""Scores of each algorithm, with lines that join the scores of one block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.formatting.counts import are
from pycompare.base.typing import Floats
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.scores import Scores

_BOX_HEIGHT = 0.42  # rows


@style.sized
def distributions(
    scores: Scores,
    *,
    metric: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the scores of each algorithm: every block, quartiles and median.

    Grey lines join the scores of one block, since the comparison is within blocks:
    parallel lines are a clear difference, however wide the boxes are. Of so many scores
    that no line can be followed (over 5,000) only the points are drawn.

    Parameters
    ----------
    scores : Scores
        Missing cells are left out, and counted below the picture.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the score, row i (the algorithms as in the data) is at y = i.
        By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        For an unknown metric.

    Notes
    -----
    Quartiles as R's ``quantile`` (type 7).
    """
    chosen = scores.metric(metric)
    units = style.units_of(scores.column(metric))
    values = units.values(scores.column(metric))
    name = style.shorten(style.printable(chosen.name), 2 * style.LABEL_WIDTH)
    title = f"{name}{units.text}, {chosen.better} is better"
    labels = style.short_labels(scores.algorithms)
    with style.context():
        ax = style.open_rows(ax, labels, title, [_caption(scores, values)], row=34.0)
        if joined(scores):
            _draw_lines(ax, values)
        _draw_points(ax, values)
        for row, column in enumerate(values.T):
            _draw_box(ax, row, column[~np.isnan(column)])
        ax.autoscale_view(scaley=False)
    return ax


def joined(scores: Scores) -> bool:
    """Return whether lines join the scores of each block: they are few enough."""
    return scores.n_blocks * scores.n_algorithms <= style.MOST_VECTOR_POINTS


def _draw_lines(ax: Axes, values: Floats) -> None:
    """Join the scores of each block; a missing cell breaks the line."""
    from matplotlib.collections import LineCollection

    n, a = values.shape
    paths = np.stack([values, np.broadcast_to(np.arange(a), (n, a))], axis=-1)
    lines = LineCollection(
        list(paths),
        colors=style.LINE,
        linewidths=0.6,
        alpha=min(0.6, max(0.01, 15 / n)),
        zorder=1,
        gid="blocks",
    )
    ax.add_collection(lines, autolim=False)


def _draw_points(ax: Axes, values: Floats) -> None:
    """Draw every score."""
    _, rows = np.indices(values.shape)
    ax.plot(
        values.ravel(),
        rows.ravel(),
        "o",
        color=style.DIM,
        markersize=2.6,
        markeredgewidth=0.0,
        alpha=min(0.9, max(0.05, 60 / len(values))),
        zorder=2,
        gid="points",
        rasterized=values.size > style.MOST_VECTOR_POINTS,
    )


def _draw_box(ax: Axes, row: int, column: Floats) -> None:
    """Draw the quartiles as a box and the median as a thick line."""
    from matplotlib.patches import Rectangle

    if not column.size:
        return
    low, middle, high = np.quantile(column, [0.25, 0.5, 0.75])
    ends = row - _BOX_HEIGHT / 2, row + _BOX_HEIGHT / 2
    ax.add_patch(
        Rectangle(
            (low, ends[0]),
            high - low,
            _BOX_HEIGHT,
            fill=False,
            edgecolor=style.INK,
            linewidth=0.9,
            zorder=3,
            gid=f"box-{row + 1}",
        )
    )
    ax.plot(
        [middle, middle],
        ends,
        color=style.INK,
        linewidth=2.6,
        solid_capstyle="butt",
        zorder=4,
        gid=f"median-{row + 1}",
    )


def _caption(scores: Scores, values: Floats) -> str:
    n, missing = len(values), int(np.isnan(values).sum())
    lost = (
        f" {missing} of {values.size} cells {are(missing)} missing." if missing else ""
    )
    return (
        f"{n} blocks: one point each{', joined by a grey line' * joined(scores)}. Box: "
        f"quartiles; thick line: median.{lost}"
    )

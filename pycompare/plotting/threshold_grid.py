"""Data sets by thresholds: if the algorithms differ in all metrics together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.formatting.rounding import fixed
from pycompare.base.labels import label_text
from pycompare.base.typing import Floats
from pycompare.plotting import style
from pycompare.plotting.p_matrix import (
    KEY_WIDTH,
    MatrixLayout,
    add_squares,
    draw_key,
    grey,
    ink,
)
from pycompare.results.result import rejected

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.over_datasets.threshold_wins import ThresholdWinsResult


_ROW, _LOWEST_ROW = 17.0, 4.0
_MOST_HEIGHT = 900.0
_LOWEST_LABELLED = 9.0
_COLUMN, _MOST_WIDTH = 25.0, 640.0
_NARROWEST_COLUMN = 3.0
_MARGIN = style.MARGIN


@dataclass(frozen=True)
class ThresholdColumns:
    """Thresholds from left to right.

    Attributes
    ----------
    labels : list of str
    width : float
        Of one, in points.
    """

    labels: list[str]
    width: float

    @property
    def step(self) -> int:
        """Every how many columns are labelled."""
        return max(1, -(-20 // int(self.width)))


def columns_of(thresholds: tuple[float, ...], others: float) -> ThresholdColumns:
    """Return labels and width of the columns; ``others``: room for the rest."""
    most = style.inner(_MOST_WIDTH, others)
    width = min(_COLUMN, max(_NARROWEST_COLUMN, most / len(thresholds)))
    return ThresholdColumns([_short(t) for t in thresholds], width)


def _short(threshold: float) -> str:
    """Write a threshold in few characters, the double itself if it is short."""
    text = label_text(threshold)
    return text if len(text) <= 4 else fixed(threshold, 2)


@style.sized
def threshold_grid(
    wins: ThresholdWinsResult,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the p-values of MANOVA, a row for each data set, a column per threshold.

    Darker means smaller, on a logarithmic scale; p at most alpha is framed, so that the
    picture needs no colour. If nothing can be tested, as at threshold 0, at which
    all cases are classified as positive, the cell is blank.

    Parameters
    ----------
    wins : ThresholdWinsResult
        ``wins.alpha`` is marked on the scale and decides about the frames.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole, scaled to its present size; the cell of data set i and
        threshold j is centred at (j, i). By default a new figure of a fitting size.

    Returns
    -------
    Axes
    """
    names = list(dict.fromkeys(wins.tests["dataset"]))
    p = wins.tests["p_value"].to_numpy(float).reshape(len(names), -1)
    with style.context():
        return _draw(p, style.short_labels(names), wins, ax)


def _caption(wins: ThresholdWinsResult) -> str:
    """Return how the tests were made and how to read the picture."""
    return (
        f"MANOVA of {', '.join(wins.metrics)}, Wilks' Lambda, blocked by folds, at "
        f"each threshold of each data set; p-values are not adjusted. Framed: p at "
        f"most {wins.alpha:g}. Blank: nothing can be tested."
    )


def _draw(
    p: Floats, labels: list[str], wins: ThresholdWinsResult, ax: Axes | None
) -> Axes:
    """Draw cells, frames, labels, the scale and the caption."""
    row = min(_ROW, max(_LOWEST_ROW, _MOST_HEIGHT / len(labels)))
    written = row >= _LOWEST_LABELLED
    left = -(style.widest(labels) * 1.02 if written else 0.0) - 8.0 - _MARGIN
    columns = columns_of(wins.thresholds, _MARGIN - left)
    width, height = columns.width * len(columns.labels), row * len(labels)
    right = max(width, left + _MARGIN + KEY_WIDTH + 30.0) + _MARGIN
    lines = style.wrap(style.printable(_caption(wins)), right - left - 2 * _MARGIN)
    key = height + 46.0
    bottom = key + 32.0 + style.caption_height(lines) + _MARGIN
    layout = MatrixLayout(
        style.Box(left, right, -_MARGIN, bottom), False, key, key + 32.0, lines
    )
    sheet = style.open_sheet(
        ax, layout.box, x_zero=-0.5, x_unit=columns.width, y_zero=-0.5, y_unit=row
    )
    _draw_cells(sheet, p, wins.alpha)
    if written:
        for i, label in enumerate(labels):
            sheet.text(-6.0, (i + 0.5) * row, label, ha="right", gid=f"row-{i + 1}")
    draw_thresholds(sheet, columns, height)
    draw_key(sheet, wins.alpha, layout)
    sheet.caption(left + _MARGIN, layout.caption, lines)
    return sheet.ax


def _draw_cells(sheet: style.Sheet, p: Floats, alpha: float) -> None:
    """Fill the cells that were tested, and frame those that are rejected."""
    greys = grey(p, alpha)
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    cells = np.argwhere(~np.isnan(p))
    framed = np.argwhere(rejected(p, alpha))
    add_squares(
        sheet,
        [corners + cell[::-1] for cell in cells],
        facecolors=[str(greys[tuple(cell)]) for cell in cells],
        edgecolors=style.LINE,
        linewidths=0.4 * sheet.scale,
        gid="cells",
    )
    add_squares(
        sheet,
        [0.8 * corners + cell[::-1] for cell in framed],
        facecolors="none",
        edgecolors=[ink(float(greys[tuple(cell)])) for cell in framed],
        linewidths=0.9 * sheet.scale,
        gid="frames",
    )


def draw_thresholds(sheet: style.Sheet, columns: ThresholdColumns, y: float) -> None:
    """Write the thresholds below the columns, and their meaning."""
    for j in range(0, len(columns.labels), columns.step):
        middle = (j + 0.5) * columns.width
        sheet.line([middle, middle], [y, y + 3.0], width=0.6)
        sheet.text(
            middle,
            y + 9.0,
            columns.labels[j],
            size=style.SMALL,
            ha="center",
            gid=f"threshold-{j + 1}",
        )
    middle = columns.width * len(columns.labels) / 2
    sheet.text(middle, y + 21.0, "threshold", ha="center", gid="thresholds")

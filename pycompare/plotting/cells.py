"""A square of cells with a few lines of text each, rows and columns named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.typing import Bools, Floats
from pycompare.plotting import style
from pycompare.plotting.p_matrix import add_squares, ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARGIN, _GAP = style.MARGIN, 6.0
_LARGEST, _SMALLEST = 8.5, 4.5
"""Letters in cells, in points; if they would be smaller none are written."""
_ROOM = 0.86
"""Share of a cell that its text may fill."""
_MOST_NAMES = 0.4
"""Share of the width that the names of rows may take."""
_EMPTY = 11.0
"""Side of cells without text, in points."""


@dataclass(frozen=True, kw_only=True)
class CellPicture:
    """What a picture of cells shows.

    Attributes
    ----------
    rows, columns : sequence of str
        Names as they are written.
    greys : ndarray, shape (rows, columns)
        1 is white; NaN leaves a cell blank, without text.
    texts : sequence of sequence of str
        Of each cell; lines are separated by newlines.
    bold : ndarray of bool
        Cells with bold text and a frame.
    caption : str
    natural : float
        Width of the figure in points if none is asked for.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    greys: Floats
    texts: Sequence[Sequence[str]]
    bold: Bools
    caption: str
    natural: float = 620.0


@dataclass(frozen=True)
class _CellLayout:
    """Size of cells and letters, names of rows, ends of the sheet, in points."""

    width: float
    height: float
    size: float
    rows: list[str]
    names: float
    turned: bool
    box: style.Box
    lines: list[str]


def draw(cells: CellPicture, ax: Axes | None) -> Axes:
    """Draw cells; that of row i and column j is centred at (j, i)."""
    plan = _plan(cells)
    sheet = style.open_sheet(
        ax, plan.box, x_zero=-0.5, x_unit=plan.width, y_zero=-0.5, y_unit=plan.height
    )
    _fill(sheet, cells, plan)
    if plan.size:
        _write(sheet, cells, plan)
    _name(sheet, cells, plan)
    below = plan.height * len(cells.rows) + 2 * _GAP
    sheet.caption(plan.box.left + _MARGIN, below, plan.lines)
    return sheet.ax


def _plan(cells: CellPicture) -> _CellLayout:
    """Lay the picture out: letters as large as the width allows."""
    rows = style.within(
        cells.rows, _MOST_NAMES * style.inner(cells.natural, 2 * _MARGIN)
    )
    left = style.widest(rows) * 1.02 + _GAP
    room = style.inner(cells.natural, left + 2 * _MARGIN) / len(cells.columns)
    texts = [line for row in cells.texts for text in row for line in text.split("\n")]
    lines = max(text.count("\n") + 1 for row in cells.texts for text in row)
    # Bold is the widest that a text may become.
    widest = style.widest(texts, _LARGEST, "bold") / _ROOM
    size = _LARGEST * min(1.0, room / max(widest, 1.0))
    if size < _SMALLEST:
        width = height = min(_EMPTY, room)
        size = 0.0
    else:
        width = max(widest * size / _LARGEST, 2 * size)
        height = (lines + 0.8) * style.LEADING * size
    names = min(style.SIZE, 0.72 * height, 0.72 * width)
    widths = [style.text_width(name, names) * 1.02 for name in cells.columns]
    turned = max(widths) > 0.94 * width
    top = max(widths) if turned else names
    side = width * len(cells.columns)
    right = max(side, 150.0)
    caption = style.wrap(cells.caption, right + left)
    bottom = height * len(cells.rows) + 2 * _GAP + style.caption_height(caption)
    box = style.Box(-left - _MARGIN, right + _MARGIN, -top - _GAP - _MARGIN,
                    bottom + _MARGIN)  # fmt: skip
    return _CellLayout(width, height, size, rows, names, turned, box, caption)


def _fill(sheet: style.Sheet, cells: CellPicture, plan: _CellLayout) -> None:
    """Fill the cells, and frame those in bold."""
    shown = np.argwhere(~np.isnan(cells.greys))
    framed = np.argwhere(cells.bold & ~np.isnan(cells.greys))
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    inset = 1 - 3.0 / np.array([plan.width, plan.height])
    add_squares(
        sheet,
        [corners + cell[::-1] for cell in shown],
        facecolors=[str(cells.greys[tuple(cell)]) for cell in shown],
        edgecolors=style.LINE,
        linewidths=0.5 * sheet.scale,
        gid="cells",
    )
    add_squares(
        sheet,
        [inset * corners + cell[::-1] for cell in framed],
        facecolors="none",
        edgecolors=[ink(float(cells.greys[tuple(cell)])) for cell in framed],
        linewidths=1.1 * sheet.scale,
        gid="frames",
    )


def _write(sheet: style.Sheet, cells: CellPicture, plan: _CellLayout) -> None:
    """Write the texts of the cells, line by line."""
    step = style.LEADING * plan.size
    for row, column in np.argwhere(~np.isnan(cells.greys)).tolist():
        lines = cells.texts[row][column].split("\n")
        for place, line in enumerate(lines):
            middle = (row + 0.5) * plan.height + (place - (len(lines) - 1) / 2) * step
            sheet.text(
                (column + 0.5) * plan.width,
                middle,
                line,
                size=plan.size,
                ha="center",
                weight="bold" if cells.bold[row, column] else "normal",
                color=ink(float(cells.greys[row, column])),
                gid=f"cell-{row + 1}-{column + 1}-{place + 1}",
            )


def _name(sheet: style.Sheet, cells: CellPicture, plan: _CellLayout) -> None:
    """Write the names left of the rows and above the columns."""
    for i, label in enumerate(plan.rows):
        middle = (i + 0.5) * plan.height
        sheet.text(
            -_GAP, middle, label, size=plan.names, ha="right", gid=f"row-{i + 1}"
        )
    for j, label in enumerate(cells.columns):
        middle, gid = (j + 0.5) * plan.width, f"column-{j + 1}"
        if plan.turned:
            sheet.upright(middle, -_GAP, label, size=plan.names, gid=gid)
        else:
            y = -_GAP / 2 - plan.names / 2
            sheet.text(middle, y, label, size=plan.names, ha="center", gid=gid)

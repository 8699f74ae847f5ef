"""The matrix of p-values of all pairs, in greys, with the rejected pairs framed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_alpha, check_word
from pycompare.base.formatting.numbers import on_its_side
from pycompare.base.typing import Floats
from pycompare.methods.orders.cliques import by_position, significance_graph
from pycompare.plotting import style
from pycompare.plotting.describe import (
    adjustment_text,
    blocks_text,
    position_title,
    require_positions,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.results.result import PairsResult


_CELL = 46.0
_SMALLEST_CELL = 28.0
_CELL_WITHOUT_TEXT = 12.0
_MOST_WITH_TEXT = 30
_MARGIN = style.MARGIN
KEY_WIDTH, _KEY_HEIGHT = 220.0, 9.0
# Grey of p = 1 and of the smallest p of the scale: ink on the one and white on the
# other are both legible.
_LIGHTEST, _DARKEST, _WHITE_TEXT_BELOW = 1.0, 0.35, 0.5


@style.sized
def p_matrix(
    pairs: PairsResult,
    *,
    alpha: float = 0.05,
    column: str = "p_adjusted",
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the p-values of all pairs as a square, best algorithm first.

    Darker means smaller, on a logarithmic scale. Rejected pairs, ``p_adjusted <=
    alpha``, are framed and bold, so that the picture needs no colour. The diagonal and
    pairs that were not tested are blank.

    Parameters
    ----------
    pairs : PairsResult
        All pairs, or comparisons with a control.
    alpha : float
        Marked on the scale, and decides about the frames.
    column : {"p_adjusted", "p_value"}
        Which p-values are shown; the frames are always those of ``p_adjusted``.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole, scaled to its present size; the cell of row i and column
        j is centred at (j, i). By default a new figure of a fitting size.

    Returns
    -------
    Axes
        Beyond 30 algorithms the numbers are left out.

    Raises
    ------
    InputError
        For another column, or if a position is not finite.

    Notes
    -----
    R: ``scmamp::plotPvalues``.
    """
    check_alpha(alpha)
    require_positions(pairs)
    check_word("column", column, ("p_adjusted", "p_value"))
    with style.context():
        return _draw(ordered_square(pairs, alpha, column), _caption(pairs, alpha), ax)


@dataclass(frozen=True)
class Square:
    """The contents of the picture, best algorithm first.

    Attributes
    ----------
    p : ndarray, shape (a, a)
        NaN if nothing is shown.
    rejected : ndarray of bool, shape (a, a)
    labels : list of str
    alpha : float
    exact : bool
        Whether ``p`` decides the pairs.
    """

    p: Floats
    rejected: NDArray[np.bool_]
    labels: list[str]
    alpha: float
    exact: bool

    @property
    def cell(self) -> float:
        """Return the size of a cell in points."""
        a = len(self.labels)
        if a > _MOST_WITH_TEXT:
            return _CELL_WITHOUT_TEXT
        fixed = style.widest(self.labels) * 1.02 + 6.0 + 2 * _MARGIN
        return min(_CELL, max(_SMALLEST_CELL, style.inner(600.0, fixed) / a))

    @property
    def label_size(self) -> float:
        """Return the size of the letters of names."""
        return min(style.SIZE, 0.75 * self.cell)


def ordered_square(pairs: PairsResult, alpha: float, column: str) -> Square:
    """Return the table as a square in the order of positions."""
    order = by_position(pairs)
    both = np.ix_(order, order)
    labels = style.short_labels(pairs.algorithms)
    return Square(
        p=pairs.square(column)[both],
        rejected=significance_graph(pairs, alpha)[both],
        labels=[labels[i] for i in order],
        alpha=alpha,
        exact=column == "p_adjusted",
    )


def _caption(pairs: PairsResult, alpha: float) -> str:
    """Return how the comparison was made and how to read the picture."""
    crowd = len(pairs.algorithms) > _MOST_WITH_TEXT
    marked = "Framed" if crowd else "Framed and bold"
    return (
        f"{adjustment_text(pairs)}{blocks_text(pairs)}. Ordered by "
        f"{position_title(pairs)}, best first. {marked}: "
        f"adjusted p at most {alpha:g}. Blank: not tested."
    )


def p_text(p: float, alpha: float | None = None, digits: int = 3) -> str:
    """Write a p-value in few characters, never as '<'.

    ``digits`` significant digits, below a thousandth one: 0.0123, 3e-18. If rounding
    would carry p across ``alpha``, or onto it from above, more digits are written.
    """
    if p == 1:
        return "1"
    if p == 0:
        return "0"
    if p >= 1e-3:
        return on_its_side(p, alpha, lambda more: f"{p:#.{more}g}", digits)
    text = on_its_side(p, alpha, lambda more: f"{p:.{more - 1}e}", 1)
    return text.replace("e-0", "e-")


def grey(p: Floats, alpha: float) -> Floats:
    """Return the grey of p-values: 1 is white, NaN if p is."""
    floor = _scale_floor(alpha)
    with np.errstate(divide="ignore"):
        depth = np.clip(np.log10(p) / floor, 0.0, 1.0)
    return _LIGHTEST + (_DARKEST - _LIGHTEST) * depth


def _scale_floor(alpha: float) -> int:
    """Return log10 of the p-value from which on all are darkest."""
    return math.floor(math.log10(alpha)) - 2


@dataclass(frozen=True)
class MatrixLayout:
    """Ends of the sheet and the heights below the matrix, in points.

    The origin is the upper left corner of the matrix.
    """

    box: style.Box
    turned: bool
    key: float
    caption: float
    lines: list[str]


def _plan(square: Square, text: str) -> MatrixLayout:
    """Lay the picture out."""
    side = square.cell * len(square.labels)
    widest = style.widest(square.labels, square.label_size) * 1.02
    turned = widest > 0.92 * square.cell
    top = -(widest if turned else square.label_size) - 6.0 - _MARGIN
    left = -widest - 6.0 - _MARGIN
    right = max(side, left + _MARGIN + KEY_WIDTH + 20.0) + _MARGIN
    key = side + 28.0
    lines = style.wrap(text, right - left - 2 * _MARGIN)
    below = key + 30.0
    bottom = below + style.caption_height(lines) + _MARGIN
    return MatrixLayout(style.Box(left, right, top, bottom), turned, key, below, lines)


def _draw(square: Square, text: str, ax: Axes | None) -> Axes:
    """Draw the planned picture."""
    layout = _plan(square, text)
    # Data units are cells; the first cell is centred at (0, 0).
    cell = square.cell
    sheet = style.open_sheet(
        ax, layout.box, x_zero=-0.5, x_unit=cell, y_zero=-0.5, y_unit=cell
    )
    _draw_cells(sheet, square)
    if len(square.labels) <= _MOST_WITH_TEXT:
        _draw_numbers(sheet, square)
    _draw_labels(sheet, square, layout)
    draw_key(sheet, square.alpha, layout)
    sheet.caption(layout.box.left + _MARGIN, layout.caption, layout.lines)
    return sheet.ax


def _draw_cells(sheet: style.Sheet, square: Square) -> None:
    """Fill the cells that were tested, and frame those that are rejected."""
    greys = grey(square.p, square.alpha)
    tested = np.argwhere(~np.isnan(square.p))
    framed = np.argwhere(square.rejected)
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    add_squares(
        sheet,
        [corners + cell[::-1] for cell in tested],
        facecolors=[str(greys[tuple(cell)]) for cell in tested],
        edgecolors=style.LINE,
        linewidths=0.5 * sheet.scale,
        gid="cells",
    )
    add_squares(
        sheet,
        [0.86 * corners + cell[::-1] for cell in framed],
        facecolors="none",
        edgecolors=[ink(float(greys[tuple(cell)])) for cell in framed],
        linewidths=max(0.8, square.cell / 28.0) * sheet.scale,
        gid="frames",
    )


def add_squares(
    sheet: style.Sheet, squares: Sequence[NDArray[Any]], **options: object
) -> None:
    """Add squares, given by their corners in data units."""
    from matplotlib.collections import PolyCollection

    collection = PolyCollection(squares, clip_on=False, **options)  # type: ignore[arg-type]
    sheet.ax.add_collection(collection, autolim=False)


def ink(background: float) -> str:
    """Return the colour of letters on a grey."""
    return "white" if background < _WHITE_TEXT_BELOW else style.INK


def _draw_numbers(sheet: style.Sheet, square: Square) -> None:
    """Write the p-values, the rejected ones in bold."""
    greys, cell = grey(square.p, square.alpha), square.cell
    room, crowded = 0.78 * cell, cell < 36.0
    alpha = square.alpha if square.exact else None
    usual = min(8.5, 8.5 * room / style.text_width("0.0000", 8.5, "bold"))
    for row, column in np.argwhere(~np.isnan(square.p)).tolist():
        p = float(square.p[row, column])
        text = p_text(p, alpha, digits=2 if crowded and p < 0.01 else 3)
        weight = "bold" if square.rejected[row, column] else "normal"
        width = style.text_width(text, usual, weight)
        sheet.text(
            (column + 0.5) * cell,
            (row + 0.5) * cell,
            text,
            size=usual * min(1.0, room / width),
            ha="center",
            weight=weight,
            color=ink(greys[row, column]),
            gid=f"p-{row + 1}-{column + 1}",
        )


def _draw_labels(sheet: style.Sheet, square: Square, layout: MatrixLayout) -> None:
    """Write the names left of the rows and above the columns."""
    size = square.label_size
    for i, label in enumerate(square.labels):
        middle = (i + 0.5) * square.cell
        gid = f"column-{i + 1}"
        sheet.text(-6.0, middle, label, size=size, ha="right", gid=f"row-{i + 1}")
        if layout.turned:
            sheet.upright(middle, -6.0, label, size=size, gid=gid)
        else:
            sheet.text(middle, -2.0 - size / 2, label, size=size, ha="center", gid=gid)


def draw_key(sheet: style.Sheet, alpha: float, layout: MatrixLayout) -> None:
    """Draw the scale of greys with powers of ten below it and alpha above it."""
    floor = _scale_floor(alpha)
    left, y = layout.box.left + _MARGIN + 12.0, layout.key
    _draw_strip(sheet, alpha, left, y)
    # All powers, or about six of them where there are more.
    powers = np.linspace(floor, 0, 1 + min(-floor, 6)).round().tolist()
    for power in powers:
        at = left + KEY_WIDTH * power / floor
        sheet.line([at, at], [y + _KEY_HEIGHT, y + _KEY_HEIGHT + 3.0], width=0.6)
        text = p_text(10.0**power) if power < -3 else f"{10.0**power:g}"
        least = "\N{LESS-THAN OR EQUAL TO} " if power == floor else ""
        sheet.text(at, y + 18.0, least + text, size=style.SMALL, ha="center")
    at = left + KEY_WIDTH * math.log10(alpha) / floor
    sheet.line([at, at], [y - 4.0, y + _KEY_HEIGHT], width=1.4, gid="alpha")
    text = f"alpha = {alpha:g}"
    sheet.text(at, y - 9.5, text, size=style.SMALL, ha="center", gid="alpha-text")


def _draw_strip(sheet: style.Sheet, alpha: float, left: float, y: float) -> None:
    """Draw the greys from p = 1 on the left to the smallest of the scale."""
    edges = np.linspace(0.0, 1.0, 67)
    greys = grey(10.0 ** (_scale_floor(alpha) * (edges[:-1] + edges[1:]) / 2), alpha)
    low, high = sheet.y([y, y + _KEY_HEIGHT])
    add_squares(
        sheet,
        [
            np.array([[a, low], [b, low], [b, high], [a, high]])
            for a, b in pairwise(sheet.x(left + KEY_WIDTH * edges))
        ],
        facecolors=[str(g) for g in greys],
        # Without edges of the same grey, hairlines show between the steps.
        edgecolors="face",
        linewidths=0.2 * sheet.scale,
        gid="scale",
    )
    right, below = left + KEY_WIDTH, y + _KEY_HEIGHT
    x = [left, right, right, left, left]
    sheet.line(x, [y, y, below, below, y], width=0.5, color=style.LINE)

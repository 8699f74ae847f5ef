"""The critical difference diagram: who differs from whom, on a line of mean ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_alpha
from pycompare.base.errors import InputError
from pycompare.base.formatting.rounding import fixed, significant
from pycompare.base.typing import Floats
from pycompare.methods.orders.cliques import (
    by_position,
    cliques,
    joined_cliques,
    significance_graph,
)
from pycompare.methods.ranks.nemenyi import NemenyiResult
from pycompare.plotting import style
from pycompare.plotting.describe import (
    RANKED_BY,
    adjustment_text,
    blocks_text,
    position_title,
    require_positions,
    untested_text,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.results.result import PairsResult


_AXIS_WIDTH, _LEAST_AXIS = 340.0, 110.0
_SPREAD = 16.0  # beyond the ends of the axis, where its labels begin
_MIN_GAP = 7.0  # between the lines of two neighbours: room for a dot on each
_ROW = 14.0  # of labels
_BAR_ROW = 11.0
_BAR = 5.0  # thick, so that dots of members stand on it
_MARGIN = style.MARGIN
_MOST_BARS = 60


@style.sized
def critical_difference(
    pairs: PairsResult,
    *,
    alpha: float = 0.05,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
    critical_difference_bar: bool = True,
) -> Axes:
    """Draw the critical difference diagram of Demšar (2006).

    The axis shows the mean ranks, best on the left. Each bar below it is one maximal
    clique (``pc.cliques``): a dot marks every member, and the line of an algorithm
    without a dot only passes. If positions nearly tie, their lines are spread just
    below the axis so that each keeps its own dots. With a control there are no bars;
    filled and open markers show who differs from the control.

    Parameters
    ----------
    pairs : PairsResult
        All pairs, or comparisons with a control.
    alpha : float
        A pair is rejected if ``p_adjusted <= alpha``.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole, scaled to its present size; x is the position, y is in
        points downwards. By default a new figure of a fitting size.
    critical_difference_bar : bool
        Whether to draw the critical difference as a ruler, if the result has one
        (``pc.nemenyi``).

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If a position is not finite, pairs are missing, or the ruler would be that of
        another ``alpha``.

    Notes
    -----
    R: ``scmamp::plotCD``, whose bars are intervals.

    References
    ----------
    .. [1] Demšar, J. (2006). JMLR 7, 1-30, sec. 3.2.2.
    """
    check_alpha(alpha)
    require_positions(pairs)
    ruler = _ruler_length(pairs, alpha) if critical_difference_bar else None
    with style.context():
        columns = side_labels(pairs)
        scale = position_axis(pairs, ruler, _axis_width(columns))
        slots = spread(scale.points(scale.values), _MIN_GAP)
        below = (
            bars_below(pairs, alpha) if pairs.control is None else _marks(pairs, alpha)
        )
        return _draw(scale, columns, slots, below, _caption(pairs, alpha, below), ax)


# ---- what is shown ----------------------------------------------------------


@dataclass(frozen=True)
class PositionAxis:
    """The line of positions, best first; all numbers in the axis's units."""

    values: Floats
    low: float
    high: float
    ticks: Floats
    title: str
    ruler: float | None
    ruler_text: str
    width: float

    @property
    def unit(self) -> float:
        """Points per unit."""
        return self.width / (self.high - self.low)

    def points(self, values: Floats) -> Floats:
        """Return points right of the axis's left end."""
        return (values - self.low) * self.unit


@dataclass(frozen=True)
class SideLabels:
    """Labels and numbers, from best to worst; the first ``left`` stand on the left."""

    labels: list[str]
    numbers: list[str]
    weights: list[str]
    left: int

    def width(self, side: slice) -> tuple[float, float]:
        """Return the widths of the labels and of the numbers on one side."""
        labels = [
            style.text_width(label, weight=weight)
            for label, weight in zip(self.labels[side], self.weights[side], strict=True)
        ]
        # Letters are hinted when drawn, and may come out a little wider.
        return 1.02 * max(labels), style.widest(self.numbers[side])


@dataclass(frozen=True)
class Below:
    """What stands between the axis and the labels.

    Attributes
    ----------
    rows : list of list of tuple of int
        Bars, each the places of its members, in rows that do not overlap.
    filled : list of bool or None
        Per place, for a control: whether it differs; None at the control.
    key : list of (marker, filled, text)
    note : str
    """

    rows: list[list[tuple[int, ...]]]
    filled: list[bool | None]
    key: list[tuple[str, bool, str]]
    note: str

    @property
    def height(self) -> float:
        """Return the height in points."""
        return _BAR_ROW * (len(self.rows) + bool(self.filled)) + 4.0


def _ruler_length(pairs: PairsResult, alpha: float) -> float | None:
    """Return the critical difference of a result that has one."""
    if not isinstance(pairs, NemenyiResult):
        return None
    made_for = pairs.alpha
    if not math.isclose(made_for, alpha, rel_tol=1e-9):
        raise InputError(
            f"the critical difference was made for alpha={made_for} and the picture is "
            f"for alpha={alpha}: make both for the same, or leave the ruler out "
            "(critical_difference_bar=False)"
        )
    return float(pairs.critical_difference)


def _axis_width(columns: SideLabels) -> float:
    """Return the length of the axis in points: the room that labels leave."""
    low, high = _side_ends(columns, -_SPREAD, _SPREAD)
    return style.inner(_AXIS_WIDTH, high - low, _LEAST_AXIS)


def position_axis(
    pairs: PairsResult, ruler: float | None, width: float
) -> PositionAxis:
    """Choose the units, ends and ticks of the axis."""
    positions = np.sort(np.asarray(pairs.held("positions"), float))
    title, units = position_title(pairs), style.AxisUnits()
    placement = pairs.placement
    of_ranks = placement is not None and placement.within_blocks
    if of_ranks or pairs.differences in RANKED_BY:
        ticks, low, high = _rank_ticks(positions)
    else:
        units = style.units_of(positions)
        ticks = _cover(units.values(positions))
        low, high = float(ticks[0]), float(ticks[-1])
    return PositionAxis(
        values=units.values(positions),
        low=low,
        high=high,
        ticks=ticks,
        title=title + units.text,
        ruler=None if ruler is None else float(units.lengths(ruler)),
        ruler_text="" if ruler is None else f"CD = {significant(ruler, 4)}",
        width=width,
    )


def _rank_ticks(ranks: Floats) -> tuple[Floats, float, float]:
    """Return ticks and ends for mean ranks: all of 1 to a, or a part if a > 10."""
    a = len(ranks)
    if a <= 10:
        return np.arange(1.0, a + 1), 1.0, float(a)
    ticks = _cover(ranks)
    low, high = max(1.0, float(ticks[0])), min(float(a), float(ticks[-1]))
    inside = ticks[(ticks > low) & (ticks < high)]
    return np.concatenate([[low], inside, [high]]), low, high


def _cover(values: Floats) -> Floats:
    """Return round ticks from below the least value to above the greatest."""
    from matplotlib.ticker import MaxNLocator

    low, high = values.min(), values.max()
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        pad = 0.5 * abs(high) or 0.5
        low, high = low - pad, high + pad
    return np.asarray(MaxNLocator(nbins=8, steps=[1, 2, 5, 10]).tick_values(low, high))


def side_labels(pairs: PairsResult) -> SideLabels:
    """Return labels, best first: the better half on the left."""
    order = by_position(pairs)
    algorithms = pairs.algorithms
    labels = style.short_labels(algorithms)
    return SideLabels(
        labels=[labels[i] for i in order],
        numbers=_number_texts(pairs, order),
        weights=["bold" if algorithms[i] == pairs.control else "normal" for i in order],
        left=(len(order) + 1) // 2,
    )


def _number_texts(pairs: PairsResult, order: NDArray[np.intp]) -> list[str]:
    """Write positions: ranks with two decimals, others with enough to differ."""
    values = np.asarray(pairs.held("positions"), float)[order]
    if pairs.placement is not None and pairs.placement.of_one:
        return [fixed(value, 2) for value in values]
    return style.tick_texts(values)


def bars_below(pairs: PairsResult, alpha: float) -> Below:
    """Return the bars: all maximal cliques, each its own."""
    first = list(islice(joined_cliques(pairs, alpha), _MOST_BARS + 1))
    if len(first) > _MOST_BARS:
        note = (
            f"There are more than {_MOST_BARS} groups of algorithms without a "
            "significant difference, too many for bars: see the matrix of p-values."
        )
        return Below([], [], [], note)
    names = [pairs.algorithms[i] for i in by_position(pairs)]
    place = {name: i for i, name in enumerate(names)}
    members = [
        tuple(place[name] for name in clique) for clique in cliques(pairs, alpha=alpha)
    ]
    if not members:
        note = "No bars: every pair differs significantly."
        return Below([], [], [], note)
    note = (
        "Bars join algorithms whose difference is not significant; "
        "dots mark the members of a bar."
    )
    return Below(stack(members), [], [], note)


def stack(bars: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Put bars, sorted by their left end, into the first row that has room."""
    rows: list[list[tuple[int, ...]]] = []
    for bar in bars:
        for row in rows:
            if row[-1][-1] < bar[0]:
                row.append(bar)
                break
        else:
            rows.append([bar])
    return rows


def _marks(pairs: PairsResult, alpha: float) -> Below:
    """Return markers that show who differs from the control."""
    order = by_position(pairs)
    at = pairs.algorithms.index(str(pairs.control))
    differs = significance_graph(pairs, alpha)[at, order]
    filled = [None if i == at else bool(d) for i, d in zip(order, differs, strict=True)]
    name = style.short_labels(pairs.algorithms)[at]
    key = [
        ("D", True, f"control: {name}"),
        ("o", True, "differs significantly from the control"),
        ("o", False, "no significant difference from the control"),
    ]
    return Below([], filled, key, "")


def _caption(pairs: PairsResult, alpha: float, below: Below) -> str:
    """Return how the comparison was made and how to read the picture."""
    sentences = [
        f"{adjustment_text(pairs)}; alpha = {alpha:g}{blocks_text(pairs)}.",
        below.note,
        untested_text(pairs),
    ]
    return " ".join(filter(None, sentences))


# ---- where it stands --------------------------------------------------------


def spread(wanted: Floats, gap: float) -> Floats:
    """Move sorted points as little as possible so that all are ``gap`` apart.

    Least squares under the order: pool adjacent violators on ``wanted - i * gap``.
    """
    steps = gap * np.arange(len(wanted))
    means: list[float] = []
    counts: list[int] = []
    for value in wanted - steps:
        means.append(float(value))
        counts.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            total = counts[-2] + counts[-1]
            pooled = (means[-2] * counts[-2] + means[-1] * counts[-1]) / total
            means[-2:], counts[-2:] = [pooled], [total]
    return np.asarray(np.repeat(means, counts) + steps, float)


@dataclass(frozen=True)
class DiagramLayout:
    """Heights (points, downwards) and columns (points from the axis's left end)."""

    box: style.Box
    ruler: float
    heading: float
    axis: float
    slots: float
    first_row: float
    left: float
    right: float
    key: float
    caption: float


def _plan(
    scale: PositionAxis,
    columns: SideLabels,
    slots: Floats,
    below: Below,
    text: str,
) -> tuple[DiagramLayout, list[str]]:
    """Lay the picture out; return it with the lines of its caption."""
    ruler = _MARGIN + 14.0
    heading = (ruler + 16.0 if scale.ruler is not None else _MARGIN) + 5.0
    axis = heading + 25.0
    moved = float(np.abs(slots - scale.points(scale.values)).max())
    first_slot = axis + (min(16.0, 6.0 + moved / 2) if moved > 0.5 else 0.0)
    first_row = first_slot + 6.0 + below.height + 0.5 * _ROW
    left, right = min(0.0, slots[0]) - 12.0, max(scale.width, slots[-1]) + 12.0
    ends = _side_ends(columns, left, right)
    if scale.ruler is not None:
        ends = ends[0], max(ends[1], scale.ruler * scale.unit + 30.0)
    key = first_row + columns.left * _ROW + (8.0 if below.key else 2.0)
    top_of_caption = key + (_ROW * len(below.key) + 4.0 if below.key else 0.0)
    lines = style.wrap(text, ends[1] - ends[0] - 2 * _MARGIN)
    bottom = top_of_caption + style.caption_height(lines) + _MARGIN
    box = style.Box(*ends, 0.0, bottom)
    return (
        DiagramLayout(
            box=box,
            ruler=ruler,
            heading=heading,
            axis=axis,
            slots=first_slot,
            first_row=first_row,
            left=left,
            right=right,
            key=key,
            caption=top_of_caption,
        ),
        lines,
    )


def _side_ends(columns: SideLabels, left: float, right: float) -> tuple[float, float]:
    """Return the ends of the sheet: labels, numbers and gaps beyond both columns."""
    widths = [
        sum(columns.width(side))
        for side in (slice(columns.left), slice(columns.left, None))
    ]
    return left - widths[0] - 15.0 - _MARGIN, right + widths[1] + 15.0 + _MARGIN


# ---- drawing ----------------------------------------------------------------


def _draw(
    scale: PositionAxis,
    columns: SideLabels,
    slots: Floats,
    below: Below,
    text: str,
    ax: Axes | None,
) -> Axes:
    """Draw the planned picture."""
    layout, lines = _plan(scale, columns, slots, below, text)
    sheet = style.open_sheet(ax, layout.box, x_zero=scale.low, x_unit=scale.unit)
    _draw_ruler(sheet, scale, layout)
    _draw_axis(sheet, scale, layout)
    _draw_leaders(sheet, scale, columns, slots, layout)
    _draw_labels(sheet, columns, layout)
    _draw_bars(sheet, below, slots, layout)
    _draw_marks(sheet, below, slots, layout)
    _draw_key(sheet, below, layout)
    sheet.caption(layout.box.left + _MARGIN, layout.caption, lines)
    return sheet.ax


def _draw_ruler(sheet: style.Sheet, scale: PositionAxis, layout: DiagramLayout) -> None:
    """Draw the critical difference from the axis's left end."""
    if scale.ruler is None:
        return
    length, y = scale.ruler * scale.unit, layout.ruler + 4.0
    sheet.line([0, length], [y, y], width=1.4, gid="ruler")
    for end in (0.0, length):
        sheet.line([end, end], [y - 3.5, y + 3.5], width=1.4)
    sheet.text(length / 2, y - 9.0, scale.ruler_text, ha="center", gid="ruler-text")


def _draw_axis(sheet: style.Sheet, scale: PositionAxis, layout: DiagramLayout) -> None:
    """Draw the line of positions with ticks, its title and the better end."""
    y = layout.axis
    sheet.line([0, scale.width], [y, y], width=1.0, gid="axis")
    for tick, text in zip(
        scale.points(scale.ticks), style.tick_texts(scale.ticks), strict=True
    ):
        sheet.line([tick, tick], [y - 4.5, y], width=1.0)
        sheet.text(tick, y - 10.5, text, ha="center")
    arrow = "\N{LEFTWARDS ARROW} better"
    sheet.text(0, layout.heading, arrow, color=style.DIM, gid="better")
    taken = style.text_width(arrow) + style.text_width(scale.title) / 2
    middle = max(scale.width / 2, taken + 6.0)
    sheet.text(middle, layout.heading, scale.title, ha="center", gid="title")


def _draw_leaders(
    sheet: style.Sheet,
    scale: PositionAxis,
    columns: SideLabels,
    slots: Floats,
    layout: DiagramLayout,
) -> None:
    """Draw a line from each position to its label, none crossing another."""
    for i, (true, slot) in enumerate(
        zip(scale.points(scale.values), slots, strict=True)
    ):
        y, end = _label_place(i, columns, layout)
        sheet.line(
            [true, slot, slot, end],
            [layout.axis, layout.slots, y, y],
            width=0.7,
            color=style.LINE,
            solid_joinstyle="miter",
            zorder=4,
            gid=f"leader-{i + 1}",
        )


def _label_place(
    i: int, columns: SideLabels, layout: DiagramLayout
) -> tuple[float, float]:
    """Return the height of a label and where its line ends."""
    if i < columns.left:
        return layout.first_row + i * _ROW, layout.left
    # The worst stands on top, so that lines end before they meet.
    return layout.first_row + (len(columns.labels) - 1 - i) * _ROW, layout.right


def _draw_labels(
    sheet: style.Sheet, columns: SideLabels, layout: DiagramLayout
) -> None:
    """Write names and positions, the positions next to the lines."""
    sides = {-1: columns.width(slice(columns.left))[1]}
    sides[1] = columns.width(slice(columns.left, None))[1]
    for i, (label, number) in enumerate(
        zip(columns.labels, columns.numbers, strict=True)
    ):
        y, x = _label_place(i, columns, layout)
        side = -1 if i < columns.left else 1
        ha = "right" if side < 0 else "left"
        # Positions are aligned at their right ends on both sides.
        number_end = x - 4.0 if side < 0 else x + 4.0 + sides[1]
        sheet.text(
            number_end, y, number, ha="right", color=style.DIM, gid=f"number-{i + 1}"
        )
        sheet.text(
            x + side * (sides[side] + 11.0),
            y,
            label,
            ha=ha,
            weight=columns.weights[i],
            gid=f"label-{i + 1}",
        )


def _draw_bars(
    sheet: style.Sheet, below: Below, slots: Floats, layout: DiagramLayout
) -> None:
    """Draw the cliques: a dot at each member, and a gap where another line passes."""
    for row, bars in enumerate(below.rows):
        y = layout.slots + 8.0 + row * _BAR_ROW
        for members in bars:
            number = "-".join(str(i + 1) for i in members)
            x = slots[list(members)]
            others = sorted({*range(members[0], members[-1])} - {*members})
            sheet.line(
                x,
                [y] * len(x),
                width=_BAR,
                color=style.NOT_SHOWN,
                zorder=3,
                gid=f"bar-{number}",
            )
            sheet.line(
                slots[others],
                [y] * len(others),
                width=0.0,
                color="white",
                marker="s",
                size=_BAR + 1.0,
                zorder=3.1,
            )
            sheet.line(
                x,
                [y] * len(x),
                width=0.0,
                marker="o",
                size=4.0,
                zorder=5,
                gid=f"clique-{number}",
            )


def _draw_marks(
    sheet: style.Sheet, below: Below, slots: Floats, layout: DiagramLayout
) -> None:
    """Draw, with a control, a marker on each algorithm's line."""
    for i, filled in enumerate(below.filled):
        sheet.line(
            [slots[i]],
            [layout.slots + 8.0],
            width=0.0,
            marker="D" if filled is None else "o",
            size=5.6,
            markerfacecolor="white" if filled is False else style.INK,
            zorder=5,
            gid=f"mark-{i + 1}",
        )


def _draw_key(sheet: style.Sheet, below: Below, layout: DiagramLayout) -> None:
    """Draw the key of the markers."""
    for row, (marker, filled, text) in enumerate(below.key):
        x, y = layout.box.left + _MARGIN + 4.0, layout.key + row * _ROW
        sheet.line(
            [x],
            [y],
            width=0.0,
            marker=marker,
            size=5.6,
            markerfacecolor=style.INK if filled else "white",
        )
        sheet.text(x + 9.0, y, text, gid=f"key-{row + 1}")

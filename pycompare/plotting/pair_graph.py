"""The graph of pairs: lines join algorithms that do not differ significantly."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.methods.orders.cliques import significance_graph
from pycompare.methods.over_datasets.sign_grid import SignGridResult
from pycompare.plotting import style
from pycompare.plotting.describe import (
    adjustment_text,
    blocks_text,
    position_title,
    untested_text,
)
from pycompare.results.result import PairsResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.results.result import Pairs

_ROW = 32.0
_LEAST_WIDTH, _MOST_WIDTH = 90.0, 220.0  # half of the graph's
_DOT = 7.0
_LEADER = 12.0  # from the widest point of the graph to the labels
_LEAST_TEXT = 330.0  # width of a caption


@style.sized
def pair_graph(
    pairs: Pairs,
    *,
    alpha: float = 0.05,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw algorithms as dots, and a line between two that do not differ.

    Clockwise from the best, at the upper right; several metrics have no best and stay
    in the order of the data. Beside each name stands its mean rank or mean, or on how
    many data sets it wins.

    Parameters
    ----------
    pairs : Pairs
        All pairs of the algorithms.
    alpha : float
        A pair is joined unless ``p_adjusted <= alpha``; a pair that could not be tested
        is joined by a dashed line.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole, scaled to its present size; by default a new figure of a
        fitting size.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If pairs are missing (a control), or every ordered pair has a test of its own.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, Figures 6.1-6.6 (the
       captions of 6.1 and 6.2 are exchanged).
    """
    _require_all_pairs(pairs)
    joined = ~significance_graph(pairs, alpha)
    untested = np.isnan(pairs.square("p_adjusted"))
    values, meaning = node_values(pairs)
    order = pairs.order
    labels = style.short_labels(pairs.algorithms)
    plan = GraphLayout(
        labels=[labels[i] for i in order],
        values=[values[i] for i in order] if values else [],
        joined=joined[np.ix_(order, order)],
        untested=untested[np.ix_(order, order)],
        caption=_caption(pairs, alpha, joined, meaning),
    )
    with style.context():
        return _draw(plan, ax)


def _require_all_pairs(pairs: Pairs) -> None:
    """Reject comparisons that leave pairs out or have two tests of one."""
    a = len(pairs.algorithms)
    m = a * (a - 1) // 2
    if pairs.control is not None or len(pairs.as_columns()) != m:
        control = f", with {pairs.control!r} as control" if pairs.control else ""
        raise InputError(
            f"this picture needs one two-sided test of each of {m} pairs of {a} "
            f"algorithms, and the table has {len(pairs.as_columns())} rows{control}"
        )


def node_values(pairs: Pairs) -> tuple[list[str], str]:
    """Return what stands below each name, and the meaning of it."""
    if isinstance(pairs, SignGridResult):
        table = pairs.wins
        if table.totals is None:
            won = table.counts().sum(axis=1).tolist()
            return [f"{n} wins" for n in won], "wins over all others together"
        return (
            [f"wins on {n}" for n in table.totals],
            f"data sets of {table.n_datasets} with a win over any other",
        )
    if not isinstance(pairs, PairsResult):
        return [], ""
    if (means := pairs.means_in_unit) is not None:
        return style.tick_texts(means), position_title(pairs)
    shown = style.tick_texts(np.asarray(pairs.held("positions"), float))
    return shown, f"{position_title(pairs)}, lower is better"


@dataclass(frozen=True, eq=False)
class GraphLayout:
    """The drawn parts, in the order around the graph."""

    labels: list[str]
    values: list[str]
    joined: NDArray[np.bool_]
    untested: NDArray[np.bool_]
    caption: list[str]


def places(a: int, widest: float = _MOST_WIDTH) -> tuple[Floats, Floats]:
    """Return dots on an ellipse, clockwise from the upper right, x right and y down.

    Rows have one height, so that labels never collide; no three dots lie on a line.
    """
    right = (a + 1) // 2
    left = a - right
    half = right * _ROW / 2
    wide = min(max(half, _LEAST_WIDTH), widest)
    down = -half + (np.arange(right) + 0.5) * _ROW
    up = half - (np.arange(left) + 0.5) * 2 * half / left
    y = np.concatenate([down, up])
    side = np.repeat([1.0, -1.0], [right, left])
    x = side * wide * np.sqrt(1 - (y / half) ** 2)
    return np.asarray(x, float), np.asarray(y, float)


def _draw(plan: GraphLayout, ax: Axes | None) -> Axes:
    """Draw the plan."""
    names = _label_width(plan, np.arange(len(plan.labels)) >= 0)
    fixed = 2 * (names + _LEADER + 4 + style.MARGIN)
    most = style.inner(2 * _MOST_WIDTH, fixed) / 2
    x, y = places(len(plan.labels), most)
    edge = float(np.abs(x).max()) + _LEADER
    right = x > 0
    sides = [edge + 4 + _label_width(plan, chosen) for chosen in (~right, right)]
    sides = [max(s, style.footnote_width(_LEAST_TEXT) / 2) for s in sides]
    lines = style.wrap_all(plan.caption, sum(sides))
    bottom = float(np.abs(y).max()) + _ROW / 2
    box = style.Box(
        left=-sides[0] - style.MARGIN,
        right=sides[1] + style.MARGIN,
        top=-bottom - style.MARGIN,
        bottom=bottom + 6 + style.caption_height(lines) + style.MARGIN,
    )
    sheet = style.open_sheet(ax, box, y_unit=1.0)
    _draw_lines(sheet, plan, x, y)
    _draw_labels(sheet, plan, x, y, edge)
    sheet.caption(-sides[0], bottom + 6, lines)
    return sheet.ax


def _label_width(plan: GraphLayout, chosen: NDArray[np.bool_]) -> float:
    """Return the width of the names and numbers on one side."""
    names = [plan.labels[i] for i in np.flatnonzero(chosen)]
    values = [plan.values[i] for i in np.flatnonzero(chosen)] if plan.values else [""]
    return 1.02 * max(style.widest(names), style.widest(values, style.SMALL))


def _draw_lines(sheet: style.Sheet, plan: GraphLayout, x: Floats, y: Floats) -> None:
    """Join pairs, then set the dots upon them."""
    for i, j in combinations(range(len(x)), 2):
        if plan.joined[i, j]:
            sheet.line(
                [x[i], x[j]],
                [y[i], y[j]],
                width=1.3,
                color=style.LINE if plan.untested[i, j] else style.BLUE,
                dashes=(3.0, 2.0) if plan.untested[i, j] else (None, None),
                gid=f"joined-{i + 1}-{j + 1}",
            )
    sheet.line(x, y, width=0, marker="o", size=_DOT, gid="algorithms")


def _draw_labels(
    sheet: style.Sheet, plan: GraphLayout, x: Floats, y: Floats, edge: float
) -> None:
    """Write names in two columns, each led to its dot."""
    for i, label in enumerate(plan.labels):
        side = 1.0 if x[i] > 0 else -1.0
        start = x[i] + side * _DOT
        if abs(start) < edge:
            sheet.line(
                [start, side * edge],
                [y[i], y[i]],
                width=0.6,
                color=style.FAINT,
                gid=f"leader-{i + 1}",
            )
        towards = "left" if side > 0 else "right"
        at = side * (edge + 4)
        up = 6.0 if plan.values else 0.0
        sheet.text(at, y[i] - up, label, gid=f"name-{i + 1}", ha=towards)
        if plan.values:
            sheet.text(
                at,
                y[i] + 6.0,
                plan.values[i],
                size=style.SMALL,
                color=style.DIM,
                gid=f"value-{i + 1}",
                ha=towards,
            )


def _caption(
    pairs: Pairs, alpha: float, joined: NDArray[np.bool_], meaning: str
) -> list[str]:
    """Return the meaning of lines and numbers, and how the pairs were tested."""
    upper = np.triu_indices(len(joined), 1)
    differ = int((~joined[upper]).sum())
    order = (
        "clockwise from the best, at the upper right"
        if isinstance(pairs, PairsResult)
        else "clockwise in the order of the data, from the upper right"
    )
    reading = (
        f"Lines join pairs without a significant difference at alpha = {alpha:g}; "
        f"{differ} of {len(upper[0])} pairs differ. Algorithms {order}."
    )
    numbers = f" Numbers: {meaning}." if meaning else ""
    source = f"{adjustment_text(pairs)}{blocks_text(pairs)}; {pairs.family}."
    dashed = untested_text(pairs)
    if dashed:
        dashed = f"{dashed} Dashed lines join them."
    return [reading + numbers, style.printable(source), dashed]

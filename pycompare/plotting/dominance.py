"""Who is significantly better than whom, as a Hasse diagram."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pycompare.methods.orders.dominance import Dominance, dominance_order
from pycompare.plotting import style
from pycompare.plotting.describe import adjustment_text, blocks_text, untested_text
from pycompare.plotting.pair_graph import node_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.results.result import Pairs

_GAP = 16.0  # between nodes of a row
_BETWEEN = 34.0  # between rows, where lines run
_PAD = 5.0  # inside a node
_PASS = 8.0  # room for a line that passes a row
_NAME_WIDTH = 22  # columns
_MOST_ACROSS = 760.0  # a wider row is broken
_LEAST_TEXT = 340.0
_SWEEPS = 6
_MOST_IMPLIED = 6  # pairs named in the caption


@style.sized
def dominance(
    pairs: Pairs,
    *,
    alpha: float = 0.05,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the partial order of significant dominance, better algorithms above.

    A line leads from an algorithm down to those that are significantly worse; implied
    edges are omitted.

    Parameters
    ----------
    pairs : Pairs
        All pairs, or comparisons with a control, of one metric, or sign tests over data
        sets.
    alpha : float
        Better means a better position (more wins) and ``p_adjusted <= alpha``.
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
        Sign tests can state that A beats B, B beats C and C beats A: the algorithms of
        such a circle stand together in one dashed node. If a path joins two
        algorithms that do not differ significantly separately, the caption names
        them.

    Raises
    ------
    InputError
        If the pairs do not show who is better (``pc.hotelling_pairs``).
    """
    order = dominance_order(pairs, alpha=alpha)
    labels = dict(
        zip(
            pairs.algorithms,
            style.short_labels(pairs.algorithms, _NAME_WIDTH),
            strict=True,
        )
    )
    values, meaning = node_values(pairs)
    numbers = dict(zip(pairs.algorithms, values, strict=True))
    nodes = [
        Node(
            lines=tuple(labels[name] for name in group),
            values=tuple(numbers[name] for name in group),
        )
        for group in order.groups
    ]
    rows = _laid_out(nodes, order)
    with style.context():
        return _draw(rows, nodes, _caption(pairs, alpha, order, labels, meaning), ax)


@dataclass(frozen=True, eq=False)
class Node:
    """A box of one algorithm, or of several that dominate each other in a circle.

    Attributes
    ----------
    lines, values : tuple of str
        Names, and the number that stands below each.
    """

    lines: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def width(self) -> float:
        """Width in points."""
        widest = max(style.widest(self.lines), style.widest(self.values, style.SMALL))
        return 1.02 * widest + 2 * _PAD

    @property
    def height(self) -> float:
        """Height in points."""
        return len(self.lines) * (style.SIZE + style.SMALL) * 1.3 + 2 * _PAD


@dataclass(eq=False)
class Item:
    """A place in a row: a node, or where a line passes.

    Attributes
    ----------
    node : int
        Number of the node, -1 where a line passes.
    width : float
    above, below : list of Item
        Items of the next rows that lines come from and lead to.
    x : float
        Middle in points.
    """

    node: int
    width: float
    above: list[Item] = field(default_factory=list)
    below: list[Item] = field(default_factory=list)
    x: float = 0.0


def _laid_out(nodes: list[Node], order: Dominance) -> list[list[Item]]:
    """Return the rows from top to bottom, items placed from left to right.

    Rows by longest paths, a place in every row that a line passes, few crossings by
    barycentres: Sugiyama, Tagawa and Toda (1981).
    """
    rows = [
        [Item(g, nodes[g].width) for g in part]
        for layer in order.layers
        for part in _broken(layer, nodes)
    ]
    depth = {item.node: d for d, row in enumerate(rows) for item in row}
    own = {item.node: item for row in rows for item in row}
    # All lines from one node pass a row at one place, and part behind it.
    passed: dict[tuple[int, int], Item] = {}
    for above, below in order.edges:
        last = own[above]
        for d in range(depth[above] + 1, depth[below]):
            if (above, d) not in passed:
                passed[above, d] = Item(-1, _PASS)
                rows[d].append(passed[above, d])
                _join(last, passed[above, d])
            last = passed[above, d]
        _join(last, own[below])
    _place(rows)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else rows[::-1]:
            row.sort(key=lambda item: _barycentre(item, downwards))
        _place(rows)
    return rows


def _broken(layer: tuple[int, ...], nodes: list[Node]) -> list[list[int]]:
    """Break a layer into rows that are not too wide."""
    parts: list[list[int]] = [[]]
    most = style.inner(_MOST_ACROSS, 2 * style.MARGIN)
    across = 0.0
    for g in layer:
        across += nodes[g].width + _GAP
        if parts[-1] and across > most:
            parts.append([])
            across = nodes[g].width + _GAP
        parts[-1].append(g)
    return parts


def _join(above: Item, below: Item) -> None:
    """Let a line lead from one item to one in the next row."""
    above.below.append(below)
    below.above.append(above)


def _place(rows: list[list[Item]]) -> None:
    """Place the items of each row side by side, the row in the middle."""
    for row in rows:
        across = sum(item.width for item in row) + _GAP * (len(row) - 1)
        left = -across / 2
        for item in row:
            item.x = left + item.width / 2
            left += item.width + _GAP


def _barycentre(item: Item, downwards: bool) -> float:
    """Return the mean place of the neighbours; its own without any."""
    others = item.above if downwards else item.below
    return float(np.mean([other.x for other in others])) if others else item.x


def _draw(
    rows: list[list[Item]], nodes: list[Node], text: list[str], ax: Axes | None
) -> Axes:
    """Draw the rows, the lines between them, and the caption."""
    tops, heights = [], []
    top = 0.0
    for row in rows:
        heights.append(max(nodes[i.node].height for i in row if i.node >= 0))
        tops.append(top)
        top += heights[-1] + _BETWEEN
    bottom = top - _BETWEEN
    half = max(row[-1].x + row[-1].width / 2 for row in rows)
    half = max(half, style.footnote_width(_LEAST_TEXT) / 2)
    lines = style.wrap_all(text, 2 * half)
    box = style.Box(
        left=-half - style.MARGIN,
        right=half + style.MARGIN,
        top=-style.MARGIN,
        bottom=bottom + 8 + style.caption_height(lines) + style.MARGIN,
    )
    sheet = style.open_sheet(ax, box)
    _draw_edges(sheet, rows, nodes, tops, heights)
    for row, start in zip(rows, tops, strict=True):
        for item in row:
            if item.node >= 0:
                _draw_node(sheet, nodes[item.node], item, start)
    sheet.caption(-half, bottom + 8, lines)
    return sheet.ax


def _draw_edges(
    sheet: style.Sheet,
    rows: list[list[Item]],
    nodes: list[Node],
    tops: list[float],
    heights: list[float],
) -> None:
    """Draw lines from the foot of each item to the head of those below."""
    for d, row in enumerate(rows):
        for item in row:
            passing = item.node < 0
            foot = tops[d] + (heights[d] if passing else nodes[item.node].height)
            if passing:
                sheet.line(
                    [item.x, item.x], [tops[d], foot], color=style.LINE, gid="passing"
                )
            for other in item.below:
                sheet.line(
                    [item.x, item.x, other.x],
                    [foot, tops[d] + heights[d], tops[d + 1]],
                    width=1.0,
                    color=style.LINE,
                    gid=f"edge-{item.node + 1}-{other.node + 1}",
                )


def _draw_node(sheet: style.Sheet, node: Node, item: Item, top: float) -> None:
    """Draw a box, names and numbers."""
    left, right = item.x - node.width / 2, item.x + node.width / 2
    foot = top + node.height
    circle = len(node.lines) > 1
    sheet.line(
        [left, right, right, left, left],
        [top, top, foot, foot, top],
        width=0.9,
        dashes=(3.0, 2.0) if circle else (None, None),
        gid=f"node-{item.node + 1}",
    )
    step = (style.SIZE + style.SMALL) * 1.3
    for k, name in enumerate(node.lines):
        y = top + _PAD + k * step
        sheet.text(
            item.x,
            y + 0.65 * style.SIZE,
            name,
            ha="center",
            gid=f"name-{item.node + 1}-{k + 1}",
        )
        sheet.text(
            item.x,
            y + 1.3 * style.SIZE + 0.6 * style.SMALL,
            node.values[k],
            size=style.SMALL,
            color=style.DIM,
            ha="center",
            gid=f"value-{item.node + 1}-{k + 1}",
        )


def _caption(
    pairs: Pairs, alpha: float, order: Dominance, labels: dict[str, str], meaning: str
) -> list[str]:
    """Return how to read the picture and its limits."""
    reading = (
        f"A line leads from a significantly better algorithm down to a worse one "
        f"(p_adjusted <= {alpha:g}); implied lines are omitted. "
        f"Numbers: {meaning}."
    )
    if not order.edges:
        reading = f"No algorithm is significantly better. {reading}"
    source = f"{adjustment_text(pairs)}{blocks_text(pairs)}; {pairs.family}."
    circles = [g for g in order.groups if len(g) > 1]
    circle = ""
    if circles:
        circle = (
            "A dashed box holds algorithms that beat each other in a circle, so the "
            "tests give them no order."
        )
    return [
        reading,
        _implied_text(order, labels),
        circle,
        style.printable(source),
        untested_text(pairs),
    ]


def _implied_text(order: Dominance, labels: dict[str, str]) -> str:
    """Name the pairs that a path joins and no verdict."""
    if not order.implied:
        return ""
    shown = "; ".join(
        f"{labels[i]} above {labels[j]}" for i, j in order.implied[:_MOST_IMPLIED]
    )
    more = len(order.implied) - _MOST_IMPLIED
    return (
        f"Joined by a path, although not significantly different themselves: {shown}"
        + (f"; and {more} more pairs." if more > 0 else ".")
    )

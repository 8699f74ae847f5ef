"""The critical difference diagram of narrow pages: a row for each algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycompare.plotting import style
from pycompare.plotting.critical_difference import (
    bars_below,
    position_axis,
    side_labels,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.results.result import PairsResult

_ROW, _TOP = 22.0, 38.0
_BAR, _LANE = 5.0, 12.0
_NAMES, _NUMBER, _END = 0.36, 34.0, 8.0
"""Share of the width that names take at most; room of a number and at the end."""


def rank_rows(pairs: PairsResult, *, alpha: float) -> Axes:
    """Draw the position of each algorithm in a row, best on top.

    Upright bars join algorithms that do not differ significantly; a dot marks every
    member, and a bar opens beside an algorithm that is none.
    """
    with style.context():
        columns, bars = side_labels(pairs), bars_below(pairs, alpha).rows
        width = style.inner(276.0, 0.0, 200.0)
        names = style.within(columns.labels, _NAMES * width)
        left = style.widest(names) * 1.02 + 16.0
        right = width - _END - _LANE * len(bars) - _NUMBER
        scale = position_axis(pairs, None, right - left)
        height = _TOP + _ROW * len(names)
        ax = style.new_axes(width, height, (0.0, 0.0, 1.0, 1.0))
        ax.set(xlim=(0.0, width), ylim=(height, 0.0))
        ax.axis("off")
        _text(ax, left, 8.0, scale.title, style.DIM)
        ticks = scale.points(scale.ticks)
        for x, text in zip(ticks, style.tick_texts(scale.ticks), strict=True):
            ends = [left + x, left + x]
            ax.plot(ends, [_TOP - 6.0, height], color=style.FAINT, linewidth=0.7)
            _text(ax, left + x, _TOP - 14.0, text, style.DIM, ha="center")
        middles = [_TOP + _ROW * (i + 0.5) for i in range(len(names))]
        for y, x, name, number in zip(
            middles, scale.points(scale.values), names, columns.numbers, strict=True
        ):
            _text(ax, 0.0, y, name, style.INK)
            ax.plot([left + x], [y], "o", color=style.INK, markersize=5.5)
            _text(ax, left + x + 7.0, y, number, style.DIM)
        for lane, row in enumerate(bars):
            for members in row:
                at = width - _END - _LANE * (len(bars) - lane - 0.5)
                _bar(ax, at, members, middles)
    return ax


def _bar(ax: Axes, x: float, members: tuple[int, ...], middles: list[float]) -> None:
    """Draw a bar over its members, open beside algorithms that are none."""
    ends = [middles[members[0]] - 4.0]
    for i in range(members[0], members[-1]):
        if i not in members:
            ends += [middles[i] - 6.0, middles[i] + 6.0]
    ends.append(middles[members[-1]] + 4.0)
    for top, bottom in zip(ends[::2], ends[1::2], strict=True):
        ax.plot(
            [x, x],
            [top, bottom],
            color=style.NOT_SHOWN,
            linewidth=_BAR,
            solid_capstyle="butt",
        )
    at = [middles[i] for i in members]
    ax.plot([x] * len(at), at, "o", color=style.INK, markersize=3.5, zorder=3)


def _text(ax: Axes, x: float, y: float, text: str, color: str, **options: Any) -> None:
    ax.text(x, y, text, color=color, va="center", parse_math=False, **options)

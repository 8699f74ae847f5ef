"""Estimates with their intervals, one row each, and the line of no difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ForestLine = tuple[str, float, tuple[float, float] | None, bool | None]
"""Name, estimate, limits, and whether it is significant; None: not tested."""
_HEIGHT = 17.0
_BEYOND = 0.12
"""How far open intervals reach beyond all numbers, as a share of their range."""


def forest(
    rows: Sequence[ForestLine],
    title: str,
    *,
    null: float = 0.0,
    band: tuple[float, float] | None = None,
) -> Axes:
    """Draw one row per estimate: filled and blue if significant, else hollow and grey.

    A small grey dot describes and is not tested.

    ``null`` is the estimate of no difference: 0, 1/2 of shares, or 1 of ratios, which
    have a logarithmic axis. ``band`` is a margin.
    """
    names = style.short_labels([name for name, *_ in rows])
    ends = _open_ends(rows, null, band)
    with style.context():
        ax = style.open_rows(None, names, title, [], row=_HEIGHT)
        if null == 1:
            ax.set_xscale("log")
        if band is not None:
            low, high = _closed(band, ends, null)
            ax.axvspan(
                low, high, color=style.MARGIN_BAND, linewidth=0, zorder=0, gid="band"
            )
        ax.axvline(null, color=style.INK, linewidth=1.0, zorder=1, gid="no-difference")
        for at, (_, estimate, limits, shown) in enumerate(rows):
            describes = shown is None
            color = style.BLUE if shown else style.NOT_SHOWN
            color = style.DIM if describes else color
            if limits is not None and not any(map(math.isnan, limits)):
                closed = _closed(limits, ends, null)
                ax.plot(closed, [at, at], color=color, linewidth=2.2, zorder=2)
                for x, limit, tip in zip(closed, limits, "<>", strict=True):
                    if x != limit:
                        ax.plot([x], [at], tip, color=color, markersize=5.0, zorder=2)
            ax.plot(
                [estimate],
                [at],
                "o",
                color=color,
                markerfacecolor=color if shown or describes else "white",
                markersize=3.5 if describes else 6.0,
                zorder=3,
            )
        ax.autoscale_view(scaley=False)
        if null == 1:
            style.ticks_of_ratios(ax)
    return ax


def _open_ends(
    rows: Sequence[ForestLine], null: float, band: tuple[float, float] | None
) -> tuple[float, float]:
    """Return where intervals end that have no limit: a little beyond all numbers."""
    numbers = [null, *(band or ())]
    for _, estimate, limits, _ in rows:
        numbers += [estimate, *(limits or ())]
    known = [x for x in numbers if math.isfinite(x) and (null != 1 or x > 0)]
    low, high = min(known), max(known)
    if null == 1:
        factor = (high / low) ** _BEYOND
        return low / factor, high * factor
    pad = _BEYOND * (high - low)
    return low - pad, high + pad


def _closed(
    limits: tuple[float, float], ends: tuple[float, float], null: float
) -> tuple[float, float]:
    """Return limits of which an open one lies at the end of the axis.

    No ratio is below 0, so that an interval of ratios is open if it ends in 0.
    """
    low, high = limits
    open_low = 0.0 if null == 1 else -math.inf
    return (
        ends[0] if low in (-math.inf, open_low) else low,
        ends[1] if high == math.inf else high,
    )

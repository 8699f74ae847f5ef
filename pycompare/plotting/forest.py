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
    with style.context():
        ax = style.open_rows(None, names, title, [], row=_HEIGHT)
        if null == 1:
            ax.set_xscale("log")
        if band is not None:
            ax.axvspan(
                *band, color=style.MARGIN_BAND, linewidth=0, zorder=0, gid="band"
            )
        ax.axvline(null, color=style.INK, linewidth=1.0, zorder=1, gid="no-difference")
        for at, (_, estimate, limits, shown) in enumerate(rows):
            describes = shown is None
            color = style.BLUE if shown else style.NOT_SHOWN
            color = style.DIM if describes else color
            if limits is not None and all(map(math.isfinite, limits)):
                ax.plot(limits, [at, at], color=color, linewidth=2.2, zorder=2)
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
    return ax

"""Ranks with their simultaneous confidence sets, one row per algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.orders.rank_sets import RankSets


@style.sized
def rank_intervals(
    rank_sets: RankSets,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the confidence set of each algorithm's rank, the best on top.

    Parameters
    ----------
    rank_sets : RankSets
        What ``pc.rank_sets`` returns.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the rank, row i is at y = i. By default a new figure.

    Returns
    -------
    Axes
        Bars are confidence sets, dark if they contain rank 1; dots are ranks.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> ax = plotting.rank_intervals(pc.rank_sets(pc.max_t(pc.example(), on="ranks")))
    >>> ax.get_xlabel()
    'rank, 1 is best'
    """
    rows = rank_sets.as_columns()
    labels = style.short_labels(tuple(rows["algorithm"]))
    with style.context():
        ax = style.open_rows(
            ax, labels, "rank, 1 is best", _caption(rank_sets), row=20.0
        )
        at = np.arange(len(rows))
        low, high = np.asarray(rows["rank_low"]), np.asarray(rows["rank_high"])
        first = low == 1
        for chosen, color, name in (
            (first, style.INK, "may be best"),
            (~first, style.LINE, "others"),
        ):
            bars = ax.hlines(
                at[chosen], low[chosen], high[chosen], color=color, linewidth=4.0
            )
            bars.set_gid(name)
            bars.set_capstyle("round")
        ax.plot(
            rows["rank"],
            at,
            "o",
            markerfacecolor="white",
            markeredgecolor=style.INK,
            markersize=5.0,
            gid="ranks",
        )
        ax.set_xlim(0.5, len(rows) + 0.5)
    return ax


def _caption(rank_sets: RankSets) -> list[str]:
    """Describe bars and dots."""
    return [
        f"Dots: ranks. Bars: {100 * (1 - rank_sets.alpha):g}% confidence "
        f"sets, dark if they contain rank 1.",
        f"{rank_sets.method}; adjusted: {rank_sets.adjust}.",
    ]

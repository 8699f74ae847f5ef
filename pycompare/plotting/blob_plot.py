"""Ranks of resampled challenges, beside sets of ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.tables import Columns
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.cases.challenge import ChallengeResult

_ROW, _LARGEST = 24.0, 17.0
"""Height of a row, and the diameter of the blob of all resamples, in points."""
_END = 0.28
"""Half the height of a bracket, in rows."""


@style.sized
def blob_plot(
    result: ChallengeResult,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw how often each algorithm has each rank in resamples, and its set of ranks.

    Parameters
    ----------
    result : ChallengeResult
        From ``pc.challenge``.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the rank, row i is at y = i. By default a new figure.

    Returns
    -------
    Axes
        Algorithms in the order of the ranking. The area of a blob is the share of
        resamples; a cross is the rank; brackets are the confidence set of the rank, if
        the quantity has a test.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> ranked = pc.challenge(pc.example(), ranking="rank-then-aggregate")
    >>> ax = plotting.blob_plot(ranked)
    >>> ax.get_xlabel()
    'rank, 1 is best'
    """
    order, table = result.order, result.as_columns()
    names = [result.scores.algorithms[at] for at in order]
    rows = {name: row for row, name in enumerate(names)}
    drawn = Columns.of(result.held("resampled"))
    with style.context():
        ax = style.open_rows(
            ax,
            style.short_labels(names),
            "rank, 1 is best",
            _caption(result),
            row=_ROW,
        )
        ax.scatter(
            drawn["rank"],
            [rows[name] for name in drawn["algorithm"].tolist()],
            s=_LARGEST**2 * np.asarray(drawn["share"], float),
            color=style.FAINT,
            edgecolors=style.LINE,
            linewidths=0.4,
            gid="resamples",
        )
        ax.plot(
            np.asarray(table["rank"], float)[order],
            np.arange(len(order)),
            "x",
            color=style.INK,
            markersize=4.5,
            gid="ranks",
        )
        if result.sets is not None:
            _draw_sets(ax, result)
        ax.set_xlim(0.4, len(order) + 0.6)
    return ax


def _draw_sets(ax: Axes, result: ChallengeResult) -> None:
    """Draw brackets around the sets of ranks."""
    table = result.as_columns()
    for row, at in enumerate(result.order):
        for side, name in ((-1, "rank_low"), (1, "rank_high")):
            x = float(table[name][at]) + 0.3 * side
            ax.plot(
                [x - 0.1 * side, x, x, x - 0.1 * side],
                [row - _END, row - _END, row + _END, row + _END],
                color=style.BLUE,
                linewidth=1.2,
                gid=f"{name}-{row + 1}",
            )


def _caption(result: ChallengeResult) -> list[str]:
    """Describe blobs, crosses and brackets."""
    n = counted(result.n_resamples, "resample")
    told = [f"Blobs: shares of {n} of cases with each rank. Crosses: ranks."]
    if result.sets is not None:
        level = f"{100 * (1 - result.alpha):g}%"
        by = f"{result.sets.method}; adjusted: {result.sets.adjust}"
        told.append(f"Brackets: simultaneous {level} sets of ranks ({by}).")
    return [" ".join(told)]

"""Ranks of each algorithm over the cases of a challenge, one bar per algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.typing import Floats
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.cases.challenge import ChallengeResult

_ROW = 19.0
_DARK, _LIGHT = 0.33, 0.93
_LEAST_NAMED = 0.08
"""Shares whose part of the bar has room for the rank."""


@style.sized
def podium(
    result: ChallengeResult,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of cases on which each algorithm has each rank.

    Parameters
    ----------
    result : ChallengeResult
        From ``pc.challenge``; over tasks each case has the weight of its task over the
        number of its cases.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the share of cases, row i is at y = i. By default a new figure.

    Returns
    -------
    Axes
        Algorithms in the order of the ranking. From the left: rank 1 (dark) to the last
        rank (light); ties have the rank between.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> ranked = pc.challenge(pc.example(), ranking="rank-then-aggregate")
    >>> ax = plotting.podium(ranked)
    >>> ax.get_xlabel()
    'share of cases'
    """
    ranks, weights = _case_ranks(result)
    order = result.order
    labels = style.short_labels([result.scores.algorithms[at] for at in order])
    known = np.unique(ranks)
    with style.context():
        ax = style.open_rows(ax, labels, "share of cases", _caption(result), row=_ROW)
        starts = np.zeros(len(order))
        for rank in known.tolist():
            lengths = weights @ (ranks[:, order] == rank)
            _draw(ax, starts, lengths, rank, ranks.shape[1])
            starts = starts + lengths
        ax.set_xlim(0.0, 1.0)
    return ax


def _draw(ax: Axes, starts: Floats, lengths: Floats, rank: float, last: int) -> None:
    """Draw one rank of all algorithms."""
    at = 0.0 if last == 1 else (rank - 1) / (last - 1)
    grey = _DARK + (_LIGHT - _DARK) * at
    bars = ax.barh(
        np.arange(len(starts)),
        lengths,
        left=starts,
        height=0.72,
        color=str(round(grey, 3)),
        edgecolor="white",
        linewidth=0.4,
    )
    for row, bar in enumerate(bars):
        bar.set_gid(f"rank-{rank:g}-{row}")
    for row, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        if length >= _LEAST_NAMED:
            ax.text(
                start + length / 2,
                row,
                f"{rank:g}",
                color="white" if grey < 0.6 else style.INK,
                ha="center",
                va="center_baseline",
                fontsize=style.SMALL,
                gid=f"number-{rank:g}-{row + 1}",
            )


def _case_ranks(result: ChallengeResult) -> tuple[Floats, Floats]:
    """Return the ranks within cases, and the weight of each case."""
    tasks = result.held_tasks
    ranks = np.vstack([task.ranks for task in tasks.each])
    weights = np.concatenate(
        [
            np.full(len(task.rows), weight / len(task.rows))
            for task, weight in zip(tasks.each, tasks.weights, strict=True)
        ]
    )
    return ranks, weights


def _caption(result: ChallengeResult) -> list[str]:
    """Describe the bars."""
    n = counted(result.n_cases, "case")
    return [
        f"Share of {n} on which each algorithm has each rank, from 1 (dark) on; "
        "algorithms in the order of the ranking. Ties have the rank between."
    ]

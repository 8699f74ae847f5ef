"""Performance profiles: how often an algorithm is within a distance of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.data.blocks import complete_blocks
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.scores import Scores

_MOST_STEPS = 250
"""Blocks whose steps are drawn: of more, a step is lower than a line is thick."""


@style.sized
def performance_profiles(
    scores: Scores,
    *,
    metric: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw for each algorithm the share of blocks within a distance of the best score.

    Parameters
    ----------
    scores : Scores
        Complete table.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into. By default a new figure.

    Returns
    -------
    Axes
        x is the difference from the best score of the block, in the metric's own unit;
        y the share of blocks in which an algorithm is no farther from it. At x = 0 it
        is the share of blocks in which an algorithm is best.

    Raises
    ------
    DesignError
        If cells are missing.

    Notes
    -----
    Dolan and More's profiles have ratios to the best, which need scores above 0; these
    have differences. A profile describes; it tests nothing. Of more than 250 blocks
    the steps, lower than the line is thick, are joined by straight lines.

    References
    ----------
    .. [1] Dolan, E. D., More, J. J. (2002). Math. Program. 91, 201-213.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> ax = plotting.performance_profiles(pc.example())
    >>> ax.get_ylabel()
    'share of blocks'
    """
    blocks = complete_blocks(scores, metric, None, method="performance_profiles")
    units = style.units_of(scores.column(metric))
    behind = blocks.values - blocks.values.min(axis=1, keepdims=True)
    marks = panel.marks(blocks.algorithms)
    name = style.shorten(style.printable(blocks.metric.name), style.LABEL_WIDTH)
    title = f"difference from the best {name}{units.text}"
    with style.context():
        ax = panel.open_panel(
            ax, title, "share of blocks", _caption(len(behind)), marks
        )
        end = 1.05 * float(units.lengths(behind.max())) or 1.0
        for i, mark in enumerate(marks):
            x = np.sort(units.lengths(behind[:, i]))
            share = np.arange(1, len(x) + 1) / len(x)
            ax.plot(
                [0.0, *x, end],
                [0.0, *share, 1.0],
                drawstyle="steps-post" if len(x) <= _MOST_STEPS else "default",
                color=mark.color,
                linewidth=1.2,
                gid=f"profile-{i + 1}",
            )
            panel.marks_along(ax, x, share, mark, f"marks-{i + 1}")
        ax.set_xlim(0.0, end)
        ax.set_ylim(0.0, 1.02)
    return ax


def _caption(n: int) -> list[str]:
    return [
        f"{n} blocks. Share of them in which an algorithm is no farther from the best "
        f"score than x; at 0, in which it is best."
    ]

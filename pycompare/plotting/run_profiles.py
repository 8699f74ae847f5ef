"""Performance profiles of runs, with bands for all scores together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.formatting.numbers import percent
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.agents.profiles import RunProfiles

_MOST_BANDS = 8
"""With more algorithms no band is visible."""


@style.sized
def run_profiles(
    result: RunProfiles,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of runs that are better than each score, with its band.

    Parameters
    ----------
    result : RunProfiles
        From ``pc.run_profiles``.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into. By default a new figure.

    Returns
    -------
    Axes
        x is the score in the metric's unit, y the share of runs that are better. Of
        more than 8 algorithms the bands are left out.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> rows = [
    ...     {"agent": agent, "task": task, "run": run, "return": level + 0.1 * run}
    ...     for agent, level in {"A": 0.5, "B": 0.7}.items()
    ...     for task in ("pong", "freeway")
    ...     for run in range(3)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="agent", block="task", replicate="run",
    ...     metrics={"return": "higher"},
    ... )
    >>> ax = plotting.run_profiles(pc.run_profiles(scores, draws=500))
    >>> ax.get_ylabel()
    'share of runs that are better'
    """
    table = result.as_columns()
    units = style.units_of(table["score"])
    name = style.shorten(style.printable(result.metric), style.LABEL_WIDTH)
    title = f"{name}{units.text}, {result.better} is better"
    marks = panel.marks(result.algorithms)
    with style.context():
        ax = panel.open_panel(
            ax, title, "share of runs that are better", _caption(result), marks
        )
        for i, mark in enumerate(marks):
            own = np.flatnonzero(table["algorithm"] == result.algorithms[i])
            x = units.values(table["score"][own])
            share, low, high = (
                np.asarray(table[name][own], float)
                for name in ("estimate", "conf_low", "conf_high")
            )
            if len(marks) <= _MOST_BANDS and not np.isnan(low).any():
                band = ax.fill_between(
                    x, low, high, step="post", color=mark.color, alpha=0.15, linewidth=0
                )
                band.set_gid(f"band-{i + 1}")
            ax.plot(
                [x[0], *x],
                [1.0, *share],
                drawstyle="steps-post",
                color=mark.color,
                linewidth=1.2,
                gid=f"profile-{i + 1}",
            )
            panel.marks_along(ax, x, share, mark, f"marks-{i + 1}")
        ax.set_ylim(0.0, 1.02)
    return ax


def _caption(result: RunProfiles) -> list[str]:
    """Describe lines and bands."""
    text = (
        f"Lines: share of runs on {result.n_tasks} tasks that are better than a score; "
        "each task has the same weight."
    )
    if len(result.algorithms) > _MOST_BANDS:
        return [text]
    return [
        f"{text} Bands: {percent(result.level)} confidence for all scores together, "
        "of each algorithm separately, for new runs on these tasks."
    ]

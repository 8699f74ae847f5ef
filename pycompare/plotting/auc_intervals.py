"""Intervals of AUCs side by side, as in Aslan (2009), Fig. 3.5."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.results.result import Estimate

_ROW = 17.0


@style.sized
def auc_intervals(
    intervals: Mapping[str, Sequence[Estimate]],
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw several intervals of each algorithm's AUC.

    Parameters
    ----------
    intervals : mapping of str to sequence of Estimate
        By algorithm: ``pc.auc_intervals(...).intervals``, and others such as
        ``pc.cv_auc(...)``. One without limits is drawn as a point.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the AUC, row i at y = i. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If there is nothing to draw, or there are more algorithms than marks.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, Fig. 3.5.
    """
    rows = [
        (j, estimate) for j, own in enumerate(intervals.values()) for estimate in own
    ]
    if not rows:
        raise InputError("there are no intervals to draw")
    marks = panel.marks(list(intervals))
    labels, last = [], -1
    for j, estimate in rows:
        method = style.shorten(estimate.method, 2 * style.LABEL_WIDTH)
        labels.append(f"{marks[j].label}: {method}" if j != last else method)
        last = j
    levels = sorted({estimate.level for _, estimate in rows})
    level = " and ".join(map(percent, levels))
    caption = (
        f"Dot: AUC, or mean AUC of folds; line: {level} interval. A dot alone has an "
        "interval that is undefined. Overlap of two algorithms' intervals is no test."
    )
    with style.context():
        ax = style.open_rows(ax, labels, "AUC, higher is better", [caption], row=_ROW)
        for row, (j, estimate) in enumerate(rows):
            _draw_interval(ax, row, estimate, marks[j])
            if row and rows[row - 1][0] != j:
                ax.axhline(row - 0.5, color=style.FAINT, linewidth=0.6, zorder=0)
        ax.margins(x=0.04)
        ax.autoscale_view(scaley=False)
    return ax


def _draw_interval(ax: Axes, row: int, estimate: Estimate, mark: panel.Mark) -> None:
    """Draw one interval with its estimate."""
    if not math.isnan(estimate.conf_low):
        ax.plot(
            [estimate.conf_low, estimate.conf_high],
            [row, row],
            color=mark.color,
            linewidth=1.6,
            solid_capstyle="butt",
            gid=f"interval-{row + 1}",
        )
    ax.plot(
        [estimate.estimate],
        [row],
        marker=mark.marker,
        markersize=4.6,
        color=mark.color,
        linestyle="none",
        gid=f"estimate-{row + 1}",
    )

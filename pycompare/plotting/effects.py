"""Effects plot: estimates of a linear model with intervals, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.methods.models.emmeans import Contrasts, MarginalMeans
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 60


@style.sized
def effects(
    estimates: MarginalMeans | Contrasts,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw marginal means, slopes or contrasts with their intervals.

    Parameters
    ----------
    estimates : MarginalMeans or Contrasts
        From ``linear_model(...).emmeans``, ``.slopes`` or ``.contrasts``.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the estimate, row i is at y = i. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If there are more rows than a picture can hold.

    Notes
    -----
    R: ``plot(emmeans::emmeans(fit, ...))``.
    """
    table = estimates.as_columns()
    if len(table) > MOST_ROWS:
        raise InputError(f"{len(table)} rows: draw {MOST_ROWS} at most")
    contrasts = isinstance(estimates, Contrasts)
    title = (
        estimates.means.response
        if isinstance(estimates, Contrasts)
        else estimates.response
    )
    low, x, high = (
        table[name].astype(float) for name in ("conf_low", "estimate", "conf_high")
    )
    zero = [np.zeros(1)] if contrasts else []
    units = style.units_of(low, x, high, *zero)
    label = f"{_axis_title(title, estimates)}{units.text}"
    with style.context():
        ax = style.open_rows(
            ax, _row_labels(estimates), label, _caption(estimates), row=18.0
        )
        if contrasts:
            zero_line = float(units.values(zero[0])[0])
            ax.axvline(zero_line, color=style.FAINT, linewidth=0.8, gid="zero")
        rows = np.arange(len(x))
        ax.hlines(
            rows, units.values(low), units.values(high), color=style.INK,
            linewidth=1.4, gid="intervals",
        )  # fmt: skip
        ax.plot(
            units.values(x), rows, "o", color=style.INK, markersize=5.0, gid="estimates"
        )
    return ax


def _axis_title(response: str, estimates: MarginalMeans | Contrasts) -> str:
    name = style.shorten(style.printable(response), style.LABEL_WIDTH)
    if isinstance(estimates, Contrasts):
        return f"Difference in {name}"
    return f"Slope of {name}" if estimates.slope else f"Mean of {name}"


def _row_labels(estimates: MarginalMeans | Contrasts) -> list[str]:
    """Return the levels of each row, or its contrast."""
    table = estimates.as_columns()
    known = list(table)[: list(table).index("estimate")]
    parts = (row.values() for row in table.only(known).records())
    return style.short_labels([", ".join(map(str, row)) or "all" for row in parts])


def _caption(estimates: MarginalMeans | Contrasts) -> list[str]:
    if isinstance(estimates, Contrasts):
        return [f"Intervals: {estimates.interval}, over {estimates.family}."]
    what = "slope" if estimates.slope else "mean"
    return [
        f"Intervals: {100 * estimates.level:g}%, each for its own {what}; overlap is "
        "no test of a difference."
    ]

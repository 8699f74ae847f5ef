"""Mean ranks with intervals whose overlap shows who differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import number
from pycompare.base.typing import Floats
from pycompare.methods.orders.cliques import by_position
from pycompare.plotting import style
from pycompare.plotting.describe import (
    adjustment_text,
    blocks_text,
    position_title,
    require_positions,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.results.result import PairsResult


@style.sized
def mean_ranks(
    pairs: PairsResult,
    *,
    alpha: float | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw mean ranks, best on top, with intervals made for comparing them.

    Each interval reaches half as far as the simultaneous interval of a difference, so
    that two algorithms differ by those intervals exactly if their own do not overlap.
    It is no interval for a mean rank separately.

    Parameters
    ----------
    pairs : PairsResult
        All pairs, with one standard error for all differences.
    alpha : float, optional
        1 - ``pairs.level``, which the intervals were made for; another is rejected.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the position, row i is at y = i. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If the standard errors differ or there is a control: no single interval per
        algorithm then shows which pairs differ. If ``alpha`` is not that of the
        intervals, or a position is not finite.

    References
    ----------
    .. [1] Hochberg, Y., Tamhane, A. C. (1987). Multiple Comparison Procedures,
       ch. 3, sec. 4.2 (uncertainty intervals).
    """
    require_positions(pairs)
    _check_level(pairs, alpha)
    half = _half_width(pairs)
    order = by_position(pairs)
    labels = style.short_labels(pairs.algorithms)
    positions = np.asarray(pairs.held("positions"), float)[order]
    units = style.units_of(positions - half, positions, positions + half)
    title = f"{position_title(pairs)}{units.text}, lower is better"
    with style.context():
        ax = style.open_rows(
            ax, [labels[i] for i in order], title, _caption(pairs, half), row=20.0
        )
        _draw_rows(ax, units.values(positions), float(units.lengths(half)))
    return ax


def _draw_rows(ax: Axes, x: Floats, reach: float) -> None:
    """Draw a guide, an interval and a dot per row."""
    rows = np.arange(len(x))
    ax.hlines(
        rows, 0, 1, transform=ax.get_yaxis_transform(), color=style.FAINT, linewidth=0.6
    )
    if np.isfinite(reach):
        _, _, (bars,) = ax.errorbar(
            x,
            rows,
            xerr=reach,
            fmt="none",
            ecolor=style.INK,
            elinewidth=1.4,
            capsize=3.0,
        )
        bars.set_gid("intervals")
    ax.plot(x, rows, "o", color=style.INK, markersize=5.0, gid="positions")


def _check_level(pairs: PairsResult, alpha: float | None) -> None:
    """Reject an error rate that the intervals were not made for."""
    if alpha is not None and not np.isclose(alpha, 1 - pairs.level, rtol=1e-9):
        raise InputError(
            f"alpha={alpha}, and the intervals were made for level={pairs.level:g}; "
            f"compare again with level={1 - alpha:g}, or leave alpha out"
        )


def _half_width(pairs: PairsResult) -> float:
    """Return half of half the simultaneous interval's width; NaN if there is none."""
    if pairs.control is not None:
        raise InputError(
            f"intervals whose overlap shows significance need all pairs, and these "
            f"compare the control {pairs.control!r} with the others; draw "
            "critical_difference instead"
        )
    errors = pairs.as_columns()["std_error"]
    if np.isnan(errors).all():
        return float("nan")
    if np.isnan(errors).any() or np.ptp(errors) > 1e-9 * errors.max():
        raise InputError(
            f"the standard errors of the differences run from {np.nanmin(errors):.4g} "
            f"to {np.nanmax(errors):.4g}: overlap of one interval per algorithm "
            "would not show significance; draw critical_difference or p_matrix instead"
        )
    widths = pairs.as_columns()["conf_high"] - pairs.as_columns()["conf_low"]
    return float(widths.mean()) / 4


def _caption(pairs: PairsResult, half: float) -> list[str]:
    """Return the meaning of the intervals, and what else was computed."""
    source = f"{adjustment_text(pairs)}{blocks_text(pairs)}."
    if np.isnan(half):
        return ["No intervals: the differences have no standard error.", source]
    name = pairs.interval_name
    reach = f"\N{PLUS-MINUS SIGN} {number(half, 4)}"
    reading = (
        f"Intervals that do not overlap: the two algorithms differ at alpha = "
        f"{1 - pairs.level:.6g} ({pairs.interval}); those that overlap do not, by this "
        f"criterion. Each interval is the position {reach}, half the reach of the "
        f"{name} of a difference. p-values that another method adjusts may give "
        f"other decisions."
    )
    return [reading, source]

"""Power over the size of a study: formula, and simulation with its band."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.sizes.planned_power import PlannedPower
    from pycompare.sizes.power import PowerResult


@style.sized
def power_curve(
    result: PowerResult | PlannedPower,
    *,
    target: float | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw power over size, with the Monte Carlo band of the simulated power.

    Parameters
    ----------
    result : PowerResult or PlannedPower
        From ``pc.power`` or ``pc.planned_power`` with two sizes or more.
    target : float, optional
        A power that is marked by a line.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        For a result of one size.
    """
    curves = result.curves()
    if not curves:
        raise InputError("nothing is true in the assumed truth that could be found")
    if len(set(next(iter(curves.values()))["n"])) < 2:
        raise InputError("a curve takes two sizes or more: n=[...]")
    marks = panel.marks(list(curves))
    with style.context():
        told = _caption(result, target)
        ax = panel.open_panel(ax, f"Number of {result.units}", "Power", told, marks)
        if target is not None:
            ax.axhline(target, color=style.LINE, linewidth=0.8, gid="target")
        for (name, curve), mark in zip(curves.items(), marks, strict=True):
            n, power, low, high = (
                np.asarray(curve[column], float)
                for column in ("n", "power", "conf_low", "conf_high")
            )
            if not np.isnan(low).all():
                ax.fill_between(
                    n, low, high, color=mark.color, alpha=0.2, linewidth=0, gid="band"
                )
            ax.plot(
                n, power, "-", marker=mark.marker, color=mark.color, markersize=4.0,
                linewidth=1.0, gid=name.lower().replace(" ", "-"),
            )  # fmt: skip
        ax.set_ylim(0, 1.02)
    return ax


def _caption(result: PowerResult | PlannedPower, target: float | None) -> list[str]:
    text = f"Power of {result.subject}."
    if result.studies:
        text += (
            f" Band: 95% Monte Carlo interval of {result.studies} simulated studies at "
            f"each size (seed {result.seed})."
        )
    line = [] if target is None else [f"Grey line: a power of {percent(target)}."]
    return [text, *line]

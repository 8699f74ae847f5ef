"""Power over the size of a study: formula, and simulation with its band."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.errors import InputError
from pycompare.formatting.numbers import percent
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.sample_size.power import PowerResult

_FORMULA, _SIMULATED = "By formula", "Simulated"


@style.sized
def power_curve(
    result: PowerResult,
    *,
    target: float | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw power over size, with the Monte Carlo band of the simulated power.

    Parameters
    ----------
    result : PowerResult
        From ``pc.power`` with two sizes or more.
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
    table = result.table.sort_values("n")
    if table["n"].nunique() < 2:
        raise InputError("a curve takes two sizes or more: pc.power(design, n=[...])")
    n = table["n"].to_numpy(float)
    drawn = [
        (name, table[column].to_numpy(float))
        for name, column in (
            (_SIMULATED, "power_simulated"),
            (_FORMULA, "power_formula"),
        )
        if table[column].notna().any()
    ]
    marks = panel.marks([name for name, _ in drawn])
    with style.context():
        told = _caption(result, target, dict(drawn))
        ax = panel.open_panel(ax, f"Number of {result.units}", "Power", told, marks)
        if target is not None:
            ax.axhline(target, color=style.LINE, linewidth=0.8, gid="target")
        for (name, power), mark in zip(drawn, marks, strict=True):
            if name == _SIMULATED:
                low, high = table["conf_low"], table["conf_high"]
                ax.fill_between(
                    n, low, high, color=mark.color, alpha=0.2, linewidth=0, gid="band"
                )
            ax.plot(
                n, power, "-", marker=mark.marker, color=mark.color, markersize=4.0,
                linewidth=1.0, gid=name.lower().replace(" ", "-"),
            )  # fmt: skip
        ax.set_ylim(0, 1.02)
    return ax


def _caption(
    result: PowerResult, target: float | None, drawn: dict[str, style.Floats]
) -> list[str]:
    """Say what is drawn."""
    text = f"Power of {result.test} at alpha = {result.alpha:g}."
    if _SIMULATED in drawn:
        studies = int(np.max(result.table["trials"]))
        text += (
            f" Band: 95% Monte Carlo interval of {studies} simulated studies at each "
            f"size (seed {result.seed})."
        )
    line = [] if target is None else [f"Grey line: a power of {percent(target)}."]
    return [text, *line]

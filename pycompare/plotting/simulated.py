"""Means of a simulation study: a line for each statistic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show, show_all
from pycompare.base.tables import Columns
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.sizes.simulation.result import SimulationResult


@style.sized
def simulated(
    result: SimulationResult,
    *,
    x: str,
    statistics: Sequence[str] | None = None,
    where: Mapping[str, Any] | None = None,
    label: str = "Share of trials",
    x_label: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw estimates with their Monte Carlo intervals over a setting of the conditions.

    Parameters
    ----------
    result : SimulationResult
        From ``pc.simulate``.
    x : str
        A numeric column of the table, such as ``n``, on the x axis.
    statistics : sequence of str, optional
        Each has a line; by default all.
    where : mapping, optional
        Values of other columns: only such rows are drawn.
    label, x_label : str
        Of the y axis and of the x axis; by default that is named as the column.
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
        If a column or statistic is unknown, or no row is left.
    """
    table = _chosen(result.as_columns(), x, where or {})
    lines = _lines(table, statistics)
    marks = panel.marks(lines)
    with style.context():
        told = _caption(result, table)
        ax = panel.open_panel(ax, x_label or x, label, told, marks)
        for i, (line, mark) in enumerate(zip(lines, marks, strict=True), start=1):
            own = table.where(table["statistic"] == line)
            _draw(ax, own, x, mark, i)
    return ax


def _draw(ax: Axes, own: Columns, x: str, mark: panel.Mark, i: int) -> None:
    """Draw one line, its intervals, and what a paper published."""
    at = own[x].astype(float)
    ax.vlines(
        at, own["conf_low"], own["conf_high"], color=mark.color, linewidth=1.2,
        gid=f"intervals-{i}",
    )  # fmt: skip
    ax.plot(
        at, own["estimate"], "-", marker=mark.marker, color=mark.color,
        markersize=4.0, linewidth=0.8, gid=f"estimates-{i}",
    )  # fmt: skip
    if _is_published(own):
        ax.plot(
            at, own["published"], ":", marker=mark.marker, color=mark.color,
            markerfacecolor="white", markersize=5.0, linewidth=0.8,
            gid=f"published-{i}",
        )  # fmt: skip


def _chosen(table: Columns, x: str, where: Mapping[str, Any]) -> Columns:
    """Return the rows to draw."""
    for name in (x, *where):
        if name not in table:
            raise InputError(
                setting("x" if name == x else "where", name)
                + f": the table's columns are {show_all(list(table))}"
            )
    if table[x].dtype.kind not in "biuf":
        raise InputError(setting("x", x) + ": choose a column of numbers")
    kept = np.ones(len(table), bool)
    for name, value in where.items():
        kept &= table[name] == value
    if not kept.any():
        raise InputError(setting("where", dict(where)) + ": no row has these values")
    return table.where(kept)


def _is_published(table: Columns) -> bool:
    if "published" not in table:
        return False
    return not np.isnan(table["published"].astype(float)).all()


def _lines(table: Columns, statistics: Sequence[str] | None) -> list[str]:
    known = list(dict.fromkeys(table["statistic"]))
    lines = known if statistics is None else list(statistics)
    unknown = [name for name in lines if name not in known]
    if unknown or not lines:
        named = show(unknown[0]) if unknown else "none"
        raise InputError(
            setting("statistics") + f": {named} is none of {show_all(known)}"
        )
    return lines


def _caption(result: SimulationResult, table: Columns) -> list[str]:
    told = (
        f"Means over {result.trials} simulated experiments for each condition, with "
        f"95% Monte Carlo intervals (seed {result.seed})."
    )
    open_marks = "Open marks and dotted lines: published numbers."
    return [told, *([open_marks] if _is_published(table) else [])]

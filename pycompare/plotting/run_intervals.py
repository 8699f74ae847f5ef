"""Aggregates over tasks and runs with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.agents.aggregates import RunAggregates
    from pycompare.methods.agents.pairs import RunPairs

MOST_ROWS = 60
TITLES = {
    "iqm": "interquartile mean",
    "mean": "mean",
    "median": "median of tasks",
    "optimality_gap": "optimality gap",
    "probability_of_improvement": "probability of improvement",
}
_ROW = 18.0
_NAME_WIDTH = 18


@style.sized
def run_intervals(
    result: RunAggregates | RunPairs,
    *,
    quantity: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw one quantity of each algorithm, or of each pair, with its interval.

    Parameters
    ----------
    result : RunAggregates or RunPairs
        From ``pc.run_aggregates`` or ``pc.run_pairs``.
    quantity : str, optional
        An aggregate or quantity of the table. Default: ``iqm`` of algorithms,
        ``probability_of_improvement`` of pairs.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the quantity, row i is at y = i. By default a new figure.

    Returns
    -------
    Axes
        Without an interval a row has its dot only.

    Raises
    ------
    InputError
        If the table has no such quantity, or more rows than anyone can read.

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
    >>> ax = plotting.run_intervals(pc.run_aggregates(scores))
    >>> ax.get_xlabel()
    'interquartile mean of return, higher is better'
    """
    rows, labels, of_pairs, chosen = _rows_of(result, quantity)
    equal = 0.5 if chosen == "probability_of_improvement" else 0.0
    units = style.units_of(*rows.values())
    rows = {name: units.values(own) for name, own in rows.items()}
    title = _title(result, chosen, units.text)
    with style.context():
        ax = style.open_rows(ax, labels, title, _caption(result, of_pairs), row=_ROW)
        if of_pairs:
            equal = float(units.values(equal))
            ax.axvline(equal, color=style.LINE, linewidth=0.8, zorder=0, gid="equal")
        at = np.arange(len(labels))
        known = ~np.isnan(rows["conf_low"])
        lines = ax.hlines(
            at[known],
            rows["conf_low"][known],
            rows["conf_high"][known],
            color=style.INK,
            linewidth=1.6,
        )
        lines.set_gid("intervals")
        ax.plot(
            rows["estimate"], at, "o", color=style.INK, markersize=4.6, gid="estimates"
        )
        ax.margins(x=0.04)
        ax.autoscale_view(scaley=False)
    return ax


def _rows_of(
    result: Any, quantity: str | None
) -> tuple[dict[str, Floats], list[str], bool, str]:
    """Return the numbers of one quantity, their labels, and which it is."""
    table: Columns = result.as_columns()
    of_pairs = "quantity" in table
    column = "quantity" if of_pairs else "aggregate"
    known = list(dict.fromkeys(table[column].tolist()))
    chosen = known[0] if quantity is None else quantity
    if chosen not in known:
        raise InputError(
            f"quantity={chosen!r}: this result has {', '.join(map(repr, known))}"
        )
    at = np.flatnonzero(table[column] == chosen)
    if len(at) > MOST_ROWS:
        raise InputError(
            f"{len(at)} rows are more than the {MOST_ROWS} that this picture has; "
            "compare with a control, or draw some algorithms (Scores.select)"
        )
    numbers = {
        name: np.asarray(table[name][at], float)
        for name in ("estimate", "conf_low", "conf_high")
    }
    short = style.short_labels(result.algorithms, _NAME_WIDTH)
    if not of_pairs:
        return numbers, short, of_pairs, chosen
    names = dict(zip(result.algorithms, short, strict=True))
    ends = (table["algorithm_1"][at], table["algorithm_2"][at])
    labels = [f"{names[x]} – {names[y]}" for x, y in zip(*ends, strict=True)]
    return numbers, labels, of_pairs, chosen


def _title(result: RunAggregates | RunPairs, chosen: str, units: str) -> str:
    """Return the title of the axis."""
    if chosen == "probability_of_improvement":
        return "probability that a run of the first is better"
    name = style.shorten(style.printable(result.metric), style.LABEL_WIDTH)
    better = "lower" if chosen == "optimality_gap" else result.better
    what = f"{TITLES[chosen]} of {name}{units}"
    if "quantity" in result.as_columns():
        return f"difference in {what}, first minus second"
    return f"{what}, {better} is better"


def _caption(result: RunAggregates | RunPairs, of_pairs: bool) -> list[str]:
    """Describe dots, lines and their population."""
    overlap = "" if of_pairs else " Overlap of two intervals is no comparison."
    return [
        f"Dots: estimates over {result.n_tasks} tasks; lines: individual "
        f"{percent(result.level)} intervals for new runs on these tasks "
        f"({result.method}).{overlap}"
    ]

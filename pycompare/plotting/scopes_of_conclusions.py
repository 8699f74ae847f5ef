"""Differences of pairs under each scope of conclusions, one axis a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.methods.multireader.result import MRMCResult
from pycompare.plotting import facets, style

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST_PAIRS = 12
_ROW = 16.0
_NAME_WIDTH = 24
_MINUS = "\N{MINUS SIGN}"


@style.sized
def scopes_of_conclusions(
    result: MRMCResult,
    *,
    reader: str = "readers",
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the differences of pairs with their intervals under each scope.

    The interval of the planned scope is blue. The narrower one of the others is no
    better: it concerns fewer readers or fewer cases.

    Parameters
    ----------
    result : MRMCResult
        From ``pc.mrmc``.
    reader : str
        Names of readers, such as ``training sets``.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; by default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        For another kind of result, or more pairs than there is room for.
    """
    if not isinstance(result, MRMCResult):
        raise InputError(
            f"a {type(result).__name__} arrived instead of the result of pc.mrmc is "
            "needed"
        )
    pairs = len(result.as_columns())
    if pairs > MOST_PAIRS:
        raise InputError(
            f"{pairs} pairs are more than the {MOST_PAIRS} that this picture has room "
            "for: analyse some modalities, ratings.select([...])"
        )
    table = result.scopes
    reader = style.printable(reader)
    rows = {
        "new readers and new cases": "both",
        "these readers and new cases": "cases",
        "new readers and these cases": reader,
    }
    populations = list(dict.fromkeys(table["population"]))
    with style.context():
        ax, parts = facets.open_facets(
            ax,
            titles=_titles(result),
            rows=[rows[name] for name in populations],
            x_label=f"difference in mean {style.printable(result.figure)}",
            height=_ROW * len(populations) + 6.0,
            caption=[
                f"Rows: the scope of conclusions new ones of ({reader}, cases or "
                f"both). Lines: individual {levels_of_scopes(result, reader)}. "
                "Blue: the primary analysis."
            ],
        )
        for k, part in enumerate(parts):
            _draw_pair(part, table.iloc[k::pairs], result.population, k + 1)
        facets.share_x(parts)
    return ax


def levels_of_scopes(result: MRMCResult, reader: str) -> str:
    """Return the levels of the intervals of scopes, in words."""
    level = percent(result.descriptive_level)
    if result.pair_tests == "published":
        return f"{level} intervals"
    return (
        f"intervals, {level} but for new {reader} and new cases, which have the level "
        "of the last step"
    )


def _titles(result: MRMCResult) -> list[str]:
    """Name each pair: the first minus the second."""
    short = style.short_labels(result.algorithms, _NAME_WIDTH)
    names = dict(zip(result.algorithms, short, strict=True))
    return [
        f"{names[row.algorithm_1]} {_MINUS} {names[row.algorithm_2]}"
        for row in result.as_columns().itertuples()
    ]


def _draw_pair(ax: Axes, rows: pd.DataFrame, planned: str, number: int) -> None:
    """Draw the intervals of one pair, one row per scope."""
    ax.axvline(0.0, color=style.INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    columns = rows[["estimate", "conf_low", "conf_high"]].to_numpy(float)
    for y, (middle, low, high) in enumerate(columns):
        first = rows["population"].iloc[y] == planned
        color = style.BLUE if first else style.DIM
        if np.isfinite([low, high]).all():
            ax.plot(
                [low, high],
                [y, y],
                color=color,
                linewidth=1.8 if first else 1.1,
                gid=f"interval-{number}-{y + 1}",
            )
        ax.plot(
            [middle],
            [y],
            marker="o",
            markersize=4.6,
            color=color,
            markerfacecolor=color if first else "white",
            linestyle="none",
            zorder=3,
            gid=f"difference-{number}-{y + 1}",
        )

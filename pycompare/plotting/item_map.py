"""Items by difficulty and rest correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.cases.item_table import ItemTable


@style.sized
def item_map(
    result: ItemTable,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the difficulty of items against their rest correlation.

    Parameters
    ----------
    result : ItemTable
        From ``pc.item_table``, with difficulties and rest correlations.
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
        If there are no difficulties or no rest correlations.
    """
    table = result.as_columns()
    x = np.asarray(table["difficulty"], float)
    y = np.asarray(table["rest_correlation"], float)
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        raise InputError(f"nothing can be drawn: {'; '.join(result.notes)}")
    with style.context():
        ax = panel.open_panel(
            ax, "Difficulty (logit)", "Rest correlation", caption(result), []
        )
        ax.axhline(0, color=style.INK, linewidth=0.8, gid="no-correlation")
        ax.plot(
            x[known], y[known], "o", color=style.BLUE, markersize=3.0, alpha=0.6,
            markeredgewidth=0, gid="items",
        )  # fmt: skip
    return ax


def caption(result: ItemTable) -> list[str]:
    """Return the text below the picture, with the items that carry no difference."""
    correlation = np.asarray(result.as_columns()["rest_correlation"], float)
    known = np.isfinite(correlation)
    n = len(correlation)
    return [
        f"One dot per item: difficulty in the mixed model, and correlation of the "
        f"models' shares on the item with those on all others. "
        f"{counted(int((correlation[known] < 0).sum()), 'item')} of {known.sum():,} "
        f"below 0; if models are permuted on an item, {result.negative_by_chance:.0%} "
        "are. Sound items are there by chance, too.",
        f"Of {counted(n, 'item')} all models fail {len(result.all_fail):,} and solve "
        f"{len(result.all_solve):,}: these carry no difference.",
    ]

"""Scores of every algorithm on every block, shaded by their ranks there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.formatting.numbers import number
from pycompare.data.blocks import complete_blocks
from pycompare.plotting import cells, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.scores import Scores

_DARKEST = 0.35


@style.sized
def heat_map(
    scores: Scores,
    *,
    metric: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the score of each algorithm (column) on each block (row), shaded by rank.

    Parameters
    ----------
    scores : Scores
        Complete table, one score per cell: blocks are benchmarks or data sets.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole; the cell of block i and algorithm j is centred at (j, i).
        By default a new figure.

    Returns
    -------
    Axes
        Columns by mean rank, the best first; rows in the order of the data. Darker is
        a better rank within the row; the best of a row are framed and bold.

    Raises
    ------
    DesignError
        If cells are missing.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> ax = plotting.heat_map(pc.example())
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "column-1"]
    ['C4.5']
    """
    blocks = complete_blocks(scores, metric, None, method="heat_map")
    ranks = blocks.ranks()
    order = np.argsort(ranks.mean(axis=0), kind="stable")
    ranks, shown = ranks[:, order], scores.column(metric)[:, order]
    n = max(ranks.shape[1] - 1, 1)
    every = style.short_labels(blocks.algorithms)
    with style.context():
        return cells.draw(
            cells.CellPicture(
                rows=style.short_labels(blocks.blocks),
                columns=[every[i] for i in order],
                greys=_DARKEST + (1 - _DARKEST) * (ranks - 1) / n,
                texts=[[number(x, 3) for x in row] for row in shown.tolist()],
                bold=ranks == ranks.min(axis=1, keepdims=True),
                caption=_caption(scores, metric),
            ),
            ax,
        )


def _caption(scores: Scores, metric: str | None) -> str:
    chosen = scores.metric(metric)
    name = style.shorten(style.printable(chosen.name), style.LABEL_WIDTH)
    return (
        f"{name} ({chosen.better} is better). Algorithms by mean rank, the best first. "
        f"Darker: a better rank in the row. Framed and bold: the best of the row."
    )

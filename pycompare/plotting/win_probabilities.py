"""P(row is better than column) of all pairs, with the pairs that differ from 1/2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.base.formatting.rounding import fixed
from pycompare.plotting import cells, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.pairs.superiority import SuperiorityResult

_DARKEST = 0.4


@style.sized
def win_probabilities(
    result: SuperiorityResult,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the probability that each algorithm is better than each other one.

    Parameters
    ----------
    result : SuperiorityResult
        All pairs, of ``pc.superiority(scores, simultaneous=True)``.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole; the cell of row i and column j is centred at (j, i). By
        default a new figure.

    Returns
    -------
    Axes
        A cell has the probability that the row is better, and its interval. Cells
        whose interval excludes 1/2 are framed and bold; darker cells have higher
        probabilities. The best mean probability is first. If cells are too many
        for text, only the greys are drawn.

    Raises
    ------
    InputError
        If pairs are missing.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> result = pc.superiority(pc.example(), simultaneous=True)
    >>> ax = plotting.win_probabilities(result)
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "row-5"]
    ['Kernel']
    """
    if result.control is not None:
        raise InputError(
            "win probabilities are drawn for all pairs; compare without a control"
        )
    names = result.blocks.algorithms
    share, low, high = _squares(result)
    np.fill_diagonal(share, 0.5)
    order = np.argsort(-share.mean(axis=1), kind="stable")
    both = np.ix_(order, order)
    share, low, high = share[both], low[both], high[both]
    texts = [
        [
            f"{fixed(p, 2)}\n{fixed(u, 2)} to {fixed(v, 2)}"
            for p, u, v in zip(*row, strict=True)
        ]
        for row in zip(share, low, high, strict=True)
    ]
    greys = 1 - (1 - _DARKEST) * share
    np.fill_diagonal(greys, np.nan)
    every = style.short_labels(names)
    labels = [every[i] for i in order]
    with style.context():
        return cells.draw(
            cells.CellPicture(
                rows=labels,
                columns=labels,
                greys=greys,
                texts=texts,
                bold=(low > 0.5) | (high < 0.5),
                caption=_caption(result),
                natural=760.0,
            ),
            ax,
        )


def _squares(result: SuperiorityResult) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return probabilities and limits as squares in the order of the data."""
    names = list(result.blocks.algorithms)
    share, low, high = np.full((3, len(names), len(names)), np.nan)
    for row in result.as_columns().itertuples():
        i, j = names.index(row.algorithm_1), names.index(row.algorithm_2)
        share[i, j], low[i, j], high[i, j] = row.estimate, row.conf_low, row.conf_high
        share[j, i] = 1 - row.estimate
        low[j, i], high[j, i] = 1 - row.conf_high, 1 - row.conf_low
    return share, low, high


def _caption(result: SuperiorityResult) -> str:
    """Return the contents of a cell."""
    blocks = result.blocks
    name = style.shorten(style.printable(blocks.metric.name), style.LABEL_WIDTH)
    kind = "simultaneous " if result.simultaneous else ""
    each = "" if result.simultaneous else ", each pair separately"
    return (
        f"Probability that the row is better than the column in {name} on a new block, "
        f"ties counted half, with {kind}{percent(result.level)} intervals{each} "
        f"({len(blocks.values)} blocks). Framed and bold: 1/2 is not in the interval."
    )

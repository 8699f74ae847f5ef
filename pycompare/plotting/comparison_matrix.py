"""Every pair in one cell: its difference, wins / ties / losses, and p."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import number
from pycompare.methods.orders.cliques import by_position, significance_graph
from pycompare.methods.pairs.superiority import SuperiorityResult, superiority
from pycompare.plotting import cells, style
from pycompare.plotting.describe import adjustment_text, position_title
from pycompare.plotting.p_matrix import p_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.scores import Scores
    from pycompare.results.result import PairsResult

_SHADED = 0.88
"""Grey of a cell whose pair differs significantly."""


@style.sized
def comparison_matrix(
    pairs: PairsResult,
    scores: Scores,
    *,
    metric: str | None = None,
    alpha: float = 0.05,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw difference, wins / ties / losses and p of all pairs, best first.

    Parameters
    ----------
    pairs : PairsResult
        The tests of all pairs, such as ``pc.rank_pairs`` gives.
    scores : Scores
        Complete table of the same algorithms.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    alpha : float
        Pairs with ``p_adjusted <= alpha`` are shaded, framed and bold.
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
        A cell has the mean difference, row minus column in the metric's unit (of
        ``pc.signed_rank_pairs`` the typical one, of ``pc.mcnemar_pairs`` the share of
        discordant cases, which are tested), in how many blocks
        the row wins, ties and loses, and the adjusted p-value. If cells are too many
        for text, only the shades are drawn.

    Raises
    ------
    InputError
        If pairs are missing, or the scores have other algorithms.
    DesignError
        If cells of the table are missing.

    References
    ----------
    .. [1] Ismail-Fawaz, A., Dempster, A., Tan, C. W., Herrmann, M., Miller, L.,
       Schmidt, D. F., Berretti, S., Weber, J., Devanne, M., Forestier, G., Webb, G. I.
       (2023). arXiv 2305.11921.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> pairs = pc.rank_pairs(pc.example(), adjust="holm")
    >>> ax = plotting.comparison_matrix(pairs, pc.example())
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "row-1"]
    ['C4.5']
    """
    check_alpha(alpha)
    pairs.require_all("comparison matrices")
    if set(pairs.algorithms) != set(scores.algorithms):
        raise InputError("comparison matrices need pairs and scores of one comparison")
    order = by_position(pairs)
    names = [pairs.algorithms[i] for i in order]
    texts = _texts(pairs, scores, metric, alpha, names)
    significant = significance_graph(pairs, alpha)[np.ix_(order, order)]
    greys = np.where(significant, _SHADED, 1.0)
    np.fill_diagonal(greys, np.nan)
    every = style.short_labels(pairs.algorithms)
    labels = [every[i] for i in order]
    with style.context():
        return cells.draw(
            cells.CellPicture(
                rows=labels,
                columns=labels,
                greys=greys,
                texts=texts,
                bold=significant,
                caption=_caption(pairs, scores, metric, alpha),
                natural=760.0,
            ),
            ax,
        )


def _texts(
    pairs: PairsResult,
    scores: Scores,
    metric: str | None,
    alpha: float,
    names: list[str],
) -> list[list[str]]:
    """Return the three lines of each cell."""
    at = [scores.algorithms.index(name) for name in names]
    rows = [pairs.algorithms.index(name) for name in names]
    means = scores.column(metric).mean(axis=0)[at]
    differences = means[:, None] - means[None, :]
    if pairs.differences in ("typical", "ratio", "share"):
        differences = pairs.square("estimate")[np.ix_(rows, rows)]
    p = pairs.square("p_adjusted")[np.ix_(rows, rows)]
    counts = _counts(superiority(scores, metric=metric))
    return [
        [
            ""
            if first == other
            else f"{number(differences[i, j], 3)}\n{counts[first, other]}\n"
            f"p = {p_text(p[i, j], alpha)}"
            for j, other in enumerate(names)
        ]
        for i, first in enumerate(names)
    ]


def _counts(result: SuperiorityResult) -> dict[tuple[str, str], str]:
    """Return ``12 / 0 / 18``, wins / ties / losses of the first, of ordered pairs."""
    counts = {}
    for row in result.as_columns().itertuples():
        first, other = row.algorithm_1, row.algorithm_2
        counts[first, other] = f"{row.wins} / {row.ties} / {row.losses}"
        counts[other, first] = f"{row.losses} / {row.ties} / {row.wins}"
    return counts


def _caption(
    pairs: PairsResult, scores: Scores, metric: str | None, alpha: float
) -> str:
    """Return the contents of a cell."""
    chosen = scores.metric(metric)
    name = style.shorten(style.printable(chosen.name), style.LABEL_WIDTH)
    kind = "Typical" if pairs.differences == "typical" else "Mean"
    what = f"{kind} difference in {name} ({chosen.better} is better), row minus column"
    if pairs.null == 0.5:
        won = "lost" if pairs.lower_is_better else "won"
        what = f"Share of discordant cases that the row has {won} against the column"
    if pairs.null == 1:
        what = f"Typical ratio of {name} ({chosen.better} is better), row / column"
    return (
        f"{what}; "
        f"wins / ties / losses of the row in {scores.n_blocks} blocks; adjusted p. "
        f"{adjustment_text(pairs)}. Ordered by {position_title(pairs)}, best first. "
        f"Shaded and framed: adjusted p at most {alpha:g}."
    )

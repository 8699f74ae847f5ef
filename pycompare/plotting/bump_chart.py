"""The rank of each algorithm from block to block, or from ranking to ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import complete_blocks
from pycompare.data.scores import Scores
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.cases.challenge import ChallengeResult

_STEP, _LEAST, _ROW = 46.0, 9.0, 15.0
"""Points from block to block, at most and at least, and from rank to rank."""
_NATURAL, _RIGHT = 700.0, 26.0
"""Width of a figure at most, and room for ranks right of the last block, in points."""
_MOST_BLOCKS = 30
_LABEL = 18
"""Columns of the names of blocks."""


@style.sized
def bump_chart(
    scores: Scores | ChallengeResult,
    *,
    metric: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the rank of each algorithm on each block as a line, 1 on top.

    Parameters
    ----------
    scores : Scores or ChallengeResult
        Complete table of at most 30 blocks, such as benchmarks; or the rankings of a
        challenge, which take the place of blocks.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole; block j is at x = j, rank r at y = r. By default a new
        figure.

    Returns
    -------
    Axes
        One line per algorithm; ties share their mean rank. Names stand beside the first
        block in the order of the ranks there. Colours and markers distinguish lines.

    Raises
    ------
    DesignError
        If cells are missing.
    InputError
        If there are more than 30 blocks, or more algorithms than marks.

    Notes
    -----
    A line between two blocks is no trend: the order of the blocks is that of the data.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> few = pc.example().select(blocks=pc.example().blocks[:6])
    >>> ax = plotting.bump_chart(few)
    >>> len([line for line in ax.lines if line.get_gid().startswith("ranks")])
    5
    """
    ranks, names_above, algorithms, caption = _drawn(scores, metric)
    n, a = ranks.shape
    if n > _MOST_BLOCKS:
        raise InputError(
            f"{counted(n, 'block')} and room for {_MOST_BLOCKS}: draw some of them, "
            "scores.select(blocks=[...]), or plotting.heat_map"
        )
    marks = panel.marks(algorithms)
    with style.context():
        names = _fitting(marks)
        sheet = _sheet(ax, names_above, names, caption)
        # Names beside the first block, one a row, in the order of the ranks there.
        rows = np.argsort(np.argsort(ranks[0], kind="stable")) + 1
        for i, mark in enumerate(marks):
            _draw_line(sheet, i + 1, mark, ranks[:, i])
            y = _ROW * rows[i]
            lead = f"lead-{i + 1}"
            ends = [y, _ROW * ranks[0, i]]
            sheet.line([-22.0, -6.0], ends, width=0.7, color=mark.color, gid=lead)
            sheet.text(-26.0, y, names[i], ha="right", gid=f"algorithm-{i + 1}")
        for rank in range(1, a + 1):
            x = sheet.x_unit * (n - 1) + 10.0
            sheet.text(x, _ROW * rank, str(rank), size=style.SMALL, gid=f"rank-{rank}")
    return sheet.ax


def _drawn(
    scores: Scores | ChallengeResult, metric: str | None
) -> tuple[Floats, tuple[str, ...], tuple[str, ...], str]:
    """Return ranks by row, the names of rows and of algorithms, and the caption."""
    if isinstance(scores, Scores):
        blocks = complete_blocks(scores, metric, None, method="bump_chart")
        told = _caption(scores, metric)
        return blocks.ranks(), blocks.blocks, blocks.algorithms, told
    ranked = Columns.of(scores.held("schemes"))
    algorithms = scores.scores.algorithms
    ranks = np.asarray(ranked["rank"], float).reshape(-1, len(algorithms))
    rows = zip(ranked["ranking"], ranked["aggregate"], strict=True)
    names = [scheme_name(*row) for row in list(rows)[:: len(algorithms)]]
    return ranks, tuple(names), algorithms, _OF_CHALLENGE


_OF_CHALLENGE = (
    "Rank by each ranking of the same cases, 1 = best. Lines that cross show "
    "that the order depends on the ranking."
)
_FIRST = {
    "rank-then-aggregate": "{} rank",
    "aggregate-then-rank": "{} score",
    "test-then-rank": "tests, {}",
}


def scheme_name(ranking: str, aggregate: str) -> str:
    """Return a short name of a ranking: ``mean rank``, ``tests, Holm``."""
    share = aggregate.replace(".", "").isdigit()
    return _FIRST[ranking].format(f"{aggregate} quantile" if share else aggregate)


def _draw_line(sheet: style.Sheet, place: int, mark: panel.Mark, ranks: Floats) -> None:
    sheet.line(
        sheet.x_unit * np.arange(len(ranks)),
        _ROW * ranks,
        width=1.4,
        color=mark.color,
        marker=mark.marker,
        size=5.0,
        gid=f"ranks-{place}",
    )


def _fitting(marks: Sequence[panel.Mark]) -> list[str]:
    """Return the names, shortened if the figure is narrow."""
    room = style.inner(_NATURAL, 2 * style.MARGIN)
    return style.within([mark.label for mark in marks], 0.4 * room)


def _sheet(
    ax: Axes | None, blocks: tuple[str, ...], labels: list[str], caption: str
) -> style.Sheet:
    """Lay the picture out, with the names of the blocks above it."""
    names = style.short_labels(blocks, _LABEL)
    left, gaps = 26.0 + style.widest(labels) * 1.02, max(len(blocks) - 1, 1)
    fixed = left + _RIGHT + 2 * style.MARGIN
    step = min(_STEP, max(_LEAST, style.inner(_NATURAL, fixed) / gaps))
    right = step * gaps + _RIGHT
    lines = style.wrap(caption, left + right)
    bottom = _ROW * (len(labels) + 1.2)
    above = style.widest(names, style.SMALL) * 1.02 + 2.0
    box = style.Box(
        -left - style.MARGIN,
        right + style.MARGIN,
        -above - style.MARGIN,
        bottom + style.caption_height(lines) + style.MARGIN,
    )
    sheet = style.open_sheet(ax, box, x_unit=step, y_unit=_ROW)
    for j, name in enumerate(names):
        sheet.upright(step * j, 0.0, name, size=style.SMALL, gid=f"block-{j + 1}")
    sheet.caption(-left, bottom, lines)
    return sheet


def _caption(scores: Scores, metric: str | None) -> str:
    chosen = scores.metric(metric)
    name = style.shorten(style.printable(chosen.name), style.LABEL_WIDTH)
    return (
        f"Rank in {name} ({chosen.better} is better) on each block, 1 = best; ties "
        f"share their mean rank. Lines are no trend: blocks are in the order of the "
        f"data."
    )

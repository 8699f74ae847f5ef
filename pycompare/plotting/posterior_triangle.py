"""Draws from the posterior of one pair: shares of three regions in a triangle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.rounding import fixed
from pycompare.base.labels import show
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.base.typing import Floats
    from pycompare.methods.posteriors.common import PosteriorPairs

_CORNERS = np.array([[1.0, 0.0], [0.5, np.sqrt(0.75)], [0.0, 0.0]])
"""Shares of 1: better (right), equivalent (top), worse (left)."""
_MARKERS = ("o", "s", "^")
_SIDE = 250.0
_ROOM = 26.0
_NAME_WIDTH = 14


@style.sized
def posterior_triangle(
    result: PosteriorPairs,
    *,
    pair: tuple[str, str] | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the posterior of one pair: each point is one draw of the three shares.

    Parameters
    ----------
    result : PosteriorPairs
        From ``pc.bayesian_signed_rank`` or ``pc.bayesian_hierarchical``.
    pair : (str, str), optional
        Two algorithms in the order of the table; by default its first row.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into. By default a new figure.

    Returns
    -------
    Axes
        Corners: the first algorithm is practically better (right), both are
        equivalent (top), the second is practically better (left). Lines divide the
        triangle by the largest share; the share of draws in a part is its posterior
        probability, which stands at the corner.

    Raises
    ------
    InputError
        For a pair that is not in the table, or a posterior without shares of regions.

    References
    ----------
    .. [1] Benavoli, A., et al. (2017). JMLR 18(77), 1-36, Fig. 9.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> posterior = pc.bayesian_signed_rank(pc.example(), rope=0.01, draws=2000)
    >>> ax = plotting.posterior_triangle(posterior, pair=("C4.5", "NaiveBayes"))
    >>> corners = [t.get_text() for t in ax.texts if "probability" in t.get_text()]
    >>> [text.split()[0] for text in corners]
    ['C4.5', 'equivalent', 'NaiveBayes']
    """
    if result.shares is None:
        raise InputError(
            f"a {type(result).__name__} has no shares of three regions to draw; "
            "bayesian_signed_rank and bayesian_hierarchical have, for at most 300 pairs"
        )
    row = _row_of(result, pair)
    names = style.short_labels(result.row_labels()[row], _NAME_WIDTH)
    chances = result.probabilities()[row]
    shares = result.shares[row]
    region = shares.argmax(axis=1)
    points = shares @ _CORNERS
    with style.context():
        ax = _open_triangle(ax, _caption(result, len(shares)))
        for at, color in enumerate((style.DIM, style.RED, style.LINE)):
            drawn = points[region == at]
            ax.plot(
                drawn[:, 0],
                drawn[:, 1],
                marker=_MARKERS[at],
                color=color,
                markersize=2.6,
                markeredgewidth=0.0,
                alpha=0.35,
                linestyle="none",
                gid=f"draws-{at + 1}",
            )
        _draw_lines(ax)
        ends = [f"{names[0]} better", "equivalent", f"{names[1]} better"]
        for at, text in enumerate(ends):
            _draw_corner(ax, at, text, f"probability {fixed(chances[at], 3)}")
    return ax


def _row_of(result: PosteriorPairs, pair: tuple[str, str] | None) -> int:
    """Return the row of a pair in the table."""
    rows = [tuple(row) for row in result.row_labels()]
    if pair is None:
        return 0
    if tuple(pair) not in rows:
        raise InputError(
            f"pair={pair!r}: the table has no such row; its first is {show(rows[0])}"
        )
    return rows.index(tuple(pair))


def _open_triangle(ax: Axes | None, caption: list[str]) -> Axes:
    """Prepare axes without ticks, as wide as high, with a caption below."""
    if ax is None:
        width = style.inner(_SIDE, 2 * style.MARGIN)
        lines = style.wrap_all(caption, width)
        high = width * _CORNERS[1, 1] + 2 * _ROOM
        below = style.caption_height(lines) + style.MARGIN
        total, tall = width + 2 * style.MARGIN, high + below + style.MARGIN
        box = (style.MARGIN / total, below / tall, width / total, high / tall)
        ax = style.new_axes(total, tall, box)
    else:
        lines = style.wrap_all(caption, _SIDE)
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(0.0, 1.0)
    room = _ROOM / _SIDE
    ax.set_ylim(-room, _CORNERS[1, 1] + room)
    style.annotate_below(ax, lines, 0.0, 0, -style.below_axis(0))
    return ax


def _draw_lines(ax: Axes) -> None:
    """Draw the triangle, and the lines on which two shares are equal and largest."""
    ends = np.vstack([_CORNERS, _CORNERS[:1]])
    ax.plot(ends[:, 0], ends[:, 1], color=style.INK, linewidth=0.8, gid="triangle")
    centre = _CORNERS.mean(axis=0)
    for at in range(3):
        middle: Floats = (_CORNERS[at] + _CORNERS[at - 1]) / 2
        line = np.vstack([centre, middle])
        ax.plot(
            line[:, 0],
            line[:, 1],
            color=style.INK,
            linewidth=0.8,
            linestyle=(0, (4, 3)),
            gid=f"border-{at + 1}",
        )


def _draw_corner(ax: Axes, at: int, text: str, chance: str) -> None:
    """Write a corner's region with its probability."""
    side = ("right", "center", "left")[at]
    x, y = _CORNERS[at]
    up = at == 1
    ax.annotate(
        f"{text}\n{chance}",
        (x, y),
        (0, 3 if up else -3),
        textcoords="offset points",
        ha=side,
        va="bottom" if up else "top",
        fontsize=style.SIZE,
        parse_math=False,
        gid=f"corner-{at + 1}",
    )


def _caption(result: PosteriorPairs, drawn: int) -> list[str]:
    """Return the meaning of points and lines."""
    return [
        f"{drawn} draws from the posterior. A corner is a share of 1 of its region; "
        f"lines: equal shares. Region of practical equivalence {result.rope:g}."
    ]

"""Posterior probabilities of pairs: who is practically better, or neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.rounding import fixed
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.posteriors.common import PosteriorPairs

MOST_ROWS = 60
_ROW = 19.0
_COLORS = (style.DIM, style.MARGIN_BAND, style.FAINT)
_INKS = ("white", style.INK, style.INK)
_LEAST_NAMED = 0.12
"""Probabilities whose part of the bar has room for the number."""
_NAME_WIDTH = 18


@style.sized
def posterior_bars(
    result: PosteriorPairs,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the three posterior probabilities of each pair as one bar.

    Parameters
    ----------
    result : PosteriorPairs
        From ``pc.bayesian_sign`` or another of these functions.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the probability, row i is at y = i. By default a new figure.

    Returns
    -------
    Axes
        From the left: the first algorithm is practically better (dark), both are
        equivalent, the second is practically better (light). A pair without
        probabilities has no bar.

    Raises
    ------
    InputError
        For more pairs than anyone can read.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> posterior = pc.bayesian_sign(pc.example(), rope=0.01, control="CN2")
    >>> ax = plotting.posterior_bars(posterior)
    >>> len(ax.patches)
    12
    """
    chances = result.probabilities()
    if len(chances) > MOST_ROWS:
        raise InputError(
            f"{len(chances)} pairs are more than the {MOST_ROWS} bars that this "
            "picture has; compare with a control"
        )
    short = style.short_labels(result.algorithms, _NAME_WIDTH)
    names = dict(zip(result.algorithms, short, strict=True))
    labels = [f"{names[x]} – {names[y]}" for x, y in result.row_labels()]
    with style.context():
        ax = style.open_rows(
            ax, labels, "posterior probability", _caption(result), row=_ROW
        )
        starts = np.zeros(len(chances))
        for part, (color, ink) in enumerate(zip(_COLORS, _INKS, strict=True)):
            lengths = np.nan_to_num(chances[:, part])
            for row, (start, length) in enumerate(zip(starts, lengths, strict=True)):
                _draw_part(
                    ax, (row, start, length), color, ink, f"{part + 1}-{row + 1}"
                )
            starts = starts + lengths
        ax.set_xlim(0.0, 1.0)
    return ax


def _draw_part(
    ax: Axes, place: tuple[int, float, float], color: str, ink: str, gid: str
) -> None:
    """Draw one part of a bar, with its number if there is room."""
    row, start, length = place
    ax.barh(
        row,
        length,
        left=start,
        height=0.72,
        color=color,
        edgecolor=style.LINE,
        linewidth=0.4,
        gid=f"part-{gid}",
    )
    if length >= _LEAST_NAMED:
        ax.text(
            start + length / 2,
            row,
            _number(length),
            color=ink,
            ha="center",
            va="center_baseline",
            fontsize=style.SMALL,
            gid=f"number-{gid}",
        )


def _number(p: float) -> str:
    """Return a probability with two decimals, and none that is rounded to 1."""
    return "> 0.99" if fixed(p, 2) == fixed(1.0, 2) else fixed(p, 2)


def _caption(result: PosteriorPairs) -> list[str]:
    """Return the meaning of the parts of a bar."""
    event = f"{result.event[:1].upper()}{result.event[1:]}"
    return [f"{parts_of_bars(result)}. {event}."]


def parts_of_bars(result: PosteriorPairs) -> str:
    """Return the meaning of the colours of a bar."""
    said = result.of_the_better
    middle = "yellow: practically equivalent; " * result.has_equivalence
    return f"Dark: first {said}; {middle}light: second {said}"

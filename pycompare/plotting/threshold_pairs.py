"""At which thresholds each of two algorithms wins, a strip for each pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.base.errors import InputError
from pycompare.base.labels import nearest
from pycompare.base.typing import Floats
from pycompare.plotting import style
from pycompare.plotting.p_matrix import add_squares
from pycompare.plotting.threshold_grid import columns_of, draw_thresholds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.over_datasets.threshold_wins import ThresholdWinsResult


STRIP, BETWEEN = 26.0, 7.0
_MARGIN = style.MARGIN
MOST_ROWS = 45
"""Pairs of one picture: those of ten algorithms."""


@style.sized
def threshold_pairs(
    wins: ThresholdWinsResult,
    *,
    dataset: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw for each pair the wins of the two at each threshold.

    A bar above the line counts the data sets that the upper algorithm wins at that
    threshold, one below the line those of the lower one; a bar as high as its half
    stands for all data sets. A dot on the line: nothing can be tested there.

    Parameters
    ----------
    wins : ThresholdWinsResult
    dataset : str, optional
        Only this data set.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole, scaled to its present size; threshold j of pair i is
        centred at (j, i). By default a new figure of a fitting size.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If there is no such data set, or there are more than 45 pairs.
    """
    known = list(dict.fromkeys(wins.tests["dataset"]))
    if dataset is not None and dataset not in known:
        raise InputError(f"there is no data set {dataset!r}{nearest(dataset, known)}")
    if len(known) == 1:
        [dataset] = known
    a = len(wins.algorithms)
    if a * (a - 1) // 2 > MOST_ROWS:
        raise InputError(
            f"{a * (a - 1) // 2} pairs are too many for one picture, which holds "
            f"{MOST_ROWS}; at_thresholds has them all"
        )
    strips = _strips_of(wins, dataset)
    with style.context():
        return _draw(strips, wins, _caption(wins, strips, dataset), ax)


@dataclass(frozen=True)
class Strips:
    """The drawn parts, one row per pair.

    Attributes
    ----------
    upper, lower : ndarray, shape (m, T)
        Shares of the data sets that each of the two wins.
    untested : ndarray of bool, shape (m, T)
        On no data set.
    pairs : list of (str, str)
    totals : list of str
    n : int
        Data sets.
    """

    upper: Floats
    lower: Floats
    untested: NDArray[np.bool_]
    pairs: list[tuple[str, str]]
    totals: list[str]
    n: int


def _strips_of(wins: ThresholdWinsResult, dataset: str | None) -> Strips:
    """Count the data sets that each of two wins, at each threshold."""
    rows, decided = wins.at_thresholds, wins.decisions
    if dataset is not None:
        rows = rows[rows["dataset"] == dataset]
        decided = decided[decided["dataset"] == dataset]
    a, t = len(wins.algorithms), len(wins.thresholds)
    first, second = np.triu_indices(a, 1)
    n = len(rows) // (t * len(first))

    def shares(flags: pd.Series) -> Floats:
        each = flags.to_numpy(bool).reshape(n, t, len(first))
        share: Floats = each.mean(axis=0).T
        return share

    labels = style.short_labels(wins.algorithms)
    return Strips(
        upper=shares(rows["verdict"] == "win"),
        lower=shares(rows["verdict"] == "loss"),
        untested=shares(rows["p_value"].isna()) == 1,
        pairs=[(labels[i], labels[j]) for i, j in zip(first, second, strict=True)],
        totals=[_total(decided, i, len(first), dataset) for i in range(len(first))],
        n=n,
    )


def _total(decided: pd.DataFrame, pair: int, m: int, dataset: str | None) -> str:
    """Return the wins of the two of a pair: data sets, or thresholds of one."""
    rows = decided.iloc[pair::m]
    if dataset is None:
        counts = (int((rows["verdict"] == side).sum()) for side in ("win", "loss"))
    else:
        counts = (int(rows[side].iloc[0]) for side in ("wins", "losses"))
    return " : ".join(map(str, counts))


def _caption(wins: ThresholdWinsResult, strips: Strips, dataset: str | None) -> str:
    """Return how a win was decided and how to read the picture."""
    bar = (
        f"above the line, data sets of {strips.n} that the upper algorithm wins at the "
        "threshold, below it those that the lower one wins"
        if strips.n > 1
        else "above the line, the upper algorithm wins at the threshold, below it the "
        "lower one"
    )
    right = "data sets won by all thresholds" if dataset is None else "thresholds won"
    first = f"{wins.omnibus} and " if wins.omnibus else ""
    return (
        f"Bars: {bar} ({first}{wins.method}, adjusted: {wins.adjust}, at most "
        f"{wins.alpha:g}, and the lower risk). Dot: nothing can be tested. On the "
        f"right: {right}."
    )


def _draw(
    strips: Strips, wins: ThresholdWinsResult, text: str, ax: Axes | None
) -> Axes:
    """Draw the strips with names on the left and totals on the right."""
    row = STRIP + BETWEEN
    names = [name for pair in strips.pairs for name in pair]
    left = -style.widest(names) * 1.02 - 8.0 - _MARGIN
    beside = 10.0 + style.widest(strips.totals) * 1.02 + _MARGIN
    columns = columns_of(wins.thresholds, beside - left)
    width, height = columns.width * len(columns.labels), row * len(strips.pairs)
    right = max(width + beside, left + 2 * _MARGIN + style.footnote_width(260.0))
    lines = style.wrap(style.printable(text), right - left - 2 * _MARGIN)
    below = height + 34.0
    bottom = below + style.caption_height(lines) + _MARGIN
    sheet = style.open_sheet(
        ax,
        style.Box(left, right, -_MARGIN, bottom),
        x_zero=-0.5,
        x_unit=columns.width,
        y_zero=-0.5,
        y_unit=row,
    )
    _draw_strips(sheet, strips, width, row)
    for i, (upper, lower) in enumerate(strips.pairs):
        middle = (i + 0.5) * row
        sheet.text(-6.0, middle - 7.0, upper, ha="right", gid=f"upper-{i + 1}")
        sheet.text(-6.0, middle + 7.0, lower, ha="right", gid=f"lower-{i + 1}")
        sheet.text(width + 8.0, middle, strips.totals[i], gid=f"total-{i + 1}")
    draw_thresholds(sheet, columns, height)
    sheet.caption(left + _MARGIN, below, lines)
    return sheet.ax


def _draw_strips(sheet: style.Sheet, strips: Strips, width: float, row: float) -> None:
    """Draw the bars of each pair between the ends of its strip."""
    half = STRIP / row / 2
    for shares, up, color, gid in (
        (strips.upper, -1.0, style.BLUE, "upper"),
        (strips.lower, 1.0, style.RED, "lower"),
    ):
        places = np.argwhere(shares > 0)
        add_squares(
            sheet,
            [_bar(j, i, up * half * float(shares[i, j])) for i, j in places.tolist()],
            facecolors=color,
            edgecolors="white",
            linewidths=0.4 * sheet.scale,
            gid=f"bars-{gid}",
        )
    for i in range(len(strips.pairs)):
        middle = (i + 0.5) * row
        for y, thick in ((-STRIP / 2, 0.4), (0.0, 0.8), (STRIP / 2, 0.4)):
            sheet.line(
                [0.0, width],
                [middle + y, middle + y],
                width=thick,
                color=style.FAINT if y else style.LINE,
            )
    pair, column = np.nonzero(strips.untested)
    sheet.line(
        (column + 0.5) * width / strips.untested.shape[1],
        (pair + 0.5) * row,
        width=0.0,
        marker="o",
        size=2.2,
        color=style.DIM,
        gid="untested",
    )


def _bar(column: int, row: int, height: float) -> Floats:
    """Return the corners of a bar that stands on its strip's line."""
    x = np.array([-0.4, 0.4, 0.4, -0.4]) + column
    return np.stack([x, row + np.array([0.0, 0.0, height, height])], axis=1)

"""One pair under every reasonable plan: sorted deviates, and what each plan chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pycompare.analyses.specification_curve import SpecificationCurve
from pycompare.errors import InputError
from pycompare.labels import show
from pycompare.plans.post_hoc import short_title
from pycompare.plotting import style
from pycompare.typing import Bools, Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CHOICES = {"test": "Test", "adjust": "Adjustment", "scores": "Scores"}
_ROW = 12.5
_TALL = 100.0  # of the panel of deviates
_GAP = 8.0
_STEP, _MOST_WIDE, _LEAST_WIDE = 12.0, 420.0, 200.0
_NAME_WIDTH = 54  # columns
_TICKS = 30.0  # room for numbers left of the panel


@style.sized
def specification_curve(
    curve: SpecificationCurve,
    *,
    pair: tuple[str, str] | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the deviates of a pair in ascending order, and the choices below each.

    A filled dot is significant after adjustment; the square is the primary analysis.

    Parameters
    ----------
    curve : SpecificationCurve
        ``comparison.analyses[0].specifications`` of a plan with ``specifications``.
    pair : (str, str), optional
        Default: the pair on which the specifications agree least.
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
        For another kind of result, or a pair that there is not.

    References
    ----------
    .. [1] Simonsohn, U., Simmons, J. P., Nelson, L. D. (2020). Specification curve
       analysis. Nature Human Behaviour 4, 1208-1214.
    """
    if not isinstance(curve, SpecificationCurve):
        raise InputError(
            f"a {type(curve).__name__} arrived where the specification curve of a "
            "comparison is needed (Plan(specifications=True))"
        )
    rows = _of_pair(curve, pair)
    with style.context():
        return _draw(rows, ax)


def _of_pair(curve: SpecificationCurve, pair: tuple[str, str] | None) -> pd.DataFrame:
    """Return the rows of a pair, which has one order in the table."""
    first, second = curve.most_fragile if pair is None else pair
    for names in ((first, second), (second, first)):
        rows = curve.of_pair(*names)
        if len(rows):
            return rows
    raise InputError(f"the curve has no pair {show(first)}, {show(second)}")


def _draw(rows: pd.DataFrame, ax: Axes | None) -> Axes:
    """Draw the deviates, and the choices below them."""
    choices = [
        (title, list(dict.fromkeys(rows.sort_values("specification")[column])), column)
        for column, title in _CHOICES.items()
    ]
    labels = {
        column: style.short_labels([_title(column, v) for v in values], _NAME_WIDTH)
        for _, values, column in choices
    }
    titles = [title for title, *_ in choices]
    names = [*titles, *(name for found in labels.values() for name in found)]
    left = style.widest(names) * 1.02 + 10.0
    n = len(rows)
    natural = float(np.clip(n * _STEP, _LEAST_WIDE, _MOST_WIDE))
    wide = style.inner(natural, 2 * style.MARGIN + left)
    x = (np.arange(n) + 0.5) * wide / n
    lines = style.wrap_all(_caption(rows), left + wide)
    down = _TALL + sum(_GAP + _ROW * (1 + len(v)) for _, v, _ in choices)
    box = style.Box(
        left=-left - style.MARGIN,
        right=wide + style.MARGIN,
        top=-style.MARGIN - style.SIZE,
        bottom=down + 6 + style.caption_height(lines) + style.MARGIN,
    )
    sheet = style.open_sheet(ax, box)
    _draw_deviates(sheet, rows, x, wide)
    y = _TALL
    for title, values, column in choices:
        y += _GAP
        sheet.text(-left, y + _ROW / 2, title, weight="bold", size=style.SMALL)
        for value, label in zip(values, labels[column], strict=True):
            y += _ROW
            sheet.text(-left + 6, y + _ROW / 2, label, size=style.SMALL)
            _draw_choice(sheet, (rows[column] == value).to_numpy(), x, y + _ROW / 2)
        y += _ROW
    sheet.caption(-left, down + 6, lines)
    return sheet.ax


def _title(column: str, value: str) -> str:
    """Return what a choice is called."""
    name = short_title(value) if column == "adjust" else value
    return name[:1].upper() + name[1:]


def _draw_deviates(
    sheet: style.Sheet, rows: pd.DataFrame, x: Floats, wide: float
) -> None:
    """Draw the deviates above an axis of their own."""
    z = rows["z"].to_numpy(float)
    low, high = min(0.0, np.floor(z.min())), max(0.0, np.ceil(z.max()))
    high = max(high, low + 1.0)
    step = max(1.0, np.ceil((high - low) / 5))

    def height(value: float) -> float:
        return _TALL * (high - value) / (high - low)

    ticks = np.arange(np.ceil(low / step) * step, high + step / 2, step)
    ticks = ticks[ticks <= high]
    for tick, text in zip(ticks.tolist(), style.tick_texts(ticks), strict=True):
        color = style.LINE if tick == 0 else style.FAINT
        sheet.line([0, wide], [height(tick)] * 2, width=0.6, color=color)
        sheet.text(-4, height(tick), text, size=style.SMALL, ha="right")
    sheet.upright(-_TICKS, _TALL, "deviate z of the raw p", size=style.SMALL)
    for at, row in enumerate(rows.itertuples()):
        sheet.line(
            [x[at]],
            [height(z[at])],
            width=0.0,
            marker="s" if row.specification == 1 else "o",
            size=6.5 if row.specification == 1 else 5.0,
            color=style.BLUE,
            markerfacecolor=style.BLUE if row.significant else "white",
            gid=f"specification-{row.specification}",
        )


def _draw_choice(sheet: style.Sheet, chosen: Bools, x: Floats, y: float) -> None:
    """Draw a dot for each specification that made a choice."""
    sheet.line(
        x[chosen],
        np.full(int(chosen.sum()), y),
        width=0.0,
        marker="o",
        size=3.2,
        color=style.INK,
    )


def _caption(rows: pd.DataFrame) -> list[str]:
    """Return what the picture shows."""
    first, second = map(style.printable, rows.loc[0, ["algorithm_1", "algorithm_2"]])
    agreeing = int(rows["agrees"].sum())
    return [
        f"{first} against {second}: each column is one of {len(rows)} specifications. "
        f"Above 0 {first} is better. Filled: significant after adjustment. Square: the "
        f"primary analysis, with which {agreeing} of {len(rows)} agree."
    ]

"""Interaction plot: marginal means over one factor, a line for each other level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.arguments import check_word
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.models.emmeans import MarginalMeans

_DODGE = 0.3
"""Width of the group of marks at one level, if levels are 1 apart."""


@style.sized
def interaction(
    means: MarginalMeans,
    *,
    over: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw marginal means with intervals, joined over the levels of one factor.

    Lines that are parallel up to chance: no interaction.

    Parameters
    ----------
    means : MarginalMeans
        Of one factor or several, from ``linear_model(...).emmeans``.
    over : str, optional
        The factor on the x axis; by default the one with the most levels. Each
        combination of the others has a line.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; level i of ``over`` is at x = i. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If ``over`` is no factor of the means, or there are more lines than marks.

    Notes
    -----
    R: ``emmeans::emmip(fit, a ~ b, CIs = TRUE)``.
    """
    table = means.as_columns()
    across = over or max(means.factors, key=lambda name: len(set(table[name])))
    check_word("over", across, means.factors)
    others = [name for name in means.factors if name != across]
    levels = list(dict.fromkeys(table[across]))
    combined = [", ".join(row.values()) for row in table.only(others).records()]
    lines = list(dict.fromkeys(combined))
    marks = panel.marks(lines)
    arrays = [table[n].astype(float) for n in ("estimate", "conf_low", "conf_high")]
    units = style.units_of(*arrays)
    y, low, high = (units.values(array) for array in arrays)
    place = np.array([levels.index(level) for level in table[across]])
    name = style.shorten(style.printable(means.response), style.LABEL_WIDTH)
    key = marks if others else []
    labels = style.short_labels(levels)
    with style.context():
        numbered = not _fits(ax, labels, key)
        told = _caption(means, labels, numbered)
        ax = panel.open_panel(ax, across, f"Mean of {name}{units.text}", told, key)
        for i, (line, mark) in enumerate(zip(lines, marks, strict=True)):
            own = np.array([combination == line for combination in combined])
            x = place[own] + _shift(i, len(lines))
            ax.vlines(
                x, low[own], high[own], color=mark.color, linewidth=1.2,
                gid=f"intervals-{i + 1}",
            )  # fmt: skip
            ax.plot(
                x, y[own], "-", marker=mark.marker, color=mark.color, markersize=5.0,
                linewidth=0.8, gid=f"means-{i + 1}",
            )  # fmt: skip
        ax.set_xlim(-0.5, len(levels) - 0.5)
        shown = [str(i + 1) for i in range(len(levels))] if numbered else labels
        ax.set_xticks(range(len(levels)), shown, parse_math=False)
    return ax


def _shift(line: int, lines: int) -> float:
    """Return how far the marks of a line stand beside their level."""
    return _DODGE * (line / (lines - 1) - 0.5) if lines > 1 else 0.0


def _fits(ax: Axes | None, labels: list[str], key: list[panel.Mark]) -> bool:
    """Return whether the names of levels have room below the axis."""
    if ax is not None:
        across = ax.get_window_extent().width / ax.figure.dpi * 72
    else:
        names = style.widest([mark.label for mark in key]) * 1.02 if key else 0.0
        beside = panel.panel_width("", panel.KEY_GAP + panel.KEY_MARK + names)
        narrow = beside < panel.LEAST_BESIDE
        across = panel.panel_width("", 0.0) if narrow else beside
    return style.widest(labels) * 1.1 <= across / len(labels)


def _caption(means: MarginalMeans, labels: list[str], numbered: bool) -> list[str]:
    """Describe the marks, and which level a number stands for."""
    told = (
        f"Estimated marginal means with {100 * means.level:g}% intervals, unadjusted."
    )
    names = "; ".join(f"{i + 1}: {label}" for i, label in enumerate(labels))
    return [told, f"Levels: {names}."] if numbered else [told]

"""Several axes of one kind side by side, in rows of at most three."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ACROSS = 3
_FACET, _LEAST = 130.0, 70.0
_GAP, _TITLE, _TICKS = 14.0, 18.0, 18.0


def open_facets(
    ax: Axes | None,
    *,
    titles: Sequence[str],
    x_label: str,
    height: float,
    caption: Sequence[str],
    rows: Sequence[str] = (),
    y_label: str = "",
) -> tuple[Axes, list[Axes]]:
    """Lay facets out in axes that were given, or in a new figure.

    ``height`` is that of one facet in points; ``rows`` are labels of the y axis from
    top to bottom, otherwise it is an axis of numbers under ``y_label``.
    """
    left, across = 0.0, min(_ACROSS, len(titles))
    if ax is None:
        rows = style.within(rows, style.inner(math.inf, 0.0) / 4) if any(rows) else rows
        left = style.widest(rows) * 1.02 + 8.0 if rows else 44.0
        room = style.inner(math.inf, 2 * style.MARGIN + left + style.SIDE)
        across = max(1, int(min(across, (room + _GAP) / (_LEAST + _GAP))))
    down = math.ceil(len(titles) / across)
    title = _TITLE * (1 + max(text.count("\n") for text in titles) * 0.6)
    if ax is None:
        ax = _new_figure(left, across, down, title + height + _TICKS, caption)
    extent, dots = ax.get_window_extent(), ax.figure.dpi / 72
    wide = (extent.width / dots - _GAP * (across - 1)) / across
    tall = extent.height / dots / down
    ax.set_axis_off()
    parts = []
    for i, name in enumerate(titles):
        row, column = divmod(i, across)
        part = ax.inset_axes(
            (
                column * (wide + _GAP) * dots / extent.width,
                1 - ((row + 1) * tall - _TICKS) * dots / extent.height,
                wide * dots / extent.width,
                (tall - title - _TICKS) * dots / extent.height,
            )
        )
        _prepare(part, name, i + 1, wide)
        if rows:
            part.set_ylim(len(rows) - 0.5, -0.5)
            part.set_yticks(range(len(rows)), rows, parse_math=False)
            part.tick_params(axis="y", length=0, labelleft=column == 0)
        elif column == 0:
            part.set_ylabel(y_label, parse_math=False)
        else:
            part.tick_params(labelleft=False)
        for axis in (part.xaxis, part.yaxis):
            if not axis.get_label_text():  # Matplotlib would lay all ticks out for it
                axis.set_label_coords(0, 0)
        parts.append(part)
    _write_below(ax, x_label, caption, left)
    return ax, parts


def _prepare(part: Axes, title: str, number: int, wide: float) -> None:
    """Give one facet its title, and few numbers."""
    part.spines[["right", "top"]].set_visible(False)
    part.locator_params(axis="x", nbins=max(2, int(wide / 40)))
    part.annotate(
        "\n".join(
            style.within([s], wide + _GAP, style.SMALL)[0] for s in title.split("\n")
        ),
        (0, 1),
        (0, 4),
        xycoords="axes fraction",
        textcoords="offset points",
        va="bottom",
        fontsize=style.SMALL,
        parse_math=False,
        annotation_clip=False,
        gid=f"facet-{number}",
    )


def _write_below(ax: Axes, x_label: str, caption: Sequence[str], left: float) -> None:
    """Write the axis label of all facets, and the caption."""
    wide = ax.get_window_extent().width / ax.figure.dpi * 72
    ax.annotate(
        x_label,
        (0.5, 0),
        (0, -2.0),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="center",
        va="top",
        parse_math=False,
        annotation_clip=False,
        gid="x-label",
    )
    style.annotate_below(ax, style.wrap_all(caption, left + wide), left)


def _new_figure(
    left: float, across: int, down: int, tall: float, caption: Sequence[str]
) -> Axes:
    """Make a figure with room for labels on the left and the caption below."""
    fixed = 2 * style.MARGIN + left + style.SIDE
    gaps = _GAP * (across - 1)
    inner = style.inner(across * _FACET + gaps, fixed, across * _LEAST + gaps)
    lines = style.wrap_all(caption, left + inner)
    below = 24.0 + style.caption_height(lines) + (12.0 if lines else 0.0)
    width, total = fixed + inner, style.MARGIN + down * tall + below
    corner = (style.MARGIN + left) / width, below / total
    return style.new_axes(width, total, (*corner, inner / width, down * tall / total))


def share_x(parts: Sequence[Axes]) -> None:
    """Give all facets the widest limits of any."""
    limits = [part.get_xlim() for part in parts]
    for part in parts:
        part.set_xlim(min(low for low, _ in limits), max(high for _, high in limits))

"""Histograms of two algorithms' scores over blocks, and of their differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import are, counted
from pycompare.base.typing import Floats
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.base.metric import Metric
    from pycompare.data.scores import Scores

_WIDTH = 340.0
_PANEL = 78.0
_TITLE = 15.0
_TICKS = 14.0
_AXIS = 32.0  # tick labels and the axis label
_LEFT = 40.0
_MOST_BINS = 40
_HALF_LABEL = 18  # columns: two names stand on one line
_NARROW = 0.01  # half of the bin of equal scores, relative to them
_HUES = (style.BLUE, style.RED, style.DIM)


@style.sized
def paired_histograms(
    scores: Scores,
    *,
    algorithms: Sequence[str] | None = None,
    metric: str | None = None,
    only_differences: bool = False,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the scores of two algorithms on common bins, and their differences.

    Both upper histograms share bins and axes, with their means marked; the lowest is of
    the differences within blocks, with the mean and the line of no difference. A paired
    test sees only the lowest one.

    Parameters
    ----------
    scores : Scores
        Blocks without both scores are left out, and counted below the picture.
    algorithms : pair of str, optional
        The first minus the second; needed unless the scores have just two.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    only_differences : bool, default False
        True draws the histogram of differences, without the two of scores.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into as a whole: its place is taken by three axes (``ax.child_axes``). By
        default a new figure.

    Returns
    -------
    Axes
        The whole; ``child_axes`` are the first, the second, the differences.

    Raises
    ------
    InputError
        If two algorithms or one metric are not named.
    DesignError
        If no block has both scores.

    Notes
    -----
    Bins are as wide as Sturges' ceil(log2(n)) + 1 bins (R's ``hist``) over the wider of
    the two samples of n scores, but never more than 40.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, Fig. 3.1.
    .. [2] Sturges, H. A. (1926). JASA 21, 65-66.
    """
    chosen = scores.metric(metric)
    pair = panel.pair_of_algorithms(scores, algorithms)
    both, lost = _complete_pairs(pair.column(chosen.name), pair.algorithms)
    d = panel.differences(both)
    labels = style.short_labels(pair.algorithms)
    of_scores, of_d = style.units_of(both), style.units_of(d, [0.0])
    samples = [*of_scores.values(both).T, of_d.values(d)]
    means = [float(of_scores.values(m)) for m in _both_means(both)]
    means.append(float(of_d.values(d.mean())))
    with style.context():
        shown = [2] if only_differences else [0, 1, 2]
        caption = [_caption(len(d), lost, chosen)]
        ax, opened = _open_panels(ax, caption, len(shown))
        parts = dict(zip(shown, opened, strict=True))
        first, second = style.short_labels(pair.algorithms, _HALF_LABEL)
        titles = [*labels, f"{first} \N{MINUS SIGN} {second}"]
        edges = [_bin_edges(*samples[:2])] * 2 + [_bin_edges(samples[2])]
        for i, part in parts.items():
            _draw_histogram(part, samples[i], edges[i], _HUES[i])
            _draw_mean(part, means[i], i + 1)
            _write_title(part, titles[i], i + 1)
        _draw_zero(parts[2], float(of_d.values(0.0)))
        name = style.shorten(style.printable(chosen.name), style.LABEL_WIDTH)
        if not only_differences:
            _share_axes(parts[0], parts[1])
            parts[1].set_xlabel(f"{name}{of_scores.text}", parse_math=False)
        parts[2].set_xlabel(f"difference of {name}{of_d.text}", parse_math=False)
    return ax


def _both_means(both: Floats) -> Floats:
    """Return the mean of each column, without overflow."""
    first = both[0]
    means: Floats = first + np.mean(both - first, axis=0)
    return means


def _complete_pairs(column: Floats, names: Sequence[str]) -> tuple[Floats, int]:
    """Return the blocks that have both scores, (n, 2), and how many have not."""
    kept = ~np.isnan(column).any(axis=1)
    if not kept.any():
        raise DesignError(f"no block has scores of both {names[0]!r} and {names[1]!r}")
    return column[kept], int((~kept).sum())


def _bin_edges(*samples: Floats) -> Floats:
    """Return bins for all samples; equal values get one narrow bin."""
    values = np.concatenate(samples)
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        half = _NARROW * (abs(low) or 1.0)
        return np.array([low - half, high + half])
    widest = max(float(np.ptp(sample)) for sample in samples)
    width = widest / (math.ceil(math.log2(len(samples[0]))) + 1)
    bins = math.ceil((high - low) / width) if width else _MOST_BINS
    return np.linspace(low, high, min(bins, _MOST_BINS) + 1)


def _draw_histogram(ax: Axes, values: Floats, edges: Floats, color: str) -> None:
    """Draw bars of counts."""
    counts, _ = np.histogram(values, edges)
    ax.bar(
        edges[:-1],
        counts,
        np.diff(edges),
        align="edge",
        color=color,
        alpha=0.55,
        edgecolor="white",
        linewidth=0.6,
    )
    if len(counts) == 1:
        ax.margins(x=5.0)


def _draw_mean(ax: Axes, mean: float, number: int) -> None:
    """Draw a mean as a line with a triangle on top."""
    ax.axvline(mean, color=style.INK, linewidth=1.2, zorder=3, gid=f"mean-{number}")
    ax.plot(
        [mean],
        [1],
        marker="v",
        markersize=5.0,
        color=style.INK,
        clip_on=False,
        zorder=4,
        transform=ax.get_xaxis_transform(),
    )


def _draw_zero(ax: Axes, zero: float) -> None:
    """Draw the line of no difference."""
    ax.axvline(
        zero,
        color=style.INK,
        linewidth=0.9,
        linestyle=(0, (4, 3)),
        zorder=2,
        gid="zero",
    )


def _share_axes(first: Axes, second: Axes) -> None:
    """Give both the wider limits of the two."""
    x = np.array([first.get_xlim(), second.get_xlim()])
    top = max(first.get_ylim()[1], second.get_ylim()[1])
    for ax in (first, second):
        ax.set_xlim(x[:, 0].min(), x[:, 1].max())
        ax.set_ylim(0, top)
    first.tick_params(labelbottom=False)


def _write_title(ax: Axes, text: str, number: int) -> None:
    """Write whose histogram it is above its left end."""
    ax.annotate(
        text,
        (0, 1),
        (0, 4),
        xycoords="axes fraction",
        textcoords="offset points",
        va="bottom",
        parse_math=False,
        annotation_clip=False,
        gid=f"title-{number}",
    )


def _open_panels(
    ax: Axes | None, caption: Sequence[str], n: int
) -> tuple[Axes, list[Axes]]:
    """Lay three panels or one out in axes that were given, or in a new figure."""
    from matplotlib.ticker import MaxNLocator

    fixed = n * _TITLE + (n > 1) * (_TICKS + _AXIS)
    if ax is None:
        wide = style.inner(_WIDTH, 2 * style.MARGIN + _LEFT)
        lines = style.wrap_all(caption, panel.HINTED * (_LEFT + wide))
        ax = _new_figure(fixed + n * _PANEL, wide, lines)
    extent, dots = ax.get_window_extent(), ax.figure.dpi / 72
    lines = style.wrap_all(caption, panel.HINTED * (_LEFT + extent.width / dots))
    inner = extent.height / dots
    tall = max(inner - fixed, fixed) / n
    tops = np.array([0, _TITLE + tall + _TICKS, 2 * (_TITLE + tall) + _TICKS + _AXIS])
    ax.set_axis_off()
    parts = [
        ax.inset_axes((0, 1 - (top + _TITLE + tall) / inner, 1, tall / inner))
        for top in tops[:n]
    ]
    for part in parts:
        part.spines[["right", "top"]].set_visible(False)
        part.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
        panel.few_ticks(part, extent.width / dots)
        part.set_ylabel("count", parse_math=False)
    style.annotate_below(ax, lines, _LEFT)
    return ax, parts


def _new_figure(inner: float, wide: float, lines: Sequence[str]) -> Axes:
    """Make a figure with room for the caption below."""
    width = 2 * style.MARGIN + _LEFT + wide
    below = style.BELOW_AXIS + style.caption_height(lines) + style.MARGIN
    height = style.MARGIN + inner + below
    left = (style.MARGIN + _LEFT) / width
    box = left, below / height, wide / width, inner / height
    return style.new_axes(width, height, box)


def _caption(n: int, lost: int, metric: Metric) -> str:
    without = f" {counted(lost, 'block')} without a score {are(lost)} left out."
    left_out = without if lost else ""
    return (
        f"{n} blocks; {metric.better} is better. Line with triangle: mean. Dashed: no "
        f"difference. A paired test uses the differences only.{left_out}"
    )

"""Differences in AUC of pairs of algorithms on data sets, one facet a pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.errors import InputError
from pycompare.plotting import facets, style
from pycompare.results.result import PairsResult, rejected

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_FACETS = 12
MOST_ROWS = 100
_ROW = 9.0  # of one comparison on one data set
_NAME_WIDTH = 14  # columns: two names stand above a facet
_MARKERS = ("o", "s")
_MINUS = "\N{MINUS SIGN}"
ByDataset = Mapping[str, PairsResult]


@style.sized
def auc_differences(
    comparisons: Mapping[str, ByDataset],
    *,
    alpha: float = 0.05,
    pairs: Sequence[tuple[str, str]] | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the difference in AUC of each pair on each data set, with its interval.

    One facet a pair, one row per data set, one line per comparison, such as over cases
    and over folds. With one data set there is one row per pair. Filled blue marks are
    significant differences, open grey ones are not.

    Parameters
    ----------
    comparisons : mapping of str to mapping of str to PairsResult
        By comparison (at most two), then by data set: results of ``pc.delong``, of t
        tests of the AUCs of folds.
    alpha : float
        A pair is significant if ``p_adjusted <= alpha``.
    pairs : sequence of (str, str), optional
        First minus second; all pairs by default.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Its place is taken by one axes a pair (``ax.child_axes``), in which data set i
        is at y = i. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If there is nothing to draw, or more than anyone can read.
    """
    check_alpha(alpha)
    rows = list(
        dict.fromkeys(
            name for by_dataset in comparisons.values() for name in by_dataset
        )
    )
    if not rows or len(comparisons) > len(_MARKERS):
        raise InputError(
            f"{len(comparisons)} comparisons of {len(rows)} data sets: give one or two "
            "comparisons, by name, of at least one data set"
        )
    chosen = list(_all_pairs(comparisons) if pairs is None else pairs)
    if not 0 < len(chosen) <= MOST_FACETS or len(rows) > MOST_ROWS:
        raise InputError(
            f"{len(chosen)} pairs on {len(rows)} data sets: this picture has room for "
            f"{MOST_FACETS} pairs and {MOST_ROWS} data sets; name some pairs"
        )
    single = len(rows) == 1
    names = _titles(chosen)
    step = _ROW * len(comparisons) + 4.0
    with style.context():
        ax, parts = facets.open_facets(
            ax,
            titles=[""] if single else names,
            rows=names if single else style.short_labels(rows),
            x_label="difference in AUC, first minus second",
            height=step * (len(names) if single else len(rows)),
            caption=[_caption(list(comparisons), alpha)],
        )
        for k, pair in enumerate(chosen):
            part, first = (parts[0], k) if single else (parts[k], 0)
            for row, name in enumerate(rows, start=first):
                results = [of.get(name) for of in comparisons.values()]
                _draw_row(part, results, row, pair, alpha, k + 1)
        for part in parts:
            _draw_zero(part)
        facets.share_x(parts)
    return ax


def _all_pairs(comparisons: Mapping[str, ByDataset]) -> list[tuple[str, str]]:
    """Return every pair of the algorithms."""
    results = [
        result for by_dataset in comparisons.values() for result in by_dataset.values()
    ]
    return list(combinations(results[0].algorithms, 2))


def _titles(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Name each pair: the first minus the second."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    short = dict(zip(names, style.short_labels(names, _NAME_WIDTH), strict=True))
    return [f"{short[first]} {_MINUS} {short[second]}" for first, second in pairs]


def _draw_row(
    ax: Axes,
    results: Sequence[PairsResult | None],
    row: int,
    pair: tuple[str, str],
    alpha: float,
    number: int,
) -> None:
    """Draw a pair on one data set: one line per comparison."""
    apart = np.linspace(-0.16, 0.16, len(results)) if len(results) > 1 else [0.0]
    for marker, shift, result in zip(_MARKERS, apart, results, strict=False):
        if result is None:
            continue
        estimate, low, high, p = _of_pair(result, pair)
        significant = bool(rejected(p, alpha))
        color, y = style.BLUE if significant else style.DIM, row + float(shift)
        ax.plot([low, high], [y, y], color=color, linewidth=1.2, zorder=2)
        ax.plot(
            [estimate],
            [y],
            marker=marker,
            markersize=4.2,
            color=color,
            markerfacecolor=color if significant else "white",
            linestyle="none",
            zorder=3,
            gid=f"difference-{number}-{row + 1}-{marker}",
        )


def _draw_zero(ax: Axes) -> None:
    """Draw the line of no difference."""
    ax.axvline(0.0, color=style.INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)


def _of_pair(result: PairsResult, pair: tuple[str, str]) -> tuple[float, ...]:
    """Return difference, limits and adjusted p-value of a pair."""
    columns = ("estimate", "conf_low", "conf_high", "p_adjusted")
    return tuple(float(result.matrix(c).loc[pair]) for c in columns)


def _caption(names: Sequence[str], alpha: float) -> str:
    """Return the meaning of marks."""
    shapes = ("circles", "squares")
    told = [f"{s}: {n}" for s, n in zip(shapes, names, strict=False)]
    text = f"Filled blue: significant, adjusted p at most {alpha:g}; open grey: not."
    return f"{'; '.join(told).capitalize()}. {text}" if len(names) > 1 else text

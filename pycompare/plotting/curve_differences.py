"""Differences of two curves with their simultaneous bands, one facet a pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import p_equals, percent
from pycompare.base.typing import Bools, Floats
from pycompare.plotting import facets, panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.curves.dominance import CurveDominance

_MOST_FACETS = 12
_HEIGHT = 130.0
_NAME_WIDTH = 14  # columns: two names stand above a facet
_MINUS = "\N{MINUS SIGN}"
_EDGE = 0.04
"""Room above and below the bands, as a share of their range."""
_TITLES = {
    "roc": ("false positive rate", "difference in true positive rate"),
    "pr": ("recall", "difference in precision"),
}


@style.sized
def curve_differences(
    results: CurveDominance | Sequence[CurveDominance],
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the difference of each pair of curves, with its simultaneous band.

    Parameters
    ----------
    results : CurveDominance or sequence of these
        From ``pc.curve_dominance``, all of one kind and level; at most 12.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; the place of several results is taken by one axes each
        (``ax.child_axes``). By default a new figure.

    Returns
    -------
    Axes
        x is the axis of the curves, y the height of the first minus that of the second.
        The line is thick and blue at places whose band leaves out 0.

    Raises
    ------
    InputError
        For no results, too many, or results of several kinds or levels.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 60)
    >>> good = rng.normal(1.5 * ill)
    >>> tests = {"good": good, "noisy": good + rng.normal(size=120)}
    >>> found = pc.curve_dominance(ill, tests, positive=True, resamples=199)
    >>> ax = plotting.curve_differences(found)
    >>> ax.get_xlabel()
    'false positive rate'
    """
    shown = list(results) if isinstance(results, Sequence) else [results]
    if not 0 < len(shown) <= _MOST_FACETS:
        raise InputError(
            f"{len(shown)} comparisons of curves: this picture has room for 1 to "
            f"{_MOST_FACETS}"
        )
    if len({(result.kind, result.level, result.n_pairs) for result in shown}) > 1:
        raise InputError(
            "these comparisons of curves have several kinds, levels or numbers of "
            "pairs: draw those alike"
        )
    first = shown[0]
    x_label, y_label = _TITLES[first.kind]
    names = _names(shown)
    with style.context():
        if len(shown) == 1:
            ax = panel.open_panel(
                ax, x_label, f"{y_label}, {names[0]}", [_caption(first)]
            )
            places = [ax]
        else:
            titles = [
                f"{name}\n{'adj. ' * (result.n_pairs > 1)}{p_equals(result.p_adjusted)}"
                for name, result in zip(names, shown, strict=True)
            ]
            ax, places = facets.open_facets(
                ax,
                titles=titles,
                x_label=x_label,
                y_label=y_label,
                height=_HEIGHT,
                caption=[_caption(first)],
            )
        for number, (place, result) in enumerate(zip(places, shown, strict=True), 1):
            _draw(place, result, number)
        low, high = _range(shown)
        for place in places:
            place.set_xlim(first.low - 0.012, first.high + 0.012)
            place.set_ylim(low, high)
    return ax


def _names(results: Sequence[CurveDominance]) -> list[str]:
    """Name each pair: the first minus the second."""
    pairs = [(result.algorithm_1, result.algorithm_2) for result in results]
    labels = list(dict.fromkeys(name for pair in pairs for name in pair))
    short = dict(zip(labels, style.short_labels(labels, _NAME_WIDTH), strict=True))
    return [f"{short[first]} {_MINUS} {short[second]}" for first, second in pairs]


def _columns(result: CurveDominance) -> tuple[Floats, Floats, Floats, Floats]:
    """Return places, differences and both limits of the band."""
    table = result.as_columns()
    x, middle, low, high = (np.asarray(table[name], float) for name in table)
    return x, middle, low, high


def _range(results: Sequence[CurveDominance]) -> tuple[float, float]:
    """Return the limits of the axis of differences, 0 within."""
    ends = np.concatenate([np.concatenate(_columns(result)[1:]) for result in results])
    low, high = min(0.0, np.nanmin(ends)), max(0.0, np.nanmax(ends))
    room = _EDGE * (high - low or 1.0)
    return low - room, high + room


def _draw(ax: Axes, result: CurveDominance, number: int) -> None:
    """Draw the zero line, the band, the difference, and the parts without 0."""
    x, middle, low, high = _columns(result)
    ax.axhline(0.0, color=style.INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    band = ax.fill_between(x, low, high, color=style.FAINT, linewidth=0, zorder=0)
    band.set_gid(f"band-{number}")
    ax.plot(
        *(x, middle),
        color=style.NOT_SHOWN,
        linewidth=1.2,
        zorder=2,
        gid=f"difference-{number}",
    )
    parts = _runs((low > 0) | (high < 0))
    for part, (start, end) in enumerate(parts, start=1):
        ax.plot(
            *(x[start:end], middle[start:end]),
            color=style.BLUE,
            linewidth=3.0,
            solid_capstyle="round",
            zorder=3,
            gid=f"significant-{number}-{part}",
        )


def _runs(inside: Bools) -> list[tuple[int, int]]:
    """Return the first place and the one behind the last of each run."""
    steps = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in zip(steps[::2], steps[1::2], strict=True)]


def _caption(result: CurveDominance) -> str:
    """Describe line and band."""
    level = percent(result.level)
    of = f" of the {result.n_pairs} pairs together" * (result.n_pairs > 1)
    return (
        f"First minus second. Grey: {level} simultaneous band{of}. Blue: the band "
        "excludes 0."
    )

"""Shared parts of pictures of curves: folds, mean, bands, thresholds, the key."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import require
from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.base.formatting.rounding import fixed, significant
from pycompare.base.labels import label_positions
from pycompare.base.typing import Floats
from pycompare.data.predictions import Predictions
from pycompare.kernels.polylines import Line
from pycompare.methods.curves.mean_curve import MeanCurve
from pycompare.plotting import facets, panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Band = Literal["pointwise", "simultaneous"]
_BANDS: tuple[Band, ...] = get_args(Band)
_COLUMNS = {"pointwise": "conf", "simultaneous": "band"}
_ALPHAS = {"pointwise": 0.22, "simultaneous": 0.13}
_DASHES = ("-", (0, (6, 2)), (0, (2.2, 1.4)), (0, (7, 2, 1.5, 2)))
_MOST_THRESHOLDS = 12
_MOST_PLACES = 401
_MOST_VERTICES = 2000  # of one algorithm: beyond, the page would be slow to open
_SAMPLE = 11.0  # points of a line in the key
_EDGE = 0.012  # of an axis, beyond its ends
_TURN = 8  # directions that a label can stand in
_NEAR = 10.0
_FARTHEST = 90.0
Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True)
class Look:
    """How the curves of one algorithm look; ``title`` is that of its facet."""

    mark: panel.Mark
    dashes: object
    title: str


def named_algorithms(
    predictions: Predictions, algorithms: Sequence[str] | None
) -> tuple[str, ...]:
    """Return the algorithms to draw."""
    require(predictions, Predictions)
    predictions.require_one_run()
    names = predictions.algorithms if algorithms is None else algorithms
    if isinstance(names, str) or not names:
        raise InputError(f"algorithms={names!r}: give a sequence of names")
    label_positions("algorithm", names, predictions.algorithms)
    return tuple(names)


def wanted_bands(bands: Sequence[Band] | None, average: str) -> tuple[Band, ...]:
    """Return the bands to draw; a threshold average has none."""
    if bands is None:
        return _BANDS if average == "vertical" else ()
    unknown = [band for band in bands if band not in _BANDS]
    if isinstance(bands, str) or unknown:
        raise InputError(
            f"bands={bands!r}: give a sequence of 'pointwise' and 'simultaneous'"
        )
    if bands and average != "vertical":
        raise InputError("bands are for average='vertical'; leave them out")
    return tuple(bands)


def check_thresholds(thresholds: Sequence[float]) -> tuple[float, ...]:
    """Reject what cannot be marked."""
    numbers = tuple(float(t) for t in thresholds)
    if len(numbers) > _MOST_THRESHOLDS or not all(map(math.isfinite, numbers)):
        raise InputError(
            f"{len(numbers)} thresholds: give at most {_MOST_THRESHOLDS}, finite"
        )
    return numbers


def looks(curves: Sequence[MeanCurve], area: str) -> list[Look]:
    """Give each algorithm a colour, dashes, a marker and its area in the key."""
    marks = panel.marks([curve.algorithm for curve in curves])
    return [
        Look(
            replace(mark, label=f"{mark.label}: {area} {_area_text(curve)}"),
            _DASHES[i % len(_DASHES)],
            f"{mark.label}\n{_area_text(curve)}",
        )
        for i, (mark, curve) in enumerate(zip(marks, curves, strict=True))
    ]


def _area_text(curve: MeanCurve) -> str:
    """Return an area with its interval, if it has one."""
    area = curve.area
    if math.isnan(area.conf_low):
        return fixed(area.estimate, 3)
    low, high = fixed(area.conf_low, 3), fixed(area.conf_high, 3)
    return f"{fixed(area.estimate, 3)} [{low}, {high}]"


def open_curves(
    ax: Axes | None,
    titles: tuple[str, str],
    caption: str,
    looks: Sequence[Look],
    top: float = 1.0,
) -> Axes:
    """Prepare axes from 0 to 1, with lines in the key."""
    ax = panel.open_panel(ax, *titles, [caption], [look.mark for look in looks])
    ax.set_xlim(-_EDGE, 1 + _EDGE)
    ax.set_ylim(-_EDGE * top, top * (1 + _EDGE))
    for i, look in enumerate(looks):
        _draw_sample(ax, look, i)
    return ax


CurveAxes = tuple["Axes", tuple[int, ...]]
"""Axes, and the numbers of the curves that they are for."""
_FACET_HEIGHT = 130.0
_FACET_TICKS = (0.0, 0.5, 1.0)  # ticks are most of what a small picture takes to draw


def open_places(
    ax: Axes | None,
    titles: tuple[str, str],
    caption: str,
    looks: Sequence[Look],
    *,
    in_facets: bool,
) -> tuple[Axes, list[CurveAxes]]:
    """Prepare axes for all curves, or one for each, in which the others are grey."""
    if not in_facets:
        ax = open_curves(ax, titles, caption, looks)
        return ax, [(ax, tuple(range(len(looks))))]
    ax, parts = facets.open_facets(
        ax,
        titles=[look.title for look in looks],
        x_label=titles[0],
        y_label=titles[1],
        height=_FACET_HEIGHT,
        caption=[caption],
    )
    for part in parts:
        part.set_xlim(-_EDGE, 1 + _EDGE)
        part.set_ylim(-_EDGE, 1 + _EDGE)
        part.set_xticks(_FACET_TICKS)
        part.set_yticks(_FACET_TICKS)
    return ax, [(part, (i,)) for i, part in enumerate(parts)]


def _draw_sample(ax: Axes, look: Look, number: int) -> None:
    """Draw a line through the mark of one line of the key."""
    from matplotlib.transforms import ScaledTranslation

    [mark] = [line for line in ax.lines if line.get_gid() == f"key-mark-{number + 1}"]
    inches = ax.figure.dpi_scale_trans
    for end in (-0.5, 0.5):
        shift = ScaledTranslation(end * _SAMPLE / 72, 0, inches)
        ax.plot(
            *mark.get_data(),
            marker="_",
            markersize=_SAMPLE / 2,
            color=look.mark.color,
            transform=mark.get_transform() + shift,
            clip_on=False,
            scalex=False,
            scaley=False,
        )


def draw_all(
    ax: Axes,
    curves: Sequence[MeanCurve],
    looks: Sequence[Look],
    bands: Sequence[Band],
    *,
    folds: bool,
    shown: Sequence[int],
) -> None:
    """Draw bands behind, then folds, then means; curves not ``shown`` are grey."""
    for i in shown:
        if len(curves[i].folds) > 1:
            for band in bands:
                _draw_band(ax, curves[i], looks[i], band, i + 1)
    for i, (curve, look) in enumerate(zip(curves, looks, strict=True)):
        own = i in shown
        if own and folds and len(curve.folds) > 1:
            _draw_folds(ax, curve, look, i + 1)
        x, y = curve.line
        kept = places(len(x))
        ax.plot(
            x[kept],
            y[kept],
            color=look.mark.color if own else style.LINE,
            linestyle=look.dashes,
            linewidth=1.9 if own else 0.8,
            zorder=3 if own else 2,
            gid=f"mean-{i + 1}" if own else None,
        )


def _draw_band(ax: Axes, curve: MeanCurve, look: Look, band: Band, i: int) -> None:
    """Fill the space between two limits."""
    table = curve.as_columns()
    table = table.take(places(len(table)))
    ax.fill_between(
        table[next(iter(table))],
        table[f"{_COLUMNS[band]}_low"],
        table[f"{_COLUMNS[band]}_high"],
        color=look.mark.color,
        alpha=_ALPHAS[band],
        linewidth=0,
        zorder=1,
        gid=f"{band}-{i}",
    )


def places(n: int) -> NDArray[np.intp]:
    """Return which of n vertices to draw: pairs with the same place stay together."""
    if n <= 2 * _MOST_PLACES:
        return np.arange(n)
    # The distance is less than a point of the picture.
    kept = np.linspace(0, n // 2 - 1, _MOST_PLACES).round().astype(np.intp)
    return np.union1d([n - 1], [2 * kept, 2 * kept + 1])


def _draw_folds(ax: Axes, curve: MeanCurve, look: Look, i: int) -> None:
    """Draw the curve of every fold, thin."""
    from matplotlib.collections import LineCollection

    paths = [corners(np.column_stack(line)) for line in curve.lines]
    lines = LineCollection(
        paths,
        colors=look.mark.color,
        linewidths=0.5,
        alpha=min(0.5, max(0.08, 6 / len(paths))),
        zorder=2,
        gid=f"folds-{i}",
        rasterized=sum(map(len, paths)) > _MOST_VERTICES,
    )
    ax.add_collection(lines, autolim=False)


def corners(path: Floats) -> Floats:
    """Return the path without vertices inside a level or upright piece."""
    if len(path) < 3:
        return path
    before, here, after = path[:-2], path[1:-1], path[2:]
    inside = np.any((before == here) & (here == after), axis=1)
    return path[np.concatenate([[True], ~inside, [True]])]


@dataclass(frozen=True)
class Marked:
    """A threshold on a curve: its place, its value, its colour."""

    x: float
    y: float
    text: str
    look: Look
    gid: str


def marked_thresholds(
    curves: Sequence[MeanCurve],
    looks: Sequence[Look],
    thresholds: Sequence[float],
    columns: tuple[str, str],
) -> list[Marked]:
    """Return the mean places of thresholds that have one."""
    marked = []
    for i, (curve, look) in enumerate(zip(curves, looks, strict=True), start=1):
        places = curve.points_at(thresholds)[list(columns)].to_numpy(float)
        for k, (x, y) in enumerate(places, start=1):
            if not math.isnan(x + y):
                text = significant(thresholds[k - 1], 3).replace("-", "\N{MINUS SIGN}")
                marked.append(Marked(x, y, text, look, f"{i}-{k}"))
    return marked


def draw_hull(ax: Axes, line: Line, look: Look, number: int) -> None:
    """Draw the curve that a hull makes of an algorithm's."""
    ax.plot(
        *line,
        color=look.mark.color,
        linewidth=1.0,
        linestyle=(0, (4, 3)),
        zorder=4,
        gid=f"hull-{number + 1}",
    )


def draw_thresholds(ax: Axes, marked: Sequence[Marked]) -> None:
    """Draw marks with their values beside them, none on another."""
    extent = ax.get_window_extent()
    size = np.array([extent.width, extent.height]) / ax.figure.dpi * 72
    low = np.array([ax.get_xlim()[0], ax.get_ylim()[0]])
    span = np.array([np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())])
    places = [(np.array([m.x, m.y]) - low) / span * size for m in marked]
    taken = [_around(place, 8.0, 8.0) for place in places]
    for m, place in zip(marked, places, strict=True):
        ax.plot(
            [m.x],
            [m.y],
            marker=m.look.mark.marker,
            markersize=5.5,
            markerfacecolor="white",
            markeredgecolor=m.look.mark.color,
            markeredgewidth=1.3,
            linestyle="none",
            zorder=5,
            gid=f"threshold-{m.gid}",
        )
        offset = _free_place(m.text, place, size, taken)
        _write_value(ax, m, offset)


def _free_place(
    text: str, place: Floats, size: Floats, taken: list[Rectangle]
) -> Floats:
    """Return where a label can stand, nearest first, and take the place."""
    width, height = style.text_width(text, style.SMALL) + 3, style.SMALL + 3
    for offset in _offsets(width):
        box = _around(place + offset, width, height)
        inside = box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]
        if inside and not any(_overlap(box, other) for other in taken):
            break
    taken.append(box)
    return offset


def _offsets(width: float) -> Iterator[Floats]:
    """Yield places around a point, nearest first."""
    for radius, k in product(np.arange(_NEAR, _FARTHEST, 6.0), range(_TURN)):
        angle = math.pi * (0.75 + 2 * k / _TURN)
        yield np.array(
            [(radius + width / 3) * math.cos(angle), radius * math.sin(angle)]
        )


def _around(centre: Floats, width: float, height: float) -> Rectangle:
    """Return a box about its centre."""
    x, y = map(float, centre)
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _overlap(box: Rectangle, other: Rectangle) -> bool:
    """Return whether two boxes share space."""
    return (
        box[0] < other[2]
        and other[0] < box[2]
        and box[1] < other[3]
        and other[1] < box[3]
    )


def _write_value(ax: Axes, m: Marked, offset: Floats) -> None:
    """Write a threshold beside its mark, with a line if it stands far off."""
    color = m.look.mark.color
    if math.hypot(*offset) > 2.2 * _NEAR:
        ax.annotate(
            "",
            (m.x, m.y),
            tuple(offset),
            textcoords="offset points",
            arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": color},
        )
    ax.annotate(
        m.text,
        (m.x, m.y),
        tuple(offset),
        textcoords="offset points",
        fontsize=style.SMALL,
        color=color,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.6},
        ha="center",
        va="center",
        parse_math=False,
        zorder=6,
        gid=f"value-{m.gid}",
    )


def caption_sentences(
    curves: Sequence[MeanCurve], bands: Sequence[Band], what: str, *, folds: bool
) -> list[str]:
    """Return sentences on the folds, means and bands drawn."""
    n = len(curves[0].folds)
    if all(len(curve.folds) == 1 for curve in curves):
        return ["One fold, so there is no band."]
    counts = {len(curve.folds) for curve in curves}
    text = f"{n} folds" if len(counts) == 1 else f"{min(counts)} to {max(counts)} folds"
    level = percent(curves[0].level)
    sentences = [
        f"{text}{': thin lines' if folds else ''}. Thick: {what}.",
        f"Brackets: {level} t interval of the mean area.",
    ]
    if "pointwise" in bands:
        sentences.append(f"Darker: {level} t interval at each place separately.")
    if "simultaneous" in bands:
        sentences.append(
            f"Lighter: {level} band for the whole curve at once, of fixed width."
        )
    sentences.append(
        "Folds are assumed independent; they share training cases, so they vary less "
        "than new data would."
    )
    left_out = max(curve.left_out for curve in curves)
    if left_out:
        sentences.append(f"Up to {left_out} folds have no curve and are left out.")
    return sentences

"""Two metrics of each algorithm: folds as points, and an ellipse around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from pycompare.base.arguments import check_level, check_word
from pycompare.base.errors import DesignError, InputError
from pycompare.base.typing import Floats
from pycompare.kernels.ellipses import (
    Spread,
    mean_radius,
    normal_radius,
    outline,
    pooled,
    spread,
)
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.scores import Scores

Of = Literal["data", "mean"]
Covariance = Literal["own", "pooled"]
_MEANING = {
    "data": "contour of the normal distribution with the sample mean and covariance "
    "that holds {:g}% of it",
    "mean": "{:g}% confidence region of the mean (Hotelling's T2), each algorithm by "
    "itself; overlap is no test of a difference, since the blocks are common",
}
_POOLED = "; the covariance is pooled over the algorithms"


@dataclass(frozen=True)
class Plane:
    """Two metrics of all algorithms, and the units they are drawn in."""

    scores: Scores
    metrics: tuple[str, str]

    @property
    def values(self) -> Floats:
        """Scores, shape (n_blocks, n_algorithms, 2), in the metrics' own units."""
        return np.stack([self.scores.column(name) for name in self.metrics], axis=-1)

    def units(self, *arrays: Floats) -> tuple[style.AxisUnits, style.AxisUnits]:
        """Choose units for both axes, from arrays with two columns."""
        x, y = (style.units_of(*(a[..., j] for a in arrays)) for j in range(2))
        return x, y


@style.sized
def ellipses(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    of: Of = "data",
    covariance: Covariance = "own",
    level: float = 0.95,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw two metrics of each algorithm: blocks, mean, and an ellipse.

    Parameters
    ----------
    scores : Scores
        Blocks are the folds of one data set, or data sets. A block that lacks a score
        of an algorithm is left out for it, and counted below the picture.
    metrics : pair of str, optional
        x and y; needed unless the scores have just two metrics.
    of : {"data", "mean"}
        The isoprobability contour of the normal distribution with the sample's mean and
        covariance, or the confidence region of the mean.
    covariance : {"own", "pooled"}
        Of each algorithm's own blocks, or pooled over the algorithms, within each about
        its mean: ellipses of one shape, as the analysis of variance of both metrics
        assumes.
    level : float
        What share of the distribution the contour holds, or the region's confidence.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x and y are the metrics. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If two metrics are not named, or there are more algorithms than marks.
    DesignError
        If an algorithm has too few blocks: for ``of="mean"`` fewer than three, or,
        pooled, fewer than two more blocks than algorithms in all.

    Notes
    -----
    Points on a line have a segment in the place of their ellipse, equal ones a point,
    and the caption states this. R: ``car::dataEllipse`` (with F, not chi2, for the
    contour), ``ellipse::ellipse(cov(x), centre = colMeans(x), t = r)``.

    References
    ----------
    .. [1] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011), Fig. 2a, 5.
    .. [2] Johnson, R. A., Wichern, D. W. (2007). Applied Multivariate Statistical
       Analysis, 6th ed., eq. 4-7, 5-18.
    """
    check_level(level)
    check_word("of", of, _MEANING)
    plane = Plane(scores, pair_of_metrics(scores, metrics))
    marks = panel.marks(scores.algorithms)
    check_word("covariance", covariance, get_args(Covariance))
    one_shape = covariance == "pooled"
    least = 3 if of == "mean" and not one_shape else 1
    clouds = [_cloud(plane, j, least) for j in range(scores.n_algorithms)]
    spreads = [spread(points) for points in clouds]
    if one_shape:
        spreads = _of_one_shape(spreads, clouds)
    df = sum(s.n - 1 for s in spreads) if one_shape else None
    radii = [_radius(spread, of, level, df) for spread in spreads]
    units = plane.units(*clouds)
    text = _caption(plane, of, level, spreads, one_shape=one_shape)
    with style.context():
        titles = _axis_titles(plane, units)
        ax = panel.open_panel(ax, *titles, text, marks)
        for i, mark in enumerate(marks):
            points = in_units(clouds[i], units)
            panel.draw_points(ax, points, mark, f"points-{i + 1}", of=len(marks))
            around = around_mean(points, spreads[i], radii[i], units)
            panel.draw_curve(ax, around, mark.color, f"ellipse-{i + 1}")
            panel.draw_mean(ax, points.mean(axis=0), mark, f"mean-{i + 1}")
    return ax


def pair_of_metrics(scores: Scores, metrics: Sequence[str] | None) -> tuple[str, str]:
    """Return the names of x and y."""
    names = [metric.name for metric in scores.metrics] if metrics is None else metrics
    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise InputError(
            f"metrics={names!r}: give two different metrics, x and y; there are "
            f"{', '.join(repr(metric.name) for metric in scores.metrics)}"
        )
    first, second = (scores.metric(name).name for name in names)
    return first, second


def _cloud(plane: Plane, number: int, least: int) -> Floats:
    """Return the blocks of one algorithm that have both scores, shape (n, 2)."""
    points = plane.values[:, number]
    points = points[~np.isnan(points).any(axis=1)]
    if len(points) < least:
        raise DesignError(
            f"{plane.scores.algorithms[number]!r} has both scores in {len(points)} "
            f"blocks; {least} are needed at least"
        )
    return points


def _of_one_shape(spreads: Sequence[Spread], clouds: Sequence[Floats]) -> list[Spread]:
    """Return spreads with the pooled covariance."""
    points, groups = sum(map(len, clouds)), len(clouds)
    if points < groups + 2:
        raise DesignError(
            f"covariance='pooled': {points} points of {groups} algorithms; at least "
            f"{groups + 2} are needed"
        )
    return pooled(spreads, clouds)


def _radius(spread: Spread, of: Of, level: float, df: int | None) -> float:
    """Return the radius of an ellipse in standard units."""
    rank = int(spread.rank)
    if of == "data":
        return normal_radius(level, rank)
    return mean_radius(1 - level, spread.n, rank, df)


def in_units(points: Floats, units: tuple[style.AxisUnits, style.AxisUnits]) -> Floats:
    """Return points (..., 2) as they are drawn."""
    return np.stack([u.values(points[..., j]) for j, u in enumerate(units)], axis=-1)


def around_mean(
    points: Floats,
    spread: Spread,
    reach: float,
    units: tuple[style.AxisUnits, style.AxisUnits],
) -> Floats:
    """Return the ellipse about the mean of points that are in units already."""
    root = np.stack([u.lengths(spread.root[j]) for j, u in enumerate(units)])
    return outline(points.mean(axis=0), root, reach)


def _axis_titles(
    plane: Plane, units: tuple[style.AxisUnits, style.AxisUnits]
) -> tuple[str, str]:
    """Name both axes."""
    metrics = [plane.scores.metric(name) for name in plane.metrics]
    x, y = (panel.metric_title(m, u) for m, u in zip(metrics, units, strict=True))
    return x, y


def _caption(
    plane: Plane, of: Of, level: float, spreads: Sequence[Spread], *, one_shape: bool
) -> list[str]:
    """Describe the ellipses, and which are none."""
    n, a = plane.values.shape[:2]
    lost = n * a - sum(spread.n for spread in spreads)
    meaning = _MEANING[of].format(100 * level) + _POOLED * one_shape
    sentences = [
        f"Small: {n} blocks; large: the mean. Ellipse: {meaning}.",
        _degenerate(plane.scores.algorithms, spreads),
        f"{lost} of {n * a} points lack a score." if lost else "",
    ]
    return [" ".join(filter(None, sentences))]


def _degenerate(names: Sequence[str], spreads: Sequence[Spread]) -> str:
    """Name the elements drawn as a segment or a point."""
    labels = style.short_labels(names)
    words = {
        1: "On a line, drawn as a segment: {}.",
        0: "Equal in all blocks, drawn as a point: {}.",
    }
    sentences = []
    for rank, sentence in words.items():
        those = [
            label
            for label, spread in zip(labels, spreads, strict=True)
            if spread.rank == rank
        ]
        if those:
            sentences.append(sentence.format(", ".join(those)))
    return " ".join(sentences)

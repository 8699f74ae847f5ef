"""Paired differences of two algorithms in two metrics, and where their mean may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.errors import DesignError, setting
from pycompare.base.formatting.counts import are
from pycompare.base.typing import Floats
from pycompare.kernels.ellipses import (
    Spread,
    mean_radius,
    normal_radius,
    spread,
)
from pycompare.plotting import panel, style
from pycompare.plotting.ellipses import (
    Plane,
    around_mean,
    in_units,
    pair_of_metrics,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.base.metric import Metric
    from pycompare.data.scores import Scores

_SHAPE = {
    2: "Ellipse",
    1: "Segment (the differences lie on a line)",
    0: "Point (the differences are equal in all blocks)",
}


@style.sized
def difference_ellipse(
    scores: Scores,
    *,
    algorithms: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    alpha: float = 0.05,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the paired differences of two algorithms in two metrics.

    The full ellipse is the confidence region of the mean difference. The origin, which
    is marked, lies outside exactly when the paired Hotelling T2 test of these two
    metrics rejects at ``alpha``; if two metrics are in fact one (differences on a
    line), the test is that of the line. The dashed ellipse is the contour of the normal
    distribution fitted to the differences, as in [1]_, and decides nothing.

    Parameters
    ----------
    scores : Scores
        Without missing cells in these algorithms and metrics.
    algorithms : pair of str, optional
        The first minus the second; needed unless the scores have just two.
    metrics : pair of str, optional
        x and y; needed unless the scores have just two.
    alpha : float
        1 minus the confidence. For one of several pairs give the adjusted one,
        such as alpha over the number of pairs (Bonferroni).
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x and y are differences. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If two algorithms or two metrics are not named.
    DesignError
        For fewer than three blocks, or missing cells.

    Notes
    -----
    Points m with k (dbar - m)' S_d^-1 (dbar - m) <= p (k - 1) / (k - p) F, F the upper
    alpha quantile on (p, k - p), p = 2.

    References
    ----------
    .. [1] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011), eq. 2, Fig. 2c, 3d.
    .. [2] Johnson, R. A., Wichern, D. W. (2007). Applied Multivariate Statistical
       Analysis, 6th ed., eq. 6-10.
    """
    check_alpha(alpha)
    scores = panel.pair_of_algorithms(scores, algorithms)
    plane = Plane(scores, pair_of_metrics(scores, metrics))
    d, spread = _differences(plane)
    units = plane.units(np.vstack([d, np.zeros((1, 2))]))
    mark = panel.Mark("", style.BLUE, "o")
    with style.context():
        ax = panel.open_panel(
            ax, *_axis_titles(plane, units), _caption(scores, spread, alpha)
        )
        points = in_units(d, units)
        _draw_origin(ax, in_units(np.zeros(2), units))
        panel.draw_points(ax, points, mark, "differences")
        rank = int(spread.rank)
        contour = around_mean(points, spread, normal_radius(1 - alpha, rank), units)
        region = around_mean(points, spread, mean_radius(alpha, spread.n, rank), units)
        panel.draw_curve(ax, contour, style.LINE, "contour", dashed=True)
        panel.draw_curve(ax, region, mark.color, "ellipse")
        panel.draw_mean(ax, points.mean(axis=0), mark, "mean")
    return ax


def _differences(plane: Plane) -> tuple[Floats, Spread]:
    """Return the first minus the second in each block, (n, 2), and their spread."""
    values = plane.values
    missing = int(np.isnan(values).sum())
    if missing:
        raise DesignError(
            f"{missing} of {values.size} cells of these two algorithms "
            f"{are(missing)} missing; "
            "read the scores with " + setting("missing", "drop-block")
        )
    if len(values) < 3:
        raise DesignError(
            f"{len(values)} blocks: the region of a mean of two metrics needs three or "
            "more"
        )
    d = panel.differences(values)
    return d, spread(d, np.abs(values).max(axis=(0, 1)))


def _draw_origin(ax: Axes, origin: Floats) -> None:
    """Draw the lines of no difference and a cross where they meet."""
    x, y = origin
    ax.axvline(x, color=style.LINE, linewidth=0.7, linestyle=(0, (4, 3)), zorder=0)
    ax.axhline(y, color=style.LINE, linewidth=0.7, linestyle=(0, (4, 3)), zorder=0)
    ax.plot(
        [x],
        [y],
        marker="+",
        color=style.INK,
        markersize=13.0,
        markeredgewidth=1.8,
        linestyle="none",
        zorder=5,
        gid="origin",
    )


def _axis_titles(
    plane: Plane, units: tuple[style.AxisUnits, style.AxisUnits]
) -> tuple[str, str]:
    """Name both axes."""
    x, y = (
        _difference_title(plane.scores.metric(name), u)
        for name, u in zip(plane.metrics, units, strict=True)
    )
    return x, y


def _difference_title(metric: Metric, units: style.AxisUnits) -> str:
    """Name a difference, and state on which side the first is the better one."""
    name = style.shorten(style.printable(metric.name), style.LABEL_WIDTH)
    side = "> 0" if metric.better == "higher" else "< 0"
    return f"difference of {name}{units.text}, {side}: first better"


def _caption(scores: Scores, spread: Spread, alpha: float) -> list[str]:
    first, second = style.short_labels(scores.algorithms)
    region = (
        f"{_SHAPE[int(spread.rank)]}: {100 * (1 - alpha):.6g}% confidence region of "
        "the mean difference (large dot). The cross is no difference: it lies outside "
        "exactly when the paired Hotelling T2 test rejects at alpha = "
        f"{alpha:g}. Dashed: contour that holds {100 * (1 - alpha):.6g}% of the "
        "normal distribution fitted to the differences."
    )
    pair = f"{first} (first) minus {second} (second)"
    return [f"{pair}; {spread.n} blocks, one small dot each.", region]

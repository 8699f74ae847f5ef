"""Means of algorithms on the canonical variates, with confidence circles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.arguments import check_level
from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.kernels.ellipses import normal_radius, outline
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.linear.canonical import CanonicalVariates
    from pycompare.methods.linear.manova import ManovaResult

_ROW = 26.0
_POINTS_BELOW = 0.22  # rows


@style.sized
def canonical_variates(
    result: ManovaResult,
    *,
    level: float = 0.95,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the means of the algorithms on the first two canonical variates.

    In these units residuals have the identity as their covariance, so the confidence
    region of a mean is a circle and distances are Mahalanobis distances; the axes have
    one scale. Small points are the blocks, with block effects taken out. With one
    variate (two algorithms, or one metric) there is a line of intervals, lowest mean
    on top.

    Parameters
    ----------
    result : ManovaResult
        From ``pc.manova``.
    level : float
        Confidence of each circle or interval separately; no adjustment for several.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x and y are the variates. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If the result has no canonical variate, since no metric varies; or for more
        algorithms than there are marks.

    Notes
    -----
    Circles have radius sqrt(chi2_2(level)) times the standard error of the mean,
    1/sqrt(blocks) in a complete table; intervals the normal quantile in its place. Two
    circles apart do not amount to a test. R: ``candisc::plot.candisc``.

    References
    ----------
    .. [1] Mardia, K. V., Kent, J. T., Bibby, J. M. (1979). Multivariate Analysis,
       sec. 12.5.
    """
    check_level(level)
    variates = result.canonical
    s = len(variates.eigenvalues)
    if s == 0:
        raise InputError(
            "there is no canonical variate to draw: no metric varies between or within "
            "algorithms"
        )
    reach = normal_radius(level, min(s, 2)) * variates.std_errors.to_numpy(float)
    with style.context():
        if s == 1:
            return _draw_line(variates, reach, level, ax)
        return _draw_plane(variates, reach, level, ax)


def _draw_plane(
    variates: CanonicalVariates, reach: Floats, level: float, ax: Axes | None
) -> Axes:
    """Draw two variates."""
    marks = panel.marks(list(variates.means.index))
    means = variates.means.iloc[:, :2].to_numpy(float)
    points = variates.scores[list(variates.means.columns[:2])].to_numpy(float)
    owner = variates.means.index.get_indexer(variates.scores["algorithm"])
    circles = outline(means, np.broadcast_to(np.eye(2), (len(means), 2, 2)), reach)
    x, y = (_variate_title(variates, j) for j in range(2))
    ax = panel.open_panel(ax, x, y, [_caption(variates, "Circles", level)], marks)
    for i, mark in enumerate(marks):
        own = points[owner == i]
        panel.draw_points(ax, own, mark, f"points-{i + 1}", of=len(marks))
        panel.draw_curve(ax, circles[i], mark.color, f"circle-{i + 1}")
        panel.draw_mean(ax, means[i], mark, f"mean-{i + 1}")
    ax.set_aspect("equal", adjustable="datalim")
    return ax


def _draw_line(
    variates: CanonicalVariates, reach: Floats, level: float, ax: Axes | None
) -> Axes:
    """Draw one variate: a row per algorithm."""
    means = variates.means.iloc[:, 0].to_numpy(float)
    order = np.argsort(means, kind="stable")
    labels = style.short_labels(list(variates.means.index))
    ax = style.open_rows(
        ax,
        [labels[i] for i in order],
        _variate_title(variates, 0),
        [_caption(variates, "Lines", level)],
        row=_ROW,
    )
    points = variates.scores[variates.means.columns[0]].to_numpy(float)
    owner = variates.means.index.get_indexer(variates.scores["algorithm"])
    for row, i in enumerate(order):
        x = points[owner == i]
        below = np.stack([x, np.full(len(x), row + _POINTS_BELOW)], axis=-1)
        mark = panel.Mark(labels[i], style.LINE, "o")
        panel.draw_points(ax, below, mark, f"points-{row + 1}", of=len(means))
        ends = [means[i] - reach[i], means[i] + reach[i]]
        ax.plot(ends, [row, row], color=style.INK, gid=f"interval-{row + 1}")
        ax.plot([means[i]], [row], "o", color=style.INK, gid=f"mean-{row + 1}")
    return ax


def _variate_title(variates: CanonicalVariates, j: int) -> str:
    """Name a variate, with its part of the sum of eigenvalues."""
    name, share = variates.means.columns[j], float(variates.share.iloc[j])
    part = "" if math.isnan(share) else f": {100 * share:.3g}% of the eigenvalues"
    return f"{name}{part}"


def _caption(variates: CanonicalVariates, shape: str, level: float) -> str:
    s = len(variates.eigenvalues)
    sentences = [
        f"{shape}: {100 * level:g}% confidence regions of the means (large), each by "
        "itself; small: scores without block effects. Unit: the residual standard "
        "deviation.",
        f"CV1 and CV2 are 2 of {s} variates." if s > 2 else "",
        "The means lie close to one line." if variates.collinear and s > 1 else "",
    ]
    return " ".join(filter(None, sentences))

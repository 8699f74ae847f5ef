"""Normal Q-Q plot of residuals, with simultaneous limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.arguments import check_level
from pycompare.methods.linear.residual_order import ResidualOrder, residual_order
from pycompare.plotting import panel, style
from pycompare.plotting.residuals import metric_name, zero_residual_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.linear.anova import AnovaResult


@style.sized
def normal_quantiles(
    result: AnovaResult,
    *,
    level: float = 0.95,
    seed: int = 0,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw ordered residuals against the medians of ordered normals.

    The band is simultaneous: if errors are normal, all residuals lie inside with
    probability ``level``. A single one outside speaks against normal errors.

    Parameters
    ----------
    result : AnovaResult
        Or any result with a ``fit``, such as of ``pc.residual_checks``.
    level : float
        Of the band, for all residuals together.
    seed : int
        Of the simulation behind the band; the caption repeats it.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is in standard deviations, y in the metric's unit. By default a
        new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        For a level outside (0, 1), or one that takes more simulations than are made
        (9998, fewer beyond 800 residuals).

    Notes
    -----
    The band is simulated from the design, so it knows that residuals are correlated and
    that their size is estimated; limits for independent normals (Beta quantiles) would
    hold 99.8% of the residuals of 5 algorithms in 30 blocks in the place of 95%.
    R: ``qqnorm(resid(fit))``, whose abscissae are ``qnorm(ppoints(n))``.

    References
    ----------
    .. [1] Filliben, J. J. (1975). Technometrics 17, 111-117.
    .. [2] Myllymaki, M. et al. (2017). J. R. Statist. Soc. B 79, 381-404.
    """
    check_level(level)
    fit = result.fit
    order = residual_order(fit, level=level, seed=seed)
    x, units = order.normal, style.units_of(order.residual, order.low, order.high)
    points = np.stack([x, units.values(order.residual)], axis=-1)
    low, high = units.values(order.low), units.values(order.high)
    with style.context():
        ax = panel.open_panel(
            ax,
            "median of ordered standard normals",
            f"ordered residual of {metric_name(fit)}{units.text}",
            [_caption(order) + zero_residual_note(fit)],
        )
        ax.fill_between(
            x, low, high, color=style.FAINT, linewidth=0.0, alpha=0.6, gid="band"
        )
        ax.plot(
            x,
            units.values(order.size * x),
            color=style.LINE,
            linewidth=0.9,
            gid="line",
        )
        mark = panel.Mark("", style.BLUE, "o")
        panel.draw_points(ax, points, mark, "points", size=4.0)
    return ax


def _caption(order: ResidualOrder) -> str:
    """Describe the line and the band."""
    return (
        f"{len(order.normal)} residuals. Line: normals with their root mean square. "
        f"Band: simultaneous {100 * order.level:g}% limits for normal errors in this "
        f"design ({order.draws} simulations, seed {order.seed})."
    )

"""Residuals against fitted scores: spread and curvature that a model does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.formatting.counts import degrees_of_freedom
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.linear.anova import AnovaResult
    from pycompare.methods.linear.fit import AnovaFit


@style.sized
def residuals(
    result: AnovaResult,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the residuals of an analysis of variance against the fitted scores.

    A funnel speaks against equal variances, a bow against additivity; each algorithm
    has its own colour and marker.

    Parameters
    ----------
    result : AnovaResult
        Or any result with a ``fit``, such as of ``pc.residual_checks``.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x and y are in the metric's unit. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        For more algorithms than there are marks.

    Notes
    -----
    R: ``plot(fit, which = 1)``, without its smooth line.
    """
    fit = result.fit
    marks = panel.marks(fit.algorithms)
    fitted, rest = fit.fitted(), fit.unit * fit.residuals()
    if fit.e == 0:
        rest = 0.0 * rest  # what is left is rounding
    of_fitted, of_rest = style.units_of(fitted), style.units_of(rest)
    points = np.stack([of_fitted.values(fitted), of_rest.values(rest)], axis=-1)
    column = fit.design.present.nonzero()[1]
    with style.context():
        ax = panel.open_panel(
            ax,
            f"fitted {metric_name(fit)}{of_fitted.text}",
            f"residual of {metric_name(fit)}{of_rest.text}",
            [_caption(fit)],
            marks,
        )
        ax.axhline(0.0, color=style.LINE, linewidth=0.8, zorder=0)
        for i, mark in enumerate(marks):
            panel.draw_points(
                ax, points[column == i], mark, f"residuals-{i + 1}", size=4.0
            )
    return ax


def metric_name(fit: AnovaFit) -> str:
    """Return the metric's name for an axis."""
    return style.shorten(style.printable(fit.metric.name), style.LABEL_WIDTH)


def _caption(fit: AnovaFit) -> str:
    """Return which model the residuals are of."""
    terms = " + ".join(fit.design.terms)
    text = (
        f"{fit.design.n} residuals of score ~ {terms}, "
        f"{degrees_of_freedom(fit.design.df_error)}."
    )
    return text + zero_residual_note(fit)


def zero_residual_note(fit: AnovaFit) -> str:
    """Return a note if there are no residuals but rounding."""
    if fit.e > 0:
        return ""
    return " The fit is perfect: all residuals are zero up to rounding."

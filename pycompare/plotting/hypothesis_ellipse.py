"""HE plot: variation by a hypothesis against variation by error, two responses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from pycompare.base.errors import DesignError, InputError
from pycompare.base.labels import show_all
from pycompare.base.typing import Floats
from pycompare.kernels.ellipses import outline
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.models.linear_model import LinearModel

_COVERED = 0.68
"""Share of the residuals within the ellipse of error."""


@style.sized
def hypothesis_ellipse(
    model: LinearModel,
    term: str,
    *,
    responses: Sequence[str] | None = None,
    alpha: float = 0.05,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the ellipses of a term and of error in the plane of two responses.

    The ellipse of the term is scaled so that it reaches outside that of error exactly
    when Roy's test of the two responses is significant; it reaches farthest in the
    direction in which the term matters most. A term with one degree of freedom is a
    line.

    Parameters
    ----------
    model : LinearModel
        With two responses at least, and without units or with balanced strata.
    term : str
    responses : pair of str, optional
        x and y; needed unless the model has just two.
    alpha : float
        Level of Roy's test.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; by default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        If two responses or the term are not there.
    DesignError
        If the residuals have no two dimensions, or the model is a mixed one.

    Notes
    -----
    R: ``heplots::heplot(size = "significance")``. The critical value is that of the F
    of Roy's test in ``summary.manova``, an upper bound for its statistic.

    References
    ----------
    .. [1] Friendly, M. (2007). J. Comput. Graph. Statist. 16, 421-444.
    """
    if not 0 < alpha < 1:
        raise InputError(f"alpha={alpha!r}: give a number between 0 and 1")
    if model.fit.mixed is not None:
        raise DesignError("a mixed model has no matrices of squares to draw")
    names = _pair_of_responses(model, responses)
    h, e, df = _roots(model, term, names)
    reach = float(np.sqrt(2 * special.fdtri(2, df[1], _COVERED)))
    centre = np.array([_response_mean(model, name) for name in names])
    outlines = [outline(centre, root, reach) for root in (h / _roy(alpha, *df), e)]
    units = [style.units_of(*(curve[:, j] for curve in outlines)) for j in range(2)]
    marks = [
        panel.Mark(style.short_labels([term])[0], style.COLORS[0], "o"),
        panel.Mark("error", style.INK, "s"),
    ]
    x_title, y_title = (f"{n}{u.text}" for n, u in zip(names, units, strict=True))
    with style.context():
        told = _caption(model, term, alpha)
        ax = panel.open_panel(ax, x_title, y_title, told, marks)
        for mark, path, gid in zip(marks, outlines, ("term", "error"), strict=True):
            drawn = np.stack([u.values(path[:, j]) for j, u in enumerate(units)], -1)
            panel.draw_curve(ax, drawn, mark.color, gid, dashed=gid == "error")
    return ax


def _pair_of_responses(
    model: LinearModel, responses: Sequence[str] | None
) -> tuple[str, str]:
    """Return the names of x and y."""
    names = tuple(model.responses if responses is None else responses)
    wrong = isinstance(responses, str) or len(set(names)) != 2 or len(names) != 2
    if wrong or not set(names) <= set(model.responses):
        raise InputError(
            f"responses={responses!r}: give two of {show_all(model.responses)}"
        )
    return names[0], names[1]


def _response_mean(model: LinearModel, name: str) -> float:
    """Return the mean of a response in its own unit."""
    place = model.responses.index(name)
    roots = model.fit.roots
    weights = None if roots is None else np.square(roots)
    mean = np.average(model.fit.responses[:, place], weights=weights)
    return float(mean * model.fit.units[place])


def _roots(
    model: LinearModel, term: str, names: Sequence[str]
) -> tuple[Floats, Floats, tuple[int, int]]:
    """Return roots of H and E over the df of error, and both degrees of freedom."""
    fit, tested_term = model.fit, model.term(term)
    places = [model.responses.index(name) for name in names]
    layer = fit.layer_of(tested_term)
    factors = layer.factors(tested_term, fit.centred[:, places])
    df = factors.df_hypothesis, factors.df_error
    sizes = np.array(fit.units)[places, None]
    e = _triangle(factors.error) / np.sqrt(max(df[1], 1))
    if df[0] < 1 or df[1] < 2 or np.linalg.matrix_rank(e) < 2:
        raise DesignError(
            f"the term {term}: the residuals of two responses need two dimensions, and "
            "the term a degree of freedom"
        )
    return sizes * _triangle(factors.hypothesis) / np.sqrt(df[1]), sizes * e, df


def _triangle(factor: Floats) -> Floats:
    """Return a square root, 2 x 2, of F'F."""
    _, s, vt = np.linalg.svd(np.vstack([factor, np.zeros((2, 2))]), full_matrices=False)
    return np.asarray(vt.T * s)


def _roy(alpha: float, df_hypothesis: int, df_error: int) -> float:
    """Return the root of the largest root at which Roy's F of two responses rejects."""
    df1 = max(2, df_hypothesis)
    df2 = df_error - df1 + df_hypothesis
    return float(np.sqrt(df1 / df2 * special.fdtri(df1, df2, 1 - alpha)))


def _caption(model: LinearModel, term: str, alpha: float) -> list[str]:
    layer = model.fit.layer_of(model.term(term))
    return [
        f"Dashed: residual variation of stratum {layer.name} ({100 * _COVERED:g}% of a "
        f"normal distribution). Solid: variation by the term. It reaches outside the "
        f"dashed ellipse if Roy's test is significant at alpha = {alpha:g}."
    ]

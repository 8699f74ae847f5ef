"""Decision curves: net benefit over risk thresholds, with bands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.methods.curves.net_benefit import ALL, NONE
from pycompare.plotting import panel, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.curves.net_benefit import NetBenefitResult

_MOST_BANDS = 4
"""With more models no band is visible."""
_DEEPEST = 0.3
"""How far below 0 the picture reaches, relative to the highest net benefit."""


@style.sized
def decision_curves(
    result: NetBenefitResult,
    *,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the net benefit of each model over the thresholds, with its band.

    Parameters
    ----------
    result : NetBenefitResult
        From ``pc.net_benefit`` at two thresholds or more.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into. By default a new figure.

    Returns
    -------
    Axes
        x is the risk threshold, y the net benefit in true positives per case. A band
        has the intervals of the result, each threshold separately; of more than 4
        models the bands are left out.

    Raises
    ------
    InputError
        For a result of one threshold.

    Notes
    -----
    Treating none has the net benefit 0, so the interval of a model against it is that
    of its own net benefit.

    References
    ----------
    .. [1] Vickers, A. J., Elkin, E. B. (2006). Medical Decision Making 26, 565-574.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> from pycompare import plotting
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.uniform(size=300)
    >>> ill = rng.uniform(size=300) < risk
    >>> found = pc.net_benefit(
    ...     ill, risk, positive=True, threshold=np.linspace(0.1, 0.8, 15)
    ... )
    >>> ax = plotting.decision_curves(found)
    >>> ax.get_xlabel()
    'risk threshold'
    """
    curves, table = result.held("curves"), result.as_columns()
    names = [name for name in dict.fromkeys(curves["algorithm"]) if name not in _RULES]
    marks = panel.marks(names)
    x = np.unique(np.asarray(curves["threshold"], float))
    if len(x) < 2:
        raise InputError("a curve needs net benefits at two thresholds or more")
    with style.context():
        ax = panel.open_panel(
            ax, "risk threshold", "net benefit", _caption(result, len(names)), marks
        )
        ax.plot(x, 0 * x, color=style.LINE, linewidth=0.8, zorder=1, gid="treat-none")
        every = _of_rule(curves, ALL)
        ax.plot(x, every, "--", color=style.DIM, linewidth=1.0, gid="treat-all")
        lowest, highest = 0.0, float(every.max())
        for i, mark in enumerate(marks):
            own = _of_rule(curves, names[i])
            low, high = _limits(table, names[i])
            if len(marks) <= _MOST_BANDS:
                band = ax.fill_between(
                    x, low, high, color=mark.color, alpha=0.15, linewidth=0
                )
                band.set_gid(f"band-{i + 1}")
                lowest = min(lowest, float(np.nanmin(low)))
                highest = max(highest, float(np.nanmax(high)))
            ax.plot(
                x,
                own,
                color=mark.color,
                linewidth=1.2,
                gid=f"curve-{i + 1}",
            )
            panel.marks_along(ax, x, own, mark, f"marks-{i + 1}")
            lowest, highest = min(lowest, own.min()), max(highest, own.max())
        top = 1.05 * highest if highest > 0 else 0.05
        ax.set_ylim(max(1.05 * lowest, -_DEEPEST * top) - 0.02 * top, top)
    return ax


_RULES = (ALL, NONE)


def _of_rule(curves: Columns, name: str) -> Floats:
    """Return the net benefits of a rule, at the thresholds in their order."""
    own = np.asarray(curves["algorithm"]) == name
    return np.asarray(curves["net_benefit"], float)[own]


def _limits(table: Columns, name: str) -> tuple[Floats, Floats]:
    """Return the limits of a model's net benefit; both 0 if it treats no case."""
    own = (np.asarray(table["algorithm_1"]) == name) & (
        np.asarray(table["algorithm_2"]) == NONE
    )
    estimate, low, high = (
        np.asarray(table[column], float)[own]
        for column in ("estimate", "conf_low", "conf_high")
    )
    return (
        np.where(np.isnan(low), estimate, low),
        np.where(np.isnan(high), estimate, high),
    )


def _caption(result: NetBenefitResult, n_models: int) -> list[str]:
    """Describe lines and bands."""
    n = result.n_positive + result.n_negative
    text = (
        f"Net benefit on {n} cases ({result.n_positive} positive), in true positives "
        "per case. Dashed: treating all; grey at 0: treating none."
    )
    if n_models > _MOST_BANDS:
        return [text]
    return [
        f"{text} Bands: {percent(result.level)} confidence intervals, each separately."
    ]

"""Components of variance as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.plotting import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.methods.multireader.components import ComponentsResult
    from pycompare.methods.multireader.result import MRMCResult

_ROW = 19.0


@style.sized
def variance_components(
    result: MRMCResult | ComponentsResult,
    *,
    of: str | None = None,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw components of variance as bars, negative estimates too.

    Parameters
    ----------
    result : MRMCResult or ComponentsResult
        From ``pc.mrmc`` or ``pc.variance_components``.
    of : str, optional
        Of the one-shot components: which modality or difference; by default the first.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; x is the variance, row i at y = i. By default a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InputError
        For another kind of result, or something that has no components.
    """
    from pycompare.methods.multireader.components import ComponentsResult
    from pycompare.methods.multireader.result import MRMCResult

    if not isinstance(result, MRMCResult | ComponentsResult):
        raise InputError(
            f"a {type(result).__name__} arrived instead of the result of pc.mrmc or "
            "pc.variance_components is needed"
        )
    if isinstance(result, MRMCResult):
        table = Columns.of(result.components)
        if of is not None:
            raise InputError("of= is for one-shot components; leave it out")
    else:
        table = result.as_columns()
        names = list(dict.fromkeys(table["of"]))
        if of is not None and of not in names:
            raise InputError(f"of={of!r}: there is no such; there are {names}")
        table = table.where(table["of"] == (of or names[0]))
    estimate = table["estimate"].astype(float)
    limits = [
        table[name].astype(float) for name in ("conf_low", "conf_high") if name in table
    ]
    units = style.units_of(np.concatenate([estimate, *limits, [0.0]]))
    with style.context():
        ax = style.open_rows(
            ax,
            list(table["component"]),
            f"variance of {style.printable(result.figure)}{units.text}",
            [_caption(estimate, bool(np.isfinite(limits).any()))],
            row=_ROW,
        )
        _draw_bars(ax, units.values(estimate), [units.values(x) for x in limits])
        ax.autoscale_view(scaley=False)
        ax.locator_params(axis="x", nbins=5)
    return ax


def _caption(estimate: Floats, limits: bool) -> str:
    """Describe bars, and the meaning of a negative one."""
    text = "Bars: estimated components of variance."
    if limits:
        text += " Lines: their confidence intervals."
    if (estimate < 0).any():
        text += " Negative estimates (red) are noise about a small or zero component."
    return text


def _draw_bars(ax: Axes, estimate: Floats, limits: list[Floats]) -> None:
    """Draw one bar per component, its interval over it."""
    colors = [style.RED if x < 0 else style.BLUE for x in estimate]
    rows = np.arange(len(estimate))
    ax.barh(rows, np.nan_to_num(estimate), height=0.6, color=colors, alpha=0.75)
    if limits:
        for y, low, high in zip(rows, *limits, strict=True):
            if np.isfinite([low, high]).all():
                gid = f"interval-{y + 1}"
                ax.plot([low, high], [y, y], color=style.INK, linewidth=1.1, gid=gid)
    ax.axvline(0.0, color=style.INK, linewidth=0.8)

"""Cost curves: least normalised expected cost over the probability cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pycompare.methods.curves.mean_curve import mean_curve
from pycompare.plotting import curve_panel, style
from pycompare.plotting.curve_panel import Band

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.predictions import Predictions

_TITLES = ("probability cost of the positive class", "normalised expected cost")
_TOP = 0.5


@style.sized
def cost_curves(
    predictions: Predictions,
    *,
    algorithms: Sequence[str] | None = None,
    dataset: str | None = None,
    bands: Sequence[Band] | None = None,
    folds: bool = True,
    level: float = 0.95,
    seed: int = 0,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw cost curves of algorithms on the folds of one data set (lower is better).

    The probability cost is p(+) C(-|+) / (p(+) C(-|+) + p(-) C(+|-)): 1/2 if a
    false negative and a false positive weigh the same. Each fold's curve is the lower
    envelope of the cost lines of its ROC points, the dual of its convex hull.

    Parameters
    ----------
    predictions, algorithms, dataset, bands, folds, level, seed, width, footnote, ax
        As in `roc_curves`.

    Returns
    -------
    Axes
        The key has the mean area under the curve with its t interval: the expected
        cost if all probability costs are equally likely.

    Raises
    ------
    InputError
        As `roc_curves`.

    Notes
    -----
    Each fold has the best threshold of its own test cases at every cost, so the curve
    is what could be reached by knowing it: lower than with a threshold chosen on other
    cases.

    References
    ----------
    .. [1] Drummond, C., Holte, R. C. (2006). Machine Learning 65, 95-130.
    """
    names = curve_panel.named_algorithms(predictions, algorithms)
    drawn = curve_panel.wanted_bands(bands, "vertical")
    curves = [
        mean_curve(
            predictions,
            kind="cost",
            algorithm=name,
            dataset=dataset,
            level=level,
            seed=seed,
        )
        for name in names
    ]
    looks = curve_panel.looks(curves, "area")
    what = "mean of the least costs, each fold at its own best threshold"
    sentences = [
        *curve_panel.caption_sentences(curves, drawn, what, folds=folds),
        "Grey: calling all cases positive, or none. Lower is better.",
    ]
    with style.context():
        ax = curve_panel.open_curves(ax, _TITLES, " ".join(sentences), looks, _TOP)
        ax.plot(
            [0, 0.5, 1],
            [0, 0.5, 0],
            color=style.LINE,
            linewidth=0.8,
            zorder=1,
            gid="chance-1",
        )
        curve_panel.draw_all(
            ax, curves, looks, drawn, folds=folds, shown=range(len(curves))
        )
    return ax

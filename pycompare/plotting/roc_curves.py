"""ROC curves of all folds, their means, bands, thresholds and convex hulls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pycompare.kernels.polylines import upper_hull
from pycompare.methods.curves.mean_curve import Average, MeanCurve, mean_curve
from pycompare.plotting import curve_panel, style
from pycompare.plotting.curve_panel import Band, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.predictions import Predictions

_TITLES = ("false positive rate", "true positive rate")
_MEANS = {
    "vertical": "mean true positive rate at each false positive rate",
    "threshold": "mean of the points of each threshold",
}


@style.sized
def roc_curves(
    predictions: Predictions,
    *,
    algorithms: Sequence[str] | None = None,
    dataset: str | None = None,
    average: Average = "vertical",
    bands: Sequence[Band] | None = None,
    thresholds: Sequence[float] = (),
    hull: bool = False,
    folds: bool = True,
    in_facets: bool = False,
    level: float = 0.95,
    seed: int = 0,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves of algorithms on the folds of one data set.

    Parameters
    ----------
    predictions : Predictions
    algorithms : sequence of str, optional
        All by default.
    dataset : str, optional
        Needed if there are several.
    average : {"vertical", "threshold"}
        How the mean curve is made; see `mean_curve`.
    bands : sequence of {"pointwise", "simultaneous"}, optional
        t intervals over folds at each place, and the band that holds the whole mean
        curve; both by default, none for a threshold average or for one fold.
    thresholds : sequence of float
        Marked at their mean points, with their values (Aslan 2009, Fig. 3.1c).
    hull : bool, default False
        Draw the upper convex hull of each mean curve.
    folds : bool, default True
        Draw the curve of every fold.
    in_facets : bool, default False
        Draw each algorithm in axes of its own, with the other means in grey.
    level : float
        Of intervals and bands.
    seed : int
        Of the simultaneous bands.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; by default a new figure.

    Returns
    -------
    Axes
        The key has each algorithm's mean AUC over folds with its t interval, or
        DeLong's for one fold.

    Raises
    ------
    InputError
        For an unknown algorithm, data set, average or band, more thresholds than can
        be marked, and bands of a threshold average.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, Fig. 3.1c.
    .. [2] Fawcett, T. (2006). Pattern Recognition Letters 27, 861-874.
    """
    names = curve_panel.named_algorithms(predictions, algorithms)
    drawn = curve_panel.wanted_bands(bands, average)
    marked = curve_panel.check_thresholds(thresholds)
    curves = [
        mean_curve(
            predictions,
            algorithm=name,
            dataset=dataset,
            average=average,
            level=level,
            seed=seed if average == "vertical" else None,
        )
        for name in names
    ]
    looks = curve_panel.looks(curves, "AUC")
    sentences = [
        *curve_panel.caption_sentences(curves, drawn, _MEANS[average], folds=folds),
        "Dashed: convex hull of the mean curve." if hull else "",
        "White: mean point of a threshold; scores at or above it are treated as "
        "positive."
        if marked
        else "",
        "Grey diagonal: chance.",
    ]
    with style.context():
        caption = " ".join(filter(None, sentences))
        ax, places = curve_panel.open_places(
            ax, _TITLES, caption, looks, in_facets=in_facets
        )
        columns = ("fpr", "tpr")
        points = curve_panel.marked_thresholds(curves, looks, marked, columns)
        for place, shown in places:
            _draw_chance(place, shown[0])
            curve_panel.draw_all(place, curves, looks, drawn, folds=folds, shown=shown)
            if hull:
                _draw_hulls(place, curves, looks, shown)
            own = [m for m in points if m.look in [looks[i] for i in shown]]
            curve_panel.draw_thresholds(place, own)
    return ax


def _draw_chance(ax: Axes, number: int) -> None:
    gid = f"chance-{number + 1}"
    ax.plot([0, 1], [0, 1], color=style.LINE, linewidth=0.8, zorder=1, gid=gid)


def _draw_hulls(
    ax: Axes, curves: Sequence[MeanCurve], looks: Sequence[Look], shown: Sequence[int]
) -> None:
    """Draw the convex hull of each mean curve that is shown."""
    for i in shown:
        x, y = curves[i].line
        kept = upper_hull(x, y)
        curve_panel.draw_hull(ax, (x[kept], y[kept]), looks[i], i)

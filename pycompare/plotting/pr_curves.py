"""Precision-recall curves of all folds, their means, bands and thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pycompare.data.measures.precision_recall import PrMethod
from pycompare.kernels import curve_lines, polylines
from pycompare.methods.curves.mean_curve import MOST, MeanCurve, mean_curve
from pycompare.plotting import curve_panel, style
from pycompare.plotting.curve_panel import Band, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pycompare.data.predictions import Predictions

_TITLES = ("recall", "precision")
_JOINED = {
    "trapezoid": "joined by straight lines",
    "davis-goadrich": "joined as Davis and Goadrich do",
    "average-precision": "in steps",
}


@style.sized
def pr_curves(
    predictions: Predictions,
    *,
    algorithms: Sequence[str] | None = None,
    dataset: str | None = None,
    interpolation: PrMethod = "trapezoid",
    bands: Sequence[Band] = ("pointwise",),
    thresholds: Sequence[float] = (),
    folds: bool = True,
    hull: bool = False,
    in_facets: bool = False,
    level: float = 0.95,
    seed: int = 0,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw precision-recall curves of algorithms on the folds of one data set.

    Parameters
    ----------
    predictions, algorithms, dataset, folds, in_facets, level, seed, width, footnote, ax
        As in `roc_curves`.
    bands : sequence of {"pointwise", "simultaneous"}
        As in `roc_curves`. The band of fixed width is as wide as precision varies at
        the smallest recall: wide, so it is not drawn by default.
    interpolation : {"trapezoid", "davis-goadrich", "average-precision"}
        Between the points of a curve, as in ``auc_pr``.
    hull : bool, default False
        Also draw the achievable curve: the mean over folds of the curve of each fold's
        ROC hull, as in ``pr_curve``.
    thresholds : sequence of float
        Marked at their mean recall and precision, with their values; one at which a
        fold calls nothing positive has no mean precision and no mark.

    Returns
    -------
    Axes
        The key has each algorithm's mean AUC-PR over folds with its t interval.

    Raises
    ------
    InputError
        As `roc_curves`, and for an unknown interpolation.

    References
    ----------
    .. [1] Davis, J., Goadrich, M. (2006). ICML, 233-240.
    """
    names = curve_panel.named_algorithms(predictions, algorithms)
    drawn = curve_panel.wanted_bands(bands, "vertical")
    marked = curve_panel.check_thresholds(thresholds)
    curves = [
        mean_curve(
            predictions,
            kind="pr",
            algorithm=name,
            dataset=dataset,
            interpolation=interpolation,
            level=level,
            seed=seed,
        )
        for name in names
    ]
    looks = curve_panel.looks(curves, "AUC-PR")
    what = f"mean precision at each recall, {_JOINED[interpolation]}"
    points = curve_panel.marked_thresholds(curves, looks, marked, _TITLES_OF_POINTS)
    lost = len(marked) * len(curves) - len(points)
    sentences = [
        *curve_panel.caption_sentences(curves, drawn, what, folds=folds),
        "White: mean point of a threshold." if marked else "",
        f"{lost} threshold marks have no mean precision." if lost else "",
        "Dashed: mean of the curves that hulls of the folds' ROC curves achieve."
        if hull
        else "",
        "Grey: share of positives, the precision of chance.",
    ]
    with style.context():
        caption = " ".join(filter(None, sentences))
        ax, places = curve_panel.open_places(
            ax, _TITLES, caption, looks, in_facets=in_facets
        )
        for place, shown in places:
            _draw_prevalence(place, curves[0], shown[0])
            curve_panel.draw_all(place, curves, looks, drawn, folds=folds, shown=shown)
            if hull:
                _draw_hulls(place, curves, looks, shown)
            own = [m for m in points if m.look in [looks[i] for i in shown]]
            curve_panel.draw_thresholds(place, own)
    return ax


def _draw_hulls(
    ax: Axes, curves: Sequence[MeanCurve], looks: Sequence[Look], shown: Sequence[int]
) -> None:
    """Draw the mean of the achievable curves of the folds of each algorithm."""
    for i in shown:
        counted = curves[i].counted
        lines = [
            curve_lines.pr_achievable(*curve_lines.counts(counted, g))
            for g in range(counted.n_groups)
        ]
        at, _ = polylines.common_axis(lines, MOST)
        mean = np.mean([polylines.heights(line, at) for line in lines], axis=0)
        curve_panel.draw_hull(ax, (np.repeat(at, 2), mean), looks[i], i)


_TITLES_OF_POINTS = ("tpr", "precision")


def _draw_prevalence(ax: Axes, curve: MeanCurve, number: int) -> None:
    """Draw the mean share of positives."""
    counts = curve.counted
    share = float(np.mean(counts.positives / (counts.positives + counts.negatives)))
    y, gid = [share, share], f"chance-{number + 1}"
    ax.plot([0, 1], y, color=style.LINE, linewidth=0.8, zorder=1, gid=gid)

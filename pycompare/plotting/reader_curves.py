"""ROC curves of all readers with each modality, and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pycompare.base.errors import DesignError, InputError
from pycompare.base.formatting.rounding import fixed
from pycompare.data.predictions import Predictions
from pycompare.data.ratings import Ratings
from pycompare.methods.curves.mean_curve import mean_curve
from pycompare.plotting import curve_panel, panel, style
from pycompare.plotting.curve_panel import Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_MODALITIES = 9
_TITLES = ("false positive rate", "true positive rate")
_DASHES = ("-", (0, (6, 2)), (0, (2.2, 1.4)), (0, (7, 2, 1.5, 2)))


@style.sized
def reader_curves(
    ratings: Ratings,
    *,
    modalities: Sequence[str] | None = None,
    in_facets: bool = True,
    width: float | None = None,
    footnote: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the empirical ROC curve of each reader with each modality, and the mean.

    Parameters
    ----------
    ratings : Ratings
        With true classes; every reader rated every case with every modality.
    modalities : sequence of str, optional
        All by default.
    in_facets : bool, default True
        Draw each modality in axes of its own, with the other means in grey.
    width : float, optional
        Of a new figure, in inches.
    footnote : bool, default True
        False leaves out the text below the picture.
    ax : Axes, optional
        Drawn into; by default a new figure.

    Returns
    -------
    Axes
        The key has the mean AUC of each modality's readers. The mean curve is the mean
        sensitivity at each false positive rate; its area is the mean of the AUCs.

    Raises
    ------
    InputError
        For ratings without true classes, an unknown modality, or too many.
    DesignError
        If the design is not factorial.
    """
    chosen = _chosen(ratings, modalities)
    cases = _as_predictions(chosen)
    curves = [mean_curve(cases, algorithm=name, draws=1) for name in cases.algorithms]
    looks = [
        Look(
            mark, _DASHES[i % len(_DASHES)], f"{mark.label}\nmean AUC {fixed(area, 3)}"
        )
        for i, (mark, area) in enumerate(
            zip(
                panel.marks(cases.algorithms),
                [curve.area.estimate for curve in curves],
                strict=True,
            )
        )
    ]
    readers = len(chosen.readers)
    caption = (
        f"Thin: {readers} readers. Thick: mean sensitivity at each false positive "
        "rate. Grey diagonal: chance."
    )
    with style.context():
        ax, places = curve_panel.open_places(
            ax, _TITLES, caption, looks, in_facets=in_facets and len(looks) > 1
        )
        for place, shown in places:
            place.plot([0, 1], [0, 1], color=style.LINE, linewidth=0.8, zorder=1)
            curve_panel.draw_all(place, curves, looks, (), folds=True, shown=shown)
    return ax


def _chosen(ratings: Ratings, modalities: Sequence[str] | None) -> Ratings:
    """Return the ratings to draw, or reject them."""
    if not isinstance(ratings, Ratings):
        raise InputError(f"expected Ratings, got a {type(ratings).__name__}")
    if ratings.truth is None:
        raise InputError("ROC curves need true classes: name their column, truth=")
    if ratings.marks:
        raise InputError("these are free-response marks, which have no ROC curves")
    if ratings.design != "factorial":
        raise DesignError(
            f"reader curves need a factorial design, and this is {ratings.design!r}"
        )
    if isinstance(modalities, str):
        raise InputError(f"modalities={modalities!r}: give a sequence of names")
    chosen = ratings if modalities is None else ratings.select(modalities)
    if len(chosen.modalities) > MOST_MODALITIES:
        raise InputError(
            f"{len(chosen.modalities)} modalities: draw at most {MOST_MODALITIES}, "
            "modalities=[...]"
        )
    return chosen


def _as_predictions(ratings: Ratings) -> Predictions:
    """Return the same numbers with readers as blocks."""
    assert ratings.truth is not None
    t, r, n = ratings.shape
    return Predictions(
        score=ratings.values.transpose(1, 0, 2).ravel(),
        is_positive=np.tile(ratings.truth, t * r),
        offsets=np.arange(t * r + 1) * n,
        blocks=ratings.readers,
        algorithms=ratings.modalities,
        positive=ratings.positive or "1",
        negative=ratings.negative or "0",
    )

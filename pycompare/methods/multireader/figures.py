"""Figures of merit of readers: areas, sensitivity, specificity, means."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from pycompare.base.arguments import is_finite
from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show, show_all
from pycompare.base.typing import Bools, Floats
from pycompare.data.ratings import Ratings
from pycompare.kernels import placements
from pycompare.kernels.case_weights import counts
from pycompare.kernels.resampled_curves import areas
from pycompare.methods.curves.partial import areas_of
from pycompare.methods.multireader.words import MARK_FIGURES, FigureName

_SMALLEST = 1e-100
"""Squares of mean squares of such numbers are still numbers (degrees of freedom)."""
_FIGURES: tuple[FigureName, ...] = get_args(FigureName)


@dataclass(frozen=True)
class FigureOfMerit:
    """Computation of one reader's ratings with one modality.

    Attributes
    ----------
    name : str
        One of ``_FIGURES``.
    threshold : float
        A case is classified as positive if its rating >= threshold; NaN if not used.
        Of reversed ratings that of the turned ones.
    fpr_range : tuple of float
        Part of the ROC curve of ``partial_auc``.
    better : {"higher", "lower"}
    reversed : bool
        Whether lower ratings speak for the positive class: ratings are turned.
    site_weight : ndarray, optional
        Of ``wafroc``, the weight of each lesion, 1 over those of its case; 1 of normal
        cases.
    """

    name: FigureName = "auc"
    threshold: float = math.nan
    fpr_range: tuple[float, float] = (0.0, 1.0)
    better: Literal["higher", "lower"] = "higher"
    reversed: bool = False
    site_weight: Floats | None = field(default=None, compare=False)

    def turned(self, ratings: Ratings) -> Ratings:
        """Return ratings of which higher ones speak for the positive class."""
        return _turned(ratings) if self.reversed else ratings

    @property
    def title(self) -> str:
        """The figure in words."""
        low, high = self.fpr_range
        at = f"ratings >= {self.threshold:g}"
        if self.reversed:
            at = f"ratings <= {0.0 - self.threshold:g}"
        return {
            "auc": "AUC",
            "partial_auc": f"partial AUC (fpr from {low:g} to {high:g})",
            "sensitivity": f"sensitivity at {at}",
            "specificity": f"specificity at {at}",
            "mean": "rating",
            "afroc": "AFROC area",
            "wafroc": "weighted AFROC area",
        }[self.name]

    @property
    def limits(self) -> tuple[float, float]:
        """The range of the figure, at which intervals are cut."""
        if self.name == "mean":
            return -math.inf, math.inf
        low, high = self.fpr_range
        return 0.0, high - low if self.name == "partial_auc" else 1.0

    @property
    def r_limits(self) -> list[float]:
        """The range of the figure as R's functions take it, NaN without a limit."""
        return [math.nan if math.isinf(x) else float(x) for x in self.limits]

    def r_truth(self, ratings: Ratings) -> Floats:
        """Return 1 of positive cases and 0 of negative ones for R, or weights."""
        if ratings.truth is None:
            return np.ones(len(ratings.cases))
        weight = 1.0 if self.site_weight is None else self.site_weight
        return np.asarray(ratings.truth * weight, float)

    @property
    def r_parameters(self) -> list[float]:
        """The threshold, or the range of false positive rates, for R's functions."""
        cut = self.name in ("sensitivity", "specificity")
        return [self.threshold] if cut else list(self.fpr_range)

    @property
    def has_components(self) -> bool:
        """Whether it is a mean of one number per case, in each class."""
        return self.name not in ("partial_auc", *MARK_FIGURES)

    def under(self, truth: Bools, row: Floats, weights: Floats) -> Floats:
        """Return the figure of one row of ratings under rows of weights, shape (b,).

        NaN if a class that counts has no weight.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._weighted(truth, row, weights)

    def _weighted(self, truth: Bools, row: Floats, weights: Floats) -> Floats:
        if self.site_weight is not None:
            weights = weights * self.site_weight
        if self.name in ("auc", "partial_auc", *MARK_FIGURES):
            fp, tp = counts(truth, row, weights)
            if self.name != "partial_auc":
                return areas(fp, tp)
            return areas_of(fp, tp, *self.fpr_range, "fpr", False)
        used, value = self.per_case(truth, row)
        sums: Floats = weights[:, used] @ value[used]
        return sums / weights[:, used].sum(axis=1)

    def per_case(self, truth: Bools, row: Floats) -> tuple[Bools, Floats]:
        """Return which cases a mean is over, and their weights."""
        if self.name == "sensitivity":
            return truth, np.where(row >= self.threshold, 1.0, 0.0)
        if self.name == "specificity":
            return ~truth, np.where(row < self.threshold, 1.0, 0.0)
        return np.ones(row.shape, bool), row

    def sides(self, truth: Bools) -> list[Bools]:
        """Return the classes of cases that it is about, or all cases as one."""
        if self.name == "mean":
            return [np.ones(truth.shape, bool)]
        if self.name in ("sensitivity", "specificity"):
            return [truth if self.name == "sensitivity" else ~truth]
        return [truth, ~truth]

    def components(self, truth: Bools, row: Floats) -> tuple[float, Floats]:
        """Return the figure, and the number of each case whose class means it is.

        Cases of a class that does not count have the figure itself.
        """
        if self.name == "auc":
            place = placements.placements(truth, row)
            return float(placements.auc(truth, row)), place
        used, value = self.per_case(truth, row)
        mean = float(value[used].mean())
        return mean, np.where(used, value, mean)


def turned_by(asked: Mapping[str, Any], ratings: Ratings) -> Ratings:
    """Return ratings turned as an analysis with these options turned them."""
    turned = asked["better"] == "lower" and asked["figure"] != "mean"
    return _turned(ratings) if turned else ratings


def _turned(ratings: Ratings) -> Ratings:
    # Not -0.0, which R's numbers would show.
    return replace(ratings, values=0.0 - ratings.values)


def _require_squares(ratings: Ratings) -> None:
    """Reject ratings whose squares overflow or vanish: variances would be inf or 0."""
    largest = float(np.nanmax(np.abs(ratings.values)))
    if largest > 0 and not _SMALLEST < largest < 1 / _SMALLEST:
        raise InputError(
            setting("figure", "mean")
            + f": the largest rating is {largest:g} in absolute value, and "
            "variances of such numbers cannot be computed; give the ratings in another "
            "unit"
        )


def _require_classes(ratings: Ratings, name: FigureName) -> None:
    """Reject a reader without cases of a class that the figure is about."""
    assert ratings.truth is not None
    rated = ratings.read.sum(axis=-1)
    positive = (ratings.read & ratings.truth).sum(axis=-1)
    held = {"positive": positive, "negative": rated - positive}
    needed = {"sensitivity": ("positive",), "specificity": ("negative",)}
    for side in needed.get(name, ("positive", "negative")):
        lacking = np.argwhere((rated > 0) & (held[side] == 0))
        if not lacking.size:
            continue
        label = ratings.positive if side == "positive" else ratings.negative
        of = f" ({show(label)})" if label else ""
        other = "specificity" if side == "positive" else "sensitivity"
        if (held[side] == 0).all():
            remedy = "add some"
            who = "there are no cases"
        else:
            i, j = lacking[0]
            remedy = "add some, leave this reader's rows out"
            who = f"reader={show(ratings.readers[j])} rated no case"
            of += f" with modality={show(ratings.modalities[i])}"
        way = (
            f"; {remedy}"
            if name in needed
            else f"; {remedy}, or choose a figure of the other class, "
            + setting("figure", other)
        )
        raise InputError(
            setting("figure", name)
            + f" needs cases of the {side} class, and {who} of it{of}"
            + way
        )


def _is_range(value: Any) -> bool:
    """Return whether a value is two rates, the lower one first."""
    pair = isinstance(value, list | tuple) and len(value) == 2
    return pair and all(map(is_finite, value)) and 0 <= value[0] < value[1] <= 1


def figure_of(
    name: str,
    threshold: float | None,
    fpr_range: tuple[float, float] | None,
    better: Literal["higher", "lower"] | None,
    ratings: Ratings,
) -> FigureOfMerit:
    """Check the options of a figure of merit."""
    if name not in _FIGURES:
        raise InputError(
            setting("figure", name) + f": choose one of {show_all(_FIGURES)}"
        )
    _require_marks(name, better, ratings)
    if name != "mean" and ratings.truth is None:
        raise InputError(
            setting("figure", name)
            + " needs the true classes: name their column, "
            + setting("truth")
            + ", or choose "
            + setting("figure", "mean")
        )
    needs = {
        "threshold": name in ("sensitivity", "specificity"),
        "fpr_range": name == "partial_auc",
    }
    for option, value in (("threshold", threshold), ("fpr_range", fpr_range)):
        if needs[option] != (value is not None):
            what = "needs" if needs[option] else "has no"
            raise InputError(setting("figure", name) + f" {what} " + setting(option))
    if better is None and name == "mean":
        raise InputError(
            setting("figure", "mean")
            + " has no direction of its own: state which mean is the better one, "
            + setting("better", "higher")
            + " or "
            + setting("better", "lower")
        )
    if better not in (None, "higher", "lower"):
        raise InputError(setting("better", better) + ": choose 'higher' or 'lower'")
    if name == "mean":
        _require_squares(ratings)
    else:
        _require_classes(ratings, name)
    if threshold is not None and not is_finite(threshold):
        raise InputError(setting("threshold", threshold) + ": give a finite number")
    if fpr_range is not None and not _is_range(fpr_range):
        raise InputError(
            setting("fpr_range", fpr_range) + ": give 0 <= low < high <= 1"
        )
    turned = better == "lower" and name != "mean"
    at = math.nan if threshold is None else float(threshold)
    return FigureOfMerit(
        name,
        0.0 - at if turned else at,
        (0.0, 1.0) if fpr_range is None else (float(fpr_range[0]), float(fpr_range[1])),
        "higher" if turned or better is None else better,
        turned,
        _site_weight(ratings) if name == "wafroc" else None,
    )


def _require_marks(name: str, better: str | None, ratings: Ratings) -> None:
    """Reject a figure of marks for ratings, and another one for marks."""
    if ratings.marks and name not in MARK_FIGURES:
        raise InputError(
            setting("figure", name)
            + ": these are free-response marks; choose 'wafroc', in which every case "
            "with lesions counts alike, or 'afroc', in which every lesion does"
        )
    if not ratings.marks and name in MARK_FIGURES:
        raise InputError(
            setting("figure", name)
            + " is of free-response marks, and these are ratings of cases: read marks "
            "by pc.read_marks or pc.Ratings.from_marks"
        )
    if ratings.marks and better == "lower":
        raise InputError(
            setting("better", better)
            + ": higher ratings of marks speak for a lesion; read the negative ratings"
        )


def _site_weight(ratings: Ratings) -> Floats:
    """Return 1 over the lesions of a case, and 1 of a normal case."""
    assert ratings.truth is not None
    assert ratings.cluster is not None
    lesions = np.bincount(ratings.cluster, ratings.truth)[ratings.cluster]
    return np.where(ratings.truth, 1 / np.maximum(lesions, 1), 1.0)

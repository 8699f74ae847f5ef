"""The precision-recall curve and the area under it, by three named methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from pycompare.base.arguments import check_flags
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import nearest, show
from pycompare.base.tables import Columns
from pycompare.data.measures.cases import Cases, one_curve, r_arguments
from pycompare.data.measures.registry import MEASURES
from pycompare.kernels import cumulative_counts
from pycompare.kernels.polylines import upper_hull
from pycompare.results.result import Result, internal

PrMethod = Literal["trapezoid", "davis-goadrich", "average-precision"]
_MEASURES = {
    "trapezoid": "auc_pr",
    "davis-goadrich": "auc_pr_davis_goadrich",
    "average-precision": "average_precision",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class PrCurve(Result):
    """Precision and recall at every distinct score, or along the hull.

    Attributes
    ----------
    table : DataFrame
        Columns ``threshold recall precision tp fp``, thresholds falling: cases with
        a score >= threshold are classified as positive. The first row, threshold
        infinity, calls nothing positive: its precision is 0/0, set to 1 by convention.
        Of a hull, a row per number of true positives; ``fp`` is the expected number.
        Rows between vertices of the hull choose one of their thresholds at random, and
        have none of their own (NaN). The first precision is the limit along the hull.
    hull : bool
    n_positive, n_negative : int
    prevalence : float or None
        The share of positive cases for which precision holds; None: that of the cases.
    """

    table: pd.DataFrame
    hull: bool
    n_positive: int
    n_negative: int
    prevalence: float | None
    cases: Cases = internal()

    def r_call(self) -> RCall:
        """Return the R call that repeats the curve."""
        function = "pr_hull_reference" if self.hull else "pr_curve_reference"
        return RCall(("measures",), function, _in_r(self.cases, self.prevalence))

    def r_values(self) -> dict[str, Any]:
        """Return the points of the curve."""
        own = "fp" if self.hull else "threshold"
        return {
            name: self.as_columns()[name].astype(float)
            for name in (own, "recall", "precision")
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class AucPr(Result):
    """Area under the precision-recall curve.

    Attributes
    ----------
    estimate : float
        In [0, 1]; a classifier without information has about the share of positives.
    method : str
        How precision is interpolated; the three methods give different numbers.
    reference : str
    n_positive, n_negative : int
    prevalence : float or None
        The share of positive cases for which the area holds; None: that of the cases.
    """

    estimate: float
    method: str
    reference: str
    n_positive: int
    n_negative: int
    prevalence: float | None
    cases: Cases = internal()

    def as_columns(self) -> Columns:
        """Return one row."""
        names = ("estimate", "method", "n_positive", "n_negative")
        row = {name: getattr(self, name) for name in names}
        return Columns.of_row({"name": "auc_pr"} | row)

    def r_call(self) -> RCall:
        """Return the R call that repeats the area."""
        arguments = _in_r(self.cases, self.prevalence)
        return RCall(("measures",), "curve_areas_reference", arguments)

    def r_values(self) -> dict[str, float]:
        """Return the area under its name in R's list."""
        return {_MEASURES[self.method]: self.estimate}


@checked
def pr_curve(
    label: ArrayLike | Sequence[object],
    score: ArrayLike,
    *,
    positive: object,
    hull: bool = False,
    prevalence: float | None = None,
) -> PrCurve:
    """Return the precision-recall curve of one classifier on one test set.

    Parameters
    ----------
    label : sequence of length n
        True classes: text, numbers, true and false; two distinct ones.
    score : array_like, shape (n,)
        Higher for the positive class; any scale.
    positive : text, number or bool
        Which label is positive.
    hull : bool, default False
        The achievable curve: that of the convex hull of the ROC curve. No other choice
        of thresholds, at random too, has a higher precision at any recall.
    prevalence : float, optional
        Share of positive cases where the classifier is to be used, in (0, 1): precision
        is tpr pi / (tpr pi + fpr (1 - pi)) then. By default the share of these cases.
        Scores within a class are assumed to have the same distribution there.

    Returns
    -------
    PrCurve

    Raises
    ------
    InputError
        If there are not two classes, the positive class is not there, or a score is
        not a finite number.

    Notes
    -----
    Equation 1.2 of docs/equations.md.

    R: ``cumsum`` of the cases sorted by falling score, at the last case of each tie;
    ``chull`` and ``approx`` for the hull.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, sec. 2.3.
    .. [2] Davis, J., Goadrich, M. (2006). The relationship between precision-recall
       and ROC curves. ICML, 233-240, sec. 3.
    .. [3] Siblini, W. et al. (2020). Master your metrics with calibration. IDA,
       457-469: precision at another prevalence.

    Examples
    --------
    >>> import pycompare as pc
    >>> label = ["yes", "no", "yes", "no"]
    >>> curve = pc.pr_curve(label, [0.9, 0.4, 0.3, 0.1], positive="yes")
    >>> curve.table.round(2)
       threshold  recall  precision  tp  fp
    0        inf     0.0       1.00   0   0
    1        0.9     0.5       1.00   1   0
    2        0.4     0.5       0.50   1   1
    3        0.3     1.0       0.67   2   1
    4        0.1     1.0       0.50   2   2
    """
    check_flags(hull=hull)
    cases, steps = one_curve(label, score, positive)
    weight = _weight(cases, prevalence)
    columns = (_achievable if hull else _at_every_score)(steps, weight)
    return PrCurve(
        table=pd.DataFrame(columns),
        hull=hull,
        n_positive=int(steps.positives[0]),
        n_negative=int(steps.negatives[0]),
        prevalence=prevalence,
        cases=cases,
    )


def _weight(cases: Cases, prevalence: float | None) -> float:
    """Return how many negative cases each stands for at another prevalence."""
    if prevalence is None:
        return 1.0
    if not 0 < prevalence < 1:
        raise InputError(
            setting("prevalence") + f"={prevalence!r}: give a share between 0 and 1"
        )
    return (1 - prevalence) / prevalence * cases.n_positive / cases.n_negative


def _in_r(cases: Cases, prevalence: float | None) -> dict[str, Any]:
    """Return the cases as R gets them, with the prevalence if there is one."""
    more = {} if prevalence is None else {"prevalence": prevalence}
    return r_arguments(cases) | more


def _at_every_score(steps: cumulative_counts.Steps, weight: float) -> dict[str, Any]:
    """Return the points of the curve itself."""
    return {
        "threshold": np.r_[np.inf, steps.score],
        "recall": np.r_[0.0, steps.tp / steps.positives[0]],
        "precision": np.r_[1.0, steps.tp / (steps.tp + weight * steps.fp)],
        "tp": np.r_[0, steps.tp],
        "fp": np.r_[0, steps.fp],
    }


def _achievable(steps: cumulative_counts.Steps, weight: float) -> dict[str, Any]:
    """Return the points of the hull: one per true positive, and the last of all."""
    fp, tp = np.r_[0, steps.fp], np.r_[0, steps.tp]
    kept = upper_hull(fp, tp)
    score = np.r_[np.inf, steps.score][kept]
    fp, tp = fp[kept], tp[kept]
    # Where all positive cases are called, the hull goes on with negative ones alone.
    rising = np.r_[True, np.diff(tp) > 0]
    caught = np.arange(tp[-1] + 1)
    wrong = np.interp(caught, tp[rising], fp[rising])
    threshold = np.full(len(caught), np.nan)
    threshold[tp[rising]] = score[rising]
    if not rising[-1]:
        caught, wrong = np.r_[caught, tp[-1]], np.r_[wrong, fp[-1]]
        threshold = np.r_[threshold, score[-1]]
    # Davis & Goadrich (2006): false positives grow linearly along the hull.
    limit = tp[1] / (tp[1] + weight * fp[1])
    precision = np.r_[limit, caught[1:] / (caught[1:] + weight * wrong[1:])]
    return {
        "threshold": threshold,
        "recall": caught / tp[-1],
        "precision": precision,
        "tp": caught,
        "fp": wrong,
    }


@checked
def auc_pr(
    label: ArrayLike | Sequence[object],
    score: ArrayLike,
    *,
    positive: object,
    method: PrMethod = "trapezoid",
    prevalence: float | None = None,
) -> AucPr:
    """Return the area under the precision-recall curve.

    Parameters
    ----------
    label, score, positive
        As in `pr_curve`.
    method : {"trapezoid", "davis-goadrich", "average-precision"}
        Straight lines between the points (Aslan 2009, sec. 2.3; they promise more
        precision than can be reached); the interpolation that can be reached, false
        positives growing linearly with true ones; or precision weighted by the recall
        gained, without interpolation.
    prevalence : float, optional
        As in `pr_curve`: so areas of test sets with other shares of positive cases can
        be compared.

    Returns
    -------
    AucPr

    Raises
    ------
    InputError
        As `pr_curve`, and for another method.

    Notes
    -----
    Equation 1.2 of docs/equations.md.

    The trapezoids begin at recall 0, precision 1, as in scikit-learn's curve. R:
    ``PRROC::pr.curve(dg.compute = TRUE)$auc.davis.goadrich`` (not in Debian).

    References
    ----------
    .. [1] Davis, J., Goadrich, M. (2006). The relationship between precision-recall
       and ROC curves. ICML, 233-240.
    .. [2] Boyd, K., Eng, K. H., Page, C. D. (2013). Area under the precision-recall
       curve. ECML PKDD, 451-466.

    Examples
    --------
    >>> import pycompare as pc
    >>> label = ["yes", "no", "yes", "no"]
    >>> area = pc.auc_pr(
    ...     label, [0.9, 0.4, 0.3, 0.1], positive="yes", method="average-precision"
    ... )
    >>> print(f"{area.estimate:.3f}")
    0.833
    """
    area, reference = area_by(method)
    cases, steps = one_curve(label, score, positive)
    weighted: Any = steps.fp * _weight(cases, prevalence)
    if prevalence is not None:
        steps = replace(steps, fp=weighted)
    return AucPr(
        estimate=float(area(steps)[0]),
        method=method,
        reference=reference,
        n_positive=int(steps.positives[0]),
        n_negative=int(steps.negatives[0]),
        prevalence=prevalence,
        cases=cases,
    )


def area_by(
    method: str,
) -> tuple[Callable[[cumulative_counts.Steps], NDArray[np.float64]], str]:
    """Return the function of steps that a method is, and its source."""
    if method not in _MEASURES:
        raise InputError(
            f"method must be one of {', '.join(map(repr, _MEASURES))}, got "
            f"{show(method)}{nearest(str(method), _MEASURES)}"
        )
    measure = MEASURES[_MEASURES[method]]
    assert measure.of_steps is not None
    return measure.of_steps, measure.reference

"""The ROC curve and the area under it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_flags, check_word, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Ints
from pycompare.data.measures.cases import Cases, numbers, one_score, truths
from pycompare.kernels import placements
from pycompare.kernels.polylines import partial_area, rescaled
from pycompare.results.result import Result, internal

RateAxis = Literal["fpr", "tpr"]


@checked
def auc(label: ArrayLike, score: ArrayLike, *, positive: object) -> Any:
    """Return the area under the ROC curve, ties between classes counted 1/2.

    Parameters
    ----------
    label : array_like, shape (..., n)
        Two classes: text, whole numbers, floats, true and false.
    score : array_like, shape (..., n)
        Higher means more positive; infinities are allowed. Leading axes broadcast:
        (450, 200) gives 450 areas, and labels of shape (n,) serve scores (5, n).
    positive : object
        The label of the positive class.

    Returns
    -------
    float, or ndarray of shape (...)
        Trapezoids under the curve = Mann-Whitney count over all pairs, one rounding
        from exact.

    Raises
    ------
    InputError
        For NaN, a positive class that is not there, more than two classes, or a row
        of cases without one of the two.

    Notes
    -----
    Equation 1.1 of docs/equations.md.

    R: ``pROC::auc(pROC::roc(label, score, levels = c(negative, positive), direction =
    "<"))``.

    References
    ----------
    .. [1] Hanley, J. A., McNeil, B. J. (1982). Radiology 143, 29-36.
    .. [2] Aslan, O. (2009). M.Sc. thesis, Bogazici University, eq. 2.13.

    Examples
    --------
    >>> import pycompare as pc
    >>> label = ["yes", "no", "yes", "no"]
    >>> float(pc.auc(label, [0.9, 0.4, 0.3, 0.1], positive="yes"))
    0.75
    """
    same_rows(label=label, score=score)
    truth = truths(label, positive)
    values = numbers(score, "score")
    try:
        np.broadcast_shapes(truth.shape, values.shape)
    except ValueError:
        raise InputError(
            f"labels of shape {truth.shape} and scores of shape {values.shape} do not "
            f"match; cases are on the last axis"
        ) from None
    if not values.ndim or not truth.ndim or truth.shape[-1] != values.shape[-1]:
        raise InputError(
            f"labels of shape {truth.shape} and scores of shape {values.shape}: give "
            f"one label and one score per case, on the last axis"
        )
    counts = truth.sum(axis=-1)
    lacking = np.argwhere((counts == 0) | (counts == truth.shape[-1]))
    if len(lacking):
        where = f" in row {tuple(int(i) for i in lacking[0])}" if truth.ndim > 1 else ""
        raise InputError(f"all cases{where} are of one class; an AUC needs two")
    area = placements.auc(truth, values)
    return area if area.ndim else float(area)


@dataclass(frozen=True, kw_only=True, eq=False)
class RocCurve(Result):
    """ROC curve of one classifier, from (0, 0) to (1, 1).

    Attributes
    ----------
    threshold : ndarray, shape (m + 1,)
        Infinity, then the m distinct scores, descending. A case is predicted positive
        if its score >= threshold, so all cases that tie are on one side. The first
        point calls nothing positive, even if some scores are infinite.
    fpr, tpr : ndarray, shape (m + 1,)
        Shares of negative and of positive cases predicted positive.
    false_positive, true_positive : ndarray of int
        The counts behind them.
    auc : float
    positive : str
        The label of the positive class.
    n_positive, n_negative : int
    """

    threshold: Floats
    fpr: Floats
    tpr: Floats
    false_positive: Ints
    true_positive: Ints
    auc: float
    positive: str
    n_positive: int
    n_negative: int
    cases: Cases = internal()

    def as_columns(self) -> Columns:
        """Return one row per point."""
        return Columns(
            {
                "threshold": self.threshold,
                "fpr": self.fpr,
                "tpr": self.tpr,
                "false_positive": self.false_positive,
                "true_positive": self.true_positive,
            }
        )

    def partial_auc(
        self, low: float, high: float, *, axis: RateAxis = "fpr", mcclish: bool = False
    ) -> float:
        """Return the area over a part of one axis.

        Parameters
        ----------
        low, high : float
            The part, 0 <= low < high <= 1; between points the curve is straight.
        axis : {"fpr", "tpr"}
            ``fpr``: the area under tpr for fpr in [low, high]. ``tpr``: the area
            under specificity (1 - fpr) for tpr in [low, high].
        mcclish : bool, default False
            Rescale linearly so that chance has 1/2 and the largest area 1 (McClish
            1989). A curve below chance there comes out below 1/2; pROC returns NA.

        Notes
        -----
        R: ``pROC::auc(curve, partial.auc = 1 - c(low, high), partial.auc.correct =
        mcclish)``; ``axis="tpr"`` is ``partial.auc.focus = "sensitivity"``.

        References
        ----------
        .. [1] McClish, D. K. (1989). Medical Decision Making 9, 190-195.
        """
        check_part(low, high, axis)
        check_flags(mcclish=mcclish)
        x, y = axes(self.fpr, self.tpr, axis)
        area = float(partial_area(x, y, low, high))
        return rescaled(area, low, high, axis) if mcclish else area

    def r_call(self) -> RCall:
        """Return the call of ``pROC::roc``."""
        return RCall(("roc",), "roc_curve_reference", self.cases.r_arguments())

    def r_values(self) -> dict[str, Any]:
        """Return the points and the area."""
        return {
            "threshold": self.threshold[1:],
            "fpr": self.fpr,
            "tpr": self.tpr,
            "auc": self.auc,
            "partial_fpr": self.partial_auc(0.1, 0.4),
            "partial_tpr": self.partial_auc(0.6, 0.95, axis="tpr"),
            "mcclish_fpr": self.partial_auc(0.1, 0.4, mcclish=True),
            "mcclish_tpr": self.partial_auc(0.6, 0.95, axis="tpr", mcclish=True),
        }


@checked
def roc_curve(label: ArrayLike, score: ArrayLike, *, positive: object) -> RocCurve:
    """Return the ROC curve: one point per distinct score (Aslan 2009, Fig. 2.2).

    Parameters
    ----------
    label : array_like, shape (n,)
        Two classes: text, whole numbers, floats, true and false.
    score : array_like, shape (n,)
        Higher means more positive; infinities are allowed. Scores that are equal as
        numbers tie and make one point; the curve is straight between points, which
        counts ties between the classes 1/2.
    positive : object
        The label of the positive class.

    Returns
    -------
    RocCurve

    Raises
    ------
    InputError
        For NaN, a positive class that is not there, or not exactly two classes.

    Notes
    -----
    Equation 1.1 of docs/equations.md.

    R: ``pROC::roc(label, score, levels = c(negative, positive), direction = "<")``,
    whose thresholds lie midway between the scores.

    References
    ----------
    .. [1] Fawcett, T. (2006). Pattern Recognition Letters 27, 861-874.
    .. [2] Aslan, O. (2009). M.Sc. thesis, Bogazici University, sec. 2.2.

    Examples
    --------
    >>> import pycompare as pc
    >>> label = ["yes", "no", "yes", "no"]
    >>> curve = pc.roc_curve(label, [0.9, 0.4, 0.3, 0.1], positive="yes")
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    cases = one_score(label, score, positive)
    steps = placements.steps(cases.truth, cases.score[0])
    false_positive = np.concatenate([[0], steps.false_positive])
    true_positive = np.concatenate([[0], steps.true_positive])
    return RocCurve(
        threshold=np.concatenate([[np.inf], steps.threshold]),
        fpr=false_positive / cases.n_negative,
        tpr=true_positive / cases.n_positive,
        false_positive=false_positive,
        true_positive=true_positive,
        auc=_trapezoids(false_positive, true_positive),
        positive=cases.positive,
        n_positive=cases.n_positive,
        n_negative=cases.n_negative,
        cases=cases,
    )


def _trapezoids(fp: Ints, tp: Ints) -> float:
    """Return the area under points given as counts, one division from exact."""
    doubled = np.sum(np.diff(fp) * (tp[1:] + tp[:-1]))
    return float(doubled / (2 * fp[-1] * tp[-1]))


def axes(fpr: Floats, tpr: Floats, axis: str) -> tuple[Floats, Floats]:
    """Return the ascending axis and the height over it."""
    return (fpr, tpr) if axis == "fpr" else (tpr, 1 - fpr)


def check_part(low: float, high: float, axis: str) -> None:
    """Reject anything but a part of an axis."""
    check_word("axis", axis, ("fpr", "tpr"))
    if not 0 <= low < high <= 1:
        raise InputError(
            f"the part from {low} to {high} of {axis}: give 0 <= low < high <= 1"
        )

"""Risk: the cost of the decisions at a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import is_number
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.measures.cases import Cases, one_curve, r_arguments
from pycompare.data.measures.loss import Loss, as_loss
from pycompare.kernels import cumulative_counts
from pycompare.results.result import Result, internal


@dataclass(frozen=True, kw_only=True, eq=False)
class Risk(Result):
    """Cost of the decisions of one classifier on one test set.

    Attributes
    ----------
    total : float
        Sum of the costs; with ``cost_ratio=1`` the number of errors.
    mean : float
        Cost of one decision on average.
    threshold : float
        Cases with a score >= threshold are classified as positive.
    tp, fp, fn, tn : int
        The decisions.
    loss : Loss
        What each costs.
    """

    total: float
    mean: float
    threshold: float
    tp: int
    fp: int
    fn: int
    tn: int
    loss: Loss
    cases: Cases = internal()

    def as_columns(self) -> Columns:
        """Return one row."""
        names = ("total", "mean", "threshold", "tp", "fp", "fn", "tn")
        return Columns.of_row({name: getattr(self, name) for name in names})

    def r_call(self) -> RCall:
        """Return the R call that repeats the costs."""
        arguments = r_arguments(self.cases) | {
            "threshold": self.threshold,
            "costs": np.array(self.loss),
        }
        return RCall(("measures",), "risk_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return total and mean."""
        return {"total_loss": self.total, "mean_loss": self.mean}


@checked
def risk(
    label: ArrayLike | Sequence[object],
    score: ArrayLike,
    *,
    positive: object,
    cost_ratio: float | None = None,
    loss: Sequence[Sequence[float]] | None = None,
    threshold: float | None = None,
) -> Risk:
    """Return the total cost of a classifier's decisions.

    Parameters
    ----------
    label, score, positive
        As in `pr_curve`.
    cost_ratio : float, optional
        lambda: a false positive costs lambda, a false negative 1, a right decision
        nothing.
    loss : 2 x 2 numbers, optional
        Costs in full: rows the decision (positive, negative), columns the truth
        (positive, negative), as in Aslan (2009), Table 2.1.
    threshold : float, optional
        Cases with a score >= threshold are classified as positive. Without it the one
        of least risk for posterior probabilities, lambda / (1 + lambda); scores must
        then lie in [0, 1].

    Returns
    -------
    Risk

    Raises
    ------
    InputError
        As `pr_curve`; if costs are given in no or in two ways, a wrong decision does
        not cost more than the right one, or a threshold is needed and not given.

    Notes
    -----
    Equation 1.3 of docs/equations.md.

    R: ``lambda * sum(score >= t & y == 0) + sum(score < t & y == 1)``.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, eq. 2.1-2.9.

    Examples
    --------
    >>> import pycompare as pc
    >>> label = ["yes", "no", "yes", "no"]
    >>> pc.risk(label, [0.9, 0.4, 0.3, 0.1], positive="yes", cost_ratio=2).total
    1.0
    """
    costs = as_loss(cost_ratio, loss)
    cases, steps = one_curve(label, score, positive)
    t = _threshold(cases.score, costs) if threshold is None else _given(threshold)
    counts = cumulative_counts.counts_at(steps, [t])
    total = float(costs.total(counts)[0, 0])
    tp, fp, fn, tn = (int(count[0, 0]) for count in counts)
    return Risk(
        total=total,
        mean=total / cases.score.size,
        threshold=t,
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
        loss=costs,
        cases=cases,
    )


def _given(threshold: float) -> float:
    if not is_number(threshold) or np.isnan(float(threshold)):
        raise InputError(f"threshold must be a number, got {show(threshold)}")
    return float(threshold)


def _threshold(score: Floats, costs: Loss) -> float:
    outside = (score < 0) | (score > 1)
    if outside.any():
        raise InputError(
            f"{outside.sum()} of {outside.size} scores are outside [0, 1], first: "
            f"{score[outside][0]:g}, and the threshold of least risk needs "
            "probabilities; if the scores are logits or margins, give threshold=..."
        )
    return costs.threshold

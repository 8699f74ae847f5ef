"""Costs of decisions: a loss ratio or a 2 x 2 loss matrix, and the best threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import is_finite, numbers
from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.kernels.cumulative_counts import Counts


class Loss(NamedTuple):
    """Costs of a true positive, false positive, false negative, true negative."""

    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def threshold(self) -> float:
        """The posterior probability from which calling positive costs less.

        With costs (0, lambda, 1, 0) it is lambda / (1 + lambda), Aslan (2009), eq. 2.9.
        """
        against, for_it = self.fp - self.tn, self.fn - self.tp
        return against / (against + for_it)

    def total(self, counts: Counts) -> NDArray[np.float64]:
        """Sum the costs of all decisions."""
        return np.tensordot(np.array(self), np.array(counts, float), axes=1)

    def __str__(self) -> str:
        return (
            f"true positive {self.tp:g}, false positive {self.fp:g}, "
            f"false negative {self.fn:g}, true negative {self.tn:g}"
        )


def as_loss(
    cost_ratio: float | None = None, loss: Sequence[Sequence[float]] | None = None
) -> Loss:
    """Take a cost ratio or a loss matrix.

    Parameters
    ----------
    cost_ratio : float, optional
        lambda of Aslan (2009), eq. 2.1-2.9: the cost of a false positive when a false
        negative costs 1.
    loss : 2 x 2 numbers, optional
        Rows are the decision (positive, negative), columns the truth (positive,
        negative), as in Aslan (2009), Table 2.1: ``[[0, lambda], [1, 0]]``.

    Raises
    ------
    InputError
        If both or neither are given, a number is not finite, or a wrong decision
        does not cost more than the right one.
    """
    if (cost_ratio is None) == (loss is None):
        raise InputError(
            "state the costs of errors, in one way: cost_ratio=... (a false positive, "
            "when "
            "a false negative costs 1) or loss=[[tp, fp], [fn, tn]]"
        )
    if cost_ratio is not None:
        if not (is_finite(cost_ratio) and cost_ratio > 0):
            raise InputError(f"cost_ratio={show(cost_ratio)}: give a number above 0")
        return Loss(0.0, float(cost_ratio), 1.0, 0.0)
    matrix = numbers(loss, "loss")
    if matrix.shape != (2, 2):
        raise InputError(f"loss must hold 2 x 2 numbers, got {show(loss)}")
    if not np.isfinite(matrix).all():
        raise InputError("loss holds NaN or infinite costs")
    costs = Loss(*matrix.ravel().tolist())
    if not (costs.fp > costs.tn and costs.fn > costs.tp):
        raise InputError(
            "a wrong decision must cost more than the right one for the same case; "
            f"got costs: {costs}; rows of loss are the decision, columns the truth"
        )
    return costs

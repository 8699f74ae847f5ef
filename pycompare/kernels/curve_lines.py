"""The curves of one group as vertices: ROC, precision-recall, least cost.

tp and fp count the cases with at least each distinct score, highest first; the last
counts are the sizes of the classes.
"""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Ints
from pycompare.kernels.cumulative_counts import Steps
from pycompare.kernels.polylines import Line, lower_envelope, upper_hull


def counts(steps: Steps, group: int) -> tuple[Ints, Ints]:
    """Return tp and fp of one group."""
    part = slice(int(steps.offsets[group]), int(steps.offsets[group + 1]))
    return steps.tp[part], steps.fp[part]


def roc(tp: Ints, fp: Ints) -> Line:
    """Return fpr and tpr from (0, 0) to (1, 1)."""
    return np.r_[0, fp] / fp[-1], np.r_[0, tp] / tp[-1]


def least_cost(tp: Ints, fp: Ints) -> Line:
    """Return the lower envelope of the cost lines over the probability cost."""
    return lower_envelope(*roc(tp, fp))


def pr_trapezoid(tp: Ints, fp: Ints) -> Line:
    """Return recall and precision joined by straight lines, from (0, 1)."""
    return np.r_[0, tp] / tp[-1], np.r_[1.0, tp / (tp + fp)]


def pr_average_precision(tp: Ints, fp: Ints) -> Line:
    """Return precision as steps, each at the precision where its recall is reached."""
    before = np.r_[0, tp[:-1]]
    gains = tp > before
    recall = np.stack([before, tp], axis=1)[gains] / tp[-1]
    return recall.ravel(), np.repeat((tp / (tp + fp))[gains], 2)


def pr_davis_goadrich(tp: Ints, fp: Ints) -> Line:
    """Return a vertex for every true positive; false positives grow linearly.

    Davis and Goadrich (2006), sec. 4.
    """
    tp0, fp0 = np.r_[0, tp[:-1]], np.r_[0, fp[:-1]]
    gained = tp - tp0
    rise = (fp - fp0) / np.maximum(gained, 1)
    many = np.where(gained > 0, gained + 1, 0)
    step = np.repeat(np.arange(len(tp)), many)
    i = np.arange(step.size) - np.repeat(np.cumsum(many) - many, many)
    called = (tp0 + fp0)[step] + i * (1 + rise[step])
    # At the curve's origin, 0/0, the precision is its limit along the line.
    limit = 1 / (1 + rise[step])
    precision = np.where(
        called > 0, (tp0[step] + i) / np.where(called > 0, called, 1), limit
    )
    return (tp0[step] + i) / tp[-1], precision


def pr_achievable(tp: Ints, fp: Ints) -> Line:
    """Return a vertex for every true positive of the convex hull of the ROC curve.

    Davis and Goadrich (2006), sec. 3: the hull's precision-recall curve lies above all
    others that the same scores can achieve.
    """
    kept = upper_hull(np.r_[0, fp], np.r_[0, tp])[1:] - 1
    return pr_davis_goadrich(tp[kept], fp[kept])


PR = {
    "trapezoid": pr_trapezoid,
    "davis-goadrich": pr_davis_goadrich,
    "average-precision": pr_average_precision,
}
"""Interpolations of the precision-recall curve, by the names of ``auc_pr``."""

"""Cumulative counts of two-class predictions, for many groups at once.

Within a group the cases are sorted by falling score; every distinct score is one step.
At a step, tp and fp count the cases with at least this score. All curves, areas and
counts at thresholds are sums over these steps. Counts are integers, so the area under
the ROC curve is an exact fraction: its trapezoids are the Mann-Whitney count.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.typing import Floats, Ints


class Counts(NamedTuple):
    """Confusion counts, arrays of one shape."""

    tp: Ints
    fp: Ints
    fn: Ints
    tn: Ints


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps of groups, one group after another.

    Attributes
    ----------
    score : ndarray, shape (n_steps,)
        Distinct scores of a group, falling.
    tp, fp : ndarray of int, shape (n_steps,)
        Positive and negative cases with at least this score.
    offsets : ndarray of int, shape (n_groups + 1,)
        Steps ``offsets[g] : offsets[g + 1]`` belong to group g.
    positives, negatives : ndarray of int, shape (n_groups,)
    """

    score: Floats
    tp: Ints
    fp: Ints
    offsets: NDArray[np.intp]
    positives: Ints
    negatives: Ints

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return self.positives.size

    @property
    def group(self) -> NDArray[np.intp]:
        """The group of each step."""
        return np.repeat(np.arange(self.n_groups), np.diff(self.offsets))

    def before(self, counts: Ints) -> Ints:
        """Return counts one step earlier; 0 at a group's first step."""
        earlier = np.zeros_like(counts)
        earlier[1:] = counts[:-1]
        earlier[self.offsets[:-1][np.diff(self.offsets) > 0]] = 0
        return earlier

    def sums(self, terms: NDArray) -> NDArray:
        """Sum over the steps of each group; 0 for an empty group."""
        return group_sums(terms, self.offsets)


def steps(score: Floats, is_positive: NDArray[np.bool_], offsets: ArrayLike) -> Steps:
    """Sort the cases of each group and count.

    Parameters
    ----------
    score : ndarray, shape (n,)
        Finite.
    is_positive : ndarray of bool, shape (n,)
    offsets : array_like of int, shape (n_groups + 1,)
        Group g is ``score[offsets[g] : offsets[g + 1]]``; it may be empty.
    """
    offsets = np.asarray(offsets, np.intp)
    order = _falling_order(score, offsets)
    ordered = score[order] + 0.0  # -0.0 ties with 0.0
    positive = is_positive[order]
    last = np.ones(score.size, bool)
    last[:-1] = ordered[1:] != ordered[:-1]
    sizes = np.diff(offsets)
    last[offsets[1:][sizes > 0] - 1] = True
    ends = np.flatnonzero(last)
    tp_all = np.concatenate(([0], np.cumsum(positive, dtype=np.int64)))
    step_offsets = np.searchsorted(ends, offsets)
    per_group = np.diff(step_offsets)
    start = np.repeat(offsets[:-1], per_group)
    tp = tp_all[ends + 1] - tp_all[start]
    n_positive = np.diff(tp_all[offsets])
    return Steps(
        score=ordered[ends],
        tp=tp,
        fp=ends + 1 - start - tp,
        offsets=step_offsets,
        positives=n_positive,
        negatives=sizes - n_positive,
    )


def steps_of_rows(fp: Ints, tp: Ints) -> Steps:
    """Return the steps of curves that are known by cumulative counts.

    Parameters
    ----------
    fp, tp : ndarray of int, shape (n_groups, m + 1)
        Counts that begin with 0 and rise; if none of them rises is no step.

    Returns
    -------
    Steps
        ``score`` is the number of the count, negative, so that it falls.
    """
    risen = np.diff(fp + tp, axis=1) > 0
    return Steps(
        score=-np.nonzero(risen)[1].astype(float),
        tp=tp[:, 1:][risen],
        fp=fp[:, 1:][risen],
        offsets=np.concatenate(([0], np.cumsum(risen.sum(axis=1)))),
        positives=tp[:, -1],
        negatives=fp[:, -1],
    )


def _falling_order(score: Floats, offsets: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the order of the cases: group by group, score falling."""
    sizes = np.diff(offsets)
    if sizes.size and np.all(sizes == sizes[0]) and sizes[0] > 0:
        square = score.reshape(sizes.size, sizes[0])
        order = np.argsort(-square, axis=1)
        return (order + offsets[:-1, None]).ravel()
    order = np.empty(score.size, np.intp)
    for start, end in pairwise(offsets.tolist()):
        order[start:end] = np.argsort(-score[start:end])
        order[start:end] += start
    return order


def group_sums(terms: NDArray, offsets: NDArray[np.intp]) -> NDArray:
    """Sum terms over each group; 0 for an empty group."""
    filled = np.diff(offsets) > 0
    sums = np.zeros(filled.size, terms.dtype)
    if filled.any():
        sums[filled] = np.add.reduceat(terms, offsets[:-1][filled])
    return sums


def counts_at(steps: Steps, thresholds: ArrayLike) -> Counts:
    """Count at thresholds: a case is called positive if score >= threshold.

    Parameters
    ----------
    steps : Steps
    thresholds : array_like, shape (n_thresholds,)

    Returns
    -------
    Counts
        Each of shape (n_groups, n_thresholds).
    """
    t = np.asarray(thresholds, float)
    place = _steps_at_least(steps, t)
    none = place == steps.offsets[:-1, None]
    # The step before place is the last with score >= t, if there is one.
    tp = np.where(none, 0, _take(steps.tp, place - 1))
    fp = np.where(none, 0, _take(steps.fp, place - 1))
    return Counts(tp, fp, steps.positives[:, None] - tp, steps.negatives[:, None] - fp)


def _take(counts: Ints, place: NDArray[np.intp]) -> Ints:
    return counts[np.maximum(place, 0)] if counts.size else np.zeros_like(place)


def _steps_at_least(steps: Steps, thresholds: Floats) -> NDArray[np.intp]:
    """Find the first step below each threshold: bisection in all groups at once."""
    shape = (steps.n_groups, thresholds.size)
    low = np.broadcast_to(steps.offsets[:-1, None], shape).copy()
    high = np.broadcast_to(steps.offsets[1:, None], shape).copy()
    while np.any(open_ := low < high):
        middle = (low + high) // 2
        inside = np.minimum(middle, steps.score.size - 1)
        above = open_ & (steps.score[inside] >= thresholds)
        low = np.where(above, middle + 1, low)
        high = np.where(open_ & ~above, middle, high)
    return low


def auc(steps: Steps) -> Floats:
    """Area under the ROC curve of each group; NaN if a class is missing.

    Twice the Mann-Whitney count is a sum of whole numbers, so nothing is rounded
    before the division.
    """
    # Aslan (2009), eq. 2.13: trapezoids are the Mann-Whitney count.
    twice = steps.sums(
        (steps.fp - steps.before(steps.fp)) * (steps.tp + steps.before(steps.tp))
    )
    with np.errstate(invalid="ignore"):
        return twice / (2.0 * steps.positives * steps.negatives)


def partial_auc(steps: Steps, low: float, high: float) -> Floats:
    """Area under the ROC curve between two false positive rates.

    The curve is linear between its points. NaN if a class is missing.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        n1 = steps.positives[steps.group].astype(float)
        n0 = steps.negatives[steps.group].astype(float)
        x0, x1 = steps.before(steps.fp) / n0, steps.fp / n0
        y0, y1 = steps.before(steps.tp) / n1, steps.tp / n1
        slope = np.where(x1 > x0, (y1 - y0) / (x1 - x0), 0.0)
    left, right = np.clip(x0, low, high), np.clip(x1, low, high)
    middle = y0 + slope * ((left + right) / 2 - x0)
    area = steps.sums(np.where(right > left, (right - left) * middle, 0.0))
    both = (steps.positives > 0) & (steps.negatives > 0)
    return np.where(both, area, np.nan)


def kolmogorov_smirnov(steps: Steps) -> Floats:
    """Largest tpr - fpr of each group, at least 0; NaN if a class is missing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        tpr = steps.tp / steps.positives[steps.group]
        fpr = steps.fp / steps.negatives[steps.group]
    largest = np.full(steps.n_groups, np.nan)
    filled = np.diff(steps.offsets) > 0
    if filled.any():
        starts = steps.offsets[:-1][filled]
        largest[filled] = np.maximum.reduceat(tpr - fpr, starts)
    return largest


def _positives_among(steps: Steps, called: Floats) -> Floats:
    """Return the expected positive cases among the ``called`` highest scores.

    Of tied scores that are not all among them, a part counts in proportion: the
    expectation if ties are broken at random.
    """
    before = steps.before(steps.tp) + steps.before(steps.fp)
    tied = steps.tp + steps.fp - before
    part = np.clip((called[steps.group] - before) / tied, 0.0, 1.0)
    expected: Floats = steps.sums(part * (steps.tp - steps.before(steps.tp)))
    return expected


def break_even(steps: Steps) -> Floats:
    """Precision when as many cases are called positive as are; NaN without positives.

    There precision and recall have the same denominator and are equal.
    """
    among = _positives_among(steps, steps.positives.astype(float))
    return _per_positive(steps, among)


def lift(steps: Steps, share: float) -> Floats:
    """Positives among the highest scores, as a multiple of those among all cases.

    NaN without positive cases.
    """
    called: Floats = share * (steps.positives + steps.negatives).astype(float)
    return _per_positive(steps, _positives_among(steps, called)) / share


def pr_trapezoid(steps: Steps) -> Floats:
    """Area under the precision-recall points joined by straight lines.

    The curve starts at recall 0, precision 1. NaN without positive cases.
    """
    before_tp, before_fp = steps.before(steps.tp), steps.before(steps.fp)
    precision = steps.tp / (steps.tp + steps.fp)
    called = before_tp + before_fp
    earlier = np.where(called > 0, before_tp / np.maximum(called, 1), 1.0)
    gained = steps.tp - before_tp
    # Aslan (2009), sec. 2.3: trapezoids over recall.
    return _per_positive(steps, steps.sums(gained * (precision + earlier) / 2))


def average_precision(steps: Steps) -> Floats:
    """Precision averaged over the positive cases. NaN without positive cases."""
    gained = steps.tp - steps.before(steps.tp)
    precision = steps.tp / (steps.tp + steps.fp)
    return _per_positive(steps, steps.sums(gained * precision))


def pr_davis_goadrich(steps: Steps) -> Floats:
    """Area under the curve with a point for every true positive between two steps.

    Between two steps the false positives grow linearly with the true positives
    (Davis and Goadrich 2006, sec. 4); these points are joined by straight lines.
    NaN without positive cases.
    """
    tp0, fp0 = steps.before(steps.tp), steps.before(steps.fp)
    gained = steps.tp - tp0
    rise = (steps.fp - fp0) / np.maximum(gained, 1)
    step = np.repeat(np.arange(gained.size), gained)
    firsts = np.cumsum(gained) - gained
    i = np.arange(step.size) - firsts[step]
    start = (tp0 + fp0)[step]

    def precision(at: Ints) -> Floats:
        called = start + at * (1.0 + rise[step])
        # At the curve's origin, 0/0, the precision is its limit along the line.
        limit = 1.0 / (1.0 + rise[step])
        return np.where(called > 0, (tp0[step] + at) / np.maximum(called, 1.0), limit)

    # Davis & Goadrich (2006), sec. 4: one trapezoid for each true positive.
    pieces = (precision(i) + precision(i + 1)) / 2
    ends = np.concatenate(([0], np.cumsum(gained)))[steps.offsets]
    return _per_positive(steps, group_sums(pieces, ends))


def _per_positive(steps: Steps, total: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.where(
            steps.positives > 0, total / np.maximum(steps.positives, 1), np.nan
        )

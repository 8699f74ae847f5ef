"""Pairs of a positive and a negative case, counted: AUC, placements, DeLong.

A positive case beats a negative one if its score is higher; a tie counts 1/2 to each.
All counts here are whole numbers of half pairs, so the AUC is one division away from
exact, and it does not matter whether it is called Mann-Whitney or trapezoids. Scores
tie if they are equal as numbers: 0.0 and -0.0 tie, 0.3 and 0.1 + 0.2 do not. Nothing
here is a stable sort, which is seven times slower and changes no count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.typing import Bools, Floats, Ints

_CACHED = 2**14
"""Cases of short rows taken together: their arrays stay in the processor's cache, which
is three times faster than all rows at once and bounds the memory."""


@dataclass(frozen=True)
class TieGroups:
    """Cases in ascending order of score, cut where the score changes.

    Rows of a batch follow one another; a new row always begins a new group.

    Attributes
    ----------
    order : ndarray of int, shape (rows * n,)
        Where each sorted place stands in the flattened input.
    label : ndarray of bool, shape (rows * n,)
        True for positive cases, sorted.
    last : ndarray of int, shape (n_groups,)
        The last sorted place of each group.
    first_of_row : ndarray of int, shape (rows,)
        The first group of each row.
    positive, negative : ndarray of int, shape (n_groups,)
        Cases of each class in this group and all before it, earlier rows included.
    score : ndarray, shape (rows * n,)
        The scores, sorted.
    """

    order: NDArray[np.intp]
    label: Bools
    last: NDArray[np.intp]
    first_of_row: NDArray[np.intp]
    positive: Ints
    negative: Ints
    score: Floats


def _grouped(label: Bools, score: Floats) -> TieGroups:
    """Sort rows of cases by score and find the groups of ties.

    Parameters
    ----------
    label : ndarray of bool, shape (rows, n)
    score : ndarray, shape (rows, n)
    """
    rows, n = score.shape
    order = np.argsort(score, axis=-1)
    order += n * np.arange(rows)[:, None]
    places = order.ravel()
    ordered = np.take(score.ravel(), places)
    truth = np.take(label.ravel(), places)
    # cumsum(dtype=...) of flags is six times slower than to convert them first.
    positive = np.cumsum(truth.astype(np.int64))
    last = _last_of_ties(ordered.reshape(rows, n))
    if len(last) < len(places):
        positive = positive[last]
    first = np.searchsorted(last, n * np.arange(rows))
    # In place here and below: fresh memory costs as much as the arithmetic.
    negative = last + 1
    negative -= positive
    return TieGroups(places, truth, last, first, positive, negative, ordered)


def _last_of_ties(ordered: Floats) -> NDArray[np.intp]:
    """Return which sorted places are the last ones of their group of ties."""
    ends = np.ones(ordered.shape, bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=ends[:, :-1])
    return np.arange(ends.size) if ends.all() else np.flatnonzero(ends)


def _before(counts: Ints) -> Ints:
    """Return running counts up to the group before."""
    shifted = np.empty_like(counts)
    shifted[:1] = 0
    shifted[1:] = counts[:-1]
    return shifted


def _rows_of(label: ArrayLike, score: ArrayLike) -> tuple[Bools, Floats, tuple]:
    """Broadcast labels and scores, flatten leading axes; return also their shape."""
    truth, x = np.broadcast_arrays(np.asarray(label, bool), np.asarray(score, float))
    n = x.shape[-1]
    rows = x.size // n if n else 0
    # Adding 0.0 makes one number of the two zeros.
    return truth.reshape(rows, n), x.reshape(rows, n) + 0.0, x.shape[:-1]


def doubled_wins(label: ArrayLike, score: ArrayLike) -> tuple[Ints, Ints, Ints]:
    """Return twice the Mann-Whitney count of positives, and the class sizes.

    Parameters
    ----------
    label : array_like of bool, shape (..., n)
        True for positive cases.
    score : array_like, shape (..., n)
        Higher means more positive; infinities are scores like any other. Leading
        axes broadcast.

    Returns
    -------
    doubled, n_positive, n_negative : ndarray of int64, shape (...)
        ``doubled`` is two for each pair won and one for each tie.
    """
    truth, x, shape = _rows_of(label, score)
    if not x.size:
        nothing = np.zeros(shape, np.int64)
        return nothing, nothing, nothing
    parts = [_wins_of_rows(_grouped(truth[p], x[p])) for p in _blocks_of_rows(x)]
    doubled, n_positive = np.concatenate(parts, axis=-1)
    n_negative = x.shape[1] - n_positive
    return doubled.reshape(shape), n_positive.reshape(shape), n_negative.reshape(shape)


def _blocks_of_rows(x: Floats) -> list[slice]:
    """Cut rows into blocks of about ``_CACHED`` cases; none without cases."""
    rows, n = x.shape
    step = max(1, _CACHED // n) if n else rows + 1
    return [slice(i, i + step) for i in range(0, rows if n else 0, step)]


def _wins_of_rows(g: TieGroups) -> tuple[Ints, Ints]:
    """Return twice the Mann-Whitney count and the positive cases of each row."""
    lower = _before(g.negative)
    gained = _before(g.positive)
    np.subtract(g.positive, gained, out=gained)
    n_positive = np.add.reduceat(gained, g.first_of_row)
    # The running counts include the negatives of earlier rows.
    earlier = 2 * lower[g.first_of_row] * n_positive
    lower += g.negative
    lower *= gained
    return np.add.reduceat(lower, g.first_of_row) - earlier, n_positive


def auc(label: ArrayLike, score: ArrayLike) -> Floats:
    """Return the area under the ROC curve, ties counted 1/2 (Aslan 2009, eq. 2.13).

    Parameters
    ----------
    label : array_like of bool, shape (..., n)
        True for positive cases.
    score : array_like, shape (..., n)
        Higher means more positive. Leading axes broadcast: labels of shape (n,) serve
        scores of shape (5, n).

    Returns
    -------
    ndarray, shape (...)
        In [0, 1]; NaN if a class has no case or a score is NaN.

    Notes
    -----
    R: ``wilcox.test(positive, negative)$statistic / (n1 * n0)``. Correctly rounded as
    long as there are fewer than 2^52 pairs.
    """
    # Aslan (2009), eq. 2.13.
    area = ratio(*doubled_wins(label, score))
    unknown = np.isnan(np.asarray(score, float)).any(axis=-1)
    return np.where(unknown, np.nan, area) if unknown.any() else area


def ratio(doubled: Ints, n_positive: Ints, n_negative: Ints) -> Floats:
    """Return half pairs as a share of all pairs; NaN without pairs."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.true_divide(doubled, 2 * n_positive * n_negative))


def doubled_placements(label: ArrayLike, score: ArrayLike) -> Ints:
    """Return, for each case, how many half pairs of it the positive side wins.

    Parameters
    ----------
    label, score : array_like, shape (..., n)
        As in `auc`.

    Returns
    -------
    ndarray of int64, shape (..., n)
        For a positive case two for each negative below it and one for each tied; for
        a negative case two for each positive above it and one for each tied. The sum
        over either class is twice the Mann-Whitney count.
    """
    truth, x, shape = _rows_of(label, score)
    out = np.zeros(x.shape, np.int64)
    for part in _blocks_of_rows(x):
        out[part] = _placements_of_rows(_grouped(truth[part], x[part]), x[part].shape)
    return out.reshape(*shape, x.shape[1])


def _placements_of_rows(g: TieGroups, shape: tuple[int, ...]) -> Ints:
    """Return doubled placements of a few rows."""
    sizes = np.diff(g.last, prepend=-1)
    groups = np.diff(g.first_of_row, append=len(sizes))
    # The running counts include earlier rows.
    earlier = _before(g.negative)[g.first_of_row]
    total = g.positive[np.cumsum(groups) - 1]
    won = g.negative + _before(g.negative) - np.repeat(2 * earlier, groups)
    lost = np.repeat(2 * total, groups) - g.positive - _before(g.positive)
    won -= lost
    if len(sizes) < len(g.order):
        won, lost = np.repeat(won, sizes), np.repeat(lost, sizes)
    # Products are many times quicker than a choice by flags in random order.
    won *= g.label
    won += lost
    out = np.empty(len(g.order), np.int64)
    out[g.order] = won
    return out.reshape(shape)


def placements(label: ArrayLike, score: ArrayLike) -> Floats:
    """Return the placement of each case among the cases of the other class.

    Parameters
    ----------
    label, score : array_like, shape (..., n)
        As in `auc`.

    Returns
    -------
    ndarray, shape (..., n)
        For a positive case the share of negatives it beats (V10 of DeLong et al.
        1988), for a negative case the share of positives that beat it (V01), ties
        1/2. The mean over either class is the AUC. NaN if the other class is
        missing.
    """
    truth = np.asarray(label, bool)
    doubled = doubled_placements(truth, score)
    truth = np.broadcast_to(truth, doubled.shape)
    n_positive = truth.sum(axis=-1, keepdims=True)
    others = np.where(truth, truth.shape[-1] - n_positive, n_positive)
    with np.errstate(invalid="ignore"):
        return np.asarray(doubled / (2 * others))


@dataclass(frozen=True)
class DelongAreas:
    """AUCs of classifiers on the same cases, with DeLong's covariances.

    Attributes
    ----------
    area : ndarray, shape (..., k)
    positive, negative : ndarray, shape (..., k, k)
        Covariances of the placements of one positive and of one negative case (S10
        and S01); NaN with one case in the class.
    n_positive, n_negative : ndarray of int, shape (...)
    """

    area: Floats
    positive: Floats
    negative: Floats
    n_positive: Ints
    n_negative: Ints

    @property
    def covariance(self) -> Floats:
        """Covariance matrices of the AUCs: S10 / n1 + S01 / n0."""
        n1 = np.asarray(self.n_positive)[..., None, None]
        n0 = np.asarray(self.n_negative)[..., None, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            # DeLong et al. (1988): S = S10 / n1 + S01 / n0.
            return np.asarray(self.positive / n1 + self.negative / n0)


def delong(label: ArrayLike, score: ArrayLike) -> DelongAreas:
    """Return AUCs and their covariance components, O(k n log n).

    Parameters
    ----------
    label : array_like of bool, shape (..., n)
        True for positive cases, the same for all classifiers.
    score : array_like, shape (..., k, n)
        One row per classifier. Leading axes broadcast.

    Notes
    -----
    R: ``pROC::var``, ``pROC::cov``.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M., Clarke-Pearson, D. L. (1988). Biometrics 44,
       837-845.
    .. [2] Sun, X., Xu, W. (2014). IEEE Signal Processing Letters 21, 1389-1393.
    """
    truth = np.asarray(label, bool)[..., None, :]
    doubled = doubled_placements(truth, score)
    truth = np.broadcast_to(truth, (*doubled.shape[:-2], 1, doubled.shape[-1]))
    n1 = truth[..., 0, :].sum(axis=-1)
    n0 = truth.shape[-1] - n1
    wins = np.sum(doubled * truth, axis=-1)
    return DelongAreas(
        area=ratio(wins, n1[..., None], n0[..., None]),
        positive=_class_covariance(doubled, truth, wins, n1, n0),
        negative=_class_covariance(doubled, ~truth, wins, n0, n1),
        n_positive=n1,
        n_negative=n0,
    )


def _class_covariance(
    doubled: Ints, members: Bools, wins: Ints, n: Ints, others: Ints
) -> Floats:
    """Return the covariance of the placements of one class's cases.

    The doubled counts are shifted by the whole number nearest their mean, so that the
    sums of products stay whole numbers and are exact while they are below 2^53.
    """
    size = np.asarray(n, float)[..., None, None]
    pairs = 2.0 * np.asarray(others, float)[..., None, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.rint(np.nan_to_num(wins / size[..., 0]))[..., None]
        d = (doubled - shift) * members
        sums = d.sum(axis=-1)
        products = d @ np.swapaxes(d, -1, -2)
        products -= sums[..., :, None] * sums[..., None, :] / size
        # DeLong et al. (1988): the elements of S10, or of S01.
        return np.asarray(products / (size - 1) / pairs**2)


@dataclass(frozen=True)
class ScoreSteps:
    """Cumulative counts at the distinct scores of one classifier, highest first.

    Attributes
    ----------
    threshold : ndarray, shape (m,)
        Distinct scores, descending: predict positive if score >= threshold.
    true_positive, false_positive : ndarray of int64, shape (m,)
        Positive and negative cases predicted positive.
    """

    threshold: Floats
    true_positive: Ints
    false_positive: Ints


def steps(label: ArrayLike, score: ArrayLike) -> ScoreSteps:
    """Return the counts above each distinct score of one vector of cases.

    Parameters
    ----------
    label : array_like of bool, shape (n,)
    score : array_like, shape (n,)
        At least one case.
    """
    truth, x, _ = _rows_of(label, score)
    g = _grouped(truth, x)
    positive = g.positive[-1] - _before(g.positive)
    negative = g.negative[-1] - _before(g.negative)
    return ScoreSteps(g.score[g.last][::-1], positive[::-1], negative[::-1])

"""Jackknife pseudovalues, and covariances of areas that come with them.

The jackknife of an AUC needs no AUC without a case: with V the placements of the
positive cases (V10) and the negative ones (V01),
A(-k) = (n1 A - V10_k) / (n1 - 1) without positive case k. So the pseudovalue
N A - (N - 1) A(-k) is A + (N - 1) (V10_k - A) / (n1 - 1), and likewise for a negative
case (Hanley and Hajian-Tilaki 1997, Academic Radiology 4, 49-58). The same holds for
every mean over one class, whose V is the case's own score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels.placements import (
    DelongAreas,
    delong,
    doubled_placements,
    placements,
    ratio,
)

_MOST_PAIRS = 2**19
"""Pairs of cases that are compared one by one; more are counted by sorting."""
AT_ONCE = 2**22
"""Half pairs held at a time: bounds the memory."""


def _pseudovalues(area: Floats, component: Floats, truth: Bools) -> Floats:
    """Return pseudovalues of a figure that is a mean over each class.

    Parameters
    ----------
    area : ndarray, shape (...)
        The mean of ``component`` over the positive cases, and over the negative ones.
    component : ndarray, shape (..., n)
        Placements, or scores of one class and ``area`` in the other.
    truth : ndarray of bool, shape (..., n)

    Returns
    -------
    ndarray, shape (..., n)
        Their mean is ``area``. Infinite if a class has one case only.
    """
    n = component.shape[-1]
    n_positive = truth.sum(axis=-1, keepdims=True)
    others = np.where(truth, n_positive, n - n_positive) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        # Hanley & Hajian-Tilaki (1997): A + (N - 1) (V_k - A) / (n_class - 1).
        return area[..., None] + (n - 1) / others * (component - area[..., None])


def auc(label: ArrayLike, score: ArrayLike) -> tuple[Floats, Floats]:
    """Return AUCs and their jackknife pseudovalues.

    Parameters
    ----------
    label : array_like of bool, shape (..., n)
        True for positive cases. Leading axes broadcast.
    score : array_like, shape (..., n)

    Returns
    -------
    area : ndarray, shape (...)
    pseudo : ndarray, shape (..., n)

    Examples
    --------
    >>> area, pseudo = auc([True, True, True, False, False], [3, 2, 0, 1, 0])
    >>> float(area), pseudo.round(3).tolist()
    (0.75, [1.25, 1.25, -0.25, 0.417, 1.083])
    """
    place = placements(label, score)
    truth = np.broadcast_to(np.asarray(label, bool), place.shape)
    doubled = doubled_placements(label, score)
    wins = np.sum(doubled * truth, axis=-1)
    n_positive = truth.sum(axis=-1)
    area = ratio(wins, n_positive, truth.shape[-1] - n_positive)
    return area, _pseudovalues(area, place, truth)


def jackknife_covariance(components: DelongAreas) -> Floats:
    """Return the jackknife covariances of areas: of their pseudovalues, over n.

    (N - 1) / N (S10 / (n1 - 1) + S01 / (n0 - 1)), with S10 and S01 DeLong's
    covariances of placements: the sums of squares of the pseudovalues above, with no
    pseudovalue made.
    """
    n1 = np.asarray(components.n_positive, float)[..., None, None]
    n0 = np.asarray(components.n_negative, float)[..., None, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        # The sums of squares of those pseudovalues over N (N - 1).
        both = components.positive / (n1 - 1) + components.negative / (n0 - 1)
        return np.asarray((n1 + n0 - 1) / (n1 + n0) * both)


def unbiased_covariance(label: ArrayLike, score: ArrayLike) -> Floats:
    """Return the unbiased (one-shot) covariances of AUCs on the same cases.

    The product of two AUCs less the mean product of half pairs that share no case
    (Gallas 2006, Academic Radiology 13, 353-362): for independent cases the second is
    unbiased for the product of their expectations. A variance can be negative. Written
    in DeLong's covariances S10, S01 and the covariance S of half pairs, so that nothing
    large is subtracted:
    n0 S10 / (n1 (n0 - 1)) + n1 S01 / (n0 (n1 - 1)) - S / ((n1 - 1) (n0 - 1)).

    Parameters
    ----------
    label : array_like of bool, shape (n,)
        Two cases of each class at least.
    score : array_like, shape (..., k, n)

    Returns
    -------
    ndarray, shape (..., k, k)
    """
    truth = np.asarray(label, bool)
    x = np.asarray(score, float)
    components = delong(truth, x)
    n1, n0 = int(truth.sum()), int((~truth).sum())
    products = _products_of_pairs(truth, x) / (4 * n1 * n0)
    # S, the covariance of half pairs: the mean product less the product of means.
    products -= components.area[..., :, None] * components.area[..., None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            components.positive * np.float64(n0) / (n1 * (n0 - 1))
            + components.negative * np.float64(n1) / (n0 * (n1 - 1))
            - products / np.float64((n1 - 1) * (n0 - 1))
        )


def _products_of_pairs(truth: Bools, x: Floats) -> Floats:
    """Return, for two scores, the sum of products of their doubled wins, pair by pair.

    Whole numbers, summed exactly below 2^53.
    """
    up, down = x[..., truth], x[..., ~truth]
    shape = x.shape[:-1]
    if up.shape[-1] * down.shape[-1] > _MOST_PAIRS:
        tables = x.reshape(-1, *x.shape[-2:])
        counted = [products_of_wins(truth, table) for table in tables]
        return np.reshape(counted, (*shape, shape[-1]))
    total = np.zeros((*shape, shape[-1]))
    step = max(1, AT_ONCE // max(1, int(np.prod(shape)) * down.shape[-1]))
    for at in range(0, up.shape[-1], step):
        part = up[..., at : at + step, None]
        won = (part > down[..., None, :]) * 1.0
        won += part >= down[..., None, :]
        won = won.reshape(*shape, -1)
        total += won @ np.swapaxes(won, -1, -2)
    return total


def products_of_wins(truth: Bools, x: Floats) -> Floats:
    """Return sums of products of doubled wins over pairs of cases, for two scores each.

    The doubled win of a score is 2 for a pair whose positive case is higher, 1 for a
    tie: the sum of ``>`` and ``>=``. A product of two is the sum of four counts.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    x : ndarray, shape (k, n)

    Returns
    -------
    ndarray, shape (k, k)
        Whole numbers.
    """
    # A tie is in order for >= and not for >: that class comes first which makes it so.
    orders = [
        [np.lexsort((last, row)) for last in (truth, ~truth)][
            : 1 + _has_ties(truth, row)
        ]
        for row in x
    ]
    k, groups = len(x), max(1, round(len(truth) ** (2 / 3) / 2))
    ranked = [[_OrderedCases(order, groups) for order in of_row] for of_row in orders]
    total = np.zeros((k, k))
    for i in range(k):
        wins = [_in_order(truth[order]) for order in orders[i]]
        # (>=, >=) counts ties, the other three products of one score do not.
        total[i, i] = wins[0] + 3 * wins[-1]
        for j in range(i):
            counts = [
                _both_in_order(truth, former, latter)
                for former in ranked[i]
                for latter in ranked[j]
            ]
            total[i, j] = total[j, i] = 4 / len(counts) * sum(counts)
    return total


def _has_ties(truth: Bools, x: Floats) -> bool:
    """Whether a positive and a negative case have one score."""
    return bool(np.isin(x[truth], x[~truth]).any())


def _in_order(positive: Bools) -> int:
    """Return the number of pairs of a negative case and a positive one after it."""
    return int(np.cumsum(~positive)[positive].sum())


class _OrderedCases:
    """Cases in the order of one score, cut into groups of neighbours.

    Attributes
    ----------
    group : ndarray of int, shape (n,)
        The group of each case.
    padded : ndarray of int, shape (groups, size)
        Cases in order; ``n`` where the last group has none.
    """

    def __init__(self, order: Ints, groups: int) -> None:
        size = -(-len(order) // groups)
        places = np.arange(len(order)) // size
        self.group = np.empty(len(order), np.int64)
        self.group[order] = places
        self.rank = np.empty(len(order), np.int64)
        self.rank[order] = np.arange(len(order))
        padded = np.full(groups * size, len(order))
        padded[: len(order)] = order
        self.padded = padded.reshape(groups, size)


def _both_in_order(truth: Bools, first: _OrderedCases, second: _OrderedCases) -> int:
    """Return the pairs whose positive case comes after the negative one by both scores.

    Notes
    -----
    Pairs of different groups by both scores are counted in a table of groups, pairs of
    one group one by one: about n^(4/3) steps with n^(2/3) groups.
    """
    groups = len(first.padded)
    cells = first.group * groups + second.group
    table = np.bincount(cells[~truth], minlength=groups * groups)
    # Negative cases of lower groups by both scores.
    below = table.reshape(groups, groups).cumsum(axis=0).cumsum(axis=1)
    up = first.group[truth], second.group[truth]
    inner = (up[0] > 0) & (up[1] > 0)
    count = int(below[up[0][inner] - 1, up[1][inner] - 1].sum())
    count += _within(truth, first.padded, second.rank)
    return count + _within(truth, second.padded, first.group)


def _within(truth: Bools, padded: Ints, value: Ints) -> int:
    """Return the pairs in a group whose positive case comes later and has more."""
    # Cases that are missing, or of the other class, are in no pair.
    low = np.append(np.where(truth, len(truth), value), len(truth)).astype(np.int32)
    high = np.append(np.where(truth, value, -1), -1).astype(np.int32)
    more = low[padded][:, :, None] < high[padded][:, None, :]
    more &= np.triu(np.ones(more.shape[1:], bool), 1)
    return int(np.count_nonzero(more))

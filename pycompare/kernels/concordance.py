"""Pairs of cases that two scores both put in order, counted without a look at each."""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Bools, Floats, Ints


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

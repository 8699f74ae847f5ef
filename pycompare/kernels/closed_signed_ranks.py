"""Closed test of exchangeable algorithms by their signed rank sums.

The statistic of a set of algorithms is the sum over its pairs of W^2 / sum r^2, with r
the ranks of the pair's differences and W their signed sum. Permuting the members'
values within blocks changes the differences, so ranks are made anew each time: of whole
numbers that stand for the sizes of differences, in the order of those sizes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats, Ints
from pycompare.kernels.closed_permutation import (
    CELLS,
    Bytes,
    all_orders,
    mask_of,
    on_random_orders,
    partition_labels,
    partition_p,
    ranks_within,
)

SizeCodes = NDArray[np.integer]
_MOST_JOINT = 5
"""Algorithms at most whose partitions are tested by one sum over all their groups."""
_TIE = 1e-12
"""Sums of the same numbers in another order differ by no more, relative to them."""


@dataclass(frozen=True, eq=False)
class ClosedTest:
    """Adjusted p-values of all pairs.

    Attributes
    ----------
    p_adjusted : ndarray, shape (a (a - 1) / 2,)
        In the order (1, 2), (1, 3), ...
    drawn : bool
        Whether permutations were drawn at random.
    """

    p_adjusted: Floats
    drawn: bool


def closed_test(codes: SizeCodes, pair_p: Floats, count: int, seed: int) -> ClosedTest:
    """Test every partition of the algorithms, and take each pair's largest p-value.

    Parameters
    ----------
    codes : ndarray of int, shape (n, a, a)
        By block the sign of the difference of two algorithms times the place of its
        size among all sizes, from 1; 0 if they tie.
    pair_p : ndarray, shape (a (a - 1) / 2,)
        Exact p-values of the pairs alone.
    count : int
        Number of random permutations; all are listed for one set with no more.
    seed : int
        As in ``closed_permutation.subset_tests``.

    Notes
    -----
    A partition with one group of three and more permutes this group. For at most
    `_MOST_JOINT` algorithms one with several groups permutes them all, and adds their
    statistics; for more its p-value is made of those of its groups by Šidák's formula
    with weights (``closed_permutation.partition_p``).
    """
    n, a, _ = codes.shape
    if np.abs(codes).max() <= np.iinfo(np.int16).max:
        codes = codes.astype(np.int16)
    pairs = list(combinations(range(a), 2))
    subsets = [np.array(s) for m in range(2, a + 1) for s in combinations(range(a), m)]
    p = np.ones(2**a)
    p[[mask_of(np.array(pair)) for pair in pairs]] = pair_p
    large = [s for s in subsets if len(s) > 2]
    listed = [s for s in large if _n_orders(len(s), n) <= count]
    for s in listed:
        p[mask_of(s)] = _listed_p(codes, s)
    drawn = [s for s in large if _n_orders(len(s), n) > count]
    joint = a <= _MOST_JOINT
    wanted = subsets if joint and a > 3 else drawn
    sums: dict[int, Floats] = {}
    if wanted:
        sums = _drawn_sums(codes, wanted, count, seed)
        for s in drawn:
            p[mask_of(s)] = _share(sums[mask_of(s)])
    labels = partition_labels(a)
    of_partition = _joint_p(p, labels, sums) if joint else partition_p(p, labels)
    adjusted = [of_partition[labels[:, i] == labels[:, j]].max() for i, j in pairs]
    return ClosedTest(np.array(adjusted), bool(wanted))


def smallest_p(n_blocks: int) -> float:
    """Return the smallest p-value of a signed rank test of so many differences."""
    return min(1.0, math.ldexp(1.0, 1 - n_blocks))


def closed_least(n_blocks: int, n_algorithms: int) -> float:
    """Return the smallest adjusted p-value that the closed test can have.

    Over `_MOST_JOINT` algorithms it is that of a partition into pairs.
    """
    of_pair = smallest_p(n_blocks)
    if n_algorithms <= _MOST_JOINT or of_pair == 1:
        return of_pair
    return -math.expm1(n_algorithms / 2 * math.log1p(-of_pair))


def _n_orders(m: int, n: int) -> int:
    """Return the permutations of m members in n blocks that differ."""
    return math.factorial(m) ** (n - 1)


def _listed_p(codes: SizeCodes, subset: Ints) -> float:
    """Return the share of all permutations whose statistic is as large as observed."""
    n, m = len(codes), len(subset)
    observed = _statistic(codes, subset, _unmoved(m, n))[0]
    as_large = 0
    for order in all_orders(np.arange(m)[None, :], n, max(1, CELLS // n)):
        reached = _statistic(codes, subset, order) >= observed * (1 - _TIE)
        as_large += int(reached.sum())
    return as_large / _n_orders(m, n)


def _drawn_sums(
    codes: SizeCodes, subsets: Sequence[Ints], count: int, seed: int
) -> dict[int, Floats]:
    """Return the statistics of subsets by bit mask, the observed one first."""
    n, a, _ = codes.shape
    parts = {mask_of(s): [_statistic(codes, s, _unmoved(len(s), n))] for s in subsets}
    for more in on_random_orders(_of_each, (codes, subsets), a, n, count, seed):
        for s, statistics in zip(subsets, more, strict=True):
            parts[mask_of(s)].append(statistics)
    return {mask: np.concatenate(pieces) for mask, pieces in parts.items()}


def _of_each(held: tuple[SizeCodes, Sequence[Ints]], below: Bytes) -> list[Floats]:
    """Return the statistics of each subset in some permutations."""
    codes, subsets = held
    return [_statistic(codes, s, ranks_within(below, s)) for s in subsets]


def _joint_p(p: Floats, labels: Ints, sums: dict[int, Floats]) -> Floats:
    """Return the p-value of each partition, groups permuted together."""
    joint = np.ones(len(labels))
    for row, label in enumerate(labels):
        groups = [np.flatnonzero(label == g) for g in range(label.max() + 1)]
        masks = [mask_of(group) for group in groups if len(group) > 1]
        if len(masks) == 1:
            joint[row] = p[masks[0]]
        elif masks:
            joint[row] = _share(np.sum([sums[mask] for mask in masks], axis=0))
    return joint


def _share(sums: Floats) -> float:
    """Return the share of sums as large as the first one, which counts."""
    return float(np.mean(sums >= sums[0] * (1 - _TIE)))


def _unmoved(m: int, n: int) -> Ints:
    """Return the order that moves nothing, shape (m, 1, n)."""
    return np.broadcast_to(np.arange(m)[:, None, None], (m, 1, n))


def _statistic(codes: SizeCodes, subset: Ints, order: NDArray[np.integer]) -> Floats:
    """Return the sum of W^2 / sum r^2 over the pairs of each permuted subset.

    Parameters
    ----------
    order : ndarray of int, shape (m, count, n)
        The member whose number each member gets, by permutation and block.
    """
    n, a, _ = codes.shape
    flat = codes.ravel()
    block = np.arange(n)[:, None] * a * a
    who = np.array([subset[each].T for each in order])  # (m, n, count)
    row = block + who * a
    tying = _tying(codes, subset)
    total = np.zeros(order.shape[1])
    for i, j in combinations(range(len(subset)), 2):
        total += _standardised(flat.take(row[i] + who[j]), tying)
    return total


def _tying(codes: SizeCodes, subset: Ints) -> list[tuple[int, int]]:
    """List the pairs of blocks that have a size of a subset in common.

    A block that has the size 0 is listed with itself.
    """
    n = len(codes)
    first, second = np.triu_indices(len(subset), 1)
    sizes = np.abs(codes[:, subset[first], subset[second]])
    has = np.zeros((n, int(sizes.max()) + 1))
    has[np.arange(n)[:, None], sizes] = 1.0
    shared = has @ has.T > 0
    shared[np.diag_indices(n)] = has[:, 0]
    return list(zip(*np.nonzero(np.triu(shared)), strict=True))


def _standardised(codes: SizeCodes, tying: Sequence[tuple[int, int]]) -> Floats:
    """Return W^2 / sum r^2 of columns of signed sizes, shape (n, count); 0 for ties.

    Sizes tie only in blocks of a pair in ``tying``. If none does in a column, sum r^2
    is known, and W is the number of sums c_k + c_l, k <= l, above 0 less that of those
    below (Tukey).
    """
    n = len(codes)
    if len(tying) > n:
        return _standardised_tied(codes)
    above = np.zeros(codes.shape[1], np.int32)
    few = np.uint8 if n < 256 else np.int32
    for row in range(n):
        above += np.add.reduce(codes[: row + 1] > -codes[row], axis=0, dtype=few)
    squares = n * (n + 1) * (2 * n + 1) / 6
    balance = 2.0 * above - n * (n + 1) / 2
    statistic: Floats = np.asarray(balance**2 / squares, float)
    if tying:
        sizes, tied = np.abs(codes), np.zeros(codes.shape[1], bool)
        for k, other in tying:
            tied |= sizes[k] == (0 if k == other else sizes[other])
        statistic[tied] = _standardised_tied(codes[:, tied])
    return statistic


def _standardised_tied(codes: SizeCodes) -> Floats:
    """Return W^2 / sum r^2 of columns of signed sizes with any ties."""
    n = len(codes)
    sizes = np.abs(codes)
    # The doubled midrank is n + 1 and the balance of smaller and larger sizes.
    doubled = np.full(sizes.shape, n + 1, np.int16)
    for row in range(1, n):
        balance = np.sign(sizes[row] - sizes[:row])
        doubled[row] += balance.sum(axis=0, dtype=np.int16)
        doubled[:row] -= balance
    zero = sizes == 0
    doubled -= np.int16(2) * zero.sum(axis=0, dtype=np.int16)
    doubled[zero] = 0
    ranks = doubled.astype(float)
    signed = np.sum(np.sign(codes) * ranks, axis=0)
    squares = np.sum(ranks**2, axis=0)
    return np.where(squares > 0, signed**2 / np.where(squares > 0, squares, 1.0), 0.0)

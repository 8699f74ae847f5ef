"""Closed test of exchangeable algorithms: permutations of subsets, then partitions.

A subset S of the algorithms is exchangeable within blocks if permuting what its members
have in a block, block by block, leaves the joint distribution as it is. Its p-value is
the share of such permutations with a largest studentised difference in S as large as
observed. A partition of the algorithms into groups of equals has a p-value made of
those of its groups, and a pair of algorithms the largest of all partitions that keep
the two together. Subsets are bit masks: bit u stands for algorithm u.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.parallel.draws import Found, on_draws, portions
from pycompare.base.typing import Floats, Ints
from pycompare.kernels.max_t import TIE
from pycompare.kernels.r_random import Uniforms
from pycompare.kernels.units import binary_unit

Bytes = NDArray[np.int8]
Places = list[tuple[int, int]]

CELLS = 200_000
"""Numbers of one permuted pair that are held at once: they stay in the cache."""


@dataclass(frozen=True, eq=False)
class SubsetTests:
    """P-values of subsets of the algorithms.

    Attributes
    ----------
    p : ndarray, shape (2^a,)
        By bit mask; 1 for subsets of fewer than two.
    n_listed, n_drawn : int
        Subsets with all permutations listed, and with random ones.
    """

    p: Floats
    n_listed: int
    n_drawn: int


def subset_tests(
    x: Floats,
    count: int,
    seed: int,
    pair_p: Callable[[Ints], Floats] | None = None,
    control: int | None = None,
) -> SubsetTests:
    """Test every subset of two algorithms and more, or every one with the control.

    Parameters
    ----------
    x : ndarray, shape (n, a)
        Scores or ranks; those that tie in a block are equal to the last bit.
    count : int
        Number of random permutations; all are listed if there are no more.
    seed : int
        Of R's ``runif(a * n * count)``: one number per algorithm, block and
        permutation, in this order. Each member of a subset gets the values of the
        member whose place is the rank of its number, so that disjoint subsets are
        permuted independently.
    pair_p : callable, optional
        Exact p-values of all pairs, in the order (1, 2), (1, 3), ...
    control : int, optional
        The statistic is the largest over the pairs with this algorithm.
    """
    n, a = x.shape
    p, subsets = np.ones(2**a), []
    for size in range(2, a + 1):
        chosen = combinations(range(a), size)
        subsets += [np.array(s) for s in chosen if control is None or control in s]
    if pair_p is not None:
        pairs = [s for s in subsets if len(s) == 2]
        p[[mask_of(s) for s in pairs]] = pair_p(np.array(pairs))
        subsets = [s for s in subsets if len(s) > 2]
    firsts = {mask_of(s): _first_orders(s, control) for s in subsets}
    total = {m: _n_permutations(first, n) for m, first in firsts.items()}
    listed = [s for s in subsets if total[mask_of(s)] <= count]
    drawn = [s for s in subsets if total[mask_of(s)] > count]
    for s in listed:
        every = all_orders(firsts[mask_of(s)], n, max(1, CELLS // n))
        inside, compared = _scaled(x, s), _pairs_in(s, control)
        as_large = sum(_reached_by(inside, order, compared) for order in every)
        p[mask_of(s)] = as_large / total[mask_of(s)]
    if drawn:
        reached = np.ones(len(drawn))
        prepared = [(s, _scaled(x, s), _pairs_in(s, control)) for s in drawn]
        for more in on_random_orders(_reached_of_each, prepared, a, n, count, seed):
            reached += more
        p[[mask_of(s) for s in drawn]] = reached / (1 + count)
    return SubsetTests(p, len(listed), len(drawn))


def _reached_of_each(
    prepared: list[tuple[Ints, Floats, Places]], below: Bytes
) -> list[int]:
    """Count the permutations of each subset that are as large as observed."""
    return [
        _reached_by(inside, ranks_within(below, subset), compared)
        for subset, inside, compared in prepared
    ]


def mask_of(subset: Ints) -> int:
    """Return the bit mask of a subset."""
    return int(np.sum(1 << subset))


def _pairs_in(subset: Ints, control: int | None) -> Places:
    """Return the places in a subset of the pairs that are compared."""
    pairs = combinations(range(len(subset)), 2)
    return [(i, j) for i, j in pairs if control is None or control in subset[[i, j]]]


def _first_orders(subset: Ints, control: int | None) -> Ints:
    """List the orders of a subset in the first block that differ, shape (k, m).

    The same permutation of all blocks only renames members. It changes no statistic
    over all pairs, so one order does. A control among three and more may not be
    renamed: it gets what any member has, and the others stay in their order.
    """
    m = len(subset)
    if control is None or m == 2:
        return np.arange(m)[None, :]
    place = int(np.flatnonzero(subset == control)[0])
    return np.array([np.insert(np.delete(range(m), k), place, k) for k in range(m)])


def _n_permutations(first: Ints, n: int) -> int:
    """Return the number of permutations within blocks that differ."""
    return len(first) * math.factorial(first.shape[1]) ** (n - 1)


def _scaled(x: Floats, subset: Ints) -> Floats:
    """Return what a subset has, in a unit that no square of a difference leaves."""
    inside = x[:, subset]
    return inside / binary_unit(inside)


def _reached_by(x: Floats, order: Ints | Bytes, pairs: Places) -> int:
    """Count permutations with a largest studentised difference as large as observed.

    Parameters
    ----------
    x : ndarray, shape (n, m)
        Values of the m members of a subset.
    order : ndarray of int, shape (m, count, n)
        The member whose number each member gets, by permutation and block.
    pairs : list of tuple of int
        The places of the members that are compared.
    """
    n, m = x.shape
    as_it_is = np.broadcast_to(np.arange(m)[:, None, None], (m, 1, n))
    limit = _largest_statistic(x, as_it_is, pairs)[0] - TIE
    return int(np.sum(_largest_statistic(x, order, pairs) >= limit))


def _largest_statistic(x: Floats, order: Ints | Bytes, pairs: Places) -> Floats:
    """Return max |sum D| / sqrt(sum D^2) over the pairs of each permuted subset."""
    n, m = x.shape
    flat, row, ones = np.ascontiguousarray(x).ravel(), np.arange(n) * m, np.ones(n)
    moved = [flat.take(row + member) for member in order]
    largest = np.zeros(order.shape[1])
    for i, j in pairs:
        d = moved[i] - moved[j]
        squares = np.einsum("ij,ij->i", d, d)
        # No squares: the two tie in every block.
        squares[squares == 0] = np.inf
        np.maximum(largest, np.square(d @ ones) / squares, out=largest)
    return np.sqrt(largest)


def all_orders(first: Ints, n: int, size: int) -> Iterator[Ints]:
    """List all orders in n blocks; the first block has those of ``first``."""
    m = first.shape[1]
    orders = np.array(list(permutations(range(m))), dtype=np.int64)
    total, base = _n_permutations(first, n), len(orders)
    places = base ** np.arange(n - 1, dtype=np.int64)
    for start in range(0, total, size):
        numbers = np.arange(start, min(start + size, total))[:, None]
        chosen = orders[numbers // len(first) // places % base]
        begun = first[numbers % len(first)]
        yield np.moveaxis(np.concatenate([begun, chosen], axis=1), -1, 0)


def on_random_orders(
    function: Callable[[Any, Bytes], Found],
    constants: Any,
    a: int,
    n: int,
    count: int,
    seed: int,
) -> Iterator[Found]:
    """Draw a number for each algorithm and block; yield what a function makes of it.

    Parameters
    ----------
    function : callable
        Gets the constants and an array of int8, shape (a, a, permutations, n): 1 if
        the number of the first algorithm is below that of the second, or as large and
        drawn before it.
    """

    def done(held: Any, drawn: Floats) -> Found:
        below = np.zeros((a, a, *drawn.shape[:2]), np.int8)
        for u, t in combinations(range(a), 2):
            below[u, t] = drawn[:, :, u] <= drawn[:, :, t]
            below[t, u] = 1 - below[u, t]
        return function(held, below)

    def numbers(stream: Uniforms, size: int) -> Floats:
        return stream.draw(size, n, a)

    sizes = portions(count, CELLS // n)
    return on_draws(done, constants, numbers, Uniforms(seed), sizes, count * n * a)


def ranks_within(below: Bytes, subset: Ints) -> Bytes:
    """Return the rank, from 0, of each member's number within a subset."""
    inside = below[np.ix_(subset, subset)]
    return np.asarray(np.add.reduce(inside, axis=0, dtype=np.int8))


def partition_labels(a: int) -> Ints:
    """List the partitions of a algorithms: the group of each, groups by first member.

    Returns
    -------
    ndarray of int, shape (Bell(a), a)
    """
    labels = np.zeros((1, 1), dtype=np.int64)
    for _ in range(a - 1):
        choices = labels.max(axis=1) + 2
        grown = np.repeat(labels, choices, axis=0)
        starts = np.repeat(np.cumsum(choices) - choices, choices)
        labels = np.column_stack([grown, np.arange(len(grown)) - starts])
    return labels


def partition_p(p: Floats, labels: Ints) -> Floats:
    """Return the p-value of each partition from those of its groups.

    ``min_i 1 - (1 - p_i)^(n / m_i)`` over groups of m_i >= 2 members, n all of them:
    Šidák's with weights m_i / n, for the groups are independent under permutations. 1
    for the partition into single algorithms.
    """
    smallest = np.full(len(labels), np.inf)
    members = np.zeros((len(labels), labels.shape[1]), dtype=np.int64)
    masks = np.zeros_like(members)
    for u in range(labels.shape[1]):
        rows = np.arange(len(labels))
        members[rows, labels[:, u]] += 1
        masks[rows, labels[:, u]] |= 1 << u
    together = np.where(members > 1, members, 0).sum(axis=1)
    with np.errstate(divide="ignore"):
        for group in range(labels.shape[1]):
            here = np.flatnonzero(members[:, group] > 1)
            weight = together[here] / members[here, group]
            own = p[masks[here, group]]
            # A group alone keeps its p-value to the last bit.
            # Weighted Šidák: 1 - (1 - p)^(n / m).
            sidak = np.where(weight == 1, own, -np.expm1(weight * np.log1p(-own)))
            smallest[here] = np.minimum(smallest[here], sidak)
    return np.where(np.isinf(smallest), 1.0, smallest)


def adjusted_pairs(p: Floats, a: int) -> Floats:
    """Return the adjusted p-value of each pair: the largest of its partitions.

    Parameters
    ----------
    p : ndarray, shape (2^a,)
        P-values of subsets by bit mask.

    Returns
    -------
    ndarray, shape (a (a - 1) / 2,)
        In the order (1, 2), (1, 3), ...
    """
    labels = partition_labels(a)
    of_partition = partition_p(p, labels)
    return np.array(
        [
            of_partition[labels[:, i] == labels[:, j]].max()
            for i, j in combinations(range(a), 2)
        ]
    )


def adjusted_control(p: Floats, a: int, control: int) -> Floats:
    """Return the adjusted p-value of each pair with the control: its largest subset's.

    If the control and the members of a set are exchangeable in pairs, they are so all
    together: every intersection of such hypotheses is about one subset.

    Returns
    -------
    ndarray, shape (a - 1,)
        In the order of the other algorithms.
    """
    masks = np.arange(len(p))
    with_control = masks >> control & 1 == 1
    return np.array(
        [
            p[with_control & (masks >> j & 1 == 1)].max()
            for j in range(a)
            if j != control
        ]
    )

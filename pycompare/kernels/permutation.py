"""Permutations of observations within strata, and statistics of many of them at once.

A permutation is a row of positions: ``y[permutation]`` are the responses that the
design's rows get. Rows of all batches together are the same whatever the size of a
batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import combinations, islice, pairwise, permutations, product
from typing import Any, Literal

import numpy as np

from pycompare.base.parallel.draws import (
    Found,
    is_shared_out,
    kept_draws,
    on_draws,
    portions,
)
from pycompare.base.parallel.tasks import tasks
from pycompare.base.typing import Floats, Ints
from pycompare.kernels.sscp import RowCells, coordinates

PermutationStatistic = Literal["wilks", "trace"]

_CELLS = 2_000_000
"""Numbers that one batch of permuted responses holds: 16 MB."""

_TABLES = 2**16
"""Numbers of the tables of neighbouring blocks that are made at once: 512 KiB."""

_SLICES = 8
"""Parts of permutations by block: each draws all numbers, and uses its own."""

DEALT = 20_000_000
"""Rows that all permutations together deal one by one; above, a complete small block is
dealt by one random number."""
FEW = 6
"""So few rows per block have few enough orders (720) for a table of each block."""

TIE = 1e-11
"""Shares of variation, in [0, 1], that differ by no more than this are the same."""


def strata_of(labels: Ints) -> list[Ints]:
    """Return the positions of each stratum, strata of one size in one array.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        The stratum of each observation.

    Returns
    -------
    list of ndarray of int, each of shape (n_strata, size)
        In the order of sizes.
    """
    order = np.argsort(labels, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)
    sizes = sorted({len(m) for m in members})
    return [np.array([m for m in members if len(m) == size]) for size in sizes]


def batch_size(n: int, p: int) -> int:
    """Return how many permutations of (n, p) responses are held at once."""
    return max(1, _CELLS // (n * p))


def on_random_permutations(
    function: Callable[[Any, Ints], Found],
    constants: Any,
    strata: Sequence[Ints],
    count: int,
    rng: np.random.Generator,
    size: int,
) -> Iterator[Found]:
    """Yield ``function(constants, permutations)`` of observations dealt within strata.

    Parameters
    ----------
    function, constants
        As of ``on_draws``; permutations are rows, shape (batch, n).
    strata : sequence of ndarray
        From `strata_of`; together they hold every position once.
    count, size : int
        Number of permutations in all, and at most in one batch.
    rng : Generator
    """
    n = sum(positions.size for positions in strata)

    def dealt(streams: Sequence[np.random.Generator], batch: int) -> Ints:
        permuted = np.empty((batch, n), dtype=np.int64)
        for positions, stream in zip(strata, streams, strict=True):
            table = np.broadcast_to(positions, (batch, *positions.shape))
            permuted[:, positions] = stream.permuted(table, axis=-1)
        return permuted

    # One stream for each size of strata, so that batches do not change the numbers.
    streams = rng.spawn(len(strata))
    sizes = portions(count, size)
    return on_draws(function, constants, dealt, streams, sizes, count * n)


def n_within(strata: Sequence[Ints], most: int, fixed: int = 0) -> int:
    """Return the number of permutations within strata; ``most`` + 1 of far more.

    The first ``fixed`` strata, all of one size, stay as they are.
    """
    sizes = [positions.shape for positions in strata]
    sizes[0] = sizes[0][0] - fixed, sizes[0][1]
    if sum(n * math.lgamma(size + 1) for n, size in sizes) > math.log1p(most) + 1:
        return most + 1
    return math.prod(math.factorial(size) ** n for n, size in sizes)


def all_within(strata: Sequence[Ints], size: int, fixed: int = 0) -> Iterator[Ints]:
    """List all permutations within strata.

    Parameters
    ----------
    strata : sequence of ndarray
        From `strata_of`.
    size : int
        Permutations in a batch, at most.
    fixed : int, default 0
        The first so many strata stay as they are.

    Yields
    ------
    ndarray of int, shape (batch, n)
    """
    rows = [row for positions in strata for row in positions]
    n = sum(len(row) for row in rows)
    orders = [
        [tuple(row)] if i < fixed else list(permutations(row))
        for i, row in enumerate(rows)
    ]
    places = np.concatenate(rows)
    for batch in _batches((sum(deal, ()) for deal in product(*orders)), size):
        permuted = np.empty((len(batch), n), dtype=np.int64)
        permuted[:, places] = batch
        yield permuted


def n_deals(labels: Ints, most: int) -> int:
    """Return the number of ways to deal observations to groups of given sizes.

    ``most`` + 1 stands for far more.
    """
    sizes = [int(size) for size in np.bincount(labels)]
    each = sum(math.lgamma(size + 1) for size in sizes)
    if math.lgamma(len(labels) + 1) - each > math.log1p(most) + 1:
        return most + 1
    return math.factorial(len(labels)) // math.prod(map(math.factorial, sizes))


def all_deals(labels: Ints, size: int) -> Iterator[Ints]:
    """List all ways to deal observations to groups, whatever the order in a group.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Group of each observation, 0, 1, ...
    size : int
        Deals in a batch, at most.

    Yields
    ------
    ndarray of int, shape (batch, n)
    """
    places = np.argsort(labels, kind="stable")
    sizes = [int(count) for count in np.bincount(labels)]
    for batch in _batches(_deals(tuple(range(len(labels))), sizes), size):
        deals = np.empty((len(batch), len(labels)), dtype=np.int64)
        deals[:, places] = batch
        yield deals


def _deals(rows: tuple[int, ...], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Deal rows to groups of these sizes, group after group."""
    if len(sizes) == 1:
        yield rows
        return
    for chosen in combinations(rows, sizes[0]):
        rest = tuple(row for row in rows if row not in chosen)
        for tail in _deals(rest, sizes[1:]):
            yield chosen + tail


def _batches(rows: Iterator[tuple[int, ...]], size: int) -> Iterator[list[tuple]]:
    """Take rows ``size`` at a time."""
    while batch := list(islice(rows, size)):
        yield batch


def share(q: RowCells | Floats, y: Floats, statistic: PermutationStatistic) -> float:
    """Return the share of one arrangement; see `shares`."""
    identity = np.arange(len(y))[None, :]
    return float(shares(q, y, identity, statistic)[0])


def shares(
    q: RowCells | Floats,
    y: Floats,
    orders: Ints,
    statistic: PermutationStatistic,
    nuisance: Floats | None = None,
) -> Floats:
    """Return the share of variation that a term explains, for many permutations.

    Parameters
    ----------
    q : RowCells, or ndarray of shape (n, m)
        Orthonormal basis of the term, orthogonal to the terms before it; or the cells
        of a term for which rows without the terms before need no basis.
    y : ndarray, shape (n, p)
        Responses less the terms before, of which permutations keep the sums of
        squares and cross products T. ``trace``: tr T = 1. ``wilks``: orthonormal
        columns, T = 1, which any nonsingular combination of responses reaches.
    orders : ndarray of int, shape (batch, n)
    statistic : {"wilks", "trace"}
    nuisance : ndarray, shape (n, k), optional
        Basis of what dealt responses have to lose: T is then less than 1.

    Returns
    -------
    ndarray, shape (batch,)
        ``trace``: tr H / tr T, an increasing function of the pseudo-F
        (tr H / df_H) / (tr E / df_E), since T = H + E stays. ``wilks``: 1 - Wilks'
        lambda, lambda = det E / det T.

    Notes
    -----
    One product of matrices for a batch: the responses are dealt, (p, batch, n), and
    the basis is not. det(1 - G'G) = det(1 - G G'): the smaller one is taken.
    """
    n, p = y.shape
    if not p:
        return np.zeros(len(orders))
    dealt = np.take(y.T, orders, axis=1).reshape(-1, n)
    factor = coordinates(q, dealt).reshape(p, len(orders), -1)
    if nuisance is not None and nuisance.shape[1]:
        lost = (dealt @ nuisance).reshape(p, len(orders), -1)
        total = np.eye(p) - np.einsum("ibk,jbk->bij", lost, lost)
        rest = total - np.einsum("ibk,jbk->bij", factor, factor)
        if p == 1:
            return np.asarray(1 - (rest / total)[:, 0, 0])
        return np.asarray(1 - np.linalg.det(rest) / np.linalg.det(total))
    return _share_of_factors(np.moveaxis(factor, 0, 1), statistic)


def _share_of_factors(factor: Floats, statistic: PermutationStatistic) -> Floats:
    """Return the shares of factors Q'Y of one arrangement each, (batch, p, m)."""
    if statistic == "trace":
        # tr H / tr T with tr T = 1.
        return np.sum(np.square(factor), axis=(1, 2))
    p, m = factor.shape[1:]
    g = factor.mT if m <= p else factor
    # det(E) / det(T) = det(1 - G G'), T = 1 (Sylvester).
    smaller = g @ g.mT
    return 1 - np.linalg.det(np.eye(smaller.shape[-1]) - smaller)


def shares_by_block(
    y: Floats,
    size: int,
    count: int,
    rng: np.random.Generator,
    statistic: PermutationStatistic,
) -> Floats:
    """Return the shares of groups in random permutations within complete small blocks.

    Parameters
    ----------
    y, statistic
        As in `shares`; rows lie block by block, in each the groups in one order.
    size : int
        Rows of a block, and groups.
    count : int
        Number of permutations.
    rng : Generator

    Returns
    -------
    ndarray, shape (count,)

    Notes
    -----
    What a block adds to Q'Y depends on its order alone, one of ``size!``. These are
    tabulated, and a permutation draws one number per block in place of ``size``. Q has
    in each block the same contrasts of its rows.
    """
    held = y, size, count, rng, statistic
    n = _SLICES if is_shared_out(count * len(y)) else 1
    ends = [count * at // n for at in range(n + 1)]
    kept = kept_draws(held, n) if n > 1 else None
    some = list(pairwise(ends))
    parts = tasks(_shares_of_some, held, some, what="blocks", kept=kept)
    return np.concatenate(list(parts))


def _shares_of_some(held: Any, some: tuple[int, int]) -> Floats:
    """Return the shares of the permutations from one number to another."""
    y, size, count, rng, statistic = held
    stream, (start, stop) = deepcopy(rng), some
    blocks = y.reshape(-1, size, y.shape[1])
    orders = np.array(list(permutations(range(size))))
    basis = _contrasts(size) / math.sqrt(len(blocks))
    m, p = basis.shape[1], y.shape[1]
    total = np.zeros((stop - start, p * m))
    added = np.empty_like(total)
    most = max(1, _TABLES // (len(orders) * size * p))
    for first in range(0, len(blocks), most):
        # (blocks, orders, p, size) times (size, m): a row for each order of a block.
        ordered = blocks[first : first + most, orders].mT
        tables = (ordered @ basis).reshape(-1, len(orders), p * m)
        for table in tables:
            each = stream.integers(len(orders), size=count, dtype=np.uint16)
            total += np.take(table, each[start:stop], axis=0, out=added, mode="clip")
    return _share_of_factors(total.reshape(-1, p, m), statistic)


def _contrasts(size: int) -> Floats:
    """Return orthonormal contrasts of some groups, shape (size, size - 1).

    Each is one group against those before it (Helmert).
    """
    at = np.arange(1, size)
    basis = np.triu(np.ones((size, size - 1)))
    basis[at, at - 1] = -at
    return basis / np.sqrt(at * (at + 1))


def reached(permuted: Floats, observed: float, tie: float = TIE) -> int:
    """Return how many shares reach the observed one, ``tie`` allowed for rounding."""
    return int(np.sum(permuted >= observed - tie))

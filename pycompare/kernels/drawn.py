"""Permutations as given, all there are, or drawn at random: asked for in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_seed, is_number, is_whole, orders_within
from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.typing import Ints
from pycompare.kernels import permutation as kernel

LISTED = 100_000
"""So many arrangements are listed instead of drawn at random."""
_TOO_MANY = 2**31
"""R has no such whole number, and so many permutations would never end."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Permutations in batches, and where they come from.

    Attributes
    ----------
    on : callable
        From a function and its constants to an iterator of ``function(constants,
        permutations)`` of each batch.
    count : int
    listed : bool
    seed : int or None
    given : ndarray or None
        As they were handed in.
    """

    on: Callable[[Callable[[Any, Ints], Any], Any], Iterator[Any]]
    count: int
    listed: bool
    seed: int | None
    given: Ints | None


def drawn(
    permutations: int | ArrayLike,
    seed: int | None,
    groups: Ints,
    columns: int,
    leaves: str,
    *,
    labels: Ints | None = None,
    fixed: int = 0,
) -> Drawn:
    """Return the permutations asked for, of rows within groups.

    Parameters
    ----------
    permutations : int or array
    seed : int or None
    groups : ndarray of int, shape (n,)
    columns : int
        Responses that are permuted at once.
    leaves : str
        What a permutation does wrong that mixes groups.
    labels : ndarray of int, optional
        Rows are dealt to these, whatever the order in a label: fewer arrangements.
    fixed : int
        Groups whose order may stay, since a relabelling of all changes nothing.
    """
    size = kernel.batch_size(len(groups), columns)
    if not is_number(permutations) and not isinstance(permutations, str):
        given = orders_within(permutations, groups, leaves)
        if seed is not None:
            raise InputError(
                "the permutations are given, so nothing is random; leave the seed out"
            )
        chunks = (given[i : i + size] for i in range(0, len(given), size))
        return Drawn(_on_each(chunks), len(given), False, None, given)
    if not is_whole(permutations):
        raise InputError(
            f"permutations={show(permutations)}: give a whole number or an array"
        )
    if not 1 <= permutations < _TOO_MANY:
        raise InputError(
            f"permutations={permutations}: give 1 or more, a whole number below 2**31"
        )
    if seed is None:
        raise InputError(
            "permutations are drawn at random: give seed=, a whole number, so that "
            "the p-value can be repeated"
        )
    check_seed(seed)
    strata = kernel.strata_of(groups.astype(np.int64))
    if labels is None:
        total = kernel.n_within(strata, LISTED, fixed)
    else:
        total = kernel.n_deals(labels, LISTED)
    if total <= LISTED:
        every = (
            kernel.all_within(strata, size, fixed)
            if labels is None
            else kernel.all_deals(labels, size)
        )
        return Drawn(_on_each(every), total, True, None, None)
    count, rng = int(permutations), np.random.default_rng(seed)

    def on(function: Callable[[Any, Ints], Any], constants: Any) -> Iterator[Any]:
        return kernel.on_random_permutations(
            function, constants, strata, count, rng, size
        )

    return Drawn(on, count, False, seed, None)


def _on_each(batches: Iterator[Ints]) -> Any:
    """Return what does a function of each batch here, one after another."""

    def on(function: Callable[[Any, Ints], Any], constants: Any) -> Iterator[Any]:
        return (function(constants, orders) for orders in batches)

    return on

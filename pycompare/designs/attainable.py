"""Numbers of blocks of which no outcome could be significant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.base.typing import Floats
from pycompare.designs.one_pair import OnePair
from pycompare.methods.over_datasets.sign_grid import SignGridResult
from pycompare.methods.pairs.closed_permutation import ClosedPermutationResult
from pycompare.methods.pairs.max_t import MaxTResult
from pycompare.methods.ranks.pairs import RankPairsResult
from pycompare.results.adjust import adjust_family, adjustment
from pycompare.results.result import rejected

_MOST = 200
"""Blocks at most that are tried."""
_BY_NUMBER = ("bergmann-hommel", "shaffer", "shaffer-dynamic", "bonferroni", "nemenyi")
"""Adjustments, besides Holm's, that multiply the smallest p-value by all pairs."""
Least = Callable[[int], float]
"""Returns the smallest raw p-value of a pair of so many blocks."""


@dataclass(frozen=True)
class TooFew:
    """Blocks of which no outcome could be significant.

    Attributes
    ----------
    n : int
        Blocks that are compared.
    enough : int or None
        The fewest of which an outcome could be; None: more than 200.
    """

    n: int
    enough: int | None


def too_few(pairs: Any, alpha: float) -> TooFew | None:
    """Return why no outcome of so many blocks could be significant; None if one could.

    For tests whose smallest p-value follows from the number of blocks alone: signs and
    sign flips, exact ranks, the closed permutation test; others have none.
    `fewest_data_sets` is that of typical differences.
    """
    members = [pairs] if pairs.decided_in is None else list(pairs.decided_in.members)
    least = [_least_of(member) for member in members]
    own = _least_of(pairs)
    if own is None or None in least or np.isnan(pairs.as_columns()["p_value"]).all():
        return None
    sizes = [len(member.as_columns()) for member in members]
    of_each = [
        np.full(size, of(_n_of(member)))
        for size, member, of in zip(sizes, members, least, strict=True)
        if of is not None
    ]
    at = next((i for i, member in enumerate(members) if member is pairs), 0)
    adjusted = _adjusted(pairs, of_each, at)
    if rejected(adjusted, alpha).any():
        return None
    n = _n_of(pairs)
    for more in range(n + 1, _MOST + 1):
        alike = [np.full(size, own(more)) for size in sizes]
        if rejected(_adjusted(pairs, alike, at), alpha).any():
            return TooFew(n, more)
    return TooFew(n, None)


def _adjusted(pairs: Any, raw: list[Floats], at: int) -> Floats:
    """Return the smallest adjusted p-values of one of several tables of a family.

    Adjustments rise with each raw p-value: the smallest raw ones, adjusted, are the
    smallest adjusted ones. One that is not known here keeps them as they are.
    """
    every = np.concatenate(raw)
    if pairs.adjust == "holm":
        every = adjust_family(every, 0, adjustment("holm"))
    elif pairs.adjust in _BY_NUMBER:
        every = np.minimum(1.0, len(every) * every)
    ends = np.cumsum([len(p_values) for p_values in raw])
    return np.asarray(every[ends[at] - len(raw[at]) : ends[at]])


def _least_of(pairs: Any) -> Least | None:
    """Return the smallest raw p-value by the number of blocks; None: not known."""
    if isinstance(pairs, OnePair):
        return _of_signs if pairs.n_used is not None else None
    if isinstance(pairs, RankPairsResult):
        if pairs.p_source == "exact":
            a = len(pairs.algorithms)
            return lambda n: 2 * (a * (a - 1.0)) ** -n
        return None if pairs.normal else _of_signs
    if isinstance(pairs, MaxTResult):
        return _of_signs if pairs.listed else None
    if isinstance(pairs, ClosedPermutationResult):
        # All pairs of a partition differ, each at its share of the level (Begun &
        # Gabriel); beside a control no subset has a level of its own.
        at_once = 1 if pairs.control else len(pairs.algorithms) // 2
        return lambda n: 1 - (1 - _of_signs(n)) ** at_once
    return _of_signs if isinstance(pairs, SignGridResult) else None


def _of_signs(n: int) -> float:
    """Return the smallest two-sided p-value of n signs."""
    return float(min(1.0, np.ldexp(1.0, 1 - n)))


def _n_of(pairs: Any) -> int:
    """Return how many independent blocks a table compares."""
    if isinstance(pairs, SignGridResult):
        return pairs.wins.n_datasets
    return len((pairs.test if isinstance(pairs, OnePair) else pairs).blocks.values)

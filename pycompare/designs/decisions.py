"""Decisions on each pair, and pairs on which two analyses differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.tables import AnyTable
from pycompare.base.typing import Floats
from pycompare.designs.one_pair import OnePair
from pycompare.methods.pairs.max_t import MaxTResult
from pycompare.methods.pairs.signed_rank_pairs import SignedRankPairsResult
from pycompare.methods.pairs.superiority import SuperiorityResult
from pycompare.methods.ranks.pairs import RankPairsResult
from pycompare.results.result import Pairs, PairsResult, rejected


@dataclass(frozen=True)
class Decision:
    """Decisions of the plan about one pair.

    ``better`` comes before ``worse`` (data order if they tie). ``rejected`` is
    ``p_adjusted <= alpha`` by the plan's decisive method.
    """

    better: str
    worse: str
    p_value: float
    p_adjusted: float
    rejected: bool

    @cached_property
    def pair(self) -> frozenset[str]:
        """The two algorithms: kept, as it is a key many times and knows its hash."""
        return frozenset((self.better, self.worse))


@dataclass(frozen=True)
class Disagreement:
    """A pair on which another analysis differs from the planned one."""

    planned: Decision
    other: Decision


def decisions(pairs: PairsResult, alpha: float) -> tuple[Decision, ...]:
    """Return the decisions about each pair, strongest evidence first."""
    return tuple(starmap(Decision, _strongest_first(pairs, alpha)))


def rejected_pairs(pairs: PairsResult, alpha: float) -> dict[frozenset[str], str]:
    """Return the pairs that are rejected, each with the better algorithm."""
    rows = _strongest_first(pairs, alpha)
    return {
        frozenset((better, worse)): better for better, worse, *_, told in rows if told
    }


def _strongest_first(
    pairs: PairsResult, alpha: float
) -> Iterator[tuple[str, str, float, float, bool]]:
    """Return what `Decision` holds of each pair."""
    table = pairs.as_columns()
    first, second = (np.asarray(table[f"algorithm_{n}"], object) for n in (1, 2))
    p_value, p_adjusted = (
        np.asarray(table[name], float) for name in ("p_value", "p_adjusted")
    )
    in_order = ~(pairs.worse_by > 0)  # data order where they tie, or have no number
    columns = (
        np.where(in_order, first, second),
        np.where(in_order, second, first),
        p_value,
        p_adjusted,
        rejected(p_adjusted, alpha),
    )
    strongest = np.lexsort((p_value, p_adjusted))
    return zip(*(column[strongest].tolist() for column in columns), strict=True)


def unable(pairs: Pairs | SuperiorityResult, alpha: float) -> set[frozenset[str]]:
    """Return the pairs that their test could not reject, whatever the scores.

    With few blocks the smallest p-value that there can be is above alpha; to retain
    such a pair is no disagreement with a test that rejects it.
    """
    hopeless = np.flatnonzero(~rejected(smallest_p_values(pairs), alpha))
    if not hopeless.size:
        return set()
    first, second = ends(pairs.as_columns())
    return {frozenset((first[row], second[row])) for row in hopeless.tolist()}


def smallest_p_values(pairs: Pairs | SuperiorityResult) -> Floats:
    """Return the smallest adjusted p-value that each pair can have; 0: not known."""
    table = pairs.as_columns()
    if "p_smallest" in table:
        return np.asarray(table["p_smallest"], float)
    least: float | Floats = 0.0
    if isinstance(
        pairs, OnePair | RankPairsResult | MaxTResult | SignedRankPairsResult
    ):
        least = pairs.least
    return np.broadcast_to(np.asarray(least, float), len(table))


def trials(signs: AnyTable) -> NDArray[Any]:
    """Return how many blocks each sign test counts; each table names them its way."""
    used = signs["n_used"] if "n_used" in signs else signs["wins"] + signs["losses"]
    return np.asarray(used)


def ends(table: AnyTable) -> tuple[list[str], list[str]]:
    """Return the first and the second algorithms of rows of pairs."""
    first, second = (np.asarray(table[f"algorithm_{n}"]).tolist() for n in (1, 2))
    return first, second


def disagreements(
    planned: Iterable[Decision], others: Iterable[Decision]
) -> tuple[Disagreement, ...]:
    """Return the pairs on which one is rejected alone, or both the other way round."""
    known = {other.pair: other for other in others}
    both = ((mine, known[mine.pair]) for mine in planned)
    return tuple(
        Disagreement(mine, other)
        for mine, other in both
        if mine.rejected != other.rejected
        or (mine.rejected and mine.better != other.better)
    )

"""Decisions on each pair, and pairs on which two analyses differ."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.made_rows import MadeRows
from pycompare.base.tables import AnyTable, Columns
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.designs.one_pair import OnePair
from pycompare.methods.pairs.max_t import MaxTResult
from pycompare.methods.pairs.signed_rank_pairs import SignedRankPairsResult
from pycompare.methods.pairs.superiority import SuperiorityResult
from pycompare.methods.ranks.pairs import RankPairsResult
from pycompare.results.pair_rows import Pair, PairRows, PairSet, PairWinners, marks
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


class Decisions(MadeRows[Decision]):
    """The decisions about each pair of a table, strongest evidence first.

    Attributes
    ----------
    rows : PairRows
        The pairs, the better algorithm first.
    rejected : ndarray of bool
    """

    def __init__(
        self,
        rows: PairRows,
        p_value: Floats,
        p_adjusted: Floats,
        rejected: Bools,
        order: Any = slice(None),
    ) -> None:
        def decision(row: int) -> Decision:
            at = row if isinstance(order, slice) else order[row]
            return Decision(
                *rows.ends(row),
                float(p_value[at]),
                float(p_adjusted[at]),
                bool(rejected[row]),
            )

        super().__init__(len(rows), decision)
        self.rows, self.rejected = rows, rejected
        self._held, self._order = (p_value, p_adjusted), order

    @property
    def p_value(self) -> Floats:
        """The raw p-values: a table has them already, in its own order."""
        return self._held[0][self._order]

    def p_adjusted_of(self, rows: Ints) -> Floats:
        """Return the adjusted p-values of some rows."""
        every = isinstance(self._order, slice)
        return self._held[1][rows if every else self._order[rows]]

    @property
    def p_adjusted(self) -> Floats:
        """The adjusted p-values."""
        return self._held[1][self._order]

    @classmethod
    def of(cls, listed: Sequence[Decision]) -> Decisions:
        """Return decisions as columns."""
        if isinstance(listed, Decisions):
            return listed
        return cls(
            PairRows.of((d.better, d.worse) for d in listed),
            np.array([d.p_value for d in listed], float),
            np.array([d.p_adjusted for d in listed], float),
            np.array([d.rejected for d in listed], bool),
        )

    def about(self, pairs: PairRows) -> dict[Pair, Decision]:
        """Return the decisions about some of the pairs."""
        at, _ = self.rows.located(pairs)
        if (at < 0).any():
            raise KeyError(pairs.ends(int(np.argmin(at))))
        return {decision.pair: decision for decision in map(self.__getitem__, at)}

    @property
    def winners(self) -> PairWinners:
        """The rejected pairs, each with the better algorithm."""
        return PairWinners(self.rows, self.rejected.astype(np.int8))


def decisions(pairs: PairsResult, alpha: float) -> Decisions:
    """Return the decisions about each pair, strongest evidence first."""
    table = Columns.of(pairs.as_columns())
    p_value, p_adjusted = (
        np.asarray(table[name], float) for name in ("p_value", "p_adjusted")
    )
    strongest = table.order("p_value", "p_adjusted")
    rows = pairs.pair_rows.turned(pairs.worse_by > 0).take(strongest)
    is_rejected = rejected(p_adjusted, alpha)[strongest]
    return Decisions(rows, p_value, p_adjusted, is_rejected, strongest)


def rejected_pairs(pairs: PairsResult, alpha: float) -> PairWinners:
    """Return the pairs that are rejected, each with the better algorithm."""
    is_rejected = rejected(np.asarray(pairs.as_columns()["p_adjusted"], float), alpha)
    side = np.where(pairs.worse_by > 0, -1, 1).astype(np.int8)
    return PairWinners(pairs.pair_rows, side * is_rejected)


def unable(pairs: Pairs | SuperiorityResult, alpha: float) -> PairSet:
    """Return the pairs that their test could not reject, whatever the scores.

    With few blocks the smallest p-value that there can be is above alpha; to retain
    such a pair is no disagreement with a test that rejects it.
    """
    return PairSet(pairs.pair_rows, ~rejected(smallest_p_values(pairs), alpha))


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


def disagreements(
    planned: Sequence[Decision],
    others: Sequence[Decision],
    without: Set[Pair] = frozenset(),
) -> Sequence[Disagreement]:
    """Return the pairs on which one is rejected alone, or both the other way round.

    Pairs of ``without`` do not count.
    """
    mine, their = Decisions.of(planned), Decisions.of(others)
    at, turned = their.rows.located(mine.rows)
    known = at >= 0
    told = known & their.rejected[at] if len(their) else known
    differ = (mine.rejected != told) | (mine.rejected & told & turned)
    differ &= known & ~marks(without, mine.rows)
    apart = np.flatnonzero(differ)
    return MadeRows(
        len(apart),
        lambda row: Disagreement(mine[int(apart[row])], their[int(at[apart[row]])]),
    )

"""Pairs of algorithms by their places, and columns with a number of each pair."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from pycompare.base.made_rows import MadeRows
from pycompare.base.tables import Columns, read_only
from pycompare.base.typing import Bools, Ints

Pair = frozenset[str]
_FEW = 500
"""Algorithms whose square of rows is kept: a megabyte."""
PairSides = NDArray[np.int8]
"""Of each pair 1: its first algorithm, -1: its second one, 0: none of them."""


@dataclass(frozen=True, eq=False)
class PairRows:
    """Different pairs of algorithms, a row each.

    Attributes
    ----------
    names : tuple of str
        The algorithms, those without a pair included.
    first, second : ndarray of int, shape (m,)
        Places among ``names``; read-only.
    """

    names: tuple[str, ...]
    first: Ints
    second: Ints

    def __post_init__(self) -> None:
        for end in ("first", "second"):
            object.__setattr__(self, end, read_only(getattr(self, end)))

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> PairRows:
        """Return pairs that are given by names."""
        listed = list(pairs)
        places = {name: at for at, name in enumerate(dict.fromkeys(chain(*listed)))}
        first, second = (
            np.array([places[pair[end]] for pair in listed], np.intp) for end in (0, 1)
        )
        return cls(tuple(places), first, second)

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each algorithm."""
        return {name: at for at, name in enumerate(self.names)}

    @cached_property
    def _square(self) -> NDArray[np.int32]:
        """The row of each two algorithms, -1 if they are no pair here."""
        return self._rows_of_two()

    def _rows_of_two(self) -> NDArray[np.int32]:
        square = np.full((len(self.names),) * 2, -1, np.int32)
        rows = np.arange(len(self), dtype=np.int32)
        square[self.first, self.second] = square[self.second, self.first] = rows
        return square

    def ends(self, row: int) -> tuple[str, str]:
        """Return the two algorithms of a row."""
        return self.names[self.first[row]], self.names[self.second[row]]

    def row(self, pair: Collection[str]) -> int:
        """Return the row of a pair; -1 if it is not here."""
        ends = [self.places.get(name, -1) for name in pair]
        if len(ends) != 2 or min(ends) < 0:
            return -1
        return int(self._square[ends[0], ends[1]])

    @property
    def ends_of_all(self) -> tuple[Ints, Ints]:
        """The places of the two algorithms of each row."""
        return self.first, self.second

    @property
    def labels(self) -> PairLabels:
        """The two algorithms of each row."""
        return PairLabels(self)

    def rows_with(self, name: str) -> Ints:
        """Return the rows of one algorithm."""
        at = self.places.get(name, -1)
        return np.flatnonzero((self.first == at) | (self.second == at))

    def turned(self, where: Bools) -> PairRows:
        """Return the pairs with the two algorithms exchanged in some rows."""
        first = np.where(where, self.second, self.first)
        return PairRows(self.names, first, np.where(where, self.first, self.second))

    def take(self, rows: Ints | Bools) -> PairRows:
        """Return some of the pairs."""
        return PairRows(self.names, self.first[rows], self.second[rows])

    def same_as(self, other: PairRows) -> bool:
        """Return whether another table has the same pairs in the same order."""
        return self is other or (
            self.names == other.names
            and np.array_equal(self.first, other.first)
            and np.array_equal(self.second, other.second)
        )

    def located(self, other: PairRows) -> tuple[Ints, Bools]:
        """Return the row here of each pair of another table, and if it is turned.

        The row is -1 if the pair is not here.
        """
        if self.same_as(other):
            return np.arange(len(self), dtype=np.int32), np.zeros(len(self), bool)
        first, second = other.first, other.second
        if other.names != self.names:
            here = np.array([self.places.get(n, -1) for n in other.names], np.intp)
            first, second = here[first], here[second]
        known = (first >= 0) & (second >= 0)
        # That of very many algorithms is not kept beside every table.
        kept = len(self.names) <= _FEW or "_square" in vars(self)
        square = self._square if kept else self._rows_of_two()
        rows = np.where(known, square[first, second], -1)
        return rows, self.first[rows] != first if len(self) else known


class PairLabels(MadeRows[tuple[str, str]]):
    """The two algorithms of each row, and the row of two algorithms."""

    def __init__(self, rows: PairRows) -> None:
        super().__init__(len(rows), rows.ends)
        self.rows = rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairLabels):
            return super().__eq__(other)
        return self.rows.same_as(other.rows) or (
            self.rows.names != other.rows.names and super().__eq__(other)
        )

    def __hash__(self) -> int:
        return super().__hash__()

    def place(self, pair: Sequence[str]) -> int | None:
        """Return the row of two algorithms in this order; None if there is none."""
        row = self.rows.row(pair)
        return row if row >= 0 and self.rows.ends(row) == tuple(pair) else None

    def differ_joined(self, by: str) -> bool:
        """Return whether no two pairs are alike when their names are joined.

        ``by`` begins with a space and has no other end that is its beginning. A joined
        text can be read in two ways only if a name contains it, or ends with a part of
        it that a second one would overlap.
        """
        parts = tuple(by[:k] for k in range(2, len(by)))
        if not any(by in name or name.endswith(parts) for name in self.rows.names):
            return True
        return len({by.join(pair) for pair in self}) == len(self)


class PairWinners(Mapping[Pair, str]):
    """The pairs that are rejected, each with the better algorithm.

    Parameters
    ----------
    rows : PairRows
        All pairs.
    better : ndarray of int8
        1 if the first algorithm of a pair is better, -1 if the second one is, else 0.
    """

    def __init__(self, rows: PairRows, better: PairSides) -> None:
        self.rows, self.better = rows, better

    def __getitem__(self, pair: Pair) -> str:
        row = self.rows.row(pair)
        side = self.better[row] if row >= 0 else 0
        if not side:
            raise KeyError(pair)
        return self.rows.ends(row)[0 if side > 0 else 1]

    def __iter__(self) -> Iterator[Pair]:
        for row in np.flatnonzero(self.better).tolist():
            yield frozenset(self.rows.ends(row))

    def __len__(self) -> int:
        return int(np.count_nonzero(self.better))


class PairSet(Set[Pair]):
    """Some of the pairs of a table: those that are marked."""

    def __init__(self, rows: PairRows, marked: Bools) -> None:
        self.rows, self.marked = rows, marked

    @classmethod
    def _from_iterable(cls, pairs: Iterable[Pair]) -> Set[Pair]:  # type: ignore[override]
        return frozenset(pairs)

    def __contains__(self, pair: object) -> bool:
        row = self.rows.row(pair) if isinstance(pair, frozenset) else -1
        return row >= 0 and bool(self.marked[row])

    def __iter__(self) -> Iterator[Pair]:
        for row in np.flatnonzero(self.marked).tolist():
            yield frozenset(self.rows.ends(row))

    def __len__(self) -> int:
        return int(np.count_nonzero(self.marked))

    def __bool__(self) -> bool:
        return bool(self.marked.any())


def sides(winners: Mapping[Pair, str], rows: PairRows) -> PairSides:
    """Return who wins each pair of a table: 1 the first, -1 the second, 0 nobody."""
    if isinstance(winners, PairWinners):
        at, turned = winners.rows.located(rows)
        if not len(winners.rows):
            return np.zeros(len(rows), np.int8)
        side = np.where(at >= 0, winners.better[at], 0).astype(np.int8)
        return np.where(turned, -side, side)
    side = np.zeros(len(rows), np.int8)
    for pair, name in winners.items():
        row = rows.row(pair)
        if row >= 0:
            side[row] = 1 if rows.ends(row)[0] == name else -1
    return side


def marks(pairs: Set[Pair], rows: PairRows) -> Bools:
    """Return which pairs of a table are in a set."""
    if isinstance(pairs, PairSet):
        at, _ = pairs.rows.located(rows)
        if not len(pairs.rows):
            return np.zeros(len(rows), bool)
        return np.asarray((at >= 0) & pairs.marked[at])
    marked = np.zeros(len(rows), bool)
    for pair in pairs:
        row = rows.row(pair)
        if row >= 0:
            marked[row] = True
    return marked


def pair_rows_of(table: Columns, algorithms: tuple[str, ...]) -> PairRows:
    """Return the pairs of a table's rows: of tables that share them, the same object.

    Its square is then made once.
    """
    ends = [table.places(f"algorithm_{k}", algorithms) for k in (1, 2)]
    key = (algorithms, *map(_memory, ends))
    known = _SHARED.get(key)
    if known is None:
        known = PairRows(algorithms, *ends)
        if not any(end.flags.writeable for end in ends):
            _SHARED[key] = known
    return known


_SHARED: WeakValueDictionary[tuple[Any, ...], PairRows] = WeakValueDictionary()
"""Pairs by the places in memory of their two ends, which they keep from being freed."""


def _memory(array: Ints) -> tuple[Any, ...]:
    """Return where an array that nobody writes to lies in memory."""
    return array.ctypes.data, array.shape, array.strides, array.dtype.str

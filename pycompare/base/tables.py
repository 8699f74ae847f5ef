"""Tables as methods compute them: arrays, of which a user who reads one gets a frame.

Methods, pages and files work on these, so that a report does not wait for pandas to be
imported. What our code asks of a table per frame answers alike: ``len``, ``in``, ``[]``
(through ``numpy.asarray``), ``head``, ``take`` and ``itertuples``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import is_of_pandas

if TYPE_CHECKING:
    import pandas as pd

AnyTable: TypeAlias = "Columns | pd.DataFrame"
"""A table inside: as columns, or as the frame that a method made."""
Numbers: TypeAlias = "Labelled | pd.Series"
"""Labelled numbers inside, in the same way."""


class Held(ABC):
    """A table or a row of numbers as it was computed."""

    @abstractmethod
    def make(self) -> Any:
        """Make a frame or series of it."""

    def pandas(self) -> Any:
        """Return it as a user gets it: a copy of the frame, which is made once."""
        return self._made.copy()

    @cached_property
    def _made(self) -> Any:
        return self.make()


def read_only(values: NDArray[Any]) -> NDArray[Any]:
    """Return a view of an array that nobody can write to."""
    view = values.view()
    view.flags.writeable = False
    return view


class LabelColumn:
    """A column of labels that appear many times: the labels, and which each row has.

    ``numpy.asarray`` returns the column.
    """

    def __init__(self, names: Sequence[str], codes: NDArray[np.intp]) -> None:
        self.names = tuple(names)
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Any) -> LabelColumn:
        """Return some rows."""
        return LabelColumn(self.names, self.codes[rows])

    @cached_property
    def array(self) -> NDArray[Any]:
        """The labels of all rows."""
        return read_only(np.array(self.names, dtype=object)[self.codes])

    @cached_property
    def text(self) -> Any:
        """The column of a frame: to make it takes longer than many a test."""
        import pandas as pd

        return pd.array(list(self.names), dtype="str").take(self.codes)


class MadeColumn:
    """A column whose numbers are computed for the rows that are read.

    ``numpy.asarray`` computes all of it.

    Parameters
    ----------
    n : int
    make : callable
        Returns the numbers of some rows, given by their places.
    """

    def __init__(
        self, n: int, make: Callable[[NDArray[np.intp]], NDArray[Any]]
    ) -> None:
        self.size, self._make = n, make

    def __len__(self) -> int:
        return self.size

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype, copy=copy)

    def take(self, rows: Any) -> NDArray[Any]:
        """Return some rows."""
        if "array" in vars(self):
            return np.asarray(self.array[rows])
        return self._make(_places(rows, self.size))

    def later(self, rows: Any) -> MadeColumn:
        """Return some rows, which are not computed before they are read either."""
        places = _places(rows, self.size)
        return MadeColumn(len(places), lambda some: self.take(places[some]))

    @cached_property
    def array(self) -> NDArray[Any]:
        """The numbers of all rows."""
        return read_only(self._make(np.arange(self.size)))


class Columns(Held):
    """Named columns of one length.

    Parameters
    ----------
    columns : mapping of str to array, sequence, LabelColumn, MadeColumn or one value
        One value is that of all rows.
    index : sequence of int, optional
        Names of rows; by default their places from 0.
    """

    def __init__(
        self, columns: Mapping[str, Any], index: Sequence[int] | None = None
    ) -> None:
        whole = [len(column) for column in columns.values() if not _is_single(column)]
        n = whole[0] if whole else len(columns) > 0
        self._held = {
            name: _repeated(column, n) if _is_single(column) else _held(column)
            for name, column in columns.items()
        }
        default = index is None or index == range(n) or list(index) == [*range(n)]
        self.index: Sequence[int] = range(n) if default else list(index or ())

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Columns:
        """Return a table of one row."""
        return cls({name: [cell] for name, cell in row.items()})

    @classmethod
    def of(cls, table: AnyTable) -> Columns:
        """Return a table, or a frame that a method made, as columns."""
        if isinstance(table, Columns):
            return table
        columns = {str(name): c.to_numpy() for name, c in table.items()}
        held = cls(columns, table.index.tolist())
        held._made = table
        return held

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __getitem__(self, name: str) -> NDArray[Any]:
        column = self._held[name]
        return column if isinstance(column, np.ndarray) else column.array

    def some(self, name: str, rows: Any) -> NDArray[Any]:
        """Return some rows of a column of numbers, by their places."""
        return np.asarray(self._held[name].take(rows))

    def as_stored(self, name: str) -> NDArray[Any] | LabelColumn | MadeColumn:
        """Return a column: labels as codes, and numbers that are not computed yet."""
        return self._held[name]

    @property
    def not_made(self) -> list[str]:
        """The columns that are computed for the rows that are read."""
        return [n for n, c in self._held.items() if isinstance(c, MadeColumn)]

    def places(self, name: str, among: Sequence[str]) -> NDArray[np.intp]:
        """Return where each label of a column is among names."""
        column = self._held[name]
        if isinstance(column, LabelColumn) and column.names == tuple(among):
            return column.codes
        at = {label: place for place, label in enumerate(among)}
        return np.array([at[label] for label in self[name].tolist()], np.intp)

    def items(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield each column with its name."""
        return ((name, self[name]) for name in self)

    def but(self, *without: str, **columns: Any) -> Columns:
        """Return a table without some columns and with others at its end, or anew."""
        kept = {name: c for name, c in self._held.items() if name not in without}
        return Columns(kept | columns, self.index)

    def only(self, names: Iterable[str]) -> Columns:
        """Return some columns."""
        return Columns({name: self._held[name] for name in names}, self.index)

    def where(self, rows: NDArray[np.bool_]) -> Columns:
        """Return the rows that are marked."""
        return self.take(np.flatnonzero(rows))

    def sorted_by(self, name: str, *, descending: bool = False) -> Columns:
        """Return the rows in the order of a column; NaN last, ties as they are."""
        keys = self[name]
        return self.take(np.argsort(-keys if descending else keys, kind="stable"))

    def order(self, *names: str) -> NDArray[Any]:
        """Return the places of rows in the order of columns, the last one first.

        NaN last, ties as they are. It is kept: tables of millions of rows are read in
        one order many times.
        """
        if names not in self._orders:
            order = np.argsort(self[names[0]], kind="stable")
            # Adjusted p-values rise with the raw ones: their order is the same.
            rise = (np.diff(self[name][order]) >= 0 for name in names[1:])
            if not all(step.all() for step in rise):
                order = np.lexsort([self[name] for name in names])
            self._orders[names] = read_only(order.astype(np.int32))
        return self._orders[names]

    @cached_property
    def _orders(self) -> dict[tuple[str, ...], NDArray[Any]]:
        return {}

    def row(self, **labels: str) -> Any:
        """Return the first row with these labels, or the first of all."""
        marked = np.ones(len(self), bool)
        for name, label in labels.items():
            marked &= self[name] == label
        return next(self.take(np.flatnonzero(marked)[:1]).itertuples())

    def take(self, rows: Any) -> Columns:
        """Return some rows, by their places; they keep their names."""
        if isinstance(self.index, range):
            index = _places(rows, len(self)).tolist()
        else:
            index = np.asarray(self.index)[rows].tolist()
        taken = {
            n: c.later(rows) if isinstance(c, MadeColumn) else c.take(rows)
            for n, c in self._held.items()
        }
        return Columns(taken, index)

    def head(self, n: int) -> Columns:
        """Return the first rows."""
        return self if n >= len(self) else self.take(np.arange(n))

    def itertuples(self) -> Iterator[Any]:
        """Yield rows with ``Index`` and attributes called like the columns."""
        row = _row(tuple(self))
        return map(row, self.index, *(self[name].tolist() for name in self))

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield rows by the columns' names, which need not be names of attributes."""
        columns = (self[name].tolist() for name in self)
        return (dict(zip(self, row, strict=True)) for row in zip(*columns, strict=True))

    def make(self) -> pd.DataFrame:
        """Return a frame.

        The index of the columns' names is kept: pandas takes as long to make it from
        names as it takes for ten columns of numbers.
        """
        import pandas as pd

        columns = (
            c.text if isinstance(c, LabelColumn) else self[name]
            for name, c in self._held.items()
        )
        index = None if isinstance(self.index, range) else self.index
        frame = pd.DataFrame(dict(enumerate(columns)), index=index)
        frame.columns = _names(tuple(self)).view()  # it may be renamed in place
        return frame


class Labelled(Held):
    """One number for each of several labels.

    Parameters
    ----------
    values : ndarray
    index : sequence of str
        The labels.
    """

    def __init__(self, values: NDArray[Any], index: Sequence[str]) -> None:
        self.values = read_only(np.asarray(values))
        self.index = tuple(index)

    def __len__(self) -> int:
        return len(self.index)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype, copy=copy)

    def __getitem__(self, label: str) -> Any:
        return self.values[self.index.index(label)]

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return each label with its number."""
        return zip(self.index, self.values.tolist(), strict=True)

    def make(self) -> pd.Series:
        """Return a series."""
        import pandas as pd

        return pd.Series(self.values, index=list(self.index), copy=True)


class Matrix(Held):
    """Numbers in rows and columns with labels.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
    index, columns : sequence of str
        LabelColumn of the rows and of the columns.
    """

    def __init__(
        self, values: NDArray[Any], index: Sequence[str], columns: Sequence[str]
    ) -> None:
        self.values = read_only(np.asarray(values))
        self.index, self.columns = tuple(index), tuple(columns)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.values.size

    def make(self) -> pd.DataFrame:
        """Return a frame."""
        import pandas as pd

        return pd.DataFrame(
            self.values, list(self.index), list(self.columns), copy=True
        )


def _places(rows: Any, n: int) -> NDArray[np.intp]:
    """Return the places of some of n rows: without a look at all of them, if known."""
    if isinstance(rows, np.ndarray) and rows.dtype.kind in "iu":
        return np.where(rows < 0, rows + n, rows)
    return np.arange(n)[rows]


def is_table(value: object) -> bool:
    """Return whether a value is a table: as it was computed, or a frame."""
    return isinstance(value, Columns) or is_frame(value)


def is_frame(value: object) -> bool:
    """Return whether a value is a pandas frame."""
    if not is_of_pandas(value):
        return False
    import pandas as pd

    return isinstance(value, pd.DataFrame)


def is_series(value: object) -> bool:
    """Return whether a value is a pandas series."""
    if not is_of_pandas(value):
        return False
    import pandas as pd

    return isinstance(value, pd.Series)


def is_missing(value: object) -> bool:
    """Return whether a cell is None or the missing value of pandas."""
    if not is_of_pandas(value):
        return value is None
    import pandas as pd

    return value is pd.NA


def stacked(tables: Iterable[Columns]) -> Columns:
    """Return tables, one below the other; NaN if one has no such column.

    Whole numbers become doubles beside doubles, and stay beside other values.
    """
    parts = list(tables)
    names = dict.fromkeys(name for table in parts for name in table)
    return Columns({name: _joined([_of(t, name) for t in parts]) for name in names})


def _of(table: Columns, name: str) -> NDArray[Any]:
    return table[name] if name in table else np.full(len(table), np.nan)


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the parts of a column as one."""
    kinds = {part.dtype.kind for part in parts}
    if len(kinds) == 1 or kinds <= set("iuf"):
        return np.concatenate(parts)
    return np.concatenate([part.astype(object) for part in parts])


def _held(column: Any) -> NDArray[Any] | LabelColumn | MadeColumn:
    """Return a column as an array: of numbers, of truth values, or of objects."""
    if isinstance(column, LabelColumn | MadeColumn):
        return column
    if isinstance(column, np.ndarray):
        return read_only(column)
    cells = list(column)
    if cells and (
        all(isinstance(cell, bool | np.bool_) for cell in cells)
        or all(_is_number(cell) for cell in cells)
    ):
        return read_only(np.array(cells))
    objects = np.empty(len(cells), dtype=object)
    for at, cell in enumerate(cells):  # a cell may be a tuple
        objects[at] = cell
    return read_only(objects)


def _repeated(value: Any, n: int) -> NDArray[Any]:
    """Return one value for all rows."""
    return np.broadcast_to(np.asarray(_held([value])), n)


def _is_single(column: object) -> bool:
    """Return whether one value stands for all rows."""
    return isinstance(column, str) or not hasattr(column, "__len__")


def _is_number(cell: object) -> bool:
    """Return whether a cell is a number, and no truth value."""
    return isinstance(cell, int | float | np.number) and not isinstance(cell, bool)


@lru_cache(maxsize=256)
def _row(names: tuple[str, ...]) -> Any:
    """Return the type of rows with columns of such names."""
    return namedtuple("Row", ["Index", *names], rename=True)


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...]) -> pd.Index:
    """Return the index of columns of such names."""
    import pandas as pd

    return pd.Index(list(names))

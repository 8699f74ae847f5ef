"""A table that is turned round: what was a row is a column."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from pycompare.data.runs import places_within
from pycompare.data.table import Table
from pycompare.errors import InputError
from pycompare.formatting.counts import counted
from pycompare.labels import Levels, levels, show
from pycompare.typing import Floats

_PART = re.compile(r"-?[1-9]\d*")


def numbered(table: Table, name: str, within: Sequence[str]) -> LongerTable:
    """Return a table with a column of numbers of its rows within parts of it."""
    parts = np.zeros(table.n_rows, np.intp)
    for column in within:
        found = table.levels(column)
        parts = parts * len(found.labels) + found.codes
    places = places_within(parts).tolist()
    return LongerTable(table, name, [str(place + 1) for place in places])


def with_parts(table: Table, names: Iterable[str]) -> Table:
    """Return a table with a column for each name that means a part of another.

    ``COLUMN/N`` holds part N of the labels of a column between ``/``, the first one 1,
    the last one -1. A column of exactly that name goes first.

    Raises
    ------
    InputError
        If a label has fewer parts.
    """
    for name in names:
        if is_part(name, table.names):
            table = _with_part(table, name)
    return table


def _with_part(table: Table, name: str) -> LongerTable:
    """Return a table with a part of the labels of a column."""
    column, _, digits = name.rpartition("/")
    number = int(digits)
    found = table.levels(column)
    parts = [label.split("/") for label in found.labels]
    at = number if number < 0 else number - 1
    for code, own in enumerate(parts):
        if not -len(own) <= at < len(own):
            row = int(np.argmax(found.codes == code))
            raise InputError(
                f"{show(name)}: {show(found.labels[code])} in {table.row(row)} has "
                f"{counted(len(own), 'part')} between '/'"
            )
    return LongerTable(table, name, [parts[code][at] for code in found.codes])


def is_part(name: object, columns: Collection[str]) -> bool:
    """Return whether a name is no column but means part N of one, ``COLUMN/N``."""
    column, slash, digits = str(name).rpartition("/")
    there = bool(slash) and column in columns and name not in columns
    return there and _PART.fullmatch(digits) is not None


class LongerTable(Table):
    """A table with one more column, of labels."""

    def __init__(self, table: Table, name: str, labels: Sequence[str]) -> None:
        self._table = table
        self._name = name
        self._labels = tuple(labels)
        self._set()

    def _set(self) -> None:
        self.names = (*self._table.names, self._name)
        self.n_rows = self._table.n_rows
        self.index_names = self._table.index_names
        self.percent = self._table.percent
        self.takes_percent = self._table.takes_percent
        self.missing_marks = self._table.missing_marks
        self.named_above = self._table.named_above

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done with the numbers when they were read."""
        return self._table.notes

    def taken(self, rows: NDArray[np.intp], names: Collection[str]) -> LongerTable:
        """Return some rows and columns; the added one stays."""
        part = copy(self)
        part._table = self._table.taken(rows, names)
        part._labels = tuple(self._labels[row] for row in rows)
        part._set()
        return part

    def levels(self, name: str) -> Levels:
        """Read a column as labels."""
        if name != self._name:
            return self._table.levels(name)
        return levels(self._labels, what=f"column {show(name)}", row=self.row)

    def numbers(self, name: str) -> Floats:
        """Read a column as numbers; the added one holds labels."""
        if name == self._name:
            raise InputError(f"column {show(name)} holds labels, not scores")
        return self._table.numbers(name)

    def truth_values(self, name: str) -> Floats | None:
        """Read true and false as 1 and 0."""
        return None if name == self._name else self._table.truth_values(name)

    def has_digits(self, name: str) -> bool:
        """Return whether any cell of a column has a digit."""
        if name == self._name:
            return any(any(map(str.isdigit, label)) for label in self._labels)
        return self._table.has_digits(name)

    def odd_cells(self, name: str) -> list[tuple[int, str]]:
        """Return rows and texts that stand among scores."""
        return [] if name == self._name else self._table.odd_cells(name)

    def row(self, index: int) -> str:
        """Name a row as the table does."""
        return self._table.row(index)


class TurnedTable(Table):
    """A table whose rows become columns; its first column holds their names.

    What was a column of scores is a row: a block.
    """

    def __init__(self, table: Table, labels: str) -> None:
        of_columns = table.levels(labels)
        scored = [name for name in table.names if name != labels]
        self._set(
            levels(scored, what="the columns"),
            (labels, *of_columns.labels),
            np.stack([*table.scores_of(scored).values()], axis=0),
        )
        self.index_names = ()
        self._notes = table.notes

    def _set(self, rows: Levels, names: tuple[str, ...], values: Floats) -> None:
        """Hold values, shape (n_rows, n_columns), with their labels."""
        self._rows, self._values = rows, values
        self.names, self.n_rows = names, len(rows.codes)

    def taken(self, rows: NDArray[np.intp], names: Collection[str]) -> TurnedTable:
        """Return some rows and columns."""
        part = TurnedTable.__new__(TurnedTable)
        chosen = [i for i, name in enumerate(self.names) if i and name in names]
        part._set(
            levels([self._rows.labels[i] for i in rows], what="the columns"),
            (self.names[0], *(self.names[i] for i in chosen)),
            self._values[rows][:, [i - 1 for i in chosen]],
        )
        part._notes = self._notes
        return part

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done with the numbers when they were read."""
        return self._notes

    def truth_values(self, name: str) -> None:
        """Return None: the cells have been read as numbers."""

    def levels(self, name: str) -> Levels:
        """Return the names of the columns that became rows."""
        return self._rows

    def numbers(self, name: str) -> Floats:
        """Return a row that became a column."""
        return self._values[:, self.names.index(name) - 1]

    def has_digits(self, name: str) -> bool:
        """Return True: all cells are numbers."""
        return True

    def row(self, index: int) -> str:
        """Name a column that became a row."""
        return f"column {show(self._rows.labels[index])}"

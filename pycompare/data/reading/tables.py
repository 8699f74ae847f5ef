"""A table that is turned round: rows become columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import Levels, levels, nearest, show, show_all
from pycompare.base.typing import Floats
from pycompare.data.runs import places_within
from pycompare.data.table import DataTable

_EMPTY: Mapping[str, Any] = MappingProxyType({})
_PART = re.compile(r"-?[1-9]\d*")


def numbered(table: DataTable, name: str, within: Sequence[str]) -> LongerTable:
    """Return a table with a column of numbers of its rows within parts of it."""
    parts = np.zeros(table.n_rows, np.intp)
    for column in within:
        levels = table.levels(column)
        parts = parts * len(levels.labels) + levels.codes
    places = places_within(parts).tolist()
    return LongerTable(table, labels={name: [str(place + 1) for place in places]})


def with_parts(table: DataTable, names: Iterable[str]) -> DataTable:
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


def _with_part(table: DataTable, name: str) -> LongerTable:
    """Return a table with a part of the labels of a column."""
    column, _, digits = name.rpartition("/")
    number = int(digits)
    levels = table.levels(column)
    parts = [label.split("/") for label in levels.labels]
    at = number if number < 0 else number - 1
    for code, own in enumerate(parts):
        if not -len(own) <= at < len(own):
            row = int(np.argmax(levels.codes == code))
            raise InputError(
                f"{show(name)}: {show(levels.labels[code])} in {table.row(row)} has "
                f"{counted(len(own), 'part')} between '/'"
            )
    labels = [parts[code][at] for code in levels.codes]
    return LongerTable(table, labels={name: labels})


def is_part(name: object, columns: Collection[str]) -> bool:
    """Return whether a name is no column but means part N of one, ``COLUMN/N``."""
    column, slash, digits = str(name).rpartition("/")
    there = bool(slash) and column in columns and name not in columns
    return there and _PART.fullmatch(digits) is not None


def unstacked(
    table: DataTable,
    within: Sequence[str],
    metric_column: str,
    value: str,
    metrics: Sequence[str],
) -> LongerTable:
    """Return a table with a column for each metric, from rows of one metric each.

    Parameters
    ----------
    table : DataTable
    within : sequence of str
        Columns whose labels distinguish the rows of one metric.
    metric_column, value : str
        Columns of names of metrics and of scores.
    metrics : sequence of str
        Those that are taken; rows of others are left out.

    Raises
    ------
    InputError
        If a column or metric is not there, or two rows of a metric have the same
        labels.
    """
    table.require_roles({"metric_column": metric_column, "value": value})
    levels = table.levels(metric_column)
    for metric in metrics:
        if metric not in levels.labels:
            raise InputError(
                f"column {show(metric_column)} has no metric {show(metric)}"
                f"{nearest(metric, levels.labels)}; metrics: {show_all(levels.labels)}"
            )
    labels = [table.levels(name) for name in within]
    parts = np.zeros(table.n_rows, np.intp)
    for own in labels:
        parts = np.unique(parts * len(own.labels) + own.codes, return_inverse=True)[1]
    scores = table.scores(value)
    chosen = np.isin(levels.codes, [levels.labels.index(metric) for metric in metrics])
    rows = np.flatnonzero(chosen)
    first_of, place = np.unique(parts[rows], return_index=True, return_inverse=True)[1:]
    order = np.argsort(first_of)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    columns = {}
    for metric in metrics:
        own = levels.codes[rows] == levels.labels.index(metric)
        cells, again = rank[place[own]], rows[own]
        if np.unique(cells).size < cells.size:
            counts = np.bincount(cells)
            first, second = again[cells == int(np.argmax(counts > 1))][:2]
            raise InputError(
                f"{table.row(int(first))} and {table.row(int(second))} are both of "
                f"metric {show(metric)} and have the same "
                f"{' and '.join(map(show, within))}; name what distinguishes them"
            )
        columns[metric] = np.full(order.size, np.nan)
        columns[metric][cells] = scores[again]
    kept = table.taken(rows[first_of[order]], within)
    return LongerTable(kept, scores=columns, notes=table.notes)


class LongerTable(DataTable):
    """A table with more columns, of labels or of scores."""

    def __init__(
        self,
        table: DataTable,
        *,
        labels: Mapping[str, Sequence[str]] = _EMPTY,
        scores: Mapping[str, Floats] = _EMPTY,
        notes: tuple[str, ...] | None = None,
        score_notes: tuple[str, ...] = (),
        label_notes: tuple[str, ...] = (),
        judged: Collection[str] = (),
        hidden: Collection[str] = (),
    ) -> None:
        self._table = table
        self._hidden = frozenset(hidden)
        self._labels = dict(labels)
        self._scores = dict(scores)
        self._notes = notes
        self._score_notes = score_notes
        self._label_notes = label_notes
        self._judged = frozenset(judged)
        self._set()

    def _set(self) -> None:
        kept = (name for name in self._table.names if name not in self._hidden)
        self.names = (*kept, *self._labels, *self._scores)
        self.n_rows = self._table.n_rows
        self.index_names = self._table.index_names
        self.percent = self._table.percent
        self.takes_percent = self._table.takes_percent
        self.missing_marks = self._table.missing_marks
        self.named_above = self._table.named_above
        self.judged = self._table.judged | self._judged
        self.label_notes = (*self._table.label_notes, *self._label_notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """Treatment of the numbers when they were read."""
        own = self._table.notes if self._notes is None else self._notes
        return (*own, *self._score_notes, *self._label_notes, *self.truth_notes)

    def taken(self, rows: NDArray[np.intp], names: Collection[str]) -> LongerTable:
        """Return some rows and columns; added ones stay as they are."""
        part = copy(self)
        part._table = self._table.taken(rows, {*names, *self._hidden})
        part._labels = {
            name: [labels[row] for row in rows] for name, labels in self._labels.items()
        }
        part._scores = {name: scores[rows] for name, scores in self._scores.items()}
        part._set()
        return part

    def levels(self, name: str) -> Levels:
        """Read a column as labels."""
        if name in self._labels:
            what = f"column {show(name)}"
            return levels(self._labels[name], what=what, row=self.row)
        return self._table.levels(name)

    def numbers(self, name: str) -> Floats:
        """Read a column as numbers."""
        if name in self._labels:
            raise InputError(f"column {show(name)} holds labels, not scores")
        return self._scores[name] if name in self._scores else self._table.numbers(name)

    def absent(self, name: str, *, besides: Collection[str]) -> NDArray[np.bool_]:
        """Return where a column has no label."""
        if name in self._labels:
            return np.zeros(self.n_rows, bool)
        if name in self._scores:
            return np.isnan(self._scores[name])
        return self._table.absent(name, besides=besides)

    def truth_values(self, name: str) -> Floats | None:
        """Read true and false as 1 and 0."""
        added = name in self._labels or name in self._scores
        return None if added else self._table.truth_values(name)

    def has_digits(self, name: str) -> bool:
        """Return whether any cell of a column has a digit."""
        if name in self._labels:
            return any(any(map(str.isdigit, label)) for label in self._labels[name])
        return name in self._scores or self._table.has_digits(name)

    def odd_cells(self, name: str) -> list[tuple[int, str]]:
        """Return rows and texts that stand among scores."""
        added = name in self._labels or name in self._scores
        return [] if added else self._table.odd_cells(name)

    def headers_again(self) -> tuple[int, ...]:
        """Return rows that repeat the names of the columns."""
        return self._table.headers_again()

    def row_levels(self, *, besides: Collection[str] = ()) -> Levels:
        """Label the rows as the table does."""
        return self._table.row_levels(besides={*besides, *self._hidden})

    def row(self, index: int) -> str:
        """Name a row as the table does."""
        return self._table.row(index)


class TurnedTable(DataTable):
    """A table whose rows become columns; its first column holds their names.

    A column of scores becomes a row: a block.
    """

    def __init__(self, table: DataTable, labels: str) -> None:
        of_columns = table.levels(labels)
        scored = [name for name in table.names if name != labels]
        self._set(
            levels(scored, what="the columns"),
            (labels, *of_columns.labels),
            np.stack([*table.scores_of(scored).values()], axis=0),
        )
        self.index_names = ()
        self.judged = table.judged
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
        part.judged = self.judged
        return part

    @property
    def notes(self) -> tuple[str, ...]:
        """Treatment of the numbers when they were read."""
        return self._notes

    def absent(self, name: str, *, besides: Collection[str]) -> NDArray[np.bool_]:
        """Return where a row that became a column has no score."""
        return np.isnan(self.numbers(name))

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

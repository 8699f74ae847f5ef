"""A table that is turned round: what was a row is a column."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from pycompare.data.table import Table
from pycompare.labels import Levels, levels, show
from pycompare.typing import Floats


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

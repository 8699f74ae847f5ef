"""What the columns of a table hold, before anybody states their meaning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pycompare.base.errors import InputError
from pycompare.data.emphasis import is_written_number
from pycompare.data.table import DataTable

_FIRST = 100
"""Cells of a column that are read before all."""


@dataclass(frozen=True)
class DataColumn:
    """One column of a table.

    Attributes
    ----------
    name : str
    numeric : bool
        Whether every cell is a finite number, or missing.
    n_levels, n_missing : int
        Different values, and missing cells.
    refusal : str
        Why its cells can be neither scores nor labels, if so.
    """

    name: str
    numeric: bool
    n_levels: int
    n_missing: int = 0
    refusal: str = ""


def columns(table: DataTable) -> tuple[DataColumn, ...]:
    """Describe all columns, in their order."""
    return tuple(column(table, name) for name in table.names)


def column(table: DataTable, name: str) -> DataColumn:
    """Describe one column: of numbers if all cells are, else of labels."""
    try:
        if table.n_rows > _FIRST:  # of labels the first ones end it soon
            table.taken(np.arange(_FIRST), (name,)).numbers(name)
        numbers = table.numbers(name)
    except InputError:  # not numbers: then they are labels, if anything
        return _labels(table, name)
    present = numbers[~np.isnan(numbers)]
    missing = int(numbers.size - present.size)
    return DataColumn(name, present.size > 0, int(np.unique(present).size), missing)


def _labels(table: DataTable, name: str) -> DataColumn:
    """Describe a column of labels, or state why it is none."""
    try:
        return DataColumn(name, False, len(table.levels(name).labels))
    except InputError as error:
        return DataColumn(name, False, 0, refusal=str(error))


def is_text(table: DataTable, name: str) -> bool:
    """Return whether a column has text alone: no cell is a number, however written."""
    try:
        table.numbers(name)
    except InputError:
        present = np.flatnonzero(~table.absent(name, besides=()))
        part = table.taken(present, (name,))
        try:
            return not any(map(is_written_number, part.levels(name).labels))
        except InputError:  # neither numbers nor labels: refused when it is read
            return False
    return False

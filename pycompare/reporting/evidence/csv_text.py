"""CSV text that no spreadsheet runs, and in which different labels stay different."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.tables import AnyTable, Columns, LabelColumn, MadeColumn, is_missing
from pycompare.base.typing import Floats

_EMPTY = '""'
_AS_WRITTEN = {"nan": "", "-0.0": "0.0"}
"""Numbers that are written otherwise than Python does: zero has no sign."""
_AT_ONCE = 10_000
"""Rows that are held as text at once."""
_OFTEN, _SOME = 4, 1000
"""Mean times that each number of a column comes, from which on it is written once, and
numbers at its beginning that show whether it may be so."""
_FORMULA = re.compile(r"[\s']*[=+\-@]")
_PLAIN = re.compile(r"\w[\w./-]*")
"""Characters written unchanged."""
_ALL_PLAIN = re.compile(r"\w[\w./-]*(?:\n\w[\w./-]*)*+")


def to_csv(table: AnyTable) -> str:
    """Return CSV text in which no cell is a formula for a spreadsheet.

    A label that begins with ``= + - @`` gets an apostrophe in front; results.json has
    the labels as they are.
    """
    if isinstance(table, Columns):
        return columns_csv([(name, table.as_stored(name)) for name in table])
    return columns_csv([(str(name), column.tolist()) for name, column in table.items()])


CsvColumn = Sequence[Any] | NDArray[Any] | LabelColumn | MadeColumn
"""Cells of a column, as a table has them or one by one."""


def columns_csv(columns: Sequence[tuple[str, CsvColumn]]) -> str:
    """Return columns as CSV text, numbers with all digits; names may repeat."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(
        [no_formula(name) for name, _ in columns]
    )
    n = max((len(values) for _, values in columns), default=0)
    for start in range(0, n, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        cells = _all_cells([_part(values, part) for _, values in columns])
        if len(cells) == 1:
            # A row of one empty cell would be an empty line, which is no row.
            cells = [[cell or _EMPTY for cell in cells[0]]]
        text.write("\n".join(map(",".join, zip(*cells, strict=True))))
        text.write("\n")
    return text.getvalue()


def no_formula(text: str) -> str:
    """Return text that a spreadsheet shows instead of running it.

    Different labels stay different: ``'=1`` gets one more apostrophe.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def as_label(cell: str) -> str:
    """Return the label that `no_formula` made a cell of."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell[1:]) else cell


def _part(values: CsvColumn, part: slice) -> Any:
    """Return some cells of a column."""
    if isinstance(values, LabelColumn | MadeColumn):
        return values.take(part)
    return values[part]


def _all_cells(columns: Sequence[Any]) -> list[Sequence[str]]:
    """Return columns as they are written; one that is there again is written once."""
    written: dict[bytes, Sequence[str]] = {}
    cells = []
    for column in columns:
        if not isinstance(column, np.ndarray) or column.dtype != np.float64:
            cells.append(_cells(column))
            continue
        # Of Holm's p-values there are two columns, and often of others.
        numbers = column.tobytes()
        if numbers not in written:
            written[numbers] = _numbers(column)
        cells.append(written[numbers])
    return cells


def _cells(column: Any) -> Sequence[str]:
    """Return a column as it is written; a missing number is empty."""
    if isinstance(column, LabelColumn):
        return [*map(_labels(column.names).__getitem__, column.codes.tolist())]
    values = column.tolist() if isinstance(column, np.ndarray) else column
    kinds = set(map(type, values))
    if kinds == {int}:
        return [*map(str, values)]
    if kinds == {float}:
        return _numbers(np.array(values))
    if kinds == {str}:
        return _labels(values)
    return list(map(_cell, values))


def _labels(values: Sequence[str]) -> Sequence[str]:
    """Return labels as they are written; most are plain, or written many times."""
    different = [*dict.fromkeys(values)]
    together = "\n".join(different)
    if _ALL_PLAIN.fullmatch(together) and together.count("\n") < len(different):
        return values
    written = dict(zip(different, map(_label, different), strict=True))
    return [*map(written.__getitem__, values)]


def _numbers(column: Floats) -> Sequence[str]:
    """Return numbers as they are written."""
    if np.isnan(column).all():
        return [""] * len(column)
    values = column.tolist()
    # Of right and wrong answers there are two numbers in millions of cells.
    some = values[:_SOME]
    if _OFTEN * len(set(some)) <= len(some):
        different = [*set(values)]
        if _OFTEN * len(different) <= len(values):
            cells = dict(zip(different, map(_cell, different), strict=True))
            return [*map(cells.__getitem__, values)]
    written = [*map(repr, values)]
    # Only these may be written otherwise than Python does.
    for at in np.flatnonzero(np.isnan(column) | (column == 0)).tolist():
        written[at] = _cell(values[at])
    return written


def _cell(value: Any) -> str:
    """Return a cell as it is written: numbers with all their digits."""
    if isinstance(value, str):
        return _label(value)
    if isinstance(value, int | float):
        cell = str(value)
        return _AS_WRITTEN.get(cell, cell)
    return "" if is_missing(value) else _quoted(str(value))


@lru_cache(maxsize=1 << 14)
def _label(value: str) -> str:
    """Return a label as it is written; most are written many times."""
    return value if _PLAIN.fullmatch(value) else _quoted(no_formula(value))


def _quoted(cell: str) -> str:
    """Return a cell in quotes, if it needs them."""
    text = io.StringIO()
    # Beside another cell an empty one needs none.
    csv.writer(text, lineterminator="\n").writerow([cell, ""])
    return text.getvalue()[: -len(",\n")]

"""How a file of text seems to be written: proposed to its owner, never assumed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import takewhile

from pycompare.base.errors import InputError
from pycompare.data.delimited import decoded
from pycompare.data.emphasis import unmarked
from pycompare.data.excel import tables_of
from pycompare.data.file_format import FileFormat
from pycompare.data.header import headed, proposed_header
from pycompare.data.reading.words import GROUPED
from pycompare.data.text_rows import BLANKS, TextRows, rows_of

_MOST_BYTES = 1_000_000
"""So much of a file is looked at."""
_MARKS = (",", ";", "\t", "|")
_WITH_POINT = re.compile(r"[+-]?\d*\.\d+(?:\s*%)?")
_WITH_COMMA = re.compile(r"[+-]?\d+,\d+(?:\s*%)?")
_PERCENT = re.compile(r"[+-]?[\d.,]+\s*%")


def proposed_format(content: bytes, ending: str, given: FileFormat) -> FileFormat:
    """Return how a file seems to be written; given values stay as they are.

    Parameters
    ----------
    content : bytes
        The whole file.
    ending : str
        With its point, in lower case.
    given : FileFormat
        Answers of its owner.
    """
    if ending == ".xlsx":
        return _of_workbook(content, given)
    try:
        text = decoded(_whole_lines(content))
    except InputError:  # refused with what is wrong when the file is read
        return given
    way = given.delimiter(ending)
    rows = _rows(text, way) if way else None
    if given.sep is None and (way is None or len(way) == 1):
        marks = [way, *_MARKS] if way else _MARKS
        n_even = {mark: _n_even(_rows(text, mark)) for mark in marks}
        best = max(n_even, key=lambda mark: n_even[mark])
        if not n_even[best]:
            if not _n_even(_rows(text, BLANKS)):
                return given
            best = BLANKS
        if best != way:
            way, rows = best, _rows(text, best)
            given = replace(given, sep="tab" if way == "\t" else way)
    if rows is None or not rows.cells:
        return given
    return _of_cells(rows, given, way)


def _whole_lines(content: bytes) -> bytes:
    """Return the first lines of a long file."""
    if len(content) <= _MOST_BYTES:
        return content
    return content[: content.rfind(b"\n", 0, _MOST_BYTES) + 1] or content


def _rows(text: str, way: str) -> TextRows | None:
    """Return the cells of a text; None if it is not separated like this."""
    try:
        return rows_of(text, way)
    except InputError:
        return None


def _n_even(rows: TextRows | None) -> int:
    """Return how many records have as many cells; 0 if more than a title has not."""
    if rows is None or len(rows.cells) < 2:
        return 0
    width = len(rows.cells[-1])
    same = takewhile(lambda cells: len(cells) == width, reversed(rows.cells))
    count = len([*same])
    return count if width > 1 and count >= max(2, len(rows.cells) - 5) else 0


def _of_cells(rows: TextRows, given: FileFormat, way: str | None) -> FileFormat:
    """Return the header, decimal mark and columns in percent of some cells."""
    if given.header is None:
        given = replace(given, header=proposed_header(rows))
    try:
        names, below, _ = headed(rows, given.header_lines)
    except InputError:
        return given
    if {*map(len, below.cells)} != {len(names)}:
        return given
    columns = [[*map(_bare, column)] for column in zip(*below.cells, strict=True)]
    with_comma = [c for column in columns for c in column if _WITH_COMMA.fullmatch(c)]
    marks = Counter(
        mark
        for column in columns
        for cell in column
        for mark, form in ((".", _WITH_POINT), (",", _WITH_COMMA))
        if form.fullmatch(cell)
    )
    groups = way == "," and all(map(GROUPED.fullmatch, with_comma))
    if marks[","] and not marks["."] and not groups:
        given = replace(given, decimal=",")
    percent = [n for n, cells in zip(names, columns, strict=True) if _in_percent(cells)]
    return replace(given, percent=(*(given.percent or ()), *percent))


def _bare(cell: str) -> str:
    """Return a cell without outer blanks, a number without emphasis."""
    return unmarked(cell.strip()) or cell.strip()


def _in_percent(cells: list[str]) -> bool:
    """Return whether all cells with a number have a percent sign; marks have none."""
    written = [cell for cell in cells if any(map(str.isdigit, cell))]
    return bool(written) and all(map(_PERCENT.fullmatch, written))


def _of_workbook(content: bytes, given: FileFormat) -> FileFormat:
    """Return the sheet that holds a table, if one does, and its header."""
    tables = tables_of(content)
    if given.sheet is None:
        wide = [name for name, rows in tables.items() if _has_scores(rows)]
        if len(tables) > 1 and len(wide) == 1:
            given = replace(given, sheet=wide[0])
    name = given.sheet or next(iter(tables), None)
    if name not in tables or given.header is not None:
        return given
    return replace(given, header=proposed_header(tables[name]))


def _has_scores(rows: TextRows) -> bool:
    """Return whether a sheet has a column of numbers, three at least."""
    columns = zip(*rows.cells, strict=True)
    number = re.compile(r"[+-]?\d*\.?\d+(?:[eE][+-]?\d+)?")
    return any(
        sum(bool(number.fullmatch(cell)) for cell in column) >= 3 for column in columns
    )

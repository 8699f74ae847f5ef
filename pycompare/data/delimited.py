"""Delimited text as a `Table`: labels exactly as written, scores by stated rules."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from copy import copy
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.data.percent import (
    IN_PERCENT,
    percent_hint,
    proportion,
    without_signs,
)
from pycompare.data.table import Table, refuse_cells, require_finite
from pycompare.errors import InputError, setting
from pycompare.labels import Levels, levels, require_unique_names, show

_MISSING_CELLS = ("", "NA", "NaN", "nan")
_TRUTH_VALUES = {"true": 1.0, "false": 0.0}

# What float() reads, less underscores, non-ASCII digits and names of NaN.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
# Most cells are of this form, which needs no second look.
_ORDINARY = re.compile(r"[+-]?(?:[0-9]{1,15}|[0-9]*\.[0-9]+)").fullmatch
_INTEGER = re.compile(r"[+-]?[0-9]+")
_SWAPPED = str.maketrans(",.", ".,")
_LIMIT = Lock()
_WITH_COMMA = "a number with another decimal mark"
"""Why a cell is no score; the hint then names the mark."""


class TextTable(Table):
    """Columns of text cells, and the line of the file on which each row begins.

    ``place`` is what such a line is called, ``decimal`` the decimal mark, ``sheet`` the
    sheet of a workbook.
    """

    def __init__(
        self,
        header: list[str],
        rows: list[list[str]],
        lines: list[int],
        *,
        place: str = "line",
        decimal: str = ".",
        percent: Collection[str] | None = None,
        sheet: str | None = None,
    ) -> None:
        self.names = tuple(header)
        self.n_rows = len(rows)
        self.percent = frozenset(percent or ())
        self.takes_percent = percent is not None
        columns = zip(*rows, strict=True) if rows else ((),) * len(header)
        self._columns = dict(zip(header, columns, strict=True))
        self._lines = lines
        self._place = place
        self._decimal = decimal
        self._sheet = sheet
        self._read: dict[str, NDArray[np.float64]] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was declared of the numbers, and the sheet they come from."""
        sheet = () if self._sheet is None else (f"sheet {show(self._sheet)}",)
        return (*sheet, *super().notes)

    def row(self, index: int) -> str:
        """Name a row by the line on which it begins."""
        return f"{self._place} {self._lines[index]}"

    def taken(self, rows: NDArray[np.intp], names: Collection[str]) -> TextTable:
        """Return some rows and columns; rows keep the names that they have here."""
        part = copy(self)
        part.names = tuple(name for name in self.names if name in names)
        part.n_rows = len(rows)
        part.percent = self.percent & set(part.names)
        part._read = {}
        part._lines = [self._lines[i] for i in rows]
        part._columns = {
            name: tuple(self._columns[name][i] for i in rows) for name in part.names
        }
        return part

    def levels(self, name: str) -> Levels:
        """Read labels exactly as they are written."""
        return levels(self._columns[name], what=f"column {show(name)}", row=self.row)

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Read scores: a plain decimal number, or an empty cell, NA, NaN, nan.

        Each column is read once; the array is read-only.
        """
        if name not in self._read or self.missing_marks:
            self._read[name] = self._parsed(name)
            self._read[name].setflags(write=False)
        return self._read[name]

    def _parsed(self, name: str) -> NDArray[np.float64]:
        """Return the cells of a column as numbers."""
        read = [self._with_point(cell.strip(" \t")) for cell in self._columns[name]]
        if self.missing_marks:
            read = ["" if self.is_missing(name, cell) else cell for cell in read]
        cells = without_signs(read, name, self) if name in self.percent else read
        bad = [
            (i, self._columns[name][i], why)
            for i, cell in enumerate(cells)
            if not _ORDINARY(cell) and (why := not_a_score(cell))
        ]
        if bad:
            refuse_cells(bad, name, self, self._hint(bad[0][2], name))
        as_number = proportion if name in self.percent else float
        numbers = [
            np.nan if cell in _MISSING_CELLS else as_number(cell) for cell in cells
        ]
        return require_finite(np.array(numbers, dtype=np.float64), name, self)

    def truth_values(self, name: str) -> NDArray[np.float64] | None:
        """Read true and false, in letters of any case, as 1 and 0."""
        if name in self.percent:
            return None
        read = np.full(self.n_rows, np.nan)
        for i, written in enumerate(self._columns[name]):
            cell = written.strip(" \t")
            if cell in _MISSING_CELLS:
                continue
            value = _TRUTH_VALUES.get(cell.casefold())
            if value is None:
                return None
            read[i] = value
        return None if np.isnan(read).all() else read

    def has_digits(self, name: str) -> bool:
        """Return whether any cell of a column has a digit."""
        return any(any(map(str.isdigit, cell)) for cell in self._columns[name])

    def _with_point(self, cell: str) -> str:
        """Return a number with a decimal point; one with a point becomes none."""
        return cell.translate(_SWAPPED) if self._decimal == "," else cell

    def _hint(self, why: str, name: str) -> str:
        """Say what to do about cells that are no scores."""
        if why == IN_PERCENT:
            return percent_hint(name, self)
        if why == _WITH_COMMA and self._decimal == "." and self._place == "line":
            return (
                "write a decimal point, or declare the decimal comma ("
                + setting("decimal", ",")
                + ")"
            )
        mark = "comma" if self._decimal == "," else "point"
        return (
            f"write a number with a decimal {mark} and without separators, and leave a "
            "missing score empty (or NA, NaN, nan)"
        )


def parse(
    content: bytes,
    delimiter: str,
    *,
    decimal: str = ".",
    percent: Collection[str] | None = None,
) -> TextTable:
    """Parse delimited text.

    Parameters
    ----------
    content : bytes
        UTF-8, with or without a byte-order mark.
    delimiter : str
        One character; it is never guessed from the content.
    decimal : {".", ","}
        Decimal mark of scores.
    percent : collection of str, optional
        Columns in percent, with or without percent signs; None where a caller cannot
        declare them.

    Raises
    ------
    InputError
        If the text is empty, is not UTF-8, has another delimiter, a column
        name twice, or a row with more or fewer cells than the header.
    """
    rows, lines = _records(_decode(content), delimiter)
    if not rows:
        raise InputError("the file is empty; its first line must name the columns")
    return table_of(rows, lines, delimiter, decimal=decimal, percent=percent)


def table_of(
    rows: list[list[str]], lines: list[int], delimiter: str, **how: Any
) -> TextTable:
    """Make a table of cells, the first row being its header; refuse ragged rows."""
    _require_header(rows[0], delimiter)
    _require_lengths(rows, lines, delimiter)
    return TextTable(rows[0], rows[1:], lines[1:], **how)


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")
        raise InputError(
            f"the file is not UTF-8 (byte {error.start + 1}, line {line}"
            f"{', it looks like UTF-16' if utf16 else ''}); save it as UTF-8"
        ) from error


def _records(text: str, delimiter: str) -> tuple[list[list[str]], list[int]]:
    """Cells of each record, less blank lines at the end, and where it begins."""
    rows: list[list[str]] = []
    lines: list[int] = []
    line = 1
    with _long_fields(len(text)):
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter=delimiter, strict=True
        )
        try:
            for cells in reader:
                rows.append(cells)
                lines.append(line)
                line = reader.line_num + 1
        except csv.Error as error:
            raise InputError(f"line {line}: {error}; check the quotes") from error
    while rows and not rows[-1]:
        rows.pop()
        lines.pop()
    return rows, lines


@contextmanager
def _long_fields(length: int) -> Iterator[None]:
    """Let the csv module read a field of any length; its limit is a global."""
    with _LIMIT:
        before = csv.field_size_limit(max(length, csv.field_size_limit()))
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _require_header(header: list[str], delimiter: str) -> None:
    if len(header) == 1:
        others = [mark for mark in (";", "\t", ",", "|") if mark in header[0]]
        if others and delimiter not in header[0]:
            marks = " or ".join(map(repr, others))
            words = ["tab" if mark == "\t" else mark for mark in others]
            raise InputError(
                f"the header has one column, {show(header[0])}: the cells seem to be "
                f"separated by {marks} and not by {delimiter!r}; declare it: "
                + setting("sep", words[0] if len(words) == 1 else ...)
            )
    require_unique_names(header)


def _require_lengths(rows: list[list[str]], lines: list[int], delimiter: str) -> None:
    width = len(rows[0])
    if set(map(len, rows)) == {width}:
        return
    bad = next(i for i, cells in enumerate(rows) if len(cells) != width)
    raise InputError(
        f"line {lines[bad]} has {len(rows[bad])} cells where the header has {width}: "
        f"{show(delimiter.join(rows[bad]))}"
    )


def not_a_score(cell: str) -> str | None:
    """Say why a cell cannot be a score; None if it can, or is missing."""
    if NUMBER.fullmatch(cell):
        return None if _is_exact(cell) else "an integer that float64 cannot hold"
    # Infinite scores are refused later, under their own name.
    if cell in _MISSING_CELLS or _INFINITE.fullmatch(cell):
        return None
    if NUMBER.fullmatch(cell.removesuffix("%").rstrip()):
        return IN_PERCENT
    # Of a file with decimal commas this is a number with a decimal point.
    point = cell.removesuffix("%").rstrip().replace(",", ".")
    return _WITH_COMMA if NUMBER.fullmatch(point) else "text"


def _is_exact(cell: str) -> bool:
    # 400 digits are more than the largest float, and so infinite.
    if len(cell) >= 400 or not _INTEGER.fullmatch(cell):
        return True
    value = float(cell)
    return math.isinf(value) or int(value) == int(cell)

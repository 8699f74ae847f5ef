"""Delimited text as a `DataTable`: labels as written, scores by stated rules."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from copy import copy
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import (
    Levels,
    levels,
    readable,
    require_unique_names,
    show,
    show_all,
)
from pycompare.data.compressed import by_bytes
from pycompare.data.emphasis import has_spread, unmarked, without_spread
from pycompare.data.header import (
    headed,
    header_hint,
    proposed_header,
    refuse_ragged,
    unnamed_last,
)
from pycompare.data.percent import (
    IN_PERCENT,
    percent_hint,
    proportion,
    without_signs,
)
from pycompare.data.table import DataTable, refuse_cells, require_finite
from pycompare.data.text_rows import TextRows, rows_of

_MISSING_CELLS = ("", "NA", "NaN", "nan")
_TRUTH_VALUES = {"true": 1.0, "false": 0.0}

# What float() reads, less underscores, non-ASCII digits and names of NaN.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
# Most cells are of this form, which needs no second look.
_ORDINARY = re.compile(r"[+-]?(?:[0-9]{1,15}|[0-9]*\.[0-9]+)").fullmatch
_ALL_ORDINARY = re.compile(
    r"(?:[+-]?(?:[0-9]*\.[0-9]+|[0-9]{1,15})(?:\n(?!\Z)|\Z))++"
).fullmatch
_INTEGER = re.compile(r"[+-]?[0-9]+")
_SWAPPED = str.maketrans(",.", ".,")
_WITH_COMMA = "a number with another decimal mark"
"""Why a cell is no score; the hint then names the mark."""


class TextTable(DataTable):
    """Columns of text cells, and the line of the file on which each row begins.

    Parameters
    ----------
    header : list of str
    rows : TextRows
    place : str
        Name of a line.
    decimal : {".", ","}
    percent : collection of str or None
        Columns in percent; None if a caller cannot declare them.
    sheet : str or None
        Sheet of a workbook.
    spread : {"ignored"} or None
        Treatment of a spread beside a score.
    named_above : bool
        Whether the first line names the columns because nothing else is declared.
    written : sequence of str
        Treatment of lines and columns, for the report.
    """

    def __init__(
        self,
        header: list[str],
        rows: TextRows,
        *,
        place: str = "line",
        decimal: str = ".",
        percent: Collection[str] | None = None,
        sheet: str | None = None,
        spread: str | None = None,
        named_above: bool = True,
        written: Collection[str] = (),
    ) -> None:
        self.names = tuple(header)
        self.n_rows = len(rows.cells)
        self.percent = frozenset(percent or ())
        self.takes_percent = percent is not None
        self.named_above = named_above
        self._columns = {
            name: tuple(map(itemgetter(at), rows.cells))
            for at, name in enumerate(header)
        }
        self._lines: list[Any] = [*rows.lines]
        self._place = place
        self._decimal = decimal
        self._sheet = sheet
        self._spread = spread
        self._written = tuple(written)
        self._read: dict[str, NDArray[np.float64]] = {}
        self._labels: dict[str, Levels] = {}
        self._marked: dict[str, int] = {}
        self._spreads: dict[str, int] = {}

    @classmethod
    def together(cls, name: str, parts: Sequence[tuple[str, TextTable]]) -> TextTable:
        """Put tables with one header below each other.

        ``name`` is a further column that states which of them a row is of, unless they
        have it.

        Raises
        ------
        InputError
            If their columns differ.
        """
        source, first = parts[0]
        for other, table in parts:
            if table.names != first.names:
                raise InputError(
                    f"{readable(other)}: its columns are {show_all(table.names)}, and "
                    f"those of {readable(source)} {show_all(first.names)}; the tables "
                    "of a folder have one header"
                )
        whole = copy(first)
        whole.n_rows = sum(table.n_rows for _, table in parts)
        whole._read, whole._marked, whole._spreads, whole._labels = {}, {}, {}, {}
        whole._columns = {
            own: tuple(c for _, table in parts for c in table._columns[own])
            for own in first.names
        }
        whole._lines = [
            f"{line} of {readable(other)}"
            for other, table in parts
            for line in table._lines
        ]
        if name not in first.names:
            whole.names = (*first.names, name)
            whole._columns[name] = tuple(
                other for other, table in parts for _ in range(table.n_rows)
            )
        return whole

    @property
    def notes(self) -> tuple[str, ...]:
        """Declarations about the numbers, and the sheet they come from."""
        sheet = () if self._sheet is None else (f"sheet {show(self._sheet)}",)
        told = [*sheet, *self._written]
        if count := sum(self._marked.values()):
            told.append(f"marks of emphasis taken off {counted(count, 'score')}")
        if count := sum(self._spreads.values()):
            told.append(f"spread beside {counted(count, 'score')} ignored, as declared")
        return (*told, *super().notes)

    def row(self, index: int) -> str:
        """Name a row by the line on which it begins."""
        return f"{self._place} {self._lines[index]}"

    def taken(self, rows: NDArray[np.intp], names: Collection[str]) -> TextTable:
        """Return some rows and columns; rows keep their names here."""
        part = copy(self)
        part.names = tuple(name for name in self.names if name in names)
        part.n_rows = len(rows)
        part.percent = self.percent - (set(self.names) - set(part.names))
        part._read, part._marked, part._spreads, part._labels = {}, {}, {}, {}
        part._lines = [self._lines[i] for i in rows]
        part._columns = {
            name: tuple(self._columns[name][i] for i in rows) for name in part.names
        }
        return part

    def levels(self, name: str) -> Levels:
        """Read labels as they are written, without outer blanks."""
        if name not in self._labels:
            self._labels[name] = self._levels(name)
        return self._labels[name]

    def _levels(self, name: str) -> Levels:
        """Check each label once: a million rows have few."""
        cells = self._columns[name]
        distinct = dict.fromkeys(cells)
        of_distinct = levels(
            [cell.strip() for cell in distinct],
            what=f"column {show(name)}",
            row=lambda at: self.row(cells.index([*distinct][at])),
        )
        if len(distinct) == len(cells):
            return of_distinct
        code = dict(zip(distinct, of_distinct.codes.tolist(), strict=True))
        codes = np.fromiter(map(code.__getitem__, cells), np.intp, len(cells))
        return Levels(of_distinct.labels, codes)

    def absent(self, name: str, *, besides: Collection[str]) -> NDArray[np.bool_]:
        """Return which cells are empty, NA, NaN, nan or declared to be missing."""
        cells = [cell.strip() for cell in self._columns[name]]
        gone = [
            not cell
            or (cell not in besides and cell in _MISSING_CELLS)
            or self.is_missing(name, cell)
            for cell in cells
        ]
        return np.array(gone, bool)

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
        plain = self._plain_numbers(name)
        if plain is not None:
            return plain
        read, counts = self._scores_as_text(name)
        cells = without_signs(read, name, self) if name in self.percent else read
        bad: list[tuple[int, object, str]] = [
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
        self._marked[name], self._spreads[name] = counts["marked"], counts["spread"]
        return require_finite(np.array(numbers, dtype=np.float64), name, self)

    def _plain_numbers(self, name: str) -> NDArray[np.float64] | None:
        """Return a column in which every cell is a plain number; None of any other."""
        if self.missing_marks or self._decimal != "." or name in self.percent:
            return None
        column = self._columns[name]
        if not _ALL_ORDINARY("\n".join(column)):
            return None
        try:
            numbers = np.fromiter(map(float, column), np.float64, len(column))
        except ValueError:  # a line end within a cell
            return None
        self._marked[name] = self._spreads[name] = 0
        return require_finite(numbers, name, self)

    def _scores_as_text(self, name: str) -> tuple[list[str], Counter[str]]:
        """Return cells less emphasis and ignored spreads, with counts of both."""
        read = []
        counts: Counter[str] = Counter()
        for written in self._columns[name]:
            cell = written.strip(" \t")
            if self.missing_marks and self.is_missing(name, cell):
                cell = ""
            elif not _ORDINARY(cell) and cell not in _MISSING_CELLS:
                if (bare := unmarked(cell)) is not None:
                    cell = bare
                    counts["marked"] += 1
                if self._spread and (score := without_spread(cell)) is not None:
                    cell = score
                    counts["spread"] += 1
            read.append(self._with_point(cell))
        return read, counts

    def odd_cells(self, name: str) -> list[tuple[int, str]]:
        """Return rows and texts that stand among scores: spreads, and no numbers.

        None if most cells are such texts: then it is a column of labels. A text with
        digits is a number that is written wrongly, which ``numbers`` rejects.
        """
        read, _ = self._scores_as_text(name)
        if name in self.percent:
            read = [cell.removesuffix("%").rstrip() for cell in read]
        odd = [
            (row, self._columns[name][row].strip(" \t"))
            for row, cell in enumerate(read)
            if not _ORDINARY(cell) and not_a_score(cell) == "text"
        ]
        n_present = sum(cell not in _MISSING_CELLS for cell in read)
        spreads = [(row, cell) for row, cell in odd if has_spread(cell)]
        if 2 * (len(odd) - len(spreads)) >= n_present:
            return []
        marks = [(row, c) for row, c in odd if not any(map(str.isdigit, c))]
        return sorted(spreads + marks)

    def headers_again(self) -> tuple[int, ...]:
        """Return rows that repeat the names of the columns, as joined files do."""
        first, *others = self.names
        return tuple(
            row
            for row, cell in enumerate(self._columns[first])
            if cell.strip() == first
            and all(self._columns[name][row].strip() == name for name in others)
        )

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
        """Return what to do about cells that are no scores."""
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
    way: str,
    *,
    header: tuple[int, ...] | None = None,
    **how: Any,
) -> TextTable:
    """Parse a table of text.

    Parameters
    ----------
    content : bytes
        UTF-8, with or without a byte-order mark.
    way : str
        How cells are separated, as ``rows_of`` takes it; it is never guessed.
    header : tuple of int or None
        Lines that name the columns; () for none, None for the first one.
    **how
        As `TextTable` takes it.

    Raises
    ------
    InputError
        If the text is empty, is not UTF-8, has another delimiter, a column
        name twice, or a row with more or fewer cells than the header.
    """
    rows = rows_of(decoded(content), way)
    if not rows.cells:
        raise InputError("the file is empty; its first line must name the columns")
    return table_of(rows, way, header=header, **how)


def table_of(
    rows: TextRows,
    way: str,
    *,
    header: tuple[int, ...] | None = None,
    place: str = "line",
    notes: tuple[str, ...] = (),
    **how: Any,
) -> TextTable:
    """Make a table of cells; reject ragged rows and names that do not differ.

    ``notes`` list the changes to cells before.
    """
    if header is None:
        _require_header(rows, way)
    names, below, written = headed(rows, header, place)
    if rows.n_blank:
        written += (f"{counted(rows.n_blank, f'blank {place}')} left out",)
    hint = header_hint(rows) if header is None else ""
    if not hint or len({*names}) == len(names):
        refuse_ragged(below, len(names), place, way if len(way) == 1 else " ", hint)
    written += unnamed_last(names, below)
    try:
        require_unique_names(names)
    except InputError as error:
        raise InputError(error.message + hint) from None
    return TextTable(
        names,
        below,
        place=place,
        named_above=header is None,
        written=(*notes, *written),
        **how,
    )


def decoded(content: bytes) -> str:
    """Return a text that is UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        if kind := by_bytes(content):
            raise InputError(
                f"the file is {kind}, whatever its ending; give a table, such as "
                "a .csv file"
            ) from error
        utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")
        raise InputError(
            f"the file is not UTF-8 (byte {error.start + 1}, line {line}"
            f"{', it looks like UTF-16' if utf16 else ''}); save it as UTF-8"
        ) from error


def _require_header(rows: TextRows, way: str) -> None:
    """Reject a header of one column in which another separator stands."""
    header = rows.cells[0]
    if len(header) != 1 or len(way) != 1 or proposed_header(rows):
        return
    others = [mark for mark in (";", "\t", ",", "|") if mark in header[0]]
    if others and way not in header[0]:
        marks = " or ".join(map(repr, others))
        words = ["tab" if mark == "\t" else mark for mark in others]
        raise InputError(
            f"the header has one column, {show(header[0])}: the cells seem to be "
            f"separated by {marks} and not by {way!r}; declare it: "
            + setting("sep", words[0] if len(words) == 1 else ...)
        )


def not_a_score(cell: str) -> str | None:
    """Return the reason why a cell cannot be a score; None if it can, or is missing."""
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

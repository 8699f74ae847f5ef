"""Sheets of .xlsx files as tables of text cells; needs openpyxl (the extra excel)."""

from __future__ import annotations

import io
import zlib
from collections.abc import Collection, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from pycompare.base.errors import InputError, refused, setting
from pycompare.base.labels import label_text, nearest, show, show_all
from pycompare.data.delimited import TextTable, table_of
from pycompare.data.emphasis import is_written_number
from pycompare.data.header import headed
from pycompare.data.text_rows import TextRows, without_blank

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook


def read_sheet(
    content: bytes,
    *,
    sheet: str | None = None,
    percent: Collection[str] | None = None,
    header: tuple[int, ...] | None = None,
) -> TextTable:
    """Read one sheet: its first row names the columns.

    Parameters
    ----------
    content : bytes
        An .xlsx file.
    sheet : str, optional
        Name of the sheet; may be left out if only one sheet has cells.
    percent : collection of str, optional
        Columns in percent. A cell that is formatted as a percentage holds a proportion
        (0.95 is shown as 95%) and is taken for one, declared or not.
    header : tuple of int or None
        Rows that name the columns; () for none, None for the first one.

    Raises
    ------
    InputError
        If openpyxl is not installed, the file is no .xlsx file, has several sheets or
        not this one, or a formula was never computed.
    """
    shown, written = _workbook(content, data_only=True), _workbook(content)
    name = _chosen(shown, sheet)
    _require_computed(shown[name], written[name])
    rows = _filled(shown[name])
    numbers = list(range(1, len(rows) + 1))
    names = headed(
        TextRows([[_text(c) for c in r] for r in rows], numbers), header, "row"
    )
    signed = [column in (percent or ()) for column in names.names]
    cells = [[_text(c, s) for c, s in zip(r, signed, strict=True)] for r in rows]
    first = max((1,) if header is None else header, default=0) + 1
    filled = [*_fill_merged(cells, shown[name], first)]
    told = (f"merged cells filled: {', '.join(filled)}",) if filled else ()
    return table_of(
        without_blank(TextRows(cells, numbers)), ",", header=header, place="row",
        percent=percent, sheet=name, notes=told,
    )  # fmt: skip


def _fill_merged(cells: list[list[str]], sheet: Any, first: int) -> Iterator[str]:
    """Write labels that are merged over rows into each of these; yield their places.

    From row ``first`` on. A number beside the first column is no label: repeated, it
    would be a score that nobody wrote.
    """
    for area in sorted(sheet.merged_cells.ranges, key=lambda area: area.bounds):
        left, top, _, bottom = area.bounds
        if top < first or bottom == top or top > len(cells):
            continue
        label = cells[top - 1][left - 1] if left <= len(cells[0]) else ""
        if not label or (left > 1 and is_written_number(label)):
            continue
        for row in cells[top:bottom]:
            if any(row):
                row[left - 1] = label
        yield area.coord


def tables_of(content: bytes) -> dict[str, TextRows]:
    """Return the cells of each sheet that has any, by name."""
    book = _workbook(content, data_only=True)
    tables = {}
    for sheet in book.worksheets:
        if _has_cells(sheet):
            cells = [[_text(cell) for cell in row] for row in _filled(sheet)]
            rows = TextRows(cells, list(range(1, len(cells) + 1)))
            tables[sheet.title] = without_blank(rows)
    return tables


def _filled(sheet: Any) -> list[list[Any]]:
    """Return the cells of a sheet up to the last row and column with a value."""
    rows = [list(row) for row in sheet.iter_rows()]
    rows = [row[: _width(rows)] for row in rows]
    while rows and not any(cell.value is not None for cell in rows[-1]):
        rows.pop()
    return rows


def _workbook(content: bytes, *, data_only: bool = False) -> Workbook:
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError as error:
        raise InputError(
            ".xlsx files need openpyxl: pip install openpyxl, or save the sheet as .csv"
        ) from error
    with refused(
        "this is not a readable .xlsx file",
        *(BadZipFile, InvalidFileException, KeyError, OSError, SyntaxError),
        *(ValueError, TypeError, EOFError, zlib.error),
    ):
        return load_workbook(io.BytesIO(content), data_only=data_only)


def _chosen(book: Workbook, sheet: str | None) -> str:
    names = [worksheet.title for worksheet in book.worksheets]
    if sheet is not None:
        if sheet not in names:
            raise InputError(
                setting("sheet", sheet)
                + f": there is no such sheet{nearest(sheet, names)}; there are "
                f"{show_all(names)}"
            )
        filled = [sheet] * _has_cells(book[sheet])
    else:
        filled = [
            worksheet.title for worksheet in book.worksheets if _has_cells(worksheet)
        ]
    if not filled:
        raise InputError("the sheet is empty; its first row must name the columns")
    if len(filled) > 1:
        raise InputError(
            f"the file has {len(filled)} sheets with cells, {show_all(filled)}; name "
            "one (" + setting("sheet", ...) + ")"
        )
    return filled[0]


def _has_cells(sheet: Any) -> bool:
    return any(value is not None for row in sheet.values for value in row)


def _require_computed(shown: Any, written: Any) -> None:
    """Reject formulas without a stored value: openpyxl computes nothing."""
    for row in written.iter_rows():
        for cell in row:
            if cell.data_type == "f" and shown[cell.coordinate].value is None:
                raise InputError(
                    f"cell {cell.coordinate} holds the formula {show(cell.value)} "
                    "without a computed value; open the file in a spreadsheet program "
                    "and save it, or replace formulas by their values"
                )


def _width(rows: list[list[Any]]) -> int:
    """Return the number of columns up to the last one with a cell."""
    return max(
        (i + 1 for row in rows for i, cell in enumerate(row) if cell.value is not None),
        default=0,
    )


def _text(cell: Any, signed: bool = False) -> str:
    """Write a cell as text that reads back as the same number or label."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if not isinstance(value, int | float) or isinstance(value, bool):
        return str(value)
    shown_in_percent = "%" in str(cell.number_format)
    if signed and shown_in_percent:
        return f"{Decimal(repr(value)).scaleb(2)}%"
    return label_text(value)

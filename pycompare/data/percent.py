"""Columns that are declared to be in percent, with or without percent signs."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pycompare.base.errors import InputError, Message, setting
from pycompare.base.formatting.counts import counted, have
from pycompare.base.labels import show
from pycompare.data.table import DataTable

ALL = "all"
"""Stands for all columns of scores, if no column is called so."""
IN_PERCENT = "a percentage"
"""Why a cell is no score if its column is not declared in percent."""


def percent_hint(name: str, table: DataTable) -> Message:
    """Return what to do about percent signs."""
    if not table.takes_percent:
        return Message("write the numbers without percent signs")
    return (
        "write all values in one unit without percent signs, or all in percent and "
        "declare the column in percent (" + setting("percent", (name,)) + ")"
    )


def proportion(number: str) -> float:
    """Return a percentage as a proportion: the float nearest to '95.1' / 100."""
    # Dividing floats would round twice. Infinite ones are refused under that name.
    return float(Decimal(number).scaleb(-2))


def without_signs(cells: Sequence[str], name: str, table: DataTable) -> list[str]:
    """Take percent signs off a column in percent: all its cells have one, or none.

    Raises
    ------
    InputError
        If some have one and others do not: these may be proportions.
    """
    signed = [i for i, cell in enumerate(cells) if cell.endswith("%")]
    bare = [i for i, cell in enumerate(cells) if _ends_a_number(cell)]
    if signed and bare:
        raise InputError(
            f"column {show(name)}: {_counted(signed, cells, table)} a percent sign and "
            f"{_counted(bare, cells, table)} none; write all values in percent, or none"
        )
    return [_unsigned(cell) for cell in cells]


def _unsigned(cell: str) -> str:
    """Take the sign off a number; 'nan%' is kept, and rejected as text."""
    number = cell.removesuffix("%").rstrip()
    return number if _ends_a_number(number) else cell


def _ends_a_number(cell: str) -> bool:
    return cell[-1:].isdigit() or cell.endswith(".")


def _counted(rows: list[int], cells: Sequence[str], table: DataTable) -> str:
    first = f"first {table.row(rows[0])}: {show(cells[rows[0]])}"
    return f"{counted(len(rows), 'value')} ({first}) {have(len(rows))}"

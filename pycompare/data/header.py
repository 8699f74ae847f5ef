"""Which lines of a table of text name its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show
from pycompare.data.file_format import NO_HEADER
from pycompare.data.text_rows import TextRows

_DEEPEST = 10
"""A header that is looked for begins among so many records."""
_NUMBER = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?\s*%?")


class Headed(NamedTuple):
    """Names of columns, the records below them, and the report's note about them."""

    names: list[str]
    rows: TextRows
    notes: tuple[str, ...]


def headed(
    rows: TextRows, lines: tuple[int, ...] | None, place: str = "line"
) -> Headed:
    """Return the records of a table below the lines that name its columns.

    Parameters
    ----------
    rows : TextRows
        At least one record.
    lines : tuple of int, or None
        As declared; () for none, None if nothing is declared: the first record.
    place : str
        Name of a line.

    Raises
    ------
    InputError
        If no record begins on such a line.
    """
    if lines == ():
        width = len(rows.cells[0])
        names = [f"column {i + 1}" for i in range(width)]
        return Headed(names, rows, ("no header: columns are numbered",))
    at = [0] if lines is None else [_record(rows, line, place) for line in lines]
    if at != sorted(set(at)):
        raise InputError(
            setting("header", " ".join(map(str, lines or ())))
            + ": give the lines in their order, each once"
        )
    names = _joined([rows.cells[i] for i in at])
    below = TextRows(rows.cells[at[-1] + 1 :], rows.lines[at[-1] + 1 :])
    left = [i for i in range(at[-1]) if i not in at and any(rows.cells[i])]
    notes = [f"{place} {rows.lines[i]} above the header left out" for i in left]
    return Headed(names, below, tuple(notes))


def _record(rows: TextRows, line: int, place: str) -> int:
    """Return which record begins on a line."""
    if line not in rows.lines:
        raise InputError(
            setting("header", str(line))
            + f": no row of the table begins on {place} {line}; the first ones begin "
            f"on {', '.join(map(str, rows.lines[:3]))}"
        )
    return rows.lines.index(line)


def _joined(headers: Sequence[Sequence[str]]) -> list[str]:
    """Return one name for each column; an empty cell takes what stands left of it."""
    if len(headers) == 1:
        return [name.strip() for name in headers[0]]
    *upper, last = headers
    names = [[name.strip()] for name in last]
    for header in reversed(upper):
        above = ""
        for at, cell in enumerate(header[: len(names)]):
            above = cell.strip() or above
            if above:
                names[at].insert(0, above)
    return ["/".join(filter(None, parts)) for parts in names]


def proposed_header(rows: TextRows) -> str | None:
    """Return the lines that seem to name the columns; None if it is the first one."""
    if not rows.cells or _names_columns(rows.cells, 0):
        return None
    if _repeats_scores(rows.cells):
        return NO_HEADER
    first = [cell for cell in rows.cells[0] if cell.strip()]
    if len(first) > 1 and _two_lines(rows.cells, 0) and not rows.cells[1][0].strip():
        return f"{rows.lines[0]} {rows.lines[1]}"
    places = range(min(_DEEPEST, len(rows.cells) - 1))
    for at in places[1:]:
        if _names_columns(rows.cells, at) and not any(map(_is_number, rows.cells[at])):
            return str(rows.lines[at])
    for at in places:
        if _two_lines(rows.cells, at):
            return f"{rows.lines[at]} {rows.lines[at + 1]}"
    return None


def _names_columns(cells: Sequence[Sequence[str]], at: int) -> bool:
    """Return whether a record can name the columns of those that follow."""
    header = [cell.strip() for cell in cells[at]]
    below = cells[at + 1 :]
    if len(header) < 2 or not below or {*map(len, below)} != {len(header)}:
        return False
    return _differ(header) and not _second_line(header, below[0])


def _repeats_scores(cells: Sequence[Sequence[str]]) -> bool:
    """Return whether the first record is one of scores, two of them equal: no names."""
    numbers = [cell.strip() for cell in cells[0] if _is_number(cell)]
    equal = len({*numbers}) < len(numbers)
    return equal and len(numbers) >= len(cells[0]) - 2 and len({*map(len, cells)}) == 1


def _differ(names: Sequence[str]) -> bool:
    """Return whether names differ; an index, or an empty last column, has none."""
    inner = [name for at, name in enumerate(names) if name or 0 < at < len(names) - 1]
    return len({*inner}) == len(inner) and "" not in inner


def _second_line(header: Sequence[str], row: Sequence[str]) -> bool:
    """Return whether the row below a header is no row of scores but names, too."""
    if any(map(_is_number, row)):
        return False
    return all(row) if header[0] == "" else row[0] == "" and all(row[1:])


def _two_lines(cells: Sequence[Sequence[str]], at: int) -> bool:
    """Return whether a record and the next one name the columns together."""
    if at + 2 >= len(cells):
        return False
    pair, below = cells[at : at + 2], cells[at + 2 :]
    widths = {*map(len, pair), *map(len, below)}
    if len(widths) != 1 or widths == {1} or any(map(_is_number, [*pair[0], *pair[1]])):
        return False
    names = _joined(pair)
    return len({*names}) == len(names) and "" not in names


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell.strip()))


def header_hint(rows: TextRows) -> str:
    """Return which lines seem to be the header, if another than the first one does."""
    lines = proposed_header(rows)
    if lines is None:
        return ""
    if lines == NO_HEADER:
        return "; the first line seems to be no header: " + setting("header", lines)
    return f"; the names of the columns seem to stand on line {lines}: " + setting(
        "header", lines
    )


def as_decimal(name: str) -> float | None:
    """Return a name that is a decimal number, as scores are; None for any other."""
    text = name.strip().removesuffix("%").rstrip().replace(",", ".")
    if not _is_number(name) or "." not in text or text.count(".") > 1:
        return None
    return float(text)


def refuse_ragged(rows: TextRows, width: int, place: str, sep: str, hint: str) -> None:
    """Reject a record with more or fewer cells than the header; ``hint`` ends it.

    Raises
    ------
    InputError
    """
    if set(map(len, rows.cells)) <= {width}:
        return
    bad = next(i for i, cells in enumerate(rows.cells) if len(cells) != width)
    raise InputError(
        f"{place} {rows.lines[bad]} has {len(rows.cells[bad])} cells where the header "
        f"has {width}: {show(sep.join(rows.cells[bad]))}" + hint
    )


def unnamed_last(names: list[str], rows: TextRows) -> tuple[str, ...]:
    """Take off a last column without name and cells; return a note of it."""
    if len(names) < 2 or names[-1] or any(cells[-1].strip() for cells in rows.cells):
        return ()
    names.pop()
    for cells in rows.cells:
        cells.pop()
    return ("a last column without name and cells left out",)

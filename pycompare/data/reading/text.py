"""Doubts about cells as they are written: header, marks, spreads."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show, show_all
from pycompare.data.emphasis import has_spread
from pycompare.data.file_format import NO_HEADER
from pycompare.data.header import as_decimal
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Seen
from pycompare.data.roles import RoleColumns
from pycompare.data.table import DataTable

_MOST_NAMED = 5


def header(seen: Seen) -> Iterator[Doubt]:
    """Yield a first line that holds scores, if it is taken for names."""
    named = {name: as_decimal(name) for name in seen.table.names}
    if not seen.table.named_above or not any(v is not None for v in named.values()):
        return
    scores: list[str] = []
    for name, value in named.items():
        try:
            below = seen.table.numbers(name)
        except InputError:  # labels, in which any name is one
            continue
        if value is None or not _is_among(value, below):
            return
        scores.append(name)
    if scores:
        yield Doubt(
            "header",
            f"the first line names the columns, and holds numbers: {show_all(scores)}",
            change="it is no header: " + setting("header", NO_HEADER),
        )


def _is_among(value: float, below: np.ndarray) -> bool:
    """Return whether a number is like those of a column."""
    if np.isnan(below).all():
        return False
    low, high = float(np.nanmin(below)), float(np.nanmax(below))
    return math.isfinite(value) and 2 * low - high <= value <= 2 * high - low


def _header_again(table: DataTable, columns: RoleColumns) -> Iterator[Doubt]:
    """Yield lines that repeat the header, as joined files have them."""
    again = table.headers_again()
    if not again:
        return
    role = "algorithm" if columns.block is None else "block"
    column = getattr(columns, role)
    places = ", ".join(map(table.row, again[:_MOST_NAMED]))
    places += f", and {len(again) - _MOST_NAMED} more" * (len(again) > _MOST_NAMED)
    yield Doubt(
        "header-again",
        f"the header stands again in {counted(len(again), 'row')} among the scores "
        f"({places})",
        leave_out=(f"{role}={column}",) if column in table.names else (),
        change="" if column in table.names else "take these lines out of the file",
        confirmable=False,
    )


def odd_cells(
    table: DataTable, names: Iterable[str], columns: RoleColumns
) -> Iterator[Doubt]:
    """Yield texts among scores: headers, spreads beside them, marks in their place."""
    yield from _header_again(table, columns)
    again = {*table.headers_again()}
    spreads: list[tuple[str, str]] = []
    marks: list[tuple[str, str]] = []
    for name in names:
        if name not in table.names:  # refused when the scores are read
            continue
        for row, text in table.odd_cells(name):
            if row in again:
                continue
            place = f"{table.row(row)}, column {show(name)}"
            (spreads if has_spread(text) else marks).append((text, place))
    if spreads:
        text, place = spreads[0]
        yield Doubt(
            "spread",
            f"a second number stands beside {counted(len(spreads), 'score')}, first: "
            f"{show(text)} ({place})",
            change="ignore it: " + setting("spread", "ignored"),
            confirmable=False,
        )
    if marks:
        counts = Counter(text for text, _ in marks)
        first = dict(reversed(marks))
        most = [text for text, _ in counts.most_common(_MOST_NAMED)]
        told = "; ".join(
            f"{show(text)} ({counts[text]} of them, first: {first[text]})"
            for text in most
        )
        left = len(counts) - len(most)
        more = f"; and {left} other texts" if left else ""
        yield Doubt(
            "marks",
            f"text stands in the place of {counted(len(marks), 'score')}: {told}{more}",
            change="correct it, or read it as missing: " + setting("na", tuple(most)),
            confirmable=False,
        )

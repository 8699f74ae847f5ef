"""Documents as plain text, a line a sentence or row, with everything that they hold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial, singledispatch
from typing import Any

import numpy as np

from pycompare.base.tables import AnyTable
from pycompare.reporting import document as doc
from pycompare.reporting.content.page import Report

DIGITS = 6
"""Significant digits that other machines share."""
MOST_ROWS = 8
"""Rows of a long table that are printed."""
MOST_PARTS = 2
"""Parts of a list of results that are printed."""
NOISE = 1e-9
"""Numbers below are what rounding leaves of 0."""


def printed(report: Report) -> str:
    """Return a report as text: its document, then its CSV tables."""
    made = report.document()
    lines = [made.title, doc.plain(made.subtitle), *blocks(made.blocks)]
    for result in report.results:
        for name, table in result.tables.items():
            lines += ["", f"{result.prefix}{name}.csv", *rows_of(table)]
    return "\n".join([*lines, ""])


def blocks(found: Sequence[Any]) -> Iterator[str]:
    """Yield the lines of blocks."""
    for block in found:
        yield from of_block(block)


@singledispatch
def of_block(block: Any) -> Iterator[str]:
    """Yield the lines of a block."""
    raise TypeError(f"no text for {block!r}")


@of_block.register
def _(block: doc.Paragraph) -> Iterator[str]:
    role = "" if block.role == "body" else f"{block.role}: "
    yield f"{role}{spans(block.text)}"


@of_block.register
def _(block: doc.Bullets) -> Iterator[str]:
    yield from (f"- {spans(item)}" for item in block.items)


@of_block.register
def _(block: doc.Facts) -> Iterator[str]:
    yield from (f"{name}: {spans(value)}" for name, value in block.rows)


@of_block.register
def _(block: doc.Table) -> Iterator[str]:
    file = f" <{block.file}>" if block.file else ""
    yield f"[table{file}] {spans(block.caption)}"
    yield " | ".join(f"{c.title} ({kind(c)})" for c in block.columns)
    for row in block.cells()[:MOST_ROWS]:
        yield " | ".join(f"{spans(c.text)}{'*' if c.marked else ''}" for c in row)


@of_block.register
def _(block: doc.OrderingTable) -> Iterator[str]:
    yield f"[order] {spans(block.caption)}"
    values = [doc.plain(cell.text) for cell in block.shown()]
    yield f"{block.value_title}: " + ", ".join(
        map(" ".join, zip(block.names, values, strict=True))
    )
    yield from (f"{title}: {marks}" for title, marks in block.groups)


@of_block.register
def _(block: doc.Forest) -> Iterator[str]:
    yield f"[forest] {block.title}; {' | '.join(block.sides)}"
    if block.band is not None:
        yield f"[band] {block.band[0]:.6g} to {block.band[1]:.6g}"
    yield from of_block(block.table)
    yield from of_block(block.figure)


@of_block.register
def _(block: doc.DecisionMatrix) -> Iterator[str]:
    yield f"[matrix] {spans(block.caption)}"
    yield " | ".join([block.row_title, *(" ".join(c).strip() for c in block.columns)])
    for name, marks in block.rows:
        told = (f"{m.text}{'!' if m.changed else ''}" for m in marks)
        yield " | ".join([name, *told])


@of_block.register
def _(block: doc.Figure) -> Iterator[str]:
    yield f"[figure {block.name}] {spans(block.caption)}"
    yield f"[alt] {block.alt}"
    yield f"[drawn] {drawing(block.draw)}"


@of_block.register
def _(block: doc.Note) -> Iterator[str]:
    yield f"[{block.kind}] {block.title}"
    yield from blocks(block.blocks)


@of_block.register
def _(block: doc.Code) -> Iterator[str]:
    yield f"[code] {block.title}: {len(block.text.splitlines())} lines"


@of_block.register
def _(block: doc.Lead) -> Iterator[str]:
    yield from blocks(block.blocks)
    if block.figure is not None:
        yield from of_block(block.figure)


@of_block.register(doc.Section)
@of_block.register(doc.FoldedSection)
def _(block: doc.Section | doc.FoldedSection) -> Iterator[str]:
    yield ""
    yield f"{'#' if isinstance(block, doc.Section) else '>'} {block.title} #{block.key}"
    yield from blocks(block.blocks)


def drawing(draw: Any) -> str:
    """Return the function that draws a figure, and the options that are values."""
    if not isinstance(draw, partial):
        return "separately"
    given = {str(i): value for i, value in enumerate(draw.args)} | draw.keywords
    shown = (
        f"{name}={value!r}"
        for name, value in given.items()
        if isinstance(value, str | int | float | tuple | None)
    )
    return f"{draw.func.__name__}({', '.join(shown)})"


def kind(column: doc.Column) -> str:
    """Return what a column holds, and its level."""
    return column.kind if column.alpha is None else f"{column.kind}, {column.alpha:g}"


def spans(text: doc.Inline) -> str:
    """Return a text with its marks."""
    return "".join(map(span, (text,) if isinstance(text, str) else text))


def span(part: doc.Span) -> str:
    """Return a part of a text, marked as in Markdown."""
    if isinstance(part, str):
        return part
    if isinstance(part, doc.Link):
        return f"[{part.text}]({part.target})"
    mark = {doc.Strong: "**", doc.Emphasis: "*", doc.Literal: "`"}[type(part)]
    return f"{mark}{part.text}{mark}"


def rows_of(table: AnyTable) -> Iterator[str]:
    """Yield the lines of a table, numbers rounded."""
    yield " | ".join(map(str, table))
    columns = (column for _, column in table.head(MOST_ROWS // 2).items())
    cells = [np.asarray(column, object).tolist() for column in columns]
    for row in zip(*cells, strict=True):
        yield " | ".join(str(rounded(value)) for value in row)


def rounded(value: Any) -> Any:
    """Return a value with the digits that other machines share, and all within it."""
    if isinstance(value, dict):
        return {str(key): rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    if isinstance(value, float):
        return "0" if abs(value) < NOISE else f"{value:.{DIGITS}g}"
    return value


def nested(value: Any, margin: str = "") -> Iterator[str]:
    """Yield the lines of nested results, the first parts of long lists."""
    several = isinstance(value, list)
    every = list(enumerate(value) if several else value.items())
    for name, part in every[:MOST_PARTS] if several else every:
        if has_parts(part):
            yield f"{margin}{name}:"
            yield from nested(part, f"{margin} ")
        else:
            yield f"{margin}{name}: {json.dumps(rounded(part))}"
    if several and len(every) > MOST_PARTS:
        yield f"{margin}{len(every)} parts"


def has_parts(value: Any) -> bool:
    """Tell whether a value has parts that have parts."""
    if not isinstance(value, dict | list):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return any(isinstance(part, dict | list) and part for part in parts)

"""Numbers of CSV files and of a page's tables that are not those of results.json.

A number has to stand in a record of results.json (what is in one pair of braces, and
the names that lead there) with every label of its row. Where records of these labels
have the column's name, it has to stand under that name.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pycompare.reporting import document as doc
from pycompare.reporting.evidence.json_places import is_number
from pycompare.reporting.write import Contents

from .program_faults import as_number

_LABELS = {
    "algorithm", "algorithm_1", "algorithm_2", "better", "worse", "component",
    "contrast", "dataset", "effect", "metric", "modality", "name", "reader", "response",
    "scope", "stratum", "term", "test", "variate",
}  # fmt: skip
"""What labels stand under."""
_BY_METRIC = {"directions", "standardised"}
"""Rows of results.json whose columns are metrics, which users name."""
_NO_LABELS = {"letters", "groups", "verdict", "reason", "stratum", "statistic_name"}
"""Columns of text that name no row."""
FEWER_LABELS = {
    ("data_sets", "statistic"): "one test of all algorithms of a data set",
    ("data_sets", "p_value"): "one test of all algorithms of a data set",
    ("tests", ""): "the term stands in the title of the tests",
    (
        "Multivariate tests of each term",
        "",
    ): "the term stands in the title of the tests",
}
"""Beginnings of tables, and columns, whose rows have more labels than the records."""
PAGE_ONLY = {
    ("Means of the algorithms, in each metric", "CV"): "places in a picture",
    ("", "mean answer"): "the mean of grades beside their differences",
    ("Z test", "Holm: "): "steps follow from alpha and the number of hypotheses",
    ("Z test", "Shaffer: "): "the same",
}
"""What a page says without a claim that it is in results.json."""
_GROUP = re.compile(r"^(group\d+|all_groups)_")
_BETWEEN = re.compile(r" – | vs\.? | - ")


@dataclass(frozen=True)
class Cell:
    """A number of a table: the table, its row, the column, and the row's labels."""

    table: str
    row: int
    column: str
    value: float
    labels: frozenset[str]


@dataclass(frozen=True)
class Record:
    """What stands together in results.json, and the names that lead there."""

    place: tuple[str, ...]
    values: Mapping[str, Any]

    @cached_property
    def texts(self) -> frozenset[str]:
        """Its texts and names."""
        own = (v for v in self.values.values() if isinstance(v, str))
        return frozenset([*self.place, *own])


class Written:
    """The records of results.json."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.records = list(_records(told, ()))
        self._of_number: dict[str, list[Record]] = defaultdict(list)
        self._of_label: dict[str, list[Record]] = defaultdict(list)
        self.labels: set[str] = set()
        for record in self.records:
            for name, value in record.values.items():
                if is_number(value):
                    self._of_number[_key(as_number(value))].append(record)
                elif name in _LABELS and isinstance(value, str) and value:
                    self.labels.add(value)
        for record in self.records:
            for label in record.texts & self.labels:
                self._of_label[label].append(record)

    def has(self, cell: Cell) -> bool:
        """Return whether a number stands with the labels of its row."""
        fewer = any(
            cell.table.startswith(table) and column in ("", cell.column)
            for table, column in FEWER_LABELS
        )
        labels = set() if fewer else cell.labels & self.labels
        holds = [r for r in self._with(cell.value) if labels <= r.texts]
        if not labels:
            return bool(holds)
        first = min(labels, key=lambda label: len(self._of_label[label]))
        named = any(
            cell.column in r.values and labels <= r.texts
            for r in self._of_label[first]
            if not _BY_METRIC & set(r.place)
        )
        if not named:
            return bool(holds)
        return any(_is(r.values.get(cell.column), cell.value) for r in holds)

    def _with(self, value: float) -> list[Record]:
        near = {_key(v) for v in (value, value * (1 + _NEAR), value * (1 - _NEAR))}
        return [record for key in near for record in self._of_number.get(key, [])]


def _records(value: Any, place: tuple[str, ...]) -> Iterator[Record]:
    """Yield every record; a mapping of columns is one a row, of labels one a label."""
    if isinstance(value, dict):
        columns = list(value.values())
        if len(columns) > 1 and all(isinstance(c, list) for c in columns):
            if len(set(map(len, columns))) == 1:
                for cells in zip(*columns, strict=True):
                    yield from _records(dict(zip(value, cells, strict=True)), place)
                return
        own = {k: v for k, v in value.items() if not isinstance(v, dict | list)}
        if own:
            yield Record(place, own)
            if all(map(is_number, own.values())):
                for label, number in own.items():
                    yield Record((*place, label), {label: number})
        for key, inner in value.items():
            below = tuple(v for k, v in own.items() if k in _LABELS and v)
            yield from _records(inner, (*place, *map(str, below), str(key)))
    elif isinstance(value, list):
        numbers = {str(i): v for i, v in enumerate(value) if is_number(v)}
        if numbers:
            yield Record(place, numbers)
        for inner in value:
            yield from _records(inner, place)


_NEAR = 1e-13
"""A mean that is made in two ways differs by as much."""


def _key(value: float) -> str:
    """Return a number without its sign, which is that of the order of a pair."""
    return f"{abs(value):.13g}"


def _is(one: Any, other: float) -> bool:
    return is_number(one) and math.isclose(
        abs(as_number(one)), abs(other), rel_tol=1e-12
    )


# ---- what is written beside results.json --------------------------------------------


def csv_cells(contents: Contents) -> Iterator[Cell]:
    """Yield the numbers of all CSV files, whole ones apart: they are counts."""
    for result in contents.report.results:
        for name, table in result.tables.items():
            columns = {str(n): list(c) for n, c in table.items()}
            of_labels = [n for n in columns if n not in _NO_LABELS]
            stem = _GROUP.sub("", name)
            for row, cells in enumerate(zip(*columns.values(), strict=True)):
                texts = frozenset(
                    columns[n][row]
                    for n in of_labels
                    if isinstance(columns[n][row], str)
                )
                for column, value in zip(columns, cells, strict=True):
                    if _is_measured(value):
                        yield Cell(stem, row, column, float(value), texts)


def page_cells(contents: Contents) -> Iterator[Cell]:
    """Yield the numbers of all tables of the page."""
    for table in _tables(contents.document("page")):
        caption = _text(table.caption)
        for at, row in enumerate(table.rows):
            texts = [part for c in row for part in _BETWEEN.split(_text(c))]
            labels = frozenset([*texts, *map(_text, row)])
            for column, value in zip(table.columns, row, strict=True):
                inner = value if isinstance(value, tuple) else (value,)
                for number in inner:
                    if _is_measured(number):
                        yield Cell(caption, at, column.title, float(number), labels)


def _is_measured(value: Any) -> bool:
    real = isinstance(value, float | np.floating)
    return real and bool(np.isfinite(value)) and float(value) != int(value)


def _tables(part: Any) -> Iterator[doc.Table]:
    """Yield every table of a part of a document."""
    if isinstance(part, doc.Table):
        yield part
    elif dataclasses.is_dataclass(part) and not isinstance(part, type):
        for field in dataclasses.fields(part):
            yield from _tables(getattr(part, field.name))
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _tables(inner)


def _text(inline: Any) -> str:
    """Return text as it is read; of numbers nothing."""
    parts = inline if isinstance(inline, tuple) else (inline,)
    texts = (p if isinstance(p, str) else getattr(p, "text", "") for p in parts)
    return "".join(text if isinstance(text, str) else _text(text) for text in texts)


def unlike(cells: Iterable[Cell], written: Written) -> list[Cell]:
    """Return the numbers that results.json does not have in their place."""
    return [cell for cell in cells if not written.has(cell) and not page_only(cell)]


def page_only(cell: Cell) -> bool:
    """Tell whether a page alone has a number."""
    return any(
        cell.table.startswith(table) and cell.column.startswith(column)
        for table, column in PAGE_ONLY
    )

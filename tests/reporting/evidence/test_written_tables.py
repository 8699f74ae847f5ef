"""Numbers of CSV files and of the page are those of results.json, each in its place."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import pytest

from validation.fault_kinds import FAULT_KINDS, contents_of
from validation.written_tables import (
    FEWER_LABELS,
    PAGE_ONLY,
    Cell,
    Written,
    csv_cells,
    page_cells,
    page_only,
    unlike,
)


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_csv_files_and_page_have_the_numbers_of_the_results(kind):
    contents = contents_of(FAULT_KINDS[kind]())
    written = Written(contents.results())
    of_files, of_page = list(csv_cells(contents)), list(page_cells(contents))
    assert unlike(of_files, written) == []
    assert unlike(of_page, written) == []
    assert len(of_files) > 20 and len(of_page) > 15


@pytest.fixture(scope="module", params=["data sets, gate", "cases, right or wrong"])
def cells(request) -> tuple[list[Cell], Written]:
    contents = contents_of(FAULT_KINDS[request.param]())
    told = [*csv_cells(contents), *page_cells(contents)]
    return told, Written(contents.results())


def test_a_number_that_is_wrong_by_a_millionth_is_found(cells):
    told, written = cells
    known = [c for c in told if not page_only(c)]
    wrong = [dataclasses.replace(c, value=c.value * (1 + 1e-6)) for c in known]
    assert unlike(wrong, written) == wrong


def test_numbers_in_other_rows_are_found(cells):
    told, written = cells
    tables: dict[tuple[str, str], list[Cell]] = {}
    for cell in (c for c in told if not page_only(c)):
        tables.setdefault((cell.table, cell.column), []).append(cell)
    wrong = [
        dataclasses.replace(one, value=other.value)
        for column in tables.values()
        for one, other in pairwise(column)
        if one.row != other.row and one.value != other.value
    ]
    found = unlike(wrong, written)
    assert len(found) > 0.9 * len(wrong) > 50  # bounds of 1, p of .5 stand elsewhere


def test_a_raw_p_value_in_the_place_of_an_adjusted_one_is_found(cells):
    told, written = cells
    raw = {(c.table, c.row): c.value for c in told if c.column == "p_value"}
    wrong = [
        dataclasses.replace(c, value=raw[c.table, c.row])
        for c in told
        if c.column.startswith(("p_adjusted", "p_holm", "p_shaffer", "p_nemenyi"))
        and raw.get((c.table, c.row), c.value) != c.value
    ]
    assert len(wrong) > 3
    assert unlike(wrong, written) == wrong


def test_what_is_held_has_a_reason():
    assert len(FEWER_LABELS) <= 8 and len(PAGE_ONLY) <= 4
    assert all([*FEWER_LABELS.values(), *PAGE_ONLY.values()])

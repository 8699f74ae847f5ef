"""Published comparisons: the quick half again, and the page that shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from validation.published import rows
from validation.published.page import page
from validation.published.rows import Number, Row

QUICK = [row for row in rows.ROWS if row not in rows.SLOW]
PAGE = Path(__file__).parents[1] / "docs" / "published.md"


@pytest.mark.parametrize("row", QUICK, ids=lambda row: row.__name__)
def test_the_printed_numbers_are_found_and_stand_on_the_page(row):
    made = row()
    assert made.agrees, [n for n in made.numbers if not n.agrees]
    part = page([made]).partition("\n## ")[2]
    assert part.strip() in PAGE.read_text(encoding="utf-8")


def test_the_page_has_twelve_comparisons():
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("\n## ") == len(rows.ROWS) == 12
    assert "**12 of 12 comparisons agree**" in text
    assert "differs |" not in text


@pytest.mark.parametrize(
    ("printed", "ours", "error", "agrees"),
    [
        ("0.036", 0.03649, 0.0, True),
        ("0.036", 0.0366, 0.0, False),
        ("4.487e-7", 4.4872e-07, 0.0, True),
        ("4.487e-7", 4.4878e-07, 0.0, False),
        ("12", 12.3, 0.0, True),
        ("0.23124", 0.2367, 0.002, True),
        ("0.23124", 0.2390, 0.002, False),
        ("A, B", "A, B", 0.0, True),
        ("A, B", "A", 0.0, False),
    ],
)
def test_a_number_agrees_to_its_printed_digits(printed, ours, error, agrees):
    number = Number("x", printed, ours, error)
    assert number.agrees is agrees
    row = Row("S", "T", "P", (number,), "c", "d")
    assert row.agrees is agrees
    assert ("**1 of 1" in page([row])) is agrees
    assert ("differs |" in page([row])) is not agrees

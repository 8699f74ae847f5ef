"""Every sentence, table and number of small pages is as it was last reviewed."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.reporting.whole_pages import PAGES, pages

MADE = dict(pages())
AGAIN = "python -m tests.reporting.whole_pages"


@pytest.mark.parametrize("name", MADE)
def test_a_page_is_as_it_was_reviewed(name):
    kept = (PAGES / f"{name}.txt").read_text(encoding="utf-8")
    made = MADE[name]()
    changed = unified_diff(kept.splitlines(), made.splitlines(), lineterm="", n=0)
    assert made == kept, "\n".join(
        [f"if this is as it should be, {AGAIN} {name}:", *changed]
    )


def test_every_page_kept_is_made():
    assert {path.stem for path in PAGES.iterdir()} == set(MADE)


@pytest.mark.parametrize(
    ("name", "control"),
    [
        ("cases_control", "A"),
        ("folds_control", "A4"),
        ("many_control", "A1"),
        ("ranks_control", "A1"),
        ("ranks_control_without_pair", "A3"),
        ("typical_control", "A1"),
        ("typical_flips_control", "A2"),
    ],
)
def test_all_differences_from_a_control_have_one_direction(name, control):
    page = (PAGES / f"{name}.txt").read_text(encoding="utf-8")
    assert f"minus {control}" in page and f"{control} minus" not in page

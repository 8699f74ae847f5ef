"""The study of items and answers: what it shows, and its page."""

import json

import pytest

from pycompare.results.guarantees import ELSEWHERE
from validation import items as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))
KEYS = [key for key, page in ELSEWHERE.items() if page.endswith(study.PAGE.name)]
TWO_ERRORS = 2 * (study.LEAST * (1 - study.LEAST) / study.TABLES) ** 0.5


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND["cells"]} == {*study.CELLS} and {*FOUND["laws"]} == {*study.LAWS}


@pytest.mark.parametrize("key", KEYS)
def test_every_claim_has_rows_within_the_bound(key):
    names = [name for name, law in study.LAWS.items() if law.key == key]
    assert names
    assert all(FOUND["laws"][n]["error"] <= study.bound() for n in names)


@pytest.mark.parametrize("scope", study.SCOPES)
def test_both_intervals_cover_in_every_cell(scope):
    held = [cell[scope] for cell in FOUND["cells"].values() if cell[scope][0]]
    assert min(own for own, _ in held) >= study.LEAST - TWO_ERRORS
    plain = [other for _, other in held]  # too short somewhere, or too long
    assert min(plain) < 0.9 or max(plain) > 0.99


def test_a_law_and_a_cell_are_simulated_again():
    for names, again in ((study.LAWS, study.errors), (study.CELLS, study.covered)):
        name = next(iter(names))
        assert again(name, 5) == again(name, 5)

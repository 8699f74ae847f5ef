"""The study of items and answers: what it shows, and its page."""

import json

import pytest

from pycompare.results.guarantees import ELSEWHERE
from validation import items as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))
KEYS = [key for key, page in ELSEWHERE.items() if page.endswith(study.PAGE.name)]


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND["cells"]} == {*study.CELLS} and {*FOUND["laws"]} == {*study.LAWS}


@pytest.mark.parametrize("key", KEYS)
def test_every_claim_has_rows_within_the_bound(key):
    names = [name for name, law in study.LAWS.items() if law.key == key]
    assert names
    assert all(FOUND["laws"][n]["error"] <= study.bound() for n in names)


def is_wilson(name, scope):
    """Whether limits are those of independent answers, whose coverage is enumerated."""
    return scope == "share, like these" and study.CELLS[name][2] == 1


@pytest.mark.parametrize("scope", study.SCOPES)
def test_both_intervals_cover_in_every_cell(scope):
    cells = FOUND["cells"].items()
    known = {name: c[scope] for name, c in cells if c[scope][0] is not None}
    for name, (own, _) in known.items():
        error = (
            study.LEAST * (1 - study.LEAST) / FOUND["cells"][name]["tables"]
        ) ** 0.5
        assert is_wilson(name, scope) or own >= study.LEAST - 2 * error, name
    plain = [held[1] for held in known.values()]  # too short somewhere, or too long
    assert min(plain) < 0.9 or max(plain) > 0.99


def test_limits_of_one_answer_to_an_item_cover_as_enumerated():
    for name, cell in FOUND["cells"].items():
        if is_wilson(name, "share, like these"):
            covered = study.enumerated(name)
            error = (covered * (1 - covered) / cell["tables"]) ** 0.5
            assert abs(cell["share, like these"][0] - covered) <= 3 * error, name


def test_a_law_and_a_cell_are_simulated_again():
    for names, again in ((study.LAWS, study.errors), (study.CELLS, study.covered)):
        name = next(iter(names))
        assert again(name, 5) == again(name, 5)

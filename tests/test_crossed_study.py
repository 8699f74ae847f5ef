"""The study of items under runs that all share: what it shows, and its page."""

import json

import pytest

from pycompare.results.guarantees import ELSEWHERE
from validation import crossed_pairs as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))
KEYS = [key for key, page in ELSEWHERE.items() if page.endswith(study.PAGE.name)]


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND} == {*study.LAWS}


@pytest.mark.parametrize("key", KEYS)
def test_every_claim_has_promised_rows_within_the_bound(key):
    errors = [
        FOUND[name]["largest of three"]
        for name, law in study.LAWS.items()
        if law.key == key and study.promises(law)
    ]
    assert errors
    assert all(error <= study.bound() for error in errors)


def test_each_test_alone_fails_somewhere():
    for title in study.ALONE:
        assert max(row[title] for row in FOUND.values()) > study.bound() + 0.05


def test_a_law_is_simulated_again():
    name = next(iter(study.LAWS))
    assert study.simulated(name, 20) == study.simulated(name, 20)

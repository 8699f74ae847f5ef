"""The study of related data sets: what it shows, and its page."""

import json

import pytest

from pycompare.reporting.content import related
from pycompare.results.guarantees import ELSEWHERE
from validation import related_datasets as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))
KEYS = [key for key, page in ELSEWHERE.items() if page.endswith(study.PAGE.name)]


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND} == {*study.LAWS}


@pytest.mark.parametrize("key", KEYS)
def test_every_claim_has_promised_rows_within_the_bound(key):
    errors = [
        FOUND[name]["clusters"]
        for name, law in study.LAWS.items()
        if law.key == key and study.promises(law)
    ]
    assert errors
    assert all(error <= study.bound() for error in errors)


def test_families_that_are_ignored_are_taken_for_evidence():
    alone = [
        FOUND[name]["data sets"]
        for name, law in study.LAWS.items()
        if study.promises(law) and law.share > 0 and len({*law.sizes}) == 1
    ]
    assert min(alone) > study.bound() + 0.03


def test_pages_have_the_numbers_of_the_study():
    effects = [name for name, law in study.LAWS.items() if law.share > 0]
    alone = [
        FOUND[name]["data sets"] for name in effects if study.promises(study.LAWS[name])
    ]
    assert f"{min(alone):.2f} to {max(alone):.2f} of" in related.of_independent("")
    violated = [n for n, law in study.LAWS.items() if not study.promises(law)]
    worst = sorted((FOUND[name]["clusters"] for name in violated), reverse=True)
    told = [f"{error:.2f}" for error in worst]
    assert [word for word in told if word in related.LARGEST_ERROR] == told


def test_dependent_families_violate_the_condition():
    dependent = next(name for name, law in study.LAWS.items() if law.shared > 1)
    assert FOUND[dependent]["clusters"] > study.bound() + 0.05


def test_a_law_is_simulated_again():
    name = next(iter(study.LAWS))
    assert study.simulated(name, 20) == study.simulated(name, 20)

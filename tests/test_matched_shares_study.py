"""The study of matched shares: what it shows, and the page that it wrote."""

import json

import pytest

from pycompare.methods.cases import matched_shares
from pycompare.results.guarantees import ELSEWHERE
from validation import matched_shares as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))
KEYS = [key for key, page in ELSEWHERE.items() if page.endswith(study.PAGE.name)]


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND["simulated"]} == {*study.LAWS}


@pytest.mark.parametrize("key", KEYS)
def test_every_claim_has_promised_rows_within_the_bound(key):
    promised = [
        (FOUND["simulated"][name], study.bound(law.runs))
        for name, law in study.LAWS.items()
        if law.key == key and study.promises(law)
    ]
    assert promised
    assert all(error <= bound for error, bound in promised)


def test_the_exact_test_has_its_level_in_all_tables_and_the_score_test_has_not():
    rows = FOUND["enumerated"].values()
    assert len(rows) == len(study.SIZES) * len(study.MARGINS) * len(study.SIDES)
    assert max(row["exact error"] for row in rows) <= study.ALPHA
    assert max(row["score error"] for row in rows) > 2 * study.ALPHA


def test_cautions_have_the_largest_error_of_the_rows_that_violate_a_condition():
    """The notes of results carry 0.034 and 0.043, of the prototype's wider grid."""
    assert "0.034" in matched_shares._LARGEST_ERROR["runs"]
    for name, law in study.LAWS.items():
        if law.violates:
            largest = 0.043 if "clusters" in name else 0.034
            assert FOUND["simulated"][name] <= largest + 3 * 0.0045


@pytest.mark.parametrize("side", study.SIDES)
def test_a_row_is_enumerated_again(side):
    row = study.enumerated(50, 0.1, side)
    stored = FOUND["enumerated"][f"50, 0.1, {side}"]
    assert row == pytest.approx(stored, rel=1e-9)


def test_a_law_is_simulated_again():
    name = "one pair, 120 cases"
    assert study.simulated(name, 30) == study.simulated(name, 30)

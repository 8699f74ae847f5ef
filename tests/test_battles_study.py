"""The study of battles: what it shows, and its page."""

import json

from pycompare.results.guarantees import ELSEWHERE
from validation import battles as study

ROWS = json.loads(study.STORED.read_text(encoding="utf-8"))


def shares(of, title):
    """Return one column of the rows that have it."""
    return [row[of][title] for row in ROWS.values() if title in row[of]]


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(ROWS)
    assert {*ROWS} == {*study.LAWS}


def test_every_error_is_within_its_bound():
    rates = [rate for row in ROWS.values() for rate in row["errors"].values()]
    assert len(rates) > 50 and max(rates) <= study.bound()


def test_every_claim_of_the_ledger_has_its_column():
    claimed = {key for key in ELSEWHERE if key.startswith("battles/")}
    assert claimed == {*study.KEYS}
    assert all(len(shares("errors", title)) > 9 for title in study.KEYS.values())


def test_joint_statements_hold():
    least = 1 - study.bound()
    for title in ("joint intervals", "strengths", "sets of ranks"):
        assert min(shares("holds", title)) >= least, title


def test_what_leaderboards_state_fails_somewhere():
    assert min(shares("holds", "votes independent")) < 0.5
    assert min(shares("holds", "separate intervals")) < 0.5
    assert min(shares("holds", "board ranks")) < 0.85
    assert min(shares("holds", "bootstrap intervals")) < 0.7
    assert min(shares("holds", "bootstrap ranks")) < 0.85


def test_a_law_is_simulated_again():
    name = next(iter(study.LAWS))
    assert study.simulated(name, 3) == study.simulated(name, 3)

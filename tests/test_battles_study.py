"""The study of battles: what it shows, and its page."""

import json

from validation import battles as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND} == {*study.LAWS}


def test_every_error_is_within_its_bound():
    assert all(row["wrong"] <= study.bound() for row in FOUND.values())


def test_joint_statements_hold():
    least = 1 - study.bound()
    assert all(row["joint"] >= least and row["sets"] >= least for row in FOUND.values())


def test_votes_taken_as_independent_and_separate_intervals_fail_somewhere():
    assert min(row["independent votes"] for row in FOUND.values()) < 0.5
    assert min(row["separate intervals"] for row in FOUND.values()) < 0.8


def test_a_law_is_simulated_again():
    name = next(iter(study.LAWS))
    assert study.simulated(name, 5) == study.simulated(name, 5)

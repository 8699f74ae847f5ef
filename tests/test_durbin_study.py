"""The study of Durbin's pairs among algorithms that differ: what it shows, its page."""

import json
from pathlib import Path

import numpy as np
import pytest

import pycompare as pc
from pycompare.results.guarantees import ELSEWHERE
from validation import durbin_level as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND} == {*study.LAWS}
    assert ELSEWHERE[study.KEY] == f"validation/{study.PAGE.name}"


@pytest.mark.parametrize("name", [n for n in study.LAWS if study.promises(n)])
def test_the_claim_holds_if_no_algorithm_differs(name):
    assert FOUND[name]["Durbin's pairs"] <= study.bound()


def test_nothing_is_promised_among_others_that_differ_for_it_would_not_hold():
    others = [name for name in study.LAWS if not study.promises(name)]
    assert len(others) == 4 * len(study.DESIGNS)
    over = [FOUND[n]["Durbin's pairs"] > study.bound() for n in others]
    assert sum(over) > len(study.DESIGNS)


def test_wilcoxon_tests_of_shared_blocks_hold_under_every_law():
    errors = [row["Wilcoxon of shared blocks"] for row in FOUND.values()]
    assert max(errors) <= study.bound()


def test_the_docstring_and_the_table_have_the_numbers_of_the_study():
    alike, others = (study.worst(FOUND, promised=p) for p in (True, False))
    told = " ".join(pc.durbin_pairs.__doc__.split())
    assert f"at most {100 * alike:.1f} of 100 tables" in told
    assert f"up to {100 * others:.0f} of 100" in told
    [line] = [
        line
        for line in Path("docs/estimands.md").read_text(encoding="utf-8").splitlines()
        if "pc.durbin_pairs" in line
    ]
    assert f"{alike:.2f} if none differs, up to {others:.2f} if others do" in line


def test_a_law_has_equal_algorithms_and_is_simulated_again():
    for law in study.LAWS.values():
        assert law.true
        scores = law.draw(np.random.default_rng(1))
        assert pc.durbin_pairs(scores).per_block == law.design.members.shape[1]
    name = "two alike, the others far apart, 30 blocks of all 5"
    sample = study.simulated(name, 60)
    assert sample == study.simulated(name, 60)
    assert sample["Durbin's pairs"] > 0.1
    assert abs(sample["Durbin's pairs"] - FOUND[name]["Durbin's pairs"]) < 0.2

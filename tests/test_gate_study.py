"""The study of gates: what it shows, the page that it wrote, a seeded sample."""

import json

import numpy as np
import pytest

from validation import gate_study as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))
CAN_EXCEED = ("rarely", "whole losses, t")
"""Parts of the names of laws under which a page states a larger error."""


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND} == {*study.LAWS}


@pytest.mark.parametrize("name", study.LAWS)
def test_false_verdicts_are_at_most_the_level(name):
    law = study.LAWS[name]
    largest = 0.05 if any(part in name for part in CAN_EXCEED[:1]) else study.bound(law)
    if CAN_EXCEED[1] in name:
        largest = 0.2
    for said in law.false.split(", "):
        assert FOUND[name]["gate"][said] <= largest


def test_rules_without_a_family_fail_among_slices():
    ten = FOUND["2000 items, 10 slices, all at their margins 0.05"]
    assert ten["95% t intervals"]["fail"] > 0.05 > ten["gate"]["fail"]
    one = FOUND["500 items, one answer, 8% discordant, loss 0.05"]
    assert one["estimate"]["pass"] > 0.3


def test_a_seeded_sample_of_the_study():
    law = study.LAWS["100 items, one answer, 8% discordant, loss 0.05"]
    said = []
    for run in range(300):
        rng = np.random.default_rng((1, run))
        said.append(study.verdict(law.draw(rng), law))
    share = said.count("pass") / len(said)
    assert share <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / len(said))

"""The study of the coverage of intervals of an average precision."""

from __future__ import annotations

import json

import numpy as np
import pytest

import pycompare as pc
from validation import average_precision as study

ROWS = json.loads(study.STORED.read_text())


def test_the_page_is_that_of_the_stored_counts():
    assert study.PAGE.read_text() == study.page(ROWS)


def test_the_default_holds_in_every_design():
    assert min(study.coverage(row, "effective-size") for row in ROWS) >= 0.93
    got = [(r["law"], r["positive"], r["negative"], r["area"]) for r in ROWS]
    assert sorted(got) == sorted(study.designs())


@pytest.mark.parametrize("law", ["normal", "false alarms", "two classes"])
def test_the_truth_is_the_average_precision_of_many_cases(law):
    positive, negative = study.LAWS[law](0.8)(np.random.default_rng(1), 4_000, 36_000)
    label = np.repeat([1, 0], [4_000, 36_000])
    score = np.r_[positive, negative]
    found = pc.average_precision_interval(label, score, positive=1, level=0.999)
    assert found.conf_low <= study.truth_of(law, 0.8, 0.1) <= found.conf_high
    assert found.conf_high - found.conf_low < 0.1

"""The study of the coverage of intervals of one AUC."""

from __future__ import annotations

import json

import numpy as np
import pytest

import pycompare as pc
from validation import auc_coverage as study

ROWS = json.loads(study.STORED.read_text())


def test_the_page_is_that_of_the_stored_counts():
    assert study.PAGE.read_text() == study.page(ROWS)


def test_the_default_holds_in_every_design():
    assert min(study.coverage(row, "effective-size") for row in ROWS) >= 0.93
    got = [(r["law"], r["positive"], r["negative"], r["area"]) for r in ROWS]
    assert got == list(study.designs())


@pytest.mark.parametrize("law", study.LAWS)
def test_every_law_has_the_area_that_it_is_asked_for(law):
    positive, negative = study.LAWS[law](0.8)(np.random.default_rng(1), 40_000, 40_000)
    label = np.repeat([1, 0], 40_000)
    area = pc.auc(label, np.r_[positive, negative], positive=1)
    assert abs(area - 0.8) < 0.01


@pytest.mark.parametrize("sizes", [(1, 9), (9, 7)])
def test_limits_are_those_of_the_public_function(sizes):
    label = np.repeat([1, 0], sizes)
    scores = np.random.default_rng(2).normal(size=(5, sum(sizes))) + label
    for method, (low, high) in study.limits(label == 1, scores).items():
        for i, score in enumerate(scores):
            one = pc.auc_interval(label, score, positive=1, method=method)
            wanted = [one.conf_low, one.conf_high]
            assert np.allclose([low[i], high[i]], wanted, rtol=1e-12, equal_nan=True)

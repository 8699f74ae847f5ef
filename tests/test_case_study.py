"""The study of tests over cases: its truths, its counts, its page."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from tests.orders.by_hand import pairs_result
from validation import case_study as study


@pytest.mark.parametrize("name", [*study.CASES, *list(study.CLUSTERS)[6:12]])
def test_equal_algorithms_have_equal_expected_scores(name):
    truth = (study.CASES | study.CLUSTERS)[name]
    rng = np.random.default_rng(1)
    total = sum(truth.draw(rng).column().mean(axis=0) for _ in range(150)) / 150
    means = np.array(truth.means)
    for level in set(truth.means):
        most = 0.5 if "graded" in name else 0.1
        assert np.ptp(total[means == level]) < most


def test_errors_and_ranks_are_counted_by_the_truth():
    found = pairs_result({"A": 1, "B": 2, "C": 3}, ["AB", "BC"])
    assert study.equal_pairs(found, (0.0, 0.0, 1.0)).tolist() == [True, False, False]
    assert study.true_ranks((0.0, 1.0, 1.0, 2.0)) == [(4, 4), (2, 3), (2, 3), (1, 1)]


def test_a_row_calls_the_public_functions():
    name, truth = next(iter(study.CLUSTERS.items()))
    counts = study.errors(name, truth, study.OF_CLUSTERS, 3)
    by_hand = dict.fromkeys(counts, 0)
    for scores in study.drawn(name, truth, 3):
        for key, method in study.OF_CLUSTERS.items():
            by_hand[key] += bool(method(scores).rejected(0.05).any())
    assert counts == by_hand
    assert isinstance(next(study.drawn(name, truth, 1)), pc.Scores)


def test_the_page_has_every_row():
    counts = {name: {"a method": 5} for name in study.CASES}
    ranked = {"a truth": {"a method": study.RankCount(95, 2.5)}}
    text = study.page(counts, counts, counts, ranked, 100)
    assert all(f"| {name} | 0.0500 |" in text for name in study.CASES)
    assert "| a truth | 0.9500 |" in text and "| a truth | 2.50 |" in text
    assert "at most 0.1154" in text

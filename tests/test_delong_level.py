"""The study of the errors of DeLong's test."""

from __future__ import annotations

import json

import numpy as np

import pycompare as pc
from pycompare.methods.curves.few_cases import FEW, LARGEST_ERRORS
from validation import delong_level as study

ROWS = json.loads(study.STORED.read_text())


def test_the_page_is_that_of_the_stored_counts():
    assert study.PAGE.read_text() == study.page(ROWS)


def test_the_largest_errors_are_those_of_the_study():
    got = [tuple(row[k] for k in ("law", "positive", "negative")) for row in ROWS]
    assert got == [design[:3] for design in study.designs()]
    sizes = sorted({min(row["positive"], row["negative"]) for row in ROWS})
    assert list(LARGEST_ERRORS) == [size for size in sizes if size < FEW]
    for size, told in LARGEST_ERRORS.items():
        assert round(study.largest(ROWS, size), 3) == told
    # From there on the largest of all designs is near chance.
    assert max(study.largest(ROWS, size) for size in sizes if size >= FEW) < 0.065


def test_a_result_says_the_largest_error_found_with_so_few():
    rng = np.random.default_rng(1)
    for n, told in ((2, " 41.2% "), (7, " 34% "), (FEW, "")):
        label = np.repeat([1, 0], [n, 100])
        found = pc.delong(label, rng.normal(size=(n + 100, 2)), positive=1)
        assert (told in found.caution) and bool(found.caution) == bool(told)
        assert (found.caution in found.notes) == bool(told)


def test_a_trial_is_decided_as_the_public_function_does():
    row = study.run_design("normal", 6, 9, 0.7, 0.5, 40)
    assert row == study.run_design("normal", 6, 9, 0.7, 0.5, 40)
    rng = np.random.default_rng(0)
    label = np.repeat([1, 0], [6, 9])
    assert 0 <= row["rejected"] <= 40 and study.level(row) == row["rejected"] / 40
    one = pc.delong(label, rng.normal(size=(15, 2)), positive=1)
    assert one.rejected(0.05)[0] == (one.table["p_value"][0] <= 0.05)

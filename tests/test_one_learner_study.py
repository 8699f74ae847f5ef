"""The study of one learner: what it shows, its page, and a sample of it."""

import json

import pytest

from tests.documents import DOCS
from validation import one_learner as study

STORED = json.loads(study.STORED.read_text(encoding="utf-8"))


def test_the_page_is_that_of_the_stored_numbers():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(STORED)


@pytest.mark.parametrize("method", ["corrected t", "corrected t, 10 repeats"])
def test_corrected_intervals_cover_the_expected_error_of_every_learner(method):
    assert min(STORED[name][f"{method}: expected"] for name in study.CELLS) > 0.9


def test_the_page_of_methods_has_the_coverage_of_the_study():
    text = (DOCS / "methods/learners.md").read_text(encoding="utf-8")
    for method in ("per-case", "corrected t", "nested"):
        key = f"{method}: {study.METHODS[method]}"
        held = [STORED[name][key] for name in study.CELLS]
        assert f"{min(held):.2f} to {max(held):.2f}" in text


def test_a_seeded_sample_has_the_stored_coverage_within_its_error():
    """The first 20 tables of 200: four Monte Carlo errors."""
    name = "discriminant, 60 cases"
    sample = study.covered(name, 20)
    for what, stored in STORED[name].items():
        error = (stored * (1 - stored) / 20) ** 0.5
        assert abs(sample[what] - stored) < 4 * error + 0.05, what

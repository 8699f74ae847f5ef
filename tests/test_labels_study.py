"""The study of labels beside a judge: what it shows, and its page."""

import json

import numpy as np

from pycompare.base.testing import assert_digits
from pycompare.designs.known import LABELS
from validation import judge_labels as study
from validation import judge_margins as margins
from validation import judge_sizes

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)
    assert {*FOUND} == {*study.LAWS}


def test_every_error_is_within_its_bound():
    assert study.over(FOUND) == []


def test_means_differences_and_joint_statements_hold():
    for name, row in FOUND.items():
        assert min(row[key] for key in study.OURS) >= 1 - study.bound(name), name


def test_published_intervals_fail_somewhere():
    several = [FOUND[name] for name, law in study.LAWS.items() if not law.strata]
    for key in ("labels only, t", "PPI++, z", "cross-fitted, t"):
        assert min(row[key] for row in several) < 0.5
    assert min(row["PPI++ of differences, z"] for row in several) < 0.7
    assert min(row["a slope per model, joint"] for row in several) < 0.7


def test_a_law_is_simulated_again():
    name = next(iter(study.LAWS))
    assert study.simulated(name, 5) == study.simulated(name, 5)


def test_margins_are_rejected_with_the_largest_error_that_was_measured():
    rows = margins.stored()
    assert {*rows} == {*margins.LAWS}
    assert margins.largest(rows) > 2 * margins.ALLOWED
    assert f"up to {margins.largest(rows):.3f} at 0.025" in LABELS.unused["margin"].why


def test_errors_against_a_margin_are_simulated_again():
    name = "100 labels, useless judge, 0.97 and 0.99"
    again = margins.simulated(name, 400)
    assert again == margins.simulated(name, 400)
    wanted = margins.stored()[name]
    for key, error in again.items():
        spread = 4 * (wanted[key] * (1 - wanted[key]) / 400) ** 0.5
        assert abs(error - wanted[key]) <= spread, key


def test_numbers_of_labels_have_the_power_that_was_asked_for():
    rows = judge_sizes.stored()
    assert {*rows} == {*judge_sizes.DESIGNS}
    for binary, low, high in ((True, 0.795, 0.853), (False, 0.794, 0.816)):
        powers = judge_sizes.powers(rows, binary=binary)
        assert low <= min(powers) and max(powers) <= high
    name = "0.75 and 0.65, common difficulty, correlation 0.9"
    again = judge_sizes.simulated(name, 1000)
    assert again["n"] == rows[name]["n"] == 61
    assert abs(again["simulated"] - rows[name]["simulated"]) < 0.05


def test_ppi_is_that_of_ppi_py():
    """Stored: ppi_mean_ci of ppi_py 0.2.3."""
    y = np.array([1.0, 1, 0, 1, 0, 1, 1, 0])
    f = np.array([1.0, 1, 0, 1, 1, 1, 0, 0])
    others = np.array([1.0, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0])
    wanted = [0.63641827, 0.32408565, 0.94875089]
    assert_digits(study.ppi(y, f, others), wanted, at_least=7)

"""The study of runs of agents: what it shows, its page, and a sample of it."""

import json

import pytest

from pycompare.reporting.content.task_report import COVERED
from validation import run_aggregates as study

STORED = json.loads(study.STORED.read_text(encoding="utf-8"))
OF_PAGE = ("iqm, t", "mean, t", "pairs: probability_of_improvement, t")


def coverages(numbers, keys):
    """Return the coverage of some intervals in all cells with so many runs."""
    return [
        STORED[name][key]
        for runs in numbers
        for name in study.cells_with(runs)
        for key in keys
    ]


def span(values):
    """Return the lowest and the highest coverage as the page of a report has them."""
    return f"{min(values):.2f} to {max(values):.2f}"


def test_the_page_is_that_of_the_stored_numbers():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(STORED)


def test_reports_print_the_coverage_of_the_study():
    assert COVERED["few"] == span(coverages(["3"], OF_PAGE))
    assert COVERED["more"] == span(coverages(["5", "10"], OF_PAGE))


def test_from_five_runs_on_t_intervals_and_bands_cover_nearly_the_level():
    """0.95 less three Monte Carlo errors of 400 tables, each with two algorithms."""
    keys = [f"{key}, t" for key in study.COLUMNS.values() if key != "median"]
    assert min(coverages(["5", "10"], [*keys, "profile"])) > 0.915


@pytest.mark.parametrize("runs", ["3", "5", "2 to 6"])
@pytest.mark.parametrize("what", ["iqm", "mean", "optimality_gap"])
def test_the_textbook_bootstrap_covers_less_than_t_in_every_cell(runs, what):
    for name in study.cells_with(runs):
        cell = STORED[name]
        assert cell[f"{what}, bootstrap-textbook"] < cell[f"{what}, t"]


def test_a_seeded_sample_has_the_stored_numbers_within_its_error():
    """The first 40 of the 400 tables of two cells: four Monte Carlo errors."""
    for name in ("normal runs, 6 tasks, 3 runs", "skewed runs, 6 tasks, 2 to 6 runs"):
        sample = study.covered(name, 40)
        for what, stored in STORED[name].items():
            error = (stored * (1 - stored) / 40) ** 0.5
            assert abs(sample[what] - stored) < 4 * error + 0.02, (name, what)

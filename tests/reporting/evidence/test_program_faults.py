"""A fault of the program makes ``reproduce.R`` name the place.

The program is made wrong, not the file: what is written is consistent in itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.comparison_folder import every_result
from pycompare.results.result import plain
from tests.reporting.whole_pages import COMPARISONS
from validation.program_faults import (
    Lists,
    adjustments,
    differing,
    held,
    lists_of,
    named,
    numbers_of,
    raw_adjustment,
    wrong_results,
)

pytestmark = [pytest.mark.r, pytest.mark.usefixtures("blank_pictures")]
KINDS = ("cases", "ranks_gate_closed", "ranks_groups_one_family")
Made = tuple[Any, Lists]


@pytest.fixture(scope="module", params=KINDS)
def made(request: pytest.FixtureRequest) -> tuple[str, Any, Lists]:
    """Return a comparison and R's lists of its report; R runs once."""
    comparison = pc.compare(*COMPARISONS[request.param]())
    return request.param, comparison, lists_of(comparison)


def test_the_true_report_agrees(made):
    _, comparison, lists = made
    assert named(comparison, lists) == set()
    rows = numbers_of(plain(comparison.to_dict()), every_result(comparison))
    assert sum(bool(row["result"]) for row in rows) > 0.7 * len(rows)


def test_a_forgotten_adjustment_is_named(made):
    kind, comparison, lists = made
    known = adjustments(comparison)
    assert known
    for name in known:
        with raw_adjustment(name):
            faulty = pc.compare(*COMPARISONS[kind]())
        places = named(faulty, lists)
        assert any("/p_" in place for place in places), name


def test_a_wrong_number_of_a_result_is_named(made):
    _, comparison, lists = made
    titled = every_result(comparison)
    wrong = list(wrong_results(comparison))
    assert len(wrong) > 10
    for at in np.random.default_rng(1).permutation(len(wrong))[:30]:
        name, results = wrong[at]
        assert differing(results, titled, lists) or held(name), name


def test_a_number_that_is_wrong_where_results_are_put_together_is_named(made):
    _, comparison, lists = made
    titled = every_result(comparison)
    rows = [
        row
        for row in numbers_of(plain(comparison.to_dict()), titled)
        if row["result"].startswith("result")
    ]
    rng = np.random.default_rng(2)
    for at in rng.permutation(len(rows))[:25]:
        results = plain(comparison.to_dict())
        place = rows[at]["place"]
        if change(results, place.split("/")):
            assert place in differing(results, titled, lists), place


def change(results: Any, path: list[str]) -> bool:
    """Change one number where it stands; return whether it is one (no text)."""
    for step in path[:-1]:
        results = results[int(step)] if isinstance(results, list) else results[step]
    last = int(path[-1]) if isinstance(results, list) else path[-1]
    value = results[last]
    if isinstance(value, str):
        return False
    results[last] = value + 1e-6 * (abs(value) or 1.0)
    return True

"""Every number of a report is one of R's, or has a reason why it is not."""

from __future__ import annotations

import csv
import io

import pytest

import pycompare as pc
from pycompare.reporting.evidence.r_numbers import numbers_file
from pycompare.reporting.evidence.without_r import NO_REASON
from tests.reporting.whole_pages import COMPARISONS
from validation.fault_kinds import contents_of
from validation.r_reports import KINDS


@pytest.mark.parametrize(
    "name",
    [
        "cases_weighted", "cases_of_prompts", "labels", "ranks_gaps", "ranks_constant",
        "many_two", "folds_dependent_metrics", "folds_runs_alike",
        "readers, Obuchowski-Rockette", "model, one-way, no constant",
        "challenge_tasks", "challenge_by_tests", "challenge_failures",
    ],
)  # fmt: skip
def test_no_number_is_without_a_reason(name):
    known = name in COMPARISONS
    contents = contents_of(pc.compare(*COMPARISONS[name]()) if known else KINDS[name]())
    [text] = numbers_file(contents.results(), contents.program.results).values()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["place"] for row in rows if row["why"] == NO_REASON] == []
    assert len(rows) > 50


def test_a_gated_p_value_of_vectors_is_at_least_that_of_the_gate():
    contents = contents_of(pc.compare(*COMPARISONS["folds_dependent_metrics"]()))
    [text] = numbers_file(contents.results(), contents.program.results).values()
    rows = {row["place"]: row for row in csv.DictReader(io.StringIO(text))}
    before, after = (
        rows[f"together/pairs/table/0/{n}"] for n in ("p_pairs", "p_adjusted")
    )
    assert before["name"] == after["name"] == "p_adjusted"
    assert before["at_least"] == "" and after["at_least"].endswith("/p_value/1")

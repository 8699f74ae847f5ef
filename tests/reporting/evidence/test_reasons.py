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


@pytest.mark.parametrize("name", ["cases_weighted", "cases_of_prompts", "ranks_gaps"])
def test_no_number_is_without_a_reason(name):
    contents = contents_of(pc.compare(*COMPARISONS[name]()))
    [text] = numbers_file(contents.results(), contents.program.results).values()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["place"] for row in rows if row["why"] == NO_REASON] == []
    assert len(rows) > 50

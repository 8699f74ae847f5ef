"""A fault of the program makes ``reproduce.R`` name the place.

The program is made wrong, not the file: what is written is consistent in itself. All
faults of all kinds of reports are a study (``make study``); here is a sample of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pycompare.reporting.evidence.r_numbers import LOST
from pycompare.reporting.evidence.without_r import NO_REASON, WITHOUT_R
from pycompare.results.result import MergedRows, NumberSource
from validation.fault_kinds import FAULT_KINDS, contents_of
from validation.program_faults import (
    Reported,
    adjustments,
    differing,
    escapes,
    faults_of,
    numbers_of,
    wrong_results,
    wrong_when_written,
)

IN_R = (
    "data sets, gate", "one family of groups", "cases, right or wrong",
    "two algorithms, folds", "threshold sweep", "curves of folds",
    "readers, one modality",
)  # fmt: skip
"""The cheapest kinds that have each form of table."""
HELD = {
    "two algorithms, folds": 0.35, "two algorithms": 0.3, "threshold sweep": 0.22,
    "curves of folds": 0.58, "model, folds in data sets": 0.25,
    "folds of data sets, wins": 0.16, "folds of data sets, means": 0.13,
    "runs": 0.13, "readers, one modality": 0.12,
}  # fmt: skip
"""Shares of numbers that are settings, counts, draws or descriptions, if over .1."""


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_each_number_has_one_of_r_or_a_reason_of_its_name(kind):
    contents = contents_of(FAULT_KINDS[kind]())
    rows = numbers_of(contents.results(), contents.program.results)
    assert [r["place"] for r in rows if r["why"] == NO_REASON] == []
    assert [r["place"] for r in rows if r["place"].startswith(LOST)] == []
    held = sum(not row["result"] for row in rows)
    assert held <= HELD.get(kind, 0.1) * len(rows)
    assert {r["why"] for r in rows} <= {"", *WITHOUT_R.values()}


@pytest.mark.r
@pytest.mark.parametrize("kind", IN_R)
def test_a_fault_of_the_program_is_named(kind):
    rng = np.random.default_rng(list(FAULT_KINDS).index(kind))
    made = faults_of(FAULT_KINDS[kind], lambda _: rng.random() < 0.15)
    assert made["escaped"] == []
    assert made["written"] > 0.9 * (made["numbers"] - made["given"]) > 20
    assert made["results"] > 0


@pytest.fixture(scope="module")
def gated() -> Reported:
    return Reported.of(FAULT_KINDS["data sets, gate"]())


@pytest.mark.r
def test_what_is_true_agrees_and_what_is_wrong_is_named(gated):
    assert adjustments(gated)[:2] == ["shaffer", "nemenyi"]
    assert differing(gated.told, gated.program, gated.lists) == set()
    faults = dict(wrong_when_written(gated))
    assert set(faults) == {"1e-6", "adjusted := raw", "rows permuted"}
    assert all(faults.values())
    for wrong in faults.values():
        assert len(gated.unnamed(wrong)) < 0.1 * len(wrong)
        assert escapes(gated, wrong) == []
    [(_, wrong), *_] = wrong_results(gated, lambda title: "p_adjusted" in title)
    assert gated.unnamed(wrong) == []


def test_a_number_of_r_without_a_place_is_an_error(monkeypatch):
    """Of a result that stands in results.json; ``reproduce.R`` says that it differs."""
    contents = contents_of(FAULT_KINDS["cases, right or wrong"]())
    titled = contents.program.results
    result = titled[0][1]
    true = type(result).r_values

    def with_another(self: Any) -> dict[str, Any]:
        return true(self) | {"forgotten": 1.0}

    monkeypatch.setattr(type(result), "r_values", with_another)
    rows = numbers_of(contents.results(), titled)
    lost = [row for row in rows if row["place"].startswith(LOST)]
    assert [row["name"] for row in lost] == ["forgotten"]
    assert lost[0]["result"] == "result_1" and int(lost[0]["element"]) > 1e8


@pytest.mark.r
def test_a_row_that_is_linked_to_another_row_of_r_is_named(gated, monkeypatch):
    """The link comes from the place and its labels, not from the number."""
    true = MergedRows.of_row

    def of_next(self: MergedRows, at: int) -> Any:
        sources = true(self, at)
        return {n: NumberSource(s.result, s.name, at=1) for n, s in sources.items()}

    monkeypatch.setattr(MergedRows, "of_row", of_next)
    assert len(differing(gated.told, gated.program, gated.lists)) > 20


@pytest.mark.r
def test_lists_of_pairs_are_looked_up_by_their_labels(gated):
    """Another order of the pairs is none the worse; other numbers of the pairs are."""
    labelled = [row for row in gated.rows.values() if row["label"]]
    assert len(labelled) > 0.5 * len(gated.rows)
    lists = {row["result"] for row in labelled}

    def moved(with_labels: bool) -> set[str]:
        turned = {
            owner: {
                name: (
                    np.roll(numbers, 1),
                    [*labels[-1:], *labels[:-1]] if with_labels else labels,
                )
                if labels
                else (numbers, labels)
                for name, (numbers, labels) in held.items()
            }
            if owner in lists
            else held
            for owner, held in gated.lists.items()
        }
        return differing(gated.told, gated.program, turned)

    gates = {row["place"] for row in labelled if row["at_least"]}
    assert moved(True) <= gates | {
        p for p, row in gated.rows.items() if not row["label"]
    }
    assert len(moved(False) & {row["place"] for row in labelled}) > 100

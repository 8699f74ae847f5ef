"""The study of tests over cases: its rows, and the claims that its page shows."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import pycompare as pc
from pycompare.multiplicity.guarantees import BASES, ELSEWHERE
from tests.orders.by_hand import pairs_result
from validation import case_study as study

TEXT = study.PAGE.read_text(encoding="utf-8")
RUNS = int(re.search(r"--runs (\d+)", TEXT)[1])


def sections() -> dict[str, list[dict[str, float | str]]]:
    """Return the rows of each section's first table."""
    found = {}
    for part in TEXT.split("\n## ")[1:]:
        lines = [x for x in part.splitlines() if x.startswith("|")]
        head = [c.strip() for c in lines[0].split("|")[1:-1]]
        rows = []
        for line in lines[2:]:
            cells = [c.strip() for c in line.split("|")[1:-1]]
            if cells[0] == head[0]:
                break
            rows.append(dict(zip(head, cells, strict=True)))
        found[part.splitlines()[0]] = rows
    return found


PAGE = sections()


def test_every_claim_of_cases_has_rows_within_its_bound():
    claimed = {key for key, page in ELSEWHERE.items() if page == "validation/CASES.md"}
    rows = [
        *PAGE["Family-wise error, independent items"],
        *PAGE["Family-wise error, clusters of items"],
    ]
    for key in claimed:
        values = [float(row[key]) for row in rows if row.get(key)]
        assert len(values) >= 8, key
        assert max(values) <= study.bound(RUNS), key
    assert {k.rsplit("/", 1)[0] for k in BASES if k.startswith("cases/")} == {"cases"}


def test_rank_sets_cover_all_true_ranks():
    rows = PAGE["Coverage of rank sets"]
    values = [float(v) for row in rows for k, v in row.items() if k != "truth" and v]
    assert len(rows) == len(study.RANKED) and len(values) >= 40
    assert min(values) >= 1 - study.bound(RUNS)


def test_the_page_has_every_row_of_the_study():
    held = {
        row.get("truth") or row.get("clusters")
        for rows in PAGE.values()
        for row in rows
    }
    assert held == {*study.CASES, *study.CLUSTERS, *study.RANKED}


@pytest.mark.parametrize("name", [*study.CASES, *study.CLUSTERS])
def test_equal_algorithms_have_equal_expected_scores(name):
    truth = (study.CASES | study.CLUSTERS)[name]
    rng = np.random.default_rng(1)
    total = sum(truth.draw(rng).column().mean(axis=0) for _ in range(150)) / 150
    means = np.array(truth.means)
    for level in set(truth.means):
        assert np.ptp(total[means == level]) < 0.3 if "graded" in name else 0.06


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
    assert Path(study.PAGE).is_file()

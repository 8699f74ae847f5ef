"""The study of family-wise errors: it asks what compare decides, and counts rightly."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.ranks.pairs import RankPairsResult
from pycompare.results import Test
from validation import family_wise
from validation.family_wise import CASES, bound, outcome, rate, simulate

HOLDING = tuple({case.road: case for case in CASES if case.holds}.values())


def verdicts(comparison: pc.Comparison) -> dict[frozenset[str], float]:
    """Return the adjusted p-value of each pair, as the whole analysis decides it."""
    if comparison.together is not None:
        table = comparison.together.pairs.table
        return by_pair(table)
    made = comparison.analyses[0].decisions
    return {decision.pair: decision.p_adjusted for decision in made}


def by_pair(table: pd.DataFrame) -> dict[frozenset[str], float]:
    """Return adjusted p-values by pair."""
    pairs = map(frozenset, zip(table.algorithm_1, table.algorithm_2, strict=True))
    return dict(zip(pairs, table.p_adjusted, strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_road_of_the_study_is_what_compare_decides(case):
    scores = case.make(np.random.default_rng(3), case.better[0])
    whole = pc.compare(scores, case.plan)
    found = case.decide(scores, case.plan)
    if isinstance(found, Test):
        assert found.p_value == whole.together.manova.p_value
    else:
        assert by_pair(found.table) == verdicts(whole)


@pytest.mark.parametrize("case", HOLDING, ids=lambda case: case.name)
def test_roads_that_promise_alpha_hold_it_within_four_standard_errors(case):
    found = simulate(case, 0.0, chunk=1, runs=100)
    assert found["runs"] == 100
    assert rate(found) <= bound(100, errors=4)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_plain_winner_is_found_by_every_road(case):
    found = simulate(case, 8.0, chunk=0, runs=2)
    assert found["winner"] == 2
    assert found["wrong"] == 0
    assert found["found"] == 2 * found["pairs"]


def test_one_model_of_all_folds_is_not_about_new_data_sets():
    [case] = [c for c in CASES if c.why == family_wise.THESE]
    assert rate(simulate(case, 0.0, chunk=1, runs=60)) > bound(60, errors=4)


def rank_pairs_with(p: tuple[float, float, float], a1_best: bool) -> RankPairsResult:
    """Return pairs A1-A2, A1-A3, A2-A3 with given p-values."""
    scores = pc.Scores.from_wide(
        pd.DataFrame({"A1": [1.0, 2, 3], "A2": [2.0, 3, 4], "A3": [3.0, 4, 5]}),
        metric="score",
        better="lower" if a1_best else "higher",
    )
    found = pc.rank_pairs(scores)
    return dataclasses.replace(found, table=found.table.assign(p_adjusted=p))


def test_errors_power_and_wrong_signs_are_told_apart():
    some = rank_pairs_with((0.05, 0.2, 0.01), a1_best=True)
    assert outcome(some, 1.0) == {"error": 1, "found": 1, "winner": 0, "wrong": 0}
    assert outcome(some, 0.0) == {"error": 1, "found": 0, "winner": 0, "wrong": 0}
    both = rank_pairs_with((0.05, 0.01, 0.06), a1_best=True)
    assert outcome(both, 1.0) == {"error": 0, "found": 2, "winner": 1, "wrong": 0}
    worse = rank_pairs_with((0.05, 0.01, 0.06), a1_best=False)
    assert outcome(worse, 1.0) == {"error": 0, "found": 0, "winner": 0, "wrong": 1}
    none = rank_pairs_with((0.06, np.nan, 1.0), a1_best=True)
    assert not any(outcome(none, 0.0).values())


@pytest.fixture
def small(monkeypatch, tmp_path):
    cases = [c for c in CASES if c.road in ("paired t", "MANOVA, Wilks")]
    monkeypatch.setattr(family_wise, "CASES", cases)
    monkeypatch.setattr(family_wise, "PAGE", tmp_path / "page.md")
    return tmp_path


def test_a_killed_study_goes_on_to_the_same_page(small, capsys):
    told = family_wise.run(small / "study", workers=1, runs=50)
    whole = family_wise.PAGE.read_text(encoding="utf-8")
    assert "**50 runs**" in whole
    [path] = (small / "study").iterdir()
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:11]), encoding="utf-8")
    capsys.readouterr()
    assert family_wise.run(small / "study", workers=1, runs=50) == told
    assert family_wise.PAGE.read_text(encoding="utf-8") == whole
    assert capsys.readouterr().out.startswith("family-wise error: 12 of 25\n")


def test_a_road_above_its_bound_is_named(small):
    counts = family_wise.added([family_wise.run_chunk(0, 2)["counts"]])
    assert "above it" not in family_wise.conclusion(counts)
    case = next(c for c in family_wise.CASES if c.holds)
    counts[family_wise.key(case, 0.0)]["error"] = 2
    assert family_wise.conclusion(counts).endswith(f"above it: {case.name}; 0")

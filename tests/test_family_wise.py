"""The study of family-wise errors: it asks what compare decides, and counts rightly."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.ranks.pairs import RankPairsResult
from pycompare.results import Test
from validation import family_wise, known_winners, planned_roads
from validation.family_wise import CASES, bound, outcome, rate, simulate

HOLDING = tuple({case.road: case for case in CASES if case.holds}.values())


def verdicts(comparison: pc.Comparison) -> dict[frozenset[str], float]:
    """Return the adjusted p-value of each pair, as the whole analysis decides it."""
    if comparison.plan.cost_ratio is not None:
        return by_pair(comparison.datasets_together.sign.table)
    if comparison.together is not None:
        return by_pair(comparison.together.pairs.table)
    made = comparison.analyses[0].decisions
    return {decision.pair: decision.p_adjusted for decision in made}


def by_pair(table: pd.DataFrame) -> dict[frozenset[str], float]:
    """Return adjusted p-values by pair."""
    pairs = map(frozenset, zip(table.algorithm_1, table.algorithm_2, strict=True))
    return dict(zip(pairs, table.p_adjusted, strict=True))


PLANNED = [case for case in CASES if not case.direct]


@pytest.mark.parametrize("case", PLANNED, ids=lambda case: case.name)
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
    [case] = [c for c in CASES if c.why == planned_roads.THESE]
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


def test_every_case_of_the_figure_has_a_road_that_promises_alpha():
    assert {case.figure[0] for case in CASES if case.holds} == set("123456")
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("seed", range(5))
def test_wins_that_are_counted_at_once_are_those_of_wins(seed):
    rng = np.random.default_rng(seed)
    scores = known_winners.overlapping_folds_of_data_sets(rng, 1.0)
    plan = pc.Plan(blocks="folds", n_train=9, n_test=1)
    by_t = partial(pc.corrected_pairs, n_train=9, n_test=1)
    for method, (n, won) in {
        "tukey": planned_roads.tukey_wins(scores, 0.05),
        by_t: planned_roads.corrected_wins(scores, plan),
    }.items():
        expected = pc.wins(scores, method=method, omnibus=False)
        assert n == expected.n_datasets
        assert won.equals(expected.wins.astype(won.dtypes.iloc[0]))
        assert won.to_numpy().any()


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
    path.write_text("".join(lines[:11]) + lines[11][:40], encoding="utf-8")
    capsys.readouterr()
    assert family_wise.run(small / "study", workers=1, runs=50) == told
    assert family_wise.PAGE.read_text(encoding="utf-8") == whole
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("family-wise error: 11 of 50 chunks done; about ")
    assert said[1].startswith("family-wise error: 12 of 50, about ")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 50


def test_a_road_above_its_bound_is_named(small):
    counts = family_wise.added([family_wise.run_chunk(0, 2)["counts"]])
    assert "above it" not in family_wise.conclusion(counts)
    case = next(c for c in family_wise.CASES if c.holds)
    counts[family_wise.key(case, 0.0)]["error"] = 2
    assert family_wise.conclusion(counts).endswith(f"above it: {case.name}; 0")

"""The study of tests over cases: truths, counts, page, and the claims it shows."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

import pycompare as pc
from pycompare.methods.curves import few_cases
from pycompare.results.guarantees import ELSEWHERE, guarantee
from tests.methods.orders.by_hand import pairs_result
from validation.case_study.areas import AREAS, OF_AREAS, area_shares
from validation.case_study.counts import (
    PairErrors,
    RankCount,
    cochran_errors,
    drawn,
    errors_alone,
    pair_errors,
    predicted_ranks,
    true_means,
    true_ranks,
    weighted_shares,
)
from validation.case_study.methods import OF_CLUSTERS
from validation.case_study.page import PAGE, bound, held, page
from validation.case_study.rows import run
from validation.case_study.truths import (
    ALONE,
    CASES,
    CLUSTERS,
    PREDICTED,
    RANKED,
    WINS,
    answers,
    data_sets,
)
from validation.case_study.weighted import WEIGHTED

TEXT = PAGE.read_text(encoding="utf-8")
RUNS, RANK_RUNS = (int(n) for n in re.findall(r"-runs (\d+)", TEXT.splitlines()[2]))
TRUTHS = CASES | CLUSTERS | ALONE
ERRORS = (
    "Family-wise error, independent items",
    "Family-wise error, clusters of items",
    "Error of one test, two algorithms on independent items",
)


def rows_of(title: str) -> list[dict[str, str]]:
    """Return the rows of the first table of a section of the page."""
    section = TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]
    head, _, *rest = re.search(r"(?m)(^\|.*\n)+", section)[0].splitlines()
    names = [cell.strip() for cell in head.split("|")[1:-1]]
    cells = ([cell.strip() for cell in line.split("|")[1:-1]] for line in rest)
    return [dict(zip(names, row, strict=True)) for row in cells]


ROWS = [row for part in ERRORS for row in rows_of(part)]
WEIGHTED_ROWS = rows_of("Family-wise error, weighted benchmarks")
AREA_ROWS = rows_of("Family-wise error, AUCs over clusters of cases")


def name_of(row: dict[str, str]) -> str:
    heads = ("truth", "clusters", "clusters of cases", "benchmarks")
    return next(row[head] for head in heads if head in row)


def promised(
    key: str, among: Sequence[dict[str, str]] = (*ROWS, *WEIGHTED_ROWS, *AREA_ROWS)
) -> list[float]:
    """Return the errors of a key in the rows that violate none of its conditions."""
    claim = guarantee(key)
    rows = [row for row in among if row.get(key)]
    return [float(r[key]) for r in rows if claim.promises(r["violates"].split(", "))]


# ---- the page -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", [key for key, page in ELSEWHERE.items() if page == "validation/CASES.md"]
)
def test_every_claim_over_cases_has_rows_within_the_bound(key):
    errors = promised(key)
    assert len(errors) >= 2
    assert max(errors) <= bound(RUNS)


@pytest.mark.parametrize(
    "rows", [ROWS, WEIGHTED_ROWS, AREA_ROWS], ids=["cases", "weighted", "areas"]
)
def test_the_page_counts_the_promises_that_hold(rows):
    keys = {key for row in rows for key in row if "/" in key}
    errors = [error for key in keys for error in promised(key, rows)]
    held = sum(error <= bound(RUNS) for error in errors)
    assert f"**{held} of {len(errors)} promised error rates are at most" in TEXT


@pytest.mark.parametrize(
    ("rows", "truths"),
    [(ROWS, TRUTHS), (WEIGHTED_ROWS, WEIGHTED), (AREA_ROWS, AREAS)],
    ids=["cases", "weighted", "areas"],
)
def test_rows_of_the_page_are_those_of_the_study_with_what_they_violate(rows, truths):
    assert {name_of(r): r["violates"] for r in rows} == {
        name: ", ".join(truth.violates) for name, truth in truths.items()
    }


def test_weighted_intervals_cover_in_large_samples():
    rows = rows_of("Coverage of simultaneous 95% intervals, weighted benchmarks")
    assert [name_of(row) for row in rows] == list(WEIGHTED)
    found = [
        float(value)
        for row in rows
        if not row["violates"]
        for key, value in row.items()
        if key not in ("benchmarks", "violates")
    ]
    assert min(found) >= 1 - bound(RUNS)
    assert f"{len(found)} of {len(found)} coverages are at least" in TEXT


def test_what_delong_says_of_few_clusters_is_what_the_study_found():
    clusters, percent = few_cases.FEW_CLUSTERS
    rows = [row for row in AREA_ROWS if f", {clusters} clusters" in name_of(row)]
    errors = [float(row[key]) for row in rows for key in OF_AREAS]
    assert len(errors) == 8 and round(100 * max(errors)) == percent


def test_classifiers_of_equal_auc_have_equal_areas_in_the_draws():
    truth = AREAS[next(n for n in AREAS if n.startswith("2 + 2"))]
    rng = np.random.default_rng(6)
    areas = []
    for _ in range(60):
        label, scores, owner = truth.draw(rng)
        found = pc.delong(label, scores, positive=True, cluster=owner)
        areas.append(found.area.to_numpy())
    mean, error = np.mean(areas, axis=0), np.std(areas, axis=0) / np.sqrt(60)
    for one, two in ((0, 1), (3, 4)):
        assert abs(mean[one] - mean[two]) < 4 * (error[one] + error[two])
    assert mean[2] - mean[1] > 0.05 and mean[3] - mean[2] > 0.05


def test_areas_are_counted_by_the_truth():
    name = "4 equal, 20 clusters of 1 to 11, one class"
    found = area_shares(name, AREAS[name], 20)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    wrong = covered = 0
    for _ in range(20):
        label, scores, owner = AREAS[name].draw(rng)
        table = pc.delong(label, scores, positive=True, cluster=owner).table
        wrong += bool((table["p_adjusted"] <= 0.05).any())
        covered += table["conf_low"][0] <= 0 <= table["conf_high"][0]
    assert found["wrong"]["auc/delong-clusters/holm"] == pytest.approx(wrong / 20)
    assert found["covered"] == pytest.approx(covered / 20)


def test_rank_sets_cover_all_true_ranks():
    rows = rows_of("Coverage of rank sets")
    assert [name_of(row) for row in rows] == list(RANKED)
    found = [float(v) for row in rows for k, v in row.items() if k != "truth" and v]
    assert min(found) >= 1 - bound(RANK_RUNS)
    assert f"{len(found)} of {len(found)} coverages" in TEXT


def test_sharper_rank_sets_are_narrower_than_bonferronis_where_pairs_are_informative():
    section = TEXT.split("Mean number of ranks in a set:")[1]
    head, _, *lines = re.search(r"(?m)(^\|.*\n)+", section)[0].splitlines()
    names = [cell.strip() for cell in head.split("|")[1:-1]]
    informative = 0
    for line in lines:
        row = dict(zip(names, map(str.strip, line.split("|")[1:-1]), strict=True))
        truth = RANKED[row.pop("truth")]
        bonferroni = float(row.pop("paired t, Bonferroni"))
        shortest = np.mean([v - u + 1 for u, v in true_ranks(truth.means)])
        sharper = [float(row[k]) for k in row if row[k] and "McNemar" not in k]
        assert max(sharper) <= bonferroni
        if len(set(truth.means)) > 1 and bonferroni > shortest:
            informative += 1
            assert max(sharper) < bonferroni
    assert informative >= 7


@pytest.mark.parametrize(
    ("title", "truths"),
    [
        ("Coverage of simultaneous 95% intervals of win probabilities", WINS),
        ("Coverage of 95% prediction intervals of ranks", PREDICTED),
    ],
)
def test_intervals_of_wins_and_predictions_of_ranks_cover(title, truths):
    rows = rows_of(title)
    assert [name_of(row) for row in rows] == list(truths)
    found = [float(row.get("coverage") or row["superiority"]) for row in rows]
    assert min(found) >= 1 - bound(RUNS)
    assert f"{len(found)} of {len(found)} coverages are at least" in TEXT


# ---- the study ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [*CASES, *ALONE, *list(CLUSTERS)[6:12]])
def test_equal_algorithms_have_equal_expected_scores(name):
    truth = TRUTHS[name]
    rng = np.random.default_rng(1)
    total = sum(truth.draw(rng).column().mean(axis=0) for _ in range(150)) / 150
    means = np.array(truth.means)
    for level in set(truth.means):
        most = 0.5 if "graded" in name else 0.1
        assert np.ptp(total[means == level]) < most


@pytest.mark.parametrize("name", [*WEIGHTED][:5:2] + [*WEIGHTED][-3:])
def test_weighted_means_are_those_of_the_draws(name):
    truth = WEIGHTED[name]
    rng = np.random.default_rng(4)
    weights = truth.benchmarks.named
    tables = [truth.draw(rng) for _ in range(40)]
    found = [pc.weighted_means(x, weights=weights).table["estimate"] for x in tables]
    error = np.std(found, axis=0, ddof=1) / np.sqrt(40)
    assert np.all(np.abs(np.mean(found, axis=0) - truth.means) < 4 * error)


def test_algorithms_that_are_equal_on_the_whole_differ_on_two_benchmarks():
    truth = WEIGHTED["graded, 40 + 60 + 200 items, unequal on two"]
    expected = truth.benchmarks.expected(truth.means)
    np.testing.assert_allclose(np.array((0.5, 0.3, 0.2)) @ expected, 0, atol=1e-15)
    assert expected[0].tolist() == [1, -1, 1, -1] and not expected[2].any()


def test_weighted_shares_are_counted_by_the_truth():
    name = "graded, 10 + 20 + 100 items"
    truth = WEIGHTED[name]
    wrong, covered = weighted_shares(name, truth, 40)
    tables = list(drawn(name, truth, 40))
    weights = truth.benchmarks.named
    by_hand = [pc.weighted_pairs(x, weights=weights, adjust="bergmann-hommel")
               for x in tables]  # fmt: skip
    key = "weighted/t/bergmann-hommel"
    assert wrong[key] == pytest.approx(
        np.mean([f.rejected(0.05).any() for f in by_hand])
    )
    inside = [((f.table["conf_low"] <= 0) & (f.table["conf_high"] >= 0)).all()
              for f in by_hand]  # fmt: skip
    assert covered[key] == pytest.approx(np.mean(inside)) and 0.8 < covered[key] <= 1


@pytest.mark.parametrize("name", list(WINS))
def test_probabilities_to_be_better_are_those_of_the_draws(name):
    truth, wins = WINS[name]
    rng = np.random.default_rng(2)
    x = np.vstack([truth.draw(rng).column() for _ in range(20000 // 30)])
    for i, j in ((0, 1), (0, len(truth.means) - 1)):
        share = np.mean((x[:, i] > x[:, j]) + (x[:, i] == x[:, j]) / 2)
        true = wins(truth.means[i], truth.means[j])
        assert abs(share - true) < 4 * np.sqrt(0.25 / len(x))


def test_a_prediction_is_of_the_last_data_set_from_the_others():
    truth = data_sets((0.0, 90.0, 180.0), 20, 1.0)
    assert predicted_ranks("far", truth, 2) == (1.0, 0.0)


def test_errors_and_ranks_are_counted_by_the_truth():
    found = pairs_result({"A": 1, "B": 2, "C": 3}, ["AB", "BC"])
    first, second = true_means(found.table, (0.0, 0.0, 1.0))
    assert (first.tolist(), second.tolist()) == ([0, 0, 0], [0, 1, 1])
    assert true_ranks((0.0, 1.0, 1.0, 2.0)) == [(4, 4), (2, 3), (2, 3), (1, 1)]


def test_a_row_calls_the_public_functions():
    name, truth = next(iter(CLUSTERS.items()))
    counts = pair_errors(name, truth, OF_CLUSTERS, 3)
    by_hand = {key: PairErrors() for key in counts}
    for scores in drawn(name, truth, 3):
        for key, method in OF_CLUSTERS.items():
            found = method(scores)
            outside = (found.table["conf_low"] > 0) | (found.table["conf_high"] < 0)
            by_hand[key].rejected += bool(found.rejected(0.05).any())
            by_hand[key].missed += bool(outside.any())
    assert counts == by_hand
    assert isinstance(next(drawn(name, truth, 1)), pc.Scores)


def test_cochrans_q_is_counted_by_its_p_value():
    name = "4 equal, 20 items"
    truth = CASES[name]
    p = [pc.cochran_q(x).p_value for x in drawn(name, truth, 60)]
    assert cochran_errors(name, truth, 60) == sum(np.array(p) <= 0.05) >= 1


def test_only_promised_errors_are_held_against_the_bound():
    key = "cases/mcnemar-chi2/bergmann-hommel"
    rows = {"4 equal, 20 items": {key: 0.2}, "4 equal, 50 items": {key: 0.05}}
    assert held(CASES, rows, 1000) == (1, 1)
    rows["4 equal, 200 items"] = {key: 0.2}
    assert held(CASES, rows, 1000) == (1, 2)


def test_the_page_has_every_row():
    shares = {name: {"scores/max-t": 0.05} for name in CASES}
    ranked = {"a truth": {"a method": RankCount(95, 2.5)}}
    text = page(shares, {}, {}, {}, ranked, 100, 100)
    for name, truth in CASES.items():
        assert f"| {name} | {', '.join(truth.violates)} | 0.0500 |" in text
    assert "| a truth | 0.9500 |" in text and "| a truth | 2.50 |" in text
    assert "10 of 10 promised error rates are at most 0.1154" in text


def in_this_process(call, cells, title, keep):
    """Run cells one after another, where rows are counted."""
    for cell in cells:
        keep(cell, call(cell))


def test_finished_rows_are_not_run_again(tmp_path, monkeypatch):
    made = []

    def row(name):
        made.append(name)
        return 0.95

    def tasks(runs, rank_runs):
        return {("wins", name): partial(row, name) for name in "ab"}

    monkeypatch.setattr("validation.case_study.rows.tasks", tasks)
    monkeypatch.setattr("validation.case_study.rows.finish_cells", in_this_process)
    first = run(tmp_path, 10, 5)
    assert first == run(tmp_path, 10, 5) == {"wins": {"a": 0.95, "b": 0.95}}
    assert made == ["a", "b"]
    run(tmp_path, 20, 5)
    assert made == ["a", "b", "a", "b"]


def test_algorithms_that_are_alike_agree_more_often():
    apart, alike = (
        next(drawn("x", answers((0.0, 0.0), 4000, shared=s), 1)).column()
        for s in (0.0, 0.8)
    )
    discordant = [np.mean(x[:, 0] != x[:, 1]) for x in (apart, alike)]
    # Latent correlations 0.5 and 0.9 of normal variables.
    np.testing.assert_allclose(discordant, np.arccos([0.5, 0.9]) / np.pi, atol=0.03)


def test_one_test_is_counted_by_its_p_value():
    name, truth = "2 equal, 20 items", ALONE["2 equal, 20 items"]
    p = [pc.mcnemar(x, p_value="mid-p").p_value for x in drawn(name, truth, 80)]
    share = errors_alone(name, truth, 80)["two/mcnemar-mid-p"]
    assert share == np.mean(np.array(p) <= 0.05) > 0

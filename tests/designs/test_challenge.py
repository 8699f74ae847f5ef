"""Challenges in plans: rules, results of each ranking, pages, files and R."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.cases import CaseAnalysis
from pycompare.designs.challenge import ChallengeAnalysis, RankingAnalysis
from tests.challenges import drawn, published, scores_of, table, tasks
from tests.conftest import golden

KEYS = {"blocks": "cases", "ranking": "rank-then-aggregate"}
FAILED = golden("challenge_random")["outputs"]["failed"]["value"]["cells"]


def compared(scores, **keys):
    return pc.compare(scores, pc.Plan(**{**KEYS, **keys}))


def test_a_plan_gives_the_result_of_the_method():
    scores = scores_of(table(drawn(40, 4, shift=1.0)))
    [analysis] = compared(scores).analyses
    alone = pc.challenge(scores, ranking="rank-then-aggregate")
    assert isinstance(analysis, ChallengeAnalysis)
    assert analysis.challenge.table.equals(alone.table)
    assert analysis.decisive.table.equals(alone.pairs.table)
    assert analysis.challenge.resampled.equals(alone.resampled)


def test_mean_scores_have_the_tests_of_cases():
    scores = scores_of(table(drawn(40, 4, shift=1.0)))
    [analysis] = compared(scores, ranking="aggregate-then-rank").analyses
    usual = pc.compare(scores, pc.Plan(blocks="cases")).analyses[0]
    assert isinstance(analysis, CaseAnalysis)
    assert analysis.decisive.table.equals(usual.decisive.table)
    sets = pc.rank_sets(usual.decisive).table.set_index("algorithm")
    table_ = analysis.challenge.table.set_index("algorithm")
    assert (table_["rank_low"] == sets["rank_low"][table_.index]).all()


@pytest.mark.parametrize(
    "keys",
    [
        {"ranking": "test-then-rank"},
        {"ranking": "test-then-rank", "adjust": ("none",)},
        {"aggregate": "median"},
        {"ranking": "aggregate-then-rank", "aggregate": 0.1},
    ],
)
def test_an_order_without_a_test_decides_nothing(keys):
    scores = scores_of(table(published()))
    comparison = compared(scores, **keys)
    [analysis] = comparison.analyses
    assert isinstance(analysis, RankingAnalysis) and analysis.decisions == ()
    options = {"adjust": keys["adjust"][0]} if "adjust" in keys else {}
    alone = pc.challenge(
        scores,
        ranking=keys.get("ranking", KEYS["ranking"]),
        aggregate=keys.get("aggregate", "mean"),
        **options,
    )
    assert analysis.challenge.table.equals(alone.table)
    assert "There is no test of its quantity" in comparison.summary()


def test_the_first_sentences_have_rank_sets_and_resamples():
    told = compared(scores_of(table(published()))).summary()
    for text in (
        "By mean rank, A1 comes first of five algorithms (2.72) on these 50 cases.",
        "No pair of the five algorithms differs significantly.",
        "Every algorithm may hold any rank (95% sets 1 to 5).",
        "among five equal algorithms the winner wins 54% on average.",
    ):
        assert text in told


def test_failures_are_counted_and_the_other_winner_is_named():
    scores = scores_of(table(published(), FAILED), missing="worst", worst=0)
    by_mean = compared(scores, ranking="aggregate-then-rank").summary()
    assert "By mean dice, A2 comes first of five" in by_mean
    assert (
        "12 failures in all. Without the cases of these failures the first place goes "
        "to A1." in by_mean
    )
    by_rank = compared(scores)
    assert "By mean rank, A1 comes first" in by_rank.summary()
    assert "the first place is the same" in by_rank.summary()
    [firmness] = by_rank.firmness
    assert firmness.analyses("same") == ("Failures dropped",)
    assert firmness.analyses("another") == ("Mean scores, max-T",)


def test_tasks_are_weighted_and_each_is_left_out():
    comparison = compared(tasks((20, 24, 30)), weights="equal")
    assert comparison.plan.groups == "all"
    [analysis] = comparison.analyses
    assert analysis.decisive.basis == "weighted-ranks/max-t"
    [part] = comparison.parts
    [sets] = part.rank_sets.values()
    claim = part.claim(sets)
    assert claim.claimed and claim.rows == ("weighted-ranks/max-t",)
    assert [other.name for other in analysis.others] == [
        *(f"Without task t{at}" for at in (1, 2, 3)),
        "Mean scores, max-T",
    ]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"blocks": "folds"}, "is for the cases of a challenge: set blocks='cases'"),
        ({"blocks": "by-columns"}, "is for the cases of a challenge"),
        ({"ranking": None, "aggregate": "median"}, "is for the ranking of a challenge"),
        ({"ranking": None, "tied_ranks": "min"}, "is for the ranking of a challenge"),
        ({"aggregate": 1.5}, "a number between 0 and 1"),
        ({"tied_ranks": "max"}, "choose one of 'mean', 'min'"),
        ({"control": "A1"}, "control: no use with ranking=.* need all pairs"),
        ({"family": "all"}, "family: no use with ranking="),
        ({"adjust": ("holm",)}, "choose max-t, and no other"),
        ({"ranking": "test-then-rank", "adjust": ("bonferroni",)}, "holm or none"),
        ({"ranking": "test-then-rank", "aggregate": "median"}, "which counts tests"),
        ({"aggregate": "median", "adjust": ("max-t",)}, "has no test of pairs"),
        ({"gate": "omnibus"}, "gate: no use with ranking="),
        ({"decimals": 2}, "decimals"),
        (
            {"margin": 0.1, "hypothesis": "equivalence"},
            "margin, hypothesis: no use .* has not been measured",
        ),
        ({"items_scope": "fixed"}, "items_scope"),
        ({"runs": "samples", "replicates": "average"}, "runs"),
        ({"weights": "equal"}, "no such column"),
    ],
)
def test_keys_without_a_form_for_rankings_are_refused(keys, message):
    with pytest.raises(pc.PlanError, match=message):
        compared(scores_of(table(drawn())), **keys)


def test_tables_without_a_form_are_refused():
    with pytest.raises(pc.PlanError, match="2 tasks: give their weights"):
        compared(tasks())
    gaps = scores_of(table(drawn(), [3]), missing="model")
    assert compared(gaps).analyses[0].challenge.table["failures"].sum() == 1
    with pytest.raises(pc.PlanError, match=r"needs the worst score.*missing='worst'"):
        compared(gaps, ranking="aggregate-then-rank")
    rows = [row | {"run": run} for row in table(drawn()) for run in ("1", "2")]
    for at, row in enumerate(rows):
        row["dice"] = row["dice"] * (1 - 0.001 * (at % 7))
    with pytest.raises(pc.PlanError, match="cases have several runs"):
        compared(scores_of(rows, replicate="run"))


def write(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize("gone", ["no row", "inf"])
def test_distances_of_failures_need_no_worst_score_to_be_ranked(tmp_path, gone):
    rows = [
        {"team": r["team"], "case": r["case"], "hd95": round(30 * (1 - r["dice"]), 3)}
        for r in table(drawn(20, 3))
    ]
    if gone == "inf":
        rows[4]["hd95"] = "inf"
    else:
        del rows[4]
    write(tmp_path / "hd.csv", rows)
    text = (
        '[data]\nfile = "hd.csv"\nalgorithm = "team"\nblock = "case"\n'
        'missing = "worst"\n{worst}\n[metrics]\nhd95 = "lower"\n\n'
        '[plan]\nblocks = "cases"\nranking = "{ranking}"\n'
    )

    def result(ranking, worst=""):
        path = tmp_path / "plan.toml"
        path.write_text(text.format(ranking=ranking, worst=worst), encoding="utf-8")
        plan = pc.read_plan(path)
        return pc.compare(plan.read_data(), plan).analyses[0].challenge

    ranked = result("rank-then-aggregate")
    assert ranked.table["failures"].tolist() == [1, 0, 0]
    known = result("rank-then-aggregate", "worst = 100.0\n")
    assert ranked.table["value"].tolist() == known.table["value"].tolist()
    assert ranked.schemes["ranking"].nunique() == 1
    with pytest.raises(pc.InputError, match="no worst score by its name"):
        result("aggregate-then-rank")
    assert result("aggregate-then-rank", "worst = 100.0\n").n_cases == 20


def test_a_report_is_made_again_and_has_the_figures(tmp_path):
    scores = tasks(
        (20, 24), cluster="patient", failed=((5,), ()), missing="worst", worst=0
    )
    pc.report(compared(scores, weights={"t1": 2, "t2": 1}), tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    for text in (
        "By weighted mean rank",
        "Other rankings of the same cases",
        "Resampled ranks",
        "is not the probability that it is the best",
        "Failures",
    ):
        assert text in page
    told = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    found = told["analyses"][0]["challenge"]
    assert found["weights"] == {"t1": 2 / 3, "t2": 1 / 3}
    assert np.isclose(sum(r["share"] for r in found["resampled"][:5]), 1, atol=1)
    names = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert {"ranking.csv", "schemes.csv", "tasks.csv", "failures.csv"} <= names
    assert pc.verify(tmp_path / "out", recompute=True).passed


@pytest.mark.parametrize("keys", [{}, {"ranking": "aggregate-then-rank"}])
def test_names_of_users_are_data(tmp_path, keys):
    names = {"A1": "<b>&", "A2": 'a"$x_1^2', "A3": "c\\d{e}", "A4": "=1+1"}
    rows = [
        row | {"team": names[row["team"]], "task": task, "case": f"{task}{row['case']}"}
        for task in ("<t>", "u&")
        for row in table(drawn(12, 4, seed=len(task)))
    ]
    comparison = compared(scores_of(rows, group="task"), weights="equal", **keys)
    pc.report(comparison, tmp_path / "out", formats=["html", "latex"])
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<b>&</b>" not in page and "&lt;b&gt;&amp;" in page


def test_blinding_hides_names_and_keeps_numbers():
    scores = scores_of(table(drawn(24, 3, shift=1.0)))
    blind, open_ = (
        compared(scores, blind=hidden).analyses[0].challenge.table
        for hidden in (True, False)
    )
    assert set(blind["algorithm"]).isdisjoint(open_["algorithm"])
    assert sorted(blind["value"]) == sorted(open_["value"])


def test_two_algorithms_have_one_pair():
    [analysis] = compared(scores_of(table(drawn(20, 2, shift=1.5)))).analyses
    assert analysis.decisions[0].better == analysis.challenge.best[0]

"""Rankings of challenges: published numbers, R's, identities and bad input."""

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from tests.challenges import TEAMS, drawn, published, scores_of, table, tasks
from tests.conftest import golden

RANK_FIRST, SCORES_FIRST = "rank-then-aggregate", "aggregate-then-rank"
SCHEMES = {
    "rank_mean": (RANK_FIRST, "mean"),
    "rank_median": (RANK_FIRST, "median"),
    "mean": (SCORES_FIRST, "mean"),
    "median": (SCORES_FIRST, "median"),
}


def ranked(scores, ranking=RANK_FIRST, **options):
    options = {"tied_ranks": "min", "resamples": 20} | options
    return pc.challenge(scores, ranking=ranking, **options)


@pytest.mark.parametrize("name", ["random", "ideal"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_rankings_are_those_of_r(name, scheme):
    stored = golden(f"challenge_{name}")["outputs"]
    ranking, aggregate = SCHEMES[scheme]
    found = ranked(scores_of(table(published(name))), ranking, aggregate=aggregate)
    wanted = stored["values"]["value"][scheme]
    assert_digits(found.table["value"], wanted, at_least=13)
    assert found.table["rank"].tolist() == stored["ranks"]["value"][scheme]


@pytest.mark.parametrize(("adjust", "key"), [("none", "tests"), ("holm", "tests_holm")])
@pytest.mark.parametrize("name", ["random", "ideal"])
def test_counts_of_tests_are_those_of_r(name, adjust, key):
    stored = golden(f"challenge_{name}")["outputs"]
    found = ranked(scores_of(table(published(name))), "test-then-rank", adjust=adjust)
    assert found.table["value"].tolist() == stored["values"]["value"][key]
    assert found.table["rank"].tolist() == stored["ranks"]["value"][key]


def test_numbers_are_those_that_challenger_gives():
    # challengeR 1.0.5 on its data_matrix.csv, task c_random, ties.method = "min".
    scores = scores_of(table(published()))
    by_rank = ranked(scores).table
    assert by_rank["value"].round(2).tolist() == [2.72, 2.96, 3.32, 2.88, 3.12]
    assert by_rank["rank"].tolist() == [1, 3, 5, 2, 4]
    means = ranked(scores, SCORES_FIRST).table
    printed = [0.8046799575, 0.7975212960, 0.7614807555, 0.7884066848, 0.7697413731]
    assert_digits(means["value"], printed, at_least=9)
    assert means["rank"].tolist() == [1, 2, 5, 3, 4]
    tests = ranked(scores, "test-then-rank", adjust="none").table
    assert tests["value"].tolist() == [0.25, 0, 0, 0, 0]
    assert tests["rank"].tolist() == [1, 2, 2, 2, 2]


def test_no_difference_of_the_vignette_is_significant():
    scores = scores_of(table(published()))
    for ranking in (RANK_FIRST, SCORES_FIRST):
        sets = ranked(scores, ranking).table
        assert (sets["rank_low"] == 1).all() and (sets["rank_high"] == 5).all()
    clear = ranked(scores_of(table(published("ideal")))).table
    assert clear["rank_low"].tolist() == clear["rank_high"].tolist() == [1, 2, 3, 4, 5]


def test_every_order_once_is_a_tie_of_all():
    from itertools import permutations

    x = np.array(list(permutations(np.linspace(0.8, 1.0, 5))))
    for ranking in (RANK_FIRST, SCORES_FIRST, "test-then-rank"):
        assert ranked(scores_of(table(x)), ranking).table["rank"].tolist() == [1] * 5
        shared = ranked(scores_of(table(x)), ranking, tied_ranks="mean")
        assert shared.table["rank"].tolist() == [3] * 5


def test_failures_decide_who_wins():
    stored = golden("challenge_random")["outputs"]["failed"]["value"]
    rows = table(published(), stored["cells"])
    scores = scores_of(rows, missing="worst", worst=0)
    by_rank, by_mean = ranked(scores), ranked(scores, SCORES_FIRST)
    assert_digits(by_rank.table["value"], stored["rank_mean"], at_least=13)
    assert by_rank.table["value"].round(2).tolist() == [2.78, 2.94, 3.30, 2.80, 3.12]
    assert_digits(by_mean.table["value"], stored["mean"], at_least=13)
    assert by_rank.table["failures"].tolist() == [3, 1, 3, 1, 4]
    without = by_mean.without_failures
    assert_digits(without["value"], stored["dropped"], at_least=13)
    assert_digits(
        by_rank.without_failures["value"], stored["rank_dropped"], at_least=13
    )
    winners = [found.best for found in (by_rank, by_mean)]
    assert winners == [("A1",), ("A2",)]
    assert without.loc[without["rank"] == 1, "algorithm"].tolist() == ["A1"]


def test_ranks_need_no_worst_score():
    stored = golden("challenge_random")["outputs"]["failed"]["value"]
    rows = table(published(), stored["cells"])
    known = ranked(scores_of(rows, missing="worst", worst=0))
    unknown = ranked(scores_of(rows, missing="model"))
    assert known.table["value"].tolist() == unknown.table["value"].tolist()
    assert unknown.schemes["ranking"].unique().tolist() == [RANK_FIRST]
    for ranking in (SCORES_FIRST, "test-then-rank"):
        with pytest.raises(DesignError, match=r"12 cells .* have no score.*worst="):
            ranked(scores_of(rows, missing="model"), ranking)


def test_a_failure_is_behind_a_score_that_is_as_bad():
    x = drawn(12, 3)
    x[0, 2] = 0.0
    rows = [r for r in table(x) if (r["team"], r["case"]) != ("A1", "c0")]
    scores = scores_of(rows, missing="worst", worst=0)
    found = ranked(scores, tied_ranks="mean")
    ranks = found.held_tasks.each[0].ranks
    assert ranks[scores.blocks.index("c0")].tolist() == [3.0, 1.0, 2.0]


def test_resamples_are_those_of_r():
    stored = golden("challenge_random")["outputs"]["resampled"]["value"]
    found = ranked(scores_of(table(published())), resamples=stored["resamples"], seed=5)
    assert_digits(found.table["won"], stored["won"], at_least=13)
    assert_digits(found.kendall, stored["kendall"], at_least=12)


def test_shares_of_ranks_sum_to_one_and_the_seed_repeats_them():
    scores = scores_of(table(drawn()))
    first, again, other = (ranked(scores, seed=seed) for seed in (0, 0, 1))
    sums = first.resampled.groupby("algorithm")["share"].sum()
    assert_digits(sums, np.ones(4), at_least=12)
    assert first.resampled.equals(again.resampled)
    assert not first.resampled.equals(other.resampled)


def test_sets_are_those_of_max_t_of_the_same_quantity():
    scores = scores_of(table(drawn(40, 4, shift=1.0)))
    found = pc.challenge(scores, ranking=RANK_FIRST)
    tests = pc.max_t(scores, on="ranks", seed=0)
    assert (
        found.pairs.table["p_adjusted"].tolist() == tests.table["p_adjusted"].tolist()
    )
    sets = pc.rank_sets(tests).table.set_index("algorithm")
    own = found.table.set_index("algorithm")
    assert (own["rank_low"] == sets["rank_low"][own.index]).all()
    means = pc.challenge(scores, ranking=SCORES_FIRST)
    assert means.pairs.basis == "scores/max-t" and found.pairs.basis == "ranks/max-t"


def test_one_pair_of_untied_cases_has_the_exact_sign_test():
    from scipy import stats

    x = drawn(14, 2, seed=4)
    found = ranked(scores_of(table(x)))
    wins = int((x[:, 0] > x[:, 1]).sum())
    wanted = stats.binomtest(wins, 14, 0.5).pvalue
    assert_digits(found.pairs.table["p_adjusted"], [wanted], at_least=10)


def test_tasks_are_weighted_and_their_cases_are_their_own():
    scores = tasks((20, 30))
    assert scores.n_blocks == 50
    parts = [ranked(scores.of_group(name)).table["value"] for name in ("t1", "t2")]
    whole = ranked(scores, weights={"t1": 3, "t2": 1})
    assert_digits(whole.table["value"], 0.75 * parts[0] + 0.25 * parts[1], at_least=13)
    by_cases = ranked(scores, weights="cases").table["value"]
    assert_digits(by_cases, 0.4 * parts[0] + 0.6 * parts[1], at_least=13)
    assert_digits(by_cases, ranked(scores.ungrouped()).table["value"], at_least=13)
    consensus = whole.tasks.pivot(index="algorithm", columns="task", values="rank")
    wanted = consensus.mean(axis=1)[whole.table["algorithm"]]
    assert_digits(whole.table["mean_task_rank"], wanted, at_least=13)
    assert whole.pairs.basis == "weighted-ranks/max-t"


def test_weights_by_cases_have_the_flips_of_all_cases_together():
    scores = tasks((20, 30))
    together = ranked(scores.ungrouped()).pairs.table
    weighted = ranked(scores, weights="cases").pairs.table
    for column in ("estimate", "std_error", "statistic", "p_adjusted"):
        assert_digits(weighted[column], together[column], at_least=10)


def test_clusters_are_flipped_and_resampled_whole():
    scores = tasks((20, 30), cluster="patient")
    found = ranked(scores, weights="equal")
    assert found.n_clusters == 25 and found.clustered and found.pairs.clustered
    doubled = np.repeat(drawn(15, 4), 2, axis=0)
    pairs = scores_of(
        table(doubled, task="t", patients=np.arange(30) // 2), cluster="patient"
    )
    alone = scores_of(table(doubled[::2]))
    for column in ("statistic", "p_adjusted"):
        assert_digits(
            ranked(pairs).pairs.table[column],
            ranked(alone).pairs.table[column],
            at_least=10,
        )
    assert ranked(pairs).table["won"].tolist() == ranked(alone).table["won"].tolist()


def test_patients_in_several_tasks_are_flipped_once():
    x = drawn(20, 3, seed=2)
    rows = [
        row | {"patient": row["case"]}
        for task in ("t1", "t2")
        for row in table(x, task=task)
    ]
    twice = ranked(scores_of(rows, group="task", cluster="patient"), weights="equal")
    once = ranked(scores_of(table(x)))
    assert_digits(twice.table["value"], once.table["value"], at_least=13)
    for column in ("statistic", "p_adjusted"):
        assert_digits(twice.pairs.table[column], once.pairs.table[column], at_least=10)
    # As independent cases the same numbers would count twice.
    free = ranked(scores_of(rows, group="task"), weights="equal").pairs.table
    assert (free["std_error"] < 0.8 * twice.pairs.table["std_error"]).all()


def test_metrics_are_tasks_of_the_same_cases():
    dice, distance = drawn(20, 3, seed=2), 1 - drawn(20, 3, seed=3)
    rows = [
        {"team": TEAMS[a], "case": f"c{i}", "kind": name, "value": sign * x[i, a]}
        for name, x, sign in (("first", dice, 1), ("second", distance, -1))
        for i in range(20)
        for a in range(3)
    ]
    for row in rows:
        row["patient"] = row["case"]
    scores = scores_of(
        rows, group="kind", cluster="patient", metrics={"value": "higher"}
    )
    found = ranked(scores, weights={"first": 2, "second": 1})
    assert found.n_clusters == 20
    assert found.weights == {"first": 2 / 3, "second": 1 / 3}


def test_a_ranking_without_a_test_has_no_sets():
    scores = scores_of(table(drawn()))
    for options in (
        {"ranking": SCORES_FIRST, "aggregate": "median"},
        {"ranking": RANK_FIRST, "aggregate": 0.25},
        {"ranking": "test-then-rank"},
    ):
        found = ranked(scores, **options)
        assert found.pairs is None and found.sets is None
        assert found.table["rank_low"].isna().all()
        assert any("no test of this quantity" in note for note in found.notes)
    assert "no sets of ranks" in found.summary()


def test_lower_is_better_where_the_metric_says_so():
    x = drawn(25, 3)
    rows = [row | {"loss": -row["dice"]} for row in table(x)]
    higher = ranked(scores_of(rows), SCORES_FIRST, aggregate=0.9).table
    losses = scores_of(rows, metrics={"loss": "lower"})
    lower = ranked(losses, SCORES_FIRST, aggregate=0.1).table
    assert lower["rank"].tolist() == higher["rank"].tolist()
    assert_digits(lower["value"], -higher["value"], at_least=12)


# ---- bad input ----------------------------------------------------------------------


def test_one_case_and_one_algorithm_are_refused():
    with pytest.raises(InputError, match="blocks"):
        scores_of(table(drawn(1, 3)))
    with pytest.raises(InputError, match="algorithms"):
        scores_of(table(drawn(5, 1)))
    with pytest.raises(DesignError, match=r"'t2' has one case"):
        ranked(tasks((8, 1)), weights="equal")


def test_a_worst_score_that_is_better_than_a_score_is_refused():
    with pytest.raises(InputError, match=r"worst=0\.99: .* has worse scores"):
        scores_of(table(drawn(), [3]), missing="worst", worst=0.99)


def test_a_metric_without_a_bad_end_needs_a_worst_score():
    rows = [r | {"hd95": 10 * r["dice"]} for r in table(drawn(), [3])]
    with pytest.raises(InputError, match="no worst score by its name"):
        scores_of(rows, metrics={"hd95": "lower"}, missing="worst")


def test_the_direction_is_asked_for():
    with pytest.raises(InputError, match="higher"):
        scores_of(table(drawn()), metrics={"dice": None})


def test_an_algorithm_that_is_missing_from_a_task_is_named():
    scores = tasks((6, 8), a=3, failed=(range(13, 19), ()), missing="worst", worst=0)
    with pytest.raises(DesignError, match=r"algorithm 'A3' has no score in task 't1'"):
        ranked(scores, weights="equal")


def test_cases_of_some_algorithms_are_missing_cells():
    rows = table(drawn(10, 3))[:-4]
    with pytest.raises(InputError, match=r"4 of 30 cells have no score.*'worst'"):
        scores_of(rows)


def test_tasks_need_weights_and_weights_need_tasks():
    with pytest.raises(InputError, match=r"2 tasks: give their weights"):
        ranked(tasks())
    with pytest.raises(InputError, match="no column names any"):
        ranked(scores_of(table(drawn())), weights="equal")
    with pytest.raises(InputError, match="no group 'x'"):
        ranked(tasks(), weights={"t1": 1, "x": 2})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ranking": "mean"}, "ranking='mean': choose one of"),
        ({"aggregate": "mode"}, "aggregate='mode': choose 'mean', 'median' or"),
        ({"aggregate": 1.0}, "aggregate=1.0: choose"),
        ({"tied_ranks": "max"}, "tied_ranks='max'"),
        ({"adjust": "holm"}, "adjust='holm' is for ranking='test-then-rank'"),
        (
            {"ranking": "test-then-rank", "aggregate": "median"},
            "aggregate='median' has no use with ranking='test-then-rank'",
        ),
        ({"ranking": "test-then-rank", "adjust": "bonferroni"}, "adjust='bonferroni'"),
        ({"alpha": 0}, "alpha=0"),
        ({"resamples": 0}, "resamples=0"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_unknown_choices_are_refused_with_what_to_do(options, told):
    with pytest.raises(InputError) as refused:
        ranked(scores_of(table(drawn())), **options)
    assert told in str(refused.value)


def test_other_tables_are_refused():
    scores = scores_of(table(drawn()))
    runs = dataclasses.replace(
        scores,
        runs=np.repeat(scores.values[..., None], 2, axis=-1),
        replicates=("1", "2"),
    )
    with pytest.raises(DesignError, match="several runs of a case"):
        ranked(runs)
    folds = scores_of([r | {"data": "d"} for r in table(drawn())], dataset="data")
    with pytest.raises(DesignError, match="name tasks by a column of groups"):
        ranked(folds)


def test_the_ranking_has_no_default():
    with pytest.raises(TypeError, match="ranking"):
        pc.challenge(scores_of(table(drawn())))

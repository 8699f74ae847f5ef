"""Algorithms by people's labels and a judge: numbers, identities and bad input."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from pycompare.methods.cases.judge_labels import other_estimates
from pycompare.results.guarantees import MEASURED
from tests.judged import drawn, example, scores_of


def row_of(table, first, second):
    rows = table.query("algorithm_1 == @first and algorithm_2 == @second")
    return rows.iloc[0]


def test_pairs_of_both_populations_have_the_numbers_of_r():
    result = pc.labels(scores_of(example()), chosen="random")
    assert_digits(result.slope, 0.6571428571, at_least=9)
    assert (result.labels, result.items) == (12, 40)
    like = row_of(result.table, "A", "C")
    wanted = [0.1885714286, 1.808482007e-1, 0.32163656]
    assert_digits(like[["estimate", "std_error", "p_value"]], wanted, at_least=7)
    these = row_of(result.populations.query("population == 'these items'"), "A", "C")
    assert_digits(
        these[["std_error", "p_value"]], [1.371757370e-1, 0.19925186], at_least=7
    )
    assert_digits(like["judge_alone"], 0.2, at_least=12)


def test_differences_do_not_contradict_each_other():
    table = pc.labels(scores_of(drawn(models=3)), chosen="random").table
    ab, ac, bc = table["estimate"]
    assert_digits(ab + bc, ac, at_least=12)


def test_two_algorithms_have_the_t_test_itself():
    result = pc.labels(scores_of(drawn(models=2)), chosen="random")
    [row] = result.table.to_dict("records")
    assert row["p_adjusted"] == row["p_value"]
    half = stats.t.isf(0.025, row["df"]) * row["std_error"]
    assert_digits(row["conf_high"], row["estimate"] + half, at_least=10)
    assert result.repeatable and not result.is_drawn


def test_control_and_named_adjustments():
    scores = scores_of(drawn(models=4))
    raw = pc.labels(scores, chosen="random", control="B", adjust="holm").table
    assert raw["algorithm_2"].tolist() == ["B"] * 3
    assert_digits(raw["p_adjusted"], pc.adjust(raw["p_value"], "holm"), at_least=14)
    both = pc.labels(scores, chosen="random", adjust="bonferroni")
    these = both.populations.query("population == 'these items'")
    wanted = np.minimum(1, 6 * these["p_value"])
    assert_digits(these["p_adjusted"], wanted, at_least=14)
    excludes = (these["conf_low"] > 0) | (these["conf_high"] < 0)
    assert (excludes == (these["p_adjusted"] <= 0.05)).all()


def test_max_t_lies_between_raw_and_bonferroni_and_its_seed_repeats_it():
    scores = scores_of(drawn(models=4))
    first, again, other = (
        pc.labels(scores, chosen="random", seed=seed).table for seed in (0, 0, 1)
    )
    assert first.equals(again)
    assert not first["p_adjusted"].equals(other["p_adjusted"])
    noise = 4 * np.sqrt(first["p_value"] / 10_000) + 2e-4
    assert (first["p_adjusted"] >= first["p_value"] - noise).all()
    assert (first["p_adjusted"] <= 6 * first["p_value"] + 6 * noise).all()
    excludes = (first["conf_low"] > 0) | (first["conf_high"] < 0)
    assert (excludes == (first["p_adjusted"] <= 0.05)).all()


def test_gain_is_what_labels_without_a_judge_would_need():
    scores = scores_of(drawn(labelled=60, models=2))
    result = pc.labels(scores, chosen="random")
    alone = next(o for o in other_estimates(result) if o.name == "Labels only")
    row = result.table.iloc[0]
    t = stats.t.isf(alone.p_value / 2, row["df"])
    error = np.abs(alone.estimate) / t
    # The labels alone have a slope of 0, which takes a degree of freedom here.
    m = 61
    gain = row["std_error"] ** 2 / error[0] ** 2
    assert 1 - gain == pytest.approx(row["gain"], abs=1.5 / m)


def test_labels_only_are_the_paired_t_test_of_graded_labels():
    """Without a pseudo-label or a judge, on n - 2 in place of n - 1."""
    rng = np.random.default_rng(4)
    rows = drawn(items=2000, labelled=40, models=2)
    for row in rows:
        if row["human"] is not None:
            row["human"] = float(rng.normal(row["human"]))
    scores = scores_of(rows)
    result = pc.labels(scores, chosen="random")
    alone = next(iter(other_estimates(result)))
    y = scores.column()[~np.isnan(scores.column()[:, 0])]
    d = y[:, 0] - y[:, 1]
    assert_digits(alone.estimate[0], d.mean(), at_least=12)
    n, total = 40, 2000
    s2 = d.var(ddof=1)
    left = (1 - n / total) * (n - 1) / (n - 2) * s2 / n
    t = d.mean() / np.sqrt(left + s2 / total)
    assert_digits(alone.p_value[0], 2 * stats.t.sf(abs(t), n - 2), at_least=10)


def test_strata_sum_over_their_shares_of_the_items():
    rows = drawn(items=200, labelled=60, models=2, strata=2)
    scores = scores_of(rows, stratum="verdict")
    result = pc.labels(scores, chosen="strata")
    y, f = scores.column(), scores.judge
    strata = np.array(scores.strata)
    means = []
    for name in ("s0", "s1"):
        own = strata == name
        has = own & ~np.isnan(y[:, 0])
        means.append(
            (
                own.mean(),
                y[has].mean(0) + result.slope * (f[own].mean(0) - f[has].mean(0)),
            )
        )
    wanted = sum(share * mean for share, mean in means)
    assert_digits(result.means["estimate"][:2], wanted, at_least=12)
    assert 28 < result.table["df"].iloc[0] <= 56


def test_one_algorithm_has_its_mean_and_no_pairs():
    scores = scores_of([row for row in drawn() if row["model"] == "A"])
    result = pc.labels(scores, chosen="random")
    assert len(result.table) == 0
    assert result.means["algorithm"].tolist() == ["A", "A"]
    assert (result.means["conf_low"] < result.means["estimate"]).all()


def test_means_of_shares_stay_within_0_and_1():
    rows = drawn(labelled=12)
    for row in rows:
        if row["human"] is not None:
            row["human"] = 1
    means = pc.labels(scores_of(rows), chosen="random").means
    assert means["conf_high"].max() == 1
    assert means["conf_low"].between(0.5, 0.99).all()


def test_labels_by_several_people_are_averaged():
    rows = []
    for row in drawn(models=2):
        for person in ("x", "y") if row["human"] is not None else ("x",):
            rows.append({**row, "person": person})
    twice = scores_of(rows, replicate="person")
    alone = scores_of(drawn(models=2))
    got, wanted = (pc.labels(s, chosen="random") for s in (twice, alone))
    assert_digits(got.table["std_error"], wanted.table["std_error"], at_least=12)


def test_lower_is_better_turns_who_is_ahead_and_no_estimate():
    rows = drawn(models=3)
    higher, lower = (
        pc.labels(scores_of(rows, metrics={"human": better}), chosen="random")
        for better in ("higher", "lower")
    )
    assert higher.table["estimate"].equals(lower.table["estimate"])
    assert (higher.better() == lower.better().T).all()


def test_changed_order_of_rows_changes_nothing():
    rows = drawn(models=3)
    shuffled = [rows[i] for i in np.random.default_rng(1).permutation(len(rows))]
    scores = scores_of(shuffled).select(algorithms=["A", "B", "C"])
    got, wanted = (
        pc.labels(s, chosen="random").table for s in (scores, scores_of(rows))
    )
    assert_digits(got["std_error"], wanted["std_error"], at_least=12)
    assert_digits(got["estimate"], wanted["estimate"], at_least=12)


def test_useless_and_constant_judges_are_noted():
    rows = [{**row, "judge": 1} for row in drawn()]
    result = pc.labels(scores_of(rows), chosen="random")
    assert result.slope == 0
    assert any("the judge adds nothing" in note for note in result.notes)


def test_grades_that_are_nearly_all_alike_are_noted():
    """95% intervals of a mean of 15 such labels held it in 83 of 100 tables."""
    rng = np.random.default_rng(3)

    def told(grades):
        y = np.concatenate([grades, np.full((40, 2), np.nan)])
        scores = pc.Scores(
            values=y[:, :, None],
            blocks=tuple(map(str, range(len(y)))),
            algorithms=("A", "B"),
            metrics=(pc.Metric("human", "higher"),),
            judge=rng.normal(size=y.shape),
        )
        notes = pc.labels(scores, chosen="random").notes
        return [note for note in notes if "most common grade" in note]

    y = np.full((20, 2), 5.0)
    y[:3, 0], y[:12, 1] = 2, [1, 2, 3] * 4
    [note] = told(y)
    assert "('A' 3)" in note
    assert note.endswith(MEASURED["labels, few other grades"].text)
    assert told(rng.normal(size=(10, 2))) == []


def test_rare_verdicts_and_odd_samples_are_noted():
    rows = drawn(items=300, labelled=60, models=2)
    rare = [{**row, "judge": int(int(row["item"][1:]) % 40 > 0)} for row in rows]
    notes = pc.labels(scores_of(rare), chosen="random").notes
    assert any("rarer verdict" in note for note in notes)
    picked = [
        {**row, "human": row["judge"] if row["judge"] == 1 and i % 2 else None}
        for i, row in enumerate(r for r in rows if r["model"] == "A")
    ]
    notes = pc.labels(scores_of(picked), chosen="random").notes
    assert any("drawn at random?" in note for note in notes)


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"labelled": 9}, {"chosen": "random"}, "9 items have labels.*fewer than 10"),
        ({}, {"chosen": "some"}, "chosen='some': choose 'random' or 'strata'"),
        ({}, {"chosen": "strata"}, "labels='strata' needs the column of strata"),
        ({}, {"chosen": "random", "adjust": "hommel"}, "adjust='hommel'"),
        ({}, {"chosen": "random", "control": "Z"}, "Z"),
        ({}, {"chosen": "random", "metric": "other"}, "there is no metric 'other'"),
        ({}, {"chosen": "random", "seed": -1}, "seed"),
    ],
)
def test_bad_calls_are_refused(change, options, message):
    scores = scores_of(drawn(**{"labelled": 30, **change}))
    with pytest.raises((DesignError, InputError), match=message):
        pc.labels(scores, **options)


def test_small_and_single_strata_are_refused():
    rows = drawn(items=200, labelled=60, strata=2)
    few = [
        {**row, "human": None if row["verdict"] == "s1" and int(row["item"][1:]) > 20
         else row["human"]}
        for row in rows
    ]  # fmt: skip
    with pytest.raises(
        DesignError, match=r"stratum 's1' has \d labelled item.*needs 5"
    ):
        pc.labels(scores_of(few, stratum="verdict"), chosen="strata")
    one = [{**row, "verdict": "s0"} for row in rows]
    with pytest.raises(InputError, match="all items are in stratum 's0'"):
        pc.labels(scores_of(one, stratum="verdict"), chosen="strata")
    with pytest.raises(InputError, match="labels='strata', or leave it out"):
        pc.labels(scores_of(rows, stratum="verdict"), chosen="random")


def test_clusters_groups_and_scores_without_a_judge_are_refused():
    rows = drawn()
    for role in ("cluster", "group"):
        scores = scores_of(
            [{**row, "text": f"t{int(row['item'][1:]) // 3}"} for row in rows],
            **{role: "text"},
        )
        with pytest.raises(DesignError, match=rf"{role}=.*not been measured"):
            pc.labels(scores, chosen="random")
    with pytest.raises(DesignError, match="needs a judge's scores"):
        pc.labels(pc.example(), chosen="random")


def test_graded_labels_without_spread_are_refused():
    rows = [{**row, "human": None if row["human"] is None else 2.5} for row in drawn()]
    with pytest.raises(DesignError, match="differ by one amount"):
        pc.labels(scores_of(rows), chosen="random")


def test_other_methods_refuse_labels_beside_a_judge():
    with pytest.raises(DesignError, match=r"pc\.labels"):
        pc.friedman(scores_of(drawn()))


def test_parts_keep_judge_and_strata():
    scores = scores_of(drawn(strata=2), stratum="verdict")
    part = scores.select(algorithms=["C", "A"])
    assert np.array_equal(part.judge, scores.judge[:, [2, 0]])
    rows = np.arange(scores.n_blocks) < 60
    assert np.array_equal(scores.taken(rows).judge, scores.judge[:60])
    assert scores.taken(rows).strata == scores.strata[:60]
    frame = scores.to_frame()
    again = pc.Scores.from_frame(
        frame, algorithm="algorithm", block="block", judge="judge", stratum="stratum",
        metrics={"human": "higher"},
    )  # fmt: skip
    assert again.sha256 == scores.sha256
    other = dataclasses.replace(scores, judge=1 - scores.judge)
    assert other.sha256 != scores.sha256


def test_rank_sets_follow_from_the_pairs():
    result = pc.labels(
        scores_of(drawn(items=600, labelled=200, models=4)), chosen="random"
    )
    sets = pc.rank_sets(result, alpha=0.05).table
    assert set(sets["algorithm"]) == set("ABCD")
    assert (sets["rank_low"] <= sets["rank_high"]).all()
    assert isinstance(result.to_frame(), pd.DataFrame)

"""Signs that a table is read otherwise than its owner means it.

For each sign a table that has it and one that looks alike and has it not.
"""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.data.reading import columns

ROWS = {
    "data": ["a", "b", "c", "d", "e"],
    "Ours": [0.91, 0.82, 0.77, 0.95, 0.66],
    "SVM": [0.88, 0.80, 0.71, 0.94, 0.60],
    "KNN": [0.70, 0.81, 0.65, 0.90, 0.63],
}


def with_row(label, *scores):
    """The table with one more row."""
    return {
        name: [*column, value]
        for (name, column), value in zip(ROWS.items(), (label, *scores), strict=True)
    }


def with_column(name, values):
    return ROWS | {name: values}


def wide(table, *, metric="accuracy", better="higher", block="data", **options):
    return pc.Scores.from_wide(
        table, block=block, metric=metric, better=better, **options
    )


def long(*, score=None, n=12, names="ABC", extra=None, **options):
    """A long table of random scores; ``score(block, algorithm)`` gives others."""
    rng = np.random.default_rng(5)
    rows = [
        {"data": f"d{i}", "model": name, "accuracy": round(0.5 + 0.4 * rng.random(), 4)}
        for i in range(n)
        for name in names
    ]
    for place, row in enumerate(rows):
        if score is not None:
            row["accuracy"] = score(place // len(names), place % len(names), row)
        row |= {} if extra is None else extra(place)
    settings = {"metrics": {"accuracy": "higher"}, "algorithm": "model"}
    settings |= {"block": "data"} | options
    return pc.Scores.from_frame(rows, **settings)


def doubts_of(read, *arguments, **options):
    """Names and places of the doubts about a table; none if it is read."""
    try:
        read(*arguments, **options)
    except pc.DoubtError as error:
        return [(doubt.name, doubt.places) for doubt in error.doubts]
    return []


MEANS = (0.822, 0.786, 0.738)


@pytest.mark.parametrize(
    "label",
    [
        *("Average", "mean", "Std", "Median", "Avg. rank", "Wins", "TOTAL", "#"),
        *("Durchschnitt", "moyenne", "**Average**", "média", "Overall"),
    ],
)
def test_a_last_row_that_is_called_a_summary_is_a_question(label):
    found = doubts_of(wide, with_row(label, 0.7, 0.6, 0.9))
    assert found == [("summary-row", (label,))]


@pytest.mark.parametrize("kind", [np.mean, np.median, np.sum])
def test_a_last_row_that_equals_a_summary_is_a_question_whatever_its_label(kind):
    row = [round(float(kind(ROWS[name])), 3) for name in ("Ours", "SVM", "KNN")]
    table = with_row("all five", *row)
    assert doubts_of(wide, table, metric="cost", better="lower") == [
        ("summary-row", ("all five",))
    ]


@pytest.mark.parametrize("label", ["Median", "Mean", "mediana", "moyenne"])
def test_a_row_that_equals_several_summaries_is_called_as_its_label(label):
    steps = np.array([-2, -1, 0, 1, 2, 0])
    of_all = (("x", 0.733, 0.011), ("y", 0.5, 0.013), ("z", 0.417, 0.017))
    columns = {n: (c + d * steps).round(3).tolist() for n, c, d in of_all}
    with pytest.raises(pc.DoubtError) as asked:
        wide({"data": [*"abcde", label]} | columns)
    kind = "median" if label.casefold().startswith("medi") else "mean"
    assert f"(its scores are the {kind} of the others)" in str(asked.value)


def test_each_of_several_summaries_is_named():
    mean = with_row("Mean", *MEANS)
    spread = {n: round(float(np.std(ROWS[n], ddof=1)), 3) for n in [*ROWS][1:]}
    spread["data"] = "Std"
    rows = {name: [*mean[name], spread[name]] for name in mean}
    with pytest.raises(pc.DoubtError) as asked:
        wide(rows)
    told = "('Mean' is their mean, 'Std' is their standard deviation)"
    assert told in str(asked.value)


def test_a_summary_above_a_footnote_is_a_question():
    table = with_row("Average", *MEANS)
    note = {"data": "* run again"}
    table = {name: [*column, note.get(name)] for name, column in table.items()}
    found = doubts_of(wide, table, missing="drop-block")
    assert found == [("summary-row", ("Average",))]
    found = doubts_of(wide, table)
    assert found == [("summary-row", ("Average",)), ("empty-row", ("* run again",))]


def test_two_last_rows_are_one_question():
    mean = with_row("mean", *MEANS)
    rows = {name: [*mean[name], value] for name, value in
            zip(mean, ("std", 0.116, 0.138, 0.113), strict=True)}  # fmt: skip
    assert doubts_of(wide, rows) == [("summary-row", ("mean", "std"))]


@pytest.mark.parametrize("label", ["total", "mean", "best"])
def test_data_sets_called_so_in_the_middle_are_no_question(label):
    names = [*ROWS["data"][:2], label, *ROWS["data"][3:]]
    assert doubts_of(wide, ROWS | {"data": names}) == []


def test_a_first_row_that_is_called_and_equals_a_mean_is_a_question():
    last = with_row("Average", *MEANS)
    first = {name: [column[-1], *column[:-1]] for name, column in last.items()}
    assert doubts_of(wide, first) == [("summary-row", ("Average",))]


def test_coarse_rows_that_equal_a_mean_by_chance_are_no_question():
    table = {"data": list("abcdef"), "x": [0, 1, 0, 1, 1, 1], "y": [1, 0, 0, 1, 0, 0]}
    assert doubts_of(wide, table) == []


def test_folds_called_mean_are_a_question_in_all_data_sets():
    rows = [
        {"data": d, "fold": f, "model": m, "accuracy": round(0.5 + i / 100, 3)}
        for i, (d, f, m) in enumerate(
            (d, f, m) for d in "ab" for f in ("1", "2", "3", "mean") for m in "AB"
        )
    ]
    options = {"algorithm": "model", "block": "fold", "dataset": "data"}
    options |= {"metrics": {"accuracy": "higher"}}
    assert doubts_of(pc.Scores.from_frame, rows, **options) == [
        ("summary-row", ("mean",))
    ]
    left = pc.Scores.from_frame(rows, **options, leave_out=["block=mean"])
    assert left.n_blocks == 6


@pytest.mark.parametrize("kind", ["mean", "min", "median", "std"])
def test_an_algorithm_that_equals_a_summary_of_the_others_is_a_question(kind):
    others = np.array([ROWS[name] for name in ("Ours", "SVM", "KNN")])
    spread = {"ddof": 1} if kind == "std" else {}
    column = np.round(getattr(np, kind)(others, axis=0, **spread), 4).tolist()
    found = doubts_of(
        wide, with_column("All", column), algorithms=["Ours", "SVM", "KNN", "All"]
    )
    assert found == [("derived-column", ("All",))]


@pytest.mark.parametrize("n", [3, 4, 7, 8])
def test_medians_and_spreads_of_others_are_those_of_the_others(n):
    """With ties, an offset, and one value that is by far the largest."""
    rng = np.random.default_rng(n)
    for far in (0.0, 1e9):
        for offset in (0.0, 1e4):
            values = rng.integers(0, 9, n) / 10 + offset
            values[n // 2] += far
            others = [np.delete(values, at) for at in range(n)]
            medians = columns._medians_of_others(values)
            assert medians.tolist() == [np.median(of) for of in others]
            spreads = columns._spreads_of_others(values)
            wanted = [of.std(ddof=1) for of in others]
            np.testing.assert_allclose(spreads, wanted, rtol=1e-12, atol=1e-12 * offset)


def test_the_others_of_thousands_of_algorithms_take_little_memory():
    first = np.random.default_rng(1).random(3000)
    tracemalloc.start()
    near = columns._near_others(first, np.full(3000, 1e-9))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert near.sum() == 0 and peak < 3000 * 200


def test_an_ensemble_called_average_is_read_where_it_is_named():
    table = with_column("Average", [0.9, 0.85, 0.8, 0.93, 0.7])
    assert doubts_of(wide, table) == [("derived-column", ("Average",))]
    assert doubts_of(wide, table, algorithms=["Ours", "SVM", "Average"]) == []


def test_identical_columns_are_no_question():
    assert doubts_of(wide, with_column("Copy", ROWS["Ours"])) == []


@pytest.mark.parametrize(
    ("mean", "spread"),
    [("{}_mean", "{}_std"), ("{}", "{} rank"), ("avg {}", "{}.stderr")],
)
def test_spreads_and_ranks_beside_algorithms_are_a_question(mean, spread):
    rng = np.random.default_rng(6)
    table = {"data": [f"d{i}" for i in range(6)]}
    for name in ("svm", "knn"):
        table[mean.format(name)] = rng.random(6).round(3)
        table[spread.format(name)] = rng.random(6).round(3)
    [(name, places)] = doubts_of(wide, table)
    assert name == "derived-column"
    assert places == (spread.format("svm"), spread.format("knn"))
    left = wide(table, leave_out=[f"column={place}" for place in places])
    assert left.algorithms == (mean.format("svm"), mean.format("knn"))


def test_algorithms_called_like_spreads_are_read():
    names = ("VAR", "SE", "ARIMA", "RankSVM", "rank ensemble")
    table = {"data": [f"d{i}" for i in range(6)]}
    rng = np.random.default_rng(6)
    table |= {name: rng.random(6).round(3) for name in names}
    assert wide(table).algorithms == names


def test_columns_of_metrics_and_times_are_no_algorithms():
    table = {
        "dataset": list("abcd"),
        "accuracy": [0.9, 0.8, 0.7, 0.9],
        "time_training_seconds": [0.3, 0.4, 0.2, 0.5],
        "time_test_seconds": [0.1, 0.1, 0.2, 0.1],
    }
    found = doubts_of(wide, table, block="dataset")
    assert found == [("derived-column", tuple(table)[1:])]
    named = wide(table, block="dataset", algorithms=["accuracy", "time_test_seconds"])
    assert named.n_algorithms == 2


BOARD = {
    "model": ["a/llama-7b", "b/mistral-7b", "c/phi"],
    "MMLU": [55.0, 60.0, 48.0],
    "GSM8K": [45.0, 52.0, 32.0],
    "HellaSwag": [80.0, 86.0, 70.0],
}


def test_a_leaderboard_is_turned_round_or_asked_about():
    named = {"algorithms": ["MMLU", "GSM8K", "HellaSwag"]}
    for options in ({}, named):
        found = doubts_of(wide, BOARD, block="model", metric="score", **options)
        assert found == [("transposed", ())]
    turned = wide(BOARD, block="model", metric="score", transpose=True)
    assert turned.algorithms == tuple(BOARD["model"])
    assert turned.blocks == ("MMLU", "GSM8K", "HellaSwag")
    assert turned.column().tolist() == [[55, 60, 48], [45, 52, 32], [80, 86, 70]]


def test_the_average_of_a_leaderboard_is_a_row_that_summarises():
    table = BOARD | {"Avg": [60.0, 66.0, 50.0]}
    options = {"block": "model", "metric": "score", "transpose": True}
    assert doubts_of(wide, table, **options) == [("summary-row", ("Avg",))]
    for entry in ("column=Avg", "block=Avg"):
        assert wide(table, **options, leave_out=[entry]).n_blocks == 3


def test_labels_with_slashes_alone_do_not_turn_a_table():
    table = {
        "data": ["uci/iris", "uci/wine", "kaggle/x"],
        "A": [1, 2, 3],
        "B": [3, 1, 2],
    }
    assert doubts_of(wide, table, metric="cost", better="lower") == []


def test_columns_that_are_algorithms_times_metrics_are_a_question():
    names = [f"{one}_{metric}" for one in ("svm", "knn") for metric in ("acc", "f1")]
    table = {"data": list("abc")} | {name: [0.5, 0.6, 0.7] for name in names}
    assert ("metric-in-names", ()) in doubts_of(wide, table)
    assert doubts_of(wide, table, algorithms=["svm_acc", "knn_acc"]) == []


def test_columns_of_runs_are_no_algorithms():
    runs = {"data": list("abc")} | {f"seed{i}": [0.5, 0.6, 0.7] for i in range(3)}
    assert doubts_of(wide, runs) == [("repeats", ())]
    assert doubts_of(wide, runs, algorithms=["seed0", "seed1"]) == []
    mixed = {"data": list("abc"), "fold1": [1, 2, 3], "tree": [2, 3, 1]}
    assert doubts_of(wide, mixed, metric="cost", better="lower") == []


def test_metrics_in_a_column_are_a_question():
    def metric_of(place):
        return {"what": ("accuracy", "loss")[place % 2], "model": "ABC"[place // 2 % 3]}

    options = {"names": "ABCDEF", "extra": metric_of, "replicate": "what"}
    assert doubts_of(long, **options) == [("metric-column", ("what",))]


@pytest.mark.parametrize(
    "metric, score, places",
    [
        ("accuracy", 1.75, 1),
        ("accuracy", -0.75, 1),
        ("mcc", 1.2, 1),
        ("rmse", -1.0, 1),
        ("R2", 1.5, 1),
        ("R2", -8.0, 0),
        ("brier", 1.9, 0),
        ("error", 3.0, 0),
        ("wer", 1.4, 0),
        ("bleu", 31.0, 0),
        ("my score", -4.0, 0),
    ],
)
def test_scores_outside_of_the_range_of_their_metric_are_a_question(
    metric, score, places
):
    lower = ("rmse", "brier", "error", "wer")
    better = "lower" if metric in lower else "higher"
    table = ROWS | {"KNN": [score, *ROWS["KNN"][1:]]}
    found = doubts_of(wide, table, metric=metric, better=better)
    assert found == [("impossible", (metric,))] * places


def test_accuracies_in_percent_are_no_question():
    table = {name: column if name == "data" else [100 * v for v in column]
             for name, column in ROWS.items()}  # fmt: skip
    assert doubts_of(wide, table) == []


def test_codes_of_missing_scores_are_a_question():
    rows = [
        {"item": i, "model": m, "verdict": -1 if (i * k) % 5 == 0 else (i + k) % 2}
        for i in range(1, 41)
        for k, m in enumerate("ABC", start=1)
    ]
    options = {"algorithm": "model", "block": "item"}
    options |= {"metrics": {"verdict": "higher"}}
    assert doubts_of(pc.Scores.from_frame, rows, **options) == [("code", ("-1",))]
    taken = pc.Scores.from_frame(rows, **options, confirmed=["code:-1"])
    assert (taken.values == -1).mean() == 0.2
    for mark in ("-1", "verdict=-1.0"):
        options |= {"na": [mark], "missing": "drop-block"}
        assert pc.Scores.from_frame(rows, **options).n_blocks == 32


def test_marks_of_missing_scores_are_texts_too(tmp_path):
    file = tmp_path / "marks.csv"
    file.write_text("data,A,B,C\na,1,2,3\nb,-,2.5,1\nc,2,n/a,1\nd,1,2,2\n")
    options = {"wide": True, "metric": "cost", "better": "lower"}
    with pytest.raises(pc.InputError, match=r"^marks.csv: marks: .*line 3, column"):
        pc.read_scores(file, **options)
    scores = pc.read_scores(file, **options, na=["-", "B=n/a"], missing="model")
    assert np.isnan(scores.column()).sum() == 2
    assert "read as missing as declared: '-', 'B=n/a'" in scores.notes


@pytest.mark.parametrize("metric", ["mcc", "reward"])
def test_minus_one_is_no_code_of_metrics_that_have_it(metric):
    table = {"data": list("abcdef"), "A": [-1, -1, -1, 0.5, 0.2, 0.9], "B": [0.1] * 6}
    assert doubts_of(wide, table, metric=metric) == []


@pytest.mark.parametrize(
    "metric, better",
    [("accuracy", "lower"), ("error", "higher"), ("log loss", "lower")],
)
def test_a_direction_against_the_name_of_the_metric_is_a_question(metric, better):
    expected = [] if metric == "log loss" else [("direction", (metric,))]
    assert doubts_of(wide, ROWS, metric=metric, better=better) == expected


def test_a_block_whose_name_says_the_other_direction_is_a_question():
    table = ROWS | {"data": ["arc", "piqa", "wikitext perplexity", "boolq", "copa"]}
    found = doubts_of(wide, table, metric="score")
    assert found == [("direction", ("wikitext perplexity",))]


def test_labels_that_differ_in_case_or_zeros_are_a_question():
    table = ROWS | {"data": ["a", "A", "x 1", "x01", "e"]}
    assert doubts_of(wide, table) == [("alike", ("A",)), ("alike", ("x01",))]


def test_failed_runs_are_a_question():
    def status(place):
        return {"status": "FAILED" if place == 4 else "FINISHED"}

    assert doubts_of(long, extra=status) == [("status-column", ("status",))]
    left = long(extra=status, leave_out=["status=FAILED"], missing="model")
    assert int(np.isnan(left.values).sum()) == 1
    assert doubts_of(long, extra=lambda place: {"status": "FINISHED"}) == []


def test_an_algorithm_with_few_blocks_does_not_cost_the_others():
    rows = [
        {"data": f"q{i}", "model": m, "accuracy": float((i * k) % 7 < 4)}
        for i in range(200)
        for k, m in enumerate("ABCDE", start=1)
        if m != "E" or i < 10
    ]
    options = {"algorithm": "model", "block": "data"}
    options |= {"metrics": {"accuracy": "higher"}}
    with pytest.raises(
        pc.InputError, match=r"leave 'E' out .* keeps 200 of 200 blocks"
    ):
        pc.Scores.from_frame(rows, **options)
    options["missing"] = "drop-block"
    assert doubts_of(pc.Scores.from_frame, rows, **options) == [("gaps", ("E",))]
    left = pc.Scores.from_frame(rows, **options, leave_out=["algorithm=E"])
    assert left.n_blocks == 200


def test_blocks_without_any_score_are_a_question():
    table = with_row("f", np.nan, np.nan, np.nan)
    for missing in ("error", "model", "worst"):
        found = doubts_of(wide, table, missing=missing)
        assert found == [("empty-row", ("f",))]
    assert wide(table, leave_out=["block=f"]).n_blocks == 5
    assert wide(table, missing="drop-block").dropped.blocks == ("f",)
    options = {"missing": "worst", "confirmed": ["empty-row:f"]}
    assert wide(table, **options).column()[-1].tolist() == [0, 0, 0]
    with pytest.raises(pc.InputError, match=r"3 of 18 cells have no score"):
        wide(table, confirmed=["empty-row"])


def test_a_block_with_one_score_is_not_empty():
    table = with_row("f", np.nan, np.nan, 0.5)
    assert doubts_of(wide, table, missing="model") == []


def test_many_empty_blocks_are_answered_at_once():
    table = {name: [*column, *([np.nan] * 9)] for name, column in ROWS.items()}
    table["data"] = [f"d{i}" for i in range(14)]
    assert doubts_of(wide, table, missing="model") == [("empty-row", ())]
    assert wide(table, missing="drop-block").n_blocks == 5


def folds(gone):
    """Scores by data set and fold; those for which ``gone`` holds are missing."""
    rows = [
        {"data": d, "fold": f, "model": m, "accuracy": 0.5 + (i * i % 37) / 100}
        for i, (d, f, m) in enumerate(
            (d, f, m) for d in "abc" for f in "123" for m in "AB"
        )
    ]
    for row in rows:
        if gone(row):
            row["accuracy"] = np.nan
    return rows


@pytest.mark.parametrize(
    "gone, places, left",
    [
        (lambda row: row["data"] == "b", ("b",), ["dataset=b"]),
        (lambda row: row["fold"] == "3", ("3",), ["block=3"]),
        (lambda row: row["data"] + row["fold"] == "a1", ("a/1",), []),
    ],
)
def test_empty_folds_and_data_sets_are_named_as_such(gone, places, left):
    options = {"algorithm": "model", "block": "fold", "dataset": "data"}
    options |= {"metrics": {"accuracy": "higher"}}
    with pytest.raises(pc.DoubtError) as asked:
        pc.Scores.from_frame(folds(gone), **options)
    [doubt] = asked.value.doubts
    assert (doubt.name, doubt.places, [*doubt.leave_out]) == ("empty-row", places, left)
    if left:
        scores = pc.Scores.from_frame(folds(gone), **options, leave_out=left)
        assert scores.n_blocks == 6


WIDE_TWICE = "data,svm1,svm2,C\na,.1,.2,.3\nb,.4,.2,.3\n\
data,svm1,svm2,C\nc,.2,.3,.4\nd,.2,.2,.5\n"
LONG_TWICE = "data,model,cost\na,A,1\na,B,2\nb,A,2\ndata,model,cost\nb,B,1\n"


def test_a_header_among_the_scores_is_a_question(tmp_path):
    (file := tmp_path / "joined.csv").write_text(WIDE_TWICE)
    options = {"wide": True, "metric": "cost", "better": "lower"}
    assert doubts_of(pc.read_scores, file, **options) == [("header-again", ())]
    scores = pc.read_scores(file, **options, leave_out=["block=data"])
    assert scores.blocks == ("a", "b", "c", "d")
    assert doubts_of(
        pc.read_scores, file, **options, confirmed=["header-again"]
    ) == [("header-again", ())]  # fmt: skip
    reading = pc.propose(file)
    assert (reading.table, reading.n_rows) == ("wide", 5)
    assert [doubt.name for doubt in reading.doubts] == ["header-again"]


def test_a_header_among_rows_of_scores_is_a_question(tmp_path):
    (file := tmp_path / "joined.csv").write_text(LONG_TWICE)
    options = {"algorithm": "model", "block": "data", "metrics": {"cost": "lower"}}
    with pytest.raises(pc.DoubtError, match=r"in 1 row .*line 5.*block=data") as asked:
        pc.read_scores(file, **options)
    assert [doubt.name for doubt in asked.value.doubts] == ["header-again"]
    [doubt] = asked.value.doubts
    scores = pc.read_scores(file, **options, leave_out=doubt.leave_out)
    assert scores.column().tolist() == [[1, 2], [2, 1]]


def test_a_header_again_of_a_turned_table_is_taken_out_by_hand(tmp_path):
    (file := tmp_path / "board.csv").write_text("model,x,y\nA,1,2\nmodel,x,y\nB,2,1\n")
    options = {"wide": True, "metric": "cost", "better": "lower", "transpose": True}
    with pytest.raises(pc.DoubtError, match="take these lines out of the file"):
        pc.read_scores(file, **options)


def test_a_data_set_called_data_is_no_header(tmp_path):
    (file := tmp_path / "t.csv").write_text("data,A,B\na,1,2\ndata,3,1\nb,2,2.5\n")
    scores = pc.read_scores(file, wide=True, metric="cost", better="lower")
    assert scores.blocks == ("a", "data", "b")


def cases(by=0, *, noise=1.0, n=120, absent=False):
    """Graded items of four models; those of C stand beside other items."""
    rng = np.random.default_rng(3)
    level = rng.normal(size=n)
    table = {"item": [f"q{i}" for i in range(n)]}
    table |= {m: (level + noise * rng.normal(size=n)).tolist() for m in "ABCD"}
    table["C"] = np.roll(table["C"], by).tolist()
    for at in range(by) if absent else ():
        table["C"][at] = np.nan
    return table


@pytest.mark.parametrize("by", [1, -1, 2, -2])
def test_scores_beside_the_labels_of_other_cases_are_a_question(by):
    table = cases(by)
    options = {"block": "item", "metric": "grade"}
    assert doubts_of(wide, table, **options) == [("shifted", ("C",))]
    order = np.random.default_rng(1).permutation(120)
    mixed = {name: [column[i] for i in order] for name, column in table.items()}
    assert doubts_of(wide, mixed, **options) == [("shifted", ("C",))]
    left = wide(table, **options, leave_out=["algorithm=C"])
    assert left.algorithms == ("A", "B", "D")
    kept = wide(table, **options, confirmed=["shifted:C"])
    assert kept.n_algorithms == 4


def test_labels_from_0_and_from_1_are_found_with_their_gaps():
    options = {"block": "item", "metric": "grade", "missing": "drop-block"}
    assert doubts_of(wide, cases(1, absent=True), **options) == [("shifted", ("C",))]


@pytest.mark.parametrize(
    "table",
    [
        cases(),
        cases(7),  # no shift by 1 or 2 restores it
        cases(1, n=40),
        cases() | {"C": np.random.default_rng(8).normal(size=120).tolist()},
        {"item": [f"t{i}" for i in range(120)]}  # a period agrees at other shifts
        | {m: [float((i * k) % 7 < 4) for i in range(120)]
           for m, k in zip("ABCD", (1, 2, 3, 4), strict=True)},
    ],
    ids=("right", "by 7", "few", "random", "period"),
)  # fmt: skip
def test_algorithms_that_no_shift_restores_are_no_question(table):
    assert doubts_of(wide, table, block="item", metric="grade") == []


def test_unrelated_algorithms_are_rarely_called_shifted():
    rng = np.random.default_rng(11)
    for _ in range(200):
        level = rng.normal(size=60)
        table = {"item": list(range(60))} | {
            m: (0.3 * level + rng.normal(size=60)).tolist() for m in "ABCDE"
        }
        assert doubts_of(wide, table, block="item", metric="grade") == []


def test_all_answers_of_a_question_are_taken():
    table = with_row("Average", *MEANS)
    with pytest.raises(pc.DoubtError) as asked:
        wide(table)
    [doubt] = asked.value.doubts
    assert wide(table, leave_out=doubt.leave_out).blocks == tuple(ROWS["data"])
    confirmed = wide(table, confirmed=doubt.entries)
    assert confirmed.n_blocks == 6
    assert confirmed.notes == ("confirmed as declared: 'summary-row:Average'",)


@pytest.mark.parametrize(
    "options, told",
    [
        ({"leave_out": ["block=Averag"]}, "'Averag' is not there"),
        ({"leave_out": ["Average"]}, "does not name the omitted part"),
        ({"leave_out": ["column=x"]}, "'x' is not there"),
        ({"leave_out": ["dataset=a"]}, "there is no column of 'dataset'"),
        ({"confirmed": ["summary"]}, "there is no doubt 'summary'"),
        ({"transpose": True, "algorithms": ["Ours", "SVM"]}, "there is no column"),
    ],
)
def test_answers_that_nothing_could_match_are_refused(options, told):
    with pytest.raises(pc.InputError, match=told):
        wide(ROWS, **options)


def test_right_and_wrong_answers_need_a_word_about_the_blocks():
    rng = np.random.default_rng(0)
    table = {"item": list(range(40))} | {m: rng.integers(0, 2, 40) for m in "AB"}
    scores = wide(table, block="item", metric="right")
    with pytest.raises(pc.PlanError, match="are 0 or 1: set blocks='cases'"):
        pc.compare(scores)
    assert pc.compare(scores, pc.Plan(blocks="cases")).plan.blocks == "cases"
    assert pc.compare(scores, pc.Plan(blocks="datasets")).plan.blocks == "datasets"


def test_means_of_right_and_wrong_answers_need_a_word_about_the_blocks_too():
    rng = np.random.default_rng(0)
    rows = [
        {"item": i, "model": m, "epoch": e, "right": int(rng.integers(2))}
        for i in range(40)
        for m in "AB"
        for e in (1, 2)
    ]
    scores = pc.Scores.from_frame(
        rows,
        algorithm="model",
        block="item",
        replicate="epoch",
        metrics={"right": "higher"},
    )
    with pytest.raises(pc.PlanError, match="are 0 or 1: set blocks='cases'"):
        pc.compare(scores, pc.Plan(replicates="average"))


TABLE_IN_PERCENT = """model,iris,wine,zoo,mean
svm,95.1%,97.0%,90.2%,94.1%
tree,93.3%,90.1%,88.0%,90.5%
"""


@pytest.mark.parametrize("as_frame", [False, True])
def test_a_column_is_left_out_of_a_table_that_is_all_in_percent(tmp_path, as_frame):
    """Both answers are printed for one file; ``all`` was lost with the column."""
    path = tmp_path / "scores.csv"
    path.write_text(TABLE_IN_PERCENT)
    answers = {
        "block": "model", "metric": "accuracy", "better": "higher", "percent": ["all"],
        "transpose": True, "leave_out": ["column=mean"],
    }  # fmt: skip
    scores = (
        pc.Scores.from_wide(pd.read_csv(path), **answers)
        if as_frame
        else pc.read_scores(path, wide=True, **answers)
    )
    assert scores.blocks == ("iris", "wine", "zoo")
    assert scores.values[0, 0, 0] == 0.951

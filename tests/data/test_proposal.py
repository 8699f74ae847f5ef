"""How a table would be read: what is certain, what is open, and what follows."""

from __future__ import annotations

import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.command_line import command
from tests.data.reading.test_doubts import MEANS, ROWS, with_row

pytestmark = pytest.mark.usefixtures("blank_pictures")


@pytest.fixture
def file(tmp_path):
    """Write a table to a file and return its path."""

    def write(table, name="table.csv", **options):
        path = tmp_path / name
        pd.DataFrame(table).to_csv(path, index=False, **options)
        return path

    return write


def long_rows(**more):
    return [
        {"dataset_name": d, "classifier_name": c, "accuracy": 0.5 + 0.01 * i} | more
        for i, (d, c) in enumerate((d, c) for d in "uvwxyz" for c in ("svm", "knn"))
    ]


def test_a_long_table_with_plain_names_is_certain(file):
    reading = pc.propose(file(long_rows()))
    assert reading.table == "long"
    assert reading.arguments == {
        "algorithm": "classifier_name",
        "block": "dataset_name",
        "metrics": {"accuracy": "higher"},
    }
    assert reading.questions == ()
    assert reading.accept().shape == (6, 2, 1)
    assert pc.propose(pd.DataFrame(long_rows())).accept().shape == (6, 2, 1)


def test_the_direction_of_an_unknown_score_is_open():
    rows = [row | {"utility": row.pop("accuracy")} for row in long_rows()]
    reading = pc.propose(rows)
    assert reading.arguments["metrics"] == {"utility": "higher|lower"}
    assert reading.questions == ("which direction is better of 'utility'",)
    with pytest.raises(pc.InputError, match="which direction"):
        reading.accept()


def test_rows_that_repeat_name_all_columns_that_tell_them_apart():
    rows = [row | {"fold": f, "site": f"s{f}"} for row in long_rows() for f in range(3)]
    rows = [{k: v for k, v in row.items() if k != "fold"} for row in rows]
    [question] = pc.propose(rows).questions
    assert "several rows have the same" in question and "'site'" in question


def test_predictions_are_said_to_be_for_other_commands_that_run(tmp_path):
    reading = pc.propose(pc.example_path("predictions"))
    assert reading.table == "predictions"
    first, second = reading.questions
    assert "pycompare measure" in first and "pycompare curves" in first
    assert second == "which class of 'class' is positive: 'no', 'yes'"
    status, output, _ = command("compare", pc.example_path("predictions"))
    lines = [line for line in output.splitlines() if line.startswith("pycompare ")]
    assert status == 2 and [line.split()[1] for line in lines] == ["measure", "curves"]
    for line in lines:
        words = shlex.split(line.replace("no|yes", "yes"))[1:-1]
        name = "out.csv" if words[0] == "measure" else "out"
        assert command(*words, tmp_path / name)[0] == 0


def test_a_wide_table_names_what_is_open(file):
    reading = pc.propose(file(with_row("Average", *MEANS)))
    assert (reading.table, reading.arguments["block"]) == ("wide", "data")
    assert [doubt.name for doubt in reading.doubts] == ["summary-row"]
    assert len(reading.questions) == 2


def test_the_command_prints_how_a_file_is_read_and_writes_nothing(
    file, pycompare, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    path = file(with_row("Average", *MEANS))
    status, printed, told = pycompare("compare", path)
    assert status == 2 and told == "pycompare: 2 open questions\n"
    assert "blocks: column 'data'" in printed
    assert "--wide --block data --metric 'score:higher|lower' --out report" in printed
    assert "--leave-out block=Average" in printed
    assert [found.name for found in tmp_path.iterdir()] == ["table.csv"]
    status, printed, _ = pycompare("compare", path, "--json")
    assert status == 2
    assert json.loads(printed)["doubts"][0]["confirmed"] == ["summary-row:Average"]


def test_the_printed_command_with_its_answers_runs(file, pycompare, tmp_path):
    path = file(with_row("Average", *MEANS))
    out = tmp_path / "report"
    words = ("--wide", "--block", "data", "--metric", "accuracy:higher", "--out", out)
    status, _, told = pycompare("compare", path, *words)
    assert status == 2 and "--leave-out block=Average" in told
    status, _, told = pycompare("compare", path, *words, "--leave-out", "block=Average")
    assert status == 0, told
    results = (out / "results.json").read_text("utf-8")
    assert "Average" not in json.loads(results)["data"]["blocks"]
    assert "left out as declared: 'block=Average'" in results


def test_accept_runs_what_has_nothing_open(file, pycompare, tmp_path):
    out = tmp_path / "report"
    certain, open_ = file(long_rows(), "a.csv"), file(ROWS, "b.csv")
    status, _, told = pycompare("compare", certain, "--accept", "--out", out)
    assert status == 0, told
    assert "How the table was read" in (out / "report.html").read_text()
    told = json.loads((out / "results.json").read_text())["data"]["reading"]
    assert told == [
        "accepted as proposed: long table: one row per score, algorithms: column "
        "'classifier_name', blocks: column 'dataset_name'"
    ]
    status, printed, told = pycompare("compare", open_, "--accept", "--out", out)
    assert status == 2 and "1 open question" in told and "data" in printed
    status, _, told = pycompare("compare", certain)
    assert status == 2 and told == "pycompare: nothing is open; --accept runs it\n"
    for more in (("--metric", "x:higher"), ("--wide",)):
        status, _, told = pycompare("compare", certain, "--accept", *more)
        assert status == 2 and "--accept" in told


def faulty(seed):
    """A random table with faults of several kinds."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(5, 15)), int(rng.integers(2, 6))
    values = np.round(rng.uniform(0.3, 0.9, size=(n, k)), 3)
    table = {"data": [f"set {i}" for i in range(n)]}
    table |= {f"alg{j}": values[:, j].tolist() for j in range(k)}
    faults = rng.permutation(5)[: int(rng.integers(1, 4))].tolist()
    if 0 in faults:
        for name in [*table][1:]:
            table[name].append(round(float(np.mean(table[name])), 3))
        table["data"].append(["Average", "mean", "Gesamt"][seed % 3])
    if 1 in faults:
        table["Best"] = np.max([table[name] for name in [*table][1:]], axis=0).tolist()
    if 2 in faults:
        table["alg0"][1] = 1.75
    if 3 in faults and n > 6:
        table["alg1"][2:5] = [-99, -99, -99]
    if 4 in faults:
        table["data"][1] = table["data"][0].upper()
    return table


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("way", ["leave out", "confirm"])
def test_advice_is_followed_to_a_table_that_is_read(seed, way):
    table = faulty(seed)
    given = {"confirmed": [], "leave_out": []}
    for _ in range(3):
        try:
            scores = pc.Scores.from_wide(
                table, block="data", metric="accuracy", better="higher", **given
            )
        except pc.DoubtError as error:
            for doubt in error.doubts:
                leaves = way == "leave out" and doubt.leave_out
                if leaves:
                    given["leave_out"] += doubt.leave_out
                else:
                    given["confirmed"] += doubt.entries
        except pc.InputError as error:
            assert "needs at least 2" in str(error) or "two" in str(error)
            return
        else:
            assert scores.n_blocks >= 2
            return
    raise AssertionError(given)


def test_counts_epochs_and_constant_columns_have_no_role():
    rows = [
        row | {"task": row["dataset_name"], "split": "test", "n_subsets": 3, "epoch": e}
        for row in long_rows()
        for e in (1, 2)
    ]
    for row in rows:
        del row["dataset_name"]
    reading = pc.propose(rows)
    assert reading.arguments["block"] == "task"
    assert reading.arguments["metrics"] == {"accuracy": "higher"}
    [question] = reading.questions
    assert question.endswith("columns that do: 'epoch'")


def test_ratings_of_readers_are_said_to_be_for_another_command():
    rows = [{"readerID": 1, "caseID": c, "modalityID": "A", "score": c} for c in (1, 2)]
    [question] = pc.propose(rows).questions
    assert "pycompare mrmc" in question


@pytest.mark.parametrize(
    ("metric", "noted"),
    [("mae", True), ("my score", True), ("log loss", False), ("logloss", False),
     ("brier", False), ("R2", False)],
)  # fmt: skip
def test_levels_that_differ_a_thousand_times_are_noted(metric, noted):
    medians = np.array([0.44, 3.0, 17.0, 400.0, 56_800.0])
    table = {
        "data": list("abcde"),
        "A": medians,
        "B": medians * 1.1,
        "C": medians * 0.9,
    }
    better = "higher" if metric == "R2" else "lower"
    confirmed = ["impossible", "derived-column"]
    options = {"metric": metric, "better": better, "block": "data"}
    scores = pc.Scores.from_wide(table, **options, confirmed=confirmed)
    told = [note for note in scores.notes if "medians of" in note]
    assert bool(told) == noted
    if noted:
        assert "from 0.440 to 56800" in told[0] and "logarithms" in told[0]
    near = table | {"A": medians[:1].repeat(5), "B": [1.0] * 5, "C": [2.0] * 5}
    assert not pc.Scores.from_wide(near, **options, confirmed=confirmed).notes[1:]


def test_an_infinite_score_is_named_and_makes_no_column_of_labels(file):
    table = {"data": list("abc"), "svm": [1.0, 2.0, 3.0], "knn": [np.inf, 2.0, 4.0]}
    reading = pc.propose(file(table))
    assert (reading.table, reading.arguments["block"]) == ("wide", "data")
    assert "column 'knn' is infinite in 1 of 3 rows" in reading.questions[-1]


def predictions(labels=("no", "yes"), *, algorithm="model", n=80):
    """Predictions of two algorithms, a row per case."""
    rng = np.random.default_rng(8)
    cases = [(c, labels[c % 2], "ab"[c // (n // 2)]) for c in range(n)]
    return [
        {algorithm: m, "fold": f, "case": f"c{c}", "label": y,
         "score": round(float(rng.normal(labels.index(y) * e, 1)), 3)}
        for m, e in (("svm", 1.0), ("knn", 0.5))
        for c, y, f in cases
    ]  # fmt: skip


ANALYSES = {
    "measure": ("--metric", "auc", "--metric", "error", "--threshold", "0.5"),
    "curves": ("--alpha", "0.01"),
}


@pytest.mark.parametrize("name", ANALYSES)
def test_predictions_alone_print_their_reading_and_the_command_that_runs(
    file, tmp_path, monkeypatch, name
):
    monkeypatch.chdir(tmp_path)
    path = file(predictions())
    status, printed, told = command(name, path, *ANALYSES[name])
    assert status == 2 and told == "pycompare: 1 open question\n"
    assert "predictions: one row per case and algorithm" in printed
    assert "1. which class of 'label' is positive: 'no', 'yes'" in printed
    assert [found.name for found in tmp_path.iterdir()] == ["table.csv"]
    [line] = [one for one in printed.splitlines() if one.startswith("pycompare ")]
    words = shlex.split(line.replace("no|yes", "yes"))[1:]
    assert words[0] == name and {*ANALYSES[name]} < {*words}
    status, _, told = command(*words)
    assert status == 0, told
    status, _, told = command(name, path, "--accept", "--out", tmp_path / "x.csv")
    assert status == 2 and "1 open question" in told
    assert not (tmp_path / "x.csv").exists()
    status, printed, _ = command(name, path, "--json")
    assert status == 2 and json.loads(printed)["table"] == "predictions"


@pytest.mark.parametrize("name", ANALYSES)
def test_predictions_with_nothing_open_run_by_accepting_them(file, tmp_path, name):
    path, out = file(predictions((0, 1))), tmp_path / "out.csv"
    status, printed, told = command(name, path)
    assert status == 2 and told == "pycompare: nothing is open; --accept runs it\n"
    assert "--positive 1" in printed
    if name == "measure":  # the other one writes to the folder "report"
        status, _, told = command(name, path, "--accept")
        assert status == 2 and "Missing option '--metric'" in told
    status, _, told = command(name, path, "--accept", *ANALYSES[name], "--out", out)
    assert status == 0, told
    assert out.exists()
    status, _, told = command(name, path, "--accept", "--label", "label")
    assert status == 2 and "--label and --accept both state how FILE is read" in told
    status, _, told = command(name, path, "--label", "label", "--out", out)
    assert status == 2 and "Missing option '--positive'" in told


def test_predictions_without_plain_names_are_asked_about(file):
    renamed = [
        {{"label": "right", "model": "who"}.get(k, k): v for k, v in row.items()}
        for row in predictions()
    ]
    status, printed, _ = command("curves", file(renamed))
    assert status == 2 and "--label COLUMN" in printed
    assert "which column holds the algorithms" in printed
    status, printed, _ = command("measure", file(long_rows(), "s.csv"))
    assert status == 2 and "pycompare compare FILE" in printed


def test_predictions_that_cannot_be_read_say_why(file):
    rows = predictions((0, 1))
    path = file([*rows, rows[0]])
    status, printed, told = command("curves", path, "--accept", "--out", "x")
    assert status == 2 and "1 open question" in told
    assert "c0" in printed


def test_run_takes_a_table_alone_as_compare_does(file, tmp_path):
    path, out = file(long_rows()), tmp_path / "report"
    both = [command(name, path) for name in ("compare", "run")]
    assert both[0] == both[1] and both[0][0] == 2
    status, _, told = command("run", path, "--accept", "--out", out)
    assert status == 0, told
    assert (out / "report.html").exists()
    plan = tmp_path / "plan.toml"
    plan.write_text("[data]\n")
    status, _, told = command("run", plan, "--accept", "--out", out)
    assert status == 2 and "--accept is for a table of scores" in told


def test_a_blind_reading_has_counts_and_no_labels(file, tmp_path):
    path = file(with_row("Average", *MEANS))
    labels = ("Average", "svm", "data", "table.csv", *map(str, MEANS))
    for more in ((), ("--json",)):
        status, printed, told = command("compare", path, "--blind", *more)
        assert status == 2 and told == "pycompare: 2 open questions\n"
        assert "summary-row" in printed
        assert not [label for label in labels if f"'{label}" in printed]
        assert not [label for label in labels[:2] if label in printed]
    assert json.loads(printed)["doubts"] == {"summary-row": 1}
    path, out = file(long_rows(), "a.csv"), tmp_path / "report"
    status, printed, told = command(
        "compare", path, "--blind", "--accept", "--out", out
    )
    assert status == 0, told
    assert "svm" not in printed and "Codes stand for the names" in printed


def test_columns_of_trackers_and_series_have_roles():
    rows = [
        {"params.model": m, "params.dataset": f"d{d}", "metrics.accuracy": d / 9}
        for m in "AB"
        for d in range(8)
    ]
    found = pc.propose(rows)
    assert found.arguments["algorithm"] == "params.model"
    assert found.arguments["block"] == "params.dataset"
    assert found.questions == ()
    renamed = [
        {"model": r["params.model"], "series": r["params.dataset"], "mae": k + 1.5}
        for k, r in enumerate(rows)
    ]
    assert pc.propose(renamed).arguments["block"] == "series"


def test_the_last_word_of_a_dotted_name_has_a_role(file):
    rows = [
        {"run.model": m, "run.seed": 1, "task.dataset": f"d{d}", "scores.acc": d / 9}
        for m in "AB"
        for d in range(8)
    ]
    found = pc.propose(rows)
    assert found.arguments == {
        "algorithm": "run.model",
        "block": "task.dataset",
        "metrics": {"scores.acc": "higher"},
    }  # one seed everywhere tells no runs apart
    assert found.questions == ()


def test_a_wide_table_may_have_columns_of_text_beside_its_blocks(file):
    table = ROWS | {"dataset": ROWS["data"], "note": ["good"] * 4 + ["bad"]}
    reading = pc.propose(file({k: table[k] for k in table if k != "data"}))
    assert (reading.table, reading.arguments["block"]) == ("wide", "dataset")
    assert reading.arguments["algorithms"] == ["Ours", "SVM", "KNN"]
    assert len(reading.questions) == 1
    scores = pc.Scores.from_wide(
        table, block="dataset", algorithms=["Ours", "SVM", "KNN"],
        leave_out=["column=KNN"], metric="accuracy", better="higher",
    )  # fmt: skip
    assert scores.algorithms == ("Ours", "SVM")


@pytest.mark.parametrize("factor", [750, 1.8e8])
def test_counts_called_accuracy_are_a_question(factor):
    table = {k: v if k == "data" else [factor * x for x in v] for k, v in ROWS.items()}
    with pytest.raises(pc.DoubtError, match="impossible: 'accuracy' has 15 scores"):
        pc.Scores.from_wide(table, block="data", metric="accuracy", better="higher")


def test_of_two_columns_of_blocks_one_called_fold_the_other_holds_data_sets(file):
    rows = [
        {
            "model": m,
            "task": t,
            "fold": f,
            "accuracy": 0.5 + 0.01 * f + 0.1 * (m == "a"),
        }
        for t in ("iris", "wine", "glass")
        for m in "ab"
        for f in range(3)
    ]
    reading = pc.propose(file(rows))
    assert reading.questions == ()
    given = reading.arguments
    assert [given[r] for r in ("algorithm", "dataset", "block")] == [
        *("model", "task", "fold"),
    ]


def test_rows_or_columns_are_asked_where_rows_are_called_models(file):
    rng = np.random.default_rng(3)
    table = {"model": ["svm", "knn", "rf", "nb", "lda"]} | {
        f"d{i}": rng.random(5).round(3) for i in range(12)
    }
    path = file(table)
    reading = pc.propose(path)
    assert not reading.doubts and len(reading.questions) == 2
    assert "'model' is called as one of algorithms is" in reading.questions[1]
    out = path.parent / "out"
    words = ["--wide", "--block", "model", "--metric", "s:higher", "--out", out]
    for more, first in (([], "d0"), (["--transpose", "--overwrite"], "svm")):
        status, text, told = command("compare", path, *words, *more)
        assert status == 0, told
        assert text.startswith(f"Algorithms: {first}")


def test_columns_of_other_scales_are_a_second_sign_of_a_turned_table(file):
    rng = np.random.default_rng(3)
    table = {"model": ["svm", "knn", "rf", "nb", "lda"]} | {
        "d0": rng.random(5).round(3),
        "d1": rng.random(5).round(3),
        "d2": 2000 + rng.random(5).round(3),
    }
    found = [(doubt.name, doubt.places) for doubt in pc.propose(file(table)).doubts]
    assert found == [("transposed", ()), ("derived-column", ("d2",))]


def test_percent_is_proposed_of_columns_with_marks_and_all_is_asked_at_once(file):
    path = file([], "t.csv")
    path.write_text("data,svm,knn\na,90%,-\nb,80%,71%\nc,85%,70%\nd,81%,77%\n")
    reading = pc.propose(path)
    assert reading.arguments["percent"] == ("all",)
    asked = [str(question) for question in reading.questions]
    assert len(asked) == 3 and asked[1].startswith("marks: ")
    assert "1 of 8 cells has no score" in asked[2]
    words = ["--wide", "--block", "data", "--metric", "accuracy:higher", "--percent"]
    more = ["all", "--na", "-", "--missing", "drop-block", "--out", path.parent / "o"]
    assert command("compare", path, *words, *more)[0] == 0


def test_a_last_row_of_the_most_common_values_is_no_summary():
    rng = np.random.default_rng(1)
    table = {f"item{i}": (rng.random(60) < 0.3).astype(int) * 2 for i in range(9)}
    for column in table.values():
        column[:3], column[-1] = (1, 2, 3), 0  # the median of each
    scores = pc.Scores.from_wide(
        table, metric="answer", better="higher", number="block"
    )
    assert scores.n_blocks == 60


@pytest.mark.parametrize(
    "names, expected",
    [
        (("db", "fold"), ("db", "fold")),
        (("dataset", "run_fold"), ("dataset", "run_fold")),
    ],
)
def test_what_alone_tells_folds_apart_holds_the_data_sets(file, names, expected):
    rng, (data, fold) = np.random.default_rng(2), names
    rows = [
        {data: d, fold: f / 10, "algorithm": a, "acc": round(rng.random(), 4)}
        for d in ("iris", "wine", "glass")
        for f in range(4)
        for a in "xyz"
    ]
    reading = pc.propose(file(rows))
    given = reading.arguments
    assert (given["dataset"], given["block"]) == expected
    assert reading.questions == ()


def test_equal_algorithms_and_an_index_without_a_name_are_notes(file):
    table = {"data": list("abcde"), "x": [1.5, 2, 3, 4, 5], "y": [2.5, 2, 1, 4, 3]}
    path = file(table | {"z": table["x"]})
    [note] = pc.propose(path).notes
    assert note == "the same scores on all 5 blocks: 'x', 'z'"
    status, printed, _ = command("compare", path)
    assert status == 2 and f"  note: {note}" in printed
    path = file([], "i.csv")
    pd.DataFrame(table).to_csv(path)
    options = {"wide": True, "metric": "s", "better": "higher", "block": "data"}
    scores = pc.read_scores(path, **options, algorithms=["x", "y"])
    assert scores.notes == ("a column without a name, an index of the rows, left out",)


def test_commas_between_thousands_are_no_decimal_ones(file):
    path = file([], "t.csv")
    rows = [f'd{i},"1,{200 + i}","1,{300 + 7 * i % 50}"' for i in range(6)]
    path.write_text("\n".join(["data,svm,knn", *rows]))
    reading = pc.propose(path)
    assert "decimal" not in reading.arguments
    assert "declare the decimal comma" in str(reading.questions[-1])
    path.write_text("\n".join(["data,svm,knn", *rows, 'e,"0,512","1,200"']))
    assert pc.propose(path).arguments["decimal"] == ","


def test_a_metric_over_the_names_of_algorithms_is_a_header_of_two_lines(file):
    path = file([], "t.csv")
    rng = np.random.default_rng(4)
    rows = [f"d{i},{rng.random():.3f},{rng.random():.3f}" for i in range(6)]
    path.write_text("\n".join(["data,accuracy,accuracy", ",svm,knn", *rows]))
    reading = pc.propose(path)
    assert reading.arguments["header"] == "1 2" and not reading.doubts
    assert len(reading.questions) == 1


def test_what_runs_leave_open_is_asked_with_what_they_are(file):
    rng = np.random.default_rng(2)
    rows = [
        {"item_id": f"q{i}", "model_id": m, "score": int(rng.integers(2)), "epoch": e}
        for i in range(30)
        for m in "AB"
        for e in (1, 2, 3)
    ]
    _, printed, _ = command("compare", file(rows))
    asked = re.findall(r"(?m)^\d\. (.{20})", printed)
    assert asked == [
        "which direction is b",
        "several rows have th",
        "all scores of 30 blo",
        "there are 3 runs of ",
    ]


def test_bounds_of_intervals_are_no_metrics_of_a_long_table():
    rows = [row | {"ci_low": 0.4, "accuracy_std": 0.1} for row in long_rows()]
    reading = pc.propose(rows)
    assert reading.arguments["metrics"] == {"accuracy": "higher"}
    assert reading.questions == ()


def test_a_table_of_scores_and_two_columns_of_text_may_be_wide(file):
    rows = [
        {"data": d, "shots": f"{s}-shot", "ResNet": 0.5 + i / 50, "ViT": 0.7 - i / 50}
        for i, (d, s) in enumerate((d, s) for d in "uvwxyz" for s in (1, 5))
    ]
    first, *_ = pc.propose(file(rows)).questions
    assert "if 'ResNet', 'ViT' are algorithms, the table is wide: wide=True" in first


SCORED = {
    "truth": [[True, False], [False, True]] * 12,
    "0 and 1": [[1, 0], [0, 1]] * 12,
    "fractions": [[0.5 + i / 50, 0.75 - i / 60] for i in range(24)],
    "counts": [[3 + i % 7, 9 - i % 5] for i in range(24)],
}


@pytest.mark.parametrize("kind", SCORED)
@pytest.mark.parametrize("name", ["item", "question_id", "task"])
def test_numbers_of_items_are_blocks_of_a_wide_table(file, name, kind):
    scored = np.array(SCORED[kind])
    table = {name: range(1, 25), "A": scored[:, 0], "B": scored[:, 1]}
    reading = pc.propose(file(table))
    assert (reading.table, reading.arguments["block"]) == ("wide", name)
    scores = pc.read_scores(
        file(table), **reading.arguments | {"metric": "m", "better": "higher"}
    )
    assert scores.algorithms == ("A", "B") and scores.blocks[0] == "1"
    assert scores.column().tolist() == scored.tolist()
    noted = table | {"kind": ["a", "b"] * 12, "by": ["x", "y", "z"] * 8}
    assert pc.propose(file(noted)).arguments["algorithms"] == ["A", "B"]


def test_numbers_of_items_that_repeat_are_asked_about_as_blocks(file):
    table = {"item": [*range(12)] * 2, "A": [True, False] * 12, "B": [False] * 24}
    reading = pc.propose(file(table))
    assert reading.arguments["block"] == "item"
    assert "block='0' appears in 2 rows" in reading.problem
    fractions = {"task": [0.5, 0.75, 0.25], "A": [0.5, 0.25, 0.75]}
    assert pc.propose(fractions).arguments.get("block") is None


def test_a_row_of_wins_and_losses_leaves_the_table_wide(file):
    table = {k: [str(x) for x in v] for k, v in ROWS.items()}
    table = {k: [*v, "W/T/L" if k == "data" else "3/0/2"] for k, v in table.items()}
    reading = pc.propose(file(table))
    assert (reading.table, reading.arguments["block"]) == ("wide", "data")
    assert [doubt.name for doubt in reading.doubts] == ["summary-row"]
    assert reading.doubts[0].leave_out == ("block=W/T/L",)


def test_one_run_of_each_cell_needs_no_column_of_runs():
    rows = [row | {"run_id": f"r{i}"} for i, row in enumerate(long_rows())]
    assert "replicate" not in pc.propose(rows).arguments
    twice = [row | {"seed": seed} for row in long_rows() for seed in (1, 2)]
    assert pc.propose(twice).arguments["replicate"] == "seed"


def test_what_answers_bring_is_asked_on_the_same_screen(file):
    table = {"task": ["arc", "piqa", "boolq", "perplexity"], "A": [0.5, 0.6, 0.7, 9.5]}
    reading = pc.propose(file(table | {"B": [0.6, 0.5, 0.8, 8.5]}))
    assert [doubt.places for doubt in reading.doubts] == [("perplexity",)]
    judged = [
        {"item": f"q{i}", "model": m, "judge": -1 if m == "a" and i < 9 else i % 5 + 1}
        for i in range(30)
        for m in "ab"
    ]
    reading = pc.propose(file(judged))
    assert [doubt.name for doubt in reading.doubts] == ["code"]
    assert "9 of 60 cells have no score" in reading.problem


def test_metrics_of_one_algorithm_are_not_left_out_one_and_all(file):
    table = {"dataset": [*"abcdef"], "accuracy": [0.5, 0.6, 0.7, 0.8, 0.9, 0.95]}
    table |= {"time_training_seconds": [3, 1, 4, 1, 5, 9]}
    [doubt] = pc.propose(file(table)).doubts
    assert doubt.name == "derived-column" and doubt.leave_out == ()
    assert "add the scores of other algorithms" in doubt.question


def test_one_number_of_each_algorithm_is_no_score_of_items():
    rows = [
        {"model": m, "item": i, "overall accuracy": overall, "right": (i + k) % 3 > 0}
        for k, (m, overall) in enumerate((("a", 0.5), ("b", 0.75)))
        for i in range(12)
    ]
    reading = pc.propose(rows)
    assert [*reading.arguments["metrics"]] == ["right"]


@pytest.mark.parametrize("way", ["options", "accept", "plan"])
def test_what_is_open_is_asked_before_a_report_that_is_there(file, tmp_path, way):
    table = with_row("Average", *MEANS)
    path, out = file(table), tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    options = ("--wide", "--block", "data", "--metric", "accuracy:higher")
    if way == "plan":
        plan = tmp_path / "plan.toml"
        plan.write_text(
            f'[data]\nfile = "{path.name}"\nformat = "wide"\nblock = "data"\n'
            '[metrics]\naccuracy = "higher"\n'
        )
        words, further = ("run", plan), ()
    elif way == "accept":
        path = file(long_rows())
        words, further = ("compare", path, "--accept"), ()
    else:
        words, further = ("compare", path, *options), ("--leave-out", "block=Average")
    status, _, told = command(*words, "--out", out)
    assert status == 2
    if way != "accept":
        assert "summary-row" in told and "exists" not in told
    if way != "plan":
        status, _, told = command(*words, *further, "--out", out)
        assert status == 2 and "exists" in told
    assert [p.name for p in out.iterdir()] == ["mine.txt"]


def test_groups_before_shared_names_are_no_sources():
    rows = [
        {"domain": g, "item": f"q{i}", "model": m, "right": (i + k) % 3 > 0}
        for g in ("math", "bio")
        for i in range(25)
        for k, m in enumerate("ab")
    ]
    reading = pc.propose(rows)
    scores = pc.Scores.from_frame(rows, **reading.arguments | {"metrics": UP})
    assert scores.blocks[0] == "math/q0" and scores.sources is None
    parted = [row | {"item": f"{row['domain']}/{row['item']}"} for row in rows]
    roles = {"algorithm": "model", "block": "item", "metrics": UP}
    assert pc.Scores.from_frame(parted, **roles).sources == "item"


UP = {"right": "higher"}

"""What is open about files of the kinds that public benchmarks publish.

Each has the columns and the shape of a published file, cut small, with numbers of its
own: evalconfidence (GPQA items with epochs), MTEB's tables, baycomp's Weka folds, the
AutoML benchmark of 2019, bbtcomp's folds, tsml-eval's folders, iMRMC's data frame.
"""

import re

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.data.reading.answers import DOUBTS
from tests.command_line import command

RNG = np.random.default_rng(11)
DATA = ("abalone", "car", "credit-a", "iris", "wine", "zoo")
LEARNERS = ("lgbm", "svm", "rf")


def gpqa():
    return [
        {
            "item_id": f"rec{i}",
            "model_id": f"lab/{m}",
            "score": RNG.integers(2),
            "epoch": e,
        }
        for m in ("nano", "mini")
        for e in range(1, 6)
        for i in range(25)
    ]


def mteb():
    models = ("orgA__base", "orgA__omni", "orgA__text")
    values = {(t, m): round(RNG.random(), 5) for t in DATA for m in models[:2]}
    values |= {(t, models[2]): values[t, models[1]] for t in DATA}
    return [
        {"task": t, "model": m, "main_score": value, "split": "test", "n_subsets": 1}
        for (t, m), value in values.items()
    ]


def wide(rows, index, columns, values):
    table = pd.DataFrame(rows).pivot(index=index, columns=columns, values=values)
    return table.reset_index().to_dict("records")


def baycomp():
    return [
        {"dataset": d, "classifier": c, "run_fold": r, "percent_correct": s}
        for d in DATA
        for c in ("nbc", "j48")
        for r, s in enumerate(RNG.integers(500, 990, 10) / 10)
    ]


def bbtcomp():
    rows = [
        {"db": d, "fold": f, "algorithm": a, "accuracy": round(RNG.random(), 4)}
        for d in DATA
        for f in range(1, 5)
        for a in LEARNERS
    ]
    rows[7]["accuracy"] = rows[10]["accuracy"] = None
    return rows


def without_folds():
    rows = wide(bbtcomp(), ["db", "fold"], "algorithm", "accuracy")
    return [{name: row[name] for name in ("db", *LEARNERS)} for row in rows]


OPEN = {
    "gpqa": (
        gpqa,
        ["which direction", "several rows", "all scores of 25", "there are 5"],
    ),
    "mteb": (mteb, ["which direction is better of 'main_score'"]),
    "mteb wide": (
        lambda: wide(mteb(), "task", "model", "main_score"),
        ["the name of the metric"],
    ),
    "baycomp": (baycomp, ["which direction is better of 'percent_correct'"]),
    "bbtcomp": (bbtcomp, ["bbtcomp.csv: 2 of 72 cells have no score"]),
    "ll": (
        without_folds,
        ["the name of the metric", "ll.csv: block='abalone' appears"],
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_what_is_open_is_known(tmp_path, name):
    rows, wanted = OPEN[name]
    path = tmp_path / f"{name}.csv"
    pd.DataFrame(rows()).to_csv(path, index=False)
    status, printed, _ = command("compare", path)
    asked = re.findall(r"(?m)^\d\. (.*)$", printed)
    assert status == 2 and len(asked) == len(wanted)
    assert all(map(str.startswith, asked, wanted)), asked
    doubts = [line for line in asked if re.match(f"({'|'.join(DOUBTS)}):", line)]
    assert doubts == []
    equal = "orgA__omni', 'orgA__text'" in printed
    assert equal == name.startswith("mteb")


def test_runs_of_2019_ask_for_what_is_done_with_those_that_failed(tmp_path):
    rows = [
        {
            "id": "openml.org/t/1", "task": task, "framework": framework, "fold": fold,
            "result": value, "mode": "aws.docker", "version": "0.1", "info": "",
            "acc": 0.7, "auc": value if metric == "auc" else None,
            "logloss": value if metric == "logloss" else None,
        }
        for task, metric in (("kc1", "auc"), ("dna", "logloss"), ("vehicle", "logloss"))
        for framework in ("autoweka", "tpot", "constantpredictor")
        for fold in range(4)
        for value in [round(float(RNG.random()), 5)]
    ]  # fmt: skip
    for at in (1, 2, 17):
        rows[at] |= {"result": None, "auc": None, "logloss": None, "info": "Timeout"}
    path = tmp_path / "all_results.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    status, _, told = command("compare", path, "--out", tmp_path / "out")
    assert status == 2
    assert told.startswith("pycompare: 3 of 36 cells have no score")
    assert "'autoweka' in 2, 'tpot' in 1;" in told
    kept = pc.read_results(path, missing="drop-block")
    assert "results are in auc, neg_logloss; higher is better in each" in kept.notes


def test_folders_of_resamples_ask_for_the_metric_and_count_what_is_missing(tmp_path):
    def write(folder, name, metric, data):
        frame = pd.DataFrame(RNG.random((len(data), 3)).round(4), columns=list("012"))
        frame.insert(0, "Resamples:", data)
        (tmp_path / folder).mkdir(exist_ok=True)
        frame.to_csv(tmp_path / folder / f"{name}_{metric}.csv", index=False)

    for name in ("HC2", "PF"):
        for metric in ("accuracy", "logloss"):
            write("best", name, metric, DATA)
    for name, data in (("HC2", DATA), ("EE", DATA[:4])):
        write("Univariate", name, "accuracy", data)
    status, _, told = command("compare", tmp_path / "best", "--out", tmp_path / "out")
    assert status == 2 and "several, 'accuracy', 'logloss'; name one" in told
    words = ("compare", tmp_path / "Univariate", "--out", tmp_path / "out")
    status, _, told = command(*words)
    assert status == 2 and told.startswith("pycompare: 6 of 36 cells have no score")


def test_the_index_of_a_frame_of_ratings_is_left_out_with_a_note(tmp_path):
    rows = [
        {"readerID": r, "caseID": c, "modalityID": m, "score": s}
        for r, m in (("truth", "truth"), *((r, m) for r in ("r1", "r2") for m in "AB"))
        for i, c in enumerate(("n1", "n2", "n3", "p1", "p2", "p3"))
        for s in [float(i > 2) if r == "truth" else RNG.integers(1, 6)]
    ]
    path = tmp_path / "dfMRMC.csv"
    pd.DataFrame(rows, index=range(1, len(rows) + 1)).to_csv(path)
    _, printed, _ = command("compare", path)
    assert re.findall(r"(?m)^\d\. (.{32})", printed) == [
        "rows seem to be ratings of cases by "[:32]
    ]


def test_the_examples_are_open_as_their_page_says():
    assert pc.propose(pc.example_path("folds")).questions == ()
    [question] = pc.propose(pc.example_path()).questions
    assert question.startswith("the name of the metric")
    first, which = pc.propose(pc.example_path("predictions")).questions
    assert "pycompare measure" in first and which.startswith("which class of 'class'")

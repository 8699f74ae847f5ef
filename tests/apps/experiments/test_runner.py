"""The runner: same splits, seeds, a folder that survives a kill, clear refusals."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import pycompare as pc
from pycompare.apps.experiments.runner import splits_of
from tests.apps.experiments.small import (
    Deadly,
    Seen,
    algorithms,
    data,
    files,
    refused,
    run,
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished") / "folder"
    return folder, run(folder)


def test_predictions_are_those_of_a_plain_loop(finished):
    _, found = finished
    assert found.algorithms == ("NB", "tree")
    assert found.blocks == tuple(f"{d}/{k}" for d in ("one", "two") for k in (1, 2, 3))
    assert found.datasets == ("one",) * 3 + ("two",) * 3
    whole = data(seed=2)
    y = whole.is_positive.astype(int)
    for split in splits_of("two", whole, pc.StratifiedFolds(3), 5):
        fitted = GaussianNB().fit(whole.features[split.train], y[split.train])
        wanted = fitted.predict_proba(whole.features[split.test])[:, 1]
        rows = found.rows(f"two/{split.fold}", "NB")
        cases = [int(found.cases[i]) for i in found.case[rows]]
        order = np.argsort(cases)
        assert np.array_equal(np.array(cases)[order], split.test)
        assert np.array_equal(found.score[rows][order], wanted)
        assert np.array_equal(found.is_positive[rows][order], y[split.test] == 1)


def test_all_algorithms_are_tested_on_the_same_cases(finished):
    _, found = finished
    for block in found.blocks:
        one, other = (found.case[found.rows(block, a)] for a in found.algorithms)
        assert np.array_equal(one, other)


def test_all_algorithms_learn_from_the_same_cases_with_the_same_seed(tmp_path):
    found = run(tmp_path / "f", algorithms={"a": Seen(), "b": Seen()})
    for block in found.blocks:
        one, other = (found.score[found.rows(block, a)] for a in "ab")
        assert np.array_equal(one, other)


@pytest.mark.slow
def test_the_same_plan_gives_the_same_bits_with_any_number_of_workers(
    finished, tmp_path
):
    run(tmp_path / "again", workers=2)
    assert files(tmp_path / "again") == files(finished[0])


def test_another_seed_gives_other_folds_and_other_random_states(finished, tmp_path):
    other = run(tmp_path / "f", seed=6)
    assert not np.array_equal(other.case, finished[1].case)
    fixed = {"a": Seen(random_state=3), "b": Seen()}
    found = run(tmp_path / "g", algorithms=fixed)
    one, two = (found.score[found.rows("one/1", a)] for a in "ab")
    assert not np.array_equal(one, two)  # a number that was given stays


def test_other_algorithms_and_data_sets_change_nothing(finished, tmp_path):
    run(
        tmp_path / "f",
        datasets={"three": data(seed=3), "two": data(seed=2)},
        algorithms=algorithms() | {"third": LinearSVC()},
    )
    found = pd.read_parquet(tmp_path / "f" / "dataset=two" / "fold=2" / "part.parquet")
    before = pd.read_parquet(finished[0] / "dataset=two" / "fold=2" / "part.parquet")
    kept = found[found["algorithm"].isin(["NB", "tree"])].reset_index(drop=True)
    assert kept.astype({"algorithm": str}).equals(before.astype({"algorithm": str}))


def test_random_states_within_pipelines_are_seeded(tmp_path):
    tree = DecisionTreeClassifier(max_features=1)
    plan = {"datasets": {"d": data()}, "algorithms": {"a": make_pipeline(tree)}}
    plan["algorithms"]["forest"] = RandomForestClassifier(3)
    run(tmp_path / "one", **plan)
    run(tmp_path / "two", **plan)
    assert files(tmp_path / "one") == files(tmp_path / "two")


KILLED = """
import os, sys, time
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from pycompare.apps.experiments import fold
from tests.apps.experiments.small import run
before, count = fold.write_part, []
def write_part(*given):
    before(*given)
    count.append(1)
    if len(count) == 3:
        print("now", flush=True)
        time.sleep(60)
fold.write_part = write_part
run(Path(sys.argv[1]))
"""


def test_a_run_killed_in_the_middle_goes_on_to_the_same_bits(
    finished, tmp_path, capsys
):
    folder = tmp_path / "killed"
    root = str(pc.__file__).removesuffix("/pycompare/__init__.py")
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(folder), root],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "now\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    stray = folder / "dataset=one" / "fold=3" / f".part.parquet.part{process.pid}"
    stray.write_bytes(b"half of a file")
    done = {path: path.stat().st_mtime_ns for path in folder.rglob("part.parquet")}
    assert len(done) == 3
    found = run(folder, progress=True)
    told = capsys.readouterr().err
    assert "3 of 6 folds were done before" in told
    assert "6 of 6 folds" in told
    assert files(folder) == files(finished[0])
    assert np.array_equal(found.score, finished[1].score)
    assert all(path.stat().st_mtime_ns == time_ for path, time_ in done.items())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:A worker stopped", "ignore:resource_tracker")
def test_a_killed_worker_loses_nothing(tmp_path, capsys):
    pair = {"a": Deadly(str(tmp_path / "memory")), "b": Seen()}
    found = run(tmp_path / "f", algorithms=pair, workers=2, progress=True)
    told = capsys.readouterr().err
    assert "a worker died; going on with" in told
    assert found.n_blocks == 6


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 6}, "seed"),
        ({"protocol": pc.StratifiedFolds(4)}, "protocol / StratifiedFolds / folds"),
        ({"protocol": pc.HeldOut(3)}, "protocol / StratifiedFolds"),
        ({"datasets": {"one": data(seed=1)}}, "datasets / two"),
        (
            {"datasets": {"one": data(seed=1), "two": data(seed=3)}},
            "datasets / two / sha256",
        ),
        (
            {"datasets": {"two": data(seed=2), "one": data(seed=1)}},
            "order / datasets",
        ),
        (
            {"algorithms": algorithms() | {"NB": GaussianNB(var_smoothing=1e-8)}},
            "algorithms / NB / .*var_smoothing",
        ),
    ],
)
def test_a_changed_plan_is_refused_in_the_same_folder(finished, change, named):
    before = files(finished[0])
    with refused("another plan", named, "give a new folder"):
        run(finished[0], **change)
    assert files(finished[0]) == before


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with refused("not empty and holds no experiment"):
        run(tmp_path)


NAMES = ["a/b", "../up", "é", "日本 %41", "x" * 150, ".", "__HIVE_DEFAULT_PARTITION__"]


def test_names_are_data_also_in_paths(tmp_path):
    folder = tmp_path / "f"
    pair = {"a/=b": GaussianNB(), "日本": LinearSVC()}
    found = run(folder, datasets={name: data() for name in NAMES}, algorithms=pair)
    assert set(found.datasets) == set(NAMES)
    assert found.algorithms == tuple(pair)
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    assert all(str(p.relative_to(folder)).isascii() for p in folder.rglob("*"))
    assert len(list(folder.iterdir())) == len(NAMES) + 1


def test_a_name_too_long_for_a_folder_is_refused_before_anything_runs(tmp_path):
    with refused("folder's name of 9.. bytes", "shorter"):
        run(tmp_path / "f", datasets={"日" * 100: data()})
    assert not (tmp_path / "f").exists()


def test_numbers_of_numpy_are_numbers(finished, tmp_path):
    protocol = pc.StratifiedFolds(np.int64(3))
    run(tmp_path / "f", seed=np.int64(5), workers=np.int64(1), protocol=protocol)
    assert files(tmp_path / "f") == files(finished[0])


def test_the_folder_can_be_measured_part_by_part(finished):
    folder, found = finished
    roles = {"algorithm": "algorithm", "dataset": "dataset", "block": "fold"}
    scores = pc.measure_file(
        folder,
        metrics=["error", "auc"],
        label="label",
        score="score",
        positive="positive",
        **roles,
    )
    assert np.array_equal(scores.values, found.measure(["error", "auc"]).values)
    assert scores.blocks == found.blocks


def test_the_folder_is_what_other_readers_expect(finished):
    table = pd.read_parquet(finished[0])
    columns = {"algorithm", "case", "label", "score", "dataset", "fold"}
    assert set(table.columns) == columns
    assert set(table["label"]) == {"positive", "negative"}
    plan = json.loads((finished[0] / "_plan.json").read_text())
    assert plan["seed"] == 5
    assert plan["datasets"]["one"]["positive"] == "yes"


def test_notes_say_protocol_seed_and_warnings(tmp_path):
    found = run(tmp_path / "f", algorithms={"a": Seen(), "b": Seen(warn=True)})
    assert found.notes == (
        "experiment: StratifiedFolds(folds=3), seed 5",
        "b: 6 of 6 fits warned, UserWarning: first line",
    )


class Failing(Seen):
    def fit(self, X, y):
        raise ZeroDivisionError("no luck")


class Classes(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X))


def scaled(function):
    return make_pipeline(FunctionTransformer(function), GaussianNB())


class Undefined(Seen):
    def decision_function(self, X):
        return np.full(len(X), np.nan)


@pytest.mark.parametrize(
    ("bad", "parts"),
    [
        (Perceptron, ["is the class Perceptron", "Perceptron\\(\\)"]),
        (object(), ["is a object without fit"]),
        (make_pipeline("passthrough"), ["'bad'", "neither predict_proba nor"]),
        (Classes(), ["'bad'", "Classes has neither"]),
        (FunctionTransformer(lambda x: x), ["'bad'", "neither predict_proba nor"]),
        (scaled(lambda x: x), ["a lambda", "function with a name"]),
        (scaled(partial(lambda x: x)), ["functools.partial cannot be written down"]),
        (Failing(), ["'bad'", "'one'", "fold='1'", "ZeroDivisionError: no luck"]),
        (Undefined(), ["'bad'", "NaN or infinite for 20 of 20 cases"]),
        (
            Seen(random_state=np.random.RandomState(1)),
            ["a RandomState", "whole"],
        ),
    ],
    ids=[
        *("class", "object", "empty pipeline", "classes only", "transformer"),
        *("lambda", "partial", "failing", "NaN", "generator"),
    ],
)
def test_estimators_that_cannot_be_used_are_refused(tmp_path, bad, parts):
    with refused(*parts):
        run(tmp_path / "f", algorithms={"good": GaussianNB(), "bad": bad})


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"datasets": {}}, ["datasets: give a mapping"]),
        ({"datasets": {1: data()}}, ["the name 1 is no text"]),
        ({"datasets": {"a": data(), "a ": data()}}, ["read alike"]),
        ({"datasets": {"a": (1, 2)}}, ["'a' is a tuple", "DataSet.of"]),
        ({"algorithms": {"NB": GaussianNB()}}, ["at least 2 algorithms"]),
        ({"protocol": 3}, ["protocol=3", "HeldOut"]),
        ({"seed": 1.5}, ["seed=1.5", "whole number"]),
        ({"seed": -1}, ["seed=-1", "0 or more"]),
        ({"workers": 0}, ["workers=0", "give 1 or more"]),
        ({"protocol": pc.StratifiedFolds(31)}, ["'one'", "30 cases", "needs 31"]),
    ],
)
def test_bad_arguments_are_refused(tmp_path, change, parts):
    with refused(*parts):
        run(tmp_path / "f", **change)


def test_five_by_two_gives_the_differences_that_the_test_takes(tmp_path):
    found = run(
        tmp_path / "f", datasets={"d": data()}, protocol=pc.FiveByTwo()
    ).measure("error")
    table = found.column("error").reshape(5, 2, 2)
    test = pc.five_by_two_cv(table[:, :, 0] - table[:, :, 1])
    assert 0 <= test.p_value <= 1


def test_a_file_that_is_no_fold_of_the_plan_is_refused(tmp_path):
    run(tmp_path / "e")
    fold = tmp_path / "e" / "dataset=one" / "fold=1"
    other = fold.with_name("fold=9")
    other.mkdir()
    (other / "part.parquet").write_bytes((fold / "part.parquet").read_bytes())
    with refused("dataset=one/fold=9/part.parquet", "no fold of this experiment"):
        run(tmp_path / "e")

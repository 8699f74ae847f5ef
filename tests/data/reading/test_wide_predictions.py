"""Scores of cases with a column for each algorithm: measure, curves, plans, Python."""

from __future__ import annotations

import shlex

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

N = 60
RNG = np.random.default_rng(11)
TRUE = RNG.random(N) < 0.4
SCORES = {
    name: np.round(1 / (1 + np.exp(-(size * (TRUE - 0.5) + RNG.normal(size=N)))), 4)
    for name, size in (("m1", 2.0), ("m,2", 1.0), ("<b>", 0.5))
}


def wide(**more):
    labels = np.where(TRUE, "yes", "no")
    frame = pd.DataFrame({"id": [f"c{i}" for i in range(N)], "label": labels} | SCORES)
    return frame.assign(**more)


def long(frame):
    others = [name for name in frame if name not in SCORES]
    return frame.melt(others, [*SCORES], "model", "score")


OF_CASES = {"label": "label", "positive": "yes", "case": "id"}


def same(one, other):
    assert one.sha256 == other.sha256
    assert (one.algorithms, one.blocks) == (other.algorithms, other.blocks)


@pytest.mark.parametrize("fold", [False, True])
def test_a_column_for_each_algorithm_is_read_as_rows_of_each_are(tmp_path, fold):
    more = {"block": "fold"} if fold else {}
    frame = wide(fold=np.arange(N) % 5) if fold else wide()
    path = tmp_path / "w.csv"
    frame.to_csv(path, index=False)
    rows = pc.Predictions.from_frame(
        long(frame), algorithm="model", score="score", **OF_CASES, **more
    )
    same(
        pc.Predictions.from_frame(frame, algorithms=[*SCORES], **OF_CASES, **more), rows
    )
    same(pc.read_predictions(path, algorithms=[*SCORES], **OF_CASES, **more), rows)
    assert rows.blocks == (tuple("01234") if fold else ("test set",))
    if fold:
        options = {"metrics": ["auc", "brier"], **OF_CASES, **more}
        scores = pc.measure_file(path, algorithms=[*SCORES], **options)
        assert scores.sha256 == rows.measure(["auc", "brier"]).sha256


def test_rows_are_numbered_where_no_column_names_the_cases():
    frame = wide().drop(columns="id")
    options = {"label": "label", "positive": "yes"}
    read = pc.Predictions.from_frame(frame, algorithms=[*SCORES], **options)
    assert read.cases == tuple(map(str, range(1, N + 1))) and read.same_cases


ANSWERS = {"no|yes": "yes", "yes|no": "yes"}


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("name", ["measure", "curves"])
def test_the_command_that_a_file_alone_prints_runs(tmp_path, name, fold, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = wide(fold=np.arange(N) % 5) if fold else wide()
    frame.to_csv("w.csv", index=False)
    status, text, told = command(name, "w.csv")
    assert (status, told) == (2, "pycompare: 1 open question\n")
    assert "true classes: column 'label'" in text
    assert "1. which class of 'label' is positive" in text
    [line] = [one for one in text.splitlines() if one.startswith("pycompare ")]
    for asked, answer in ANSWERS.items():
        line = line.replace(f"'{asked}'", answer)
    status, text, told = command(*shlex.split(line)[1:])
    assert status == 0, told
    if name == "measure":  # what it prints next runs, too
        step = text.split("Compare them: ")[1]
        for place, value in {
            "PROTOCOL": "cross-validation",
            "N_TRAIN": 48,
            "N_TEST": 12,
        }.items():
            step = step.replace(place, str(value))
        status, _, told = command(*shlex.split(step)[1:])
        assert status == 0, told


def test_a_file_without_an_open_question_runs_by_accepting_it(tmp_path):
    path = tmp_path / "w.csv"
    wide(label=TRUE.astype(int)).to_csv(path, index=False)
    for name, more in (("measure", ["--metric", "brier"]), ("curves", [])):
        status, text, told = command(name, path)
        assert status == 2 and "nothing is open" in told
        assert "true classes: column 'label'" in text
        out = tmp_path / f"{name}.csv"
        assert command(name, path, "--accept", *more, "--out", out)[0] == 0


def test_one_test_set_is_measured_case_by_case_or_not_at_all():
    read = pc.Predictions.from_frame(wide(), algorithms=[*SCORES], **OF_CASES)
    with pytest.raises(pc.InputError, match=r"one test set.*one_class='undefined'"):
        read.measure("auc")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "name the columns of algorithms and of scores"),
        ({"algorithm": "id"}, "name the columns of algorithms and of scores"),
        ({"algorithms": [*SCORES], "score": "m1"}, "leave one of them out"),
        ({"algorithms": ["m1", "id"], "case": "id"}, "has two roles"),
        ({"algorithms": ["m1", "m3"]}, "there is no 'm3'"),
        ({"algorithms": ["m1", "id"]}, "'id'.*not numeric"),
        ({"algorithms": ["m1"]}, "at least 2 algorithms"),
    ],
)
def test_columns_that_do_not_fit_are_refused(given, said):
    with pytest.raises(pc.InputError, match=said):
        pc.Predictions.from_frame(wide(), label="label", positive="yes", **given)


def test_a_plan_reads_a_wide_table_of_predictions(tmp_path):
    frame = wide(fold=np.arange(N) % 5)
    frame.to_csv(tmp_path / "w.csv", index=False)
    plan = tmp_path / "plan.toml"
    text = (
        '[data]\nfile = "w.csv"\nformat = "wide"\nlabel = "label"\n'
        'positive = "yes"\nblock = "fold"\ncase = "id"\n'
    )
    metrics = '[metrics]\nerror = "lower"\n'
    plan.write_text(text + 'algorithms = ["m1", "m,2", "<b>"]\n' + metrics)
    rows = pc.Predictions.from_frame(
        long(frame), algorithm="model", score="score", block="fold", **OF_CASES
    )
    same(pc.read_plan(plan).read_predictions(), rows)
    for more, said in (
        ("", "needs algorithms"),
        ('algorithms = ["m1", "<b>"]\nscore = "m,2"\n', "leave score out"),
    ):
        plan.write_text(text + more + metrics)
        with pytest.raises(pc.PlanError, match=said):
            pc.read_plan(plan)

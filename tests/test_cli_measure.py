"""pycompare measure: from predictions to a file of scores."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

import pycompare as pc
from pycompare import cli
from pycompare.cli.measure import portions_told
from pycompare.parallel import progress
from pycompare.streaming import stream

pytestmark = pytest.mark.usefixtures("blank_pictures")

ROLES = ("--algorithm=model", "--block=fold", "--label=label", "--score=score")
TELL = {"algorithm": "model", "block": "fold", "label": "label", "score": "score"}


def frame(n: int = 30) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    cases = [(f"f{i}", m) for i in range(4) for m in ("svm", "knn")]
    parts = [
        pd.DataFrame(
            {
                "fold": fold,
                "model": model,
                "label": ["bad", "good"] * (n // 2),
                "score": rng.random(n),
            }
        )
        for fold, model in cases
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture
def file(tmp_path) -> Path:
    frame().to_parquet(tmp_path / "p.parquet", index=False)
    return tmp_path / "p.parquet"


@pytest.fixture
def measure(capsys, monkeypatch):
    def run(*args):
        words = ["pycompare", "measure", *ROLES, "--positive=good", *map(str, args)]
        monkeypatch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return ended.value.code or 0, captured.out, captured.err

    return run


@pytest.mark.parametrize("datasets", [False, True])
def test_the_command_that_it_ends_with_compares_the_scores(
    measure, datasets, tmp_path, monkeypatch
):
    file, out = tmp_path / "p.csv", tmp_path / "scores of mine.parquet"
    frame().assign(data="one").to_csv(file, index=False)
    roles = ["--dataset=data"] if datasets else []
    _, text, _ = measure(file, *roles, "--metric=auc", "--metric=error", "--out", out)
    words = shlex.split(text.splitlines()[-1].removeprefix("Compare them: "))
    words[-1] = str(tmp_path / "report")
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code and (tmp_path / "report" / "report.html").is_file()


@pytest.mark.parametrize(("size", "cases"), [(1, True), (4, False)])
def test_blocks_of_one_case_are_compared_as_cases(measure, tmp_path, size, cases):
    rows = [
        {"fold": case // size, "model": model, "label": label, "score": score}
        for case, label in enumerate(["good", "bad"] * 4)
        for model, score in (("A", 0.9), ("B", 0.2 * (case % 5)))
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "p.csv", index=False)
    options = ["--metric=error", "--one-class=undefined", "--out", tmp_path / "s.csv"]
    status, text, error = measure(tmp_path / "p.csv", *options)
    assert status == 0, error
    assert ("--blocks cases" in text) == cases


@pytest.mark.parametrize("ending", ["parquet", "feather", "csv"])
def test_scores_are_written_and_can_be_read_again(measure, file, tmp_path, ending):
    out = tmp_path / f"scores.{ending}"
    status, text, _ = measure(file, "--metric=auc", "--metric=error", "--out", out)
    assert status == 0
    assert "metric: auc (higher is better)" in text
    assert "called positive: score >= 0.5" in text
    read = pc.read_scores(
        out,
        algorithm="algorithm",
        block="block",
        metrics={"auc": "higher", "error": "lower"},
    )
    wanted = pc.read_predictions(file, positive="good", **TELL).measure(
        ["auc", "error"]
    )
    assert read.sha256 == wanted.sha256
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.parquet", out.name]


def test_the_file_says_how_its_numbers_were_made(measure, file, tmp_path):
    out = tmp_path / "scores.parquet"
    status, text, _ = measure(file, "--metric=auc_pr", "--out", out, "--json")
    told = json.loads(parquet.read_schema(out).metadata[b"pycompare"])
    assert json.loads(text) == told
    assert told["metrics"] == {"auc_pr": "higher"}
    assert "trapezoids" in told["notes"][0]
    assert status == 0


def test_all_choices_reach_the_measures(measure, file, tmp_path):
    out = tmp_path / "scores.parquet"
    names = ["risk", "precision", "partial_auc"]
    status, _, _ = measure(
        *(file, "--out", out, *(f"--metric={name}" for name in names)),
        *("--loss", 0, 3, 1, 0, "--fpr-range", 0, 0.2),
        *("--threshold=0.4", "--threshold=2", "--undefined", "precision=1"),
        *("--missing=model", "--one-class=undefined", "--workers", 2),
    )
    assert status == 0
    wanted = pc.read_predictions(file, positive="good", **TELL).measure(
        names,
        loss=[[0, 3], [1, 0]],
        fpr_range=(0, 0.2),
        threshold=[0.4, 2],
        undefined={"precision": 1},
    )
    pd.testing.assert_frame_equal(pd.read_parquet(out), wanted.to_frame())


def test_the_threshold_of_least_risk_is_a_word(measure, file, tmp_path):
    out = tmp_path / "scores.csv"
    options = ("--metric=tpr", "--threshold=risk", "--cost-ratio=3", "--out", out)
    status, text, _ = measure(file, *options)
    assert status == 0
    assert "called positive: score >= 0.75" in text


def test_an_earlier_file_is_replaced_only_on_request(measure, file, tmp_path):
    out = tmp_path / "scores.csv"
    out.write_text("mine")
    status, _, said = measure(file, "--metric=auc", "--out", out)
    assert status == 2
    assert "exists; choose another name or say --overwrite" in said
    assert out.read_text() == "mine"
    status, _, _ = measure(file, "--metric=auc", "--out", out, "--overwrite")
    assert status == 0
    assert out.read_text().startswith("block,algorithm,auc")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--metric=acc", "--out=s.csv"), "there is no measure 'acc'"),
        (("--metric=auc", "--out=s.txt"), "give a name that ends with .parquet"),
        (("--metric=auc", "--out=no/s.csv"), "there is no folder no"),
        (("--metric=tpr", "--threshold=low", "--out=s.csv"), "--threshold low"),
        (("--metric=npv", "--undefined=npv", "--out=s.csv"), "NAME=0 or NAME=1"),
        (
            ("--metric=auc", "--positive=ok", "--out=s.csv"),
            "has the label 'ok'",
        ),
        (
            ("--metric=precision", "--threshold=9", "--out=s.csv"),
            "declare what it is to be: --undefined precision=0, --undefined "
            "precision=1, --missing drop-block",
        ),
        (("--metric=auc", "--workers=0", "--out=s.csv"), "give 1 or more"),
        (("--out=s.csv",), "--metric"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    measure, file, tmp_path, monkeypatch, options, said
):
    monkeypatch.chdir(tmp_path)
    status, _, error = measure(file, *options)
    assert status == 2
    assert said in error
    assert error.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["p.parquet"]


def test_classes_to_choose_are_told_as_options(measure, tmp_path):
    table = frame()
    table.loc[::7, "label"] = "odd"
    table.to_parquet(tmp_path / "p.parquet", index=False)
    out = tmp_path / "s.csv"
    status, _, said = measure(tmp_path / "p.parquet", "--metric=auc", "--out", out)
    assert status == 2
    assert "(--rest)" in said
    assert "--classes" in said
    for choice in (("--rest",), ("--classes", "good", "bad")):
        done = measure(
            *(tmp_path / "p.parquet", "--metric=auc", "--out", out, "--overwrite"),
            *choice,
        )
        assert done[0] == 0


def test_progress_has_the_time_left(monkeypatch):
    monkeypatch.setattr(progress, "_EVERY", 0)
    said = []
    tell = portions_told(said.append)
    for done in (1, 2, 3):
        tell(done, 3)
    assert said[0] == "1 of 3 portions were done before"
    assert said[1] == "2 of 3 portions, about 0 s left"
    assert said[2] == "3 of 3 portions, took 0 s"


KILLED = """
import os, signal, sys
from pycompare import cli
from pycompare.streaming import stream
from pycompare.streaming import stream
stream.ROWS = 50
keep = stream.Kept.keep
def keep_and_die(self, number, arrays):
    keep(self, number, arrays)
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
stream.Kept.keep = keep_and_die
cli.main()
"""


def test_a_run_that_was_killed_goes_on(measure, file, tmp_path, monkeypatch):
    out, kept = tmp_path / "s.parquet", tmp_path / "s.parquet.unfinished"
    words = [str(file), "--metric=auc", "--out", str(out)]
    begun = [*ROLES, "--positive=good", *words]
    ended = subprocess.run([sys.executable, "-c", KILLED, "measure", *begun])
    assert ended.returncode == -signal.SIGKILL
    assert len(list(kept.glob("*.npz"))) == 2
    assert not out.exists()
    monkeypatch.setattr(stream, "ROWS", 50)
    work, done = stream.work, []
    monkeypatch.setattr(stream, "work", lambda task: done.append(task) or work(task))
    assert measure(*words)[0] == 0
    assert len(done) == len(frame()) // 30 - 2
    assert not kept.exists()
    wanted = pc.read_predictions(file, positive="good", **TELL).measure("auc")
    pd.testing.assert_frame_equal(pd.read_parquet(out), wanted.to_frame())

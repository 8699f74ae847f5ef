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
from scipy import stats

import pycompare as pc
from pycompare.apps import cli
from pycompare.apps.streaming import stream

pytestmark = pytest.mark.usefixtures("blank_pictures")

ROLES = ("--algorithm=model", "--label=label", "--score=score")
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
    def run(*args, block="fold"):
        words = ["pycompare", "measure", *ROLES, f"--block={block}", *map(str, args)]
        if not any(word.startswith("--positive=") for word in words):
            words.append("--positive=good")
        monkeypatch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return ended.value.code or 0, captured.out, captured.err

    return run


CASS = {(1, 1, 1): 473, (1, 1, 0): 29, (1, 0, 1): 81, (1, 0, 0): 25}
CASS |= {(0, 1, 1): 22, (0, 1, 0): 46, (0, 0, 1): 44, (0, 0, 0): 151}
"""Cases by class, and by what two tests call them: a table of the Coronary Artery
Surgery Study."""


def cass() -> pd.DataFrame:
    """Return a row for each case and test."""
    kinds = [kind for kind, n in CASS.items() for _ in range(n)]
    rows = [
        {"fold": case, "model": model, "label": ("bad", "good")[ill], "score": score}
        for case, (ill, *scores) in enumerate(kinds)
        for model, score in zip("AB", scores, strict=True)
    ]
    return pd.DataFrame(rows)


def compared(command: list[str], folder: Path, monkeypatch) -> dict:
    """Run a printed command with its places filled in; return its results."""
    places = {"DIR": str(folder), "PROTOCOL": "resampling"}
    places |= {"N_TRAIN": "90", "N_TEST": "30"}
    monkeypatch.setattr(sys, "argv", [places.get(word, word) for word in command])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    return json.loads((folder / "results.json").read_text())


def printed(text: str) -> list[list[str]]:
    """Return the commands that compare the scores."""
    lines = [line for line in text.splitlines() if line.startswith("Compare them")]
    return [shlex.split(line.partition(": ")[2]) for line in lines]


@pytest.mark.parametrize(
    ("column", "data", "units"),
    [
        ("fold", None, ["folds"]),
        ("fold", ["one"], ["folds"]),
        ("block", None, ["folds", "datasets"]),
        ("fold", ["one", "two"], ["folds-of-datasets"]),
    ],
    ids=str,
)
def test_the_commands_that_it_ends_with_compare_the_scores(
    measure, column, data, units, tmp_path, monkeypatch
):
    file, out = tmp_path / "p.csv", tmp_path / "scores of mine.parquet"
    parts = [frame().assign(data=name) for name in data or ["none"]]
    pd.concat(parts).rename(columns={"fold": column}).to_csv(file, index=False)
    options = ["--metric=auc", "--metric=error", "--out", out]
    options += ["--dataset=data"] * (data is not None)
    _, text, _ = measure(file, *options, block=column)
    commands = printed(text)
    assert len(commands) == len(units)
    for command, unit in zip(commands, units, strict=True):
        made = compared(command, tmp_path / unit, monkeypatch)
        assert made["plan"]["blocks"] == unit
        assert (made["plan"]["n_train"] is not None) == (unit == "folds")


OF_CASES = ("--one-class=undefined", "--missing=drop-block")


@pytest.mark.parametrize("metric", ["accuracy", "tnr", "f1", "precision"])
def test_the_command_for_blocks_of_one_case_says_so(measure, tmp_path, metric):
    cass().to_parquet(tmp_path / "p.parquet")
    options = [f"--metric={metric}", *OF_CASES, "--out", tmp_path / "s.csv"]
    _, text, _ = measure(tmp_path / "p.parquet", *options)
    assert printed(text)[0][-4:-2] == ["--blocks", "cases"]


@pytest.mark.parametrize("metric", ["tpr", "fnr"])
def test_blocks_of_one_case_are_compared_as_cases(
    measure, tmp_path, metric, monkeypatch
):
    cass().to_csv(tmp_path / "p.csv", index=False)
    options = [f"--metric={metric}", *OF_CASES, "--out", tmp_path / "s.csv"]
    _, text, _ = measure(tmp_path / "p.csv", *options)
    [command] = printed(text)
    made = compared(command, tmp_path / "report", monkeypatch)
    [pair] = made["analyses"][0]["pairs"]
    sign = -1 if metric == "fnr" else 1  # B minus A: B is the better one
    # McNemar's chi-squared without continuity correction; Tango's (1998) interval.
    p = 2 * stats.norm.sf((81 - 29) / np.sqrt(110))
    assert pair["p_value"] == pytest.approx(p, rel=1e-12)
    assert f"{p:.1e}" == "7.1e-07"
    assert sign * pair["estimate"] == pytest.approx((81 - 29) / 608, rel=1e-12)
    ends = sorted(sign * pair[name] for name in ("conf_low", "conf_high"))
    assert [round(end, 3) for end in ends] == [0.053, 0.12]


def test_blocks_of_several_cases_are_not_compared_as_cases(measure, tmp_path):
    # All errors are 0 or 1, as those of single cases are.
    rows = [
        {"fold": case // 4, "model": model, "label": label, "score": score}
        for case, label in enumerate(["good", "bad"] * 8)
        for model, right in (("A", 1), ("B", case // 4 % 2))
        for score in [float((label == "good") == right)]
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "p.csv", index=False)
    _, text, _ = measure(
        tmp_path / "p.csv", "--metric=error", "--out", tmp_path / "s.csv"
    )
    assert set(pd.read_csv(tmp_path / "s.csv")["error"]) == {0.0, 1.0}
    assert "cases" not in printed(text)[0]


def test_cases_that_all_are_right_are_cases(measure, tmp_path):
    right = cass().assign(score=lambda d: (d["label"] == "good").astype(float))
    right.to_csv(tmp_path / "p.csv", index=False)
    options = ["--metric=error", "--one-class=undefined", "--out", tmp_path / "s.csv"]
    _, text, _ = measure(tmp_path / "p.csv", *options)
    assert printed(text)[0][-4:-2] == ["--blocks", "cases"]


def test_cases_of_several_data_sets_are_compared_by_their_means(
    measure, tmp_path, monkeypatch
):
    sets = cass().assign(data=lambda d: "d" + (d["fold"] % 6).astype(str))
    sets.to_csv(tmp_path / "p.csv", index=False)
    options = ["--dataset=data", "--metric=error", "--one-class=undefined"]
    _, text, _ = measure(tmp_path / "p.csv", *options, "--out", tmp_path / "s.csv")
    [command] = printed(text)
    made = compared(command, tmp_path / "report", monkeypatch)
    assert made["plan"]["blocks"] == "datasets" and made["plan"]["average_folds"]


def test_measured_cases_are_compared_as_cases_in_python_too():
    given = {**TELL, "positive": "good", "one_class": "undefined"}
    cases = pc.Predictions.from_frame(cass().query("fold % 25 == 0"), **given)
    for blocks in ("by-columns", "cases"):
        found = pc.compare(cases, pc.Plan(metrics=("error",), blocks=blocks))
        assert found.plan.blocks == "cases"
    folds = pc.Predictions.from_frame(frame(), **TELL, positive="good")
    assert not folds.measure("error").items


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
    names = ["risk", "precision", "partial_auc", "lift"]
    status, _, _ = measure(
        *(file, "--out", out, *(f"--metric={name}" for name in names)),
        *("--loss", 0, 3, 1, 0, "--fpr-range", 0, 0.2, "--top-share=0.1"),
        *("--threshold=0.4", "--threshold=2", "--undefined", "precision=1"),
        *("--missing=model", "--one-class=undefined", "--workers", 2),
    )
    assert status == 0
    wanted = pc.read_predictions(file, positive="good", **TELL).measure(
        names,
        loss=[[0, 3], [1, 0]],
        fpr_range=(0, 0.2),
        top_share=0.1,
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
    assert "exists; choose another name or set --overwrite" in said
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
            "declare its value: --undefined precision=0, --undefined "
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


KILLED = """
import os, signal, sys
from pycompare.apps import cli
from pycompare.apps.streaming import stream
from pycompare.base.parallel import unfinished
stream.ROWS = 50
unfinished._AFTER = 0
keep = unfinished.Unfinished.keep
def keep_and_die(self, number, arrays):
    keep(self, number, arrays)
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
unfinished.Unfinished.keep = keep_and_die
cli.main()
"""


def test_a_run_that_was_killed_goes_on(measure, file, tmp_path, monkeypatch):
    out, kept = tmp_path / "s.parquet", tmp_path / "s.parquet.unfinished"
    words = [str(file), "--metric=auc", "--out", str(out)]
    begun = [*ROLES, "--positive=good", "--block=fold", *words]
    ended = subprocess.run([sys.executable, "-c", KILLED, "measure", *begun])
    assert ended.returncode == -signal.SIGKILL
    assert len(list(kept.glob("*/*.done"))) == 2
    assert not out.exists()
    monkeypatch.setattr(stream, "ROWS", 50)
    work, done = stream.work, []
    monkeypatch.setattr(stream, "work", lambda c, key: done.append(key) or work(c, key))
    status, _, said = measure(*words)
    assert status == 0, said
    assert len(done) == len(frame()) // 30 - 2
    assert not kept.exists()
    wanted = pc.read_predictions(file, positive="good", **TELL).measure("auc")
    pd.testing.assert_frame_equal(pd.read_parquet(out), wanted.to_frame())

"""``manifest.json``: what it names, and that two runs make the same bytes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import subprocess

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.environment import GIVEN_DATE
from pycompare.base.errors import InputError
from pycompare.reporting.evidence import data_files
from pycompare.reporting.evidence.csv_text import columns_csv, no_formula
from pycompare.reporting.evidence.data_files import (
    of_predictions,
    of_scores,
    predictions_from,
    scores_from,
)
from pycompare.reporting.evidence.manifest import sha256_of
from pycompare.reporting.provenance import now
from tests.many_predictions import predictions
from tests.reporting.evidence.reports import DATE, MAKERS, grouped, hostile
from tests.runs import runs_of, simulated


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


@pytest.mark.parametrize("kind", MAKERS)
def test_every_file_has_its_hash(reports, kind):
    folder = reports(kind)
    held = manifest(folder)
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert set(held["outputs"]) == files - {"manifest.json"}
    for name, entry in held["outputs"].items():
        content = (folder / name).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        assert entry["size"] == len(content)


@pytest.mark.parametrize("kind", MAKERS)
def test_the_log_names_the_data_and_one_primary_analysis_at_least(reports, kind):
    held = manifest(reports(kind))
    assert held["decisions"][0]["step"].startswith("Read the")
    assert any("primary" in one["why"] for one in held["decisions"])
    assert all(one["decided"] for one in held["decisions"])
    assert held["inputs"] or kind == "model"
    if kind == "posterior":
        assert held["decisions"][-1]["decided"] == "8 of 10 pairs decided"
    assert held["versions"]["pycompare"] == pc.__version__


def test_the_decision_log_has_what_the_results_decided(reports):
    folder = reports("folds")
    held = json.loads((folder / "results.json").read_text())
    made = [d["rejected"] for d in held["analyses"][1]["decisions"]]
    [step] = [
        one
        for one in manifest(folder)["decisions"]
        if one["why"] == "primary analysis of the plan"
        and one["step"].startswith("auc")
    ]
    assert f"{sum(made)} of {len(made)} pairs significant" in step["decided"]


def test_the_plan_is_hashed_and_what_was_left_open_is_said(reports):
    held = manifest(reports("example"))
    plan = held["plan"]
    assert plan["asked"]["family"] is None and plan["settled"]["family"] == "metric"
    assert plan["sha256"] == sha256_of(plan["settled"])
    assert "Plan key family" in [one["step"] for one in held["decisions"]]


def test_dropped_blocks_are_deviations(reports):
    [one] = [
        d for d in manifest(reports("groups"))["deviations"] if "left out" in d["done"]
    ]
    assert one["done"] == "1 block left out"


PLAN = """\
[data]
file = "planned.csv"
format = "wide"
block = "dataset"

[metrics]
accuracy = "higher"

[plan]
blocks = "datasets"
"""


@pytest.mark.usefixtures("blank_pictures_here")
def test_the_plan_file_is_an_input_with_its_text(tmp_path):
    (tmp_path / "planned.csv").write_text(pc.example_path().read_text())
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    plan = pc.read_plan(path)
    held = manifest(pc.report(pc.compare(plan.read_data(), plan), tmp_path / "out"))
    named = {one["what"]: one["sha256"] for one in held["inputs"]}
    assert named["plan file"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert held["plan"]["file"]["text"] == PLAN
    assert held["decisions"][0]["why"] == "plan file plan.toml"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["example", "sweep", "curves", "model", "hostile"])
def test_two_runs_make_the_same_bytes(tmp_path, monkeypatch, kind):
    monkeypatch.setenv(GIVEN_DATE, DATE)
    one, two = (MAKERS[kind](tmp_path / name) for name in ("one", "two"))
    found = subprocess.run(["diff", "-r", one, two], capture_output=True)
    assert found.returncode == 0 and not found.stdout


@pytest.mark.usefixtures("blank_pictures_here")
def test_the_command_leaves_out_where_the_report_goes(tmp_path, monkeypatch, pycompare):
    monkeypatch.setenv(GIVEN_DATE, DATE)
    for name in ("one", "two"):
        status, _, _ = pycompare(
            "compare", pc.example_path(), "--wide", "--metric", "accuracy:higher",
            "--blocks", "datasets", "--out", tmp_path / name, "--overwrite",
        )  # fmt: skip
        assert status == 0
    one, two = (tmp_path / name / "manifest.json" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    command = manifest(tmp_path / "one")["command"]
    assert command.endswith("--out DIR") and "overwrite" not in command
    assert manifest(tmp_path / "one")["started"] == "2023-11-14T22:13:20+00:00"


def test_a_given_date_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv(GIVEN_DATE, "yesterday")
    with pytest.raises(InputError, match="no number of seconds"):
        now()


# ---- data ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        pc.example,
        hostile,
        grouped,
        lambda: runs_of(simulated()),
        lambda: pc.example("folds"),
    ],
)
def test_scores_come_back_to_the_bit(make):
    scores = make()
    [text] = of_scores(scores).files.values()
    parts = json.loads(json.dumps(of_scores(scores).parts))
    again = scores_from(text, parts)
    assert again.sha256 == scores.sha256
    assert vars(again.dropped) == vars(scores.dropped)
    assert (again.source and vars(again.source)) == (
        scores.source and vars(scores.source)
    )
    assert again.notes == scores.notes and again.missing == scores.missing


def test_labels_of_many_blocks_come_back_from_the_file(monkeypatch):
    monkeypatch.setattr(data_files, "MOST_NAMED", 3)
    labels = ("=a", "'=a", "''+1", "'b", 'c"d', "-x, y", "plain", "block")
    values = np.arange(16.0).reshape(8, 2, 1)
    metrics = (pc.Metric("score", "higher"),)
    scores = pc.Scores(values, labels, ("a", "b"), metrics)
    held = of_scores(scores)
    [text] = held.files.values()
    assert "blocks" not in held.parts
    again = scores_from(text, held.parts)
    assert again.blocks == labels and again.sha256 == scores.sha256


def test_clusters_come_back():
    scores = dataclasses.replace(pc.example(), clusters=("x", "y", "y") * 10)
    [text] = of_scores(scores).files.values()
    again = scores_from(text, of_scores(scores).parts)
    assert again.clusters == scores.clusters and again.sha256 == scores.sha256


def test_missing_cells_and_awkward_numbers_come_back():
    values = np.array([[0.1 + 0.2, np.nan, -0.0], [5e-324, 2e306, 1 / 3]])
    scores = pc.Scores(
        values=values[:, :, None],
        blocks=("x", "y"),
        algorithms=("a", "b", "c"),
        metrics=(pc.Metric("s", "higher"),),
        missing="model",
    )
    [text] = of_scores(scores).files.values()
    again = scores_from(text, of_scores(scores).parts)
    signless = scores.values + 0.0  # no file has the sign of 0
    assert again.values.tobytes() == signless.tobytes()
    assert again.sha256 == scores.sha256


def test_predictions_come_back_to_the_bit():
    made = predictions(n_datasets=2, folds=3)
    [text] = of_predictions(made).files.values()
    again = predictions_from(text, json.loads(json.dumps(of_predictions(made).parts)))
    assert again.sha256 == made.sha256


def test_no_cell_is_a_formula_and_different_labels_stay_different():
    labels = ["=1", "'=1", "''=1", " =1", "-x", "x", "'x", "@", "+"]
    written = [no_formula(label) for label in labels]
    assert len(set(written)) == len(labels)
    assert not any(str(one).lstrip()[0] in "=+-@" for one in written)
    assert columns_csv([("=n", ["=1"]), ("=n", [float("nan")])]) == "'=n,'=n\n'=1,\n"


@pytest.mark.usefixtures("blank_pictures_here")
def test_a_date_is_given_on_the_command_line(tmp_path, pycompare):
    given = ["compare", pc.example_path(), "--wide", "--metric", "accuracy:higher"]
    words = [*given, "--blocks", "datasets", "--date", "2020-02-03"]
    for name in "ab":
        assert pycompare(*words, "--out", tmp_path / name)[0] == 0
        held = (tmp_path / name / "results.json").read_text()
        assert json.loads(held)["provenance"]["date"] == "2020-02-03T00:00:00+00:00"
    one, other = (
        {p.relative_to(tmp_path / name): p.read_bytes()
         for p in (tmp_path / name).rglob("*.*")}
        for name in "ab"
    )  # fmt: skip
    assert one == other
    status, _, told = pycompare(*given, "--date", "yesterday", "--out", tmp_path / "c")
    assert status == 2 and "--date yesterday is no date" in told

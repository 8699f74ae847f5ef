"""Data sets whose labels begin with few sources are asked about, with each answer."""

from __future__ import annotations

import dataclasses
import html
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.data.reading.labels import first_parts
from tests.command_line import command
from tests.conftest import wide

QUESTION = "sources: labels of 24 data sets begin with 8 sources"


def labelled(unit: float = 1.0, dataset: str = "src{}/d{}") -> pd.DataFrame:
    """Return a long table of 24 data sets of eight sources."""
    rng = np.random.default_rng(1)
    source = np.repeat(np.arange(8), 3)
    x = rng.normal(size=(24, 3)) + rng.normal(size=(8, 3))[source] + [20, 21, 22]
    x *= unit ** (np.arange(24) % 3)[:, None]
    return pd.DataFrame(
        {"model": "ABC"[j], "data": dataset.format(source[i], i), "mae": x[i, j]}
        for i in range(24)
        for j in range(3)
    )


def scores(frame: pd.DataFrame, **more) -> pc.Scores:
    return pc.Scores.from_frame(
        frame, algorithm="model", block="data", metrics={"mae": "lower"}, **more
    )


def test_first_parts_that_group_labels():
    assert first_parts(["a/1", "a/2", "b/1", "b/2", "a/1"]) == ("a", "b")
    for labels in (
        ["a/1", "a/2", "b/1"],  # more than half as many
        ["a/1", "a/2", "b/1", "b"],  # one without
        ["a/1", "a/2", "a/3"],  # no more than a folder
        ["a_1", "a_2", "b_1", "b_2"],
    ):
        assert first_parts(labels) == ()


def test_the_question_stops_a_comparison_over_data_sets_alone():
    made = scores(labelled())
    for plan in (pc.Plan(), pc.Plan(blocks="datasets", compares="ranks")):
        with pytest.raises(pc.PlanError, match=QUESTION) as refused:
            pc.compare(made, plan)
        assert "cluster='data/1'" in str(refused.value)
        assert "confirmed=('sources',)" in str(refused.value)
    assert pc.compare(made, pc.Plan(blocks="cases"))
    assert pc.compare(made, pc.Plan(blocks="folds", protocol="held-out"))
    assert pc.compare(scores(labelled(dataset="src{}-d{}"))).analyses


def test_scores_that_are_no_table_are_not_asked_about():
    table = wide(np.random.default_rng(1).normal(size=(24, 3)))
    named = tuple(f"s{i // 3}/d{i}" for i in range(24))
    assert pc.compare(dataclasses.replace(table, blocks=named)).analyses


def test_answers_in_python():
    frame = labelled()
    confirmed = scores(frame, confirmed=["sources"])
    assert "confirmed as declared: 'sources'" in confirmed.notes
    assert pc.compare(confirmed).plan.adjust[0] == "holm"
    related = scores(frame, cluster="data/1")
    assert len(set(related.clusters)) == 8
    [analysis] = pc.compare(related).analyses
    assert set(analysis.decisive.table["n_clusters"]) == {8}
    found = pc.compare(
        frame,
        algorithm="model",
        block="data",
        cluster="data/1",
        metrics={"mae": "lower"},
    )
    assert found.scores.clusters == related.clusters
    # Without a sign there is nothing to confirm, and nothing is said.
    other = scores(labelled(dataset="src{}-d{}"), confirmed=["sources"])
    assert not [note for note in other.notes if "confirmed" in note]


def test_folds_are_averaged_within_data_sets_of_sources():
    frame = pd.concat([labelled().assign(fold=f) for f in "xy"], ignore_index=True)
    frame["mae"] += (frame["fold"] == "y") * 0.1
    read = {"algorithm": "model", "block": "fold", "metrics": {"mae": "lower"}}
    made = pc.Scores.from_frame(frame, dataset="data", **read)
    with pytest.raises(pc.PlanError, match=QUESTION) as refused:
        pc.compare(made)
    assert "cluster='data/1' with average_folds=True" in str(refused.value)
    clustered = pc.Scores.from_frame(frame, dataset="data", cluster="data/1", **read)
    [analysis] = pc.compare(clustered, pc.Plan(average_folds=True)).analyses
    assert set(analysis.decisive.table["n_clusters"]) == {8}


@pytest.mark.parametrize("shape", ["options", "plan"])
def test_following_each_answer_gives_a_report(shape, tmp_path, blank_pictures):
    labelled().to_csv(tmp_path / "mae.csv", index=False)
    said = ["compare", str(tmp_path / "mae.csv")]
    as_toml = tmp_path / "plan.toml"
    if shape == "options":
        said += ["--algorithm", "model", "--block", "data", "--metric", "mae:lower"]
    else:
        as_toml.write_text(
            '[metrics]\nmae = "lower"\n[plan]\nblocks = "datasets"\n'
            '[data]\nfile = "mae.csv"\nformat = "long"\nalgorithm = "model"\n'
            'block = "data"\n'
        )
        said = ["run", str(as_toml)]
    code, _, asked = command(*said, "--out", tmp_path / "r")
    assert code == 2 and not (tmp_path / "r").exists()
    assert QUESTION in asked
    sign = r"--(?:cluster|confirm) [\w/]+"
    if shape == "plan":
        sign = r'cluster = "[^"]+"|confirmed = \["sources"\]'
    ways = re.findall(sign, asked)
    assert len(ways) == 2, asked
    plan = as_toml.read_text() if shape == "plan" else ""
    units = []
    for number, way in enumerate(ways):
        more = shlex.split(way) if shape == "options" else []
        if shape == "plan":
            as_toml.write_text(plan + way + "\n")
        out = tmp_path / f"r{number}"
        code, _, wrong = command(*said, *more, "--out", out)
        assert code == 0, wrong
        made = json.loads((out / "results.json").read_text(encoding="utf-8"))
        units.append(made["estimands"]["mae"]["unit"])
    assert units == ["cluster of data sets", "data set"]
    page = (tmp_path / "r1" / "report.html").read_text(encoding="utf-8")
    assert "confirmed as declared: 'sources'" in html.unescape(page)


def asked_of(file: Path, *more: object) -> str:
    """Return what FILE alone asks."""
    code, told, why = command("compare", file, *more)
    assert code == 2
    assert "open question" in why
    return told


def test_a_file_alone_asks_for_sources_and_levels_on_one_screen(tmp_path):
    file = tmp_path / "mae.csv"
    labelled(unit=1000.0).to_csv(file, index=False)
    told = asked_of(file)
    assert "1. sources: labels of 24 data sets begin with 8 sources" in told
    assert "2. levels: medians of 'mae' by block range" in told
    assert "--cluster data/1" in told and "--scale ratio" in told
    assert not [p for p in tmp_path.iterdir() if p != file]
    as_json = json.loads(asked_of(file, "--json"))
    assert [text.split(":")[0] for text in as_json["open"]] == ["sources", "levels"]
    assert "src0" not in asked_of(file, "--blind")
    code, _, _ = command("compare", file, "--accept", "--out", tmp_path / "out")
    assert code == 2 and not (tmp_path / "out").exists()
    # Both answers together are a report.
    words = ["--algorithm", "model", "--block", "data", "--metric", "mae:lower"]
    words += ["--cluster", "data/1", "--scale", "ratio", "--out", tmp_path / "out"]
    code, said, why = command("compare", file, *words)
    assert code == 0, why
    assert "logarithms of ratios of a cluster are jointly symmetric" in said


def test_a_file_alone_without_a_sign_asks_nothing_more(tmp_path):
    file = tmp_path / "mae.csv"
    labelled(dataset="src{}-d{}").to_csv(file, index=False)
    code, _, why = command("compare", file)
    assert code == 2
    assert "nothing is open; --accept runs it" in why


def test_a_wide_table_asks_with_the_direction(tmp_path):
    file = tmp_path / "wide.csv"
    frame = labelled().pivot(index="data", columns="model", values="mae")
    frame.to_csv(file)
    told = asked_of(file)
    assert "1. the name of the metric" in told
    assert "2. sources: " in told

"""The fate of a report does not depend on the console or on the names of files."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pandas as pd
import pytest

import pycompare as pc
from tests.apps.experiments.small import run
from tests.command_line import process
from tests.sizes.simulation.toy import Toy

CELLS = "block,A≤,B\n" + "".join(f"b{i},{i % 3},{i % 5}\n" for i in range(8))
PREDICTIONS = (
    *("--algorithm", "algorithm", "--dataset", "data", "--block", "fold"),
    *("--label", "class", "--score", "probability", "--positive", "yes"),
    *("--metric", "auc"),
)
WIDE = ["--wide", "--block", "block", "--metric", "err:lower", "--out"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux")
def test_neither_the_console_nor_names_nor_the_home_stop_a_report(tmp_path):
    """A console lacks a character, names are not UTF-8, no home can be written."""
    data = Path(os.fsdecode(os.fsencode(tmp_path) + b"/scores\xff.csv"))
    data.write_text(CELLS, encoding="utf-8")
    out = Path(os.fsdecode(os.fsencode(tmp_path) + b"/out\xff"))
    where = {"PYTHONIOENCODING": "latin-1", "HOME": "/proc", "MPLCONFIGDIR": "/proc"}
    found = process("compare", data, *WIDE, out, env=where)
    assert (found.returncode, found.stderr) == (0, b"")
    assert b"A\\u2264" in found.stdout
    assert "A≤" in (out / "report.html").read_text(encoding="utf-8")
    held = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert held["provenance"]["file"] == "scores\\xff.csv"


NOT_UTF8 = pytest.mark.skipif(
    sys.platform != "linux", reason="names of files are bytes on Linux"
)


@NOT_UTF8
def test_parquet_of_any_name_is_read_and_written(tmp_path, pycompare):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/in\xff"))
    folder.mkdir()
    cases = pd.read_csv(pc.example_path("predictions"))
    with (folder / os.fsdecode(b"a\xfe.parquet")).open("wb") as stream:
        cases.to_parquet(stream)
    for ending in ("csv", "parquet", "feather"):
        out = folder.with_name(os.fsdecode(b"out\xff") + f".{ending}")
        assert pycompare("measure", folder, *PREDICTIONS, "--out", out)[0] == 0
        assert out.stat().st_size > 100


@NOT_UTF8
@pytest.mark.parametrize("command", ["measure", "curves"])
def test_a_folder_whose_name_is_a_label_has_to_be_utf8(tmp_path, pycompare, command):
    folder = tmp_path / os.fsdecode(b"fold=\xff")
    folder.mkdir()
    cases = pd.read_csv(pc.example_path("predictions")).drop(columns="fold")
    with (folder / "a.parquet").open("wb") as stream:
        cases.to_parquet(stream)
    options = PREDICTIONS if command == "measure" else PREDICTIONS[:-2]
    found = pycompare(command, tmp_path, *options, "--out", tmp_path / "out.csv")
    assert found[0] == 2
    assert "gives a label that is not UTF-8; rename it" in found[2]


@NOT_UTF8
def test_work_of_any_name_is_kept(tmp_path):
    keep = tmp_path / os.fsdecode(b"keep\xff")
    pc.simulate(Toy(), trials=10, seed=1, keep=keep)
    told = []
    pc.simulate(Toy(), trials=10, seed=1, keep=keep, progress=told.append)
    assert "were done before" in told[0]
    cases = run(tmp_path / os.fsdecode(b"folds\xff"))
    assert cases.score.size


def written(tmp_path, shell, **env: str) -> tuple[int, bytes, str]:
    """Compare behind a shell's redirection; return the status and both outputs."""
    data = tmp_path / "scores.csv"
    data.write_text(CELLS, encoding="utf-8")
    command = f'{{ "$@"; echo status $? >&9; }} 9>"$0" {shell}'
    before = ["bash", "-c", command, tmp_path / "status"]
    found = process("compare", data, *WIDE, tmp_path / "out", before=before, env=env)
    assert (tmp_path / "out" / "report.html").stat().st_size > 1000
    status = int((tmp_path / "status").read_text().split()[1])
    return status, found.stdout, found.stderr.decode()


@pytest.mark.skipif(sys.platform != "linux", reason="as shells of Linux redirect")
@pytest.mark.parametrize("shell", ["| true", ">&- 2>&- <&-"])
def test_a_console_that_is_closed_stops_no_report(tmp_path, shell):
    assert written(tmp_path, shell)[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="as shells of Linux redirect")
def test_errors_on_a_full_disk_stop_no_report_on_a_console_of_windows(tmp_path):
    status, shown, _ = written(tmp_path, "2>/dev/full", PYTHONIOENCODING="cp1252")
    assert status == 0
    assert b"A\\u2264" in shown
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "A≤" in page


@pytest.mark.skipif(sys.platform != "linux", reason="as shells of Linux redirect")
def test_output_on_a_full_disk_is_told_after_the_report_is_written(tmp_path):
    status, _, told = written(tmp_path, ">/dev/full")
    assert status == 2
    assert told.startswith("pycompare: standard output: No space left on device.")


@pytest.mark.skipif(sys.platform != "linux", reason="paths of this length on Linux")
def test_a_path_of_too_many_folders_is_refused(tmp_path, pycompare, monkeypatch):
    data = tmp_path / "scores.csv"
    data.write_text(CELLS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    status, _, told = pycompare("compare", data, *WIDE, "o/" * 1500)
    assert status == 2
    assert told.startswith("pycompare: a path, ") and "\nT" not in told
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]

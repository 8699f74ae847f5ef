"""Messages about files: named once, safe for a console, with options there are."""

from __future__ import annotations

import os
import sys

import pandas as pd
import pytest

import pycompare as pc

WIDE = "block,A,B\n" + "".join(f"b{i},{i % 3},{i % 5}\n" for i in range(8))
COLUMNS = (
    *("--algorithm", "algorithm", "--dataset", "data", "--block", "fold"),
    *("--label", "class", "--score", "probability", "--positive", "yes"),
)


NOT_NUMERIC = "column 'y' is not numeric, first in row 3: 'x'"


def cases(score: object) -> pd.DataFrame:
    """Return the example of predictions, in which one score is another."""
    found = pd.read_csv(pc.example_path("predictions")).astype({"probability": object})
    found.loc[3, "probability"] = score
    return found


def test_a_file_of_predictions_is_named_once(tmp_path, pycompare):
    data = tmp_path / "cases.parquet"
    cases(None).astype({"probability": float}).to_parquet(data)
    options = (*COLUMNS, "--metric", "auc", "--out", tmp_path / "out.csv")
    told = pycompare("measure", data, *options)[2]
    assert told.startswith("pycompare: cases.parquet: row group 0, counted from row 1")
    folder = tmp_path / "folder"
    folder.mkdir()
    pd.read_parquet(data).iloc[:0].to_parquet(folder / "a.parquet")
    data.rename(folder / "b.parquet")
    assert "b.parquet, row group 0" in pycompare("measure", folder, *options)[2]


@pytest.mark.parametrize("command", ["measure", "curves"])
def test_no_option_is_advised_that_a_command_lacks(tmp_path, pycompare, command):
    data = tmp_path / "cases.csv"
    cases("12%").to_csv(data, index=False)
    metric = ("--metric", "auc") if command == "measure" else ()
    told = pycompare(command, data, *COLUMNS, *metric, "--out", tmp_path / "out.csv")[2]
    assert "line 5: '12%' is a percentage" in told
    assert "--percent" not in told
    assert told.endswith("write the numbers without percent signs\n")


def test_a_table_of_scores_advises_its_option(tmp_path, pycompare):
    data = tmp_path / "scores.csv"
    data.write_text(WIDE.replace("b1,1,1", "b1,1%,1"), encoding="utf-8")
    options = ("--wide", "--block", "block", "--metric", "err:lower", "--out", "out")
    told = pycompare("compare", data, *options)[2]
    assert "declare the column in percent (--percent A)" in told
    with pytest.raises(pc.InputError, match=r"declare .*percent=\('A',\)"):
        pc.read_scores(data, wide=True, block="block", metric="err", better="lower")


def test_errors_of_a_model_name_its_file(tmp_path, pycompare):
    data = tmp_path / "runs.csv"
    data.write_text("g,y\na,1\nb,2\na,x\n", encoding="utf-8")
    told = pycompare("model", data, "--formula", "y ~ g")[2]
    assert (
        told == "pycompare: runs.csv: column 'y' is not numeric, first in row 3: 'x'\n"
    )
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[data]\nfile = "runs.csv"\n[model]\nformula = "y ~ g"\n', encoding="utf-8"
    )
    assert pycompare("run", plan, "--out", tmp_path / "out")[2] == told


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux")
def test_a_plan_can_name_no_file_that_is_not_utf8(tmp_path, pycompare):
    data = tmp_path / os.fsdecode(b"scores\xff.csv")
    data.write_text(WIDE, encoding="utf-8")
    status, shown, told = pycompare("plan", data, "--wide")
    assert (status, shown) == (2, "")
    assert told.startswith(r"pycompare: scores\xff.csv: the name with '\udcff' is not")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux")
def test_controls_in_names_of_files_do_not_reach_the_console(tmp_path, pycompare):
    data = tmp_path / "scores.csv"
    data.write_text(WIDE, encoding="utf-8")
    out = tmp_path / "a\x1b[31mb\nc\u202ed.toml"
    status, shown, _ = pycompare("plan", data, "--wide", "--out", out)
    assert (status, out.exists()) == (0, True)
    assert r"a\x1b[31mb\nc\u202ed.toml, then: pycompare run" in shown
    absent = tmp_path / "x\x1b[31m.csv"
    told = pycompare("plan", absent, "--wide")[2]
    assert told.startswith(r"pycompare: x\x1b[31m.csv: cannot read the file: ")

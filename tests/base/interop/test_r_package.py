"""The R package: R's own check of it, its help, examples, tests and vignette."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import pycompare as pc
from pycompare.apps import r_client, r_frames
from pycompare.base.interop.rscript import reference_folder
from pycompare.base.version import __version__

PACKAGE = reference_folder().parents[1]


def r_cmd(*words: str, cwd) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "RETICULATE_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYCOMPARE_REQUIRED": "1",
        "_R_CHECK_FORCE_SUGGESTS_": "false",
        "LC_ALL": "C.UTF-8",
    }
    return subprocess.run(
        ["R", "CMD", *words],
        cwd=cwd, env=environment, capture_output=True, text=True, timeout=900,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.r
def test_r_cmd_check_finds_no_error_and_no_warning(tmp_path):
    built = r_cmd("build", "--no-manual", str(PACKAGE), cwd=tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    [archive] = tmp_path.glob("*.tar.gz")
    # Building has made the vignettes, and so run them.
    assert "creating vignettes ... OK" in built.stdout
    options = ("--no-manual", "--no-build-vignettes", "--ignore-vignettes")
    checked = r_cmd("check", *options, archive.name, cwd=tmp_path)
    log = checked.stdout + checked.stderr
    failures = "\n".join(
        path.read_text(errors="replace")[-3000:] for path in tmp_path.rglob("*.fail")
    )
    assert re.search(r"^Status: (OK|\d+ NOTEs?)$", log, re.M), log[-4000:] + failures
    for part in ("examples", "tests"):
        assert re.search(rf"checking {part} \.\.\..*?OK$", log, re.S | re.M)


def test_the_version_is_that_of_the_python_package():
    description = (PACKAGE / "DESCRIPTION").read_text()
    assert f"\nVersion: {__version__}\n" in description


def column(kind, values, missing=None):
    return {"kind": kind, "values": values, "missing": missing or [False] * len(values)}


SCORES = {
    "data": column("character", ["a", "b", "c", "d"]),
    "svm": column("double", [0.9, 0.8, 0.7, 0.95]),
    "knn": column("double", [0.8, 0.7, 0.75, 0.9]),
    "tree": column("double", [0.6, 0.65, 0.7, 0.8]),
}
ROLES = {
    "algorithms": ["svm", "knn", "tree"],
    "block": "data",
    "metric": "accuracy",
    "better": "higher",
}


def test_missing_values_are_marked_both_ways():
    sent = {
        "x": column("double", [1.5, 0.0], [False, True]),
        "i": column("integer", [2, 0], [False, True]),
        "b": column("logical", [True, False], [False, True]),
        "s": column("character", ["NA", ""], [False, True]),
    }
    frame = r_frames.from_r(sent)
    assert frame.isna().to_numpy().tolist() == [[False] * 4, [True] * 4]
    back = r_frames.to_r(frame)
    assert [back[name]["missing"] for name in "xibs"] == [[False, True]] * 4
    assert back["b"]["kind"] == "logical" and back["s"]["values"][0] == "NA"


def test_a_column_of_one_row_may_arrive_as_its_element():
    frame = r_frames.from_r({"x": {"kind": "double", "values": 0.5, "missing": False}})
    assert frame["x"].tolist() == [0.5]


def test_whole_numbers_that_r_cannot_hold_are_doubles():
    import pandas as pd

    small, large = (r_frames.to_r(pd.DataFrame({"n": [n]}))["n"] for n in (7, 2**31))
    assert (small["kind"], large["kind"]) == ("integer", "double")


def test_a_refusal_is_an_answer_with_the_message():
    gone = r_client.call(pc, "no_such", "scores", SCORES, ROLES, {})
    assert "no public function" in gone["error"]
    gone = r_client.call(pc, "friedman", "scores", SCORES, ROLES, {"tie": 1})
    assert "tie" in gone["error"]
    roles = {**ROLES, "block": "nowhere"}
    assert (
        "nowhere" in r_client.call(pc, "friedman", "scores", SCORES, roles, {})["error"]
    )


def test_a_proposal_has_the_arguments_of_the_r_function():
    wide = {
        "data": r_column(list("abcd"), "character"),
        "svm": r_column([1.0, 2.0, 3.5, 4.0], "double"),
        "knn": r_column([2.0, 1.0, 3.0, 5.0], "double"),
    }
    reading = r_client.propose(wide)
    assert reading["arguments"] == {
        "block": "data", "algorithms": ["svm", "knn"],
        "metrics": {"score": "higher|lower"},
    }  # fmt: skip
    assert len(reading["questions"]) == 1
    empty = {"svm": r_column([], "double")}
    assert "no rows" in r_client.propose(empty)["error"]


def test_a_plan_file_has_no_data():
    text = """[data]
    file = "x.csv"
    format = "wide"
    block = "d"
    algorithms = ["new", "old"]
    [metrics]
    score = "higher"
    [plan]
    blocks = "datasets"
    """
    truth = {"effects": {"new": 1.0}, "sd": 1.0, "correlation": 0.5, "trials": 3.0}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "plan.toml"
        path.write_text(text)
        answer = r_client.call(
            pc, "planned_power", "plan", {}, {"plan": str(path)}, {"n": [8.0], **truth}
        )
        found = pc.planned_power(path, n=8, **{**truth, "trials": 3})
    assert answer["object"].table.equals(found.table)
    assert answer["tables"]["result"]["share"]["values"] == list(found.table["share"])
    assert answer["text"] == found.summary()


def r_column(values, kind):
    return {"kind": kind, "values": values, "missing": [False] * len(values)}


def test_whole_doubles_of_r_are_whole_numbers_and_plans_take_single_names():
    plan = {"blocks": "datasets", "adjust": "holm", "decimals": 3.0}
    found = r_client.call(pc, "compare", "scores", SCORES, ROLES, {"plan": plan})
    assert found["object"].plan.decimals == 3 and found["object"].plan.adjust == (
        "holm",
    )
    assert found["glance"]["n_pairs"]["values"] == [3]
    pairs = found["tables"]["pairs"]
    assert pairs["metric"]["values"] == ["accuracy"] * 3


@pytest.mark.parametrize("name", [None, "p_matrix"])
def test_pictures_are_written_and_unknown_ones_refused(tmp_path, name):
    found = r_client.call(pc, "nemenyi", "scores", SCORES, ROLES, {})["object"]
    path = tmp_path / "a.svg"
    made = r_client.picture(found, name, str(path), None)
    assert made["picture"] == (name or "critical_difference") and path.exists()
    assert "no picture" in r_client.picture(found, "save", str(path), None)["error"]


def test_reports_are_of_comparisons(tmp_path):
    found = r_client.call(pc, "friedman", "scores", SCORES, ROLES, {})["object"]
    assert "no report" in r_client.report(found, str(tmp_path / "r"), {})["error"]
    assert "friedman_reference(" in r_client.r_code(found)["code"]

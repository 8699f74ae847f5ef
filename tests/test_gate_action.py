"""The composite action of the gate, run by its script, without network."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.apps.cli.test_gate import write

ACTION = Path(__file__).parents[1] / ".github" / "actions" / "gate"
PROGRAMS = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
"""Where the action finds pycompare: the tests' own environment comes first."""


def run(folder, parts, **variables):
    """Run the script of the action on two files; return status, outputs, summary."""
    assert shutil.which("pycompare", path=PROGRAMS)
    old, new = (write(folder / f"{m}.csv", m, parts) for m in ("old", "new"))
    said, summary = folder / "output", folder / "summary"
    given = {
        "BASELINE": str(old), "CANDIDATE": str(new), "MARGIN": "0.05",
        "METRIC": "accuracy:higher", "BLOCK": "item", "OUT": str(folder / "gate"),
        "GITHUB_OUTPUT": str(said), "GITHUB_STEP_SUMMARY": str(summary),
        "PATH": PROGRAMS,
    }  # fmt: skip
    done = subprocess.run(
        ["bash", ACTION / "gate.sh"], env={**os.environ, **given, **variables},
        capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    outputs = dict(line.split("=", 1) for line in said.read_text().splitlines())
    told = summary.read_text() if summary.exists() else ""
    return done.returncode, outputs, told


@pytest.mark.slow
def test_an_undecided_gate_blocks_unless_it_is_let_through(tmp_path):
    parts = {"a": (2, 5, 100)}
    status, outputs, summary = run(tmp_path, parts)
    assert (status, outputs["verdict"]) == (1, "undecided")
    assert summary.startswith("<!-- pycompare-gate -->")
    status, outputs, _ = run(tmp_path, parts, BLOCKS="fail,error")
    assert (status, outputs["verdict"]) == (0, "undecided")


def test_bad_input_is_an_error_and_names_are_no_commands(tmp_path):
    hostile = f"$(touch {tmp_path}/touched)`id`; exit 0 #"
    status, outputs, summary = run(tmp_path, {"a": (2, 5, 100)}, MARGIN=hostile)
    assert (status, outputs["verdict"], summary) == (1, "error", "")
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize("words", ["fail, undecided, error", " "])
def test_spaces_between_blocks_do_not_open_the_gate(tmp_path, words):
    (tmp_path / "gate").mkdir()
    (tmp_path / "gate" / "foreign").touch()
    done = run(tmp_path, {"a": (2, 5, 100)}, BLOCKS=words)
    assert done == (1, {"verdict": "error", "report": str(tmp_path / "gate")}, "")


@pytest.mark.parametrize("words", ["failed", "fail undecided", "fail,,error", "*"])
def test_unknown_blocks_are_an_error(tmp_path, words):
    status, outputs, _ = run(tmp_path, {"a": (2, 5, 100)}, BLOCKS=words)
    assert (status, outputs["verdict"]) == (1, "error")
    assert not (tmp_path / "gate").exists()


@pytest.mark.parametrize(
    "names",
    [{"BASELINE": "--help", "CANDIDATE": ""}, {"CANDIDATE": "--json"}],
)
def test_a_file_is_no_option(tmp_path, names):
    status, outputs, _ = run(tmp_path, {"a": (2, 5, 100)}, **names)
    assert (status, outputs["verdict"]) == (1, "error")


@pytest.mark.parametrize(
    ("status", "written", "verdict"),
    [
        (0, None, "error"),
        (0, "fail", "error"),
        (0, "pass", "pass"),
        (1, "pass", "error"),
        (3, None, "error"),
    ],
)
def test_status_and_file_agree(tmp_path, status, written, verdict):
    """The file of an earlier run does not stand for one that this run did not write."""
    program, out = tmp_path / "pycompare", tmp_path / "gate"
    out.mkdir()
    (out / "gate.json").write_text(json.dumps({"verdict": "pass"}, indent=1))
    os.utime(out / "gate.json", (0, 0))
    lines = ["#!/bin/bash", f"exit {status}"]
    if written is not None:
        new = json.dumps({"verdict": written}, indent=1)
        lines[1:1] = [f"echo '{new}' > {out}/gate.json", f"touch {out}/comment.md"]
    program.write_text("\n".join(lines))
    program.chmod(0o755)
    path = f"{tmp_path}:{PROGRAMS}"
    found, outputs, _ = run(tmp_path, {"a": (2, 5, 9)}, PATH=path, BLOCKS="fail")
    assert (found, outputs["verdict"]) == (int(verdict == "error"), verdict)


def test_a_plan_replaces_the_inputs(tmp_path):
    """Each input reaches the option of its name, and empty ones reach none."""
    program = tmp_path / "pycompare"
    program.write_text(f'#!/bin/bash\nprintf "%s\\n" "$@" > {tmp_path}/given; exit 2\n')
    program.chmod(0o755)
    empty = dict.fromkeys(("BASELINE", "CANDIDATE", "MARGIN", "METRIC", "BLOCK"), "")
    path = f"{tmp_path}:{PROGRAMS}"
    run(tmp_path, {"a": (1, 1, 3)}, **empty, PLAN="a b.toml", PATH=path)
    start = [f"--out={tmp_path}/gate", "--overwrite"]
    given = (tmp_path / "given").read_text().splitlines()
    assert given == ["gate", *start, "--plan=a b.toml", "--"]
    names = ("ALGORITHM", "RUNS", "REPLICATE", "RANGE", "CLUSTER")
    run(tmp_path, {"a": (1, 1, 3)}, **dict.fromkeys(names, "x"), PATH=path)
    given = (tmp_path / "given").read_text().splitlines()
    assert {f"--{name.lower()}=x" for name in names} <= {*given}
    assert given[-3:] == ["--", str(tmp_path / "old.csv"), str(tmp_path / "new.csv")]


def test_inputs_reach_the_script_as_variables_only():
    text = (ACTION / "action.yml").read_text()
    env, _, after = text.partition("\n      env:\n")[2].partition("\n      run: ")
    assert "${{" not in after
    named = re.findall(r"^        (\w+): \$\{\{ inputs\.([\w-]+) \}\}$", env, re.M)
    assert [upper for upper, name in named] == [
        name.upper().replace("-", "_") for _, name in named
    ]
    script = (ACTION / "gate.sh").read_text()
    assert {upper for upper, _ in named} <= {*re.findall(r"\$\{?([A-Z_]+)", script)}

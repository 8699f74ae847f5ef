"""The composite action of the gate, run by its script, without network."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.apps.cli.test_gate import write

ACTION = Path(__file__).parents[1] / ".github" / "actions" / "gate"


def run(folder, parts, **variables):
    """Run the script of the action on two files; return status, outputs, summary."""
    old, new = (write(folder / f"{m}.csv", m, parts) for m in ("old", "new"))
    said, summary = folder / "output", folder / "summary"
    given = {
        "BASELINE": str(old), "CANDIDATE": str(new), "MARGIN": "0.05",
        "METRIC": "accuracy:higher", "BLOCK": "item", "OUT": str(folder / "gate"),
        "GITHUB_OUTPUT": str(said), "GITHUB_STEP_SUMMARY": str(summary),
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

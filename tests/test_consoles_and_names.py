"""The fate of a report does not depend on the console or on the names of files."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.command_line import process

CELLS = "block,A≤,B\n" + "".join(f"b{i},{i % 3},{i % 5}\n" for i in range(8))
WIDE = ["--wide", "--block", "block", "--metric", "err:lower", "--out"]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_a_console_without_a_character_shows_its_number(tmp_path, encoding):
    data = tmp_path / "scores.csv"
    data.write_text(CELLS, encoding="utf-8")
    found = process(
        "compare", data, *WIDE, tmp_path / "out", env={"PYTHONIOENCODING": encoding}
    )
    assert found.returncode == 0, found.stderr
    assert b"A\\u2264" in found.stdout
    assert "A≤" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes on Linux")
def test_names_of_files_and_folders_need_not_be_utf8(tmp_path):
    data = Path(os.fsdecode(os.fsencode(tmp_path) + b"/scores\xff.csv"))
    data.write_text(CELLS, encoding="utf-8")
    out = Path(os.fsdecode(os.fsencode(tmp_path) + b"/out\xff"))
    found = process("compare", data, *WIDE, out)
    assert found.returncode == 0, found.stderr
    held = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert held["provenance"]["file"] == "scores\\xff.csv"

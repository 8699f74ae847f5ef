"""Results, the R program that computes them again, and the data that it reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pycompare.interop.r_program import Program
from pycompare.reporting.evidence.r_numbers import numbers_file


def write_program(
    program: Program, results: Mapping[str, Any], to: Path
) -> dict[str, Any]:
    """Write everything that ``reproduce.R`` needs into a folder.

    ``results`` is what results.json holds, in plain values; it is returned as it is
    read again.
    """
    write_json(to / "results.json", results)
    (to / "reproduce.R").write_text(program.text, encoding="utf-8")
    write_data(program.files, to)
    held: dict[str, Any] = json.loads((to / "results.json").read_text(encoding="utf-8"))
    write_data(numbers_file(held, program.results), to)
    return held


def write_data(files: Mapping[str, str], to: Path) -> None:
    """Write data files of a report folder."""
    (to / "data").mkdir(exist_ok=True)
    for name, text in files.items():
        (to / "data" / name).write_text(text, encoding="utf-8")


def write_json(path: Path, content: Any) -> None:
    """Write plain values as JSON, one value a line."""
    text = json.dumps(content, indent=1, allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8")

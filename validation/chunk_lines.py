"""Finished chunks of a long run, a line of JSON each, whatever kills the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return what is in the file; a last line that a kill cut short is taken away.

    Raises
    ------
    ValueError
        If any other line is not what this package writes.
    """
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    found = [parsed(path, i, x) for i, x in enumerate(whole.splitlines(), start=1)]
    if len(whole) < len(content):
        # What is written next must not stand behind half a line.
        with path.open("r+b") as stream:
            stream.truncate(len(whole))
    return found


def parsed(path: Path, number: int, line: bytes) -> dict[str, Any]:
    """Return one line, or say which one cannot be read."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError(
            f"{path}, line {number} is no finished chunk: take the line away, and its "
            f"chunk will be made again"
        )
    return found


def append_line(path: Path, content: dict[str, Any]) -> None:
    """Write one line at the end, and have it on disk."""
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(content) + "\n")

"""Rows of a study that are kept as they are finished: a run that ended goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pycompare.base.parallel.progress import Progress, on_stderr


def finish_rows(
    stored: Path, names: Iterable[str], run: Callable[[str], Any], title: str
) -> dict[str, Any]:
    """Run the rows that the file does not have, and return all in their order."""
    rows: dict[str, Any] = {}
    if stored.exists():
        rows = json.loads(stored.read_text(encoding="utf-8"))
    order = list(names)
    left = [name for name in order if name not in rows]
    progress = Progress(len(left), "rows", on_stderr(title))
    for name in left:
        rows[name] = run(name)
        _store(stored, rows)
        progress.step()
    rows = {name: rows[name] for name in order}
    _store(stored, rows)
    return rows


def _store(path: Path, rows: dict[str, Any]) -> None:
    """Keep what is finished."""
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")

"""TabArena and bencheval: one row per method, task and split, as CSV."""

from __future__ import annotations

import math
from pathlib import Path

from pycompare.base.formatting.counts import counted
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    chosen,
    number,
    required,
    table_cells,
)

_TASKS, _SPLITS = ("dataset", "task"), ("fold", "seed")


def _matches(head: Head) -> bool:
    """Return whether the header has a method, a task and an error."""
    return {"method", "metric_error"} <= head.columns and any(
        name in head.columns for name in _TASKS
    )


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the errors of all methods."""
    chosen("metric", wanted.metric, ["metric_error"])
    rows, metrics, filled = wanted.rows(), dict[str, None](), 0
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            task = required(row, next(name for name in _TASKS if name in row))
            split = next((row[name] for name in _SPLITS if name in row), "")
            metrics[row.get("metric", "")] = None
            other = row.get("imputed", "").lower() in ("true", "1", "1.0")
            filled += other
            error = number(row["metric_error"], "metric_error")
            rows.add(
                required(row, "method"),
                f"{task}/{split}" if split else task,
                math.nan if other else error,
                dataset=task,
                of=row,
            )
    notes = [f"errors are of {', '.join(metrics)}"] if any(metrics) else []
    if filled:
        told = counted(filled, "imputed result")
        notes.append(f"{told} of a fallback method: missing")
    return Part(rows, "metric_error", "lower", notes=tuple(notes))


TABARENA = Format(
    name="tabarena",
    program="TabArena or bencheval",
    files="the table of results by method, task and split, as CSV",
    endings=TABLES,
    columns="algorithm: method; data set: dataset or task; block: fold or seed; score: "
    "metric_error",
    block="a split of a task, which is a data set",
    metrics="metric_error is lower",
    trap="the error is another one for each type of task: it can be ranked over tasks, "
    "not averaged. Rows with imputed = True hold the results of a fallback method: "
    "they count as missing",
    matches=_matches,
    read=_read,
)

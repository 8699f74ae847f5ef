"""AutoML benchmark: results.csv.

A block is a fold of a task (data set). Trap: the metric of ``result`` changes with the
type of the task, and losses are negated (``neg_logloss``), so that higher is better;
results of different tasks can be ranked, not averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pycompare.errors import InputError
from pycompare.readers.formats import Format, Found, Head, Wanted
from pycompare.readers.rows import (
    Gathered,
    at_line,
    chosen,
    csv_rows,
    number,
    required,
)

_LOSSES = ("logloss", "rmse", "mae", "mse", "rmsle")


def _matches(head: Head) -> bool:
    """Return whether the header has the benchmark's columns."""
    return {"task", "framework", "constraint", "fold", "result"} <= head.columns


def _read(paths: Sequence[Path], wanted: Wanted) -> Found:
    """Read the results of all frameworks."""
    chosen("metric", wanted.metric, ["result"])
    rows, constraints, metrics = Gathered(), dict[str, None](), dict[str, None]()
    for path in paths:
        for line, row in csv_rows(path):
            with at_line(path, line):
                constraint = row.get("constraint", "")
                if wanted.filter not in (None, constraint):
                    continue
                constraints[constraint] = None
                task = required(row, "task")
                metric = row.get("metric", "")
                metrics[metric] = None
                _refuse_loss(metric)
                rows.add(
                    required(row, "framework"),
                    f"{task}/{required(row, 'fold')}",
                    number(row["result"], "result"),
                    dataset=task,
                )
    if len(constraints) > 1:
        chosen("filter", None, list(constraints))
    note = f"results are in {', '.join(metrics)}; higher is better in each"
    return Found(rows, "result", "higher", (note,))


def _refuse_loss(metric: str) -> None:
    """Refuse a loss that is not negated."""
    if metric in _LOSSES:
        raise InputError(
            f"metric={metric!r} is a loss that is not negated, of an old version of "
            "the benchmark; read such results by pc.read_scores with their direction"
        )


AMLB = Format("amlb", "AutoML benchmark, results.csv", (".csv",), _matches, _read)

"""AutoML benchmark: results.csv."""

from __future__ import annotations

from pathlib import Path

from pycompare.errors import InputError
from pycompare.readers.formats import Format, Head, Part, Wanted
from pycompare.readers.rows import (
    TABLES,
    at_lines,
    chosen,
    number,
    required,
    table_cells,
)

_LOSSES = ("logloss", "rmse", "mae", "mse", "rmsle")


def _matches(head: Head) -> bool:
    """Return whether the header has the benchmark's columns."""
    return {"task", "framework", "constraint", "fold", "result"} <= head.columns


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the results of all frameworks."""
    chosen("metric", wanted.metric, ["result"])
    rows, constraints, metrics = wanted.rows(), dict[str, None](), dict[str, None]()
    with at_lines(path, table_cells(path)) as table:
        for row in table:
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
                of=row,
            )
    constraint = chosen("filter", wanted.filter, list(constraints))
    note = f"results are in {', '.join(metrics)}; higher is better in each"
    return Part(rows, "result", "higher", ("constraint", constraint), (note,))


def _refuse_loss(metric: str) -> None:
    """Refuse a loss that is not negated."""
    if metric in _LOSSES:
        raise InputError(
            f"metric={metric!r} is a loss that is not negated, of an old version of "
            "the benchmark; read such results by pc.read_scores with their direction"
        )


AMLB = Format(
    name="amlb",
    program="AutoML benchmark",
    files="results.csv",
    endings=TABLES,
    columns="algorithm: framework; data set: task; block: fold; score: result",
    block="a fold of a task, which is a data set",
    metrics="result is higher: the benchmark negates losses (neg_logloss)",
    trap="the metric of result changes with the type of the task: results can be "
    "ranked over tasks, not averaged. A run that failed has an empty result: a missing "
    "cell. Several constraints (1h8c, 4h8c) are several experiments",
    takes=("filter",),
    matches=_matches,
    read=_read,
)

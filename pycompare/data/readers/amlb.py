"""AutoML benchmark: results.csv, of 2019 to today."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    Rows,
    at_lines,
    chosen,
    directions,
    number,
    required,
    table_cells,
)

_RESULT = "result"
_KEYS = {"task", "framework", "fold", _RESULT}
_DIRECTIONS = directions(
    higher="acc auc balacc r2 f1", lower="logloss rmse mae mse rmsle"
)
_AmlbRow = Mapping[str, str]


def _matches(head: Head) -> bool:
    """Return whether the header has the benchmark's columns; of 2019 it has fewer."""
    return head.columns >= _KEYS and bool(head.columns & {"constraint", "mode"})


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the results of all frameworks."""
    rows, table, constraints = wanted.rows(), list[_AmlbRow](), dict[str, None]()
    with at_lines(path, table_cells(path)) as lines:
        for row in lines:
            constraint = row.get("constraint", "")
            if wanted.filter not in (None, constraint):
                continue
            constraints[constraint] = None
            table.append(row)
    if not table:
        raise InputError(f"{path.name}: no results")
    metric = chosen("metric", wanted.metric or _RESULT, _offered(table))
    notes = list[str]()
    of_task = _metrics(table) if metric == _RESULT else {}
    lost, left = Counter[str](), dict[str, None]()
    tasks = {row["task"] for row in table if row.get(metric)}
    negated = {task for task, name in of_task.items() if name in _LOSSES}
    with at_lines(path, enumerate(table, start=2)) as lines:
        for row in lines:
            task, framework = required(row, "task"), required(row, "framework")
            if metric != _RESULT and task not in tasks:
                left[task] = None
                continue
            value = number(row[metric], metric)
            lost[framework] += math.isnan(value)
            rows.add(
                framework,
                f"{task}/{required(row, 'fold')}",
                -value if task in negated else value,
                dataset=task,
                of=row,
            )
    if wanted.missing == "worst":
        notes += _imputed(rows, table)
    if of_task:
        known = dict.fromkeys(
            f"neg_{name}" if name in _LOSSES else name for name in of_task.values()
        )
        notes.append(f"results are in {', '.join(known)}; higher is better in each")
    if negated:
        told = f"results of {counted(len(negated), 'task')} are losses that are not"
        notes.append(f"{told} negated, as older versions write them: negated here")
    if left:
        notes.append(f"{counted(len(left), 'task')} without {metric} left out")
    if lost.total():
        by = ", ".join(f"{name} {n}" for name, n in lost.most_common() if n)
        notes.append(f"{counted(lost.total(), 'run')} without a result: {by}")
    better = "higher" if metric == _RESULT else _DIRECTIONS.get(metric)
    constraint = chosen("filter", wanted.filter, list(constraints))
    of = ("constraint", constraint) if constraint else None
    return Part(rows, metric, better, of, notes=tuple(notes))


_BASELINE = "constantpredictor"


def _imputed(rows: Rows, table: Iterable[_AmlbRow]) -> list[str]:
    """Give runs that failed the result of the constant predictor on their fold.

    So the benchmark's authors do; also runs that the file has no row of.
    """
    names = dict.fromkeys(row["framework"] for row in table)
    baseline = next((n for n in names if n.casefold().startswith(_BASELINE)), None)
    columns = {name: at for (name, _), at in rows.columns.items()}
    if baseline not in columns:
        return []
    blocks, column = np.array(rows.block), np.array(rows.column)
    values = np.array(rows.value)
    own = column == columns[baseline]
    of_block = dict(zip(blocks[own].tolist(), values[own].tolist(), strict=True))
    held = {*zip(column.tolist(), blocks.tolist(), strict=True)}
    count = 0
    for at in np.flatnonzero(np.isnan(values)).tolist():
        value = of_block.get(rows.block[at], math.nan)
        rows.value[at] = value
        count += not math.isnan(value)
    for at in columns.values():
        for block, value in of_block.items():
            if (at, block) not in held and not math.isnan(value):
                rows.block.append(block)
                rows.column.append(at)
                rows.value.append(value)
                count += 1
    told = f"{counted(count, 'run')} without a result treated as {show(baseline)}"
    return [told] if count else []


_LOSSES = tuple(name for name, better in _DIRECTIONS.items() if better == "lower")


def _offered(table: Iterable[_AmlbRow]) -> list[str]:
    """Return the names of columns of metrics."""
    first = next(iter(table))
    return [_RESULT, *(name for name in _DIRECTIONS if name in first)]


def _metrics(table: Iterable[_AmlbRow]) -> dict[str, str]:
    """Return the metric of each task: that of its column, or that of its result.

    In 2019 there was no such column, and the result was also in the metric's own one,
    but for a run or two that are written into a wrong column: most runs show it.
    """
    by_task, runs = dict[str, Counter[str]](), Counter[str]()
    for row in table:
        if not row[_RESULT]:
            continue
        task = required(row, "task")
        runs[task] += 1
        by_task.setdefault(task, Counter()).update(_metrics_of(row))
    return {task: _metric(task, names, runs[task]) for task, names in by_task.items()}


def _metrics_of(row: _AmlbRow) -> list[str]:
    """Return the metrics that the result of a run may be in."""
    if row.get("metric"):
        return [row["metric"]]
    result = number(row[_RESULT], _RESULT)
    return [
        name
        for name in _DIRECTIONS
        if row.get(name) and number(row[name], name) == result
    ]


def _metric(task: str, names: Counter[str], runs: int) -> str:
    """Return the metric of a task; reject to guess its direction."""
    [(name, most)] = names.most_common(1) or [("", 0)]
    first = [own for own, count in names.items() if count == most]
    better = {_DIRECTIONS.get(own, "higher") for own in first}
    if 2 * most <= runs or len(better) > 1:
        raise InputError(
            f"the file does not show the metric of task {show(task)}: it has no column "
            "'metric', and no column of a metric equals the results of most runs; add "
            "the column 'metric'"
        )
    return name


AMLB = Format(
    name="amlb",
    program="AutoML benchmark",
    files="results.csv",
    endings=TABLES,
    columns="algorithm: framework; data set: task; block: fold; score: result, or "
    "another metric's column if metric names it",
    block="a fold of a task, which is a data set",
    metrics="result is higher: the benchmark negates losses (neg_logloss). Losses that "
    "older versions did not negate are negated",
    trap="the metric of result changes with the type of the task: results can be "
    "ranked over tasks, not averaged. In 2019 no column names it: it is the metric "
    "whose own column has the same values in most runs of a task. A run that failed "
    "has an empty result: a missing cell; missing = worst counts it as "
    "constantpredictor on its fold, as the benchmark's authors do. Several constraints "
    "(1h8c, 4h8c) are several experiments",
    gaps=(
        "worst",
        "a run that failed is treated as constantpredictor on its fold, if the file "
        "has it",
    ),
    takes=("filter",),
    matches=_matches,
    read=_read,
)

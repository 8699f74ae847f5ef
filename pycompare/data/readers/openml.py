"""OpenML: the table of list_evaluations, as CSV."""

from __future__ import annotations

import json
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    chosen,
    directions,
    number,
    required,
    table_cells,
)

_DIRECTIONS = directions(
    higher="predictive_accuracy area_under_roc_curve f_measure kappa precision recall "
    "weighted_recall matthews_correlation_coefficient",
    lower="mean_absolute_error root_mean_squared_error relative_absolute_error "
    "root_relative_squared_error mean_prior_absolute_error average_cost total_cost",
)


def _matches(head: Head) -> bool:
    """Return whether the header is that of a list of evaluations."""
    return {"run_id", "task_id", "flow_name", "function", "value"} <= head.columns


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the evaluations of one function."""
    rows, functions = wanted.rows(), dict[str, None]()
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            function = required(row, "function")
            functions[function] = None
            if function != (wanted.metric or next(iter(functions))):
                continue
            task, name = required(row, "task_id"), required(row, "flow_name")
            dataset = f"{row.get('data_name') or 'task'} ({task})"
            for fold, value in _folds(row):
                label = f"{dataset}/{fold}" if fold else dataset
                rows.add(name, label, value, dataset=dataset, of=row)
    metric = chosen("metric", wanted.metric, list(functions))
    return Part(rows, metric, _DIRECTIONS.get(metric))


def _folds(row: dict[str, str]) -> list[tuple[str, float]]:
    """Return the scores of folds, or the one of all folds."""
    text = row.get("values", "")
    if not text:
        return [("", number(row["value"], "value"))]
    try:
        scores = json.loads(text)
    except ValueError:
        raise InputError(f"values={text!r} is no list of numbers") from None
    return [(str(i), number(value, "values")) for i, value in enumerate(scores)]


OPENML = Format(
    name="openml",
    program="OpenML",
    files='list_evaluations(..., output_format="dataframe").to_csv(...)',
    endings=TABLES,
    columns="algorithm: flow_name, or setup_id or flow_id if algorithm names it; data "
    "set: data_name and task_id; score: value, or each of values (per_fold=True)",
    block="a task; with per_fold=True a fold of a task, which is a data set",
    metrics="by function: accuracy, areas, F, kappa, precision, recall are higher; "
    "errors and costs lower",
    trap="one flow has a run for each of its setups and for each user who ran it: two "
    "runs of one algorithm on one task are rejected. Without per_fold=True values are "
    "means over folds",
    again='choose one run of each flow and task, or take algorithm="setup_id"',
    matches=_matches,
    read=_read,
)

"""MLflow and W&B: tables of runs, in which every user names other things."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show_all
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import TABLES, at_lines, chosen, number, table_cells

_NAN = re.compile(r"(?<=[\s:,\[{])nan(?=[\s,\]}])")


def _mlflow(head: Head) -> bool:
    """Return whether the header is that of search_runs."""
    return {"run_id", "experiment_id", "status", "artifact_uri"} <= head.columns


def _wandb(head: Head) -> bool:
    """Return whether the header is that of the documented export."""
    return head.columns - {""} == {"summary", "config", "name"}


def _read_mlflow(path: Path, wanted: Wanted) -> Part:
    """Read runs of MLflow; one that did not finish has no score."""
    return _read(path, table_cells(path), wanted, "metrics.", _unfinished)


def _read_wandb(path: Path, wanted: Wanted) -> Part:
    """Read runs of W&B: summary and config become columns."""
    return _read(path, _flat(path), wanted, "summary.", lambda row: False)


def _unfinished(row: dict[str, Any]) -> bool:
    return row.get("status") != "FINISHED"


def _read(
    path: Path,
    lines: Iterator[tuple[int, dict[str, Any]]],
    wanted: Wanted,
    prefix: str,
    failed: Any,
) -> Part:
    """Read one metric of all runs that have the labels asked for."""
    rows, metric, apart, ended = wanted.rows(), "", 0, 0
    named, asked = wanted.named(), _roles(wanted)
    with at_lines(path, lines) as table:
        for row in table:
            if not metric:
                metric = _metric(row, wanted.metric, prefix)
                _require_columns(row, wanted)
            labels = [named.label(role, name, row) for role, name in asked.items()]
            if not all(labels):
                apart += 1
                continue
            ended += failed(row)
            value = number(row.get(prefix + metric), metric)
            dataset = labels[2] if wanted.dataset else None
            block = f"{dataset}/{labels[1]}" if dataset else labels[1]
            value = math.nan if failed(row) else value
            rows.add(labels[0], block, value, dataset=dataset, of=row)
    told = {"without these labels left out": apart, "not finished, no score": ended}
    notes = tuple(f"{counted(n, 'run')} {words}" for words, n in told.items() if n)
    return Part(rows, metric, None, notes=notes)


def _metric(row: dict[str, Any], asked: str | None, prefix: str) -> str:
    known = [name.removeprefix(prefix) for name in row if name.startswith(prefix)]
    return chosen("metric", asked and asked.removeprefix(prefix), known)


def _require_columns(row: dict[str, Any], wanted: Wanted) -> None:
    """Reject to guess which columns name algorithms and blocks."""
    given = {"algorithm": wanted.algorithm, "block": wanted.block}
    for role, name in given.items():
        if name is None:
            raise InputError(
                setting(role) + f": name the column, one of {show_all(_labels(row))}"
            )


def _roles(wanted: Wanted) -> dict[str, str]:
    """Return the columns that are named, by role."""
    named = {
        "algorithm": wanted.algorithm,
        "block": wanted.block,
        "dataset": wanted.dataset,
    }
    return {role: name for role, name in named.items() if name is not None}


def _labels(row: dict[str, Any]) -> Sequence[str]:
    """Return the columns that users fill: parameters, tags, names."""
    own = ("params.", "tags.", "config.")
    return [name for name in row if name.startswith(own) or name == "name"]


def _flat(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of the export with a column for each entry of its tables.

    Every row has the columns of all: runs may have logged different things.
    """
    names = dict[str, None]()
    for _, row in table_cells(path):
        for part in ("summary", "config"):
            names |= dict.fromkeys(f"{part}.{key}" for key in _entries(row[part]))
    for line, row in table_cells(path):
        entries = {
            f"{part}.{key}": value
            for part in ("summary", "config")
            for key, value in _entries(row[part]).items()
        }
        yield line, {"name": row["name"], **dict.fromkeys(names), **entries}


def _entries(text: str) -> dict[str, Any]:
    """Return a table that was written as Python writes it; nothing is executed."""
    try:
        table = ast.literal_eval(_NAN.sub("None", text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        table = None
    if not isinstance(table, dict):
        raise InputError(f"{text[:40]!r} is no table of names and values")
    return table


_ROLES = ("block", "dataset")
MLFLOW = Format(
    name="mlflow",
    program="MLflow",
    files="mlflow.search_runs(...).to_csv(...)",
    endings=TABLES,
    columns="algorithm, block and data set: the columns that are named (params.model, "
    "tags.fold); score: metrics.NAME",
    block="named by the column: a fold, a data set or a seed",
    metrics="none: better is needed",
    trap="only runs with status FINISHED have scores; others are missing. Runs without "
    "the named labels, such as parents of nested runs, are left out and counted. A "
    "metric is its last logged value",
    takes=_ROLES,
    matches=_mlflow,
    read=_read_mlflow,
)
WANDB = Format(
    name="wandb",
    program="W&B",
    files="the documented export of a project: summary, config and name, as CSV",
    endings=(".csv",),
    columns="algorithm, block and data set: the columns that are named (config.model, "
    "name); score: summary.NAME",
    block="named by the column: a fold, a data set or a seed",
    metrics="none: better is needed",
    trap="the export does not state whether a run finished: export finished runs only. "
    "summary holds the last value of a metric, unless the run defined another",
    takes=_ROLES,
    matches=_wandb,
    read=_read_wandb,
)

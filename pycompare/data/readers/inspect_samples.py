"""inspect: the table of samples_df, as CSV."""

from __future__ import annotations

import math
from pathlib import Path

from pycompare.base.errors import InputError
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

_KEYS = {"sample_id", "eval_id", "id", "epoch", "target"}
_SCORE = "score_"
_DETAILS = ("_answer", "_explanation", "_metadata")
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_HOW = (
    "write the table by samples_df(logs, columns=EvalModel + EvalTask + SampleSummary)"
)


def _matches(head: Head) -> bool:
    """Return whether the header is that of a table of samples."""
    return head.columns >= _KEYS


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the scores of one scorer."""
    rows, metric, failed = wanted.rows(), "", 0
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            if not metric:
                metric = _scorer(row, wanted.metric)
            error = bool(row.get("error"))
            failed += error
            value = math.nan if error else _value(row[_SCORE + metric], metric)
            task = required(row, "task_name")
            rows.add(
                required(row, "model"),
                f"{task}/{required(row, 'id')}",
                value,
                group=task,
                run=required(row, "epoch"),
                of=row,
            )
    told = f"{counted(failed, 'sample')} ended with an error: no score"
    return Part(rows, metric, None, notes=(told,) if failed else ())


def _scorer(row: dict[str, str], asked: str | None) -> str:
    """Return the scorer to read; reject a table without models or tasks."""
    absent = [name for name in ("model", "task_name") if name not in row]
    if absent:
        raise InputError(f"there is no column {absent[0]!r}: {_HOW}")
    known = [
        name.removeprefix(_SCORE)
        for name in row
        if name.startswith(_SCORE) and not name.endswith(_DETAILS)
    ]
    if not known:
        raise InputError(f"there is no column of scores ({_SCORE}...): {_HOW}")
    return chosen("metric", asked, known)


def _value(text: str, metric: str) -> float:
    """Return a number, or what inspect's grades are worth."""
    if text.startswith("{"):
        raise InputError(
            f"score_{metric} holds several values; choose one as a column of its own, "
            "and read the table by pc.read_scores"
        )
    return GRADES[text] if text in GRADES else number(text, f"{_SCORE}{metric}")


INSPECT = Format(
    name="inspect",
    program="inspect",
    files="samples_df(logs, columns=EvalModel + EvalTask + SampleSummary).to_csv(...)",
    endings=TABLES,
    columns="algorithm: model; block: task_name and id; run: epoch; score: the column "
    "score_NAME of the scorer",
    block="a sample; several tasks are groups, epochs are runs",
    metrics="none: better is needed. Grades are 1 (C), 0.5 (P), 0 (I and N)",
    gaps=(
        "worst",
        "in most benchmarks of agents a sample that was not finished is treated as "
        "failed",
    ),
    trap="samples_df leaves the model out unless its columns are asked for. A sample "
    "that ended with an error has no score: it is missing",
    again="give the logs of one evaluation of each task and model",
    items=True,
    matches=_matches,
    read=_read,
)

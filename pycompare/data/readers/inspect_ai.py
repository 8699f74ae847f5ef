"""inspect: logs of evaluations, .eval or .json, and the table of samples_df, as CSV."""

from __future__ import annotations

import io
import json
import math
import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, refused
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show
from pycompare.data.compressed import zstandard
from pycompare.data.readers.formats import Format, Head, Other, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    chosen,
    json_value,
    number,
    required,
    shown,
    table_cells,
)

_KEYS = ("version", "status", "eval", "run_id", "task")
_EVAL = ".eval"
_ZSTANDARD = 93
"""How inspect compresses parts of a log today; Python's zipfile does not read it."""


def _matches(head: Head) -> bool:
    """Return whether the file is an archive, or has the keys of a log."""
    if head.path.suffix.lower() == _EVAL:
        return head.text.startswith("PK")
    start = head.text.lstrip().startswith("{")
    return start and all(f'"{key}"' in head.text for key in _KEYS)


def _read(path: Path, wanted: Wanted) -> Part | Other:
    """Read the scores of one scorer in one log."""
    header, samples = _log(path)
    told = header.get("eval")
    if not isinstance(told, dict):
        raise InputError(f"{shown(path)}: no 'eval'")
    model, task = required(told, "model"), required(told, "task")
    held = [(sample, dict(_scores(sample))) for sample in samples]
    known = list(dict.fromkeys(name for _, scores in held for name in scores))
    if not held or (known and wanted.metric not in (None, *known)):
        return Other(tuple(known))
    metric = chosen("metric", wanted.metric, known)
    rows, failed, unscored = wanted.rows(), 0, 0
    with at_lines(path, enumerate(held, start=1)) as entries:
        for sample, scores in entries:
            error = bool(sample.get("error"))
            value = math.nan if error else _value(scores.get(metric), metric)
            failed += error
            unscored += math.isnan(value) and not error
            rows.add(
                model,
                f"{task}/{required(sample, 'id')}",
                value,
                group=task,
                run=required(sample, "epoch"),
                of=dict(sample) | {"eval": told},
            )
    notes = []
    if failed:
        notes.append(f"{counted(failed, 'sample')} ended with an error: no score")
    if unscored:
        notes.append(f"{counted(unscored, 'sample')} without a score of {metric}")
    if header.get("status") != "success":
        notes.append(f"{shown(path)}: status {header.get('status')}")
    return Part(rows, metric, None, notes=tuple(notes))


def _log(path: Path) -> tuple[Mapping[str, Any], list[dict[str, Any]]]:
    """Return the statements of a log about the evaluation, and its samples."""
    if path.suffix.lower() != _EVAL:
        log = json_value(path)
        samples = log.get("samples") or []
    else:
        told = f"{shown(path)}: this is no readable .eval file"
        with refused(told, OSError, zipfile.BadZipFile):
            parts = _parts(path)
        names = [name for name in parts if name.startswith("samples/")]
        start = parts.get("header.json") or parts.get("_journal/start.json")
        if start is None:
            raise InputError(f"{shown(path)}: no header.json")
        log = json.loads(start())
        whole = parts.get("summaries.json")
        one_each = (json.loads(parts[name]()) for name in names)
        samples = json.loads(whole()) if whole else [*one_each]
    if not isinstance(samples, list) or not all(isinstance(s, dict) for s in samples):
        raise InputError(f"{shown(path)}: the samples are no objects")
    return log, samples


def _parts(path: Path) -> dict[str, Any]:
    """Return the parts of an archive, each with a function that reads it."""
    with zipfile.ZipFile(path) as archive:
        return {
            entry.filename: lambda entry=entry: _part(path, entry)
            for entry in archive.infolist()
        }


def _part(path: Path, entry: zipfile.ZipInfo) -> bytes:
    """Return a part of an archive."""
    with refused(
        f"{shown(path)}: {entry.filename} is damaged",
        *(OSError, EOFError, zipfile.BadZipFile, struct.error, NotImplementedError),
    ):
        if entry.compress_type != _ZSTANDARD:
            with zipfile.ZipFile(path) as archive:
                return archive.read(entry)
        with path.open("rb") as file:
            file.seek(entry.header_offset)
            # The sizes of its name and of what follows it end the local header.
            name, more = struct.unpack("<26x2H", file.read(30))
            file.seek(name + more, io.SEEK_CUR)
            packed = file.read(entry.compress_size)
        with zstandard(io.BytesIO(packed)) as stream:
            return stream.read()


def _scores(sample: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each scorer with its value; one with several values has a name for each."""
    scores = sample.get("scores")
    for name, score in scores.items() if isinstance(scores, dict) else ():
        value = score.get("value") if isinstance(score, dict) else None
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", held) for key, held in value.items())
        else:
            yield name, value


def _value(value: Any, metric: str) -> float:
    """Return a number, or what inspect's grades are worth."""
    if isinstance(value, list | dict):
        raise InputError(f"score {show(metric)} holds several values, {show(value)}")
    if isinstance(value, str) and value in _GRADES:
        return _GRADES[value]
    return number(value, metric)


_METRICS = "none: better is needed. Grades are 1 (C), 0.5 (P), 0 (I and N)"
_GAPS = (
    "worst",
    "in most benchmarks of agents a sample that was not finished is treated as failed",
)

INSPECT_LOGS = Format(
    name="inspect-logs",
    program="inspect",
    files="the logs of evaluations, .eval or .json, a log for each model and task",
    endings=(_EVAL, ".json"),
    columns="algorithm: the model; block: the task and the sample's id; run: epoch; "
    "score: the value of the scorer",
    block="a sample; several tasks are groups, epochs are runs",
    metrics=_METRICS,
    trap="a sample that ended with an error has no score: it is missing. A log that "
    "was not finished has fewer samples; the notes give its status. Parts of .eval "
    "files are compressed by Zstandard today, which needs pyarrow",
    gaps=_GAPS,
    again="leave one log of each task and model in the folder, or name the algorithm",
    items=True,
    matches=_matches,
    read=_read,
)


_COLUMNS = {"sample_id", "eval_id", "id", "epoch", "target"}
_SCORE = "score_"
_DETAILS = ("_answer", "_explanation", "_metadata")
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_HOW = (
    "write the table by samples_df(logs, columns=EvalModel + EvalTask + SampleSummary)"
)


def _matches_table(head: Head) -> bool:
    """Return whether the header is that of a table of samples."""
    return head.columns >= _COLUMNS


def _read_table(path: Path, wanted: Wanted) -> Part:
    """Read the scores of one scorer."""
    rows, metric, failed = wanted.rows(), "", 0
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            if not metric:
                metric = _scorer(row, wanted.metric)
            error = bool(row.get("error"))
            failed += error
            value = math.nan if error else _grade(row[_SCORE + metric], metric)
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


def _grade(text: str, metric: str) -> float:
    """Return a number, or what inspect's grades are worth."""
    if text.startswith("{"):
        raise InputError(
            f"score_{metric} holds several values; choose one as a column of its own, "
            "and read the table by pc.read_scores"
        )
    return _GRADES[text] if text in _GRADES else number(text, f"{_SCORE}{metric}")


INSPECT = Format(
    name="inspect",
    program="inspect",
    files="samples_df(logs, columns=EvalModel + EvalTask + SampleSummary).to_csv(...)",
    endings=TABLES,
    columns="algorithm: model; block: task_name and id; run: epoch; score: the column "
    "score_NAME of the scorer",
    block="a sample; several tasks are groups, epochs are runs",
    metrics=_METRICS,
    gaps=_GAPS,
    trap="samples_df leaves the model out unless its columns are asked for. A sample "
    "that ended with an error has no score: it is missing",
    again="give the logs of one evaluation of each task and model",
    items=True,
    matches=_matches_table,
    read=_read_table,
)

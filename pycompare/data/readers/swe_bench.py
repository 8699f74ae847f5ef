"""SWE-bench: a report of each run, and what each submission resolved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show, show_all
from pycompare.data.compressed import kind_of, opened_text, without_endings
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    Rows,
    chosen,
    json_lines,
    json_value,
    shown,
    stem,
    table_cells,
)

_LISTS = (
    "submitted_ids",
    "completed_ids",
    "incomplete_ids",
    "empty_patch_ids",
    "resolved_ids",
    "unresolved_ids",
    "error_ids",
)
_ID = "instance_id"
_RESOLVED = ("resolved_ids", "resolved_instances")
"""The list of resolved instances, and its length, which precedes long lists."""


def _matches(head: Head) -> bool:
    """Return whether resolved instances are named; the file may be long, or cut."""
    one_of_each = _RESOLVED, (*_LISTS[:3], "unresolved_ids")
    return all(any(f'"{n}"' in head.text for n in names) for names in one_of_each)


def _read(path: Path, wanted: Wanted) -> Part:
    """Read a report of the model that the file's name begins with."""
    chosen("metric", wanted.metric, ["resolved"])
    rows, report = wanted.rows(), json_value(path)
    if not isinstance(report, dict) or "resolved_ids" not in report:
        raise InputError(f"{shown(path)}: no 'resolved_ids'")
    resolved = set(_instances(path, report, "resolved_ids"))
    instances = {i for name in _LISTS for i in _instances(path, report, name)}
    if not instances:
        raise InputError(f"{shown(path)}: no instances")
    model = stem(path).rpartition(".")[0] or stem(path)  # its name may have points
    notes = _added(rows, model, sorted(instances), resolved)
    broken = len(_instances(path, report, "infra_failure_ids"))
    if broken:
        notes.append(f"{model}: {broken} of them by failures of the infrastructure")
    return Part(rows, "resolved", "higher", notes=tuple(notes))


def _added(
    rows: Rows, model: str, instances: list[str], resolved: set[str]
) -> list[str]:
    """Add the scores of a model, and return the note on them."""
    for instance in instances:
        repository = instance.rpartition("-")[0] or instance
        of = {_ID: instance, "repository": repository}
        score = float(instance in resolved)
        rows.add(model, instance, score, cluster=repository, of=of)
    return ["instances that are not resolved, for whatever reason, are set to 0"]


def _instances(path: Path, report: dict[str, Any], name: str) -> list[str]:
    """Return a list of instances of a report; none if it is not there."""
    instances = report.get(name) or []
    if not (
        isinstance(instances, list)
        and all(isinstance(instance, str) for instance in instances)
    ):
        raise InputError(f"{shown(path)}: {show(name)} is no list of instances")
    return instances


SWE_BENCH = Format(
    name="swe-bench",
    program="SWE-bench",
    files="MODEL.RUN.json, the report of each run",
    endings=(".json",),
    columns="algorithm: the file's name without the run; block: the instance; "
    "score: 1 if it was resolved",
    block="an instance; instances of one repository are a cluster",
    metrics="resolved is higher",
    trap="an instance that was not submitted, had an empty patch or an error is not "
    "resolved: it is set to 0, not as missing. Failures of the infrastructure are "
    "counted in a note",
    items=True,
    matches=_matches,
    read=_read,
)


_DETAILS, _RESULTS = "per_instance_details.json", "results.json"
_OF_SUBMISSIONS = ("no_generation", "no_logs", "no_apply", "resolved")
_LIST = "instances"
"""Name of the list of all instances, whatever its ending."""
_FOLDERS = ("results", "logs")
_HOW = (
    f"{_RESULTS} names the resolved instances, and not what else was tried. Put the "
    "list of "
    f"all instances of the benchmark beside the submissions: {_LIST}.txt, one a line, "
    f"or the data set as {_LIST}.jsonl, .json, .csv or .parquet with {_ID}"
)


def _matches_submission(head: Head) -> bool:
    """Return whether the file has the benchmark's lists, or its details."""
    if head.path.name == _DETAILS:
        return '"resolved"' in head.text
    return '"resolved"' in head.text and any(
        f'"{n}"' in head.text for n in _OF_SUBMISSIONS[:2]
    )


def _read_submission(path: Path, wanted: Wanted) -> Part:
    """Read one submission, which its folder names."""
    chosen("metric", wanted.metric, ["resolved"])
    model = wanted.folder or _names(path).name
    report = json_value(path)
    if not isinstance(report, dict):
        raise InputError(f"{shown(path)}: not an object")
    instances = _of_benchmark(path, report, wanted)
    resolved = set(_resolved(path, report))
    unknown = resolved - {*instances}
    if unknown:
        raise InputError(
            f"{shown(path)}: {counted(len(unknown), 'resolved instance')} not in the "
            f"list of instances: {show_all(sorted(unknown))}"
        )
    rows = wanted.rows()
    notes = _added(rows, model, instances, resolved)
    return Part(rows, "resolved", "higher", notes=tuple(notes))


def _names(path: Path) -> Path:
    """Return the folder of a submission."""
    folder = path.parent
    return folder.parent if folder.name in _FOLDERS else folder


def _resolved(path: Path, report: dict[str, Any]) -> Iterator[str]:
    """Yield the instances that were resolved."""
    if path.name != _DETAILS:
        held = report.get("resolved")
        if not isinstance(held, list) or not all(isinstance(i, str) for i in held):
            raise InputError(f"{shown(path)}: 'resolved' is no list of instances")
        yield from held
        return
    for name, told in report.items():
        if not isinstance(told, dict) or not isinstance(told.get("resolved"), bool):
            raise InputError(
                f"{shown(path)}: {show(name)} does not state whether it was resolved"
            )
        if told["resolved"]:
            yield name


def _of_benchmark(path: Path, report: dict[str, Any], wanted: Wanted) -> list[str]:
    """Return all instances of the benchmark."""
    if path.name == _DETAILS:
        return sorted(report)
    beside = _lists_beside(path, wanted.root)
    if len(beside) != 1:
        told = ", ".join(map(shown, beside))
        reason = f"there are several lists of instances, {told}" if beside else _HOW
        raise InputError(f"{shown(path)}: {reason}")
    if listed := sorted(dict.fromkeys(_listed(beside[0]))):
        return listed
    raise InputError(f"{shown(beside[0])}: the list of instances is empty")


def _lists_beside(path: Path, root: Path | None) -> list[Path]:
    """Return the lists in the nearest folder above that has any, up to the root."""
    for folder in path.parents:
        lists = sorted(
            file
            for file in folder.glob(f"{_LIST}.*")
            if file.is_file() and without_endings(file.name) == _LIST
        )
        if lists or root is None or folder == root:
            return lists
    return []


def _listed(file: Path) -> Iterator[str]:
    """Yield the instances of a list."""
    kind = kind_of(file)
    if kind == ".txt":
        with opened_text(file) as text:
            yield from (line.strip() for line in text if line.strip())
        return
    if kind in TABLES:
        held: Any = [row for _, row in table_cells(file)]
    elif kind == ".jsonl":
        held = [entry for _, entry in json_lines(file)]
    else:
        held = json_value(file)
    for entry in held:
        name = entry.get(_ID) if isinstance(entry, dict) else entry
        if not isinstance(name, str):
            raise InputError(f"{shown(file)}: {show(entry)} has no {_ID!r}")
        yield name


SWE_EXPERIMENTS = Format(
    name="swe-bench-experiments",
    program="SWE-bench experiments",
    files="SUBMISSION/results/results.json and SUBMISSION/per_instance_details.json of "
    "the repository of submissions, with a list of all instances beside them",
    endings=(".json",),
    columns="algorithm: the submission's folder; block: the instance; score: 1 if it "
    "was resolved",
    block="an instance; instances of one repository are a cluster",
    metrics="resolved is higher",
    trap="results.json does not name the instances that were tried and not resolved: "
    "all of the benchmark's are needed (instances.txt), and instances that are "
    "not resolved are set to 0. per_instance_details.json names all",
    gaps=("worst", "an instance that a submission does not have is not resolved"),
    items=True,
    names=_names,
    matches=_matches_submission,
    read=_read_submission,
)

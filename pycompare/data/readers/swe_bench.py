"""SWE-bench: a report of each run, one JSON file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import chosen, json_value, shown, stem

_LISTS = (
    "submitted_ids",
    "completed_ids",
    "incomplete_ids",
    "empty_patch_ids",
    "resolved_ids",
    "unresolved_ids",
    "error_ids",
)
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
    for instance in sorted(instances):
        repository = instance.rpartition("-")[0] or instance
        of = {"instance_id": instance, "repository": repository}
        value = float(instance in resolved)
        rows.add(model, instance, value, cluster=repository, of=of)
    notes = ["instances that are not resolved, for whatever reason, are set to 0"]
    broken = len(_instances(path, report, "infra_failure_ids"))
    if broken:
        notes.append(f"{model}: {broken} of them by failures of the infrastructure")
    return Part(rows, "resolved", "higher", notes=tuple(notes))


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

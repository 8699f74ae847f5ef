"""SWE-bench: a report of each run, one JSON file (MODEL.RUN.json).

A block is an instance, right if it was resolved; its repository is its cluster. Trap:
an instance that was not submitted, had an empty patch or an error is not resolved.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pycompare.errors import InputError
from pycompare.readers.formats import Format, Found, Head, Wanted
from pycompare.readers.rows import Gathered, chosen

_LISTS = (
    "submitted_ids",
    "completed_ids",
    "incomplete_ids",
    "empty_patch_ids",
    "resolved_ids",
    "unresolved_ids",
    "error_ids",
)


def _matches(head: Head) -> bool:
    """Return whether the object has lists of instances."""
    found = head.whole_object if head.path.suffix == ".json" else {}
    return "resolved_ids" in found and bool({*_LISTS[:3], "unresolved_ids"} & {*found})


def _read(paths: Sequence[Path], wanted: Wanted) -> Found:
    """Read the reports; the beginning of a file's name is the model."""
    chosen("metric", wanted.metric, ["resolved"])
    rows = Gathered()
    for path in paths:
        report = json.loads(path.read_text(encoding="utf-8"))
        resolved = set(report["resolved_ids"])
        instances = dict.fromkeys(i for name in _LISTS for i in report.get(name) or ())
        if not instances:
            raise InputError(f"{path.name}: no instances")
        for instance in sorted(map(str, instances)):
            repository = instance.rpartition("-")[0] or instance
            right = float(instance in resolved)
            rows.add(path.name.split(".")[0], instance, right, cluster=repository)
    note = "instances that are not resolved, for whatever reason, count as 0"
    return Found(rows, "resolved", "higher", (note,))


SWE_BENCH = Format("swe-bench", "SWE-bench, reports", (".json",), _matches, _read)

"""lm-evaluation-harness: files of samples, one JSON object a line (--log_samples).

A block is a document of a task. Trap: ``doc_id`` counts documents of one run and may
shift between runs, so that documents are paired by the hashes of document and target.
Tasks with several filters have a line for each filter.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pycompare.errors import InputError
from pycompare.readers.formats import Format, Found, Head, Wanted
from pycompare.readers.rows import Gathered, at_line, chosen, json_lines, number

_NAME = re.compile(r"samples_(?P<task>.+?)_\d{4}-\d{2}-\d{2}T.*")
_NO_METRICS = frozenset(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash "
    "prompt_hash target_hash".split()
)
_LOWER = ("perplexity", "bits_per_byte", "brier", "ter", "wer", "loss")


def _matches(head: Head) -> bool:
    """Return whether the first line is a sample."""
    return {"doc_id", "doc", "arguments"} <= set(head.first_object)


def _read(paths: Sequence[Path], wanted: Wanted) -> Found:
    """Read the samples of all files; the folder of a file names the model."""
    rows, metric, filtered = Gathered(), wanted.metric, wanted.filter
    for path in paths:
        task, seen = _task(path), Counter[str]()
        for line, sample in json_lines(path):
            with at_line(path, line):
                metric = _metric(sample, metric)
                kept, filtered = _filtered(sample, filtered, wanted)
                if not kept:
                    continue
                item = _identity(sample)
                seen[item] += 1
                # A document that a task has twice is two items, in the task's order.
                again = f"#{seen[item]}" if seen[item] > 1 else ""
                value = number(sample.get(metric), metric)
                rows.add(path.parent.name, f"{task}/{item}{again}", value, group=task)
    assert metric is not None
    better = "lower" if any(word in metric for word in _LOWER) else None
    known = re.match(r"acc|exact_match|em$|f1|mcc|bleu|chrf|rouge|pass|judge", metric)
    return Found(rows, metric, better or ("higher" if known else None))


def _task(path: Path) -> str:
    """Return the task that a file's name tells."""
    found = _NAME.fullmatch(path.stem)
    return found["task"] if found else path.stem.removeprefix("samples_")


def _metric(sample: dict[str, Any], asked: str | None) -> str:
    """Return the metric to read: the one asked for, or the only one."""
    if asked is not None and asked in sample:
        return asked
    named = sample.get("metrics")
    known = named if isinstance(named, list) else _numbers(sample)
    return chosen("metric", asked, [str(name) for name in known])


def _numbers(sample: dict[str, Any]) -> list[str]:
    """Return the fields of a sample that are numbers and no other part of it."""
    return [
        name
        for name, value in sample.items()
        if name not in _NO_METRICS and isinstance(value, int | float)
    ]


def _filtered(
    sample: dict[str, Any], only: str | None, wanted: Wanted
) -> tuple[bool, str | None]:
    """Return whether a sample is of the filter that is read, and that filter."""
    name = sample.get("filter")
    if name is None:
        return True, only
    if only is None or name == only:
        return True, str(name)
    if wanted.filter is None:
        raise InputError(
            f"filter: the samples have several, {only!r} and {name!r}; name one"
        )
    return False, only


def _identity(sample: dict[str, Any]) -> str:
    """Return what is the same for a document in all runs."""
    if "doc_hash" in sample:
        parts = (sample["doc_hash"], sample.get("target_hash", ""))
        text = "".join(map(str, parts))
    else:
        text = json.dumps([sample["doc"], sample.get("target")], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


LM_EVAL = Format(
    "lm-eval", "lm-evaluation-harness, samples", (".jsonl",), _matches, _read
)

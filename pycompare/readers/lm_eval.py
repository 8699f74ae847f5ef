"""lm-evaluation-harness: files of samples, one JSON object a line."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from pycompare.errors import InputError
from pycompare.readers.formats import Format, Head, Other, Part, Wanted
from pycompare.readers.rows import (
    Rows,
    at_lines,
    chosen,
    json_lines,
    number,
    shown,
    stem,
)

_NAME = re.compile(r"samples_(?P<task>.+?)_\d{4}-\d{2}-\d{2}T.*")
_NO_METRICS = frozenset(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash "
    "prompt_hash target_hash".split()
)
_ALL = "none"
"""The filter of samples that are not filtered."""
_LOWER = re.compile(r"(.+_)?(perplexity|bits_per_byte|brier(_score)?|ter|wer|loss)")
_HIGHER = re.compile(
    r"(.+_)?(acc|exact_match|em|f1|mcc)|acc_(norm|norm_nosp|bytes|mutual_info)"
    r"|(bleu|chrf|rouge).*|pass(@|_at_)\d+"
)


def _matches(head: Head) -> bool:
    """Return whether the first line is a sample."""
    return {"doc_id", "doc", "arguments"} <= set(head.first_object)


def _read(path: Path, wanted: Wanted) -> Part | Other:
    """Read the samples of a file; its folder names the model."""
    found, metric = dict[str, Rows](), ""
    task, seen = _task(path), Counter[tuple[str, str]]()
    model = wanted.folder or path.parent.name
    with at_lines(path, json_lines(path)) as samples:
        for sample in samples:
            if metric not in sample:
                known = _metrics(sample)
                if not found and wanted.metric not in (None, *known):
                    return Other(known)
                metric = chosen("metric", wanted.metric, known)
            name = sample.get("filter", _ALL)
            if name not in found:
                found[name] = wanted.rows()
            rows, block = found[name], f"{task}/{_identity(sample)}"
            if block in rows.blocks:
                # A document that a task has twice is two items, in the task's order.
                seen[name, block] += 1
                block += f"#{seen[name, block] + 1}"
            value = number(sample.get(metric), metric)
            rows.add(model, block, value, group=task, of=sample)
    name = _filter(path, wanted.filter, list(map(str, found)))
    return Part(found[name], metric, _better(metric), (task, name))


def _filter(path: Path, asked: str | None, known: list[str]) -> str:
    """Return the filter to read; samples that are not filtered are always read."""
    if known == [_ALL]:
        return _ALL
    try:
        return chosen("filter", asked, known)
    except InputError as error:
        error.at(shown(path))
        raise


def _task(path: Path) -> str:
    """Return the task that a file's name tells."""
    found = _NAME.fullmatch(stem(path))
    return found["task"] if found else stem(path).removeprefix("samples_")


def _metrics(sample: dict[str, Any]) -> tuple[str, ...]:
    """Return the metrics of a sample: those it names, or its other numbers."""
    if isinstance(sample.get("metrics"), list):
        return tuple(map(str, sample["metrics"]))
    return tuple(
        name
        for name, value in sample.items()
        if name not in _NO_METRICS and isinstance(value, int | float)
    )


def _identity(sample: dict[str, Any]) -> str:
    """Return what is the same for a document in all runs."""
    if "doc_hash" in sample:
        text = f"{sample['doc_hash']}{sample.get('target_hash', '')}"
    elif "doc" in sample:
        text = json.dumps([sample["doc"], sample.get("target")], sort_keys=True)
    else:
        raise InputError("no 'doc'")
    # JSON may hold half of a surrogate pair, which is no UTF-8.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _better(metric: str) -> str | None:
    if _LOWER.fullmatch(metric):
        return "lower"
    return "higher" if _HIGHER.fullmatch(metric) else None


LM_EVAL = Format(
    name="lm-eval",
    program="lm-evaluation-harness",
    files="samples_TASK_TIME.jsonl of --log_samples, in a folder for each model",
    endings=(".jsonl",),
    pattern="samples_*.jsonl",
    columns="algorithm: the folder, with those above it where several folders have one "
    "name; block: hashes of document and target; score: the "
    "field of the metric",
    block="a document of a task; several tasks are groups",
    metrics="by name: accuracies, exact match, F1, BLEU, ROUGE, pass rates are higher; "
    "perplexities, losses and error rates lower",
    trap="doc_id counts documents of one run and may shift between runs: documents are "
    "paired by hashes. A task with several filters has a line for each of them. Tasks "
    "without the metric asked for are left alone, and named",
    again="leave one run of each task and model in the folder",
    items=True,
    takes=("filter",),
    matches=_matches,
    read=_read,
)

"""lm-evaluation-harness: files of samples, one JSON object a line, or one array."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show, show_all
from pycompare.data.compressed import opened
from pycompare.data.readers.formats import Format, Head, Other, Part, Wanted
from pycompare.data.readers.rows import (
    Rows,
    at_lines,
    chosen,
    json_lines,
    json_value,
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
_KEYS = ("doc_id", "doc", "arguments")


def _matches(head: Head) -> bool:
    """Return whether the first line is a sample, or the file an array of samples."""
    if head.text.startswith("["):
        known = all(f'"{key}"' in head.text for key in _KEYS[:2])
        return known and any(f'"{key}"' in head.text for key in ("resps", _KEYS[2]))
    return {*_KEYS} <= set(head.first_object)


def _samples(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the samples of a file, with the number of the line or the sample."""
    with opened(path) as file:
        array = file.read(8).lstrip(b"\xef\xbb\xbf").startswith(b"[")
    if not array:
        yield from json_lines(path)
        return
    for at, sample in enumerate(json_value(path), start=1):
        if not isinstance(sample, dict):
            raise InputError(f"{shown(path)}: sample {at} is {show(sample)}")
        yield at, sample


def _read(path: Path, wanted: Wanted) -> Part | Other:
    """Read the samples of a file; its folder names the model."""
    by_filter, metric = dict[str, Rows](), ""
    model, task = _model_and_task(path, wanted)
    seen, passes = Counter[tuple[str, str]](), Counter[str]()
    with at_lines(path, _samples(path)) as samples:
        for sample in samples:
            if metric not in sample:
                known = _metrics(sample)
                _require_number(sample, wanted.metric or metric, known)
                if not known:
                    raise InputError(_no_metric(sample))
                if not by_filter and wanted.metric not in (None, *known):
                    return Other(known)
                metric = chosen("metric", wanted.metric, known)
            name = sample.get("filter") or _pass(sample, passes)
            if name not in by_filter:
                by_filter[name] = wanted.rows()
            rows, block = by_filter[name], _identity(sample)
            block = f"{task}/{block}" if task else block
            if block in rows.blocks:
                # A document that a task has twice is two items, in the task's order.
                seen[name, block] += 1
                block += f"#{seen[name, block] + 1}"
            _require_number(sample, metric, ())
            value = number(sample.get(metric), metric)
            prompt = sample.get("prompt_hash")
            rows.add(
                *(model, block, value),
                group=task or None,
                prompt=None if prompt is None else str(prompt),
                of=sample,
            )
    name = _filter(path, wanted.filter, list(map(str, by_filter)))
    return Part(by_filter[name], metric, _better(metric), (task or path.name, name))


def _pass(sample: dict[str, Any], passes: Counter[str]) -> str:
    """Return which filter a sample of version 0.4.0 is of, that does not name it.

    It writes all documents for the first filter, then all for the next.
    """
    document = str(sample.get("doc_id"))
    passes[document] += 1
    return _ALL if passes[document] == 1 else f"filter {passes[document]}"


def _filter(path: Path, asked: str | None, known: list[str]) -> str:
    """Return the filter to read; samples that are not filtered are always read."""
    if known == [_ALL]:
        return _ALL
    try:
        return chosen("filter", asked, known)
    except InputError as error:
        error.at(shown(path))
        raise


def _model_and_task(path: Path, wanted: Wanted) -> tuple[str, str]:
    """Return the model and the task in the names of a file and its folder.

    Version 0.4.0 calls a file MODEL_TASK.jsonl and writes results.json beside it, which
    has the tasks. If that is not there, the file's name is the model, and the task
    is unknown: documents are paired by their contents.
    """
    name, folder = stem(path), wanted.folder or path.parent.name
    if match := _NAME.fullmatch(name):
        return folder, match["task"]
    if name.startswith("samples_"):
        return folder, name.removeprefix("samples_")
    if (beside := path.with_name("results.json")).is_file():
        held = json_value(beside)
        tasks = held.get("results") if isinstance(held, dict) else None
        for task in sorted(map(str, tasks or ()), key=len, reverse=True):
            if name.endswith(f"_{task}"):
                return folder, task
    return name, ""


def _metrics(sample: dict[str, Any]) -> tuple[str, ...]:
    """Return the metrics of a sample that are one number, or empty."""
    listed = sample.get("metrics")
    names = map(str, listed) if isinstance(listed, list) else sample
    return tuple(
        name
        for name in names
        if name not in _NO_METRICS
        and (
            isinstance(sample.get(name), int | float)
            or (bool(listed) and sample.get(name) is None)
        )
    )


def _require_number(
    sample: dict[str, Any], metric: str, known: tuple[str, ...]
) -> None:
    """Reject a metric that one document does not have separately."""
    held = sample.get(metric)
    if isinstance(held, list | dict):
        others = f"; metrics of one number: {show_all(known)}" if known else ""
        raise InputError(
            setting("metric", metric)
            + f" holds {show(held)}, such as the true and the predicted label: all "
            f"documents together make a score of it, and one has none{others}"
        )


def _no_metric(sample: dict[str, Any]) -> str:
    """Return that no metric of a sample is one number."""
    pairs = [n for n in sample if n not in _NO_METRICS and isinstance(sample[n], list)]
    told = f" (pairs or lists: {show_all(pairs)})" if pairs else ""
    return f"no metric of one number{told}"


def _identity(sample: dict[str, Any]) -> str:
    """Return the common part of a document in all runs."""
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
    files="samples_TASK_TIME.jsonl of --log_samples, in a folder for each model; of "
    "versions before 0.4.3 MODEL_TASK.jsonl, which holds an array",
    endings=(".jsonl", ".json"),
    pattern="samples_*.jsonl",
    columns="algorithm: the folder, with those above it if several folders have one "
    "name; block: hashes of document and target; score: the "
    "field of the metric",
    block="a document of a task; several tasks are groups",
    metrics="by name: accuracies, exact match, F1, BLEU, ROUGE, pass rates are higher; "
    "perplexities, losses and error rates lower",
    trap="doc_id counts documents of one run and may shift between runs: documents are "
    "paired by hashes. A task with several filters has a line for each of them; before "
    "version 0.4.3 they have no names, and are called none, filter 2, ... in their "
    "order. Tasks without the metric asked for are left unchanged, and named. Metrics "
    "that "
    "hold a pair or a list for each document (F1, MCC, perplexity of words) are scores "
    "of all documents together, and not offered",
    again="two runs of one model: set "
    + setting("replicate", "path/-1")
    + " if they are runs to be averaged, "
    + setting("algorithm", "path/-1")
    + " if they are algorithms, or leave one of them in the folder",
    items=True,
    takes=("filter",),
    matches=_matches,
    read=_read,
)

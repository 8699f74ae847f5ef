"""Every Eval Ever: instance-level results, one JSON object a line."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import at_lines, chosen, json_lines, number, required

_KEYS = {"schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id"}
_ENDING = "_samples.jsonl"


def _matches(head: Head) -> bool:
    """Return whether the first line is an instance."""
    return {*_KEYS, "evaluation"} <= set(head.first_object)


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the instances of one model."""
    metric = chosen("metric", wanted.metric or "score", ["score", "is_correct"])
    rows, judge = wanted.rows(), _Judge(path)
    samples, repeats, failed = dict[str, str](), Counter[str](), 0
    graded = False
    with at_lines(path, json_lines(path)) as instances:
        for instance in instances:
            evaluation = instance.get("evaluation")
            if not isinstance(evaluation, dict) or metric not in evaluation:
                raise InputError(f"evaluation has no {metric!r}")
            value = number(evaluation[metric], metric)
            graded |= value != evaluation.get("is_correct")
            if metric == "score":
                value = judge.known(instance, value)
            failed += instance.get("error") is not None
            task, sample = (
                required(instance, "evaluation_name"),
                required(instance, "sample_id"),
            )
            item = f"{task}/{_identity(instance)}"
            # The same question under another identifier is another item.
            other = samples.setdefault(item, sample) != sample
            item += f"#{sample}" if other else ""
            repeats[item] += 1
            model, run = required(instance, "model_id"), str(repeats[item])
            rows.add(model, item, value, group=task, run=run, of=instance)
    known = judge.better or (None if graded else "higher")
    told = f"{counted(failed, 'instance')} with an error: scores as in the file"
    better = "higher" if metric == "is_correct" else known
    return Part(rows, metric, better, notes=(told,) if failed else ())


def _identity(instance: dict[str, Any]) -> str:
    """Return the common part of a question in all runs."""
    sample_hash = instance.get("sample_hash")
    if sample_hash is None:
        given = instance.get("input") or {}
        asked = {"raw": given.get("raw"), "reference": given.get("reference")}
        text = json.dumps(asked, sort_keys=True, separators=(",", ":"))
        sample_hash = hashlib.sha256(text.encode()).hexdigest()
    return str(sample_hash)[:16]


class _Judge:
    """Statements of the aggregate file beside the instances about their scores."""

    def __init__(self, path: Path) -> None:
        self.better: str | None = None
        self._unknown: set[str] = set()
        aside = path.with_name(path.name.removesuffix(_ENDING) + ".json")
        if not path.name.endswith(_ENDING) or not aside.is_file():
            return
        try:
            results = json.loads(aside.read_bytes())["evaluation_results"]
            told = {str(r["evaluation_name"]): r["metric_config"] for r in results}
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{aside.name}: no aggregate results") from None
        lower = {aggregate.get("lower_is_better") for aggregate in told.values()}
        if len(lower) > 1:
            raise InputError(
                f"{aside.name}: lower_is_better differs between the evaluations; give "
                "the files of one direction at a time"
            )
        told_lower = lower.pop() if lower else None
        self.better = {True: "lower", False: "higher", None: None}.get(told_lower)
        self._unknown = {
            n for n, aggregate in told.items() if aggregate.get("has_unknown_level")
        }

    def known(self, instance: dict[str, Any], value: float) -> float:
        """Return a score, or NaN for the level that means unknown."""
        unknown = value == -1 and instance.get("evaluation_name") in self._unknown
        return math.nan if unknown else value


EVERY_EVAL_EVER = Format(
    name="every-eval-ever",
    program="Every Eval Ever",
    files="UUID_samples.jsonl, exported from inspect, HELM or lm-evaluation-harness",
    endings=(".jsonl",),
    pattern="*_samples.jsonl",
    columns="algorithm: model_id; block: evaluation_name with sample_hash; score: "
    "evaluation.score, or evaluation.is_correct if metric names it",
    block="an instance; several evaluations are groups",
    metrics="by lower_is_better of UUID.json beside the instances; scores that equal "
    "is_correct are higher",
    trap="sample_id is not the same in all exports: instances are paired by "
    "sample_hash, or by the hash of input.raw and input.reference. The same sample_id "
    "again is a repeat (a run). A score of -1 is missing if the aggregate declares "
    "an unknown level",
    items=True,
    matches=_matches,
    read=_read,
)

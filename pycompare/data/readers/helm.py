"""HELM: statistics of each instance, one JSON file a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.data.readers.formats import Format, Head, Other, Part, Wanted
from pycompare.data.readers.rows import (
    Rows,
    at_lines,
    chosen,
    directions,
    json_value,
    number,
    required,
    shown,
)

_MODEL = re.compile(r"(?:^|[,:])(model=[^,]+)")
_ORIGINAL = "original"
_KEYS = ("instance_id", "train_trial_index", "stats")
_COUNTS = re.compile(
    r"(num_|max_num_|inference_|training_|finish_reason_|batch_size|prompt_tokens|"
    r"max_prob|logprob|predicted_index|estimated_num_|.*_runtime$)"
)
_DIRECTIONS = directions(
    higher="exact_match quasi_exact_match prefix_exact_match quasi_prefix_exact_match "
    "f1_score rouge_1 rouge_2 rouge_l bleu_1 bleu_4 f1_set_match iou_set_match "
    "exact_set_match final_number_exact_match math_equiv math_equiv_chain_of_thought "
    "code_eval_acc pass chain_of_thought_correctness ifeval_strict_accuracy "
    "wildbench_score omni_math_accuracy safety_score accuracy ndcg_cut_10 RR@10 RR@20",
    lower="bits_per_byte perplexity logits_per_byte edit_distance word_error_rate "
    "char_error_rate toxic_frac",
)


def _matches(head: Head) -> bool:
    """Return whether the file is an array of statistics of instances."""
    start = head.text.lstrip()
    return start.startswith("[") and all(f'"{key}"' in head.text for key in _KEYS)


def _read(path: Path, wanted: Wanted) -> Part | Other:
    """Read one metric of a run of one model."""
    model, scenario = _model_and_scenario(path)
    by_copy, metrics = dict[str, Rows](), dict[str, None]()
    metric = wanted.metric or ""
    with at_lines(path, _instances(path)) as instances:
        for instance in instances:
            stats = dict(_stats(instance))
            metrics |= dict.fromkeys(stats)
            if not metric:
                metric = chosen("metric", None, list(stats))
            copy = instance.get("perturbation")
            name = str(copy.get("name")) if isinstance(copy, dict) else _ORIGINAL
            rows = by_copy.setdefault(name, wanted.rows())
            if metric in stats:
                rows.add(
                    model,
                    f"{scenario}/{required(instance, 'instance_id')}",
                    number(stats[metric], metric),
                    group=scenario,
                    run=required(instance, "train_trial_index"),
                    of=instance,
                )
    if metric not in metrics:
        return Other(tuple(metrics))
    try:
        name = (
            _ORIGINAL
            if {*by_copy} == {_ORIGINAL}
            else chosen("filter", wanted.filter, list(by_copy))
        )
    except InputError as error:
        error.at(shown(path))
        raise
    return Part(by_copy[name], metric, _DIRECTIONS.get(metric), (scenario, name))


def _instances(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    held = json_value(path)
    for at, instance in enumerate(held if isinstance(held, list) else (), start=1):
        if not isinstance(instance, dict):
            raise InputError(f"{shown(path)}: instance {at} is no object")
        yield at, instance


def _stats(instance: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the metrics of an instance with their means; counts are left out."""
    stats = instance.get("stats")
    for stat in stats if isinstance(stats, list) else ():
        name = stat.get("name") if isinstance(stat, dict) else None
        if not isinstance(name, dict) or "name" not in name:
            raise InputError("'stats' has an entry without a name")
        if not _COUNTS.match(str(name["name"])):
            yield str(name["name"]), stat.get("mean")


def _model_and_scenario(path: Path) -> tuple[str, str]:
    """Return the model and the scenario of a run."""
    name = path.parent.name
    beside = path.with_name("run_spec.json")
    spec = json_value(beside) if beside.is_file() else None
    adapter = spec.get("adapter_spec") if isinstance(spec, dict) else None
    match = _MODEL.search(name)
    model = adapter.get("model") if isinstance(adapter, dict) else None
    model = model or (match[1].removeprefix("model=") if match else "")
    if not model:
        raise InputError(
            f"{shown(path)}: neither run_spec.json beside it nor its folder's name "
            "(SCENARIO:model=MODEL) shows the model"
        )
    scenario = _MODEL.sub("", name) if match else name
    return str(model), scenario.strip(",:") or name


HELM = Format(
    name="helm",
    program="HELM",
    files="per_instance_stats.json in the folder of each run (runs/SUITE/RUN)",
    endings=(".json",),
    columns="algorithm: the model in run_spec.json beside it, or in the folder's name; "
    "block: the folder's name without the model, and instance_id; run: "
    "train_trial_index; score: the mean of the metric",
    block="an instance of a scenario; several scenarios are groups, trials are runs",
    metrics="by name: matches, accuracies, F1, ROUGE, BLEU are higher; bits per byte, "
    "perplexities and error rates lower",
    trap="each perturbation of an instance is a copy of it: filter names one of them, "
    "or original. Trials have other examples in the prompt: they are runs of one "
    "instance. Counts and times (num_..., inference_...) are left out",
    again="leave one run of each scenario and model in the folder",
    items=True,
    takes=("filter",),
    matches=_matches,
    read=_read,
)

"""nnU-Net: summary.json of an evaluation, one entry per case."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show
from pycompare.data.compressed import uncompressed_name
from pycompare.data.readers.formats import Format, Head, Other, Part, Wanted
from pycompare.data.readers.rows import (
    at_lines,
    chosen,
    directions,
    json_value,
    number,
    shown,
)

_COUNTS = re.compile(r"(FP|TP|FN|TN|n_pred|n_ref|Total Positives .*)")
_FOLDERS = re.compile(r"(fold_.*|validation.*|postprocessed|crossval_results.*)")
_FIRST = ("results", "all", "reference", "test")
_ENDINGS = (".nii", ".nrrd", ".mha", ".tif", ".png", ".npz")
_DIRECTIONS = directions(
    higher="Dice IoU Jaccard Precision Recall",
    lower="",
)


def _matches(head: Head) -> bool:
    """Return whether the file holds cases; the first version's differ in their keys."""
    text = head.text
    second = '"metric_per_case"' in text or '"foreground_mean"' in text
    return second or all(f'"{key}"' in text for key in _FIRST)


def _read(path: Path, wanted: Wanted) -> Part | Other:
    """Read one metric of one label of all cases."""
    model, empty = wanted.folder or _names(path).name, 0
    cases = list(_cases(path))
    labels = list(dict.fromkeys(label for _, own in cases for label in own))
    if not labels:
        raise InputError(f"{shown(path)}: no cases")
    known = list(
        dict.fromkeys(
            name
            for _, own in cases
            for metrics in own.values()
            for name in metrics
            if not _COUNTS.fullmatch(name)
        )
    )
    if wanted.metric not in (None, *known):
        return Other(tuple(known))
    metric = chosen("metric", wanted.metric, known)
    label = chosen("filter", wanted.filter, labels)
    rows = wanted.rows()
    with at_lines(path, enumerate(cases, start=1)) as entries:
        for case, own in entries:
            value = number(own.get(label, {}).get(metric), metric)
            empty += math.isnan(value)
            rows.add(model, case, value, of={"case": case})
    told = f"{model}: {counted(empty, 'case')} without {metric}"
    better = _DIRECTIONS.get(metric)
    notes = (told,) if empty else ()
    return Part(rows, metric, better, ("label", label), notes=notes)


def _cases(path: Path) -> Iterator[tuple[str, dict[str, dict[str, Any]]]]:
    """Yield the name of each case, and its metrics by label."""
    summary = json_value(path)
    entries = summary.get("metric_per_case") if isinstance(summary, dict) else None
    if entries is None and isinstance(summary, dict):
        results = summary.get("results")
        entries = results.get("all") if isinstance(results, dict) else None
    if not isinstance(entries, list):
        raise InputError(f"{shown(path)}: no list 'metric_per_case' or 'results.all'")
    for at, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            raise InputError(f"{shown(path)}: case {at} is {show(entry)}")
        named = entry.get("reference_file", entry.get("reference"))
        named = named or entry.get("prediction_file", entry.get("test"))
        if not isinstance(named, str):
            raise InputError(f"{shown(path)}: case {at} names no file")
        held = entry.get("metrics", entry)
        labels = held.items() if isinstance(held, dict) else ()
        yield _case(named), {k: v for k, v in labels if isinstance(v, dict)}


def _case(file: str) -> str:
    """Return the name of a case, which is its file's."""
    name = uncompressed_name(re.split(r"[/\\]", file)[-1])
    return next((name.removesuffix(e) for e in _ENDINGS if name.endswith(e)), name)


def _names(path: Path) -> Path:
    """Return the folder that names the model: no fold, and no kind of results."""
    folder = path.parent
    while _FOLDERS.fullmatch(folder.name) and folder.parent != folder:
        folder = folder.parent
    return folder


NNUNET = Format(
    name="nnu-net",
    program="nnU-Net",
    files="summary.json of nnUNetv2_evaluate_folder, or of fold_N/validation of a "
    "trained model, in a folder for each model",
    endings=(".json",),
    columns="algorithm: the folder, without fold_N and validation; block: the case, "
    "which the reference's file names; score: the metric of the label",
    block="a case",
    metrics="Dice and IoU are higher; better is needed for distances",
    trap="each label has metrics of its own: filter names one. Dice has no value if "
    "neither the reference nor the prediction has the label: that is right, and not "
    "a failure. Counts (TP, FP, n_ref) are left out. Folds of one model hold "
    "different cases and are read together",
    gaps=(
        "drop-block",
        "Dice has no value if reference and prediction are both empty, which is no "
        "failure; nnU-Net leaves such cases out of its means",
    ),
    again="leave one summary of each model and case in the folder",
    items=True,
    takes=("filter",),
    names=_names,
    matches=_matches,
    read=_read,
)

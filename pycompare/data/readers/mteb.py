"""MTEB: one JSON file for each model, revision and task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.labels import show_all
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import chosen, json_value, number, shown

_KEYS = ("mteb_version", "scores", "dataset_revision")
_MAIN = "main_score"
_EXPERIMENTS = "experiments"


def _matches(head: Head) -> bool:
    """Return whether the file has the keys of a task's result."""
    return all(f'"{key}"' in head.text for key in _KEYS)


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the score of one task of one model."""
    record = json_value(path)
    if not isinstance(record, dict) or not isinstance(record.get("scores"), dict):
        raise InputError(f"{shown(path)}: no 'scores'")
    task, splits = str(record.get("task_name") or path.stem), record["scores"]
    split, subset = _split(path, wanted.filter, splits)
    parts = splits[split]
    if not isinstance(parts, list) or not all(isinstance(p, dict) for p in parts):
        raise InputError(f"{shown(path)}: 'scores' of {split} are no list of objects")
    if not parts:
        raise InputError(f"{shown(path)}: 'scores' of {split} are empty")
    parts = [p for p in parts if subset in ("", _subset(p))]
    known = [name for name, value in parts[0].items() if isinstance(value, int | float)]
    metric = chosen("metric", wanted.metric or _MAIN, known)
    values = [number(part.get(metric), metric) for part in parts]
    subsets = sorted(map(_subset, parts))
    rows = wanted.rows()
    model, revision, experiment = _folders(path)
    of = {
        "model": model.name,
        "revision": revision.name,
        "experiment": experiment,
        "task": task,
        "dataset_revision": record.get("dataset_revision"),
        "mteb_version": record.get("mteb_version"),
    }
    rows.add(_model(path), task, sum(values) / len(values), of=of)
    notes = ["several subsets of a task: their mean, as MTEB has it"]
    return Part(
        rows,
        metric,
        "higher" if metric == _MAIN else None,
        (task, f"{split}/{subset}" if subset else split),
        tuple(subsets),
        tuple(notes[: len(subsets) > 1]),
    )


def _subset(part: dict[str, Any]) -> str:
    return str(part.get("hf_subset", "default"))


def _split(path: Path, asked: str | None, splits: dict[str, Any]) -> tuple[str, str]:
    """Return the split and the subset to read; "" for all subsets."""
    if not splits:
        raise InputError(f"{shown(path)}: no 'scores'")
    split, _, subset = (asked or "").partition("/")
    if len(splits) > 1 and split not in splits:
        try:
            chosen("filter", asked, list(splits))
        except InputError as error:
            error.at(shown(path))
            raise
    split = split if split in splits else next(iter(splits))
    parts = splits[split]
    if not subset or not isinstance(parts, list) or len(parts) == 1:
        return split, ""
    known = [_subset(part) for part in parts if isinstance(part, dict)]
    if subset not in known:
        raise InputError(
            f"{shown(path)}: there is no subset {subset!r} of {split}; choose one of "
            f"{show_all(f'{split}/{name}' for name in known)}"
        )
    return split, subset


def _folders(path: Path) -> tuple[Path, Path, str]:
    """Return the folders of the model and the revision, and the experiment, or ``""``.

    MTEB 2 writes models that are called with other arguments than their own into
    MODEL/REVISION/experiments/NAME.
    """
    folder, experiment = path.parent, ""
    if folder.parent.name == _EXPERIMENTS:
        folder, experiment = folder.parent.parent, folder.name
    return folder.parent, folder, experiment


def _model(path: Path) -> str:
    """Return the model, with the revision if its folder has several."""
    model, revision, experiment = _folders(path)
    others = [
        sibling
        for sibling in model.iterdir()
        if sibling.is_dir() and sibling != revision and any(sibling.glob("*.json"))
    ]
    parts = (model.name, revision.name if others else "", experiment)
    return "/".join(filter(None, parts))


MTEB = Format(
    name="mteb",
    program="MTEB",
    files="MODEL/REVISION/TASK.json, the results of mteb 1.11 and later; "
    "MODEL/REVISION/experiments/NAME/TASK.json of mteb 2",
    endings=(".json",),
    columns="algorithm: MODEL, with REVISION if a model has several, and with NAME of "
    "an experiment; block: the task; score: main_score",
    block="a task",
    metrics="main_score is higher; better is needed for others",
    trap="a model with several revisions is several algorithms, unless algorithm says "
    "otherwise (path/1 if the folder holds MODEL/REVISION/TASK.json). A task with "
    "several splits needs filter (test), and its score is the mean over its subsets, "
    "as in MTEB; filter test/en takes one of them. All models need the same subsets",
    again="a model has results of several revisions: keep one of them for each task",
    takes=("filter",),
    matches=_matches,
    read=_read,
)

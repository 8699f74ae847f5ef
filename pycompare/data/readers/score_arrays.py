"""Arrays of scores by algorithm, as rliable takes them: runs by tasks."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pycompare.base.errors import InputError, refused
from pycompare.base.labels import show
from pycompare.base.typing import Floats
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import chosen, number, shown, stem

_ZIP, _NUMPY = "PK", "NUMPY"


def _matches(head: Head) -> bool:
    """Return whether NumPy wrote the file."""
    return head.text.startswith(_ZIP) or _NUMPY in head.text[:8]


def _read(path: Path, wanted: Wanted) -> Part:
    """Read arrays of runs and tasks."""
    metric = chosen("metric", wanted.metric or "score", [wanted.metric or "score"])
    rows, tasks = wanted.rows(), 0
    for name, scores in _arrays(path):
        if scores.ndim != 2 or 0 in scores.shape:
            raise InputError(
                f"{shown(path)}: {show(name)} has shape {scores.shape}; an array has "
                "two axes, runs and tasks (of scores over frames choose one frame)"
            )
        if tasks and scores.shape[1] != tasks:
            raise InputError(
                f"{shown(path)}: {show(name)} has {scores.shape[1]} tasks, and the "
                f"arrays before it have {tasks}"
            )
        tasks = scores.shape[1]
        for run, own in enumerate(scores.tolist(), start=1):
            for task, value in enumerate(own, start=1):
                of = {"array": name, "task": task, "run": run}
                score = number(value, metric)
                several = len(scores) > 1
                rows.add(name, f"task {task}", score, run=str(run) * several, of=of)
    return Part(rows, metric, None)


def _arrays(path: Path) -> Iterator[tuple[str, Floats]]:
    """Yield the arrays of a file; pickled objects are not read: they can run code."""
    with refused(
        f"{shown(path)}: these are no arrays of numbers; save a dictionary of arrays "
        "by numpy.savez(FILE, **scores)",
        *(ValueError, TypeError, OSError, EOFError, KeyError, zipfile.BadZipFile),
    ):
        loaded = np.load(path, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            yield stem(path), loaded.astype(float)
            return
        with loaded:
            for name in loaded.files:
                yield name, loaded[name].astype(float)


SCORE_ARRAYS = Format(
    name="score-arrays",
    program="NumPy, as for rliable",
    files="numpy.savez(FILE, **scores), scores by algorithm as rliable takes them, or "
    "ALGORITHM.npy",
    endings=(".npz", ".npy"),
    columns="algorithm: the array's name; run: the first axis; block: the second axis, "
    "numbered; score: the number",
    block="a task (a game); the first axis are runs",
    metrics="none: better is needed",
    trap="the arrays do not name their tasks: the second axis must have the same tasks "
    "in the same order. Pickled dictionaries (.npy of an object) are not read",
    matches=_matches,
    read=_read,
)

"""Result files of other programs as scores, in one call."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from json import JSONDecodeError
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.file_errors import about
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show, show_all
from pycompare.base.metric import Direction, Metric
from pycompare.base.parallel.place import cores, elsewhere, is_placed, working
from pycompare.base.parallel.progress import discard
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.worker import FileState
from pycompare.base.typing import Floats
from pycompare.data.compressed import without_endings
from pycompare.data.readers.formats import Format, Other, Part, Wanted
from pycompare.data.readers.known import files_of, named, recognised
from pycompare.data.readers.merged import Merged
from pycompare.data.readers.rows import chosen, shown
from pycompare.data.reading.answers import Answers, Range
from pycompare.data.reading.worst import Worst
from pycompare.data.scores import Scores, from_cells
from pycompare.data.source import Source

_WORTH_WORKERS = 2**28
"""Bytes from which on several processes are faster than one."""


@checked
def read_results(
    path: str | PathLike[str],
    format: str | None = None,
    *,
    metric: str | None = None,
    better: Direction | None = None,
    filter: str | None = None,
    algorithm: str | None = None,
    block: str | None = None,
    dataset: str | None = None,
    replicate: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    missing: str = "error",
    worst: Worst = None,
    range: Range = None,
    leave_out: Sequence[str] = (),
    workers: int | None = None,
    scheduler: str | Any | None = None,
    progress: Callable[[str], None] = discard,
) -> Scores:
    """Read result files of another program as scores.

    Parameters
    ----------
    path : path
        A file, or a folder whose files (of subfolders too) are read together.
    format : str, optional
        Who wrote the files: "lm-eval", "every-eval-ever", "inspect-logs", "inspect",
        "helm", "mteb", "swe-bench", "swe-bench-experiments", "trec-eval", "nnu-net",
        "moabb", "amlb", "tabarena", "openml", "weka", "keel", "mlr3", "tidymodels",
        "scikit-learn", "aeon", "tsml-means", "tsml-predictions", "score-arrays",
        "mlflow" or "wandb".
        Default: known by their contents; the scores' ``notes`` state the role of each
        part. Other files in a folder are left unchanged, and counted.
    metric : str, optional
        Which metric; needed if the files have several.
    better : {"higher", "lower"}, optional
        Its direction; needed if the format does not show.
    filter : str, optional
        Which filter of lm-evaluation-harness, perturbation of HELM, split of MTEB,
        label of nnU-Net or constraint of the AutoML benchmark, if there are several.
    algorithm, replicate, group, cluster : str, optional
        Columns or fields with these labels, in place of those that the format has;
        fields within objects with points, ``"doc.subject"``. ``"path"`` is the path of
        a file below ``path`` without its ending, and ``"path/1"`` its first part
        between ``/``, ``"path/-1"`` the last one; so of every field.
    block, dataset : str, optional
        Columns with the labels. Only of formats in which every user names other things:
        mlflow and wandb, if algorithm and block are required.
    missing : {"error", "drop-block", "model", "worst", "bounds"}
        As in `Scores.from_frame`: an item that some algorithm did not answer is
        rejected (default), unless ``"drop-block"`` pairs on common items, ``"worst"``
        counts it as failed, or ``"bounds"`` keeps it for ``pc.gate``.
    range : (low, high), optional
        Lowest and highest possible score; others are rejected.
    worst : float or mapping, optional
        As in `Scores.from_frame`.
    leave_out : sequence of str
        Parts that are left out: ``"algorithm=NAME"``, ``"block=LABEL"``, and so
        ``dataset=``, ``group=``, ``cluster=``. A name that is not there is rejected.
    workers : int, optional
        Processes that read. Default: as ``joblib.parallel_config`` is set, or as many
        as there are processors, one if the files are small.
    scheduler : str or dask client, optional
        Address of a dask.distributed scheduler, its file, or ``env``
        (DASK_SCHEDULER_ADDRESS). Its workers need the same pycompare, and the same
        files under the same path; both are checked.
    progress : callable, optional
        Gets lines: files read, and how much time is left.

    Returns
    -------
    Scores
        The page "Result files of other programs" defines the blocks of each format.
        Items of a test set are compared as cases (``Scores.items``), folds of data sets
        as such, unless a plan states otherwise. ``source`` has a hash over all files.

    Raises
    ------
    InputError
        If no format, or more than one, is recognised; a line cannot be read, with the
        name of the file and the line; the files have several metrics or filters and
        none is named; or as `Scores.from_frame`.

    Notes
    -----
    Files are read row by row: memory grows with the number of scores (about 20 bytes
    each), not with the size of the files.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> import pycompare as pc
    >>> for model, resolved in (("A", ["x-1", "x-2", "y-1"]), ("B", ["x-1"])):
    ...     report = {"submitted_ids": ["x-1", "x-2", "y-1", "y-2"]}
    ...     text = json.dumps(report | {"resolved_ids": resolved})
    ...     _ = Path(f"{model}.run.json").write_text(text)
    >>> scores = pc.read_results(".", "swe-bench")
    >>> scores
    <Scores: 4 blocks x 2 algorithms, resolved (higher is better)>
    >>> scores.clusters
    ('x', 'x', 'y', 'y')
    """
    wanted = Wanted(
        *(metric, filter, algorithm, block, dataset),
        replicate=replicate,
        group=group,
        cluster=cluster,
        root=Path(path),
        missing=missing,
    )
    answers = Answers(leave_out=tuple(leave_out), range=range)
    if format is not None:
        named(format)
    files = files_of(Path(path))
    kind, ours, others = recognised(files, format)
    _refuse_choices(kind, wanted)
    together = _FilesRead(kind, wanted)
    with working(_workers(workers, scheduler, ours), scheduler, progress):
        for file, read in zip(ours, _files_read(kind, ours, wanted), strict=True):
            together.add(file, *read)
    return together.scores(Path(path), better, missing, others, worst, answers)


def _refuse_outside(values: Floats, metric: Metric, answers: Answers) -> None:
    """Reject scores outside of the range that is declared."""
    ends = answers.range_of(metric.name)
    if ends is None:
        return
    outside = values[(values < ends[0]) | (values > ends[1])]
    outside = outside[np.isfinite(outside)]
    if outside.size:
        raise InputError(
            setting("range", answers.range)
            + f": {show(metric.name)} has scores outside of it, first: {outside[0]:g}"
        )


def _refuse_choices(kind: Format, wanted: Wanted) -> None:
    """Reject a choice that the format does not leave."""
    for name in ("filter", "block", "dataset"):
        given = getattr(wanted, name)
        if given is not None and name not in kind.takes:
            raise InputError(
                setting(name, given)
                + f": it has no effect on files of {kind.name}; leave it out"
            )


def _workers(asked: int | None, scheduler: object, files: Sequence[Path]) -> int | None:
    """Return how many processes read the files."""
    if asked is not None or scheduler is not None or is_placed():
        return asked
    size = sum(file.stat().st_size for file in files)
    return min(cores(), len(files)) if size >= _WORTH_WORKERS else 1


def _files_read(
    kind: Format, files: Sequence[Path], wanted: Wanted
) -> Iterator[tuple[Part | Other, str]]:
    """Yield the data read of each file, in the files' order."""
    folders = _folder_names([kind.names(file) for file in files])
    away = elsewhere()
    keys = [
        _File(
            os.path.realpath(file) if away else str(file),
            folders[kind.names(file)],
            _path_of(file, wanted.root),
            FileState.of(os.path.realpath(file)) if away else None,
        )
        for file in files
    ]
    yield from tasks(_read_one, (kind.name, wanted), keys, what="files")


def _path_of(file: Path, root: Path | None) -> str:
    """Return a file's path below the input, less its ending."""
    below = root is not None and file != root
    name = file.relative_to(root).as_posix() if below and root else file.name
    return without_endings(name)


def _folder_names(folders: Iterable[Path]) -> dict[Path, str]:
    """Return what distinguishes each folder: its name, longer if need be.

    Folders ``orgA/llama`` and ``orgB/llama`` keep both names; the same number of names
    above is taken for all folders that end alike.
    """
    by_name: dict[str, list[Path]] = {}
    for folder in dict.fromkeys(folders):
        by_name.setdefault(folder.name, []).append(folder)
    named: dict[Path, str] = {}
    for alike in by_name.values():
        parts = {folder: folder.absolute().parts for folder in alike}
        depth = 1
        while len({own[-depth:] for own in parts.values()}) < len(alike):
            depth += 1
        named |= {folder: "/".join(own[-depth:]) for folder, own in parts.items()}
    return named


_UNREADABLE: dict[type[Exception], str] = {
    UnicodeDecodeError: "not UTF-8; write the file again as UTF-8",
    JSONDecodeError: "not JSON; was the file cut off?",
    RecursionError: "its JSON is nested too deeply",
}
"""What a file may be that is damaged if no line is known."""


class _File(NamedTuple):
    """A file to read: its place, its names, and its state if others may read it."""

    path: str
    folder: str
    name: str
    state: FileState | None


def _read_one(constants: tuple[str, Wanted], file: _File) -> tuple[Part | Other, str]:
    """Read and hash a file."""
    name, wanted = constants
    path = Path(file.path)
    if file.state is not None:
        file.state.require()
    try:
        with about(path):
            own = replace(wanted, folder=file.folder, path=file.name)
            part = named(name).read(path, own)
            with path.open("rb") as stream:
                return part, hashlib.file_digest(stream, "sha256").hexdigest()
    except tuple(_UNREADABLE) as error:
        raise InputError(f"{shown(path)}: {_UNREADABLE[type(error)]}") from error


class _FilesRead:
    """The data read of all files; it has to fit together."""

    def __init__(self, kind: Format, wanted: Wanted) -> None:
        self._kind, self._wanted = kind, wanted
        self._merged = Merged(wanted.named().given)
        self._metric: tuple[str, str | None] | None = None
        self._filters: dict[str, str] = {}
        self._means: dict[str, tuple[str, ...]] = {}
        self._notes: dict[str, None] = {}
        self._others: dict[str, Other] = {}
        self._hash, self._size, self._n = hashlib.sha256(), 0, 0

    def add(self, file: Path, part: Part | Other, sha256: str) -> None:
        """Add what one file has."""
        if isinstance(part, Other):
            self._others |= {shown(file): part}
            return
        self._require_same(part)
        self._notes |= dict.fromkeys(part.notes)
        self._merged.add(part.rows, file, self._kind.again)
        self._hash.update(f"{sha256}  {file.name}\n".encode())
        self._size += file.stat().st_size
        self._n += 1

    def _require_same(self, part: Part) -> None:
        """Reject another metric, or another filter of the same task."""
        before = self._metric or (part.metric, part.better)
        if before[0] != part.metric:
            raise InputError(
                setting("metric")
                + f": the files have several, {show_all([before[0], part.metric])}; "
                "name one"
            )
        if None not in (before[1], part.better) and before[1] != part.better:
            raise InputError(
                f"{part.metric!r} is better if higher in some files and if lower in "
                "others; read them apart"
            )
        self._metric = (part.metric, before[1] or part.better)
        if part.filter is not None:
            of, name = part.filter
            earlier = self._filters.setdefault(of, name)
            if earlier != name:
                raise InputError(
                    setting("filter")
                    + f": files of {of} have several, {show_all([earlier, name])}; "
                    "name one"
                )
            parts = self._means.setdefault(of, part.mean_of)
            if parts != part.mean_of:
                raise InputError(
                    f"scores of {of} are means over {show_all(parts)} in some files, "
                    f"and over {show_all(part.mean_of)} in others; choose one part, "
                    "which all have, with " + setting("filter", f"{name}/{parts[0]}")
                )

    def scores(
        self,
        path: Path,
        better: Direction | None,
        missing: str,
        others: Sequence[Path],
        worst: Worst,
        answers: Answers,
    ) -> Scores:
        """Return the scores of all files."""
        if self._metric is None or not self._merged.blocks:
            known = dict.fromkeys(m for o in self._others.values() for m in o.metrics)
            if known:
                chosen("metric", self._wanted.metric, list(known))
            raise InputError(f"{path.name}: the files hold no scores")
        asked, filters = self._wanted.filter, set(self._filters.values())
        if asked is not None and asked not in filters:
            raise InputError(
                setting("filter", asked) + f": the files have {show_all(filters)}"
            )
        metric = self._one_metric(better)
        cells = self._merged.cells(metric.name, answers.leave_out)
        if len(cells.algorithms) < 2:
            raise InputError(
                f"{path.name}: the files are of one algorithm, "
                f"{show_all(cells.algorithms)}; a comparison needs two or more. "
                f"{self._kind.program}: {self._kind.columns}"
                + "".join(f"; {told}" for told in _left_alone(others))
            )
        source = Source(
            name=path.resolve().name,
            sha256=self._hash.hexdigest(),
            size=self._size,
            rows=self._merged.n_rows,
            format=self._kind.name,
            other_prompts=self._merged.other_prompts,
        )
        notes = (*self._told(metric, better, others), *answers.notes())
        _refuse_outside(cells.values, metric, answers)
        gaps = missing == "error" and np.isnan(cells.values).any()
        try:
            return from_cells(
                *(cells, (metric,), missing, source, notes),
                items=self._kind.items,
                worst=worst,
                declared=answers,
            )
        except InputError as error:
            if gaps and self._kind.gaps:
                policy, rule = self._kind.gaps
                asked = setting("missing", policy)
                error.args = (error.message + f". The rule here: {rule}: " + asked,)
            raise

    def _one_metric(self, better: Direction | None) -> Metric:
        """Return the metric with its direction."""
        assert self._metric is not None
        name, known = self._metric
        if better is None and known is None:
            raise InputError(
                f"state whether higher or lower {name!r} is better (better, or "
                "--metric "
                f"{name}:higher or {name}:lower); files of {self._kind.name} do not "
                "state it"
            )
        return Metric(name, better or known)  # type: ignore[arg-type]

    def _told(
        self, metric: Metric, better: Direction | None, others: Sequence[Path]
    ) -> tuple[str, ...]:
        """Return how each file was read."""
        kind, filters = self._kind, self._filters
        assert self._metric is not None
        known = self._metric[1]
        whose = f"as {kind.program} has it" if not better else "as the call specifies"
        if None not in (better, known) and better != known:
            whose += f" ({kind.program}: {known})"
        lines = [
            f"read as {kind.name} ({kind.program}): {counted(self._n, 'file')}",
            f"score: {metric.name}, {metric.better} is better, {whose}",
            f"columns: {kind.columns}",
            f"block: {kind.block}",
        ]
        if any(name != "none" for name in filters.values()):
            told = ", ".join(f"{name} ({of})" for of, name in filters.items())
            lines.append(f"filter: {told}")
        lines += _left_alone(others)
        if self._others:
            lines.append(
                f"{counted(len(self._others), 'file')} without {metric.name} left "
                f"unchanged: {show_all(self._others)}"
            )
        if differ := self._merged.other_prompts:
            lines.append(
                f"prompts of {differ:,} of {counted(len(self._merged.blocks), 'item')} "
                "differ between rows of one item"
            )
        return (*lines, *self._notes)


def _left_alone(others: Sequence[Path]) -> list[str]:
    """Return which files are not of the format, if there are some."""
    if not others:
        return []
    count = counted(len(others), "file")
    return [f"{count} of no such format left unchanged: {show_all(map(shown, others))}"]

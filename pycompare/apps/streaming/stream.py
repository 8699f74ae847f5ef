"""Measures of predictions of any size: Parquet, a bounded number of rows at a time."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from os import PathLike, stat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pycompare.apps.streaming.parquet_groups import (
    ClassChoice,
    GroupLayout,
    Portion,
    look,
    read_groups,
)
from pycompare.apps.streaming.scattered_rows import SortedPortion, sorted_portions
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.file_errors import about, why
from pycompare.base.labels import levels, show, show_all
from pycompare.base.parallel.place import elsewhere, working
from pycompare.base.parallel.progress import discard
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import Unfinished, identity, keeping
from pycompare.base.parallel.worker import FileState
from pycompare.base.typing import Indices
from pycompare.data.classes import POSITIVE, two_classes
from pycompare.data.file_format import FileFormat
from pycompare.data.files import named
from pycompare.data.measured import as_scores
from pycompare.data.measures.measure import measure_groups
from pycompare.data.measures.request import Request, Threshold, request
from pycompare.data.missing import require_policy
from pycompare.data.partitions import ParquetFile, parts_of
from pycompare.data.prediction_files import read_predictions
from pycompare.data.predictions import (
    positives_of,
    refuse_one_class,
    require_one_class,
    settle_groups,
    unequal,
)
from pycompare.data.reading.wide_predictions import refuse_two_ways
from pycompare.data.roles import RoleColumns, roles_of
from pycompare.data.scores import Scores
from pycompare.data.source import Source
from pycompare.data.table import truth_notes

ROWS = 2**20
"""Rows of a portion, unless one group has more: about a second of work."""
_SORTED_SHARE = 4
"""Rows that are sorted first travel with the tasks, so their portions are smaller."""
_PASSES = 3
"""Up to so many times a row is read from the files given, which needs no disk."""

Measured = dict[str, Any]
"""The values of a portion, and all that is checked at the end, by name."""


@checked
def measure_file(
    path: str | PathLike[str],
    *,
    metrics: str | Sequence[str],
    label: str,
    positive: object,
    algorithm: str | None = None,
    score: str | None = None,
    algorithms: Sequence[str] | None = None,
    block: str | None = None,
    dataset: str | None = None,
    case: str | None = None,
    replicate: str | None = None,
    group: str | None = None,
    rest: bool = False,
    classes: Sequence[object] | None = None,
    one_class: str = "error",
    missing: str = "error",
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
    threshold: Threshold = None,
    cost_ratio: float | None = None,
    loss: Sequence[Sequence[float]] | None = None,
    fpr_range: tuple[float, float] | None = None,
    top_share: float | None = None,
    undefined: Mapping[str, float] | None = None,
    workers: int | None = None,
    scheduler: str | Any | None = None,
    keep: str | PathLike[str] | None = None,
    progress: Callable[[str], None] | None = None,
    write: Callable[[Scores], object] | None = None,
) -> Scores:
    """Measure predictions in files of any size, with bounded memory.

    The same numbers as ``read_predictions(...).measure(...)``, in the memory of a
    million rows or of the largest group (one algorithm on one block), whichever is
    more. Files that are sorted or partitioned by group are read once. Other rows are
    sorted first, in temporary files of 13 bytes per row (21 with ``case``) below the
    folder that TMPDIR names. Row groups of a few hundred thousand rows are best. Other
    files than Parquet are read as a whole.

    Parameters
    ----------
    path : path
        A Parquet file, or a folder of them as in `read_predictions`.
    metrics, threshold, cost_ratio, loss, fpr_range, top_share, undefined
        As in `Predictions.measure`.
    label, positive, algorithm, score, algorithms, block, dataset, case, replicate, \
group, rest, classes, one_class, missing
        As in `Predictions.from_frame`. With ``replicate``, ``group`` or ``algorithms``,
        or without ``block``, Parquet files are read as a whole as well. With ``case``,
        hashes of 64 bits are compared, not the labels themselves.
    sep, decimal, sheet, header
        How a text or ``.xlsx`` file is written, as in `read_scores`.
    workers : int, optional
        Worker processes on this machine. If one is killed, its unfinished work is
        done again. Default: as ``joblib.parallel_config`` is set, or 1.
    scheduler : str or dask client, optional
        Address of a dask.distributed scheduler, its file, or ``env``
        (DASK_SCHEDULER_ADDRESS). Its workers need the same pycompare, and the same
        files under the same path; both are checked.
    keep : path, optional
        A folder for finished parts; with it, interrupted runs resume where they
        stopped. It is removed at the end, never after an error.
    progress : callable, optional
        Called with lines of text: how much is done, and how much time is left.
    write : callable, optional
        Called with the scores, to save them. ``keep`` is removed after it, so that
        nothing is lost if it fails.

    Returns
    -------
    Scores
        Bit for bit the same for any number of workers, and after any interruption.

    Raises
    ------
    InputError
        As `Predictions.from_frame` and `Predictions.measure`; if ``keep`` holds the
        run of another request; if a file changes while it is read; or if the disk has
        no space for temporary files.

    Notes
    -----
    Equation 1.4 of docs/equations.md.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> table = pd.read_csv(pc.example_path("predictions"))
    >>> with TemporaryDirectory() as folder:
    ...     path = f"{folder}/predictions.parquet"
    ...     table.to_parquet(path)
    ...     scores = pc.measure_file(
    ...         path, metrics=["error", "auc"], algorithm="algorithm", dataset="data",
    ...         block="fold", label="class", score="probability", positive="yes",
    ...     )
    >>> scores
    <Scores: 80 blocks x 3 algorithms, error (lower is better), auc (higher is better)>
    """
    measures: dict[str, Any] = {
        "threshold": threshold,
        "cost_ratio": cost_ratio,
        "loss": loss,
        "fpr_range": fpr_range,
        "top_share": top_share,
        "undefined": undefined,
    }
    form: dict[str, Any] = {
        "sep": sep, "decimal": decimal, "sheet": sheet, "header": header,
    }  # fmt: skip
    wanted = request(metrics, **measures)
    require_policy(missing)
    require_one_class(one_class)
    columns = RoleColumns(
        algorithm, block, label, score, dataset, case, replicate, group
    )
    refuse_two_ways(columns, algorithms)
    choice = ClassChoice(positive, rest, None if classes is None else tuple(classes))
    place = working(workers, scheduler, progress or discard)
    if _in_pieces(Path(path), block, replicate, group, algorithms):
        with named(path):
            FileFormat(**form).require_parquet()
            run = _Run(Path(path), columns, choice, wanted, one_class, missing)
            with place:
                scores, kept = run.scores(keep)
        if write is not None:
            write(scores)
        kept.remove()
        return scores
    predictions = read_predictions(
        path,
        **{name: getattr(columns, name) for name in roles_of("predictions")},
        **choice._asdict(),
        algorithms=algorithms,
        one_class=one_class,
        missing=missing,
        **form,
    )
    with nullcontext() if keep is None else keeping(Path(keep)):
        with place:
            scores = predictions.measure(metrics, **measures)
        if write is not None:
            write(scores)
    return scores


def _in_pieces(path: Path, block: str | None, *roles: object) -> bool:
    """Return whether predictions are read a portion at a time.

    They are in Parquet with a column of blocks; ``roles`` are those without which.
    """
    parquet = path.is_dir() or path.suffix.lower() == ".parquet"
    return parquet and block is not None and not any(roles)


class _Constants(NamedTuple):
    """What a worker gets once: ``files`` as they were at first; none on one machine."""

    layout: GroupLayout
    choice: ClassChoice
    wanted: Request
    files: list[FileState]


def work(constants: _Constants, portion: Portion | SortedPortion) -> Measured:
    """Read and measure the groups of one portion."""
    if isinstance(portion, SortedPortion):
        batch = portion.read()
    else:
        for part in {piece.part for piece in portion.pieces if constants.files}:
            constants.files[part].require()
        batch = read_groups(constants.layout, portion, constants.choice)
    rows, offsets = batch.in_groups(len(portion.groups))
    is_positive = rows["side"] == POSITIVE

    def where(group: int) -> str:
        return constants.layout.name_of(portion.groups[group])

    score = np.ascontiguousarray(rows["score"])
    values = measure_groups(constants.wanted, score, is_positive, offsets, where)
    has_cases = "case" in constants.layout.roles
    return {
        "values": values,
        "sizes": np.diff(offsets),
        "positives": positives_of(is_positive, offsets),
        "cases": _digests(rows, offsets, where) if has_cases else None,
        "labels": batch.labels,
        "left_out": batch.rows.size - rows.size,
        "truth_scores": batch.truth_scores,
    }


def _digests(
    rows: NDArray[Any], offsets: Indices, where: Callable[[int], str]
) -> NDArray[np.uint64]:
    """Return a sum over each group that states which cases it has, with which label.

    Raises
    ------
    InputError
        If a group has a case twice.
    """
    digests = np.zeros(offsets.size - 1, np.uint64)
    for g in range(digests.size):
        own = rows[offsets[g] : offsets[g + 1]]
        case = np.sort(own["case"])
        repeats = int(np.sum(case[1:] == case[:-1]))
        if repeats:
            raise InputError(
                f"{repeats} scores in {where(g)} are of a case that has one already; "
                "keep one, or name a column that distinguishes the repeats as block "
                "or dataset"
            )
        digests[g] = np.sum(_mixed(own["case"], own["side"] == POSITIVE))
    return digests


def _mixed(
    case: NDArray[np.uint64], is_positive: NDArray[np.bool_]
) -> NDArray[np.uint64]:
    """Spread the bits, so that sums of different sets differ (splitmix64)."""
    x = case ^ np.where(is_positive, np.uint64(0x9E3779B97F4A7C15), np.uint64(0))
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = x ^ (x >> np.uint64(31))
    return mixed


@dataclass(frozen=True)
class _Run:
    """One request on one set of files."""

    path: Path
    columns: RoleColumns
    choice: ClassChoice
    wanted: Request
    one_class: str
    missing: str

    def scores(self, keep: str | PathLike[str] | None) -> tuple[Scores, Unfinished]:
        """Read, measure, check and put together; return also the kept part."""
        parts = parts_of(Path(os.path.abspath(self.path)))
        before = _states(parts)
        layout = look(parts, self.columns)
        portions = layout.portions(ROWS)
        is_scattered = layout.passes(portions) > _PASSES
        if is_scattered:
            portions = layout.portions(ROWS // _SORTED_SHARE)
        stamps = zip(parts, before, strict=True)
        files = [(part.name, *stamp[1:]) for part, stamp in stamps]
        kept = Unfinished(
            lambda: identity(
                *(ROWS, len(portions), files, self.columns, self.choice, self.wanted)
            ),
            what="measurement",
            keep=keep,
        )
        constants = _Constants(
            layout,
            self.choice,
            self.wanted,
            [FileState.of(part.path) for part in parts] if elsewhere() else [],
        )
        keys: AbstractContextManager[Sequence[Portion | SortedPortion]]
        keys = nullcontext(portions)
        if is_scattered and len(kept.done(len(portions))) < len(portions):
            keys = sorted_portions(layout, portions, self.choice, ROWS)
        try:
            with keys as each:
                done = list(tasks(work, constants, each, what="portions", kept=kept))
            scores = self._together(layout, portions, done)
        except InputError:
            _require_unchanged(parts, before)
            raise
        _require_unchanged(parts, before)
        return scores, kept

    def _together(
        self,
        layout: GroupLayout,
        portions: Sequence[Portion],
        done: Sequence[Measured],
    ) -> Scores:
        """Check the portions together, and make the scores."""
        algorithms = layout.algorithms
        shape = (len(layout.labels), len(algorithms))

        def gathered(name: str, absent: float = 0) -> NDArray[Any]:
            """Put the arrays of all portions in the order of the groups."""
            first = done[0][name]
            whole = np.full((layout.counts.size, *first.shape[1:]), absent, first.dtype)
            for portion, held in zip(portions, done, strict=True):
                whole[list(portion.groups)] = held[name]
            return whole.reshape(*shape, *first.shape[1:])

        roles = layout.roles
        seen = dict.fromkeys(label for held in done for label in held["labels"])
        labelled = levels(list(seen), what=f"column {show(roles['label'])}")
        classes = two_classes(labelled.labels, **self.choice._asdict())
        sizes, positives = gathered("sizes"), gathered("positives")
        if self.columns.case is not None:
            _require_same_cases(layout, sizes, gathered("cases"))
        kept, dropped = settle_groups(
            sizes, layout.labels.block, algorithms, self.missing
        )
        labels = layout.labels.take(kept)
        sizes, positives = sizes[kept], positives[kept]
        if self.one_class == "error":
            refuse_one_class(
                sizes.ravel(),
                positives.ravel(),
                labels.block,
                algorithms,
                (classes.negative, classes.positive),
            )
        notes = truth_notes((roles["score"],) * any(x["truth_scores"] for x in done))
        left_out = sum(held["left_out"] for held in done)
        if left_out:
            notes = (
                *notes,
                f"left out {left_out} scores of cases of other classes than "
                f"{show(classes.positive)} and {show(classes.negative)}",
            )
        return as_scores(
            self.wanted,
            gathered("values", np.nan)[kept],
            sizes,
            labels,
            algorithms,
            missing=self.missing,
            dropped=dropped,
            notes=(*notes, *unequal(sizes, positives, labels.block, algorithms)),
            source=self._source(layout),
        )

    def _source(self, layout: GroupLayout) -> Source:
        """Hash the files as they are now, a few megabytes at a time."""
        digest, size = hashlib.sha256(), 0
        for part in layout.parts:
            with about(Path(part.path)), open(part.path, "rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            size += stat(part.path).st_size
            if len(layout.parts) == 1 and not self.path.is_dir():
                return Source(part.name, content, size, layout.n_rows, "parquet")
            digest.update(os.fsencode(f"{part.name}\n{content}\n"))
        return Source(
            self.path.name, digest.hexdigest(), size, layout.n_rows, "parquet"
        )


def _states(parts: Sequence[ParquetFile]) -> list[tuple[int, ...]]:
    """Return a stamp of each file that changes if it is written again."""
    states: list[tuple[int, ...]] = []
    for part in parts:
        try:
            t = stat(part.path)
        except OSError as error:
            raise InputError(f"cannot read {part.called}: {why(error)}") from error
        states.append((t.st_ino, t.st_size, t.st_mtime_ns))
    return states


def _require_unchanged(
    parts: Sequence[ParquetFile], before: Sequence[tuple[int, ...]]
) -> None:
    """Reject portions of two states of a file."""
    changed = [
        part.called
        for part, was, now in zip(parts, before, _states(parts), strict=True)
        if was != now
    ]
    if changed:
        which = changed[0] if parts[0].is_input else show_all(changed)
        raise InputError(
            f"{which} changed while it was read; run this again when nothing writes it"
        )


def _require_same_cases(
    layout: GroupLayout, sizes: NDArray[np.intp], digest: NDArray[np.uint64]
) -> None:
    """Reject a block whose algorithms do not have the same cases and labels."""
    names = layout.algorithms
    for b, (here, sums) in enumerate(zip(sizes > 0, digest, strict=True)):
        scored = np.flatnonzero(here)
        other = scored[sums[scored] != sums[scored[:1]]]
        if other.size:  # not of a block whose cases are all left out
            first, two = int(scored[0]), int(other[0])
            raise InputError(
                f"block={show(layout.labels.block[b])}: the cases of algorithm="
                f"{show(names[two])} ({sizes[b, two]} scores) or their labels are not "
                f"those of algorithm={show(names[first])} ({sizes[b, first]}); score "
                "the same cases, or leave case= out if no paired test is wanted"
            )

"""Rows in any order: sorted by portion in temporary files.

One pass reads all rows and writes files of bounded size. Each file is sorted by portion
and begins with the places of its portions, so a portion reads only its own rows of each
file. Rows are written once and read once, whatever their order, and within a group
they stay in the order in which they were read.
"""

from __future__ import annotations

import glob
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pycompare.apps.streaming.parquet_groups import (
    CaseGroups,
    ClassChoice,
    GroupLayout,
    GroupSource,
    Portion,
    RowBatch,
    RowGroup,
    grouped,
    read_rows,
    require_classes,
    small,
)
from pycompare.base.errors import InputError
from pycompare.base.labels import readable
from pycompare.base.parallel.file_errors import about, told
from pycompare.base.parallel.place import elsewhere, working
from pycompare.base.parallel.progress import reader_of_notices
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.whole_file import runs
from pycompare.base.typing import Indices

_PREFIX = "pycompare-rows"
_ROW = [("group", np.uint32), ("side", np.int8), ("score", np.float64)]
_CASE = [("case", np.uint64)]
_PLACE = np.dtype(np.int64)


@dataclass(frozen=True)
class _RowFiles:
    """The temporary files, in the order of the rows."""

    paths: tuple[str, ...]
    n_portions: int
    row: np.dtype[Any]

    def content(self, portion: int) -> bytes:
        """Read the rows of a portion."""
        return b"".join(self._part(Path(path), portion) for path in self.paths)

    def _part(self, path: Path, portion: int) -> bytes:
        try:
            with about(path), path.open("rb", buffering=0) as file:
                file.seek(portion * _PLACE.itemsize)
                place = np.frombuffer(file.read(2 * _PLACE.itemsize), _PLACE)
                begin, end = (place * self.row.itemsize).tolist()
                file.seek((self.n_portions + 1) * _PLACE.itemsize + begin)
                return file.read(end - begin)
        except OSError as error:
            raise InputError(told(error)) from error


@dataclass(frozen=True, eq=False)
class SortedPortion:
    """A portion whose rows are in the temporary files, or came with it from there.

    Attributes
    ----------
    groups : tuple of int
    number : int
    row : dtype
    labels : tuple of str
        The labels of classes that occur anywhere.
    truth_scores : bool
    files : _RowFiles or None
        None if the rows came with it.
    content : bytes
    """

    groups: tuple[int, ...]
    number: int
    row: np.dtype[Any]
    labels: tuple[str, ...]
    truth_scores: bool
    files: _RowFiles | None
    content: bytes = b""

    def __reduce__(self) -> tuple[Any, ...]:
        """Take the rows along: another machine does not have the files."""
        whole = self.groups, self.number, self.row, self.labels, self.truth_scores
        return type(self), (*whole, None, self._content())

    def _content(self) -> bytes:
        return self.content if self.files is None else self.files.content(self.number)

    def read(self) -> CaseGroups:
        """Read the cases of the groups."""
        rows = np.frombuffer(self._content(), self.row)
        has_cases = "case" in (self.row.names or ())
        return grouped(
            rows["group"],
            rows["side"],
            rows["score"],
            rows["case"] if has_cases else np.empty(0, np.uint64),
            n_groups=len(self.groups),
            has_cases=has_cases,
            labels=self.labels,
            truth_scores=self.truth_scores,
        )


@contextmanager
def sorted_portions(
    layout: GroupLayout, portions: Sequence[Portion], choice: ClassChoice, rows: int
) -> Iterator[list[SortedPortion]]:
    """Sort all rows by portion; remove the temporary files at the end.

    Parameters
    ----------
    layout : GroupLayout
    portions : sequence of Portion
    choice : ClassChoice
    rows : int
        Number of rows of a file, up to a batch more.

    Raises
    ------
    InputError
        If a row cannot be used, there are more than two classes, or the disk is full.
    """
    row = np.dtype(_ROW + (_CASE if layout.columns.case is not None else []))
    with _temporary_folder(layout.n_rows * row.itemsize) as folder:
        constants = _SortConstants(
            layout.source(), choice, str(folder), rows, row, *_places(layout, portions)
        )
        runs_of_rows = list(enumerate(_runs(layout, rows)))
        # Files of this machine are written here.
        with working(1) if elsewhere() else nullcontext():
            done = list(tasks(_sort_rows, constants, runs_of_rows, what="parts sorted"))
        labels = tuple(dict.fromkeys(label for run in done for label in run.labels))
        require_classes(labels, choice)
        paths = tuple(path for run in done for path in run.paths)
        files = _RowFiles(paths, len(portions), row)
        truths = any(run.truth_scores for run in done)
        yield [
            SortedPortion(portion.groups, number, row, labels, truths, files)
            for number, portion in enumerate(portions)
        ]


def _places(
    layout: GroupLayout, portions: Sequence[Portion]
) -> tuple[Indices, NDArray[np.uint32], int]:
    """Return the portion of each group, its number there, and how many portions."""
    portion_of = np.zeros(layout.counts.size, np.intp)
    number_in = np.zeros(layout.counts.size, np.uint32)
    for number, portion in enumerate(portions):
        portion_of[list(portion.groups)] = number
        number_in[list(portion.groups)] = range(len(portion.groups))
    return portion_of, number_in, len(portions)


def _runs(layout: GroupLayout, rows: int) -> Iterator[tuple[RowGroup, ...]]:
    """Take row groups together, up to so many rows unless one has more."""
    run: list[RowGroup] = []
    filled = 0
    for piece, count in layout.rows.items():
        if run and filled + count > rows:
            yield tuple(run)
            run, filled = [], 0
        run.append(piece)
        filled += count
    yield tuple(run)


# ---- one pass ------------------------------------------------------------------------


class _SortConstants(NamedTuple):
    """What a worker gets once."""

    source: GroupSource
    choice: ClassChoice
    folder: str
    rows: int
    row: np.dtype[Any]
    portion_of: Indices
    number_in: NDArray[np.uint32]
    n_portions: int


class _SortedRun(NamedTuple):
    """Row groups that are sorted: their files, and what occurred in them."""

    paths: tuple[str, ...]
    labels: tuple[str, ...]
    truth_scores: bool


def _sort_rows(
    constants: _SortConstants, run: tuple[int, tuple[RowGroup, ...]]
) -> _SortedRun:
    """Sort the rows of some row groups by portion into files."""
    number, pieces = run
    paths: list[str] = []
    labels: dict[str, None] = {}
    truth_scores, filled = False, 0
    held: list[RowBatch] = []

    def write() -> None:
        path = Path(constants.folder, f"{number:06}-{len(paths):06}")
        _write_sorted(constants, held, path)
        paths.append(str(path))
        held.clear()

    for batch in read_rows(constants.source, pieces, constants.choice):
        labels.update(dict.fromkeys(batch.labels))
        require_classes(tuple(labels), constants.choice)
        truth_scores = truth_scores or batch.truth_scores
        held.append(batch)
        filled += batch.group.size
        if filled >= constants.rows:
            write()
            filled = 0
    if held:
        write()
    return _SortedRun(tuple(paths), tuple(labels), truth_scores)


def _write_sorted(
    constants: _SortConstants, batches: Sequence[RowBatch], path: Path
) -> None:
    """Write rows in the order of portions, after the places where these begin."""
    group = np.concatenate([batch.group for batch in batches])
    portion = constants.portion_of[group]
    order = np.argsort(small(portion, constants.n_portions), kind="stable")
    rows = np.empty(group.size, constants.row)
    rows["group"] = constants.number_in[group][order]
    for name in constants.row.names[1:] if constants.row.names else ():
        rows[name] = np.concatenate([getattr(b, name) for b in batches])[order]
    counts = np.bincount(portion, minlength=constants.n_portions)
    places = np.concatenate(([0], np.cumsum(counts))).astype(_PLACE)
    try:
        with about(path), path.open("wb") as file:
            file.write(places.tobytes())
            file.write(rows.tobytes())
    except OSError as error:
        raise InputError(
            f"rows are sorted in temporary files: {told(error)} TMPDIR names the folder"
        ) from error


# ---- the folder ----------------------------------------------------------------------


@contextmanager
def _temporary_folder(size: int) -> Iterator[Path]:
    """Make a folder for files of a total size, and remove it at the end.

    Raises
    ------
    InputError
        If the disk has not enough space.
    """
    root = Path(tempfile.gettempdir())
    _remove_strays(root)
    free = shutil.disk_usage(root).free
    if free < size:
        raise InputError(
            f"sorting rows by group needs {_bytes(size)} of temporary files, but "
            f"{readable(str(root))} has {_bytes(free)} free. Set TMPDIR to a folder "
            "with more space, or write the file sorted by group, in row groups of at "
            "most a million rows"
        )
    reader_of_notices()(
        f"rows are first sorted by group, in temporary files ({_bytes(size)} in "
        f"{readable(str(root))})"
    )
    folder = Path(tempfile.mkdtemp(prefix=f"{_own_prefix()}{os.getpid()}-"))
    try:
        yield folder
    finally:
        # Under another name no worker that is about to end adds a file.
        with suppress(OSError):
            folder = folder.rename(folder.with_name(f"{folder.name}.gone"))
        shutil.rmtree(folder, ignore_errors=True)


def _own_prefix() -> str:
    return f"{_PREFIX}-{socket.gethostname()}-"


def _remove_strays(root: Path) -> None:
    """Remove folders that killed runs on this machine left."""
    for folder in root.glob(f"{glob.escape(_own_prefix())}*"):
        process = folder.name.removeprefix(_own_prefix()).partition("-")[0]
        if process.isdecimal() and not runs(int(process)):
            shutil.rmtree(folder, ignore_errors=True)


def _bytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"

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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pycompare.apps.streaming.parquet_groups import (
    ClassChoice,
    GroupLayout,
    Portion,
    RowBatch,
    RowGroup,
    joined,
    read_rows,
    small,
)
from pycompare.base.errors import InputError
from pycompare.base.file_errors import about, told
from pycompare.base.labels import readable
from pycompare.base.parallel.place import elsewhere, working
from pycompare.base.parallel.progress import reader_of_notices
from pycompare.base.parallel.tasks import tasks
from pycompare.base.typing import Indices
from pycompare.base.whole_file import runs

_PREFIX = f"pycompare-rows-{socket.gethostname()}-"
_PLACE = np.dtype(np.int64)


@dataclass(frozen=True, eq=False)
class SortedPortion:
    """A portion whose rows are in the temporary files, or came with it from there.

    Attributes
    ----------
    labels : tuple of str
        The labels of classes that occur anywhere.
    paths : tuple of str
        The files, in the order of the rows; none if the rows came with it.
    content : bytes
    """

    groups: tuple[int, ...]
    number: int
    n_portions: int
    row: np.dtype[Any]
    labels: tuple[str, ...]
    truth_scores: bool
    paths: tuple[str, ...]
    content: bytes = b""

    def __reduce__(self) -> tuple[Any, ...]:
        """Take the rows along: another machine does not have the files."""
        whole = replace(self, paths=(), content=self._content())
        return type(self), tuple(vars(whole).values())

    def _content(self) -> bytes:
        return self.content + b"".join(map(self._part, map(Path, self.paths)))

    def _part(self, path: Path) -> bytes:
        try:
            with about(path), path.open("rb", buffering=0) as file:
                file.seek(self.number * _PLACE.itemsize)
                place = np.frombuffer(file.read(2 * _PLACE.itemsize), _PLACE)
                begin, end = (place * self.row.itemsize).tolist()
                file.seek((self.n_portions + 1) * _PLACE.itemsize + begin)
                return file.read(end - begin)
        except OSError as error:
            raise InputError(told(error)) from error

    def read(self) -> RowBatch:
        """Read the rows of the groups."""
        rows = np.frombuffer(self._content(), self.row)
        return RowBatch(rows, self.labels, self.truth_scores)


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
    portion_of = np.zeros(layout.counts.size, np.intp)
    number_in = np.zeros(layout.counts.size, np.uint32)
    for number, portion in enumerate(portions):
        portion_of[list(portion.groups)] = number
        number_in[list(portion.groups)] = range(len(portion.groups))
    with _temporary_folder(layout.n_rows * layout.row.itemsize) as folder:
        constants = _SortConstants(
            layout, choice, str(folder), rows, portion_of, number_in, len(portions)
        )
        runs_of_rows = list(enumerate(_runs(layout, rows)))
        # Files of this machine are written here.
        with working(1) if elsewhere() else nullcontext():
            done = list(tasks(_sort_rows, constants, runs_of_rows, what="parts sorted"))
        paths = tuple(path for run_paths, _ in done for path in run_paths)
        seen = joined((batch for _, batch in done), choice)
        yield [
            SortedPortion(
                *(portion.groups, number, len(portions), layout.row),
                *(seen.labels, seen.truth_scores, paths),
            )
            for number, portion in enumerate(portions)
        ]


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


class _SortConstants(NamedTuple):
    """What a worker gets once."""

    layout: GroupLayout
    choice: ClassChoice
    folder: str
    rows: int
    portion_of: Indices
    number_in: NDArray[np.uint32]
    n_portions: int


def _sort_rows(
    constants: _SortConstants, run: tuple[int, tuple[RowGroup, ...]]
) -> tuple[list[str], RowBatch]:
    """Sort some row groups by portion; return the files, and all but their rows."""
    number, pieces = run
    paths: list[str] = []
    held: list[RowBatch] = []
    seen = RowBatch(np.empty(0, constants.layout.row), (), False)

    def write() -> None:
        nonlocal seen
        whole = joined(held, constants.choice)
        path = Path(constants.folder, f"{number:06}-{len(paths):06}")
        _write_sorted(constants, whole.rows, path)
        paths.append(str(path))
        seen = joined([seen, whole._replace(rows=seen.rows)], constants.choice)
        held.clear()

    for batch in read_rows(constants.layout, pieces, constants.choice):
        held.append(batch)
        if sum(batch.rows.size for batch in held) >= constants.rows:
            write()
    if held:
        write()
    return paths, seen


def _write_sorted(constants: _SortConstants, rows: NDArray[Any], path: Path) -> None:
    """Write rows in the order of portions, after the places where these begin."""
    portion = constants.portion_of[rows["group"]]
    order = np.argsort(small(portion, constants.n_portions), kind="stable")
    rows["group"] = constants.number_in[rows["group"]]
    counts = np.bincount(portion, minlength=constants.n_portions)
    places = np.concatenate(([0], np.cumsum(counts))).astype(_PLACE)
    try:
        with about(path), path.open("wb") as file:
            file.write(places.tobytes())
            file.write(rows.take(order).tobytes())
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
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    try:
        yield folder
    finally:
        # Under another name no worker that is about to end adds a file.
        with suppress(OSError):
            folder = folder.rename(folder.with_name(f"{folder.name}.gone"))
        shutil.rmtree(folder, ignore_errors=True)


def _remove_strays(root: Path) -> None:
    """Remove folders that killed runs on this machine left."""
    for folder in root.glob(f"{glob.escape(_PREFIX)}*"):
        process = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if process.isdecimal() and not runs(int(process)):
            shutil.rmtree(folder, ignore_errors=True)


def _bytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"

"""What a format is: how its files are known, and how their rows are read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.data.compressed import kind_of, opened
from pycompare.data.readers.named_labels import NamedLabels
from pycompare.data.readers.rows import Rows, opened_parquet

_HEAD = 2**16
"""Bytes of a file that are looked at to know its format; a first line is read whole."""


@dataclass(frozen=True)
class Wanted:
    """The caller's choices if a format leaves any.

    Attributes
    ----------
    metric : str or None
        One of several metrics.
    filter : str or None
        One of several filters, constraints or the like.
    algorithm, block, dataset : str or None
        Columns with these labels, of formats in which every user has others.
    folder : str
        The name of the algorithm if a folder or a file has it, with the folders
        above it if several have that name.
    root : Path or None
        The file or folder that was given.
    replicate, group, cluster : str or None
        Fields with these labels, in every format; so is ``algorithm``.
    path : str
        The file's path below ``root``, less its ending.
    missing : str
        Treatment of missing scores, as in ``pc.read_results``.
    """

    metric: str | None = None
    filter: str | None = None
    algorithm: str | None = None
    block: str | None = None
    dataset: str | None = None
    folder: str = ""
    root: Path | None = None
    replicate: str | None = None
    group: str | None = None
    cluster: str | None = None
    path: str = ""
    missing: str = "error"

    def named(self) -> NamedLabels:
        """Return the fields that are named for a role."""
        return NamedLabels(
            self.algorithm, self.replicate, self.group, self.cluster, self.path
        )

    def rows(self) -> Rows:
        """Return rows to be filled, in which fields that are named go first."""
        return Rows(self.named(), infinite=self.missing == "worst")


@dataclass(frozen=True)
class Part:
    """The data read from one file.

    Attributes
    ----------
    rows : Rows
    metric : str
    better : {"higher", "lower"} or None
        None if only the caller can know.
    filter : (str, str) or None
        Of what rows were filtered (a task), and the filter's name, if the format has
        such. All files must have the same.
    mean_of : tuple of str
        Filtered parts whose mean is the score; the same in all files.
    notes : tuple of str
        What to know about the scores.
    """

    rows: Rows
    metric: str
    better: str | None
    filter: tuple[str, str] | None = None
    mean_of: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Other:
    """A file that has other metrics than the one asked for: it is left unchanged."""

    metrics: tuple[str, ...]


def _folder_of(file: Path) -> Path:
    return file.parent


@dataclass(frozen=True, kw_only=True)
class Format:
    """One foreign format.

    Attributes
    ----------
    name, program : str
        The word that selects it, and who writes it.
    files : str
        Which files, and how the program is made to write them.
    endings : tuple of str
        Endings of its files.
    columns : str
        The parts that are read: algorithm, block, score.
    block : str
        What a block is.
    metrics : str
        Which directions are known.
    trap : str
        What goes wrong if such files are read without care, and the remedy.
    pattern : str
        Names that only its files have: such a file is read, and so rejected, whatever
        its first line holds.
    again : str
        What to do if a cell has two scores.
    gaps : (str, str) or None
        The policy for missing scores that the program's field has, and its rule.
    summary_of : str
        Another format of which its files hold means: if there are files of both,
        its own are left unchanged.
    items : bool
        Whether blocks are items of one test set, compared as cases.
    takes : tuple of str
        Choices that the format leaves: "filter", "block", "dataset"; algorithm,
        replicate, group and cluster can be named in every format.
    names : callable
        The folder, or the file without its ending, whose name is the algorithm's.
    matches : callable
        Whether the head of a file is of this format.
    read : callable
        Reads one file.
    """

    name: str
    program: str
    files: str
    endings: tuple[str, ...]
    columns: str
    block: str
    metrics: str
    trap: str
    pattern: str = ""
    again: str = "give the files of one run each"
    gaps: tuple[str, str] | None = None
    summary_of: str = ""
    items: bool = False
    takes: tuple[str, ...] = ()
    names: Callable[[Path], Path] = _folder_of
    matches: Callable[[Head], bool]
    read: Callable[[Path, Wanted], Part | Other]


@dataclass(frozen=True)
class Head:
    """The beginning of a file.

    Attributes
    ----------
    path : Path
    text : str
        The first line at least, if it is text.
    """

    path: Path
    text: str

    @classmethod
    def of(cls, path: Path) -> Head:
        """Read the beginning of a file; a damaged compressed one has none."""
        try:
            with opened(path) as file:
                beginning = file.read(_HEAD)
                if b"\n" not in beginning:
                    beginning += file.readline()
        except InputError:
            beginning = b""
        return cls(path, beginning.decode("utf-8", errors="replace").lstrip("\ufeff"))

    @cached_property
    def columns(self) -> frozenset[str]:
        """Names of the columns, if the file is comma-separated or Parquet."""
        if kind_of(self.path) == ".parquet":
            try:
                with opened_parquet(self.path) as file:
                    return frozenset(file.schema_arrow.names)
            except InputError:
                return frozenset()
        try:
            return frozenset(next(csv.reader(self.text.splitlines()[:1]), ()))
        except csv.Error:
            return frozenset()

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The JSON object of the first line; empty if it is none."""
        return _object(self.text.split("\n", 1)[0])


def _object(text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}

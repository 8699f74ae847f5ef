"""The input of the rules of doubts: the table, its roles, and the scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.labels import Levels
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.missing import Cells
from pycompare.data.reading.answers import NO_ANSWERS, Answers
from pycompare.data.roles import RoleColumns
from pycompare.data.table import DataTable

_MOST_ROWS, _MOST_COLUMNS = 1_000_000, 200
"""Larger tables have no doubts about rows and columns."""


@dataclass(frozen=True)
class Axis:
    """Labels along which a table is compared, and the scores of each label.

    Attributes
    ----------
    role : str
        ``block``, ``dataset`` or ``algorithm``.
    labels : tuple of str
        In order of first appearance.
    values : ndarray, shape (n_labels, n_columns), or None
        None if labels do not share the same columns.
    """

    role: str
    labels: tuple[str, ...]
    values: Floats | None


@dataclass(frozen=True)
class Seen:
    """A table as it is being read.

    Attributes
    ----------
    table : DataTable
    columns : RoleColumns
        Roles of its columns.
    wide, turned : bool
        Whether columns of the table, or of its turned form, are algorithms.
    metrics : tuple of Metric
    algorithms : tuple of str
        Columns that are algorithms; () in a long table.
    named : bool
        Whether the call names these columns.
    missing : str
        Treatment of missing cells.
    cells : Cells or None
        The scores, once they are read.
    answers : Answers
        Answers of the owner, for the ranges of metrics.
    """

    table: DataTable
    columns: RoleColumns
    wide: bool
    metrics: tuple[Metric, ...]
    turned: bool = False
    algorithms: tuple[str, ...] = ()
    named: bool = False
    missing: str = "error"
    cells: Cells | None = None
    answers: Answers = NO_ANSWERS

    @property
    def large(self) -> bool:
        """Whether the table is too large for doubts about rows and columns."""
        many = len(self.algorithms) > _MOST_COLUMNS
        return self.table.n_rows > _MOST_ROWS or many

    def labels_of(self, role: str) -> Levels | None:
        """Return the labels in the column of a role; None if there is none."""
        column = getattr(self.columns, role)
        return None if column is None else self.table.levels(column)

    def texts(self) -> Iterator[tuple[str, Levels]]:
        """Yield columns of text without a role and without scores."""
        scored = {*self.algorithms, *(metric.name for metric in self.metrics)}
        taken = {*self.columns.given().values(), *scored}
        for name in self.table.names:
            if name in taken or self.table.has_digits(name):
                continue
            try:
                yield name, self.table.levels(name)
            except InputError:  # gaps, or labels that read alike: it has no role
                continue

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """Blocks, or folds and data sets, with the scores of each label."""
        if self.cells is None:
            return tuple(self._unread_axes())
        labels, values = self.cells.labels, self.cells.values
        flat = values.reshape(len(labels), -1)
        if labels.dataset is None:
            return (Axis("block", labels.block, flat),)
        assert labels.fold is not None
        folds = tuple(dict.fromkeys(labels.fold))
        datasets = tuple(dict.fromkeys(labels.dataset))
        by_fold = by_dataset = None
        if len(folds) * len(datasets) == len(labels):
            grid = np.empty((len(folds), len(datasets), flat.shape[1]))
            at = [folds.index(fold) for fold in labels.fold]
            of = [datasets.index(dataset) for dataset in labels.dataset]
            grid[at, of] = flat
            by_fold = grid.reshape(len(folds), -1)
            by_dataset = grid.swapaxes(0, 1).reshape(len(datasets), -1)
        return Axis("block", folds, by_fold), Axis("dataset", datasets, by_dataset)

    def _unread_axes(self) -> Iterator[Axis]:
        """Yield labels alone, before the scores are read."""
        for role in ("block", "dataset"):
            try:
                levels = self.labels_of(role)
            except InputError:  # refused with its place when the table is read
                continue
            if levels is not None:
                yield Axis(role, levels.labels, None)

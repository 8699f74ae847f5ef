"""A table of columns, as the door sees it, whatever file or frame it came from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import are
from pycompare.base.labels import Levels, levels, nearest, show, show_all

_NAMED = 3
"""Cells that a message names."""


class DataTable(ABC):
    """Columns by name; each is read as labels or as numbers.

    Attributes
    ----------
    names : tuple of str
        Column names, all different.
    n_rows : int
    index_names : tuple of str
        Names that a pandas frame keeps in its index, not among its columns.
    percent : frozenset of str
        Columns whose numbers are percentages: ``numbers`` returns proportions.
    takes_percent : bool
        Whether such columns can be declared if the table is read.
    truth_columns : tuple of str
        Columns of true and false that ``scores`` read as 1 and 0.
    missing_marks : tuple of str
        Texts that stand for a missing score, of all columns or ``column=text``.
    named_above : bool
        Whether its columns are called after its first line, for want of a declaration.
    judged : frozenset of str
        Columns of scores that were labels, read as 1 and 0.
    label_notes : tuple of str
        Treatment of labels, for the report.
    """

    names: tuple[str, ...]
    n_rows: int
    index_names: tuple[str, ...] = ()
    percent: frozenset[str] = frozenset()
    takes_percent: bool = False
    truth_columns: tuple[str, ...] = ()
    missing_marks: tuple[str, ...] = ()
    named_above: bool = False
    judged: frozenset[str] = frozenset()
    label_notes: tuple[str, ...] = ()

    def is_missing(self, name: str, cell: str) -> bool:
        """Return whether the owner states that a text stands for a missing score."""
        marks = self.missing_marks
        return bool(marks) and (cell in marks or f"{name}={cell}" in marks)

    @property
    def notes(self) -> tuple[str, ...]:
        """Declarations about the numbers, or done with them, for the report."""
        if not self.percent:
            return self.truth_notes
        in_percent = f"in percent, divided by 100: {show_all(sorted(self.percent))}"
        return (in_percent, *self.truth_notes)

    @property
    def truth_notes(self) -> tuple[str, ...]:
        """Which columns of true and false were read as 1 and 0."""
        return truth_notes(self.truth_columns)

    def scores(self, name: str) -> NDArray[np.float64]:
        """Read a column of scores: numbers, or true and false alone as 1 and 0."""
        truths = self.truth_values(name)
        if truths is None:
            return self.numbers(name)
        self.truth_columns = tuple(dict.fromkeys((*self.truth_columns, name)))
        return truths

    def scores_of(self, names: Sequence[str]) -> dict[str, NDArray[np.float64]]:
        """Read columns of one score: of numbers, or all of true and false."""
        truths = all(self.truth_values(name) is not None for name in names)
        read = self.scores if truths else self.numbers
        return {name: read(name) for name in names}

    @abstractmethod
    def truth_values(self, name: str) -> NDArray[np.float64] | None:
        """Read true and false as 1 and 0; None if a column holds anything else."""

    @abstractmethod
    def levels(self, name: str) -> Levels:
        """Read a column as labels; a missing label is rejected."""

    @abstractmethod
    def numbers(self, name: str) -> NDArray[np.float64]:
        """Read a column as finite float64, shape (n_rows,), NaN if missing."""

    @abstractmethod
    def absent(self, name: str, *, besides: Collection[str]) -> NDArray[np.bool_]:
        """Return where a column has no label, shape (n_rows,).

        ``besides`` are texts that are labels there, whatever they mean elsewhere.
        """

    def odd_cells(self, name: str) -> list[tuple[int, str]]:
        """Return rows and texts that stand among scores; none among numbers."""
        return []

    def headers_again(self) -> tuple[int, ...]:
        """Return rows that repeat the names of the columns; none among numbers."""
        return ()

    @abstractmethod
    def has_digits(self, name: str) -> bool:
        """Return whether any cell of a column has a digit: others hold no number."""

    @abstractmethod
    def row(self, index: int) -> str:
        """Name a row for a message."""

    @abstractmethod
    def taken(self, rows: NDArray[np.intp], names: Collection[str]) -> DataTable:
        """Return some rows and columns; rows keep their names here."""

    def row_levels(self, *, besides: Collection[str] = ()) -> Levels:
        """Label the rows of a table in which no column names them: 1, 2, ...

        ``besides`` are columns that are known to be something else.
        """
        return levels([str(i + 1) for i in range(self.n_rows)], what="the rows")

    def require_rows(self) -> None:
        """Reject a table that has columns but no rows."""
        if self.n_rows == 0:
            raise InputError(
                f"the table has no rows, only columns: {show_all(self.names)}"
            )

    def require_roles(self, roles: Mapping[str, str]) -> None:
        """Check that each role has a column and no column has two roles.

        Groups of cases may be their clusters, too: a sample of groups.

        Parameters
        ----------
        roles : mapping
            Role, as in the call (``"algorithm"``, ``"metric 'auc'"``), to column.
        """
        known = set(self.names)
        taken: dict[str, str] = {}
        for role, name in roles.items():
            if name not in known:
                raise InputError(self._absent(role, name))
            if name in taken and not _may_share(taken[name], role):
                raise InputError(
                    f"column {show(name)} has two roles, {taken[name]} and {role}; "
                    "name a column for each"
                )
            taken[name] = role

    def _absent(self, role: str, name: str) -> str:
        if name in self.index_names:
            return (
                f"{role}: {show(name)} is in the index of the frame; "
                "call .reset_index() to make it a column"
            )
        return (
            f"{role}: there is no column {show(name)}{nearest(name, self.names)}; "
            f"columns: {show_all(self.names)}"
        )


def _may_share(first: str, second: str) -> bool:
    """Return whether two roles may have one column: groups that are clusters."""
    return {first, second} == {"group", "cluster"}


def truth_notes(columns: Sequence[str]) -> tuple[str, ...]:
    """Return which columns of true and false were read as 1 and 0."""
    if not columns:
        return ()
    return (f"true and false read as 1 and 0: {show_all(columns)}",)


class InfiniteError(InputError):
    """Raised for infinite scores.

    Attributes
    ----------
    fault : str
        Which scores are infinite.
    """

    def __init__(self, fault: str) -> None:
        self.fault = fault
        super().__init__(
            fault
            + "; correct the score: an infinite one is the worst or the best result, "
            "not a missing one. "
            + setting("missing", "worst")
            + " takes one to the bad side as the worst score"
        )


def require_finite(
    numbers: NDArray[np.float64], name: str, table: DataTable
) -> NDArray[np.float64]:
    """Reject infinite scores, unless they stand for missing ones, which are NaN."""
    infinite = np.flatnonzero(np.isinf(numbers))
    if infinite.size and table.missing_marks:
        gone = [at for at in infinite if table.is_missing(name, f"{numbers[at]:g}")]
        numbers = numbers.copy()
        numbers[gone] = np.nan
        infinite = np.setdiff1d(infinite, gone)
    if infinite.size:
        raise InfiniteError(
            f"column {show(name)} is infinite in {infinite.size} of {numbers.size} "
            f"rows, first: {table.row(int(infinite[0]))} ({numbers[infinite[0]]})"
        )
    return numbers


def refuse_cells(
    bad: list[tuple[int, object, str]], name: str, table: DataTable, hint: str
) -> None:
    """Raise for the cells of a score column that are no numbers.

    Parameters
    ----------
    bad : list of (row, cell, reason)
        At least one; the first few are named.
    hint : str
        What to do.
    """
    named = [f"{table.row(i)}: {show(cell)} is {why}" for i, cell, why in bad[:_NAMED]]
    more = f"; and {len(bad) - _NAMED} more" if len(bad) > _NAMED else ""
    raise InputError(
        f"column {show(name)}: {len(bad)} of {table.n_rows} values {are(len(bad))} not "
        f"numeric ({'; '.join(named)}{more}); " + hint
    )


def require_percent_of(table: DataTable, scores: Collection[str]) -> None:
    """Reject a column declared in percent that is no column of scores."""
    for name in sorted(table.percent):
        if name not in scores:
            raise InputError(
                setting("percent", (name,))
                + f": {show(name)} is no column of scores here"
                f"{nearest(name, scores)}; scores: {show_all(scores)}"
            )


def index_notes(table: DataTable, taken: Collection[str]) -> tuple[str, ...]:
    """Return a note about a column of row numbers without a name that nothing takes."""
    left = "" in table.names and "" not in taken
    return ("a column without a name, an index of the rows, left out",) if left else ()

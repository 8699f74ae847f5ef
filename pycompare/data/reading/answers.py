"""Answers of the owner of a table to questions about its contents."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import nearest, show, show_all

DOUBTS = (
    *("header", "header-again", "marks", "spread", "summary-row", "empty-row"),
    *("derived-column", "transposed"),
    *("metric-in-names", "repeats"),
    *("metric-column", "status-column", "impossible", "code", "direction"),
    "odd-label",
    *("alike", "disjoint", "shifted", "gaps", "truth-column", "sources"),
    "judge-column",
)
"""Names of the doubts, as ``confirmed`` takes them."""


Ends = tuple[float, float]
Range = Ends | Mapping[str, Ends] | None
"""Lowest and highest possible score, of all metrics or by metric."""
NUMBERED = {
    "block": "blocks numbered in the order of the rows, as declared",
    "replicate": "runs of a cell numbered in the order of the rows, as declared",
}
"""Notes of scores whose blocks, or whose runs of a cell, have no column."""


@dataclass(frozen=True)
class Answers:
    """Statements of the owner of a table about doubtful parts of it.

    Attributes
    ----------
    confirmed : tuple of str
        Doubts that do not hold: a name, or ``name:place``.
    leave_out : tuple of str
        Parts that are not data: ``block=Average``, ``column=size``.
    na : tuple of str
        What stands for a missing score: ``-1``, or ``column=-1``. A number is compared
        as a number, text exactly.
    number : {"block", "replicate"} or None
        What has no column and is numbered in the order of the rows.
    metric_column, value : str or None
        Columns of names of metrics and of scores, if a row is of one metric; or
        ``value`` alone: a long table's column of predicted classes, beside ``truth``.
    truth : str or None
        Column of true classes, if the scores are predicted classes.
    one_is : str or None
        Label that is set to 1, if scores are one of two labels.
    range : (low, high), mapping of str to (low, high), or None
        Lowest and highest possible score, of all metrics or by metric.

    Raises
    ------
    InputError
        If a doubt has another name, an entry of ``leave_out`` no ``=``, or two answers
        exclude each other.
    """

    confirmed: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    na: tuple[str, ...] = ()
    number: str | None = None
    metric_column: str | None = None
    value: str | None = None
    truth: str | None = None
    one_is: str | None = None
    range: Range = None

    def __post_init__(self) -> None:
        """Reject entries that nothing could match; texts are no lists."""
        for name in ("confirmed", "leave_out", "na"):
            given = getattr(self, name)
            if isinstance(given, str) or not all(isinstance(v, str) for v in given):
                raise InputError(setting(name, given) + ": give a list of texts")
            object.__setattr__(self, name, tuple(given))
        if self.number not in (None, "block", "replicate"):
            raise InputError(
                setting("number", self.number)
                + ": rows are numbered as 'block', or as 'replicate' of a cell"
            )
        if self.metric_column is not None and self.value is None:
            raise InputError(
                setting("metric_column", self.metric_column)
                + " needs the column of scores beside it: "
                + setting("value", ...)
            )
        if self.value is not None and self.metric_column is None and not self.truth:
            raise InputError(
                setting("value", self.value)
                + " needs the column of metrics ("
                + setting("metric_column", ...)
                + ") or of true classes ("
                + setting("truth", ...)
                + ") beside it"
            )
        for other in ("metric_column", "one_is"):
            if self.truth is not None and getattr(self, other) is not None:
                raise InputError(
                    setting("truth", self.truth)
                    + " and "
                    + setting(other, getattr(self, other))
                    + " both state what scores mean; leave one of them out"
                )
        for entry in self.confirmed:
            check_confirmed(entry)
        every = self.range.values() if isinstance(self.range, Mapping) else [self.range]
        for ends in every:
            if ends is not None and not _is_range(ends):
                raise InputError(
                    setting("range", self.range)
                    + ": give the lowest and the highest possible score, two finite "
                    "numbers, or both for each metric by name"
                )
        for entry in self.leave_out:
            check_leave_out(entry)

    def range_of(self, metric: str) -> Ends | None:
        """Return the range of a metric, if it is declared."""
        if isinstance(self.range, Mapping):
            return self.range.get(metric)
        return self.range

    @property
    def items(self) -> bool:
        """Whether rows are cases of a test set, each right or wrong."""
        return self.truth is not None

    def confirm(self, doubt: str, place: str) -> bool:
        """Return whether a doubt about one place, or about the file, is confirmed."""
        return doubt in self.confirmed or f"{doubt}:{place}" in self.confirmed

    @staticmethod
    def part_of(entry: str) -> tuple[str, str]:
        """Return kind and label of an entry of ``leave_out``."""
        kind, _, label = entry.partition("=")
        return kind, label

    @staticmethod
    def mark_of(entry: str) -> tuple[str | None, float | None]:
        """Return column and number of an entry of ``na``; None: all, or no number."""
        column, _, mark = entry.rpartition("=")
        try:
            return column or None, float(mark)
        except ValueError:
            return column or None, None

    def notes(self, confirmed: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the declarations, for the report; of confirmations those with use."""
        told = []
        if self.leave_out:
            told.append(f"left out as declared: {show_all(self.leave_out)}")
        if self.number:
            told.append(NUMBERED[self.number])
        if self.na:
            told.append(f"read as missing as declared: {show_all(self.na)}")
        if confirmed:
            told.append(f"confirmed as declared: {show_all(confirmed)}")
        return tuple(told)


def _is_range(ends: object) -> bool:
    """Return whether it is two finite numbers, the lower one first."""
    if not isinstance(ends, list | tuple) or len(ends) != 2:
        return False
    if any(isinstance(end, bool) or not isinstance(end, int | float) for end in ends):
        return False
    return math.isfinite(ends[0]) and math.isfinite(ends[1]) and ends[0] < ends[1]


NO_ANSWERS = Answers()


def check_confirmed(entry: str) -> str:
    """Return an entry of ``confirmed`` whose doubt exists.

    Raises
    ------
    InputError
    """
    doubt = entry.split(":", 1)[0]
    if doubt not in DOUBTS:
        raise InputError(
            f"there is no doubt {show(doubt)}{nearest(doubt, DOUBTS)}; "
            f"doubts: {', '.join(DOUBTS)}"
        )
    return entry


def check_leave_out(entry: str) -> str:
    """Return an entry of ``leave_out`` that names a kind and a label.

    Raises
    ------
    InputError
    """
    if not all(entry.partition("=")[::2]):
        raise InputError(
            f"{show(entry)} does not name the omitted part: write block=NAME "
            "(or dataset=, algorithm=, group=, column=NAME)"
        )
    return entry

"""Labels of one thing that was written in two ways."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show

_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")
"""Zeros before a whole number."""
_BLANKS = re.compile(r"(?<!\d)\s+|\s+(?!\d)")
"""Blanks, but not those that part two numbers."""


def refuse_near_labels(
    labels: Sequence[str], counts: Sequence[int], what: str, column: str | None = None
) -> None:
    """Ask about labels that differ only in case, blanks or leading zeros.

    Parameters
    ----------
    labels : sequence of str
    counts : sequence of int
        Rows of each label.
    what : str
        Name of what has these labels, such as ``reader``.
    column : str, optional
        Their column, if they are in one.

    Examples
    --------
    >>> refuse_near_labels(["m1", "m2"], [4, 4], "model")
    >>> refuse_near_labels(["m1", "M1"], [4, 4], "model")
    Traceback (most recent call last):
    ...
    pycompare.base.errors.InputError: 'm1' (4 rows) and 'M1' (4 rows) differ only in \
case, blanks or leading zeros: are they one model? If so, write them alike; if not, \
give them names that differ in another way
    """
    first: dict[str, int] = {}
    for at, label in enumerate(labels):
        other = first.setdefault(_ZEROS.sub("", _BLANKS.sub("", label)).casefold(), at)
        if other != at:
            told = " and ".join(
                f"{show(labels[k])} ({counted(int(counts[k]), 'row')})"
                for k in (other, at)
            )
            raise InputError(
                ("" if column is None else f"column {show(column)}: ")
                + f"{told} differ only in case, blanks or leading "
                f"zeros: are they one {what}? If so, write them alike; if not, give "
                "them names that differ in another way"
            )

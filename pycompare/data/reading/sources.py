"""Labels of data sets that begin with few sources: such data sets may be related."""

from __future__ import annotations

from collections.abc import Iterable

from pycompare.data.missing import Cells
from pycompare.data.reading.answers import Answers
from pycompare.data.roles import RoleColumns

SOURCES = "sources"
"""The name of the doubt, which is asked if data sets are compared over."""


def first_parts(labels: Iterable[str]) -> tuple[str, ...]:
    """Return what labels begin with before their first ``/``, if that groups them.

    All labels hold a ``/``, and there are two first parts at least and at most half as
    many as labels; otherwise nothing.

    Examples
    --------
    >>> first_parts(["uci/iris", "uci/glass", "monash/tourism", "monash/nn5"])
    ('uci', 'monash')
    >>> first_parts(["uci/iris", "uci/glass", "monash/tourism"])
    ()
    """
    held = tuple(labels)
    if not all("/" in label for label in held):  # the first one says so, most often
        return ()
    every = tuple(dict.fromkeys(held))
    parts = tuple(dict.fromkeys(label.partition("/")[0] for label in every))
    few = 2 <= len(parts) <= len(every) / 2
    return parts if few else ()


def column_of_sources(
    cells: Cells, columns: RoleColumns, answers: Answers
) -> str | None:
    """Return the column of data sets whose labels begin with few sources.

    Empty if it has no name; None if it is confirmed that they are unrelated.
    """
    if SOURCES in answers.confirmed:
        return None
    owners = cells.labels.dataset or cells.labels.block
    if not first_parts(owners) or _begin_with_groups(owners, cells.labels.group):
        return None
    return columns.block or "" if columns.dataset is None else columns.dataset


def _begin_with_groups(owners: Iterable[str], groups: Iterable[str] | None) -> bool:
    """Return whether each label begins with its group, which is analysed separately."""
    if groups is None:
        return False
    return all(o.startswith(f"{g}/") for o, g in zip(owners, groups, strict=True))


def confirmed_sources(cells: Cells, answers: Answers) -> tuple[str, ...]:
    """Return the name of the doubt if a confirmation has a use."""
    owners = cells.labels.dataset or cells.labels.block
    return (SOURCES,) if SOURCES in answers.confirmed and first_parts(owners) else ()

"""Labels that may mean the same, that begin with few sources, or share no blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from pycompare.base.labels import show
from pycompare.data.missing import Cells
from pycompare.data.reading.answers import Answers
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Seen
from pycompare.data.roles import RoleColumns

_SHARED = 0.1


def alike(seen: Seen) -> Iterator[Doubt]:
    """Yield labels that are the same but for case, blanks, leading zeros or ``.0``."""
    if seen.cells is None:
        return
    axes = [(axis.role, axis.labels) for axis in seen.axes]
    for role, labels in [*axes, ("algorithm", seen.cells.algorithms)]:
        together = "|".join(labels)
        if together.casefold() == together and not _DOUBTFUL.search(together):
            continue  # each is its own key: of a million labels most are
        first: dict[str, str] = {}
        for label in labels:
            other = first.setdefault(_key(label), label)
            if other != label:
                yield Doubt(
                    "alike",
                    f"{role} {show(other)} and {role} {show(label)} differ in case, "
                    "blanks, leading zeros or '.0' only",
                    (label,),
                    change="write both labels alike",
                )


def _key(label: str) -> str:
    """Return what labels have in common that may mean the same."""
    text = label.casefold()
    if not _DOUBTFUL.search(text):
        return text
    text = re.sub(r"(?<![\d.])0+(?=\d)", "", "".join(text.split()))
    return re.sub(r"(\d)\.0+(?!\d)", r"\1", text)


_DOUBTFUL = re.compile(r"\s|(?<![\d.])0\d|\d\.0")
"""What a label has that may be the same as another one in spite of its letters."""


def disjoint(seen: Seen) -> Iterator[Doubt]:
    """Yield algorithms that share under a tenth of their blocks with every other."""
    if seen.cells is None or len(seen.cells.algorithms) < 3:
        return
    held = seen.cells.values if seen.cells.runs is None else seen.cells.runs
    scored = ~np.isnan(held).reshape(*held.shape[:2], -1)
    there = scored.any(axis=2).astype(float)
    if there.all():
        return
    shared = there.T @ there
    own = np.diag(shared).copy()
    np.fill_diagonal(shared, 0)
    for at in np.flatnonzero((own > 0) & (shared.max(axis=1) < _SHARED * own)):
        label = seen.cells.algorithms[at]
        yield Doubt(
            "disjoint",
            f"algorithm {show(label)} shares {int(shared[at].max())} of its "
            f"{int(own[at])} blocks with another algorithm at most: do their labels "
            "differ?",
            (label,),
            (f"algorithm={label}",),
        )


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

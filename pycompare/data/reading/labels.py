"""Labels that may mean the same, and algorithms that share no blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from pycompare.base.labels import show
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Seen

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

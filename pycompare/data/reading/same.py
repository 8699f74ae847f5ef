"""Algorithms with the same scores on all blocks: noted, since one may be a copy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pycompare.base.labels import show_all
from pycompare.data.missing import Cells

_FEWEST_BLOCKS = 5


def same_notes(cells: Cells) -> Iterator[str]:
    """Yield a note about each set of algorithms that have the same scores."""
    n = len(cells.labels)
    if n < _FEWEST_BLOCKS:
        return
    alike: dict[bytes, list[str]] = {}
    for at, label in enumerate(cells.algorithms):
        own = np.ascontiguousarray(cells.values[:, at])
        if not np.isnan(own).all():
            alike.setdefault(own.tobytes(), []).append(label)
    for labels in alike.values():
        if len(labels) > 1:
            yield f"the same scores on all {n} blocks: {show_all(labels)}"

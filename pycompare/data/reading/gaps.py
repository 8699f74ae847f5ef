"""One algorithm whose gaps would cost most of the blocks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pycompare.base.labels import show
from pycompare.data.missing import shortest
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Seen

_HALF = 0.5


def gaps(seen: Seen) -> Iterator[Doubt]:
    """Yield an algorithm without which far more blocks could be kept.

    Only if incomplete blocks are dropped, and under half of them would be left.
    """
    if seen.cells is None or seen.missing != "drop-block":
        return
    absent = np.isnan(seen.cells.values)
    least_complete = shortest(absent)
    n = len(seen.cells.labels)
    left = int((~absent.any(axis=(1, 2))).sum())
    if (
        least_complete is None
        or left >= _HALF * n
        or least_complete[1] < 2 * max(left, 1)
    ):
        return
    at, kept = least_complete
    label = seen.cells.algorithms[at]
    yield Doubt(
        "gaps",
        f"dropping incomplete blocks keeps {left} of {n}; without algorithm "
        f"{show(label)}, {kept} remain",
        (label,),
        (f"algorithm={label}",),
    )

"""Numbers at given places of the order of many long rows, without sorting the rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pycompare.base.typing import Floats, Ints

_LONG = 3_000
"""Numbers of a row from which on it is not sorted."""
_STEP = 8
"""One of so many numbers of a row is in the sample."""
_MARGIN = 2.5
"""Standard errors of a place in a random sample, on both sides of it."""


def order_statistics(rows: Floats, places: Sequence[int]) -> Floats:
    """Return the numbers of each row at places of its order, shape (m, len(places)).

    Parameters
    ----------
    rows : ndarray, shape (m, n)
        Without NaN. Short rows are left sorted.
    places : sequence of int
        From 0, the smallest, to n - 1.

    Notes
    -----
    Of a long row a sample of numbers is sorted. Two of them that enclose a place, with
    a margin, enclose its number in nearly all rows: only the numbers between them are
    sorted, and those below them are counted. Other rows are sorted.
    """
    n = rows.shape[1]
    if n < _LONG:
        rows.sort(axis=1)
        return rows[:, list(places)]
    sample = np.sort(np.take(rows, _sampled(n), axis=1), axis=1)
    # Neighbours, such as the two in the middle, are searched for together.
    chosen = np.empty((len(rows), len(places)))
    order = sorted(range(len(places)), key=lambda i: places[i])
    while order:
        near = [i for i in order if places[i] - places[order[0]] < _STEP]
        order = order[len(near) :]
        chosen[:, near] = _between(rows, sample, [places[i] for i in near])
    return chosen


@lru_cache(maxsize=8)
def _sampled(n: int) -> Ints:
    """Return places of a row that are drawn once for its length.

    Rows may have a structure that regular steps would follow. Other places change
    the time only, and no number.
    """
    return np.sort(np.random.default_rng(0).permutation(n)[::_STEP])


def _between(rows: Floats, sample: Floats, places: list[int]) -> Floats:
    """Return the numbers at places that are near to each other."""
    n, size = rows.shape[1], sample.shape[1]
    share = (places[0] + 0.5) / n
    margin = _MARGIN * np.sqrt(size * share * (1 - share)) + 2
    first = int(share * size - margin)
    last = int((places[-1] + 0.5) / n * size + margin) + 1
    least = sample[:, first] if first >= 0 else np.full(len(rows), -np.inf)
    most = sample[:, last] if last < size else np.full(len(rows), np.inf)
    low = rows < least[:, None]
    inside = (rows <= most[:, None]) & ~low
    counts = np.count_nonzero(inside, axis=1)
    held = np.full((len(rows), counts.max(initial=1)), np.inf)
    numbers = rows.ravel()[np.flatnonzero(inside)]  # faster than rows[inside]
    held[np.arange(held.shape[1]) < counts[:, None]] = numbers
    held.sort(axis=1)
    at = np.array(places) - np.count_nonzero(low, axis=1)[:, None]
    outside = (at < 0) | (at >= counts[:, None])
    chosen = np.take_along_axis(held, np.clip(at, 0, held.shape[1] - 1), axis=1)
    for row in np.flatnonzero(outside.any(axis=1)).tolist():
        chosen[row] = np.sort(rows[row])[places]
    return chosen

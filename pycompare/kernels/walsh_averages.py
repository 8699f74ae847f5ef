"""Numbers at given places of the order of the means of each two of many rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pycompare.base.typing import Floats, Ints

_SORTED = 800
"""Means of a row up to which all are sorted, for each search that this spares."""
_FEW = 4
"""Times as many means as are made if places are near to the ends of the order."""
_MEANS_AT_ONCE = 1 << 20
"""Means of rows that are made again with a larger margin."""
_NEAR = 8
"""Places that are at most so far apart are searched for together."""


def means_of_two(d: Floats) -> Floats:
    """Return the mean of each two of a row, each with itself too."""
    rows, n = d.shape
    # Half of each before the sum, which might overflow.
    half = d / 2
    # Each with the one k places on, around the end: half of the turns make all pairs.
    turns = (n + 1) // 2
    around = np.concatenate([half, half[:, : turns - 1]], axis=1)
    turned = np.lib.stride_tricks.sliding_window_view(around, n, axis=1)
    means = np.empty((rows, n * (n + 1) // 2))
    whole = means[:, : turns * n].reshape(rows, turns, n)
    np.add(half[:, None], turned, out=whole)
    if n % 2 == 0:  # half of a turn is left
        np.add(half[:, :turns], half[:, turns:], out=means[:, turns * n :])
    return means


def ordered_means(d: Floats, places: Sequence[int]) -> Floats:
    """Return the means of two at places of their order, shape (m, len(places)).

    Parameters
    ----------
    d : ndarray, shape (m, n)
        Without NaN.
    places : sequence of int
        From 0, the smallest mean, to n (n + 1) / 2 - 1.

    Notes
    -----
    A place near an end is found among the means that not too many others precede for
    certain: of a sorted row, the mean of numbers i <= j is at least as large as that of
    every two a <= i, b <= j.

    The means of a sorted row rise with each of the two, in floating point too: they
    make a staircase. The means of some numbers of the row, evenly spaced in its order,
    give two values that enclose a place, with a margin. Each of them cuts the stairs;
    only the means between the cuts are made and sorted, and those below are counted.
    A number between all means below and all above has the place to the bit; if not, the
    margin of its row was too small.
    """
    n, order = d.shape[1], sorted(range(len(places)), key=lambda i: places[i])
    total = n * (n + 1) // 2
    low = [i for i in order if places[i] < total - places[i]]
    high = order[len(low) :]
    furthest = (
        max((places[i] for i in low), default=-1),
        max((total - 1 - places[i] for i in high), default=-1),
    )
    if all(_FEW * _first_lengths(n, far).sum() <= total for far in furthest):
        half = np.sort(d / 2, axis=1)
        chosen = np.empty((len(d), len(places)))
        means = _sums_of(half, *_first_pairs(n, furthest[0]))
        chosen[:, low] = means[:, [places[i] for i in low]]
        # From the other end, the largest first.
        means = _sums_of(half[:, ::-1], *_first_pairs(n, furthest[1]))
        chosen[:, high] = means[:, [places[i] - total for i in high]]
        return chosen
    searches = []
    while order:
        near = [i for i in order if places[i] - places[order[0]] < _NEAR]
        order = order[len(near) :]
        searches.append(near)
    if total <= _SORTED * len(searches):
        means = means_of_two(d)
        means.sort(axis=1)
        return means[:, list(places)]
    half = np.sort(d / 2, axis=1)
    some = _sums_of(half, *_some_pairs(n))
    chosen = np.empty((len(d), len(places)))
    for near in searches:
        wanted = np.array([places[i] for i in near])
        chosen[:, near] = _between(half, some, wanted, 0.5 / _n_some(n))
    return chosen


def _sums_of(half: Floats, first: Ints, second: Ints) -> Floats:
    """Return the sums of pairs of each row in their order."""
    sums = half[:, first]
    sums += half[:, second]
    sums.sort(axis=1)
    return sums


def _first_lengths(n: int, place: int) -> Ints:
    """Return with how many numbers each has a mean that may be at a place or before.

    Of a sorted row, i with i, i + 1, ...: at least (i + 1) (j + 1) - i (i + 1) / 2
    means are no larger than that of i <= j, itself among them.
    """
    i = np.arange(n)
    stop = (place + 1 + i * (i + 1) // 2) // (i + 1)
    return np.maximum(np.minimum(stop, n) - i, 0)


def _first_pairs(n: int, place: int) -> tuple[Ints, Ints]:
    """Return the pairs of `_first_lengths`."""
    lengths = _first_lengths(n, place)
    first = np.repeat(np.arange(n), lengths)
    before = np.cumsum(lengths) - lengths
    return first, np.arange(len(first)) - before[first] + first


def _n_some(n: int) -> int:
    """Return how many numbers of a sorted row make the first means: least work."""
    return max(8, round(n ** (2 / 3)))


@lru_cache(maxsize=64)
def _some_pairs(n: int) -> tuple[Ints, Ints]:
    """Return the places of each two of some numbers of a sorted row."""
    n_some = _n_some(n)
    at = (2 * np.arange(n_some) + 1) * n // (2 * n_some)
    first, second = np.triu_indices(n_some)
    return at[first], at[second]


def _between(half: Floats, some: Floats, places: Ints, margin: float) -> Floats:
    """Return the means at places that are near to each other.

    ``margin`` is the share of the means that is made on both sides of them.
    """
    m, n = half.shape
    total, n_some = n * (n + 1) // 2, some.shape[1]
    low = int(((places[0] + 0.5) / total - margin) * n_some)
    high = int(((places[-1] + 0.5) / total + margin) * n_some) + 1
    each = np.arange(n)
    start = np.zeros((m, n), np.intp) if low < 0 else _cut(half, some[:, low])
    start = np.maximum(start, each)
    stop = np.full((m, n), n) if high >= n_some else _cut(half, some[:, high])
    stop = np.maximum(stop, start)
    lengths = (stop - start).ravel()
    # The second of each mean: a run of each first one, row after row.
    firsts = half.ravel()
    ends = np.cumsum(lengths)
    offsets = (start + n * np.arange(m)[:, None]).ravel() - (ends - lengths)
    at = np.repeat(offsets, lengths)
    at += np.arange(len(at))
    means = firsts[at]
    means += np.repeat(firsts, lengths)
    counts = (stop - start).sum(axis=1)
    held = np.full((m, max(1, int(counts.max(initial=0)))), np.inf)
    held[np.arange(held.shape[1]) < counts[:, None]] = means
    held.sort(axis=1)
    place = places - (start - each).sum(axis=1)[:, None]
    chosen = np.take_along_axis(held, np.clip(place, 0, held.shape[1] - 1), axis=1)
    right = ((place >= 0) & (place < counts[:, None])).all(axis=1)
    right &= _largest_below(half, start) <= chosen.min(axis=1)
    right &= _smallest_above(half, stop) >= chosen.max(axis=1)
    wrong = np.flatnonzero(~right)
    step = max(1, _MEANS_AT_ONCE // total)  # a margin of 1 has all means
    for first in range(0, len(wrong), step):
        rows = wrong[first : first + step]
        chosen[rows] = _between(half[rows], some[rows], places, 4 * margin)
    return chosen


def _cut(half: Floats, value: Floats) -> Ints:
    """Return with how many numbers each of a sorted row has a mean below a value.

    But for rounding of the difference from the value.
    """
    m, n = half.shape
    both = np.concatenate([half, (value[:, None] - half)[:, ::-1]], axis=1)
    at = np.flatnonzero(np.argsort(both, axis=1).ravel() >= n).reshape(m, n)
    at -= 2 * n * np.arange(m)[:, None] + np.arange(n)
    return at[:, ::-1]


def _largest_below(half: Floats, start: Ints) -> Floats:
    """Return the largest mean before the starts; -inf if there is none."""
    last = np.take_along_axis(half, np.maximum(start - 1, 0), axis=1)
    means = np.where(start > np.arange(half.shape[1]), half + last, -np.inf)
    return np.asarray(means.max(axis=1))


def _smallest_above(half: Floats, stop: Ints) -> Floats:
    """Return the smallest mean from the stops on; inf if there is none."""
    n = half.shape[1]
    following = np.take_along_axis(half, np.minimum(stop, n - 1), axis=1)
    return np.asarray(np.where(stop < n, half + following, np.inf).min(axis=1))

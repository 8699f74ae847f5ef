"""Measures of predictions in memory, a portion of the groups at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import ARRAY, Unfinished, identity
from pycompare.base.typing import Bools, Floats, Indices
from pycompare.data.measures.measure import measure_groups
from pycompare.data.measures.request import Request

ROWS = 2**20
"""Cases of a portion, unless one group has more: about a second of work."""


class _GroupsInMemory(NamedTuple):
    """Some groups, with their own cases only."""

    score: Floats
    is_positive: Bools
    offsets: Indices
    names: tuple[str, ...]


def measured(
    wanted: Request,
    score: Floats,
    is_positive: Bools,
    offsets: Indices,
    where: Callable[[int], str],
) -> Floats:
    """Measure groups of cases as `measure_groups` does, in portions if they are many.

    Parameters
    ----------
    wanted : Request
    score, is_positive : ndarray, shape (n,)
    offsets : ndarray of int, shape (n_groups + 1,)
    where : callable
        Names a group in messages.
    """
    ends = list(_ends(offsets))
    if len(ends) == 1:
        return measure_groups(wanted, score, is_positive, offsets, where)
    portions = []
    for first, last in ends:
        rows = slice(offsets[first], offsets[last])
        own = offsets[first : last + 1] - offsets[first]
        names = tuple(where(group) for group in range(first, last))
        portions.append(_GroupsInMemory(score[rows], is_positive[rows], own, names))
    kept = Unfinished.of_job(
        lambda: identity(wanted, score, is_positive, offsets),
        what="measurement",
        form=ARRAY,
    )
    done = tasks(_measured, wanted, portions, what="portions", kept=kept)
    values: Floats = np.concatenate(list(done))
    return values


def _measured(wanted: Request, portion: _GroupsInMemory) -> Floats:
    return measure_groups(
        wanted,
        portion.score,
        portion.is_positive,
        portion.offsets,
        portion.names.__getitem__,
    )


def _ends(offsets: Indices) -> Iterator[tuple[int, int]]:
    """Cut the groups into portions of at most ROWS cases, or one group."""
    first, n_groups = 0, offsets.size - 1
    while first < n_groups or not n_groups:
        end = int(np.searchsorted(offsets, offsets[first] + ROWS, side="right")) - 1
        last = min(max(end, first + 1), n_groups)
        yield first, last
        if last >= n_groups:
            return
        first = last

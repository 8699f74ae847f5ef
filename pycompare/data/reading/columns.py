"""Columns that are made of others, or that are no algorithms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pycompare.base.labels import show_all
from pycompare.base.typing import Floats
from pycompare.data.missing import Cells
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.rows import printed_unit
from pycompare.data.reading.seen import Seen
from pycompare.data.reading.words import (
    beside_others,
    describes,
    is_derived,
    is_summary,
    names_a_quantity,
)
from pycompare.data.units import why_by_name, whys_by_scale

_FEWEST_ROWS = 5
_CHANCE = 1e-3
_MOST_FOR_DIFFERENCES = 40
"""Algorithms among which differences of two are looked for."""
_FEWEST_ALGORITHMS = 2
_OF_ONE = (
    "add the scores of other algorithms to the file, in a column for each, if these "
    "columns are of one algorithm"
)


def derived_column(seen: Seen) -> Iterator[Doubt]:
    """Yield algorithms that are called, or equal in all rows, a summary of the others.

    By the name alone only if the call does not name the columns. Of a table that is
    turned round, also blocks that are called as columns about the algorithms are.
    """
    if seen.cells is None:
        return
    if seen.turned:
        yield from _turned_columns(seen.cells)
    named = seen.named or not seen.wide
    suspects = {
        at: "called as something else is"
        for at, label in enumerate(_own_names(seen.cells.algorithms))
        if is_derived(label)
        or (seen.wide and (describes(label) or names_a_quantity(label)))
    }
    signs = {} if named else dict(suspects)
    if not named:
        of_others = beside_others(seen.cells.algorithms)
        beside = "a spread or rank of another column by its name"
        signs |= {
            at: beside
            for at, label in enumerate(seen.cells.algorithms)
            if label in of_others
        }
    for metric in range(seen.cells.values.shape[2]):
        signs |= _by_values(seen.cells.values[:, :, metric], set(suspects))
    part = "column" if seen.wide and not seen.turned else "algorithm"
    alone = len(seen.cells.algorithms) - len(signs) < _FEWEST_ALGORITHMS
    for sign in dict.fromkeys(signs[at] for at in sorted(signs)):
        labels = [
            seen.cells.algorithms[at] for at in sorted(signs) if signs[at] == sign
        ]
        yield Doubt(
            "derived-column",
            f"{part} {show_all(labels)} may be no algorithm: {sign}",
            tuple(labels),
            () if alone else tuple(f"{part}={label}" for label in labels),
            _OF_ONE if alone and part == "column" else "",
        )


def _turned_columns(cells: Cells) -> Iterator[Doubt]:
    """Yield columns that became blocks and are called, or scaled, as no benchmark is.

    Those of summaries are rows that summarise the others.
    """
    blocks = cells.labels.block
    lasts = {block: re.split(r"[./]", block)[-1] for block in blocks}
    of_others = beside_others(blocks)
    called = [
        block
        for block, last in lasts.items()
        if block in of_others
        or describes(last)
        or names_a_quantity(last)
        or why_by_name(last)
        or (is_derived(last) and not is_summary(block))
    ]
    rows = dict(zip(blocks, cells.values[:, :, 0], strict=True))
    scaled = whys_by_scale({b: rows[b] for b in blocks if b not in called})
    for labels, why in (
        (called, "called as something else is"),
        (scaled, "of another scale"),
    ):
        if labels and len(labels) < len(blocks):
            yield Doubt(
                "derived-column",
                f"column {show_all(labels)} may be no block: {why}",
                tuple(labels),
                tuple(f"column={label}" for label in labels),
            )


def _own_names(labels: Sequence[str]) -> list[str]:
    """Return labels less what all have before a ``/``: a header of two lines."""
    parts = [label.partition("/") for label in labels]
    shared = len(parts) > 1 and len({above for above, _, _ in parts}) == 1
    return [
        own if shared and own else label
        for label, (_, _, own) in zip(labels, parts, strict=True)
    ]


def _by_values(values: Floats, suspects: set[int]) -> dict[int, str]:
    """Return columns that equal a mean, median, extreme or difference of others."""
    values = values[~np.isnan(values).any(axis=1)]
    n, k = values.shape
    if n < _FEWEST_ROWS or k < 3:
        return {}
    derived = {}
    for at in _likely(values, suspects):
        column = values[:, at]
        if not _rare(column):
            continue
        for others in _others(k, at, suspects):
            if kind := _kind(column, values[:, others], at in suspects):
                derived[at] = f"the {kind} of the others in each row"
                break
    return derived


def _likely(values: Floats, suspects: set[int]) -> list[int]:
    """Return columns that equal a summary of others in the first rows.

    A unit of the last decimal of a few cells is that of all cells, or larger.
    """
    few = values[:_FEWEST_ROWS]
    k = few.shape[1]
    units = np.array([printed_unit(few[:, at]) for at in range(k)])
    allowed = 0.5001 * units + 1e-12 * np.abs(few).max(axis=0)
    total, ordered = few.sum(axis=1, keepdims=True), np.sort(few, axis=1)
    low = np.where(few == ordered[:, :1], ordered[:, 1:2], ordered[:, :1])
    high = np.where(few == ordered[:, -1:], ordered[:, -2:-1], ordered[:, -1:])
    near = (np.abs(few - (total - few) / (k - 1)) <= allowed).all(axis=0)
    near |= (np.abs(few - low) <= allowed).all(axis=0)
    near |= (np.abs(few - high) <= allowed).all(axis=0)
    near |= _near_others(few[0], allowed)
    return sorted({*np.flatnonzero(near).tolist(), *suspects})


def _near_others(first: Floats, allowed: Floats) -> NDArray[np.bool_]:
    """Return which scores of a row may be median, spread or difference of others."""
    k = len(first)
    near = np.abs(first - _medians_of_others(first)) <= allowed
    near |= np.abs(first - _spreads_of_others(first)) <= allowed
    if k - 1 <= _MOST_FOR_DIFFERENCES:
        others = np.array([np.delete(first, at) for at in range(k)])
        gaps = np.abs(others[:, :, np.newaxis] - others[:, np.newaxis, :])
        away = np.abs(gaps - np.abs(first)[:, np.newaxis, np.newaxis])
        near |= (away <= allowed[:, np.newaxis, np.newaxis]).any(axis=(1, 2))
    return near


def _medians_of_others(values: Floats) -> Floats:
    """Return the median of all other values, of each value."""
    m = len(values) - 1
    order = np.argsort(values)
    ordered, place = values[order], np.empty(m + 1, np.intp)
    place[order] = np.arange(m + 1)
    below, above = (m - 1) // 2, m // 2
    middle = [ordered[at + (place <= at)] for at in (below, above)]
    medians: Floats = (middle[0] + middle[1]) / 2
    return medians


def _spreads_of_others(values: Floats) -> Floats:
    """Return the standard deviation of all other values, of each value.

    Sums of the values before and after each: taking one value from the sum of all would
    leave rounding error if it is by far the largest. About a median, the squares of the
    others add up to their variance and at most as much again.
    """
    m = len(values) - 1
    away = values - np.sort(values)[m // 2]
    sums, squares = (_sums_of_others(x) for x in (away, np.square(away)))
    spreads: Floats = np.sqrt(np.maximum(squares - sums**2 / m, 0) / (m - 1))
    return spreads


def _sums_of_others(values: Floats) -> Floats:
    sums = np.zeros(len(values))
    sums[1:] += np.cumsum(values[:-1])
    sums[:-1] += np.cumsum(values[:0:-1])[::-1]
    return sums


def _others(k: int, at: int, suspects: set[int]) -> Iterator[list[int]]:
    """Yield sets of columns that one may be made of."""
    yield [j for j in range(k) if j != at and j not in suspects]
    if suspects - {at}:
        yield [j for j in range(k) if j != at]


def _rare(column: Floats) -> bool:
    """Return whether so many cells cannot equal other numbers by chance."""
    spread = float(np.ptp(column))
    share = min(1.0, printed_unit(column) / spread) if spread > 0 else 1.0
    return share ** len(column) < _CHANCE


def _kind(column: Floats, others: Floats, suspect: bool) -> str:
    """Return what of the others a column is; empty if nothing."""
    if others.shape[1] < 2:
        return ""
    unit = printed_unit(column)
    allowed = np.maximum(0.5001 * unit, 1e-12 * np.abs(column))

    def is_it(candidate: Floats) -> bool:
        return bool((np.abs(column - candidate) <= allowed).all())

    if any(is_it(others[:, j]) for j in range(others.shape[1])):
        return ""  # the same as one other column: a copy, which is no summary
    summaries = {
        "mean": others.mean(axis=1),
        "median": np.median(others, axis=1),
        "largest": others.max(axis=1),
        "smallest": others.min(axis=1),
        "standard deviation": others.std(axis=1, ddof=1),
    }
    for kind, derived in summaries.items():
        if is_it(derived):
            return kind
    if others.shape[1] > _MOST_FOR_DIFFERENCES:
        return ""
    for i, j in combinations(range(others.shape[1]), 2):
        derived = others[:, i] - others[:, j]
        if is_it(derived) or is_it(-derived):
            return "difference of two"
    return ""

"""Several runs of each algorithm on each block: checked, and averaged cell by cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.arguments import numbers
from pycompare.base.errors import InputError
from pycompare.base.typing import Floats

_LARGE = 2.0**1000
"""Differences of larger scores may overflow: they are made smaller first."""


def over_runs(runs: Floats) -> Floats:
    """Return means over the last axis, NaN if a run is.

    Deviations from the first run are averaged, so that equal runs give their own value
    and nothing overflows.
    """
    largest = np.abs(runs).max(axis=-1, keepdims=True)
    power = np.where(largest > _LARGE, 30, 0)  # room for the sum of many
    scaled = np.ldexp(runs, -power)
    first = scaled[..., :1]
    centre = first + (scaled - first).mean(axis=-1, keepdims=True)
    centre = centre + (scaled - centre).mean(axis=-1, keepdims=True)
    # What rounding adds may not leave the range of the runs.
    low, high = scaled.min(axis=-1, keepdims=True), scaled.max(axis=-1, keepdims=True)
    means: Floats = np.ldexp(np.clip(centre, low, high), power)[..., 0]
    return means


def mean_of_runs(runs: Floats) -> Floats:
    """Return means over the last axis of the runs that a cell has, NaN without any."""
    counts = (~np.isnan(runs)).sum(axis=-1)
    n_runs = runs.shape[-1]
    if np.isin(counts, (0, n_runs)).all():
        return over_runs(runs)
    # Runs that are there come first in their cell; none of another takes part.
    first = np.take_along_axis(runs, np.argsort(np.isnan(runs), -1, kind="stable"), -1)
    means = np.full(counts.shape, np.nan)
    for n in np.unique(counts[counts > 0]).tolist():
        means[counts == n] = over_runs(first[counts == n][:, :n])
    return means


def runs_per_cell(runs: Floats) -> tuple[int, int]:
    """Return the lowest and the highest number of runs of a cell that has any."""
    counts = (~np.isnan(runs)).sum(axis=-1)
    there = counts[counts > 0]
    return (int(there.min()), int(there.max())) if there.size else (0, 0)


def require_runs(
    runs: ArrayLike | None, means: Floats, labels: tuple[str, ...]
) -> Floats:
    """Return runs as a read-only array, or reject what does not fit the cell means."""
    if runs is None:
        raise InputError("replicates label runs, and there are none (runs=None)")
    checked_runs = read_only(runs)
    if len(labels) < 2:
        raise InputError(
            f"replicates must label two runs or more, got {len(labels)}; leave runs "
            "and replicates out if each cell has one score"
        )
    if checked_runs.shape != (*means.shape, len(labels)):
        raise InputError(
            f"runs have shape {checked_runs.shape}, but the labels make (blocks, "
            f"algorithms, metrics, runs) = {(*means.shape, len(labels))}"
        )
    if np.isinf(checked_runs).any():
        raise InputError(f"{int(np.isinf(checked_runs).sum())} runs are infinite")
    gaps = np.isnan(checked_runs)
    largest = np.where(gaps, 0.0, np.abs(checked_runs)).max(axis=-1)
    width = 64 * np.finfo(float).eps * largest
    gap = np.abs(np.ldexp(means, -1) - np.ldexp(mean_of_runs(checked_runs), -1))
    same_gaps = np.array_equal(gaps.all(axis=-1), np.isnan(means))
    if not same_gaps or np.any(gap > width):
        raise InputError(
            "values must be the means of runs, cell by cell: of those that a cell has, "
            "NaN if it has none"
        )
    return checked_runs


def read_only(values: ArrayLike) -> Floats:
    """Return a read-only float64 copy, or reject anything but an array of numbers."""
    copy = np.array(numbers(values, "values", truth_values=True), order="C")
    copy.setflags(write=False)
    return copy


def places_within(cell: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return each row's place in its cell, 0, 1, ... in the table's order."""
    order = np.argsort(cell, kind="stable")
    sorted_cells = cell[order]
    starts = np.flatnonzero(np.r_[True, np.diff(sorted_cells) != 0])
    sizes = np.diff(np.r_[starts, cell.size])
    places = np.empty_like(cell)
    places[order] = np.arange(cell.size) - np.repeat(starts, sizes)
    return places

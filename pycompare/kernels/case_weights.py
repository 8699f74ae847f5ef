"""Figures of merit of weighted cases: what jackknife and bootstrap recompute.

A row of weights states how often each case counts: 0 and 1 for the jackknife, whole
numbers for the bootstrap. One row of ratings is measured under all rows of weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from pycompare.base.parallel.draws import on_draws, portions
from pycompare.base.typing import Bools, Floats

WeightedMeasure = Callable[[Bools, Floats, Floats], Floats]
_AT_ONCE = 2**21
"""Weights held at a time: bounds the memory."""


def counts(truth: Bools, row: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return false and true positives at each distinct rating, highest first.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    row : ndarray, shape (n,)
    weights : ndarray, shape (b, n)

    Returns
    -------
    fp, tp : ndarray, shape (b, m + 1)
        Cumulative weights; the first column is 0.
    """
    order = np.argsort(-row)
    ends = np.append(np.diff(row[order]) != 0, True)
    ordered = weights[:, order]
    fp = np.cumsum(ordered * ~truth[order], axis=1)[:, ends]
    tp = np.cumsum(ordered * truth[order], axis=1)[:, ends]
    first = np.zeros((len(weights), 1))
    return np.hstack([first, fp]), np.hstack([first, tp])


def left_out(unit: NDArray[np.intp], n_units: int) -> Iterator[Floats]:
    """Yield portions of the weights that leave out one unit after another.

    Parameters
    ----------
    unit : ndarray of int, shape (n,)
        The unit of each case: itself, or its cluster.
    """
    step = max(1, _AT_ONCE // len(unit))
    for start in range(0, n_units, step):
        which = np.arange(start, min(start + step, n_units))
        yield (unit != which[:, None]) * 1.0


def resampled(
    measure: WeightedMeasure,
    truth: Bools,
    rows: Floats,
    unit: NDArray[np.intp],
    strata: NDArray[np.intp],
    rng: np.random.Generator,
    resamples: int,
) -> Floats:
    """Measure every row on units drawn with replacement within strata, shape (b, k).

    Parameters
    ----------
    measure, truth, rows
        As of `measured`.
    unit : ndarray of int, shape (n,)
        The unit of each case.
    strata : ndarray of int, shape (n_units,)
        The stratum of each unit; each keeps its number of units.
    """
    groups = [np.flatnonzero(strata == s) for s in np.unique(strata)]

    def times(stream: np.random.Generator, b: int) -> Floats:
        drawn = np.zeros((b, len(strata)))
        for members in groups:
            even = np.full(len(members), 1 / len(members))
            drawn[:, members] = stream.multinomial(len(members), even, size=b)
        return drawn

    def of_units(_: None, drawn: Floats) -> Floats:
        return _under(measure, truth, rows, drawn[:, unit])

    sizes = portions(resamples, _AT_ONCE // max(1, len(unit)))
    measures = on_draws(of_units, None, times, rng, sizes, resamples * rows.size)
    return np.concatenate(list(measures))


def measured(
    measure: WeightedMeasure, truth: Bools, rows: Floats, weights: Iterator[Floats]
) -> Floats:
    """Measure every row under all weights, shape (b, k); unread cases are NaN."""
    return np.concatenate([_under(measure, truth, rows, some) for some in weights])


def _under(
    measure: WeightedMeasure, truth: Bools, rows: Floats, weights: Floats
) -> Floats:
    columns = []
    for row in rows:
        read = ~np.isnan(row)
        part = weights if read.all() else weights[:, read]
        columns.append(measure(truth[read], row[read], part))
    return np.stack(columns, axis=-1)

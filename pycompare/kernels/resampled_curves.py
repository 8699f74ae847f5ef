"""Curves of resampled cases, each class separately: a few sums per resample."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pycompare.base.parallel.draws import on_draws, portions
from pycompare.base.typing import Bools, Floats, Ints

_AT_ONCE = 2**20
"""Cases resampled together: bounds the memory."""
_MEASURED = 2**15
"""Cases measured together, few enough for the processor's cache."""

CurveMeasure = Callable[[Ints, Ints], Floats]


def resampled(
    truth: Bools,
    score: Floats,
    measure: CurveMeasure,
    rng: np.random.Generator,
    resamples: int,
) -> Floats:
    """Measure curves of resamples with replacement, stratified by class.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    score : ndarray, shape (k, n)
        The classifiers; a resample takes the same cases for all.
    measure : callable
        From false and true positives at each distinct score, highest first and 0 put
        before, shape (resamples, m + 1), to numbers, shape (resamples,).
    rng : Generator
    resamples : int

    Returns
    -------
    ndarray, shape (resamples, k)
    """
    places = [np.unique(-row, return_inverse=True) for row in score]
    measures = on_draws(
        _measured,
        (measure, [(len(distinct), place) for distinct, place in places]),
        partial(draw, truth),
        rng,
        portions(resamples, _AT_ONCE // len(truth)),
        resamples * score.size,
    )
    return np.concatenate(list(measures))


def _measured(
    held: tuple[CurveMeasure, list[tuple[int, NDArray[np.intp]]]],
    draws: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> Floats:
    """Measure each classifier on some resamples, few at a time."""
    measure, places = held
    (b, negatives), positives = draws[0].shape, draws[1].shape[1]
    step = max(1, _MEASURED // (negatives + positives))
    measures = []
    for start in range(0, b, step):
        few = draws[0][start : start + step], draws[1][start : start + step]
        columns = [measure(*_counts_at(place, m, few)) for m, place in places]
        measures.append(np.stack(columns, axis=-1))
    return np.concatenate(measures)


def draw(
    truth: Bools, rng: np.random.Generator, b: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Draw b times as many negatives and positives as there are."""
    classes = (np.flatnonzero(~truth), np.flatnonzero(truth))
    first, second = (
        members[rng.integers(0, len(members), (b, len(members)))] for members in classes
    )
    return first, second


def _counts_at(
    place: NDArray[np.intp],
    m: int,
    draws: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> tuple[Ints, Ints]:
    """Return cumulative counts of both classes at each distinct score."""
    first, second = (cumulative(place[drawn], m) for drawn in draws)
    return first, second


def cumulative(places: NDArray[np.intp], m: int) -> Ints:
    """Count places 0 .. m - 1 in each row, and add up; a 0 comes first."""
    b = len(places)
    keys = places + m * np.arange(b)[:, None]
    counts = np.bincount(keys.ravel(), minlength=b * m).reshape(b, m)
    out = np.zeros((b, m + 1), np.int64)
    np.cumsum(counts, axis=1, out=out[:, 1:])
    return out


def areas(fp: Ints | Floats, tp: Ints | Floats) -> Floats:
    """Measure the AUC."""
    # Trapezoids in counts: Aslan (2009), eq. 2.13.
    doubled = np.sum(np.diff(fp, axis=1) * (tp[:, 1:] + tp[:, :-1]), axis=1)
    return np.asarray(doubled / (2 * fp[:, -1] * tp[:, -1]))

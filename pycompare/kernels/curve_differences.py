"""Difference of two curves on the same cases, and its simultaneous band."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels import polylines
from pycompare.kernels.polylines import Line

CurveLine = Callable[[Ints, Ints], Line]
"""From true and false positives at each distinct score to the vertices of a curve."""
_ROUNDING = 64 * np.finfo(float).eps
"""Heights are shares; differences within this are 0."""


def line(truth: Bools, score: Floats, curve: CurveLine) -> Line:
    """Return the curve of one classifier."""
    order = np.argsort(-score)
    falling, positive = score[order], truth[order]
    last = np.flatnonzero(np.append(falling[1:] != falling[:-1], True))
    tp = np.cumsum(positive, dtype=np.int64)[last]
    return curve(tp, last + 1 - tp)


def limits(truth: Bools, score: Floats, curve: CurveLine, at: Floats) -> Floats:
    """Return the first curve's heights minus the second's, both limits in turn.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    score : ndarray, shape (2, n)
    curve : callable
    at : ndarray, shape (m,)

    Returns
    -------
    ndarray, shape (2 m,)
        See `polylines.heights`.
    """
    first, second = (polylines.heights(line(truth, row, curve), at) for row in score)
    apart = first - second
    return np.where(np.abs(apart) <= _ROUNDING, 0.0, apart)


def difference(truth: Bools, score: Floats, curve: CurveLine, at: Floats) -> Floats:
    """Return the limits from the left, shape (m,).

    The height of a staircase before its k-th false positive estimates the true positive
    rate at k / n; that after it belongs to the next place.
    """
    return limits(truth, score, curve, at)[::2]


def resampled(
    score: Floats,
    curve: CurveLine,
    at: Floats,
    drawn: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> Floats:
    """Return the difference in each resample, shape (resamples, m).

    Parameters
    ----------
    score : ndarray, shape (2, n)
    curve, at
        As in ``difference``.
    drawn : pair of ndarray of int, shape (resamples, n_negative), (..., n_positive)
        Places of the resampled cases of each class.
    """
    negative, positive = drawn
    truth = np.repeat([False, True], [negative.shape[1], positive.shape[1]])
    return np.array(
        [
            difference(truth, score[:, places], curve, at)
            for places in np.concatenate([negative, positive], axis=1)
        ]
    )


class DifferenceBand(NamedTuple):
    """Half of a simultaneous band, and the test that belongs to it.

    Attributes
    ----------
    half : ndarray, shape (m,)
        NaN if no resample differs from the difference observed.
    statistic, p_value : float
        Largest absolute difference in units of its scale, and the share of resamples,
        with the one observed, that deviate as far.
    """

    half: Floats
    statistic: float
    p_value: float


def band(observed: Floats, differences: Floats, alpha: float) -> DifferenceBand:
    """Return the band that leaves out 0 exactly when ``p_value`` is at most alpha.

    Its width is proportional to the root of the variance of the resamples plus a tenth
    of the largest variance: in the corners, which curves share, resamples vary less
    than other cases would.

    Parameters
    ----------
    observed : ndarray, shape (m,)
    differences : ndarray, shape (resamples, m)
        At least 1 / alpha - 1 resamples.
    alpha : float
    """
    deviations = differences - observed
    variance = np.mean(deviations**2, axis=0)
    scale = np.sqrt(variance + variance.max() / 10)
    if variance.max() == 0:
        return DifferenceBand(np.full(observed.shape, np.nan), np.nan, np.nan)
    largest = np.abs(deviations / scale).max(axis=1)
    statistic = float(np.abs(observed / scale).max())
    count = len(largest)
    most = int(np.floor(alpha * (count + 1) + _ROUNDING))
    critical = np.sort(largest)[count - most]
    p_value = (int((largest >= statistic).sum()) + 1) / (count + 1)
    return DifferenceBand(critical * scale, statistic, p_value)

"""Piecewise linear curves: means over one axis with a band, hulls, areas of a part.

A curve is given by its vertices, x not falling; vertices of the same x are a vertical
piece. Heights are limits from the left and from the right, so that jumps stay jumps and
the mean of curves has the mean of their areas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.typing import Floats
from pycompare.kernels import student

Line = tuple[Floats, Floats]
"""x and y of the vertices."""

_ALIKE = 1e-12
"""Heights that differ by no more differ by rounding only."""
AT_ONCE = 2**21
"""Numbers held together while a band is made: bounds the memory."""


def area(line: Line) -> float:
    """Return the area under a curve."""
    x, y = line
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def common_axis(lines: Sequence[Line], most: int) -> tuple[Floats, int]:
    """Return the distinct x of all curves, evenly thinned to ``most``.

    Returns
    -------
    ndarray, int
        The axis, and how many distinct x there are.
    """
    at = np.unique(np.concatenate([x for x, _ in lines]))
    if at.size <= most:
        return at, at.size
    kept = np.linspace(0, at.size - 1, most).round().astype(int)
    return at[kept], at.size


def heights(line: Line, at: Floats) -> Floats:
    """Return limits from the left and the right, shape (2 * len(at),), in turn.

    ``at`` lies within the curve's x.
    """
    x, y = line
    first = np.searchsorted(x, at, "left")
    last = np.searchsorted(x, at, "right") - 1
    there = first <= last
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (at - x[last]) / (x[np.minimum(first, len(x) - 1)] - x[last])
    before, after = y[last], y[np.minimum(first, len(x) - 1)]
    between = before + share * (after - before)
    left = np.where(there, after, between)
    right = np.where(there, before, between)
    return np.stack([left, right], axis=1).ravel()


def t_half_widths(values: Floats, level: float) -> Floats:
    """Return half of the t intervals of the means of columns, shape (m,).

    ``values`` has shape (n, m), n >= 2; a column whose values agree has none: NaN.
    """
    n = len(values)
    t = student.isf((1 - level) / 2, n - 1)
    half_widths: Floats = t * values.std(axis=0, ddof=1) / np.sqrt(n)
    return np.where(np.ptp(values, axis=0) > _ALIKE, half_widths, np.nan)


def fixed_half_width(
    values: Floats, level: float, rng: np.random.Generator, draws: int
) -> float:
    """Return half the width of a band that holds the whole mean curve.

    The quantile of max_j |sum_i w_i (y_ij - mean_j)| / sqrt(n (n - 1)) with standard
    normal w_i, divided by sqrt(chi2 / (n - 1)): for one column the t interval.

    Parameters
    ----------
    values : ndarray, shape (n, m)
        Heights of n curves, n >= 2.
    level : float
    rng : Generator
    draws : int
    """
    n, m = values.shape
    centred = (values - values.mean(axis=0)) / np.sqrt(n * (n - 1))
    # Both limits at a place are equal unless the curves jump there.
    again = (centred[:, 1:] == centred[:, :-1]).all(axis=0)
    centred = centred[:, np.append(True, ~again)]
    step = max(1, AT_ONCE // m)
    largest = np.concatenate(
        [
            np.maximum(simulated.max(axis=1), -simulated.min(axis=1))
            for s in range(0, draws, step)
            for simulated in [rng.normal(size=(min(step, draws - s), n)) @ centred]
        ]
    )
    scale = np.sqrt(rng.chisquare(n - 1, draws) / (n - 1))
    return float(np.quantile(largest / scale, level, method="higher"))


def upper_hull(x: Floats, y: Floats) -> NDArray[np.intp]:
    """Return the vertices of the upper convex hull, from left to right.

    x does not fall, and of points with the same x the last is the highest. Points on
    an edge are no vertices.
    """
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1 and not _turns_right(x, y, kept[-2], kept[-1], i):
            kept.pop()
        kept.append(i)
    return np.array(kept, np.intp)


def _turns_right(x: Floats, y: Floats, a: int, b: int, c: int) -> bool:
    """Return whether b lies above the line from a to c."""
    return bool((y[b] - y[a]) * (x[c] - x[b]) > (y[c] - y[b]) * (x[b] - x[a]))


def cost(fpr: ArrayLike, tpr: ArrayLike, at: ArrayLike) -> Floats:
    """Return the normalised expected cost of points at probability costs.

    Shapes broadcast; ``at`` = p(+) C(-|+) / (p(+) C(-|+) + p(-) C(+|-)).
    """
    f, t, c = (np.asarray(a, float) for a in (fpr, tpr, at))
    # Drummond & Holte (2006).
    return np.asarray((1 - t) * c + f * (1 - c))


def lower_envelope(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """Return the least cost over the points of a curve at every probability cost.

    Returns
    -------
    tuple of ndarray
        Vertices: probability costs from 0 to 1, and costs. Neighbours on the convex
        hull cost the same if c = d fpr / (d fpr + d tpr).
    """
    hull = upper_hull(fpr, tpr)
    f, t = fpr[hull], tpr[hull]
    rise, run = np.diff(t), np.diff(f)
    # Neighbours cost the same where (1 - c) d fpr = c d tpr.
    at = run / (run + rise)
    costs = cost(f[:-1], t[:-1], at)
    return np.concatenate([[0.0], at, [1.0]]), np.concatenate([[0.0], costs, [0.0]])


Area = TypeVar("Area", float, Floats)


def partial_area(x: Floats, y: Floats, low: float, high: float) -> Floats:
    """Return the area between ``low`` and ``high``.

    Parameters
    ----------
    x : ndarray, shape (..., m)
        Ascending along the last axis; vertical pieces have equal numbers.
    y : ndarray, shape (..., m)
    low, high : float
        Within the range of x.

    Returns
    -------
    ndarray, shape (...)
    """
    left, right = x[..., :-1], x[..., 1:]
    width = right - left
    begin = np.clip(left, low, high)
    end = np.clip(right, low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(width > 0, (y[..., 1:] - y[..., :-1]) / width, 0.0)
    middle = y[..., :-1] + slope * ((begin + end) / 2 - left)
    return np.asarray(np.sum((end - begin) * middle, axis=-1))


def rescaled(area: Area, low: float, high: float, axis: str) -> Area:
    """Rescale a partial area so that chance has 1/2 and the largest 1 (McClish 1989).

    Under the diagonal the mean height over ``fpr`` is the middle of the part; over
    ``tpr``, where the height is specificity, it is 1 minus the middle.
    """
    width, middle = high - low, (low + high) / 2
    # McClish (1989): (1 + (A - least) / (largest - least)) / 2.
    chance = width * (middle if axis == "fpr" else 1 - middle)
    return (1 + (area - chance) / (width - chance)) / 2

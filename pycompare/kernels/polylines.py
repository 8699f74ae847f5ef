"""Mean of piecewise linear curves over one axis, and a band around it.

A curve is given by its vertices, x not falling; vertices of the same x are a vertical
piece. Heights are limits from the left and from the right, so that jumps stay jumps and
the mean of curves has the mean of their areas.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pycompare.base.typing import Floats
from pycompare.kernels import student

Line = tuple[Floats, Floats]
"""x and y of the vertices."""

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

    ``values`` has shape (n, m), n >= 2.
    """
    n = len(values)
    t = student.isf((1 - level) / 2, n - 1)
    half_widths: Floats = t * values.std(axis=0, ddof=1) / np.sqrt(n)
    return half_widths


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

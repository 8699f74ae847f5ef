"""The convex hull of an ROC curve, and its dual: cost lines and their lower envelope.

A point (fpr, tpr) costs (1 - tpr) c + fpr (1 - c) at the probability cost c, a straight
line over c: the normalised expected cost of Drummond and Holte (2006).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.typing import Floats


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

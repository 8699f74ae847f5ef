"""Graphical procedures: alpha of a rejected hypothesis is passed along a graph."""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Floats


def graph_adjusted(p: Floats, weights: Floats, transitions: Floats) -> Floats:
    """Return adjusted p-values of weighted Bonferroni tests on a graph.

    Parameters
    ----------
    p, weights : ndarray, shape (m,)
        ``weights`` are the shares of alpha at first.
    transitions : ndarray, shape (m, m)
        Which share of a rejected hypothesis' alpha (row) each other (column) gets.

    Notes
    -----
    Bretz et al. (2009), algorithms 1 and 2. The result does not depend on which of two
    tied hypotheses is rejected first.
    """
    w, g = weights.copy(), transitions.copy()
    left = np.ones(len(p), bool)
    adjusted, largest = np.ones(len(p)), 0.0
    while left.any():
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(left & (w > 0), p / w, np.inf)
        j = int(np.argmin(ratio))
        if ratio[j] == np.inf:
            break  # no hypothesis that is left has any alpha
        largest = max(largest, float(ratio[j]))
        adjusted[j] = min(1.0, largest)
        left[j] = False
        w = np.where(left, w + w[j] * g[j], 0.0)
        g = _without(g, j, left)
    return adjusted


def _without(g: Floats, j: int, left: np.ndarray) -> Floats:
    """Return the graph without a rejected hypothesis: its ways are joined."""
    through = g[:, j, None] * g[None, j, :]
    back = (g[:, j] * g[j, :])[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        joined = np.where(back < 1, (g + through) / (1 - back), 0.0)
    keep = left[:, None] & left[None, :] & ~np.eye(len(g), dtype=bool)
    return np.where(keep, joined, 0.0)

"""``adjust_graph``: adjusted p-values of hypotheses of unequal importance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import numbers
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.tables import is_series
from pycompare.base.typing import Floats

if TYPE_CHECKING:
    import pandas as pd


_ROUNDING = 1e-9
"""By which weights of thirds may exceed 1."""


@checked
def adjust_graph(
    p: ArrayLike | pd.Series,
    *,
    weights: ArrayLike,
    transitions: ArrayLike | pd.DataFrame,
) -> Any:
    """Return adjusted p-values that pass alpha along a graph of hypotheses.

    Each hypothesis has a share of alpha; a rejected one hands its share to others. So
    a primary metric can be tested first and its alpha used again for secondary ones,
    several controls can be ordered, or families can be gatekeepers of others.

    Parameters
    ----------
    p : array_like or Series, shape (m,)
        Raw p-values.
    weights : array_like, shape (m,)
        Shares of alpha at first; at least 0, their sum at most 1. Declare them, and the
        graph, before the data are seen.
    transitions : array_like, shape (m, m)
        Row i: which share of the alpha of hypothesis i each other hypothesis gets if i
        is rejected; 0 on the diagonal, sums of rows at most 1.

    Returns
    -------
    Same kind and shape as ``p``
        Adjusted p-values; reject if they are at most alpha. The family-wise error is
        at most alpha for any dependence of valid raw p-values.

    Raises
    ------
    InputError
        For p-values outside [0, 1] or NaN, and weights or transitions of other shapes
        or beyond their limits.

    Notes
    -----
    Equation 4.6 of docs/equations.md.

    Weighted Bonferroni tests. With equal weights and transitions 1 / (m - 1) this is
    Holm; with weight 1 on the first and transitions to the next it is the fixed
    sequence. R: own derivation; ``gMCP::gMCP`` (not in Debian) has the same values.

    References
    ----------
    .. [1] Bretz, F., Maurer, W., Brannath, W., Posch, M. (2009). Statistics in Medicine
       28, 586-604.
    .. [2] Bretz, F. et al. (2011). Biometrical Journal 53, 894-913.

    Examples
    --------
    A primary and a secondary metric of two candidates: the secondary ones are tested
    with the alpha of their primary one, and pass it on to the other candidate.

    >>> import pycompare as pc
    >>> pc.adjust_graph(
    ...     [0.01, 0.03, 0.02, 0.2],
    ...     weights=[0.5, 0.5, 0, 0],
    ...     transitions=[[0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 0]],
    ... ).round(3).tolist()
    [0.02, 0.04, 0.04, 0.2]
    """
    values = numbers(p, "p-values")
    if values.ndim != 1:
        raise InputError(f"p-values of shape {values.shape}: give a vector")
    wrong = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(wrong):
        raise InputError(
            f"p-value number {wrong[0] + 1} is {values[wrong[0]]}: give p-values in "
            f"[0, 1], 1 for a hypothesis that cannot be tested"
        )
    w, g = _graph(weights, transitions, len(values))
    adjusted = _graph_adjusted(values, w, g)
    if not is_series(p):
        return adjusted
    import pandas as pd

    return pd.Series(adjusted, p.index, name=p.name)  # type: ignore[union-attr]


def _graph(weights: Any, transitions: Any, m: int) -> tuple[Floats, Floats]:
    """Return checked weights and transitions."""
    w, g = numbers(weights, "weights"), numbers(transitions, "transitions")
    if w.shape != (m,):
        raise InputError(
            setting("weights") + f" of shape {w.shape} for {m} p-values: give one each"
        )
    if g.shape != (m, m):
        raise InputError(
            setting("transitions")
            + f" of shape {g.shape} for {m} p-values: give a row and a column for each"
        )
    for name, x in (("weights", w), ("transitions", g)):
        wrong = np.argwhere(~((x >= 0) & (x <= 1)))
        if len(wrong):
            at = ", ".join(str(i + 1) for i in wrong[0])
            raise InputError(
                setting(name) + f" at {at} is {x[tuple(wrong[0])]}: give shares in "
                f"[0, 1]"
            )
    if w.sum() > 1 + _ROUNDING:
        raise InputError(
            setting("weights") + f" sum to {w.sum():g}: more than all of alpha; give "
            f"shares that sum to 1"
        )
    loops, sums = np.flatnonzero(np.diag(g)), g.sum(axis=1)
    if len(loops):
        raise InputError(
            setting("transitions") + f": hypothesis {loops[0] + 1} passes alpha to "
            f"itself; give 0 on the diagonal"
        )
    over = np.flatnonzero(sums > 1 + _ROUNDING)
    if len(over):
        raise InputError(
            setting("transitions") + f": row {over[0] + 1} sums to "
            f"{sums[over[0]]:g}, more than hypothesis {over[0] + 1} has; give shares "
            f"that sum to 1"
        )
    return w, g


def _graph_adjusted(p: Floats, weights: Floats, transitions: Floats) -> Floats:
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

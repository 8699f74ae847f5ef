"""Sign tests of counts of wins, losses and ties, many pairs at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.typing import Floats
from pycompare.kernels import binomial


def counted(wins: ArrayLike, losses: ArrayLike, n: ArrayLike, ties: str) -> Floats:
    """Return the wins and losses that a sign test counts, shape (2, ...).

    Parameters
    ----------
    wins, losses, n : array_like of int, shapes that broadcast
        ``n - wins - losses`` are ties.
    ties : {"split", "drop"}
        Split: half of them to each side, an odd one dropped (Aslan 2009, sec. 4.6).
        Drop: none counts.
    """
    won, lost = np.asarray(wins, float), np.asarray(losses, float)
    # Aslan (2009), sec. 4.6: half of the ties to each side, an odd one dropped.
    each = (np.asarray(n, float) - won - lost) // 2 if ties == "split" else 0.0
    return np.stack(np.broadcast_arrays(won + each, lost + each))


def p_values(
    wins: ArrayLike,
    losses: ArrayLike,
    n: ArrayLike,
    *,
    ties: str = "split",
    alternative: str = "two-sided",
) -> Floats:
    """Return exact p-values; NaN if nothing counts.

    ``greater``: wins are more frequent than losses.
    """
    won, lost = counted(wins, losses, n, ties)
    p = binomial.p_values(won, lost, alternative)
    return np.where(won + lost > 0, p, np.nan)

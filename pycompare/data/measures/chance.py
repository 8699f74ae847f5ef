"""Areas below 0.5: the question that belongs wherever an area is shown."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

_CHANCE = 0.5


def below_chance(areas: ArrayLike, *, of: str = "score") -> tuple[str, ...]:
    """Return a question as a note if most areas are below 0.5, else nothing.

    Parameters
    ----------
    areas : array_like of float
        Areas under whole ROC curves; NaN if there is none.
    of : {"score", "rating"}
        What orders the cases.
    """
    values = np.asarray(areas, float).ravel()
    values = values[~np.isnan(values)]
    n, below = values.size, int((values < _CHANCE).sum())
    if 2 * below <= n:
        return ()
    which = f"{below} of {n} AUCs are"
    if below == n:
        which = {1: "the AUC is", 2: "both AUCs are"}.get(n, f"all {n} AUCs are")
    return (
        f"{which} below 0.5: is the {of} reversed, or is the other class positive?",
    )

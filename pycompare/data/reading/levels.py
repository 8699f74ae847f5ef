"""Scores whose level differs between blocks: noted, since differences mix units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pycompare.base.formatting.numbers import number
from pycompare.base.labels import show
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.missing import Cells
from pycompare.data.reading.words import known_metric, words_of

_FACTOR = 1000
"""Medians of blocks that differ by so much are of several units."""
_WITHOUT_UNIT = {"logloss", "brier", "ece", "r2", "mcc", "kappa"}
"""Metrics that have no unit of the data."""


def level_notes(cells: Cells, metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield notes about metrics with blocks of very different levels.

    Errors in the units of each series are the usual case: differences of such scores
    are decided by the series of the largest unit.
    """
    for at, metric in enumerate(metrics):
        if said := levels_apart(cells.values[:, :, at], metric):
            yield (
                f"{said}; ranks within blocks and logarithms of the scores (ratios) do "
                "not depend on units"
            )


def levels_apart(scores: Floats, metric: Metric) -> str:
    """Return a note that levels of blocks differ so much that differences mix units.

    Parameters
    ----------
    scores : ndarray, shape (n_blocks, n_algorithms)
        Of one metric; NaN if missing.

    Returns
    -------
    str
        Empty if they do not, or the metric has no unit of the data.
    """
    known = known_metric(metric.name)
    words = {*words_of(metric.name)}
    bounded = known is not None and known.proportion
    if bounded or words & _WITHOUT_UNIT or {"log", "loss"} <= words:
        return ""
    medians = _lower_medians(np.abs(scores))
    if not medians.size or medians.max() / _FACTOR < medians.min():
        return ""
    low, high = number(float(medians.min()), 3), number(float(medians.max()), 3)
    return (
        f"medians of {show(metric.name)} by block range from {low} to {high}, so that "
        "blocks with large scores decide differences, and a change of their unit "
        "changes the result"
    )


def _lower_medians(scores: Floats) -> Floats:
    """Return the lower median of each row, of rows in which it is above 0."""
    ordered = np.sort(scores, axis=1)  # missing scores come last
    count = np.sum(~np.isnan(scores), axis=1)
    there = np.flatnonzero(count)
    medians = ordered[there, (count[there] - 1) // 2]
    positive: Floats = medians[medians > 0]
    return positive

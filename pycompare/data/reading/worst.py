"""The worst score of each metric, for cells whose system failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import nearest, show, show_all
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.reading.answers import NO_ANSWERS, Answers, Ends
from pycompare.data.reading.words import known_metric

Worst = float | Mapping[str, float] | Literal["last"] | None
"""One worst score for all metrics, or one for each by name; ``last``: failures of a
metric without a bad end keep no score, and rank last."""
LAST: Literal["last"] = "last"


def of_failures(missing: str | None, given: Worst, *, ranked: bool) -> Worst:
    """Return the worst score of failures; those that are only ranked need none."""
    last = ranked and missing == "worst" and given is None
    return LAST if last else given


def worst_scores(
    metrics: Sequence[Metric],
    values: Floats,
    given: Worst,
    declared: Answers = NO_ANSWERS,
) -> tuple[float, ...]:
    """Return the worst score of each metric: as given, else the bad end of its range.

    Parameters
    ----------
    metrics : sequence of Metric
    values : ndarray, shape (n_blocks, n_algorithms, n_metrics)
        The range of a proportion ends at 100 if most of its scores are above 1.
    given : float, mapping, "last" or None
        With ``"last"`` the worst score is NaN without a bad end.
    declared : Answers
        With the ranges that the owner declares; they go before those of names.

    Raises
    ------
    InputError
        If a metric has no such end by its name and none is given; or a name in
        ``given`` is no metric, or a score is worse than the given end.
    """
    if isinstance(given, Mapping):
        names = [metric.name for metric in metrics]
        for name in given:
            if name not in names:
                raise InputError(
                    setting("worst", dict(given))
                    + f": there is no metric {show(name)}{nearest(name, names)}; "
                    f"metrics: {show_all(names)}"
                )
    return tuple(
        _worst(metric, values[:, :, at], given, declared.range_of(metric.name))
        for at, metric in enumerate(metrics)
    )


def _worst(metric: Metric, values: Floats, given: Worst, ends: Ends | None) -> float:
    """Return the worst score of one metric."""
    last = given == LAST
    chosen = given.get(metric.name) if isinstance(given, Mapping) else given
    if chosen is None or isinstance(chosen, str):
        ends = ends or known_range(metric.name, values)
        chosen = None if ends is None else ends[metric.better == "lower"]
    if chosen is None and last:
        return float("nan")
    if chosen is None or not np.isfinite(chosen):
        raise InputError(
            setting("missing", "worst")
            + f": {show(metric.name)} has no worst score by its name; give it ("
            + setting("worst", ...)
            + ", or its range by "
            + setting("range", ...)
            + ")"
        )
    there = values[~np.isnan(values)]
    if (metric.sign * there > metric.sign * chosen).any():
        raise InputError(
            setting("worst", chosen) + f": {show(metric.name)} has worse scores "
            f"({there[np.argmax(metric.sign * there)]:g}); give the worst of all"
        )
    return float(chosen)


def known_range(name: str, values: Floats) -> tuple[float, float] | None:
    """Return the range of a metric that its name implies; None if it implies none.

    Proportions are percentages if most of the scores are above 1.
    """
    known = known_metric(name)
    if known is None:
        return None
    there = values[~np.isnan(values)]
    percent = known.proportion and there.size and (there > 1).mean() > 0.5
    return known.low, 100.0 if percent else known.high


def whole_range(name: str, values: Floats) -> tuple[float, float] | None:
    """Return the range of a metric that its name implies, if it has both ends."""
    known = known_range(name, values)
    return known if known is not None and np.isfinite(known).all() else None

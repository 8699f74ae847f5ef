"""Scores that a metric cannot have, codes for missing scores, wrong directions."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from pycompare.base.errors import setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show
from pycompare.base.typing import Floats
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Seen
from pycompare.data.reading.words import (
    KnownMetric,
    known_metric,
    names_known,
    words_of,
)

_CODES = (-1.0, -9.0, -99.0, -999.0, 999.0, 9999.0)
_FEWEST, _SHARE, _APART = 3, 0.01, 0.1
_MOST_TOLD = 3
_FOLD = re.compile(r"[a-z]\d+", re.IGNORECASE)
"""Labels of folds, of which f1 is no metric."""


def impossible(seen: Seen) -> Iterator[Doubt]:
    """Yield metrics some of whose scores are outside of the range of their name."""
    if seen.cells is None:
        return
    for at, metric in enumerate(seen.metrics):
        known, declared = known_metric(metric.name), seen.answers.range_of(metric.name)
        values = seen.cells.values[:, :, at]
        if declared is not None:
            low, high = declared
        elif known is not None:
            low, high = _range(known, values)
        else:
            continue
        outside = np.argwhere((values < low) | (values > high))
        if not len(outside):
            continue
        told = ", ".join(
            f"{values[row, column]:g} ({show(seen.cells.labels.block[row])}, "
            f"{show(seen.cells.algorithms[column])})"
            for row, column in outside[:_MOST_TOLD].tolist()
        )
        yield Doubt(
            "impossible",
            f"{show(metric.name)} has {counted(len(outside), 'score')} outside of "
            f"{_interval(low, high)}, first: {told}",
            (metric.name,),
            change="correct the scores, or declare the range: " + setting("range", ...),
            confirmable=declared is None,
        )


def _range(known: KnownMetric, values: Floats) -> tuple[float, float]:
    """Return the range of a metric; in percent if most scores need it."""
    there = values[np.isfinite(values)]
    if known.proportion and there.size and (np.abs(there) > 1).mean() > 0.5:
        return 0.0, 100.0
    return known.low, known.high


def _interval(low: float, high: float) -> str:
    if np.isinf(high):
        return "numbers from 0 on"
    if np.isinf(low):
        return f"numbers up to {high:g}"
    return f"[{low:g}, {high:g}]"


def code(seen: Seen) -> Iterator[Doubt]:
    """Yield numbers such as -1 or 999 that may stand for missing scores."""
    if seen.cells is None:
        return
    for at, metric in enumerate(seen.metrics):
        values = seen.cells.values[:, :, at]
        known = known_metric(metric.name)
        if known is not None and known.low == -1 and known.high == 1:
            continue
        if "reward" in words_of(metric.name) or "return" in words_of(metric.name):
            continue
        there = values[np.isfinite(values)]
        for mark in np.intersect1d(there, _CODES).tolist():
            count = int((there == mark).sum())
            if count < max(_FEWEST, _SHARE * there.size) or count == there.size:
                continue
            if _apart(there[there != mark], mark, known):
                yield Doubt(
                    "code",
                    f"{show(metric.name)} is {mark:g} in {counted(count, 'cell')} of "
                    f"{there.size}, apart from all other scores, as a code for a "
                    "missing score is",
                    (f"{mark:g}",),
                    change="read it as missing: " + setting("na", (f"{mark:g}",)),
                )


_ODD_SHARE = 0.05


def odd_label(seen: Seen) -> Iterator[Doubt]:
    """Yield labels of people that are neither 0 nor 1 if nearly all others are."""
    if seen.cells is None or seen.cells.judge is None:
        return
    for at, metric in enumerate(seen.metrics):
        if seen.answers.range_of(metric.name) is not None:
            continue
        values = seen.cells.values[:, :, at]
        other = ~np.isnan(values) & ~np.isin(values, (0.0, 1.0))
        count = int(other.sum())
        if not 0 < count < _ODD_SHARE * np.isfinite(values).sum():
            continue
        row, column = np.argwhere(other)[0].tolist()
        yield Doubt(
            "odd-label",
            f"{show(metric.name)} has {counted(count, 'label')} other than 0 and 1, "
            f"first: {values[row, column]:g} ({show(seen.cells.labels.block[row])}, "
            f"{show(seen.cells.algorithms[column])})",
            (metric.name,),
            change="correct the labels, or declare their range: "
            + setting("range", ...),
        )


def _apart(others: Floats, mark: float, known: KnownMetric | None) -> bool:
    """Return whether a number lies outside of the range of the others, and apart."""
    if known is not None and not known.low <= mark <= known.high:
        return True
    gap = float(np.abs(others - mark).min())
    beyond = mark < others.min() or mark > others.max()
    return beyond and gap > _APART * float(np.ptp(others))


def direction(seen: Seen) -> Iterator[Doubt]:
    """Yield directions against the metric's, or blocks whose labels name the other."""
    for metric in seen.metrics:
        known = known_metric(metric.name)
        if known is not None and known.better != metric.better:
            yield Doubt(
                "direction",
                f"{show(metric.name)} is declared to be better if {metric.better}, and "
                f"metrics of this name are better if {known.better}",
                (metric.name,),
                change="give the other direction: " + setting("better", known.better),
            )
    if seen.cells is None or len(seen.metrics) != 1:
        return
    for axis in seen.axes:
        if not names_known(axis.labels):
            continue
        known_of = {
            label: None if _FOLD.fullmatch(label) else known_metric(label)
            for label in axis.labels
        }
        against = [
            label
            for label, known in known_of.items()
            if known is not None and known.better != seen.metrics[0].better
        ]
        if against and len(against) < len(axis.labels):
            shown = ", ".join(map(show, against[:_MOST_TOLD]))
            other = "lower" if seen.metrics[0].better == "higher" else "higher"
            yield Doubt(
                "direction",
                f"{counted(len(against), axis.role)} may have the other direction by "
                f"name ({other} is better): {shown}",
                tuple(against),
                tuple(f"{axis.role}={label}" for label in against),
            )

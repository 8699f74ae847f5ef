"""An algorithm whose scores stand beside the labels of other cases."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import number
from pycompare.base.labels import show
from pycompare.base.typing import Floats
from pycompare.data.block_labels import BlockLabels
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Seen

_FEWEST_CASES = 50
_SHIFTS = (1, -1, 2, -2)
_FURTHER = tuple(by for lag in range(3, 13) for by in (lag, -lag))
"""Shifts that restore nothing, unless scores depend on the order of cases."""
_HALF = 0.5
_SURE = 4.0
"""Standard errors by which a shift must raise the correlation."""
_NUMBERED = re.compile(r"(.*?)(\d{1,15})")


def shifted(seen: Seen) -> Iterator[Doubt]:
    """Yield algorithms that agree with the others once their labels are moved.

    Their correlation with each other algorithm is under half of what these have among
    themselves, and labels moved by one or two restore it.
    """
    if seen.cells is None or len(seen.cells.algorithms) < 3:
        return
    if len(seen.cells.labels) < _FEWEST_CASES:
        return
    order = _order(seen.cells.labels)
    for at, metric in enumerate(seen.metrics):
        scores = _standardised(seen.cells.values[order, :, at])
        for algorithm, (by, now, then) in _moved(scores).items():
            label = seen.cells.algorithms[algorithm]
            side = "earlier" if by > 0 else "later"
            yield Doubt(
                "shifted",
                f"{show(metric.name)} of algorithm {show(label)} hardly correlates "
                f"with the others (r = {number(now, 2)} with their mean), and does "
                f"(r = {number(then, 2)}) if each of its scores is treated as that of "
                f"the block {counted(abs(by), 'place')} {side}: are its labels moved?",
                (label,),
                (f"algorithm={label}",),
                "correct its labels",
            )


def _order(labels: BlockLabels) -> NDArray[np.intp]:
    """Return blocks by the number at the end of their labels, else as they come."""
    matches = [_NUMBERED.fullmatch(label) for label in labels.block]
    parts = [match.groups() for match in matches if match is not None]
    if len(parts) < len(matches) or len({text for text, _ in parts}) > 1:
        return np.arange(len(matches))
    return np.argsort([int(digits) for _, digits in parts], kind="stable")


def _standardised(values: Floats) -> Floats:
    """Return columns of mean 0 and variance 1; 0 if a score is missing."""
    there = ~np.isnan(values)
    count = np.maximum(there.sum(axis=0), 1)
    centred = np.where(there, values, 0.0)
    centred = np.where(there, centred - centred.sum(axis=0) / count, 0.0)
    size = np.sqrt((centred**2).sum(axis=0) / len(values))
    return np.asarray(centred / np.where(size > 0, size, 1.0))


def _moved(scores: Floats) -> dict[int, tuple[int, float, float]]:
    """Return algorithms that a shift restores: shift, correlation before and after."""
    n, k = scores.shape
    total = scores.sum(axis=1)
    varied = np.asarray(scores.any(axis=0))
    restored = {}
    for at in range(k):
        own, rest = scores[:, at], total - scores[:, at]
        others = (np.arange(k) != at) & varied
        size = float(np.sqrt(rest @ rest / n))
        if not varied[at] or others.sum() < 2 or not size:
            continue
        now = float(own @ rest) / n / size
        moved = {by: float(np.roll(own, -by) @ rest) / n / size for by in _SHIFTS}
        by = max(moved, key=lambda shift: moved[shift])
        if now >= _HALF * moved[by] or not _surely(now, moved[by], n):
            continue
        further = max(float(np.roll(own, -lag) @ rest) for lag in _FURTHER)
        if further / n / size >= _HALF * moved[by]:
            continue
        among = (rest @ scores[:, others] / n - 1) / (others.sum() - 1)
        before = own @ scores[:, others] / n
        after = np.roll(own, -by) @ scores[:, others] / n
        half = _HALF * among
        if (among > 0).all() and (before < half).all() and (after >= half).all():
            restored[at] = by, now, moved[by]
    return restored


def _surely(now: float, then: float, n: int) -> bool:
    """Return whether one correlation is far above another (Fisher's z)."""
    bound = 1 - 1e-12
    gap = np.arctanh(np.clip(then, -bound, bound)) - np.arctanh(
        np.clip(now, -bound, bound)
    )
    return bool(gap * np.sqrt((n - 3) / 2) > _SURE)

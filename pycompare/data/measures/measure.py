"""Every measure of every group of cases, a few groups at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import Unfinished, identity
from pycompare.base.typing import Bools, Floats, Indices
from pycompare.data.measures.registry import Measure
from pycompare.data.measures.request import Request
from pycompare.kernels import cumulative_counts, rates
from pycompare.kernels.rates import brier, calibration_error, log_loss

CACHED = 2**16
"""Cases of small groups taken together: sorting them stays in the processor's cache."""
ROWS = 2**20
"""Cases of a portion, unless one group has more: about a second of work."""


def measure_groups(
    wanted: Request,
    score: Floats,
    is_positive: Bools,
    offsets: Indices,
    where: Callable[[int], str],
) -> Floats:
    """Measure groups of cases.

    Parameters
    ----------
    wanted : Request
    score, is_positive : ndarray, shape (n,)
    offsets : ndarray of int, shape (n_groups + 1,)
    where : callable
        Names a group in messages.

    Returns
    -------
    ndarray, shape (n_groups, n_columns)
        NaN if a measure is undefined and no value was declared for that.

    Raises
    ------
    InputError
        If scores outside [0, 1] meet a measure or threshold that is for [0, 1], or
        a log loss is infinite.
    """
    if (why := wanted.why_unit_interval) is not None:
        _require_unit_interval(why, score, offsets, where)
    values = np.empty((offsets.size - 1, len(wanted.columns)))
    for first, last in _portions(offsets, CACHED):
        rows = slice(offsets[first], offsets[last])
        values[first:last] = _measure_portion(
            wanted,
            score[rows],
            is_positive[rows],
            offsets[first : last + 1] - offsets[first],
            partial(_later, where, first),
        )
    return values


def _later(where: Callable[[int], str], first: int, group: int) -> str:
    return where(first + group)


def _portions(offsets: Indices, size: int) -> Iterator[tuple[int, int]]:
    """Cut the groups into portions of at most ``size`` cases, or one group."""
    first, n_groups = 0, offsets.size - 1
    while first < n_groups:
        end = int(np.searchsorted(offsets, offsets[first] + size, side="right")) - 1
        last = min(max(end, first + 1), n_groups)
        yield first, last
        first = last


def _measure_portion(
    wanted: Request,
    score: Floats,
    is_positive: Bools,
    offsets: Indices,
    where: Callable[[int], str],
) -> Floats:
    steps: cumulative_counts.Steps | None = None
    if any(m.needs != "probability" for m in wanted.measures):
        steps = cumulative_counts.steps(score, is_positive, offsets)
    columns: list[Floats] = []
    if wanted.at_thresholds:
        assert steps is not None
        counts = cumulative_counts.counts_at(steps, wanted.thresholds)
        n = (steps.positives + steps.negatives)[:, None]
    for m in wanted.measures:
        if m.needs == "threshold":
            assert m.of_counts is not None
            values = m.of_counts(counts)
        elif m.needs == "cost":
            assert wanted.loss is not None
            with np.errstate(invalid="ignore"):
                values = wanted.loss.total(counts) / n
        elif m.needs == "probability-at-threshold":
            assert steps is not None
            area = cumulative_counts.auc(steps)[:, None]
            distance = np.sqrt(brier(score, is_positive, offsets))[:, None]
            # Caruana & Niculescu-Mizil (2004): accuracy, AUC, 1 - root mean square.
            values = (rates.accuracy(counts) + area + (1 - distance)) / 3
        elif m.needs in ("ranks", "share"):
            assert steps is not None
            values = _of_ranks(m, wanted, steps)[:, None]
        else:
            values = _of_probabilities(m, score, is_positive, offsets, where)[:, None]
        columns.append(_declared(m, wanted, values, offsets))
    return np.concatenate(columns, axis=1)


def _of_ranks(
    measure: Measure, wanted: Request, steps: cumulative_counts.Steps
) -> Floats:
    if measure.of_steps is not None:
        return measure.of_steps(steps)
    if measure.needs == "share":
        assert wanted.top_share is not None
        return cumulative_counts.lift(steps, wanted.top_share)
    assert wanted.fpr_range is not None
    return cumulative_counts.partial_auc(steps, *wanted.fpr_range)


def _of_probabilities(
    measure: Measure,
    score: Floats,
    is_positive: Bools,
    offsets: Indices,
    where: Callable[[int], str],
) -> Floats:
    if measure.name == "brier":
        return brier(score, is_positive, offsets)
    if measure.name == "ece":
        return calibration_error(score, is_positive, offsets)
    values = log_loss(score, is_positive, offsets)
    if np.isinf(values).any():
        group = int(np.argmax(np.isinf(values)))
        raise InputError(
            f"log_loss is infinite in {np.sum(np.isinf(values))} groups, first: "
            f"{where(group)}: a case has probability 0 of its own class; use "
            "'brier', or scores within (0, 1)"
        )
    return values


def _declared(
    measure: Measure, wanted: Request, values: Floats, offsets: Indices
) -> Floats:
    """Put the declared value in place of 0/0; an empty group stays missing."""
    if measure.name not in wanted.undefined:
        return values
    filled = np.where(np.isnan(values), wanted.undefined[measure.name], values)
    return np.where((np.diff(offsets) > 0)[:, None], filled, np.nan)


def _require_unit_interval(
    why: str, score: Floats, offsets: Indices, where: Callable[[int], str]
) -> None:
    outside = (score < 0) | (score > 1)
    if not outside.any():
        return
    first = int(np.argmax(outside))
    group = int(np.searchsorted(offsets, first, side="right")) - 1
    raise InputError(
        f"{np.sum(outside)} of {score.size} scores are outside [0, 1], first: "
        f"{score[first]:g} in {where(group)}, but {why}"
    )


class _GroupsInMemory(NamedTuple):
    """Some groups, with their own cases only."""

    score: Floats
    is_positive: Bools
    offsets: Indices
    names: tuple[str, ...]


def measured(
    wanted: Request,
    score: Floats,
    is_positive: Bools,
    offsets: Indices,
    where: Callable[[int], str],
) -> Floats:
    """Return what `measure_groups` does, in portions if there are many cases."""
    ends = list(_portions(offsets, ROWS))
    if len(ends) <= 1:
        return measure_groups(wanted, score, is_positive, offsets, where)
    portions = []
    for first, last in ends:
        rows = slice(offsets[first], offsets[last])
        own = offsets[first : last + 1] - offsets[first]
        names = tuple(where(group) for group in range(first, last))
        portions.append(_GroupsInMemory(score[rows], is_positive[rows], own, names))
    kept = Unfinished(
        lambda: identity(wanted, score, is_positive, offsets), what="measurement"
    )
    done = tasks(_measured, wanted, portions, what="portions", kept=kept)
    values: Floats = np.concatenate(list(done))
    return values


def _measured(wanted: Request, portion: _GroupsInMemory) -> Floats:
    return measure_groups(
        wanted,
        portion.score,
        portion.is_positive,
        portion.offsets,
        portion.names.__getitem__,
    )

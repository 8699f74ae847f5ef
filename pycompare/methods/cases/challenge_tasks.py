"""The tasks of a challenge: scores, failures, rankings of whole and resampled cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pycompare.base.errors import DesignError, setting
from pycompare.base.formatting.counts import counted, have
from pycompare.base.labels import levels, show
from pycompare.base.parallel.draws import on_draws, portions
from pycompare.base.typing import (
    Aggregate,
    Bools,
    Floats,
    Ints,
    RankingScheme,
    TiedRanks,
)
from pycompare.data.scores import Scores
from pycompare.data.strata import tasks_of
from pycompare.kernels import challenge as kernel
from pycompare.kernels.r_random import Uniforms

RANK_FIRST: RankingScheme = "rank-then-aggregate"
AGGREGATE_FIRST: RankingScheme = "aggregate-then-rank"
TEST_FIRST: RankingScheme = "test-then-rank"
_ALL_CASES = "all cases"
_CHUNK = 4_000_000
"""Numbers that one chunk of resamples holds: 32 MB."""


@dataclass(frozen=True)
class Scheme:
    """How algorithms are ranked.

    Attributes
    ----------
    ranking : {"rank-then-aggregate", "aggregate-then-rank", "test-then-rank"}
    aggregate : {"mean", "median"} or float
        Of the cases; a number is a quantile. ``test-then-rank`` has none.
    ties : {"mean", "min"}
    alpha : float
        Of the tests of ``test-then-rank``.
    holm : bool
        Whether these are adjusted over all ordered pairs of a task.
    """

    ranking: RankingScheme
    aggregate: Aggregate
    ties: TiedRanks
    alpha: float
    holm: bool

    @property
    def quantile(self) -> float | None:
        """The quantile of cases that is taken; None: their mean."""
        if self.aggregate == "mean" or self.ranking == TEST_FIRST:
            return None
        return 0.5 if self.aggregate == "median" else float(self.aggregate)

    @property
    def has_pairs(self) -> bool:
        """Whether its quantity has a test of pairs: means of ranks, or of scores."""
        return self.ranking != TEST_FIRST and self.aggregate == "mean"


@dataclass(frozen=True, eq=False)
class Task:
    """The cases of one task.

    Attributes
    ----------
    name : str
    rows : ndarray of int
        Their places among all cases.
    scores, ranks : ndarray, shape (n, a)
        In the metric's own unit, failures with the worst score (NaN if none is known);
        and ranks within cases, failures last.
    failed : ndarray of bool, shape (n, a)
    sign : float
        1 if lower scores are better, else -1.
    """

    name: str
    rows: Ints
    scores: Floats
    ranks: Floats
    failed: Bools
    sign: float

    def take(self, rows: Bools) -> Task:
        """Return the task with some of its cases."""
        return Task(
            self.name,
            self.rows[rows],
            self.scores[rows],
            self.ranks[rows],
            self.failed[rows],
            self.sign,
        )

    def values(self, scheme: Scheme, counts: Floats) -> Floats:
        """Return values of algorithms if cases count so often, shape (len(counts), a).

        Mean ranks, aggregated scores, or shares of rivals that are beaten.
        """
        if scheme.ranking == TEST_FIRST:
            oriented = self.sign * self.scores
            return kernel.shares_beaten(
                counts, oriented, scheme.alpha, holm=scheme.holm
            )
        x = self.ranks if scheme.ranking == RANK_FIRST else self.scores
        if scheme.quantile is None:
            with np.errstate(invalid="ignore"):
                return kernel.means(counts, x, np.ones(len(x)))
        return kernel.quantiles(counts, x, scheme.quantile)


@dataclass(frozen=True, eq=False)
class Tasks:
    """All tasks of a challenge, with weights of sum 1.

    Attributes
    ----------
    algorithms : tuple of str
    each : tuple of Task
    weights : ndarray
    sign : float
        1 if lower scores are better, else -1.
    units : ndarray of int
        The unit, a case or a cluster, of each case.
    resampled_in : ndarray of int
        The set of units in which each unit is resampled: those of its task, or of all
        tasks that share clusters.
    """

    algorithms: tuple[str, ...]
    each: tuple[Task, ...]
    weights: Floats
    sign: float
    units: Ints
    resampled_in: Ints

    @property
    def failed(self) -> Ints:
        """Failures of each algorithm."""
        return np.sum([task.failed.sum(axis=0) for task in self.each], axis=0)

    def without_failures(self) -> Tasks | None:
        """Return the cases on which nobody failed; None if a task has none."""
        kept = [task.take(np.asarray(~task.failed.any(axis=1))) for task in self.each]
        if any(not len(task.rows) for task in kept):
            return None
        return Tasks(
            self.algorithms,
            tuple(kept),
            self.weights,
            self.sign,
            self.units,
            self.resampled_in,
        )

    def ranked(self, values: Floats, scheme: Scheme) -> Floats:
        """Return ranks of rows of values, 1 = best."""
        tested = scheme.ranking == TEST_FIRST
        lower = 1 if scheme.ranking == RANK_FIRST else -1 if tested else self.sign
        return kernel.case_ranks(lower * values, scheme.ties)

    def values(self, scheme: Scheme) -> Floats:
        """Return values of each task, shape (n_tasks, a)."""
        return np.vstack(
            [task.values(scheme, np.ones((1, len(task.rows)))) for task in self.each]
        )

    def resampled(self, scheme: Scheme, n_resamples: int, seed: int) -> Floats:
        """Return weighted values of resamples, shape (n_resamples, a).

        Whole units are drawn. A resample that lacks a task has NaN.
        """
        uniforms = Uniforms(seed)
        total = np.zeros((n_resamples, len(self.algorithms)))
        for part in range(int(self.resampled_in.max()) + 1):
            own = np.flatnonzero(self.resampled_in == part)
            place = np.full(len(self.resampled_in), -1)
            place[own] = np.arange(len(own))
            held = [
                (weight, task, place[self.units[task.rows]])
                for weight, task in zip(self.weights, self.each, strict=True)
                if place[self.units[task.rows[0]]] >= 0
            ]
            values_of_tasks = on_draws(
                _resampled_values,
                (scheme, held),
                partial(_unit_counts, len(own)),
                uniforms,
                portions(n_resamples, _CHUNK // max(len(own), len(self.units))),
                n_resamples * len(self.units),
            )
            for of_task in zip(*values_of_tasks, strict=True):
                total += np.concatenate(of_task)
        return total


def _unit_counts(n_units: int, uniforms: Uniforms, n_resamples: int) -> Floats:
    return kernel.unit_counts(uniforms, n_units, n_resamples)


def _resampled_values(
    held: tuple[Scheme, list[tuple[float, Task, Ints]]], counts: Floats
) -> list[Floats]:
    """Return the weighted values of each task if units count so often."""
    scheme, tasks = held
    values_of_tasks = []
    for weight, task, units in tasks:
        of_cases = counts[:, units]
        values = task.values(scheme, of_cases)
        values[of_cases.sum(axis=1) == 0] = np.nan
        values_of_tasks.append(weight * values)
    return values_of_tasks


def tasks_of_scores(
    scores: Scores, metric: str | None, weights: Any, ties: TiedRanks
) -> Tasks:
    """Return the tasks of scores that are checked; see ``pc.challenge``."""
    chosen = scores.metric(metric)
    values = np.asarray(scores.column(metric))
    failed = failures(scores, chosen.name)
    ranks = kernel.case_ranks(np.where(failed, np.nan, chosen.sign * values), ties)
    if weights is None:
        names: tuple[str, ...] = (_ALL_CASES,)
        codes, of_task = np.zeros(len(values), int), np.ones(1)
    else:
        strata = tasks_of(scores, weights)
        names, codes, of_task = strata.names, strata.codes, strata.weights
    each = []
    for at, name in enumerate(names):
        rows = np.flatnonzero(codes == at)
        each.append(
            Task(name, rows, values[rows], ranks[rows], failed[rows], chosen.sign)
        )
    _refuse_absent(each, scores.algorithms, several=weights is not None)
    clusters = scores.clusters or scores.blocks
    units = np.asarray(levels(clusters, what="clusters").codes)
    return Tasks(
        scores.algorithms,
        tuple(each),
        of_task,
        chosen.sign,
        units,
        _resampled_in(units, codes),
    )


def failures(scores: Scores, metric: str) -> Bools:
    """Return the cells without a score, whatever stands for it now."""
    failed = np.isnan(scores.column(metric))
    if scores.missing == "worst":
        row = {name: at for at, name in enumerate(scores.blocks)}
        column = {name: at for at, name in enumerate(scores.algorithms)}
        for block, algorithm, name in scores.dropped.cells:
            if name == metric and block in row and algorithm in column:
                failed[row[block], column[algorithm]] = True
    return failed


def _refuse_absent(
    tasks: list[Task], algorithms: tuple[str, ...], *, several: bool
) -> None:
    """Reject an algorithm without any score in a task: it did not take part."""
    absent = [
        (name, task.name)
        for task in tasks
        for at, name in enumerate(algorithms)
        if task.failed[:, at].all()
    ]
    if absent:
        name, task = absent[0]
        where = f"task {show(task)}" if several else "any case"
        more = f" ({counted(len(absent), 'such gap')} in all)" * (len(absent) > 1)
        parts = (f"algorithm={name}",), (f"group={task}",)
        ways = setting("leave_out", parts[0])
        if several:
            ways = ways + ", or the task: " + setting("leave_out", parts[1])
        raise DesignError(
            f"algorithm {show(name)} has no score in {where}{more}: an algorithm that "
            "did not take part cannot be ranked there; leave it out: " + ways
        )


def require_worst(tasks: Tasks, metric: str, ranking: str) -> None:
    """Reject failures without a worst score if scores are aggregated or tested."""
    gaps = int(sum(np.isnan(task.scores).sum() for task in tasks.each))
    if gaps:
        raise DesignError(
            f"{counted(gaps, 'cell')} of {show(metric)} {have(gaps)} no score, and "
            + setting("ranking", ranking)
            + " needs one for each failure: read the scores with "
            + setting("missing", "worst")
            + " and the worst score ("
            + setting("worst", ...)
            + "), or choose "
            + setting("ranking", RANK_FIRST)
        )


def _resampled_in(units: Ints, codes: Ints) -> Ints:
    """Return the set of tasks, linked by clusters, that each unit is resampled in."""
    pairs = np.unique(units * (int(codes.max()) + 1) + codes)
    of_unit, of_task = np.divmod(pairs, int(codes.max()) + 1)
    part = np.arange(int(codes.max()) + 1)
    while True:
        least = np.full(int(units.max()) + 1, len(part))
        np.minimum.at(least, of_unit, part[of_task])
        joined = part.copy()
        np.minimum.at(joined, of_task, least[of_unit])
        if np.array_equal(joined, part):
            break
        part = joined
    return np.unique(least, return_inverse=True)[1]

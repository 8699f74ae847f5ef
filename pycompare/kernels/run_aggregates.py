"""Aggregates of runs over fixed tasks: estimates, linear variances, resampled weights.

Each task has the same weight, and so have the runs of a task, however many there are:
an aggregate is a functional of the mean of the tasks' distributions of scores. Runs are
independent; tasks are no sample.

References
----------
.. [1] Agarwal, R., et al. (2021). Advances in Neural Information Processing Systems 34.
.. [2] McCarthy, P. J., Snowden, C. B. (1985). The Bootstrap and Finite Population
   Sampling. National Center for Health Statistics.
.. [3] Satterthwaite, F. E. (1946). Biometrics Bulletin 2, 110-114.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pycompare.base.parallel.draws import Found, on_draws, portions
from pycompare.base.typing import Floats, Ints
from pycompare.kernels.r_random import Uniforms

_LOW, _HIGH = 0.25, 0.75
_SAME = 1e-9
"""Sums of weights that differ by less are equal: each weight is far larger."""
_AT_ONCE, _IN_ALL = 1 << 18, 1 << 22
"""Weights of resamples that are held at once: of an algorithm, and of all."""


@dataclass(frozen=True, eq=False)
class TaskRuns:
    """The runs of one algorithm, in the order of their scores.

    Attributes
    ----------
    scores : ndarray, shape (n,)
        From the lowest to the highest; higher is better.
    tasks : ndarray of int, shape (n,)
        The task of each.
    counts : ndarray of int, shape (n_tasks,)
        Number of runs of each task.
    places : ndarray of int, shape (n,)
        The place in ``scores`` of each run, task by task.
    """

    scores: Floats
    tasks: Ints
    counts: Ints
    places: Ints

    @classmethod
    def of(cls, runs: Floats) -> TaskRuns:
        """Return the runs of a table of tasks x runs; NaN stands for no run."""
        given = ~np.isnan(runs)
        scores, tasks = runs[given], np.nonzero(given)[0]
        order = np.argsort(scores, kind="stable")
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        return cls(scores[order], tasks[order], given.sum(axis=1), places)

    @property
    def n_tasks(self) -> int:
        """Number of tasks."""
        return len(self.counts)

    @cached_property
    def weights(self) -> Floats:
        """The weight of each run; their sum is 1."""
        return np.asarray(1 / (self.n_tasks * self.counts[self.tasks]))

    @cached_property
    def of_tasks(self) -> Floats:
        """The matrix that turns weights into means of tasks, shape (n, n_tasks)."""
        matrix = np.zeros((len(self.scores), self.n_tasks))
        matrix[np.arange(len(self.scores)), self.tasks] = self.scores * self.n_tasks
        return matrix

    @cached_property
    def last_of_ties(self) -> Ints:
        """Places of the last of equal scores."""
        return np.flatnonzero(np.r_[np.diff(self.scores) > 0, True])

    @cached_property
    def firsts(self) -> Ints:
        """The place of the lowest score of each task."""
        return np.unique(self.tasks, return_index=True)[1]

    @property
    def still(self) -> bool:
        """Whether the runs of each task are the same."""
        return bool((self.scores == self.scores[self.firsts][self.tasks]).all())

    def task_means(self, values: Floats) -> Floats:
        """Return the mean of a value of each run over the runs of each task."""
        return np.bincount(self.tasks, values, self.n_tasks) / self.counts

    def variances(self, values: Floats) -> Floats:
        """Return what each task adds to the variance of the mean of a value of runs.

        Each task has the variance of its own runs.
        """
        # From one run of each task, so that equal runs give exactly 0.
        away = values - values[self.firsts][self.tasks]
        away -= self.task_means(away)[self.tasks]
        squares = np.bincount(self.tasks, away**2, self.n_tasks)
        return np.asarray(squares / (self.counts - 1) / self.counts / self.n_tasks**2)

    def mean_variance(self, values: Floats) -> tuple[float, float]:
        """Return the variance of the mean over tasks of a value of each run, and df."""
        parts = self.variances(values)
        return parts.sum().item(), satterthwaite(parts, self.counts - 1)


def satterthwaite(parts: Floats, df: Ints) -> float:
    """Return the degrees of freedom of a sum of variances; infinite if it is 0."""
    total = parts.sum()
    if total <= 0:
        return math.inf
    shares = parts / total
    return (1 / (shares**2 / df).sum()).item()


def interquartile_mean(scores: Floats, weights: Floats) -> Floats:
    """Return the mean of the middle half of the weight, over the last axis.

    Agarwal et al. (2021), sec. 4.3; a run at either end of the middle half counts with
    the part of its weight within.
    """
    within = np.clip(np.cumsum(weights, axis=-1), _LOW, _HIGH)
    within[..., 1:] -= within[..., :-1].copy()
    within[..., 0] -= _LOW
    return np.asarray((within @ scores) / (_HIGH - _LOW))


def interquartile_parts(runs: TaskRuns) -> Floats:
    """Return for each run what its score adds to the interquartile mean.

    Up to a constant this is the influence function: scores beyond a quartile are moved
    to it. A quartile between two scores is their midpoint.
    """
    sums = np.cumsum(runs.weights)
    last = len(sums) - 1
    low, high = (
        np.mean(
            [
                runs.scores[min(int(np.searchsorted(sums, share + side)), last)]
                for side in (-_SAME, _SAME)
            ]
        )
        for share in (_LOW, _HIGH)
    )
    return np.clip(runs.scores, low, high) / (_HIGH - _LOW)


def shortfall(scores: Floats, gamma: float) -> Floats:
    """Return by how much each score is below a threshold, 0 above it."""
    return np.maximum(gamma - scores, 0.0)


def median_of_tasks(runs: TaskRuns, weights: Floats) -> Floats:
    """Return the median over tasks of the mean of each, over the last axis."""
    return np.asarray(np.median(weights @ runs.of_tasks, axis=-1))


def improvement(first: TaskRuns, second: TaskRuns) -> tuple[float, float, float]:
    """Return the probability of improvement with its variance and df.

    The mean over tasks of P(X > Y) + P(X = Y)/2; each task's variance is that of its
    placements.
    """
    own = [_of_task(runs) for runs in (first, second)]
    estimate, parts, df = 0.0, [], []
    for x, y in zip(*own, strict=True):
        won, lost = _below(y, x), len(x) - _below(x, y)
        estimate += won.sum().item() / (len(x) * len(y))
        for placements in (won / len(y), lost / len(x)):
            parts.append(placements.var(ddof=1) / len(placements))
            df.append(len(placements) - 1)
    n = first.n_tasks
    components = np.array(parts) / n**2
    return (
        estimate / n,
        components.sum().item(),
        satterthwaite(components, np.array(df)),
    )


def _of_task(runs: TaskRuns) -> list[Floats]:
    """Return the scores of each task, from the lowest to the highest."""
    order = np.argsort(runs.tasks, kind="stable")
    return np.split(runs.scores[order], np.cumsum(runs.counts)[:-1])


def _below(ordered: Floats, values: Floats) -> Floats:
    """Return how many of ordered values are below each value; ties count half."""
    both = (np.searchsorted(ordered, values, side) for side in ("left", "right"))
    return np.asarray(sum(both) / 2)


def _wins(x: Floats, y: Floats) -> Floats:
    """Return 1 if a run is better than another, 1/2 for a tie, shape (x, y)."""
    return np.asarray((np.sign(x[:, None] - y[None, :]) + 1) / 2)


def on_resamples(
    function: Callable[[Any, list[Floats]], Found],
    constants: Any,
    runs: Sequence[TaskRuns],
    draws: int,
    seed: int,
    less: int,
) -> Iterator[Found]:
    """Yield what a function makes of resamples, several at once.

    Parameters
    ----------
    function : callable
        Gets the constants and the weights of the runs of each algorithm.
    less : {0, 1}
        How many fewer runs than there are each resample draws of a task. With 1 the
        variance of a mean is that of independent runs; with 0 it is too small by the
        factor (n - 1)/n.

    Notes
    -----
    R: ``floor(runif(...) * n)``: a resample draws of all tasks of all algorithms.
    """
    taken = [own.counts - less for own in runs]
    widths = [int(own.sum()) for own in taken]
    ends = np.cumsum(widths).tolist()

    def numbers(stream: Uniforms, n: int) -> Floats:
        return stream.draw(n, ends[-1])

    def done(held: Any, uniforms: Floats) -> Found:
        weights = [
            _weights(own, uniforms[:, end - width : end], count)
            for own, end, width, count in zip(runs, ends, widths, taken, strict=True)
        ]
        return function(held, weights)

    lengths = [len(own.scores) for own in runs]
    most = min(_AT_ONCE // max(lengths), _IN_ALL // sum(lengths))
    sizes = portions(draws, most)
    stream = Uniforms(seed)
    return on_draws(done, constants, numbers, stream, sizes, draws * ends[-1])


def _weights(runs: TaskRuns, uniforms: Floats, taken: Ints) -> Floats:
    """Return the weight of each run in each resample."""
    n, size = len(uniforms), len(runs.scores)
    starts = np.repeat(np.cumsum(runs.counts) - runs.counts, taken)
    drawn = (uniforms * np.repeat(runs.counts, taken)).astype(np.intp) + starts
    cells = runs.places[drawn] + np.arange(n)[:, None] * size
    counts = np.bincount(cells.ravel(), minlength=n * size).reshape(n, size)
    return np.asarray(counts / (runs.n_tasks * taken[runs.tasks]))


def resampled_improvement(
    first: TaskRuns, second: TaskRuns, weights: tuple[Floats, Floats]
) -> Floats:
    """Return the probability of improvement in each resample."""
    total = np.zeros(len(weights[0]))
    for task in range(first.n_tasks):
        at = [runs.tasks == task for runs in (first, second)]
        above = _wins(first.scores[at[0]], second.scores[at[1]])
        won = weights[0][:, at[0]] @ above
        total += (won * weights[1][:, at[1]]).sum(axis=1)
    return total * first.n_tasks  # the weights of each have the sum 1 / n_tasks


def profile(runs: TaskRuns) -> tuple[Floats, Floats]:
    """Return the distinct scores, and the share of runs that are above each.

    Agarwal et al. (2021), sec. 4.2.
    """
    at = runs.last_of_ties
    above = np.maximum(1 - np.cumsum(runs.weights)[at], 0.0)
    above[-1] = 0.0  # the sum of the weights is 1 but for rounding
    return runs.scores[at], above


def largest_deviations(runs: TaskRuns, weights: Floats) -> Floats:
    """Return the largest deviation of each resample's profile from the estimate."""
    at = runs.last_of_ties
    estimate = np.cumsum(runs.weights)[at]
    away = np.cumsum(weights, axis=-1)[:, at] - estimate
    return np.asarray(np.abs(away).max(axis=-1))

"""Pairs of algorithms over tasks and runs: improvement, differences of aggregates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Bools, Floats, Sizes
from pycompare.data.scores import Scores
from pycompare.kernels import run_aggregates as kernel
from pycompare.methods.agents.aggregates import NUMBERS, LimitsOfRuns
from pycompare.methods.agents.common import (
    IMPROVEMENT,
    AgentRuns,
    IntervalSettings,
    RunInterval,
    agent_runs,
    aggregate,
    aggregate_names,
    aggregates_under,
    checked_gamma,
    in_unit,
    interval_settings,
    linear_parts,
    on_resamples,
)
from pycompare.methods.pairs.common import pair_index

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, kw_only=True, eq=False)
class RunPairs(LimitsOfRuns):
    """Pairs of algorithms over tasks and runs; see ``LimitsOfRuns``.

    Attributes
    ----------
    table : DataFrame
        One row per pair and quantity: ``algorithm_1 algorithm_2 quantity estimate
        std_error df conf_low conf_high``. Quantities: ``probability_of_improvement``,
        the mean over tasks of the probability that a run of algorithm_1 is better than
        one of algorithm_2, ties counting half; and the differences, algorithm_1 minus
        algorithm_2, of the aggregates of ``pc.run_aggregates``. Limits are NaN if runs
        do not vary, or all runs of one are better than all of the other on each task.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    """

    control: str | None

    label_columns: ClassVar[tuple[str, ...]] = (
        "algorithm_1",
        "algorithm_2",
        "quantity",
    )

    def r_call(self) -> RCall:
        """Return the call of all quantities and their limits."""
        return RCall(
            ("ranks", "run_aggregates", "run_pairs"),
            "run_pairs_reference",
            {**self.limits_in_r(), "control": self.control or ""},
        )


@checked
def run_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    low: Sizes | None = None,
    high: Sizes | None = None,
    control: str | None = None,
    gamma: float | None = None,
    interval: RunInterval = "t",
    level: float = 0.95,
    draws: int | None = None,
    seed: int | None = None,
) -> RunPairs:
    """Return for each pair the probability of improvement and aggregate differences.

    Parameters
    ----------
    scores, metric, low, high, gamma, interval, level, draws, seed
        As in ``pc.run_aggregates``.
    control : str, optional
        Compare each other algorithm with this one. Default: all pairs.

    Returns
    -------
    RunPairs

    Raises
    ------
    DesignError, InputError
        As ``pc.run_aggregates``.

    Notes
    -----
    Equations 13.1, 13.2, 13.3, 13.4 of docs/equations.md.
    R: own derivation; the bootstrap draws the same resamples.

    Runs of two algorithms are independent: the same seed links nothing. The limits of a
    probability are cut at 0 and 1. Overlap of two intervals of ``pc.run_aggregates`` is
    no comparison; the interval of their difference is.

    References
    ----------
    .. [1] Agarwal, R., et al. (2021). Deep reinforcement learning at the edge of the
       statistical precipice. Advances in Neural Information Processing Systems 34.

    Examples
    --------
    >>> import pycompare as pc
    >>> rows = [
    ...     {"agent": agent, "task": task, "run": run, "return": score}
    ...     for agent, of_tasks in {
    ...         "A": {"pong": (0.9, 1.1, 1.0), "freeway": (0.2, 0.4, 0.3, 0.7)},
    ...         "B": {"pong": (0.6, 0.5, 1.0), "freeway": (0.4, 0.2, 0.1)},
    ...     }.items()
    ...     for task, own in of_tasks.items()
    ...     for run, score in enumerate(own)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="agent", block="task", replicate="run",
    ...     metrics={"return": "higher"},
    ... )
    >>> pairs = pc.run_pairs(scores)
    >>> pairs.table[["quantity", "estimate", "conf_low", "conf_high"]].round(3)
                         quantity  estimate  conf_low  conf_high
    0  probability_of_improvement     0.792     0.440      1.000
    1                         iqm     0.308     0.029      0.587
    2                        mean     0.233    -0.029      0.496
    """
    how = interval_settings(interval, level, draws, seed)
    threshold = checked_gamma(gamma)
    runs = agent_runs(scores, metric, low, high, method="run_pairs")
    pairs = pair_index(runs.algorithms, control)
    ends = list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    names = aggregate_names(how, threshold)
    numbers = _numbers(runs, ends, how, names, threshold)
    quantities = (IMPROVEMENT, *names)
    n, m = len(ends), len(quantities)
    algorithms = np.array(runs.algorithms, dtype=object)
    table: dict[str, Any] = {
        "algorithm_1": np.repeat(algorithms[pairs.first], m),
        "algorithm_2": np.repeat(algorithms[pairs.second], m),
        "quantity": np.array(quantities * n, dtype=object),
    }
    table |= {
        name: values.ravel() for name, values in zip(NUMBERS, numbers, strict=True)
    }
    return RunPairs(
        table=Columns(table),
        control=control,
        gamma=threshold,
        notes=_notes(numbers),
        **runs.stated(),
        **how.stated(),
    )


def _numbers(
    runs: AgentRuns,
    ends: list[tuple[int, int]],
    how: IntervalSettings,
    names: tuple[str, ...],
    gamma: float | None,
) -> tuple[Floats, ...]:
    """Return estimates, errors, df and limits, shape (pairs, quantities)."""
    threshold = 0.0 if gamma is None else gamma / runs.turned
    better = [kernel.improvement(runs.own[i], runs.own[j]) for i, j in ends]
    of_each = np.array(
        [
            [aggregate(own, own.weights, name, threshold) for name in names]
            for own in runs.own
        ]
    )
    estimates = np.array(
        [
            [own[0], *(of_each[i] - of_each[j])]
            for own, (i, j) in zip(better, ends, strict=True)
        ]
    )
    limits: tuple[Floats, ...]
    if how.kind == "t":
        error, df = _linear(runs, ends, names, threshold, better)
        limits = (error, df, *how.t_limits(estimates, error, df))
    else:
        draws = _draws(runs, ends, how, names, threshold)
        limits = how.percentiles(draws, _still(runs, ends))
    low, high = limits[2], limits[3]
    low[:, 0], high[:, 0] = np.maximum(low[:, 0], 0.0), np.minimum(high[:, 0], 1.0)
    return in_unit((estimates, *limits), runs, (IMPROVEMENT, *names))


def _linear(
    runs: AgentRuns,
    ends: list[tuple[int, int]],
    names: tuple[str, ...],
    threshold: float,
    better: list[tuple[float, float, float]],
) -> tuple[Floats, Floats]:
    """Return linear standard errors of all quantities, and their df."""
    parts = [
        [own.variances(linear_parts(own, name, threshold)) for name in names]
        for own in runs.own
    ]
    both = np.concatenate
    error, df = [], []
    for (_, variance, own_df), (i, j) in zip(better, ends, strict=True):
        free = both([runs.own[i].counts, runs.own[j].counts]) - 1
        sums = [both([x, y]) for x, y in zip(parts[i], parts[j], strict=True)]
        error.append([variance**0.5, *(own.sum() ** 0.5 for own in sums)])
        df.append([own_df, *(kernel.satterthwaite(own, free) for own in sums)])
    return np.array(error), np.array(df)


def _draws(
    runs: AgentRuns,
    ends: list[tuple[int, int]],
    how: IntervalSettings,
    names: tuple[str, ...],
    threshold: float,
) -> Floats:
    """Return all quantities in each resample, shape (draws, pairs, quantities)."""
    held = runs.own, ends, names, threshold
    return np.concatenate(list(on_resamples(_under, held, runs, how)))


def _under(held: Any, weights: list[Floats]) -> Floats:
    """Return all quantities under weights of runs."""
    own, ends, names, threshold = held
    of_each = aggregates_under((own, names, threshold), weights)
    columns = []
    for i, j in ends:
        both = weights[i], weights[j]
        better = kernel.resampled_improvement(own[i], own[j], both)
        columns.append(np.column_stack([better, of_each[:, i] - of_each[:, j]]))
    return np.stack(columns, axis=1)


def _still(runs: AgentRuns, ends: list[tuple[int, int]]) -> Bools:
    """Return which pairs have runs that do not vary, shape (pairs, 1)."""
    return np.array([[runs.own[i].still and runs.own[j].still] for i, j in ends])


def _notes(numbers: tuple[Floats, ...]) -> tuple[str, ...]:
    """Return the note of probabilities without an interval."""
    without = int((~(numbers[1][:, 0] > 0)).sum())
    if not without:
        return ()
    return (
        f"{without} of {len(numbers[1])} pairs have no interval of the probability of "
        "improvement: on each task all runs of one algorithm are better, or all are "
        "equal",
    )

"""Interquartile mean, mean, median and optimality gap over tasks and runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Sizes
from pycompare.data.scores import Scores
from pycompare.methods.agents.common import (
    AgentRuns,
    IntervalSettings,
    RowsOfRuns,
    RunInterval,
    agent_runs,
    aggregate,
    aggregate_names,
    checked_gamma,
    drawn_aggregates,
    in_unit,
    interval_settings,
    linear_parts,
)

if TYPE_CHECKING:
    pass

NUMBERS = ("estimate", "std_error", "df", "conf_low", "conf_high")


@dataclass(frozen=True, kw_only=True, eq=False)
class LimitsOfRuns(RowsOfRuns):
    """Estimates from runs, each with its interval; see ``RowsOfRuns``.

    Attributes
    ----------
    gamma : float or None
        The threshold of the optimality gap.
    interval : {"t", "bootstrap", "bootstrap-textbook"}
    method : str
        The same in words.
    level : float
        Confidence level of each interval separately.
    draws, seed : int or None
        Of the bootstrap.
    notes : tuple of str
    """

    gamma: float | None
    interval: RunInterval
    method: str
    level: float
    draws: int | None
    seed: int | None
    notes: tuple[str, ...]

    def limits_in_r(self) -> dict[str, Any]:
        """Return the runs, and the settings of limits, as R takes them."""
        return {
            **self.runs.r_arguments(),
            "gamma": np.nan if self.gamma is None else self.gamma,
            "interval": self.interval,
            "level": self.level,
            "draws": float(self.draws or 0),
            "seed": float(self.seed or 0),
        }

    def r_values(self) -> dict[str, Any]:
        """Return the estimates and their limits."""
        return self.columns_in_r(*NUMBERS)


@dataclass(frozen=True, kw_only=True, eq=False)
class RunAggregates(LimitsOfRuns):
    """Aggregate scores of algorithms over tasks and runs; see ``LimitsOfRuns``.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm and aggregate: ``algorithm aggregate estimate std_error
        df conf_low conf_high``. Aggregates: ``iqm``, ``mean``, ``median`` (bootstrap
        only), ``optimality_gap`` (with ``gamma`` only). ``df`` is NaN of a bootstrap;
        limits are NaN if runs do not vary.
    """

    label_columns: ClassVar[tuple[str, ...]] = ("algorithm", "aggregate")

    def r_call(self) -> RCall:
        """Return the call of all aggregates and their limits."""
        arguments = self.limits_in_r()
        return RCall(("run_aggregates",), "run_aggregates_reference", arguments)


@checked
def run_aggregates(
    scores: Scores,
    *,
    metric: str | None = None,
    low: Sizes | None = None,
    high: Sizes | None = None,
    gamma: float | None = None,
    interval: RunInterval = "t",
    level: float = 0.95,
    draws: int | None = None,
    seed: int | None = None,
) -> RunAggregates:
    """Return aggregate scores of each algorithm over tasks and runs, with intervals.

    Parameters
    ----------
    scores : Scores
        Blocks are tasks; two runs or more (``replicate``) of each algorithm on each
        task, in numbers that may differ. The scores of all tasks need one scale, or
        ``low`` and ``high``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    low, high : float, or mapping of str to float, optional
        The scores of each task that become 0 and 1, as in ``pc.normalised_scores``.
        Default: scores of all tasks have one scale.
    gamma : float, optional
        Adds the optimality gap: the mean amount by which scores miss this threshold.
        Better scores enter as the threshold. 1 is usual for normalised scores.
    interval : {"t", "bootstrap", "bootstrap-textbook"}
        ``t`` (default): from the variance of runs within tasks, with Satterthwaite's
        degrees of freedom. ``bootstrap``: percentiles of resamples that draw one run
        fewer of each task than there are. ``bootstrap-textbook``: as many runs as there
        are, as rliable does; with few runs these intervals are too short.
    level : float, default 0.95
        Confidence level of each interval separately.
    draws, seed : int, optional
        Of a bootstrap: resamples (default 10,000) and random seed (default 0).

    Returns
    -------
    RunAggregates

    Raises
    ------
    DesignError
        If a cell has fewer than two runs, or blocks are folds of data sets.
    InputError
        For an unknown name, or settings that do not fit the interval.

    Notes
    -----
    Equations 13.1, 13.2, 13.3 of docs/equations.md.
    R: own derivation; the bootstrap draws the same resamples.

    Each task has the same weight, whatever its number of runs. ``iqm``: the mean of the
    middle half of all scores. ``median``: of the means of tasks. Intervals are about
    new runs on these tasks; tasks are no sample. Their coverage with 3, 5 and 10 runs
    is on the page of the study of runs of agents.

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
    ...         "B": {"pong": (0.6, 0.5, 0.7), "freeway": (0.4, 0.2, 0.1)},
    ...     }.items()
    ...     for task, own in of_tasks.items()
    ...     for run, score in enumerate(own)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="agent", block="task", replicate="run",
    ...     metrics={"return": "higher"},
    ... )
    >>> result = pc.run_aggregates(scores, gamma=1.0)
    >>> result.table.drop(columns="df").round(3)
      algorithm       aggregate  estimate  std_error  conf_low  conf_high
    0         A             iqm     0.742      0.091     0.487      0.996
    1         A            mean     0.700      0.061     0.536      0.864
    2         A  optimality_gap     0.317      0.057     0.152      0.482
    3         B             iqm     0.433      0.075     0.193      0.673
    4         B            mean     0.417      0.053     0.261      0.573
    5         B  optimality_gap     0.583      0.053     0.427      0.739
    """
    how = interval_settings(interval, level, draws, seed)
    threshold = checked_gamma(gamma)
    runs = agent_runs(scores, metric, low, high, method="run_aggregates")
    names = aggregate_names(how, threshold)
    numbers = _numbers(runs, how, names, threshold)
    a, m = len(runs.algorithms), len(names)
    table: dict[str, Any] = {
        "algorithm": np.repeat(np.array(runs.algorithms, dtype=object), m),
        "aggregate": np.array(names * a, dtype=object),
    }
    table |= {
        name: values.ravel() for name, values in zip(NUMBERS, numbers, strict=True)
    }
    still = [
        name
        for name, own in zip(runs.algorithms, numbers[1], strict=True)
        if not own[0] > 0
    ]
    return RunAggregates(
        table=Columns(table),
        gamma=threshold,
        notes=_notes(still),
        **runs.stated(),
        **how.stated(),
    )


def _numbers(
    runs: AgentRuns,
    how: IntervalSettings,
    names: tuple[str, ...],
    gamma: float | None,
) -> tuple[Floats, ...]:
    """Return estimates, errors, df and limits, shape (algorithms, aggregates)."""
    threshold = 0.0 if gamma is None else gamma / runs.turned
    given = [
        [aggregate(own, own.weights, name, threshold) for name in names]
        for own in runs.own
    ]
    estimates = np.array(given)
    limits: tuple[Floats, ...]
    if how.kind == "t":
        linear = np.array(
            [
                [own.mean_variance(linear_parts(own, n, threshold)) for n in names]
                for own in runs.own
            ]
        )
        error, df = np.sqrt(linear[..., 0]), linear[..., 1]
        limits = (error, df, *how.t_limits(estimates, error, df))
    else:
        drawn = drawn_aggregates(runs, how, names, threshold)
        limits = how.percentiles(drawn, runs.still[:, None])
    return in_unit((estimates, *limits), runs, names)


def _notes(still: list[str]) -> tuple[str, ...]:
    """Return the note of algorithms without an interval."""
    if not still:
        return ()
    return (
        f"the runs of {', '.join(still)} do not vary within any task, "
        "so that there is no interval",
    )

"""Performance profiles of runs: shares of runs above each score, with a band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, LabelColumn
from pycompare.base.typing import Floats, Sizes
from pycompare.data.scores import Scores
from pycompare.kernels import run_aggregates as kernel
from pycompare.kernels import student
from pycompare.kernels.r_random import checked_seed
from pycompare.methods.agents.common import (
    DRAWS,
    AgentRuns,
    RowsOfRuns,
    agent_runs,
    checked_draws,
)
from pycompare.results.result import made_when_read

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True, eq=False)
class RunProfiles(RowsOfRuns):
    """Performance profiles of algorithms over tasks and runs; see ``RowsOfRuns``.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm and distinct score, from the worst: ``algorithm score
        estimate conf_low conf_high``. ``estimate`` is the share of runs that are
        better than the score, each task with the same weight; it holds up to the next
        score. Before the first score it is 1. The band covers the whole profile of an
        algorithm with the level; NaN if its runs do not vary.
    half_widths : DataFrame
        ``algorithm half_width``: half the width of each band.
    level : float
        Confidence level of each algorithm's band.
    draws, seed : int
    """

    half_widths: pd.DataFrame = made_when_read()
    level: float
    draws: int
    seed: int

    label_columns: ClassVar[tuple[str, ...]] = ("algorithm", "score")
    r_paths: ClassVar[Mapping[str, str]] = {"half_width": "half_widths/half_width"}

    def r_call(self) -> RCall:
        """Return the call of all profiles and their bands."""
        return RCall(
            ("run_aggregates", "run_profiles"),
            "run_profiles_reference",
            {
                **self.runs.r_arguments(),
                "level": self.level,
                "draws": float(self.draws),
                "seed": float(self.seed),
            },
        )

    def r_values(self) -> dict[str, Any]:
        """Return the steps of the profiles, their bands and half the widths."""
        steps = self.columns_in_r("score", "estimate", "conf_low", "conf_high")
        return steps | {"half_width": self.half_widths["half_width"].to_numpy(float)}


@checked
def run_profiles(
    scores: Scores,
    *,
    metric: str | None = None,
    low: Sizes | None = None,
    high: Sizes | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> RunProfiles:
    """Return the share of runs that are better than each score, with a band for all.

    Parameters
    ----------
    scores, metric, low, high
        As in ``pc.run_aggregates``.
    level : float, default 0.95
        Probability with which the band of an algorithm covers its profile at all
        scores together.
    draws : int, default 10000
        Resamples.
    seed : int, default 0
        Random seed of the resamples.

    Returns
    -------
    RunProfiles

    Raises
    ------
    DesignError, InputError
        As ``pc.run_aggregates``.

    Notes
    -----
    Equations 13.3, 13.5 of docs/equations.md. R: own derivation; the bootstrap draws
    the same resamples.

    Half the width of a band is the quantile of the largest deviation of a resample's
    profile, which draws one run fewer of each task than there are, times the ratio of
    a t quantile to a normal one. Profiles by distance from the best score of a task are
    ``plotting.performance_profiles``.

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
    >>> pc.run_profiles(scores).table.tail(3).round(3)
       algorithm  score  estimate  conf_low  conf_high
    10         B    0.5     0.333       0.0      0.806
    11         B    0.6     0.167       0.0      0.639
    12         B    0.7     0.000       0.0      0.472
    """
    check_level(level)
    draws, seed = checked_draws(draws), checked_seed(seed)
    runs = agent_runs(scores, metric, low, high, method="run_profiles")
    halves = _half_widths(runs, level, draws, seed)
    columns: list[tuple[Floats, ...]] = []
    for own, half in zip(runs.own, halves, strict=True):
        x, share = kernel.profile(own)
        band = np.maximum(share - half, 0.0), np.minimum(share + half, 1.0)
        columns.append((runs.turned * x, share, *band))
    lengths = [len(own[0]) for own in columns]
    at = np.repeat(np.arange(len(lengths)), lengths)
    names = ("score", "estimate", "conf_low", "conf_high")
    own_columns = [np.concatenate(parts) for parts in zip(*columns, strict=True)]
    algorithms = np.array(runs.algorithms, dtype=object)
    return RunProfiles(
        table=Columns(
            {"algorithm": LabelColumn(runs.algorithms, at)}
            | dict(zip(names, own_columns, strict=True))
        ),
        half_widths=Columns({"algorithm": algorithms, "half_width": halves}),
        level=float(level),
        draws=draws,
        seed=seed,
        **runs.stated(),
    )


def _half_widths(runs: AgentRuns, level: float, draws: int, seed: int) -> Floats:
    """Return half the width of each algorithm's band; NaN if its runs do not vary."""
    parts = kernel.on_resamples(_largest, runs.own, runs.own, draws, seed, less=1)
    largest = np.quantile(np.concatenate(list(parts)), level, axis=0)
    return np.where(runs.still, np.nan, largest * _few_runs(runs, level))


def _largest(own: Sequence[kernel.TaskRuns], weights: list[Floats]) -> Floats:
    """Return the largest deviation of each algorithm's profile in some resamples."""
    return np.column_stack([*map(kernel.largest_deviations, own, weights)])


def _few_runs(runs: AgentRuns, level: float) -> Floats:
    """Return by how much each band is wider because runs are few."""
    tail = (1 - level) / 2
    df = [int((own.counts - 1).sum()) for own in runs.own]
    normal = student.isf(tail, np.inf)
    return np.array([student.isf(tail, own) / normal for own in df])

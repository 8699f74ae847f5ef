"""Common parts of aggregates of runs: the checked table, intervals and their words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from pycompare.base.arguments import check_level, check_word, is_finite, is_whole
from pycompare.base.arguments import require as require_kind
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.labels import show
from pycompare.base.metric import Metric
from pycompare.base.tables import Matrix
from pycompare.base.typing import Bools, Floats, Sizes
from pycompare.data.normalised import normalised_scores, of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import run_aggregates as kernel
from pycompare.kernels import student
from pycompare.kernels.r_random import checked_seed
from pycompare.kernels.run_aggregates import TaskRuns
from pycompare.kernels.units import binary_unit
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd

RunInterval = Literal["t", "bootstrap", "bootstrap-textbook"]
_POPULATION = "new runs of these algorithms on these tasks"
_REFERENCE = (
    "Agarwal et al. (2021) Advances in Neural Information Processing Systems 34"
)
DRAWS = 10_000
_FEWEST_DRAWS, _MOST_DRAWS = 100, 10_000_000
_FEWEST_RUNS = 2
IMPROVEMENT = "probability_of_improvement"


@dataclass(frozen=True, kw_only=True, eq=False)
class AgentRuns:
    """The runs of all algorithms in one metric, turned so that higher is better.

    Attributes
    ----------
    own : tuple of TaskRuns
        One for each algorithm, in the order of the data, in ``unit``.
    values : ndarray, shape (n_tasks, n_algorithms, n_runs)
        The scores as they came.
    given, metric : Metric
        Of these scores, and of ``own``: other ones if scores are normalised.
    references : tuple of ndarray, or None
        The scores of each task that are 0 and 1, if scores are normalised.
    unit : float
        A power of two by which ``own`` are divided, so that squares stay in range.
    """

    own: tuple[TaskRuns, ...]
    values: Floats
    given: Metric
    metric: Metric
    references: tuple[Floats, Floats] | None
    algorithms: tuple[str, ...]
    unit: float

    @property
    def sign(self) -> float:
        """1 if higher scores are better, otherwise -1."""
        return 1.0 if self.metric.better == "higher" else -1.0

    @property
    def turned(self) -> float:
        """The factor from numbers of ``own`` to the metric's unit and direction."""
        return self.sign * self.unit

    @property
    def n_tasks(self) -> int:
        """Number of tasks."""
        return len(self.values)

    @property
    def runs_per_task(self) -> tuple[int, int]:
        """The lowest and the highest number of runs of an algorithm on a task."""
        counts = np.concatenate([own.counts for own in self.own])
        return int(counts.min()), int(counts.max())

    @property
    def still(self) -> Bools:
        """Whether the runs of an algorithm are the same within each task."""
        return np.array([own.still for own in self.own])

    def stated(self) -> dict[str, Any]:
        """Return what every result states about its runs, and the runs."""
        return {
            "metric": self.metric.name,
            "better": self.metric.better,
            "n_tasks": self.n_tasks,
            "runs_per_task": self.runs_per_task,
            "runs": self,
        }

    def r_arguments(self) -> dict[str, Any]:
        """Return the runs as R takes them: a row for each task and run."""
        n, a, r = self.values.shape
        rows = tuple(f"{i + 1}" for i in range(n * r))
        x = np.moveaxis(self.values, 1, 2).reshape(n * r, a)
        low, high = self.references or (np.zeros(0), np.zeros(0))
        return {
            "x": Matrix(x, rows, self.algorithms),
            "runs": float(r),
            "better": self.metric.better,
            "low": low,
            "high": high,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class RowsOfRuns(Result):
    """Results of runs, a row for each algorithm, or pair, and a second label.

    Attributes
    ----------
    table : DataFrame
    metric : str
    better : {"higher", "lower"}
    population : str
        What a limit is about: new runs on these tasks.
    n_tasks : int
    runs_per_task : tuple of int
        The lowest and the highest number of runs.
    reference : str
    """

    table: pd.DataFrame = made_when_read()
    metric: str
    better: str
    population: str = _POPULATION
    n_tasks: int
    runs_per_task: tuple[int, int]
    reference: str = _REFERENCE
    runs: AgentRuns = internal()

    label_columns: ClassVar[tuple[str, ...]]

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms, in the order of the data."""
        return self.runs.algorithms

    def row_labels(self) -> list[Any]:
        """Return the labels of each row."""
        table = self.as_columns()
        names = (table[name].tolist() for name in self.label_columns)
        return list(zip(*names, strict=True))


def agent_runs(
    scores: Scores,
    metric: str | None,
    low: Sizes | None,
    high: Sizes | None,
    *,
    method: str,
) -> AgentRuns:
    """Return the runs of one metric, or reject a table that has too few."""
    require_kind(scores, Scores)
    if scores.runs is None or scores.judge is not None:
        raise DesignError(
            f"{method} needs several runs of each algorithm on each task, and these "
            "scores have one of each: name the column of runs ("
            + setting("replicate", ...)
            + ")"
        )
    if scores.datasets is not None and len(set(scores.datasets)) < scores.n_blocks:
        raise DesignError(
            f"{method} compares algorithms on tasks, and these blocks are folds of "
            "data sets: leave the column of data sets out ("
            + setting("dataset", ...)
            + ") if the blocks are tasks"
        )
    chosen = scores.only(metric)
    assert chosen.runs is not None
    table = np.asarray(chosen.runs[:, :, 0])
    _require_several(table, scores, method)
    own_scores, references = _on_one_scale(chosen, low, high)
    assert own_scores.runs is not None
    runs, [own_metric] = own_scores.runs[:, :, 0], own_scores.metrics
    sign = 1.0 if own_metric.better == "higher" else -1.0
    unit = binary_unit(np.nan_to_num(runs)).item()
    return AgentRuns(
        own=tuple(
            TaskRuns.of(sign * runs[:, j] / unit) for j in range(scores.n_algorithms)
        ),
        values=table,
        given=chosen.metrics[0],
        metric=own_metric,
        references=references,
        algorithms=scores.algorithms,
        unit=unit,
    )


def _on_one_scale(
    scores: Scores, low: Sizes | None, high: Sizes | None
) -> tuple[Scores, tuple[Floats, Floats] | None]:
    """Return normalised scores with their references, or scores as they are."""
    if low is None and high is None:
        return scores, None
    if low is None or high is None:
        name, other = ("low", "high") if high is None else ("high", "low")
        raise InputError(
            setting(name, ...) + " and " + setting(other, ...) + " are given together: "
            "they are the scores that become 0 and 1; leave both out if all tasks "
            "have one scale"
        )
    normalised = normalised_scores(scores, low=low, high=high)
    return normalised, (of_blocks(low, scores.blocks), of_blocks(high, scores.blocks))


def _require_several(table: Floats, scores: Scores, method: str) -> None:
    """Reject cells with fewer than two runs."""
    counts = (~np.isnan(table)).sum(axis=-1)
    few = np.argwhere(counts < _FEWEST_RUNS)
    if not len(few):
        return
    task, algorithm = few[0]
    raise DesignError(
        f"{method} needs two runs or more of each algorithm on each task: {len(few)} "
        f"of {counts.size} cells have fewer, first "
        f"block={show(scores.blocks[task])}, "
        f"algorithm={show(scores.algorithms[algorithm])} with {counts[task, algorithm]}"
        "; run it again, or leave the task or the algorithm out (Scores.select)"
    )


@dataclass(frozen=True, kw_only=True)
class IntervalSettings:
    """How limits are made.

    Attributes
    ----------
    kind : {"t", "bootstrap", "bootstrap-textbook"}
    level : float
    draws, seed : int or None
        Of the bootstrap.
    """

    kind: RunInterval
    level: float
    draws: int | None = None
    seed: int | None = None

    def stated(self) -> dict[str, Any]:
        """Return what every result states about its limits."""
        own = {"interval": self.kind, "method": self.words, "level": float(self.level)}
        return own | {"draws": self.draws, "seed": self.seed}

    @property
    def less(self) -> int:
        """How many fewer runs than there are a resample draws of each task."""
        return int(self.kind == "bootstrap")

    @property
    def words(self) -> str:
        """The method in words."""
        return {
            "t": "t limits from the variance of runs within tasks",
            "bootstrap": "percentiles of a stratified bootstrap that draws one run "
            "fewer of each task than there are",
            "bootstrap-textbook": "percentiles of a stratified bootstrap that draws "
            "as many runs of each task as there are",
        }[self.kind]

    def t_limits(
        self, estimate: Floats, error: Floats, df: Floats
    ) -> tuple[Floats, Floats]:
        """Return t limits; NaN if nothing varies."""
        tail = (1 - self.level) / 2
        half = student.half_widths(error.ravel(), df.ravel(), tail).reshape(error.shape)
        return estimate - half, estimate + half

    def percentiles(self, draws: Floats, still: Bools) -> tuple[Floats, ...]:
        """Return the standard error, no df, and both limits, from draws in axis 0.

        Limits are NaN if draws do not vary, or scores (``still``) do not.
        """
        error = np.where(still, 0.0, draws.std(axis=0, ddof=1))
        tails = (1 - self.level) / 2, (1 + self.level) / 2
        limits = np.where(error > 0, np.quantile(draws, tails, axis=0), np.nan)
        return (error, np.full(error.shape, np.nan), *limits)


def interval_settings(
    interval: Any, level: Any, draws: Any, seed: Any
) -> IntervalSettings:
    """Return how limits are made, or reject settings that do not fit."""
    check_word("interval", interval, get_args(RunInterval))
    check_level(level)
    if interval != "t":
        draws = DRAWS if draws is None else checked_draws(draws)
        return IntervalSettings(
            kind=interval, level=level, draws=draws, seed=checked_seed(seed or 0)
        )
    given = {"draws": draws, "seed": seed}
    for name, value in given.items():
        if value is not None:
            raise InputError(
                setting(name, value)
                + " is of the bootstrap: give "
                + setting("interval", "bootstrap")
                + ", or leave it out"
            )
    return IntervalSettings(kind=interval, level=level)


def checked_draws(draws: Any) -> int:
    """Return a number of resamples, or reject it."""
    if not is_whole(draws) or not _FEWEST_DRAWS <= draws <= _MOST_DRAWS:
        raise InputError(
            setting("draws", draws)
            + f": give a whole number from {_FEWEST_DRAWS} to {_MOST_DRAWS}"
        )
    return int(draws)


def checked_gamma(gamma: Any) -> float | None:
    """Return the threshold of the optimality gap, or reject it."""
    if gamma is None or is_finite(gamma):
        return None if gamma is None else float(gamma)
    raise InputError(
        setting("gamma", gamma)
        + ": give the score from which on more is no further gain, such as 1 for "
        "normalised scores; None leaves the optimality gap out"
    )


def drawn_aggregates(
    runs: AgentRuns, how: IntervalSettings, aggregates: tuple[str, ...], gamma: float
) -> Floats:
    """Return aggregates of resamples, shape (resamples, algorithms, aggregates).

    They are in the unit and direction of ``runs.own``.
    """
    held = runs.own, aggregates, gamma
    return np.concatenate(list(on_resamples(aggregates_under, held, runs, how)))


def on_resamples(
    function: Callable[[Any, list[Floats]], Floats],
    constants: Any,
    runs: AgentRuns,
    how: IntervalSettings,
) -> Iterator[Floats]:
    """Yield what a function makes of the weights of resamples."""
    assert how.draws is not None
    assert how.seed is not None
    return kernel.on_resamples(
        function, constants, runs.own, how.draws, how.seed, how.less
    )


def aggregates_under(
    held: tuple[Sequence[TaskRuns], tuple[str, ...], float], weights: list[Floats]
) -> Floats:
    """Return aggregates under weights, shape (resamples, algorithms, aggregates)."""
    every, names, gamma = held
    columns = [
        np.column_stack([aggregate(own, w, name, gamma) for name in names])
        for own, w in zip(every, weights, strict=True)
    ]
    return np.stack(columns, axis=1)


def aggregate(own: TaskRuns, weights: Floats, name: str, gamma: float) -> Floats:
    """Return an aggregate of one algorithm, over the last axis of the weights."""
    if name == "iqm":
        return kernel.interquartile_mean(own.scores, weights)
    if name == "median":
        return kernel.median_of_tasks(own, weights)
    values = own.scores if name == "mean" else kernel.shortfall(own.scores, gamma)
    return np.asarray(weights @ values)


def linear_parts(own: TaskRuns, name: str, gamma: float) -> Floats:
    """Return what each run adds to an aggregate, up to a constant."""
    if name == "iqm":
        return kernel.interquartile_parts(own)
    return own.scores if name == "mean" else kernel.shortfall(own.scores, gamma)


def aggregate_names(how: IntervalSettings, gamma: float | None) -> tuple[str, ...]:
    """Return the aggregates that a table has.

    The median over tasks has no linear approximation, and so no t limits.
    """
    names = ["iqm", "mean"]
    names += ["median"] * (how.kind != "t")
    names += ["optimality_gap"] * (gamma is not None)
    return tuple(names)


def in_unit(
    numbers: tuple[Floats, ...], runs: AgentRuns, names: tuple[str, ...]
) -> tuple[Floats, ...]:
    """Return estimates, errors, df and limits in the metric's unit and direction.

    Quantities are the last axis. A gap is never negative, whatever the direction, and a
    probability has no unit.
    """
    estimate, error, df, low, high = numbers
    kept = np.array([name in ("optimality_gap", IMPROVEMENT) for name in names])
    unit = np.array([1.0 if name == IMPROVEMENT else runs.unit for name in names])
    if runs.sign < 0:
        estimate = np.where(kept, estimate, -estimate)
        low, high = np.where(kept, low, -high), np.where(kept, high, -low)
    return estimate * unit + 0.0, error * unit, df, low * unit, high * unit

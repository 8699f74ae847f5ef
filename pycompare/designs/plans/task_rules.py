"""What aggregates of runs need of a plan and of scores: one rule per function."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show
from pycompare.data.normalised import normalised_scores
from pycompare.data.scores import Scores
from pycompare.designs.plans.fields import PlanFields
from pycompare.designs.plans.keys import PlanRule, rule

_OF_SCALE = ("reference_low", "reference_high")


@rule("run_aggregates", *_OF_SCALE, "gamma")
def _keys_without_aggregates(plan: PlanFields) -> str | None:
    """Reject keys of aggregates that are not planned."""
    if plan.run_aggregates is not None:
        return None
    given = [n for n in (*_OF_SCALE, "gamma") if getattr(plan, n) is not None]
    if not given:
        return None
    return (
        setting(given[0], getattr(plan, given[0]))
        + " is of aggregates over tasks and runs: give "
        + setting("run_aggregates", ...)
        + ", or leave it out"
    )


@rule("run_aggregates", *_OF_SCALE)
def _scale_of_tasks(plan: PlanFields) -> str | None:
    """Reject normalised scores without references, and references without use."""
    given = [name for name in _OF_SCALE if getattr(plan, name) is not None]
    if plan.run_aggregates == "as-measured" and given:
        return (
            setting(given[0], getattr(plan, given[0]))
            + " has no use with "
            + setting("run_aggregates", "as-measured")
            + ": leave it out, or set "
            + setting("run_aggregates", "normalised")
        )
    if plan.run_aggregates != "normalised" or len(given) == 2:
        return None
    return (
        setting("run_aggregates", "normalised")
        + " needs the scores of each task that become 0 and 1, and they have no "
        "default: give "
        + setting("reference_low", ...)
        + " and "
        + setting("reference_high", ...)
    )


@rule("run_aggregates", "blocks", "average_folds")
def _aggregates_of_other_blocks(plan: PlanFields) -> str | None:
    """Reject aggregates of blocks that are no tasks."""
    if plan.run_aggregates is None or not plan.names_blocks:
        return None
    if plan.blocks == "datasets" and not plan.average_folds and not plan.sweeps:
        return None
    return (
        setting("run_aggregates", plan.run_aggregates)
        + " is of runs on independent data sets (tasks) with one row per run: leave it "
        "out"
    )


TASK_RULES: tuple[PlanRule, ...] = (
    _keys_without_aggregates,
    _scale_of_tasks,
    _aggregates_of_other_blocks,
)
"""Each takes a plan and returns the problem and its remedy, or None."""


@rule("run_aggregates", "metrics")
def _too_few_runs(plan: PlanFields, scores: Scores) -> str | None:
    """Reject aggregates without two runs of each algorithm on each task."""
    if plan.run_aggregates is None:
        return None
    start = setting("run_aggregates", plan.run_aggregates)
    if scores.runs is None:
        return (
            start
            + " needs several runs of each algorithm on each task, and there is one "
            "score in each cell: leave it out, or name the column of runs ("
            + setting("replicate", ...)
            + ")"
        )
    counts = (~np.isnan(scores.runs)).sum(axis=-1)
    few = np.argwhere(counts < 2)
    if not len(few):
        return None
    task, algorithm, _ = few[0]
    return (
        start + " needs two runs or more in each cell, and "
        f"block={show(scores.blocks[task])}, "
        f"algorithm={show(scores.algorithms[algorithm])} has "
        f"{counts[tuple(few[0])]}: run it again, or leave the task out"
    )


@rule("reference_low", "reference_high", "metrics")
def _references_that_do_not_fit(plan: PlanFields, scores: Scores) -> str | None:
    """Reject references of no task, missing ones, and one scale for several metrics."""
    if plan.run_aggregates != "normalised":
        return None
    assert plan.reference_low is not None
    assert plan.reference_high is not None
    names = plan.metrics or tuple(metric.name for metric in scores.metrics)
    if len(names) > 1:
        return (
            setting("run_aggregates", "normalised")
            + f": references are of one metric, and {len(names)} are compared; name it "
            "(" + setting("metrics", ...) + ")"
        )
    if names[0] not in [metric.name for metric in scores.metrics]:
        return None  # the rule of metrics names it
    try:
        normalised_scores(
            scores, low=plan.reference_low, high=plan.reference_high, metric=names[0]
        )
    except InputError as error:
        return f"reference_low, reference_high: {error}"
    return None


TASK_DATA_RULES: tuple[PlanRule, ...] = (_too_few_runs, _references_that_do_not_fit)
"""Each takes a plan and scores and returns the problem and its remedy, or None."""


def reference_of(
    given: float | Mapping[str, float] | None, blocks: tuple[str, ...]
) -> float | Mapping[str, float] | None:
    """Return the references of some tasks."""
    if not isinstance(given, Mapping):
        return given
    return {block: given[block] for block in blocks}

"""Aggregates over tasks and runs of a plan, beside its tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycompare.data.scores import Scores
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.task_rules import reference_of
from pycompare.methods.agents.aggregates import RunAggregates, run_aggregates
from pycompare.methods.agents.pairs import RunPairs, run_pairs
from pycompare.methods.agents.profiles import RunProfiles, run_profiles


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskAggregates:
    """Aggregates of one metric over these tasks and runs.

    Attributes
    ----------
    aggregates : RunAggregates
    pairs : RunPairs
    profiles : RunProfiles
    """

    aggregates: RunAggregates
    pairs: RunPairs
    profiles: RunProfiles

    def results(self) -> tuple[tuple[str, Any], ...]:
        """Return title and result of everything computed."""
        return (
            ("Aggregates over tasks and runs", self.aggregates),
            ("Probability of improvement over runs", self.pairs),
            ("Performance profiles of runs", self.profiles),
        )


def task_aggregates(scores: Scores, plan: Plan, metric: str) -> TaskAggregates | None:
    """Return the aggregates of one metric as planned; None if none are."""
    if plan.run_aggregates is None:
        return None
    options: dict[str, Any] = {
        "metric": metric,
        "low": reference_of(plan.reference_low, scores.blocks),
        "high": reference_of(plan.reference_high, scores.blocks),
        "level": plan.confidence,
    }
    return TaskAggregates(
        aggregates=run_aggregates(scores, gamma=plan.gamma, **options),
        pairs=run_pairs(scores, gamma=plan.gamma, control=plan.control, **options),
        profiles=run_profiles(scores, seed=plan.seed or 0, **options),
    )

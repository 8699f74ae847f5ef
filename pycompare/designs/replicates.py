"""Runs within blocks: a sensitivity analysis; the primary one rests on cell means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pycompare.data.scores import Scores
from pycompare.designs.plans.plan import Plan
from pycompare.methods.over_datasets.dataset_tables import on_each_dataset

if TYPE_CHECKING:
    from pycompare.methods.linear.clustered_runs import ClusteredRuns
    from pycompare.methods.linear.replicated_anova import ReplicatedAnova
    from pycompare.methods.ranks.mack_skillings import MackSkillingsResult


@dataclass(frozen=True, kw_only=True, eq=False)
class RunsWithin:
    """The runs of one metric within the blocks of one data set, or within data sets.

    Attributes
    ----------
    dataset : str or None
        If folds of several data sets are compared, which one it is.
    unit : {"fold", "case", "data set"}
        Kind of blocks.
    strata : ReplicatedAnova, ClusteredRuns or None
        Folds or cases, interaction and runs. None if blocks are data sets: their
        scores, and the spread of their runs, are in no common unit.
    ranks : MackSkillingsResult or None
        Ranks of all runs of a block; its p-value is approximate (chi2). None if
        cases are in clusters: it assumes independent blocks.
    """

    dataset: str | None
    unit: str
    strata: ReplicatedAnova | ClusteredRuns | None
    ranks: MackSkillingsResult | None

    def results(self) -> tuple[tuple[str, Any], ...]:
        """Return title and result of everything computed."""
        of = "" if self.dataset is None else f" of {self.dataset}"
        rows: list[tuple[str, Any]] = []
        if self.strata is not None:
            rows.append((f"Runs within {self.unit}s{of}: strata", self.strata))
        if self.ranks is not None:
            rows.append((f"Runs within blocks{of}: {self.ranks.name}", self.ranks))
        return tuple(rows)


def analyse_runs(scores: Scores, plan: Plan, metric: str) -> tuple[RunsWithin, ...]:
    """Return the analysis of runs as planned: one a data set, or one; none."""
    if plan.replicates != "keep":
        return ()
    metric_scores = scores.only(metric)
    if plan.design.nested:
        return tuple(on_each_dataset(_runs_within, plan, metric_scores))
    return (_runs_within(plan, None, metric_scores),)


def _runs_within(plan: Plan, dataset: str | None, scores: Scores) -> RunsWithin:
    """Return the analysis of the runs of one table."""
    from pycompare.methods.linear.clustered_runs import clustered_runs
    from pycompare.methods.linear.replicated_anova import replicated_anova
    from pycompare.methods.ranks.mack_skillings import mack_skillings

    unit = plan.design.block
    if scores.clusters is not None:
        in_clusters = clustered_runs(scores)
        return RunsWithin(dataset=dataset, unit=unit, strata=in_clusters, ranks=None)
    in_units = plan.design.one_unit
    strata = replicated_anova(scores, level=plan.confidence) if in_units else None
    ranks = mack_skillings(scores, decimals=plan.decimals)
    return RunsWithin(dataset=dataset, unit=unit, strata=strata, ranks=ranks)

"""All groups of cases as one benchmark: the plan's answer, and others beside it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import levels
from pycompare.base.typing import WeightRule
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis
from pycompare.designs.benchmark import (
    GROUPS_AS_CLUSTERS,
    PRIMARY,
    SUPPLEMENTARY,
    Benchmark,
    BenchmarkAnswer,
)
from pycompare.designs.cases import CaseAnalysis, case_tests
from pycompare.designs.flips import by_flips
from pycompare.designs.pair_methods import draws
from pycompare.designs.planned_pairs import PlannedPairs
from pycompare.designs.plans.plan import Plan
from pycompare.methods.cases.group_means import group_means
from pycompare.results.result import PairsResult

_FEWEST_GROUPS = 5
"""With fewer as clusters of one size, t has fewer than four degrees of freedom."""
_CASES, _IN_CLUSTERS = "Cases independent", "Clusters independent"
_DECLARED = ("Declared weights", "mean over groups, weighted as declared")
_RULES: dict[str, tuple[str, str]] = {
    "equal": ("Equal weights", "mean over groups, each with the same weight"),
    "cases": ("Weights by cases", "mean over groups, weighted by their cases"),
}
"""Name and quantity of the weighted means of a rule."""


def with_benchmark(analysis: Analysis, scores: Scores, plan: Plan) -> Analysis:
    """Return an analysis of all groups together with what accompanies it.

    ``scores`` have groups, and all cases of the analysis.
    """
    if not isinstance(analysis, CaseAnalysis):
        return analysis
    return dataclasses.replace(
        analysis,
        benchmark=_benchmark(analysis, scores.only(analysis.metric.name), plan),
    )


def _benchmark(analysis: CaseAnalysis, own: Scores, plan: Plan) -> Benchmark:
    """Return the answers for all groups together beside the primary analysis."""
    primary = analysis.decisive
    if own.n_algorithms == 2:
        plan = dataclasses.replace(plan.without_margins(), control=None)
        [first] = primary.as_columns()["algorithm_1"]
        if first != own.algorithms[0]:  # the better one comes first
            own = own.select(algorithms=own.algorithms[::-1])
    averaged: Literal["average"] | None = "average" if plan.replicates else None
    plan = dataclasses.replace(plan, gate="none", family="metric", replicates=averaged)
    lead, *others = _Populations(own, plan).every()
    return Benchmark(
        answers=(
            dataclasses.replace(
                lead,
                role=PRIMARY,
                pairs=primary,
                quantity=_quantity(lead.quantity, primary),
            ),
            *(dataclasses.replace(other, role=SUPPLEMENTARY) for other in others),
        ),
        means=group_means(own),
    )


@dataclass(frozen=True)
class _Populations:
    """The answers for scores of one metric; that of the plan is not computed."""

    scores: Scores
    plan: Plan

    def every(self) -> Iterator[BenchmarkAnswer]:
        """Yield the answer of the plan, then the others."""
        weights = self.plan.weights
        by_groups = self.clusters_are_groups
        rules: list[WeightRule] = ["equal"]
        if weights is not None:
            rules = [rule for rule in rules if rule != weights]
            yield self.weighted(weights, computed=False)
            yield self.of_cases(computed=True)
        elif by_groups:
            yield self.of_groups(computed=False)
            yield self.of_cases(computed=True)
        else:
            yield self.of_cases(computed=False)
        yield from (self.weighted(rule, computed=True) for rule in rules)
        if not by_groups or weights is not None:
            yield self.of_groups(computed=True)

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(self.scores.group_names)

    @property
    def clusters_are_groups(self) -> bool:
        """Whether the clusters of cases are the groups."""
        if self.scores.clusters is None:
            return False
        groups = levels(self.scores.groups or (), what="groups").codes
        clusters = levels(self.scores.clusters, what="clusters").codes
        return bool(np.array_equal(groups, clusters))  # both by first appearance

    @property
    def own_clusters(self) -> tuple[str, ...] | None:
        """Clusters within groups, if cases are in any."""
        return None if self.clusters_are_groups else self.scores.clusters

    def of_cases(self, *, computed: bool) -> BenchmarkAnswer:
        """Return the answer for more cases like these, whatever their groups."""
        clusters, plan = self.own_clusters, self.plan
        scores = dataclasses.replace(self.scores, groups=None, clusters=clusters)
        kind = "cases" if clusters is None else "clusters of cases"
        new_runs = f" and {plan.runs}" if plan.runs_scope == "sampled" else ""
        if clusters is not None:
            plan = dataclasses.replace(plan, p_values="by-size")
        return self._answer(
            _CASES if clusters is None else _IN_CLUSTERS,
            "mean over all cases",
            f"{kind}{new_runs} like these",
            scores,
            dataclasses.replace(plan, weights=None),
            computed=computed,
        )

    def weighted(self, weights: Any, *, computed: bool) -> BenchmarkAnswer:
        """Return the answer for more cases like these of these groups."""
        rule = weights if isinstance(weights, str) else ""
        name, quantity = _RULES.get(rule, _DECLARED)
        kind = "cases" if self.own_clusters is None else "clusters of cases"
        groups = counted(self.n_groups, "group") if self.n_groups > 1 else "groups"
        population = f"{kind} like these of these {groups}"
        if reason := self._not_without_groups():
            return _none(name, quantity, population, reason)
        scores = dataclasses.replace(self.scores, clusters=self.own_clusters)
        plan = dataclasses.replace(
            self.plan.without_margins(), weights=weights, p_values="by-size"
        )
        return self._answer(name, quantity, population, scores, plan, computed=computed)

    def of_groups(self, *, computed: bool) -> BenchmarkAnswer:
        """Return the answer for more groups like these."""
        quantity, population = "mean over all cases", "groups like these"
        reason = self._not_without_groups()
        if computed and not reason and self.n_groups < _FEWEST_GROUPS:
            reason = (
                f"not computed: {self.n_groups} groups are too few for a sample of "
                f"groups; it takes {_FEWEST_GROUPS}"
            )
        if reason:
            return _none(GROUPS_AS_CLUSTERS, quantity, population, reason)
        scores = dataclasses.replace(
            self.scores, groups=None, clusters=self.scores.groups
        )
        plan = dataclasses.replace(self.plan, weights=None, p_values="by-size")
        return self._answer(
            GROUPS_AS_CLUSTERS, quantity, population, scores, plan, computed=computed
        )

    def _not_without_groups(self) -> str:
        """Return why there is no answer about groups, if there is none."""
        if self.n_groups < 2:
            return "not computed: there is one group"
        if self.plan.runs_scope == "sampled":
            return f"not computed: no test is of groups and new {self.plan.runs}"
        return ""

    def _answer(
        self,
        name: str,
        quantity: str,
        population: str,
        scores: Scores,
        plan: Plan,
        *,
        computed: bool,
    ) -> BenchmarkAnswer:
        pairs, reason = None, ""
        if computed:
            try:
                pairs = _adjusted(scores, plan)
            except DesignError as error:
                reason = f"not computed: {error}"
        return BenchmarkAnswer(
            name=name,
            quantity=_quantity(quantity, pairs),
            population=population,
            role=SUPPLEMENTARY,
            pairs=pairs,
            reason=reason,
        )


def _quantity(of_means: str, pairs: PairsResult | None) -> str:
    """Return the quantity: means, unless shares of discordant cases are compared."""
    shares = pairs is not None and pairs.differences == "share"
    return pairs.estimate_name if pairs is not None and shares else of_means


def _none(name: str, quantity: str, population: str, reason: str) -> BenchmarkAnswer:
    """Return an answer that cannot be computed."""
    return BenchmarkAnswer(
        name=name,
        quantity=quantity,
        population=population,
        role=SUPPLEMENTARY,
        pairs=None,
        reason=reason,
    )


def _adjusted(scores: Scores, plan: Plan) -> PairsResult:
    """Compare pairs by the first method of the plan, adjusted over these only."""
    name = plan.adjust[0]
    if draws(name):
        return by_flips(scores, plan, scores.metrics[0].name, name, "scores")
    pairs: PairsResult = PlannedPairs(case_tests(scores, plan), name).decided_alone()
    return pairs

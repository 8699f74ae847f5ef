"""Training sets that share one test set: readers and cases, any of them random."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.base.metric import Metric
from pycompare.base.typing import Bools, Floats
from pycompare.data.measures.registry import find
from pycompare.data.predictions import Predictions
from pycompare.data.ratings import Ratings
from pycompare.designs.analysis import PairsAnalysis, Titled
from pycompare.designs.decisions import Decision, decisions
from pycompare.designs.draft import MARGIN, Draft
from pycompare.designs.margins import ADJUST
from pycompare.designs.planned_pairs import (
    Decided,
    PlannedPairs,
    gate_of,
    with_own_adjustment,
)
from pycompare.designs.plans.fields import Generalise
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.scope_rules import FIGURE_OF
from pycompare.methods.multireader.family import ModalityPairs
from pycompare.methods.multireader.margins import MRMCMarginResult, margin_tests
from pycompare.methods.multireader.mixed_outcomes import GLMMResult, mixed_beside
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.words import Effect
from pycompare.methods.orders.cliques import listed_cliques
from pycompare.methods.pairs.margin_pairs import MarginPairsResult
from pycompare.results.placement import Placement
from pycompare.results.result import plain

SCOPES: dict[Generalise, tuple[Effect, Effect]] = {
    "both": ("random", "random"),
    "training-sets": ("random", "fixed"),
    "cases": ("fixed", "random"),
}
"""Scope of conclusions -> training sets, cases."""
CONCERN: dict[Generalise, str] = {
    "both": "new training sets and new cases",
    "training-sets": "new training sets, these test cases",
    "cases": "these trained classifiers, new cases",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class SharedTestSetAnalysis(PairsAnalysis):
    """One metric of training sets with one test set; see ``PairsAnalysis``.

    Attributes
    ----------
    generalise : {"both", "training-sets", "cases"}
        The scope of the primary analysis.
    pairs : tuple of MRMCResult
        The primary analysis, one per method of the plan.
    others : mapping of str to MRMCResult
        The two other scopes, each with the first method of the plan; none if
        training sets share cases.
    margins : mapping of str to MRMCMarginResult
        If a margin is planned, the tests against it in the two other scopes.
    mixed : GLMMResult, str or None
        The mixed model of 0/1 outcomes, why there is none, or None for other metrics.
    """

    kind = "shared test set"
    generalise: Generalise
    pairs: tuple[MRMCResult, ...]
    others: Mapping[Generalise, MRMCResult]
    margins: Mapping[Generalise, MRMCMarginResult]
    mixed: GLMMResult | str | None

    @property
    def in_unit(self) -> bool:
        """Differences are in the metric's own unit."""
        return True

    @property
    def primary(self) -> MRMCResult:
        """The primary analysis, by the first method of the plan."""
        return self.pairs[0]

    def scopes(self) -> dict[Generalise, MRMCResult]:
        """Return the three answers, that of the plan first."""
        return {self.generalise: self.primary, **self.others}

    def decisions_of(self, scope: Generalise, alpha: float) -> Sequence[Decision]:
        """Return what another scope decides about each pair."""
        if scope == self.generalise:
            return self.decisions
        return decisions(self.others[scope], alpha)

    def margin_of(self, scope: Generalise) -> MarginPairsResult | None:
        """Return the tests against the margin in one scope; None without a margin."""
        return (
            self.within_margin if scope == self.generalise else self.margins.get(scope)
        )

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of each scope and method."""
        rows: list[Titled] = [
            (f"Scope: {CONCERN[self.generalise]}, adjusted: {p.adjust}", p)
            for p in self.pairs
        ]
        rows += [
            (f"Scope: {CONCERN[scope]}, adjusted: {p.adjust}", p)
            for scope, p in self.others.items()
        ]
        rows += [
            (f"Scope: {CONCERN[scope]}, {tests.method}", tests)
            for scope, tests in self.margins.items()
        ]
        if isinstance(self.mixed, GLMMResult):
            rows.append((self.mixed.method, self.mixed))
        return tuple(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the tables of each scope."""
        named = {
            scope: plain(comparison) for scope, comparison in self.scopes().items()
        }
        return PairsAnalysis.to_dict(self) | {"scopes": named}


def draft_shared(predictions: Predictions, plan: Plan, metric: str) -> Draft:
    """Compare algorithms over training sets and cases, with all three scopes.

    Training sets that share cases allow one of them, these trained classifiers: about
    new ones the other two reject too often.
    """
    assert plan.generalise is not None
    measure = find(metric)
    chosen = Metric(measure.name, measure.better)
    ratings = Ratings.from_predictions(predictions)
    options = _figure(ratings, measure.name, plan)
    scope = plan.generalise
    by_scope: dict[str, tuple[PlannedPairs, ...]] = {}
    scopes = tuple(SCOPES) if plan.protocol == "disjoint" else (scope,)
    for name in (scope, *(other for other in scopes if other != scope)):
        readers, cases = SCOPES[name]
        tests = [
            _named(mrmc(adjust=adjust, alpha=plan.alpha, level=plan.pair_level,
                        readers=readers, cases=cases, control=plan.control,
                        **options), chosen)
            for adjust in (plan.adjust if name == scope else plan.adjust[:1])
        ]  # fmt: skip
        gate = gate_of(tests[0].omnibus, plan)
        by_scope[name] = tuple(with_own_adjustment(test, gate) for test in tests)
    planned = by_scope[scope][0].tests
    margins = {
        _margin_key(name, scope): (PlannedPairs(against, ADJUST),)
        for name in scopes
        if (against := _against(by_scope[name][0].tests, plan)) is not None
    }
    mixed = mixed_beside(planned)

    def decide(decided: Decided) -> SharedTestSetAnalysis:
        pairs = decided[scope]
        return SharedTestSetAnalysis(
            metric=chosen,
            generalise=scope,
            margins={
                name: decided[_margin_key(name, scope)][0]
                for name in scopes
                if name != scope and _margin_key(name, scope) in decided
            },
            mixed=mixed,
            omnibus=planned.omnibus,
            pairs=pairs,
            others={name: decided[name][0] for name in scopes if name != scope},
            cliques=() if plan.control else listed_cliques(pairs[0], alpha=plan.alpha),
            decisions=decisions(pairs[0], plan.alpha),
        )

    return Draft(by_scope, decide, margins)


def _margin_key(scope: Generalise, planned: Generalise) -> str:
    """Return where the tests against a margin in one scope stand."""
    return MARGIN if scope == planned else f"{MARGIN}/{scope}"


def _against(mrmc: MRMCResult, plan: Plan) -> MRMCMarginResult | None:
    """Return the tests against the margin of the metric, if it has one."""
    margin = plan.margin_of(mrmc.figure)
    if margin is None:
        return None
    kind = plan.margin_kind
    return margin_tests(mrmc, margin=margin, kind=kind, alpha=plan.margin_error)


def _figure(ratings: Ratings, metric: str, plan: Plan) -> dict[str, Any]:
    """Return the arguments of ``mrmc`` that stand for a metric."""
    figure = FIGURE_OF[metric]
    threshold = plan.theta[0] if plan.theta else 0.5
    if figure == "mean":
        better = find(metric).better
        scores = dataclasses.replace(
            ratings, values=_by_case(ratings, metric, threshold)
        )
        return {"ratings": scores, "figure": figure, "better": better}
    cut: dict[str, Any] = {"threshold": threshold}
    if figure in ("auc", "partial_auc"):
        cut = {} if figure == "auc" else {"fpr_range": plan.fpr_range}
    return {"ratings": ratings, "figure": figure, **cut}


def _by_case(ratings: Ratings, metric: str, threshold: float) -> Floats:
    """Return the score of each case whose mean is the metric."""
    assert ratings.truth is not None
    x, truth = ratings.values, ratings.truth
    if metric == "brier":
        return np.asarray((x - truth) ** 2)
    if metric == "log_loss":
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(np.where(truth, x, 1 - x)))
    wrong: Bools = (x >= threshold) != truth
    return (wrong if metric == "error" else ~wrong).astype(float)


def _named(mrmc: MRMCResult, metric: Metric) -> MRMCResult:
    """Return a result in the words of a comparison: algorithms, and the metric."""
    family = ModalityPairs(mrmc.algorithms, mrmc.control)
    test = dataclasses.replace(
        mrmc.omnibus,
        name=f"Obuchowski-Rockette test that all algorithms have the same mean "
        f"{metric.name}",
    )
    return dataclasses.replace(
        mrmc,
        figure=metric.name,
        **Placement(f"mean {metric.name}").difference(),
        family=family.text(f" on {metric.name}", "algorithms"),
        omnibus=test,
    )

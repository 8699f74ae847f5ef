"""Training sets that share one test set: readers and cases, any of them random."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pycompare.analyses.analysis import Compared, PairsAnalysis, Titled
from pycompare.analyses.decisions import Decision, decisions
from pycompare.analyses.omnibus_gate import gated
from pycompare.data.predictions import Predictions
from pycompare.data.ratings import Ratings
from pycompare.measures.registry import find
from pycompare.metric import Metric
from pycompare.multireader.family import Family
from pycompare.multireader.margins import MRMCMarginResult, margin_pairs
from pycompare.multireader.mixed_outcomes import GLMMResult, mixed_beside
from pycompare.multireader.mrmc import mrmc
from pycompare.multireader.result import MRMCResult
from pycompare.multireader.words import Effect
from pycompare.orders.cliques import cliques
from pycompare.pairs.equivalence_pairs import MarginPairsResult
from pycompare.plans.fields import Generalise
from pycompare.plans.plan import Plan
from pycompare.plans.scope_rules import FIGURE_OF
from pycompare.results import Test, plain
from pycompare.typing import Bools, Floats

SCOPES: dict[Generalise, tuple[Effect, Effect]] = {
    "both": ("random", "random"),
    "training-sets": ("random", "fixed"),
    "cases": ("fixed", "random"),
}
"""What conclusions concern -> training sets, cases."""
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
        What the primary analysis concerns.
    pairs : tuple of MRMCResult
        The primary analysis, one per method of the plan.
    others : mapping of str to MRMCResult
        The two other scopes, each with the first method of the plan.
    margins : mapping of str to MRMCMarginResult
        Where a margin is planned, the tests against it in the two other scopes.
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
    def found(self) -> MRMCResult:
        """The primary analysis, by the first method of the plan."""
        return self.pairs[0]

    def scopes(self) -> dict[Generalise, MRMCResult]:
        """Return the three answers, that of the plan first."""
        return {self.generalise: self.found, **self.others}

    def decisions_of(self, scope: Generalise, alpha: float) -> tuple[Decision, ...]:
        """Return what another scope decides about each pair."""
        if scope == self.generalise:
            return self.decisions
        return decisions(self.others[scope], alpha, self.metric.better)

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
            (f"Scope: {CONCERN[scope]}, {found.method}", found)
            for scope, found in self.margins.items()
        ]
        if isinstance(self.mixed, GLMMResult):
            rows.append((self.mixed.method, self.mixed))
        return tuple(rows)

    def compared(self) -> dict[str, tuple[Compared, ...]]:
        """Return the comparisons of each scope, the planned one first."""
        others: dict[str, tuple[Compared, ...]] = {
            scope: (found,) for scope, found in self.others.items()
        }
        return {self.generalise: self.pairs, **others}

    def decided_by(self, made: Mapping[str, tuple[Compared, ...]], plan: Plan) -> Self:
        """Return the same analysis with what follows from other adjusted p-values."""
        found: Any = made
        others = {scope: found[scope][0] for scope in self.others}
        decided = _decided(found[self.generalise], others, plan, self.metric)
        return dataclasses.replace(self, **decided)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the tables of each scope."""
        named = {scope: plain(found) for scope, found in self.scopes().items()}
        return PairsAnalysis.to_dict(self) | {"scopes": named}


def analyse_shared(
    predictions: Predictions, plan: Plan, metric: str
) -> SharedTestSetAnalysis:
    """Compare algorithms over training sets and cases, with all three scopes."""
    assert plan.generalise is not None
    measure = find(metric)
    chosen = Metric(measure.name, measure.better)
    ratings = Ratings.from_predictions(predictions)
    options = _figure(ratings, measure.name, plan)
    made = {
        scope: tuple(
            _named(mrmc(adjust=name, level=plan.confidence, readers=readers,
                        cases=cases, control=plan.control, **options), chosen)
            for name in (plan.adjust if scope == plan.generalise else plan.adjust[:1])
        )
        for scope, (readers, cases) in SCOPES.items()
    }  # fmt: skip
    within = {scope: _within_margin(found[0], plan) for scope, found in made.items()}
    planned = made.pop(plan.generalise)
    return SharedTestSetAnalysis(
        metric=chosen,
        generalise=plan.generalise,
        within_margin=within.pop(plan.generalise),
        margins={scope: found for scope, found in within.items() if found is not None},
        mixed=mixed_beside(planned[0]),
        **_decided(planned, {s: f[0] for s, f in made.items()}, plan, chosen),
    )


def _within_margin(found: MRMCResult, plan: Plan) -> MRMCMarginResult | None:
    """Return the tests against the margin of the metric, if it has one."""
    margin = plan.margin_of(found.figure)
    if margin is None:
        return None
    kind = plan.margin_kind or "equivalence"
    return margin_pairs(found, margin=margin, kind=kind, alpha=plan.margin_error)


def _decided(
    pairs: tuple[MRMCResult, ...],
    others: Mapping[Generalise, MRMCResult],
    plan: Plan,
    metric: Metric,
) -> dict[str, Any]:
    """Return what follows from the comparisons, after the gate of the plan."""
    test: Test = pairs[0].omnibus
    pairs = tuple(gated(found, test, plan) for found in pairs)
    return {
        "omnibus": test,
        "pairs": pairs,
        "others": {s: gated(found, found.omnibus, plan) for s, found in others.items()},
        "cliques": () if plan.control else cliques(pairs[0], alpha=plan.alpha),
        "decisions": decisions(pairs[0], plan.alpha, metric.better),
    }


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


def _named(found: MRMCResult, metric: Metric) -> MRMCResult:
    """Return a result in the words of a comparison: algorithms, and the metric."""
    family = Family(found.algorithms, found.control)
    test = dataclasses.replace(
        found.omnibus,
        name=f"Obuchowski-Rockette test that all algorithms have the same mean "
        f"{metric.name}",
    )
    return dataclasses.replace(
        found,
        figure=metric.name,
        estimate_name=f"difference of mean {metric.name}",
        family=family.text(f" on {metric.name}", "algorithms"),
        omnibus=test,
    )

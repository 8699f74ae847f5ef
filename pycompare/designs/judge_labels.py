"""Items of one test set: people labelled some, and a judge scored all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycompare.data.scores import Scores
from pycompare.designs.analysis import ComparedPairs, Titled
from pycompare.designs.decisions import decisions
from pycompare.designs.draft import Draft
from pycompare.designs.planned_pairs import Decided, PlannedPairs
from pycompare.designs.plans.plan import Plan
from pycompare.methods.cases.judge_labels import (
    MAX_T,
    LabelsResult,
    OtherEstimate,
    label_tests,
    other_estimates,
)
from pycompare.methods.orders.cliques import listed_cliques
from pycompare.results.adjust import adjust_family, adjustment
from pycompare.results.result import internal, rejected


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelsAnalysis(ComparedPairs):
    """Algorithms by people's labels and a judge's scores; see ``ComparedPairs``.

    Attributes
    ----------
    labels : LabelsResult
        The decisive pairs, with the mean of each algorithm and both populations.
    others : tuple of OtherEstimate
        What other estimates of the same labels and scores decide.
    """

    kind = "labels"
    labels: LabelsResult
    others: tuple[OtherEstimate, ...] = internal()

    @property
    def in_unit(self) -> bool:
        """Differences are in the metric's own unit."""
        return True

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of each method."""
        return tuple((f"{p.method}, adjusted: {p.adjust}", p) for p in self.pairs)

    def significant(self, other: OtherEstimate, alpha: float) -> dict[Any, str]:
        """Return the pairs that another estimate finds by Holm, with the better."""
        holm = adjustment("holm")
        significant = rejected(
            adjust_family(other.p_value, len(self.labels.algorithms), holm),
            alpha,
        )
        lower = self.labels.lower_is_better
        return {
            frozenset(ends): ends[0] if (estimate < 0) == lower else ends[1]
            for ends, estimate, told in zip(
                self.labels.row_labels(), other.estimate, significant, strict=True
            )
            if told
        }


def draft_labels(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return all comparisons of one metric."""
    several = scores.n_algorithms > 2  # one pair is not adjusted
    control = plan.control if several else None
    names = plan.adjust if several else plan.adjust[:1]
    options: dict[str, Any] = {
        "chosen": plan.labels,
        "metric": metric,
        "control": control,
        "alpha": plan.alpha,
        "seed": plan.seed or 0,
    }
    tests = {
        own: label_tests(scores, adjust=own, **options)
        for own in dict.fromkeys(map(_own, names))
    }
    by_method = tuple(PlannedPairs(tests[_own(name)], name) for name in names)

    def decide(decided: Decided) -> LabelsAnalysis:
        pairs = decided["labels"]
        return LabelsAnalysis(
            metric=scores.metric(metric),
            pairs=pairs,
            labels=pairs[0],
            others=tuple(other_estimates(pairs[0])),
            decisions=decisions(pairs[0], plan.alpha),
            cliques=listed_cliques(pairs[0], alpha=plan.alpha)
            if control is None
            else (),
        )

    return Draft({"labels": by_method}, decide)


def _own(name: str) -> str:
    """Return how tests are made for an adjustment: by its own draws, or raw."""
    return MAX_T if name == MAX_T else "none"

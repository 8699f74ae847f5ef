"""Data sets in clusters (families, domains): typical differences, clusters flip."""

from __future__ import annotations

from pycompare.data.scores import Scores
from pycompare.designs.decisions import decisions
from pycompare.designs.draft import Draft
from pycompare.designs.multiple_datasets import DatasetsAnalysis, OverDatasets
from pycompare.designs.planned_pairs import Decided, PlannedPairs, decisive_of
from pycompare.designs.plans.fields import DEFAULT_COMPARES
from pycompare.designs.plans.plan import Plan
from pycompare.methods.orders.cliques import listed_cliques
from pycompare.methods.pairs.clustered_signed_rank_pairs import (
    clustered_signed_rank_tests,
)


def draft_related(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return the signed rank tests of clusters, two algorithms included.

    No other quantity is compared beside them: its tests assume independent data sets.
    """
    metric_scores = scores.only(metric)
    two = metric_scores.n_algorithms == 2
    tests = clustered_signed_rank_tests(
        metric_scores,
        control=plan.control,
        alpha=plan.alpha,
        decimals=plan.decimals,
        scale=plan.scale or "difference",
    )
    names = plan.adjust[:1] if two and plan.family != "all" else plan.adjust
    planned = tuple(PlannedPairs(tests, name) for name in names)

    def decide(tables: Decided) -> DatasetsAnalysis:
        pairs = tables[DEFAULT_COMPARES]
        decided = decisions(decisive_of(tables), plan.alpha)
        over = OverDatasets(
            metric=metric_scores.metrics[0],
            key=DEFAULT_COMPARES,
            test=None,
            compared={DEFAULT_COMPARES: pairs},
            pairs=pairs,
            decisions=decided,
            cliques=() if plan.control else listed_cliques(pairs[0], alpha=plan.alpha),
        )
        return DatasetsAnalysis(
            metric=metric_scores.metrics[0],
            decisions=decided,
            each=(),
            wins=None,
            over=(over,),
            compares=DEFAULT_COMPARES,
            disagree={},
            ranks=None,
            two=(),
            interaction=None,
        )

    return Draft({DEFAULT_COMPARES: planned}, decide)

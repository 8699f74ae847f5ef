"""Equivalence and non-inferiority against the margin of a plan."""

from __future__ import annotations

from typing import Any

from pycompare.data.scores import Scores
from pycompare.designs.planned_pairs import PlannedPairs
from pycompare.designs.plans.data_rules import (
    answers_are_right_or_wrong,
    right_or_wrong,
)
from pycompare.designs.plans.margin_rules import range_of_scores
from pycompare.designs.plans.plan import Plan
from pycompare.designs.quantity import TYPICAL_DIFFERENCE

ADJUST = "holm"
"""How tests against a margin are adjusted: their hypotheses are not transitive."""


def margin_pairs_of(
    blocks: Scores, plan: Plan, metric: str, n_tables: int
) -> PlannedPairs | None:
    """Return the tests of all pairs against the margin of a metric, if it has one.

    Two algorithms whose means are compared on data sets or folds of one data set have
    theirs on their own analysis, unless all metrics and groups are one family of
    ``n_tables`` tables.
    """
    margin = plan.margin_of(metric)
    typical = is_of_typical_differences(blocks, plan, metric)
    elsewhere = blocks.n_algorithms == 2 and plan.design.two_alone
    elsewhere = elsewhere and not typical
    if margin is None or (elsewhere and plan.family != "all"):
        return None
    of_cases = plan.design.of_cases
    options: dict[str, Any] = {
        "margin": margin,
        "kind": plan.margin_kind,
        "metric": metric,
        "control": plan.control,
        "alpha": plan.margin_error,
        "n_tables": n_tables,
    }
    if of_cases and answers_are_right_or_wrong(blocks, (metric,)):
        from pycompare.methods.cases.matched_shares import share_margin_tests

        return PlannedPairs(share_margin_tests(blocks, **options), ADJUST)
    limits = range_of_scores(plan, blocks, metric)
    if of_cases and limits is not None:
        from pycompare.methods.cases.bounded_means import bounded_margin_tests

        return PlannedPairs(
            bounded_margin_tests(blocks, limits=limits, **options), ADJUST
        )
    if typical:
        from pycompare.methods.pairs.signed_rank_margins import signed_rank_margin_tests

        options["scale"] = plan.scale or "difference"
        return PlannedPairs(signed_rank_margin_tests(blocks, **options), ADJUST)
    from pycompare.methods.pairs.equivalence_pairs import margin_tests

    if plan.design.one_dataset:
        options |= plan.correction(blocks.n_blocks)
    return PlannedPairs(margin_tests(blocks, of_cases=of_cases, **options), ADJUST)


def is_of_typical_differences(scores: Scores, plan: Plan, metric: str) -> bool:
    """Return whether a typical difference is held against the margin.

    Scores that are all 0 or 1 have none to speak of: their means are.
    """
    typical = plan.quantity == TYPICAL_DIFFERENCE
    return typical and not right_or_wrong(scores, (metric,))


def n_margin_tables(plan: Plan, metrics: tuple[str, ...], n_parts: int = 1) -> int:
    """Return how many tables against margins are one family."""
    if plan.family != "all":
        return 1
    return n_parts * sum(plan.margin_of(metric) is not None for metric in metrics)

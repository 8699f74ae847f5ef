"""Equivalence and non-inferiority, where a margin is planned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycompare.data.scores import Scores
from pycompare.plans.plan import Plan

if TYPE_CHECKING:
    from pycompare.pairs.equivalence_pairs import MarginPairsResult


def analyse_margin(blocks: Scores, plan: Plan, metric: str) -> MarginPairsResult | None:
    """Return the tests of all pairs against the margin of a metric, if it has one.

    Two algorithms on blocks of one kind have theirs on their own analysis.
    """
    margin = plan.margin_of(metric)
    elsewhere = blocks.n_algorithms == 2 and plan.blocks != "folds-of-datasets"
    if margin is None or elsewhere:
        return None
    from pycompare.pairs.equivalence_pairs import equivalence_pairs

    sizes: dict[str, Any] = (plan.sizes() or {}) if plan.blocks == "folds" else {}
    return equivalence_pairs(
        blocks,
        margin=margin,
        kind=plan.margin_kind or "equivalence",
        metric=metric,
        control=plan.control,
        alpha=plan.margin_error,
        **sizes,
    )

"""Rules of a plan about the ranking of a challenge."""

from __future__ import annotations

from pycompare.base.errors import setting
from pycompare.data.scores import Scores
from pycompare.designs.known import WITH_RANKING
from pycompare.designs.plans.fields import PlanFields, without_use
from pycompare.designs.plans.keys import PlanRule, rule

_BY_TESTS = "test-then-rank"


@rule("ranking", "blocks")
def _ranking_of_other_blocks(plan: PlanFields) -> str | None:
    """Reject a ranking of anything but cases."""
    if plan.ranking is None or plan.blocks == "cases":
        return None
    return (
        setting("ranking", plan.ranking)
        + " is for the cases of a challenge: set "
        + setting("blocks", "cases")
    )


@rule("ranking", "aggregate", "tied_ranks")
def _parts_of_no_ranking(plan: PlanFields) -> str | None:
    """Reject what only a ranking has a use for."""
    planned = [
        name for name in ("aggregate", "tied_ranks") if getattr(plan, name) != "mean"
    ]
    if plan.ranking is None and planned:
        name = planned[0]
        return (
            setting(name, getattr(plan, name))
            + " is for the ranking of a challenge ("
            + setting("ranking", ...)
            + "): leave it out"
        )
    if plan.ranking == _BY_TESTS and plan.aggregate != "mean":
        return (
            setting("aggregate", plan.aggregate)
            + " has no use with "
            + setting("ranking", plan.ranking)
            + ", which counts tests: leave it out"
        )
    return None


@rule("ranking", *WITH_RANKING, "gate", "omnibus", "p_values", "level", "answers")
def _keys_beside_a_ranking(plan: PlanFields) -> str | None:
    """Reject settings that have no form for the ranking of a challenge."""
    if plan.ranking is None or plan.blocks != "cases":
        return None
    unused = WITH_RANKING if plan.ranks_by_scores else plan.design.unused
    return without_use(plan, "ranking", unused)


@rule("ranking", "adjust", "aggregate")
def _adjustments_of_rankings(plan: PlanFields) -> str | None:
    """Reject adjustments that a ranking does not have."""
    if plan.ranking is None or plan.ranks_by_scores or plan.blocks != "cases":
        return None
    known: tuple[str, ...] = ("max-t",) if plan.claims else ("holm",)
    if plan.ranking == _BY_TESTS:
        known = ("holm", "none")
    if plan.adjust in {(name,) for name in known}:
        return None
    if not plan.claims and plan.ranking != _BY_TESTS:
        return (
            "adjust: no use with "
            + setting("aggregate", plan.aggregate)
            + ", which has no test of pairs: leave it out"
        )
    return (
        "adjust: with "
        + setting("ranking", plan.ranking)
        + f" choose {' or '.join(known)}, and no other"
    )


@rule("ranking", "weights", "groups")
def _tasks_without_weights(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a ranking over several tasks without their weights."""
    if plan.ranking is None or plan.weights is not None or scores.groups is None:
        return None
    return (
        f"there are {len(scores.group_names)} tasks: give their weights ("
        + setting("weights", "equal")
        + ", "
        + setting("weights", "cases")
        + ", or a number for each)"
    )


@rule("ranking")
def _runs_of_a_challenge(plan: PlanFields, scores: Scores) -> str | None:
    """Reject several runs of a case."""
    if plan.ranking is None or scores.runs is None:
        return None
    return (
        "cases have several runs ("
        + setting("replicate", ...)
        + "), and the stability of rankings over runs has not been measured: average "
        "them before, and leave the column out"
    )


@rule("ranking", "missing")
def _failures_without_a_score(plan: PlanFields, scores: Scores) -> str | None:
    """Reject gaps that a ranking by scores has no worst score for."""
    if plan.ranking in (None, "rank-then-aggregate") or scores.complete:
        return None
    return (
        "cells without a score are failures, and "
        + setting("ranking", plan.ranking)
        + " needs the worst score for each: read the scores with "
        + setting("missing", "worst")
        + " and "
        + setting("worst", ...)
    )


RANKING_RULES: tuple[PlanRule, ...] = (
    _ranking_of_other_blocks,
    _parts_of_no_ranking,
    _keys_beside_a_ranking,
    _adjustments_of_rankings,
)
"""Each takes a plan and returns the problem and its remedy, or None."""
RANKED_DATA_RULES: tuple[PlanRule, ...] = (
    _tasks_without_weights,
    _runs_of_a_challenge,
    _failures_without_a_score,
)
"""Each takes a plan and scores and returns the problem and its remedy, or None."""

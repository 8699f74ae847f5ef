"""Blocks are cases of a challenge: an order of algorithms by ranks, scores or tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pycompare.base.errors import DesignError, InputError
from pycompare.base.typing import Bools, GroupWeights
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis, ComparedPairs, Titled
from pycompare.designs.decisions import decisions, rejected_pairs
from pycompare.designs.draft import Draft
from pycompare.designs.planned_pairs import Decided, PlannedPairs
from pycompare.designs.plans.plan import Plan
from pycompare.methods.cases.challenge import (
    FLIPS,
    RESAMPLES,
    ChallengeResult,
    described,
    ranked_blocks_of,
)
from pycompare.methods.cases.challenge_tasks import Scheme, failures
from pycompare.methods.orders.cliques import listed_cliques
from pycompare.methods.pairs.max_t import max_t, max_t_of
from pycompare.results.result import PairsResult, internal

TITLE = "Ranking of the challenge"


@dataclass(frozen=True)
class OtherRanking:
    """The decisions of another analysis of the same challenge.

    Attributes
    ----------
    name, assumes : str
        As in tables of sensitivity analyses.
    significant : dict
        The pairs that it finds, each with the better algorithm.
    same_quantity : bool
        Whether it compares mean ranks, too.
    """

    name: str
    assumes: str
    significant: dict[frozenset[str], str]
    same_quantity: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class ChallengeAnalysis(ComparedPairs):
    """Algorithms by mean ranks within cases; see ``ComparedPairs``.

    Attributes
    ----------
    challenge : ChallengeResult
        The ranking, its stability, and other rankings of the same cases.
    others : tuple of OtherRanking
        Decisions without the cases of failures, without each task, and by mean scores.
    """

    kind = "challenge"
    challenge: ChallengeResult
    others: tuple[OtherRanking, ...] = internal()

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of the pairs and of the ranking."""
        return (*super().results(), (TITLE, self.challenge))


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingAnalysis(Analysis):
    """An order of algorithms without a test of pairs; see ``Analysis``.

    Attributes
    ----------
    challenge : ChallengeResult
    """

    kind = "ranking"
    has_ranks = False
    challenge: ChallengeResult

    def results(self) -> tuple[Titled, ...]:
        """Return the ranking."""
        return ((TITLE, self.challenge),)


def draft_challenge(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return the ranking of one metric, and pairs of mean ranks."""
    own = scores.only(metric)
    if not plan.claims:
        ranked = ranking_of(own, plan, None)
        analysis = RankingAnalysis(
            metric=own.metrics[0], decisions=(), challenge=ranked
        )
        return Draft({}, lambda _: analysis)
    weights = plan.weights if own.groups is not None else None
    tests = _by_ranks(own, plan, weights)
    [name] = plan.adjust

    def decide(decided: Decided) -> ChallengeAnalysis:
        pairs = decided["challenge"]
        return ChallengeAnalysis(
            metric=own.metrics[0],
            pairs=pairs,
            decisions=decisions(pairs[0], plan.alpha),
            cliques=listed_cliques(pairs[0], alpha=plan.alpha),
            challenge=ranking_of(own, plan, pairs[0]),
            others=tuple(_others(own, plan)),
        )

    return Draft({"challenge": (PlannedPairs(tests, name),)}, decide)


def _by_ranks(
    scores: Scores, plan: Plan, weights: GroupWeights | None, flips: int = FLIPS
) -> PairsResult:
    """Compare pairs of mean ranks within cases."""
    blocks = ranked_blocks_of(scores, weights, plan.tied_ranks)
    return max_t_of(blocks, "ranks", None, flips, plan.seed or 0, plan.pair_level)


_FLIPS_WITHOUT = 1999
"""Flips of sensitivity analyses, of which there may be many."""
_FEWEST_TASKS = 3
"""With fewer no tasks are left that a ranking over tasks could lack one of."""


def _others(scores: Scores, plan: Plan) -> Iterator[OtherRanking]:
    """Yield the decisions of other analyses; none of those that cannot be made."""
    weights = plan.weights if scores.groups is not None else None
    failed = failures(scores, scores.metrics[0].name).any(axis=1)
    if failed.any():
        yield from _without(
            scores, plan, np.asarray(~failed), "Failures dropped", "failures at random"
        )
    tasks = scores.group_names
    if len(tasks) >= _FEWEST_TASKS:
        groups = np.array(scores.groups, dtype=object)
        for name in tasks:
            kept, title = groups != name, f"Without task {name}"
            yield from _without(scores, plan, kept, title, "the other tasks")
    if scores.complete:
        try:
            seed, level = plan.seed or 0, plan.pair_level
            means = max_t(
                scores, weights=weights, flips=_FLIPS_WITHOUT, seed=seed, level=level
            )
        except DesignError:  # clusters with cases of several tasks
            return
        yield OtherRanking(
            "Mean scores, max-T",
            "mean scores are compared",
            dict(rejected_pairs(means, plan.alpha)),
            same_quantity=False,
        )


def _without(
    scores: Scores, plan: Plan, kept: Bools, name: str, assumes: str
) -> Iterator[OtherRanking]:
    """Yield the decisions on some of the cases, if they can be compared."""
    weights = plan.weights if scores.groups is not None else None
    try:
        part = scores.select(blocks=scores.labels.take(kept).block)
        if isinstance(weights, Mapping):
            weights = {task: weights[task] for task in part.group_names}
        pairs = _by_ranks(part, plan, weights, _FLIPS_WITHOUT)
    except (DesignError, InputError):  # too few cases are left
        return
    yield OtherRanking(name, assumes, dict(rejected_pairs(pairs, plan.alpha)))


def ranking_of(
    scores: Scores, plan: Plan, pairs: PairsResult | None
) -> ChallengeResult:
    """Return the ranking of one metric as planned, with sets of ranks of ``pairs``."""
    assert plan.ranking is not None
    scheme = Scheme(
        plan.ranking,
        plan.aggregate,
        plan.tied_ranks,
        plan.alpha,
        holm=plan.adjust[0] != "none",
    )
    weights = plan.weights if scores.groups is not None else None
    return described(scores, scheme, weights, pairs, RESAMPLES, plan.seed or 0)

"""Blocks are independent data sets: rank tests, all pairs or a control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.data.scores import Scores
from pycompare.orders.cliques import cliques
from pycompare.over_datasets.dataset_tables import dataset_means
from pycompare.pairs.superiority import SuperiorityResult, superiority
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import EXHAUSTIVE, MOST_EXHAUSTIVE
from pycompare.procedure.analysis import PairsAnalysis, Titled
from pycompare.procedure.decisions import decisions
from pycompare.procedure.gate import gated
from pycompare.ranks.aligned import aligned_ranks
from pycompare.ranks.friedman import FriedmanResult, friedman
from pycompare.ranks.nemenyi import NemenyiResult, nemenyi
from pycompare.ranks.pairs import RankPairsResult, rank_pairs
from pycompare.ranks.quade import quade
from pycompare.ranks.skillings_mack import SkillingsMackResult, skillings_mack
from pycompare.results import Test


@dataclass(frozen=True, kw_only=True, eq=False)
class RankAnalysis(PairsAnalysis):
    """All rank tests of one metric; see ``PairsAnalysis``.

    Attributes
    ----------
    omnibus : FriedmanResult or SkillingsMackResult
        Corrected for ties; Skillings-Mack where cells are missing.
    witnesses : tuple of Test
        Other omnibus tests of the same data: sensitivity analysis.
    nemenyi : NemenyiResult or None
        With critical difference; all pairs of a complete table only.
    superiority : SuperiorityResult or None
        Wins, ties, losses, effect sizes; complete tables only.
    """

    road = "ranks"
    omnibus: FriedmanResult | SkillingsMackResult
    witnesses: tuple[Test, ...]
    pairs: tuple[RankPairsResult, ...]
    nemenyi: NemenyiResult | None
    superiority: SuperiorityResult | None

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        rows: list[Titled] = [(self.omnibus.name, self.omnibus)]
        # Iman-Davenport's F comes with the Friedman test it is made from.
        rows += [(t.name, t) for t in self.witnesses if t.r_call() is not None]
        rows += [(f"{p.method}, adjusted: {p.adjust}", p) for p in self.pairs]
        if self.nemenyi is not None:
            rows.append(("Nemenyi test and critical difference", self.nemenyi))
        if self.superiority is not None:
            rows.append(("Probability of superiority", self.superiority))
        return tuple(rows)


def independent_blocks(scores: Scores, plan: Plan) -> Scores:
    """Return scores whose blocks may be ranked together, as the plan says."""
    means = plan.average_folds or plan.blocks == "folds-of-datasets"
    return dataset_means(scores) if means else scores


def analyse_ranks(scores: Scores, plan: Plan, metric: str) -> RankAnalysis:
    """Return all rank tests of one metric."""
    complete = not np.isnan(scores.column(metric)).any()
    exact = complete and plan.exact_for(scores.n_blocks, scores.n_algorithms)
    options: dict[str, Any] = {"metric": metric, "decimals": plan.decimals}
    pairs = tuple(
        rank_pairs(
            scores,
            method="friedman" if complete else "skillings-mack",
            adjust=name,
            control=plan.control,
            level=plan.confidence,
            monotone=plan.monotone and name == "bergmann-hommel",
            p_value="exact" if exact else "normal",
            **options,
        )
        for name in plan.rank_adjust
    )
    all_pairs = plan.control is None
    tests = (
        complete_tests(scores, plan, options)
        if complete
        else gappy_tests(scores, options)
    )
    pairs = tuple(gated(found, tests[0], plan) for found in pairs)
    return RankAnalysis(
        metric=scores.metric(metric),
        omnibus=tests[0],
        witnesses=tests[1:],
        pairs=pairs,
        nemenyi=nemenyi(scores, alpha=plan.alpha, **options)
        if complete and all_pairs
        else None,
        superiority=effects(scores, plan, options) if complete else None,
        cliques=cliques(pairs[0], alpha=plan.alpha) if all_pairs else (),
        decisions=decisions(pairs[0], plan.alpha),
    )


def effects(scores: Scores, plan: Plan, options: dict[str, Any]) -> SuperiorityResult:
    """Return wins and sign tests, adjusted like the verdict where that can be."""
    decisive = plan.rank_adjust[0]
    slow = decisive == EXHAUSTIVE and scores.n_algorithms > MOST_EXHAUSTIVE
    usable = plan.control is None and decisive != "nemenyi" and not slow
    adjust = decisive if usable else "holm"
    return superiority(scores, level=plan.confidence, adjust=adjust, **options)


def complete_tests(
    scores: Scores, plan: Plan, options: dict[str, Any]
) -> tuple[Any, ...]:
    """Return the omnibus tests of a complete table, the main one first."""
    exact = plan.exact_for(scores.n_blocks, scores.n_algorithms)
    main = friedman(scores, level=plan.confidence, **options)
    plainly = friedman(scores, ties="uncorrected", level=plan.confidence, **options)
    tests: list[Test] = [main, main.iman_davenport, plainly, plainly.iman_davenport]
    if exact:
        decisive = friedman(scores, p_value="exact", level=plan.confidence, **options)
        tests.insert(0, decisive)
    return (*tests, aligned_ranks(scores, **options), quade(scores, **options))


def gappy_tests(scores: Scores, options: dict[str, Any]) -> tuple[Any, ...]:
    """Return the omnibus tests of a table with missing cells, the main one first."""
    return (
        skillings_mack(scores, **options),
        skillings_mack(scores, ties="uncorrected", **options),
    )

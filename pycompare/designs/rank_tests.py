"""Blocks are independent data sets: rank tests, all pairs or a control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.data.blocks import Scale
from pycompare.data.scores import Scores
from pycompare.designs.analysis import PairsAnalysis, Titled
from pycompare.designs.decisions import decisions
from pycompare.designs.draft import Draft
from pycompare.designs.flips import by_flips
from pycompare.designs.pair_methods import MOST_EXHAUSTIVE, draws
from pycompare.designs.planned_pairs import Decided, PlannedPairs, gate_of
from pycompare.designs.plans.plan import Plan
from pycompare.methods.orders.cliques import listed_cliques
from pycompare.methods.over_datasets.dataset_tables import dataset_means
from pycompare.methods.pairs.hodges_lehmann import HodgesLehmannResult, hodges_lehmann
from pycompare.methods.pairs.superiority import SuperiorityResult, superiority
from pycompare.methods.ranks.friedman import FriedmanResult, friedman
from pycompare.methods.ranks.known import FRIEDMAN, RANK_TESTS, SKILLINGS_MACK
from pycompare.methods.ranks.nemenyi import NemenyiResult, nemenyi_of
from pycompare.methods.ranks.pairs import (
    FLIPS_ADJUST,
    FLIPS_ADJUST_CONTROL,
    Ranked,
    RankPairsResult,
    RankPValue,
    pairs_of_ranks,
    ranked,
)
from pycompare.methods.ranks.skillings_mack import skillings_mack
from pycompare.results.result import Estimate, PairsResult, Test


@dataclass(frozen=True, kw_only=True, eq=False)
class RankAnalysis(PairsAnalysis):
    """All rank tests of one metric; see ``PairsAnalysis``.

    Attributes
    ----------
    omnibus : Test
        The planned one, corrected for ties; Skillings-Mack if cells are missing.
    witnesses : tuple of Test
        Other omnibus tests of the same data: sensitivity analysis.
    agreement : Estimate or None
        Kendall's W; complete tables only.
    nemenyi : NemenyiResult or None
        With critical difference; all pairs of a complete table only, and not if the
        family holds other tables, for which there is no such distance.
    differences : HodgesLehmannResult or None
        How far pairs differ in the metric's own unit; None if ratios are compared,
        because differences have no common unit. Aligned ranks and Quade's test, which
        rank differences of all blocks together, are no witnesses then.
    superiority : SuperiorityResult or None
        Wins, ties, losses, effect sizes; complete tables only.
    """

    kind = "ranks"
    witnesses: tuple[Test, ...]
    agreement: Estimate | None
    pairs: tuple[PairsResult, ...]
    nemenyi: NemenyiResult | None
    differences: HodgesLehmannResult | None
    superiority: SuperiorityResult | None

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        tests = (self.omnibus, *self.witnesses)
        # Iman-Davenport's F comes with the Friedman test it is made from.
        rows: list[Titled] = [(t.name, t) for t in tests if t.r_call() is not None]
        rows += [(f"{p.method}, adjusted: {p.adjust}", p) for p in self.pairs]
        if self.nemenyi is not None:
            rows.append(("Nemenyi test and critical difference", self.nemenyi))
        if self.differences is not None:
            rows.append(("Hodges-Lehmann differences", self.differences))
        if self.superiority is not None:
            rows.append(("Probability of superiority", self.superiority))
        return tuple(rows)


MEAN_RANKS, ALONE = "mean ranks", "sign tests of the two algorithms alone"


def independent_blocks(scores: Scores, plan: Plan) -> Scores:
    """Return scores whose blocks may be ranked together, as the plan specifies."""
    means = plan.average_folds or plan.design.nested
    return dataset_means(scores) if means else scores


def draft_ranks(
    scores: Scores, plan: Plan, metric: str, *, one_unit: bool = True
) -> Draft:
    """Return all rank tests of one metric.

    ``one_unit``: whether differences of scores mean the same in all blocks.
    """
    complete = not np.isnan(scores.column(metric)).any()
    options: dict[str, Any] = {"metric": metric, "decimals": plan.decimals}
    ranking = RANK_TESTS[plan.rank_test].ranking if complete else SKILLINGS_MACK
    ranks = ranked(scores, metric, plan.decimals, ranking.name, plan.std_error)
    tests = (
        _complete_tests(scores, plan, options, one_unit)
        if complete
        else _gappy_tests(scores, options)
    )
    scale: Scale = "difference" if one_unit else "ratio"
    effects = _effects(scores, plan, options, scale) if complete else None
    common: dict[str, Any] = {
        "metric": scores.metric(metric),
        "omnibus": tests[0],
        "witnesses": tests[1:],
        "agreement": _agreement(tests),
        "nemenyi": nemenyi_of(ranks, plan.alpha)
        if complete
        and plan.control is None
        and ranking == FRIEDMAN
        and plan.family != "all"
        else None,
        "differences": hodges_lehmann(
            scores, metric=metric, control=plan.control, level=1 - plan.alpha
        )
        if one_unit
        else None,
    }

    def decide(decided: Decided) -> RankAnalysis:
        pairs = decided[MEAN_RANKS]
        return RankAnalysis(
            **common,
            pairs=pairs,
            cliques=listed_cliques(pairs[0], alpha=plan.alpha)
            if plan.control is None
            else (),
            decisions=decisions(pairs[0], plan.alpha),
            superiority=decided[ALONE][0] if effects else None,
        )

    by_method = _planned_pairs(scores, plan, metric, ranks, gate_of(tests[0], plan))
    beside = {ALONE: (PlannedPairs(effects, "holm"),)} if effects else {}
    return Draft({MEAN_RANKS: by_method, **beside}, decide)


def _planned_pairs(
    scores: Scores, plan: Plan, metric: str, ranks: Ranked, gate: Test | None
) -> tuple[PlannedPairs, ...]:
    """Return the comparisons of pairs of the plan: each test once, however adjusted."""
    complete = ranks.method != "skillings-mack"
    exact = complete and plan.exact_for(scores.n_blocks, scores.n_algorithms)
    raw: RankPValue = "exact" if exact else "normal"
    independent = plan.design.units_of(plan.quantity).independent
    if plan.family == "all" and complete and independent and not plan.asks_for_z:
        raw = "sign-flips"  # the only exact test whose p-values any family can adjust
    few = plan.control is None and scores.n_algorithms <= MOST_EXHAUSTIVE
    by_p_value: dict[str, RankPairsResult] = {}

    def tests(p_value: RankPValue) -> RankPairsResult:
        if p_value not in by_p_value:
            by_p_value[p_value] = pairs_of_ranks(
                ranks, p_value=p_value, control=plan.control, level=plan.pair_level
            )
        return by_p_value[p_value]

    def planned_by(name: str) -> PlannedPairs:
        if draws(name):
            return PlannedPairs(
                by_flips(scores, plan, metric, name, "ranks"), name, gate=gate
            )
        if name == "sign-flips":
            alone = few and plan.family != "all"
            usual = FLIPS_ADJUST if alone else FLIPS_ADJUST_CONTROL
            return PlannedPairs(tests("sign-flips"), usual, gate=gate)
        monotone = plan.monotone and name == "bergmann-hommel"
        return PlannedPairs(tests(raw), name, monotone, gate)

    return tuple(map(planned_by, plan.rank_adjust))


def _effects(
    scores: Scores, plan: Plan, options: dict[str, Any], scale: Scale
) -> SuperiorityResult:
    """Return wins and sign tests of the planned pairs."""
    options = {**options, "level": plan.pair_level, "control": plan.control}
    return superiority(scores, scale=scale, **options)


def _complete_tests(
    scores: Scores, plan: Plan, options: dict[str, Any], one_unit: bool
) -> tuple[Test, ...]:
    """Return the omnibus tests of a complete table, the planned one first.

    Those that rank differences of different blocks together need one unit.
    """
    main = friedman(scores, level=plan.confidence, **options)
    plainly = friedman(scores, ties="uncorrected", level=plan.confidence, **options)
    tests: dict[str, Test] = {
        "friedman": main,
        "iman-davenport": main.iman_davenport,
        "friedman, uncorrected": plainly,
        "iman-davenport, uncorrected": plainly.iman_davenport,
    }
    if one_unit:
        for name, planned in RANK_TESTS.items():
            if planned.test and (planned.sensitivity or name == plan.rank_test):
                tests[name] = planned.test(scores, **options)
    first = tests.pop(plan.rank_test)
    form = plan.friedman_for(scores.n_blocks, scores.n_algorithms)
    if form == "chi2":
        return (first, *tests.values())
    # Iman-Davenport's F rises with Friedman's statistic: one permutation test for both.
    permuted = friedman(
        scores, p_value=form, level=plan.confidence, seed=plan.seed or 0, **options
    )
    return (permuted, first, *tests.values())


def _agreement(tests: tuple[Test, ...]) -> Estimate | None:
    """Return Kendall's W of a complete table."""
    friedman_tests = [test for test in tests if isinstance(test, FriedmanResult)]
    return friedman_tests[0].kendall_w if friedman_tests else None


def _gappy_tests(scores: Scores, options: dict[str, Any]) -> tuple[Test, ...]:
    """Return the omnibus tests of a table with missing cells, the main one first."""
    return (
        skillings_mack(scores, **options),
        skillings_mack(scores, ties="uncorrected", **options),
    )

"""Blocks are cases (items) of one test set: right or wrong, graded, or in clusters."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.designs.analysis import PairsAnalysis, Titled
from pycompare.designs.benchmark import Benchmark
from pycompare.designs.challenge import TITLE, ranking_of
from pycompare.designs.decisions import decisions
from pycompare.designs.draft import Draft
from pycompare.designs.flips import by_flips
from pycompare.designs.item_scopes import ItemScopes, item_scopes
from pycompare.designs.pair_methods import draws
from pycompare.designs.planned_pairs import Decided, PlannedPairs, gate_of
from pycompare.designs.plans.data_rules import (
    answers_are_right_or_wrong,
    right_or_wrong,
)
from pycompare.designs.plans.plan import Plan
from pycompare.kernels.paired_proportions import McNemarPValue
from pycompare.methods.cases.accuracy_intervals import (
    AccuracyIntervals,
    accuracy_intervals,
)
from pycompare.methods.cases.challenge import ChallengeResult
from pycompare.methods.cases.cluster_pairs import cluster_pairs
from pycompare.methods.cases.cochran_q import cochran_q
from pycompare.methods.cases.crossed_pairs import CrossedPairsResult, crossed_tests
from pycompare.methods.cases.share_counts import FEWEST_CLUSTERS
from pycompare.methods.cases.share_pairs import share_tests
from pycompare.methods.cases.these_items import TheseItemsResult, these_item_tests
from pycompare.methods.cases.weighted_pairs import (
    WeightedMeans,
    weighted_means,
    weighted_pairs,
)
from pycompare.methods.orders.cliques import listed_cliques
from pycompare.methods.pairs.max_t import MaxTResult
from pycompare.methods.pairs.mcnemar_pairs import mcnemar_pairs
from pycompare.methods.pairs.paired_t_pairs import paired_t_pairs
from pycompare.results.result import PairsResult, Test, internal

_FORMS: dict[str, McNemarPValue] = {"exact": "exact", "mid-p": "mid-p"}
_NOTHING_FLIPS = "all algorithms have the same score on every case"
_REFERENCE = "Westfall & Young (1993) Resampling-Based Multiple Testing"


@dataclass(frozen=True, kw_only=True, eq=False)
class CaseAnalysis(PairsAnalysis):
    """Algorithms on the same cases, in one metric; see ``PairsAnalysis``.

    Attributes
    ----------
    binary : bool
        Whether scores are right (1) or wrong (0), of independent cases.
    n_cases : int
    n_clusters : int or None
        None if cases are independent.
    accuracies : AccuracyIntervals or None
        Each algorithm separately, with Wilson's interval; ``binary`` only.
    weighted : WeightedMeans or None
        If several benchmarks are compared together with declared weights: the weighted
        mean of each algorithm.
    benchmark : Benchmark or None
        If all groups are compared together: the same pairs for other populations, and
        the mean of each group.
    scopes : ItemScopes or None
        The same pairs for new answers to these cases and for cases like these, if
        several answers to a case are drawn anew, or none can differ.
    challenge : ChallengeResult or None
        If a challenge is ranked by mean scores: its ranking, and how stable it is.
    """

    kind = "cases"
    binary: bool
    n_cases: int
    n_clusters: int | None
    accuracies: AccuracyIntervals | None
    weighted: WeightedMeans | None = None
    benchmark: Benchmark | None = None
    scopes: ItemScopes | None = None
    challenge: ChallengeResult | None = None

    @property
    def in_unit(self) -> bool:
        """Whether differences are in the metric's own unit: shares have none."""
        return bool(self.decisive.differences != "share")

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        rows: list[Titled] = []
        if self.omnibus.r_call() is not None:
            rows.append((self.omnibus.name, self.omnibus))
        rows += [(f"{p.method}, adjusted: {p.adjust}", p) for p in self.pairs]
        if self.accuracies is not None:
            rows.append(("Accuracy of each algorithm", self.accuracies))
        if self.weighted is not None:
            rows.append(("Weighted mean of each algorithm", self.weighted))
        if self.benchmark is not None:
            rows += self.benchmark.results()
        if self.scopes is not None:
            rows += self.scopes.results()
        if self.challenge is not None:
            rows.append((TITLE, self.challenge))
        return tuple(rows)


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallestP(Test):
    """The smallest p-value of all pairs, Bonferroni: no algorithm differs.

    Attributes
    ----------
    basis_of_pairs : str
        That of the pairs in the ledger of guarantees, by Holm.
    p_values : ndarray
        Those of the pairs.
    """

    basis_of_pairs: str
    p_values: Floats = internal()

    @property
    def basis(self) -> str:
        """That of the pairs."""
        return self.basis_of_pairs

    def r_call(self) -> RCall:
        """Return the call that takes the smallest p-value."""
        return RCall(("adjust",), "smallest_p_reference", {"p": self.p_values})

    def r_values(self) -> dict[str, Any]:
        """Return the smallest p-value, raw and adjusted."""
        return {"statistic": self.statistic, "p_value": self.p_value}


@dataclass(frozen=True, kw_only=True, eq=False)
class LargestT(Test):
    """The largest statistic of all pairs under flips: no algorithm differs.

    It is significant if max-T finds any pair, so it has the same error rate.

    Attributes
    ----------
    basis_of_pairs : str
        That of max-T in the ledger of guarantees.
    in_clusters : bool
        Whether whole clusters were flipped.
    """

    basis_of_pairs: str
    in_clusters: bool
    pairs: PairsResult = internal()

    r_paths: ClassVar[Mapping[str, str]] = {
        "largest": "statistic",
        "p_largest": "p_value",
    }

    def r_call(self) -> RCall | None:
        """Return the call of the pairs: one of them has the largest statistic."""
        return self.pairs.r_call()

    def r_values(self) -> dict[str, Any]:
        """Return the largest statistic, and its p-value."""
        return {"largest": self.statistic, "p_largest": self.p_value}

    @property
    def basis(self) -> str:
        """That of max-T."""
        return self.basis_of_pairs

    @property
    def clustered(self) -> bool:
        """Whether whole clusters were flipped."""
        return self.in_clusters


def draft_cases(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return all tests over the cases of one metric.

    Scores of groups are those of all groups together, with the weights of the plan.
    """
    metric_scores = scores.only(metric)
    if metric_scores.n_algorithms == 2:  # a control makes no other test of the one pair
        plan = dataclasses.replace(plan.without_margins(), control=None)
    weighted = scores.groups is not None
    alone = (
        scores.clusters is None
        and plan.runs_scope != "sampled"
        and plan.items_scope == "sampled"
    )
    binary = alone and right_or_wrong(metric_scores) and not weighted
    n_tables = len(scores.metrics) if plan.family == "all" else 1
    own = (
        None
        if all(map(draws, plan.adjust))
        else case_tests(metric_scores, plan, n_tables)
    )
    by_method = tuple(
        PlannedPairs(
            by_flips(metric_scores, plan, metric, name, "scores")
            if draws(name)
            else own,
            name,
        )
        for name in plan.adjust
    )
    test: Test = (
        cochran_q(metric_scores) if binary else _of_all(metric_scores, plan, by_method)
    )
    gate = gate_of(test, plan)
    clusters = scores.clusters
    chosen = scores.metric(metric)
    common: dict[str, Any] = {
        "metric": chosen,
        "omnibus": test,
        "binary": binary,
        "n_cases": scores.n_blocks,
        "n_clusters": None if clusters is None else len(set(clusters)),
        "accuracies": accuracy_intervals(metric_scores, level=plan.confidence)
        if binary
        else None,
        "weighted": _weighted(metric_scores, plan) if weighted else None,
    }

    def decide(decided: Decided) -> CaseAnalysis:
        pairs, every = decided["cases"], plan.control is None
        return CaseAnalysis(
            **common,
            scopes=item_scopes(metric_scores, plan, pairs[0], case_tests),
            challenge=None
            if plan.ranking is None
            else ranking_of(metric_scores, plan, pairs[0]),
            pairs=pairs,
            decisions=decisions(pairs[0], plan.alpha),
            cliques=listed_cliques(pairs[0], alpha=plan.alpha) if every else (),
        )

    after_gate = tuple(dataclasses.replace(planned, gate=gate) for planned in by_method)
    return Draft({"cases": after_gate}, decide)


def case_tests(scores: Scores, plan: Plan, n_tables: int = 1) -> PairsResult:
    """Compare pairs by the test of the design, without any adjustment.

    ``n_tables`` is the number of tables in the family.
    """
    options: Any = {"adjust": "none", "control": plan.control, "alpha": plan.alpha}
    if scores.groups is not None:
        assert plan.weights is not None
        return weighted_pairs(scores, weights=plan.weights, **options)
    if plan.items_scope == "fixed":
        return these_item_tests(scores, control=plan.control, alpha=plan.alpha)
    if plan.runs_scope == "sampled":
        return crossed_tests(scores, control=plan.control, alpha=plan.alpha)
    few = scores.clusters is not None and len(set(scores.clusters)) < FEWEST_CLUSTERS
    if answers_are_right_or_wrong(scores) and not few:
        if plan.p_values == "by-size":
            control, alpha = plan.control, plan.alpha
            return share_tests(scores, control=control, alpha=alpha, n_tables=n_tables)
        return mcnemar_pairs(scores, p_value=_FORMS[plan.p_values], **options)
    compare = paired_t_pairs if scores.clusters is None else cluster_pairs
    return compare(scores, **options)


def _weighted(scores: Scores, plan: Plan) -> WeightedMeans:
    """Return the weighted mean of each algorithm."""
    assert plan.weights is not None
    return weighted_means(scores, weights=plan.weights, level=plan.confidence)


def _of_all(scores: Scores, plan: Plan, by_method: tuple[PlannedPairs, ...]) -> Test:
    """Return the test of no difference at all, for the scope of the pairs."""
    tests = by_method[0].tests
    if isinstance(tests, CrossedPairsResult | TheseItemsResult):
        return _smallest(tests)
    return _largest(scores, plan, by_method)


def _smallest(tests: CrossedPairsResult | TheseItemsResult) -> Test:
    """Return the smallest p-value of all pairs, of tests without flips."""
    p = tests.as_columns()["p_value"].astype(float)
    return SmallestP(
        basis_of_pairs=f"{tests.basis}/holm",
        p_values=p,
        short="Smallest of the pairs' p-values",
        name="Smallest of the pairs' p-values, Bonferroni",
        statistic_name="smallest p",
        statistic=float(p.min()),
        df=None,
        p_value=float(min(1.0, len(p) * p.min())),
        p_source="t" if np.isfinite(tests.as_columns()["df"]).all() else "normal",
        reference="Holm (1979) Scand. J. Statist. 6, 65-70",
    )


def _largest(scores: Scores, plan: Plan, by_method: tuple[PlannedPairs, ...]) -> Test:
    """Return the test of no difference at all: the largest statistic under flips."""
    max_t_tests = [a.tests for a in by_method if isinstance(a.tests, MaxTResult)]
    max_t = (
        max_t_tests[0]
        if max_t_tests
        else by_flips(scores, plan, scores.metrics[0].name, "max-t", "scores")
    )
    statistic = np.abs(max_t.as_columns()["statistic"]).max()
    tied = bool(np.isnan(statistic))
    return LargestT(
        basis_of_pairs=max_t.basis,
        in_clusters=max_t.clustered,
        pairs=max_t,
        name="Max-T test of equal weighted means"
        if scores.groups
        else "Max-T test of equal means",
        statistic_name="max T",
        statistic=float(statistic),
        df=None,
        p_value=float("nan") if tied else float(max_t.as_columns()["p_adjusted"].min()),
        p_source="none" if tied else "sign flips",
        reference=_REFERENCE,
        notes=(_NOTHING_FLIPS,) if tied else max_t.notes,
    )

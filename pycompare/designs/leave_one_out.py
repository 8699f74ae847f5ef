"""Decisions on pairs when each data set, case or fold is left out in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pycompare.base.errors import DesignError, InputError
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis
from pycompare.designs.decisions import unable
from pycompare.designs.firmness import LeftOut
from pycompare.designs.one_pair import OnePair
from pycompare.designs.pair_methods import draws, short_title
from pycompare.designs.plans.plan import Plan
from pycompare.methods.pairs.clustered_signed_rank_pairs import (
    ClusteredSignedRankPairsResult,
    clustered_signed_rank_tests,
)
from pycompare.methods.pairs.corrected_pairs import corrected_pairs
from pycompare.methods.pairs.paired_t_pairs import PairedTPairsResult, paired_t_pairs
from pycompare.methods.pairs.signed_rank_pairs import (
    SignedRankPairsResult,
    signed_rank_tests,
)
from pycompare.methods.pairs.ttest import PairedTResult
from pycompare.methods.pairs.wilcoxon import WilcoxonResult
from pycompare.results.adjust import ADJUSTMENTS
from pycompare.results.family import Family
from pycompare.results.result import PairsResult, rejected

_MOST_TESTS = 2000
"""Tests of pairs at most that are made again."""
_SAME_P = 1e-9

Tests = Callable[[Scores], Any]
Winners = dict[frozenset[str], str]


def left_out_of(plan: Plan, scores: Scores, analysis: Analysis) -> LeftOut:
    """Return which decisions of the primary analysis change without one block.

    The raw tests of the pairs are made again without each block, or each cluster,
    adjusted as planned. It is not done (``why_not`` has the reason) for tests that
    draw at random, for a family of several tables and a gate, and if more than 2,000
    tests of pairs would be made. Cases with the same scores count once.
    """
    decisive = analysis.decisive
    unit = plan.design.unit if scores.clusters is None else "cluster"
    name = analysis.metric.name
    if name not in {metric.name for metric in scores.metrics}:  # risks, of counts
        return _nothing(unit, f"not done for {analysis.kind}")
    leaving_out = _LeavingOut(unit, scores.only(name), plan, decisive)
    try:
        return leaving_out.left_out()
    except (DesignError, InputError) as error:
        return _nothing(unit, f"not possible without one {unit}: {error}")


def _nothing(unit: str, why_not: str) -> LeftOut:
    """Return that nothing was left out."""
    return LeftOut(unit=unit, n_units=0, changes={}, why_not=why_not)


class _LeavingOut:
    """The primary tests of one metric, made again without parts of the scores."""

    def __init__(self, unit: str, scores: Scores, plan: Plan, decisive: Any) -> None:
        self.unit, self.scores, self.plan = unit, scores, plan
        self.decisive = decisive

    def left_out(self) -> LeftOut:
        """Return which decisions change."""
        if self.plan.family == "all" or not self.decisive.adjusted_here:
            return _nothing(self.unit, "other tables are adjusted with this one")
        if self.plan.items_scope == "fixed":
            return _nothing(self.unit, "the cases are fixed")
        if self.plan.gate != "none":
            return _nothing(self.unit, "pairs wait for the omnibus test")
        if self.plan.labels is not None:
            return _nothing(self.unit, "not done for labels beside a judge")
        if draws(self.adjust):
            return _nothing(self.unit, f"{short_title(self.adjust)} draws at random")
        tests = self.tests()
        if tests is None:
            return _nothing(self.unit, f"not done for {self.decisive.method}")
        parts = list(parts_of(self.scores, of_cases=self.plan.design.of_cases))
        many = too_many(len(parts), len(self.decisive.as_columns()))
        if many:
            return _nothing(self.unit, many)
        whole = tests(self.scores)
        if not same_tests(self.decisive, whole):
            return _nothing(self.unit, "its tests are not made again here")
        planned = self.decided(whole)
        without_each = [(names, self.again(tests, whole, names[0])) for names in parts]
        hopeless = unable(without_each[0][1].adjusted(self.adjust), self.plan.alpha)
        changes: dict[frozenset[str], list[str]] = {}
        for names, pairs in without_each:
            own = self.decided(pairs)
            for pair in planned.keys() | own.keys():
                if planned.get(pair) != own.get(pair) and pair not in hopeless:
                    changes.setdefault(pair, []).extend(names)
        clusters = self.scores.clusters
        units = tuple(dict.fromkeys(clusters)) if clusters else self.scores.blocks
        order = {name: at for at, name in enumerate(units)} if changes else {}
        return LeftOut(
            unit=self.unit,
            n_units=len(units),
            changes={
                pair: tuple(sorted(names, key=order.__getitem__))
                for pair, names in changes.items()
            },
            hopeless=frozenset(hopeless),
        )

    def again(self, tests: Tests, whole: Any, name: str) -> Any:
        """Return the tests without a block or cluster; ``whole`` are those of all."""
        scores = self.scores
        alone = scores.clusters is None and scores.runs is None
        if self.plan.design.of_cases and alone:
            # Imported here for the same reason as below.
            from pycompare.methods.cases import share_pairs

            if isinstance(whole, share_pairs.SharePairsResult):
                answers = scores.values[scores.blocks.index(name), :, 0]
                return share_pairs.without_case(whole, answers)
        return tests(without(scores, name))

    @property
    def adjust(self) -> str:
        """The adjustment of the primary tests."""
        return str(self.decisive.adjust)

    def tests(self) -> Tests | None:
        """Return what makes the raw primary tests of scores; None if unknown."""
        decisive, plan = self.decisive, self.plan
        if self.adjust not in ADJUSTMENTS:
            return None
        control, alpha = plan.control, plan.alpha
        if isinstance(decisive, OnePair):
            return self.tests_of_one(decisive)
        if isinstance(decisive, ClusteredSignedRankPairsResult):
            return lambda scores: clustered_signed_rank_tests(
                scores,
                control=control,
                alpha=alpha,
                decimals=plan.decimals,
                scale=plan.scale or "difference",
            )
        if isinstance(decisive, SignedRankPairsResult):
            return lambda scores: signed_rank_tests(
                scores,
                control=control,
                alpha=alpha,
                decimals=plan.decimals,
                assumes=plan.assumes,
                scale=plan.scale or "difference",
            )
        if plan.design.of_cases and plan.weights is None:
            # It brings pandas, which other reports do without.
            from pycompare.designs.cases import case_tests

            return lambda scores: case_tests(scores, plan)
        if isinstance(decisive, PairedTPairsResult):
            return self.t_tests(control)
        return None

    def tests_of_one(self, pair: OnePair) -> Tests | None:
        """Return the tests of the one pair."""
        if isinstance(pair.test, WilcoxonResult):
            scale = pair.test.blocks.scale
            return lambda scores: signed_rank_tests(
                scores, alpha=self.plan.alpha, scale=scale
            )
        return self.t_tests(None) if isinstance(pair.test, PairedTResult) else None

    def t_tests(self, control: str | None) -> Tests:
        """Return paired t tests, corrected as those of all blocks are."""
        sizes: dict[str, Any] = {}
        if self.plan.design.one_dataset:
            sizes = self.plan.correction(self.scores.n_blocks)
        test: Any = corrected_pairs if sizes else paired_t_pairs
        return lambda scores: test(scores, adjust="none", control=control, **sizes)

    def decided(self, tests: PairsResult) -> Winners:
        """Return the rejected pairs, each with the better algorithm."""
        family = Family(tables=(tests,), adjust=self.adjust)
        told = rejected(family.before_gate, self.plan.alpha)
        table = tests.as_columns()
        first, second = (np.asarray(table[f"algorithm_{n}"], object) for n in (1, 2))
        better = np.where(tests.worse_by > 0, second, first)
        rows = zip(first, second, better, told, strict=True)
        return {
            frozenset((algorithm_1, algorithm_2)): win
            for algorithm_1, algorithm_2, win, tell in rows
            if tell
        }


def same_tests(planned: Any, again: Any) -> bool:
    """Return whether tests that are made again have the p-values of those planned."""
    p, own = (np.asarray(t.as_columns()["p_value"], float) for t in (planned, again))
    same = len(p) == len(own)
    return same and np.allclose(p, own, rtol=_SAME_P, atol=0, equal_nan=True)


def parts_of(scores: Scores, *, of_cases: bool) -> Iterator[list[str]]:
    """Yield the blocks, or the cluster, whose removal gives one and the same table."""
    if scores.clusters is not None:
        yield from ([name] for name in dict.fromkeys(scores.clusters))
        return
    held = scores.values if scores.runs is None else scores.runs
    if not of_cases:
        yield from ([name] for name in scores.blocks)
        return
    alike: dict[bytes, list[str]] = {}
    whole, size = held.tobytes(), held[0].nbytes
    for name, start in zip(scores.blocks, range(0, len(whole), size), strict=True):
        alike.setdefault(whole[start : start + size], []).append(name)
    yield from alike.values()


def without(scores: Scores, name: str) -> Scores:
    """Return the scores without a block, or a cluster if blocks are in clusters."""
    held = scores.blocks if scores.clusters is None else scores.clusters
    return scores.taken(np.asarray(held, object) != name)


def too_many(n_parts: int, n_tests: int) -> str:
    """Return why nothing is left out in turn; empty if the tests are few enough."""
    if n_parts * n_tests <= _MOST_TESTS:
        return ""
    return (
        f"that is {n_parts:,} times {n_tests:,} tests, and at most {_MOST_TESTS:,} are "
        "made"
    )

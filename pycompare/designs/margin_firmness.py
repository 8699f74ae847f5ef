"""How firm claims about a margin are.

The same tests are adjusted otherwise and made without one data set, case, cluster or
fold at a time; typical differences also have tests of mean differences beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

from pycompare.base.errors import DesignError, InputError
from pycompare.data.scores import Scores
from pycompare.designs.firmness import Firmness, LeftOut, OtherDecision, WhichQuantity
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.leave_one_out import (
    parts_of,
    same_tests,
    too_many,
    without,
)
from pycompare.designs.margins import ADJUST, margin_pairs_of
from pycompare.designs.pair_methods import short_title
from pycompare.designs.planned_pairs import PlannedPairs
from pycompare.designs.plans.data_rules import right_or_wrong
from pycompare.designs.plans.plan import Plan
from pycompare.designs.two_algorithms import margin_of_two
from pycompare.methods.pairs.equivalence import EquivalenceResult
from pycompare.methods.pairs.equivalence_pairs import margin_tests
from pycompare.methods.pairs.margin_pairs import MarginPairsResult
from pycompare.methods.pairs.signed_rank_margins import (
    SignedRankMarginsResult,
    signed_rank_margins,
)

WithinMargin = Mapping[frozenset[str], bool]
_STRICTER = "bonferroni"


def margin_firmness(
    comparison: GroupComparison, tests: MarginPairsResult, title: str
) -> Firmness | None:
    """Return the decisions of other analyses about each pair and its margin.

    None if the pairs of several tables are adjusted together, since no single table
    decides then, and for tests that are not of a table of scores (training sets that
    share a test set). ``better`` of a decision is the first algorithm of a pair that is
    shown to be equivalent, or non-inferior; empty if it is not.
    """
    name = tests.metric
    scores = comparison.compared.only(name)
    raw = margin_pairs_of(scores, comparison.plan, name, 1)
    if not tests.adjusted_here or raw is None or not same_tests(tests, raw.tests):
        return None
    planned = _shown(tests)
    decisions = [
        OtherDecision(
            analysis=name,
            quantity=quantity,
            algorithm_1=first,
            algorithm_2=second,
            better=first if shown.get(frozenset((first, second))) else "",
            able=frozenset((first, second)) in shown,
            agrees=shown.get(frozenset((first, second)))
            == planned.get(frozenset((first, second))),
        )
        for name, quantity, shown in _others(comparison.plan, scores, tests, raw)
        for first, second in _pairs(tests)
    ]
    return Firmness(
        title=title,
        pairs=tuple(_pairs(tests)),
        decisions=tuple(decisions),
        omnibus=(),
        left_out=_left_out(comparison.plan, scores, tests),
    )


def firmness_of_two(
    comparison: GroupComparison, test: EquivalenceResult, title: str
) -> Firmness:
    """Return the decisions of other analyses about two algorithms and the margin.

    The t test is made without one data set, case, cluster or fold at a time. If
    blocks are independent, the typical difference is held against the margin, too.
    """
    plan, scores = comparison.plan, comparison.compared.only(test.metric)
    first, second = test.algorithm_1, test.algorithm_2
    decisions = [
        OtherDecision(
            analysis=name,
            quantity="another",
            algorithm_1=first,
            algorithm_2=second,
            better=first if shown else "",
            able=True,
            agrees=shown == test.shown,
        )
        for name, shown in _typical(plan, scores, test)
    ]
    return Firmness(
        title=title,
        pairs=((first, second),),
        decisions=tuple(decisions),
        omnibus=(),
        left_out=_left_out_of_two(plan, scores, test),
    )


def _typical(
    plan: Plan, scores: Scores, test: EquivalenceResult
) -> Iterator[tuple[str, bool]]:
    """Yield whether the typical difference is within the margin, if blocks allow it."""
    margin = plan.margin_of(test.metric)
    dependent = plan.design.one_dataset or scores.clusters is not None
    if dependent or margin is None or right_or_wrong(scores, (test.metric,)):
        return
    try:
        tests = signed_rank_margins(
            scores.select(algorithms=[test.algorithm_1, test.algorithm_2]),
            margin=margin,
            kind=test.kind,
            metric=test.metric,
            control=plan.control,
            alpha=test.alpha,
        )
    except (DesignError, InputError):
        return
    if 0.5**scores.n_blocks <= test.alpha:
        yield "typical differences", bool(tests.as_columns()["shown"][0])


def _left_out_of_two(plan: Plan, scores: Scores, test: EquivalenceResult) -> LeftOut:
    """Return without which block, or cluster, the claim about two changes."""
    unit = plan.design.unit if scores.clusters is None else "cluster"
    parts = list(parts_of(scores, of_cases=plan.design.of_cases))
    many, changes = too_many(len(parts), 1), list[str]()
    if many:
        return LeftOut(unit=unit, n_units=0, changes={}, why_not=many)
    pair = (test.algorithm_1, test.algorithm_2)
    for units in parts:
        fewer = without(scores, units[0])
        try:
            own = margin_of_two(fewer, plan, test.metric, pair)
        except (DesignError, InputError) as error:
            why = f"not possible without one {unit}: {error}"
            return LeftOut(unit=unit, n_units=0, changes={}, why_not=why)
        if own.shown != test.shown:
            changes += units
    return LeftOut(
        unit=unit,
        n_units=sum(map(len, parts)),
        changes={frozenset(pair): tuple(changes)} if changes else {},
    )


def _pairs(tests: MarginPairsResult) -> list[tuple[str, str]]:
    """Return the pairs, the strongest evidence first."""
    table = tests.as_columns()
    order = np.lexsort((table["p_value"], table["p_adjusted"]))
    ends = (np.asarray(table[f"algorithm_{n}"], object)[order] for n in (1, 2))
    return [(str(first), str(second)) for first, second in zip(*ends, strict=True)]


def _shown(tests: MarginPairsResult) -> dict[frozenset[str], bool]:
    """Return whether each pair is within the margin; without those not tested."""
    table = tests.as_columns()
    rows = zip(
        table["algorithm_1"],
        table["algorithm_2"],
        table["p_adjusted"],
        table["shown"],
        strict=True,
    )
    return {
        frozenset((str(first), str(second))): bool(shown)
        for first, second, p, shown in rows
        if not np.isnan(p)
    }


def _others(
    plan: Plan, scores: Scores, tests: MarginPairsResult, raw: PlannedPairs
) -> Iterator[tuple[str, WhichQuantity, WithinMargin]]:
    """Yield the name, the quantity and the decisions of each other analysis."""
    if len(tests.as_columns()) > 1:
        stricter = PlannedPairs(raw.tests, _STRICTER).decided_alone()
        able = _in_reach(tests, scores.n_blocks)
        yield short_title(_STRICTER), "same", _shown(stricter) if able else {}
    typical = isinstance(tests, SignedRankMarginsResult) and not plan.as_ratios
    if not typical:
        return
    options: dict[str, Any] = {
        "margin": plan.margin_of(tests.metric),
        "kind": plan.margin_kind,
        "metric": tests.metric,
        "control": plan.control,
        "alpha": plan.margin_error,
        "n_tables": 1,
    }
    try:
        means = PlannedPairs(
            margin_tests(scores, of_cases=False, **options), ADJUST
        ).decided_alone()
    except (DesignError, InputError):
        return
    yield f"mean differences, {short_title(ADJUST)}", "another", _shown(means)


def _left_out(plan: Plan, scores: Scores, tests: MarginPairsResult) -> LeftOut:
    """Return which claims change without one block, or one cluster."""
    unit = plan.design.unit if scores.clusters is None else "cluster"
    parts = list(parts_of(scores, of_cases=plan.design.of_cases))
    many = too_many(len(parts), len(tests.as_columns()))
    if many:
        return LeftOut(unit=unit, n_units=0, changes={}, why_not=many)
    planned = _shown(tests)
    unable = not _in_reach(tests, scores.n_blocks - 1)
    changes: dict[frozenset[str], list[str]] = {}
    for units in parts:
        try:
            own = _again(without(scores, units[0]), plan, tests.metric)
        except (DesignError, InputError) as error:
            why = f"not possible without one {unit}: {error}"
            return LeftOut(unit=unit, n_units=0, changes={}, why_not=why)
        for pair, shown in planned.items():
            if own.get(pair) != shown:
                changes.setdefault(pair, []).extend(units)
    return LeftOut(
        unit=unit,
        n_units=sum(map(len, parts)),
        changes={pair: tuple(units) for pair, units in changes.items()},
        hopeless=frozenset(planned) if unable else frozenset(),
    )


def _in_reach(tests: MarginPairsResult, n: int) -> bool:
    """Return whether an outcome of n blocks is within the margin, as far as is known.

    A signed rank test has no p-value below 1/2^n, and Holm's first step counts all
    pairs.
    """
    if not isinstance(tests, SignedRankMarginsResult):
        return True
    return len(tests.as_columns()) * 0.5**n <= tests.alpha


def _again(scores: Scores, plan: Plan, metric: str) -> WithinMargin:
    """Return which pairs of fewer blocks are within the margin."""
    planned = margin_pairs_of(scores, plan, metric, 1)
    assert planned is not None  # the metric has a margin
    return _shown(cast("MarginPairsResult", planned.decided_alone()))

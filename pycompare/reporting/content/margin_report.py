"""Equivalence and non-inferiority of pairs as a page reports them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import AnyTable
from pycompare.designs.analysis import Analysis
from pycompare.designs.decisions import Decision
from pycompare.designs.error_rates import of_margin
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.pair_methods import short_title
from pycompare.designs.two_algorithms import TwoAnalysis
from pycompare.methods.pairs.equivalence import EquivalenceResult
from pycompare.reporting.content import build
from pycompare.reporting.content.build import (
    PAIR,
    Field,
    Method,
    by_evidence,
    limits_of,
    table,
)
from pycompare.reporting.content.facts import Outcome, PairFact, stated
from pycompare.reporting.content.wording import begun, listing
from pycompare.reporting.content.words import some_pairs
from pycompare.reporting.document import (
    FoldedSection,
    Inline,
    Strong,
    fold,
    joined,
    plain,
)
from pycompare.results.estimands import NOT_STATED

_MEANS = " The tests compare the means of the data sets."
_PLANNED = (
    "{what} is tested by one-sided {test} tests against the margin "
    "({at}){adjusted}. {rate}"
)
_REASON = "Reason for the margin: {reason}. Source of the margin: {source}."
_EACH = " Each metric has alpha = {alpha:g} of its own."


if TYPE_CHECKING:
    from pycompare.designs.plans.plan import Plan
    from pycompare.methods.pairs.equivalence import EquivalenceResult
    from pycompare.methods.pairs.margin_pairs import MarginPairsResult

MarginTest = Union["MarginPairsResult", "EquivalenceResult"]


def _margin_tests(comparison: GroupComparison) -> Iterator[MarginTest]:
    for analysis in comparison.analyses:
        if analysis.margin_test is not None:
            yield analysis.margin_test


def outcome_of(outcome: Outcome, analysis: Analysis) -> Outcome:
    """Return the claims about pairs as facts: "better" means shown."""
    if isinstance(analysis, TwoAnalysis) and analysis.equivalence is not None:
        return _outcome_of_two(outcome, analysis.equivalence)
    tests = analysis.within_margin
    assert tests is not None  # there are claims
    facts = [
        PairFact(
            subject=str(row.algorithm_1),
            relation="not tested"
            if math.isnan(row.p_adjusted)
            else "better"
            if row.shown
            else "no significant difference",
            object=str(row.algorithm_2),
            metric=outcome.metric,
            estimate=float(row.estimate),
            interval=(float(row.conf_low), float(row.conf_high)),
            level=1 - tests.alpha,
            lower_is_better=tests.better == "lower",
            p_value=float(row.p_value),
            p_adjusted=float(row.p_adjusted),
            alpha=tests.alpha,
            method=tests.method,
            null=1.0 if tests.differences == "ratio" else 0.0,
        )
        for row in by_evidence(tests.as_columns()).itertuples()
    ]
    return replace(
        outcome, pairs=tuple(facts), control=tests.control, alpha=tests.alpha
    )


def _outcome_of_two(outcome: Outcome, test: EquivalenceResult) -> Outcome:
    """Return the claim about two algorithms as a fact."""
    fact = PairFact(
        subject=test.algorithm_1,
        relation="better" if test.shown else "no significant difference",
        object=test.algorithm_2,
        metric=outcome.metric,
        estimate=test.estimate,
        interval=(test.conf_low, test.conf_high),
        level=1 - test.alpha,
        lower_is_better=test.blocks.metric.better == "lower",
        p_value=test.p_value,
        p_adjusted=test.p_value,
        alpha=test.alpha,
        method=test.name,
        null=0.0,
    )
    return replace(outcome, pairs=(fact,), alpha=test.alpha)


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the tests against a margin, if there are any."""
    tests = list(_margin_tests(comparison))
    if not tests:
        return []
    from pycompare.methods.pairs.margin_pairs import MarginPairsResult

    [first, *_] = tests
    margins = listing([f"{test.metric} {margin_text(test)}" for test in tests])
    what = "Equivalence"
    if first.kind == "non-inferiority":
        what = f"Non-inferiority to {comparison.plan.control}"
    adjusted = ""
    if isinstance(first, MarginPairsResult):
        family = "the pairs of a metric" if first.adjusted_here else first.family
        adjusted = f", with {short_title(first.adjust)} adjustment over {family}"
    over = _MEANS if comparison.plan.design.nested else ""
    if comparison.plan.family != "all" and len(tests) > 1:
        over += _EACH.format(alpha=first.alpha)
    rate = f"{_error_rate(comparison, first)}{over}"
    how = {"test": first.tests, "at": margins, "adjusted": adjusted}
    plan = comparison.plan
    reason, source = (x or NOT_STATED for x in (plan.margin_reason, plan.margin_source))
    return [
        stated(_PLANNED, what=what, rate=rate, **how),
        stated(_REASON, reason=reason, source=source),
    ]


def _error_rate(comparison: GroupComparison, test: MarginTest) -> str:
    """Return at which error rate each one-sided test is made, and why."""
    alpha = comparison.plan.margin_error
    which, side = "Each one-sided test has", "one side of two-sided "
    why = f"by default half of alpha = {comparison.plan.alpha:g}; ICH E9, sec. 5.5"
    if test.kind == "equivalence":
        which, side = "Both one-sided tests have", ""
        why = "by default the alpha of the comparison"
    if comparison.asked.margin_alpha is not None:
        why = "as specified"
    return (
        f"{which} alpha = {alpha} (margin_alpha, {why}), which corresponds to {side}"
        f"{percent(1 - 2 * alpha)} intervals."
    )


def margin_text(test: MarginTest) -> str:
    """Return the margins as an interval, or the one with its side."""
    ends = (test.margin_low, test.margin_high)
    low, high = (f"{end:.10g}".replace("-", "−") for end in ends)
    if test.kind == "equivalence":
        return f"[{low}, {high}]"
    return f"above {low}" if test.better == "higher" else f"below {high}"


def supported(pairs: MarginPairsResult) -> list[tuple[str, str]]:
    """Return the pairs that are within the margin, strongest evidence first."""
    table = pairs.as_columns()
    rows = by_evidence(table.where(table["shown"]))
    return [(str(r.algorithm_1), str(r.algorithm_2)) for r in rows.itertuples()]


def sentences(analysis: Analysis) -> list[str]:
    """Return the claims as plain text."""
    return [plain(claim) for claim in claims(analysis)]


def claims(analysis: Analysis) -> list[Inline]:
    """Return which pairs are within the margin, and how many are not shown to be."""
    tests = analysis.within_margin
    if tests is None:
        return []
    return claimed(tests, analysis.decisions)


def method(analysis: Analysis, plan: Plan) -> str:
    """Return the tests against the margin with their error rate; empty without any."""
    tests = analysis.within_margin
    if tests is None:
        return ""
    rate = begun(of_margin(tests, plan).stated(tests.alpha))
    adjusted = (
        f", {short_title(tests.adjust)} adjustment"
        if len(tests.as_columns()) > 1
        else ""
    )
    return f"Method: {tests.method[:1].lower()}{tests.method[1:]}{adjusted}. {rate}."


def claimed(tests: MarginPairsResult, decisions: Iterable[Decision]) -> list[Inline]:
    """State which pairs of a table are within the margin, and which differ as well."""
    pairs = supported(tests)
    return [
        _shown(tests),
        *different_too(pairs, tests.kind, decisions, tests.differences),
    ]


def _shown(tests: MarginPairsResult) -> Inline:
    """State which pairs of one table are within the margin."""
    pairs, n = supported(tests), len(tests.as_columns())
    untested = int(np.isnan(tests.as_columns()["p_adjusted"]).sum())
    how = (
        f" ({tests.metric}, margin {margin_text(tests)}, {short_title(tests.adjust)} "
        f"adjustment, one-sided alpha = {tests.alpha:g})"
    )
    both = tests.kind == "equivalence"
    if untested == n:
        why = tests.as_columns()["notes"][0]
        return f"No pair can be tested against the margin{how}: {why}."
    if not pairs:
        to = "pair is shown to be equivalent"
        if not both:
            to = f"algorithm is shown to be non-inferior to {tests.control}"
        start = f"No {to}"
    elif both:
        start = f"Equivalent: {some_pairs([' – '.join(p) for p in pairs])}"
    else:
        verb = "is" if len(pairs) == 1 else "are"
        names = some_pairs([first for first, _ in pairs])
        start = f"{names} {verb} non-inferior to {tests.control}"
    rest = n - len(pairs) - untested
    others = f" Not shown for {counted(rest, 'other')}." if pairs and rest else ""
    lost = f" {counted(untested, 'pair')} cannot be tested." if untested else ""
    beware = f" {begun(tests.caution)}." if pairs and tests.caution else ""
    known = "".join(f" {begun(remark)}." for remark in tests.remarks)
    if known and not pairs:  # what cannot be shown is said first
        return joined(known.strip(), (Strong(start), f"{how}.{others}{lost}"))
    return (Strong(start), f"{how}.{others}{lost}{beware}{known}")


def different_too(
    pairs: Sequence[tuple[str, str]],
    kind: str,
    decisions: Iterable[Decision],
    quantity: str = "mean",
) -> list[str]:
    """Return which pairs within the margin differ significantly as well.

    Non-inferiority adds something only if the algorithm is the worse one.
    """
    first = {frozenset(pair): pair[0] for pair in pairs}
    both = [
        f"{decision.better} – {decision.worse}"
        for decision in decisions
        if decision.rejected
        and decision.pair in first
        and (kind == "equivalence" or decision.worse == first[decision.pair])
    ]
    if not both:
        return []
    within = "equivalent" if kind == "equivalence" else "non-inferior"
    return [
        f"Both significantly different and {within}: {some_pairs(both)}. "
        + (
            "The typical ratio is not 1, but within the margin."
            if quantity == "ratio"
            else f"The {quantity} difference is not zero, but smaller than the margin."
        )
    ]


def blocks(analysis: Analysis) -> Iterator[FoldedSection]:
    """Yield the table of pairs against the margin, folded."""
    if analysis.within_margin is not None:
        yield block(analysis.within_margin)


def block(tests: MarginPairsResult, end: str = "") -> FoldedSection:
    """Return the table of pairs against the margin, folded; ``end`` of its file."""

    def conclusion(row: Any) -> str:
        return "within the margin" if row.shown else row.notes or "not shown"

    as_ratios = tests.differences == "ratio"
    larger = " (the larger of the two one-sided ones)" * (tests.kind == "equivalence")
    pairs_table = table(
        f"{begun(tests.method)}: {tests.metric} ({tests.better} is better), "
        f"{build.minus(tests.as_columns(), float(as_ratios))}, margin "
        f"{margin_text(tests)}. p-values{larger} are adjusted over {tests.family}. "
        f"Bold: adjusted p ≤ {tests.alpha:g}, so within the margin. "
        f"Intervals: {tests.interval}; each lies within the margins exactly if its "
        "pair is significant.",
        by_evidence(tests.as_columns()),
        PAIR,
        Field("ratio" if as_ratios else "difference", "number", "estimate"),
        Field("interval", "interval", limits_of),
        Field("adjusted p", "p", "p_adjusted", tests.alpha),
        Field("raw p", "p", "p_value"),
        Field("conclusion", "text", conclusion),
        file=f"within_margin{end}",
    )
    return fold(tests.kind.capitalize(), pairs_table)


def method_rows(comparison: GroupComparison) -> list[Method]:
    """Return the tests against a margin with their error rates and sources."""
    tests = list(_margin_tests(comparison))
    if not tests:
        return []
    from pycompare.methods.pairs.margin_pairs import MarginPairsResult

    return [
        (test.method, of_margin(test, comparison.plan).text, test.reference)
        for test in tests
        if isinstance(test, MarginPairsResult)
    ]


def csv_tables(analysis: Analysis) -> dict[str, AnyTable]:
    """Return the table for a CSV file, full precision."""
    return build.frames(within_margin=analysis.within_margin)

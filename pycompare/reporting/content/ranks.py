"""What is stated about ranks over independent data sets."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pycompare.analyses.decisions import decisions, unable
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.plans.post_hoc import FLIPS, short_title
from pycompare.reporting.common import words
from pycompare.reporting.content.facts import Alternative, Statements, significant
from pycompare.reporting.content.outcomes import outcome
from pycompare.results import PairsResult, Test, rejected

ADJUSTED = "as the primary analysis"
OTHER = "another distribution of the same differences"
SIGNS = "nothing about other algorithms: each pair by its own wins"


def statements(comparison: GroupComparison, analysis: RankAnalysis) -> Statements:
    """Return everything that is stated about one metric."""
    alpha = comparison.plan.alpha
    facts = outcome(analysis, comparison)
    if words.untested(analysis):
        why = words.cause(analysis.omnibus.notes[0])
        return Statements(outcome=facts, remarks=(f"Reason: {why}.",))
    extra = words.disagreement(analysis, alpha)
    return Statements(
        outcome=facts,
        remarks=(
            *no_omnibus(analysis.omnibus),
            *([extra] if extra else []),
            *out_of_reach(analysis, alpha),
        ),
        alternatives=tuple(alternatives(analysis, alpha)),
    )


def no_omnibus(test: Test) -> tuple[str, ...]:
    """Say why the omnibus test has no p-value, if it has none."""
    if not math.isnan(test.p_value):
        return ()
    return (f"{test.name}: no difference can be tested: {words.cause(test.notes[0])}.",)


def out_of_reach(analysis: RankAnalysis, alpha: float) -> tuple[str, ...]:
    """Say which pairs exact sign tests cannot find significant."""
    effects = analysis.superiority
    cannot = set() if effects is None else unable(effects, alpha)
    if effects is None or not cannot:
        return ()
    out = [words.pair(d) for d in analysis.decisions if d.pair in cannot]
    named = [] if len(out) == len(analysis.decisions) else out
    start = "Sensitivity: the exact sign test of each pair alone"
    return (words.out_of_reach(start, named, effects.table, alpha, "block"),)


def alternatives(analysis: RankAnalysis, alpha: float) -> Iterator[Alternative]:
    """Yield the sensitivity analyses."""
    planned = analysis.omnibus.rejected(alpha)
    for test in analysis.witnesses:
        yield Alternative(
            name=test.name,
            assumes=f"p-value: {test.p_source}",
            omnibus=(test.p_value, test.rejected(alpha) == planned),
        )
    for pairs in analysis.pairs[1:]:
        yield Alternative(
            name=name_of(analysis, pairs),
            assumes=ADJUSTED if pairs.method == analysis.decisive.method else OTHER,
            significant=significant(decisions(pairs, alpha)),
            hopeless=frozenset(unable(pairs, alpha)),
        )
    yield from sign_tests(analysis, alpha)


def name_of(analysis: RankAnalysis, pairs: PairsResult) -> str:
    """Return the adjustment, and the test where it is another one."""
    if pairs.called in FLIPS:
        return f"{short_title(pairs.called)} ({pairs.method})"
    if pairs.method == analysis.decisive.method:
        return f"{short_title(pairs.called)} adjustment"
    return f"{pairs.method}, {short_title(pairs.called)}"


def sign_tests(analysis: RankAnalysis, alpha: float) -> Iterator[Alternative]:
    """Yield the exact sign tests of each pair alone."""
    effects = analysis.superiority
    if effects is None:
        return
    found = effects.table[rejected(effects.table["p_adjusted"], alpha)]
    yield Alternative(
        name=f"Exact sign tests of each pair alone, {short_title(effects.adjust)}",
        assumes=SIGNS,
        significant={
            frozenset((row.algorithm_1, row.algorithm_2)): row.algorithm_1
            if row.wins > row.losses
            else row.algorithm_2
            for row in found.itertuples()
        },
        hopeless=frozenset(unable(effects, alpha)),
    )

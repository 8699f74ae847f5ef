"""What is stated about folds of several data sets."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pycompare.analyses.decisions import unable
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multiple_datasets import DatasetsAnalysis, OverDatasets
from pycompare.reporting.common import words
from pycompare.reporting.content.facts import Alternative, Statements, significant
from pycompare.reporting.content.outcomes import NAMES, method, outcome
from pycompare.reporting.content.wording import begun, test_result

ASKS = {
    "ranks": "who is better how often, on data sets like these",
    "sign": "on how many data sets one is significantly better",
    "means": "the mean difference on data sets like these",
    "model": "the mean difference on these very data sets",
}


def statements(comparison: GroupComparison, analysis: DatasetsAnalysis) -> Statements:
    """Return everything that is stated about one metric."""
    alpha, over = comparison.plan.alpha, analysis.planned
    facts = outcome(analysis, comparison)
    if words.untested(over):
        why: tuple[str, ...] = ()
        if over.test is not None and over.test.notes:
            why = (f"Reason: {words.cause(over.test.notes[-1])}.",)
        return Statements(outcome=facts, remarks=(*why, totals(analysis)))
    return Statements(
        outcome=facts,
        remarks=(
            *at_odds(over, alpha),
            *out_of_reach(over, "The planned sign tests", alpha),
            interaction(analysis, alpha),
            totals(analysis),
            *(
                text
                for other in analysis.over
                if other is not over
                for text in out_of_reach(other, f"Sensitivity: {named(other)}", alpha)
            ),
        ),
        alternatives=tuple(alternatives(analysis, alpha)),
    )


def named(over: OverDatasets) -> str:
    """Return what a comparison over data sets is called."""
    return f"{NAMES[over.key]}, {method(over.decisive)}"


def at_odds(over: OverDatasets, alpha: float) -> Iterator[str]:
    """Say so if the test of all algorithms and the pairs point different ways."""
    two = len(over.decisive.algorithms) == 2
    if over.test is None or two or math.isnan(over.test.p_value):
        return
    any_pair = any(d.rejected for d in over.decisions)
    if any_pair == over.test.rejected(alpha):
        return
    if any_pair:
        yield (
            "The omnibus test is not significant although a pair is: both were "
            "planned, so report both."
        )
    else:
        yield (
            "The omnibus test is significant although no single pair is: some "
            "difference exists, and these data do not show which."
        )


def out_of_reach(over: OverDatasets, start: str, alpha: float) -> Iterator[str]:
    """Say which pairs an exact test of so few data sets cannot find significant."""
    cannot = unable(over.decisive, alpha)
    pairs = [words.pair(d) for d in over.decisions if d.pair in cannot]
    if pairs:
        shown = [] if len(pairs) == len(over.decisions) else pairs
        table = over.decisive.table
        yield words.out_of_reach(begun(start), shown, table, alpha, "data set")


def totals(analysis: DatasetsAnalysis) -> str:
    """Say how often each algorithm wins."""
    found = analysis.wins.totals
    assert found is not None
    count = sum(made.rejected for on in analysis.each for made in on.decisions)
    every = sum(len(on.decisions) for on in analysis.each)
    ordered = found.sort_values(ascending=False, kind="stable")
    shown = ", ".join(f"{name} {int(wins)}" for name, wins in ordered.items())
    return (
        f"Data set by data set, {count} of {every} pairwise comparisons are "
        f"significant. Data sets, of {analysis.wins.n_datasets}, on which an algorithm "
        f"is significantly better than at least one other: {shown}."
    )


def interaction(analysis: DatasetsAnalysis, alpha: float) -> str:
    """Say whether differences change from data set to data set."""
    test = analysis.interaction
    if math.isnan(test.p_value):
        return (
            f"Whether differences change from data set to data set cannot be tested: "
            f"{test.notes[0]}."
        )
    shown = f"{test.name}: {test_result(test, alpha)}"
    if test.rejected(alpha):
        return (
            f"Differences change from data set to data set ({shown}), so results of "
            f"one model of all folds need not hold on other data sets."
        )
    return (
        f"No significant change of differences from data set to data set ({shown}). "
        f"This does not show that there is none."
    )


def alternatives(analysis: DatasetsAnalysis, alpha: float) -> Iterator[Alternative]:
    """Yield the other comparisons over data sets."""
    planned = analysis.planned.test
    for other in analysis.over:
        if other.key == analysis.verdict:
            continue
        test, omnibus = other.test, None
        if test is not None and not math.isnan(test.p_value):
            alike = planned is None or test.rejected(alpha) == planned.rejected(alpha)
            omnibus = (test.p_value, alike)
        yield Alternative(
            name=begun(named(other)),
            assumes=f"asks for {ASKS[other.key]}",
            omnibus=omnibus,
            significant=significant(other.decisions),
            hopeless=frozenset(unable(other.decisive, alpha)),
        )

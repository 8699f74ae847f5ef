"""What is stated about two algorithms."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pandas as pd

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.one_pair import how_much_worse
from pycompare.analyses.two_algorithms import TwoAnalysis
from pycompare.formatting.numbers import percent
from pycompare.kernels.binomial import smallest_p
from pycompare.pairs.common import PairedTest
from pycompare.pairs.equivalence import EquivalenceResult
from pycompare.pairs.sign import SignTestResult
from pycompare.pairs.ttest import PairedTResult
from pycompare.pairs.wilcoxon import RANK_BISERIAL, WilcoxonResult
from pycompare.reporting.common import words
from pycompare.reporting.common.margin_report import different_too, margin_text
from pycompare.reporting.content import wording
from pycompare.reporting.content.facts import Alternative, Statements
from pycompare.reporting.content.outcomes import outcome
from pycompare.reporting.document.columns import p_equals
from pycompare.results import Estimate, rejected

ASSUMES = {
    PairedTResult: "normal differences",
    WilcoxonResult: "symmetric differences",
    SignTestResult: "no distribution of the differences",
}


def statements(comparison: GroupComparison, analysis: TwoAnalysis) -> Statements:
    """Return everything that is stated about one metric."""
    test = analysis.test
    facts = outcome(analysis, comparison)
    if math.isnan(test.p_value):
        why = f"Reason: {words.cause(test.notes[0])}."
        # Equal scores cannot show a difference; they may show equivalence.
        return Statements(outcome=facts, remarks=(why, *equivalence(analysis)))
    return Statements(
        outcome=facts,
        remarks=(*remarks(analysis), *hopeless(analysis, comparison.plan.alpha)),
        alternatives=tuple(alternatives(comparison, analysis)),
    )


def remarks(analysis: TwoAnalysis) -> Iterator[str]:
    """Yield warnings, the effect size, and what is shown within a margin."""
    if math.isinf(analysis.test.statistic):
        yield f"Beware: {analysis.test.notes[0]}."
    short_interval = analysis.test.shortfall
    if short_interval:
        level = percent(analysis.test.reached)
        yield f"The interval has a level of {level}{short_interval}."
    test = analysis.test
    if isinstance(test, WilcoxonResult):
        yield f"{wording.begun(RANK_BISERIAL)}: {wording.value(test.rank_biserial)}."
    else:
        yield effect(analysis.t.effect)
    yield from equivalence(analysis)


def hopeless(analysis: TwoAnalysis, alpha: float) -> Iterator[str]:
    """Name the tests that cannot be significant with so few blocks."""
    names = [short(test) for test in analysis.witnesses if cannot_reject(test, alpha)]
    if names:
        told = words.listing(names)
        yield f"{told} cannot reach significance with so few blocks."


def effect(found: Estimate) -> str:
    """Return ``Cohen's d_z: 0.41, 95% CI [0.02, 0.79].``."""
    limits = (found.conf_low, found.conf_high)
    text = f"{wording.begun(found.name)}: {wording.value(found.estimate)}"
    if any(map(math.isnan, limits)):
        return f"{text}."
    return f"{text}, {wording.interval(limits, found.level)}."


def alternatives(
    comparison: GroupComparison, analysis: TwoAnalysis
) -> Iterator[Alternative]:
    """Yield the other tests of no difference."""
    alpha = comparison.plan.alpha
    folds = analysis.deciding == "t"
    for test in analysis.witnesses:
        p = analysis.p_of(test)
        pair = frozenset((test.algorithm_1, test.algorithm_2))
        yield Alternative(
            name=f"{short(test)} ({p_equals(p, alpha)})",
            assumes=f"{ASSUMES[type(test)]}{', independent folds' if folds else ''}",
            significant={pair: favoured(test)} if rejected(p, alpha) else {},
            hopeless=frozenset((pair,) if cannot_reject(test, alpha) else ()),
        )


def favoured(test: PairedTest) -> str:
    """Return the algorithm that a test favours."""
    worse = how_much_worse(test)
    if isinstance(test, SignTestResult):  # a share of blocks: a half favours nobody
        worse = (test.estimate - 0.5) * (1 if test.better == "lower" else -1)
    return test.algorithm_2 if worse > 0 else test.algorithm_1


def short(test: PairedTest) -> str:
    """Return what a sentence calls a test."""
    if isinstance(test, PairedTResult):
        return test.name.split(",")[0]
    is_wilcoxon = isinstance(test, WilcoxonResult)
    return "Wilcoxon signed rank test" if is_wilcoxon else "Exact sign test"


def cannot_reject(test: PairedTest, alpha: float) -> bool:
    """Tell whether so few blocks cannot make an exact test significant."""
    if not isinstance(test, SignTestResult | WilcoxonResult):
        return False
    exact = isinstance(test, SignTestResult) or test.p_source == "exact"
    return exact and not rejected(smallest_p(test.n_used), alpha)


def equivalence(analysis: TwoAnalysis) -> list[str]:
    """Say whether equivalence, or non-inferiority, is shown by the planned margin."""
    test = analysis.equivalence
    if test is None:
        return []
    if math.isnan(test.p_value):
        return [f"{test.kind.capitalize()} cannot be tested: {test.notes[0]}."]
    limits = (test.conf_low, test.conf_high)
    interval = (
        "no interval, because all differences are equal"
        if math.isnan(test.conf_low)
        else wording.interval(limits, test.level)
    )
    pair = pd.DataFrame([[test.algorithm_1, test.algorithm_2]])
    return [
        f"{claim(test)}, one-sided alpha = {test.alpha:g}; "
        f"{p_equals(test.p_value, test.alpha)}, {interval}.",
        *(different_too(analysis, test.kind, pair) if test.shown else []),
    ]


def claim(test: EquivalenceResult) -> str:
    """Say what is shown, or not, and by which tests."""
    by = one_sided_by(test)
    first, second, is_not = (
        test.algorithm_1,
        test.algorithm_2,
        "" if test.shown else "not ",
    )
    if test.kind == "equivalence":
        return (
            f"Equivalence of {first} and {second} is {is_not}shown within "
            f"{margin_text(test)} (two one-sided {by} tests)"
        )
    return (
        f"Non-inferiority of {first} to {second} is {is_not}shown, difference "
        f"{margin_text(test)} (one-sided {by} test)"
    )


def one_sided_by(test: EquivalenceResult) -> str:
    """Return what each one-sided test is called."""
    if math.isinf(test.statistic):
        return "sign-change"
    return "t" if test.n_train is None else "corrected resampled t"

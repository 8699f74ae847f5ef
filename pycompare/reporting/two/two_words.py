"""Sentences about two algorithms, on folds of one data set or over data sets."""

from __future__ import annotations

import math

import pandas as pd

from pycompare.kernels.binomial import smallest_p
from pycompare.kernels.signed_rank import MOST
from pycompare.pairs.common import PairedTest
from pycompare.pairs.equivalence import EquivalenceResult
from pycompare.pairs.sign import SignTestResult
from pycompare.pairs.ttest import PairedTResult
from pycompare.pairs.wilcoxon import RANK_BISERIAL, WilcoxonResult
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import described, short_title
from pycompare.procedure.group_comparison import GroupComparison
from pycompare.procedure.two_road import TwoAnalysis
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.error_rates import error_rate, of_blocks
from pycompare.reporting.common.margin_report import different_too, margin_text
from pycompare.reporting.common.words import direction, listing
from pycompare.reporting.datasets import datasets_words
from pycompare.reporting.page.numbers import number, p_equals, percent
from pycompare.reporting.page.text import estimate_text
from pycompare.reporting.page.text import summary as effect_text
from pycompare.reporting.ranks import rank_words
from pycompare.results import rejected


def test_sentence(analysis: TwoAnalysis, alpha: float) -> str:
    """Return the sentence for the test that makes the verdict."""
    test, metric = analysis.test, direction(analysis.metric)
    if math.isnan(test.p_value):
        why = words.cause(test.notes[0])
        return f"{test.name}, {metric}: no difference can be tested: {why}."
    # Over a larger family the raw p-value decides nothing.
    at = "" if analysis.joint else f" {words.sign(test.rejected(alpha))} {alpha}"
    return (
        f"{test.name}, {metric}: {words.test_result(test, alpha)}{at}. "
        f"{difference(analysis)}."
    )


def adjusted_p(analysis: TwoAnalysis, p: float, alpha: float) -> str:
    """Return ``p = 0.012``, or ``Holm adjusted p = 0.012`` over a larger family."""
    how = f"{short_title(analysis.decisive.adjust)} adjusted " if analysis.joint else ""
    return f"{how}{p_equals(p, alpha)}"


def difference(analysis: TwoAnalysis) -> str:
    """Return the difference and the effect size with their intervals."""
    test = analysis.test
    text = estimate_text(test, 4)
    effect = (
        f"{RANK_BISERIAL} = {number(test.rank_biserial, 3)}"
        if isinstance(test, WilcoxonResult)
        else effect_text(test.effect)
    )
    return f"{text[0].upper()}{text[1:]}; {effect}"


def decision(analysis: TwoAnalysis, alpha: float) -> str:
    """Return the verdict on the pair."""
    [made] = analysis.decisions
    if made.rejected:
        return (
            f"{made.better} is better than {made.worse} on "
            f"{direction(analysis.metric)}: "
            f"{adjusted_p(analysis, made.p_adjusted, alpha)} ≤ {alpha}."
        )
    return (
        f"No difference was shown for {words.pair(made)} "
        f"({adjusted_p(analysis, made.p_adjusted, alpha)} > {alpha}). That is not "
        f"evidence that they are equal."
    )


def short(test: PairedTest) -> str:
    """Return what a sentence calls a test."""
    if isinstance(test, PairedTResult):
        name = test.name.split(",")[0]
        return f"{name[0].lower()}{name[1:]}"
    is_wilcoxon = isinstance(test, WilcoxonResult)
    return "Wilcoxon signed rank test" if is_wilcoxon else "exact sign test"


def cannot_reject(test: PairedTest, alpha: float) -> bool:
    """Tell whether so few blocks cannot make an exact test significant."""
    if not isinstance(test, SignTestResult | WilcoxonResult):
        return False
    exact = isinstance(test, SignTestResult) or test.p_source == "exact"
    return exact and not rejected(smallest_p(test.n_used), alpha)


def witnesses(analysis: TwoAnalysis, alpha: float) -> str:
    """Say what the other tests decide."""
    [made] = analysis.decisions
    beside = [t for t in analysis.witnesses if t is not analysis.uncorrected]
    told = listing(
        [f"{short(t)} {adjusted_p(analysis, analysis.p_of(t), alpha)}" for t in beside]
    )
    over_folds = analysis.deciding == "t"
    start = f"Sensitivity{', folds taken as independent' if over_folds else ''}: {told}"
    hopeless = [short(t) for t in beside if cannot_reject(t, alpha)]
    able = [t for t in beside if not cannot_reject(t, alpha)]
    few = (
        f" The {listing(hopeless)} cannot reach significance with so few blocks."
        if hopeless
        else ""
    )
    if not able:
        return f"{start}.{few}"
    if all(bool(rejected(analysis.p_of(t), alpha)) == made.rejected for t in able):
        alike = "they decide alike" if len(able) > 1 else f"the {short(able[0])} agrees"
        return f"{start}: {alike}.{few}"
    return (
        f"{start}: they do not all decide alike; the verdict stays with the planned "
        f"test.{few}"
    )


def uncorrected(analysis: TwoAnalysis, alpha: float) -> list[str]:
    """Say what the paired t test would have been without the correction."""
    test = analysis.uncorrected
    if test is None or math.isinf(analysis.t.statistic):
        return []
    p = analysis.p_of(test)
    adjusted = f", {adjusted_p(analysis, p, alpha)}" if analysis.joint else ""
    return [
        f"The verdict is corrected for shared training data; without the correction: "
        f"{words.test_result(test, alpha)}{adjusted} "
        f"{words.sign(bool(rejected(p, alpha)))} {alpha}.",
    ]


def equivalence(analysis: TwoAnalysis) -> list[str]:
    """Say whether equivalence, or non-inferiority, is shown by the planned margin."""
    test = analysis.equivalence
    if test is None:
        return []
    if math.isnan(test.p_value):
        return [f"{test.kind.capitalize()} cannot be tested: {test.notes[0]}."]
    shown = test.shown
    pair = pd.DataFrame([[test.algorithm_1, test.algorithm_2]])
    verdict = "is shown" if shown else "is not shown"
    interval = (
        f"{percent(test.level)} interval [{number(test.conf_low, 3)}, "
        f"{number(test.conf_high, 3)}]"
    )
    if math.isnan(test.conf_low):
        interval = "no interval, since all differences are equal"
    return [
        f"{claim(test)}: {p_equals(test.p_value, test.alpha)} {words.sign(shown)} "
        f"{test.alpha}, {interval}: {test.kind} {verdict}.",
        *(different_too(analysis, test.kind, pair) if shown else []),
    ]


def claim(test: EquivalenceResult) -> str:
    """Return what is to be shown, and by which tests."""
    by = one_sided_by(test)
    if test.kind == "equivalence":
        return f"Equivalence within {margin_text(test)} (two one-sided {by} tests)"
    return (
        f"Non-inferiority of {test.algorithm_1} to {test.algorithm_2}, difference "
        f"{margin_text(test)} (one-sided {by} test)"
    )


def one_sided_by(test: EquivalenceResult) -> str:
    """Return what each one-sided test is called."""
    if math.isinf(test.statistic):
        return "sign-change"
    return "t" if test.n_train is None else "corrected resampled t"


def verdict_sentences(comparison: GroupComparison, analysis: TwoAnalysis) -> list[str]:
    """Return the whole verdict on one metric."""
    alpha = comparison.plan.alpha
    sentences = [test_sentence(analysis, alpha)]
    if math.isnan(analysis.test.p_value):
        # Equal scores cannot show a difference; they may show equivalence.
        return [*sentences, *equivalence(analysis)]
    if math.isinf(analysis.test.statistic):
        sentences.append(f"Beware: {analysis.test.notes[0]}.")
    return [
        *sentences,
        decision(analysis, alpha),
        *equivalence(analysis),
        *uncorrected(analysis, alpha),
        witnesses(analysis, alpha),
    ]


def verdict_rule(comparison: GroupComparison) -> str:
    """Say what makes the verdict on the pair."""
    plan = comparison.plan
    if plan.family != "all":
        return (
            f"The verdict is: p-value at most alpha = {plan.alpha}. There is one pair "
            "for each metric, so nothing is adjusted."
        )
    decisive = described(plan.decisive)
    [first, *_] = comparison.analyses
    assert isinstance(first, TwoAnalysis)
    rate = error_rate(first.decisive, plan, of_blocks(plan))
    return (
        f"The verdict is: {decisive.title} adjusted p-value at most alpha = "
        f"{plan.alpha}. There is one pair for each metric. Error rate: {rate.text}."
    )


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words."""
    plan = comparison.plan
    if plan.blocks == "datasets":
        return [
            rank_words.blocks_are(comparison),
            "Two algorithms over independent data sets are compared by Wilcoxon's "
            f"signed rank test of their differences (Demsar 2006), p-value "
            f"{p_from(plan)}. {verdict_rule(comparison)}",
            "The exact sign test and the paired t test are sensitivity analysis.",
            words.as_it_stands(comparison),
        ]
    test = (
        "a paired t test of the folds"
        if plan.overlap is None
        else f"a corrected resampled t test ({fold_words.sizes(comparison)})"
    )
    return [
        fold_words.blocks_are(comparison),
        f"Two algorithms on folds of one data set are compared by {test}. "
        f"{verdict_rule(comparison)}",
        "Wilcoxon's signed rank test and the exact sign test are sensitivity analysis.",
        *fold_words.together(comparison),
        words.as_it_stands(comparison),
    ]


def p_from(plan: Plan) -> str:
    """Say where the p-value of Wilcoxon's test comes from."""
    if plan.p_values == "by-size":
        return f"exact up to {MOST} data sets, normal beyond"
    return {"exact": "exact, as planned", "approximate": "normal, as planned"}[
        plan.p_values
    ]


def few(comparison: GroupComparison) -> list[str]:
    """Say what so few data sets cannot show."""
    n = comparison.compared.n_blocks
    return [datasets_words.few(n)] if n < 10 else []


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis rests on and what it does not say."""
    common = [*words.doubts(comparison.compared), words.NOT_EQUALITY]
    shapes = (
        "The t tests take the differences as normal; Wilcoxon's test takes them as "
        "symmetric; the sign test takes neither."
    )
    if comparison.plan.blocks == "datasets":
        return [
            rank_words.INDEPENDENT,
            rank_words.ABOUT,
            f"{shapes} The first two compare the size of differences on one data set "
            f"with that on another, so a point of {comparison.analyses[0].metric.name} "
            f"must mean the same on all of them.",
            *few(comparison),
            *common,
        ]
    return [
        f"{shapes} All but a corrected t test take folds as independent.",
        *fold_words.together_limits(comparison),
        *common,
    ]

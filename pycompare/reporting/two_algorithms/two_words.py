"""Sentences about two algorithms, on folds of one data set or over data sets."""

from __future__ import annotations

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.two_algorithms import TwoAnalysis
from pycompare.kernels.signed_rank import MOST
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import described
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.error_rates import error_rate, of_blocks
from pycompare.reporting.multiple_datasets import datasets_words
from pycompare.reporting.rank_tests import rank_words


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

"""Sentences of the rank analysis: blocks are independent data sets."""

from __future__ import annotations

import numpy as np

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.plans.post_hoc import FLIPS, described
from pycompare.reporting.common import words
from pycompare.reporting.common.error_rates import error_rate
from pycompare.reporting.common.words import listing

INDEPENDENT = (
    "Blocks are taken as independent of each other. Variants of one data set, or folds "
    "of one data set, are not; then p-values are too small."
)
ABOUT = (
    "The conclusions concern data sets like these, taken as independent of one "
    "another. A comparison that is not significant does not show equality."
)


UNDECLARED = (
    "Blocks are taken as independent data sets, since no data set column says "
    "otherwise: they are compared by rank. If they are folds of one data set, plan "
    "blocks='folds' (--blocks folds)."
)
"""Nobody said what the blocks are."""


def caveats(comparison: GroupComparison) -> list[str]:
    """Warn where nobody said what the blocks are: folds would need other tests."""
    told = blocks_are(comparison)
    # Who names a group (of data sets) has said it.
    return [told] if told == UNDECLARED and comparison.group is None else []


def blocks_are(comparison: GroupComparison) -> str:
    """Say what the blocks are, and who said so."""
    plan = comparison.plan
    if plan.average_folds:
        return "Each data set is one block: the mean of its folds' scores is compared."
    if comparison.asked.blocks == "datasets":
        return "Blocks are independent data sets, as planned: compared by rank."
    if comparison.scores.datasets is not None:
        return "Blocks are independent data sets, one block each: compared by rank."
    return UNDECLARED


HOW_RANKED = {
    "aligned-ranks": "Each block's mean is taken off its scores, and all cells are "
    "ranked together, rank 1 = best, so scores must be on one scale; tied ones share "
    "their mean rank",
    "quade": "Algorithms are ranked within each block, rank 1 = best, and blocks count "
    "by the range of their scores, which must be on one scale; tied scores share their "
    "mean rank",
}
WITHIN = (
    "Algorithms are ranked within each block, rank 1 = best; tied scores share their "
    "mean rank"
)


def ties(comparison: GroupComparison) -> str:
    """Say how algorithms are ranked."""
    decimals = comparison.plan.decimals
    how = (
        f"scores are rounded to {decimals} decimals first"
        if decimals is not None
        else "scores of a block tie when they differ by no more than 64 units in the "
        "last place, so float noise splits no tie"
    )
    return f"{HOW_RANKED.get(comparison.plan.rank_test, WITHIN)} ({how})."


STD_ERROR = {
    "permutation": "Differences of mean ranks have the standard error of permutations "
    "within blocks, corrected for ties as the omnibus test is.",
    "textbook": "Differences of mean ranks have the textbook standard error, as "
    "planned: it is not corrected for ties, and too large with many of them.",
}


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words."""
    plan = comparison.plan
    decisive = described(plan.decisive)
    [first, *_] = comparison.analyses
    assert isinstance(first, RankAnalysis)
    rate = error_rate(first.decisive, plan, "blocks")
    sentences = [
        blocks_are(comparison),
        ties(comparison),
        "The omnibus test asks whether any difference exists; the pairwise tests are "
        f"adjusted for their number. {words.gate(comparison)}",
        p_value_sentence(comparison),
        STD_ERROR[comparison.plan.std_error],
        f"The verdict on a pair is: {decisive.title} adjusted "
        f"p-value at most alpha = {plan.alpha}. Error rate: {rate.text}.",
    ]
    if len(plan.adjust) > 1:
        sentences.append(words.sensitivity_titles(plan.adjust[1:]))
    if form := words.exact_form(comparison):
        sentences.append(form)
    return [*sentences, words.as_it_stands(comparison)]


def p_value_sentence(comparison: GroupComparison) -> str:
    """Say where p-values come from, and why; metrics may differ by missing cells."""
    told: dict[str, list[str]] = {}
    for analysis in comparison.analyses:
        kind = p_kind(comparison, analysis)
        told.setdefault(kind, []).append(analysis.metric.name)
    if len(told) == 1:
        return f"P-values of ranks are {next(iter(told))}."
    return " ".join(
        f"P-values of ranks on {listing(names)} are {kind}."
        for kind, names in told.items()
    )


def p_kind(comparison: GroupComparison, analysis: Analysis) -> str:
    """Say where the p-values of one metric come from, and why."""
    plan, ranked = comparison.plan, comparison.compared
    if flipped := flips_of(analysis):
        return flipped
    by_size = "the rule for tables of this size"
    if is_exact(analysis):
        why = "as planned" if plan.p_values == "exact" else by_size
        return f"exact, from permutations within blocks ({why})"
    complete = not np.isnan(ranked.column(analysis.metric.name)).any()
    by_f = complete and plan.rank_test in ("iman-davenport", "quade")
    if plan.p_values == "approximate":
        why = "as planned"
    elif plan.rank_test in ("aligned-ranks", "quade"):
        why = "exact ones are available for Friedman's ranks only"
    elif plan.exact_for(ranked.n_blocks, ranked.n_algorithms):
        why = "exact ones need a complete table, and cells are missing"
    else:
        why = by_size
    return (
        f"approximate, {'F' if by_f else 'chi-squared'} for the omnibus test and "
        f"normal for pairs ({why})"
    )


def is_exact(analysis: Analysis) -> bool:
    """Tell whether the p-values of pairs of mean ranks are exact."""
    if not isinstance(analysis, RankAnalysis):
        return False
    return getattr(analysis.decisive, "p_source", "") == "exact"


def flips_of(analysis: Analysis) -> str:
    """Say how the pairs are tested if by flips or permutations of blocks, else ''."""
    if not isinstance(analysis, RankAnalysis) or analysis.decisive.called not in FLIPS:
        return ""
    found = analysis.decisive
    return (
        f"from the {found.method} for pairs ({'; '.join(found.notes)}), and from their "
        f"own distributions for omnibus tests"
    )


OWN_ERROR = (
    "Pairs are tested for exchangeability within blocks, each with its own variance, "
    "whatever the other algorithms do. Two algorithms with equal mean ranks that are "
    "not exchangeable, such as one that is far less stable, count as different where "
    "their differences are not symmetric about 0."
)
COMMON_ERROR = (
    "The standard error of a difference of mean ranks is that of a table in which "
    "all algorithms are alike. If two are equal while others differ it may be "
    "wrong, and whether two differ depends on which others are in the table "
    "(Benavoli, Corani and Mangili 2016, JMLR 17(5)). The sign tests beside the "
    "effect sizes look at the two alone."
)


def large_sample(comparison: GroupComparison) -> str:
    """Say which numbers are for large samples, and whether these blocks are few."""
    n = comparison.compared.n_blocks
    rough = f"; with {n} blocks they are rough" if n < 10 else ""
    if all(map(flips_of, comparison.analyses)):
        return f"The omnibus tests and Nemenyi's test are for large samples{rough}."
    if all(map(is_exact, comparison.analyses)):
        return (
            "The p-values of the primary analysis are exact. Intervals of differences "
            f"in mean ranks, and the other omnibus tests, are for large samples{rough}."
        )
    return f"Chi-squared and normal p-values are for large samples{rough}."


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis rests on and what it does not say."""
    scores = comparison.compared
    sentences = [
        INDEPENDENT,
        "Rank tests ask who is better how often, not by how much; the Hodges-Lehmann "
        "differences, in the metric's own unit, tell by how much. They take a pair's "
        "differences as symmetric about their median.",
        OWN_ERROR if all(map(flips_of, comparison.analyses)) else COMMON_ERROR,
        large_sample(comparison),
        *words.adjustment_limits(comparison),
        *words.doubts(scores),
        words.NOT_EQUALITY,
    ]
    if not scores.complete:
        sentences.append(
            f"{words.GAPS} Aligned ranks, Quade's test, Nemenyi's critical difference "
            f"and win counts need complete tables and are left out."
        )
    return sentences

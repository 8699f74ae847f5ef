"""Sentences about wins over thresholds and data sets."""

from __future__ import annotations

import pandas as pd

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.threshold_sweep import MOST_IN_R, ThresholdsAnalysis
from pycompare.formatting.counts import counted
from pycompare.labels import label_text
from pycompare.over_datasets.threshold_wins import DEPENDENT
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content import fold_words, words
from pycompare.reporting.content.error_rates import error_rate
from pycompare.reporting.content.thresholds import ONE, rule_win
from pycompare.reporting.content.words import listing
from pycompare.reporting.multiple_datasets import words as datasets_words
from pycompare.results import rejected

RISK_DECIDES = (
    "At a threshold two algorithms differ if T2 rejects equal mean vectors; the one "
    "with the lower risk then wins. Whether the risks themselves differ significantly "
    "is not tested."
)
UNADJUSTED = (
    "Nothing is adjusted over thresholds or data sets at this stage: each threshold of "
    "each data set has the whole alpha, and its wins are counted, not claimed."
)
OVER = (
    "The verdict over data sets counts each data set once, whatever its thresholds "
    "say in detail: its sign test takes the data sets as independent of each other, "
    "and does not need the thresholds to be."
)
PROBABILITIES = (
    "A threshold stands for costs only if scores are posterior probabilities of the "
    "positive class: scores that are calibrated differently are compared at different "
    "costs."
)


def thresholds_text(analysis: ThresholdsAnalysis) -> str:
    """Return ``21 thresholds from 0 to 1``."""
    theta = analysis.won.thresholds
    low, high = label_text(theta[0]), label_text(theta[-1])
    return f"{len(theta)} thresholds from {low} to {high}"


def tested(analysis: ThresholdsAnalysis) -> str:
    """Return the metrics that are tested together."""
    return listing(analysis.won.metrics)


def question(comparison: GroupComparison, analysis: ThresholdsAnalysis) -> str:
    """Return the question that the comparison answers."""
    start = words.whom(comparison.scores, comparison.plan.control)
    sets = counted(analysis.won.n_datasets, "data set")
    return (
        f"{start} in {tested(analysis)} together, won by the lower risk, over "
        f"{thresholds_text(analysis)} and the folds of {sets}?"
    )


def plan_sentences(
    comparison: GroupComparison, analysis: ThresholdsAnalysis
) -> list[str]:
    """Return the plan in words."""
    plan, won = comparison.plan, analysis.won
    sentences = [
        blocks_are(comparison, analysis),
        f"Called positive is a score that is at least the threshold. There are "
        f"{thresholds_text(analysis)}{ratios(comparison)}.",
        f"At each threshold of each data set: MANOVA of {tested(analysis)}, blocked by "
        f"folds, and paired T2 of all pairs, adjusted by "
        f"{short_title(won.adjust)}. {gate(comparison)}",
        "The risk at threshold theta is the mean over folds of theta FP + "
        "(1 - theta) FN: theta is the best threshold where a false positive costs "
        f"theta/(1 - theta) and a false negative 1. {RISK_DECIDES}",
        rule(analysis),
        UNADJUSTED,
    ]
    if analysis.pairs:
        sentences.append(verdict_rule(comparison, analysis))
    else:
        sentences.append(ONE)
    if plan.undefined is not None:
        sentences.append(f"A measure is {plan.undefined} where it is 0/0, as planned.")
    return [*sentences, stands()]


def stands() -> str:
    """Say that the plan is applied as it stands."""
    return (
        "The plan is applied as it stands; no step of it depends on a p-value, but for "
        "wins, which are counted where a p-value is at most alpha."
    )


def blocks_are(comparison: GroupComparison, analysis: ThresholdsAnalysis) -> str:
    """Say what the blocks are."""
    n = comparison.scores.n_blocks
    if len(analysis.n_folds) == 1:
        return f"Blocks are {n} folds of one data set."
    return f"Blocks are {n} folds of {len(analysis.n_folds)} data sets."


def ratios(comparison: GroupComparison) -> str:
    """Say which loss ratios the thresholds stand for, where they were planned so."""
    given = comparison.plan.loss_ratios
    if given is None:
        return ""
    told = listing([label_text(r) for r in sorted(given)])
    return f", for loss ratios (false positive to false negative) {told}"


def gate(comparison: GroupComparison) -> str:
    """Say whether pairs wait for MANOVA."""
    if comparison.scores.n_algorithms == 2:
        return "There is one pair, so MANOVA and T2 are one test."
    if comparison.plan.gate == "omnibus":
        return (
            "As planned (gate = omnibus), a pair is decided only where MANOVA rejects "
            "as well: its adjusted p-value is the larger of the two."
        )
    return "Pairs do not wait for MANOVA (gate = none)."


def rule(analysis: ThresholdsAnalysis) -> str:
    """Say who wins on a data set."""
    won = analysis.won
    if won.rule == "any":
        return (
            "On a data set an algorithm wins over another if it wins at any threshold "
            "and the other at none; if both win somewhere, the data set is a tie."
        )
    adjusted = (
        "not adjusted"
        if won.threshold_adjust == "none"
        else f"adjusted over the ordered pairs by {short_title(won.threshold_adjust)}"
    )
    return (
        "On a data set an algorithm wins over another if the right-tailed exact sign "
        f"test over its thresholds (ties split) has p at most {won.alpha}, {adjusted}."
    )


def verdict_rule(comparison: GroupComparison, analysis: ThresholdsAnalysis) -> str:
    """Say what makes the verdict on a pair."""
    plan = comparison.plan
    if comparison.scores.n_algorithms == 2:
        return (
            "The verdict is made by the exact two-sided sign test over data sets: "
            f"p-value at most alpha = {plan.alpha}. There is one pair, so nothing is "
            "adjusted."
        )
    rate = error_rate(analysis.pairs[0], plan, "blocks")
    family = analysis.pairs[0].family
    return (
        f"The verdict on a pair is made by the exact two-sided sign test over data "
        f"sets: {short_title(analysis.pairs[0].adjust)} adjusted p-value at most "
        f"alpha = {plan.alpha}, over {family}. Error rate: {rate.text}."
    )


def on_dataset(analysis: ThresholdsAnalysis, dataset: str) -> str:
    """Return what one data set says, in one paragraph."""
    won = analysis.won
    p = of_dataset(won.tests, dataset)["p_value"]
    rows = of_dataset(won.decisions, dataset)
    decided = [row for row in rows.itertuples() if row.verdict != "tie"]
    told = (
        f"{analysis.n_folds[dataset]} folds; MANOVA rejects at "
        f"{int(rejected(p, won.alpha).sum())} of {len(p)} thresholds."
    )
    if not decided:
        return f"{told} By the rule over thresholds nobody wins."
    return (
        f"{told} By the rule over thresholds: {listing(list(map(rule_win, decided)))}."
    )


def caveats(comparison: GroupComparison, analysis: ThresholdsAnalysis) -> list[str]:
    """Return what nobody should read the verdict without."""
    dependent = [words.sentence(DEPENDENT)] if analysis.won.rule == "sign" else []
    if not analysis.pairs:
        return [*fold_words.about(comparison), *dependent, fold_words.SHARED]
    return [
        datasets_words.DATASETS_ARE,
        OVER,
        *fold_words.within_data_sets(comparison),
        *dependent,
        *words.gaps(comparison.scores),
    ]


def limits(comparison: GroupComparison, analysis: ThresholdsAnalysis) -> list[str]:
    """Return what the analysis rests on and what it does not say."""
    n = analysis.won.n_datasets
    few = [datasets_words.few(n)] if 1 < n < 10 else []
    return [
        PROBABILITIES,
        f"At each threshold: {fold_words.SHARED} T2 and MANOVA are not corrected for "
        f"that, so wins are counted too often, for both of two equal algorithms alike.",
        "MANOVA and T2 take the mean vectors as multivariate normal; counts near 0, as "
        "at thresholds near 0 and 1, are not.",
        "Metrics that follow from others on a data set, as fn follows from tp, are "
        "left out there by name and count once.",
        RISK_DECIDES,
        "Thresholds at which nothing can be tested count as ties.",
        *few,
        *words.adjustment_limits(comparison),
        *words.doubts(comparison.scores),
        *left_out(analysis),
        words.NOT_EQUALITY,
    ]


def left_out(analysis: ThresholdsAnalysis) -> list[str]:
    """Say why the tests at thresholds are not in the R script, if they are not."""
    call = analysis.won.r_call()
    if analysis.in_r or call is None:
        return []
    return [
        f"The R script repeats the sign tests over data sets from the table of wins. "
        f"The tests at thresholds are left out of it, since their tables have "
        f"{call.arguments['y'].size} numbers and the script holds {MOST_IN_R} at most: "
        f"pc.threshold_wins(...).r_code() writes them."
    ]


def of_dataset(table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Return the rows of one data set."""
    return table[table["dataset"] == dataset]

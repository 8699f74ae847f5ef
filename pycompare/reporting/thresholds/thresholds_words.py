"""Sentences about wins over thresholds and data sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pycompare.counts import counted
from pycompare.data.labels import label_text
from pycompare.over_datasets.threshold_wins import DEPENDENT
from pycompare.plans.post_hoc import short_title
from pycompare.procedure.decisions import Decision
from pycompare.procedure.group_comparison import GroupComparison
from pycompare.procedure.thresholds_road import MOST_IN_R, ThresholdsAnalysis
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.error_rates import error_rate
from pycompare.reporting.common.words import listing
from pycompare.reporting.datasets import datasets_words
from pycompare.reporting.page.numbers import p_equals
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
ONE = (
    "One data set has no verdict: the thresholds share all their cases and are no "
    "sample of anything, so who wins by the rule over thresholds is a description of "
    "these folds. A verdict needs data sets to count over, or one threshold that is "
    "planned."
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


def verdict_sentences(
    comparison: GroupComparison, analysis: ThresholdsAnalysis
) -> list[str]:
    """Return the whole verdict."""
    alpha = comparison.plan.alpha
    if not analysis.pairs:
        return [omnibus(analysis, alpha), *on_the_dataset(analysis), ONE]
    made = [d for d in analysis.decisions if d.rejected]
    return [
        omnibus(analysis, alpha),
        summary(analysis, made, alpha),
        *(decision(analysis, d, alpha) for d in made[: words.MANY_PAIRS]),
        *(
            [f"And {len(made) - words.MANY_PAIRS} more, in the table of sign tests."]
            if len(made) > words.MANY_PAIRS
            else []
        ),
        *retained(analysis, alpha),
        totals(analysis),
    ]


def omnibus(analysis: ThresholdsAnalysis, alpha: float) -> str:
    """Say at how many thresholds the algorithms differ at all."""
    p = analysis.won.tests["p_value"]
    count, none = int(rejected(p, alpha).sum()), int(p.isna().sum())
    told = (
        f" At {none} nothing can be tested: no algorithm differs from another there, "
        f"or differences do not vary."
        if none
        else ""
    )
    sets = analysis.won.n_datasets
    places = "pairs of threshold and data set" if sets > 1 else "thresholds"
    return (
        f"At {count} of {len(p)} {places} MANOVA rejects equal mean vectors "
        f"of {tested(analysis)} (p ≤ {alpha} at each, not adjusted).{told}"
    )


def method(analysis: ThresholdsAnalysis) -> str:
    """Return what decides about pairs over data sets."""
    if len(analysis.won.algorithms) == 2:
        return "the sign test over data sets"
    return f"{short_title(analysis.pairs[0].adjust)} of sign tests over data sets"


def summary(analysis: ThresholdsAnalysis, made: list[Decision], alpha: float) -> str:
    """Return how many pairs differ over data sets."""
    over = f" over {analysis.won.n_datasets} data sets"
    count = words.significant(len(made), len(analysis.decisions), over)
    return f"{count} at {alpha} by {method(analysis)}."


def decision(analysis: ThresholdsAnalysis, made: Decision, alpha: float) -> str:
    """Return the sentence for one rejected pair."""
    wins = analysis.won.wins
    won, lost = wins.loc[made.better, made.worse], wins.loc[made.worse, made.better]
    adjusted = "" if len(analysis.decisions) == 1 else " adjusted"
    return (
        f"{made.better} is better than {made.worse} over data sets and thresholds: it "
        f"wins on {won}, loses on {lost} of {analysis.won.n_datasets}; "
        f"{method(analysis)}{adjusted} {p_equals(made.p_adjusted, alpha)} ≤ {alpha}."
    )


def retained(analysis: ThresholdsAnalysis, alpha: float) -> list[str]:
    """Return the sentence about the pairs that were not rejected."""
    pairs = [words.pair(d) for d in analysis.decisions if not d.rejected]
    if not pairs:
        return []
    adjusted = "" if len(analysis.decisions) == 1 else " adjusted"
    return [
        f"No difference was shown for {words.some_pairs(pairs)} ({method(analysis)}"
        f"{adjusted} p > {alpha}{words.no_test(analysis.decisions)}). That is not "
        f"evidence that they are equal."
    ]


def totals(analysis: ThresholdsAnalysis) -> str:
    """Say how often each algorithm wins."""
    found = analysis.won.totals
    assert found is not None
    ordered = found.sort_values(ascending=False, kind="stable")
    named = ", ".join(f"{name} {int(wins)}" for name, wins in ordered.items())
    return (
        f"Data sets, of {analysis.won.n_datasets}, on which an algorithm wins over at "
        f"least one other: {named}."
    )


def on_the_dataset(analysis: ThresholdsAnalysis) -> list[str]:
    """Say who wins on the only data set, by the rule over thresholds."""
    won = [row for row in analysis.won.decisions.itertuples() if row.verdict != "tie"]
    if not won:
        return ["By the rule over thresholds no algorithm wins over another."]
    return [f"By the rule over thresholds, {listing([rule_win(r) for r in won])}."]


def rule_win(row: Any) -> str:
    """Say how one of a pair wins over thresholds."""
    names, counts = [row.algorithm_1, row.algorithm_2], [row.wins, row.losses]
    p = row.p_adjusted
    if row.verdict == "loss":
        p = row.p_adjusted_other
        names.reverse()
        counts.reverse()
    shown = "" if np.isnan(p) else f"; sign test {p_equals(p)}"
    return (
        f"{names[0]} over {names[1]} (at {counts[0]} thresholds against "
        f"{counts[1]}{shown})"
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

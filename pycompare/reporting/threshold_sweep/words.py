"""Sentences about wins over thresholds and data sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pycompare.analyses.error_rates import error_rate
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.threshold_sweep import MOST_IN_R, ThresholdsAnalysis
from pycompare.labels import label_text
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content import fold_words, words
from pycompare.reporting.content.wording import begun, listing
from pycompare.reporting.document import p_equals
from pycompare.reporting.multiple_datasets import words as datasets_words
from pycompare.reporting.threshold_sweep.tables import of_dataset
from pycompare.results import rejected

_RISK = (
    "At a threshold an algorithm wins over another if T2 finds their mean vectors "
    "different and its risk is lower. Whether the risks differ significantly is not "
    "tested."
)
UNADJUSTED = (
    "Each threshold of each data set is tested at the full alpha. Its wins are only "
    "counted: they are no conclusions by themselves."
)
_ONCE = (
    "The sign test over data sets counts each data set once. It assumes independent "
    "data sets, not independent thresholds."
)
ONE = (
    "One data set has no primary conclusion. Its thresholds share all their cases and "
    "are no sample, so the wins describe these folds only. A conclusion needs several "
    "data sets, or one planned threshold."
)
RULE = (
    "The thresholds of a data set share all their cases. Its sign test over thresholds "
    "is therefore a rule for choosing a winner there, and not a valid test."
)
_PROBABILITIES = (
    "A threshold corresponds to costs only if scores are posterior probabilities of "
    "the positive class. Scores that are calibrated differently are compared at "
    "different costs."
)
_DEPENDENT_FOLDS = (
    "T2 and MANOVA at a threshold are not corrected for shared training data. Wins are "
    "counted too often, for both algorithms of a pair alike."
)


def thresholds_text(analysis: ThresholdsAnalysis) -> str:
    """Return ``21 thresholds from 0 to 1``."""
    theta = analysis.won.thresholds
    low, high = label_text(theta[0]), label_text(theta[-1])
    return f"{len(theta)} thresholds from {low} to {high}"


def _analysis_of(comparison: GroupComparison) -> ThresholdsAnalysis:
    """Return the one analysis, of all metrics together."""
    [found] = comparison.analyses
    assert isinstance(found, ThresholdsAnalysis)
    return found


def question(comparison: GroupComparison, where: str) -> str:
    """Return the question that the comparison answers; ``where`` ends it."""
    start = words.whom(comparison.scores, comparison.plan.control)
    metrics = listing(_analysis_of(comparison).won.metrics)
    return f"{start} in {metrics} together, won by the lower risk{where}?"


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words, what the blocks are first."""
    analysis, plan = _analysis_of(comparison), comparison.plan
    won = analysis.won
    n = len(analysis.n_folds)
    of = "one data set" if n == 1 else f"{n} data sets"
    several = comparison.scores.n_algorithms > 2
    undefined = f"A measure that is 0/0 counts as {plan.undefined}, as planned."
    return [
        f"Blocks are {comparison.scores.n_blocks} folds of {of}.",
        f"Scores at or above the threshold are classified as positive. There are "
        f"{thresholds_text(analysis)}{_ratios(comparison)}.",
        f"At each threshold of each data set {listing(won.metrics)} are tested "
        f"together: MANOVA, blocked by folds, and paired T2 of all pairs "
        f"({short_title(won.adjust)} adjustment).",
        *([words.gate(plan.gate, "MANOVA")] if several else []),
        "The risk at threshold theta is the mean over folds of theta FP + (1 - theta) "
        "FN. Theta is the best threshold if a false positive costs theta/(1 - theta) "
        "times a false negative.",
        _RISK,
        _rule(analysis),
        UNADJUSTED,
        _primary(comparison, analysis) if analysis.pairs else ONE,
        *([undefined] if plan.undefined is not None else []),
        "No step of the plan depends on a p-value except counting wins at p ≤ alpha.",
    ]


def _ratios(comparison: GroupComparison) -> str:
    """Say which loss ratios the thresholds correspond to, if they were planned so."""
    given = comparison.plan.loss_ratios
    if given is None:
        return ""
    named = listing([label_text(r) for r in sorted(given)], len(given))
    return f", for loss ratios (false positive to false negative) {named}"


def _rule(analysis: ThresholdsAnalysis) -> str:
    won = analysis.won
    if won.rule == "any":
        return (
            "On a data set an algorithm wins over another if it wins at some threshold "
            "and the other at none. If both win somewhere, the data set is a tie."
        )
    adjusted = (
        "not adjusted"
        if won.threshold_adjust == "none"
        else f"{short_title(won.threshold_adjust)} adjustment over the ordered pairs"
    )
    return (
        f"On a data set an algorithm wins over another if the right-tailed exact sign "
        f"test over its thresholds (ties split) has p ≤ {won.alpha:g} ({adjusted})."
    )


def _primary(comparison: GroupComparison, analysis: ThresholdsAnalysis) -> str:
    plan, pairs = comparison.plan, analysis.pairs[0]
    if comparison.scores.n_algorithms == 2:
        how = "There is one pair, so p-values are not adjusted."
    else:
        rate = begun(error_rate(pairs, plan, "blocks").stated(plan.alpha))
        how = f"Adjustment: {short_title(pairs.adjust)} over {pairs.family}. {rate}."
    return (
        f"The primary analysis is the exact two-sided sign test of wins over data "
        f"sets. {how}"
    )


def scope(comparison: GroupComparison) -> list[str]:
    """Return the scope of the conclusions, and what limits them."""
    analysis = _analysis_of(comparison)
    dependent = [RULE] if analysis.won.rule == "sign" else []
    if not analysis.pairs:
        return [*fold_words.about(comparison), *dependent]
    return [
        *words.gaps(comparison.scores),
        datasets_words.DATASETS_ARE,
        _ONCE,
        *dependent,
        *fold_words.within_data_sets(comparison),
    ]


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis assumes and what it does not show."""
    analysis = _analysis_of(comparison)
    return [
        _PROBABILITIES,
        fold_words.SHARED,
        _DEPENDENT_FOLDS,
        "MANOVA and T2 assume multivariate normal errors. Counts near 0, as at "
        "thresholds near 0 and 1, are not normal.",
        "Metrics that others determine on a data set, as tp determines fn, are left "
        "out there and named.",
        "Thresholds at which nothing can be tested count as ties.",
        *(words.few(analysis.won.n_datasets) if analysis.pairs else []),
        *words.adjustment_limits(comparison),
        *words.doubts(comparison.scores),
        *_left_out(analysis),
        *words.not_equality(words.decided(comparison)),
    ]


def _left_out(analysis: ThresholdsAnalysis) -> list[str]:
    """Say why the tests at thresholds are not in the R script, if they are not."""
    call = analysis.won.r_call()
    if analysis.in_r or call is None:
        return []
    return [
        f"The R script contains the sign tests over data sets only. The tests at "
        f"thresholds need {call.arguments['y'].size} numbers, more than the "
        f"{MOST_IN_R} that it may hold; pc.threshold_wins(...).r_code() writes them."
    ]


def at_thresholds(analysis: ThresholdsAnalysis, alpha: float) -> str:
    """Say at how many thresholds the algorithms differ at all."""
    p = analysis.won.tests["p_value"]
    n, none = int(rejected(p, alpha).sum()), int(p.isna().sum())
    several = analysis.won.n_datasets > 1
    places = "combinations of threshold and data set" if several else "thresholds"
    untested = f" At {none} nothing can be tested." if none else ""
    return (
        f"The algorithms differ in {listing(analysis.won.metrics)} together at {n} of "
        f"{len(p)} {places} (MANOVA, p ≤ {alpha:g} at each, not adjusted).{untested}"
    )


def wins(analysis: ThresholdsAnalysis) -> Iterator[str]:
    """Say on how many data sets each significant winner wins and loses."""
    table, n = analysis.won.wins, analysis.won.n_datasets
    for made in analysis.decisions:
        if made.rejected:
            won = table.loc[made.better, made.worse]
            lost = table.loc[made.worse, made.better]
            yield (
                f"{made.better} wins over {made.worse} on {won} and loses on {lost} of "
                f"{n} data sets."
            )


def totals(analysis: ThresholdsAnalysis) -> str:
    """Say how often each algorithm wins."""
    found = analysis.won.totals
    assert found is not None
    ordered = found.sort_values(ascending=False, kind="stable")
    named = ", ".join(f"{name} {int(n)}" for name, n in ordered.items())
    return (
        f"Number of data sets, of {analysis.won.n_datasets}, on which an algorithm "
        f"wins over at least one other: {named}."
    )


def on_only_dataset(analysis: ThresholdsAnalysis) -> str:
    """Say who wins on the only data set, by the rule over thresholds."""
    told = _rule_wins(analysis.won.decisions)
    if not told:
        return "By the rule over thresholds no algorithm wins over another."
    return f"By the rule over thresholds, {told}."


def on_dataset(analysis: ThresholdsAnalysis, dataset: str) -> str:
    """Return what one data set shows."""
    won = analysis.won
    p = of_dataset(won.tests, dataset)["p_value"]
    told = _rule_wins(of_dataset(won.decisions, dataset)) or "no algorithm wins"
    return (
        f"{analysis.n_folds[dataset]} folds. MANOVA is significant at "
        f"{int(rejected(p, won.alpha).sum())} of {len(p)} thresholds. By the rule over "
        f"thresholds, {told}."
    )


def _rule_wins(decisions: Any) -> str:
    """Name the wins by the rule over thresholds; empty if there are none."""
    won = [row for row in decisions.itertuples() if row.verdict != "tie"]
    return listing(list(map(_rule_win, won)), len(won))


def _rule_win(row: Any) -> str:
    """Say how one of a pair wins over thresholds."""
    names, counts = [row.algorithm_1, row.algorithm_2], [row.wins, row.losses]
    p = row.p_adjusted
    if row.verdict == "loss":
        p = row.p_adjusted_other
        names.reverse()
        counts.reverse()
    shown = "" if np.isnan(p) else f"; sign test {p_equals(p)}"
    return (
        f"{names[0]} wins over {names[1]} (at {counts[0]} thresholds against "
        f"{counts[1]}{shown})"
    )

"""Sentences of the analysis of means: folds of one data set, analysis of variance."""

from __future__ import annotations

from pycompare.analyses.blocked_anova import LinearAnalysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.plans.post_hoc import MEANS, described
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.error_rates import error_rate
from pycompare.reporting.rank_tests import rank_words


def verdict_rule(comparison: GroupComparison) -> str:
    """Say what makes the verdict."""
    plan = comparison.plan
    decisive = described(plan.decisive)
    by_correction = plan.overlap is not None and plan.decisive not in MEANS
    how = "" if plan.decisive in MEANS else " t tests with the model's error,"
    if by_correction:
        how = f" corrected resampled t tests ({fold_words.sizes(comparison)}),"
    [first, *_] = comparison.analyses
    assert isinstance(first, LinearAnalysis)
    return (
        f"The verdict on a pair is:{how} {decisive.title} adjusted p-value at most "
        f"alpha = {plan.alpha}. Error rate: "
        f"{error_rate(first.decisive, plan, 'folds').text}."
    )


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words."""
    plan = comparison.plan
    sentences = [
        fold_words.blocks_are(comparison),
        "Three algorithms or more on folds of one data set are compared by a blocked "
        "analysis of variance: score = fold + algorithm. It asks whether any mean "
        f"differs. {words.gate(comparison)}",
        verdict_rule(comparison),
    ]
    sentences += words.f_alone(plan)
    if len(plan.adjust) > 1:
        sentences.append(words.sensitivity_titles(plan.adjust[1:]))
    sentences += words.so_many(comparison)
    if form := words.exact_form(comparison):
        sentences.append(form)
    if plan.overlap is not None and plan.decisive in MEANS:
        beside = described(plan.t_method(comparison.scores.n_algorithms)).title
        sentences.append(
            f"Corrected resampled t tests ({fold_words.sizes(comparison)}) stand "
            f"beside the verdict, adjusted by {beside}."
        )
    sentences.append(
        "The whole rank analysis (decisive there: "
        f"{described(plan.rank_adjust[0]).title}) is sensitivity analysis; every pair "
        "on which it decides otherwise is named. "
        f"{rank_words.ties(comparison)}"
    )
    if plan.decimals is not None:
        sentences.append(
            "Only ranks are of rounded scores; means and their tests are "
            "of the scores as they are."
        )
    return [
        *sentences,
        *fold_words.together(comparison),
        words.as_it_stands(comparison),
    ]


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis rests on and what it does not say."""
    scores = comparison.compared
    sentences = [
        "The analysis of variance takes errors as normal, of equal spread, and folds "
        "as adding the same to every algorithm; Tukey, Scheffé, Dunnett and the t "
        "tests with the model's error take all differences of two algorithms to vary "
        "alike (sphericity).",
        fold_words.READ_AS_NORMAL,
        *words.adjustment_limits(comparison),
        *fold_words.together_limits(comparison),
        *words.doubts(scores),
        words.NOT_EQUALITY,
    ]
    if not scores.complete:
        sentences.append(
            f"{words.GAPS} The algorithms are adjusted for the folds that they have "
            "(exact general linear model), Tukey's p-values are then conservative "
            "(Kramer); sphericity needs complete folds and is left out."
        )
    return sentences

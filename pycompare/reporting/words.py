"""Sentences of the verdict. Each follows from ``p_adjusted <= alpha``."""

from __future__ import annotations

import math

from pycompare.data.scores import Metric, Scores
from pycompare.multiplicity.adjust import ADJUSTMENTS, adjustment
from pycompare.procedure.compare import Analysis, Comparison, Decision
from pycompare.reporting.numbers import degrees, number, p_text
from pycompare.results import Test, rejected

MANY_PAIRS = 15
"""With more rejected pairs the verdict has one sentence for each winner."""


def direction(metric: Metric) -> str:
    """Say which scores of the metric are better."""
    return f"{metric.name} ({metric.better} is better)"


def listing(names: tuple[str, ...] | list[str]) -> str:
    """Join names as English does."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def test_result(test: Test, alpha: float) -> str:
    """Return ``chi2(4) = 39.91, p = 4.5e-8``."""
    return (
        f"{test.statistic_name}({degrees(test.df)}) = {number(test.statistic)}, "
        f"p = {p_text(test.p_value, alpha)}"
    )


def omnibus(analysis: Analysis, alpha: float) -> str:
    """Return the sentence for the test of no difference at all."""
    test = analysis.omnibus
    if math.isnan(test.p_value):
        return f"{test.name}: no difference can be tested, since {test.notes[0]}."
    verdict = (
        "not all algorithms rank alike"
        if test.rejected(alpha)
        else "no difference between the algorithms was shown"
    )
    sign = "≤" if test.rejected(alpha) else ">"
    return (
        f"{test.name} on {direction(analysis.metric)}: {test_result(test, alpha)} "
        f"{sign} {alpha}: {verdict}."
    )


def decision(analysis: Analysis, made: Decision, alpha: float) -> str:
    """Return the sentence for one rejected pair."""
    positions = analysis.decisive.positions
    name = analysis.decisive.estimate_name.removeprefix("difference of ")
    return (
        f"{made.better} is better than {made.worse} on {direction(analysis.metric)}: "
        f"{name} {number(positions[made.better])} and "
        f"{number(positions[made.worse])}, "
        f"{method_title(analysis)} adjusted p = {p_text(made.p_adjusted, alpha)} ≤ "
        f"{alpha}."
    )


def leader(analysis: Analysis) -> list[str]:
    """Say who ranks best, and who was not shown to differ from the best."""
    if analysis.decisive.control is not None:
        return []
    positions = analysis.decisive.positions
    best = positions.index[positions == positions.min()].tolist()
    name = analysis.decisive.estimate_name.removeprefix("difference of ")
    has = "has the lowest (best)" if len(best) == 1 else "share the lowest (best)"
    start = f"{listing(best)} {has} of the {name}, {number(positions.min())}"
    if len(best) > 1:
        return [f"{start}."]
    others = [
        d.worse if d.better == best[0] else d.better
        for d in analysis.decisions
        if best[0] in (d.better, d.worse) and not d.rejected
    ]
    if not others:
        return [f"{start}, and differs significantly from every other."]
    return [f"{start}; not shown to differ from it: {listing(others)}."]


def rejections(analysis: Analysis, alpha: float) -> list[str]:
    """Return a sentence for each rejected pair, or for each winner where many are."""
    made = [d for d in analysis.decisions if d.rejected]
    if len(made) <= MANY_PAIRS:
        return [decision(analysis, d, alpha) for d in made]
    order = analysis.decisive.positions.sort_values(kind="stable").index
    return [winner(analysis, name, made, alpha) for name in order if beats(name, made)]


def beats(name: str, made: list[Decision]) -> list[Decision]:
    """Return the decisions that an algorithm wins."""
    return [d for d in made if d.better == name]


def winner(analysis: Analysis, name: str, made: list[Decision], alpha: float) -> str:
    """Return the sentence for all pairs that one algorithm wins."""
    won = beats(name, made)
    largest = max(d.p_adjusted for d in won)
    return (
        f"{name} is better on {direction(analysis.metric)} than "
        f"{listing([d.worse for d in won])}: {method_title(analysis)} adjusted p at "
        f"most {p_text(largest, alpha)} ≤ {alpha}."
    )


def sign_tests(analysis: Analysis, alpha: float) -> list[str]:
    """Return which decisions exact sign tests of the two alone do not share."""
    effects = analysis.superiority
    if effects is None:
        return []
    table = effects.table
    found = {
        frozenset((row.algorithm_1, row.algorithm_2))
        for row in table[rejected(table["p_adjusted"], alpha)].itertuples()
    }
    other = [
        f"{d.better} – {d.worse}"
        for d in analysis.decisions
        if d.rejected != (frozenset((d.better, d.worse)) in found)
    ]
    start = (
        f"Sensitivity: exact sign tests of the two algorithms alone "
        f"({ADJUSTMENTS[effects.adjust].title.split(' (')[0]} over all pairs)"
    )
    if not other:
        return [f"{start} decide alike."]
    shown = listing(other) if len(other) <= 12 else f"{len(other)} pairs"
    return [f"{start} decide otherwise on {shown}."]


def method_title(analysis: Analysis) -> str:
    """Return the decisive adjustment's title without what stands in brackets."""
    return adjustment(analysis.decisive.adjust).title.split(" (")[0]


def retained(analysis: Analysis, alpha: float) -> str:
    """Return the sentence about the pairs that were not rejected."""
    pairs = [f"{d.better} – {d.worse}" for d in analysis.decisions if not d.rejected]
    if not pairs:
        return (
            "Every pair of the family differs."
            if len(analysis.decisions) > 1
            else "That is the only comparison."
        )
    shown = listing(pairs) if len(pairs) <= 12 else f"{len(pairs)} pairs"
    return (
        f"No difference was shown for {shown} ({method_title(analysis)} adjusted "
        f"p > {alpha}). That is not evidence that they are equal."
    )


def summary_line(analysis: Analysis, alpha: float) -> str:
    """Return how many of the family's hypotheses were rejected, and by what."""
    made = [d for d in analysis.decisions if d.rejected]
    controls = ADJUSTMENTS[analysis.decisive.adjust].controls
    return (
        f"{len(made)} of {len(analysis.decisions)} differences "
        f"{'is' if len(made) == 1 else 'are'} significant at {alpha} by "
        f"{method_title(analysis)} over {analysis.decisive.family} "
        f"(controls the {controls}, given valid raw p-values)."
    )


def disagreement(analysis: Analysis, alpha: float) -> str | None:
    """Say so if the omnibus test and the pairs point different ways."""
    if math.isnan(analysis.omnibus.p_value):
        return None
    any_pair = any(d.rejected for d in analysis.decisions)
    if any_pair == analysis.omnibus.rejected(alpha):
        return None
    if any_pair:
        return (
            "The omnibus test is not significant although a pair is: the two tests "
            "were planned side by side; report both."
        )
    return (
        "The omnibus test is significant although no single pair is: some difference "
        "exists, and these data do not tell which."
    )


def verdict_sentences(comparison: Comparison, analysis: Analysis) -> list[str]:
    """Return the whole verdict on one metric."""
    alpha = comparison.plan.alpha
    sentences = [omnibus(analysis, alpha)]
    if all(math.isnan(d.p_adjusted) for d in analysis.decisions):
        return sentences
    sentences.append(summary_line(analysis, alpha))
    sentences += leader(analysis)
    sentences += rejections(analysis, alpha)
    sentences.append(retained(analysis, alpha))
    sentences += sign_tests(analysis, alpha)
    extra = disagreement(analysis, alpha)
    return [*sentences, extra] if extra else sentences


def verdict(comparison: Comparison, analysis: Analysis, digits: int = 4) -> str:
    """Return the verdict as lines of text."""
    return "\n".join(verdict_sentences(comparison, analysis))


def question(comparison: Comparison) -> str:
    """Return the question that the comparison answers."""
    scores, control = comparison.ranked, comparison.plan.control
    metrics = listing([direction(a.metric) for a in comparison.analyses])
    whom = (
        f"Does {control} differ from each of the other {scores.n_algorithms - 1} "
        f"algorithms"
        if control is not None
        else f"Which of the {scores.n_algorithms} algorithms differ from each other"
    )
    return f"{whom} in {metrics}, over {scores.n_blocks} blocks?"


def plan_sentences(comparison: Comparison) -> list[str]:
    """Return the plan in words."""
    plan = comparison.plan
    others = [ADJUSTMENTS[n].title for n in plan.adjust[1:]]
    ties = (
        f"scores are rounded to {plan.decimals} decimals first"
        if plan.decimals is not None
        else "scores of a block tie when they differ by no more than 64 units in the "
        "last place, so float noise splits no tie"
    )
    sentences = [
        "Algorithms are ranked within each block, rank 1 = best; tied scores share "
        f"their mean rank ({ties}).",
        "The omnibus test asks whether any difference exists; the pairwise tests are "
        "adjusted for their number and do not wait for it.",
        p_value_sentence(comparison),
        f"The verdict on a pair is: {ADJUSTMENTS[plan.decisive].title} adjusted "
        f"p-value at most alpha = {plan.alpha}. It controls the "
        f"{ADJUSTMENTS[plan.decisive].controls}, given valid raw p-values. Each metric "
        "is a family of its own.",
        "Tests are two-sided. The plan is applied as it stands; no step of it depends "
        "on a p-value.",
    ]
    if plan.decisive == "bergmann-hommel":
        sentences.insert(
            4,
            "Bergmann-Hommel's exact test looks at which hypotheses can be true "
            "together, so two pairs with one raw p-value may have different adjusted "
            "ones"
            + (
                "; here they are forced to rise with the raw ones (monotone)."
                if plan.monotone
                else "."
            ),
        )
    if others:
        sentences.insert(4, f"Beside it, as sensitivity analysis: {listing(others)}.")
    if plan.average_folds:
        sentences.insert(
            1, "Each data set is one block: the mean of its folds' scores is ranked."
        )
    return sentences


def p_value_sentence(comparison: Comparison) -> str:
    """Say where p-values come from, and that size alone decided it."""
    plan, ranked = comparison.plan, comparison.ranked
    exact = plan.exact_for(ranked.n_blocks, ranked.n_algorithms) and ranked.complete
    rule = {
        "by-size": "the rule for tables of this size",
        "exact": "as planned",
        "approximate": "as planned",
    }[plan.p_values]
    kind = (
        "exact, from permutations within blocks"
        if exact
        else "approximate: chi-squared for the omnibus test, normal for pairs"
    )
    return f"P-values are {kind} ({rule})."


CONDITIONS = {
    "hochberg": "independent or positively dependent tests",
    "hommel": "independent or positively dependent tests",
    "BH": "independent or positively dependent tests",
    "rom": "independent tests",
    "li": "independent tests",
}


def adjustment_limits(comparison: Comparison) -> list[str]:
    """Return what the adjustments rest on that pairs of one table may not give."""
    sentences = []
    for name in comparison.plan.adjust:
        title = ADJUSTMENTS[name].title.split(" (")[0]
        if name in CONDITIONS:
            sentences.append(
                f"{title} asks for {CONDITIONS[name]}; comparisons that share "
                f"algorithms and blocks are not independent, and positive dependence "
                f"is not proven for two-sided ones."
            )
        if name == "finner":
            sentences.append(
                f"{title} holds the family-wise error only if no algorithm differs at "
                f"all; among real differences it may reject true hypotheses too often."
            )
    return sentences


def doubts(scores: Scores) -> list[str]:
    """Ask about a table that looks turned, or without its header."""
    sentences = []
    if scores.n_algorithms > scores.n_blocks:
        sentences.append("There are more algorithms than blocks: is the table turned?")
    if all(is_number(name) for name in scores.algorithms):
        sentences.append("All algorithms are called by numbers: is a header missing?")
    return sentences


def is_number(label: str) -> bool:
    """Tell whether a label reads as a number."""
    try:
        float(label)
    except ValueError:
        return False
    return True


def limits(comparison: Comparison) -> list[str]:
    """Return what the analysis rests on and what it does not say."""
    scores = comparison.ranked
    sentences = [
        "Blocks are taken as independent of each other. Variants of one data set, or "
        "folds of one data set, are not; then p-values are too small.",
        "The conclusion is about data sets like these: the blocks are the sample.",
        "Rank tests ask who is better how often, not by how much; see the median "
        "differences for size.",
        "The standard error of a difference of mean ranks is that of a table in which "
        "all algorithms are alike. If two are equal while others differ it may be "
        "wrong, and whether two differ depends on which others are in the table "
        "(Benavoli, Corani and Mangili 2016, JMLR 17(5)). The sign tests beside the "
        "effect sizes look at the two alone.",
        "Chi-squared and normal p-values are for large samples"
        + (
            f"; with {scores.n_blocks} blocks they are rough."
            if scores.n_blocks < 10
            else "."
        ),
        *adjustment_limits(comparison),
        *doubts(scores),
        "A difference that was not shown is not equality.",
    ]
    if scores.datasets is not None and len(set(scores.datasets)) == 1:
        sentences[1] = (
            "All blocks are folds of one data set: they share training data, so they "
            "are dependent, and the result generalises to training sets drawn from "
            "this data set, not to other data sets."
        )
    if any(a.superiority is None for a in comparison.analyses):
        sentences.append(
            "Cells are missing: they are taken to be missing for reasons that have "
            "nothing to do with the score. Aligned ranks, Quade's test, Nemenyi's "
            "critical difference and win counts need complete tables and are left out."
        )
    return sentences

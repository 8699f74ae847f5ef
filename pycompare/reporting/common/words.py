"""Sentences that analyses share. Each verdict follows from ``p_adjusted <= alpha``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from pycompare.analyses.analysis import ComparedPairs, PairsAnalysis
from pycompare.analyses.decisions import Decision
from pycompare.analyses.family import trials
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.data.scores import Scores
from pycompare.formatting.counts import are, counted
from pycompare.formatting.numbers import degrees, number, p_equals, p_text
from pycompare.metric import Metric
from pycompare.multiplicity.guarantees import dependence_limits
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import MOST_EXHAUSTIVE, described, short_title
from pycompare.results import Test, rejected

MANY_NAMES = 12
"""More pairs than these are counted, not named."""


def direction(metric: Metric) -> str:
    """Say which scores of the metric are better."""
    return f"{metric.name} ({metric.better} is better)"


def listing(names: Sequence[str]) -> str:
    """Join names as English does."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def so_many(comparison: GroupComparison) -> list[str]:
    """Say which default method there is not, because algorithms are too many."""
    plan, count = comparison.plan, comparison.scores.n_algorithms
    if count <= MOST_EXHAUSTIVE or plan.control is not None:
        return []
    defaults = replace(plan, adjust=()).for_size(1, count).adjust
    if plan.adjust != defaults:
        return []
    return [
        f"For over {MOST_EXHAUSTIVE} algorithms the defaults are without "
        f"Bergmann-Hommel's adjustment of tests other than mean ranks, which may take "
        f"hours; Holm's takes its place. The number of algorithms decides that, no "
        f"score does. Plan adjust to ask for it."
    ]


def some_pairs(pairs: Sequence[str]) -> str:
    """Name pairs, or count them where they are many."""
    return listing(pairs) if len(pairs) <= MANY_NAMES else f"{len(pairs)} pairs"


def pair(made: Decision) -> str:
    """Name a pair, the better one first."""
    return f"{made.better} – {made.worse}"


def sign(rejected: bool) -> str:
    """Return how a p-value compares with alpha."""
    return "≤" if rejected else ">"


def test_result(test: Test, alpha: float) -> str:
    """Return ``chi2(4) = 39.91, p = 4.5e-8``."""
    df = "" if test.df is None else f"({degrees(test.df)})"
    return (
        f"{test.statistic_name}{df} = {number(test.statistic)}, "
        f"{p_equals(test.p_value, alpha)}"
    )


def sentence(note: str) -> str:
    """Return a note of a result as a sentence."""
    return f"{note[0].upper()}{note[1:]}."


def cause(note: str) -> str:
    """Return why a test has no p-value, without saying once more that it has none."""
    for end in (" and no difference can be tested", ", so no difference can be tested"):
        note = note.removesuffix(end)
    return note


def method_title(analysis: ComparedPairs) -> str:
    """Return the decisive method's title without what stands in brackets."""
    return analysis.verdict_by


def beats(name: str, made: list[Decision]) -> list[Decision]:
    """Return the decisions that an algorithm wins."""
    return [d for d in made if d.better == name]


def winner(
    analysis: ComparedPairs, name: str, made: list[Decision], alpha: float
) -> str:
    """Return the sentence for all pairs that one algorithm wins."""
    won = beats(name, made)
    largest = max(d.p_adjusted for d in won)
    return (
        f"{name} is better on {direction(analysis.metric)} than "
        f"{listing([d.worse for d in won])}: {method_title(analysis)} adjusted p at "
        f"most {p_text(largest, alpha)} ≤ {alpha}."
    )


def winners(analysis: ComparedPairs, made: list[Decision], alpha: float) -> list[str]:
    """Return a sentence for each algorithm that wins, best first."""
    order = analysis.decisive.positions.sort_values(kind="stable").index
    return [winner(analysis, name, made, alpha) for name in order if beats(name, made)]


def retained(analysis: ComparedPairs, alpha: float) -> str:
    """Return the sentence about the pairs that were not rejected."""
    pairs = [pair(d) for d in analysis.decisions if not d.rejected]
    if not pairs:
        if analysis.joint:
            return "Every pair differs."
        return (
            "Every pair of the family differs."
            if len(analysis.decisions) > 1
            else "That is the only comparison."
        )
    return (
        f"No difference was shown for {some_pairs(pairs)} ({method_title(analysis)} "
        f"adjusted p > {alpha}{no_test(analysis.decisions)}). That is not evidence "
        f"that they are equal."
    )


def no_test(made: Sequence[Decision]) -> str:
    """Name the pairs among those not rejected that have no p-value at all."""
    pairs = [pair(d) for d in made if math.isnan(d.p_adjusted)]
    return f"; {some_pairs(pairs)} cannot be tested" if pairs else ""


def out_of_reach(
    test: str, pairs: Sequence[str], table: pd.DataFrame, alpha: float, block: str
) -> str:
    """Say which pairs an exact sign test cannot find significant; none named: all.

    ``table`` has the smallest p-value that each test can have.
    """
    rows = table[~rejected(table["p_smallest"], alpha)]
    used = int(trials(rows).max())
    least = number(float(rows["p_smallest"].min()))
    on = f" for {some_pairs(pairs)}" if pairs else ""
    blocks = f"{counted(used, block)} count{'s' if used == 1 else ''}"
    return (
        f"{test} cannot reach significance{on} ({blocks}, and the smallest possible "
        f"adjusted p-value is {least})."
    )


def significant(count: int, every: int, what: str = "") -> str:
    """Say how many differences are significant; ``what`` says in what."""
    if every == 1:
        return f"The difference{what} is {'' if count else 'not '}significant"
    return f"{count} of {every} differences{what} {are(count)} significant"


def untested(analysis: ComparedPairs) -> bool:
    """Tell whether no pair could be tested."""
    return all(math.isnan(d.p_adjusted) for d in analysis.decisions)


def disagreement(analysis: PairsAnalysis, alpha: float) -> str | None:
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
    if analysis.decisive.control is not None:
        return (
            "The omnibus test, of all algorithms, is significant although no "
            "comparison with the control is: the difference may lie between others."
        )
    return (
        "The omnibus test is significant although no single pair is: a difference was "
        "shown, and these data do not tell between which algorithms."
    )


def gate(comparison: GroupComparison) -> str:
    """Say whether pairs wait for the test of all algorithms."""
    if comparison.plan.gate == "none":
        return "Pairs do not wait for it (gate = none)."
    return (
        "As planned (gate = omnibus), a pair is decided only where that test rejects "
        "as well: its adjusted p-value is the larger of the two. R repeats each by "
        "itself."
    )


def question(comparison: GroupComparison, blocks: str) -> str:
    """Return the question that the comparison answers."""
    return f"{asks(comparison)}, over {comparison.compared.n_blocks} {blocks}?"


def asks(comparison: GroupComparison) -> str:
    """Return the question without what it is asked over."""
    metrics = listing([direction(a.metric) for a in comparison.analyses])
    return f"{whom(comparison.compared, comparison.plan.control)} in {metrics}"


def whom(scores: Scores, control: str | None) -> str:
    """Return the question without its end."""
    if scores.n_algorithms == 2:
        return f"Do {listing(scores.algorithms)} differ"
    if control is not None:
        return (
            f"Does {control} differ from each of the other {scores.n_algorithms - 1} "
            f"algorithms"
        )
    return f"Which of the {scores.n_algorithms} algorithms differ from each other"


def adjustment_limits(comparison: GroupComparison) -> list[str]:
    """Return what the adjustments rest on that pairs of one table may not give."""
    return [
        f"{short_title(name)}: {limit}"
        for name in comparison.plan.adjust
        for limit in dependence_limits(name)
    ]


def exact_form(comparison: GroupComparison) -> str | None:
    """Say which form of Bergmann-Hommel is used, if it is."""
    plan = comparison.plan
    if "bergmann-hommel" not in plan.adjust:
        return None
    return (
        "Bergmann-Hommel's exact test looks at which hypotheses can be true "
        "together, so two pairs with one raw p-value may have different adjusted "
        "ones"
        + (
            "; here they are forced to rise with the raw ones (monotone)."
            if plan.monotone
            else "."
        )
    )


def gaps(scores: Scores) -> list[str]:
    """Say how much of the table the verdict does without."""
    gone = scores.dropped
    if gone.blocks:
        all_blocks = scores.n_blocks + len(gone.blocks)
        return [
            f"Left out, since cells are missing: {len(gone.blocks)} of {all_blocks} "
            f"blocks. The verdict is about the other {scores.n_blocks}; it holds for "
            "all only if what is missing has nothing to do with the score."
        ]
    if gone.cells:
        return [
            f"Missing: {len(gone.cells)} of {scores.values.size} cells. The verdict is "
            "made from the others."
        ]
    return []


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


def as_it_stands(comparison: GroupComparison) -> str:
    """Say that the plan is applied as it stands, and what in it asks for p-values."""
    plan, but = comparison.plan, []
    if plan.gate == "omnibus" and comparison.scores.n_algorithms > 2:
        but.append("the planned gate")
    if plan.blocks == "folds-of-datasets":
        but.append("wins on a data set, counted where a p-value is at most alpha")
    apart = f", but for {listing(but)}" if but else ""
    return (
        "Tests of no difference are two-sided. The plan is applied as it stands; no "
        f"step of it depends on a p-value{apart}."
    )


def f_alone(plan: Plan) -> list[str]:
    """Say that a correction of F's degrees of freedom corrects no pairs."""
    if plan.mean_test == "anova":
        return []
    title = plan.mean_test.title()
    return [
        f"{title}'s degrees of freedom are of that test alone: comparisons of pairs by "
        f"the model's error take all differences to vary alike, and are not corrected."
    ]


NOT_EQUALITY = "A difference that was not shown is not equality."
GAPS = (
    "Cells are missing: they are taken to be missing for reasons that have nothing to "
    "do with the score."
)


def sensitivity_titles(names: Sequence[str]) -> str:
    """Name the methods that stand beside the decisive one."""
    titles = [described(n).title for n in names]
    return f"Beside it, as sensitivity analysis: {listing(titles)}."

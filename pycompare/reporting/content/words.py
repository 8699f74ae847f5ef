"""Sentences that analyses share, each told in one place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from pycompare.analyses.analysis import ComparedPairs
from pycompare.analyses.decisions import Decision
from pycompare.analyses.family import trials
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.data.scores import Scores
from pycompare.formatting.counts import counted
from pycompare.formatting.numbers import number
from pycompare.multiplicity.guarantees import dependence_limits
from pycompare.plans.fields import Gate, MeanTest
from pycompare.plans.post_hoc import FLIPS, MOST_EXHAUSTIVE, short_title
from pycompare.reporting.content import wording
from pycompare.reporting.content.facts import states
from pycompare.results import PairsResult, Test, rejected

_MANY_NAMES = 12
"""More pairs than these are counted, not named."""
FEW = 10
GAPS = "Cells are missing; their absence is assumed to be unrelated to the score."
NOT_EQUALITY = "A non-significant comparison does not show equality."


def not_equality(decisions: Iterable[Decision]) -> list[str]:
    """Warn of reading equality into what is not significant, if anything is not."""
    return [] if all(made.rejected for made in decisions) else [NOT_EQUALITY]


def decided(comparison: GroupComparison) -> Iterator[Decision]:
    """Yield what is decided about each pair in each metric."""
    for analysis in comparison.analyses:
        yield from analysis.decisions


def _pair(made: Decision) -> str:
    """Name a pair, the better one first."""
    return f"{made.better} – {made.worse}"


def some_pairs(pairs: Sequence[str]) -> str:
    """Name pairs, or count them where they are many."""
    if len(pairs) > _MANY_NAMES:
        return f"{len(pairs)} pairs"
    return wording.listing(pairs, _MANY_NAMES)


def untested(analysis: ComparedPairs) -> bool:
    """Tell whether no pair could be tested."""
    return all(math.isnan(made.p_adjusted) for made in analysis.decisions)


def nothing_tested(test: Test, which: int = 0) -> list[str]:
    """Say why nothing can be tested, by one of the notes of the test."""
    return [f"Reason: {test.notes[which]}."]


def out_of_reach(
    test: str,
    pairs: Sequence[Decision],
    n_pairs: int,
    table: pd.DataFrame,
    alpha: float,
    block: str,
) -> str:
    """Say which pairs an exact test cannot find significant.

    ``table`` has the smallest p-value that each test can have.
    """
    rows = table[~rejected(table["p_smallest"], alpha)]
    used = int(trials(rows).max())
    least = number(float(rows["p_smallest"].min()), 2)
    named = f" for {some_pairs(list(map(_pair, pairs)))}" * (len(pairs) < n_pairs)
    return (
        f"{test} cannot reach significance{named}: {counted(used, block)} "
        f"{'counts' if used == 1 else 'count'}, and the smallest possible adjusted "
        f"p-value is {least}."
    )


def at_odds(analysis: ComparedPairs, test: Test | None, alpha: float) -> Iterator[str]:
    """Say so if the omnibus test and the pairs disagree."""
    two = len(analysis.decisive.algorithms) == 2
    if test is None or two or math.isnan(test.p_value):
        return
    any_pair = any(made.rejected for made in analysis.decisions)
    if any_pair == test.rejected(alpha):
        return
    if any_pair:
        yield (
            "The omnibus test is not significant although a pair is. Both tests were "
            "planned; report both."
        )
    elif analysis.decisive.control is not None:
        yield (
            "The omnibus test is significant although no comparison with the control "
            "is. The difference may lie between other algorithms."
        )
    else:
        yield (
            "The omnibus test is significant although no pair is. Some difference "
            "exists, but these data do not show between which algorithms."
        )


@states
def gate(gate: Gate, test: str = "the omnibus test") -> str:
    """Say whether pairs wait for the omnibus test."""
    if gate == "none":
        return (
            f"Pairwise tests are run whether or not {test} is significant (gate = "
            f"none)."
        )
    return (
        f"As planned (gate = omnibus), a pair is significant only if {test} is. Its "
        f"adjusted p-value is the larger of the two; R repeats each by itself."
    )


def question(comparison: GroupComparison, blocks: str) -> str:
    """Return the question that the comparison answers."""
    named = [wording.direction(a.metric) for a in comparison.analyses]
    metrics = wording.listing(named, len(named))
    return f"{whom(comparison.compared, comparison.plan.control)} in {metrics}{blocks}?"


def whom(scores: Scores, control: str | None) -> str:
    """Return the question without its end."""
    n = scores.n_algorithms
    if n == 2:
        return f"Do {' and '.join(scores.algorithms)} differ"
    if control is not None:
        others = wording.in_words(n - 1, "algorithm")
        return f"Does {control} differ from each of the other {others}"
    return f"Which of the {wording.count(n)} algorithms differ from each other"


def adjustment_limits(comparison: GroupComparison) -> list[str]:
    """Return what the adjustments assume that pairs of one table may not satisfy."""
    return [
        _limit(name, limit)
        for name in comparison.plan.adjust
        for limit in dependence_limits(name)
    ]


@states
def _limit(adjust: str, limit: str) -> str:
    return f"{short_title(adjust)}: {limit}"


def so_many(comparison: GroupComparison) -> list[str]:
    """Say which default method is omitted, because algorithms are too many."""
    plan, count = comparison.plan, comparison.scores.n_algorithms
    if count <= MOST_EXHAUSTIVE or plan.control is not None:
        return []
    if plan.adjust != replace(plan, adjust=()).for_size(1, count).adjust:
        return []
    return [
        f"With over {MOST_EXHAUSTIVE} algorithms, Holm replaces Bergmann-Hommel by "
        f"default for all but mean ranks, since it may take hours. The number of "
        f"algorithms alone decides this."
    ]


def exact_form(comparison: GroupComparison) -> list[str]:
    """Say which form of Bergmann-Hommel is used, if it is."""
    plan = comparison.plan
    return [_exhaustive(plan.monotone)] if "bergmann-hommel" in plan.adjust else []


@states
def _exhaustive(monotone: bool) -> str:
    forced = " Here they are made to rise with the raw ones (monotone)."
    return (
        "Bergmann-Hommel tests which hypotheses can be true together. Two pairs with "
        "the same raw p-value may therefore have different adjusted p-values."
    ) + forced * monotone


def gaps(scores: Scores) -> list[str]:
    """Say how much of the table is missing from the conclusion."""
    gone = scores.dropped
    if gone.blocks:
        return [_blocks_lost(len(gone.blocks), scores.n_blocks)]
    if gone.cells:
        return [_cells_lost(len(gone.cells), scores.values.size)]
    return []


@states
def _blocks_lost(dropped: int, kept: int) -> str:
    return (
        f"{dropped} of {dropped + kept} blocks are dropped because cells are missing. "
        f"The conclusions concern the other {kept}, and all only if missing cells are "
        f"unrelated to the score."
    )


@states
def _cells_lost(missing: int, every: int) -> str:
    return (
        f"{missing} of {every} cells are missing. The conclusions are based on the "
        f"others."
    )


def doubts(scores: Scores) -> list[str]:
    """Ask about a table that looks transposed, or without its header."""
    found = []
    if scores.n_algorithms > scores.n_blocks:
        found.append("There are more algorithms than blocks: is the table transposed?")
    if all(map(_is_number, scores.algorithms)):
        found.append("All algorithms have numbers as names: is a header missing?")
    return found


def chosen_by_size(comparison: GroupComparison, decisive: PairsResult) -> str:
    """Say so where the size of the table alone chose the comparison of pairs."""
    asked, scores = comparison.asked, comparison.compared
    if asked.adjust != asked.defaults or decisive.called not in FLIPS:
        return ""
    return _by_size(scores.n_blocks, scores.n_algorithms)


@states
def _by_size(n_datasets: int, n_algorithms: int) -> str:
    return (
        f"The pairwise test was chosen by the size of the table ({n_datasets} data "
        f"sets, {n_algorithms} algorithms), not by the scores."
    )


def is_drawn(pairs: object) -> bool:
    """Tell whether the permutations of a comparison are drawn at random."""
    return getattr(pairs, "seed", None) is not None


def few(n_datasets: int) -> list[str]:
    """Say what so few data sets cannot show."""
    return [_few(n_datasets)] if n_datasets < FEW else []


@states
def _few(n_datasets: int) -> str:
    return (
        f"{n_datasets} data sets are few. An exact sign or Wilcoxon test of them has "
        f"no two-sided p-value below {0.5 ** (n_datasets - 1):g} before adjustment, "
        f"and approximate p-values are rough."
    )


def _is_number(label: str) -> bool:
    """Tell whether a label reads as a number."""
    try:
        float(label)
    except ValueError:
        return False
    return True


def as_it_stands(comparison: GroupComparison) -> str:
    """Say that the plan is fixed, and which of its steps use p-values."""
    plan, but = comparison.plan, []
    if plan.gate == "omnibus" and comparison.scores.n_algorithms > 2:
        but.append("the planned gatekeeping")
    if plan.blocks == "folds-of-datasets":
        but.append("counting wins at p ≤ alpha")
    return _fixed(*but)


@states
def _fixed(*but: str) -> str:
    apart = f" except {wording.listing(but)}" if but else ""
    return (
        f"Tests of no difference are two-sided. No step of the plan depends on a "
        f"p-value{apart}."
    )


def f_alone(comparison: GroupComparison) -> list[str]:
    """Say that a correction of F's degrees of freedom corrects no pairs."""
    form = comparison.plan.mean_test
    return [] if form == "anova" else [_of_f(form)]


@states
def _of_f(form: MeanTest) -> str:
    return (
        f"{form.title()} corrects the omnibus test only. Pairwise comparisons with the "
        f"model's error assume equal variance of all differences."
    )

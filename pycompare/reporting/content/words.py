"""Sentences that analyses share, each in one place."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import number
from pycompare.base.made_rows import MadeRows
from pycompare.data.scores import Scores
from pycompare.designs.analysis import ComparedPairs
from pycompare.designs.decisions import (
    Decision,
    Decisions,
    smallest_p_values,
    trials,
    unable,
)
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.one_pair import OnePair
from pycompare.designs.pair_methods import FLIPS, MOST_EXHAUSTIVE, short_title
from pycompare.designs.plans.fields import Gatekeeping
from pycompare.methods.pairs.clustered_signed_rank_pairs import (
    ClusteredSignedRankPairsResult,
)
from pycompare.methods.pairs.max_t import MaxTResult
from pycompare.methods.pairs.signed_rank_pairs import SignedRankPairsResult
from pycompare.methods.pairs.superiority import SuperiorityResult
from pycompare.methods.ranks.pairs import RankPairsResult
from pycompare.reporting.content import wording
from pycompare.reporting.content.facts import stated
from pycompare.results.guarantees import dependence_limits
from pycompare.results.pair_rows import marks
from pycompare.results.result import Pairs, PairsResult, Test, rejected

_MANY_NAMES = 12
"""More pairs than these are counted, not named."""
FEW = 10
AMONG = (
    "Mean ranks depend on all algorithms that are compared. An algorithm with a better "
    "mean rank can be worse than the other on most {}."
)
AMONG_THESE = AMONG.format("data sets")
GAPS = "Cells are missing; their absence is assumed to be unrelated to the score."
NOT_EQUALITY = "A non-significant comparison does not show equality."
EACH = "raw p-values, which the methods below adjust"
ONE_PAIR = "There is one pair for each metric, so p-values are not adjusted."
_EXHAUSTIVE = (
    "Bergmann-Hommel tests which hypotheses can be true together. Two pairs with the "
    "same raw p-value may therefore have different adjusted p-values."
)
_MONOTONE = " Here they are made to rise with the raw ones (monotone)."
_BLOCKS_LOST = (
    "{dropped} of {every} blocks are dropped because cells are missing. The "
    "conclusions concern the other {kept}, and all only if missing cells are unrelated "
    "to the score."
)
_CELLS_LOST = (
    "{missing} of {every} cells are missing. The conclusions are based on the others."
)
_CELLS_WORST = "{missing} of {every} cells are missing and treated as the worst score."
_BY_SIZE = (
    "The pairwise test was chosen by the size of the table ({n_datasets} data sets, "
    "{n_algorithms} algorithms), not by the scores."
)
_FEW = (
    "{n} {nouns} are few. An exact sign or Wilcoxon test of them has no two-sided "
    "p-value below {smallest:g} before adjustment, and approximate p-values are rough."
)
_OF_F = (
    "{form} corrects the omnibus test only. Pairwise comparisons with the model's "
    "error assume equal variance of all differences."
)


def not_equality(comparison: GroupComparison) -> list[str]:
    """Warn that differences without significance do not show equality."""
    every = (Decisions.of(analysis.decisions) for analysis in comparison.analyses)
    return [] if all(each.rejected.all() for each in every) else [NOT_EQUALITY]


def some_pairs(pairs: Sequence[str]) -> str:
    """Name pairs, or count them if they are many."""
    if len(pairs) > _MANY_NAMES:
        return f"{len(pairs)} pairs"
    return wording.listing(pairs, _MANY_NAMES)


def untested(analysis: ComparedPairs) -> bool:
    """Return whether no pair could be tested."""
    return bool(np.isnan(Decisions.of(analysis.decisions).p_adjusted).all())


def nothing_tested(test: Test, which: int = 0) -> list[str]:
    """Return the reason why nothing can be tested, by one of the notes of the test."""
    return [f"Reason: {test.notes[which]}."]


def out_of_reach(
    test: str,
    decisions: Sequence[Decision],
    exact: Pairs | SuperiorityResult,
    alpha: float,
    block: str,
) -> Iterator[str]:
    """Yield which pairs an exact test of so few blocks cannot find significant."""
    decided, cannot = Decisions.of(decisions), unable(exact, alpha)
    pairs = decided.rows.take(marks(cannot, decided.rows)).labels
    if not pairs:
        return
    table, least_of = exact.as_columns(), smallest_p_values(exact)
    out = ~rejected(least_of, alpha)
    smallest = float(np.fmin.reduce(least_of[out]))
    if isinstance(exact, OnePair):
        used = exact.n_used or 0
    elif isinstance(exact, ClusteredSignedRankPairsResult):
        used = len(set(exact.clusters))
    elif isinstance(exact, RankPairsResult | MaxTResult | SignedRankPairsResult):
        used = len(exact.blocks.values)
    else:
        used = int(trials(table.where(out)).max())
    least = number(smallest, 2)
    names = some_pairs(MadeRows(len(pairs), lambda row: " – ".join(pairs[row])))
    named = f" for {names}" * (len(pairs) < len(decisions))
    yield (
        f"{test} cannot reach significance{named}: {counted(used, block)} "
        f"{'counts' if used == 1 else 'count'}, and the smallest possible adjusted "
        f"p-value is {least}."
    )


def at_odds(analysis: ComparedPairs, test: Test | None, alpha: float) -> Iterator[str]:
    """Yield a note if the omnibus test and the pairs disagree."""
    two = len(analysis.decisive.algorithms) == 2
    if test is None or two or math.isnan(test.p_value):
        return
    any_pair = bool(Decisions.of(analysis.decisions).rejected.any())
    if any_pair == test.rejected(alpha):
        return
    if any_pair:
        yield (
            "The omnibus test is not significant although a pair is. Both tests belong "
            "to the analysis; report both."
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


def gate(gate: Gatekeeping, test: str = "the omnibus test") -> str:
    """Return whether pairs wait for the omnibus test."""
    if gate == "none":
        return (
            f"Pairwise tests are run whether or not {test} is significant (gate = "
            f"none)."
        )
    return (
        f"As specified (gate = omnibus), a pair is significant only if {test} is. Its "
        f"adjusted p-value is the larger of the two; R repeats each separately."
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
    """Return assumptions of the adjustments that pairs of one table may not satisfy."""
    return [
        f"{short_title(name)}: {limit}"
        for name in comparison.plan.adjust
        for limit in dependence_limits(name)
    ]


def so_many(comparison: GroupComparison) -> list[str]:
    """Return which default method is omitted, because algorithms are too many."""
    plan, count = comparison.plan, comparison.scores.n_algorithms
    if count <= MOST_EXHAUSTIVE or plan.control is not None:
        return []
    if plan.adjust != replace(plan, adjust=(), seed=None).for_size(1, count).adjust:
        return []
    return [
        f"With over {MOST_EXHAUSTIVE} algorithms, Holm replaces Bergmann-Hommel by "
        f"default for all but mean ranks, since it may take hours. The number of "
        f"algorithms alone decides this."
    ]


def exact_form(comparison: GroupComparison) -> list[str]:
    """Return which form of Bergmann-Hommel is used, if it is."""
    plan = comparison.plan
    text = _EXHAUSTIVE + _MONOTONE * plan.monotone
    return [text] if "bergmann-hommel" in plan.adjust else []


def gaps(scores: Scores) -> list[str]:
    """Return how much of the table is missing from the conclusion."""
    gone = scores.dropped
    if gone.blocks:
        n, kept = len(gone.blocks), scores.n_blocks
        return [stated(_BLOCKS_LOST, dropped=n, every=n + kept, kept=kept)]
    if gone.cells:
        lost = _CELLS_WORST if scores.missing == "worst" else _CELLS_LOST
        return [stated(lost, missing=len(gone.cells), every=scores.values.size)]
    return []


def doubts(scores: Scores) -> list[str]:
    """Ask about a table that looks transposed, or without its header."""
    questions = []
    if scores.n_algorithms > scores.n_blocks:
        questions.append(
            "There are more algorithms than blocks: is the table transposed?"
        )
    if all(map(_is_number, scores.algorithms)):
        questions.append("All algorithms have numbers as names: is a header missing?")
    return questions


def chosen_by_size(comparison: GroupComparison, decisive: PairsResult) -> str:
    """Return a note if the size of the table alone chose the comparison of pairs."""
    asked, scores = comparison.asked, comparison.compared
    if asked.adjust != asked.defaults or decisive.called not in FLIPS:
        return ""
    n, many = scores.n_blocks, scores.n_algorithms
    return stated(_BY_SIZE, n_datasets=n, n_algorithms=many)


def is_permuted(test: Test | None) -> bool:
    """Return whether the p-value of a test is of random permutations."""
    return test is not None and test.p_source == "permutation"


def few(n: int, noun: str = "data set") -> list[str]:
    """Return what so few data sets, or clusters, cannot show."""
    smallest = 0.5 ** (n - 1)
    if n >= FEW:
        return []
    return [stated(_FEW, n=n, nouns=f"{noun}s", smallest=smallest)]


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True


def as_it_stands(comparison: GroupComparison) -> str:
    """Return a note that the plan is fixed, and which of its steps use p-values."""
    plan, but = comparison.plan, []
    if plan.gate == "omnibus" and comparison.scores.n_algorithms > 2:
        but.append("gatekeeping")
    if plan.design.nested:
        but.append("counting wins at p ≤ alpha")
    apart = f" except {wording.listing(but)}" if but else ""
    return (
        f"Tests of no difference are two-sided. No step of the plan depends on a "
        f"p-value{apart}."
    )


def f_alone(comparison: GroupComparison) -> list[str]:
    """Return a note that a correction of F's degrees of freedom corrects no pairs."""
    form = comparison.plan.mean_test
    return [] if form == "anova" else [stated(_OF_F, form=form.title())]

"""Sentences about all metrics together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from pycompare.analyses.error_rates import error_rate, of_blocks
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multivariate import Together
from pycompare.formatting.numbers import degrees
from pycompare.formatting.rounding import fixed
from pycompare.linear.manova import ManovaResult
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content.build import by_evidence
from pycompare.reporting.content.wording import begun, count, listing, sentence, value
from pycompare.reporting.document import Inline, Strong, plain
from pycompare.reporting.document.columns import p_equals
from pycompare.results import rejected

INDEPENDENT = (
    "The tests of several metrics assume independent folds, so their p-values are too "
    "small."
)
_MOST_PAIRS = 12
"""More pairs than these are counted, not named."""


@dataclass(frozen=True, kw_only=True)
class VectorFacts:
    """What is decided about the mean vectors of the algorithms."""

    metrics: tuple[str, ...]
    test: ManovaResult | None
    alpha: float
    # Whether equal mean vectors are rejected; None where that is not tested.
    differ: bool | None
    # Pairs whose mean vectors differ, strongest evidence first; those without a test.
    significant: tuple[tuple[str, str], ...]
    untested: tuple[tuple[str, str], ...]
    n_pairs: int


def facts(found: Together, alpha: float) -> VectorFacts:
    """Return what is decided."""
    test, n = found.manova, 0
    significant: list[tuple[str, str]] = []
    untested: list[tuple[str, str]] = []
    if found.pairs is not None:
        table = by_evidence(found.pairs.table)
        marked = rejected(table["p_adjusted"], alpha)
        significant = _named_in(table[marked])
        untested = _named_in(table[table["p_adjusted"].isna()])
        n = len(table)
    tested = test is not None and not math.isnan(test.p_value)
    return VectorFacts(
        metrics=found.metrics,
        test=test,
        alpha=alpha,
        differ=test.rejected(alpha) if test is not None and tested else None,
        significant=tuple(significant),
        untested=tuple(untested),
        n_pairs=n,
    )


def _named_in(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the two algorithms of each row."""
    return [(str(r.algorithm_1), str(r.algorithm_2)) for r in rows.itertuples()]


def answer(found: VectorFacts) -> Inline:
    """Return whether the algorithms differ in several metrics at once."""
    names, test = listing(found.metrics), found.test
    if found.differ is None or test is None:
        head, end = f"No difference in {names} together can be tested", "."
        if test is None:
            head = f"The algorithms were not compared in {names} together"
    else:
        head = (
            f"The algorithms differ significantly in {names} together"
            if found.differ
            else f"The algorithms do not differ significantly in {names} together"
        )
        how = "" if test.wilks.exact else ", approximate"
        end = (
            f" (Wilks' Lambda = {value(test.wilks.statistic)}, F({degrees(test.df)}) = "
            f"{value(test.wilks.f)}{how}, {p_equals(test.p_value, found.alpha)})."
        )
    return (Strong(head), end + _tally(found))


def _tally(found: VectorFacts) -> str:
    """Count the pairs whose mean vectors differ."""
    n, every = len(found.significant), found.n_pairs
    if not every:
        return ""
    if not n:
        return f" None of the {count(every)} pairs of mean vectors differs."
    if n == every:
        return f" So do all {count(every)} pairs of mean vectors."
    verb = "differs" if n == 1 else "differ"
    return f" {begun(count(n))} of the {count(every)} pairs of mean vectors {verb}."


def method(comparison: GroupComparison, found: Together) -> str:
    """Return how the answer was found."""
    parts = []
    if found.manova is not None:
        parts.append(f"multivariate analysis of variance, blocked by {found.blocks}")
    if found.pairs is not None:
        plan, pairs = comparison.plan, found.pairs
        rate = error_rate(pairs, plan, of_blocks(plan)).stated(plan.alpha)
        parts.append(
            f"{pairs.method}, {short_title(pairs.adjust)} adjustment, over "
            f"{pairs.family}. {begun(rate)}"
        )
    return f"Method: {'. '.join(map(begun, parts))}." if parts else ""


def remarks(found: Together, facts: VectorFacts) -> list[str]:
    """Return what a reader must know besides the answer."""
    test = found.manova
    made = []
    if facts.significant:
        pairs = some(facts.significant)
        made.append(f"Pairs with significantly different mean vectors: {pairs}.")
    if facts.untested:
        made.append(f"Not tested: {some(facts.untested)}; the table gives the reasons.")
    if test is not None and facts.differ is None:
        made.append(sentence(f"reason: {test.notes[-1]}"))
    elif test is not None:
        made += [_dimension(test), *_at_odds(test, facts), *_line(test)]
    if test is not None:
        made += [*_gaps(test), *dependencies(test)]
    tested = test is not None or found.permutation is not None or facts.n_pairs
    if found.blocks == "folds" and tested:
        made.append(INDEPENDENT)
    return [*made, *(f"Not computed: {reason}." for reason in found.refusals)]


def some(pairs: tuple[tuple[str, str], ...]) -> str:
    """Name pairs, or count them where they are many."""
    if len(pairs) > _MOST_PAIRS:
        return f"{len(pairs)} pairs"
    return "; ".join(map(" – ".join, pairs))


def _gaps(test: ManovaResult) -> Iterator[str]:
    """Count the cells that the tests of all metrics leave out."""
    present = test.responses.design.present
    absent = int((~present).sum())
    if absent:
        yield (
            f"{absent} of {present.size} cells lack one of the metrics and are left "
            f"out here."
        )


def dependencies(test: ManovaResult) -> Iterator[str]:
    """Name the metrics that are determined by those before them."""
    if test.dropped:
        told = "; ".join(found.text for found in test.dropped)
        kept = f"The test uses {listing(test.kept)}" if test.kept else "None is left"
        yield (
            f"Left out, because the other metrics determine them: {told}. {kept} (rank "
            f"{test.rank} of {len(test.metrics)})."
        )


def _dimension(test: ManovaResult) -> str:
    """Say in how many dimensions the mean vectors differ."""
    sizes = test.dimensionality
    n = len(sizes.table)
    how = f"(Bartlett's test, alpha = {sizes.alpha:g})"
    if not sizes.dimension:
        return f"The mean vectors differ significantly in no dimension {how}."
    return (
        f"The mean vectors differ significantly in {count(sizes.dimension)} of "
        f"{count(n)} {'dimension' if n == 1 else 'dimensions'} {how}."
    )


def _at_odds(test: ManovaResult, facts: VectorFacts) -> Iterator[str]:
    """Say so where two approximations of one statistic disagree."""
    if bool(test.dimension) != facts.differ:
        yield (
            "The F approximation of Wilks' Lambda is the primary test. The chi-squared "
            "one, which gives the number of dimensions, is on the other side of alpha."
        )


def _line(test: ManovaResult) -> Iterator[str]:
    """Say so where the mean vectors lie close to one line."""
    found = test.canonical
    if len(found.eigenvalues) > 1 and found.collinear and test.dimension:
        share = fixed(100 * found.share.iloc[0], 1)
        yield (
            f"The first canonical variate holds {share}% of "
            f"the differences: the mean vectors lie close to one line."
        )


def agreement(found: Together, alpha: float) -> str:
    """Say whether the permutation test agrees with the primary one."""
    test, planned = found.permutation, found.manova
    if test is None or planned is None or math.isnan(test.p_value):
        return ""
    if test.rejected(alpha) == planned.rejected(alpha):
        return "It agrees with the primary test."
    return "It disagrees with the primary test, which remains the primary analysis."


def sentences(comparison: GroupComparison, found: Together) -> list[str]:
    """Return everything that is stated, as plain sentences."""
    told = facts(found, comparison.plan.alpha)
    test = found.permutation
    sensitivity = []
    if test is not None and not math.isnan(test.p_value):
        sensitivity = [
            f"Sensitivity analysis, {test.name}: "
            f"{p_equals(test.p_value, comparison.plan.alpha)}. "
            f"{agreement(found, comparison.plan.alpha)}".strip()
        ]
    return [
        plain(answer(told)),
        method(comparison, found),
        *remarks(found, told),
        *sensitivity,
    ]

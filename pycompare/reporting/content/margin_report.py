"""Equivalence and non-inferiority of pairs as a page reports them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Union

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import Table
from pycompare.designs.analysis import Analysis
from pycompare.designs.error_rates import of_margin
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.plans.post_hoc import short_title
from pycompare.reporting.content import build
from pycompare.reporting.content.build import (
    PAIR,
    Field,
    Method,
    by_evidence,
    limits_of,
    table,
)
from pycompare.reporting.content.facts import stated
from pycompare.reporting.content.wording import begun, listing
from pycompare.reporting.content.words import some_pairs
from pycompare.reporting.document import Fold, fold

_MEANS = " The tests compare the means of the data sets."
_PLANNED = (
    "{what} is tested, too, by one-sided {test} tests against the margin "
    "({at}){adjusted}. {rate}"
)
_EACH = " Each metric has alpha = {alpha:g} of its own."


if TYPE_CHECKING:
    from pycompare.methods.pairs.equivalence import EquivalenceResult
    from pycompare.methods.pairs.equivalence_pairs import MarginPairsResult

Found = Union["MarginPairsResult", "EquivalenceResult"]


def _margin_tests(comparison: GroupComparison) -> Iterator[Found]:
    """Yield the tests of all metrics that have a margin."""
    for analysis in comparison.analyses:
        of_two: Found | None = getattr(analysis, "equivalence", None)
        found = analysis.within_margin if of_two is None else of_two
        if found is not None:
            yield found


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Say what is tested against a margin, if anything is."""
    found = list(_margin_tests(comparison))
    if not found:
        return []
    from pycompare.methods.pairs.equivalence_pairs import MarginPairsResult

    [first, *_] = found
    margins = listing([f"{one.metric} {margin_text(one)}" for one in found])
    what = "Equivalence"
    if first.kind == "non-inferiority":
        what = f"Non-inferiority to {comparison.plan.control}"
    adjusted = ""
    if isinstance(first, MarginPairsResult):
        family = "the pairs of a metric" if first.adjusted_here else first.family
        adjusted = f", with {short_title(first.adjust)} adjustment over {family}"
    over = _MEANS if comparison.plan.blocks == "folds-of-datasets" else ""
    if comparison.plan.family != "all" and len(found) > 1:
        over += _EACH.format(alpha=first.alpha)
    rate = f"{_error_rate(comparison, first)}{over}"
    how = {"test": first.tests, "at": margins, "adjusted": adjusted}
    return [stated(_PLANNED, what=what, rate=rate, **how)]


def _error_rate(comparison: GroupComparison, found: Found) -> str:
    """Say at which error rate each one-sided test is made, and why."""
    alpha = comparison.plan.margin_error
    which, side = "Each one-sided test has", "one side of two-sided "
    why = f"by default half of alpha = {comparison.plan.alpha:g}; ICH E9, sec. 5.5"
    if found.kind == "equivalence":
        which, side = "Both one-sided tests have", ""
        why = "by default the alpha of the comparison"
    if comparison.asked.margin_alpha is not None:
        why = "as specified"
    return (
        f"{which} alpha = {alpha} (margin_alpha, {why}), which corresponds to {side}"
        f"{percent(1 - 2 * alpha)} intervals."
    )


def margin_text(found: Found) -> str:
    """Return the margins as an interval, or the one with its side."""
    ends = (found.margin_low, found.margin_high)
    low, high = (f"{end:.10g}".replace("-", "−") for end in ends)
    if found.kind == "equivalence":
        return f"[{low}, {high}]"
    return f"above {low}" if found.better == "higher" else f"below {high}"


def supported(found: MarginPairsResult) -> list[tuple[str, str]]:
    """Return the pairs that are within the margin, strongest evidence first."""
    rows = by_evidence(found.table[found.table["shown"]])
    return [(str(r.algorithm_1), str(r.algorithm_2)) for r in rows.itertuples()]


def sentences(analysis: Analysis) -> list[str]:
    """Say which pairs are within the margin, and how many are not shown to be."""
    found = analysis.within_margin
    if found is None:
        return []
    made, n = supported(found), len(found.table)
    untested = int(found.table["p_adjusted"].isna().sum())
    how = (
        f"({found.metric}, margin {margin_text(found)}, {short_title(found.adjust)} "
        f"adjustment, one-sided alpha = {found.alpha:g})"
    )
    both = found.kind == "equivalence"
    if untested == n:
        why = found.table["notes"].iloc[0]
        return [f"No pair can be tested against the margin {how}: {why}."]
    if not made:
        to = "pair is shown to be equivalent"
        if not both:
            to = f"algorithm is shown to be non-inferior to {found.control}"
        start = f"No {to} {how}"
    elif both:
        start = f"Equivalent: {some_pairs([' – '.join(p) for p in made])} {how}"
    else:
        verb = "is" if len(made) == 1 else "are"
        names = some_pairs([first for first, _ in made])
        start = f"{names} {verb} non-inferior to {found.control} {how}"
    rest = n - len(made) - untested
    others = f" Not shown for {counted(rest, 'other')}." if made and rest else ""
    lost = f" {counted(untested, 'pair')} cannot be tested." if untested else ""
    beware = f" {begun(found.caution)}." if made and found.caution else ""
    known = "".join(f" {begun(remark)}." for remark in found.remarks)
    told = f"{start}.{others}{lost}{beware}{known}"
    if known and not made:  # what cannot be shown is said first
        told = f"{known.strip()} {start}.{others}{lost}"
    return [told, *different_too(analysis, found.kind, made)]


def different_too(
    analysis: Analysis, kind: str, made: Sequence[tuple[str, str]]
) -> list[str]:
    """Say which pairs within the margin differ significantly as well.

    Non-inferiority says something besides only where the algorithm is the worse one.
    """
    first = {frozenset(pair): pair[0] for pair in made}
    both = [
        f"{one.better} – {one.worse}"
        for one in analysis.decisions
        if one.rejected
        and one.pair in first
        and (kind == "equivalence" or one.worse == first[one.pair])
    ]
    if not both:
        return []
    within = "equivalent" if kind == "equivalence" else "non-inferior"
    tests = analysis.within_margin
    quantity = "mean" if tests is None else tests.differences
    return [
        f"Both significantly different and {within}: {some_pairs(both)}. "
        + (
            "The typical ratio is not 1, but within the margin."
            if quantity == "ratio"
            else f"The {quantity} difference is not zero, but smaller than the margin."
        )
    ]


def blocks(analysis: Analysis) -> Iterator[Fold]:
    """Yield the table of pairs against the margin, folded."""
    found = analysis.within_margin
    if found is None:
        return

    def conclusion(row: Any) -> str:
        return "within the margin" if row.shown else row.notes or "not shown"

    as_ratios = found.differences == "ratio"
    larger = " (the larger of the two one-sided ones)" * (found.kind == "equivalence")
    made = table(
        f"{begun(found.method)}: {found.metric} ({found.better} is better), "
        f"{build.minus(found.table, float(as_ratios))}, margin "
        f"{margin_text(found)}. p-values{larger} are adjusted over {found.family}. "
        f"Bold: adjusted p ≤ {found.alpha:g}, so within the margin. "
        f"Intervals: {found.interval}{_agreement(found)}.",
        by_evidence(found.table),
        PAIR,
        Field("ratio" if as_ratios else "difference", "number", "estimate"),
        Field("interval", "interval", limits_of),
        Field("adjusted p", "p", "p_adjusted", found.alpha),
        Field("raw p", "p", "p_value"),
        Field("conclusion", "text", conclusion),
        file="within_margin",
    )
    yield fold(found.kind.capitalize(), made)


def _agreement(found: MarginPairsResult) -> str:
    """Say how intervals go with the adjusted decisions."""
    if found.intervals_agree:
        return "; each lies within the margin exactly if its pair is significant"
    return "; one may extend beyond the margin although the test is significant"


def method_rows(comparison: GroupComparison) -> list[Method]:
    """Return the tests against a margin with their error rates and sources."""
    found = list(_margin_tests(comparison))
    if not found:
        return []
    from pycompare.methods.pairs.equivalence_pairs import MarginPairsResult

    return [
        (one.method, of_margin(one, comparison.plan).text, one.reference)
        for one in found
        if isinstance(one, MarginPairsResult)
    ]


def csv_tables(analysis: Analysis) -> dict[str, Table]:
    """Return the table for a CSV file, full precision."""
    return build.frames(within_margin=analysis.within_margin)

"""Equivalence and non-inferiority of pairs as a page tells of them."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.two_algorithms import TwoAnalysis
from pycompare.formatting.counts import counted
from pycompare.formatting.numbers import number, percent
from pycompare.pairs.equivalence import EquivalenceResult
from pycompare.pairs.equivalence_pairs import EquivalencePairsResult
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content.error_rates import of_margin
from pycompare.reporting.content.words import listing, some_pairs
from pycompare.reporting.page.section import Part, present
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    Cell,
    Table,
    interval,
    label,
    number_cell,
    p_cell,
    raw_p,
    shortened,
)

MEANS = " They compare the means of the data sets."
APART = (
    " It is not in the family of the verdict (family = all): each metric, and each "
    "group, has that alpha of its own here, its intervals too."
)
EACH = " Each metric has an error rate of {alpha} of its own here."


Found = EquivalencePairsResult | EquivalenceResult


def margin_tests(comparison: GroupComparison) -> Iterator[Found]:
    """Yield the tests of all metrics that have a margin."""
    for analysis in comparison.analyses:
        if isinstance(analysis, TwoAnalysis) and analysis.equivalence is not None:
            yield analysis.equivalence
        elif analysis.within_margin is not None:
            yield analysis.within_margin


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Say what is tested against a margin, if anything is."""
    found = list(margin_tests(comparison))
    if not found:
        return []
    [first, *_] = found
    margins = listing([f"{one.metric} {margin_text(one)}" for one in found])
    what = "Equivalence"
    if first.kind == "non-inferiority":
        what = f"Non-inferiority to {comparison.plan.control}"
    adjusted = (
        f", {short_title(first.adjust)} adjusted over the pairs of a metric"
        if isinstance(first, EquivalencePairsResult)
        else ""
    )
    t = "t" if first.n_train is None else "corrected resampled t"
    over = MEANS if comparison.plan.blocks == "folds-of-datasets" else ""
    if comparison.plan.family == "all":
        over += APART
    elif len(found) > 1:
        over += EACH.format(alpha=first.alpha)
    return [
        f"{what} is tested too, by one-sided {t} tests against the margin in the "
        f"metric's own unit ({margins}){adjusted}. It is a question of its own. "
        f"{error_rate(comparison, first)}{over}"
    ]


def error_rate(comparison: GroupComparison, found: Found) -> str:
    """Say at which error rate each one-sided test is made, and why."""
    planned = comparison.asked.margin_alpha is not None
    alpha = comparison.plan.margin_error
    two_sided = percent(1 - 2 * alpha)
    if found.kind == "equivalence":
        why = "as planned" if planned else "by default the alpha of the comparison"
        return (
            f"Each of its two one-sided tests has alpha = {alpha} (margin_alpha, "
            f"{why}), which goes with {two_sided} intervals."
        )
    why = (
        "as planned"
        if planned
        else f"by default half of alpha = {comparison.plan.alpha}, as regulators "
        f"expect (ICH E9, sec. 5.5)"
    )
    return (
        f"The one-sided tests have alpha = {alpha} (margin_alpha, {why}), which goes "
        f"with one side of two-sided {two_sided} intervals."
    )


def margin_text(found: Found) -> str:
    """Return the margins as an interval, or the one with its side."""
    low, high = number(found.margin_low), number(found.margin_high)
    if found.kind == "equivalence":
        return f"[{low}, {high}]"
    return f"above {low}" if found.better == "higher" else f"below {high}"


def sentences(analysis: Analysis) -> list[str]:
    """Say which pairs are shown to be within the margin, and how many are not."""
    found = analysis.within_margin
    if found is None:
        return []
    shown = found.table[found.table["shown"]]
    names = (
        [f"{r.algorithm_1} – {r.algorithm_2}" for r in shown.itertuples()]
        if found.kind == "equivalence"
        else [str(r.algorithm_1) for r in shown.itertuples()]
    )
    what = (
        f"Equivalence of {found.metric} within {margin_text(found)}"
        if found.kind == "equivalence"
        else f"Non-inferiority to {found.control} in {found.metric}, difference "
        f"{margin_text(found)}"
    )
    how = f"{short_title(found.adjust)} adjusted p"
    none = int(found.table["p_adjusted"].isna().sum())
    untested = f"; {none} of them cannot be tested" if none else ""
    rest = len(found.table) - len(names)
    if none == rest and not names:
        return [f"{what}: cannot be tested for any of {counted(rest, 'pair')}."]
    if not names:
        return [f"{what}: shown for none ({how} > {found.alpha}{untested})."]
    others = f"; not shown for the other {rest}{untested}" if rest else ""
    return [
        f"{what}: shown for {some_pairs(names)} ({how} ≤ {found.alpha}){others}.",
        *different_too(analysis, found.kind, shown[["algorithm_1", "algorithm_2"]]),
    ]


def different_too(analysis: Analysis, kind: str, shown: pd.DataFrame) -> list[str]:
    """Say which pairs within the margin differ significantly as well.

    Non-inferiority says something beside that only where the algorithm is the worse
    one.
    """
    first = {frozenset(row): row[0] for row in shown.itertuples(index=False)}
    both = [
        made
        for made in analysis.decisions
        if made.rejected
        and made.pair in first
        and (kind == "equivalence" or made.worse == first[made.pair])
    ]
    if not both:
        return []
    pairs = some_pairs([f"{made.better} – {made.worse}" for made in both])
    one = len(both) == 1
    within = "equivalent" if kind == "equivalence" else "non-inferior"
    return [
        f"Significantly different and {within} at once: {pairs}. Both hold: there "
        f"{'is a difference' if one else 'are differences'}, and the mean "
        f"{'difference is' if one else 'differences are'} smaller than the margin."
    ]


def parts(analysis: Analysis) -> list[Part]:
    """Return the table of pairs against the margin."""
    found = analysis.within_margin
    if found is None:
        return []
    ordered = found.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    rows = tuple(
        (
            label(f"{row.algorithm_1} – {row.algorithm_2}"),
            number_cell(row.estimate),
            interval(row.conf_low, row.conf_high),
            raw_p(row.p_value),
            p_cell(row.p_adjusted, found.alpha),
            Cell("shown" if row.shown else row.notes or "not shown"),
        )
        for row in ordered.itertuples()
    )
    larger = ", the larger of both one-sided tests'," * (found.kind == "equivalence")
    caption = (
        f"{found.method}: {found.metric}, {found.better} is better, first minus second "
        f"algorithm, margin {margin_text(found)}; p{larger} is adjusted over "
        f"{found.family}. Intervals: {found.interval}, a single-step criterion: one "
        f"may reach beyond the margin where {short_title(found.adjust)} shows its "
        f"pair. Bold: at most alpha = {found.alpha}, so shown to be within "
        f"the margin."
    )
    table = Table(
        shortened(caption, rows, "within_margin"),
        ("Pair", "difference", "interval", "raw p", short_title(found.adjust), ""),
        rows[:MAX_ROWS],
    )
    title = "Equivalence" if found.kind == "equivalence" else "Non-inferiority"
    return [present(title, table)]


def method_rows(comparison: GroupComparison) -> list[tuple[str, str, str]]:
    """Return the tests against a margin with their error rates and sources."""
    return [
        (found.method, of_margin(found, comparison.plan).text, found.reference)
        for found in margin_tests(comparison)
        if isinstance(found, EquivalencePairsResult)
    ]


def csv_tables(analysis: Analysis) -> dict[str, pd.DataFrame]:
    """Return the table for a CSV file, full precision."""
    found = analysis.within_margin
    return {} if found is None else {"within_margin": found.to_frame()}

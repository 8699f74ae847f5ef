"""One family over metrics and groups, as a page reports it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pycompare.base.tables import AnyTable
from pycompare.designs.compare import Comparison, part_title
from pycompare.designs.decisions import Decision
from pycompare.designs.error_rates import error_rate, of_plan
from pycompare.designs.family import FamilyResult
from pycompare.designs.pair_methods import short_title
from pycompare.reporting.content.build import Field, table, tally
from pycompare.reporting.content.page import PageResult
from pycompare.reporting.content.wording import begun, count
from pycompare.reporting.document import FoldedSection, Inline, Strong, Table, plain
from pycompare.results.result import rejected

if TYPE_CHECKING:
    pass


_PREFIX = "family_"
Named = tuple[str | None, str, Decision]
"""Group, metric and the decisions about one pair."""


def result(comparison: Comparison) -> PageResult:
    """Return the result about the whole family."""
    first, *others = (f for f in comparison.families if not f.against_margin)
    groups = " and groups" if comparison.grouped else ""
    every = family_table(comparison, first)
    return PageResult(
        title=f"All metrics{groups} as one family",
        prefix=_PREFIX,
        answer=_answer(comparison),
        method=method(comparison),
        table=counts_table(comparison),
        blocks=(FoldedSection("All hypotheses of the family", (every,), "hypotheses"),),
        sensitivity=(sensitivity(comparison, others),) if others else (),
        tables=_csv_tables(comparison),
    )


def _decided(comparison: Comparison) -> list[Named]:
    """Return every decision of the family, strongest evidence first."""
    hypotheses = [
        (part.group, analysis.metric.name, decision)
        for part in comparison.parts
        for analysis in part.analyses
        for decision in analysis.decisions
    ]

    def evidence(hypothesis: Named) -> tuple[bool, float, float]:
        decision = hypothesis[2]
        untested = math.isnan(decision.p_adjusted)
        # NaN has no order: what could not be tested keeps its order, at the end.
        return (
            (True, 0, 0) if untested else (False, decision.p_adjusted, decision.p_value)
        )

    return sorted(hypotheses, key=evidence)


def _answer(comparison: Comparison) -> Inline:
    """Return how many pairs of the whole family differ significantly."""
    every = _decided(comparison)
    n = sum(decision.rejected for _, _, decision in every)
    many = "no" if not n else "all" if n == len(every) else count(n)
    of = f" {len(every)}" if n == len(every) else f" of the {len(every)}" * bool(n)
    verb = "is" if n < 2 else "are"
    noun = "comparison" if not n else "comparisons"
    where = "all metrics" + (" and groups" if comparison.grouped else "")
    head = f"{begun(many)}{of} pairwise {noun} of {where} {verb} significant"
    return (Strong(head), ".")


def method(comparison: Comparison) -> str:
    """Return how the family is adjusted, and its error rate."""
    first, plan = comparison.families[0], comparison.plan
    decisive = comparison.parts[0].analyses[0].decisive
    rate = error_rate(decisive, plan, of_plan(plan)).stated(plan.alpha)
    gate = (
        " A pair is significant only if the omnibus test of its table is, too."
        if plan.gate == "omnibus"
        else ""
    )
    return (
        f"Method: {first.method}, {short_title(first.adjust[0])} adjustment over "
        f"{first.family}. {begun(rate)}.{gate}"
    )


def sentences(comparison: Comparison) -> list[str]:
    """Return everything that is stated about the family, as plain sentences."""
    return [plain(_answer(comparison)), method(comparison), *_by_part(comparison)]


def _by_part(comparison: Comparison) -> list[str]:
    """Count the significant pairs of each group and metric."""
    if not comparison.grouped:
        return []
    return [
        f"{part_title(part.group)}: "
        + "; ".join(
            f"{sum(d.rejected for d in analysis.decisions)} of "
            f"{len(analysis.decisions)} significant in {analysis.metric.name}"
            for analysis in part.analyses
        )
        + "."
        for part in comparison.parts
    ]


def family_table(comparison: Comparison, family: FamilyResult) -> Table:
    """Return every hypothesis with raw and adjusted p-values."""
    alpha = comparison.plan.alpha
    known = {
        (row.group, row.metric, frozenset((row.algorithm_1, row.algorithm_2))): row
        for row in family.as_columns().itertuples()
    }

    def adjusted(name: str) -> Field:
        def p(hypothesis: Named) -> float:
            p_value: float = getattr(
                known[hypothesis[0], hypothesis[1], hypothesis[2].pair], f"p_{name}"
            )
            return p_value

        return Field(short_title(name), "p", p, alpha)

    gated = comparison.plan.gate == "omnibus"
    primary = Field(
        "adjusted p", "p", lambda hypothesis: hypothesis[2].p_adjusted, alpha
    )
    group = Field("Group", "text", lambda hypothesis: part_title(hypothesis[0]))
    which = (
        f"Adjusted p is the larger of {short_title(family.adjust[0])}'s and that of "
        f"the omnibus test."
        if gated
        else "The first adjustment is the primary one."
    )
    return table(
        f"Every hypothesis of {family.family}: {family.method}, two-sided. Bold: p ≤ "
        f"{alpha:g}. {which}",
        _decided(comparison),
        Field(
            "Pair, the better first", "label", lambda hypothesis: _pair(hypothesis[2])
        ),
        *([primary] if gated else []),
        *map(adjusted, family.adjust),
        Field("metric", "text", lambda hypothesis: hypothesis[1]),
        *([group] if comparison.grouped else []),
        Field("raw p", "p", lambda hypothesis: hypothesis[2].p_value),
        file="pairs",
    )


def _pair(decision: Decision) -> str:
    """Name a pair, the better one first."""
    return f"{decision.better} – {decision.worse}"


def counts_table(comparison: Comparison) -> Table:
    """Return how many pairs are significant in each group, in each metric."""
    every = _decided(comparison)
    total = Counter((group, metric) for group, metric, _ in every)
    significant = Counter((group, metric) for group, metric, d in every if d.rejected)

    def of(metric: str) -> Field:
        def value(group: str | None) -> Inline:
            return tally(significant[group, metric], total[group, metric])

        return Field(metric, "digits", value)

    metrics = [analysis.metric.name for analysis in comparison.parts[0].analyses]
    title = "Group" if comparison.grouped else "Data"
    return table(
        "Significant pairs in each metric"
        + " of each group" * comparison.grouped
        + ".",
        [part.group for part in comparison.parts],
        Field(
            title,
            "label",
            lambda g: part_title(g) if comparison.grouped else "all data sets",
        ),
        *map(of, metrics),
    )


def sensitivity(comparison: Comparison, others: Sequence[FamilyResult]) -> Table:
    """Return the other comparisons, each adjusted over all tables too."""
    alpha = comparison.plan.alpha

    def significant(family: FamilyResult) -> Inline:
        p = family.as_columns()["p_adjusted"]
        return tally(int(rejected(p, alpha).sum()), len(p))

    return table(
        "Other comparisons of the same pairs, each adjusted over all tables as one "
        "family. Significant: by the first adjustment.",
        others,
        Field("Tests", "label", "method"),
        Field("significant", "digits", significant),
        Field(
            "adjustment",
            "text",
            lambda family: ", ".join(map(short_title, family.adjust)),
        ),
    )


def _csv_tables(comparison: Comparison) -> dict[str, AnyTable]:
    first, *others = (f for f in comparison.families if not f.against_margin)
    margins = [family for family in comparison.families if family.against_margin]
    families = {"pairs": first}
    families |= {f"beside_{i}": family for i, family in enumerate(others, start=1)}
    families |= {f"margins_{i}": family for i, family in enumerate(margins, start=1)}
    without = () if comparison.grouped else ("group",)
    return {n: family.as_columns().but(*without) for n, family in families.items()}

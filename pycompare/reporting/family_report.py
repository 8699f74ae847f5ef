"""One family over metrics and groups, as a page tells it."""

from __future__ import annotations

import math
from collections import Counter

import pandas as pd

from pycompare.analyses.compare import Comparison, part_title
from pycompare.analyses.decisions import Decision
from pycompare.analyses.family import FamilyResult
from pycompare.formatting.counts import are
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content.error_rates import error_rate, of_blocks
from pycompare.reporting.content.words import direction, pair
from pycompare.reporting.page.section import Section, present
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    Cell,
    Table,
    label,
    p_cell,
    raw_p,
    shortened,
)
from pycompare.results import rejected

Named = tuple[str | None, str, Decision]
"""Group, metric and what is decided about one pair."""


def section(comparison: Comparison) -> Section:
    """Return the section about the whole family."""
    first, *beside = comparison.families
    return Section(
        title="all metrics" + (" and groups" if comparison.grouped else ""),
        prefix="family_",
        verdict=tuple(verdict_sentences(comparison)),
        parts=(
            present("The whole family", family_table(comparison, first)),
            present(
                "Rejected by group and metric"
                if comparison.grouped
                else "Rejected by metric",
                counts_table(comparison),
            ),
            *(
                [present("Beside the verdict", beside_table(comparison))]
                if beside
                else []
            ),
        ),
        figures=(),
        tables=csv_tables(comparison),
        not_in_r=(),
    )


def decided(comparison: Comparison) -> list[Named]:
    """Return every decision of the family, strongest evidence first."""
    found = [
        (part.group, analysis.metric.name, made)
        for part in comparison.parts
        for analysis in part.analyses
        for made in analysis.decisions
    ]

    def evidence(one: Named) -> tuple[bool, float, float]:
        made = one[2]
        untested = math.isnan(made.p_adjusted)
        # NaN has no order: what could not be tested stays as it stands, at the end.
        return (True, 0, 0) if untested else (False, made.p_adjusted, made.p_value)

    return sorted(found, key=evidence)


def verdict_sentences(comparison: Comparison) -> list[str]:
    """Return the verdict on the whole family."""
    alpha, first = comparison.plan.alpha, comparison.families[0]
    made = [named for named in decided(comparison) if named[2].rejected]
    compared = comparison.parts[0].analyses[0].compared()
    [decisive, *_] = next(iter(compared.values()))
    rate = error_rate(decisive, comparison.plan, of_blocks(comparison.plan))
    gate = (
        ", where the test of all algorithms of the table rejects as well"
        if comparison.plan.gate == "omnibus"
        else ""
    )
    start = (
        f"{len(made)} of {len(first.table)} differences {are(len(made))} significant "
        f"at {alpha} by {short_title(first.adjust[0])} over {first.family}{gate} "
        f"({rate.brief(alpha)})."
    )
    return [start, *by_part(comparison)]


def by_part(comparison: Comparison) -> list[str]:
    """Say of each group on which metrics pairs differ."""
    if not comparison.grouped:
        return []
    return [
        f"{part_title(part.group)}: "
        + "; ".join(
            f"{sum(d.rejected for d in analysis.decisions)} of "
            f"{len(analysis.decisions)} in {direction(analysis.metric)}"
            for analysis in part.analyses
        )
        + "."
        for part in comparison.parts
    ]


def family_table(comparison: Comparison, family: FamilyResult) -> Table:
    """Return every hypothesis with raw and adjusted p-values."""
    alpha = comparison.plan.alpha
    columns = [f"p_{name}" for name in family.adjust]
    known = {
        (row.group, row.metric, frozenset((row.algorithm_1, row.algorithm_2))): row
        for row in family.table.itertuples()
    }
    gated = comparison.plan.gate == "omnibus"
    rows = tuple(
        (
            *([label(part_title(group))] if comparison.grouped else []),
            label(metric),
            label(pair(made)),
            raw_p(made.p_value),
            *([p_cell(made.p_adjusted, alpha)] if gated else []),
            *(
                p_cell(getattr(known[group, metric, made.pair], column), alpha)
                for column in columns
            ),
        )
        for group, metric, made in decided(comparison)
    )
    header = (
        *(("Group",) if comparison.grouped else ()),
        *("Metric", "Pair, the better one first", "raw p"),
        *(("verdict",) if gated else ()),
        *map(short_title, family.adjust),
    )
    which = (
        f"The verdict is the larger p-value of {short_title(family.adjust[0])}'s and "
        f"that of the test of all algorithms."
        if gated
        else "The first adjustment makes the verdict."
    )
    caption = (
        f"Every hypothesis of {family.family}: {family.method}, two-sided. Adjusted "
        f"p-values over the whole family; bold: at most alpha = {alpha}. "
        f"{which}"
    )
    return Table(shortened(caption, rows, "family_pairs"), header, rows[:MAX_ROWS])


def counts_table(comparison: Comparison) -> Table:
    """Return how many pairs are rejected in each group, on each metric."""
    metrics = [analysis.metric.name for analysis in comparison.parts[0].analyses]
    found = Counter(
        (group, metric) for group, metric, d in decided(comparison) if d.rejected
    )
    every = Counter((group, metric) for group, metric, _ in decided(comparison))

    def cell(group: str | None, metric: str) -> Cell:
        return Cell(f"{found[group, metric]} of {every[group, metric]}")

    if not comparison.grouped:
        of_metrics = tuple((label(m), cell(None, m)) for m in metrics)
        caption = "Rejected pairs on each metric, by the verdict."
        return Table(caption, ("Metric", "rejected"), of_metrics)
    rows = tuple(
        (label(part_title(part.group)), *(cell(part.group, m) for m in metrics))
        for part in comparison.parts
    )
    caption = "Rejected pairs of each group on each metric, by the verdict."
    return Table(caption, ("Group", *metrics), rows)


def beside_table(comparison: Comparison) -> Table:
    """Return what stands beside the verdict: each adjusted over all tables too."""
    alpha = comparison.plan.alpha
    rows = tuple(
        (
            label(family.method),
            label(", ".join(map(short_title, family.adjust))),
            Cell(
                f"{int(rejected(family.table['p_adjusted'], alpha).sum())} of "
                f"{len(family.table)}"
            ),
        )
        for family in comparison.families[1:]
    )
    caption = (
        "Other comparisons of the same pairs, each adjusted over all tables "
        "as a family of its own: sensitivity analysis. Rejected: by the first "
        "adjustment."
    )
    return Table(caption, ("Tests", "Adjusted by", "rejected"), rows)


def csv_tables(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Return the families for CSV files, full precision."""
    first, *beside = comparison.families
    found = {f"beside_{i}": family.table for i, family in enumerate(beside, start=1)}
    tables = {"pairs": first.table, **found}
    if comparison.grouped:
        return tables
    return {name: table.drop(columns="group") for name, table in tables.items()}

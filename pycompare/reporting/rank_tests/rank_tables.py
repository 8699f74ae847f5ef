"""The tables of the rank analysis."""

from __future__ import annotations

import pandas as pd

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.formatting.numbers import percent
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.common.error_rates import error_rate
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    METHODS_HEADER,
    Cell,
    Table,
    interval,
    label,
    method_row,
    number_cell,
    p_cell,
    raw_p,
    shortened,
    tests_table,
)


def omnibus_table(analysis: RankAnalysis, alpha: float, first: str) -> Table:
    """Return the omnibus tests; ``first`` says what the first one is."""
    caption = f"Omnibus tests. The first is {first}."
    return tests_table(caption, (analysis.omnibus, *analysis.witnesses), alpha)


def ranks_table(analysis: RankAnalysis) -> Table:
    """Return the algorithms by mean rank."""
    positions = analysis.decisive.positions.sort_values(kind="stable")
    rows = tuple((label(str(n)), number_cell(r)) for n, r in positions.items())
    name = analysis.decisive.estimate_name.removeprefix("difference of ")
    return Table(f"Algorithms by {name}, best first.", ("Algorithm", name), rows)


def differences_table(analysis: RankAnalysis) -> Table:
    """Return how far pairs differ, in the metric's own unit."""
    found = analysis.differences
    rows = tuple(
        (
            label(f"{row.algorithm_1} – {row.algorithm_2}"),
            number_cell(row.estimate),
            interval(row.conf_low, row.conf_high),
            number_cell(row.rank_biserial, 3),
        )
        for row in found.table.itertuples()
    )
    level = f"{percent(found.reached)} " if found.reached > 0 else ""
    notes = "".join(f" {note[0].upper()}{note[1:]}." for note in found.notes)
    caption = (
        f"Differences of {analysis.metric.name} in its own unit, first minus second: "
        f"Hodges-Lehmann estimates (median of the means of each two block "
        f"differences) with intervals that hold together over {found.family} "
        f"(Bonferroni, exact signed rank test). r: matched-pairs rank-biserial "
        f"correlation, 1 where the first is above in every block, −1 where it is "
        f"below. An interval may include 0 where mean ranks differ significantly."
        f"{notes}"
    )
    header = ("Pair", "Hodges-Lehmann difference", f"{level}interval", "r")
    return Table(shortened(caption, rows, "hodges_lehmann"), header, rows[:MAX_ROWS])


def effects_table(analysis: RankAnalysis, alpha: float) -> Table | None:
    """Return wins, ties, losses and the probability of superiority."""
    effects = analysis.superiority
    if effects is None:
        return None
    rows = tuple(
        (
            label(f"{row.algorithm_1} – {row.algorithm_2}"),
            Cell(f"{row.wins} / {row.ties} / {row.losses}"),
            number_cell(row.estimate, 3),
            interval(row.conf_low, row.conf_high),
            raw_p(row.p_value, alpha),
            p_cell(row.p_adjusted, alpha),
        )
        for row in effects.table.itertuples()
    )
    header = (
        "Pair",
        "wins / ties / losses",
        "P(first better)",
        f"{percent(effects.level)} interval",
        "sign test p",
        short_title(effects.adjust),
    )
    caption = (
        f"Effect sizes. P(first better) = (wins + ties / 2) / blocks, 0.5 is no "
        f"difference; {effects.method}, each pair by itself. Exact two-sided sign "
        f"test, ties dropped, raw and adjusted over {effects.family} (sensitivity)."
    )
    return Table(shortened(caption, rows, "superiority"), header, rows[:MAX_ROWS])


def methods_table(comparison: GroupComparison) -> Table:
    """Return the error rate of each comparison of the plan, and its source."""
    [first, *_] = comparison.analyses
    assert isinstance(first, RankAnalysis)
    found = [error_rate(pairs, comparison.plan, "blocks") for pairs in first.pairs]
    rows = tuple(
        method_row(pairs.called, rate)
        for pairs, rate in zip(first.pairs, found, strict=True)
    )
    return Table("Adjustments of the plan.", ("Adjustment", *METHODS_HEADER[1:]), rows)


def csv_tables(analysis: RankAnalysis) -> dict[str, pd.DataFrame]:
    """Return the analysis' tables for CSV files, full precision."""
    tests = [analysis.omnibus, *analysis.witnesses]
    main = [t.to_frame().iloc[:1] for t in tests]
    tables = {
        "omnibus": pd.concat(main, ignore_index=True),
        "pairs": analysis.pairs_table(),
        "mean_ranks": analysis.decisive.positions.rename("mean_rank")
        .rename_axis("algorithm")
        .reset_index(),
    }
    tables["hodges_lehmann"] = analysis.differences.to_frame()
    if analysis.superiority is not None:
        tables["superiority"] = analysis.superiority.to_frame()
    return tables

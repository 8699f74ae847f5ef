"""The report's tables: results as rows of text for people, as CSV for programs."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from pycompare.multiplicity.adjust import ADJUSTMENTS
from pycompare.procedure.compare import Analysis, Comparison
from pycompare.reporting.numbers import degrees, number, p_text, percent
from pycompare.results import rejected


@dataclass(frozen=True)
class Cell:
    """Text of one cell; ``strong`` marks a rejected hypothesis."""

    text: str
    strong: bool = False
    numeric: bool = True


@dataclass(frozen=True)
class Table:
    """A table for the page: caption, header texts, rows of cells."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def label(text: str) -> Cell:
    """Return a cell of words."""
    return Cell(text, numeric=False)


def p_cell(p: float, alpha: float) -> Cell:
    """Return a p-value; strong if it is at most alpha."""
    return Cell(p_text(p, alpha), strong=bool(rejected(p, alpha)))


def interval(low: float, high: float) -> Cell:
    """Return a confidence interval."""
    return Cell(f"[{number(low, 3)}, {number(high, 3)}]")


def omnibus_table(comparison: Comparison, analysis: Analysis) -> Table:
    """Return the omnibus tests, the planned one first."""
    tests = (analysis.omnibus, *analysis.witnesses)
    rows = tuple(
        (
            label(test.name),
            Cell(f"{test.statistic_name} = {number(test.statistic, 5)}"),
            Cell(degrees(test.df)),
            Cell(p_text(test.p_value, comparison.plan.alpha)),
            Cell(test.p_source),
            label("; ".join([test.reference, *test.notes])),
        )
        for test in tests
    )
    header = ("Test", "Statistic", "df", "p", "p from", "Source and notes")
    return Table(
        "Omnibus tests. The first is the planned one, the others are sensitivity "
        "analysis.",
        header,
        rows,
    )


MAX_ROWS = 1000
"""Rows of one table on the page; CSV and JSON have all of them."""


def shortened(caption: str, rows: tuple[tuple[Cell, ...], ...], file: str) -> str:
    """Say in the caption where the rows are that the page leaves out."""
    if len(rows) <= MAX_ROWS:
        return caption
    return (
        f"{caption} The first {MAX_ROWS} of {len(rows)} rows; all of them are in "
        f"tables/{file}.csv."
    )


def pairs_table(comparison: Comparison, analysis: Analysis) -> Table:
    """Return every pair with raw and adjusted p-values."""
    alpha = comparison.plan.alpha
    decisive = analysis.decisive
    ordered = decisive.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    header = (
        "Pair",
        "Difference",
        f"{percent(decisive.level)} interval",
        decisive.statistic_name,
        "raw p",
        *(ADJUSTMENTS[p.adjust].title.split(" (")[0] for p in analysis.pairs),
    )
    rows = tuple(
        (
            label(f"{row.algorithm_1} – {row.algorithm_2}"),
            Cell(number(row.estimate)),
            interval(row.conf_low, row.conf_high),
            Cell(number(row.statistic)),
            Cell(p_text(row.p_value)),
            *(p_cell(p.table["p_adjusted"][row.Index], alpha) for p in analysis.pairs),
        )
        for row in ordered.itertuples()
    )
    caption = (
        f"{decisive.method}, two-sided, over {decisive.family}. Difference: "
        f"{decisive.estimate_name}, first minus second, negative where the first is "
        f"better. Intervals are {decisive.interval}, a single-step criterion: one may "
        f"hold 0 where a sharper adjustment rejects. Adjusted p-values; bold with a "
        f"mark: at most alpha = {alpha}. The first adjustment makes the verdict."
    )
    return Table(shortened(caption, rows, "pairs"), header, rows[:MAX_ROWS])


def ranks_table(analysis: Analysis) -> Table:
    """Return the algorithms by mean rank."""
    positions = analysis.decisive.positions.sort_values(kind="stable")
    rows = tuple((label(str(n)), Cell(number(r))) for n, r in positions.items())
    name = analysis.decisive.estimate_name.removeprefix("difference of ")
    return Table(f"Algorithms by {name}, best first.", ("Algorithm", name), rows)


def effects_table(comparison: Comparison, analysis: Analysis) -> Table | None:
    """Return wins, ties, losses and the probability of superiority."""
    effects = analysis.superiority
    if effects is None:
        return None
    rows = tuple(
        (
            label(f"{row.algorithm_1} – {row.algorithm_2}"),
            Cell(f"{row.wins} / {row.ties} / {row.losses}"),
            Cell(number(row.estimate, 3)),
            interval(row.conf_low, row.conf_high),
            Cell(p_text(row.p_value, comparison.plan.alpha)),
            p_cell(row.p_adjusted, comparison.plan.alpha),
            Cell(number(row.median_difference)),
        )
        for row in effects.table.itertuples()
    )
    header = (
        "Pair",
        "wins / ties / losses",
        "P(first better)",
        f"{percent(effects.level)} interval",
        "sign test p",
        ADJUSTMENTS[effects.adjust].title.split(" (")[0],
        "Median difference",
    )
    caption = (
        f"Effect sizes. P(first better) = (wins + ties / 2) / blocks, 0.5 is no "
        f"difference; {effects.method}, each pair by itself. Exact two-sided sign "
        f"test, ties dropped, raw and adjusted over all pairs (sensitivity). Median "
        f"difference of {analysis.metric.name}, first minus second."
    )
    return Table(shortened(caption, rows, "superiority"), header, rows[:MAX_ROWS])


def methods_table(comparison: Comparison) -> Table:
    """Return what each adjustment of the plan controls, and its source."""
    chosen = [ADJUSTMENTS[name] for name in comparison.plan.adjust]
    rows = tuple(
        (label(a.title), label(a.controls), label(a.reference)) for a in chosen
    )
    return Table(
        "Adjustments of the plan.", ("Adjustment", "Controls the", "Source"), rows
    )


def csv_tables(analysis: Analysis) -> dict[str, pd.DataFrame]:
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
    if analysis.superiority is not None:
        tables["superiority"] = analysis.superiority.to_frame()
    return tables


def to_csv(table: pd.DataFrame) -> str:
    """Return CSV text in which no cell is a formula for a spreadsheet.

    A label that begins with ``= + - @`` gets an apostrophe in front; results.json has
    the labels as they are.
    """
    safe = table.copy()
    safe.columns = [no_formula(c) for c in safe.columns]
    for name in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[name]):
            safe[name] = [no_formula(v) for v in safe[name]]
    return safe.to_csv(index=False, lineterminator="\n")


def no_formula(value: object) -> object:
    """Return text that a spreadsheet shows instead of running it."""
    if isinstance(value, str) and value.lstrip()[:1] in ("=", "+", "-", "@"):
        return f"'{value}"
    return value

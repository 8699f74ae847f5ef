"""The report's tables: results as rows of text for people, as CSV for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pycompare.analyses.analysis import ComparedPairs
from pycompare.formatting.numbers import degrees, number, p_text, percent
from pycompare.multiplicity.guarantees import Guarantee
from pycompare.plans.post_hoc import described, short_title
from pycompare.reporting import document
from pycompare.reporting.document.columns import Kind
from pycompare.results import NOT_AVAILABLE, PairsResult, Test, rejected


@dataclass(frozen=True)
class Cell:
    """Text of one cell, with the value behind it where its kind has one.

    ``strong`` marks a rejected hypothesis.
    """

    text: str
    strong: bool = False
    numeric: bool = True
    kind: Kind = "digits"
    value: Any = None
    alpha: float | None = None


@dataclass(frozen=True)
class Table:
    """A table for the page: caption, header texts, rows of cells."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def typed(self) -> document.Table:
        """Return the table with typed columns, adjusted p-values after the labels."""
        columns = [
            typed_column(title, [row[place] for row in self.rows], place)
            for place, title in enumerate(self.header)
        ]
        order = sorted(
            range(len(columns)),
            key=lambda i: 0 if i == 0 else 1 if columns[i].alpha is not None else 2,
        )
        rows = tuple(
            tuple(typed_value(row[i], columns[i]) for i in order) for row in self.rows
        )
        return document.Table(
            self.caption, tuple(columns[i] for i in order), rows, most=len(rows)
        )


def typed_column(title: str, cells: Sequence[Cell], place: int) -> document.Column:
    """Return a column of the kind that all its cells have, else of plain text."""
    kinds = {cell.kind for cell in cells if cell.text or cell.value is not None}
    alphas = {cell.alpha for cell in cells}
    kind: Kind = kinds.pop() if len(kinds) == 1 else "digits"
    if place == 0:
        kind = "label"
    elif not any(cell.numeric for cell in cells):
        kind = "text"
    alpha = alphas.pop() if kind == "p" and len(alphas) == 1 else None
    return document.Column(title, kind, alpha, 4 if kind == "number" else 3)


def typed_value(cell: Cell, column: document.Column) -> Any:
    """Return what a cell holds in a column of this kind."""
    if column.kind in ("label", "text", "digits"):
        return (document.Strong(cell.text),) if cell.strong else cell.text
    return cell.value


def label(text: str) -> Cell:
    """Return a cell of words."""
    return Cell(text, numeric=False, kind="text")


def p_cell(p: float, alpha: float | None = None) -> Cell:
    """Return a p-value; strong if it is at most alpha."""
    marked = alpha is not None and bool(rejected(p, alpha))
    return Cell(p_text(p, alpha), marked, kind="p", value=p, alpha=alpha)


def raw_p(p: float, alpha: float | None = None) -> Cell:
    """Return a p-value that decides nothing, rounded on its side of alpha."""
    return Cell(p_text(p, alpha), kind="p", value=p)


def number_cell(x: float | None, digits: int = 4) -> Cell:
    """Return a number."""
    return Cell(number(x, digits), kind="number", value=x)


def interval(low: float, high: float) -> Cell:
    """Return a confidence interval."""
    text = f"[{number(low, 3)}, {number(high, 3)}]"
    return Cell(text, kind="interval", value=(low, high))


TESTS_HEADER = ("Test", "Statistic", "df", "p", "p from", "Source and notes")


def test_row(test: Test, alpha: float) -> tuple[Cell, ...]:
    """Return a test as a row under ``TESTS_HEADER``."""
    return (
        label(test.name),
        Cell(f"{test.statistic_name} = {statistic(test.statistic)}"),
        Cell(degrees(test.df)),
        raw_p(test.p_value, alpha),
        Cell(test.p_source),
        label("; ".join([test.reference, *test.notes])),
    )


def statistic(value: float) -> str:
    """Return a statistic; a count stays a whole number."""
    whole = value.is_integer() and abs(value) < LARGEST_COUNT
    return f"{value:.0f}" if whole else number(value, 5)


LARGEST_COUNT = 1e7


def tests_table(caption: str, tests: Sequence[Test], alpha: float) -> Table:
    """Return tests, one a row."""
    return Table(caption, TESTS_HEADER, tuple(test_row(t, alpha) for t in tests))


MAX_ROWS = 1000
"""Rows of one table on the page; CSV and JSON have all of them."""


def shortened(caption: str, rows: tuple[tuple[Cell, ...], ...], file: str) -> str:
    """Say in the caption where the rows are that the page leaves out."""
    if len(rows) <= MAX_ROWS:
        return caption
    return (
        f"{caption} The first {MAX_ROWS} of {len(rows)} rows; all of them are in "
        f"the table {file} of those at the end of this section."
    )


def pairs_table(
    analysis: ComparedPairs, alpha: float, first: str = "makes the verdict"
) -> Table:
    """Return every pair with raw and adjusted p-values; ``first`` decides of them."""
    decisive = analysis.pairs[0]
    ordered = decisive.table.sort_values(["p_adjusted", "p_value"], kind="stable")
    header = (
        *estimates_header(decisive),
        *(short_title(p.called) for p in analysis.pairs),
    )
    limits = has_limits(decisive)
    rows = tuple(
        (
            *estimates(row, limits=limits),
            *(p_cell(p.table["p_adjusted"][row.Index], alpha) for p in analysis.pairs),
        )
        for row in ordered.itertuples()
    )
    caption = (
        f"{decisive.method}, two-sided, over {decisive.family}. Difference: "
        f"{decisive.estimate_name}, first minus second, negative where the first is "
        f"{first_is(analysis)}. {intervals(decisive)} Adjusted p-values; "
        f"bold: at most alpha = {alpha}. The first one {first}."
    )
    return Table(shortened(caption, rows, "pairs"), header, rows[:MAX_ROWS])


def intervals(pairs: PairsResult) -> str:
    """Say how the intervals were made, and what they may not show."""
    start = f"{pairs.interval_name.capitalize()}s are {pairs.interval}"
    if pairs.table["conf_low"].isna().all():
        return f"{start}."
    return (
        f"{start}, a single-step criterion: one may hold 0 where a sharper adjustment "
        f"rejects.{' ' * bool(pairs.interval_note)}{pairs.interval_note}"
    )


def estimates_header(pairs: PairsResult) -> tuple[str, ...]:
    """Return what stands above ``estimates``."""
    name = f"{percent(pairs.level)} {pairs.interval_name}"
    limits = (name,) if has_limits(pairs) else ()
    return (
        "Pair",
        "Difference",
        *limits,
        pairs.statistic_name,
        "raw p",
    )


def has_limits(pairs: PairsResult) -> bool:
    """Tell whether the method of comparing pairs has intervals."""
    return not pairs.interval.startswith(NOT_AVAILABLE)


def estimates(row: Any, *, limits: bool = True) -> tuple[Cell, ...]:
    """Return a pair with its difference, interval, statistic and raw p-value."""
    return (
        label(f"{row.algorithm_1} – {row.algorithm_2}"),
        number_cell(row.estimate),
        *((interval(row.conf_low, row.conf_high),) if limits else ()),
        number_cell(row.statistic),
        raw_p(row.p_value),
    )


def first_is(analysis: ComparedPairs) -> str:
    """Say what a negative difference means: lower ranks are better, scores may not."""
    if analysis.in_unit and analysis.metric.better == "higher":
        return "worse"
    return "better"


METHODS_HEADER = ("Method", "Error rate", "Source")


def method_row(name: str, rate: Guarantee) -> tuple[Cell, ...]:
    """Return a method of the plan, its error rate, and its source."""
    method = described(name)
    return label(method.title), label(rate.text), label(method.reference)

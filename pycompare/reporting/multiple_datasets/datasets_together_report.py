"""All metrics at once, data set by data set, as a page tells it."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multivariate_datasets import DatasetsTogether, VectorsOnDataset
from pycompare.measures.loss import as_loss
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import described, short_title
from pycompare.reporting.content import order_figures, words
from pycompare.reporting.multiple_datasets import tables as datasets_tables
from pycompare.reporting.page.figures import Drawing, drawn
from pycompare.reporting.page.section import Part, Section, pictures, present
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    Cell,
    Table,
    label,
    number_cell,
    p_cell,
    shortened,
)
from pycompare.reporting.page.underlined import too_many, underlined
from pycompare.results import rejected

RISK = (
    "A win on a data set is a pair whose mean vectors differ there by T2, won by the "
    "lower total risk; whether the risk itself differs significantly is not tested."
)
NO_COSTS = (
    "Which of two algorithms is better in several metrics needs costs: plan "
    "cost_ratio or loss, with the counts fp and fn among the metrics, to count wins by "
    "total risk."
)


def section(comparison: GroupComparison, found: DatasetsTogether) -> Section:
    """Return the section about all metrics on each data set."""
    alpha = comparison.plan.alpha
    figures = drawn(drawings(found, alpha))
    return Section(
        title="metrics together, data set by data set",
        prefix="together_data_sets_",
        verdict=tuple(verdict_sentences(found, alpha)),
        parts=(*parts(found, comparison.plan), *pictures(figures, no_graph(found))),
        figures=figures,
        tables=csv_tables(found),
        not_in_r=(),
    )


def drawings(found: DatasetsTogether, alpha: float) -> Iterator[Drawing]:
    """Yield who does not differ from whom in wins by total risk, and who is better."""
    if found.sign is not None:
        yield from order_figures.of_order(
            found.sign,
            alpha,
            on=f"wins by total risk (lower is better), {found.sign.family}",
            by=f"exact sign tests of wins, {described(found.sign.adjust).title}",
            prefix="risk_",
        )


def no_graph(found: DatasetsTogether) -> str | None:
    """Say which pictures there are not, because algorithms are too many."""
    return None if found.sign is None else order_figures.left_out(found.sign)


def verdict_sentences(found: DatasetsTogether, alpha: float) -> list[str]:
    """Return what the metrics say together on the data sets, and who wins."""
    tested = [on for on in found.each if on.manova is not None]
    differ = [on for on in tested if on.manova and on.manova.rejected(alpha)]
    sentences = [
        f"On {len(differ)} of {len(found.each)} data sets the mean vectors of "
        f"{words.listing(found.metrics)} differ (Wilks' Lambda, p ≤ {alpha} on each)."
    ]
    refused = [on for on in found.each if on.refusal]
    if refused:
        sentences.append(
            f"Not computed on {len(refused)} data sets, first {refused[0].dataset}: "
            f"{refused[0].refusal}."
        )
    if found.refusal:
        sentences.append(f"Wins by total risk not counted: {found.refusal}.")
    return [*sentences, *risk_sentences(found, alpha)]


def risk_sentences(found: DatasetsTogether, alpha: float) -> list[str]:
    """Return the sign tests of wins by total risk in sentences."""
    if found.sign is None:
        return [] if found.refusal else [NO_COSTS]
    table = found.sign.table
    won = table[rejected(table["p_adjusted"], alpha)]
    by = f"exact sign tests of wins, {short_title(found.sign.adjust)} adjusted"
    if won.empty:
        return [f"By total risk no pair differs over data sets ({by} p > {alpha})."]
    told = [
        f"{r.algorithm_1} than {r.algorithm_2}"
        if r.estimate < 0
        else f"{r.algorithm_2} than {r.algorithm_1}"
        for r in won.itertuples()
    ]
    return [
        f"Over data sets, by total risk, better: {words.listing(told)} ({by} p ≤ "
        f"{alpha})."
    ]


def costs(plan: Plan) -> str:
    """Say what each decision costs."""
    return f"Costs, as planned: {as_loss(plan.cost_ratio, plan.loss)}."


def parts(found: DatasetsTogether, plan: Plan) -> list[Part]:
    """Return wins by risk, then the data sets."""
    made, alpha = [], plan.alpha
    if found.wins is not None and found.sign is not None:
        made.append(
            present(
                "Wins by total risk",
                f"{costs(plan)} {RISK}",
                datasets_tables.wins(found.wins),
                datasets_tables.sign_rows([found.sign], alpha),
            )
        )
    made.append(present("Mean vectors on each data set", table(found, alpha)))
    return [*made, *details(found)]


def details(found: DatasetsTogether) -> list[Part]:
    """Return the orderings of each data set, folded, where the page has room."""
    tables = {
        on.dataset: orders for on in found.each if (orders := on.orders) is not None
    }
    if not tables:
        return []
    one = next(iter(tables.values())).alone.orderings
    wide = too_many(len(one[0].algorithms), "together_data_sets_orderings")
    if wide is None and len(tables) * len(one) > MOST_ORDERINGS:
        wide = (
            f"Orderings of {len(one)} metrics on {len(tables)} data sets are in "
            f"tables/together_data_sets_orderings.csv: the page has room for "
            f"{MOST_ORDERINGS}."
        )
    if wide is not None:
        return [present("Orderings on each data set", wide)]
    return [
        Part(f"Orderings on {name}", tuple(underlined(orders)), folded=True)
        for name, orders in tables.items()
    ]


MOST_ORDERINGS = 200
"""Orderings on the page; with more only the CSV file has them."""


def table(found: DatasetsTogether, alpha: float) -> Table:
    """Return one row a data set."""
    rows = tuple(row(on, alpha) for on in found.each)
    caption = (
        "Multivariate analysis of variance of the folds of each data set, blocked by "
        f"folds, and the number of pairs that differ by paired T2 (alpha = {alpha} on "
        f"each data set). Folds share training data, so both reject too often."
    )
    header = ("Data set", "folds", "Wilks' Lambda", "p", "dimension", "pairs")
    return Table(shortened(caption, rows, "data_sets"), header, rows[:MAX_ROWS])


def row(on: VectorsOnDataset, alpha: float) -> tuple[Cell, ...]:
    """Return the tests of one data set."""
    start = (label(on.dataset), Cell(str(on.n_folds)))
    if on.manova is None:
        return (*start, *(Cell("") for _ in range(4)))
    pairs = (
        ""
        if on.pairs is None
        else f"{int(on.pairs.rejected(alpha).sum())} of {len(on.pairs.table)}"
    )
    return (
        *start,
        number_cell(on.manova.wilks.statistic),
        p_cell(on.manova.p_value, alpha),
        Cell(str(on.manova.dimension)),
        Cell(pairs),
    )


def csv_tables(found: DatasetsTogether) -> dict[str, pd.DataFrame]:
    """Return the tables for CSV files, full precision."""
    made = {"data_sets": found.table()}
    pairs = found.pairs_table()
    if pairs is not None:
        made["pairs"] = pairs
    orders = found.orderings_table()
    if orders is not None:
        made["orderings"] = orders
    if found.wins is not None and found.sign is not None:
        made["wins"] = found.wins.to_frame().rename_axis("algorithm").reset_index()
        made["wins_of_data_sets"] = found.wins.decisions
        made["sign"] = found.sign.to_frame()
    return made

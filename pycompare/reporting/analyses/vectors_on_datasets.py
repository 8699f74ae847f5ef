"""Several metrics at once, data set by data set, as a page reports them."""

from __future__ import annotations

from collections.abc import Iterator

from pycompare.base.tables import AnyTable
from pycompare.data.measures.loss import as_loss
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.multivariate_datasets import DatasetsTogether, VectorsOnDataset
from pycompare.designs.pair_methods import short_title
from pycompare.designs.plans.plan import Plan
from pycompare.reporting import document as doc
from pycompare.reporting.content import orderings, win_tables
from pycompare.reporting.content.build import Field, by_evidence, frames, table, tally
from pycompare.reporting.content.page import PageResult, bullets
from pycompare.reporting.content.win_tables import counts_for_csv
from pycompare.reporting.content.wording import count, listed_metrics, listing
from pycompare.results.result import rejected

_RISK = (
    "An algorithm wins on a data set if T2 finds the mean vectors of the pair "
    "different there and its total risk is lower. Whether the risks differ "
    "significantly is not tested."
)
_NO_COSTS = (
    "Which algorithm is better in several metrics depends on costs. Plan cost_ratio or "
    "loss, with the counts fp and fn among the metrics, to count wins by total risk."
)
_MOST_ORDERINGS = 200
"""Orderings on the page; with more only the CSV file has them."""


def result(
    comparison: GroupComparison, together: DatasetsTogether, stem: str = ""
) -> PageResult:
    """Return everything about all metrics on each data set."""
    alpha, prefix = comparison.plan.alpha, f"{stem}together_data_sets_"
    return PageResult(
        title="All metrics together, data set by data set",
        prefix=prefix,
        answer=_answer(together, alpha),
        blocks=doc.present(
            bullets(_remarks(together)),
            *_blocks(together, comparison.plan),
        ),
        leading=False,
        tables=_csv_tables(together),
    )


def sentences(comparison: GroupComparison, together: DatasetsTogether) -> list[str]:
    """Return everything that is stated, as plain sentences."""
    return [doc.plain(_answer(together, comparison.plan.alpha)), *_remarks(together)]


def _answer(together: DatasetsTogether, alpha: float) -> doc.Inline:
    """Return on how many data sets the algorithms differ, and who wins."""
    differ = [on for on in together.each if on.manova and on.manova.rejected(alpha)]
    n = len(together.each)
    metrics = listed_metrics(together.metrics)
    head = (
        f"The algorithms differ significantly in {metrics} together on "
        f"{len(differ)} of {n} data sets"
    )
    wins = significant_wins(together, alpha)
    end = f" (Wilks' Lambda, p ≤ {alpha:g} on each, not adjusted)."
    if together.sign is None:
        return (doc.Strong(head), end)
    by = f"exact sign tests, {short_title(together.sign.adjust)} adjustment"
    if not wins:
        told = f" No pair differs significantly in wins by total risk ({by})."
    else:
        pairs = listing([f"{winner} than {loser}" for winner, loser in wins])
        told = f" Significantly better by total risk over data sets: {pairs} ({by})."
    return (doc.Strong(head), end + told)


def significant_wins(together: DatasetsTogether, alpha: float) -> list[tuple[str, str]]:
    """Return the pairs that differ in wins over data sets, the better first."""
    if together.sign is None:
        return []
    rows = by_evidence(together.sign.as_columns())
    return [
        (row.algorithm_1, row.algorithm_2)
        if row.estimate < 0
        else (row.algorithm_2, row.algorithm_1)
        for row in rows.where(rejected(rows["p_adjusted"], alpha)).itertuples()
    ]


def _remarks(together: DatasetsTogether) -> list[str]:
    """Return the notes for readers besides the answer."""
    refused = [on for on in together.each if on.refusal]
    remarks = []
    if refused:
        remarks.append(
            f"Not computed on {count(len(refused))} data set"
            f"{'s' * (len(refused) > 1)}, first "
            f"{refused[0].dataset}: {refused[0].refusal}."
        )
    if together.refusal:
        remarks.append(f"Wins by total risk were not counted: {together.refusal}.")
    elif together.sign is None:
        remarks.append(_NO_COSTS)
    return remarks


def _blocks(together: DatasetsTogether, plan: Plan) -> Iterator[doc.Block]:
    """Yield wins by risk, then the data sets."""
    if together.wins is not None and together.sign is not None:
        costs = f"Costs, as specified: {as_loss(plan.cost_ratio, plan.loss)}."
        yield doc.section(
            "Wins by total risk",
            doc.Paragraph(f"{costs} {_RISK}"),
            win_tables.wins(together.wins),
            win_tables.sign_rows([together.sign], plan.alpha, file="sign"),
        )
    yield doc.fold("Mean vectors on each data set", _each_table(together, plan.alpha))
    yield from on_each(together)


def on_each(together: DatasetsTogether) -> Iterator[doc.FoldedSection]:
    """Yield the orderings on each data set, if the page has room."""
    by_dataset = {
        on.dataset: on.orders for on in together.each if on.orders is not None
    }
    if not by_dataset:
        return
    first = next(iter(by_dataset.values())).alone.orderings
    many = len(by_dataset) * len(first)
    wide = orderings.too_many(len(first[0].algorithms), "orderings")
    if wide is None and many > _MOST_ORDERINGS:
        text = f"The {many} orderings are in"
        wide = doc.Paragraph(text, files=("orderings",))
    title = f"Orderings on each data set ({len(by_dataset)})"
    if wide:
        yield doc.fold(title, wide)
        return
    each = (
        doc.fold(f"Orderings on {name}", *orderings.tables(orders))
        for name, orders in by_dataset.items()
    )
    yield doc.fold(
        title, doc.Paragraph(orderings.how(next(iter(by_dataset.values())))), *each
    )


def _each_table(together: DatasetsTogether, alpha: float) -> doc.Table:
    """Return one row per data set."""

    def pairs(on: VectorsOnDataset) -> doc.Inline:
        if on.pairs is None:
            return "–"
        return tally(int(on.pairs.rejected(alpha).sum()), len(on.pairs.as_columns()))

    return table(
        f"Multivariate analysis of variance of the folds of each data set, and the "
        f"number of pairs that differ by paired T2. Bold: p ≤ {alpha:g} on that data "
        f"set. Folds share training data, so these p-values are too small.",
        together.each,
        Field("Data set", "label", "dataset"),
        Field("p", "p", lambda on: on.manova and on.manova.p_value, alpha),
        Field("significant pairs", "digits", pairs),
        Field(
            "Wilks' Lambda",
            "number",
            lambda on: on.manova and on.manova.wilks.statistic,
        ),
        Field("dimensions", "count", lambda on: on.manova and on.manova.dimension),
        Field("folds", "count", "n_folds"),
        file="data_sets",
    )


def _csv_tables(together: DatasetsTogether) -> dict[str, AnyTable]:
    """Return the tables for CSV files, full precision."""
    wins = together.wins if together.sign is not None else None
    return frames(
        data_sets=together.data_sets_table(),
        pairs=together.pairs_table(),
        orderings=together.orderings_table(),
        wins=None if wins is None else counts_for_csv(wins),
        wins_of_data_sets=None if wins is None else wins.decisions,
        sign=together.sign,
    )

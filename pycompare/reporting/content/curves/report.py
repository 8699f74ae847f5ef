"""A comparison of AUCs as a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from pycompare.analyses.curve_comparison import CurveAnalysis, CurveComparison
from pycompare.curves.auc_pr_pairs import AucPrPairsResult
from pycompare.curves.delong import DeLongResult
from pycompare.data.predictions import Predictions
from pycompare.formatting.numbers import number, percent
from pycompare.reporting.content import sources, wording
from pycompare.reporting.content.curves import tables, words
from pycompare.reporting.content.curves.facts import Way, ways
from pycompare.reporting.content.page import Report, Result
from pycompare.reporting.document import (
    Block,
    Figure,
    Fold,
    Inline,
    Paragraph,
    Section,
    Table,
    present,
)
from pycompare.results import PairsResult

MOST_DRAWN = 8
"""Algorithms in one picture of curves."""


def curves_report(
    comparison: CurveComparison, origin: dict[str, Any], script: str
) -> Report:
    """Return everything that the page is made of."""
    found = ways(comparison)
    several = len(comparison.analyses) > 1
    details = [
        of_dataset(comparison, analysis, f"dataset{place}_" if several else "")
        for place, analysis in enumerate(comparison.analyses, start=1)
    ]
    return Report(
        title=title(comparison),
        subtitle=sources.subtitle(comparison.alpha, origin),
        results=[*first_shown(found, details), *details],
        overview=tables.wins(found),
        scope=words.scope(comparison),
        assumptions=words.assumptions(comparison),
        plan=words.plan(comparison),
        methods=tables.methods(comparison),
        data=data_rows(comparison, origin),
        dropped=dropped(comparison.predictions),
        origin=origin,
        origin_blocks=sources.origin_blocks(origin),
        script=script,
    )


def first_shown(found: list[Way], details: list[Result]) -> list[Result]:
    """Return the conclusions, with the curves beside them where they are of one set."""
    made = list(map(of_way, found))
    if len(details) == 1:
        figures = [b for b in details[0].blocks if isinstance(b, Figure)]
        details[0] = replace(
            details[0],
            blocks=tuple(b for b in details[0].blocks if b not in figures),
        )
        made[0] = replace(made[0], figure=figures[0])
    return made


def title(comparison: CurveComparison) -> str:
    """Return what was compared, on what."""
    found = comparison.predictions
    n = len(comparison.analyses)
    many = wording.begun(wording.count(found.n_algorithms))
    on = "one data set" if n == 1 else f"{wording.count(n)} data sets"
    return f"{many} algorithms compared in AUC on {on}"


def of_way(way: Way) -> Result:
    """Return the conclusion of one way to compare, and its numbers."""
    table = tables.grid(way)
    reasons = [
        Paragraph(f"{dataset}: not tested, since {why}.")
        for dataset, why in way.not_made
        if way.outcomes
    ]
    return Result(
        title=way.name,
        prefix="",
        answer=words.conclusion(way),
        method=words.method(way),
        table=table,
        blocks=tuple(reasons),
    )


def of_dataset(
    comparison: CurveComparison, analysis: CurveAnalysis, prefix: str
) -> Result:
    """Return the details of one data set."""
    again = "; cases occur in several" if analysis.repeated else ""
    size = (
        f"{analysis.n_positive} positive and {analysis.n_negative} negative cases, "
        f"{len(analysis.blocks)} folds{again}."
    )
    figures = [
        replace(one, name=f"{prefix}{one.name}")
        for one in figures_of(comparison, analysis)
    ]
    return Result(
        title=analysis.dataset or "Curves and intervals",
        prefix=prefix,
        answer="",
        blocks=(
            Paragraph(size),
            *figures[1:2],
            *parts(comparison, analysis, prefix),
            Fold("More figures", (figures[0], *figures[2:]), "figures"),
        ),
        tables=tables.csv(analysis),
        not_in_r=not_in_r(analysis),
    )


def not_in_r(analysis: CurveAnalysis) -> tuple[str, ...]:
    """Return the adjustments that R cannot repeat for so many algorithms."""
    lost = [
        found.adjust
        for found in (analysis.over_cases, analysis.over_folds)
        if isinstance(found, PairsResult)
        and (found.r_call() is None or not getattr(found, "repeatable", True))
    ]
    return tuple(dict.fromkeys(lost))


def parts(
    comparison: CurveComparison, analysis: CurveAnalysis, prefix: str
) -> Iterator[Block]:
    """Yield the tables of one data set under their headings."""
    for heading, found in (
        ("Over cases: DeLong's test", analysis.over_cases),
        ("Over folds: t tests", analysis.over_folds),
    ):
        yield Section(heading, compared(found, comparison.alpha, prefix), "pairs")
    yield Fold("Areas and their intervals", intervals(comparison, analysis), "areas")
    yield Fold(
        "Sensitivity: areas under precision-recall curves",
        precision_recall(comparison, analysis, prefix),
        "pr",
    )


def compared(found: PairsResult | str, alpha: float, prefix: str) -> tuple[Block, ...]:
    """Return the pairs, or why there are none."""
    if isinstance(found, str):
        return (Paragraph(f"Not made: {found}."),)
    several = isinstance(found, DeLongResult) and len(found.algorithms) > 2
    first = tables.omnibus(found) if isinstance(found, DeLongResult) else None
    pairs = in_folder(tables.pairs(found, alpha), prefix)
    notes = (Paragraph(wording.begun(f"{note}.")) for note in found.notes)
    return present(first if several else None, pairs, *notes)


def in_folder(table: Table, prefix: str) -> Table:
    """Return a table with the name of its file in the folder."""
    name = (table.file or "").removeprefix("tables/")
    return replace(table, file=f"tables/{prefix}{name}")


def intervals(
    comparison: CurveComparison, analysis: CurveAnalysis
) -> tuple[Block, ...]:
    """Return the table of intervals, and what has none."""
    reasons = [
        Paragraph(f"No {what} for {name}: {found}.")
        for what, made in (
            ("intervals", analysis.intervals),
            ("cross-validated AUC", analysis.cross_validated),
        )
        for name, found in made.items()
        if isinstance(found, str)
    ]
    repeated = Paragraph(
        "Cases occur in several blocks: only intervals that allow for that are made."
    )
    return present(
        tables.areas(comparison, analysis),
        *reasons,
        repeated if analysis.repeated else None,
    )


def precision_recall(
    comparison: CurveComparison, analysis: CurveAnalysis, prefix: str
) -> tuple[Block, ...]:
    """Return the comparison of areas under precision-recall curves."""
    found = analysis.precision_recall
    if not isinstance(found, AucPrPairsResult):
        return compared(found, comparison.alpha, prefix)
    share = analysis.n_positive / (analysis.n_positive + analysis.n_negative)
    note = Paragraph(
        f"{found.resamples} resamples of the cases within each class, seed "
        f"{found.seed}. The p-values depend slightly on the seed, so they are a "
        f"sensitivity analysis. The area depends on the share of positive cases, here "
        f"{percent(round(share, 3))}, and so does the comparison."
    )
    return (
        note,
        tables.precision_recall(found),
        *compared(found, comparison.alpha, prefix),
    )


def figures_of(
    comparison: CurveComparison, analysis: CurveAnalysis
) -> Iterator[Figure]:
    """Yield intervals, ROC, precision-recall and cost curves."""
    from pycompare import plotting

    level = percent(comparison.level)
    found = {n: own for n, own in tables.estimates_of(analysis).items() if own}
    if found:
        shown = dict(list(found.items())[:MOST_DRAWN])
        yield Figure(
            "auc_intervals",
            partial(plotting.auc_intervals, shown),
            f"AUC with its {level} intervals{first(found)}, by each method.",
            "Intervals of each algorithm's AUC, one under another.",
        )
    options: dict[str, Any] = {
        "algorithms": comparison.predictions.algorithms[:MOST_DRAWN],
        "dataset": analysis.dataset,
        "level": comparison.level,
        "seed": comparison.seed,
    }
    names = first(comparison.predictions.algorithms)
    band = f"{len(analysis.blocks)} folds; bands: {level}, of independent folds"
    for name, caption, alt in (
        (
            "roc_curves",
            f"ROC curves of all folds and their means{names} ({band}).",
            "ROC curves: true positive rate over false positive rate.",
        ),
        (
            "pr_curves",
            f"Precision-recall curves of all folds and their means{names} ({band}).",
            "Precision-recall curves: precision over recall.",
        ),
        (
            "cost_curves",
            f"Cost curves{names}: the least normalised expected cost at each "
            "probability cost; lower is better.",
            "Cost curves: least expected cost over the probability cost.",
        ),
    ):
        draw = getattr(plotting, name)
        yield Figure(
            name, partial(draw, comparison.predictions, **options), caption, alt
        )


def first(names: Any) -> str:
    """Say that only some algorithms are drawn."""
    n = len(names)
    return "" if n <= MOST_DRAWN else f", the first {MOST_DRAWN} of {n} algorithms"


def data_rows(comparison: CurveComparison, origin: dict[str, Any]) -> sources.Rows:
    """Return the description of the data."""
    found = comparison.predictions
    n = len(comparison.analyses)
    low, high = number(found.score.min()), number(found.score.max())
    named = f"named: {len(found.cases)}" if found.case is not None else "not named"
    return [
        *sources.file_rows(origin, "predictions"),
        ("Algorithms", f"{found.n_algorithms}: {', '.join(found.algorithms)}"),
        ("Data sets", "not named, taken as one" if found.datasets is None else str(n)),
        ("Blocks", str(found.n_blocks)),
        ("Cases", named),
        ("Scores", f"{found.score.size}, from {low} to {high}"),
        ("Classes", f"positive {found.positive}, negative {found.negative}"),
        ("Policy for missing blocks", found.missing),
        ("Policy for blocks with one class", found.one_class),
    ]


def dropped(predictions: Predictions) -> list[Inline]:
    """Return what was left out."""
    gone = predictions.dropped.blocks
    found: list[Inline] = [wording.begun(f"{n}.") for n in predictions.notes if n]
    if gone:
        found.append(f"{len(gone)} blocks were dropped: {', '.join(gone)}.")
    return found or ["Nothing was dropped."]

"""Runs within blocks as a page tells of them: sentences, tables, CSV files."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pandas as pd

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.replicates import RunsWithin
from pycompare.formatting.numbers import degrees, number, p_equals, p_text, percent
from pycompare.linear.replicated_anova import ReplicatedAnova
from pycompare.multiplicity.guarantees import OUTSIDE
from pycompare.reporting.content.error_rates import test_rate
from pycompare.reporting.content.words import sentence
from pycompare.reporting.page.section import Part
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    Cell,
    Table,
    interval,
    label,
    number_cell,
    raw_p,
    shortened,
    tests_table,
)
from pycompare.results import rejected

AVERAGED = (
    "Each algorithm has {n} runs on each block. As planned (replicates = average), the "
    "mean of each cell's runs is its score, and nothing else of the runs is analysed."
)
KEPT = (
    "Each algorithm has {n} runs on each block. As planned (replicates = keep), their "
    "own analysis stands beside the verdict. The verdict itself, ranks included, is "
    "made by the mean of each cell's runs: a claim about blocks has the change of "
    "differences from block to block as its error, and runs are no further blocks."
)
CONSERVATIVE = (
    "The correction for shared training data takes the whole variance of a fold's mean "
    "difference as shared, its run noise too, which runs of different folds do not "
    "share: with much run noise it is too large."
)
NESTED = (
    "Runs are taken as independent draws within their algorithm and block (nested), on "
    "the same training and test set: a seed that two algorithms have in common links "
    "nothing, and repetitions that divide the cases anew would be other blocks."
)
NO_STRATA = (
    "There is no analysis of variance of the runs: scores of different data sets, and "
    "the spread of their runs, are in no common unit."
)
MOST_DETAILS = 100
"""Data sets with details on the page; with more only the CSV files have them."""
IN_FILES = (
    "Strata, components and standard errors of each data set are in "
    "tables/runs_strata.csv, runs_components.csv and runs_planning.csv."
)
NAMES = {
    "block": "fold",
    "algorithm": "algorithm",
    "block:algorithm": "algorithm × fold",
    "run": "run within both",
    "": "",
}


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Say what is done with runs, if there are any."""
    labels = comparison.scores.replicates
    if labels is None:
        return []
    kept = comparison.plan.replicates == "keep"
    return [(KEPT if kept else AVERAGED).format(n=len(labels))]


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis of runs rests on."""
    if comparison.scores.replicates is None:
        return []
    found = [NESTED]
    if comparison.plan.overlap is not None:
        found.append(CONSERVATIVE)
    return found


def method_rows(comparison: GroupComparison) -> list[tuple[str, str, str]]:
    """Return the methods of runs with their error rates and sources."""
    runs = [runs for analysis in comparison.analyses for runs in analysis.runs]
    if not runs:
        return []
    strata, ranks = runs[0].strata, runs[0].ranks
    rows: list[tuple[str, str, str]] = []
    if strata is not None:
        title = "Analysis of variance of runs within folds"
        rows.append((title, OUTSIDE, strata.reference))
    if ranks is not None:
        rate = test_rate(ranks, comparison.plan, "folds")
        title = "Mack-Skillings test of all runs"
        rows.append((title, f"{rate}, within these blocks", ranks.reference))
    return rows


def parts(comparison: GroupComparison, analysis: Analysis) -> Iterator[Part]:
    """Yield the analysis of runs of one metric, one part a data set at most."""
    alpha = comparison.plan.alpha
    if len(analysis.runs) == 1 and analysis.runs[0].dataset is None:
        yield one_table(analysis, analysis.runs[0], alpha)
    elif analysis.runs:
        heading = "Runs within folds, data set by data set"
        few = len(analysis.runs) <= MOST_DETAILS
        more = () if few else (IN_FILES,)
        yield Part(heading, (over_datasets(analysis, alpha), *more))
        for runs in analysis.runs if few else ():
            part = one_table(analysis, runs, alpha)
            yield Part(f"{part.heading} of {runs.dataset}", part.content, folded=True)


def one_table(analysis: Analysis, runs: RunsWithin, alpha: float) -> Part:
    """Return what there is to say about the runs of one table of scores."""
    ranks = tests_table(
        f"All runs of a block ranked together, {analysis.metric.name}: another "
        f"question than the verdict's, and no part of it.",
        [runs.ranks],
        alpha,
    )
    found = runs.strata
    if found is None:
        return Part("Runs within data sets", (NO_STRATA, ranks))
    return Part(
        "Runs within folds",
        (
            " ".join(findings(found, alpha)),
            strata_table(analysis, found, alpha),
            components_table(analysis, found),
            planning_table(analysis, found),
            ranks,
        ),
    )


def findings(found: ReplicatedAnova, alpha: float) -> Iterator[str]:
    """Yield what the strata show, in sentences."""
    test, share = found.interaction, found.run_share
    if math.isnan(test.p_value):
        yield sentence(test.notes[0])
    else:
        shown = bool(rejected(test.p_value, alpha))
        told = (
            "differences of algorithms change from fold to fold by more than runs do"
            if shown
            else "it was not shown that differences of algorithms change from fold to "
            "fold by more than runs do, which is no proof that they do not"
        )
        yield (
            f"Interaction of algorithm and fold: F({degrees(test.df)}) = "
            f"{number(test.statistic)}, {p_equals(test.p_value, alpha)} "
            f"{'≤' if shown else '>'} {alpha}: {told}."
        )
    if not math.isnan(share.conf_low):
        yield (
            f"Of the variance of a difference of two algorithms' means, "
            f"{percent_of(share.estimate)} is run noise ({percent(share.level)} "
            f"interval {percent_of(share.conf_low)} to {percent_of(share.conf_high)}): "
            f"more runs can take away that much of it and no more; the rest takes more "
            f"folds."
        )


def percent_of(share: float) -> str:
    """Return a share as a percentage."""
    return f"{number(100 * share, 3)}%"


def strata_table(analysis: Analysis, found: ReplicatedAnova, alpha: float) -> Table:
    """Return the analysis of variance of runs."""
    rows = tuple(
        (
            label(NAMES[str(row.term)]),
            Cell(degrees(row.df)),
            number_cell(row.sum_sq),
            number_cell(row.mean_sq),
            label(NAMES[str(row.error)]),
            Cell("" if not row.error else number(row.statistic)),
            Cell("" if not row.error else p_text(row.p_value, alpha)),
        )
        for row in found.table.itertuples()
    )
    notes = "".join(f" {sentence(note)}" for note in found.notes)
    return Table(
        f"Analysis of variance of all runs of {analysis.metric.name}, "
        f"{found.n_blocks} folds, {found.n_runs} runs in each cell. F of the "
        f"algorithms is over algorithm × fold, and so the F of the cell means "
        f"({found.reference}).{notes}",
        ("Term", "df", "Sum of squares", "Mean square", "over", "F", "p"),
        rows,
    )


def components_table(analysis: Analysis, found: ReplicatedAnova) -> Table:
    """Return the components of variance."""
    rows = tuple(
        (
            label(NAMES[str(row.component)]),
            number_cell(row.estimate),
            interval(row.conf_low, row.conf_high),
            number_cell(row.std_dev),
            label(str(row.method)),
        )
        for row in found.components.itertuples()
    )
    return Table(
        f"Components of the variance of one run's {analysis.metric.name}, by the "
        f"method of analysis of variance; folds are taken as random. Negative "
        f"estimates are 0.",
        (
            "Component",
            "Variance",
            f"{percent(found.level)} interval",
            "Standard deviation",
            "Interval by",
        ),
        rows,
    )


def planning_table(analysis: Analysis, found: ReplicatedAnova) -> Table:
    """Return the standard errors of a difference for other numbers."""
    rows = tuple(
        (
            Cell(f"{row.n_blocks:.0f}"),
            Cell("∞" if math.isinf(row.n_runs) else f"{row.n_runs:.0f}"),
            number_cell(row.std_error),
        )
        for row in found.planning.itertuples()
    )
    return Table(
        f"To plan a study: the standard error of a difference of two algorithms' mean "
        f"{analysis.metric.name} that these components give for other numbers of folds "
        f"and runs (as measured here: {number(found.std_error)}). Folds are taken as "
        f"independent, which folds that share training data are not.",
        ("Folds", "Runs in each cell", "Standard error"),
        rows,
    )


def over_datasets(analysis: Analysis, alpha: float) -> Table:
    """Return one row a data set: what runs and the interaction add."""
    rows = tuple(
        row
        for runs in analysis.runs
        if runs.strata is not None
        for row in [dataset_row(runs, runs.strata, alpha)]
    )
    caption = (
        f"Runs of {analysis.metric.name} within the folds of each data set: whether "
        f"differences of algorithms change from fold to fold by more than runs do, and "
        f"which share of the variance of a difference of means is run noise. p-values "
        f"are of one data set each, not adjusted for their number; the p of all runs "
        f"is Mack and Skillings'."
    )
    return Table(
        shortened(caption, rows, "runs_components"),
        (
            "Data set",
            "Folds",
            "Runs",
            "sd algorithm × fold",
            "sd run",
            "F interaction",
            "p",
            "Share of run noise",
            "Interval",
            "p of all runs",
        ),
        rows[:MAX_ROWS],
    )


def dataset_row(
    runs: RunsWithin, found: ReplicatedAnova, alpha: float
) -> tuple[Cell, ...]:
    """Return what there is to say about one data set in a row."""
    parts = found.components.set_index("component")["std_dev"]
    share = found.run_share
    return (
        label(str(runs.dataset)),
        Cell(f"{found.n_blocks}"),
        Cell(f"{found.n_runs}"),
        number_cell(parts["block:algorithm"]),
        number_cell(parts["run"]),
        number_cell(found.interaction.statistic),
        raw_p(found.interaction.p_value, alpha),
        number_cell(share.estimate, 3),
        interval(share.conf_low, share.conf_high),
        raw_p(runs.ranks.p_value, alpha),
    )


def csv_tables(analysis: Analysis) -> dict[str, pd.DataFrame]:
    """Return the tables of runs for CSV files, full precision."""
    found: dict[str, list[pd.DataFrame]] = {}
    for runs in analysis.runs:
        for name, frame in frames(runs):
            if runs.dataset is not None:
                frame.insert(0, "dataset", runs.dataset)
            found.setdefault(f"runs_{name}", []).append(frame)
    return {name: pd.concat(made, ignore_index=True) for name, made in found.items()}


def frames(runs: RunsWithin) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the tables of one analysis of runs, with their names."""
    yield "mack_skillings", runs.ranks.to_frame()
    if runs.strata is not None:
        yield "strata", runs.strata.to_frame()
        yield "components", runs.strata.components.copy()
        yield "share", runs.strata.run_share.to_frame()
        yield "planning", runs.strata.planning.copy()

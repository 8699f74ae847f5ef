"""Aggregates over tasks and runs as a page reports them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from pycompare import plotting
from pycompare.base.formatting.numbers import number, percent
from pycompare.base.tables import AnyTable
from pycompare.designs.analysis import Analysis
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.task_aggregates import TaskAggregates
from pycompare.plotting.run_intervals import MOST_ROWS, TITLES
from pycompare.plotting.style import MOST_MARKS
from pycompare.reporting.content import build
from pycompare.reporting.content.build import PAIR, Field, Method
from pycompare.reporting.content.facts import stated
from pycompare.reporting.content.wording import sentence
from pycompare.reporting.document import (
    Block,
    Figure,
    FoldedSection,
    Paragraph,
    fold,
    present,
)

_TITLE = "Aggregates over tasks and runs"
_NO_RATE = "coverage of each interval, measured with 3, 5 and 10 runs"
_PLANNED = (
    "Aggregates over these {n} tasks and their runs are reported with the tests, as "
    "specified. {scale} No conclusion of a test depends on them."
)
_AS_MEASURED = "Scores of all tasks have one scale, as the plan states."
_NORMALISED = (
    "Scores are normalised: reference_low is 0 and reference_high is 1 on each task."
)
_LIMITS = (
    "Aggregates over tasks and runs concern new runs on these tasks, not other tasks. "
    "In simulations, 95% intervals of the interquartile mean, the mean and the "
    "probability of improvement covered {few} with 3 runs of each task and {more} with "
    "5 or 10. Coverage is lowest with 3 runs, some of which fail, on 6 tasks."
)
COVERED = {"few": "0.82 to 0.98", "more": "0.92 to 0.97"}
"""Lowest and highest coverage over the cells of validation/RUN_AGGREGATES.md."""
_POPULATION = "Intervals are individual ones, for new runs on these tasks."


def told(analysis: Analysis) -> list[str]:
    """Return which algorithm has the best interquartile mean over tasks and runs."""
    tasks = analysis.tasks
    if tasks is None:
        return []
    table = tasks.aggregates.as_columns()
    rows = np.flatnonzero(table["aggregate"] == "iqm")
    values = table["estimate"][rows].astype(float)
    turned = values if tasks.aggregates.better == "higher" else -values
    best = rows[int(np.argmax(turned))]
    low, high = table["conf_low"][best], table["conf_high"][best]
    limits = ""
    if not np.isnan(low):
        level = percent(tasks.aggregates.level)
        limits = f", {level} CI [{number(low)}, {number(high)}]"
    word = "highest" if tasks.aggregates.better == "higher" else "lowest"
    return [
        f"Over these {tasks.aggregates.n_tasks} tasks and their runs, "
        f"{table['algorithm'][best]} has the {word} interquartile mean of "
        f"{tasks.aggregates.metric} ({number(table['estimate'][best])}{limits})."
    ]


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return that aggregates over tasks and runs are reported, if so."""
    plan = comparison.plan
    if plan.run_aggregates is None:
        return []
    scale = _AS_MEASURED if plan.run_aggregates == "as-measured" else _NORMALISED
    return [stated(_PLANNED, n=comparison.scores.n_blocks, scale=scale)]


def method_rows(comparison: GroupComparison) -> list[Method]:
    """Return the method with its source."""
    tasks = comparison.analyses[0].tasks
    return [] if tasks is None else [(_TITLE, _NO_RATE, tasks.aggregates.reference)]


def limits(comparison: GroupComparison) -> list[str]:
    """Return the population of aggregates, with the coverage of their intervals."""
    if comparison.plan.run_aggregates is None:
        return []
    return [stated(_LIMITS, **COVERED)]


def uses_of_seed(analyses: Sequence[Analysis]) -> list[str]:
    """Return that bands are of random resamples, if there are any."""
    return ["bands of performance profiles"] * (analyses[0].tasks is not None)


def blocks(analysis: Analysis, prefix: str = "") -> Iterator[FoldedSection]:
    """Yield tables and figures of the aggregates of one metric, folded."""
    tasks = analysis.tasks
    if tasks is None:
        return
    notes = (*tasks.aggregates.notes, *tasks.pairs.notes)
    yield fold(
        _TITLE,
        Paragraph(" ".join([*told(analysis), _POPULATION])),
        *_tables(tasks),
        *present(Paragraph(" ".join(map(sentence, notes)), "note") if notes else None),
        *_figures(tasks, prefix),
    )


def _tables(tasks: TaskAggregates) -> Iterator[Block]:
    """Yield the aggregates of algorithms, and the quantities of pairs."""
    own, pairs = tasks.aggregates, tasks.pairs
    fewest, most = own.runs_per_task
    runs = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    level = percent(own.level)
    yield build.table(
        f"Aggregates of {own.metric} over {own.n_tasks} tasks with {runs} runs each "
        f"({own.better} is better); {own.method}.",
        own.as_columns(),
        Field("Algorithm", "label", "algorithm"),
        Field("aggregate", "text", lambda row: TITLES[row.aggregate]),
        *_numbers(level),
        file="run_aggregates",
    )
    yield build.table(
        f"Pairs of algorithms over these tasks and runs in {pairs.metric}: probability "
        "that a run of the first is better than a run of the second, and differences "
        "of aggregates, first minus second.",
        pairs.as_columns(),
        PAIR,
        Field("quantity", "text", _quantity),
        *_numbers(level),
        file="run_pairs",
    )


def _numbers(level: str) -> tuple[Field, ...]:
    """Return the columns of an estimate with its interval."""
    return (
        Field("estimate", "number", "estimate", digits=4),
        Field(f"{level} CI", "interval", lambda row: (row.conf_low, row.conf_high)),
        Field("standard error", "number", "std_error", digits=3),
    )


def _quantity(row: Any) -> str:
    """Return the quantity of a row of pairs in words."""
    name = TITLES[row.quantity]
    if row.quantity == "probability_of_improvement":
        return name
    return f"difference in {name}"


def _figures(tasks: TaskAggregates, prefix: str) -> Iterator[Figure]:
    """Yield interquartile means, probabilities of improvement and profiles."""
    own, pairs, profiles = tasks.aggregates, tasks.pairs, tasks.profiles
    if len(own.algorithms) <= MOST_ROWS:
        yield Figure(
            f"{prefix}run_intervals",
            partial(plotting.run_intervals, own),
            f"Interquartile mean of {own.metric} of each algorithm over tasks and "
            f"runs, with individual {percent(own.level)} intervals.",
            "Dots with intervals; the table has the numbers.",
        )
    if _n_pairs(pairs) <= MOST_ROWS:
        yield Figure(
            f"{prefix}run_improvement",
            partial(plotting.run_intervals, pairs),
            "Probability that a run of the first algorithm is better than a run of the "
            f"second, mean over tasks; individual {percent(pairs.level)} intervals.",
            "Dots with intervals; the table has the numbers.",
        )
    if len(own.algorithms) <= MOST_MARKS:
        yield Figure(
            f"{prefix}run_profiles",
            partial(plotting.run_profiles, profiles),
            f"Share of runs that are better than a score of {profiles.metric}; each "
            f"task has the same weight. Bands: {percent(profiles.level)} confidence "
            "for all scores together, of each algorithm separately.",
            "Falling lines with bands; the file run_profiles has the numbers.",
            full=True,
        )


def _n_pairs(pairs: Any) -> int:
    """Return the number of pairs."""
    return len({label[:2] for label in pairs.row_labels()})


def csv_tables(analysis: Analysis) -> dict[str, AnyTable]:
    """Return aggregates, pairs and profiles for CSV files, full precision."""
    tasks = analysis.tasks
    if tasks is None:
        return {}
    return {
        "run_aggregates": tasks.aggregates.as_columns(),
        "run_pairs": tasks.pairs.as_columns(),
        "run_profiles": tasks.profiles.as_columns(),
    }

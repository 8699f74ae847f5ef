"""Confidence sets of ranks as a page reports them: tables, CSV files, a figure."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pandas as pd

from pycompare import plotting
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.numbers import percent
from pycompare.orders.rank_sets import RankSets
from pycompare.reporting.content import build
from pycompare.reporting.content.build import Field
from pycompare.reporting.content.figures import Shown
from pycompare.reporting.document import Figure, Fold, Table, present

FEWEST = 3
"""Two algorithms have no ranks that their one comparison does not show."""
_UNITS = {
    "cases": "cases",
    "datasets": "data sets",
    "ranks": "data sets",
    "means": "data sets",
}
"""Of what more can be had, by the planned blocks or comparison over data sets."""


def block(found: RankSets, comparison: GroupComparison) -> Fold:
    """Return the confidence sets, and what would separate neighbours."""
    parts = present(_sets(found), _neighbours(found, comparison))
    return Fold("Confidence sets of ranks", parts, "ranks")


def _sets(found: RankSets) -> Table:
    """Return the confidence sets of ranks."""
    level = percent(1 - found.alpha)
    return build.table(
        f"Simultaneous {level} confidence sets of ranks (1 = best), from the decisions "
        f"on all pairs. Algorithms that may be best: {', '.join(found.may_be_best)}.",
        found.table,
        Field("Algorithm", "label", "algorithm"),
        Field("rank", "number", "rank", digits=3),
        Field(f"{level} set", "text", _set_of),
        file="rank_sets",
    )


def _set_of(row: Any) -> str:
    """Return the ranks of a row's set."""
    return rank_set(row.rank_low, row.rank_high)


def rank_set(low: int, high: int) -> str:
    """Return the ranks of a set: ``2 to 4``, or ``1``."""
    return f"{low}" if low == high else f"{low} to {high}"


def _neighbours(found: RankSets, comparison: GroupComparison) -> Table | None:
    """Return how many blocks would separate neighbours; None where none is known."""
    rows, n = found.neighbours, comparison.compared.n_blocks
    unit = _UNITS.get(comparison.plan.verdict or comparison.plan.blocks)
    if unit is None or not rows["times_as_many"].notna().any():
        return None

    def needed(row: Any) -> float | None:
        times = row.times_as_many
        return math.ceil(times * n) if math.isfinite(times) else None

    return build.table(
        f"Neighbours in rank. The last column is how many {unit} (compared were {n}) "
        f"would separate the two with power 80% if the observed difference were the "
        f"true one (large samples, Bonferroni over all pairs).",
        rows,
        Field("Pair", "label", lambda row: f"{row.better} \N{EN DASH} {row.worse}"),
        Field("adjusted p", "p", "p_adjusted", found.alpha),
        Field(f"{unit} needed", "count", needed),
        file="neighbours",
    )


def csv_tables(found: RankSets) -> dict[str, pd.DataFrame]:
    """Return the tables for CSV files, full precision."""
    return {"rank_sets": found.to_frame(), "neighbours": found.neighbours}


def intervals(found: RankSets, shown: Shown) -> Figure:
    """Return the figure of the confidence sets of ranks."""
    sets = ", ".join(
        f"{row.algorithm} {_set_of(row)}" for row in found.table.itertuples()
    )
    return Figure(
        f"{shown.prefix}rank_intervals",
        partial(plotting.rank_intervals, found),
        f"{shown.what}: ranks (dots) with simultaneous {100 * (1 - found.alpha):g}% "
        f"confidence sets (bars); dark bars contain rank 1. {shown.level}",
        f"Confidence sets of ranks. {sets}.",
    )

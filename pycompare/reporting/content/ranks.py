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


def block(found: RankSets, unit: str | None) -> Fold:
    """Return the confidence sets, and how many of a unit would separate neighbours."""
    parts = present(_sets(found), None if unit is None else _neighbours(found, unit))
    return Fold("Confidence sets of ranks", parts, "ranks")


def unit_of(comparison: GroupComparison) -> str | None:
    """Return what blocks are, where there can be more of them."""
    plan = comparison.plan
    if comparison.scores.clusters is not None:
        return "clusters"
    return _UNITS.get(plan.verdict or plan.blocks)


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


def _neighbours(found: RankSets, unit: str) -> Table | None:
    """Return how many blocks would separate neighbours; None where none is known."""
    rows = found.neighbours
    if not rows["n_needed"].notna().any():
        return None
    return build.table(
        f"Neighbours in rank. The last column is how many {unit} would separate them "
        f"with power 80% if the observed difference were the true one (paired t test, "
        f"Bonferroni over all pairs). {found.pairs.n_blocks} were compared.",
        rows,
        Field("Pair", "label", lambda row: f"{row.better} \N{EN DASH} {row.worse}"),
        Field("adjusted p", "p", "p_adjusted", found.alpha),
        Field(f"{unit} needed", "text", _needed),
        file="neighbours",
    )


def _needed(row: Any) -> str:
    """Return a number of blocks."""
    if math.isinf(row.n_needed):
        return "over a million"
    return "" if math.isnan(row.n_needed) else f"{int(row.n_needed):,}"


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

"""Confidence sets of ranks as a page reports them: tables, CSV files, a figure."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from pycompare import plotting
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import AnyTable, Columns
from pycompare.designs.group_comparison import GroupComparison
from pycompare.methods.orders.rank_sets import RankSets, rank_sets_of
from pycompare.methods.ranks.prediction import RankPrediction
from pycompare.reporting.content import build
from pycompare.reporting.content.build import Field
from pycompare.reporting.content.figures import ShownPairs
from pycompare.reporting.content.wording import begun
from pycompare.reporting.document import Figure, FoldedSection, Table, fold
from pycompare.results.guarantees import Guarantee
from pycompare.results.result import PairsResult

FEWEST = 3
"""Two algorithms have no ranks that their one comparison does not show."""


def shown(pairs: PairsResult, alpha: float) -> RankSets | None:
    """Return the sets that follow from pairs, if a page shows any."""
    return rank_sets_of(pairs, alpha) if len(pairs.algorithms) >= FEWEST else None


def block(
    rank_sets: RankSets,
    unit: str | None,
    claim: Guarantee,
    predicted: RankPrediction | None = None,
    end: str = "",
    nouns: tuple[str, str] = ("algorithm", "algorithms"),
) -> FoldedSection:
    """Return the confidence sets, and how many of a unit would separate neighbours.

    ``claim`` is the error rate of the decisions, ``end`` that of the names of their
    CSV files; ``nouns`` name the ranked, one and several.
    """
    neighbours = None if unit is None else _neighbours(rank_sets, unit, end)
    return fold(
        "Confidence sets of ranks",
        _sets(rank_sets, claim, predicted, end, nouns),
        neighbours,
    )


def predictions(predicted: RankPrediction | None) -> FoldedSection | None:
    """Return the ranks to expect on a new block, if no sets of ranks are shown."""
    # Notes: any rank is possible.
    if predicted is None or predicted.notes or len(predicted.as_columns()) < FEWEST:
        return None
    rows = predicted.as_columns()
    table = build.table(
        f"Mean ranks (1 = best) with the {percent(predicted.level)} prediction "
        "interval of the rank on one new data set like these, individually for each "
        "algorithm.",
        rows.take(np.argsort(np.asarray(rows["mean_rank"]), kind="stable")),
        Field("Algorithm", "label", "algorithm"),
        Field("mean rank", "number", "mean_rank", digits=3),
        Field(
            "on a new data set",
            "text",
            lambda row: rank_set(row.predicted_low, row.predicted_high),
        ),
        file="rank_predictions",
    )
    return fold("Ranks on a new data set", table)


def unit_of(comparison: GroupComparison) -> str | None:
    """Return the kind of blocks, if there can be more of them."""
    plan, design = comparison.plan, comparison.plan.design
    if comparison.scores.clusters is not None:
        return "clusters"
    grows = design.can_grow and not plan.quantity.of_folds
    return f"{design.unit}s" if grows else None


def _simultaneous(rank_sets: RankSets, claim: Guarantee) -> str:
    """Return the level of sets; simultaneous only with a claim of their decisions."""
    return f"{'simultaneous ' * claim.claimed}{percent(1 - rank_sets.alpha)}"


def _sets(
    rank_sets: RankSets,
    claim: Guarantee,
    predicted: RankPrediction | None,
    end: str,
    nouns: tuple[str, str],
) -> Table:
    """Return the confidence sets of ranks, and the ranks to expect on a new block."""
    level = percent(1 - rank_sets.alpha)
    about = (
        f"{begun(_simultaneous(rank_sets, claim))} confidence sets of ranks (1 = "
        f"best), derived from the decisions on all pairs. "
        f"{begun(nouns[1])} that may be best: {', '.join(rank_sets.may_be_best)}."
    )
    if not claim.claimed:
        about += (
            f" Simultaneous coverage is not claimed ({claim.brief(rank_sets.alpha)})."
        )
    columns = [
        Field(begun(nouns[0]), "label", "algorithm"),
        Field("rank", "number", "rank", digits=3),
        Field(f"{level} set", "text", _set_of),
    ]
    if predicted is not None and not predicted.notes:  # notes: any rank is possible
        rows = predicted.as_columns()
        text = map(rank_set, rows["predicted_low"], rows["predicted_high"])
        limits = dict(zip(rows["algorithm"], text, strict=True))
        about += (
            f" The last column is the {level} prediction interval of the rank on one "
            "new data set like these, individually for each algorithm."
        )
        columns.append(
            Field("on a new data set", "text", lambda row: limits[row.algorithm])
        )
    return build.table(about, rank_sets.as_columns(), *columns, file=f"rank_sets{end}")


def _set_of(row: Any) -> str:
    """Return the ranks of a row's set."""
    return rank_set(row.rank_low, row.rank_high)


def rank_set(low: float, high: float) -> str:
    """Return the ranks of a set: ``2 to 4``, or ``1``."""
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _neighbours(rank_sets: RankSets, unit: str, end: str) -> Table | None:
    """Return how many blocks would separate neighbours; None if none is known."""
    rows = rank_sets.held("neighbours")
    if np.isnan(rows["n_needed"]).all():
        return None
    return build.table(
        f"Neighbours in rank. The last column is the number of {unit} for 80% power if "
        f"the observed difference is the true one (paired t test, Bonferroni over all "
        f"pairs); {rank_sets.pairs.n_blocks} were compared.",
        rows,
        Field("Pair", "label", lambda row: f"{row.better} \N{EN DASH} {row.worse}"),
        Field("adjusted p", "p", "p_adjusted", rank_sets.alpha),
        Field(f"{unit} needed", "text", _needed),
        file=f"neighbours{end}",
    )


def _needed(row: Any) -> str:
    """Return a number of blocks."""
    if math.isinf(row.n_needed):
        return "over a million"
    return "" if math.isnan(row.n_needed) else f"{int(row.n_needed):,}"


def csv_tables(
    rank_sets: RankSets, predicted: RankPrediction | None = None, end: str = ""
) -> dict[str, AnyTable]:
    """Return the tables for CSV files, full precision."""
    sets = rank_sets.as_columns()
    if predicted is not None:
        more = predicted.as_columns()
        place = {name: i for i, name in enumerate(more["algorithm"])}
        rows = [place[name] for name in sets["algorithm"]]
        names = ("predicted_low", "predicted_high")
        limits = {name: np.asarray(more[name])[rows] for name in names}
        sets = Columns(dict(sets.items()) | limits)
    return {
        f"rank_sets{end}": sets,
        f"neighbours{end}": rank_sets.held("neighbours"),
    }


def all_csv_tables(
    rank_sets: RankSets | None, predicted: RankPrediction | None
) -> dict[str, AnyTable]:
    """Return the tables of sets of ranks, or of predicted ranks without such sets."""
    if rank_sets is not None:
        return csv_tables(rank_sets, predicted)
    if predicted is None or predictions(predicted) is None:
        return {}
    return {"rank_predictions": predicted.as_columns()}


def intervals(rank_sets: RankSets, shown: ShownPairs, claim: Guarantee) -> Figure:
    """Return the figure of the confidence sets of ranks."""
    sets = ", ".join(
        f"{row.algorithm} {_set_of(row)}" for row in rank_sets.as_columns().itertuples()
    )
    return Figure(
        f"{shown.prefix}rank_intervals",
        partial(plotting.rank_intervals, rank_sets),
        f"{shown.what}: ranks (dots) with {_simultaneous(rank_sets, claim)} confidence "
        f"sets (bars); dark bars contain rank 1. {shown.level}",
        f"Confidence sets of ranks. {sets}.",
    )

"""These cases and cases like these, as a page reports them: means and components."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.formatting.numbers import number, percent
from pycompare.base.tables import AnyTable
from pycompare.methods.cases.item_table import ItemTable
from pycompare.methods.cases.these_items import TheseItemsResult
from pycompare.plotting.item_map import caption, item_map
from pycompare.reporting.content import build, wording
from pycompare.reporting.content.build import PAIR, Field
from pycompare.reporting.document import Block, Bullets, Figure, Table

if TYPE_CHECKING:
    from pycompare.designs.cases import CaseAnalysis

_HALF = 0.25
"""Share of the variance that half of an interval has."""
_MOST_NAMED = 8
"""Cases that a row names; the file has all."""


def figures(analysis: CaseAnalysis) -> Iterator[Figure]:
    """Yield the cases by difficulty and rest correlation, if they have them."""
    items = None if analysis.scopes is None else analysis.scopes.items
    if items is None:
        return
    columns = items.as_columns()
    both = columns["difficulty"].astype(float) + columns["rest_correlation"]
    if not np.isfinite(both.astype(float)).any():
        return
    yield Figure(
        "items",
        partial(item_map, items, footnote=False),
        " ".join(caption(items)),
        "Dots: difficulty and rest correlation of each case.",
    )


def tables(analysis: CaseAnalysis) -> Iterator[Block]:
    """Yield means with both intervals, and the components of differences."""
    scopes = analysis.scopes
    assert scopes is not None and scopes.means is not None
    means = scopes.means
    level = percent(means.level)
    yield build.table(
        f"Mean {means.metric} of each algorithm with individual {level} intervals for "
        "new answers to these cases, and for cases like these.",
        means.as_columns(),
        Field("Algorithm", "label", "algorithm"),
        Field(means.metric, "number", "estimate", digits=4),
        Field("these cases", "interval", lambda r: (r.low_these, r.high_these)),
        Field("cases like these", "interval", lambda r: (r.low_like, r.high_like)),
        file="item_means",
    )
    fixed = scopes.fixed
    if fixed is not None:
        yield _components(fixed, clustered=analysis.n_clusters is not None)
    if scopes.items is not None:
        yield from _model(scopes.items)
        yield _listed(scopes.items)


def _model(items: ItemTable) -> Iterator[Block]:
    """Yield shares and differences by the mixed model, or why there is none."""
    model = items.model
    if model is None:
        yield Bullets(tuple(wording.sentence(n) for n in items.notes[:1]))
        return
    level = percent(model.level)
    yield build.table(
        f"Sensitivity: {model.metric} of each algorithm on cases like these by a mixed "
        f"model, with individual {level} intervals. Standard deviations on the logit "
        f"scale: cases {number(model.sd_item, 3)}, algorithms on cases "
        f"{number(model.sd_own, 3)}. It assumes normal effects on the logit scale; it "
        "is not more precise.",
        model.as_columns(),
        Field("Algorithm", "label", "algorithm"),
        Field(model.metric, "number", "estimate", digits=4),
        Field(f"{level} interval", "interval", lambda row: (row.low, row.high)),
        file="item_model",
    )
    yield build.table(
        f"Sensitivity: differences by the mixed model, with individual {level} "
        "intervals, and the share of the algorithms' own effects in the variance of a "
        "case's mean difference.",
        model.held("pairs"),
        PAIR,
        Field("difference", "number", "difference", digits=4),
        Field(f"{level} interval", "interval", lambda row: (row.low, row.high)),
        Field("own effects", "number", "own_share", digits=2),
        file="item_model_pairs",
    )


def _listed(items: ItemTable) -> Table:
    """Return the cases that carry no difference, and those lost and won."""
    rows: list[tuple[str, tuple[str, ...]]] = [
        ("all fail", items.all_fail),
        ("all solve", items.all_solve),
    ]
    names = items.held("blocks").algorithms
    if len(names) == 2:
        rows += [(f"{names[0]} worse", items.lost), (f"{names[0]} better", items.won)]
    told = [wording.sentence(note) for note in items.notes]
    return build.table(
        "Cases that all algorithms fail or solve: they carry no difference. All cases, "
        "with difficulties and rest correlations, are in the file. " + " ".join(told),
        rows,
        Field("Cases", "label", itemgetter(0)),
        Field("number", "count", lambda row: len(row[1])),
        Field("first", "text", lambda row: _first(row[1])),
        file="items",
    )


def _first(names: tuple[str, ...]) -> str:
    """Return some names."""
    more = len(names) - _MOST_NAMED
    told = ", ".join(names[:_MOST_NAMED])
    return f"{told} and {more:,} more" if more > 0 else told


def _components(fixed: TheseItemsResult, *, clustered: bool) -> Table:
    """Return the components of the variance of a difference, and how to halve it."""
    n, n_runs = fixed.n_cases, fixed.n_runs

    def share(row: Any) -> float:
        """Return the answers' share in the variance for items like these."""
        total = row.between + row.within / n_runs
        return float(row.within / n_runs / total) if total > 0 else math.nan

    def answers_to_halve(row: Any) -> str:
        """Return the answers to a case that halve the interval, if any do."""
        left = _HALF * (row.between + row.within / n_runs) - row.between
        return f"{math.ceil(row.within / left - 1e-9):,}" if left > 0 else "–"

    told = ""
    if not clustered:
        told = (
            f" To halve an interval for cases like these takes {4 * n:,} cases, or the "
            "answers to each case in the last column, if any suffice."
        )
    fields = [
        PAIR,
        Field("between cases", "number", "between", digits=4),
        Field("between two answers", "number", "within", digits=4),
        Field("share of answers", "number", share, digits=2),
    ]
    if not clustered:
        fields.append(Field("answers to each case", "text", answers_to_halve))
    return build.table(
        "Variance of differences between cases' expected answers, and of a difference "
        "of two answers to one case; share of the answers in the variance of the mean "
        f"difference for cases like these.{told}",
        fixed.as_columns(),
        *fields,
        file="item_components",
    )


def csv_tables(analysis: CaseAnalysis) -> dict[str, AnyTable]:
    """Return the tables for CSV files, full precision."""
    scopes = analysis.scopes
    if scopes is None:
        return {}
    held: dict[str, AnyTable] = {"scopes": scopes.columns()}
    if scopes.means is not None:
        held["item_means"] = scopes.means.as_columns()
    if scopes.fixed is not None:
        names = ("algorithm_1", "algorithm_2", "between", "within")
        held["item_components"] = scopes.fixed.as_columns().only(names)
    if scopes.items is not None:
        held["items"] = scopes.items.as_columns()
        if scopes.items.model is not None:
            held["item_model"] = scopes.items.model.as_columns()
            held["item_model_pairs"] = scopes.items.model.held("pairs")
    return held

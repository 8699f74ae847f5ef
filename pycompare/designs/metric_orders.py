"""Algorithms in the order of each metric, with the groups of verdicts already made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from pycompare.base.tables import Columns, stacked
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis
from pycompare.methods.orders.cliques import few_enough
from pycompare.methods.orders.orderings import OrderingsResult, orderings
from pycompare.results.result import Pairs

ALONE, _TOGETHER = "alone", "together"
"""Groups of one metric's own primary analysis, and of the T2 tests of all metrics."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MetricOrders:
    """Orders in each metric; nothing is tested anew.

    Attributes
    ----------
    alone : OrderingsResult
        Groups without a significant pair in the metric's own primary analysis.
    together : OrderingsResult or None
        Groups that T2 tests of all metrics do not distinguish; None without those.
    """

    alone: OrderingsResult
    together: OrderingsResult | None

    def by_groups(self) -> dict[str, OrderingsResult]:
        """Return the orderings by what makes their groups."""
        orderings = {ALONE: self.alone}
        return (
            orderings
            if self.together is None
            else orderings | {_TOGETHER: self.together}
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each comparison behind groups, metric and algorithm."""
        return self.as_columns().pandas()

    def as_columns(self) -> Columns:
        """Return the rows as our own code reads them."""
        by_groups = self.by_groups().items()
        return stacked(o.as_columns().but(groups_by=name) for name, o in by_groups)


def decided_pairs(analyses: Iterable[Analysis]) -> dict[str, Pairs]:
    """Return the pairs of each metric's primary analysis, if there are all pairs."""
    return {
        analysis.metric.name: analysis.decisive
        for analysis in analyses
        if analysis.of_pairs
    }


NOT_LISTED = (
    "order of the algorithms in each metric: groups without a significant difference "
    "are too many to list"
)


def listable(decided: dict[str, Pairs], joint: Pairs | None, alpha: float) -> bool:
    """Return whether groups without a significant difference are few enough."""
    every = [*decided.values(), *([] if joint is None else [joint])]
    return all(
        pairs.control is not None or few_enough(pairs, alpha) is not None
        for pairs in every
    )


def metric_orders(
    scores: Scores, decided: dict[str, Pairs], joint: Pairs | None, alpha: float
) -> MetricOrders | None:
    """Return the orders of the metrics that were decided; None against a control.

    None too if groups without a significant difference are too many to list.

    ``decided`` has each metric's own pairs, ``joint`` those of all metrics together.
    """
    if not decided or scores.n_algorithms < 3:
        return None
    if any(pairs.control is not None for pairs in decided.values()):
        return None
    if not listable(decided, joint, alpha):
        return None
    names = list(decided)
    return MetricOrders(
        alone=orderings(
            scores,
            metrics=names,
            pairs=lambda metric_scores: decided[metric_scores.metrics[0].name],
            alpha=alpha,
        ),
        together=None
        if joint is None or joint.control is not None
        else orderings(scores, metrics=names, pairs=joint, alpha=alpha),
    )

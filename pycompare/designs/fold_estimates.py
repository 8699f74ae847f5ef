"""Folds without the sizes that a test needs: means and differences, and no claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.tables import Columns
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis, Titled
from pycompare.designs.draft import Draft
from pycompare.designs.plans.plan import Plan
from pycompare.methods.pairs.common import family_pairs
from pycompare.results.result import Result

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, kw_only=True, eq=False)
class FoldEstimates(Result):
    """Mean differences over folds that share training data, without tests.

    Attributes
    ----------
    means : mapping of str to float
        Mean score of each algorithm in the metric's own unit, the best first.
    table : Columns
        One row per pair: ``algorithm_1 algorithm_2 estimate lowest highest n_folds``,
        the mean, smallest and largest difference of algorithm_1 minus algorithm_2, over
        the folds that both have; NaN if there is none.
    """

    means: dict[str, float]
    table: Columns


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimatesAnalysis(Analysis):
    """Estimates over folds of one metric; see ``Analysis``. Nothing is decided.

    Attributes
    ----------
    estimates : FoldEstimates
    """

    kind = "estimates"
    has_ranks = False
    estimates: FoldEstimates

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        return (("Estimates over folds", self.estimates),)


def draft_estimates(scores: Scores, plan: Plan, metric: str) -> Draft:
    """Return the estimates of one metric over folds; no family decides anything."""
    analysis = EstimatesAnalysis(
        metric=scores.metric(metric),
        decisions=(),
        estimates=_fold_estimates(scores, metric, plan.control),
    )
    return Draft({}, lambda _: analysis)


def _fold_estimates(scores: Scores, metric: str, control: str | None) -> FoldEstimates:
    """Return means of algorithms and mean differences of pairs over folds."""
    values, names = scores.column(metric), scores.algorithms
    has = ~np.isnan(values)
    means = [
        float(column[kept].mean()) if kept.any() else float("nan")
        for column, kept in zip(values.T, has.T, strict=True)
    ]
    order = np.argsort(
        scores.metric(metric).sign * np.array(means), kind="stable"
    ).tolist()
    pairs = family_pairs(names, control)
    rows = [_of_pair(values[:, i], values[:, j]) for i, j in pairs]
    first, second = zip(*pairs, strict=True)
    labels = np.array(names, object)
    numbers = np.array(rows)
    columns: dict[str, Any] = {
        "algorithm_1": labels[list(first)],
        "algorithm_2": labels[list(second)],
        "estimate": numbers[:, 0],
        "lowest": numbers[:, 1],
        "highest": numbers[:, 2],
        "n_folds": numbers[:, 3].astype(int),
    }
    return FoldEstimates(
        means={names[i]: means[i] for i in order}, table=Columns(columns)
    )


def _of_pair(first: Any, second: Any) -> tuple[float, float, float, float]:
    """Return mean, smallest and largest difference, and of how many folds."""
    d = first - second
    d = d[~np.isnan(d)]
    if not len(d):
        return float("nan"), float("nan"), float("nan"), 0.0
    return float(d.mean()), float(d.min()), float(d.max()), float(len(d))

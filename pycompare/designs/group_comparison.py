"""The whole analysis of one group of data sets, or of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis, Titled
from pycompare.designs.error_rates import error_rate, of_plan
from pycompare.designs.firmness import LeftOut
from pycompare.designs.leave_one_out import left_out_of
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.statements import of_estimand
from pycompare.methods.orders.rank_sets import RankSets, has_ranks, rank_sets_of
from pycompare.methods.ranks.prediction import RankPrediction, rank_prediction
from pycompare.results.estimands import Estimand, estimand
from pycompare.results.guarantees import Guarantee
from pycompare.results.result import PairsResult, Told, plain, whole_lists

if TYPE_CHECKING:
    from pycompare.data.predictions import Predictions
    from pycompare.designs.multivariate import Together
    from pycompare.designs.multivariate_datasets import DatasetsTogether


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupComparison:
    """The analysis of all metrics in one group of data sets.

    Attributes
    ----------
    group : str or None
        The group; None without groups, and for all of them together.
    scores : Scores
        The scores of the group, without groups; with groups if they have weights.
    compared : Scores
        The scores that were compared: data sets' means, if there are several with
        folds.
    asked, plan : Plan
        The plan as it was given, and with nothing left open.
    analyses : tuple of Analysis
        One per metric, all of one analysis.
    together : Together or None
        Several metrics at once, over folds or over means of data sets.
    datasets_together : DatasetsTogether or None
        Several metrics at once on each of several data sets.
    predictions : Predictions or None
        What scores at several thresholds were measured of.
    """

    group: str | None
    scores: Scores
    compared: Scores
    asked: Plan
    plan: Plan
    analyses: tuple[Analysis, ...]
    together: Together | None
    datasets_together: DatasetsTogether | None
    predictions: Predictions | None = None

    @cached_property
    def rank_sets(self) -> dict[str, RankSets]:
        """Confidence sets of ranks by metric, if the primary analysis gives any."""
        alpha = self.plan.alpha
        by_metric = {a.metric.name: rank_sets_of(a, alpha) for a in self.analyses}
        return {name: sets for name, sets in by_metric.items() if sets is not None}

    @cached_property
    def estimands(self) -> dict[str, Estimand]:
        """Quantity in which the primary analysis compares pairs, by metric."""
        units, over = of_plan(self.plan), self.plan.design.over_datasets
        told = of_estimand(self.asked)
        return {
            analysis.metric.name: estimand(
                error_rate(pairs, self.plan, units),
                pairs.estimate_name,
                block="data set" if over else "block",
                **{"variable": analysis.metric.name, **told},
            )
            for analysis in self.analyses
            if isinstance(pairs := analysis.decisive, PairsResult)
        }

    @cached_property
    def rank_predictions(self) -> dict[str, RankPrediction]:
        """Prediction of ranks on a new data set by metric, if pairs have ranks."""
        plan = self.plan
        related = self.compared.clusters is not None  # a new data set is none like them
        fixed = plan.quantity.fixed_data_sets
        if not plan.design.over_datasets or fixed or related:
            return {}
        # Sets of ranks need no complete table, ranks on one data set do.
        level = 1 - plan.alpha
        ranked = [a.metric.name for a in self.analyses if has_ranks(a)]
        return {
            name: rank_prediction(self.compared, metric=name, level=level)
            for name in ranked
            if not np.isnan(self.compared.column(name)).any()
        }

    def left_out(self, analysis: Analysis) -> LeftOut:
        """Return which decisions of an analysis change without one block."""
        known = self._left_out
        if analysis not in known:
            known[analysis] = left_out_of(self.plan, self.compared, analysis)
        return known[analysis]

    @cached_property
    def _left_out(self) -> dict[Analysis, LeftOut]:
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        with whole_lists():  # certificates say all of them
            rank_sets = {
                name: Told(
                    sets.to_dict()
                    | {"error_rate": self.claim(sets).stated(sets.alpha)},
                    sets,
                )
                for name, sets in self.rank_sets.items()
            }
        return {
            "analyses": [analysis.to_dict() for analysis in self.analyses],
            "estimands": {
                name: plain(estimand) for name, estimand in self.estimands.items()
            },
            "rank_sets": rank_sets,
            "rank_predictions": {
                name: plain(prediction)
                for name, prediction in self.rank_predictions.items()
            },
            "together": self.together and self.together.to_dict(),
            "datasets_together": self.datasets_together
            and self.datasets_together.to_dict(),
        }

    def results(self) -> list[Titled]:
        """Return every result with its title, the metric named if there are more."""
        several = len(self.analyses) > 1
        titled = [
            (f"{analysis.metric.name}: {title}" if several else title, result)
            for analysis in self.analyses
            for title, result in (
                *analysis.results(),
                *analysis.beside(),
                *self._ranks(analysis),
            )
        ]
        for part in (self.together, self.datasets_together):
            titled += () if part is None else part.results()
        return titled

    def claim(self, rank_sets: RankSets) -> Guarantee:
        """Return the error rate of the decisions behind sets of ranks."""
        return error_rate(rank_sets.pairs, self.plan, of_plan(self.plan))

    def _ranks(self, analysis: Analysis) -> tuple[Titled, ...]:
        """Return the facts about the ranks in one metric, if anything is."""
        name = analysis.metric.name
        titled = (
            ("Confidence sets of ranks", self.rank_sets.get(name)),
            ("Prediction of ranks on a new data set", self.rank_predictions.get(name)),
        )
        return tuple((title, ranks) for title, ranks in titled if ranks is not None)

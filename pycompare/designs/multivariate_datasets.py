"""All metrics at once on each of several data sets, and wins by total risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from pycompare.base.errors import DesignError
from pycompare.base.tables import Columns, stacked
from pycompare.data.scores import Scores
from pycompare.designs.analysis import Analysis, Titled, adjusted_source
from pycompare.designs.metric_orders import MetricOrders, metric_orders
from pycompare.designs.multiple_datasets import DatasetsAnalysis
from pycompare.designs.multivariate import mean_source, vector_pairs
from pycompare.designs.planned_pairs import after_gate
from pycompare.designs.plans.plan import Plan
from pycompare.methods.linear.hotelling_pairs import HotellingPairsResult
from pycompare.methods.linear.manova import ManovaResult, manova
from pycompare.methods.over_datasets.dataset_tables import on_each_dataset
from pycompare.methods.over_datasets.sign_grid import SignGridResult, sign_grid
from pycompare.methods.over_datasets.wins import WinsResult, wins
from pycompare.results.result import NumberSource, Pairs, plain, rows_of


@dataclass(frozen=True, kw_only=True, eq=False)
class VectorsOnDataset:
    """Mean vectors on the folds of one data set.

    Attributes
    ----------
    dataset : str
    n_folds : int
    manova : ManovaResult or None
        None if there can be none; ``refusal`` states why.
    pairs : HotellingPairsResult or None
        Paired T2; None also for two algorithms, whose one pair is ``manova``'s.
    orders : MetricOrders or None
        Algorithms in the order of each metric, with the groups of its own comparisons
        on this data set and of the T2 tests.
    refusal : str
    """

    dataset: str
    n_folds: int
    manova: ManovaResult | None
    pairs: HotellingPairsResult | None
    orders: MetricOrders | None
    refusal: str


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetsTogether:
    """Results of several metrics together, data set by data set.

    Attributes
    ----------
    metrics : tuple of str
    each : tuple of VectorsOnDataset
    wins : WinsResult or None
        T2 decides whether two differ, the total risk which is better; only with a
        planned ``cost_ratio`` or ``loss``.
    sign : SignGridResult or None
        Exact sign tests of those wins.
    refusal : str
        Why wins could not be counted, though planned.
    """

    metrics: tuple[str, ...]
    each: tuple[VectorsOnDataset, ...]
    wins: WinsResult | None
    sign: SignGridResult | None
    refusal: str

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything that R can repeat as a whole."""
        rows: list[Titled] = []
        if self.wins is not None and self.sign is not None:
            rows.append(("Metrics together: wins by total risk", self.wins))
            rows.append(("Metrics together: sign tests of wins", self.sign))
        return tuple(rows)

    def data_sets_table(self) -> pd.DataFrame:
        """Return one row per data set: Wilks' Lambda and its p-value."""
        rows = []
        for vectors in self.each:
            row: dict[str, Any] = {"dataset": vectors.dataset, "folds": vectors.n_folds}
            if vectors.manova is not None:
                row["wilks"] = vectors.manova.wilks.statistic
                row["p_value"] = vectors.manova.p_value
                row["dimension"] = vectors.manova.dimension
            rows.append({**row, "refusal": vectors.refusal})
        return pd.DataFrame(rows)

    def pairs_table(self) -> pd.DataFrame | None:
        """Return the T2 tests of all data sets, one row per data set and pair."""
        return None if self._pairs is None else self._pairs.pandas()

    @cached_property
    def _pairs(self) -> Columns | None:
        tables = [
            vectors.pairs.as_columns().but(dataset=vectors.dataset)
            for vectors in self.each
            if vectors.pairs is not None
        ]
        return stacked(tables) if tables else None

    def orderings_table(self) -> pd.DataFrame | None:
        """Return the orderings of all data sets; see ``MetricOrders.to_frame``."""
        return None if self._orderings is None else self._orderings.pandas()

    @cached_property
    def _orderings(self) -> Columns | None:
        tables = [
            vectors.orders.as_columns().but(dataset=vectors.dataset)
            for vectors in self.each
            if vectors.orders is not None
        ]
        return stacked(tables) if tables else None

    def _of_dataset(self, at: int, _: Mapping[str, Any]) -> dict[str, NumberSource]:
        """Return whose numbers per data set's row repeats: Wilks' test is the first."""
        test = self.each[at].manova
        if test is None:
            return {}
        return {
            "wilks": NumberSource(test, "statistic", at=1),
            "p_value": NumberSource(test, "p_value", at=1),
        }

    def _told_orderings(self) -> Any:
        """Return the orderings of all data sets, with whose means they hold."""
        if self._orderings is None:
            return None
        tests = {on_dataset.dataset: on_dataset.manova for on_dataset in self.each}
        return rows_of(
            plain(self._orderings),
            (),
            lambda _, row: mean_source(tests[row["dataset"]], row),
        )

    def _told_pairs(self) -> Any:
        """Return the T2 tests of all data sets, with whose numbers they are."""
        if self._pairs is None:
            return None
        owners = [
            on_dataset.pairs
            for on_dataset in self.each
            if on_dataset.pairs is not None
            for _ in range(len(on_dataset.pairs.as_columns()))
        ]

        def of_row(at: int, _: Mapping[str, Any]) -> dict[str, NumberSource]:
            own = owners[at]
            names = ("t2", "statistic", "df1", "df2", "p_value", "distance")
            sources = {name: NumberSource(own, name) for name in names}
            return sources | {"p_adjusted": adjusted_source(own)}

        return rows_of(plain(self._pairs), ("algorithm_1", "algorithm_2"), of_row)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        return {
            "metrics": list(self.metrics),
            "each": rows_of(plain(self.data_sets_table()), (), self._of_dataset),
            "pairs": self._told_pairs(),
            "orderings": self._told_orderings(),
            "wins": plain(self.wins),
            "sign": plain(self.sign),
            "refusal": self.refusal,
        }


def datasets_together(
    scores: Scores,
    plan: Plan,
    metrics: tuple[str, ...],
    analyses: Sequence[Analysis],
) -> DatasetsTogether | None:
    """Return the metrics together on each data set; None if nothing asks for it.

    Nor if folds have no sizes for their tests.
    ``analyses`` are those of each metric separately, whose decisions on each data set
    the orderings show.
    """
    wanted = plan.design.nested and plan.together != "no"
    if not wanted or not plan.tests_within or len(metrics) < 2:
        return None
    refusal = ""
    counted = signs = None
    if plan.cost_ratio is not None or plan.loss is not None:
        try:
            counted = wins(
                scores,
                metrics=metrics,
                adjust=plan.t_method(scores.n_algorithms),
                alpha=plan.alpha,
                omnibus=plan.gate == "omnibus",
                control=plan.control,
                cost_ratio=plan.cost_ratio,
                loss=plan.loss,
            )
            signs = sign_grid(counted, control=plan.control, level=1 - plan.alpha)
        except DesignError as error:
            refusal = str(error)
    decided = _decided_on(analyses)
    return DatasetsTogether(
        metrics=metrics,
        each=tuple(on_each_dataset(_vectors_on, (plan, metrics, decided), scores)),
        wins=counted,
        sign=signs,
        refusal=refusal,
    )


def _decided_on(analyses: Sequence[Analysis]) -> dict[str, dict[str, Pairs]]:
    """Return the pairs of each metric on each data set."""
    decided: dict[str, dict[str, Pairs]] = {}
    for analysis in analyses:
        for on in analysis.each if isinstance(analysis, DatasetsAnalysis) else ():
            decided.setdefault(on.dataset, {})[analysis.metric.name] = on.decisive
    return decided


def _vectors_on(
    held: tuple[Plan, tuple[str, ...], dict[str, dict[str, Pairs]]],
    dataset: str,
    part: Scores,
) -> VectorsOnDataset:
    """Compare the mean vectors on one data set, or state why that cannot be."""
    plan, metrics, decided = held
    test = pairs = None
    refusal = ""
    try:
        test = manova(part, metrics=metrics, alpha=plan.alpha)
        ungated = vector_pairs(part, plan, metrics)
        pairs = None if ungated is None else after_gate(ungated, test, plan)
    except DesignError as error:
        refusal = str(error)
    return VectorsOnDataset(
        dataset=dataset,
        n_folds=part.n_blocks,
        manova=test,
        pairs=pairs,
        orders=metric_orders(part, decided.get(dataset, {}), pairs, plan.alpha),
        refusal=refusal,
    )

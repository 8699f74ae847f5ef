"""Facts about pairs, from the results of an analysis."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.analyses.analysis import PairsAnalysis
from pycompare.analyses.decisions import Decision
from pycompare.analyses.error_rates import error_rate, of_blocks
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.metric import Metric
from pycompare.pairs.hodges_lehmann import HodgesLehmannResult
from pycompare.plans.post_hoc import FLIPS, MEANS, short_title
from pycompare.reporting.content.facts import Outcome, PairFact, relation
from pycompare.results import PairsResult
from pycompare.typing import Floats

if TYPE_CHECKING:
    import pandas as pd


_HODGES_LEHMANN = "Hodges-Lehmann difference"


SHARE_OF_WINS = "share of wins"


def of_means(
    analysis: PairsAnalysis,
    comparison: GroupComparison,
    values: Mapping[str, float] | pd.Series,
    pairs: PairsResult,
) -> Outcome:
    """Return the facts of pairs of means; one pair alone is not adjusted."""
    found = compared(
        analysis,
        comparison,
        values=values,
        quantity=f"mean {analysis.metric.name}",
        omnibus=analysis.omnibus,
        in_unit=True,
    )
    alone = len(found.pairs) == 1 and not found.family
    return of_one_pair(found, pairs) if alone else found


def of_one_pair(found: Outcome, pairs: PairsResult) -> Outcome:
    """Return facts of one pair, whose test is that of all and is not adjusted."""
    return replace(found, method=pairs.method, omnibus=None)


def of_wins(found: Outcome) -> Outcome:
    """Return facts with shares of wins in place of the shares of losses."""
    values = {name: 1 - lost for name, lost in found.values.items()}
    return replace(found, values=values, best="highest", counted="; ties count half")


def compared(
    analysis: Any,
    comparison: GroupComparison,
    *,
    pairs: PairsResult | None = None,
    values: Mapping[str, float] | pd.Series | None = None,
    quantity: str = "",
    omnibus: Any = None,
    in_unit: bool = False,
    level: float | None = None,
    differences: HodgesLehmannResult | None = None,
) -> Outcome:
    """Return the facts of one comparison of pairs.

    ``differences`` are those in the metric's unit, where ``pairs`` has them of ranks;
    ``level`` is that of the intervals, where they fall short of the planned one.
    """
    table: PairsResult = analysis.decisive if pairs is None else pairs
    alpha, metric = comparison.plan.alpha, analysis.metric
    # Training sets that share a test set are no folds that share training data.
    joint = comparison.plan.generalise is not None
    where = "blocks" if joint else of_blocks(comparison.plan)
    lower = table.lower_is_better
    made = facts(
        analysis.decisions,
        table,
        alpha,
        metric,
        in_unit=in_unit,
        level=level,
        differences=differences,
    )
    return Outcome(
        best=("lowest" if lower else "highest") if in_unit else "best",
        metric=metric,
        quantity=quantity,
        values={} if values is None else ordered(values, lower=lower),
        pairs=tuple(made),
        omnibus=omnibus,
        method=method(table),
        family=table.family if comparison.plan.family == "all" else "",
        guarantee=error_rate(table, comparison.plan, where),
        alpha=alpha,
        control=table.control,
        n_blocks=comparison.compared.n_blocks,
    )


def method(pairs: PairsResult) -> str:
    """Return test and adjustment in words; one pair alone is not adjusted."""
    if pairs.adjust in FLIPS:
        return f"{short_title(pairs.adjust)} test ({pairs.method})"
    if pairs.adjust in (*MEANS, "none") or is_alone(pairs):
        return pairs.method
    return f"{pairs.method}, {short_title(pairs.adjust)} adjustment"


def is_alone(pairs: PairsResult) -> bool:
    """Tell whether a comparison is of one pair, which no larger family holds."""
    return len(pairs.as_columns()) == 1 and pairs.adjusted_here


def ordered(
    values: Mapping[str, float] | pd.Series, *, lower: bool
) -> Mapping[str, float]:
    """Return the number of each algorithm, the best first."""
    found = [(str(name), float(value)) for name, value in values.items()]
    sign = 1.0 if lower else -1.0
    order = np.argsort([sign * value for _, value in found], kind="stable")
    return dict(found[i] for i in order)


def singular(estimate_name: str) -> str:
    """Return what a difference is of: ``mean rank`` for differences of mean ranks."""
    return estimate_name.removeprefix("difference of ").replace("ranks", "rank")


def facts(
    decisions: Iterable[Decision],
    pairs: PairsResult,
    alpha: float,
    metric: Metric,
    *,
    in_unit: bool = False,
    level: float | None = None,
    differences: HodgesLehmannResult | None = None,
) -> Iterable[PairFact]:
    """Yield what is decided about each pair, with the difference in its unit."""
    effect = _effects(pairs, level or pairs.level, differences, in_unit=in_unit)
    by = method(pairs)
    for made in decisions:
        yield PairFact(
            subject=made.better,
            relation=relation(made),
            object=made.worse,
            metric=metric,
            p_value=made.p_value,
            p_adjusted=made.p_adjusted,
            alpha=alpha,
            method=by,
            **effect(made.better, made.worse),
        )


_Effect = Callable[[str, str], dict[str, Any]]
"""Returns what a fact says about the difference of two algorithms, the better first."""


def _effects(
    pairs: PairsResult,
    level: float,
    differences: HodgesLehmannResult | None,
    *,
    in_unit: bool,
) -> _Effect:
    """Return what gives the difference of each pair in the metric's unit."""
    by_ranks = pairs.estimate_name.startswith("Hodges-Lehmann")
    name = _HODGES_LEHMANN if by_ranks else "difference"
    if pairs.null:
        name = "typical ratio"
    none = {
        "estimate": None,
        "interval": None,
        "level": level,
        "estimate_name": name,
        "null": pairs.null,
    }
    if differences is not None:
        return partial(_of_ranks, differences, none)
    if not in_unit:
        return lambda *_: none
    columns = ["estimate", "conf_low", "conf_high"]
    if "conf_level" in pairs.as_columns():
        columns.append("conf_level")
    places = {name: i for i, name in enumerate(pairs.algorithms)}
    return partial(_own, [pairs.square(c) for c in columns], places, none)


def _own(
    squares: Sequence[Floats],
    places: Mapping[str, int],
    none: dict[str, Any],
    better: str,
    worse: str,
) -> dict[str, Any]:
    """Return the estimate of the test itself, with its interval."""
    at = places[better], places[worse]
    estimate, low, high, *level = (float(square[at]) for square in squares)
    own = {"level": level[0]} if level else {}
    return none | {"estimate": estimate, "interval": (low, high)} | own


def _of_ranks(
    differences: HodgesLehmannResult, none: dict[str, Any], better: str, worse: str
) -> dict[str, Any]:
    """Return the Hodges-Lehmann difference of a test of ranks, where there is one."""
    estimate, *limits = differences.of(better, worse)
    if math.isnan(estimate):
        return none
    reached = differences.reached
    return {
        "estimate": estimate,
        "estimate_name": _HODGES_LEHMANN,
        # With few blocks they hold together at a lower level: tables show those.
        "interval": tuple(limits) if reached >= differences.level else None,
        "level": reached,
    }

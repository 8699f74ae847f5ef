"""Facts about pairs, from the results of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.designs.analysis import PairsAnalysis
from pycompare.designs.attainable import too_few
from pycompare.designs.decisions import Decision
from pycompare.designs.error_rates import error_rate, of_plan
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.one_pair import OnePair
from pycompare.designs.pair_methods import FLIPS, MEANS, short_title
from pycompare.designs.reach import fewest_data_sets
from pycompare.methods.pairs.signed_rank_pairs import SignedRankPairsResult
from pycompare.methods.pairs.wilcoxon import WilcoxonResult
from pycompare.reporting.content.facts import Outcome, PairFact, relation
from pycompare.reporting.content.related import in_clusters
from pycompare.reporting.content.wording import no_outcome, unit_of
from pycompare.results.result import PairsResult, rejected

if TYPE_CHECKING:
    import pandas as pd


_WON = {False: "won", True: "lost"}
"""What becomes of a case that one of two algorithms alone has, by its direction."""


SHARE_OF_WINS = "share of wins"


def of_means(
    analysis: PairsAnalysis,
    comparison: GroupComparison,
    values: Mapping[str, float] | pd.Series,
    pairs: PairsResult,
) -> Outcome:
    """Return the facts of pairs of means; one pair alone is not adjusted."""
    outcome = compared(
        analysis,
        comparison,
        values=values,
        quantity=f"mean {analysis.metric.name}",
        omnibus=analysis.omnibus,
        in_unit=True,
    )
    alone = len(outcome.pairs) == 1 and not outcome.family
    return of_one_pair(outcome, pairs) if alone else outcome


def of_one_pair(outcome: Outcome, pairs: PairsResult) -> Outcome:
    """Return facts of one pair, whose test is that of all and is not adjusted."""
    return replace(outcome, method=pairs.method, omnibus=None)


def of_wins(outcome: Outcome) -> Outcome:
    """Return facts with shares of wins in place of the shares of losses."""
    values = {name: 1 - lost for name, lost in outcome.values.items()}
    return replace(outcome, values=values, best="highest", counted="; ties count half")


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
) -> Outcome:
    """Return the facts of one comparison of pairs.

    ``level`` is that of the intervals, if they fall short of the planned one.
    """
    table: PairsResult = analysis.decisive if pairs is None else pairs
    alpha, metric = comparison.plan.alpha, analysis.metric
    lower = table.lower_is_better
    pair_facts = list(
        facts(
            analysis.decisions,
            table,
            alpha,
            metric,
            in_unit=in_unit,
            level=level,
        )
    )
    pair_facts = agreeing(pair_facts)
    return Outcome(
        best=("lowest" if lower else "highest") if in_unit else "best",
        metric=metric,
        quantity=quantity,
        values={} if values is None else ordered(values, lower=lower),
        pairs=tuple(pair_facts),
        omnibus=omnibus,
        method=method(table),
        family=table.family if comparison.plan.family == "all" else "",
        guarantee=error_rate(table, comparison.plan, of_plan(comparison.plan)),
        alpha=alpha,
        control=table.control,
        n_blocks=comparison.compared.n_blocks,
        out_of_reach=_nothing_to_reach(table, comparison),
        intervals=named_intervals(table, pair_facts),
    )


def agreeing(facts: Iterable[PairFact]) -> list[PairFact]:
    """Return facts without intervals if one contradicts its decision.

    It is then of another quantity, or adjusted in another way.
    """
    listed = list(facts)
    if not any(fact.contradicted for fact in listed):
        return listed
    return [replace(fact, interval=None) for fact in listed]


def named_intervals(pairs: PairsResult, facts: Sequence[PairFact]) -> str:
    """Describe the intervals of pairs, if they have any."""
    if not any(fact.interval for fact in facts):
        return ""
    return pairs.interval


def _nothing_to_reach(pairs: PairsResult, comparison: GroupComparison) -> str:
    """Note that so few blocks cannot give a significant pair; empty if they can."""
    alpha = comparison.plan.alpha
    if rejected(pairs.as_columns()["p_adjusted"], alpha).any():
        return ""  # alpha is the smallest p-value, but for its last bit
    clustered = pairs.clustered or in_clusters(comparison)
    noun = unit_of(comparison.plan.design, clustered=clustered)
    if isinstance(pairs, SignedRankPairsResult):
        if rejected(pairs.least, alpha).any():
            return ""
        n = int(np.max(pairs.n_units, initial=0))
        return no_outcome(n, fewest_data_sets(pairs, comparison.asked, alpha), noun)
    shortfall = too_few(pairs, alpha)
    return "" if shortfall is None else no_outcome(shortfall.n, shortfall.enough, noun)


def method(pairs: PairsResult) -> str:
    """Return test and adjustment in words; one pair alone is not adjusted."""
    if pairs.adjust in FLIPS:
        return f"{short_title(pairs.adjust)} test ({pairs.method})"
    if pairs.adjust in (*MEANS, "none") or is_alone(pairs):
        return pairs.method
    return f"{pairs.method}, {short_title(pairs.adjust)} adjustment"


def is_alone(pairs: PairsResult) -> bool:
    """Return whether a comparison is of one pair, which no larger family holds."""
    return len(pairs.as_columns()) == 1 and pairs.adjusted_here


def ordered(
    values: Mapping[str, float] | pd.Series, *, lower: bool
) -> Mapping[str, float]:
    """Return the number of each algorithm, the best first."""
    numbers = [(str(name), float(value)) for name, value in values.items()]
    sign = 1.0 if lower else -1.0
    order = np.argsort([sign * value for _, value in numbers], kind="stable")
    return dict(numbers[i] for i in order)


def facts(
    decisions: Iterable[Decision],
    pairs: PairsResult,
    alpha: float,
    metric: Metric,
    *,
    in_unit: bool = False,
    level: float | None = None,
) -> Iterable[PairFact]:
    """Yield the decisions about each pair, with the estimate of its quantity."""
    effect = _effects(pairs, level or pairs.level, in_unit=in_unit)
    by, alone = method(pairs), is_alone(pairs)
    for decision in decisions:
        yield PairFact(
            subject=decision.better,
            relation=relation(decision),
            object=decision.worse,
            metric=metric,
            p_value=decision.p_value,
            p_adjusted=decision.p_adjusted,
            alpha=alpha,
            method=by,
            alone=alone,
            **effect(decision.better, decision.worse),
        )


_DifferenceOf = Callable[[str, str], dict[str, Any]]
"""Returns how two algorithms differ by a fact, the better one first."""


def _effects(pairs: PairsResult, level: float, *, in_unit: bool) -> _DifferenceOf:
    """Return what gives the estimate of each pair, in the quantity that is tested."""
    none = {
        "estimate": None,
        "interval": None,
        "level": level,
        "null": pairs.null,
        "lower_is_better": pairs.lower_is_better,
        **_estimate_names(pairs),
    }
    places = {name: i for i, name in enumerate(pairs.algorithms)}
    if _of_mean_ranks(pairs):
        return partial(_of_ranks, pairs.square("estimate"), places, none)
    if not in_unit:
        return lambda *_: none
    columns = ["estimate", "conf_low", "conf_high"]
    if "conf_level" in pairs.as_columns():
        columns.append("conf_level")
    return partial(_own, [pairs.square(c) for c in columns], places, none)


def _of_mean_ranks(pairs: PairsResult) -> bool:
    """Return whether the estimates of pairs are differences of mean ranks."""
    return pairs.placement is not None and bool(pairs.placement.of_one)


def _estimate_names(pairs: PairsResult) -> dict[str, str]:
    """Return the name of an estimate of pairs, and several of them."""
    name, names = "difference", "differences"
    if pairs.placement is not None and _of_mean_ranks(pairs):
        title = pairs.placement.title
        name, names = f"difference in {title}", f"differences in {title}"
    if isinstance(pairs, OnePair) and isinstance(pairs.test, WilcoxonResult):
        name, names = "Hodges-Lehmann difference", "Hodges-Lehmann differences"
    if pairs.differences == "typical":
        name, names = "typical difference", "typical differences"
    if pairs.null:
        name, names = "typical ratio", "typical ratios"
    if pairs.null == 0.5:
        cases = f"of discordant cases {_WON[pairs.lower_is_better]}"
        name, names = f"share {cases}", f"shares {cases}"
    return {"estimate_name": name, "estimate_names": names}


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
    square: Floats,
    places: Mapping[str, int],
    none: dict[str, Any],
    better: str,
    worse: str,
) -> dict[str, Any]:
    """Return the difference in mean ranks, which has no confidence interval."""
    return none | {"estimate": float(square[places[better], places[worse]])}

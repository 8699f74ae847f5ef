"""Facts about pairs, from the results of an analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.metric import Metric
from pycompare.designs.analysis import PairsAnalysis
from pycompare.designs.attainable import too_few
from pycompare.designs.decisions import Decision, Decisions
from pycompare.designs.error_rates import error_rate, of_plan
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.one_pair import OnePair
from pycompare.designs.pair_methods import FLIPS, MEANS, short_title
from pycompare.designs.reach import fewest_data_sets
from pycompare.methods.pairs.signed_rank_pairs import SignedRankPairsResult
from pycompare.methods.pairs.wilcoxon import WilcoxonResult
from pycompare.reporting.content.facts import (
    FactColumns,
    Outcome,
    PairFacts,
    relations,
)
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
    pair_facts = agreeing(
        facts(
            analysis.decisions,
            table,
            alpha,
            metric,
            in_unit=in_unit,
            level=level,
        )
    )
    return Outcome(
        best=("lowest" if lower else "highest") if in_unit else "best",
        metric=metric,
        quantity=quantity,
        values={} if values is None else ordered(values, lower=lower),
        pairs=pair_facts,
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


def agreeing(facts: PairFacts) -> PairFacts:
    """Return facts without intervals if one contradicts its decision.

    It is then of another quantity, or adjusted in another way.
    """
    assert facts.columns is not None
    if not facts.columns.contradicted:
        return facts
    return PairFacts(replace(facts.columns, interval=None))


def named_intervals(pairs: PairsResult, facts: PairFacts) -> str:
    """Describe the intervals of pairs, if they have any."""
    if not facts or facts.columns is None or facts.columns.interval is None:
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
    decisions: Sequence[Decision],
    pairs: PairsResult,
    alpha: float,
    metric: Metric,
    *,
    in_unit: bool = False,
    level: float | None = None,
) -> PairFacts:
    """Return the decisions about each pair, with the estimate of its quantity."""
    decided = Decisions.of(decisions)

    located = pairs.pair_rows.located(decided.rows)

    def of(column: str) -> Any:
        return pairs.numbers_of(column, located)

    estimate, interval = None, None
    levels: Any = np.broadcast_to(float(level or pairs.level), len(decided))
    if _of_mean_ranks(pairs):  # which have no confidence intervals
        estimate = of("estimate")
    elif in_unit:
        estimate, interval = of("estimate"), (of("conf_low"), of("conf_high"))
        if "conf_level" in (table := pairs.as_columns()):
            # One level for all needs no number of each.
            of_all = table["conf_level"].strides == (0,) and (located[0] >= 0).all()
            levels = table["conf_level"] if of_all else of("conf_level")
    common: dict[str, Any] = {
        "metric": metric,
        "alpha": alpha,
        "method": method(pairs),
        "alone": is_alone(pairs),
        "null": pairs.null,
        "lower_is_better": pairs.lower_is_better,
        **_estimate_names(pairs),
    }
    return PairFacts(
        FactColumns(
            decided.rows,
            relations(decided),
            decided.p_value,
            decided.p_adjusted,
            levels,
            estimate,
            interval,
            common,
        )
    )


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

"""The facts of each type of analysis, from its results."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import singledispatch
from typing import Any

import pandas as pd

from pycompare.analyses.analysis import Analysis, PairsAnalysis
from pycompare.analyses.blocked_anova import LinearAnalysis
from pycompare.analyses.cases import CaseAnalysis
from pycompare.analyses.decisions import Decision
from pycompare.analyses.error_rates import error_rate, of_blocks
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multiple_datasets import DatasetsAnalysis
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.analyses.shared_test_set import SharedTestSetAnalysis
from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.analyses.two_algorithms import TwoAnalysis
from pycompare.metric import Metric
from pycompare.multiplicity.guarantees import Where
from pycompare.pairs.common import PairedTest
from pycompare.pairs.hodges_lehmann import HodgesLehmannResult
from pycompare.pairs.ttest import PairedTResult
from pycompare.pairs.wilcoxon import WilcoxonResult
from pycompare.plans.fields import Verdict
from pycompare.plans.post_hoc import FLIPS, MEANS, short_title
from pycompare.reporting.content.facts import Outcome, PairFact, relation
from pycompare.reporting.content.wording import test_result
from pycompare.results import PairsResult

_HODGES_LEHMANN = "Hodges-Lehmann difference"


@singledispatch
def outcome(analysis: Analysis, comparison: GroupComparison) -> Outcome | None:
    """Return the facts about the primary analysis of one metric, if it has any."""
    raise TypeError(f"no facts of {type(analysis).__name__}")


@outcome.register
def _ranks(analysis: RankAnalysis, comparison: GroupComparison) -> Outcome:
    return _compared(
        analysis,
        comparison,
        values=analysis.decisive.positions,
        quantity=singular(analysis.decisive.estimate_name),
        omnibus=analysis.omnibus,
        differences=analysis.differences,
    )


@outcome.register
def _means(analysis: LinearAnalysis, comparison: GroupComparison) -> Outcome:
    adjusted = "" if analysis.omnibus.fit.design.complete else "adjusted "
    return _compared(
        analysis,
        comparison,
        values=analysis.omnibus.means,
        quantity=f"{adjusted}mean {analysis.metric.name}",
        omnibus=analysis.omnibus,
        where="folds",
        in_unit=True,
    )


@outcome.register
def _datasets(analysis: DatasetsAnalysis, comparison: GroupComparison) -> Outcome:
    over = analysis.planned
    several = comparison.compared.n_algorithms > 2
    turned = over.in_unit and over.metric.better == "higher"
    ranks = analysis.ranks if over.key == "ranks" else None
    found = _compared(
        over,
        comparison,
        values=over.decisive.positions * (-1 if turned else 1) if several else None,
        quantity=_QUANTITIES[over.key].format(analysis.metric.name),
        omnibus=over.test if several else None,
        where="model" if over.key == "model" else "blocks",
        in_unit=over.in_unit,
        differences=None if ranks is None else ranks.differences,
    )
    found = _won(found) if over.key == "sign" else found
    return replace(found, method=f"{NAMES[over.key]}, {found.method}")


_SHARE_OF_WINS = "share of wins"
NAMES: dict[Verdict, str] = {
    "ranks": "ranks of data-set means",
    "sign": "sign tests of wins",
    "means": "analysis of data-set means",
    "model": "one model of all folds",
}
_QUANTITIES = {
    "ranks": "mean rank of data-set means",
    "sign": _SHARE_OF_WINS,
    "means": "mean {} over data sets",
    "model": "mean {} over all folds",
}


@outcome.register
def _two(analysis: TwoAnalysis, comparison: GroupComparison) -> Outcome:
    test, where = analysis.test, of_blocks(comparison.plan)
    found = _compared(
        analysis, comparison, where=where, in_unit=True, level=test.reached
    )
    name = f"{short(test)} of {test.algorithm_1} minus {test.algorithm_2}"
    return replace(found, method=f"{name} ({test_result(test)})", control=None)


def short(test: PairedTest) -> str:
    """Return what a sentence calls a test of two algorithms."""
    if isinstance(test, PairedTResult):
        return test.name.split(",")[0]
    is_wilcoxon = isinstance(test, WilcoxonResult)
    return "Wilcoxon signed rank test" if is_wilcoxon else "Exact sign test"


@outcome.register
def _thresholds(
    analysis: ThresholdsAnalysis, comparison: GroupComparison
) -> Outcome | None:
    if not analysis.pairs:
        return None  # one data set has no sample, and so no decisions
    pairs = analysis.pairs[0]
    return _won(
        _compared(
            analysis,
            comparison,
            pairs=pairs,
            values=pairs.positions,
            quantity=_SHARE_OF_WINS,
        )
    )


@outcome.register
def _shared(analysis: SharedTestSetAnalysis, comparison: GroupComparison) -> Outcome:
    areas = analysis.found.areas.set_index("algorithm")["estimate"]
    return _of_means(analysis, comparison, areas, analysis.found)


@outcome.register
def _cases(analysis: CaseAnalysis, comparison: GroupComparison) -> Outcome:
    sign = -1 if analysis.metric.better == "higher" else 1
    values = analysis.decisive.positions * sign
    return _of_means(analysis, comparison, values, analysis.decisive)


def _of_means(
    analysis: PairsAnalysis,
    comparison: GroupComparison,
    values: pd.Series,
    pairs: PairsResult,
) -> Outcome:
    """Return the facts of pairs of means; one pair alone is not adjusted."""
    found = _compared(
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


def _won(found: Outcome) -> Outcome:
    """Return facts with shares of wins in place of the shares of losses."""
    values = {name: 1 - lost for name, lost in found.values.items()}
    return replace(found, values=values, best="highest", counted="; ties count half")


def _compared(
    analysis: Any,
    comparison: GroupComparison,
    *,
    pairs: PairsResult | None = None,
    values: pd.Series | None = None,
    quantity: str = "",
    omnibus: Any = None,
    where: Where = "blocks",
    in_unit: bool = False,
    level: float | None = None,
    differences: HodgesLehmannResult | None = None,
) -> Outcome:
    """Return the facts of one comparison of pairs.

    ``differences`` are those in the metric's unit, where ``pairs`` has them of ranks;
    ``level`` is that of the intervals, where they fall short of the planned one.
    """
    pairs = analysis.decisive if pairs is None else pairs
    alpha, metric = comparison.plan.alpha, analysis.metric
    lower = not in_unit or metric.better == "lower"
    made = facts(analysis.decisions, pairs, alpha, metric, in_unit=in_unit, level=level)
    return Outcome(
        best=("lowest" if lower else "highest") if in_unit else "best",
        metric=metric,
        quantity=quantity,
        values={} if values is None else ordered(values, lower=lower),
        pairs=tuple(_in_metric_unit(fact, differences) for fact in made),
        omnibus=omnibus,
        method=method(pairs),
        family=pairs.family if comparison.plan.family == "all" else "",
        guarantee=error_rate(pairs, comparison.plan, where),
        alpha=alpha,
        control=pairs.control,
    )


def method(pairs: PairsResult) -> str:
    """Return test and adjustment in words."""
    if pairs.adjust in FLIPS:
        return f"{short_title(pairs.adjust)} test ({pairs.method})"
    if pairs.adjust in (*MEANS, "none"):
        return pairs.method
    return f"{pairs.method}, {short_title(pairs.adjust)} adjustment"


def ordered(values: pd.Series, *, lower: bool) -> Mapping[str, float]:
    """Return the number of each algorithm, the best first."""
    found = values.sort_values(ascending=lower, kind="stable")
    return {str(name): float(value) for name, value in found.items()}


def singular(estimate_name: str) -> str:
    """Return what a difference is of: ``mean rank`` for differences of mean ranks."""
    return estimate_name.removeprefix("difference of ").removesuffix("s")


def facts(
    decisions: Iterable[Decision],
    pairs: PairsResult,
    alpha: float,
    metric: Metric,
    *,
    in_unit: bool = False,
    level: float | None = None,
) -> Iterable[PairFact]:
    """Yield what is decided about each pair, with the difference in its unit."""
    columns = ("estimate", "conf_low", "conf_high")
    square = {c: pairs.matrix(c) for c in columns} if in_unit else {}
    by_ranks = pairs.estimate_name.startswith("Hodges-Lehmann")
    for made in decisions:
        at = (made.better, made.worse)
        found = {c: float(m.loc[at]) for c, m in square.items()}
        yield PairFact(
            subject=made.better,
            relation=relation(made),
            object=made.worse,
            metric=metric,
            estimate=found.get("estimate"),
            estimate_name=_HODGES_LEHMANN if by_ranks else "difference",
            interval=(found["conf_low"], found["conf_high"]) if found else None,
            level=level or pairs.level,
            p_value=made.p_value,
            p_adjusted=made.p_adjusted,
            alpha=alpha,
            method=method(pairs),
        )


def _in_metric_unit(
    fact: PairFact, differences: HodgesLehmannResult | None
) -> PairFact:
    """Return a fact of ranks with the Hodges-Lehmann difference beside it."""
    if differences is None:
        return fact
    estimate, low, high = differences.of(fact.subject, fact.object)
    if math.isnan(estimate):
        return fact
    return replace(
        fact,
        estimate=estimate,
        estimate_name=_HODGES_LEHMANN,
        # With few blocks they hold together at a lower level: tables show those.
        interval=(low, high) if differences.reached >= differences.level else None,
        level=differences.reached,
    )

"""The decisions of a comparison as one frame, and the estimate of one pair."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pycompare.base.errors import InputError
from pycompare.base.labels import label_positions, show_all
from pycompare.designs.fold_estimates import EstimatesAnalysis
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.content.build import BETWEEN
from pycompare.reporting.content.facts import Outcome
from pycompare.results.result import Estimate

if TYPE_CHECKING:
    import pandas as pd


_COLUMNS = (
    *("metric", "group", "algorithm_1", "algorithm_2", "quantity", "estimate"),
    *("conf_low", "conf_high", "conf_level", "p_value", "p_adjusted", "significant"),
)


def pairs_frame(report: ComparisonReport) -> pd.DataFrame:
    """Return one row per pair, metric and group; see ``Comparison.pairs``."""
    import pandas as pd

    return pd.DataFrame(list(_rows(report)), columns=list(_COLUMNS))


def _rows(report: ComparisonReport) -> Iterator[tuple[Any, ...]]:
    """Yield the pairs of each metric in each group, those without a test too."""
    nan = float("nan")
    for part in report.reports:
        group = part.comparison.group
        for analysis in part.analyses:
            head = (analysis.metric.name, group)
            outcome = part.statements(analysis).outcome
            for fact in () if outcome is None else outcome.pairs:
                low, high = fact.interval or (nan, nan)
                yield (
                    *(*head, fact.subject, fact.object, fact.estimate_name),
                    *(nan if fact.estimate is None else fact.estimate, low, high),
                    *(fact.level, fact.p_value, fact.p_adjusted, fact.significant),
                )
            if outcome is None and isinstance(analysis, EstimatesAnalysis):
                for row in analysis.estimates.as_columns().itertuples():
                    yield (
                        *(*head, row.algorithm_1, row.algorithm_2, "difference"),
                        *(row.estimate, nan, nan, nan, nan, nan, False),
                    )


def pair_interval(
    report: ComparisonReport,
    first: str,
    second: str,
    metric: str | None,
    group: str | None,
) -> Estimate:
    """Return the estimate of a pair; see ``Comparison.interval``."""
    outcome = _outcome(report, metric, group)
    label_positions("algorithms", [first, second], outcome.facts.rows.names)
    row = outcome.facts.rows.row((first, second))
    if row < 0:
        raise InputError(
            f"{first!r} and {second!r} are not compared: name two different "
            "algorithms, one of them the control if the plan has one"
        )
    fact = outcome.facts[row].seen_from(first)
    low, high = fact.interval or (math.nan, math.nan)
    return Estimate(
        name=f"{fact.estimate_name} in {fact.metric.name}, {first} "
        f"{BETWEEN[fact.null]} {second}",
        estimate=math.nan if fact.estimate is None else fact.estimate,
        conf_low=low,
        conf_high=high,
        level=fact.level,
        method=outcome.method,
    )


def _outcome(
    report: ComparisonReport, metric: str | None, group: str | None
) -> Outcome:
    """Return the facts about one metric in one group."""
    known = {
        (part.comparison.group, analysis.metric.name): outcome
        for part in report.reports
        for analysis in part.analyses
        if (outcome := part.statements(analysis).outcome) is not None
    }
    chosen = [
        outcome
        for (of, name), outcome in known.items()
        if metric in (None, name) and group in (None, of)
    ]
    if len(chosen) == 1:
        return chosen[0]
    if not known:
        raise InputError("no pair of this comparison is tested")
    metrics, groups = (
        dict.fromkeys(n for _, n in known),
        dict.fromkeys(g for g, _ in known),
    )
    raise InputError(
        f"metric={metric!r}, group={group!r}: name one of the metrics "
        f"{_shown(metrics)}, and of the groups {_shown(groups)}"
    )


def _shown(names: Sequence[str | None] | dict[str | None, None]) -> str:
    """Return names, those that there are."""
    known = [name for name in names if name is not None]
    return show_all(known) if known else "(none)"

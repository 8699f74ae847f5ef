"""The decisions of a comparison as one frame, for code that goes on with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pycompare.designs.fold_estimates import EstimatesAnalysis
from pycompare.reporting.comparison_report import ComparisonReport

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

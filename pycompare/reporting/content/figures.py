"""Figures that analyses share, one builder each; those with nothing to show are none.

The figure of a page draws itself when a renderer asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pycompare import plotting
from pycompare.base.formatting.numbers import percent
from pycompare.base.metric import Metric
from pycompare.data.scores import Scores
from pycompare.methods.orders.cliques import cliques, few_enough
from pycompare.methods.pairs.superiority import superiority
from pycompare.plotting.rank_rows import rank_rows
from pycompare.reporting.content import build, wording
from pycompare.reporting.document import Figure
from pycompare.results.result import Pairs, PairsResult, rejected

MOST_IN_DIAGRAM = 15
"""With more algorithms a critical difference diagram has tiers in its place."""
_MOST_CURVES = 20
"""With more algorithms neither their curves nor their pairs can be read."""
_MOST_CELLS = 300
"""With more scores a page has no room for the number of each."""
_MOST_ROWS = 60
"""With more algorithms a page has no room for the scores of each."""
_MOST_RESULTS = 20
"""With more results (metrics, in groups) a page has one figure of each."""


@dataclass(frozen=True)
class ShownPairs:
    """Pairs that figures show."""

    pairs: Pairs
    alpha: float
    # What is compared, on what, such as "Mean ranks in accuracy, 30 data sets".
    what: str
    method: str  # test and adjustment
    prefix: str = ""  # of the names of files

    @property
    def level(self) -> str:
        """Method and level, which end each caption."""
        return f"{wording.begun(self.method)}, alpha = {self.alpha:g}."

    @property
    def significant(self) -> int:
        """How many pairs differ significantly."""
        return int(rejected(self.pairs.as_columns()["p_adjusted"], self.alpha).sum())

    @property
    def tested(self) -> bool:
        """Whether any pair has a p-value."""
        return not np.isnan(self.pairs.as_columns()["p_adjusted"]).all()


def diagram(shown: ShownPairs) -> Iterator[Figure]:
    """Yield the algorithms on an axis, with bars over those that do not differ.

    None of so many that nobody could read it: they have tiers.
    """
    pairs = shown.pairs
    many = len(pairs.algorithms) > MOST_IN_DIAGRAM
    if many or not shown.tested or not isinstance(pairs, PairsResult):
        return
    values = pairs.placed().items()
    named = ", ".join(f"{name} {wording.value(x)}" for name, x in values)
    bars, named_bars = _groups(shown)
    yield Figure(
        f"{shown.prefix}critical_difference",
        partial(plotting.critical_difference, pairs, alpha=shown.alpha),
        f"{shown.what} (1 = best). {bars} {shown.level}",
        f"Critical difference diagram. {named}. {named_bars}",
        narrow=partial(rank_rows, pairs, alpha=shown.alpha),
    )


def _groups(shown: ShownPairs) -> tuple[str, str]:
    """Return the meaning of the bars of the diagram, without and with names."""
    if shown.pairs.control is not None:
        alone = f"Algorithms are compared with {shown.pairs.control} only."
        return alone, alone
    if few_enough(shown.pairs, shown.alpha) is None:
        many = "Groups without a significant difference are too many for bars."
        return many, many
    groups = cliques(shown.pairs, alpha=shown.alpha)
    if not groups:
        every = "All pairs differ significantly."
        return every, every
    text = "Bars join algorithms that do not differ significantly"
    names = "; ".join(", ".join(group) for group in groups)
    return f"{text}.", f"{text}: {names}."


def few(pairs: Pairs) -> bool:
    """Return whether the algorithms are few enough for a picture with a row of each."""
    return len(pairs.algorithms) <= _MOST_ROWS


def chances(shown: ShownPairs, scores: Scores, metric: Metric) -> Iterator[Figure]:
    """Yield the probability that one algorithm is better than another, by pairs.

    Blocks must be independent, as its intervals assume.
    """
    drawn = shown.tested and shown.pairs.control is None and _drawable(scores, metric)
    if drawn and scores.clusters is None:
        won = superiority(scores, metric=metric.name, simultaneous=True)
        yield Figure(
            f"{shown.prefix}win_probabilities",
            partial(plotting.win_probabilities, won),
            f"Probability that the row is better than the column on a new block, ties "
            f"counted half, with simultaneous {percent(won.level)} intervals. Framed: "
            f"the interval excludes 1/2.",
            "Matrix of probabilities of being better, with their intervals.",
        )


def profiles(
    scores: Scores, metric: Metric, *, one_unit: bool = True
) -> Iterator[Figure]:
    """Yield performance profiles, and the scores on each of few blocks.

    ``one_unit``: whether distances mean the same on all data sets; profiles need it.
    """
    if not _drawable(scores, metric):
        return
    if one_unit:
        yield Figure(
            "performance_profiles",
            partial(plotting.performance_profiles, scores, metric=metric.name),
            f"Performance profiles: share of data sets on which the {metric.name} of "
            f"an algorithm is within a given distance of the best. Descriptive, not a "
            f"test.",
            "Performance profiles: share of data sets against the distance from the "
            "best.",
        )
    if scores.n_blocks * scores.n_algorithms <= _MOST_CELLS:
        yield Figure(
            "heat_map",
            partial(plotting.heat_map, scores, metric=metric.name),
            f"{wording.begun(wording.direction(metric))} of each algorithm (columns, "
            f"by mean rank) on each data set (rows). Darker: better rank. Framed and "
            f"bold: best.",
            "Heat map of the scores on each data set, shaded by rank. The scores are "
            "in data/.",
        )


def _drawable(scores: Scores, metric: Metric) -> bool:
    """Return whether a table is complete, and of several but few algorithms."""
    whole = not np.isnan(scores.column(metric.name)).any()
    return whole and 3 <= scores.n_algorithms <= _MOST_CURVES


def differences(shown: ShownPairs) -> Iterator[Figure]:
    """Yield the differences of means with their intervals, if they are not too many."""
    from pycompare.plotting.mean_differences import MOST_ROWS

    pairs: Any = shown.pairs
    kind = pairs.differences
    if kind != "none" and len(pairs.as_columns()) <= MOST_ROWS:
        typical = kind == "typical"
        words, name = f"{kind} differences", f"{kind}_differences"
        what = "differences" if typical else "mean differences"
        if kind == "ratio":
            words, name, what = "typical ratios", "typical_ratios", "ratios"
        if kind == "share":
            words, name, what = "shares won", "shares", pairs.estimate_name
        yield Figure(
            f"{shown.prefix}{name}",
            partial(plotting.mean_differences, pairs, alpha=shown.alpha),
            f"{shown.what}: {what}, {build.minus(pairs.as_columns(), pairs.null)}. "
            f"Intervals: {pairs.interval}. Filled dots are significant. {shown.level}",
            f"{words.capitalize()} with intervals; the table of pairs has the numbers.",
        )


def left_out(pairs: Pairs) -> str | None:
    """Return which figures are omitted, if the algorithms are too many."""
    if few(pairs):
        return None
    return (
        f"Pictures with one row for each algorithm (distributions, comparison "
        f"intervals) are drawn for at most {_MOST_ROWS}; there are "
        f"{len(pairs.algorithms)}. pycompare.plotting draws them for any number."
    )


def one_each(results: int) -> bool:
    """Return whether results are so many that each has one figure only."""
    return results > _MOST_RESULTS


def left_out_of_each(results: int) -> str:
    """Return the message that results have one figure each, if they are too many."""
    if not one_each(results):
        return ""
    return (
        f"Each result has one figure, because there are {results} results. Reports of "
        f"at most {_MOST_RESULTS} results have all figures; pycompare.plotting draws "
        f"the others."
    )


def distributions(scores: Scores, metric: Metric, block: str) -> Iterator[Figure]:
    """Yield the scores of each algorithm; ``block`` is what each score is of."""
    from pycompare.plotting.distributions import joined

    if scores.n_algorithms > _MOST_ROWS:
        return
    lines = f" Grey lines join the scores of each {block}." * joined(scores)
    yield Figure(
        "distributions",
        partial(plotting.distributions, scores, metric=metric.name),
        f"{wording.direction(metric)} of each algorithm: quartiles, and "
        f"one point per {block}.{lines}",
        f"Distributions of {metric.name} for each algorithm.",
    )

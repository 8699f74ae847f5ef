"""The pictures of wins over thresholds and data sets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content import order_figures
from pycompare.reporting.page.figures import Drawing
from pycompare.reporting.threshold_sweep.thresholds_words import tested, thresholds_text
from pycompare.results import rejected

MOST_STRIPS = 30
"""Data sets with a picture of their own."""


def drawings(analysis: ThresholdsAnalysis) -> Iterator[Drawing]:
    """Yield name, axes, caption and alternative text of each picture."""
    from pycompare import plotting

    won = analysis.won
    sets = f"{won.n_datasets} data sets" if won.n_datasets > 1 else "one data set"
    rejects = int(rejected(won.tests["p_value"], won.alpha).sum())
    yield (
        "threshold_grid",
        partial(plotting.threshold_grid, won),
        f"Where the algorithms differ: MANOVA of {tested(analysis)} at "
        f"{thresholds_text(analysis)} of {sets}; darker is smaller, framed is p ≤ "
        f"{won.alpha}, not adjusted over the cells, blank cannot be tested.",
        f"Grid of p-values, data sets by thresholds; {rejects} of {len(won.tests)} "
        f"cells are at most {won.alpha}. The tables by data set have the numbers.",
    )
    if few_pairs(analysis):
        yield (
            "threshold_pairs",
            partial(plotting.threshold_pairs, won),
            f"Who wins at which threshold, over {sets}: T2 of a pair rejects "
            f"(adjusted: {won.adjust}, at {won.alpha} at each threshold) and the risk "
            f"is lower. Bars above the line are wins of the upper algorithm, below it "
            f"of the lower one.",
            "Strips of wins, pairs by thresholds; the table by thresholds and the CSV "
            "file at_thresholds have the numbers.",
        )
    yield from over_datasets(analysis)


def over_datasets(analysis: ThresholdsAnalysis) -> Iterator[Drawing]:
    """Yield the pictures of the sign tests over data sets."""
    from pycompare import plotting

    if not analysis.pairs or len(analysis.won.algorithms) < 3:
        return
    alpha, decisive = analysis.won.alpha, analysis.pairs[0]
    by = f"{short_title(decisive.adjust)} of exact two-sided sign tests"
    yield (
        "sign_grid",
        partial(plotting.p_matrix, decisive, alpha=alpha),
        f"Sign tests over data sets, lower risk is better: adjusted p-values ({by}) "
        f"over {decisive.family}; marked cells are at most {alpha}.",
        "Matrix of adjusted p-values of sign tests; the table has the same numbers.",
    )
    yield from order_figures.of_order(
        decisive,
        alpha,
        on=f"wins by lower risk over {analysis.won.n_datasets} data sets",
        by=by,
    )


def few_pairs(analysis: ThresholdsAnalysis) -> bool:
    """Tell whether the pairs fit into one picture."""
    from pycompare.plotting.threshold_pairs import MOST_ROWS

    a = len(analysis.won.algorithms)
    return a * (a - 1) // 2 <= MOST_ROWS


def of_datasets(analysis: ThresholdsAnalysis) -> Iterator[Drawing]:
    """Yield the strips of each data set, where there are not too many."""
    from pycompare import plotting

    names = list(analysis.n_folds)
    if not few_pairs(analysis) or not 1 < len(names) <= MOST_STRIPS:
        return
    for place, name in enumerate(names, start=1):
        yield (
            f"data_set_{place}",
            partial(plotting.threshold_pairs, analysis.won, dataset=name),
            f"{name}: at which thresholds each of two algorithms wins. On the right "
            f"the thresholds won by either.",
            f"Strips of wins on {name}, pairs by thresholds; the table below has the "
            f"numbers.",
        )

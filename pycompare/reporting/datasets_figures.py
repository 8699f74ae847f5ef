"""The pictures of several data sets."""

from __future__ import annotations

from collections.abc import Iterator

from pycompare.linear.pairs import MeanPairsResult
from pycompare.procedure.datasets_road import DatasetsAnalysis, OverDatasets
from pycompare.procedure.group_comparison import GroupComparison
from pycompare.reporting.datasets_words import NAMES, method
from pycompare.reporting.figures import Drawing
from pycompare.reporting.numbers import number
from pycompare.reporting.rank_figures import cliques_text
from pycompare.reporting.words import direction

MOST_NODES = 20
"""With more algorithms a graph of pairs is no picture any more."""


def drawings(
    comparison: GroupComparison, analysis: DatasetsAnalysis
) -> Iterator[Drawing]:
    """Yield name, axes, caption and alternative text of each picture."""
    alpha = comparison.plan.alpha
    several = comparison.scores.n_algorithms > 2
    if several:
        yield from of_ranks(comparison, analysis.by("ranks"))
        yield from of_pairs(analysis.planned, alpha)
        yield from of_wins(analysis.by("sign"), alpha)
        yield from of_means(comparison, analysis.by("means"))
    yield from of_scores(comparison, analysis)


def of_ranks(comparison: GroupComparison, over: OverDatasets) -> Iterator[Drawing]:
    """Yield the critical-difference diagram of data-set means."""
    from pycompare import plotting

    alpha = comparison.plan.alpha
    order = ", ".join(
        f"{name} {number(rank, 3)}"
        for name, rank in over.decisive.positions.sort_values(kind="stable").items()
    )
    bars = cliques_text(over)
    yield (
        "critical_difference",
        plotting.critical_difference(over.decisive, alpha=alpha),
        f"Mean ranks of data-set means on {direction(over.metric)}, "
        f"{comparison.compared.n_blocks} data sets, 1 = best. {bars} {method(over)}, "
        f"alpha = {alpha}.",
        f"Critical difference diagram. {order}. {bars}",
    )


def of_pairs(over: OverDatasets, alpha: float) -> Iterator[Drawing]:
    """Yield the graph of pairs by what makes the verdict."""
    from pycompare import plotting

    few = len(over.decisive.algorithms) <= MOST_NODES
    if few and over.decisive.control is None:
        yield (
            "pair_graph",
            plotting.pair_graph(over.decisive, alpha=alpha),
            f"The verdict on {direction(over.metric)}: a line joins two algorithms "
            f"that were not shown to differ ({method(over)}, alpha = {alpha}).",
            f"Graph of pairs. {cliques_text(over)}",
        )


def of_wins(over: OverDatasets, alpha: float) -> Iterator[Drawing]:
    """Yield the grid of sign tests of wins."""
    from pycompare import plotting

    yield (
        "sign_grid",
        plotting.p_matrix(over.decisive, alpha=alpha),
        f"{NAMES[over.key].capitalize()} on {direction(over.metric)}: adjusted "
        f"p-values over {over.decisive.family}; marked cells are at most {alpha}.",
        "Matrix of adjusted p-values of sign tests; the table has the same numbers.",
    )


def of_means(comparison: GroupComparison, over: OverDatasets) -> Iterator[Drawing]:
    """Yield the differences of means over data sets."""
    from pycompare import plotting
    from pycompare.plotting.mean_differences import MOST_ROWS

    alpha = comparison.plan.alpha
    pairs = over.decisive
    if isinstance(pairs, MeanPairsResult) and len(pairs.table) <= MOST_ROWS:
        yield (
            "mean_differences",
            plotting.mean_differences(pairs, alpha=alpha),
            f"Differences of means over {comparison.compared.n_blocks} data sets on "
            f"{direction(over.metric)}, first minus second, with intervals "
            f"({pairs.interval}). A filled dot: significant at {alpha}, "
            f"{method(over)}.",
            "Differences of means with intervals; the table of pairs has the numbers.",
        )


def of_scores(
    comparison: GroupComparison, analysis: DatasetsAnalysis
) -> Iterator[Drawing]:
    """Yield the data sets' means behind it all."""
    from pycompare import plotting

    yield (
        "distributions",
        plotting.distributions(comparison.compared, metric=analysis.metric.name),
        f"Data-set means of each algorithm on {direction(analysis.metric)}: quartiles, "
        f"every data set as a point, and a grey line joining each data set's means.",
        f"Distributions of {analysis.metric.name} per algorithm.",
    )

"""The pictures of several data sets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.multiple_datasets import DatasetsAnalysis, OverDatasets
from pycompare.formatting.numbers import number
from pycompare.reporting.common import order_figures
from pycompare.reporting.common.words import direction
from pycompare.reporting.content.outcomes import NAMES
from pycompare.reporting.multiple_datasets.datasets_words import method
from pycompare.reporting.page.figures import Drawing
from pycompare.reporting.rank_tests.rank_figures import cliques_text


def drawings(
    comparison: GroupComparison, analysis: DatasetsAnalysis
) -> Iterator[Drawing]:
    """Yield name, axes, caption and alternative text of each picture."""
    alpha = comparison.plan.alpha
    several = comparison.scores.n_algorithms > 2
    if several:
        yield from of_ranks(comparison, analysis.by("ranks"))
        yield from of_order(comparison, analysis.planned)
        yield from of_wins(analysis.by("sign"), alpha)
        if analysis.verdict != "sign":
            yield from of_order(comparison, analysis.by("sign"), "wins_")
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
        partial(plotting.critical_difference, over.decisive, alpha=alpha),
        f"Mean ranks of data-set means on {direction(over.metric)}, "
        f"{comparison.compared.n_blocks} data sets, 1 = best. {bars} {method(over)}, "
        f"alpha = {alpha}.",
        f"Critical difference diagram. {order}. {bars}",
    )


def of_order(
    comparison: GroupComparison, over: OverDatasets, prefix: str = ""
) -> Iterator[Drawing]:
    """Yield who does not differ from whom, and who is better, by one comparison."""
    yield from order_figures.of_order(
        over.decisive,
        comparison.plan.alpha,
        on=f"{NAMES[over.key]} on {direction(over.metric)}, "
        f"{comparison.compared.n_blocks} data sets",
        by=method(over),
        prefix=prefix,
    )


def of_wins(over: OverDatasets, alpha: float) -> Iterator[Drawing]:
    """Yield the grid of sign tests of wins."""
    from pycompare import plotting

    yield (
        "sign_grid",
        partial(plotting.p_matrix, over.decisive, alpha=alpha),
        f"{NAMES[over.key].capitalize()} on {direction(over.metric)}: adjusted "
        f"p-values over {over.decisive.family}; marked cells are at most {alpha}.",
        "Matrix of adjusted p-values of sign tests; the table has the same numbers.",
    )


def of_means(comparison: GroupComparison, over: OverDatasets) -> Iterator[Drawing]:
    """Yield the differences of means over data sets."""
    from pycompare import plotting
    from pycompare.plotting.mean_differences import MOST_ROWS, MeanDifferences

    alpha = comparison.plan.alpha
    pairs = over.decisive
    if isinstance(pairs, MeanDifferences) and len(pairs.table) <= MOST_ROWS:
        yield (
            "mean_differences",
            partial(plotting.mean_differences, pairs, alpha=alpha),
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
        partial(
            plotting.distributions, comparison.compared, metric=analysis.metric.name
        ),
        f"Data-set means of each algorithm on {direction(analysis.metric)}: quartiles, "
        f"every data set as a point, and a grey line joining each data set's means.",
        f"Distributions of {analysis.metric.name} per algorithm.",
    )

"""The pictures of the analysis of means."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pycompare.analyses.blocked_anova import LinearAnalysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.numbers import number
from pycompare.plans.post_hoc import described
from pycompare.reporting.common import order_figures
from pycompare.reporting.common.words import direction
from pycompare.reporting.page.figures import Drawing
from pycompare.reporting.rank_tests.rank_figures import cliques_text


def drawings(comparison: GroupComparison, analysis: LinearAnalysis) -> list[Drawing]:
    """Return name, axes, caption and alternative text of each picture."""
    return [
        *of_pairs(comparison, analysis),
        *of_order(comparison, analysis),
        *of_residuals(analysis, comparison.plan.seed or 0),
        *of_ranks(comparison, analysis),
    ]


def of_pairs(
    comparison: GroupComparison, analysis: LinearAnalysis
) -> Iterator[Drawing]:
    """Yield the differences, their p-values, and the scores behind them."""
    from pycompare import plotting
    from pycompare.plotting.mean_differences import MOST_ROWS, MeanDifferences

    alpha, on = comparison.plan.alpha, direction(analysis.metric)
    decisive, by = analysis.decisive, described(analysis.decisive.adjust).title
    how = "corrected t tests, " if analysis.corrected_decides else ""
    count = comparison.compared.n_blocks
    if isinstance(decisive, MeanDifferences) and len(decisive.table) <= MOST_ROWS:
        yield (
            "mean_differences",
            partial(plotting.mean_differences, decisive, alpha=alpha),
            f"Differences of means on {on}, first minus second, {count} folds; "
            f"intervals: {decisive.interval}. Filled dots: significant at {alpha} "
            f"({how}{by}).",
            "Differences of means with intervals; the table of pairs has the numbers.",
        )
    yield (
        "p_matrix",
        partial(plotting.p_matrix, decisive, alpha=alpha),
        f"Adjusted p-values ({how}{by}) of means on {on}, {count} folds; marked cells "
        f"are at most {alpha}.",
        "Matrix of adjusted p-values; the table of pairs has the same numbers.",
    )
    yield (
        "distributions",
        partial(
            plotting.distributions, comparison.compared, metric=analysis.metric.name
        ),
        f"Scores of each algorithm on {on}: quartiles, every fold as a point, and a "
        f"grey line joining each fold's scores.",
        f"Distributions of {analysis.metric.name} per algorithm.",
    )


def of_order(
    comparison: GroupComparison, analysis: LinearAnalysis
) -> Iterator[Drawing]:
    """Yield who does not differ from whom, and who is better, by the verdict."""
    how = "corrected t tests, " if analysis.corrected_decides else ""
    pairs = analysis.decisive
    yield from order_figures.of_order(
        pairs,
        comparison.plan.alpha,
        on=f"{direction(analysis.metric)}, {comparison.compared.n_blocks} folds",
        by=f"{how}{described(pairs.adjust).title}",
    )


def of_residuals(analysis: LinearAnalysis, seed: int) -> Iterator[Drawing]:
    """Yield the pictures that check the assumptions, where marks are enough."""
    from pycompare import plotting
    from pycompare.plotting.style import MOST_MARKS

    on = direction(analysis.metric)
    if len(analysis.omnibus.means) <= MOST_MARKS:
        yield (
            "residuals",
            partial(plotting.residuals, analysis.omnibus),
            f"Residuals against fitted scores on {on}. A funnel speaks against equal "
            f"spread, a bow against additivity.",
            "Residuals against fitted scores; the table of checks has the tests.",
        )
    yield (
        "normal_quantiles",
        partial(plotting.normal_quantiles, analysis.omnibus, seed=seed),
        f"Residuals on {on} against quantiles of the normal distribution: a straight "
        f"line, within the band, where they are normal (band simulated, seed {seed}).",
        "Normal quantile plot of the residuals; the table of checks has the test.",
    )


def of_ranks(
    comparison: GroupComparison, analysis: LinearAnalysis
) -> Iterator[Drawing]:
    """Yield the diagram of the rank analysis."""
    from pycompare import plotting

    alpha, ranks = comparison.plan.alpha, analysis.ranks.decisive
    order = ", ".join(
        f"{name} {number(rank, 3)}"
        for name, rank in ranks.positions.sort_values(kind="stable").items()
    )
    bars = cliques_text(analysis.ranks)
    yield (
        "ranks_critical_difference",
        partial(plotting.critical_difference, ranks, alpha=alpha),
        f"Sensitivity: mean ranks on {direction(analysis.metric)}, "
        f"{comparison.compared.n_blocks} folds, 1 = best. {bars} Adjustment: "
        f"{described(ranks.adjust).title}, alpha = {alpha}.",
        f"Critical difference diagram of the rank analysis. {order}. {bars}",
    )

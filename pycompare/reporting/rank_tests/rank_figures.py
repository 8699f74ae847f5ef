"""The pictures of the rank analysis."""

from __future__ import annotations

from functools import partial

from pycompare.analyses.analysis import ComparedPairs
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.formatting.numbers import number
from pycompare.plans.post_hoc import described
from pycompare.reporting.common import order_figures, words
from pycompare.reporting.common.words import direction
from pycompare.reporting.page.figures import Drawing


def drawings(comparison: GroupComparison, analysis: RankAnalysis) -> list[Drawing]:
    """Return name, axes, caption and alternative text of each picture."""
    from pycompare import plotting

    alpha = comparison.plan.alpha
    pairs, on = analysis.decisive, direction(analysis.metric)
    title = described(pairs.called).title
    count = comparison.compared.n_blocks
    order = ", ".join(
        f"{name} {number(rank, 3)}"
        for name, rank in pairs.positions.sort_values(kind="stable").items()
    )
    bars = cliques_text(analysis)
    name = pairs.estimate_name.removeprefix("difference of ").capitalize()
    rows: list[Drawing] = [
        (
            "critical_difference",
            partial(plotting.critical_difference, pairs, alpha=alpha),
            f"{name} on {on}, {count} blocks, 1 = best. {bars} Adjustment: "
            f"{title}, alpha = {alpha}.",
            f"Critical difference diagram. {order}. {bars}",
        )
    ]
    if analysis.nemenyi is not None and not words.untested(analysis):
        cd = number(analysis.nemenyi.critical_difference)
        rows.append(
            (
                "nemenyi",
                partial(plotting.critical_difference, analysis.nemenyi, alpha=alpha),
                f"The same by Nemenyi's test: two algorithms differ where their mean "
                f"ranks are at least the critical difference {cd} apart "
                f"(alpha = {alpha}, {count} blocks).",
                f"Critical difference diagram by Nemenyi's test. {order}.",
            )
        )
    rows += order_figures.of_order(
        pairs, alpha, on=f"{name.lower()} on {on}, {count} blocks", by=title
    )
    rows.append(
        (
            "p_matrix",
            partial(plotting.p_matrix, pairs, alpha=alpha),
            f"Adjusted p-values ({title}) on {on}; marked cells are at most {alpha}.",
            "Matrix of adjusted p-values; the table of pairs has the same numbers.",
        )
    )
    if analysis.nemenyi is not None and not words.untested(analysis):
        rows.append(
            (
                "mean_ranks",
                partial(plotting.mean_ranks, analysis.nemenyi),
                f"Mean ranks on {on} with comparison intervals: two algorithms whose "
                f"intervals do not overlap differ by Nemenyi's criterion at {alpha}; "
                f"the verdict's adjustment may be sharper. They are not confidence "
                f"intervals of mean ranks.",
                f"Mean ranks with comparison intervals. {order}.",
            )
        )
    rows.append(
        (
            "distributions",
            partial(
                plotting.distributions, comparison.compared, metric=analysis.metric.name
            ),
            f"Scores of each algorithm on {on}: quartiles, every block as a point, "
            f"and a grey line joining each block's scores.",
            f"Distributions of {analysis.metric.name} per algorithm.",
        )
    )
    return rows


def cliques_text(analysis: ComparedPairs) -> str:
    """Say which groups the bars of the diagram join."""
    if analysis.decisive.control is not None:
        return f"Algorithms are compared with {analysis.decisive.control} only."
    if not analysis.cliques:
        return "No bars: every pair differs significantly."
    groups = "; ".join(", ".join(group) for group in analysis.cliques)
    return f"Bars join algorithms whose difference is not significant: {groups}."

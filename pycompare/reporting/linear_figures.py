"""The pictures of the road of means."""

from __future__ import annotations

from pycompare.procedure.compare import Comparison
from pycompare.procedure.linear_road import LinearAnalysis
from pycompare.procedure.post_hoc import described
from pycompare.reporting.figures import Drawing
from pycompare.reporting.numbers import number
from pycompare.reporting.rank_figures import cliques_text
from pycompare.reporting.words import direction


def drawings(comparison: Comparison, analysis: LinearAnalysis) -> list[Drawing]:
    """Return name, axes, caption and alternative text of each picture."""
    from pycompare import plotting

    alpha, pairs = comparison.plan.alpha, analysis.decisive
    on, title = direction(analysis.metric), described(pairs.adjust).title
    count = comparison.compared.n_blocks
    rows: list[Drawing] = [
        (
            "p_matrix",
            plotting.p_matrix(pairs, alpha=alpha),
            f"Adjusted p-values ({title}) of means on {on}, {count} folds; marked "
            f"cells are at most {alpha}.",
            "Matrix of adjusted p-values; the table of pairs has the same numbers.",
        ),
        (
            "distributions",
            plotting.distributions(comparison.compared, metric=analysis.metric.name),
            f"Scores of each algorithm on {on}: quartiles, every fold as a point, "
            f"and a grey line joining each fold's scores.",
            f"Distributions of {analysis.metric.name} per algorithm.",
        ),
    ]
    ranks = analysis.ranks.decisive
    order = ", ".join(
        f"{name} {number(rank, 3)}"
        for name, rank in ranks.positions.sort_values(kind="stable").items()
    )
    bars = cliques_text(analysis.ranks)
    rows.append(
        (
            "ranks_critical_difference",
            plotting.critical_difference(ranks, alpha=alpha),
            f"Sensitivity: mean ranks on {on}, {count} folds, 1 = best. {bars} "
            f"Adjustment: {described(ranks.adjust).title}, alpha = {alpha}.",
            f"Critical difference diagram of the rank analysis. {order}. {bars}",
        )
    )
    return rows

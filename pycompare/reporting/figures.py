"""The report's pictures with their captions and texts for those who cannot see them."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from pycompare.multiplicity.adjust import ADJUSTMENTS
from pycompare.procedure.compare import Analysis, Comparison
from pycompare.reporting.numbers import number
from pycompare.reporting.words import direction


@dataclass(frozen=True)
class Figure:
    """A picture: file stem, SVG text, caption, alternative text."""

    name: str
    svg: str
    caption: str
    alt: str

    @property
    def data_uri(self) -> str:
        """The picture as an address that needs no network."""
        encoded = base64.b64encode(self.svg.encode()).decode()
        return f"data:image/svg+xml;base64,{encoded}"


def figures(comparison: Comparison, analysis: Analysis) -> tuple[Figure, ...]:
    """Draw all pictures of one analysis."""
    from pycompare.plotting import style

    made = []
    with style.context():
        for name, axes, caption, alt in drawings(comparison, analysis):
            made.append(Figure(name, style.to_svg(axes.figure), caption, alt))
    return tuple(made)


def drawings(comparison: Comparison, analysis: Analysis) -> list[tuple]:
    """Return name, axes, caption and alternative text of each picture."""
    from pycompare import plotting

    alpha = comparison.plan.alpha
    pairs, on = analysis.decisive, direction(analysis.metric)
    title = ADJUSTMENTS[pairs.adjust].title
    count = pairs.blocks.values.shape[0]
    order = ", ".join(
        f"{name} {number(rank, 3)}"
        for name, rank in pairs.positions.sort_values(kind="stable").items()
    )
    bars = cliques_text(analysis)
    name = pairs.estimate_name.removeprefix("difference of ").capitalize()
    rows = [
        (
            "critical_difference",
            plotting.critical_difference(pairs, alpha=alpha),
            f"{name} on {on}, {count} blocks, 1 = best. {bars} Adjustment: "
            f"{title}, alpha = {alpha}.",
            f"Critical difference diagram. {order}. {bars}",
        )
    ]
    if analysis.nemenyi is not None:
        cd = number(analysis.nemenyi.critical_difference)
        rows.append(
            (
                "nemenyi",
                plotting.critical_difference(analysis.nemenyi, alpha=alpha),
                f"The same by Nemenyi's test: two algorithms differ where their mean "
                f"ranks are at least the critical difference {cd} apart "
                f"(alpha = {alpha}, {count} blocks).",
                f"Critical difference diagram by Nemenyi's test. {order}.",
            )
        )
    rows.append(
        (
            "p_matrix",
            plotting.p_matrix(pairs, alpha=alpha),
            f"Adjusted p-values ({title}) on {on}; marked cells are at most {alpha}.",
            "Matrix of adjusted p-values; the table of pairs has the same numbers.",
        )
    )
    if analysis.nemenyi is not None and not pairs.table["std_error"].isna().any():
        rows.append(
            (
                "mean_ranks",
                plotting.mean_ranks(analysis.nemenyi),
                f"Mean ranks on {on} with half-width intervals: two algorithms whose "
                f"intervals do not overlap differ by Nemenyi's criterion at {alpha}; "
                f"the verdict's adjustment may be sharper.",
                f"Mean ranks with intervals. {order}.",
            )
        )
    rows.append(
        (
            "distributions",
            plotting.distributions(comparison.ranked, metric=analysis.metric.name),
            f"Scores of each algorithm on {on}: quartiles, every block as a point, "
            f"and a grey line joining each block's scores.",
            f"Distributions of {analysis.metric.name} per algorithm.",
        )
    )
    return rows


def cliques_text(analysis: Analysis) -> str:
    """Say which groups the bars of the diagram join."""
    if analysis.decisive.control is not None:
        return f"Algorithms are compared with {analysis.decisive.control} only."
    if not analysis.cliques:
        return "No bars: every pair differs significantly."
    groups = "; ".join(", ".join(group) for group in analysis.cliques)
    return f"Bars join algorithms whose difference is not significant: {groups}."

"""The specification curve of a table as a page reports it."""

from __future__ import annotations

from functools import partial

from pycompare import plotting
from pycompare.analyses.specification_curve import SpecificationCurve
from pycompare.formatting.counts import counted
from pycompare.plans.post_hoc import short_title
from pycompare.reporting.content.build import PAIR, Field, table
from pycompare.reporting.content.wording import begun
from pycompare.reporting.document import Figure, Paragraph, Section, Table

_ALSO_VALID = (
    "A specification is a test, an adjustment and a form of the scores. Only those are "
    "here that are valid for this design and for this scope of conclusions. Those that "
    "give the same p-values count once. This analysis was not used to choose the "
    "primary one."
)


def section(curve: SpecificationCurve | None, prefix: str) -> Section | None:
    """Return the specification curve of an analysis, if it has one."""
    if curve is None:
        return None
    blocks = (
        Paragraph(_conclusion(curve)),
        _picture(curve, prefix),
        _pairs(curve),
        _specifications(curve),
        Paragraph(_ALSO_VALID),
    )
    return Section("Specification curve", blocks, f"{prefix}curve")


def _conclusion(curve: SpecificationCurve) -> str:
    """Count the specifications, and those that agree with the primary analysis."""
    n = counted(curve.n, "specification")
    decisions = counted(len(curve.table), "decision")
    if curve.n_alike == curve.n:
        return f"All {n} give the primary conclusion on every pair."
    return (
        f"{curve.n_alike} of {n} give the primary conclusion on every pair. "
        f"{int(curve.table['agrees'].sum())} of the {decisions} on pairs are those of "
        "the primary analysis."
    )


def _picture(curve: SpecificationCurve, prefix: str) -> Figure:
    """Return the curve of the pair on which specifications agree least."""
    first, second = curve.most_fragile
    rows = curve.of_pair(first, second)
    agree = f"{int(rows['agrees'].sum())} of {len(rows)}"
    return Figure(
        f"{prefix}specification_curve",
        partial(plotting.specification_curve, curve),
        f"{first} against {second}, the pair on which specifications agree least: each "
        f"column is one of {len(rows)} specifications. Above 0 {first} is better. "
        f"Filled: significant after adjustment. Square: the primary analysis, with "
        f"which {agree} agree.",
        f"Deviates z of {first} against {second} from {rows['z'].min():.2f} to "
        f"{rows['z'].max():.2f}; {agree} specifications agree with the primary "
        f"analysis.",
    )


def _pairs(curve: SpecificationCurve) -> Table:
    """Return how many specifications agree on each pair."""
    return table(
        "Pairs, the strongest evidence first: how many specifications give the primary "
        "decision, and the range of adjusted p-values.",
        curve.pairs,
        PAIR,
        Field("significantly better", "text", lambda row: row.primary or "neither"),
        Field("agree", "digits", lambda row: f"{row.agreeing} of {curve.n}"),
        Field("smallest p", "p", "p_low"),
        Field("largest p", "p", "p_high"),
    )


def _specifications(curve: SpecificationCurve) -> Table:
    """Return the specifications, the primary analysis first."""
    pairs = len(curve.pairs)
    return table(
        "Specifications, the primary analysis first: pairs that each decides as the "
        "primary analysis does.",
        curve.specifications,
        Field("Test", "label", lambda row: begun(row.test)),
        Field("adjustment", "text", lambda row: short_title(row.adjust)),
        Field("scores", "text", "scores"),
        Field("agree", "digits", lambda row: f"{row.agreeing} of {pairs}"),
    )

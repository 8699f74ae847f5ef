"""The decision log of an analysis of readers and cases."""

from __future__ import annotations

from pycompare.formatting.counts import counted
from pycompare.formatting.numbers import p_equals
from pycompare.multireader.result import MRMCResult
from pycompare.multireader.single_modality import SingleModalityResult
from pycompare.reporting.evidence.manifest import Step


def mrmc_steps(result: MRMCResult, alpha: float) -> list[Step]:
    """Return every step of an analysis of readers and cases."""
    ratings, table = result.ratings, result.table
    significant = int(result.rejected(alpha).sum())
    claims = [] if result.claims is None else [_claims(result)]
    return [
        Step(
            step="Read the ratings",
            why="the call or the options",
            decided=f"{counted(len(ratings.modalities), 'modality', 'modalities')}, "
            f"{counted(result.n_readers, 'reader')}, "
            f"{counted(len(ratings.cases), 'case')}, {ratings.design}",
        ),
        Step(
            step=f"{result.omnibus.name}",
            why="test of all modalities at once",
            decided=f"{p_equals(result.omnibus.p_value)}; no decision",
        ),
        Step(
            step=f"{result.method}, adjusted: {result.adjust}",
            why=f"primary analysis: {result.population}",
            decided=f"{significant} of {counted(len(table), 'pair')} significant at "
            f"alpha = {alpha:g}",
        ),
        *claims,
        Step(
            step="The other scopes of conclusions",
            why="sensitivity analysis",
            decided="no decision",
        ),
    ]


def single_steps(result: SingleModalityResult, alpha: float) -> list[Step]:
    """Return every step of the analysis of one modality."""
    tested = (
        "no test"
        if result.null is None
        else f"{p_equals(result.p_value)} against {result.null:g}; alpha = {alpha:g}"
    )
    return [
        Step(
            step="Read the ratings",
            why="the call or the options",
            decided=f"{result.modality}, {counted(result.n_readers, 'reader')}, "
            f"{counted(len(result.ratings.cases), 'case')}, {result.ratings.design}",
        ),
        Step(
            step=f"Mean {result.figure} of {result.modality}",
            why=f"primary analysis: {result.population}",
            decided=tested,
        ),
    ]


def _claims(result: MRMCResult) -> Step:
    """Return the claims against the margin."""
    n = 0 if result.claims is None else len(result.claims)
    return Step(
        step=f"Claims against the margin {result.margin:g}",
        why="a margin is given",
        decided=f"{counted(n, 'claim')} tested",
    )

"""Quade's test: Friedman's ranks, weighted by the spread within a block."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Labelled
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, complete_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels.ranks import midranks, permutation_chi2, rescaled
from pycompare.methods.ranks.common import (
    ALL_TIED,
    RankTest,
    divide,
    perfect_agreement_p,
)
from pycompare.methods.ranks.positions import Positions, equal_errors, whole_cells
from pycompare.results.placement import Placement
from pycompare.results.result import made_when_read

if TYPE_CHECKING:
    import pandas as pd


_REFERENCE = "Quade (1979) JASA 74, 680-683"


@dataclass(frozen=True, kw_only=True, eq=False)
class QuadeResult(RankTest):
    """Quade's test.

    Attributes
    ----------
    mean_ranks : Series
        Mean rank per algorithm weighted by the blocks' ranks of range, 1 = best.
    block_ranks : Series
        Rank of each block's range, the weight of the block.
    """

    block_ranks: pd.Series = made_when_read()

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return "omnibus/quade"

    def r_call(self) -> RCall:
        """Return the call of ``quade.test``."""
        arguments = self.blocks.r_arguments()
        return RCall(("ranks", "quade"), "quade_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the test and the ranks of the blocks' ranges."""
        return super().r_values() | {
            "block_ranks": np.asarray(self.held("block_ranks"), float)
        }


def _block_weights(blocks: Blocks) -> Floats:
    """Return the rank of each block's range; equal ranges share their mean rank.

    A range carries the float noise of the scores it was made from; R ranks the bare
    differences and splits ranges that are equal on paper.
    """
    x = rescaled(blocks.values)
    ranges = x.max(axis=1) - x.min(axis=1)
    return midranks(ranges, np.abs(x).max(axis=1))


@checked
def quade(
    scores: Scores, *, metric: str | None = None, decimals: int | None = None
) -> QuadeResult:
    """Test equal algorithms by Quade's test, which weights blocks by their range.

    Blocks in which the algorithms differ more count more, so the blocks' scores must
    be on one scale.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    decimals : int, optional
        Round scores to so many decimals first.

    Returns
    -------
    QuadeResult
        F on a - 1 and (a - 1)(n - 1) degrees of freedom, corrected for ties; larger
        means more difference.

    Raises
    ------
    DesignError
        If cells are missing.

    Notes
    -----
    Equation 3.5 of docs/equations.md.

    R: ``quade.test(x)``, which gives NaN for F (and our p-value) if all blocks have
    equal ranges and rank alike; F is infinite there.

    References
    ----------
    .. [1] Quade, D. (1979). JASA 74, 680-683.
    .. [2] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., p. 373.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.quade(pc.example())
    >>> print(f"F = {test.statistic:.2f}, p = {test.p_value:.1e}")
    F = 10.94, p = 1.5e-07
    """
    refuse_clusters_of_blocks(scores, "quade")
    blocks = complete_blocks(scores, metric, decimals, method="Quade's test")
    ranks, weights = blocks.ranks(), _block_weights(blocks)
    n, a = ranks.shape
    f = _quade_f(ranks, weights)
    df = (a - 1.0, (a - 1.0) * (n - 1))
    p, source, notes = _quade_p(ranks, f, df)
    return QuadeResult(
        short="Quade test",
        name="Quade test, corrected for ties",
        statistic_name="F",
        statistic=f,
        df=df,
        p_value=p,
        p_source=source,
        reference=_REFERENCE,
        notes=notes,
        mean_ranks=blocks.per_algorithm(weights @ ranks / weights.sum()),
        block_ranks=Labelled(weights, blocks.blocks),
        n_blocks=n,
        blocks=blocks,
    )


def _weighted_scores(ranks: Floats, weights: Floats) -> Floats:
    """Return ``S_ij = Q_i (r_ij - (a + 1) / 2)``."""
    return weights[:, None] * (ranks - (ranks.shape[1] + 1) / 2)


def _quade_f(ranks: Floats, weights: Floats) -> float:
    """Return ``F = (n - 1) B / (A - B)``, multiplied out to keep integers exact."""
    s = _weighted_scores(ranks, weights)
    between = float(np.sum(s.sum(axis=0) ** 2))
    return divide((len(s) - 1) * between, len(s) * float(np.sum(s**2)) - between)


def _quade_p(
    ranks: Floats, f: float, df: tuple[float, float]
) -> tuple[float, str, tuple[str, ...]]:
    """Return the p-value, where it comes from, and what to note about it."""
    if math.isnan(f):
        return math.nan, "none", (ALL_TIED,)
    if math.isinf(f):
        note = (
            "all blocks have equal ranges and rank the algorithms identically: F is "
            "infinite, the p-value is the exact one"
        )
        return perfect_agreement_p(ranks), "exact", (note,)
    return float(special.fdtrc(*df, f)), "F", ()


def quade_positions(blocks: Blocks, rule: str) -> Positions:
    """Return mean ranks weighted by the blocks' ranks of range."""
    ranks, weights = blocks.ranks(), _block_weights(blocks)
    n, a = ranks.shape
    unit = n * (n + 1) / 2
    variance = a * (a + 1) * (2 * n + 1) * (a - 1) / (18 * n * (n + 1))
    if rule == "permutation":
        of_means = float(permutation_chi2(_weighted_scores(ranks, weights))[1])
        variance = of_means * (n / unit) ** 2
    return equal_errors(
        weights @ ranks,
        unit,
        variance,
        Placement("weighted mean ranks (Quade)", "weighted mean rank (Quade)"),
        "Quade (1979) JASA 74, 680-683",
        whole_cells(weights[:, None] * ranks, 4),
        4,
        4 * n * (a - 1),
    )

"""Hodges and Lehmann's aligned ranks: blocks are levelled, then ranked together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, complete_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels.ranks import midranks, permutation_chi2, rescaled
from pycompare.methods.ranks.common import (
    ALL_TIED,
    RankTest,
    RankTies,
    check_ties,
    divide,
)
from pycompare.methods.ranks.positions import Positions, equal_errors, whole_cells
from pycompare.results.placement import Placement

_REFERENCE = (
    "Hodges & Lehmann (1962) Ann. Math. Statist. 33, 482-497; García et al. (2010) "
    "Information Sciences 180, 2044-2064"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class AlignedRanksResult(RankTest):
    """Aligned ranks test.

    Attributes
    ----------
    ties : str
        ``corrected`` or ``uncorrected``.
    mean_ranks : Series
        Mean aligned rank per algorithm among all cells, low = good.
    """

    ties: str

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return "omnibus/aligned-ranks"

    def r_call(self) -> RCall:
        """Return the call of the R derivation (no R package of Debian has the test)."""
        arguments = {**self.blocks.r_arguments(), "ties": self.ties}
        return RCall(("ranks", "aligned_ranks"), "aligned_ranks_reference", arguments)


def _aligned_ranks_table(blocks: Blocks) -> Floats:
    """Return the ranks of all cells after each block's mean is taken off.

    A difference carries the float noise of the scores it was made from; ranking the
    bare differences, as scmamp does, splits true ties (T = 41.691 for 41.728 on
    García and Herrera's data).
    """
    x = rescaled(blocks.values)
    aligned = x - x.mean(axis=1, keepdims=True)
    noise = np.broadcast_to(np.abs(x).max(axis=1, keepdims=True), x.shape)
    return midranks(aligned.ravel(), noise.ravel()).reshape(x.shape)


@checked
def aligned_ranks(
    scores: Scores,
    *,
    metric: str | None = None,
    ties: RankTies = "corrected",
    decimals: int | None = None,
) -> AlignedRanksResult:
    """Test equal algorithms by the aligned ranks test of Hodges and Lehmann.

    Unlike Friedman's test it compares across blocks, so the blocks' scores must be on
    one scale.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    ties : {"corrected", "uncorrected"}
        ``corrected`` uses the variance of the ranks as they are; ``uncorrected`` is
        the printed form, N (N + 1) (2 N + 1) / 6 for the sum of squared ranks.
    decimals : int, optional
        Round scores to so many decimals first.

    Returns
    -------
    AlignedRanksResult
        chi2 on a - 1 degrees of freedom; larger means more difference.

    Raises
    ------
    DesignError
        If cells are missing.

    Notes
    -----
    Equation 3.4 of docs/equations.md.

    ``T = (a - 1) sum_j (R_j - mean)^2 / (sum_ij R_ij^2 - sum_i R_i.^2 / a)``.
    R: scmamp's ``friedmanAlignedRanksTest`` (uncorrected, ties split by noise).

    References
    ----------
    .. [1] Hodges, J. L., Lehmann, E. L. (1962). Ann. Math. Statist. 33, 482-497.
    .. [2] García, S. et al. (2010). Information Sciences 180, 2044-2064.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.aligned_ranks(pc.example())
    >>> print(f"T = {test.statistic:.2f} on {test.df:.0f} df, p = {test.p_value:.1e}")
    T = 41.73 on 4 df, p = 1.9e-08
    """
    check_ties(ties)
    refuse_clusters_of_blocks(scores, "aligned_ranks")
    blocks = complete_blocks(scores, metric, decimals, method="the aligned ranks test")
    ranks = _aligned_ranks_table(blocks)
    n, a = ranks.shape
    statistic = _aligned_statistic(ranks, ties)
    undefined = math.isnan(statistic)
    return AlignedRanksResult(
        short="Aligned ranks test (Hodges-Lehmann)",
        name=f"Aligned ranks test (Hodges-Lehmann), {ties} for ties",
        statistic_name="chi2",
        statistic=statistic,
        df=float(a - 1),
        p_value=math.nan if undefined else float(special.chdtrc(a - 1, statistic)),
        p_source="none" if undefined else "chi2",
        reference=_REFERENCE,
        notes=(ALL_TIED,) if undefined else (),
        ties=ties,
        mean_ranks=blocks.per_algorithm(ranks.mean(axis=0)),
        n_blocks=n,
        blocks=blocks,
    )


def _aligned_statistic(ranks: Floats, ties: RankTies) -> float:
    """Return T for aligned ranks, shape (n, a); NaN if every block is tied."""
    n, a = ranks.shape
    total = n * a
    squares = np.sum(ranks**2)
    if ties == "uncorrected":
        squares = total * (total + 1) * (2 * total + 1) / 6
    within = squares - np.sum(ranks.sum(axis=1) ** 2) / a
    between = np.sum((ranks.sum(axis=0) - ranks.sum() / a) ** 2)
    if np.all(ranks == ranks[:, :1]):
        return math.nan
    return divide((a - 1) * between, within)


def aligned_positions(blocks: Blocks, rule: str) -> Positions:
    """Return mean aligned ranks."""
    ranks = _aligned_ranks_table(blocks)
    n, a = ranks.shape
    # García et al. (2010): as if the N ranks were dealt out regardless of blocks.
    variance = a * (a * n + 1) / 6
    if rule == "permutation":
        variance = float(permutation_chi2(ranks)[1])
    return equal_errors(
        ranks.sum(axis=0),
        n,
        variance,
        Placement("mean aligned ranks", "mean aligned rank"),
        "Hodges & Lehmann (1962) Ann. Math. Statist. 33, 482-497",
        whole_cells(ranks, 2),
        2,
        2 * (a * n - 1),
    )

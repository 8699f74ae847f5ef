"""Skillings and Mack's test: Friedman's for tables with missing cells."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted, were
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, ranked_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels.ranks import midranks
from pycompare.methods.ranks.common import ALL_TIED, RankTest, RankTies, check_ties
from pycompare.methods.ranks.positions import Positions
from pycompare.results.placement import Placement

_REFERENCE = "Skillings & Mack (1981) Technometrics 23, 171-177"


@dataclass(frozen=True, kw_only=True, eq=False)
class SkillingsMackResult(RankTest):
    """Skillings-Mack test.

    Attributes
    ----------
    ties : str
        ``corrected`` or ``uncorrected``.
    mean_ranks : Series
        Mean ranks per algorithm adjusted for the blocks it was missing from (least
        squares), on the scale of complete blocks, 1 = best; without missing cells the
        plain mean ranks.
    n_blocks, n_missing : int
        Blocks used, and cells missing in them.
    unused_blocks : tuple of str
        Blocks with a single score, which compare nothing.
    """

    ties: str
    n_missing: int
    unused_blocks: tuple[str, ...]

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return "omnibus/skillings-mack"

    def r_call(self) -> RCall:
        """Return the call of the R derivation (no R package of Debian has the test)."""
        arguments = {**self.blocks.r_arguments(), "ties": self.ties}
        files = ("ranks", "skillings_mack")
        return RCall(files, "skillings_mack_reference", arguments)


@dataclass(frozen=True, eq=False)
class Incomplete:
    """Sums over blocks of different size.

    Attributes
    ----------
    sums : ndarray, shape (a,)
        Weighted adjusted rank sums A_j; they add up to zero.
    information : ndarray, shape (a, a)
        Covariance of ``sums`` for ranks without ties.
    covariance : ndarray, shape (a, a)
        Covariance of ``sums`` for the ranks as they are, or ``information``.
    used : ndarray of bool, shape (n,)
    """

    sums: Floats
    information: Floats
    covariance: Floats
    used: NDArray[np.bool_]

    def effects(self) -> Floats:
        """Return the algorithms' effects in mean ranks, adding up to zero."""
        a = len(self.sums)
        return _generalised_inverse(self.information) @ self.sums * _rank_unit(a)

    def effects_covariance(self) -> Floats:
        """Return the covariance of the effects under the null hypothesis."""
        inverse = _generalised_inverse(self.information) * _rank_unit(len(self.sums))
        return inverse @ self.covariance @ inverse


def _rank_unit(a: int) -> float:
    """Return the factor that turns effects into mean ranks of complete blocks."""
    return a * math.sqrt((a + 1) / 12)


def _generalised_inverse(information: Floats) -> Floats:
    """Return the Moore-Penrose inverse of a connected design's information matrix."""
    a = len(information)
    # The only null vector is 1: adding J / a makes the matrix regular.
    inverse = np.linalg.inv(information + 1 / a) - 1 / a
    return np.asarray(inverse, float)


def _incomplete_sums(values: Floats, ties: RankTies) -> Incomplete:
    """Rank each block's scores that are there and add the blocks up."""
    a = values.shape[1]
    present = ~np.isnan(values)
    used = present.sum(axis=1) > 1
    sums, information, covariance = np.zeros(a), np.zeros((a, a)), np.zeros((a, a))
    for row in np.flatnonzero(used):
        which = np.flatnonzero(present[row])
        k = len(which)
        centred = midranks(values[row, which]) - (k + 1) / 2
        sums[which] += math.sqrt(12 / (k + 1)) * centred
        spread = k * np.eye(k) - 1
        information[np.ix_(which, which)] += spread
        share = np.sum(centred**2) * 12 / (k * (k * k - 1))
        covariance[np.ix_(which, which)] += spread * share
    chosen = covariance if ties == "corrected" else information
    return Incomplete(sums, information, chosen, used)


@checked
def skillings_mack(
    scores: Scores,
    *,
    metric: str | None = None,
    ties: RankTies = "corrected",
    decimals: int | None = None,
) -> SkillingsMackResult:
    """Test equal algorithms by ranks if scores are missing (Skillings-Mack).

    Parameters
    ----------
    scores : Scores
        Read with ``missing="model"``. Cells must be missing for reasons that have
        nothing to do with the score. Blocks with a single score are left out, and
        reported.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    ties : {"corrected", "uncorrected"}
        ``corrected`` uses the variance of the ranks as they are, so that a complete
        table gives Friedman's statistic as R has it; ``uncorrected`` is the paper's.
    decimals : int, optional
        Round scores to so many decimals first.

    Returns
    -------
    SkillingsMackResult
        chi2 on a - 1 degrees of freedom; larger means more difference.

    Raises
    ------
    DesignError
        If the algorithms fall into groups that no block connects.

    Notes
    -----
    R: ``PMCMRplus::skillingsMackTest`` (uncorrected).

    References
    ----------
    .. [1] Skillings, J. H., Mack, G. A. (1981). Technometrics 23, 171-177.

    Examples
    --------
    >>> import pycompare as pc
    >>> frame = pc.example().to_frame().drop(index=[3, 17])
    >>> scores = pc.Scores.from_frame(
    ...     frame, algorithm="algorithm", block="block", metrics={"accuracy": "higher"},
    ...     missing="model",
    ... )
    >>> test = pc.skillings_mack(scores)
    >>> print(f"SM = {test.statistic:.2f}, p = {test.p_value:.1e}")
    SM = 38.99, p = 7.0e-08
    """
    check_ties(ties)
    refuse_clusters_of_blocks(scores, "skillings_mack")
    blocks = ranked_blocks(scores, metric, decimals)
    design = _incomplete_sums(blocks.values, ties)
    _check_connected(blocks, design)
    a = len(blocks.algorithms)
    effects = design.effects()
    p = statistic = math.nan
    source = "none"
    notes: tuple[str, ...] = (ALL_TIED,)
    if np.any(design.covariance):
        _check_connected(blocks, design, np.abs(design.covariance) > 0)
        statistic = float(
            design.sums @ _generalised_inverse(design.covariance) @ design.sums
        )
        p, source = float(special.chdtrc(a - 1, statistic)), "chi2"
        notes = ()
    unused = tuple(
        b for b, used in zip(blocks.blocks, design.used, strict=True) if not used
    )
    if unused:
        notes += (
            f"{counted(len(unused), 'block')} with a single score compared nothing and "
            f"{were(len(unused))} left out: {', '.join(unused[:20])}"
            f"{', ...' if len(unused) > 20 else ''}",
        )
    return SkillingsMackResult(
        short="Skillings-Mack test",
        name=f"Skillings-Mack test, {ties} for ties",
        statistic_name="chi2",
        statistic=statistic,
        df=float(a - 1),
        p_value=p,
        p_source=source,
        reference=_REFERENCE,
        notes=notes,
        ties=ties,
        mean_ranks=blocks.per_algorithm((a + 1) / 2 + effects),
        n_blocks=int(design.used.sum()),
        n_missing=int(np.isnan(blocks.values[design.used]).sum()),
        unused_blocks=unused,
        blocks=blocks,
    )


def _check_connected(
    blocks: Blocks, design: Incomplete, linked: NDArray[np.bool_] | None = None
) -> None:
    """Reject algorithms that no chain of blocks compares."""
    links = np.abs(design.information) > 0 if linked is None else linked
    reached = np.zeros(len(links), bool)
    reached[0] = True
    for _ in range(len(links)):
        reached |= links[reached].any(axis=0)
    if not reached.all():
        inside = [n for n, r in zip(blocks.algorithms, reached, strict=True) if r]
        outside = [n for n, r in zip(blocks.algorithms, reached, strict=True) if not r]
        raise DesignError(
            f"no block with different scores compares {inside} with {outside}; analyse "
            f"the groups apart or add scores"
        )


def incomplete_positions(blocks: Blocks) -> Positions:
    """Return mean ranks adjusted for missing cells, each pair with its own error."""
    design = _incomplete_sums(blocks.values, "corrected")
    _check_connected(blocks, design)
    if np.any(design.covariance):
        _check_connected(blocks, design, np.abs(design.covariance) > 0)
    covariance = design.effects_covariance()
    variance = np.diag(covariance)
    squared = variance[:, None] + variance[None, :] - 2 * covariance
    errors = np.sqrt(np.where(squared > 0, squared, np.nan))
    a = len(blocks.algorithms)
    return Positions(
        (a + 1) / 2 + design.effects(),
        1.0,
        errors,
        False,
        Placement("adjusted mean ranks", "adjusted mean rank"),
        "Skillings & Mack (1981) Technometrics 23, 171-177",
    )

"""Nemenyi's test and its critical difference."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import StdError
from pycompare.data.blocks import refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.methods.ranks.pairs import (
    Ranked,
    RankPairsResult,
    nemenyi_quantile,
    pairs_of_ranks,
    ranked,
)
from pycompare.results.result import later, made_when_read
from pycompare.results.schema import ResultQuantity, Schema, changed


@dataclass(frozen=True, kw_only=True, eq=False)
class NemenyiResult(RankPairsResult):
    """Pairs of mean ranks adjusted by the studentised range; see ``PairsResult``.

    Attributes
    ----------
    critical_difference : float
        Two algorithms differ at ``alpha`` if their mean ranks differ by at least this.
    alpha : float
    """

    critical_difference: float = made_when_read()
    alpha: float

    def r_call(self) -> RCall:
        """Return the call of ``qtukey`` and ``ptukey``."""
        arguments = {
            **self.blocks.r_arguments(),
            "alpha": self.alpha,
            "std_error": self.std_error_rule,
        }
        files = ("ranks", "studentized_range", "nemenyi")
        return RCall(files, "nemenyi_reference", arguments)

    schema: ClassVar[Schema] = (
        *changed(RankPairsResult.schema, only=""),
        ResultQuantity("critical_difference", "limit", unit="rank"),
        ResultQuantity("positions", "mean", unit="rank"),
    )


@checked
def nemenyi(
    scores: Scores,
    *,
    metric: str | None = None,
    alpha: float = 0.05,
    std_error: StdError = "textbook",
    decimals: int | None = None,
) -> NemenyiResult:
    """Compare all pairs of algorithms by Nemenyi's test of mean ranks.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    alpha : float
        Family-wise error of the critical difference; the comparison intervals have
        level 1 - alpha.
    std_error : {"textbook", "permutation"}
        As in ``rank_pairs``. ``textbook`` is not corrected for ties, and reproduces
        published critical differences; with many ties ``permutation`` gives a smaller
        one.
    decimals : int, optional
        Round scores to so many decimals first.

    Returns
    -------
    NemenyiResult
        ``p_adjusted <= alpha`` exactly when the mean ranks differ by at least
        ``critical_difference``.

    Raises
    ------
    DesignError
        If cells are missing.

    Notes
    -----
    Equation 3.7 of docs/equations.md.

    ``CD = q_alpha / sqrt(2) sqrt(a (a + 1) / (6 n))`` with q_alpha of the studentised
    range on infinite degrees of freedom (Aslan 2009, eq. 4.61). R:
    ``qtukey(1 - alpha, a, Inf) / sqrt(2) * sqrt(a * (a + 1) / (6 * n))``. What García
    and Herrera call Nemenyi is ``rank_pairs(adjust="bonferroni")``.

    References
    ----------
    .. [1] Nemenyi, P. B. (1963). Distribution-free multiple comparisons. Princeton.
    .. [2] Demšar, J. (2006). JMLR 7, 1-30, sec. 3.2.2.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.nemenyi(pc.example())
    >>> print(f"critical difference = {pairs.critical_difference:.3f}")
    critical difference = 1.114
    """
    check_alpha(alpha)
    refuse_clusters_of_blocks(scores, "nemenyi")
    ranks = ranked(scores, metric, decimals, "friedman", std_error)
    return nemenyi_of(ranks, alpha)


def nemenyi_of(ranks: Ranked, alpha: float) -> NemenyiResult:
    """Compare all pairs of ranked algorithms by the studentised range."""
    tests = pairs_of_ranks(ranks, p_value="normal", control=None, level=1 - alpha)
    pairs = tests.adjusted("nemenyi")
    return NemenyiResult(
        **{field.name: vars(pairs)[field.name] for field in fields(pairs)},
        critical_difference=later(_critical_difference, pairs, alpha),
        alpha=alpha,
    )


def _critical_difference(pairs: RankPairsResult, alpha: float) -> float:
    """Return how far mean ranks must be apart; all pairs have one standard error."""
    error = float(pairs.as_columns()["std_error"][0])
    return nemenyi_quantile(len(pairs.algorithms), alpha) * error

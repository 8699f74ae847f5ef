"""Friedman's test, Iman and Davenport's F, and Kendall's coefficient of concordance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import special

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, stacked
from pycompare.base.typing import Floats
from pycompare.data.blocks import complete_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import friedman_exact
from pycompare.methods.ranks.common import (
    ALL_TIED,
    RankTest,
    RankTies,
    check_ties,
    divide,
    p_of_chi2,
    perfect_agreement_p,
)
from pycompare.results.result import Estimate, Test, later, made_when_read

if TYPE_CHECKING:
    pass


_FRIEDMAN = "Friedman (1937) JASA 32, 675-701; Demšar (2006) JMLR 7, 1-30"
_P_NAMES = {"exact": ", exact p", "permutation": ", permutation p"}
_NO_INTERVAL = (
    "no interval: the jackknife needs three algorithms, and blocks whose rankings are "
    "not all the same and do not balance out; see the pairs' probabilities of "
    "superiority"
)
_IMAN_DAVENPORT = "Iman & Davenport (1980) Commun. Statist. A 9, 571-595"


@dataclass(frozen=True, kw_only=True, eq=False)
class FriedmanResult(RankTest):
    """Friedman's test with what belongs to it.

    Attributes
    ----------
    ties : str
        ``corrected`` (as R) or ``uncorrected`` (as printed in the papers).
    iman_davenport : Test
        The F statistic made from the same chi2.
    kendall_w : Estimate
        Agreement of the blocks, 0 = none, 1 = all rank alike; the effect size.
    """

    ties: str
    iman_davenport: Test
    kendall_w: Estimate = made_when_read()

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return "omnibus/friedman"

    def as_columns(self) -> Columns:
        """Return two rows: Friedman, Iman-Davenport."""
        return stacked([self.as_row(), self.iman_davenport.as_row()])

    def r_call(self) -> RCall:
        """Return the call of ``friedman.test``, or of what R has not built in."""
        arguments = {
            **self.blocks.r_arguments(),
            "ties": self.ties,
            "level": self.kendall_w.level,
        }
        if self.p_source == "exact":
            files = ("ranks", "friedman", "friedman_exact")
            return RCall(files, "friedman_with_exact_p_reference", arguments)
        return RCall(("ranks", "friedman"), "friedman_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return statistics, p-values, mean ranks and Kendall's W with its interval."""
        values = {
            "statistic": self.statistic,
            "df": self.df,
            "iman_davenport": self.iman_davenport.statistic,
            "iman_davenport_p_value": self.iman_davenport.p_value,
            "mean_ranks": np.asarray(self.held("mean_ranks")),
            "kendall_w": self.kendall_w.estimate,
            "kendall_w_conf_low": self.kendall_w.conf_low,
            "kendall_w_conf_high": self.kendall_w.conf_high,
        }
        if isinstance(self.iman_davenport.df, tuple):
            values["iman_davenport_df"] = np.array(self.iman_davenport.df)
        return values | (
            {} if self.p_source == "permutation" else {"p_value": self.p_value}
        )


@dataclass(frozen=True)
class RankSums:
    """Sums that all forms of the statistic are made of.

    ``between`` is the sum of squared centred rank sums; ``within`` the sum of squared
    centred ranks: of the ranks as they are, or of ranks without ties.
    """

    between: float
    within: float
    n: int
    a: int

    @property
    def chi2(self) -> float:
        """Friedman's statistic; NaN if all ranks tie."""
        return divide((self.a - 1) * self.between, self.within)

    @property
    def f(self) -> float:
        """Iman and Davenport's F; infinite if all blocks rank alike."""
        # n (a - 1) - chi2, multiplied out: exact where the ranks agree perfectly.
        rest = self.n * self.within - self.between
        return divide((self.n - 1) * self.between, rest)

    @property
    def w(self) -> float:
        """Kendall's W."""
        return divide(self.between, self.n * self.within)


def _rank_sums(ranks: Floats, ties: RankTies) -> RankSums:
    """Return the sums of one table of ranks within blocks, shape (n, a)."""
    n, a = ranks.shape
    centred = ranks - (a + 1) / 2
    between = float(np.sum(centred.sum(axis=0) ** 2))
    untied = n * a * (a * a - 1) / 12
    within = float(np.sum(centred**2)) if ties == "corrected" else untied
    return RankSums(between, within, n, a)


@checked
def friedman(
    scores: Scores,
    *,
    metric: str | None = None,
    ties: RankTies = "corrected",
    p_value: Literal["chi2", "exact", "permutation"] = "chi2",
    decimals: int | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = 99_999,
) -> FriedmanResult:
    """Test equal algorithms by Friedman's rank sum test.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several. Its direction decides
        which score gets rank 1 (the best).
    ties : {"corrected", "uncorrected"}
        ``corrected`` divides by the variance of the ranks as they are, like R;
        ``uncorrected`` is the form printed in Demšar (2006), García and Herrera (2008)
        and Aslan (2009), eq. 4.59.
    p_value : {"chi2", "exact", "permutation"}
        ``chi2``: a - 1 degrees of freedom. ``exact``: permutations within blocks, all
        of them, given the ties; rejected if the table is too large. ``permutation``:
        ``resamples`` random ones from ``seed``; both are reported.
    decimals : int, optional
        Round scores to so many decimals first. By default two scores of a block tie
        when they differ by no more than 64 units in the last place.
    level : float
        Confidence level of the interval for Kendall's W.

    Returns
    -------
    FriedmanResult
        Larger statistics mean more difference.

    Raises
    ------
    DesignError
        If cells are missing, or the table is too large for ``exact``.
    InputError
        For an unknown metric or word.

    Notes
    -----
    Equations 3.1, 3.2, 3.3 of docs/equations.md.

    R: ``friedman.test(x)`` (corrected). Iman-Davenport's F of the corrected statistic
    is the F of a blocked analysis of variance of the ranks. If all blocks rank
    alike F is infinite and its tail would be 0; the exact p-value stands in its place.

    Kendall's W has the interval of the jackknife over blocks: the mean rank
    correlation of pairs of blocks, r = (n W - 1) / (n - 1), is a U-statistic of the
    blocks (Arvesen 1969). Its standard error goes to Fisher's z by the delta method,
    with Student's t on n - 1 degrees of freedom, and back to W, cut at 0. Intervals of
    level 0.95 cover 93 to 97% over 10 to 40 blocks (``make study``).

    References
    ----------
    .. [1] Friedman, M. (1937). JASA 32, 675-701.
    .. [2] Iman, R. L., Davenport, J. M. (1980). Commun. Statist. A 9, 571-595.
    .. [3] Kendall, M. G., Babington Smith, B. (1939). Ann. Math. Statist. 10, 275-287.
    .. [4] Arvesen, J. N. (1969). Ann. Math. Statist. 40, 2076-2100.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.friedman(pc.example())
    >>> print(f"chi2({test.df:.0f}) = {test.statistic:.2f}, p = {test.p_value:.1e}")
    chi2(4) = 39.91, p = 4.5e-08
    >>> print(f"Kendall's W = {test.kendall_w.estimate:.2f}")
    Kendall's W = 0.33
    """
    check_ties(ties)
    check_level(level)
    refuse_clusters_of_blocks(scores, "friedman")
    blocks = complete_blocks(scores, metric, decimals, method="Friedman's test")
    ranks = blocks.ranks()
    sums = _rank_sums(ranks, ties)
    p, source, notes = p_of_chi2(
        sums.chi2, ranks, friedman_exact.exact_p_value, p_value, seed, resamples
    )
    return FriedmanResult(
        short="Friedman rank sum test",
        name=f"Friedman rank sum test, {ties} for ties{_P_NAMES.get(source, '')}",
        statistic_name="chi2",
        statistic=sums.chi2,
        df=float(sums.a - 1),
        p_value=p,
        p_source=source,
        reference=_FRIEDMAN,
        notes=notes,
        ties=ties,
        mean_ranks=blocks.per_algorithm(ranks.mean(axis=0)),
        iman_davenport=_iman_davenport(ranks, sums, ties),
        kendall_w=later(_kendall_w, ranks, ties, level),
        n_blocks=sums.n,
        blocks=blocks,
    )


def _iman_davenport(ranks: Floats, sums: RankSums, ties: str) -> Test:
    """Return Iman and Davenport's F on a - 1 and (a - 1)(n - 1) degrees of freedom."""
    df = (sums.a - 1.0, (sums.a - 1.0) * (sums.n - 1))
    p, source = float(special.fdtrc(*df, sums.f)), "F"
    notes: tuple[str, ...] = ()
    if math.isnan(sums.f):
        source, notes = "none", (ALL_TIED,)
    elif math.isinf(sums.f):
        p, source = perfect_agreement_p(ranks), "exact"
        notes = (
            "all blocks rank the algorithms identically: F is infinite, the p-value is "
            "the exact one",
        )
    return Test(
        short="Iman-Davenport test",
        name=f"Iman-Davenport test, {ties} for ties",
        statistic_name="F",
        statistic=sums.f,
        df=df,
        p_value=p,
        p_source=source,
        reference=_IMAN_DAVENPORT,
        notes=notes,
    )


def _kendall_w(ranks: Floats, ties: RankTies, level: float) -> Estimate:
    """Return Kendall's W with the interval of the jackknife over blocks."""
    n, a = ranks.shape
    centred = ranks - (a + 1) / 2
    sums = _rank_sums(ranks, ties)
    own = (centred**2).sum(axis=1) if ties == "corrected" else sums.within / n
    between = np.sum((centred.sum(axis=0) - centred) ** 2, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        without = between / ((n - 1) * (sums.within - own))
        r = (n * sums.w - 1) / (n - 1)
        r_without = ((n - 1) * without - 1) / (n - 2)
    low = high = math.nan
    notes: tuple[str, ...] = (_NO_INTERVAL,)
    spread = math.nan
    if a > 2 and n > 2 and r < 1 and np.all(np.isfinite(r_without)):
        spread = np.std(n * r - (n - 1) * r_without, ddof=1) / math.sqrt(n)
    if spread > 1e-9:
        half = -special.stdtrit(n - 1, (1 - level) / 2) * spread / (1 - r * r)
        bounds = np.tanh(math.atanh(r) + np.array([-half, half]))
        low, high = np.maximum(0.0, (1 + (n - 1) * bounds) / n)
        low = min(low, sums.w)
        notes = ()
    return Estimate(
        name=f"Kendall's W, {ties} for ties",
        estimate=sums.w,
        conf_low=float(low),
        conf_high=float(high),
        level=level,
        method="jackknife over blocks, Student's t on Fisher's z scale",
        notes=notes,
    )

"""Wilcoxon's signed-rank test of two algorithms, exact with ties and zeros."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.arguments import check_level, check_word
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, setting
from pycompare.base.formatting.numbers import percent
from pycompare.base.hypotheses import SYMMETRY, SYMMETRY_OF_LOGARITHMS, Hypotheses
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Scale, on_scale, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import signed_rank
from pycompare.kernels.ranks import midranks
from pycompare.kernels.walsh_averages import ordered_means
from pycompare.methods.pairs.common import (
    NO_DIFFERENCE,
    Alternative,
    PairedTest,
    check_alternative,
    differences,
    pair_fields,
    pair_of_blocks,
    tied,
)
from pycompare.methods.pairs.last_step import agreeing_limits
from pycompare.results.result import changed

_ABOVE_1, _BELOW_1 = math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0)
"""Ratios that are not 1, next to it."""


def ratios(logs: Floats) -> Floats:
    """Return exp of differences of logarithms: 1 exactly when they are 0.

    A limit next to 0, which stands for 0 left out, is a ratio next to 1.
    """
    with np.errstate(over="ignore"):
        exponentials = np.exp(logs)
    exponentials = np.where(logs > 0, np.maximum(exponentials, _ABOVE_1), exponentials)
    return np.where(logs < 0, np.minimum(exponentials, _BELOW_1), exponentials)


Zeros = Literal["wilcox", "pratt"]
WilcoxonPValue = Literal["exact", "normal", "normal-corrected"]

_TITLE = "Wilcoxon signed rank test"
_REFERENCE = (
    "Wilcoxon (1945) Biometrics Bull. 1, 80-83; Streitberg & Roehmel (1986) Stat. "
    "Softw. Newsl. 12, 10-17"
)
RANK_BISERIAL = "matched-pairs rank-biserial correlation"
TOO_MANY = f"no Hodges-Lehmann estimate: it is made for up to {signed_rank.MOST} blocks"
_NAMES = {
    "exact": "exact",
    "normal": "normal approximation",
    "normal-corrected": "normal approximation with continuity correction",
}

OPPOSED = "the estimate is 0 or its sign differs from that of the rank sum, so p = 1"
"""The note of a test whose estimate does not favour whom the rank sum does."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WilcoxonResult(PairedTest):
    """Signed-rank test with the Hodges-Lehmann estimate as its ``estimate``.

    Attributes
    ----------
    n_used : int
        Blocks whose difference is not zero.
    zeros : {"wilcox", "pratt"}
        Treatment of zero differences.
    achieved_level : float
        Coverage of the interval without ties; it goes in steps, so not ``level``.
    rank_biserial : float
        (V+ - V-) / (V+ + V-): 1 if algorithm_1 is above in all blocks, -1 if below.
    of_estimate : bool
        Whether ``p_value`` is 1 unless ``estimate`` favours whom the ranks do, and the
        interval holds no difference exactly if the test does not reject.
    """

    n_used: int
    zeros: Zeros
    achieved_level: float
    rank_biserial: float
    of_estimate: bool = False

    @property
    def hypotheses(self) -> Hypotheses:  # type: ignore[override]
        """Claim of the null hypothesis."""
        return SYMMETRY_OF_LOGARITHMS if self.scale == "ratio" else SYMMETRY

    @property
    def scale(self) -> Scale:
        """Whether it is a test of differences, or of logarithms of ratios."""
        return self.blocks.scale

    @property
    def reached(self) -> float:
        """Level that the interval has: with few blocks less than asked."""
        # Over 1000 blocks there is no interval, and the level achieved is NaN.
        short = self.achieved_level < self.level
        return self.achieved_level if short else self.level

    @property
    def shortfall(self) -> str:
        """Return the message that the interval is short of its level, if it is."""
        if self.reached == self.level:
            return ""
        return f" ({self.n_blocks} blocks are too few for {percent(self.level)})"

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "two/wilcoxon" + "-of-logarithms" * (self.scale == "ratio")

    def of_its_estimate(self) -> WilcoxonResult:
        """Return the two-sided test whose estimate and interval agree with it.

        A sentence names the algorithm that the rank sum favours, and quotes the
        estimate: p is 1 if that favours neither, or the other. With ties the interval
        may hold no difference although the test rejects it, or the reverse; it is cut
        or extended there, as by ``signed_rank_pairs``, unless so few blocks leave
        it short of its level.
        """
        own: WilcoxonResult = changed(self, of_estimate=True)
        if math.isnan(self.estimate):
            return own
        null = 1.0 if self.scale == "ratio" else 0.0
        distance = self.estimate - null
        opposed = np.sign(distance) != np.sign(self.rank_biserial)
        if opposed and self.p_value < 1:
            own = changed(own, p_value=1.0, notes=(OPPOSED, *self.notes))
        if self.reached < self.level:
            return own
        low, high, away = np.array([[self.conf_low], [self.conf_high], [distance]])
        excludes = np.array([own.p_value <= 1 - self.level])
        low, high = agreeing_limits(low, high, away, excludes, null)
        return changed(own, conf_low=float(low[0]), conf_high=float(high[0]))

    def as_columns(self) -> Columns:
        """Return one row: the test, the Hodges-Lehmann estimate, rank-biserial r."""
        return (
            super()
            .as_columns()
            .but(
                n_used=self.n_used,
                achieved_level=self.achieved_level,
                rank_biserial=self.rank_biserial,
            )
        )

    def r_call(self) -> RCall:
        """Return the call of ``wilcox.test``, of ``coin`` if ties make it exact."""
        form = "exact" if self.p_source == "none" else self.p_source
        arguments = {**self.r_arguments(), "zeros": self.zeros, "p_value": form}
        if self.scale == "ratio":
            arguments["scale"] = "ratio"
        if self.of_estimate:
            arguments["of_estimate"] = True
        adjust = ("adjust",) if self.of_estimate else ()
        files = ("ranks", "paired", *adjust, "wilcoxon")
        return RCall(files, "wilcoxon_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the test, the estimate with its interval, the effect size."""
        values = {
            **PairedTest.r_values(self),
            "achieved_level": self.achieved_level,
            "rank_biserial": self.rank_biserial,
        }
        if self.n_blocks > signed_rank.MOST:
            return {k: values[k] for k in ("statistic", "p_value", "rank_biserial")}
        return values


@checked
def wilcoxon(
    scores: Scores,
    *,
    metric: str | None = None,
    algorithms: Sequence[str] | None = None,
    alternative: Alternative = "two-sided",
    zeros: Zeros = "wilcox",
    p_value: WilcoxonPValue = "exact",
    level: float = 0.95,
    scale: Scale = "difference",
) -> WilcoxonResult:
    """Compare two algorithms by Wilcoxon's signed rank test.

    Parameters
    ----------
    scores : Scores
        At least two blocks. The two algorithms have no missing cell.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    algorithms : pair of str, optional
        Algorithm_1 and algorithm_2; needed if there are more than two.
    alternative : {"two-sided", "greater", "less"}
        ``greater``: algorithm_1 minus algorithm_2 lies above 0, in the metric's own
        unit. With an error rate that means that algorithm_1 is worse.
    zeros : {"wilcox", "pratt"}
        Zero differences are dropped before ranking (``wilcox``, as ``wilcox.test``), or
        ranked and dropped afterwards (``pratt``, the default of R's ``coin``).
    p_value : {"exact", "normal", "normal-corrected"}
        ``exact``: all signs of the ranks as they are, ties included, for at most 1000
        differences. ``normal``: variance corrected for ties. ``normal-corrected``: with
        continuity correction, what ``wilcox.test`` turns to when it meets a tie.
    level : float
        Confidence level of the interval.
    scale : {"difference", "ratio"}
        ``ratio``: the test is of the logarithms of positive scores. Estimate and limits
        are ratios, algorithm_1 divided by algorithm_2, of which 1 is no difference.

    Returns
    -------
    WilcoxonResult
        ``statistic`` is V, the sum of the ranks of positive differences.

    Raises
    ------
    DesignError
        If there are more than two algorithms and none is named, cells are missing, or
        the exact distribution is asked of more than 1000 differences.
    InputError
        For an unknown name or word, or ratios of scores that are 0 or negative.

    Notes
    -----
    Equations 2.4, 2.5 of docs/equations.md.

    R: ``wilcox.test(d, conf.int = TRUE)`` without ties and zeros;
    ``exactRankTests::wilcox.exact(d)`` and ``coin::wilcoxsign_test(...,
    zero.method =, distribution = "exact")`` with them. Differences tie when rounding of
    the scores is all that separates them (64 units in the last place); R splits such
    ties.

    The estimate is the Hodges-Lehmann median of the mean of each two differences, zeros
    included; the interval is between two of these means, as in ``wilcox.test``. Its
    level is at least ``achieved_level``, with ties too.

    References
    ----------
    .. [1] Wilcoxon, F. (1945). Biometrics Bulletin 1, 80-83.
    .. [2] Pratt, J. W. (1959). JASA 54, 655-667.
    .. [3] Streitberg, B., Roehmel, J. (1986). Stat. Softw. Newsletter 12, 10-17.
    .. [4] Kerby, D. S. (2014). Comprehensive Psychology 3, 11.IT.3.1.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.wilcoxon(pc.example(), algorithms=("C4.5", "CN2"))
    >>> print(f"V = {test.statistic:.0f}, p = {test.p_value:.1e}")
    V = 394, p = 3.5e-05
    """
    check_alternative(alternative)
    check_level(level)
    _check_words(zeros, p_value)
    refuse_clusters_of_blocks(scores, "wilcoxon")
    blocks = on_scale(
        pair_of_blocks(scores, metric, algorithms, method="wilcoxon"), scale
    )
    d, noise = differences(blocks)
    d = tied(d, noise)
    ranks, positive = _signed_ranks(d, noise, zeros)
    v = float(np.sum(ranks[positive]))
    p, notes = _p_of(ranks, v, alternative, p_value)
    estimate, low, high, achieved = _hodges_lehmann(d, noise, alternative, level)
    minus = "minus"
    if scale == "ratio":
        estimate, low, high = ratios(np.array([estimate, low, high])).tolist()
        minus = "divided by"
    return WilcoxonResult(
        **pair_fields(blocks),
        name=(
            f"{_TITLE}, {blocks.algorithms[0]} {minus} "
            f"{blocks.algorithms[1]}, zeros: {zeros}, {_NAMES[p_value]}"
        ),
        short=_TITLE,
        statistic_name="V",
        statistic=v if len(ranks) else math.nan,
        df=None,
        p_value=p,
        p_source=p_value if len(ranks) else "none",
        reference=_REFERENCE,
        notes=(*notes, *_interval_notes(len(d), level, achieved)),
        alternative=alternative,
        estimate_name=f"Hodges-Lehmann {scale} of {blocks.metric.name}",
        estimate=estimate,
        conf_low=low,
        conf_high=high,
        level=level,
        n_used=len(ranks),
        zeros=zeros,
        achieved_level=achieved,
        rank_biserial=_rank_biserial(ranks, positive),
    )


def _check_words(zeros: str, p_value: str) -> None:
    """Reject unknown words."""
    check_word("zeros", zeros, get_args(Zeros))
    check_word("p_value", p_value, get_args(WilcoxonPValue))


def _signed_ranks(
    d: Floats, noise: Floats, zeros: Zeros
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the ranks of the differences that are not zero, and which are positive."""
    kept = d != 0
    if not kept.any():
        return d[kept], d[kept] > 0
    if zeros == "wilcox":
        ranks = midranks(np.abs(d[kept]), noise[kept])
    else:
        # A zero has no noise left, or it could tie with what is not zero.
        ranks = midranks(np.abs(d), np.where(kept, noise, 0.0))[kept]
    return ranks, d[kept] > 0


def signed_rank_rows(d: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return the ranks of rows of differences, 0 for zeros, and those of positive ones.

    Parameters
    ----------
    d, noise : ndarray, shape (rows, n)
        Differences with ties decided, and the magnitude of the scores behind them.

    Returns
    -------
    ranks : ndarray, shape (rows, n)
    above : ndarray, shape (rows,)
        The sum of the ranks of positive differences.
    """
    kept = d != 0
    # Zeros have the first ranks and no noise, so that nothing ties with them.
    zeros = np.sum(~kept, axis=1, keepdims=True)
    midrank = midranks(np.abs(d), np.where(kept, noise, 0.0)) - zeros
    ranks = np.where(kept, midrank, 0.0)
    return ranks, np.sum(ranks, axis=1, where=d > 0)


def _rank_biserial(ranks: Floats, positive: NDArray[np.bool_]) -> float:
    """Return (V+ - V-) / (V+ + V-), NaN without a difference (Kerby 2014)."""
    if not len(ranks):
        return math.nan
    return 2 * float(np.sum(ranks[positive])) / float(np.sum(ranks)) - 1


def _p_of(
    ranks: Floats, v: float, alternative: str, p_value: WilcoxonPValue
) -> tuple[float, tuple[str, ...]]:
    """Return the p-value of the sum of positive ranks, and what to note about it."""
    if not len(ranks):
        return math.nan, (NO_DIFFERENCE,)
    if p_value == "exact":
        if len(ranks) > signed_rank.MOST:
            raise DesignError(
                f"{len(ranks)} differences are too many for the exact distribution "
                f"(at most {signed_rank.MOST}); choose " + setting("p_value", "normal")
            )
        lower, upper = signed_rank.tails(ranks, v)
    else:
        lower, upper = _normal_tails(ranks, v, 0.5 * (p_value == "normal-corrected"))
    two_sided = min(1.0, 2 * min(lower, upper))
    return {"two-sided": two_sided, "less": lower, "greater": upper}[alternative], ()


def _normal_tails(ranks: Floats, v: float, correction: float) -> tuple[float, float]:
    """Return P(V <= v) and P(V >= v) by the normal distribution."""
    distance = v - float(np.sum(ranks)) / 2
    sd = math.sqrt(float(np.sum(ranks**2))) / 2
    lower = special.ndtr((distance + correction) / sd)
    return float(lower), float(special.ndtr((correction - distance) / sd))


def _hodges_lehmann(
    d: Floats, noise: Floats, alternative: str, level: float
) -> tuple[float, float, float, float]:
    """Return the Hodges-Lehmann estimate, its limits, and the level they reach."""
    *intervals, achieved = hodges_lehmann_rows(d[None], noise[None], alternative, level)
    estimate, low, high = (float(column[0]) for column in intervals)
    return estimate, low, high, achieved


def hodges_lehmann_rows(
    d: Floats, noise: Floats, alternative: str, level: float
) -> tuple[Floats, Floats, Floats, float]:
    """Return estimates and limits of the rows of differences, and the level reached.

    They are 0 if rounding of the scores is all that they are made of.
    """
    if d.shape[1] > signed_rank.MOST:
        nothing = np.full(len(d), math.nan)
        return nothing, nothing, nothing, math.nan
    ends, below = _ends(d.shape[1], alternative, level)
    means = ordered_means(d, (*_middle(d.shape[1]), *ends))
    low, high = _limits(means[:, 2:], noise, alternative)
    return _median(means[:, :2], noise), low, high, 1 - below


def hodges_lehmann_estimates(d: Floats, noise: Floats) -> Floats:
    """Return the estimates of `hodges_lehmann_rows`."""
    if d.shape[1] > signed_rank.MOST:
        return np.full(len(d), math.nan)
    return _median(ordered_means(d, _middle(d.shape[1])), noise)


def hodges_lehmann_limits(
    d: Floats, noise: Floats, alternative: str, level: float
) -> tuple[Floats, Floats]:
    """Return the limits of `hodges_lehmann_rows`."""
    if d.shape[1] > signed_rank.MOST:
        nothing = np.full(len(d), math.nan)
        return nothing, nothing
    ends, _ = _ends(d.shape[1], alternative, level)
    return _limits(ordered_means(d, ends), noise, alternative)


def _middle(n: int) -> tuple[int, int]:
    """Return the places of the one or two means of two in the middle."""
    last = n * (n + 1) // 2 - 1
    return last // 2, (last + 1) // 2


def _ends(n: int, alternative: str, level: float) -> tuple[tuple[int, ...], float]:
    """Return the places of limits among the means of two, and the error they leave."""
    sides = 2 if alternative == "two-sided" else 1
    q, below = signed_rank.quantile(n, (1 - level) / sides)
    low, high = q - 1, n * (n + 1) // 2 - q
    places = {"less": (high,), "greater": (low,)}.get(alternative, (low, high))
    return places, sides * below


def _median(middle: Floats, noise: Floats) -> Floats:
    """Return estimates from the means of two in the middle."""
    return tied(np.mean(middle, axis=1), np.max(noise, axis=1))


def _limits(ends: Floats, noise: Floats, alternative: str) -> tuple[Floats, Floats]:
    """Return low and high limits; the open side is infinite."""
    largest, none = np.max(noise, axis=1), np.full(len(noise), math.inf)
    low = -none if alternative == "less" else tied(ends[:, 0], largest)
    high = none if alternative == "greater" else tied(ends[:, -1], largest)
    return low, high


def _interval_notes(n: int, level: float, achieved: float) -> tuple[str, ...]:
    """Return where the interval is missing, or short of its level."""
    if math.isnan(achieved):
        return (TOO_MANY,)
    if achieved < level:
        return (
            f"{n} blocks are too few for an interval of level {level:g}; the one given "
            f"has {achieved:.4g}",
        )
    return ()

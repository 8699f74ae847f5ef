"""Typical differences of pairs against a margin: signed rank tests beyond it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import MARGIN, MARGIN_OF_RATIOS
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.blocks import (
    Blocks,
    Scale,
    on_scale,
    ranked_blocks,
    refuse_clusters_of_blocks,
)
from pycompare.data.scores import Scores
from pycompare.kernels import signed_rank
from pycompare.methods.pairs.agreeing_margins import (
    AgreeingBlockMargins,
    decided_side,
    unadjusted_fields,
)
from pycompare.methods.pairs.common import (
    SHARED_ONLY,
    differences_of_pairs,
    family_pairs,
    tied,
)
from pycompare.methods.pairs.equivalence import (
    MarginKind,
    default_alpha,
    margins_of,
    ratio_margins_of,
)
from pycompare.methods.pairs.margin_pairs import require_order
from pycompare.methods.pairs.wilcoxon import (
    hodges_lehmann_estimates,
    hodges_lehmann_limits,
    ratios,
    signed_rank_rows,
)
from pycompare.results.adjust import family_adjustment
from pycompare.results.family import Family

_REFERENCE = (
    "Wilcoxon (1945) Biometrics Bull. 1, 80-83; Hodges & Lehmann (1963) Ann. Math. "
    "Statist. 34, 598-611; Schuirmann (1987) J. Pharmacokin. Biopharm. 15, 657-680"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRankMarginsResult(AgreeingBlockMargins):
    """Signed rank tests against a margin; see ``MarginPairsResult``.

    ``estimate`` is the typical difference: the median of the means of each two block
    differences, algorithm_1 minus algorithm_2. ``statistic`` is the sum of the signed
    ranks of the differences beyond the margin whose test has the larger p-value.
    ``std_error`` and ``df`` are NaN: the test has none. The table has ``p_lower`` and
    ``p_upper`` besides: the p-values that the typical difference is above
    ``margin_low``, below ``margin_high``.

    Attributes
    ----------
    level : float
        Confidence level of each interval separately: 1 - 2 a for equivalence, one-sided
        1 - a for non-inferiority, with a the raw p-value up to which pairs are shown.
    p_source : {"exact", "saddlepoint"}
        ``saddlepoint`` if any raw p-value is an approximation, which R does not have.
    notes : tuple of str
    """

    p_source: Literal["exact", "saddlepoint"]

    differences: ClassVar[str] = "typical"

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "margins/signed-ranks"

    @property
    def tests(self) -> str:
        """The name of the tests."""
        return "signed rank"

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the values that the tests do not reject at level ``last``."""
        low, high = np.full((2, len(self.as_columns())), math.nan)
        pairs = family_pairs(self.algorithms, self.control)
        for rows, d, noise in differences_of_pairs(self.blocks, pairs):
            if 0.5 ** d.shape[1] > last:  # no value can be rejected
                low[rows], high[rows] = -math.inf, math.inf
                continue
            low[rows], _ = hodges_lehmann_limits(d, noise, "greater", 1 - last)
            _, high[rows] = hodges_lehmann_limits(d, noise, "less", 1 - last)
        return low, high

    def r_call(self) -> RCall:
        """Return the call of the tests and intervals of every pair."""
        files = ("ranks", "paired", "wilcoxon", "adjust", "signed_rank_pairs")
        return RCall(
            (*files, "matched_shares", "signed_rank_margins"),
            "signed_rank_margins_reference",
            self.r_arguments(),
        )

    def r_values(self) -> dict[str, Floats]:
        """Return the columns that R has: no p-values by saddlepoint."""
        numbers = super().r_values()
        if self.p_source == "exact":
            return numbers
        return {name: x for name, x in numbers.items() if not name.startswith("p_")}


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRankRatioMarginsResult(SignedRankMarginsResult):
    """Those of ratios: signed rank tests of the logarithms of scores.

    ``estimate``, its limits and both margins are ratios, algorithm_1 divided by
    algorithm_2; see ``SignedRankMarginsResult``.
    """

    differences: ClassVar[str] = "ratio"

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "margins/signed-ranks-of-logarithms"

    @property
    def tests(self) -> str:
        """The name of the tests."""
        return "signed rank (of logarithms)"

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the ratios that the tests do not reject at level ``last``."""
        low, high = super().limits(last)
        return ratios(low), ratios(high)

    def following(
        self, columns: dict[str, Any], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return decisions and intervals; a ratio without a lower margin is above 0."""
        with_limits, fields = super().following(columns, family)
        return with_limits | {
            "conf_low": np.maximum(with_limits["conf_low"], 0.0)
        }, fields

    def r_arguments(self) -> dict[str, Any]:
        """Return the arguments of the R function."""
        return super().r_arguments() | {"scale": "ratio"}


@checked
def signed_rank_margins(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    kind: MarginKind = "equivalence",
    metric: str | None = None,
    control: str | None = None,
    adjust: str = "holm",
    alpha: float | None = None,
    scale: Scale = "difference",
) -> SignedRankMarginsResult:
    """Test typical differences of pairs of algorithms against a margin.

    Parameters
    ----------
    scores : Scores
        At most 1000 blocks, assumed independent: data sets. Cells may be missing if the
        scores were read with ``missing="model"``; each pair is then tested over the
        blocks that both have.
    margin : float or (low, high)
        In the metric's own unit, chosen before the data are seen. One number m means -m
        to m. Two numbers are for algorithm_1 minus algorithm_2, which only a control
        gives an order.
    kind : {"equivalence", "non-inferiority"}
        ``equivalence``: the typical difference of algorithm_1 minus algorithm_2 lies
        between both margins. ``non-inferiority``: each other algorithm is not worse
        than the control by the margin or more; needs ``control``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    control : str, optional
        Compare each other algorithm with this one only; it is algorithm_2.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` that needs no transitive hypotheses.
    alpha : float, optional
        Of the whole family of one-sided tests; default 0.05 for equivalence, 0.025 for
        non-inferiority.
    scale : {"difference", "ratio"}
        ``ratio``: typical ratios of positive scores, algorithm_1 divided by
        algorithm_2, by tests of logarithms. One margin m means 1/(1 + m) to 1 + m, so
        0.02 is 2 %; two margins are ratios themselves, below and above 1.

    Returns
    -------
    SignedRankMarginsResult
        A pair is shown to be within the margin if ``p_adjusted <= alpha``. If the
        estimate lies on the wrong side of a margin, its test has p = 1. A pair that
        shares no block cannot be tested: its p-values are NaN, and the adjustment
        counts it with p = 1.

    Raises
    ------
    DesignError
        For more than 1000 blocks.
    InputError
        For margins that do not lie on both sides of 0, an unknown name, an adjustment
        for transitive hypotheses, or non-inferiority without a control.

    Notes
    -----
    Equations 2.4, 2.5, 2.8 of docs/equations.md.

    Each side is the one-sided signed rank test of the differences minus the margin,
    exact given the ranks that occurred; a difference that is the margin is left out. It
    holds its level if differences are symmetric about their centre. n blocks can show a
    margin of m pairs only if m 2^(-n) <= alpha; ``notes`` state this if they cannot.

    Intervals are at the level of the adjustment's last step. They are cut or extended
    at the margin, so that one lies within the margins just if its pair is shown.

    R: ``wilcox.test(mu = margin, alternative = "greater")``, with ties
    ``coin::wilcoxsign_test(distribution = "exact")``, and ``p.adjust``.

    References
    ----------
    .. [1] Wilcoxon, F. (1945). Biometrics Bulletin 1, 80-83.
    .. [2] Hodges, J. L., Lehmann, E. L. (1963). Ann. Math. Statist. 34, 598-611.
    .. [3] Schuirmann, D. J. (1987). J. Pharmacokin. Biopharm. 15, 657-680.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.signed_rank_margins(
    ...     pc.example(), margin=0.08, kind="non-inferiority", control="C4.5"
    ... )
    >>> found.table[["algorithm_1", "estimate", "p_adjusted", "shown"]].round(4)
      algorithm_1  estimate  p_adjusted  shown
    0        1-NN    -0.048      0.1840  False
    1  NaiveBayes    -0.007      0.0030   True
    2      Kernel    -0.198      1.0000  False
    3         CN2    -0.042      0.0202   True
    """
    alpha = default_alpha(kind) if alpha is None else alpha
    check_alpha(alpha)
    family_adjustment(adjust, MARGIN, control)
    refuse_clusters_of_blocks(
        scores, "signed_rank_margins", "matched_shares or bounded_means over cases"
    )
    tests = signed_rank_margin_tests(
        scores,
        margin=margin,
        kind=kind,
        metric=metric,
        control=control,
        alpha=alpha,
        scale=scale,
    )
    result: SignedRankMarginsResult = tests.adjusted(adjust)
    return result


def signed_rank_margin_tests(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    kind: MarginKind,
    metric: str | None,
    control: str | None,
    alpha: float,
    n_tables: int = 1,
    scale: Scale = "difference",
) -> SignedRankMarginsResult:
    """Return the tests of `signed_rank_margins` without adjustment and intervals.

    ``n_tables`` is the number of tables in the family.
    """
    blocks = on_scale(ranked_blocks(scores, metric, None), scale)
    n = len(blocks.values)
    if n > signed_rank.MOST:
        raise DesignError(
            f"signed_rank_margins: there are {n} blocks, and Hodges-Lehmann estimates "
            f"are made of at most {signed_rank.MOST}; compare means (equivalence_pairs)"
        )
    as_ratios = scale == "ratio"
    of = ratio_margins_of if as_ratios else margins_of
    margins = low, high = of(margin, kind, blocks.metric.better)
    if as_ratios:
        low, high = (math.log(m) if math.isfinite(m) else m for m in margins)
    require_order(margin, kind, control)
    pairs = family_pairs(blocks.algorithms, control)
    estimate = np.full(len(pairs), math.nan)
    lower, upper = np.full((2, 3, len(pairs)), math.nan)
    for rows, d, noise in differences_of_pairs(blocks, pairs):
        estimate[rows] = hodges_lehmann_estimates(d, noise)
        lower[:, rows] = _beyond(d, noise, estimate[rows], low, 1.0)
        upper[:, rows] = _beyond(d, noise, estimate[rows], high, -1.0)
    nothing = np.full(len(pairs), math.nan)
    columns = {
        "estimate": ratios(estimate) if as_ratios else estimate,
        "std_error": nothing,
        "df": nothing,
        **decided_side((lower[0], lower[1]), (upper[0], upper[1])),
    }
    exact = [*lower[2], *upper[2]]
    fields = unadjusted_fields(
        blocks,
        pairs,
        columns,
        kind=kind,
        margins=margins,
        control=control,
        alpha=alpha,
    )
    fields["table"]["notes"] = np.where(
        np.isnan(estimate), "the two algorithms share no block", ""
    ).astype(object)
    result_class = SignedRankMarginsResult
    if as_ratios:
        result_class, fields["hypotheses"] = (
            SignedRankRatioMarginsResult,
            MARGIN_OF_RATIOS,
        )
    return result_class(
        **fields,
        reference=_REFERENCE,
        p_source="saddlepoint" if 0.0 in exact else "exact",
        notes=_notes(blocks, pairs, n_tables * len(pairs), alpha),
    )


def _beyond(
    d: Floats, noise: Floats, estimate: Floats, margin: float, side: float
) -> Floats:
    """Test that rows of differences are above (1) or below (-1) a margin.

    Returns
    -------
    ndarray, shape (3, rows)
        The sum of the signed ranks, p, and 1.0 if p is exact.
    """
    if math.isinf(margin):
        return np.full((3, len(d)), math.nan)
    noise = np.maximum(noise, abs(margin))
    ranks, above = signed_rank_rows(tied(side * (d - margin), noise), noise)
    tails = [signed_rank.upper(r, float(v)) for r, v in zip(ranks, above, strict=True)]
    p, exact = np.array(tails, float).T
    # As in a test of two sides: an estimate that contradicts its ranks shows nothing.
    p = np.where(side * (estimate - margin) > 0, p, 1.0)
    return np.array([2 * above - ranks.sum(axis=1), p, exact])


def fewest_within(m: int, alpha: float) -> int:
    """Return the fewest blocks that can show one of m pairs within a margin (Holm)."""
    return math.ceil(math.log2(m / alpha))


def _notes(
    blocks: Blocks, pairs: list[tuple[int, int]], m: int, alpha: float
) -> tuple[str, ...]:
    """Return what no outcome of so few blocks shows, and which pairs share too few."""
    has = ~np.isnan(blocks.values)
    shared = [int((has[:, i] & has[:, j]).sum()) for i, j in pairs]
    least = fewest_within(m, alpha)
    notes = [] if has.all() else [SHARED_ONLY]
    if untested := sum(n == 0 for n in shared):
        notes.append(
            f"{untested} of {counted(len(pairs), 'pair')} share no block and cannot be "
            "tested; the adjustment counts them with p = 1"
        )
    if max(shared) < least:
        notes.append(
            f"no outcome of {max(shared)} blocks shows that a pair is within the "
            f"margin at a one-sided error of {alpha:.3g} (Holm over {m} pairs); that "
            f"takes {least} blocks"
        )
    return tuple(notes)

"""Shares of right answers on the same cases against a margin: exact and score tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import special

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.hypotheses import MARGIN
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import levels
from pycompare.base.typing import Floats
from pycompare.data.blocks import cluster_totals, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import matched_pairs as kernel
from pycompare.kernels import student
from pycompare.methods.cases.share_counts import runs_of, share_counts
from pycompare.methods.pairs.agreeing_margins import (
    AgreeingCaseMargins,
    decided_side,
    few_units,
    unadjusted_fields,
)
from pycompare.methods.pairs.common import family_pairs
from pycompare.methods.pairs.equivalence import MarginKind, default_alpha, margins_of
from pycompare.methods.pairs.margin_pairs import require_order
from pycompare.results.adjust import family_adjustment
from pycompare.results.result import internal

PSource = Literal["exact", "score", "effective-size"]

_MOST_EXACT = 20_000
"""Cases at most of the exact test."""
_REFERENCE = {
    "exact": "Tango (1998) Statist. Med. 17, 891-908; Berger & Boos (1994) JASA 89, "
    "1012-1016",
    "score": "Tango (1998) Statist. Med. 17, 891-908",
    "effective-size": "Tango (1998) Statist. Med. 17, 891-908; Bell & McCaffrey (2002) "
    "Survey Methodology 28, 169-181",
}
_TESTS = {
    "exact": "exact unconditional score",
    "score": "score",
    "effective-size": "effective-size score",
}
_LARGEST_ERROR = {
    "score": "if answers differ rarely the score test has claimed falsely up to "
    "1.14 times its level",
    "runs": "if whole items are lost rarely this test has claimed falsely up to "
    "0.034 of the time at a nominal 0.025",
    "clusters": "if whole clusters are lost rarely this test has claimed falsely up "
    "to 0.043 of the time at a nominal 0.025",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class MatchedSharesResult(AgreeingCaseMargins):
    """Tests of shares on the same cases against a margin; see ``MarginPairsResult``.

    ``estimate`` is the share of ones of algorithm_1 minus that of algorithm_2.
    ``statistic`` is Tango's score statistic of the one-sided test with the larger
    p-value.

    The table has more columns. ``p_lower`` and ``p_upper`` are the p-values that the
    difference is above ``margin_low``, below ``margin_high``. ``only_1`` and ``only_2``
    count the cases with 1 by one algorithm alone; with runs they are sums of the
    positive and of the negative mean differences of cases. ``n_effective`` is the
    number of cases behind the statistic.

    Attributes
    ----------
    level : float
        Confidence level of each interval separately: 1 - 2 a for equivalence, one-sided
        1 - a for non-inferiority, with a the raw p-value up to which pairs are shown.
    p_source : {"exact", "score", "effective-size"}
    gamma : float
        What Berger and Boos's p-value spends on the share of discordant cases.
    n_cases : int
    n_clusters : int or None
        None if cases are independent.
    n_runs : float or None
        Answers per case, their harmonic mean if cases have unequal numbers; None if
        cases have one answer.
    notes : tuple of str
    """

    p_source: PSource
    gamma: float
    n_runs: float | None
    clusters: tuple[str, ...] | None = internal()

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return f"margins/{self.p_source}-shares"

    @property
    def tests(self) -> str:
        """The name of the tests."""
        return _TESTS[self.p_source]

    @property
    def caution(self) -> str:
        """Conditions that a claim must state besides its level; may be empty."""
        if self.p_source == "exact":
            return ""
        if self.p_source == "score":
            return _LARGEST_ERROR["score"]
        return _LARGEST_ERROR["runs" if self.n_clusters is None else "clusters"]

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return Tango's limits at level ``last``."""
        names = ("only_1", "only_2", "n_effective", "df")
        only_1, only_2, size, df = (self.as_columns()[n].astype(float) for n in names)
        critical = max(student.isf(last, float(df[0])), 0.0)
        scale = size / self.n_cases
        return kernel.score_limits(scale * only_1, scale * only_2, size, critical)

    def r_call(self) -> RCall:
        """Return the call of the tests and intervals of every pair."""
        codes: Any = np.zeros(0)
        if self.clusters is not None:
            codes = levels(self.clusters, what="clusters").codes + 1.0
        arguments = {
            **self.r_arguments(),
            "p_source": self.p_source,
            "gamma": self.gamma,
            "cluster": codes,
            "runs": float(self.n_runs or 1),
        }
        files = ("ranks", "paired", "adjust", "superiority", "cluster_pairs")
        return RCall(
            (*files, "signed_rank_pairs", "matched_shares"),
            "matched_shares_reference",
            arguments,
        )


@checked
def matched_shares(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    kind: MarginKind = "equivalence",
    metric: str | None = None,
    control: str | None = None,
    adjust: str = "holm",
    alpha: float | None = None,
) -> MatchedSharesResult:
    """Test shares of right answers to the same cases against a margin.

    Parameters
    ----------
    scores : Scores
        Complete table of 0 and 1; the blocks are cases. Cases may be in clusters, or
        have several runs, drawn anew for each case and algorithm.
    margin : float or (low, high)
        Between 0 and 1, chosen before the data are seen. One number m means -m to m.
        Two numbers are for algorithm_1 minus algorithm_2, which only a control gives
        an order.
    kind : {"equivalence", "non-inferiority"}
        ``equivalence``: the share of algorithm_1 minus that of algorithm_2 lies between
        both margins. ``non-inferiority``: each other algorithm is not worse than the
        control by the margin or more; needs ``control``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    control : str, optional
        Compare each other algorithm with this one only; it is algorithm_2.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` that needs no transitive hypotheses.
    alpha : float, optional
        Of the whole family of one-sided tests; default 0.05 for equivalence, 0.025 for
        non-inferiority.

    Returns
    -------
    MatchedSharesResult
        A pair is shown to be within the margin if ``p_adjusted <= alpha``.

    Raises
    ------
    DesignError
        If cells are missing. With runs or clusters: if independent units are fewer than
        ln(alpha) / ln(1 - margin), or clusters fewer than 20.
    InputError
        For scores other than 0 and 1, margins that do not lie on both sides of 0 or
        reach 1, an unknown name, an adjustment for transitive hypotheses, or
        non-inferiority without a control.

    Notes
    -----
    Equations 10.11, 10.12 of docs/equations.md.

    One answer per case, no clusters: the exact unconditional test of Tango's score
    statistic up to 20,000 cases, by Berger and Boos's p-value with gamma = alpha / 1000
    over the number of pairs. Its error is at most alpha whatever the shares. With more
    cases the score test takes its place. Runs or clusters: the score test at the
    effective size, with the t distribution of the mean difference; ``caution`` has the
    largest error found.

    Intervals are Tango's, at the level of the adjustment's last step. They are cut or
    extended at the margin, so that one lies within the margins just if its pair is
    shown. R: own derivation. Cases (clusters) must be independent. The conclusion
    concerns these algorithms as they were trained, on cases like these.

    References
    ----------
    .. [1] Tango, T. (1998). Statist. Med. 17, 891-908.
    .. [2] Berger, R. L., Boos, D. D. (1994). JASA 89, 1012-1016.
    .. [3] Bell, R. M., McCaffrey, D. F. (2002). Survey Methodology 28, 169-181.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [150, 10, 14, 24], axis=0)
    >>> scores = pc.Scores.from_wide(
    ...     {"new": right[:, 0].tolist(), "old": right[:, 1].tolist()},
    ...     metric="accuracy", better="higher",
    ... )
    >>> found = pc.matched_shares(
    ...     scores, margin=0.1, kind="non-inferiority", control="old"
    ... )
    >>> found.table[["estimate", "statistic", "p_value", "conf_low"]].round(4)
       estimate  statistic  p_value  conf_low
    0   -0.0202     2.8576   0.0018   -0.0721
    """
    alpha = default_alpha(kind) if alpha is None else alpha
    check_alpha(alpha)
    family_adjustment(adjust, MARGIN, control)
    tests = share_margin_tests(
        scores, margin=margin, kind=kind, metric=metric, control=control, alpha=alpha
    )
    result: MatchedSharesResult = tests.adjusted(adjust)
    return result


def share_margin_tests(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    kind: MarginKind,
    metric: str | None,
    control: str | None,
    alpha: float,
    n_tables: int = 1,
) -> MatchedSharesResult:
    """Return the tests of `matched_shares` without adjustment and intervals.

    ``n_tables`` is the number of tables in the family.
    """
    blocks = complete_blocks(scores, metric, None, method="matched_shares")
    low, high = margins_of(margin, kind, blocks.metric.better)
    require_order(margin, kind, control)
    if max(abs(end) for end in (low, high) if math.isfinite(end)) >= 1:
        raise InputError(
            setting("margin", margin)
            + ": shares differ by 1 at most; give a margin below 1"
        )
    n_runs = runs_of(scores, blocks)
    pairs = family_pairs(blocks.algorithms, control)
    each = alpha / n_tables / len(pairs)
    n = len(blocks.values)
    source: PSource = "exact" if n <= _MOST_EXACT else "score"
    if n_runs is not None or scores.clusters is not None:
        source = "effective-size"
    least_margin = min(abs(low), abs(high))
    units = float(n)
    if scores.clusters is not None:
        sizes = cluster_totals(blocks, scores.clusters).cases
        units = n**2 / float(np.sum(sizes**2))
    notes = _small(source, units, least_margin, each)
    gamma = each / 1000 if source == "exact" else 0.0
    counted = share_counts(scores, blocks, pairs, n_runs)
    columns = _tested(counted, n, low, high, source, gamma)
    return MatchedSharesResult(
        **unadjusted_fields(
            blocks,
            pairs,
            columns,
            kind=kind,
            margins=(low, high),
            control=control,
            alpha=alpha,
        ),
        reference=_REFERENCE[source],
        p_source=source,
        gamma=gamma,
        n_cases=n,
        n_clusters=None if scores.clusters is None else len(set(scores.clusters)),
        n_runs=n_runs,
        notes=notes,
        clusters=scores.clusters,
    )


def _small(
    source: PSource, units: float, margin: float, alpha: float
) -> tuple[str, ...]:
    """Note that equal answers to so few cases show nothing; reject effective ones."""
    known = few_units(units, margin, 1.0, alpha)
    if not known:
        return ()
    if source == "effective-size":
        raise DesignError(
            setting("margin", margin) + f": {known}, and with fewer the error of the "
            "score test at its effective size reaches 0.144 at a nominal 0.025"
        )
    return (known,)


def _tested(
    counted: dict[str, Floats],
    n: int,
    low: float,
    high: float,
    source: PSource,
    gamma: float,
) -> dict[str, Floats]:
    """Return both one-sided tests of each pair, and the larger p-value."""
    sides: list[tuple[Floats, Floats]] = []
    for value, alternative in ((low, "greater"), (high, "less")):
        if math.isinf(value):
            missing = np.full(len(counted["only_1"]), math.nan)
            sides.append((missing, missing))
            continue
        scale = counted["n_effective"] / n
        z = kernel.score_statistic(
            scale * counted["only_1"],
            scale * counted["only_2"],
            counted["n_effective"],
            value,
        )
        sign = 1.0 if alternative == "greater" else -1.0
        if source == "exact":
            p = np.array([
                kernel.exact_p(int(w), int(x), n, value, alternative, gamma)
                for w, x in zip(counted["only_1"], counted["only_2"], strict=True)
            ])  # fmt: skip
        elif source == "score":
            p = special.ndtr(-sign * z)
        else:
            p = student.sf(sign * z, counted["df"])
        sides.append((z, p))
    return counted | decided_side(*sides)

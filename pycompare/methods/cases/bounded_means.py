"""Means of graded answers with a declared range against a margin: Gaffke's test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pycompare.base.arguments import check_alpha, numbers
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.hypotheses import MARGIN
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, cluster_totals, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import matched_pairs as kernel
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

_REFERENCE = "Gaffke (2005) Math. Methods Statist. 14, 451-467"


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundedMeansResult(AgreeingCaseMargins):
    """Gaffke's tests of means against a margin; see ``MarginPairsResult``.

    ``estimate`` is the mean of algorithm_1 minus that of algorithm_2. The tests have no
    statistic, standard error or degrees of freedom: these columns are NaN. The table
    has ``p_lower`` and ``p_upper`` besides: the p-values that the mean difference is
    above ``margin_low``, below ``margin_high``.

    Attributes
    ----------
    level : float
        Confidence level of each interval separately: 1 - 2 a for equivalence, one-sided
        1 - a for non-inferiority, with a the raw p-value up to which pairs are shown.
    lowest, highest : float
        The declared range of the scores.
    n_cases : int
    n_clusters : int or None
        None if cases are independent.
    notes : tuple of str
    """

    lowest: float
    highest: float

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "margins/bounded-means"

    @property
    def tests(self) -> str:
        """The name of the tests."""
        ends = f"{self.lowest:.10g} to {self.highest:.10g}"
        return f"bounded mean (Gaffke, scores from {ends})"

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the values that the tests do not reject at level ``last``."""
        low, high = np.full((2, len(self.as_columns())), math.nan)
        width = self.highest - self.lowest
        pairs = family_pairs(self.algorithms, self.control)
        for place, d in enumerate(_differences(self.blocks, pairs)):
            if math.isfinite(self.margin_low):
                low[place] = kernel.bounded_limit(d, width, last)
            if math.isfinite(self.margin_high):
                high[place] = -kernel.bounded_limit(-d, width, last)
        return low, high

    def r_call(self) -> RCall:
        """Return the call of the tests and intervals of every pair."""
        arguments = {
            **self.r_arguments(),
            "sizes": self.blocks.cases,
            "width": self.highest - self.lowest,
        }
        files = ("ranks", "paired", "adjust", "signed_rank_pairs", "matched_shares")
        return RCall((*files, "bounded_means"), "bounded_means_reference", arguments)


@checked
def bounded_means(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    range: tuple[float, float],
    kind: MarginKind = "equivalence",
    metric: str | None = None,
    control: str | None = None,
    adjust: str = "holm",
    alpha: float | None = None,
) -> BoundedMeansResult:
    """Test means of scores in a known range against a margin, whatever their law.

    Parameters
    ----------
    scores : Scores
        Complete table; the blocks are independent cases, or cases in clusters of one
        size, whose means are compared. With runs the mean of each cell is compared.
    margin : float or (low, high)
        In the metric's own unit, chosen before the data are seen; below the width of
        the range. One number m means -m to m. Two numbers are for algorithm_1 minus
        algorithm_2, which only a control gives an order.
    range : (low, high)
        The lowest and the highest score that the metric can have, whatever the data.
    kind : {"equivalence", "non-inferiority"}
        ``equivalence``: the mean of algorithm_1 minus algorithm_2 lies between both
        margins. ``non-inferiority``: each other algorithm is not worse than the control
        by the margin or more; needs ``control``.
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
    BoundedMeansResult
        A pair is shown to be within the margin if ``p_adjusted <= alpha``.

    Raises
    ------
    DesignError
        If cells are missing, or clusters have several sizes.
    InputError
        For scores outside the range, a range that is none, margins that do not lie on
        both sides of 0 or reach its width, an unknown name, an adjustment for
        transitive hypotheses, or non-inferiority without a control.

    Notes
    -----
    Equation 10.13 of docs/equations.md.

    The t test against a margin claims falsely too often if losses are rare and
    large. This test needs no approximation; no draws and no seed. That its error is at
    most alpha is proved for differences with two values, of which one is the lowest
    possible (Clopper-Pearson's test); for others no violation is known. It has less
    power than t: 0.55 for 0.66, or 0.33 for 0.71 (scores spread over the range).

    Intervals are at the level of the adjustment's last step. They are cut or extended
    at the margin, so that one lies within the margins just if its pair is shown. R: own
    derivation.

    References
    ----------
    .. [1] Gaffke, N. (2005). Three test statistics for a nonparametric one-sided
       hypothesis on the mean of a nonnegative variable. Math. Methods Statist. 14,
       451-467.
    .. [2] Learned-Miller, E., Thomas, P. S. (2020). arXiv:1905.06208.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> grades = [[1, 1], [0.5, 1], [1, 0.5], [0, 0]]
    >>> grades = np.repeat(grades, [140, 8, 12, 40], axis=0)
    >>> scores = pc.Scores.from_wide(
    ...     {"new": grades[:, 0].tolist(), "old": grades[:, 1].tolist()},
    ...     metric="grade", better="higher",
    ... )
    >>> found = pc.bounded_means(
    ...     scores, margin=0.05, range=(0, 1), kind="non-inferiority", control="old"
    ... )
    >>> found.table[["estimate", "p_value", "conf_low", "shown"]].round(4)
       estimate  p_value  conf_low  shown
    0      0.01   0.0001   -0.0195   True
    """
    alpha = default_alpha(kind) if alpha is None else alpha
    check_alpha(alpha)
    family_adjustment(adjust, MARGIN, control)
    tests = bounded_margin_tests(
        scores,
        margin=margin,
        limits=range,
        kind=kind,
        metric=metric,
        control=control,
        alpha=alpha,
    )
    result: BoundedMeansResult = tests.adjusted(adjust)
    return result


def bounded_margin_tests(
    scores: Scores,
    *,
    margin: float | tuple[float, float],
    limits: tuple[float, float],
    kind: MarginKind,
    metric: str | None,
    control: str | None,
    alpha: float,
    n_tables: int = 1,
) -> BoundedMeansResult:
    """Return the tests of `bounded_means` without adjustment and intervals.

    ``limits`` are the lowest and the highest score; ``n_tables`` is the number of
    tables in the family.
    """
    cases = complete_blocks(scores, metric, None, method="bounded_means")
    lowest, highest = _range_of(limits, cases)
    width = highest - lowest
    low, high = margins_of(margin, kind, cases.metric.better)
    require_order(margin, kind, control)
    if max(abs(end) for end in (low, high) if math.isfinite(end)) >= width:
        raise InputError(
            setting("margin", margin)
            + f": means differ by {width:g} at most; give a margin below it"
        )
    blocks = cluster_totals(cases, scores.clusters)
    if len(sizes := np.unique(blocks.cases)) > 1:
        raise DesignError(
            f"bounded_means: clusters have {sizes.min():g} to {sizes.max():g} cases, "
            "and the test is for clusters of one size"
        )
    pairs = family_pairs(blocks.algorithms, control)
    tested = [
        [_side(d, value, side, width) for d in _differences(blocks, pairs)]
        for value, side in ((low, 1.0), (high, -1.0))
    ]
    nothing = np.full(len(pairs), math.nan)
    lower, upper = ((nothing, np.array(p)) for p in tested)
    estimates = [float(np.mean(d)) for d in _differences(blocks, pairs)]
    columns = {
        "estimate": np.array(estimates),
        "std_error": nothing,
        "df": nothing,
        **decided_side(lower, upper),
    }
    n = len(blocks.values)
    each = alpha / n_tables / len(pairs)
    few = few_units(n, min(abs(low), abs(high)), width, each)
    return BoundedMeansResult(
        **unadjusted_fields(
            blocks,
            pairs,
            columns,
            kind=kind,
            margins=(low, high),
            control=control,
            alpha=alpha,
        ),
        reference=_REFERENCE,
        lowest=lowest,
        highest=highest,
        n_cases=len(cases.values),
        n_clusters=None if scores.clusters is None else n,
        notes=(few,) if few else (),
    )


def _range_of(limits: tuple[float, float], cases: Blocks) -> tuple[float, float]:
    """Return the declared range, or reject what lies outside it."""
    given = numbers(limits, setting("range"))
    if given.shape != (2,) or not -math.inf < given[0] < given[1] < math.inf:
        raise InputError(
            setting("range", limits)
            + ": give the lowest and the highest score that the metric can have"
        )
    low, high = map(float, given)
    x = cases.metric.sign * cases.values
    outside = np.flatnonzero((x < low).any(axis=1) | (x > high).any(axis=1))
    if len(outside):
        raise InputError(
            setting("range", limits)
            + f": {len(outside)} of {len(x)} cases have a score of "
            f"{cases.metric.name!r} outside it, first case "
            f"{cases.blocks[outside[0]]!r}"
        )
    return low, high


def _differences(blocks: Blocks, pairs: Sequence[tuple[int, int]]) -> list[Floats]:
    """Return the differences of each pair per case, or mean ones per cluster."""
    x = blocks.metric.sign * blocks.values / blocks.cases[:, None]
    return [np.asarray(x[:, i] - x[:, j]) for i, j in pairs]


def _side(d: Floats, value: float, side: float, width: float) -> float:
    """Return the p-value that the mean is above (1) or below (-1) a value."""
    if math.isinf(value):
        return math.nan
    return kernel.bounded_p(side * (d - value), -width - side * value)

"""Is a candidate worse than a baseline by a margin, or not? Both one-sided tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from scipy import special

from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.typing import DecidedBy, Floats, ItemsScope
from pycompare.data.blocks import Blocks, cluster_totals, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import cluster_means, new_answers, student
from pycompare.kernels import matched_pairs as kernel
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.methods.cases.answers import answers_of, n_answers
from pycompare.methods.cases.share_counts import runs_of, share_counts
from pycompare.methods.cases.these_items import FEWEST_ANSWERS, several_answers_of
from pycompare.methods.pairs.agreeing_margins import agreeing_end

LossTestName = Literal[
    "exact", "score", "effective-size", "bounded", "t", "these-items"
]
_LEAST_MARGIN = 1e-6
"""Of the range of the scores."""
_MOST_EXACT = 20_000
"""Cases at most of the exact test."""
VALID_IF_FEW: tuple[LossTestName, ...] = ("exact", "bounded")
"""Tests that keep their level with fewer units than equal answers need to pass."""


@dataclass(frozen=True, kw_only=True)
class LossTest:
    """Both tests of one pair on some items: not worse by the margin, and worse.

    Attributes
    ----------
    test : str
        Which test it is.
    n_items : int
    n_answers : float
        To each item; the harmonic mean if their numbers differ.
    n_units : float
        Independent units: items, or n^2 / sum of squared sizes of clusters.
    baseline_mean, candidate_mean : float
        In the unit and direction of the metric.
    difference : float
        Candidate minus baseline; above 0 is better, whatever the metric's direction.
    margin : float
        The largest acceptable loss.
    width : float
        The largest possible difference.
    p_not_worse, p_worse : float
        p-values of the hypotheses that the loss is the margin or more, that it is the
        margin or less.
    discordance : float
        Share of items whose difference is not 0; with runs their mean size.
    variance : float
        Of one unit's difference, as the number of items needed takes it.
    variance_twice : float
        The same with twice as many answers to each item; NaN with one.
    limits_at : callable
        Limits of the difference at a one-sided level of each end.
    """

    test: LossTestName
    n_items: int
    n_answers: float
    n_units: float
    baseline_mean: float
    candidate_mean: float
    difference: float
    margin: float
    width: float
    p_not_worse: float
    p_worse: float
    discordance: float
    variance: float
    variance_twice: float
    limits_at: Callable[[float, float], tuple[float, float]]

    def interval(
        self, low: float, high: float, *, not_worse: bool, worse: bool
    ) -> tuple[float, float]:
        """Return both limits, of which none contradicts a decision.

        Parameters
        ----------
        low, high : float
            One-sided error rates of the lower and of the upper end.
        not_worse, worse : bool
            Whether the lower end is above -margin, the upper end below it.
        """
        ends = self.limits_at(low, high)
        edge = -self.margin
        start = agreeing_end(np.array([ends[0]]), edge, np.array([not_worse]), 1)
        end = agreeing_end(np.array([ends[1]]), edge, np.array([worse]), -1)
        return float(start[0]), float(end[0])


def loss_test(
    scores: Scores,
    *,
    margin: float,
    alpha: float,
    decided_by: DecidedBy = "scores",
    items_scope: ItemsScope = "sampled",
    limits: tuple[float, float] | None = None,
) -> LossTest:
    """Test a candidate against a baseline on the same items.

    Parameters
    ----------
    scores : Scores
        One metric, no cell missing; the second algorithm is the candidate.
    margin : float
        Above 0 and below the largest possible difference.
    alpha : float
        Level in use: the exact test spends a thousandth of it (Berger and Boos).
    decided_by : {"scores", "bounded", "t"}
        Right/wrong answers have score tests, graded ones the bounded test, unless
        another is chosen.
    items_scope : {"sampled", "fixed"}
        New items like these; or new answers to these items, which needs runs.
    limits : (low, high), optional
        Lowest and highest possible score; 0 and 1 of right/wrong answers.

    Notes
    -----
    Equations 10.11 to 10.13 and 10.16 of docs/equations.md.
    """
    blocks = complete_blocks(scores, None, None, method="gate")
    answers = answers_of(scores, blocks)
    binary = right_or_wrong(answers)
    width = _width(blocks, binary, limits)
    if margin < _LEAST_MARGIN * (np.ptp(blocks.values) if math.isinf(width) else width):
        raise InputError(
            setting("margin", margin)
            + ": no number of items can show so small a difference; give the largest "
            "acceptable loss in the unit of the scores"
        )
    if margin >= width:
        raise InputError(
            setting("margin", margin)
            + f": scores differ by {width:g} at most; give a smaller margin"
        )
    # Values are turned so that lower is better: positive is for the candidate.
    d = np.asarray(blocks.values[:, 0] - blocks.values[:, 1])
    means = (blocks.metric.sign * blocks.values).mean(axis=0)
    name = _name_of(scores, len(d), binary, decided_by, items_scope)
    tested = _TESTS[name](scores, blocks, d, margin, alpha, width)
    return LossTest(
        test=name,
        n_items=len(d),
        n_answers=n_answers(answers),
        n_units=_n_units(scores, blocks),
        baseline_mean=float(means[0]),
        candidate_mean=float(means[1]),
        difference=float(d.mean()),
        margin=margin,
        width=width,
        discordance=float(np.abs(d).mean()) / width,
        p_not_worse=tested.p_not_worse,
        p_worse=tested.p_worse,
        variance=tested.variance,
        variance_twice=tested.variance - _half_of_answers(name, scores, blocks),
        limits_at=tested.limits_at,
    )


@lru_cache(maxsize=256)
def fewest_units(test: LossTestName, margin: float, width: float, level: float) -> int:
    """Return the independent units with which equal answers pass.

    The exact test needs some more than any valid test does.
    """
    least = kernel.least_units(margin / width, level)
    if test != "exact":
        return least

    def passes(n: int) -> bool:
        p = kernel.exact_p(0, 0, n, -margin, "greater", level / 1000)
        return p <= level

    if passes(least):
        return least
    low, high = least, 2 * least
    while not passes(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def _half_of_answers(name: LossTestName, scores: Scores, blocks: Blocks) -> float:
    """Return what twice as many answers take from the variance of a difference."""
    if scores.runs is None or scores.runs_per_cell[0] < FEWEST_ANSWERS:
        return math.nan
    if name == "bounded" and scores.clusters is not None:
        return math.nan  # its variance is that of clusters' means
    own = new_answers.of_runs(answers_of(scores, blocks)).variances
    return float(own.sum(axis=1).mean()) / 2


class _BothTests(NamedTuple):
    """Both p-values, the variance of one unit's difference, and limits by levels."""

    p_not_worse: float
    p_worse: float
    variance: float
    limits_at: Callable[[float, float], tuple[float, float]]


def _width(blocks: Blocks, binary: bool, limits: tuple[float, float] | None) -> float:
    """Return the largest possible difference; infinite if no range is declared."""
    if limits is None:
        return 1.0 if binary else math.inf
    low, high = limits
    x = blocks.metric.sign * blocks.values
    outside = np.flatnonzero((x < low).any(axis=1) | (x > high).any(axis=1))
    if len(outside):
        raise InputError(
            setting("range", limits)
            + f": item {blocks.blocks[outside[0]]!r} has a score of "
            f"{blocks.metric.name!r} outside it"
        )
    return high - low


def _n_units(scores: Scores, blocks: Blocks) -> float:
    """Return how many independent units the items are worth."""
    if scores.clusters is None:
        return float(len(blocks.values))
    sizes = cluster_totals(blocks, scores.clusters).cases
    return float(sizes.sum() ** 2 / np.sum(sizes**2))


def _name_of(
    scores: Scores,
    n: int,
    binary: bool,
    decided_by: DecidedBy,
    items_scope: ItemsScope,
) -> LossTestName:
    """Return which test decides."""
    if items_scope == "fixed":
        return "these-items"
    if decided_by == "t":
        return "t"
    if decided_by == "bounded" or not binary:
        return "bounded"
    if scores.runs is not None or scores.clusters is not None:
        return "effective-size"
    return "exact" if n <= _MOST_EXACT else "score"


def _by_scores(
    scores: Scores, blocks: Blocks, d: Floats, margin: float, alpha: float, _: float
) -> _BothTests:
    """Test right and wrong answers by Tango's statistic, at the effective size."""
    counted = share_counts(scores, blocks, [(1, 0)], runs_of(scores, blocks))
    # Of an error rate ones are losses.
    ahead, behind = ("only_1", "only_2")[:: -int(blocks.metric.sign)]
    size, df = float(counted["n_effective"][0]), float(counted["df"][0])
    n, scale = len(d), size / len(d)
    wins, losses = (scale * float(counted[name][0]) for name in (ahead, behind))
    z = float(kernel.score_statistic(wins, losses, size, -margin))

    def limits_at(low: float, high: float) -> tuple[float, float]:
        critical = [max(student.isf(level, df), 0.0) for level in (low, high)]
        start, end = (kernel.score_limits(wins, losses, size, c) for c in critical)
        return float(start[0]), float(end[1])

    variance = float(counted["std_error"][0] ** 2) * n
    if scores.runs is not None or scores.clusters is not None:
        p = (float(student.sf(z, df)), float(student.sf(-z, df)))
    elif n <= _MOST_EXACT:
        w, x = round(wins), round(losses)
        p_sides = [
            kernel.exact_p(w, x, n, -margin, side, alpha / 1000)
            for side in ("greater", "less")
        ]
        p = (p_sides[0], p_sides[1])
    else:
        p = (float(special.ndtr(-z)), float(special.ndtr(z)))
    return _BothTests(*p, variance, limits_at)


def _bounded(
    scores: Scores, blocks: Blocks, _: Floats, margin: float, __: float, width: float
) -> _BothTests:
    """Test the mean of independent numbers of a known range."""
    if math.isinf(width):
        raise InputError(
            "graded scores have the bounded test, which needs the lowest and the "
            "highest possible score: give " + setting("range", ...)
        )
    totals = cluster_totals(blocks, scores.clusters)
    sizes = np.unique(totals.cases)
    if len(sizes) > 1:
        raise DesignError(
            f"clusters have {sizes.min():g} to {sizes.max():g} items, and the bounded "
            "test is for clusters of one size"
        )
    x = totals.values / totals.cases[:, None]
    d = np.asarray(x[:, 0] - x[:, 1])

    def limits_at(low: float, high: float) -> tuple[float, float]:
        start = kernel.bounded_limit(d, width, low)
        return start, -kernel.bounded_limit(-d, width, high)

    return _BothTests(
        kernel.bounded_p(d + margin, margin - width),
        kernel.bounded_p(-d - margin, -margin - width),
        float(d.var(ddof=1)) if len(d) > 1 else math.nan,
        limits_at,
    )


def _by_t(
    scores: Scores, blocks: Blocks, d: Floats, margin: float, _: float, __: float
) -> _BothTests:
    """Test the mean difference by t; in clusters with a CR2 standard error."""
    n = len(d)
    if scores.clusters is None:
        variance, df = float(d.var(ddof=1)) / n, n - 1.0
    else:
        totals = cluster_totals(blocks, scores.clusters)
        sums = totals.values[:, [0]] - totals.values[:, [1]]
        residual = sums - totals.cases[:, None] * d.mean()
        [squares] = cluster_means.variances(residual, totals.cases, totals.codes)
        variance = float(squares[0]) / n**2
        df = cluster_means.degrees_of_freedom(totals.cases)
    return _of_error(float(d.mean()), math.sqrt(variance), df, margin, n)


def _these_items(
    scores: Scores, blocks: Blocks, d: Floats, margin: float, _: float, __: float
) -> _BothTests:
    """Test the mean over these items: only answers are drawn anew."""
    try:
        runs = several_answers_of(scores, blocks)
    except DesignError as few:
        raise DesignError(setting("items_scope", "fixed") + f": {few}") from None
    # The least variance of rare losses of one answer each at the margin.
    answers = new_answers.of_runs(runs)
    error, df = new_answers.mean_error(answers, [0, 1], least=margin * (1 - margin))
    return _of_error(float(d.mean()), error, df, margin, len(d))


def _of_error(
    mean: float, error: float, df: float, margin: float, n: int
) -> _BothTests:
    """Return both tests of a mean with its standard error; z if ``df`` is infinite."""
    far = mean + margin
    z = far / error if error > 0 else math.copysign(math.inf, far)

    def limits_at(low: float, high: float) -> tuple[float, float]:
        below, above = (student.isf(level, df) * error for level in (low, high))
        return mean - float(below), mean + float(above)

    p = float(student.sf(z, df)), float(student.sf(-z, df))
    return _BothTests(*p, error**2 * n, limits_at)


_TESTS: dict[LossTestName, Callable[..., _BothTests]] = {
    "exact": _by_scores,
    "score": _by_scores,
    "effective-size": _by_scores,
    "bounded": _bounded,
    "t": _by_t,
    "these-items": _these_items,
}

"""Paired t tests of pairs of algorithms, each pair with its own variance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import alpha_or_level
from pycompare.base.checked import checked
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks, ranked_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import student
from pycompare.kernels.units import mean_in_range
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.common import (
    NO_DIFFERENCE,
    check_sizes,
    column_of,
    ends_of,
    pair_ends,
    raw_differences_of_pairs,
    t_of,
)
from pycompare.methods.pairs.last_step import TPairs
from pycompare.methods.pairs.ttest import (
    CONSTANT,
    CONSTANT_CORRECTED,
    PAIRED,
    moments,
    signs_p,
)
from pycompare.results.adjust import family_adjustment
from pycompare.results.placement import means_of

_COLUMNS = ("estimate", "std_error", "statistic", "df", "p_value")
_LEAST = 2
"""Blocks that a variance needs."""
_GAPS = (
    "cells are missing: each pair is compared over the blocks that both have, so df "
    "differ between pairs"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedTPairsResult(TPairs):
    """Paired t tests of pairs; see ``PairsResult``.

    ``estimate`` is algorithm_1 minus algorithm_2 in the metric's own unit; each pair
    has its own variance. ``positions`` are the means of the scores that there are, with
    the sign such that lower is better.

    Attributes
    ----------
    blocks : Blocks
        The scores that were compared.
    alpha, level
        As in ``TPairs``: of intervals that agree with decisions, or hold together.
    """

    differences: ClassVar[str] = "mean"

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "folds/corrected-t" if self.test_train_ratio else "means/paired-t"

    @property
    def test_train_ratio(self) -> float:
        """n_test / n_train of a correction for shared training data; 0 without."""
        return 0.0

    def better(self) -> NDArray[np.bool_]:
        """Return whether row is better than column on the folds that both have."""
        lower = self.lower_is_better
        estimate = self.square("estimate")
        return np.asarray(estimate < 0 if lower else estimate > 0)

    def r_call(self) -> RCall:
        """Return the call of the test of every pair."""
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "rho": self.test_train_ratio,
            **self.r_adjusting(),
        }
        files = ("ranks", "paired", "paired_t", "adjust", "corrected_pairs")
        return RCall(files, "corrected_pairs_reference", arguments, self.of_family)


@checked
def paired_t_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float | None = None,
    level: float | None = None,
) -> PairedTPairsResult:
    """Compare pairs of algorithms by paired t tests, each with its own variance.

    Each pair is tested by the spread of its own differences over blocks, so that an
    algorithm with noisy scores widens its own comparisons and no others. ``pc.tukey``,
    ``pc.pairwise_t`` and ``pc.dunnett`` share one residual variance: with one algorithm
    noisier than the others they miss their family-wise error (Tukey's of 10 algorithms
    over 15 blocks, one of them five times as noisy: 0.20 instead of 0.05).

    Parameters
    ----------
    scores : Scores
        At least two blocks, assumed independent: data sets (see ``dataset_means``).
        Cells may be missing if the scores were read with ``missing="model"``; a pair is
        then compared over the blocks that both have.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs. Equal means are transitive, so Bergmann-Hommel's and Shaffer's
        methods hold.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha : float, optional
        Level of the decisions with which no interval shall disagree: the intervals then
        have the level of the adjustment's last step, 1 - alpha/(m - r) of m pairs with
        r rejected by Holm, each with the pair's own variance.
    level : float, optional
        In place of ``alpha``: confidence level of the intervals, together (Bonferroni),
        0.95 if neither is given. Such an interval may hold 0 although the adjusted test
        rejects.

    Returns
    -------
    PairedTPairsResult
        A pair with equal scores in every block cannot be tested: its p-values are NaN,
        and the adjustment counts it with p = 1. A pair with the same difference in
        every block has an infinite t and the p-value of all changes of sign; ``notes``
        count such pairs. Two algorithms that share fewer than two blocks have NaN, and
        ``notes`` name them.

    Raises
    ------
    InputError
        For an unknown name, or both of alpha and level.

    Notes
    -----
    Equation 2.1 of docs/equations.md.

    R: ``pairwise.t.test(score, algorithm, p.adjust.method, paired = TRUE)``, and
    ``t.test(paired = TRUE)`` of each pair for the intervals.

    References
    ----------
    .. [1] Student (1908). Biometrika 6, 1-25.
    .. [2] Bergmann, B., Hommel, G. (1988). Multiple Hypotheses Testing, 100-115.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.paired_t_pairs(pc.example(), adjust="bergmann-hommel")
    >>> int(found.rejected(0.05).sum()), len(found.table)
    (6, 10)
    """
    family_adjustment(adjust, MEANS, control)
    refuse_clusters_of_blocks(scores, "paired_t_pairs")
    fields = t_pairs(scores, metric, control, (alpha, level), rho=0.0)
    adjusted: PairedTPairsResult = PairedTPairsResult(
        reference=PAIRED, **fields
    ).adjusted(adjust)
    return adjusted


def t_pairs(
    scores: Scores,
    metric: str | None,
    control: str | None,
    levels: tuple[float | None, float | None],
    rho: float,
) -> dict[str, Any]:
    """Return the fields of raw tests.

    ``levels``: alpha of decisions, or level of joint intervals. ``rho`` is
    c n_test / n_train, 0 uncorrected.
    """
    alpha, level = alpha_or_level(*levels, joint=True)
    blocks = ranked_blocks(scores, metric, None)
    pairs = pair_ends(blocks.algorithms, control)
    each = 1 - (1 - level) / len(pairs)
    numbers = _numbers(blocks, pairs, rho, each)
    method = _method_of(numbers["statistic"], rho)
    notes = _notes(blocks, pairs, numbers, rho)
    numbers["statistic"] = column_of(
        len(pairs), partial(t_of, numbers["estimate"], numbers["std_error"])
    )
    return fields_of_pairs(
        blocks,
        control,
        numbers,
        method=method,
        positions=blocks.per_algorithm(mean_in_range(blocks.values)),
        **means_of(blocks.metric.name).difference(),
        statistic_name="t",
        hypotheses=MEANS,
        interval=f"simultaneous {100 * level:g}% (Bonferroni)",
        level=level,
        alpha=alpha,
        notes=notes,
    )


def _numbers(blocks: Blocks, pairs: Ints, rho: float, level: float) -> dict[str, Any]:
    """Return the numbers of each pair; NaN if two share too few blocks."""
    m = len(pairs)
    columns = {name: np.full(m, math.nan) for name in _COLUMNS}
    for rows, d, noise in raw_differences_of_pairs(blocks, pairs):
        n = d.shape[1]
        if n < _LEAST:
            continue
        check_sizes(d, blocks.metric)
        mean, sd = moments(d, noise)
        error = sd * math.sqrt(1 / n + rho)
        t = t_of(mean, error)
        p = 2 * student.sf(np.abs(t), n - 1)
        p[np.isinf(t)] = math.nan if rho else signs_p(n, True, "two-sided")
        numbers = mean, error, t, n - 1.0, p
        for name, column in zip(_COLUMNS, numbers, strict=True):
            columns[name][rows] = column
    if (columns["df"] == columns["df"][0]).all():
        columns["df"] = np.broadcast_to(columns["df"][0], m)

    def limits(rows: Ints) -> tuple[Floats, Floats]:
        mean, error, df = (
            columns[name][rows] for name in ("estimate", "std_error", "df")
        )
        half = student.half_widths(error, df, (1 - level) / 2)
        return mean - half, mean + half

    low, high = ends_of(m, limits)
    return {**columns, "conf_low": low, "conf_high": high}


def _method_of(t: Floats, rho: float) -> str:
    """Return the names of the tests: if t is infinite, signs are changed."""
    name = "corrected resampled t tests" if rho else "paired t tests"
    infinite = np.isinf(t)
    if rho or not infinite.any():
        return name
    if infinite.all():
        return "exact tests of sign changes, t being infinite"
    return f"{name}, exact tests of sign changes if t is infinite"


def _apart(blocks: Blocks, pairs: Ints) -> list[str]:
    """Name the pairs that share too few blocks for a variance."""
    has, names = ~np.isnan(blocks.values), blocks.algorithms
    counts = (has.T.astype(float) @ has)[pairs[:, 0], pairs[:, 1]]
    few = np.flatnonzero(counts < _LEAST)
    shared = [(*pairs[row].tolist(), int(counts[row])) for row in few]
    return [
        f"{names[i]} and {names[j]} share {n} of {len(has)} blocks, and a t test needs "
        "two at least: not tested; the other pairs are adjusted as if this p-value "
        "were 1"
        for i, j, n in shared
    ]


def _notes(
    blocks: Blocks, pairs: Ints, numbers: dict[str, Floats], rho: float
) -> tuple[str, ...]:
    """Return the notes for readers."""
    p, t = numbers["p_value"], numbers["statistic"]
    notes = [_GAPS] if np.isnan(blocks.values).any() else []
    notes += _apart(blocks, pairs)
    lost = int((np.isnan(t) & ~np.isnan(numbers["estimate"])).sum())
    if lost:
        notes.append(f"{lost} of {len(p)} pairs: {NO_DIFFERENCE}")
    if constant := int(np.isinf(t).sum()):
        why = CONSTANT_CORRECTED if rho else CONSTANT
        notes.append(f"{constant} of {len(p)} pairs: {why}")
    return tuple(notes)

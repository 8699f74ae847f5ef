"""Corrected resampled t tests of pairs of algorithms over overlapping training sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.arguments import check_level
from pycompare.data.blocks import Blocks, ranked_blocks
from pycompare.data.scores import Scores
from pycompare.multiplicity.adjust import (
    adjust_family,
    family_adjustment,
    repeatable_in_r,
)
from pycompare.pairs.common import NO_DIFFERENCE, differences, family_pairs
from pycompare.pairs.ttest import (
    CONSTANT_CORRECTED,
    CORRECTED,
    limits,
    mean_of,
    overlap,
    p_of,
)
from pycompare.results import PairsResult, RCall, internal

Floats = NDArray[np.float64]
Pairs = list[tuple[int, int]]

COLUMNS = (
    "estimate",
    "std_error",
    "statistic",
    "df",
    "p_value",
    "conf_low",
    "conf_high",
)
LEAST = 2
"""Blocks that a variance needs."""
GAPS = (
    "cells are missing: each pair is compared over the blocks that both have, so df "
    "differ between pairs"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrectedPairsResult(PairsResult):
    """Corrected resampled t tests of pairs; see ``PairsResult``.

    ``estimate`` is algorithm_1 minus algorithm_2 in the metric's own unit; each pair
    has its own variance. ``positions`` are the means of the scores that there are, with
    the sign such that lower is better.

    Attributes
    ----------
    n_train, n_test : float
        Sizes behind the correction.
    blocks : Blocks
        The scores that were compared.
    """

    n_train: float
    n_test: float
    blocks: Blocks = internal()

    def better(self) -> NDArray[np.bool_]:
        """Tell whether row is better than column on the folds that both have."""
        lower = self.blocks.metric.better == "lower"
        estimate = self.matrix("estimate").to_numpy(float)
        return np.asarray(estimate < 0 if lower else estimate > 0)

    @property
    def repeatable(self) -> bool:
        """Whether R can adjust these p-values; for some it lists all partitions."""
        able = repeatable_in_r(self.adjust, len(self.algorithms))
        return self.adjusted_here and able

    def r_call(self) -> RCall:
        """Return the call of the formula for every pair."""
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "rho": overlap(self.n_train, self.n_test),
            "adjust": self.adjust if self.repeatable else "",
            "control": self.control or "",
            "level": self.level,
        }
        files = ("ranks", "paired", "paired_t", "adjust", "corrected_pairs")
        return RCall(files, "corrected_pairs_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numeric columns of the table."""
        names = [*COLUMNS, *(["p_adjusted"] if self.repeatable else [])]
        return {name: self.numbers(name) for name in names}


def corrected_pairs(
    scores: Scores,
    *,
    n_train: float,
    n_test: float,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    level: float = 0.95,
) -> CorrectedPairsResult:
    """Compare pairs of algorithms by the corrected resampled t test.

    Parameters
    ----------
    scores : Scores
        At least two blocks: folds, or repeats, of one data set. Cells may be missing if
        the scores were read with ``missing="model"``; a pair is then compared over the
        blocks that both have.
    n_train, n_test : float
        Sizes of each training and test set, as in ``paired_t``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs.
    control : str, optional
        Compare each other algorithm with this one only.
    level : float
        Confidence level of the intervals, together (Bonferroni).

    Returns
    -------
    CorrectedPairsResult
        A pair with equal scores in every block cannot be tested: its p-values are NaN,
        and the adjustment counts it with p = 1. A pair with the same difference in
        every block has an infinite t and the p-value of ``paired_t``, which is not
        corrected; ``notes`` count such pairs. Two algorithms that share fewer than two
        blocks have NaN, and ``notes`` name them.

    Raises
    ------
    InputError
        For an unknown name or sizes that are not positive.

    Notes
    -----
    The variance of a pair's mean difference is (1/k + n_test/n_train) s^2 over k
    blocks, on k - 1 degrees of freedom; see ``paired_t``. R: derivation with ``pt``,
    ``qt`` and ``p.adjust``.

    References
    ----------
    .. [1] Nadeau, C., Bengio, Y. (2003). Machine Learning 52, 239-281.
    """
    check_level(level)
    chosen = family_adjustment(adjust, control)
    rho = overlap(n_train, n_test)
    blocks = ranked_blocks(scores, metric, None)
    pairs = family_pairs(blocks.algorithms, control)
    each = 1 - (1 - level) / len(pairs)
    rows = [row_of(blocks, pair, rho, each) for pair in pairs]
    names = np.array(blocks.algorithms, dtype=object)
    first, second = np.array(pairs).T
    labels = {"algorithm_1": names[first], "algorithm_2": names[second]}
    numbers = pd.DataFrame(rows, columns=list(COLUMNS))
    p = numbers["p_value"].to_numpy()
    numbers.insert(5, "p_adjusted", adjust_family(p, len(names), chosen))
    return CorrectedPairsResult(
        table=pd.concat([pd.DataFrame(labels), numbers], axis=1),
        positions=blocks.per_algorithm(np.nanmean(blocks.values, axis=0)),
        method=method_of(numbers["statistic"].to_numpy(float)),
        estimate_name=f"difference of means of {blocks.metric.name}, in its own unit",
        statistic_name="t",
        adjust=chosen.name,
        family=family(blocks, pairs, control),
        interval=f"simultaneous {100 * level:g}% (Bonferroni)",
        level=level,
        control=control,
        reference=CORRECTED,
        notes=notes(blocks, pairs, numbers),
        n_train=n_train,
        n_test=n_test,
        blocks=blocks,
    )


def row_of(
    blocks: Blocks, pair: tuple[int, int], rho: float, level: float
) -> tuple[float, ...]:
    """Return one pair's numbers, in the order of ``COLUMNS``."""
    both = blocks.values[:, pair]
    kept = np.asarray(~np.isnan(both).any(axis=1))
    first, second = (blocks.algorithms[i] for i in pair)
    if kept.sum() < LEAST:
        return (math.nan,) * len(COLUMNS)
    part = Blocks(
        both[kept],
        blocks.metric,
        (first, second),
        tuple(name for name, keep in zip(blocks.blocks, kept, strict=True) if keep),
        None,
    )
    found = mean_of(*differences(part), rho)
    low, high = limits(found, "two-sided", level)
    p = p_of(found, "two-sided")[0]
    return found.mean, found.std_error, found.t(), found.df, p, low, high


def method_of(t: Floats) -> str:
    """Return what the tests are called: where t is infinite, signs are changed."""
    infinite = np.isinf(t)
    if not infinite.any():
        return "corrected resampled t tests"
    if infinite.all():
        return "exact tests of sign changes, t being infinite"
    return (
        "corrected resampled t tests, exact tests of sign changes where t is infinite"
    )


def family(blocks: Blocks, pairs: Pairs, control: str | None) -> str:
    """Say which hypotheses were adjusted together."""
    on, a = blocks.metric.name, len(blocks.algorithms)
    if a == 2:
        return f"the one pair of algorithms on {on}"
    if control is None:
        return f"all {len(pairs)} pairs of {a} algorithms on {on}"
    return f"{len(pairs)} comparisons with the control {control} on {on}"


def apart(blocks: Blocks, pairs: Pairs) -> list[str]:
    """Name the pairs that share too few blocks for a variance."""
    has = ~np.isnan(blocks.values)
    shared = [(i, j, int((has[:, i] & has[:, j]).sum())) for i, j in pairs]
    names = blocks.algorithms
    return [
        f"{names[i]} and {names[j]} share {n} of {len(has)} blocks, and a t test needs "
        "two at least: not tested; the other pairs are adjusted as if this p-value "
        "were 1"
        for i, j, n in shared
        if n < LEAST
    ]


def notes(blocks: Blocks, pairs: Pairs, numbers: pd.DataFrame) -> tuple[str, ...]:
    """Return what a reader must know."""
    p, t = numbers["p_value"].to_numpy(), numbers["statistic"].to_numpy()
    found = [GAPS] if np.isnan(blocks.values).any() else []
    found += apart(blocks, pairs)
    lost = int((numbers["p_value"].isna() & numbers["estimate"].notna()).sum())
    if lost:
        found.append(f"{lost} of {len(p)} pairs: {NO_DIFFERENCE}")
    if constant := int(np.isinf(t).sum()):
        found.append(f"{constant} of {len(p)} pairs: {CONSTANT_CORRECTED}")
    return tuple(found)

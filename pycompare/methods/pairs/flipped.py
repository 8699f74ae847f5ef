"""Sums of block differences under flips, pair by pair or by the algorithms' columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks
from pycompare.kernels import max_t as kernel
from pycompare.kernels import pair_flips
from pycompare.kernels.cluster_means import sums_by
from pycompare.kernels.max_t import Counted, Signs
from pycompare.kernels.pair_flips import ColumnPairs
from pycompare.kernels.units import binary_unit
from pycompare.methods.pairs.block_differences import On, block_differences
from pycompare.methods.pairs.ttest import ROUNDING

LARGE = 200_000
"""Differences (blocks times pairs) above which all pairs share their columns' sums."""
_NEAR = 1e-2
"""Squares so small, relative to those of both columns, are computed of differences."""
_CLOSE = 1e-4
"""Two columns whose difference is so small, relative to both, are subtracted first."""


@dataclass(frozen=True, eq=False)
class Flipped:
    """Sums of differences, and their values under flips.

    Attributes
    ----------
    sums : dict of str to ndarray, shape (m,)
        ``estimate std_error statistic df``, in the metric's own unit.
    counted : Counted
    centred_lengths : ndarray, shape (m,)
        Roots of the sums of squares of centred differences, in the metric's own unit.
    cross : ndarray, shape (m,)
        Products of centred differences with the sizes of the blocks; 0 for equal sizes.
    critical_value : float
        Of the largest studentised sum of centred differences.
    """

    sums: dict[str, Floats]
    counted: Counted
    centred_lengths: Floats
    cross: Floats
    critical_value: float


def by_differences(
    blocks: Blocks, pairs: Ints, on: On, signs: Signs, level: float
) -> Flipped:
    """Flip the differences of each pair."""
    differences = block_differences(blocks, pairs, on)
    counted = kernel.step_down(kernel.unit_columns(differences.d), signs)
    centred = differences.centred()
    limit = (
        kernel.critical_value(kernel.unit_columns(centred), signs, 1 - level)
        if on == "scores"
        else np.nan
    )
    return Flipped(
        differences.sums(),
        counted,
        np.linalg.norm(centred, axis=0) * differences.units,
        differences.weights @ centred * differences.units,
        limit,
    )


def by_columns(
    blocks: Blocks, pairs: Ints, on: On, signs: Signs, level: float
) -> Flipped:
    """Flip the scores of each algorithm; the same numbers, for many pairs."""
    x, unit = own_columns(blocks, on)
    if blocks.strata is not None:
        x = x * blocks.factors
    first, second = pairs.T.copy()
    summaries = _summaries(blocks, pairs, on, x, unit)
    # A close pair is a column of its own, minus a column of zeros.
    own = [block_differences(blocks, pairs[[e]], on) for e in summaries.close]
    extra = [differences.d * (differences.units / unit) for differences in own]
    columns = np.hstack([x, np.zeros((len(x), 1)), *extra])
    first[summaries.close] = x.shape[1] + 1 + np.arange(len(extra))
    second[summaries.close] = x.shape[1]
    weights = np.where(
        blocks.codes[:, None] == np.arange(blocks.codes.max() + 1),
        blocks.weights[:, None],
        0.0,
    )
    flips = pair_flips.column_flips(columns, signs, weights)
    counted = pair_flips.step_down(
        flips,
        ColumnPairs(first, second, summaries.lengths / unit),
        np.nan_to_num(np.abs(summaries.sums["statistic"])),
    )
    limit = np.nan
    if on == "scores":
        centred = ColumnPairs(first, second, summaries.centred_lengths / unit)
        means = sums_by(blocks.codes, columns).T / weights.sum(axis=0)
        largest = pair_flips.largest_centred(flips, centred, means)
        limit = kernel.quantile_of_largest(largest, signs, 1 - level)
    return Flipped(
        summaries.sums, counted, summaries.centred_lengths, summaries.cross, limit
    )


def own_columns(blocks: Blocks, on: On) -> tuple[Floats, float]:
    """Return ranks, or scores in their own direction, over a unit.

    Whole numbers are kept, since their sums are exact; of others the mean of each block
    is taken off, which no difference feels.
    """
    higher = on == "scores" and blocks.metric.sign < 0
    x = blocks.ranks() if on == "ranks" else blocks.values
    x = -x if higher else x
    if pair_flips.exact_in_single(x):
        return x, 1.0
    unit = binary_unit(x).item()
    x = x / unit
    return x - x.mean(axis=1, keepdims=True), unit


def _within(
    blocks: Blocks, x: Floats, square: Floats, first: Ints, second: Ints
) -> tuple[Floats, Floats]:
    """Return squares of differences less means of benchmarks, and their products.

    Those are the products with the weights of the rows.
    """
    w = blocks.weights[:, None]
    both = np.hstack([x, w])
    sums = sums_by(blocks.codes, both)
    crossed = sums_by(blocks.codes, w * both)
    centred, cross = square.copy(), np.zeros(len(first))
    for total, products in zip(sums, crossed, strict=True):
        mean = (total[first] - total[second]) / total[-1]
        product = products[first] - products[second]
        centred -= mean * (2 * product - mean * products[-1])
        cross += product - mean * products[-1]
    return centred, cross


@dataclass(frozen=True, eq=False)
class _Summaries:
    """Quantities of each pair's differences, which are not all kept."""

    sums: dict[str, Floats]
    lengths: Floats
    centred_lengths: Floats
    cross: Floats
    close: list[int]


def _summaries(
    blocks: Blocks, pairs: Ints, on: On, x: Floats, unit: float
) -> _Summaries:
    """Return sums and lengths of all pairs.

    They follow from the products of the columns, except if that would cost digits:
    columns of other than whole numbers whose difference is small, or nearly constant.
    """
    n, w = len(x), blocks.weights
    first, second = pairs.T
    products, totals = x.T @ x, x.sum(axis=0)
    size = np.diag(products)[first] + np.diag(products)[second]
    total = totals[first] - totals[second]
    square = np.maximum(size - 2 * products[first, second], 0.0)
    values = blocks.ranks() if on == "ranks" else blocks.values
    largest = np.max(np.abs(values) / blocks.cases[:, None], axis=0) / unit
    width = ROUNDING * np.maximum(largest[first], largest[second])
    total = np.where(np.abs(total) > width * w.sum(), total, 0.0)
    mean = total / w.sum()
    centred, cross = _within(blocks, x, square, first, second)
    if blocks.sizes is None and blocks.strata is None:
        # Times n, all of it is whole where the scores are.
        centred = (n * square - total * total) / n
    centred = np.maximum(centred, 0.0)
    cross *= unit
    lengths, centred_lengths = np.sqrt(square) * unit, np.sqrt(centred) * unit
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = {
            "estimate": mean * unit,
            "std_error": np.where(square > 0, lengths / w.sum(), np.nan),
            "statistic": np.where(square > 0, total / np.sqrt(square), np.nan),
            "df": np.full(len(first), np.inf),
        }
    exact = pair_flips.exact_in_single(x)
    if not exact:
        near = np.flatnonzero(np.minimum(square, centred) < _NEAR * size)
        for part in np.array_split(near, 1 + len(near) * n // LARGE):
            if not len(part):
                continue
            differences = block_differences(blocks, pairs[part], on)
            for name, values in differences.sums().items():
                sums[name][part] = values
            lengths[part] = np.linalg.norm(differences.d, axis=0) * differences.units
            own = differences.centred()
            centred_lengths[part] = np.linalg.norm(own, axis=0) * differences.units
            cross[part] = w @ own * differences.units
    small = np.minimum(lengths, centred_lengths) < _CLOSE * np.sqrt(size) * unit
    close = np.flatnonzero(small & (lengths > 0) & ~exact).tolist()
    return _Summaries(sums, lengths, centred_lengths, cross, close)

"""Differences of many pairs of algorithms, block by block, of scores or of ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from pycompare.base.arguments import check_word
from pycompare.base.tables import Labelled
from pycompare.base.typing import Bools, Floats, Ints, PairIndices
from pycompare.data.blocks import Blocks
from pycompare.kernels.cluster_means import sums_by
from pycompare.kernels.units import binary_unit
from pycompare.methods.pairs.ttest import ROUNDING
from pycompare.results.placement import MEAN_RANKS, Placement, means_of
from pycompare.results.result import NOT_AVAILABLE

On = Literal["scores", "ranks"]

STATISTIC = "standardised sum Σd/√Σd²"
NO_LIMITS = f"{NOT_AVAILABLE}: signs of rank differences give no limits of mean ranks"


@dataclass(frozen=True, eq=False)
class BlockDifferences:
    """Differences of pairs, in a unit of each pair that no square leaves.

    Attributes
    ----------
    d : ndarray, shape (n, m)
        algorithm_1 minus algorithm_2 over ``units``; exactly equal in all blocks if
        only rounding is between them. With weighted benchmarks their sum is the
        weighted mean.
    units : ndarray, shape (m,)
        Powers of two.
    weights : ndarray, shape (n,)
        How many cases per row of ``d`` sums; 1 if it is one block. With weighted
        benchmarks see ``Blocks.weights``.
    codes : ndarray of int, shape (n,)
        The benchmark of each row.
    flat : ndarray of bool, shape (n_benchmarks, m)
        Whether a pair has one difference in all blocks of a benchmark.
    widths : ndarray, shape (m,)
        Means up to it are rounding, over ``units``.
    """

    d: Floats
    units: Floats
    weights: Floats
    codes: Ints
    flat: Bools
    widths: Floats

    def means(self) -> Floats:
        """Return mean differences, over ``units``."""
        return np.asarray(self.totals() / self.weights.sum())

    def totals(self) -> Floats:
        """Return sums of differences, over ``units``; 0 if they are rounding."""
        sums = self.d.sum(axis=0)
        return np.where(np.abs(sums) > self.widths * self.weights.sum(), sums, 0.0)

    def sums(self) -> dict[str, Floats]:
        """Return mean differences with the standard error of their signs.

        The statistic, sum D / sqrt(sum D^2), is NaN if all differences are 0.
        """
        own = np.linalg.norm(self.d, axis=0)
        length = np.where(own > 0, own, np.nan)
        return {
            "estimate": self.means() * self.units,
            "std_error": length / self.weights.sum() * self.units,
            "statistic": self.totals() / length,
            "df": np.full(len(length), np.inf),
        }

    def centred(self) -> Floats:
        """Return differences less the means of their benchmarks, over ``units``."""
        weights = self.weights[:, None]
        means = sums_by(self.codes, self.d) / sums_by(self.codes, weights)
        expected = weights * means[self.codes]
        return np.where(self.flat[self.codes], 0.0, self.d - expected)


def centred_errors(blocks: Blocks, estimate: Floats, std_error: Floats) -> Floats:
    """Return standard errors about the mean difference, of those of signs.

    ``std_error`` is the root of the sum of squares about 0, over n, as in
    `BlockDifferences.sums`: with it a difference has one standard deviation at most.
    NaN for blocks of several cases, whose sizes it does not show, and for one block.
    """
    n = len(blocks.values)
    if n < 2 or blocks.sizes is not None or blocks.strata is not None:
        return np.full(len(std_error), np.nan)
    return np.sqrt(np.maximum(n * std_error**2 - estimate**2, 0.0) / (n - 1))


def check_on(on: str) -> None:
    """Reject an unknown word."""
    check_word("on", on, get_args(On))


def block_differences(
    blocks: Blocks, pairs: PairIndices | Ints, on: On
) -> BlockDifferences:
    """Return the differences of pairs, of scores in their own direction or of ranks."""
    higher = on == "scores" and blocks.metric.sign < 0
    values = blocks.ranks() if on == "ranks" else blocks.values
    first, second = np.array(pairs).T
    values_1, values_2 = values[:, first], values[:, second]
    noise = np.maximum(np.abs(values_1), np.abs(values_2))
    units = binary_unit(noise, axis=0)[0]
    values_1, values_2, noise = values_1 / units, values_2 / units, noise / units
    d = values_2 - values_1 if higher else values_1 - values_2
    flat = []
    for code in range(blocks.codes.max() + 1):
        rows = blocks.codes == code
        d[rows], alike = _without_rounding(d[rows], noise[rows], blocks.cases[rows])
        flat.append(alike)
    d = d if blocks.strata is None else d * blocks.factors
    widths = ROUNDING * np.max(noise / blocks.cases[:, None], axis=0)
    return BlockDifferences(
        d, units, blocks.weights, blocks.codes, np.array(flat), widths
    )


def _without_rounding(
    d: Floats, noise: Floats, weights: Floats
) -> tuple[Floats, Bools]:
    """Return differences as they are, but equal if they all round to their mean."""
    width = ROUNDING * noise.max(axis=0)
    mean = weights[:, None] * (d.sum(axis=0) / weights.sum())
    flat = np.max(np.abs(d - mean), axis=0) <= width
    none = np.max(np.abs(mean), axis=0) <= width
    return np.where(flat, np.where(none, 0.0, mean), d), flat


def positions(blocks: Blocks, on: On) -> Labelled:
    """Return mean scores turned so that lower is better, or mean ranks."""
    if on == "ranks" and blocks.ranked is None:
        ranks = blocks.ranks()
        return blocks.per_algorithm(np.sum(ranks / len(ranks), axis=0))
    return blocks.per_algorithm(blocks.means())


def placement_of(blocks: Blocks, on: On) -> Placement:
    """Return what algorithms are placed by."""
    return MEAN_RANKS if on == "ranks" else means_of(blocks.metric.name)


def tied_note(statistic: Floats) -> list[str]:
    """Return how many pairs have no difference at all."""
    tied_pairs = int(np.isnan(statistic).sum())
    if not tied_pairs:
        return []
    return [f"{tied_pairs} of {len(statistic)} pairs tie in every block: p = 1"]

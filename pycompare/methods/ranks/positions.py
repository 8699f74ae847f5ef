"""Mean ranks of algorithms by each rank method, and the errors of their differences."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks
from pycompare.kernels.ranks import permutation_chi2
from pycompare.methods.ranks.aligned import aligned_ranks_table
from pycompare.methods.ranks.quade import block_weights, weighted_scores
from pycompare.methods.ranks.skillings_mack import check_connected, incomplete_sums
from pycompare.results.placement import MEAN_RANKS, Placement


@dataclass(frozen=True, eq=False)
class Positions:
    """Where each algorithm stands, and how far apart chance puts two of them.

    Attributes
    ----------
    sums : ndarray, shape (a,)
        Rank sums; integers or halves for complete tables, so that equal differences
        are equal to the last bit.
    unit : float
        ``sums / unit`` are mean ranks.
    std_errors : ndarray, shape (a, a)
        Standard error of each difference of mean ranks.
    common : bool
        Whether all standard errors are the same: p-values then fall with distance.
    placement : Placement
        What positions are, in words.
    reference : str
    cells : ndarray, shape (n, a); none for ranks with gaps
        Whole numbers whose column sums are ``parts * sums``; swapping two algorithms
        in a block swaps their two cells and changes nothing else.
    parts : int
    largest : int
        No two cells of a block differ by more, in any table of this size.
    """

    sums: Floats
    unit: float
    std_errors: Floats
    common: bool
    placement: Placement
    reference: str
    cells: Ints = field(default_factory=lambda: np.empty((0, 0), np.int64))
    parts: int = 1
    largest: int = 0


def friedman_positions(blocks: Blocks, rule: str) -> Positions:
    """Return mean ranks within blocks; z as in Demsar (2006)."""
    ranks = blocks.ranks()
    n, a = ranks.shape
    variance = a * (a + 1) / (6 * n)
    if rule == "permutation":
        variance = float(permutation_chi2(ranks)[1])
    return _equal_errors(
        ranks.sum(axis=0),
        n,
        variance,
        MEAN_RANKS,
        "Demsar (2006) JMLR 7, 1-30",
        _whole(ranks, 2),
        2,
        2 * (a - 1),
    )


def aligned_positions(blocks: Blocks, rule: str) -> Positions:
    """Return mean aligned ranks."""
    ranks = aligned_ranks_table(blocks)
    n, a = ranks.shape
    # Garcia et al. (2010): as if the N ranks were dealt out regardless of blocks.
    variance = a * (a * n + 1) / 6
    if rule == "permutation":
        variance = float(permutation_chi2(ranks)[1])
    return _equal_errors(
        ranks.sum(axis=0),
        n,
        variance,
        Placement("mean aligned ranks", "mean aligned rank"),
        "Hodges & Lehmann (1962) Ann. Math. Statist. 33, 482-497",
        _whole(ranks, 2),
        2,
        2 * (a * n - 1),
    )


def quade_positions(blocks: Blocks, rule: str) -> Positions:
    """Return mean ranks weighted by the blocks' ranks of range."""
    ranks, weights = blocks.ranks(), block_weights(blocks)
    n, a = ranks.shape
    unit = n * (n + 1) / 2
    variance = a * (a + 1) * (2 * n + 1) * (a - 1) / (18 * n * (n + 1))
    if rule == "permutation":
        of_means = float(permutation_chi2(weighted_scores(ranks, weights))[1])
        variance = of_means * (n / unit) ** 2
    return _equal_errors(
        weights @ ranks,
        unit,
        variance,
        Placement("weighted mean ranks (Quade)", "weighted mean rank (Quade)"),
        "Quade (1979) JASA 74, 680-683",
        _whole(weights[:, None] * ranks, 4),
        4,
        4 * n * (a - 1),
    )


def _whole(cells: Floats, parts: int) -> Ints:
    """Return multiples of 1 / parts as whole numbers."""
    return np.rint(parts * cells).astype(np.int64)


def _equal_errors(
    sums: Floats,
    unit: float,
    variance: float,
    placement: Placement,
    reference: str,
    cells: Ints,
    parts: int,
    largest: int,
) -> Positions:
    """Make positions whose differences all have one variance; 0 means all tied."""
    error = math.sqrt(variance) if variance > 0 else math.nan
    errors = np.full((len(sums), len(sums)), error)
    return Positions(
        sums, unit, errors, True, placement, reference, cells, parts, largest
    )


def incomplete_positions(blocks: Blocks) -> Positions:
    """Return mean ranks adjusted for missing cells, each pair with its own error."""
    design = incomplete_sums(blocks.values, "corrected")
    check_connected(blocks, design)
    if np.any(design.covariance):
        check_connected(blocks, design, np.abs(design.covariance) > 0)
    covariance = design.effects_covariance()
    variance = np.diag(covariance)
    squared = variance[:, None] + variance[None, :] - 2 * covariance
    errors = np.sqrt(np.where(squared > 0, squared, np.nan))
    a = len(blocks.algorithms)
    return Positions(
        (a + 1) / 2 + design.effects(),
        1.0,
        errors,
        False,
        Placement("adjusted mean ranks", "adjusted mean rank"),
        "Skillings & Mack (1981) Technometrics 23, 171-177",
    )

"""Mean ranks of algorithms, and the errors of their differences.

Those of another rank test stand beside it, such as ``quade_positions`` in ``quade.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks
from pycompare.kernels.ranks import permutation_chi2
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
    """Return mean ranks within blocks; z as in Demšar (2006)."""
    ranks = blocks.ranks()
    n, a = ranks.shape
    variance = a * (a + 1) / (6 * n)
    if rule == "permutation":
        variance = float(permutation_chi2(ranks)[1])
    return equal_errors(
        ranks.sum(axis=0),
        n,
        variance,
        MEAN_RANKS,
        "Demšar (2006) JMLR 7, 1-30",
        whole_cells(ranks, 2),
        2,
        2 * (a - 1),
    )


def whole_cells(cells: Floats, parts: int) -> Ints:
    """Return multiples of 1 / parts as whole numbers."""
    return np.rint(parts * cells).astype(np.int64)


def equal_errors(
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
    errors = np.broadcast_to(error, (len(sums), len(sums)))
    return Positions(
        sums, unit, errors, True, placement, reference, cells, parts, largest
    )

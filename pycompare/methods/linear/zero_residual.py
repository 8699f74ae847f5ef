"""Exact p-values of scores that a model fits without error.

F and t are infinite there and have no distribution. The remaining choice is to count
the arrangements of the scores that could be fitted as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

_MOST_UNEVEN = 8
"""More algorithms with unequal numbers of scores are not counted: too many ways."""


def blocks_p(levels: Sequence[int], n_blocks: int) -> float:
    """Return the share of arrangements within blocks that fit without error.

    Parameters
    ----------
    levels : sequence of int
        Of each algorithm; those with equal effects share a level.
    n_blocks : int
        Complete blocks.

    Returns
    -------
    float
        ``(prod m_i! / a!)^(b - 1)`` for levels of m_i algorithms: a block has a! /
        prod m_i! orders, and all blocks must have that of the first. 2^(1 - b) for two.
    """
    sizes = [list(levels).count(level) for level in set(levels)]
    alike = math.prod(map(math.factorial, sizes)) / math.factorial(len(levels))
    return float(alike ** (n_blocks - 1))


def deals_p(levels: Sequence[int], counts: Sequence[int]) -> float:
    """Return the share of deals of all scores that leave each algorithm one value.

    Parameters
    ----------
    levels : sequence of int
        Of each algorithm; those with equal scores share a level.
    counts : sequence of int
        Number of scores of each algorithm.

    Returns
    -------
    float
        NaN for more than eight algorithms with unequal numbers of scores.
    """
    own = [
        sum(n for n, at in zip(counts, levels, strict=True) if at == level)
        for level in set(levels)
    ]
    if len(set(counts)) == 1:
        sizes = [list(levels).count(level) for level in set(levels)]
        ways = math.factorial(len(counts)) // math.prod(map(math.factorial, sizes))
    elif len(counts) <= _MOST_UNEVEN:
        ways = ways_to_fill(tuple(sorted(counts)), tuple(sorted(own)))
    else:
        return math.nan
    alike = ways * math.prod(map(math.factorial, own))
    return alike / math.factorial(sum(counts))


@lru_cache(maxsize=4096)
def ways_to_fill(counts: tuple[int, ...], room: tuple[int, ...]) -> int:
    """Count the ways to give each algorithm a level so that all levels are used up."""
    if not counts:
        return 1
    *rest, largest = counts
    return sum(
        ways_to_fill(
            tuple(rest), tuple(sorted((*room[:k], left - largest, *room[k + 1 :])))
        )
        for k, left in enumerate(room)
        if left >= largest
    )

"""How many items a gate needs: power of its tests if both models are equal."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from pycompare.kernels.matched_pairs import least_wins

_SEARCHED = 10_000_000
"""Items at most that are looked for."""
_FINE = 400
"""Sizes tried one by one; larger ones in steps of a few thousandths."""
_MOST_EXACT = 2_000
"""Items up to which power is that of the counts; the normal one is as good above."""


def score_power(
    n: int,
    margin: float,
    discordance: float,
    critical: float,
    difference: float = 0.0,
) -> float:
    """Return P(score statistic against -margin >= critical).

    Parameters
    ----------
    n : int
    margin, discordance : float
        The largest acceptable loss, and the share of items that one of both wins.
    critical : float
    difference : float
        P(win) - P(loss); 0: the shares are equal.
    """
    counts = np.arange(n + 1.0)
    least = least_wins(counts, n, -margin, critical)
    weights = np.exp(
        -special.betaln(counts + 1, n - counts + 1)
        - math.log(n + 1)
        + special.xlogy(counts, discordance)
        + special.xlog1py(n - counts, -discordance)
    )
    inner = (least > 0) & (least <= counts)
    x, y = np.where(inner, least, 1.0), np.where(inner, counts - least + 1, 1.0)
    of_wins = (discordance + difference) / (2 * discordance)
    given = np.where(inner, special.betainc(x, y, of_wins), least <= 0)
    return float(weights @ given)


def needed_of_scores(
    margin: float, discordance: float, alpha: float, power: float
) -> int:
    """Return the fewest independent right/wrong items from which the power holds.

    The exact test has the power of the score test within a hundredth.
    """
    if discordance <= 0:
        return 1
    critical = -float(special.ndtri(alpha))
    start = needed_by_normal(margin, discordance, alpha, power)
    if start > _MOST_EXACT:
        return start

    def holds(n: int) -> bool:
        return score_power(n, margin, discordance, critical) >= power

    return _fewest(holds, start)


def needed_by_normal(margin: float, variance: float, alpha: float, power: float) -> int:
    """Return the items that a normal test needs; ``variance`` is of one difference."""
    z = -float(special.ndtri(alpha)) + float(special.ndtri(power))
    return max(1, math.ceil((z * math.sqrt(variance) / margin) ** 2))


def needed_of_bounded(
    margin: float, width: float, variance: float, alpha: float, power: float
) -> int:
    """Return the units that the bounded test needs, by an approximation.

    Its limit is about that of the mean of n + 1 numbers of which one is the lowest.
    """
    z_alpha, z_beta = -float(special.ndtri(alpha)), float(special.ndtri(power))

    def holds(n: int) -> bool:
        own = width / n
        needed = own + z_alpha * math.sqrt(variance / n + own**2)
        return margin >= needed + z_beta * math.sqrt(variance / n)

    return _fewest(holds, 2)


def _fewest(holds: Callable[[int], bool], start: int) -> int:
    """Return the fewest from which it holds, near the largest that fails.

    Power rises in saw teeth: beyond the size that is returned no tooth near it fails.
    """
    low, high = 1, max(start, 2)
    while not holds(high) and high < _SEARCHED:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    far = min(high + max(_FINE // 4, high // 10), _SEARCHED)
    step = max(1, (far - high) // _FINE)
    failing = [n for n in range(high, far, step) if not holds(n)]
    return failing[-1] + step if failing else high

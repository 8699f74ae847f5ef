"""Exchanges of ranks between curves within cases: p-values of differences of areas."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pycompare.base.parallel.draws import on_draws, portions
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels import placements
from pycompare.kernels.resampled_curves import CurveMeasure, cumulative

AreaStatistic = Callable[[Floats], Floats | Ints]
"""From ranks, shape (b, n), to b areas or counts of them."""
_AT_ONCE = 2**22
_ROUNDING = 1e-12
"""Differences of areas that are equal may differ by this share."""


def wins(truth: Bools) -> AreaStatistic:
    """Return the statistic of areas under ROC curves: whole counts."""
    return lambda ranks: placements.doubled_wins(truth, ranks)[0]


def measured(truth: Bools, measure: CurveMeasure) -> AreaStatistic:
    """Return the statistic of a measure of cumulative counts."""

    def of(ranks: Floats) -> Floats:
        n = ranks.shape[1]
        # Mid-ranks of n cases are halves from 1 to n: places from the highest on.
        places = (2 * (n - ranks)).astype(np.intp)
        fp, tp = (cumulative(places[:, side], 2 * n - 1) for side in (~truth, truth))
        return np.asarray(measure(fp, tp))

    return of


def exact_p(ranks: Floats, statistic: AreaStatistic, alternative: str) -> float:
    """Return the share of all exchanges that are at least as far."""
    n = ranks.shape[1]
    bits = np.arange(n)
    step = max(1, _AT_ONCE // n)
    far = 0
    for start in range(0, 2**n, step):
        numbers = np.arange(start, min(start + step, 2**n))
        exchanged = (numbers[:, None] >> bits & 1).astype(bool)
        far += _count_far(ranks, exchanged, statistic, alternative)
    return far / 2**n


def drawn_p(
    ranks: Floats,
    statistic: AreaStatistic,
    rng: np.random.Generator,
    resamples: int,
    *,
    alternative: str = "two-sided",
    cluster: Ints | None = None,
) -> float:
    """Return the share of drawn exchanges at least as far, the data among them.

    Parameters
    ----------
    ranks : ndarray, shape (2, n)
        Mid-ranks of the cases by two curves.
    statistic : callable
    cluster : ndarray of int, shape (n,), optional
        Codes 0, 1, ...: cases of a cluster are exchanged together.
    """
    n = ranks.shape[1]
    units = n if cluster is None else int(cluster.max()) + 1
    far = on_draws(
        _drawn_far,
        (ranks, statistic, alternative, cluster),
        lambda stream, b: stream.integers(0, 2, (b, units), dtype=np.uint8),
        rng,
        portions(resamples, _AT_ONCE // n),
        resamples * n,
    )
    return (1 + sum(far)) / (1 + resamples)


def _drawn_far(
    held: tuple[Floats, AreaStatistic, str, Ints | None], coins: NDArray[np.uint8]
) -> int:
    """Count exchanges of units, each by a coin, that are at least as far."""
    ranks, statistic, alternative, cluster = held
    exchanged = coins.astype(bool)
    if cluster is not None:
        exchanged = exchanged[:, cluster]
    return _count_far(ranks, exchanged, statistic, alternative)


def _count_far(
    ranks: Floats, exchanged: Bools, statistic: AreaStatistic, alternative: str
) -> int:
    """Count exchanges whose difference is at least as far as that of the data."""
    first, second = ranks

    def difference(swap: Bools) -> Floats:
        swapped = statistic(np.where(swap, second, first))
        return np.asarray(swapped - statistic(np.where(swap, first, second)), float)

    data = difference(np.zeros((1, ranks.shape[1]), bool))[0]
    differences = difference(exchanged)
    rounding = _ROUNDING * abs(data)  # less than one count of pairs of cases
    if alternative == "two-sided":
        return int(np.sum(np.abs(differences) >= abs(data) - rounding))
    if alternative == "greater":
        return int(np.sum(differences >= data - rounding))
    return int(np.sum(differences <= data + rounding))


def spread(truth: Bools, ranks: Floats) -> float:
    """Return the sum of squares of areas about their mean."""
    area = placements.auc(truth, ranks)
    return float(np.sum((area - area.mean()) ** 2))


def all_equal_p(
    truth: Bools,
    ranks: Floats,
    rng: np.random.Generator,
    resamples: int,
    *,
    cluster: Ints | None = None,
) -> float:
    """Return the share of permutations of curves whose areas differ at least as much.

    Parameters
    ----------
    ranks : ndarray, shape (k, n)
        Mid-ranks of the cases by each curve, permuted within cases, or clusters.
    """
    k, n = ranks.shape
    units = n if cluster is None else int(cluster.max()) + 1
    far = on_draws(
        _permuted_far,
        (truth, ranks, cluster),
        lambda stream, b: stream.random((b, k, units)),
        rng,
        portions(resamples, _AT_ONCE // (k * n)),
        resamples * k * n,
    )
    return (1 + sum(far)) / (1 + resamples)


def _permuted_far(held: tuple[Bools, Floats, Ints | None], uniforms: Floats) -> int:
    """Count permutations of curves whose areas differ at least as much."""
    truth, ranks, cluster = held
    (b, k, _), n = uniforms.shape, ranks.shape[1]
    count = wins(truth)
    least = _squares(count(ranks)[:, None])[0]
    order = np.argsort(uniforms, axis=1)
    if cluster is not None:
        order = order[:, :, cluster]
    permuted = ranks[order, np.arange(n)].reshape(b * k, n)
    squares = _squares(count(permuted).reshape(b, k).T)
    return int(np.sum(squares >= least * (1 - _ROUNDING)))


def _squares(counts: Floats | Ints) -> Floats:
    """Return sums of squares about the mean of each column, shape (k, b)."""
    return np.asarray(np.sum((counts - counts.mean(axis=0)) ** 2, axis=0))

"""Rankings of algorithms over the cases of a challenge, and over resampled cases.

Values of an algorithm are columns, cases are rows, lower is better. A case may count
several times: with the counts of a resample, one product of matrices gives the mean
ranks of all resamples.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from pycompare.base.typing import Bools, Floats, Indices, Ints, TiedRanks
from pycompare.kernels.r_random import Uniforms
from pycompare.kernels.ranks import midranks


def case_ranks(values: Floats, ties: TiedRanks = "mean") -> Floats:
    """Rank each row, the smallest first; NaN is a failure, behind all numbers.

    ``mean``: ties, and failures, share the mean of their ranks. ``min``: they have the
    first of these ranks, so that a failure has the rank after the last score.
    """
    failed = np.isnan(values)
    if failed.any():
        largest = np.max(np.where(failed, -np.inf, values), axis=1, keepdims=True)
        largest = np.where(np.isfinite(largest), largest, 0.0)
        behind = largest + 2 * np.maximum(1.0, np.abs(largest))
        values = np.where(failed, behind, values)
    ranks = midranks(values)
    return ranks if ties == "mean" else _first_of_ties(ranks)


def _first_of_ties(ranks: Floats) -> Floats:
    """Return the first of the ranks that ties share, of their means."""
    order = np.argsort(ranks, axis=1)
    ordered = np.take_along_axis(ranks, order, axis=1)
    places = np.arange(1.0, ranks.shape[1] + 1)
    begins = np.diff(ordered, axis=1, prepend=0.0) > 0
    first = np.maximum.accumulate(np.where(begins, places, 0.0), axis=1)
    result = np.empty_like(ranks)
    np.put_along_axis(result, order, first, axis=1)
    return result


def unit_counts(uniforms: Uniforms, n_units: int, n_resamples: int) -> Floats:
    """Draw how often each unit is in each resample, shape (n_resamples, n_units).

    In R, ``floor(n * runif(n))`` are the units of a resample, from 0.
    """
    drawn = np.floor(n_units * uniforms.draw(n_resamples, n_units)).astype(np.intp)
    drawn += n_units * np.arange(n_resamples)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=n_units * n_resamples)
    return counts.reshape(n_resamples, n_units).astype(float)


def means(counts: Floats, sums: Floats, sizes: Floats) -> Floats:
    """Return means over units that count so often, shape (n_resamples, a).

    ``sums`` are those of each unit's cases, ``sizes`` their numbers.
    """
    return np.asarray((counts @ sums) / (counts @ sizes)[:, None])


def quantiles(counts: Floats, values: Floats, q: float) -> Floats:
    """Return a quantile of each column if rows count so often, shape (n_resamples, a).

    As R's ``quantile`` (type 7) of the repeated values.
    """
    result = np.empty((len(counts), values.shape[1]))
    for at, column in enumerate(values.T):
        order = np.argsort(column, kind="stable")
        ordered, below = column[order], np.cumsum(counts[:, order], axis=1)
        place = (below[:, -1] - 1) * q
        low = np.floor(place)
        share = place - low
        first = ordered[np.argmax(below > low[:, None], axis=1)]
        high = np.minimum(low + 1, below[:, -1] - 1)
        second = ordered[np.argmax(below > high[:, None], axis=1)]
        result[:, at] = np.where(share > 0, (1 - share) * first + share * second, first)
    return result


def signed_rank_p(counts: Floats, better: Floats, noise: Floats) -> Floats:
    """Return one-sided p-values of the signed rank test, shape (n_resamples, 2).

    Parameters
    ----------
    counts : ndarray, shape (n_resamples, n)
    better : ndarray, shape (n,)
        By how much the first algorithm is better on each case.
    noise : ndarray, shape (n,)
        Size of the numbers behind the differences.

    Returns
    -------
    ndarray
        That the first algorithm is better, and that the second is.

    Notes
    -----
    R: ``wilcox.test(x, y, paired = TRUE, exact = FALSE, alternative = "greater")``:
    zeros left out, ties corrected, continuity corrected. 1 if all differences are 0.
    """
    size = np.abs(better)
    size[size <= 8 * np.finfo(float).eps * noise] = 0.0
    ranks = midranks(size, noise)
    kept = np.flatnonzero(size > 0)
    if not len(kept):
        return np.ones((len(counts), 2))
    order = kept[np.argsort(ranks[kept], kind="stable")]
    starts = np.flatnonzero(np.diff(ranks[order], prepend=-1.0))
    own = counts[:, order]
    held = np.add.reduceat(own, starts, axis=1)
    first = np.add.reduceat(own * (better[order] > 0), starts, axis=1)
    below = np.cumsum(held, axis=1)
    n = below[:, -1]
    centred = (first * (below - held + (held + 1) / 2)).sum(axis=1) - n * (n + 1) / 4
    tied = (held**3 - held).sum(axis=1)
    variance = n * (n + 1) * (2 * n + 1) / 24 - tied / 48
    with np.errstate(invalid="ignore", divide="ignore"):
        z = (np.stack([centred, -centred], axis=1) - 0.5) / np.sqrt(variance)[:, None]
    return np.where(n[:, None] > 0, special.ndtr(-z), 1.0)


def shares_beaten(
    counts: Floats, values: Floats, alpha: float, *, holm: bool
) -> Floats:
    """Return the share of rivals that each algorithm beats, shape (n_resamples, a).

    Each ordered pair has a one-sided signed rank test; ``holm`` adjusts all of them.
    """
    a = values.shape[1]
    first, second = np.triu_indices(a, 1)
    p = np.empty((len(counts), len(first), 2))
    if len(counts) == 1 and (counts == 1).all():
        p[0] = _of_all_pairs(values, first, second)
    else:
        for at, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            noise = np.maximum(np.abs(values[:, i]), np.abs(values[:, j]))
            p[:, at] = signed_rank_p(counts, values[:, j] - values[:, i], noise)
    flat = p.reshape(len(counts), -1)
    beaten = _holm(flat, alpha) if holm else flat <= alpha
    winner = np.stack([first, second], axis=1).ravel()
    member = np.equal.outer(winner, np.arange(a)).astype(float)
    return np.asarray(beaten @ member / (a - 1))


_AT_ONCE = 500_000
"""Differences that are ranked together."""


def _of_all_pairs(values: Floats, first: Indices, second: Indices) -> Floats:
    """Return what `signed_rank_p` does if each row counts once, many pairs at once."""
    n = len(values)
    parts = np.array_split(np.arange(len(first)), 1 + len(first) * n // _AT_ONCE)
    return np.vstack([_of_pairs(values.T, first[at], second[at]) for at in parts])


def _of_pairs(x: Floats, first: Indices, second: Indices) -> Floats:
    better = x[second] - x[first]
    noise = np.maximum(np.abs(x[first]), np.abs(x[second]))
    size = np.abs(better)
    size[size <= 8 * np.finfo(float).eps * noise] = 0.0
    some = size > 0
    n = some.sum(axis=1)
    ranks = midranks(size, noise)
    group = 2 * (ranks - _first_of_ties(ranks)) + 1
    above = np.where(some, ranks - (some.shape[1] - n)[:, None], 0.0)
    total = (above * (better > 0)).sum(axis=1)
    tied = np.where(some, group**2 - 1, 0.0).sum(axis=1)
    centred = total - n * (n + 1) / 4
    variance = n * (n + 1) * (2 * n + 1) / 24 - tied / 48
    with np.errstate(invalid="ignore", divide="ignore"):
        z = (np.stack([centred, -centred], axis=1) - 0.5) / np.sqrt(variance)[:, None]
    return np.where(n[:, None] > 0, special.ndtr(-z), 1.0)


def _holm(p: Floats, alpha: float) -> Bools:
    """Return which hypotheses of each row Holm's procedure rejects."""
    order = np.argsort(p, axis=1, kind="stable")
    m = p.shape[1]
    small = np.take_along_axis(p, order, axis=1) * np.arange(m, 0, -1) <= alpha
    rejected = np.empty(p.shape, bool)
    np.put_along_axis(rejected, order, np.logical_and.accumulate(small, axis=1), axis=1)
    return rejected


@lru_cache(maxsize=64)
def usual_share(a: int) -> float:
    """Return the mean share of resamples that the winner of ``a`` equal means wins.

    In large samples the means of equal algorithms, less their mean, are normal, and so
    are those of a resample about them, with the same variance.
    """
    rng = np.random.default_rng(0)
    means, drawn = rng.normal(size=(_CHALLENGES, a)), rng.normal(size=(_RESAMPLES, a))
    best = means.argmin(axis=1)
    won = [
        (row + drawn).argmin(axis=1) == at for row, at in zip(means, best, strict=True)
    ]
    return float(np.mean(won))


_CHALLENGES, _RESAMPLES = 2000, 500
_CELLS = 2**16
"""Signs of pairs that are held at once: they stay in the cache."""


def kendall(ranks: Floats, whole: Floats) -> Floats:
    """Return Kendall's tau-b of each row of ranks with one ranking; NaN if all tie.

    R: ``cor(x, y, method = "kendall")``.
    """
    i, j = np.triu_indices(len(whole), 1)
    of_whole = np.sign(whole[i] - whole[j])
    untied, agreed = np.zeros((2, len(ranks)))
    rows = max(1, _CELLS // max(1, len(i)))
    for some in (slice(k, k + rows) for k in range(0, len(ranks), rows)):
        signs = np.sign(ranks[some][:, i] - ranks[some][:, j])
        untied[some], agreed[some] = np.abs(signs).sum(axis=1), signs @ of_whole
    untied *= np.abs(of_whole).sum()
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(untied > 0, agreed / np.sqrt(untied), np.nan))


def sums_of_units(values: Floats, codes: Ints, n_units: int) -> Floats:
    """Return the sum of the rows of each unit."""
    sums = np.zeros((n_units, values.shape[1]))
    np.add.at(sums, codes, values)
    return sums

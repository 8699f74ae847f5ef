"""One-shot (U-statistic) covariances of AUCs of any cells of readers and cases.

An AUC is a mean over pairs of a positive case p and a negative case q of the score
psi_pq (1, 1/2 or 0). Products of two scores are sorted by their common cases:
nothing, p, q, or both. For independent cases the mean of the first sort is unbiased for
the product of the expectations, so AUC times AUC less that mean is an unbiased
covariance (Gallas 2006, Academic Radiology 13, 353-362; Gallas and Brown 2008, Neural
Networks 21, 387-397).
"""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Bools, Floats
from pycompare.kernels.placements import auc


def cell_covariance(truth: Bools, rows: Floats) -> tuple[Floats, Floats]:
    """Return AUCs and their unbiased covariances.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    rows : ndarray, shape (k, n)
        NaN if a cell did not rate a case.

    Returns
    -------
    area : ndarray, shape (k,)
    covariance : ndarray, shape (k, k)
        0 if two cells have no common case; NaN if no two pairs are apart.
    """
    up, down = rows[:, truth], rows[:, ~truth]
    read_up, read_down = (np.where(np.isnan(x), 0.0, 1.0) for x in (up, down))
    sizes = read_up.sum(axis=1), read_down.sum(axis=1)
    pairs = sizes[0] * sizes[1]
    by_up, by_down, squares = _centred_sums(up, down)
    total = by_up.sum(axis=1)
    area = total / pairs
    products = _apart(total, by_up, by_down, squares)
    number = _apart(
        pairs,
        read_up * sizes[1][:, None],
        read_down * sizes[0][:, None],
        (read_up @ read_up.T) * (read_down @ read_down.T),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        # Gallas (2006): the product of AUCs less the mean over pairs apart.
        covariance = np.outer(area, area) - products / number
    read = np.hstack([read_up, read_down])
    return area + 0.5, np.where(read @ read.T > 0, covariance, 0.0)


def _centred_sums(up: Floats, down: Floats) -> tuple[Floats, Floats, Floats]:
    """Sum scores less 1/2 over negative cases, over positive ones, and products.

    Less a constant, the estimate stays unbiased and less cancels.
    """
    k, n = up.shape
    by_up, by_down = np.zeros(up.shape), np.zeros(down.shape)
    squares = np.zeros((k, k))
    step = max(1, AT_ONCE // (k * down.shape[1]))
    for at in range(0, n, step):
        part = slice(at, at + step)
        with np.errstate(invalid="ignore"):
            x = np.nan_to_num(np.sign(up[:, part, None] - down[:, None, :])) / 2
        by_up[:, part] = x.sum(axis=2)
        by_down += x.sum(axis=1)
        flat = x.reshape(k, -1)
        squares += flat @ flat.T
    return by_up, by_down, squares


def _apart(total: Floats, by_up: Floats, by_down: Floats, squares: Floats) -> Floats:
    """Return, for two cells, the sum of products of pairs without a common case."""
    # All pairs, less those that share p or q; those that share both are back.
    either = by_up @ by_up.T + by_down @ by_down.T
    return np.asarray(np.outer(total, total) - either + squares)


AT_ONCE = 2**22
"""Scores held at a time: bounds the memory."""
SHARED = ("r", "p", "q", "rp", "rq", "pq", "rpq")
"""Shared parts of two scores can: reader, positive case, negative case."""


def score_components(
    truth: Bools, first: Floats, second: Floats | None = None
) -> tuple[float, dict[str, float]]:
    """Return the mean score and its unbiased components of variance.

    Two scores psi_rpq and psi_r'p'q' that share a set of indices, and no other, have a
    covariance whose unbiased estimate is the mean product of such scores less that of
    scores that share nothing (Gallas 2006). Inclusion and exclusion turn the seven
    covariances into components: the variance of the mean is the sum of each component
    over the product of its numbers of readers and cases.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    first, second : ndarray, shape (r, n)
        Ratings with a modality; with ``second``, scores are differences.

    Returns
    -------
    mean : float
    components : dict
        Keys as in ``SHARED``; NaN if an index has one value only.
    """
    mean, sums, sizes = _shared_sums(truth, first, second)
    covariance = {}
    for common in ("", *SHARED):
        # Pairs that share these indices at least, less those that share more.
        products = pairs = 0.0
        for more in ("", *SHARED):
            if set(common) <= set(more):
                sign = (-1) ** (len(more) - len(common))
                products += sign * sums[more]
                pairs += sign * _number_of_pairs(more, sizes)
        covariance[common] = products / pairs if pairs else np.nan
    components: dict[str, float] = {}
    for common in SHARED:
        # Gallas (2006): a covariance is the sum of the components inside it.
        inside = sum(components[s] for s in components if set(s) < set(common))
        components[common] = covariance[common] - covariance[""] - inside
    return mean, components


def _number_of_pairs(common: str, sizes: dict[str, int]) -> float:
    """Return the ordered pairs of scores that share these indices at least."""
    n_pairs = 1.0
    for name, n in sizes.items():
        n_pairs *= n if name in common else n * n
    return n_pairs


def _shared_sums(
    truth: Bools, first: Floats, second: Floats | None
) -> tuple[float, dict[str, float], dict[str, int]]:
    """Return the mean score, and sums of products of scores that share indices.

    Scores are taken less their mean, which changes no covariance in a factorial design
    and leaves nothing large to cancel.
    """
    up, down = first[:, truth], first[:, ~truth]
    sizes = {"r": len(first), "p": up.shape[1], "q": down.shape[1]}
    mean = float(auc(truth, first).mean())
    if second is not None:
        mean -= float(auc(truth, second).mean())
    sums: dict[str, float] = dict.fromkeys(("", *SHARED), 0.0)
    by_rq = np.zeros((sizes["r"], sizes["q"]))
    step = max(1, AT_ONCE // (sizes["r"] * sizes["q"]))
    for at in range(0, sizes["p"], step):
        part = slice(at, at + step)
        x = _psi(up[:, part], down) - mean
        if second is not None:
            x -= _psi(second[:, truth][:, part], second[:, ~truth])
        by_rq += x.sum(axis=1)
        by_rp, by_pq = x.sum(axis=2), x.sum(axis=0)
        sums["rpq"] += float(np.sum(x * x))
        sums["rp"] += float(np.sum(by_rp**2))
        sums["pq"] += float(np.sum(by_pq**2))
        sums["p"] += float(np.sum(by_rp.sum(axis=0) ** 2))
    sums["rq"] = float(np.sum(by_rq**2))
    sums["r"] = float(np.sum(by_rq.sum(axis=1) ** 2))
    sums["q"] = float(np.sum(by_rq.sum(axis=0) ** 2))
    sums[""] = float(by_rq.sum() ** 2)
    return mean, sums, sizes


def _psi(up: Floats, down: Floats) -> Floats:
    """Return the score of each pair: 1 if positive is higher, 1/2 if equal."""
    a, b = up[..., :, None], down[..., None, :]
    return ((a > b) * 1.0 + (a >= b)) / 2

"""One-shot (U-statistic) covariances of AUCs of any cells of readers and cases.

An AUC is a mean over pairs of a positive case p and a negative case q of the score
psi_pq (1, 1/2 or 0). Products of two scores are sorted by what they have in common:
nothing, p, q, or both. For independent cases the mean of the first sort is unbiased for
the product of the expectations, so AUC times AUC less that mean is an unbiased
covariance (Gallas 2006, Academic Radiology 13, 353-362; Gallas and Brown 2008, Neural
Networks 21, 387-397).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def half_pairs(truth: Flags, row: Floats) -> tuple[Floats, Floats]:
    """Return psi and which pairs were rated, shape (n_positive, n_negative)."""
    up, down = row[truth][:, None], row[~truth][None]
    rated = ~np.isnan(up) & ~np.isnan(down)
    with np.errstate(invalid="ignore"):
        psi = ((up > down) * 1.0 + (up >= down)) / 2
    return psi * rated, np.where(rated, 1.0, 0.0)


def cell_covariance(truth: Flags, rows: Floats) -> tuple[Floats, Floats]:
    """Return AUCs and their unbiased covariances.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    rows : ndarray, shape (k, n)
        NaN where a cell did not rate a case.

    Returns
    -------
    area : ndarray, shape (k,)
    covariance : ndarray, shape (k, k)
        0 where two cells have no common case; NaN where no two pairs are apart.
    """
    psi, rated = zip(*(half_pairs(truth, row) for row in rows), strict=True)
    found = np.stack(psi)
    weight = np.stack(rated)
    pairs = weight.sum(axis=(1, 2))
    area = found.sum(axis=(1, 2)) / pairs
    # Less 1/2, a constant: the estimate stays unbiased, and less cancels.
    centred = (found - 0.5 * weight), area - 0.5
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = apart_sums(centred[0]) / apart_sums(weight)
    covariance = np.outer(centred[1], centred[1]) - apart
    read = np.concatenate([weight.any(axis=2), weight.any(axis=1)], axis=1) * 1.0
    return area, np.where(read @ read.T > 0, covariance, 0.0)


def apart_sums(x: Floats) -> Floats:
    """Return, for two cells, the sum of products of pairs without a common case."""
    k = len(x)
    total = x.sum(axis=(1, 2))
    by_positive, by_negative = x.sum(axis=2), x.sum(axis=1)
    flat = x.reshape(k, -1)
    return np.asarray(
        np.outer(total, total)
        - by_positive @ by_positive.T
        - by_negative @ by_negative.T
        + flat @ flat.T
    )

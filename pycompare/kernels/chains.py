"""Whether Markov chains agree, and how many independent draws they are worth.

Each chain is cut in half; draws are replaced by normal scores of their ranks, so that
no moment need exist (Vehtari et al. 2021, eq. 6-14).
"""

from __future__ import annotations

import numpy as np
from scipy import fft, special, stats

from pycompare.base.typing import Floats


def split_r_hat(draws: Floats) -> Floats:
    """Return the larger of the rank-normalised and the folded split R-hat.

    Parameters
    ----------
    draws : ndarray, shape (chains, draws, ...)
        At least four draws a chain.

    Returns
    -------
    ndarray, shape (...)
        1 if chains agree; NaN if all draws are equal.
    """
    halves = _halves(draws)
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    return np.maximum(_r_hat(_normal_scores(halves)), _r_hat(_normal_scores(folded)))


def bulk_sample_size(draws: Floats) -> Floats:
    """Return how many independent draws would give a mean of ranks as exactly.

    Parameters
    ----------
    draws : ndarray, shape (chains, draws, ...)

    Returns
    -------
    ndarray, shape (...)
        At most draws log10(draws) over all chains; NaN if all draws are equal.
    """
    return _sample_size(_normal_scores(_halves(draws)))


def sample_size(draws: Floats) -> Floats:
    """Return how many independent draws would give the mean as exactly.

    As ``bulk_sample_size``, of the draws themselves: for the error of a probability the
    draws are 0 and 1.
    """
    return _sample_size(_halves(draws))


def _halves(draws: Floats) -> Floats:
    """Cut each chain in half; the middle draw of an odd number is left out."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, draws.shape[1] - half :]])


def _normal_scores(draws: Floats) -> Floats:
    """Replace draws by normal scores of their ranks over all chains (Blom)."""
    flat = draws.reshape(-1, *draws.shape[2:])
    ranks = stats.rankdata(flat, axis=0)
    scores = special.ndtri((ranks - 0.375) / (len(flat) + 0.25))
    return scores.reshape(draws.shape)


def _within(draws: Floats) -> tuple[Floats, Floats]:
    """Return the mean variance in chains and the variance that all chains estimate."""
    n = draws.shape[1]
    within = draws.var(axis=1, ddof=1).mean(axis=0)
    between = draws.mean(axis=1).var(axis=0, ddof=1)
    return within, within * (n - 1) / n + between


def _r_hat(draws: Floats) -> Floats:
    """Return the potential scale reduction of chains."""
    within, total = _within(draws)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.sqrt(total / within))


def _sample_size(draws: Floats) -> Floats:
    """Return Geyer's effective sample size of chains, for each quantity."""
    chains, n = draws.shape[:2]
    flat = draws.reshape(chains, n, -1)
    within, total = _within(flat)
    covariance = _autocovariance(flat).mean(axis=0)
    sizes = np.full(flat.shape[2], np.nan)
    for k in np.flatnonzero(within > 0):
        rho = 1 - (within[k] - covariance[:, k] * n / (n - 1)) / total[k]
        rho[0] = 1.0
        sizes[k] = chains * n / max(_time(rho), 1 / np.log10(chains * n))
    return sizes.reshape(draws.shape[2:])


def _autocovariance(draws: Floats) -> Floats:
    """Return autocovariances of each chain at all lags, over n draws each."""
    n = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    length = fft.next_fast_len(2 * n, real=True)
    spectrum = fft.rfft(centred, length, axis=1)
    return fft.irfft(np.abs(spectrum) ** 2, length, axis=1)[:, :n] / n


def _time(rho: Floats) -> float:
    """Return the autocorrelation time by Geyer's initial monotone sequence."""
    pairs = rho[: len(rho) // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs <= 0)
    pairs = pairs[: negative[0]] if len(negative) else pairs
    falling = np.minimum.accumulate(pairs)
    # The first odd lag after the sequence counts where it is positive (Stan).
    after = rho[2 * len(pairs)] if 2 * len(pairs) < len(rho) else 0.0
    return float(-1 + 2 * falling.sum() + max(0.0, after))

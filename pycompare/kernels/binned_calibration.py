"""Calibration error within bins of the score: estimate, test and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import optimize, special

from pycompare.base.typing import Bools, Floats, Ints

_LEAST = 2
"""Cases of a bin: one has no variance."""
_ULPS = 64 * float(np.finfo(float).eps)


def bin_of(
    score: Floats, how: Literal["equal-width", "equal-mass"], n_bins: int
) -> tuple[Ints, Floats]:
    """Return the bin of each score, from 0 on, and the inner edges of the bins.

    A score on an edge is in the bin above it. Bins of equal mass end at scores, so
    that equal scores are in one bin.
    """
    at = np.arange(1, n_bins)
    if how == "equal-width":
        edges = at / n_bins
    else:
        edges = np.sort(score)[at * len(score) // n_bins]
    return np.searchsorted(edges, score, side="right"), edges


@dataclass(frozen=True)
class Bins:
    """Cases of the bins that have two or more, in the order of their scores.

    Attributes
    ----------
    at : ndarray of int, shape (k,)
        Number of the bin.
    n : ndarray, shape (k,)
        Cases.
    score, share : ndarray, shape (k,)
        Mean score, and share of cases with the outcome.
    spread : ndarray, shape (k,)
        Variance of the scores, divided by n.
    variance : ndarray, shape (k,)
        Unbiased variance of outcome less score.
    """

    at: Ints
    n: Floats
    score: Floats
    share: Floats
    spread: Floats
    variance: Floats

    @property
    def gap(self) -> Floats:
        """Share less mean score."""
        return self.share - self.score

    @property
    def weight(self) -> Floats:
        """Share of the cases."""
        return np.asarray(self.n / self.n.sum())

    @property
    def plug_in(self) -> float:
        """Weighted mean of the squared gaps, which is too large on average."""
        return float(self.weight @ self.gap**2)

    @property
    def squared(self) -> float:
        """Unbiased estimate of the squared error, which may be negative."""
        # Kumar, Liang & Ma (2019), eq. 5, with the scores of the cases in place of one
        # for each bin: the mean of d_i d_j over pairs of different cases.
        return float(self.weight @ (self.gap**2 - self.variance / self.n))


def binned(score: Floats, outcome: Bools, bin_: Ints) -> Bins:
    """Return the counts and moments of the bins with two cases or more."""
    counts = np.bincount(bin_)
    at = np.flatnonzero(counts >= _LEAST)
    kept = np.isin(bin_, at)
    place = np.searchsorted(at, bin_[kept])
    s, y, n = score[kept], outcome[kept].astype(float), counts[at].astype(float)

    def means(values: Floats) -> Floats:
        return np.asarray(np.bincount(place, values, len(at)) / n)

    mean, share = means(s), means(y)
    rest = (y - s) - (share - mean)[place]
    return Bins(
        at=at,
        n=n,
        score=mean,
        share=share,
        spread=means(np.square(s - mean[place])),
        variance=means(rest**2) * n / (n - 1),
    )


def share_above(bins: Bins, error: float) -> float:
    """Return the probability of squared gaps as large if this is the error."""
    return _tails(bins, error)[1]


def limits(bins: Bins, level: float) -> tuple[float, float]:
    """Return the errors under which the observed squared gaps are in neither tail."""
    tail = (1 - level) / 2
    root = float(np.sqrt(bins.plug_in))
    low, high = 0.0, 1.0
    if _tails(bins, 0.0)[1] < tail:
        low = _root(lambda error: _tails(bins, error)[1] - tail, 0.0, root)
    if _tails(bins, 0.0)[0] < tail:
        high = 0.0
    elif _tails(bins, 1.0)[0] < tail:
        high = _root(lambda error: _tails(bins, error)[0] - tail, 0.0, 1.0)
    return low, high


def _root(excess: object, low: float, high: float) -> float:
    """Return where a function of the error is 0."""
    return float(optimize.brentq(excess, low, high, xtol=1e-14, rtol=1e-14))


def _tails(bins: Bins, error: float) -> tuple[float, float]:
    """Return P(Q <= q) and P(Q >= q) of the squared gaps Q if this is the error.

    Q is a sum of squares of normal gaps. It has about a gamma distribution with its
    mean, variance and third cumulant (Pearson 1959, Biometrika 46, 364).
    """
    w, q = bins.weight, bins.plug_in
    # The true gaps are taken to be in the proportion of the observed ones; without any,
    # all are equal and towards a share of one half.
    pattern = bins.gap / np.sqrt(q) if q > 0 else np.where(bins.score < 0.5, 1.0, -1.0)
    gap = error * pattern
    share = np.clip(bins.score + gap, 0, 1)
    # Mean of p (1 - p) of the cases of a bin, p being the score plus the gap.
    v = np.maximum(share * (1 - share) - bins.spread, 0) / bins.n
    mean = float(w @ v) + error**2
    second = 2 * float(w**2 @ v**2) + 4 * float(w**2 @ (v * gap**2))
    third = 8 * float(w**3 @ v**3) + 24 * float(w**3 @ (v**2 * gap**2))
    if second == 0:  # all shares are 0 or 1; equal but for rounding is equal
        return float(q >= mean * (1 - _ULPS)), float(q <= mean * (1 + _ULPS))
    df = 8 * second**3 / third**2
    x = df + (q - mean) * np.sqrt(2 * df / second)
    if x <= 0:
        return 0.0, 1.0
    return float(special.chdtr(df, x)), float(special.chdtrc(df, x))

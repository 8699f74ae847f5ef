"""Scores of probabilities: Brier's, logarithmic, calibration; of many groups."""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Bools, Floats, Indices
from pycompare.kernels.cumulative_counts import group_sums

_EDGES = np.arange(1, 10) / 10
"""Inner edges of the bins of the calibration error."""


def brier(score: Floats, is_positive: Bools, offsets: Indices) -> Floats:
    """Mean squared distance of probability and truth; NaN for an empty group.

    Parameters
    ----------
    score : ndarray, shape (n,)
        Probability of the positive class.
    is_positive : ndarray of bool, shape (n,)
    offsets : ndarray of int, shape (n_groups + 1,)
        Group g is ``score[offsets[g] : offsets[g + 1]]``.
    """
    # Brier (1950), for two classes.
    return _group_means((score - is_positive) ** 2, offsets)


def log_loss(score: Floats, is_positive: Bools, offsets: Indices) -> Floats:
    """Mean of -log of the probability given to the true class; may be infinite."""
    with np.errstate(divide="ignore"):
        terms = -np.where(is_positive, np.log(score), np.log1p(-score))
    return _group_means(terms, offsets)


def calibration_error(score: Floats, is_positive: Bools, offsets: Indices) -> Floats:
    """Return the expected calibration error over ten bins; NaN for an empty group.

    Bins are of equal width: bin k has scores from k/10 to below (k + 1)/10, the last
    one has 1 too.
    """
    n_groups, n_bins = offsets.size - 1, _EDGES.size + 1
    group = np.repeat(np.arange(n_groups), np.diff(offsets))
    cell = group * n_bins + np.searchsorted(_EDGES, score, side="right")
    excess = np.bincount(cell, score - is_positive, n_groups * n_bins)
    with np.errstate(invalid="ignore"):
        # Naeini, Cooper & Hauskrecht (2015): n_k/n |mean score - share of positives|.
        errors: Floats = np.abs(excess).reshape(n_groups, n_bins).sum(axis=1) / np.diff(
            offsets
        )
    return errors


def _group_means(terms: Floats, offsets: Indices) -> Floats:
    """Mean of each group; NaN for an empty one."""
    with np.errstate(invalid="ignore"):
        means: Floats = group_sums(terms, offsets) / np.diff(offsets)
    return means

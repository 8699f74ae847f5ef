"""Rates of confusion counts, and scores of probabilities, of many groups at once.

Counts are whole numbers of any shape; 0/0 is NaN. tp, fp, fn, tn: true and false
positives, false and true negatives.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Bools, Floats, Indices
from pycompare.kernels.cumulative_counts import Counts, group_sums


def _ratio(part: NDArray, whole: NDArray) -> Floats:
    """Divide; 0/0 is NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.divide(part, whole)
    return ratio


def tpr(c: Counts) -> Floats:
    """Return the true positive rate: tp / (tp + fn)."""
    return _ratio(c.tp, c.tp + c.fn)


def fpr(c: Counts) -> Floats:
    """Return the false positive rate: fp / (fp + tn)."""
    return _ratio(c.fp, c.fp + c.tn)


def tnr(c: Counts) -> Floats:
    """Return the true negative rate: tn / (fp + tn)."""
    return _ratio(c.tn, c.fp + c.tn)


def fnr(c: Counts) -> Floats:
    """Return the false negative rate: fn / (tp + fn)."""
    return _ratio(c.fn, c.tp + c.fn)


def precision(c: Counts) -> Floats:
    """Return the share of the positive calls that are right: tp / (tp + fp)."""
    return _ratio(c.tp, c.tp + c.fp)


def npv(c: Counts) -> Floats:
    """Return the share of the negative calls that are right: tn / (tn + fn)."""
    return _ratio(c.tn, c.tn + c.fn)


def error(c: Counts) -> Floats:
    """Return the share of wrong calls."""
    return _ratio(c.fp + c.fn, c.tp + c.fp + c.fn + c.tn)


def accuracy(c: Counts) -> Floats:
    """Return the share of right calls."""
    return _ratio(c.tp + c.tn, c.tp + c.fp + c.fn + c.tn)


def balanced_accuracy(c: Counts) -> Floats:
    """Return the mean of the true positive and the true negative rate."""
    return (tpr(c) + tnr(c)) / 2


def f1(c: Counts) -> Floats:
    """Return the harmonic mean of precision and recall: 2 tp / (2 tp + fp + fn)."""
    return _ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn)


def mcc(c: Counts) -> Floats:
    """Return Matthews' correlation of call and truth."""
    # Matthews (1975): (tp tn - fp fn) over the root of the product of the margins.
    product = _determinant(c)
    margins = np.sqrt((c.tp + c.fp) * (c.tp + c.fn).astype(float)) * np.sqrt(
        (c.tn + c.fp) * (c.tn + c.fn).astype(float)
    )
    return np.clip(_ratio(product, margins), -1.0, 1.0)


def kappa(c: Counts) -> Floats:
    """Return Cohen's agreement of call and truth beyond chance."""
    chance = (c.tp + c.fp) * (c.fp + c.tn).astype(float) + (c.tp + c.fn) * (
        c.fn + c.tn
    ).astype(float)
    # Cohen (1960), (p_o - p_e) / (1 - p_e) in counts.
    return _ratio(2 * _determinant(c), chance)


def _determinant(c: Counts) -> Floats:
    # Whole numbers: exact up to 3e9 cases of a class.
    determinant: Floats = (c.tp * c.tn - c.fp * c.fn).astype(float)
    return determinant


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

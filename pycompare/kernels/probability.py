"""Scores of probabilities: Brier's and the logarithmic, of many groups at once."""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Bools, Floats, Indices
from pycompare.kernels.cumulative_counts import group_sums


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


def _group_means(terms: Floats, offsets: Indices) -> Floats:
    """Mean of each group; NaN for an empty one."""
    with np.errstate(invalid="ignore"):
        means: Floats = group_sums(terms, offsets) / np.diff(offsets)
    return means

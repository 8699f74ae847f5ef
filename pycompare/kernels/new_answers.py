"""Errors of means over fixed items whose answers are drawn anew, and effective sizes.

Each item has several answers, drawn independently given the item: the spread of its
answers is all that a mean over these items has.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pycompare.base.typing import Bools, Floats


class ItemAnswers(NamedTuple):
    """The spread of the answers to fixed items.

    ``variances`` of each item's mean, ``counts`` of its answers (items x models), and
    ``binary``: whether all answers are 0 or 1.
    """

    variances: Floats
    counts: Floats
    binary: bool


def right_or_wrong(answers: Floats) -> bool:
    """Return whether all answers are 0 or 1; NaN is no answer."""
    return bool(np.isin(answers[~np.isnan(answers)], (0.0, 1.0)).all())


def of_runs(runs: Floats) -> ItemAnswers:
    """Return the variances of items' means.

    Parameters
    ----------
    runs : ndarray, shape (n_items, n_models, n_runs)
        NaN if an item has fewer answers; two at least.
    """
    given: Bools = ~np.isnan(runs)
    counts = given.sum(axis=-1).astype(float)
    means = np.where(given, runs, 0.0).sum(axis=-1) / counts
    spread = np.where(given, runs - means[:, :, None], 0.0)
    variances = np.square(spread).sum(axis=-1) / (counts - 1) / counts
    return ItemAnswers(variances, counts, right_or_wrong(runs))


def mean_error(
    answers: ItemAnswers, models: list[int], least: float = 0.0
) -> tuple[float, float]:
    """Return standard error and df of a mean, or of a difference of two means.

    Parameters
    ----------
    answers : ItemAnswers
    models : list of int
        One model or two.
    least : float
        Right or wrong answers: the least variance of one answer.

    Notes
    -----
    Right or wrong answers: half a success and half a failure of one item's worth of
    answers keep the variance above 0, and the distribution is normal. Graded ones have
    Satterthwaite's degrees of freedom.
    """
    own, n = answers.variances[:, models], len(answers.variances)
    counts = answers.counts[:, models]
    if answers.binary:
        runs = 1 / float(np.mean(1 / counts))  # harmonic: of items' mean variances
        total = float(own.mean(axis=0).sum())
        squared = (n * total + len(models) / 4 / runs) / (n + 1) / n
        return math.sqrt(max(squared, least / (n * runs))), math.inf
    v = own.sum(axis=1)
    spread = float(np.sum(v**2 / (counts.min(axis=1) - 1)))
    df = float(v.sum()) ** 2 / spread if spread > 0 else math.inf
    return math.sqrt(float(v.sum())) / n, df


def effective_answers(answers: ItemAnswers, shares: Floats) -> Floats:
    """Return the independent answers behind each model's share over fixed items."""
    n = len(answers.variances)
    runs = 1 / np.mean(1 / answers.counts, axis=0)
    within = (n * answers.variances.mean(axis=0) * runs + 0.25) / (n + 1)
    return np.asarray(n * runs * np.maximum(1.0, shares * (1 - shares) / within))


def effective_items(
    shares: Floats, variances: Floats, units: float, answers: Floats
) -> Floats:
    """Return the independent answers behind each share of items like these.

    Parameters
    ----------
    shares : ndarray
    variances : ndarray
        Of the shares, over items or clusters.
    units : float
        Independent units: items or clusters, the least of the effective sizes.
    answers : ndarray
        All answers of each model, the most.
    """
    spread = shares * (1 - shares)
    size = np.divide(
        spread, variances, out=np.full(len(shares), units), where=variances > 0
    )
    return np.clip(size, units, answers)
